"""Dataset: numeric and nominal features apart, missing values kept, and where it comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError

# Texts that mean "missing" in a nominal column of a file.
MISSING = frozenset({"", "?", "NA", "N/A", "nan", "NaN", "null", "None"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dataset:
    """Cases in rows. `numeric` has nan and `nominal` has -1 where a value is missing.

    `nominal` holds places in `levels`, `y` holds places in `classes` (sorted by name). Cases with the same number in
    `groups` are never parted. Variants of one origin share a `family`.
    """

    name: str
    y: Indices
    classes: tuple[str, ...]
    numeric: Floats
    nominal: Indices
    levels: tuple[tuple[str, ...], ...] = ()
    features: tuple[str, ...] = ()
    family: str = ""
    groups: Indices | None = None

    @property
    def cases(self) -> int:
        """How many cases."""
        return len(self.y)

    @property
    def width(self) -> int:
        """How many features, numeric and nominal."""
        return int(self.numeric.shape[1] + self.nominal.shape[1])

    @property
    def missing(self) -> int:
        """How many values are missing."""
        return int(np.isnan(self.numeric).sum() + (self.nominal < 0).sum())

    def digest(self) -> str:
        """A hash of all values, levels and classes: the same data has the same one on every machine."""
        hasher = hashlib.sha256(repr((self.classes, self.levels, self.numeric.shape, self.nominal.shape)).encode())
        # nan has many bit patterns; one of them is chosen so that equal data hash equally.
        values = np.where(np.isnan(self.numeric), np.nan, self.numeric) + 0.0
        groups = [] if self.groups is None else [self.groups.astype("<i8")]
        for array in (values.astype("<f8"), self.nominal.astype("<i8"), self.y.astype("<i8"), *groups):
            hasher.update(np.ascontiguousarray(array).tobytes())
        return hasher.hexdigest()[:32]


def as_binary(dataset: Dataset) -> Dataset:
    """Two classes: the classes in order of their names become negative and positive alternately (Wainer 2016)."""
    if len(dataset.classes) == 2:
        return dataset
    return replace(dataset, y=dataset.y % 2, classes=("negative", "positive"))


def from_frame(
    name: str,
    frame: pd.DataFrame,
    target: str,
    *,
    nominal: Any = (),
    ignore: Any = (),
    group: str = "",
    family: str = "",
) -> Dataset:
    """A dataset from a table: text, categories and truth values are nominal; the rest is numeric.

    `nominal` names further columns whose numbers are only codes, `ignore` those that are no features, `group` the column of
    groups, which is no feature either. Cases without a class or group are refused.
    """
    _check_columns(name, frame, target, {"nominal": nominal, "ignore": ignore, "group": [group] if group else []})
    groups = _groups(name, frame[group]) if group else None
    frame = frame.drop(columns=[*ignore, *([group] if group else [])])
    labels, classes = _classes(name, frame[target])
    columns = [column for column in frame.columns if column != target]
    if not columns:
        raise DataError(f"Dataset {name!r} has no feature beside its class {target!r}.")
    words = [column for column in columns if column in nominal or not _is_numeric(frame[column])]
    numbers = [column for column in columns if column not in words]
    coded = [_codes(frame[column]) for column in words]
    empty = np.empty((len(frame), 0))
    return Dataset(
        name=name,
        y=labels,
        classes=classes,
        numeric=_finite(name, frame[numbers].to_numpy(dtype=np.float64, na_value=np.nan)) if numbers else empty,
        nominal=np.column_stack([codes for codes, _ in coded]) if coded else empty.astype(np.intp),
        levels=tuple(levels for _, levels in coded),
        features=tuple(str(column) for column in [*numbers, *words]),
        family=family or name,
        groups=groups,
    )


def _groups(name: str, column: pd.Series) -> Indices:
    """The group of each case as a number."""
    codes, _ = _codes(column)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0]) + 1
        raise DataError(f"Dataset {name!r} has no group in case {row} (column {column.name!r}): give it one.")
    return codes


def _check_columns(name: str, frame: pd.DataFrame, target: str, named: Mapping[str, Any]) -> None:
    """Refuse columns that are named and not there, and infinite codes."""
    if target not in frame.columns:
        listed = ", ".join(repr(str(column)) for column in list(frame.columns)[:12])
        raise DataError(f"Dataset {name!r} has no column {target!r} for the class; its columns are {listed}.")
    for option, columns in named.items():
        absent = [column for column in columns if column not in frame.columns]
        if absent:
            raise DataError(f"Dataset {name!r} has no column {absent[0]!r}, which `{option}` names.")
        if option != "nominal" and target in columns:
            raise DataError(f"Dataset {name!r}: `{option}` names {target!r}, which is the class.")
    for column in [target, *named["nominal"]]:
        if _is_numeric(frame[column]):
            _finite(name, frame[column].to_numpy(dtype=np.float64, na_value=np.nan))


def _classes(name: str, column: pd.Series) -> tuple[Indices, tuple[str, ...]]:
    """The class of each case, and the names of the classes; a column that cannot hold classes is refused."""
    labels, classes = _codes(column)
    if (labels < 0).any():
        row = int(np.flatnonzero(labels < 0)[0]) + 1
        raise DataError(f"Dataset {name!r} has no class in case {row}: drop the case, or give it a class.")
    if len(classes) < 2:
        raise DataError(f"Dataset {name!r} has a single class in column {column.name!r}: there is nothing to learn.")
    if len(labels) >= 20 and len(classes) > len(labels) / 2:
        raise DataError(
            f"Dataset {name!r} has {len(classes)} classes in {len(labels)} cases: column {column.name!r} does not hold "
            "classes; choose another `target`."
        )
    return labels, classes


def _is_numeric(column: pd.Series) -> bool:
    return bool(pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column))


def _finite(name: str, values: Floats) -> Floats:
    if np.isinf(values).any():
        raise DataError(f"Dataset {name!r} has an infinite value: make it missing, or correct it.")
    return values


def _codes(column: pd.Series) -> tuple[Indices, tuple[str, ...]]:
    """Places among the sorted names of the levels; -1 where missing. Whole numbers lose their ".0"."""
    missing = column.isna().to_numpy()
    if _is_numeric(column):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        texts = np.array(["" if np.isnan(v) else f"{int(v)}" if v == int(v) else repr(float(v)) for v in values])
    else:
        texts = np.array([str(value).strip() for value in column.tolist()], dtype=str)
    if not isinstance(column.dtype, pd.CategoricalDtype):  # a declared category is a value, whatever it is called
        missing = missing | np.isin(texts, list(MISSING))
    levels, place = np.unique(texts[~missing], return_inverse=True)
    codes = np.full(len(texts), -1, dtype=np.intp)
    codes[~missing] = place
    return codes, tuple(str(level) for level in levels)
