"""A folder of CSV, Parquet or ARFF files as datasets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from podium.bench.datasets.arff import parse_arff
from podium.bench.datasets.model import Dataset, from_frame
from podium.core.errors import DataError, MissingPackageError

__all__ = ["SUFFIXES", "data_files", "load_file"]

SUFFIXES = (".csv", ".tsv", ".parquet", ".arff")
_USUAL_TARGETS = ("class", "Class", "target", "label", "y")


def data_files(folder: Path) -> list[Path]:
    """The data files of a folder, by name."""
    if not folder.is_dir():
        raise DataError(f"There is no folder {str(folder)!r} with data.")
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    if not found:
        raise DataError(f"The folder {str(folder)!r} has no file that ends in {', '.join(SUFFIXES)}.")
    return found


def load_file(
    path: Path, *, name: str = "", target: str | None = None, nominal: Sequence[str] = (), family: str = ""
) -> Dataset:
    """A dataset from one file; without `target` the class is the column called class, target, label or y."""
    frame = _read(path)
    if target is None:
        usual = [column for column in _USUAL_TARGETS if column in frame.columns]
        if not usual:
            raise DataError(f"Which column of {path.name!r} is the class? Name it with `target`.")
        target = usual[0]
    return from_frame(name or path.stem, frame, target, nominal=nominal, family=family)


def _read(path: Path) -> pd.DataFrame:
    suffix = path.suffix.lower()
    try:
        if suffix == ".arff":
            return parse_arff(path.read_text(encoding="utf-8"), path.name)
        if suffix == ".parquet":
            return _read_parquet(path)
        separator = "\t" if suffix == ".tsv" else ","
        return pd.read_csv(path, sep=separator, skipinitialspace=True, na_values=["?"])
    except FileNotFoundError:
        raise DataError(f"There is no data file {str(path)!r}.") from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError, OSError) as error:
        raise DataError(f"The data file {str(path)!r} cannot be read: {error}.") from None


def _read_parquet(path: Path) -> pd.DataFrame:
    try:
        return pd.read_parquet(path)
    except ImportError:
        raise MissingPackageError("pyarrow", "Reading Parquet files", extra="parquet") from None
