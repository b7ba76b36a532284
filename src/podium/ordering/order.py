"""The verb `podium.order`: scores and costs in, whatever form they have; an order of the algorithms out."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from podium.core import check
from podium.core.errors import ArgumentError, DataError
from podium.core.options import ORDERING
from podium.core.read.verbs import scores_of
from podium.core.results import Results
from podium.core.scores import Scores
from podium.ordering._multi2test import Multi2TestResult, multi2test
from podium.ordering._multitest import PairTest
from podium.ordering.costs import Costs, as_costs, combine_costs


def order(
    results: Any,
    *,
    metric: str | None = None,
    direction: str | None = None,
    cost: Any = None,
    weights: Sequence[float] | None = None,
    test: PairTest | None = None,
    posthoc: str = "nemenyi",
    correction: str = "holm",
    alpha: float = 0.05,
    **reading: Any,
) -> Multi2TestResult:
    """Order algorithms by error and cost: a costlier one goes first only if it is significantly better.

    `results` are Results, Scores, or whatever `podium.read` takes, with its options as `reading`; they must have folds.
    `metric` or `direction` says which scores are better, where the results do not. `cost` is a metric of the results, the path of a
    file (datasets x algorithms, or one number per algorithm), a table, a mapping from algorithm to number, an order of
    names (cheapest first), or a list of several of these; without it every cost among the metrics counts. Several
    costs are added up with `weights`; without them the first decides, and the next ones break its ties. The `test` on
    the folds of one dataset is the 5x2 cv F test where the folds are 5x2, else the corrected t test; `posthoc`,
    `correction` and `alpha` are those of `podium.ordering.multi2test`.

    >>> import podium
    >>> podium.order(podium.example("ulas2008"), metric="accuracy", cost="space").order[:3]
    ('c45', 'mdt', 'mlp')
    """
    scores, source = scores_of(
        results, metric=metric, direction=direction, verb="order", takes=("cost", *ORDERING), **reading
    )
    combined = combine_costs(costs_of(source or scores, scores, cost), weights=weights)
    chosen = test or ("cv52_f" if scores.design.is_5x2 else "corrected_t")
    return multi2test(scores, combined, test=chosen, posthoc=posthoc, correction=correction, alpha=alpha)


def costs_of(results: Results | Scores, scores: Scores, cost: Any = None) -> list[Costs]:
    """Every cost that was asked for (see `order`); without any, every cost among the metrics."""
    if cost is None:
        cost = cost_metrics(results, scores)
    # A list that names any algorithm is an order, cheapest first: so a misspelled one is told.
    is_list = isinstance(cost, Sequence) and not isinstance(cost, str)
    several = is_list and not any(isinstance(name, str) and name in scores.algorithms for name in cost)
    found = [_cost_of(results, scores, one) for one in (cost if several else [cost])]
    if not found:
        raise ArgumentError(
            "There are no costs: give {argument}, such as a metric of the results, a file or an order.", argument="cost"
        )
    return found


def cost_metrics(results: Results | Scores, scores: Scores) -> list[str]:
    """The costs among the metrics that have values, without the metric that is ordered by."""
    if not isinstance(results, Results):
        return []
    measured = set(results.frame["metric"][results.frame["value"].notna()].unique())
    return [name for name in results.costs if name != scores.metric.name and name in measured]


def _cost_of(results: Results | Scores, scores: Scores, cost: Any) -> Costs:
    """One cost, matched to the scores."""
    name = "cost"
    if isinstance(cost, str | os.PathLike):
        metrics = tuple(results.metrics) if isinstance(results, Results) else ()
        if isinstance(results, Results) and (cost in metrics or not os.path.exists(cost)):
            cost = results.scores(check.member("metric", cost, metrics))
        else:
            cost, name = _cost_file(Path(cost), scores.algorithms), Path(cost).stem
    elif isinstance(cost, Sequence):
        name = "the given order"
    return as_costs(cost, datasets=scores.datasets, algorithms=scores.algorithms, name=name)


def _cost_file(file: Path, algorithms: tuple[str, ...]) -> Mapping[str, float] | Scores:
    """A table of costs (datasets x algorithms), or two columns: algorithm and cost."""
    from podium.core.read.reader import read_scores

    pairs = _two_columns(file)
    if not {name for name, _ in pairs} & set(algorithms):
        return read_scores(file, direction="lower").scores()
    numbers = {}
    for name, text in pairs:
        try:
            numbers[name] = float(text)
        except ValueError:
            raise DataError(f"{file}: the cost of {name!r} is not a number; correct the cell.") from None
    return numbers


def _two_columns(file: Path) -> list[tuple[str, str]]:
    """The rows below the header of a CSV file with exactly two columns, else nothing."""
    try:
        with open(file, newline="", encoding="utf-8-sig") as lines:
            rows = [row for row in csv.reader(lines) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        return []  # the reader of scores says what is wrong
    if any(len(row) != 2 for row in rows):
        return []
    return [(name.strip(), number.strip()) for name, number in rows[1:]]
