"""How small is too small to matter? Thresholds of irrelevance drawn from the data (Wainer 2016).

A difference is irrelevant if the same algorithm changes as much for no reason of its own: between two halves
of the same dataset, or between the error estimated while searching hyperparameters and the error on new data.
Only good algorithms count: the three best of each dataset.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError, DesignError
from podium.core.numbers import counted, number
from podium.core.result import Result
from podium.evidence.scores import Scores
from podium.evidence.table import Table, as_table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RopeResult(Result):
    """A rope (half-width, in the metric's units) from the data, and the changes it is the median of.

    `source` is "halves", "folds" or "search"; `n_changes` counts the absolute changes; `candidates` holds the
    rope of every source that was tried (the smallest was taken). Any `rope=` takes this result as it is.
    """

    rope: float
    source: str
    best: int
    n_changes: int
    n_datasets: int
    candidates: dict[str, float]
    warnings: tuple[str, ...] = ()
    references: tuple[str, ...] = ("wainer2016",)

    def summary(self) -> str:
        """Where the rope comes from."""
        what = {
            "halves": "between the two halves of the same dataset",
            "folds": "between the two halves of the folds of the same dataset",
            "search": "between the estimate of the search and the score on new data",
        }[self.source]
        larger = [f"{name} {number(value, 4)}" for name, value in self.candidates.items() if name != self.source]
        others = f"It is the smallest of the thresholds tried (also: {', '.join(larger)}). " if larger else ""
        on = "one dataset" if self.n_datasets == 1 else f"each of {self.n_datasets} datasets"
        warned = "".join(f" {sentence}" for sentence in self.warnings)
        return (
            f"Differences up to {number(self.rope, 4)} are taken as irrelevant: the median change {what} "
            f"of the {self.best} best algorithms on {on} ({counted(self.n_changes, 'change')}). {others}"
            f"It is a limit of futility, not of what matters in your application.{warned}"
        )


def rope_from_halves(scores: Scores, *, best: int = 3) -> RopeResult:
    """The median absolute change between the two folds of each repeat (2-fold designs such as 5x2).

    Each half is trained on while the other is tested: the scores of fold 1 and fold 2 are those of one
    algorithm on two samples of the same population. Wainer 2016, first proposal.

    Parameters
    ----------
    scores : Scores
        Scores with their folds.
    best : int, default 3
        How many algorithms to look at: the best of each dataset.

    Returns
    -------
    RopeResult
        The rope, and the changes that it is the median of.

    Examples
    --------
    >>> import podium
    >>> rope_from_halves(podium.example("ulas2008").scores("accuracy")).source
    'halves'
    """
    if len(_with_folds(scores).folds) != 2:
        raise DesignError(
            f"The change between halves needs repeats of 2 folds; there are {len(scores.folds)}: use `rope_from_folds`."
        )
    return _from_folds(scores, best, "halves")


def rope_from_folds(scores: Scores, *, best: int = 3) -> RopeResult:
    """The median absolute change between the first and the second half of the folds of each repeat.

    For two folds it is `rope_from_halves`. With more, training sets overlap more and the mean of several test
    folds is steadier, so it tends to be smaller than the change between two halves trained apart.

    Parameters
    ----------
    scores : Scores
        Scores with their folds.
    best : int, default 3
        How many algorithms to look at: the best of each dataset.

    Returns
    -------
    RopeResult
        The rope, and the changes that it is the median of.

    Examples
    --------
    >>> import podium
    >>> rope_from_folds(podium.example("ulas2008").scores("accuracy")).source
    'folds'
    """
    if len(_with_folds(scores).folds) < 2:
        raise DesignError(
            "A rope from the folds needs at least 2 folds: give {rope} as a number instead.", options=["rope"]
        )
    return _from_folds(scores, best, "folds")


def rope_from_search(scores: Any, search: Any, *, best: int = 3) -> RopeResult:
    """The median absolute difference between the estimate of the search of hyperparameters and the score.

    Wainer 2016, second proposal.

    Parameters
    ----------
    scores : Scores, Table, DataFrame or array-like
        The scores, of datasets x algorithms or with their folds.
    search : Scores, Table, DataFrame or array-like
        What the search promised, in the same shape and the same units: a metric such as "search_error" beside
        "error".
    best : int, default 3
        How many algorithms to look at: the best of each dataset.

    Returns
    -------
    RopeResult
        The rope, and the changes that it is the median of.

    Examples
    --------
    >>> found = rope_from_search([[0.80, 0.90], [0.70, 0.60]], [[0.82, 0.91], [0.73, 0.62]])
    >>> round(found.rope, 3)
    0.02
    """
    if isinstance(scores, Scores) and isinstance(search, Scores):
        _same_names(scores, search)
        if scores.values.shape != search.values.shape:
            raise DataError("The scores and the estimates of the search must have the same repeats and folds.")
        table = scores.table()
        changes = np.abs(scores.values - search.values).reshape(table.n_datasets, table.n_algorithms, -1)
    else:
        table, promised = as_table(scores), as_table(search)
        _same_names(table, promised)
        changes = np.abs(table.values - promised.values)[:, :, None]
    return _median(changes, table, best, "search")


def rope_auto(scores: Scores, *, search: Scores | None = None, best: int = 3) -> RopeResult:
    """The smaller of the thresholds that the data allow: from the halves (or folds), and from the search.

    Parameters
    ----------
    scores : Scores
        Scores with their folds.
    search : Scores, optional
        What the search of hyperparameters promised: a metric in the same units, such as "search_error" beside
        "error".
    best : int, default 3
        How many algorithms to look at: the best of each dataset.

    Returns
    -------
    RopeResult
        The rope, and the changes that it is the median of.

    Examples
    --------
    >>> import podium
    >>> rope_auto(podium.example("ulas2008").scores("accuracy")).source
    'halves'
    """
    ropes = [rope_from_search(scores, search, best=best)] if search is not None else []
    if len(_with_folds(scores).folds) >= 2:
        ropes.append(_from_folds(scores, best, "halves" if len(scores.folds) == 2 else "folds"))
    if not ropes:
        raise DesignError(
            "A ROPE cannot be estimated from one score per dataset: give {rope} as a number in the metric's units.",
            options=["rope"],
        )
    return replace(min(ropes, key=lambda one: one.rope), candidates={one.source: one.rope for one in ropes})


def _with_folds(scores: Any) -> Scores:
    if not isinstance(scores, Scores):
        raise DataError("`scores` must be Scores, with folds: read a long table with `podium.read`.")
    return scores


def _same_names(first: Scores | Table, second: Scores | Table) -> None:
    if first.datasets != second.datasets or first.algorithms != second.algorithms:
        raise DataError("The scores and the estimates of the search must have the same datasets and algorithms.")


def _from_folds(scores: Scores, best: int, source: str) -> RopeResult:
    half = len(scores.folds) // 2
    first, last = scores.values[..., :half].mean(axis=-1), scores.values[..., -half:].mean(axis=-1)
    return _median(np.abs(first - last), scores.table(), best, source)


def _median(changes: Floats, table: Table, best: int, source: str) -> RopeResult:
    """The median over the `best` algorithms of each dataset; `changes` is datasets x algorithms x any."""
    check.count("best", best)
    gains = np.where(np.isnan(table.values), -np.inf, table.gains)
    top = np.argsort(-gains, axis=1, kind="stable")[:, :best]
    chosen = np.take_along_axis(changes, top[:, :, None], axis=1)
    present = chosen[~np.isnan(chosen)]
    if not present.size:
        raise DataError("No dataset has both numbers that a rope from the data compares.")
    rope = float(np.median(present))
    warnings = ("The median change is 0: more than half of the changes are exactly zero.",) if rope == 0 else ()
    return RopeResult(
        rope=rope,
        source=source,
        best=min(best, table.n_algorithms),
        n_changes=int(present.size),
        n_datasets=int((~np.isnan(chosen)).any(axis=(1, 2)).sum()),
        candidates={source: rope},
        warnings=warnings,
    )
