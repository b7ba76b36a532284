"""The verb `podium.order`: scores and costs in, whatever form they have; an order of the algorithms out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack, overload

from podium.comparison.compare import compare, read
from podium.core.errors import ArgumentError
from podium.core.metric import Direction
from podium.core.options import ORDERING
from podium.evidence.scores import Scores
from podium.ordering._multi2test import Multi2TestResult, WhatIfResult, multi2test
from podium.ordering._multitest import MultiTestResult, multitest, on_dataset
from podium.ordering.costs import combine_costs
from podium.ordering.given_costs import costs_of, own_costs
from podium.reading.keywords import TableKeywords


class OrderKeywords(TableKeywords, total=False):
    """The arguments of `order` on which the type of its result does not depend."""

    metric: str | None
    direction: Direction | None
    cost: Any
    cost_column: str | None
    weights: Sequence[float] | None
    test: str | None
    posthoc: str | None
    correction: str | None
    alpha: float


@overload
def order(results: Any, *, dataset: None = None, **options: Unpack[OrderKeywords]) -> Multi2TestResult: ...
@overload
def order(results: Any, *, dataset: str, **options: Unpack[OrderKeywords]) -> MultiTestResult: ...
def order(
    results: Any,
    *,
    metric: str | None = None,
    direction: Direction | None = None,
    cost: Any = None,
    cost_column: str | None = None,
    dataset: str | None = None,
    weights: Sequence[float] | None = None,
    test: str | None = None,
    posthoc: str | None = None,
    correction: str | None = None,
    alpha: float = 0.05,
    **reading: Unpack[TableKeywords],
) -> Multi2TestResult | MultiTestResult:
    """Order algorithms by error and cost: a costlier one goes first only if it is significantly better.

    With folds on several datasets this is Multi2Test (Ulas et al. 2008): MultiTest by the folds of each dataset, then over all
    datasets. A single dataset with folds, or the one that `dataset` names, is ordered by MultiTest. Scores without folds,
    outcomes on test cases and runs are ordered by the same procedure from the adjusted pairwise tests that `podium.compare`
    makes of them. The result says which decisions were used. A type checker takes several datasets with folds for granted where
    no `dataset` is named.

    Parameters
    ----------
    results : Results, Scores, Cases, Runs, or whatever `podium.read` takes
        The scores, with or without folds, outcomes or runs.
    metric : str, optional
        What the scores measure, or which of several metrics to use.
    direction : {"higher", "lower"}, optional
        Which scores are better, where the metric does not say it.
    cost : str, mapping, list, Table or DataFrame, optional
        A metric of the results, a formula of several such as "0.7*train_time + 0.3*space" (each in its own unit), the path of a
        file (datasets x algorithms, or a row per algorithm; FILE:SHEET for a sheet of a workbook), a table, a mapping from
        algorithm to number, names (cheapest first), or a list of several of these. By default every cost among the metrics.
    cost_column : str, optional
        The column to take from a file with several costs, or a formula of several.
    dataset : str, optional
        The dataset to order on, where there are several.
    weights : sequence of float, optional
        The weight of each cost in their sum, each cost being a percentage of the costliest algorithm; without weights the first
        cost decides, and the next ones break its ties.
    test : str, optional
        The test on the folds of one dataset; by default the 5x2 cv F test where the folds are 5x2, else the
        corrected t test.
    posthoc : str, optional
        The test over datasets: after tests on folds "nemenyi" as in the paper, else what `podium.compare` takes.
    correction : str, optional
        How the p-values of the test over datasets are adjusted; Holm's procedure after tests on folds.
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
    evidence, source = read(
        results, metric=metric, direction=direction, verb="order", takes=("cost", "cost_column", *ORDERING), **reading
    )
    if dataset is not None and not isinstance(evidence, Scores):
        raise ArgumentError("{argument} is for scores on several datasets: leave it out.", argument="dataset")
    evidence = evidence if dataset is None else on_dataset(evidence, dataset)
    is_own = cost is None and own_costs(evidence) is not None
    asked = None if is_own else costs_of(source or evidence, evidence, cost, cost_column)
    costs = None if asked is None else combine_costs(asked, weights=weights)
    if not getattr(evidence, "has_folds", False):
        tests: dict[str, Any] = {
            name: one for name, one in (("test", posthoc), ("correction", correction)) if one is not None
        }
        ordered = compare(evidence, cost=costs, alpha=alpha, **tests).cost_order
        assert ordered is not None  # there are costs
        return ordered
    chosen = test or ("cv5x2_f" if evidence.design.is_5x2 else "corrected_t")
    if len(evidence.datasets) == 1:
        return multitest(evidence, costs, test=chosen, alpha=alpha)
    return multi2test(
        evidence, costs, test=chosen, posthoc=posthoc or "nemenyi", correction=correction or "holm", alpha=alpha
    )


def what_if(results: Any, cost: Mapping[str, Any], **settings: Any) -> WhatIfResult:
    """The order under each of several costs alone.

    Parameters
    ----------
    results : Results, Scores, Cases, Runs, or whatever `podium.read` takes
        What `podium.order` takes.
    cost : mapping
        Name of each cost -> the cost, in any form that `podium.order` takes.
    **settings : Any
        The other arguments of `podium.order`.

    Returns
    -------
    podium.ordering.WhatIfResult
        The order under each cost: `orders[cost]`, the best buy first.

    Examples
    --------
    >>> import podium
    >>> scores = podium.example("ulas2008").scores("accuracy")
    >>> what_if(scores, {"one": list(scores.algorithms), "other": list(scores.algorithms[::-1])}).orders["one"][0]
    'c45'
    """
    return WhatIfResult(orders={name: order(results, cost=one, **settings).order for name, one in cost.items()})
