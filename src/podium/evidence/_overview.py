"""An overview of one metric: what was read, before any test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.metric import Metric
from podium.core.numbers import counted, fixed, listed, some
from podium.core.result import Result
from podium.evidence.design import Design
from podium.evidence.evidence import MissingScore
from podium.evidence.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

NAMES_SHOWN = 8  # of missing cells that share a row, unless all are asked for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BaseOverview(Result):
    """What was read of the algorithms on one metric."""

    metric: Metric
    algorithms: tuple[str, ...]

    @property
    def title(self) -> str:
        """The metric and its direction."""
        return f"{self.metric.name} ({self.metric.direction} is better{', a cost' if self.metric.is_cost else ''})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Overview(BaseOverview):
    """Means, mean ranks and wins of the algorithms on one metric.

    All are taken over the same datasets: those where every algorithm has a score, or (`basis` "available") over
    whatever each algorithm has, if fewer than half are such (`Table.common`). `wins` counts the datasets on which an algorithm is
    best alone, `shared_wins` those on which it is best together with others; a score without another one wins
    nothing. `datasets` counts those that each mean rests on. A cell is the mean of its folds. Scores are rounded to `decimals` before they are ranked, and ranks may be
    `dense`.
    """

    JSON: ClassVar[Mapping[str, Any]] = {
        **dict.fromkeys(("mean_scores", "mean_ranks"), dict[str, float]),
        **dict.fromkeys(("wins", "shared_wins", "datasets"), dict[str, int]),
    }

    design: Design
    n_datasets: int
    complete_datasets: int
    basis: str
    mean_scores: Floats
    mean_ranks: Floats
    wins: Ints
    shared_wins: Ints
    datasets: Ints
    missing: tuple[MissingScore, ...]
    list_missing: bool = False
    dense: bool = False
    decimals: int | None = None

    def summary(self) -> str:
        """Over what, the best mean rank, and what is missing."""
        return f"{self._over()}; {self._scores_of_a_cell()}. {self._best()}{self._ranking()}{self._missing()}"

    def _ranking(self) -> str:
        """How scores are ranked, where that is not as usual."""
        rounded = "" if self.decimals is None else f"after rounding to {counted(self.decimals, 'decimal')}"
        if self.dense:
            return f" Ranks are dense: equal scores {rounded + ' ' if rounded else ''}share one, and none is left out."
        return f" Scores are ranked {rounded}." if rounded else ""

    def _best(self) -> str:
        if np.isnan(self.mean_ranks).all():
            return "No dataset has the scores of two algorithms, so that nothing can be ranked."
        least = float(np.nanmin(self.mean_ranks))
        best = [self.algorithms[i] for i in np.flatnonzero(np.isclose(self.mean_ranks, least))]
        return (
            f"{listed(best, most=4)} {'has' if len(best) == 1 else 'share'} the best mean rank of {self.metric.name}, "
            f"{fixed(least, 3)} of {len(self.algorithms)}; only a test can tell whether that is more than chance."
        )

    def _over(self) -> str:
        if self.basis == "available":
            few = self.complete_datasets or "none"
            return f"{self.n_datasets} datasets, {few} complete, so that each algorithm has its own datasets"
        over = counted(self.complete_datasets, "dataset") if self.complete_datasets > 1 else "one dataset"
        if self.complete_datasets == self.n_datasets:
            return f"Over {over}"
        return f"Over the {over} of {self.n_datasets} on which every algorithm has a score"

    def _scores_of_a_cell(self) -> str:
        repeats, folds = self.design.repeats, self.design.folds
        if repeats > 1 and folds > 1:
            return f"{repeats} repeats of {folds} folds"
        return f"{repeats} repeats" if repeats > 1 else f"{folds} folds" if folds > 1 else "one score per cell"

    def _missing(self) -> str:
        whole = sum(hole.fold is None for hole in self.missing)
        single = len(self.missing) - whole
        counts = [counted(whole, "cell")] * (whole > 0) + [counted(single, "single fold")] * (single > 0)
        averaged = "; a cell is the mean of the folds it has" if single else ""
        return f" Missing: {' and '.join(counts)}{averaged}." if counts else ""

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, the best mean rank first."""
        order = self.order()
        return {
            "algorithm": np.array(self.algorithms, dtype=object)[order],
            "mean": self.mean_scores[order],
            "mean_rank": self.mean_ranks[order],
            "wins": self.wins[order],
            "shared_wins": self.shared_wins[order],
            **({"datasets": self.datasets[order]} if self.basis == "available" else {}),
            **({"times_best": (self.wins + self.shared_wins)[order]} if self.dense else {}),
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """The algorithms; and what is missing, where datasets that lack the same for the same reasons share a row."""
        import pandas as pd

        tables = {"result": self.to_frame()}
        if self.missing:
            limit = len(self.missing) if self.list_missing else NAMES_SHOWN
            tables["missing"] = pd.DataFrame(_grouped(self.missing, limit), columns=["count", "datasets", "missing"])
        return tables

    def order(self) -> list[int]:
        """The algorithms from the best mean rank to the worst."""
        return [int(i) for i in np.argsort(self.mean_ranks, kind="stable")]


def _grouped(missing_scores: tuple[MissingScore, ...], limit: int) -> list[tuple[int, str, str]]:
    """How many datasets, which, and what they lack."""
    by_dataset: dict[str, dict[str, list[MissingScore]]] = {}
    for hole in missing_scores:
        by_dataset.setdefault(hole.row, {}).setdefault(hole.algorithm, []).append(hole)
    by_lack: dict[tuple[str, ...], list[str]] = {}
    for dataset, by_algorithm in by_dataset.items():
        by_lack.setdefault(tuple(_lack(gone, limit) for gone in by_algorithm.values()), []).append(dataset)
    return [(len(datasets), some(datasets, limit), some(lack, limit)) for lack, datasets in by_lack.items()]


def _lack(holes: list[MissingScore], limit: int) -> str:
    """What one algorithm lacks on one dataset: the whole cell or these folds, and why if that is known."""
    folds = [f"{hole.repeat}.{hole.fold}" for hole in holes if hole.fold is not None]
    reasons = list(dict.fromkeys(hole.why for hole in holes if hole.why))
    listed = [reason if len(reason) <= 60 else reason[:57] + "..." for reason in reasons[: max(1, limit // 8)]]
    if len(reasons) > len(listed):
        listed.append(f"{len(reasons) - len(listed)} more messages")
    details = [f"repeat.fold {some(folds, limit)}"] * bool(folds) + ["; ".join(listed)] * bool(listed)
    return f"{holes[0].algorithm} ({': '.join(details)})" if details else holes[0].algorithm


def overview(
    scores: Scores, *, decimals: int | None = None, dense: bool = False, list_missing: bool = False
) -> Overview:
    """What one metric looks like.

    Parameters
    ----------
    scores : Scores
        Scores of one metric.
    decimals : int, optional
        Round scores to so many decimals before they are ranked.
    dense : bool, default False
        Rank without gaps: all the best are 1, all the next best 2.
    list_missing : bool, default False
        Name every missing score in its tables, instead of at most eight of a kind.

    Returns
    -------
    Overview
        Means, mean ranks and wins of the algorithms.

    Examples
    --------
    >>> from podium.reading._examples import example
    >>> found = overview(example("benavoli2016").scores())
    >>> found.complete_datasets, len(found.missing), found.algorithms[found.order()[0]]
    (53, 6, 'C3')
    """
    if decimals is not None:
        check.count("decimals", decimals, at_least=0, at_most=15)  # a number has no more
    table = scores.table()
    used, n_complete = table.common(), table.complete().n_datasets
    basis = "complete" if used.n_datasets == n_complete else "available"
    ranks = used.ranks(decimals=decimals, dense=dense)
    present = ~np.isnan(used.values)
    contested = present.sum(axis=1, keepdims=True) > 1
    first = contested & (ranks == np.fmin.reduce(ranks, axis=1, keepdims=True))
    alone = first.sum(axis=1, keepdims=True) == 1
    with np.errstate(invalid="ignore"):
        means = np.where(present, used.values, 0.0).sum(axis=0) / present.sum(axis=0)
    return Overview(
        metric=scores.metric,
        design=scores.design,
        algorithms=scores.algorithms,
        n_datasets=table.n_datasets,
        complete_datasets=n_complete,
        basis=basis,
        mean_scores=means,
        mean_ranks=used.mean_ranks(decimals=decimals, dense=dense),
        wins=(first & alone).sum(axis=0),
        shared_wins=(first & ~alone).sum(axis=0),
        datasets=present.sum(axis=0),
        missing=scores.missing,
        list_missing=list_missing,
        dense=dense,
        decimals=decimals,
    )
