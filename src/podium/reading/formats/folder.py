"""A folder with one file per algorithm (or one table per metric)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd

from podium.core.errors import DataError
from podium.core.names import quoted, some_words, tokens
from podium.reading.formats.compressed import stem_of
from podium.reading.formats.frames import sheet_of_frame
from podium.reading.metric_name import metric_in_stem
from podium.reading.options import ReadOptions
from podium.reading.registry import endings
from podium.reading.roles import role_of

if TYPE_CHECKING:
    from podium.evidence.results import Results
    from podium.reading.sheet import Sheet


def is_folder(source: Any) -> bool:
    """Whether this is the path of a folder."""
    return isinstance(source, Path) and source.is_dir()


def read_folder(folder: Path, options: ReadOptions) -> Results | Sheet:
    """Every table of the folder, joined; a file about one algorithm is named for it. Of test cases, the one table of all files."""
    from podium.reading.assemble import assemble
    from podium.reading.reader import open_file, read_part

    paths = tables_of(folder)
    if not paths:
        kinds = quoted(endings(lambda entry: entry.in_folders), 20)
        raise DataError(f"The folder {folder.name!r} has no table: it needs one file per algorithm ({kinds}).")
    stems = [stem_of(path) for path in paths]
    algorithms = algorithms_in_stems(stems)
    if options.unit == "case":
        return _of_cases([cast("Sheet", open_file(path, options)) for path in paths], algorithms, folder.name)
    parts = []
    for path, stem, algorithm in zip(paths, stems, algorithms, strict=True):
        sheet = cast("Sheet", open_file(path, options))
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


def _of_cases(sheets: list[Sheet], algorithms: list[str], label: str) -> Sheet:
    """The outcomes of test cases in several files as one table, each file with the algorithm that it is named for."""
    inside = any(role_of(name) == "algorithm" for sheet in sheets for name in sheet.header)
    frames = [sheet.frame.set_axis(list(sheet.header), axis=1) for sheet in sheets]
    shared = [name for name in sheets[0].header if all(name in sheet.header for sheet in sheets)]
    if len(shared) < 2 or any(len(set(sheet.header)) < len(sheet.header) for sheet in sheets):
        raise DataError(f"The files of {label} share no columns of cases and outcomes: give each the same header.")
    if not inside:
        frames = [frame.assign(algorithm=name) for frame, name in zip(frames, algorithms, strict=True)]
    return sheet_of_frame(
        pd.concat(frames, ignore_index=True)[[*shared, *([] if inside else ["algorithm"])]],
        label=label,
        notes=(f"{len(sheets)} files of {label} were read as one table of test cases.", *sheets[0].notes),
    )


def tables_of(folder: Path) -> list[Path]:
    """The regular files of a folder that are tables by their endings, in the order of their names."""
    wanted = endings(lambda entry: entry.in_folders)
    try:
        named = sorted(path for path in folder.iterdir() if path.suffix.lower() in wanted and path.name[0] != ".")
        return [path for path in named if path.is_file()]
    except OSError as error:
        raise DataError(f"The folder {folder.name!r} cannot be read ({(error.strerror or '').lower()}).") from None


def algorithms_in_stems(stems: list[str]) -> list[str]:
    """The algorithm each file is named for: its name without the words that all files begin or end with.

    >>> algorithms_in_stems(["results_svm_accuracy", "results_naive_bayes_accuracy"])
    ['svm', 'naive_bayes']
    >>> algorithms_in_stems(["WEASEL-2.0_TESTFOLDS", "C4.5_TESTFOLDS"])
    ['WEASEL-2.0', 'C4.5']
    """
    from podium.reading.build import algorithm_in_stem

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
