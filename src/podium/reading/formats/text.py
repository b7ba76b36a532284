"""Text with separators: its encoding, its separator, its header. Other readers of files take their bytes from here."""

from __future__ import annotations

import csv
import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.contents import bytes_within
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import known_metric
from podium.core.names import shown, without_filler
from podium.reading.formats.frames import sheet_of_frame
from podium.reading.formats.multi_header import FOLDS, grid_of, is_number, told_apart
from podium.reading.formats.pasted import separated, sniff_separator
from podium.reading.grouping import may_group
from podium.reading.options import ReadOptions
from podium.reading.roles import role_of
from podium.reading.sheet import Sheet

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_NO_TEXT = {
    b"PK\x03\x04": "a zip archive or a spreadsheet: unpack it, or give it the ending .xlsx",
    b"\x1f\x8b": "packed with gzip: unpack it, or give it the ending .csv.gz",
    b"SQLite format 3": "a database: if it is a benchmark's results database, `podium.bench.results.results_from_store` reads it",
}


@dataclass(frozen=True, slots=True)
class Content:
    """What a packed file holds, as the readers of files take it: a name and bytes."""

    name: str
    content: bytes

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return Path(self.name).stem

    @property
    def suffix(self) -> str:
        """The ending of the name."""
        return Path(self.name).suffix

    def __str__(self) -> str:
        return self.name


File = Path | Content


def decoded(path: File, options: ReadOptions) -> str:
    """The text of a file; binary files and wrong encodings are refused."""
    raw = bytes_of(path)
    if not raw or raw.isspace():
        raise _empty(path.name)
    if kind := next((kind for start, kind in _NO_TEXT.items() if raw.startswith(start)), None):
        raise DataError(f"{path.name} is {kind}.")
    encoding = options.encoding or next((name for bom, name in _BOMS if raw.startswith(bom)), "utf-8")
    if not encoding.lower().startswith("utf-16") and b"\x00" in raw[:65536]:
        raise DataError(f"{path.name} is a binary file, not a table: save it as CSV, Excel (.xlsx) or Parquet.")
    try:
        text = raw.decode(encoding)
    except LookupError:
        raise ArgumentError(f"Unknown encoding {encoding!r}: try 'utf-8', 'cp1252' or 'latin-1'.") from None
    except (UnicodeError, ValueError):
        raise DataError(
            f"{path.name} is not {encoding.upper()} text: save it as UTF-8, or name its {{encoding}} (such as 'cp1252')."
        ) from None
    if text.isspace():
        raise _empty(path.name)
    return text


def bytes_of(path: File) -> bytes:
    """What a file holds; what the system refuses is a `DataError`."""
    try:
        return bytes_within(path) if isinstance(path, Path) else path.content
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise DataError(f"{shown(str(path))} cannot be read ({reason}): check the path and its permissions.") from None


def _empty(label: str) -> DataError:
    return DataError(f"{label} is empty: it needs a header line and rows of scores.")


# What people give and is not read, by its ending, with the lines that make a table of it.
_INSTEAD = {
    ".yaml": "YAML: write it as JSON, as in `json.dump(yaml.safe_load(open('scores.yaml')), open('scores.json', 'w'))`",
    ".arff": "ARFF, which holds data: give scores; if it does hold a table of scores, save it with "
    "`pandas.DataFrame(scipy.io.arff.loadarff('scores.arff')[0]).to_csv('scores.csv')`",
}
_INSTEAD[".yml"] = _INSTEAD[".yaml"]


def open_text(path: File, options: ReadOptions) -> Sheet:
    """A table of separated values. The header is read apart, so that names stay as they are written."""
    if path.suffix.lower() in _INSTEAD:
        raise DataError(f"{path.name} is {_INSTEAD[path.suffix.lower()]}.")
    text = decoded(path, options).lstrip("\ufeff\r\n")
    separator, notes = options.separator, tuple[str, ...]()
    if text[:4].lower() == "sep=" and len(text) > 5:  # a line that Excel writes and understands
        separator = separator or text[4]
        text = text.split("\n", 1)[-1].lstrip("\r\n")
    if separator is None:
        text, separator, notes = separated(text, path.name, options.sheet)
    separator = separator or sniff_separator(text)
    text = _without_trailing(text, separator)
    header, first = _two_records(text, separator, path.name)
    if len(first) == len(header) + 1:  # R writes row names without a header of their own
        header = ["", *header]
    if len(header) == 1:
        raise DataError(
            f"{path.name} has one column only: it needs names and scores side by side, separated by commas, tabs or "
            "semicolons (or give {separator})."
        )
    if len(first) > len(header):
        raise DataError(
            f"{path.name}, first row below the header: {len(first)} cells under {len(header)} names; "
            "quote names that contain the separator, or name every column."
        )
    # Names below names, or numbers of folds below them: perhaps several header rows.
    if not any(map(is_number, first[1:])) or role_of(first[0]) in FOLDS:
        rows = [row for row in csv.reader(lines_of(text), delimiter=separator) if any(map(str.strip, row))]
        if not rows:  # separators alone
            raise _empty(path.name)
        grid = grid_of(rows, path.name)
        is_even = all(len(row) == len(grid.header) for row in grid.rows)
        if is_even and (grid.notes or len(grid.rows) != len(rows) - 1):
            frame = pd.DataFrame(grid.rows, columns=grid.header).replace("", None)
            return sheet_of_frame(frame, label=path.name, stem=path.stem, notes=(*notes, *grid.notes))
    frame = _body(text, header, separator, path.name)
    if options.decimal_comma:
        frame = _with_dots_as_written(frame, text, separator)
    header = [without_filler(name).strip() and without_filler(name) for name in header]
    if all(frame[j].notna().any() for j, name in enumerate(header) if not name):
        header = told_apart(header)
    return Sheet(header=tuple(header), frame=frame, label=path.name, stem=path.stem, notes=notes)


def _without_trailing(text: str, separator: str) -> str:
    """Without the separator that ends every line of some files, and would look like a column of names too many."""
    first = [line for line, _ in zip(filter(str.strip, lines_of(text)), range(2), strict=False)]
    if separator.isspace() or not first[-1].rstrip("\r\n").endswith(separator):
        return text
    header, *below = (line for line in text.replace("\r\n", "\n").split("\n") if line.strip())
    if not below or not all(line.endswith(separator) for line in below):
        return text
    try:
        named, filled = (len(next(csv.reader([line], delimiter=separator))) for line in (header, below[0]))
    except csv.Error:  # such as a lone \r, which ends a line for other readers
        return text
    if not header.endswith(separator) and filled != named + 1:
        return text
    return "\n".join(line.removesuffix(separator) for line in (header, *below))


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text with their ends, one at a time: a stream would hold all of it once more, four times as large."""
    return (line[0] for line in _LINE.finditer(text))


def _two_records(text: str, separator: str, label: str) -> tuple[list[str], list[str]]:
    """The header and the first row below it."""
    reader = csv.reader(lines_of(text), delimiter=separator)
    try:
        records = [record for record, _ in zip((r for r in reader if r), range(2), strict=False)]
    except csv.Error as error:
        raise DataError(f"{label} is not a table of separated values ({error}): check its quotes.") from None
    if len(records) < 2:
        raise DataError(f"{label} has a single line: it needs a header line and at least one row of scores below it.")
    return records[0], records[1]


def _body(text: str, header: list[str], separator: str, label: str) -> pd.DataFrame:
    """The rows below the header: names as text, numbers as numbers where a whole column is."""
    named = ("algorithm", "dataset", "metric", "family")
    as_text = [i for i, name in enumerate(header) if role_of(name) in named]
    if not role_of(header[0]) and known_metric(header[0]) is None:
        as_text.append(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = _cells(text, separator, len(header))
            if odd := sorted(i for i in as_text if frame[i].dtype.kind in "biufmM"):  # names that are numbers: 007
                frame[odd] = _cells(text, separator, len(header), dtype=str, usecols=odd)
    except (pd.errors.ParserError, pd.errors.ParserWarning, ValueError, OverflowError) as error:
        reason = str(error).strip().replace("\n", " ").replace("Error tokenizing data. C error: ", "")
        raise DataError(
            f"{label} is not a table with the same number of cells in every row ({shown(reason, 100)}): "
            "check its quotes and separators."
        ) from None
    if frame.iloc[:, -1].isna().any():
        _check_lengths(text, len(header), separator, label)
    return _without_blank_rows(frame)


class _InBlocks(io.TextIOBase):
    """A text that is handed over in blocks: other streams would hold all of it once more."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def read(self, size: int | None = -1, /) -> str:
        """The next characters."""
        end = len(self.text) if size is None or size < 0 else self.at + size
        block, self.at = self.text[self.at : end], end
        return block


def _cells(text: str, separator: str, width: int, **more: Any) -> pd.DataFrame:
    frame: pd.DataFrame = pd.read_csv(
        _InBlocks(text), sep=separator, header=None, skiprows=1, names=range(width), low_memory=False,
        keep_default_na=False, na_values=[""], index_col=False, skipinitialspace=separator != "\t", **more,
    )  # fmt: skip
    return frame


def _without_blank_rows(frame: pd.DataFrame) -> pd.DataFrame:
    if frame.iloc[:, 0].notna().all():
        return frame
    return frame[frame.notna().any(axis=1).to_numpy()].reset_index(drop=True)


def _with_dots_as_written(frame: pd.DataFrame, text: str, separator: str) -> pd.DataFrame:
    """Numbers whose dots may group thousands as text: 1.234 beside decimal commas may be 1234."""
    written = _without_blank_rows(_cells(text, separator, frame.shape[1], dtype=str))
    for place in frame.columns:
        if frame[place].dtype.kind == "f" and written[place].dropna().map(may_group).any():
            frame[place] = written[place]
    return frame


def _check_lengths(text: str, width: int, separator: str, label: str) -> None:
    """Refuse a row that is cut short: its missing cells would look like missing scores."""
    reader = csv.reader(lines_of(text), delimiter=separator)
    next(reader)
    for record in reader:
        if record and len(record) != width and any(cell.strip() for cell in record):
            raise DataError(
                f"{label}, line {reader.line_num}: {len(record)} cells where the header has {width}; "
                "complete the row (leave missing cells empty between separators)."
            )
