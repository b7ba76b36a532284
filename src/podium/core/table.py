"""Table: one metric as datasets x algorithms, the input of every test over datasets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import DataError
from podium.core.metric import Metric
from podium.core.ranks import rank_rows, settle

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Pair", "Table", "as_pair", "as_table"]

Floats = npt.NDArray[np.float64]

# What a bare array measures: Podium's convention for data that carry no metric of their own.
UNNAMED_METRIC = Metric(name="score", direction="higher")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """One number per dataset (row) and algorithm (column); nan is a missing cell.

    `families` gives the origin of each dataset: variants of one origin are not independent.
    """

    values: Floats
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    metric: Metric = UNNAMED_METRIC
    families: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.datasets), len(self.algorithms)):
            raise DataError(
                f"A table of {len(self.datasets)} datasets and {len(self.algorithms)} algorithms "
                f"cannot have values of shape {self.values.shape}."
            )

    @property
    def n_datasets(self) -> int:
        """The number of rows."""
        return len(self.datasets)

    @property
    def n_algorithms(self) -> int:
        """The number of columns."""
        return len(self.algorithms)

    @property
    def gains(self) -> Floats:
        """The values, signed so that higher is always better."""
        return self.metric.sign * self.values

    def holes(self) -> tuple[tuple[str, str], ...]:
        """The missing cells, as (dataset, algorithm)."""
        return tuple((self.datasets[i], self.algorithms[j]) for i, j in np.argwhere(np.isnan(self.values)))

    def complete(self) -> Table:
        """Only the datasets on which every algorithm has a score."""
        return self.rows(~np.isnan(self.values).any(axis=1))

    def rows(self, keep: npt.ArrayLike) -> Table:
        """The chosen datasets (a mask or indices)."""
        chosen = np.arange(self.n_datasets)[np.asarray(keep)]
        return replace(
            self,
            values=self.values[chosen],
            datasets=tuple(self.datasets[i] for i in chosen),
            families=tuple(self.families[i] for i in chosen) if self.families else (),
        )

    def columns(self, algorithms: tuple[str, ...] | list[str]) -> Table:
        """The chosen algorithms, in the order given."""
        index = [self.position(name) for name in algorithms]
        return replace(self, values=self.values[:, index], algorithms=tuple(algorithms))

    def position(self, algorithm: str) -> int:
        """The column of an algorithm."""
        return self.algorithms.index(check.member("algorithm", algorithm, self.algorithms))

    def ranks(self, *, decimals: int | None = None, dense: bool = False) -> Floats:
        """Ranks within each dataset, 1 for the best (see `rank_rows`)."""
        return rank_rows(self.values, higher_is_better=self.metric.higher_is_better, decimals=decimals, dense=dense)

    def mean_ranks(self, *, decimals: int | None = None, dense: bool = False) -> Floats:
        """The mean rank of each algorithm over the datasets on which it has one."""
        ranks = self.ranks(decimals=decimals, dense=dense)
        present = ~np.isnan(ranks)
        with np.errstate(invalid="ignore"):
            means: Floats = np.where(present, ranks, 0.0).sum(axis=0) / present.sum(axis=0)
        return means

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame with the datasets as index and the algorithms as columns."""
        import pandas as pd

        return pd.DataFrame(self.values, index=pd.Index(self.datasets, name="dataset"), columns=list(self.algorithms))


def as_table(data: Any, *, at_least: int = 2) -> Table:
    """A Table from a Table, Scores (folds are averaged), DataFrame or two-dimensional array.

    A DataFrame's index names the datasets; a first column of text does too. A bare array or DataFrame
    carries no metric: higher is taken to be better.
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
    if hasattr(data, "table") and callable(data.table):  # Scores
        made = data.table()
        if isinstance(made, Table):
            return made
    if hasattr(data, "columns") and hasattr(data, "index"):
        return _from_frame(data)
    values = check.numbers("table", data, ndim=2)
    return Table(
        values=values,
        datasets=tuple(f"dataset {i + 1}" for i in range(values.shape[0])),
        algorithms=tuple(f"algorithm {j + 1}" for j in range(values.shape[1])),
    )


def _from_frame(frame: pd.DataFrame) -> Table:
    if frame.shape[1] and frame.dtypes.iloc[0].kind not in "fiub":
        frame = frame.set_index(frame.columns[0])
    algorithms = tuple(str(name) for name in frame.columns)
    datasets = tuple(str(name) for name in frame.index)
    for kind, names in (("algorithm (column)", algorithms), ("dataset (row)", datasets)):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1] if len(set(names)) < len(names) else []
        if twice:
            raise DataError(f"The {kind} {twice[0]!r} occurs more than once: give each its own name.")
    return Table(values=check.numbers("table", frame.to_numpy(), ndim=2), datasets=datasets, algorithms=algorithms)


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
        """x - y, with float noise of the scores' own magnitude rounded away."""
        return settle(self.x - self.y, scale=np.maximum(np.abs(self.x), np.abs(self.y)).max(initial=0.0))


def as_pair(x: Any, y: Any, *, at_least: int = 1) -> Pair:
    """Paired scores; pandas Series with equal labels are paired by label, not by position."""
    if hasattr(x, "index") and hasattr(y, "index") and hasattr(x, "reindex") and not x.index.equals(y.index):
        if not (x.index.is_unique and y.index.is_unique and set(x.index) == set(y.index)):
            raise DataError("`x` and `y` have different labels: give scores on the same datasets.")
        y = y.reindex(x.index)
    first, second = check.numbers("x", x, ndim=1), check.numbers("y", y, ndim=1)
    if len(first) != len(second):
        raise DataError(f"`x` and `y` must be paired: they have {len(first)} and {len(second)} scores.")
    present = ~(np.isnan(first) | np.isnan(second))
    pair = Pair(x=first[present], y=second[present], missing=int((~present).sum()))
    if pair.n < at_least:
        raise DataError(f"At least {at_least} complete pairs of scores are needed; there are {pair.n}.")
    return pair
