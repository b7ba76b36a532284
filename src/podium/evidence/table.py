"""Table: one metric as datasets x algorithms, the input of every test over datasets."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core import check, ranks
from podium.core.arrays import Floats, Ints
from podium.core.errors import DataError
from podium.core.frames import as_pandas
from podium.core.metric import Metric
from podium.core.named import ByAlgorithm
from podium.core.numbers import counted
from podium.core.ranks import common_rows, mean_ranks, rank_rows
from podium.evidence.evidence import MissingScore
from podium.evidence.shown import in_lines

if TYPE_CHECKING:
    import pandas as pd


_READER = "podium.reading.reader:read_scores"  # named, not imported: reading is built on evidence

# What a bare array measures: Podium's convention for data that carry no metric of their own.
UNNAMED_METRIC = Metric(name="score", direction="higher")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Table(ByAlgorithm):
    """One number per dataset (row) and algorithm (column); nan is a missing score. Every algorithm has its own name.

    Parameters
    ----------
    values : array of shape (n_datasets, n_algorithms)
        The scores.
    datasets : tuple of str
        Names of the rows.
    algorithms : tuple of str
        Names of the columns.
    metric : Metric, default "score", higher is better
        What the scores measure.
    families : tuple of str, optional
        The origin of each dataset: variants of one origin are not independent.
    deviations : array, optional
        Standard deviations of the scores, where the source has them.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table(values=np.array([[0.9, 0.8], [0.7, 0.75]]), datasets=("iris", "zoo"), algorithms=("svm", "knn"))
    >>> table.ranks().tolist()
    [[1.0, 2.0], [2.0, 1.0]]
    """

    values: Floats
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    metric: Metric = UNNAMED_METRIC
    families: tuple[str, ...] = field(default=())
    deviations: Floats | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", check.floats("values", self.values))
        for names in ("datasets", "algorithms"):
            object.__setattr__(self, names, tuple(str(name) for name in getattr(self, names)))
        if self.values.shape != (len(self.datasets), len(self.algorithms)):
            raise DataError(
                f"A table of {len(self.datasets)} datasets and {len(self.algorithms)} algorithms "
                f"cannot have values of shape {self.values.shape}."
            )
        check.distinct("algorithm (column)", self.algorithms)
        check.finite(self.values, self.algorithms, self.datasets)

    def __repr__(self) -> str:
        return in_lines(self, counted(len(self.datasets), "dataset"), self.to_frame(), len(self.missing))

    @property
    def n_datasets(self) -> int:
        """The number of rows."""
        return len(self.datasets)

    @property
    def gains(self) -> Floats:
        """The values, signed so that higher is always better."""
        return self.metric.sign * self.values

    @property
    def missing(self) -> tuple[MissingScore, ...]:
        """The missing cells by name."""
        return tuple(MissingScore(self.datasets[i], self.algorithms[j]) for i, j in np.argwhere(np.isnan(self.values)))

    def complete(self) -> Table:
        """Only the datasets on which every algorithm has a score."""
        return self.take(~np.isnan(self.values).any(axis=1))

    def common(self) -> Table:
        """The datasets over which algorithms have their means: see `common_rows`."""
        return self.take(common_rows(self.values))

    def take(self, keep: npt.ArrayLike) -> Table:
        """The chosen datasets (a mask or indices)."""
        chosen = np.arange(self.n_datasets)[np.asarray(keep)]
        return replace(
            self,
            values=self.values[chosen],
            datasets=tuple(self.datasets[i] for i in chosen),
            families=tuple(self.families[i] for i in chosen) if self.families else (),
            deviations=None if self.deviations is None else self.deviations[chosen],
        )

    def select(self, algorithms: Sequence[str]) -> Table:
        """The chosen algorithms, in the order given."""
        index = self.places(algorithms)
        deviations = None if self.deviations is None else self.deviations[:, index]
        return replace(self, values=self.values[:, index], algorithms=tuple(algorithms), deviations=deviations)

    def ranks(self, *, decimals: int | None = None, dense: bool = False) -> Floats:
        """Ranks within each dataset, 1 for the best (see `rank_rows`)."""
        return rank_rows(self.values, higher_is_better=self.metric.higher_is_better, decimals=decimals, dense=dense)

    def mean_ranks(self, *, decimals: int | None = None, dense: bool = False) -> Floats:
        """The mean rank of each algorithm over the datasets that all have, if these are at least half of all (`common`).

        Else a dataset with missing scores ranks the algorithms it has, and `rescale_ranks` brings these ranks to the scale of the whole
        pool, so that no dataset is thrown away; `rank_counts` says on how many each mean rests.
        """
        return mean_ranks(self.ranks(decimals=decimals, dense=dense))

    def rank_counts(self) -> Ints:
        """On how many datasets each mean rank rests: those that the algorithm shares with another one."""
        present = ~np.isnan(self.common().values)
        return np.asarray((present & (present.sum(axis=1, keepdims=True) > 1)).sum(axis=0))

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame with the datasets as index and the algorithms as columns."""
        import pandas as pd

        return pd.DataFrame(self.values, index=pd.Index(self.datasets, name="dataset"), columns=list(self.algorithms))


def deviations_of(replicates: Floats) -> Floats:
    """The standard deviation of each cell over its replicates (the last axis); nan where it has fewer than two.

    >>> deviations_of(np.array([[[1.0, 3.0, np.nan], [1.0, np.nan, np.nan]]])).round(3).tolist()
    [[1.414, nan]]
    >>> f"{deviations_of(np.array([1e200, 3e200])):.3g}"
    '1.41e+200'
    """
    there = ~np.isnan(replicates)
    count = there.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(there, replicates, 0.0).sum(axis=-1) / count
        away = np.where(there, replicates - means[..., None], 0.0)
        exponents = np.frexp(np.abs(away).max(axis=-1, initial=0.0))[1]  # by a power of 2, so that no square overflows
        squares = (np.ldexp(away, -exponents[..., None]) ** 2).sum(axis=-1)
        return np.asarray(np.where(count > 1, np.ldexp(np.sqrt(squares / (count - 1)), exponents), np.nan))


def as_table(data: Any, *, at_least: int = 2) -> Table:
    """A Table from a Table, Scores or Results (folds are averaged), a path, a DataFrame of any library, a dict of columns
    or a two-dimensional array.

    A DataFrame's index names the datasets; a first column of text does too. A bare array or DataFrame
    carries no metric: higher is taken to be better. Infinite scores are refused.
    """
    table = _to_table(data)
    if table.n_algorithms < at_least:
        raise DataError(
            f"A comparison needs at least {at_least} algorithms (columns); the table has {table.n_algorithms}."
        )
    if table.n_datasets < 1:
        raise DataError("The table has no dataset (row).")
    return table


def _to_table(data: Any) -> Table:
    if isinstance(data, Table):
        return data
    from podium.evidence.scores import Scores

    if isinstance(data, Scores):
        return data.table()
    from podium.evidence.results import Results

    if isinstance(data, Results):
        return _to_table(data.scores())
    if isinstance(data, str | os.PathLike):
        return _to_table(resolve_name(_READER)(data))
    data = as_pandas(data)
    if isinstance(data, Mapping):
        import pandas as pd

        return _from_frame(pd.DataFrame(data))
    if hasattr(data, "columns") and hasattr(data, "index"):
        return _from_frame(data)
    values = check.floats("table", data, ndim=2)
    return Table(
        values=values,
        datasets=tuple(f"dataset {i + 1}" for i in range(values.shape[0])),
        algorithms=tuple(f"algorithm {j + 1}" for j in range(values.shape[1])),
    )


def _from_frame(frame: pd.DataFrame) -> Table:
    if _starts_with_names(frame):
        frame = frame.iloc[:, 1:].set_axis(frame.iloc[:, 0], axis="index")
    algorithms = tuple(str(name) for name in frame.columns)
    datasets = tuple(str(name) for name in frame.index)
    check.distinct("algorithm (column)", algorithms)
    check.distinct("dataset (row)", datasets)
    return Table(values=check.floats("table", frame.to_numpy(), ndim=2), datasets=datasets, algorithms=algorithms)


def _starts_with_names(frame: pd.DataFrame) -> bool:
    """Whether the first column names the datasets: it holds no numbers, or numbers as text beside real ones."""
    kinds = [dtype.kind for dtype in frame.dtypes]
    if not kinds or kinds[0] in "fiubc":
        return False
    cells = frame.iloc[:, 0].to_numpy()
    try:
        check.floats("table", cells)
    except DataError:
        return True
    text = frame.dtypes.iloc[0].name == "category" or any(isinstance(cell, str) for cell in cells)
    return text and len(kinds) > 1 and all(kind in "fiub" for kind in kinds[1:])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """Two algorithms' scores on the same datasets (or folds): complete pairs only, and how many were not."""

    x: Floats
    y: Floats
    missing: int

    @property
    def n(self) -> int:
        """The number of complete pairs."""
        return len(self.x)

    @property
    def differences(self) -> Floats:
        """x - y, with float noise of the scores' own magnitude rounded away, and those that tie made equal in size."""
        return ranks.differences(self.x, self.y)


def as_pair(x: Any, y: Any, *, at_least: int = 1) -> Pair:
    """Paired scores; pandas Series with equal labels are paired by label, not by position."""
    y = by_label(x, y, names=("x", "y"), cure="give scores on the same datasets")
    first, second = check.numbers("x", x, ndim=1), check.numbers("y", y, ndim=1)
    if len(first) != len(second):
        raise DataError(f"`x` and `y` must be paired: they have {len(first)} and {len(second)} scores.")
    present = ~(np.isnan(first) | np.isnan(second))
    pair = Pair(x=first[present], y=second[present], missing=int((~present).sum()))
    if pair.n < at_least:
        raise DataError(f"At least {at_least} complete pairs of scores are needed; there are {pair.n}.")
    return pair


def by_label(first: Any, second: Any, *, names: tuple[str, str], cure: str) -> Any:
    """The second Series or DataFrame in the order of the first one's labels; what has no labels stays as it is."""
    if not (hasattr(first, "reindex") and hasattr(second, "reindex")):
        return second
    for axis in ("index", "columns"):
        wanted, own = getattr(first, axis, None), getattr(second, axis, None)
        if wanted is None or own is None or wanted.equals(own):
            continue
        if not (wanted.is_unique and own.is_unique and set(wanted) == set(own)):
            raise DataError(f"`{names[0]}` and `{names[1]}` have different labels in their index: {cure}.")
        second = second.reindex(**{axis: wanted})
    return second
