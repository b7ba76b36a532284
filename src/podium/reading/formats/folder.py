"""A folder with one file per algorithm (or one table per metric)."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby, repeat
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd

from podium.core.contents import is_regular
from podium.core.errors import DataError, PodiumError
from podium.core.names import quoted, shown, some_words, tokens
from podium.core.numbers import listed
from podium.reading.formats.compressed import stem_of
from podium.reading.formats.frames import sheet_of_frame
from podium.reading.formats.text import Content, bytes_of, open_text
from podium.reading.metric_name import metric_in_stem
from podium.reading.options import ReadOptions
from podium.reading.question import NothingToTest
from podium.reading.registry import endings
from podium.reading.roles import is_called, is_truth, role_of

if TYPE_CHECKING:
    from podium.evidence.results import Results
    from podium.reading.build import Part
    from podium.reading.sheet import Sheet


def is_folder(source: Any) -> bool:
    """Whether this is the path of a folder."""
    return isinstance(source, Path) and source.is_dir()


def read_folder(folder: Path, options: ReadOptions) -> Results | Sheet:
    """Every table of the folder, joined."""
    paths = tables_of(folder)
    if not paths:
        kinds = quoted(endings(lambda entry: entry.in_folders), 20)
        raise DataError(f"The folder {folder.name!r} has no table: it needs one file per algorithm ({kinds}).")
    return read_tables(paths, options, folder.name, f"a folder of {len(paths)}", _passed_over(folder))


def read_tables(paths: list[Path], options: ReadOptions, label: str, several: str, more: str = "") -> Results | Sheet:
    """Several tables, joined; a file about one algorithm is named for it. Of test cases, the one table of all files."""
    from podium.reading.assemble import assemble
    from podium.reading.reader import open_file

    _refuse_truth(paths, label)
    stems = [stem_of(path) for path in paths]
    if len({*stems}) < len(stems):
        stems = [f"{path.absolute().parent.name}_{stem}" for path, stem in zip(paths, stems, strict=True)]
    if len({*stems}) < len(stems):
        raise DataError(
            f"{label}: a file is given twice, or two have the same name: give each algorithm a file of its own."
        )
    algorithms = algorithms_in_stems(stems)
    if options.unit == "case" or (options.unit is None and _holds_cases(paths[0], options)):
        return _of_cases([cast("Sheet", open_file(path, options)) for path in paths], algorithms, label)
    parts: dict[Path, Part] = {}
    for header, run in groupby(zip(paths, algorithms, _headers(paths), strict=True), key=itemgetter(2)):
        files = [(path, algorithm) for path, algorithm, _ in run]
        whole = _together(label, files, options) if header and len(files) >= MANY_FILES else None
        parts |= {files[0][0]: whole} if whole else {path: _one(label, path, name, options) for path, name in files}
    single = {part.one_algorithm: path.name for path, part in reversed(parts.items())}
    if len(single) == 2:
        raise DataError(
            f"{label} mixes tables of one algorithm ({single[True]}) and of several ({single[False]}): keep them in folders of their own."
        )
    kind = "one algorithm each" if True in single else "several algorithms each"
    said = f"{label} was read as {several} tables of {kind}, the first one as: {parts[paths[0]].said}{more}"
    return assemble([*parts.values()], options, source=label, said=said)


def _refuse_truth(paths: list[Path], label: str) -> None:
    """Refuse a folder in which one file is named for the true labels: the others are predictions, and it does not compete."""
    truth = [path for path in paths if is_called(stem_of(path), "predictions.truth", "predictions.truth_file")]
    if truth and len(paths) > len(truth):
        name = shown(truth[0].name)
        raise NothingToTest(
            f"{name} in {label} seems to hold the true labels of what the other files predict: give its path as {{truth}}, and "
            "{metric}. If it is an algorithm like the others, rename it."
        )


def _one(label: str, path: Path, algorithm: str, options: ReadOptions) -> Part:
    """What one of the files gives."""
    from podium.reading.reader import open_file, read_part

    sheet = cast("Sheet", open_file(path, options))
    if metric_in_stem(stem_of(path), one_algorithm=True) is None:
        sheet = replace(sheet, stem=label)  # the folder may be named for the metric
    return read_part(sheet, options, algorithm)


MANY_FILES = 50  # from so many on, plain files with one header are recognised together: one by one takes 6 ms for each
_NOT_PLAIN = re.compile(rb"[#\t;|%\0]|\r(?!\n)")
_PLAIN_LINE = re.compile(rb'(?:(?:"[^",]*"|[^",]*)(?:,|$))*')  # a cell in quotes has no comma and no quote in it


def _headers(paths: list[Path]) -> list[tuple[bytes, str | None] | None]:
    """The header of each of many files of plain lines, and the metric that the file is named for; None of any other."""
    lines = map(_plain_lines, paths) if len(paths) >= MANY_FILES else repeat([], len(paths))
    metrics = (metric_in_stem(stem_of(path), one_algorithm=True) for path in paths)
    return [(own[0], metric) if own else None for own, metric in zip(lines, metrics, strict=True)]


def _plain_lines(path: Path) -> list[bytes]:
    """The lines of a file in which commas alone separate cells, as many in each; none of any other."""
    text = bytes_of(path) if path.suffix.lower() == ".csv" else b""
    lines = [] if _NOT_PLAIN.search(text) else [line for line in text.splitlines() if line.strip(b" ,")]
    if b'"' in text and not all(map(_PLAIN_LINE.fullmatch, lines)):
        return []
    return lines if len(lines) > 1 and len({0, *(line.count(b",") for line in lines)}) == 2 else []


def _together(label: str, files: list[tuple[Path, str]], options: ReadOptions) -> Part | None:
    """The rows of long tables with one header, read as one table; None where it is not read as the first of them is.

    Then they are read one by one, which says what is wrong and in which file.
    """
    from podium.reading.reader import read_part

    first = _one(label, *files[0], options)
    tables = [_plain_lines(path) for path, _ in files]
    text = b"\n".join([tables[0][0], *(line for _, *rows in tables for line in rows)])
    try:
        sheet = replace(open_text(Content(f"{label}.csv", text), options), stem=label)
        if first.one_algorithm:
            names = [name for (_, name), rows in zip(files, tables, strict=True) for _ in rows[1:]]
            frame = pd.concat([sheet.frame, pd.DataFrame({sheet.n_columns: names})], axis=1)
            sheet = replace(sheet, header=(*sheet.header, "algorithm"), frame=frame)
        whole = read_part(sheet, options)
    except PodiumError:
        return None
    roles = [[column.role for column in part.columns if column.name != "algorithm"] for part in (first, whole)]
    same = (
        (whole.layout, whole.one_algorithm, whole.notes, roles[1]) == ("long", False, first.notes, roles[0])
        and "dataset" in roles[0]
        and all(
            np.array_equal(own.value, all_rows.value[: len(own.value)], equal_nan=True)
            for own, all_rows in zip(first.blocks, whole.blocks, strict=True)
        )
    )
    return replace(first, blocks=whole.blocks, families=whole.families, directions=whole.directions) if same else None


def _holds_cases(path: Path, options: ReadOptions) -> bool:
    """Whether the rows of a file are clearly test cases; where it is about one algorithm, also tasks that were each passed or failed."""
    from podium.reading.columns import Columns
    from podium.reading.reader import open_file
    from podium.reading.recognise import unit_of
    from podium.reading.reshape import prepared

    sheet = cast("Sheet", open_file(path, options))
    columns = Columns(*prepared(sheet, options))
    tried = any(view.is_called("cases.possible") and view.differ for view in columns.views)
    alone = not any(view.role in ("algorithm", "fold", "metric") for view in columns.views)
    said = (view for view in columns.views if view.is_called("outcomes.passing", "outcomes.right"))
    if tried and alone and any(view.passes for view in said):
        return True
    return unit_of(columns, ("case", "dataset")) == "case"


def _of_cases(sheets: list[Sheet], algorithms: list[str], label: str) -> Sheet:
    """The outcomes of test cases in several files as one table, each file with the algorithm that it is named for."""
    inside = any(role_of(name) == "algorithm" for sheet in sheets for name in sheet.header)
    frames = [sheet.frame.set_axis(list(sheet.header), axis=1) for sheet in sheets]
    shared = [name for name in sheets[0].header if all(name in sheet.header for sheet in sheets)]
    if len(shared) < 2 or any(len(set(sheet.header)) < len(sheet.header) for sheet in sheets):
        raise DataError(f"The files of {label} share no columns of cases and outcomes: give each the same header.")
    if not inside and is_truth(shared[-1], few_labels=True):
        raise NothingToTest(
            f"The files of {label} hold what was predicted ({shown(shared[-1])}) and not whether it is right: give the file of the "
            "true labels as {truth}, and {metric}."
        )
    if not inside:
        frames = [frame.assign(algorithm=name) for frame, name in zip(frames, algorithms, strict=True)]
    return sheet_of_frame(
        pd.concat(frames, ignore_index=True)[[*shared, *([] if inside else ["algorithm"])]],
        label=label,
        notes=(f"{len(sheets)} files of {label} were read as one table of test cases.", *sheets[0].notes),
    )


def tables_of(folder: Path) -> list[Path]:
    """The regular files of a folder that are tables by their endings, in the order of their names."""
    return [path for path in _named(folder) if is_regular(path)]


def _passed_over(folder: Path) -> str:
    """What is said of files that are tables by their names only: pipes, devices, and links to such or to nothing."""
    special = [shown(path.name) for path in _named(folder) if not is_regular(path) and not path.is_dir()]
    kind = "which is not a regular file" if len(special) == 1 else "which are not regular files"
    return f"; without {listed(special)}, {kind}" if special else ""


def _named(folder: Path) -> list[Path]:
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
