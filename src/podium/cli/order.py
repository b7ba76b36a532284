"""`podium order SCORES --cost COSTS`: which algorithm to use, given what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podium.cli.reading import with_results
from podium.cli.showing import showing
from podium.core.errors import ArgumentError
from podium.core.options import ORDERING, several

if TYPE_CHECKING:
    from podium.core.result import Result
    from podium.evidence.results import Results


@with_results(required=False, cases=True)
@showing(*(several("cost"), *ORDERING, "wins", "what_if", "decisions"), over=("folds",))
def order(
    results: Results | None, *, cost: tuple[str, ...], decisions: str | None, **options: Any
) -> tuple[Result, ...]:
    """Order algorithms by error and cost: a costlier one goes first only if it is significantly better."""
    from podium.ordering._multitest import order_by_decisions
    from podium.ordering.costs import given_cost

    costs = [given_cost(text) for text in cost] or None
    if (results is None) == (decisions is None):
        raise ArgumentError("Give either FILE, with scores, or {argument}, not both.", argument="decisions")
    if results is not None:
        return _by_scores(results, costs, **options)
    if decisions is None or costs is None or len(costs) != 1 or isinstance(costs[0], str):
        raise ArgumentError(
            "Decisions need one {argument} that names every algorithm, such as C,A,D,B (cheapest first).",
            argument="cost",
        )
    return (order_by_decisions(decisions, costs[0]),)


def _by_scores(
    results: Any, cost: list[Any] | None, *, cost_column: str | None = None, wins: bool, what_if: bool, **options: Any
) -> tuple[Result, ...]:
    """The order, and what was asked for besides."""
    from podium.comparison.compare import read
    from podium.comparison.order import order as order_by_cost
    from podium.comparison.order import what_if as orders_by_one
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering.given_costs import cost_metrics, costs_of

    ordered = order_by_cost(results, cost=cost, cost_column=cost_column, **options)
    shown: list[Result] = [ordered]
    if wins:
        if not isinstance(ordered, Multi2TestResult):
            raise ArgumentError(
                "{argument} counts datasets by their folds, and there are not several with folds: leave it out.",
                argument="wins",
            )
        shown.append(ordered.wins)
    if what_if:
        evidence, source = read(results, takes=())
        sources = (source or evidence, evidence)
        own = cost_metrics(*sources)
        alone = {one.names[0]: one for one in costs_of(*sources, cost, cost_column)}
        alone = {**({one.names[0]: one for one in costs_of(*sources, own)} if own else {}), **alone}
        shown.append(orders_by_one(results, alone, **{**options, "weights": None}))
    return tuple(shown)
