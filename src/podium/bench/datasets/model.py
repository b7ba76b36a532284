"""Dataset: numeric and nominal features apart, missing values kept, and where it comes from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import DataError

# Texts that mean "missing" in a nominal column of a file.
MISSING = frozenset({"", "?", "NA", "N/A", "nan", "NaN", "null", "None"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenSplit:
    """One split that came with the data."""

    repeat: int
    fold: int
    train: Indices
    test: Indices

    def renumbered(self, place: Indices) -> GivenSplit:
        """The split among fewer cases: each has a new place, -1 where it is left out."""
        train, test = place[self.train], place[self.test]
        return replace(self, train=train[train >= 0], test=test[test >= 0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dataset:
    """Cases in rows. `numeric` has nan and `nominal` has -1 where a value is missing.

    `nominal` holds places in `levels`, `y` holds places in `classes` (sorted by name), or numbers where there are no
    classes (regression). Cases with the same number in `groups` are never parted; `time` says which case was earlier;
    `given` are splits that came with the data. Variants of one origin share a `family`.
    """

    name: str
    y: npt.NDArray[Any]
    classes: tuple[str, ...]
    numeric: Floats
    nominal: Indices
    levels: tuple[tuple[str, ...], ...] = ()
    features: tuple[str, ...] = ()
    family: str = ""
    groups: Indices | None = None
    time: Floats | None = None
    given: tuple[GivenSplit, ...] = ()

    @property
    def regression(self) -> bool:
        """Whether numbers are predicted, not classes."""
        return not self.classes

    @property
    def strata(self) -> Indices:
        """What every part should have its share of: the classes; numbers have none."""
        return np.zeros(len(self.y), dtype=np.intp) if self.regression else self.y

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

    def part(self, cases: Indices) -> Dataset:
        """Some of its cases."""
        arrays = {name: getattr(self, name) for name in ("y", "numeric", "nominal", "groups", "time")}
        place = np.full(self.cases, -1, dtype=np.intp)
        place[cases] = np.arange(len(cases))
        given = tuple(split.renumbered(place) for split in self.given)
        return replace(self, given=given, **{name: a[cases] for name, a in arrays.items() if a is not None})

    def digest(self) -> str:
        """A hash of all values, levels and classes: the same data has the same one on every machine."""
        hasher = hashlib.sha256(repr((self.classes, self.levels, self.numeric.shape, self.nominal.shape)).encode())
        # nan has many bit patterns; one of them is chosen so that equal data hash equally.
        values = np.where(np.isnan(self.numeric), np.nan, self.numeric) + 0.0
        more = [] if self.groups is None else [self.groups.astype("<i8")]
        more += [] if self.time is None else [self.time.astype("<f8")]
        more += [part.astype("<i8") for split in self.given for part in (split.train, split.test)]
        y = self.y.astype("<f8" if self.regression else "<i8")
        for array in (values.astype("<f8"), self.nominal.astype("<i8"), y, *more):
            hasher.update(np.ascontiguousarray(array).tobytes())
        return hasher.hexdigest()[:32]


def as_binary(dataset: Dataset) -> Dataset:
    """Two classes: the classes in order of their names become negative and positive alternately (Wainer 2016)."""
    if len(dataset.classes) == 2:
        return dataset
    return replace(dataset, y=dataset.y % 2, classes=("negative", "positive"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What the columns of a table are, where it is not what their values say.

    `nominal`: numbers that are only codes; `text`: words to be hashed; `ignore`: no features; `id`: the name of each case;
    `group`: cases of one group are never parted; `time`: when a case was; `split`: the part or fold of each case.
    """

    nominal: Sequence[str] = ()
    text: Sequence[str] = ()
    ignore: Sequence[str] = ()
    id: str = ""
    group: str = ""
    time: str = ""
    split: str = ""

    @property
    def aside(self) -> list[str]:
        """Those that are not features."""
        return [*self.ignore, *(column for column in (self.id, self.group, self.time, self.split) if column)]

    def named(self) -> dict[str, list[str]]:
        """The columns of each kind."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return {kind: [value] if isinstance(value, str) else list(value) for kind, value in said.items() if value}


_AS_THEY_ARE = Columns()


def from_frame(
    name: str,
    frame: pd.DataFrame,
    target: str,
    columns: Columns = _AS_THEY_ARE,
    *,
    regression: bool = False,
    family: str = "",
) -> Dataset:
    """A dataset from a table: text, categories and truth values are nominal; the rest is numeric.

    Cases without a class, number to predict, group or time are refused.
    """
    _check_columns(name, frame, target, columns)
    special: dict[str, Any] = {
        "groups": _groups(name, frame[columns.group]) if columns.group else None,
        "time": times(name, frame[columns.time]) if columns.time else None,
        "given": splits_of(name, frame[columns.split]) if columns.split else (),
    }
    frame = frame.drop(columns=columns.aside)
    labels, classes = (_numbers(name, frame[target]), ()) if regression else _classes(name, frame[target])
    features = [column for column in frame.columns if column != target]
    if not features:
        raise DataError(f"Dataset {name!r} has no feature beside {target!r}, which is to be predicted.")
    blank = next((column for column in features if frame[column].isna().all()), None)
    if blank is not None:
        raise DataError(f"Dataset {name!r} has no value in its column {str(blank)!r}: leave it out with `ignore`.")
    texts = [column for column in features if column in columns.text]
    words = [c for c in features if c not in texts and (c in columns.nominal or not _is_numeric(frame[c]))]
    numbers = [column for column in features if column not in words and column not in texts]
    coded = [_levels(name, frame[column], said=column in columns.nominal) for column in words]
    numeric = _finite(name, _floats(frame[numbers]))
    hashed = [hashed_words(frame[column]) for column in texts]
    return Dataset(
        name=name,
        y=labels,
        classes=classes,
        numeric=np.hstack([numeric, *hashed]),
        nominal=np.column_stack([np.empty((len(frame), 0), dtype=np.intp), *(codes for codes, _ in coded)]),
        levels=tuple(levels for _, levels in coded),
        features=tuple(map(str, [*numbers, *(f"{c} {i + 1}" for c in texts for i in range(HASHED)), *words])),
        family=family or name,
        **special,
    )


def _numbers(name: str, column: pd.Series) -> Floats:
    """The numbers that a regression predicts."""
    if not _is_numeric(column):
        raise DataError(
            f"Dataset {name!r} has no numbers in column {column.name!r}: choose another `target`, or leave out "
            '`task = "regression"`.'
        )
    values = _finite(name, _floats(column))
    _refuse_blank(name, np.isnan(values), f"number in column {column.name!r}", ": drop the case.")
    if len(np.unique(values)) < 2:
        raise DataError(f"Dataset {name!r} has a single number in column {column.name!r}: there is nothing to learn.")
    return values


def _levels(name: str, column: pd.Series, *, said: bool) -> tuple[Indices, tuple[str, ...]]:
    """Codes and levels of a nominal column; one in which most cases have a text of their own is refused."""
    codes, levels = _codes(column)
    if not said and len(codes) >= 20 and len(levels) > len(codes) / 2:
        raise DataError(
            f"Dataset {name!r} has {len(levels)} different texts in {len(codes)} cases in column {column.name!r}: name "
            "it in `ignore` or `id`, in `text` (its words are then hashed), or in `nominal`."
        )
    return codes, levels


def _groups(name: str, column: pd.Series) -> Indices:
    """The group of each case as a number."""
    codes, _ = _codes(column)
    _refuse_blank(name, codes < 0, "group", f" (column {column.name!r}): give it one.")
    return codes


def _check_columns(name: str, frame: pd.DataFrame, target: str, columns: Columns) -> None:
    """Refuse columns that are named and not there, or named twice; ids that are not unique; infinite codes."""
    if target not in frame.columns:
        listed = ", ".join(repr(str(column)) for column in list(frame.columns)[:12])
        raise DataError(f"Dataset {name!r} has no column {target!r} to be predicted; its columns are {listed}.")
    seen: dict[str, str] = {}
    for option, named in columns.named().items():
        for column in named:
            if column not in frame.columns:
                raise DataError(f"Dataset {name!r} has no column {column!r}, which `{option}` names.")
            if column == target and option != "nominal":
                raise DataError(f"Dataset {name!r}: `{option}` names {target!r}, which is to be predicted.")
            if column in seen:
                raise DataError(f"Dataset {name!r}: column {column!r} is named by `{seen[column]}` and by `{option}`.")
            seen[column] = option
    if columns.id and frame[columns.id].duplicated().any():
        twice = frame[columns.id][frame[columns.id].duplicated()].iloc[0]
        raise DataError(f"Dataset {name!r} has two cases with the id {str(twice)!r}: remove one, or use `group`.")
    for column in [target, *columns.nominal]:
        if _is_numeric(frame[column]):
            _finite(name, _floats(frame[column]))


def _classes(name: str, column: pd.Series) -> tuple[Indices, tuple[str, ...]]:
    """The class of each case, and the names of the classes; a column that cannot hold classes is refused."""
    labels, classes = _codes(column)
    _refuse_blank(name, labels < 0, "class", ": drop the case, or give it a class.")
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


def _floats(numbers: pd.Series | pd.DataFrame) -> Floats:
    return numbers.to_numpy(dtype=np.float64, na_value=np.nan)


def _finite(name: str, values: Floats) -> Floats:
    if np.isinf(values).any():
        raise DataError(f"Dataset {name!r} has an infinite value: make it missing, or correct it.")
    return values


def _refuse_blank(name: str, blank: Bools, what: str, cure: str) -> None:
    """Refuse a dataset in which a case lacks what every case needs."""
    if blank.any():
        raise DataError(f"Dataset {name!r} has no {what} in case {int(np.flatnonzero(blank)[0]) + 1}{cure}")


def _codes(column: pd.Series) -> tuple[Indices, tuple[str, ...]]:
    """Places among the sorted names of the levels; -1 where missing. Whole numbers lose their ".0"."""
    missing = column.isna().to_numpy()
    if _is_numeric(column):
        values = _floats(column)
        texts = np.array(["" if np.isnan(v) else f"{int(v)}" if v == int(v) else repr(float(v)) for v in values])
    else:
        texts = np.array([str(value).strip() for value in column.tolist()], dtype=str)
    if not isinstance(column.dtype, pd.CategoricalDtype):  # a declared category is a value, whatever it is called
        missing = missing | np.isin(texts, list(MISSING))
    levels, place = np.unique(texts[~missing], return_inverse=True)
    codes = np.full(len(texts), -1, dtype=np.intp)
    codes[~missing] = place
    return codes, tuple(str(level) for level in levels)


def times(name: str, column: pd.Series) -> Floats:
    """When each case was, as a number: numbers as they are, dates and times as nanoseconds."""
    if _is_numeric(column):
        values = _floats(column)
    else:
        read = pd.to_datetime(column, errors="coerce", format="ISO8601", utc=True)
        values = np.where(read.isna(), np.nan, read.astype("int64").to_numpy(dtype=np.float64))
    cure = f" (column {column.name!r}): write a number or a date like 2026-11-17."
    _refuse_blank(name, np.isnan(values), "time", cure)
    return values


def splits_of(name: str, column: pd.Series) -> tuple[GivenSplit, ...]:
    """One split from the words train and test; else one for each value: it is tested on, and trained on the others."""
    codes, values = _codes(column)
    _refuse_blank(name, codes < 0, "part", f" (column {column.name!r}): give it one.")
    if len(values) < 2:
        raise DataError(f"Dataset {name!r} has a single part in column {column.name!r}: there is nothing to test on.")
    words = [value.lower() for value in values]
    if set(words) == {"train", "test"}:
        tested = [words.index("test")]
    elif all(value.lstrip("-").isdigit() for value in values):
        tested = sorted(range(len(values)), key=lambda place: float(values[place]))
    else:
        tested = list(range(len(values)))
    return tuple(
        GivenSplit(repeat=0, fold=fold, train=np.flatnonzero(codes != place), test=np.flatnonzero(codes == place))
        for fold, place in enumerate(tested)
    )


HASHED = 64  # columns of a text


def hashed_words(column: pd.Series) -> Floats:
    """The words of each text as counts in so many columns by their hashes: nothing is learnt from the data."""
    from sklearn.feature_extraction.text import HashingVectorizer

    texts = ["" if missing else str(text) for text, missing in zip(column.tolist(), column.isna(), strict=True)]
    return np.asarray(HashingVectorizer(n_features=HASHED).transform(texts).toarray(), dtype=np.float64)
