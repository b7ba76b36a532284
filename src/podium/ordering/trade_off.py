"""Score against cost: how far each algorithm is behind the best, what it costs, and which is the cheapest not significantly worse."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core.numbers import counted, percent
from podium.core.result import Result
from podium.ordering.costs import GIVEN_ORDER, Costs
from podium.stats.pairwise.pair_result import excess
from podium.stats.posthoc.pairs_result import PairsResult


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TradeOff(Result):
    """One cost of every algorithm against how far its score is behind that of the `reference`, whose `role` is "best" or "control".

    The `algorithms` stand by their `gap`, the reference first: by how much each is behind it, on the scale of the metric
    (negative: ahead), with `low` and `high` of the interval and the `adjusted` p-value of the pair; nan where the two were
    not compared. `worse` says who is significantly worse at `alpha`. `cost` is the `mean` over `n_rows`, `on` them in words; `relative` is the
    cost as a multiple of the reference's, with its own interval at `confidence`, nan where the cost does not vary.
    `cheaper_on` counts the rows on which it costs less than the reference.
    """

    cost_name: str
    mean: str
    n_rows: int
    on: str
    reference: str
    role: str
    algorithms: tuple[str, ...]
    score: tuple[float, ...]
    gap: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    adjusted: tuple[float, ...]
    worse: tuple[bool, ...]
    cost: tuple[float, ...]
    relative: tuple[float, ...]
    relative_low: tuple[float, ...]
    relative_high: tuple[float, ...]
    cheaper_on: tuple[int, ...]
    confidence: float
    alpha: float
    references: tuple[str, ...] = ("ulas2008", "fleming1986")

    def of(self, name: str) -> dict[str, Any]:
        """Everything about one algorithm."""
        columns = "score gap low high adjusted worse cost relative relative_low relative_high cheaper_on".split()
        return {column: getattr(self, column)[self.algorithms.index(name)] for column in columns}

    @property
    def said(self) -> str:
        """The cost within a sentence."""
        return self.cost_name if set("*/+") & set(self.cost_name) else self.cost_name.replace("_", " ")

    @property
    def is_measured(self) -> bool:
        """Whether the cost is a number of something; a bare order is not."""
        return self.cost_name != GIVEN_ORDER

    @property
    def not_worse(self) -> tuple[str, ...]:
        """The reference and all that are not significantly worse."""
        return tuple(name for name, worse in zip(self.algorithms, self.worse, strict=True) if not worse)

    @property
    def choice(self) -> str:
        """The cheapest algorithm that is not significantly worse than the reference; of equal costs the nearest to it."""
        return min(self.not_worse, key=lambda name: self.cost[self.algorithms.index(name)])

    @property
    def frontier(self) -> tuple[str, ...]:
        """Those that no other both undercuts and matches in score, the cheapest first."""
        return tuple(self.algorithms[i] for i in pareto_front(self.cost, self._behind))

    @property
    def _behind(self) -> tuple[float, ...]:
        """The gaps; one that is not known is the largest."""
        return tuple(math.inf if math.isnan(gap) else gap for gap in self.gap)

    def dominated_by(self, name: str) -> str:
        """The nearest to the reference of those that cost no more and are not further behind; "" on the frontier."""
        frontier = self.frontier
        if name in frontier:
            return ""
        place = dict(zip(self.algorithms, zip(self._behind, self.cost, strict=True), strict=True))
        gap, cost = place[name]
        return min(
            (one for one in frontier if place[one][0] <= gap and place[one][1] <= cost), key=lambda one: place[one]
        )

    def verdict(self, name: str) -> str:
        """What to make of one algorithm in a few words, where "worse" means significantly worse."""
        own, by = self.of(name), self.dominated_by(name)
        if name == self.choice != self.reference:
            return "cheapest not worse"
        if name == self.reference:
            return self.role
        if not own["worse"]:
            return "better" if own["adjusted"] <= self.alpha else "not worse"
        return f"dominated by {by}" if by else "worse, but cheaper"

    def summary(self) -> str:
        """The choice, and what it saves."""
        own, cheaper = self.of(self.choice), min(self.cost) < self.of(self.reference)["cost"]
        if self.choice == self.reference:
            why = "every cheaper algorithm is significantly worse" if cheaper else "no algorithm is cheaper"
            return f"By {self.said}, the choice is {self.reference}: {why}."
        saved = f", at {percent(own['relative'])} of its {self.said}" if self.is_measured else ""
        return f"By {self.said}, {self.choice} is the cheapest algorithm that is not significantly worse than {self.reference}{saved}."

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, the nearest to the reference first."""
        names = "algorithm score gap low high adjusted cost relative relative_low relative_high"
        columns = {name: getattr(self, "algorithms" if name == "algorithm" else name) for name in names.split()}
        return {**columns, "verdict": [self.verdict(name) for name in self.algorithms]}


def trade_offs(
    pairs: PairsResult,
    costs: Costs,
    *,
    reference: str,
    scores: Mapping[str, float],
    alpha: float = 0.05,
    rows: tuple[str, str] = ("dataset", "datasets"),
) -> tuple[TradeOff, ...]:
    """Score against each cost alone, from the decisions and intervals of a test on pairs, whatever its unit.

    `reference` is the best by score, or the control that all were compared with; `scores` has the mean score of each algorithm, and
    `rows` is what one and several of the costs' rows are called.
    """
    base = pairs.algorithms.index(reference)
    sign = pairs.metric.sign
    ends = np.array([sign * excess(pairs.effect_name, pairs.matrix(name)[base]) for name in ("effect", "low", "high")])
    gap, low, high = ends if sign > 0 else ends[[0, 2, 1]]
    adjusted, worse = pairs.matrix("adjusted")[base], pairs.better(alpha)[base]
    low[base] = high[base] = adjusted[base] = np.nan  # it was not compared with itself
    behind = np.where(np.arange(len(gap)) == base, -np.inf, gap)
    order = [int(place) for place in np.argsort(np.where(np.isnan(behind), np.inf, behind), kind="stable")]
    columns = {"gap": gap, "low": low, "high": high, "adjusted": adjusted, "worse": worse}
    cells: dict[str, Any] = {name: tuple(column[order].tolist()) for name, column in columns.items()}
    names = tuple(pairs.algorithms[place] for place in order)
    return tuple(
        TradeOff(
            reference=reference,
            role="best" if pairs.control is None else "control",
            algorithms=names,
            score=tuple(scores[name] for name in names),
            **cells,
            **_of_cost(costs, cost, names, reference, pairs.confidence),
            on=counted(len(costs.datasets), *rows) if costs.folds is None else counted(costs.folds.shape[1], "fold"),
            confidence=pairs.confidence,
            alpha=alpha,
        )
        for cost in range(len(costs.names))
    )


def _of_cost(costs: Costs, cost: int, names: Sequence[str], reference: str, confidence: float) -> dict[str, Any]:
    """What each algorithm costs, in the order of the names."""
    places = [costs.algorithms.index(name) for name in names]
    values = (costs.values if costs.folds is None else costs.folds)[cost]
    ratios = costs.relative(cost, reference, confidence)[:, places]
    cheaper = (values < values[:, [costs.algorithms.index(reference)]]).sum(axis=0)[places]
    columns = dict(zip(("relative", "relative_low", "relative_high"), ratios, strict=True))
    columns |= {"cost": costs.typical[cost, places], "cheaper_on": cheaper}
    return {
        "cost_name": costs.names[cost],
        "mean": costs.means[cost],
        "n_rows": len(values) if costs.folds is None else costs.folds.shape[1],
        **{name: tuple(column.tolist()) for name, column in columns.items()},
    }


def pareto_front(costs: Sequence[float], errors: Sequence[float]) -> list[int]:
    """The algorithms that no other beats in one and matches in the other, from the cheapest on.

    >>> pareto_front([1, 2, 3], [0.3, 0.4, 0.1])
    [0, 2]
    """
    front: list[int] = []
    for i in np.lexsort((errors, costs)).tolist():
        last = front[-1] if front else i
        if last == i or errors[i] < errors[last] or (errors[i] == errors[last] and costs[i] == costs[last]):
            front.append(i)
    return front
