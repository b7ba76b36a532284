"""MultiTest: order algorithms on one dataset by error, and by cost where errors do not differ significantly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats, Indices
from podium.core.design import Design
from podium.core.errors import DataError, DesignError
from podium.core.numbers import listed
from podium.core.ranks import settle
from podium.core.result import Result
from podium.core.scores import Scores
from podium.core.table import UNNAMED_METRIC
from podium.ordering.costs import as_costs
from podium.ordering.decisions import PairTest, significantly_better
from podium.ordering.topological import topological_sort


def overrides(edges: Sequence[tuple[str, str]]) -> str:
    """Edges for a sentence: "svm over knn, tree over knn and 4 more"."""
    listed = ", ".join(f"{better} over {cheaper}" for cheaper, better in edges[:6])
    return listed + (f" and {len(edges) - 6} more" if len(edges) > 6 else "")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultiTestResult(Result):
    """An order of algorithms, the best buy first, and how it came about.

    An edge (i, j) says that the costlier j is significantly better than i and overrides the prior order.
    `steps` lists, for each place of the order, the algorithms that could have taken it (the cheapest did).
    `better[i][j]` is the pairwise decision "i is significantly better than j".
    """

    algorithms: tuple[str, ...]
    order: tuple[str, ...]
    ranks: tuple[int, ...]
    prior: tuple[str, ...]
    cost: tuple[float, ...]
    edges: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, ...], ...]
    better: Bools
    cycles: tuple[tuple[str, ...], ...]
    equal_cost: tuple[tuple[str, ...], ...]
    test: str
    alpha: float
    references: tuple[str, ...] = ("ulas2008",)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader must know: equal costs, and cycles of a test that is not transitive."""
        notes = [
            f"{listed(names)} cost the same; by cost alone, the one with the smaller error goes first."
            for names in self.equal_cost
        ]
        notes += [
            f"The test is not transitive: {listed(names)} beat each other in a circle; the cheapest of them was taken."
            for names in self.cycles
        ]
        return tuple(notes)

    def summary(self) -> str:
        """The order, what overrode the prior order, and what does not follow."""
        sentence = f"The best first: {', '.join(self.order)}. "
        if self.edges:
            sentence += f"Significantly better scores moved {overrides(self.edges)}, against the order by cost. "
        else:
            sentence += "No costlier algorithm is significantly better, so the order is that of the costs. "
        sentence += " ".join(self.notes)
        return sentence.strip() + " A place in the order is a choice, not a claim that neighbours differ."

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, in order: its rank, cost, place in the prior order, and what overrides it."""
        by_name = dict(zip(self.algorithms, self.cost, strict=True))
        overriders = ([better for cheaper, better in self.edges if cheaper == name] for name in self.order)
        return {
            "rank": range(1, len(self.order) + 1),
            "algorithm": self.order,
            "cost": [by_name[name] for name in self.order],
            "prior": [self.prior.index(name) + 1 for name in self.order],
            "overridden_by": [", ".join(names) for names in overriders],
        }


def multitest(
    scores: Any, cost: Any, *, dataset: str | None = None, test: PairTest = "cv52_f", alpha: float = 0.05
) -> MultiTestResult:
    """Order algorithms on one dataset (MultiTest; Ulas et al. 2008, section 3.1).

    `scores` are `Scores` (with `dataset`, where there are several) or an array (algorithm, repeat, fold) where
    higher is better. `cost` is anything `as_costs` takes. `test` names a test on folds or is a function of
    two (repeat, fold) arrays that returns a p-value or a result with one.
    """
    check.fraction("alpha", alpha)
    named = _one_dataset(scores, dataset)
    gains = named.metric.sign * named.values[0]
    if np.isnan(gains).any():
        hole = named.holes()[0]
        raise DataError(f"The score of {hole} is missing: tests on folds need them all.")
    prices = as_costs(cost, datasets=named.datasets, algorithms=named.algorithms)
    better = significantly_better(gains, test=test, alpha=alpha, design=named.design)
    return order_from_decisions(
        better,
        prices.values[:, 0],
        algorithms=named.algorithms,
        errors=-gains.mean(axis=(1, 2)),
        test=test if isinstance(test, str) else getattr(test, "__name__", "callable"),
        alpha=alpha,
    )


def order_from_decisions(
    better: npt.ArrayLike,
    cost: npt.ArrayLike,
    *,
    algorithms: Sequence[str],
    errors: npt.ArrayLike | None = None,
    test: str = "given",
    alpha: float = 0.05,
) -> MultiTestResult:
    """Order algorithms from known pairwise decisions: `better[i, j]` says that i is significantly better than j.

    `cost` is one number per algorithm, or several rows that are compared one after the other. Between equal
    costs the smaller error goes first in the prior order, and decisions count in both directions.
    """
    decided = np.asarray(better, dtype=bool)
    k = len(algorithms)
    if decided.shape != (k, k):
        raise DesignError(
            "{argument} must be {k} x {k}, one row and column per algorithm; it is {shape}.",
            argument="better",
            k=k,
            shape=decided.shape,
        )
    keys = np.atleast_2d(settle(cost))
    mean_errors = np.zeros(k) if errors is None else settle(errors)
    prior = prior_order(keys, mean_errors)
    edges = overriding_edges(decided, keys, prior)
    sort = topological_sort(prior, edges)

    def names(columns: Iterable[int]) -> tuple[str, ...]:
        return tuple(algorithms[column] for column in columns)

    return MultiTestResult(
        algorithms=tuple(algorithms),
        order=names(sort.order),
        ranks=tuple(sort.ranks),
        prior=names(prior),
        cost=tuple(map(float, keys[0])),
        edges=tuple((algorithms[i], algorithms[j]) for i in prior for j in prior if edges[i, j]),
        steps=tuple(names(step) for step in sort.steps),
        better=decided,
        cycles=tuple(names(cycle) for cycle in sort.cycles),
        equal_cost=_equal_cost(keys, prior, algorithms),
        test=test,
        alpha=alpha,
    )


def prior_order(keys: Floats, errors: Floats) -> Indices:
    """The algorithms by cost, cheapest first: the first row of costs decides, then the next, then the error."""
    return np.lexsort((errors, *keys[::-1]))


def overriding_edges(better: Bools, keys: Floats, prior: Indices) -> Bools:
    """The graph of MultiTest: `[i, j]` where j is significantly better than i, and costlier (or as costly)."""
    place = np.empty(len(prior), dtype=np.intp)
    place[prior] = np.arange(len(prior))
    as_costly = (keys[:, :, None] == keys[:, None, :]).all(axis=0)
    edges: Bools = better.T & ((place[:, None] < place[None, :]) | as_costly)
    return edges


def _equal_cost(keys: Floats, prior: Indices, algorithms: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The groups of two or more algorithms whose costs are all equal."""
    groups: dict[tuple[float, ...], list[str]] = {}
    for column in prior:
        groups.setdefault(tuple(keys[:, column]), []).append(algorithms[column])
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _one_dataset(scores: Any, dataset: str | None) -> Scores:
    """The scores on one dataset, as Scores with a single dataset."""
    if isinstance(scores, Scores):
        if dataset is None and len(scores.datasets) > 1:
            raise DataError("There are several datasets: name one with `dataset`, or use `multi2test` for them all.")
        name = scores.datasets[0] if dataset is None else check.member("dataset", dataset, scores.datasets)
        return scores.rows([scores.datasets.index(name)])
    return _scores_from_array(scores)


def _scores_from_array(array: Any) -> Scores:
    """Scores of unnamed algorithms on one dataset, higher better, from an array (algorithm, repeat, fold)."""
    values = check.numbers("scores", array, ndim=3)
    design = Design(repeats=values.shape[1], folds=values.shape[2])
    return Scores(
        values=values[None],
        datasets=("dataset 1",),
        algorithms=tuple(f"algorithm {j + 1}" for j in range(len(values))),
        metric=UNNAMED_METRIC,
        repeats=tuple(range(design.repeats)),
        folds=tuple(range(design.folds)),
    )
