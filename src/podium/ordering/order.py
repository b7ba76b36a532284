"""The verb `podium.order`: scores and costs in, whatever form they have; an order of the algorithms out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack, overload

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.metric import Direction
from podium.core.options import ORDERING
from podium.evidence.results import Results
from podium.evidence.scores import Scores
from podium.ordering._multi2test import Multi2TestResult, multi2test
from podium.ordering._multitest import MultiTestResult, PairTest, multitest, on_dataset
from podium.ordering.cost_file import cost_file, refuse_gain
from podium.ordering.costs import Costs, as_costs, combine_costs
from podium.reading.keywords import TableKeywords
from podium.reading.verbs import scores_of


@overload
def order(
    results: Any,
    *,
    metric: str | None = None,
    direction: Direction | None = None,
    cost: Any = None,
    cost_column: str | None = None,
    dataset: None = None,
    weights: Sequence[float] | None = None,
    test: PairTest | None = None,
    posthoc: str = "nemenyi",
    correction: str = "holm",
    alpha: float = 0.05,
    **reading: Unpack[TableKeywords],
) -> Multi2TestResult: ...
@overload
def order(
    results: Any,
    *,
    metric: str | None = None,
    direction: Direction | None = None,
    cost: Any = None,
    cost_column: str | None = None,
    dataset: str,
    weights: Sequence[float] | None = None,
    test: PairTest | None = None,
    posthoc: str = "nemenyi",
    correction: str = "holm",
    alpha: float = 0.05,
    **reading: Unpack[TableKeywords],
) -> MultiTestResult: ...
def order(
    results: Any,
    *,
    metric: str | None = None,
    direction: Direction | None = None,
    cost: Any = None,
    cost_column: str | None = None,
    dataset: str | None = None,
    weights: Sequence[float] | None = None,
    test: PairTest | None = None,
    posthoc: str = "nemenyi",
    correction: str = "holm",
    alpha: float = 0.05,
    **reading: Unpack[TableKeywords],
) -> Multi2TestResult | MultiTestResult:
    """Order algorithms by error and cost: a costlier one goes first only if it is significantly better.

    A single dataset, or the one that `dataset` names, is ordered by `podium.ordering.multitest`, several by
    `podium.ordering.multi2test`, which a type checker takes for granted where no `dataset` is named.

    Parameters
    ----------
    results : Results, Scores, or whatever `podium.read` takes
        The scores; they must have folds.
    metric : str, optional
        What the scores measure, or which of several metrics to use.
    direction : {"higher", "lower"}, optional
        Which scores are better, where the metric does not say it.
    cost : str, mapping, list, Table or DataFrame, optional
        A metric of the results, the path of a file (datasets x algorithms, or one number per algorithm), a
        table, a mapping from algorithm to number, names (cheapest first), or a list of several of these. By
        default every cost among the metrics.
    cost_column : str, optional
        The cost to take from a file with several costs.
    dataset : str, optional
        The dataset to order on, where there are several.
    weights : sequence of float, optional
        The weight of each cost in their sum; without weights the first cost decides, and the next ones break
        its ties.
    test : str or callable, optional
        The test on the folds of one dataset; by default the 5x2 cv F test where the folds are 5x2, else the
        corrected t test.
    posthoc : str, default "nemenyi"
        The test over datasets on the ranks: "nemenyi" as in the paper, or any other of all pairs, such as
        "wilcoxon".
    correction : str, default "holm"
        How the p-values of `posthoc` are adjusted, unless it corrects itself.
    alpha : float, default 0.05
        Significance level.
    **reading : keywords
        Options of `podium.read`, such as `fold_column="split"`.

    Returns
    -------
    MultiTestResult or Multi2TestResult
        The order, the best buy first, and how it came about.

    Examples
    --------
    >>> import podium
    >>> podium.order(podium.example("ulas2008"), metric="accuracy", cost="space").order[:3]
    ('c45', 'mdt', 'mlp')
    """
    scores, source = scores_of(
        results, metric=metric, direction=direction, verb="order", takes=("cost", "cost_column", *ORDERING), **reading
    )
    scores = on_dataset(scores, dataset)
    combined = combine_costs(costs_of(source or scores, scores, cost, cost_column), weights=weights)
    chosen = test or ("cv52_f" if scores.design.is_5x2 else "corrected_t")
    if len(scores.datasets) == 1:
        return multitest(scores, combined, test=chosen, alpha=alpha)
    return multi2test(scores, combined, test=chosen, posthoc=posthoc, correction=correction, alpha=alpha)


def costs_of(results: Results | Scores, scores: Scores, cost: Any = None, column: str | None = None) -> list[Costs]:
    """Every cost that was asked for (see `order`), of this column of a file; without any, every cost among the metrics."""
    if cost is None:
        cost = cost_metrics(results, scores)
    # A list that names any algorithm is an order, cheapest first: so a misspelled one is told.
    is_list = isinstance(cost, Sequence) and not isinstance(cost, str)
    several = is_list and not any(isinstance(name, str) and name in scores.algorithms for name in cost)
    asked = cost if several else [cost]
    if column is not None and not any(isinstance(one, str | os.PathLike) and os.path.exists(one) for one in asked):
        raise ArgumentError("{argument} is for a file of costs: leave it out.", argument="cost_column")
    costs = [_cost_of(results, scores, one, column) for one in asked]
    if not costs:
        raise ArgumentError(
            "There are no costs: give {argument}, such as a metric of the results, a file or an order.", argument="cost"
        )
    return costs


def cost_metrics(results: Results | Scores, scores: Scores) -> list[str]:
    """The costs among the metrics that have values, without the metric that is ordered by."""
    if not isinstance(results, Results):
        return []
    measured = set(results.frame["metric"][results.frame["value"].notna()].unique())
    return [name for name in results.costs if name != scores.metric.name and name in measured]


def _cost_of(results: Results | Scores, scores: Scores, cost: Any, column: str | None) -> Costs:
    """One cost, matched to the scores."""
    name = "cost"
    if isinstance(cost, str | os.PathLike):
        metrics = tuple(results.metrics) if isinstance(results, Results) else ()
        if isinstance(results, Results) and (cost in metrics or not os.path.exists(cost)):
            refuse_gain(check.member("metric", cost, metrics))
            cost = results.scores(str(cost))
        else:
            cost, name = cost_file(Path(cost), scores, column)
    elif isinstance(cost, Sequence):
        name = "the given order"
    return as_costs(cost, datasets=scores.datasets, algorithms=scores.algorithms, name=name)
