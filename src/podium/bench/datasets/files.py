"""A folder of CSV, Parquet or ARFF files as datasets."""

from __future__ import annotations

import csv
import io
import itertools
import re
import warnings
from pathlib import Path
from typing import Any

import pandas as pd

from podium.bench.datasets.arff import parse_arff
from podium.bench.datasets.model import Columns, Dataset, from_frame
from podium.core.contents import bytes_within, check_file, is_regular
from podium.core.errors import DataError, MissingPackageError, first_line

SUFFIXES = (".csv", ".tsv", ".parquet", ".arff")
_NUMBER = {mark: re.compile(rf"[-+]?\d+(?:{re.escape(mark)}\d+)?(?:[eE][-+]?\d+)?") for mark in ".,"}
_MARKED = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:[.,]\d{3})+)(?:[.,]\d+)?(?:[eE][-+]?\d+)?")  # by whatever marks
_NAMELESS = re.compile(r"Unnamed: \d+")
_USUAL_TARGETS = ("class", "Class", "target", "label", "y")


def data_files(folder: Path) -> list[Path]:
    """The data files of a folder, by name."""
    if not folder.is_dir():
        raise DataError(f"There is no folder {str(folder)!r} with data.")
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and is_regular(path))
    if not paths:
        raise DataError(f"The folder {str(folder)!r} has no file that ends in {', '.join(SUFFIXES)}.")
    return paths


def load_file(
    path: Path,
    *,
    name: str = "",
    target: str | None = None,
    regression: bool = False,
    decimal_comma: bool = False,
    **columns: Any,
) -> Dataset:
    """A dataset from one file; without `target` it is the column called class, target, label or y."""
    frame = _read(path, decimal_comma=decimal_comma)
    if target is None:
        usual = [column for column in _USUAL_TARGETS if column in frame.columns]
        if not usual:
            raise DataError(f"Which column of {path.name!r} is to be predicted? Name it with `target`.")
        target = usual[0]
    return from_frame(name or path.stem, frame, target, Columns(**columns), regression=regression)


def _read(path: Path, *, decimal_comma: bool) -> pd.DataFrame:
    suffix = path.suffix.lower()
    try:
        if suffix == ".arff":
            return parse_arff(_text(path), path.name)
        if suffix == ".parquet":
            return _read_parquet(path)
        return _read_csv(path, "\t" if suffix == ".tsv" else ",", "," if decimal_comma else ".")
    except FileNotFoundError:
        raise DataError(f"There is no data file {str(path)!r}.") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, OSError) as error:
        raise DataError(f"The data file {str(path)!r} cannot be read: {str(error).strip()}.") from None


def _text(path: Path) -> str:
    """The text of a file in UTF-8, or in UTF-16 with its mark."""
    content = bytes_within(path)
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise DataError(f"The data file {str(path)!r} is not UTF-8 (perhaps Latin-1): save it as UTF-8.") from None


def _read_csv(path: Path, separator: str, decimal: str) -> pd.DataFrame:
    """A table with a header; separated by semicolons or tabs if its header is. What could be misread is refused."""
    text = _text(path)
    header = text.partition("\n")[0]
    if separator == ",":
        separator = max(",;\t", key=header.count)  # the comma wins a draw
    rows = list(itertools.islice(csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True), 2))
    names = [cell.strip() for cell in rows[0]] if rows else []
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"The data file {str(path)!r} has two columns called {twice!r}: give each a name of its own.")
    options: dict[str, Any] = {"skipinitialspace": True}
    if len(rows) == 2 and len(rows[1]) > len(rows[0]):
        if any(cell.strip() for cell in rows[1][len(rows[0]) :]):
            values = f"{len(rows[1])} values in its second line for {len(rows[0])} columns"
            raise DataError(f"The data file {str(path)!r} has {values}.")
        options["index_col"] = False  # a separator at the end of every line is no column
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pd.errors.ParserWarning)
        frame = pd.read_csv(io.StringIO(text), sep=separator, decimal=decimal, na_values=["?"], **options)
    return _checked(frame, path, decimal)


def _checked(frame: pd.DataFrame, path: Path, decimal: str) -> pd.DataFrame:
    nameless = [column for column in frame.columns if _NAMELESS.fullmatch(str(column))]
    frame = frame.drop(columns=[column for column in nameless if frame[column].isna().all()])
    if len(marks := _marks(frame, decimal)) == 2:
        (column, commas), (other, points) = marks[","], marks["."]
        raise DataError(
            f"Column {column!r} of {path.name!r} holds {commas!r}, and {'also' if other == column else f'column {other!r} holds'} "
            f"{points!r}: one of the two marks separates thousands. Write these numbers without it."
        )
    for place, column in enumerate(frame.columns, 1):
        if column in nameless:
            cure = "(row numbers, perhaps): name it, or remove it"
            raise DataError(f"Column {place} of {path.name!r} has no name {cure}.")
        other = "." if decimal == "," else ","
        if frame[column].dtype.kind not in "fiub" and (cell := _number_with(other, frame[column])) is not None:
            cure = (
                "give {decimal_comma} if the comma is a decimal comma" if other == "," else "leave out {decimal_comma}"
            )
            raise DataError(f"Column {column!r} of {path.name!r} holds {cell!r}, not a number: {cure}.")
    return frame


def _marks(frame: pd.DataFrame, decimal: str) -> dict[str, tuple[str, str]]:
    """Comma and point where numbers have them: a column, and one of its cells."""
    found: dict[str, tuple[str, str]] = {}
    for name, column in frame.items():
        if column.dtype.kind == "f":
            cells = [str(value).replace(".", decimal) for value in column[column % 1 > 0].head(1)]
        else:
            cells = [] if column.dtype.kind in "iub" else [str(cell).strip() for cell in column.dropna().unique()]
        if all(map(_MARKED.fullmatch, cells)):
            for mark in ",.":
                if (cell := next((cell for cell in cells if mark in cell), None)) is not None:
                    found.setdefault(mark, (str(name), cell))
    return found


def _number_with(mark: str, column: pd.Series) -> str | None:
    """A number with this mark, in a column that holds nothing but such numbers and whole ones."""
    cells = [str(cell).strip() for cell in column.dropna().unique()]
    found = next((cell for cell in cells if mark in cell), None)
    return found if all(_NUMBER[mark].fullmatch(cell) for cell in cells) else None


def _read_parquet(path: Path) -> pd.DataFrame:
    check_file(path)
    try:
        return pd.read_parquet(path)
    except ImportError:
        raise MissingPackageError("pyarrow", "Reading Parquet files", extra="parquet") from None
    except FileNotFoundError:
        raise
    except (ValueError, OSError) as error:
        reason = first_line(error, "it is damaged").rstrip(".")
        raise DataError(f"The data file {str(path)!r} cannot be read as Parquet: {reason}.") from None
