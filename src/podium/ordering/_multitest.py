"""MultiTest: order algorithms on one dataset by error, and by cost where errors do not differ significantly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.numbers import listed
from podium.core.pairs import pair_indices
from podium.core.ranks import mean, settle
from podium.core.result import Result
from podium.evidence.design import Design
from podium.evidence.scores import Scores
from podium.evidence.table import UNNAMED_METRIC
from podium.ordering.costs import as_costs
from podium.stats import registry
from podium.stats.pairwise.pair_result import differences_of

TITLE = "Order by score and cost"


def overrides(edges: Sequence[tuple[str, str]]) -> str:
    """Edges for a sentence: "svm over knn, tree over knn and 4 more"."""
    listed = ", ".join(f"{better} over {cheaper}" for cheaper, better in edges[:6])
    return listed + (f" and {len(edges) - 6} more" if len(edges) > 6 else "")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MultiTestResult(Result):
    """An order of algorithms, the best buy first, and how it came about.

    An edge (i, j) says that the costlier j is significantly better than i and overrides the prior order.
    `steps` lists, for each place of the order, the algorithms that could have taken it (the cheapest did).
    `better[i][j]` is the pairwise decision "i is significantly better than j", `decided_by` the test behind it in words.
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
    cost_names: tuple[str, ...] = ("cost",)
    decided_by: str = ""
    references: tuple[str, ...] = ("ulas2008",)

    @property
    def title(self) -> str:
        """The heading of its report."""
        return TITLE

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader must know: equal costs, and cycles of a test that is not transitive."""
        notes = [
            f"{listed(names)} cost the same; by cost only, the one with the smaller error goes first."
            for names in self.equal_cost
        ]
        notes += [
            f"The test is not transitive: {listed(names)} beat each other in a circle; the cheapest of them was taken."
            for names in self.cycles
        ]
        return tuple(notes)

    @property
    def explained(self) -> str:
        """What the columns of its table mean."""
        return "Cost rank: the place by cost alone. An algorithm moves up only over cheaper ones that are significantly worse."

    def summary(self) -> str:
        """The order, what overrode the prior order, and what does not follow."""
        sentence = f"The best first: {', '.join(self.order)}. "
        if self.edges:
            sentence += f"Significantly better scores moved {overrides(self.edges)}, against the order by cost. "
        else:
            sentence += "No costlier algorithm is significantly better, so the order is that of the costs. "
        sentence += f"Decisions: {self.decided_by}. " if self.decided_by else ""
        sentence += " ".join(self.notes)
        return sentence.strip() + " A rank in the order is a choice, not a claim that neighbours differ."

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, in order: its rank, cost, place by cost alone, and what overrides it."""
        by_name = dict(zip(self.algorithms, self.cost, strict=True))
        overriders = ([better for cheaper, better in self.edges if cheaper == name] for name in self.order)
        return {
            "rank": range(1, len(self.order) + 1),
            "algorithm": self.order,
            "cost": [by_name[name] for name in self.order],
            "cost_rank": [self.prior.index(name) + 1 for name in self.order],
            "overridden_by": [", ".join(names) for names in overriders],
        }


def multitest(
    scores: Any, cost: Any, *, dataset: str | None = None, test: str = "cv5x2_f", alpha: float = 0.05
) -> MultiTestResult:
    """Order algorithms on one dataset (MultiTest; Ulas et al. 2008, section 3.1).

    Parameters
    ----------
    scores : Scores or array-like of shape (algorithm, repeat, fold)
        Scores with their folds; of an array, higher is better.
    cost : mapping, Series, list of str, Table, Scores or DataFrame
        What algorithms cost: one number per algorithm, a table of datasets x algorithms, or names, cheapest
        first.
    dataset : str, optional
        The dataset to order on, where there are several.
    test : str, default "cv5x2_f"
        A test on the folds of one dataset, such as "cv5x2_f" or "corrected_t".
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    MultiTestResult
        The order, the best buy first, and how it came about.

    Examples
    --------
    >>> import podium
    >>> scores = podium.example("ulas2008").scores("accuracy")
    >>> multitest(scores, list(scores.algorithms), dataset=scores.datasets[0]).order[0]
    'c45'
    """
    check.fraction("alpha", alpha)
    named = _one_dataset(scores, dataset)
    gains = named.metric.sign * named.values[0]
    if np.isnan(gains).any():
        hole = named.missing[0]
        raise DataError(f"The score of {hole} is missing: tests on folds need them all.")
    prices = as_costs(cost, datasets=named.datasets, algorithms=named.algorithms)
    better = significantly_better(gains, test=test, alpha=alpha, design=named.design)
    return order_from_decisions(
        better,
        prices.values[:, 0],
        algorithms=named.algorithms,
        errors=errors_of(gains),
        test=test,
        alpha=alpha,
        cost_names=prices.names,
        decided_by=f"{test_words(test)} on the folds",
    )


def test_words(test: str) -> str:
    """A test within a sentence."""
    return registry.PAIRWISE[test].label.replace("The ", "the ", 1)


def order_from_decisions(
    better: npt.ArrayLike,
    cost: npt.ArrayLike,
    *,
    algorithms: Sequence[str],
    errors: npt.ArrayLike | None = None,
    test: str = "given",
    alpha: float = 0.05,
    cost_names: Sequence[str] = ("cost",),
    decided_by: str = "",
) -> MultiTestResult:
    """Order algorithms from known pairwise decisions.

    Between equal costs decisions count in both directions.

    Parameters
    ----------
    better : array-like of bool of shape (k, k)
        `better[i, j]` says that i is significantly better than j.
    cost : array-like of shape (k,) or (n_costs, k)
        One number per algorithm, or several rows that are compared one after the other.
    algorithms : sequence of str
        Names of the algorithms.
    errors : array-like of shape (k,), optional
        Mean errors: between equal costs the smaller one goes first (by default, and where errors tie too, the
        one that is named first).
    test : str, default "given"
        What the result calls the test that made the decisions.
    alpha : float, default 0.05
        The level of the decisions, for the result.
    cost_names : sequence of str, default ("cost",)
        What the costs are called, for the result.
    decided_by : str, default ""
        What made the decisions, in words.

    Returns
    -------
    MultiTestResult
        The order, the best buy first, and how it came about.

    Examples
    --------
    >>> better = [[False, False, False], [True, False, False], [False, False, False]]
    >>> order_from_decisions(better, [1, 2, 3], algorithms=["knn", "svm", "mlp"]).order
    ('svm', 'knn', 'mlp')
    """
    check.distinct("algorithm", tuple(algorithms))
    k = len(algorithms)
    decided = _decisions(better, k)
    keys = np.atleast_2d(settle(_one_per_algorithm("cost", cost, k)))
    mean_errors = np.zeros(k) if errors is None else settle(_one_per_algorithm("errors", errors, k))
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
        cost_names=tuple(cost_names),
        decided_by=decided_by,
    )


def order_by_decisions(typed: str, cost: Any) -> MultiTestResult:
    """Order the algorithms of a cost from decisions as people type them (Ulas et al. 2008, Table 3.3).

    >>> order_by_decisions("A>C, A>D, B>D", ["C", "A", "D", "B"]).order
    ('A', 'C', 'B', 'D')
    """
    named = tuple(cost)
    prices = as_costs(cost, datasets=("decisions",), algorithms=named)
    better = np.zeros((len(named), len(named)), dtype=bool)
    for part in filter(None, (part.strip() for part in typed.split(","))):
        winner, sign, loser = (word.strip() for word in part.partition(">"))
        if not sign or winner == loser:
            raise ArgumentError(
                "{argument} must look like A>C, B>D; got {part}.", argument="decisions", part=repr(part)
            )
        i, j = (named.index(check.member("algorithm", name, named)) for name in (winner, loser))
        if better[j, i]:
            raise ArgumentError(
                "{argument} must not say both {part}.", argument="decisions", part=f"{loser}>{winner} and {part}"
            )
        better[i, j] = True
    return order_from_decisions(better, prices.values[:, 0], algorithms=named)


def _decisions(better: npt.ArrayLike, k: int) -> Bools:
    """The decisions as a matrix without the diagonal: nobody is better than itself."""
    matrix = np.asarray(better)
    if matrix.shape != (k, k):
        raise DesignError(
            "{argument} must be {k} x {k}, one row and column per algorithm; it is {shape}.",
            argument="better",
            k=k,
            shape=matrix.shape,
        )
    if np.isnan(check.floats("better", matrix)).any():
        raise DataError(
            "{argument} has a missing decision (nan): say for each pair whether it is one.", argument="better"
        )
    return np.asarray(matrix.astype(bool) & ~np.eye(k, dtype=bool))


def _one_per_algorithm(name: str, values: npt.ArrayLike, k: int) -> Floats:
    """Numbers whose last axis are the algorithms, none missing."""
    numbers = check.numbers(name, values, ndim=max(np.ndim(values), 1))
    if numbers.shape[-1] != k or np.isnan(numbers).any():
        raise DataError("{argument} must have one number per algorithm ({k}), none missing.", argument=name, k=k)
    return numbers


def errors_of(gains: Floats) -> Floats:
    """The mean error of each algorithm over its folds (the last two axes), equal where the means tie.

    How precise a mean is depends on its scores: those that cancel out leave noise that is large beside it.
    """
    folds = gains.reshape(*gains.shape[:-2], -1)
    return settle(-mean(folds), scale=np.abs(folds).max(axis=-1))


def prior_order(keys: Floats, errors: Floats) -> Indices:
    """The algorithms by cost, cheapest first: the first row of costs decides, then the next, then the error."""
    return np.lexsort((errors, *keys[::-1]))


def overriding_edges(better: Bools, keys: Floats, prior: Indices) -> Bools:
    """The graph of MultiTest: `[i, j]` where j is significantly better than i, and costlier (or as costly)."""
    place = np.argsort(prior)
    as_costly = (keys[:, :, None] == keys[:, None, :]).all(axis=0)
    return np.asarray(better.T & ((place[:, None] < place[None, :]) | as_costly))


def _equal_cost(keys: Floats, prior: Indices, algorithms: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The groups of two or more algorithms whose costs are all equal."""
    groups: dict[tuple[float, ...], list[str]] = {}
    for column in prior:
        groups.setdefault(tuple(keys[:, column]), []).append(algorithms[column])
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def refuse_means(scores: Scores) -> None:
    """Refuse scores without folds."""
    if not scores.has_folds:
        raise DesignError(
            "MultiTest needs the scores of the folds, not only their mean: give a long table with a fold column."
        )


def on_dataset(scores: Scores, dataset: str | None) -> Scores:
    """The scores on the dataset of that name; all without one."""
    if dataset is None:
        return scores
    return scores.take([scores.datasets.index(check.member("dataset", dataset, scores.datasets))])


def _one_dataset(scores: Any, dataset: str | None) -> Scores:
    """The scores on one dataset, as Scores with a single one; an array (algorithm, repeat, fold) has no names, higher better."""
    if isinstance(scores, Scores):
        refuse_means(scores)
        if dataset is None and len(scores.datasets) > 1:
            raise DataError("There are several datasets: name one with `dataset`, or use `multi2test` for them all.")
        return on_dataset(scores, dataset)
    values = check.numbers("scores", scores, ndim=3)
    design = Design(repeats=values.shape[1], folds=values.shape[2])
    return Scores(
        values=values[None],
        datasets=("dataset 1",),
        algorithms=tuple(f"algorithm {j + 1}" for j in range(len(values))),
        metric=UNNAMED_METRIC,
        repeats=tuple(range(design.repeats)),
        folds=tuple(range(design.folds)),
    )


def significantly_better(gains: Floats, *, test: str, alpha: float, design: Design) -> Bools:
    """`[i, j]` is true where i is significantly better than j, from their gains (algorithm, repeat, fold).

    `test` is any registered one over folds or datasets. Tests with sides are asked one-sidedly, whether
    i is better than j. The 5x2 cv F test has no sides: as in Ulas et al. (2008) it must reject at alpha and the better
    mean decides whose win it is.
    """
    method = registry.pairwise(test, ("folds", "datasets"))
    home = registry.load(method)
    k = len(gains)
    flat = gains.reshape(k, -1)
    first, second = pair_indices(k)
    first, second = np.concatenate([first, second]), np.concatenate([second, first])
    options: dict[str, Any] = {"design": design} if method.over == "folds" else {}
    options |= {"alternative": "greater"} if method.sided else {}
    tested = home.kernel(differences_of(method, flat[first], flat[second]), **options)
    decided = (tested.pvalue <= alpha) & (tested.side > 0)
    better = np.zeros((k, k), dtype=bool)
    better[first[decided], second[decided]] = True
    return better


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """The order found, best first, those that could have taken each place, and the cycles that had to be broken."""

    order: tuple[int, ...]
    steps: tuple[tuple[int, ...], ...]
    cycles: tuple[tuple[int, ...], ...]

    @property
    def ranks(self) -> list[int]:
        """The place of each algorithm in the order, from 1."""
        ranks: list[int] = (1 + np.argsort(self.order)).tolist()
        return ranks


def topological_sort(prior: npt.ArrayLike, edges: npt.ArrayLike, *, with_steps: bool = True) -> Sort:
    """Sort by edges, and by the prior order where edges say nothing (Ulas et al. 2008, section 3.1).

    `prior` lists the algorithms, most preferred first; `edges[i, j]` is true where j overrides i, so that j
    comes before i. If every remaining algorithm is overridden, the edges have a cycle: it is recorded, and the
    first of the cycle in the prior order is taken. Without steps it is several times as fast.

    >>> edges = np.zeros((3, 3), dtype=bool)
    >>> edges[0, 2] = True  # the costliest is significantly better than the cheapest
    >>> topological_sort([0, 1, 2], edges).order
    (1, 2, 0)
    """
    by_preference = np.asarray(prior, dtype=np.intp)
    graph = np.asarray(edges, dtype=bool)[np.ix_(by_preference, by_preference)]
    overridden = np.ascontiguousarray(graph.T)  # row j: those that j overrides
    overriders = graph.sum(axis=1, dtype=np.int32)  # by place in the prior order
    order: list[int] = []
    steps: list[tuple[int, ...]] = []
    cycles: list[tuple[int, ...]] = []
    for _ in range(len(by_preference)):
        free = overriders == 0
        place = int(free.argmax())
        if not free[place]:
            cycle = _find_cycle(graph, overriders >= 0)
            cycles.append(tuple(int(by_preference[member]) for member in cycle))
            place = min(cycle)
            free[place] = True
        if with_steps:
            steps.append(tuple(int(by_preference[member]) for member in np.flatnonzero(free)))
        order.append(int(by_preference[place]))
        overriders -= overridden[place]
        overriders[place] = -len(by_preference)  # taken: never free again
    return Sort(order=tuple(order), steps=tuple(steps), cycles=tuple(cycles))


def _find_cycle(graph: Bools, remaining: Bools) -> list[int]:
    """A cycle among the remaining nodes, each of which has an outgoing edge to another of them."""
    node = int(np.flatnonzero(remaining)[0])
    seen: dict[int, int] = {}
    path: list[int] = []
    while node not in seen:
        seen[node] = len(path)
        path.append(node)
        node = int(np.flatnonzero(graph[node] & remaining)[0])
    return path[seen[node] :]
