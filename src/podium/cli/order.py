"""`podium order SCORES --cost COSTS`: which algorithm to use, given what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podium.cli.reading import with_results
from podium.cli.showing import showing
from podium.core.options import ORDERING, changed, several

if TYPE_CHECKING:
    from podium.core.result import Result
    from podium.evidence.results import Results


_COST_COLUMN = changed("cost_column", panel="", help="The column of a FILE with several costs.")


@with_results()
@showing(several("cost"), _COST_COLUMN, *ORDERING, "what_if", over=("folds",), correction="holm")
def order(
    results: Results, *, cost: tuple[str, ...], cost_column: str | None, what_if: bool, **options: Any
) -> tuple[Result, ...]:
    """Order algorithms by error and cost: a costlier one goes first only if it is significantly better."""
    from podium.ordering._multi2test import what_if as orders_by_one
    from podium.ordering.costs import given_cost
    from podium.ordering.order import cost_metrics, costs_of
    from podium.ordering.order import order as order_by_cost

    given = [given_cost(text) for text in cost] or None
    found = order_by_cost(results, cost=given, cost_column=cost_column, **options)
    if not what_if:
        return (found,)
    scores = results.scores()
    alone = [
        *costs_of(results, scores, given, cost_column),
        *costs_of(results, scores, cost_metrics(results, scores) or given, cost_column),
    ]
    settings = {name: options[name] for name in ("posthoc", "correction", "alpha")}
    return found, orders_by_one(scores, {one.names[0]: one for one in alone}, test=found.test, **settings)
