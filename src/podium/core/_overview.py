"""An overview of one metric: what was read, before any test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from podium.core.design import Design
from podium.core.metric import Metric
from podium.core.result import Result
from podium.core.scores import Hole, Scores

__all__ = ["Overview", "overview"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overview(Result):
    """Means, mean ranks and wins of the algorithms on one metric.

    All are taken over the same datasets: those where every algorithm has a score, or (`basis` "available") over
    whatever each algorithm has, if there is no such dataset. `wins` counts the datasets on which an algorithm is
    best alone, `shared_wins` those on which it is best together with others. A cell is the mean of its folds.
    """

    metric: Metric
    design: Design
    algorithms: tuple[str, ...]
    n_datasets: int
    complete_datasets: int
    basis: str
    mean_scores: Floats
    mean_ranks: Floats
    wins: npt.NDArray[np.int64]
    shared_wins: npt.NDArray[np.int64]
    holes: tuple[Hole, ...]

    def summary(self) -> str:
        """The best mean rank, and over what."""
        best = int(np.nanargmin(self.mean_ranks))
        over = f"{self.complete_datasets} complete datasets" if self.basis == "complete" else "the cells there are"
        return (
            f"{self.algorithms[best]} has the best mean rank of {self.metric.name}, {self.mean_ranks[best]:.3f} of "
            f"{len(self.algorithms)} over {over}; whether that is more than luck, only a test can tell."
        )

    def order(self) -> list[int]:
        """The algorithms from the best mean rank to the worst."""
        return [int(i) for i in np.argsort(self.mean_ranks, kind="stable")]


def overview(scores: Scores, *, decimals: int | None = None, dense: bool = False) -> Overview:
    """What one metric looks like; `decimals` and `dense` as in `rank_rows`.

    >>> from podium.core._examples import example
    >>> found = overview(example("benavoli2016").scores())
    >>> found.complete_datasets, len(found.holes), found.algorithms[found.order()[0]]
    (53, 6, 'C3')
    """
    table = scores.table()
    complete = table.complete()
    basis = "complete" if complete.n_datasets else "available"
    used = complete if complete.n_datasets else table
    ranks = used.ranks(decimals=decimals, dense=dense)
    first = ranks == np.nanmin(ranks, axis=1, keepdims=True)
    alone = first.sum(axis=1, keepdims=True) == 1
    present = ~np.isnan(used.values)
    with np.errstate(invalid="ignore"):
        means = np.where(present, used.values, 0.0).sum(axis=0) / present.sum(axis=0)
    return Overview(
        metric=scores.metric,
        design=scores.design,
        algorithms=scores.algorithms,
        n_datasets=table.n_datasets,
        complete_datasets=complete.n_datasets,
        basis=basis,
        mean_scores=means,
        mean_ranks=used.mean_ranks(decimals=decimals, dense=dense),
        wins=(first & alone).sum(axis=0),
        shared_wins=(first & ~alone).sum(axis=0),
        holes=scores.holes(),
    )
