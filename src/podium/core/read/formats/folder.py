"""A folder with one file per algorithm (or one table per metric)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from podium.core.errors import DataError
from podium.core.read.formats.packed import stem_of
from podium.core.read.metric_name import metric_in_stem
from podium.core.read.names import quoted, some_words, tokens
from podium.core.read.options import ReadOptions
from podium.core.read.registry import endings

if TYPE_CHECKING:
    from podium.core.read.sheet import Sheet
    from podium.core.results import Results


def is_folder(source: Any) -> bool:
    """Whether this is the path of a folder."""
    return isinstance(source, Path) and source.is_dir()


def read_folder(folder: Path, options: ReadOptions) -> Results:
    """Every table of the folder, joined; a file about one algorithm is named for it."""
    from podium.core.read.assemble import assemble
    from podium.core.read.reader import opened, read_part

    paths = tables_of(folder)
    if not paths:
        kinds = quoted(endings(lambda entry: entry.in_folders), 20)
        raise DataError(f"The folder {folder.name!r} has no table: it needs one file per algorithm ({kinds}).")
    stems = [stem_of(path) for path in paths]
    algorithms = algorithms_in_stems(stems)
    parts = []
    for path, stem, algorithm in zip(paths, stems, algorithms, strict=True):
        sheet = cast("Sheet", opened(path, options))
        if metric_in_stem(stem, one_algorithm=True) is None:
            sheet = replace(sheet, stem=folder.name)  # the folder may be named for the metric
        parts.append(read_part(sheet, options, algorithm))
    single = [part.one_algorithm for part in parts]
    if any(single) and not all(single):
        raise DataError(
            f"The folder {folder.name!r} mixes tables of one algorithm ({paths[single.index(True)].name}) and of "
            f"several ({paths[single.index(False)].name}): keep them in folders of their own."
        )
    kind = "one algorithm each" if all(single) else "several algorithms each"
    said = f"{folder.name} was read as a folder of {len(paths)} tables of {kind}, the first one as: {parts[0].said}"
    return assemble(parts, options, source=str(folder), said=said)


def tables_of(folder: Path) -> list[Path]:
    """The files of a folder that are tables by their endings, in the order of their names."""
    wanted = endings(lambda entry: entry.in_folders)
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in wanted and path.name[0] != ".")
    except OSError as error:
        raise DataError(f"The folder {folder.name!r} cannot be read ({(error.strerror or '').lower()}).") from None


def algorithms_in_stems(stems: list[str]) -> list[str]:
    """The algorithm each file is named for: its name without the words that all files begin or end with.

    >>> algorithms_in_stems(["results_svm_accuracy", "results_naive_bayes_accuracy"])
    ['svm', 'naive_bayes']
    >>> algorithms_in_stems(["WEASEL-2.0_TESTFOLDS", "C4.5_TESTFOLDS"])
    ['WEASEL-2.0', 'C4.5']
    """
    from podium.core.read.wide import algorithm_in_stem

    if len(stems) == 1:
        return [algorithm_in_stem(stems[0])]
    split = [tokens(stem) for stem in stems]
    start = _shared(split)
    end = _shared([words[start:][::-1] for words in split])
    return [some_words(stem, start, len(words) - end) or stem for stem, words in zip(stems, split, strict=True)]


def _shared(several: list[list[str]]) -> int:
    """How many words at the front all lists share."""
    count = 0
    for words in zip(*several, strict=False):
        if len(set(words)) > 1:
            break
        count += 1
    return count
