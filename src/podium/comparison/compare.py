"""The guided path: `compare` reads the evidence, and its unit looks at the facts, lets the rules choose and runs the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.errors import DataError
from podium.core.options import COMPARING
from podium.core.rng import Rng
from podium.core.units import unit_of
from podium.evidence.evidence import evidence_from_plain
from podium.evidence.results import Results
from podium.reading.verbs import evidence_of, scores_of


def compare(
    results: Any,
    *,
    metric: str | None = None,
    direction: str | None = None,
    algorithms: list[str] | None = None,
    control: str | None = None,
    rope: float | str | None = None,
    search_metric: str | None = None,
    cost: Any = None,
    test: str | None = None,
    omnibus: str | None = None,
    correction: str | None = None,
    missing: str | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
    intervals: str = "simultaneous",
    rng: Rng = 0,
    positive: Any = None,
    mean: str | None = None,
    exact: bool = False,
    aggregate: str | None = None,
    normalise: Any = None,
    paired: bool | None = None,
    blocks: str = "datasets",
    **reading: Any,
) -> Comparison:
    """Compare algorithms, and explain every choice.

    Facts about the data come first; then rules choose what you did not name. No test of normality chooses another test.
    What is compared depends on the source: scores over datasets, outcomes on the same test cases, or runs of agents on
    tasks. Arguments that do not apply are refused.

    Parameters
    ----------
    results
        Results, Scores, a Table, Cases, Runs, or whatever `podium.read` takes (a path, a DataFrame, an array, a dict). Test
        cases also come as predictions with their `truth`; runs also as a dict, agent -> array of runs x tasks or
        agent -> {task: scores}.
    metric, direction
        What the scores measure, and whether "higher" or "lower" is better, where the results do not say it.
    algorithms
        Compare only these.
    control
        Compare every other algorithm only with this one.
    rope
        Differences up to this, in the metric's units, do not matter: adds probabilities of practical equivalence. "auto"
        takes it from the folds.
    search_metric
        What the search of hyperparameters promised (such as "cv_error"): with rope="auto", the smaller rope of the two is taken.
    cost
        A metric of the same results, a file, a table, a mapping or an order (see `podium.order`): adds an order by cost.
    test, omnibus, correction
        The test of two algorithms, the test of all at once, and how p-values are adjusted; over datasets only.
    missing
        What happens to missing cells: "pairwise" or "complete"; on test cases also "wrong" or "refuse".
    alpha, confidence, intervals
        The level, the confidence of intervals, and whether all intervals hold together ("simultaneous") or "each" alone.
    rng
        The seed of what is drawn at random.
    positive
        Of predictions: the positive class.
    mean, exact
        On test cases: whether each benchmark ("macro") or each case ("micro") has the same weight, and whether to use
        McNemar's exact test instead of mid-p.
    blocks
        Over datasets: what is ranked and tested together, "datasets" (folds averaged) or every one of their "folds".
    aggregate, normalise, paired
        On runs: what is compared ("iqm", "mean" or "optimality_gap"), how scores of different tasks become comparable
        ("human", "minmax", "references", "none", or {task: (zero, one)}), and whether runs are paired by seed.
    reading
        The options of `podium.read`, such as `unit="case"` or `truth="y_true"`.
    """
    options = {name: value for name, value in locals().items() if name not in ("results", "reading")}
    check.fraction("alpha", alpha)
    evidence, source = _read(results, metric=metric, direction=direction, **reading)
    asked = unit_of(evidence).settle(options)
    if check.choice("blocks", blocks, ("datasets", "folds")) == "folds":
        evidence = evidence.blocks()
    if search_metric is not None:  # the scores that the search promised are read like the others
        asked["search_metric"] = scores_of(results, metric=search_metric, direction=direction, **reading)[0]
    comparison: Comparison = unit_of(evidence)(evidence, asked, source).comparison()
    return comparison


def _read(results: Any, **reading: Any) -> tuple[Any, Results | None]:
    """What is compared, and the results that it comes from, where there are some; predictions with their metric are ready."""
    if hasattr(results, "to_cases"):
        return results.to_cases(), None
    evidence = evidence_of(results, verb="compare", takes=tuple(COMPARING), **reading)
    return evidence if isinstance(evidence, tuple) else (evidence, None)


def compare_again(data: dict[str, Any]) -> Comparison:
    """The comparison that `Comparison.repeatable` was made from, computed again.

    Parameters
    ----------
    data : dict
        What `Comparison.repeatable` gave, or was written as JSON.

    Returns
    -------
    Comparison
        The same comparison, computed again.

    Examples
    --------
    >>> import podium
    >>> found = podium.compare([[0.9, 0.8], [0.8, 0.7], [0.7, 0.8], [0.9, 0.85]], metric="accuracy")
    >>> compare_again(found.repeatable()).verdict == found.verdict
    True
    """
    try:
        evidence = evidence_from_plain(data["evidence"])
        cost, settings = _costs_again(data["cost"], evidence), dict(data["settings"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"The data of the comparison are incomplete or damaged ({error}): make it again.") from None
    return compare(evidence, **(settings if cost is None else {**settings, "cost": cost}))


def _costs_again(cost: dict[str, Any] | None, scores: Any) -> Any:
    if cost is None:
        return None
    from podium.ordering.costs import Costs

    values = np.array(cost["values"], dtype=np.float64)
    return Costs(names=tuple(cost["names"]), values=values, datasets=scores.datasets, algorithms=scores.algorithms)
