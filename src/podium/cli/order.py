"""`podium order SCORES --cost COSTS`: which algorithm to use, given what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podium.cli.reading import with_results
from podium.cli.showing import showing
from podium.core.errors import ArgumentError
from podium.core.options import ORDERING, changed, several

if TYPE_CHECKING:
    from podium.core.result import Result
    from podium.evidence.results import Results


_COST_COLUMN = changed("cost_column", topic="", help="The column of a FILE with several costs.")


@with_results(required=False)
@showing(
    *(several("cost"), _COST_COLUMN, *ORDERING, "wins", "what_if", "decisions"), over=("folds",), correction="holm"
)
def order(
    results: Results | None, *, cost: tuple[str, ...], decisions: str | None, **options: Any
) -> tuple[Result, ...]:
    """Order algorithms by error and cost: a costlier one goes first only if it is significantly better."""
    from podium.ordering._multitest import order_by_decisions
    from podium.ordering.costs import given_cost

    costs = [given_cost(text) for text in cost] or None
    if (results is None) == (decisions is None):
        raise ArgumentError("Give either FILE, scores with folds, or {argument}, not both.", argument="decisions")
    if results is not None:
        return _by_scores(results, costs, **options)
    if decisions is None or costs is None or len(costs) != 1 or isinstance(costs[0], str):
        raise ArgumentError(
            "Decisions need one {argument} that names every algorithm, such as C,A,D,B (cheapest first).",
            argument="cost",
        )
    return (order_by_decisions(decisions, costs[0]),)


def _by_scores(
    results: Results, cost: list[Any] | None, *, cost_column: str | None, wins: bool, what_if: bool, **options: Any
) -> tuple[Result, ...]:
    """The order, and what was asked for besides."""
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multi2test import what_if as orders_by_one
    from podium.ordering._multitest import on_dataset
    from podium.ordering.order import cost_metrics, costs_of
    from podium.ordering.order import order as order_by_cost

    ordered = order_by_cost(results, cost=cost, cost_column=cost_column, **options)
    shown: list[Result] = [ordered]
    if wins:
        if not isinstance(ordered, Multi2TestResult):
            raise ArgumentError("{argument} counts datasets, and there is one: leave it out.", argument="wins")
        shown.append(ordered.wins)
    if what_if:
        scores = on_dataset(results.scores(), options["dataset"])
        alone = [
            *costs_of(results, scores, cost, cost_column),
            *costs_of(results, scores, cost_metrics(results, scores) or cost, cost_column),
        ]
        settings = {name: options[name] for name in ("posthoc", "correction", "alpha")}
        shown.append(orders_by_one(scores, {one.names[0]: one for one in alone}, test=ordered.test, **settings))
    return tuple(shown)
