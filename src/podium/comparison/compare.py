"""The guided path: `compare` reads the evidence, and its unit looks at the facts, lets the rules choose and runs the tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.errors import DataError
from podium.core.metric import Direction
from podium.core.options import COMPARING
from podium.core.result import plain
from podium.core.rng import Rng
from podium.core.units import unit_of
from podium.core.words import AggregateName, Blocks, Intervals, Mean, Missing
from podium.evidence.evidence import evidence_from_plain
from podium.evidence.results import Results
from podium.reading.verbs import evidence_of, scores_of

if TYPE_CHECKING:
    from podium.reading.keywords import CompareKeywords


def compare(
    results: Any,
    *,
    metric: str | None = None,
    direction: Direction | None = None,
    algorithms: Sequence[str] | None = None,
    control: str | None = None,
    rope: float | Literal["auto"] | None = None,
    search_metric: str | None = None,
    cost: Any = None,
    test: str | None = None,
    omnibus: str | None = None,
    correction: str | None = None,
    missing: Missing | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
    intervals: Intervals = "simultaneous",
    rng: Rng = 0,
    positive: Any = None,
    mean: Mean | None = None,
    exact: bool = False,
    aggregate: AggregateName | None = None,
    normalise: Any = None,
    paired: bool | None = None,
    blocks: Blocks = "datasets",
    **reading: Unpack[CompareKeywords],
) -> Comparison:
    """Compare algorithms, and explain every choice.

    Facts about the data come first; then rules choose what you did not name. No test of normality chooses another test.
    What is compared depends on the source: scores over datasets, outcomes on the same test cases, or runs of agents on
    tasks. Arguments that do not apply are refused.

    Parameters
    ----------
    results : Results, Scores, Table, Cases, Runs, or whatever `podium.read` takes
        What is compared; also a path, a DataFrame, an array or a dict. Test cases also come as predictions with their
        `truth`; runs also as a dict, agent -> array of runs x tasks or agent -> {task: scores}.
    metric : str, optional
        What the scores measure, or which of several metrics to use.
    direction : {"higher", "lower"}, optional
        Which scores are better, where the metric does not say it.
    algorithms : list of str, optional
        Compare only these.
    control : str, optional
        Compare every other algorithm only with this one.
    rope : float or "auto", optional
        Differences up to this, in the metric's units, do not matter: adds probabilities of practical equivalence.
        "auto" takes it from the folds.
    search_metric : str, optional
        What the search of hyperparameters promised (such as "cv_error"): with rope="auto", the smaller rope of the two
        is taken.
    cost : str, mapping, list, Table or DataFrame, optional
        A metric of the same results, a formula of several, a file, a table, a mapping, names, cheapest first, or a list of
        several costs (see `podium.order`): adds the gap to the best against each cost, and an order by cost.
    test : str, optional
        The test of two algorithms, over datasets or folds; `podium.stats.registry.PAIRWISE` lists them.
    omnibus : str, optional
        The test of all algorithms at once, over datasets or folds; `podium.stats.registry.OMNIBUS` lists them.
    correction : str, optional
        How p-values are adjusted, over datasets or folds: any name that `podium.stats.adjust` takes.
    missing : {"pairwise", "complete", "wrong", "refuse"}, optional
        What to do about missing scores: compare each pair on what both have, or use complete datasets only; on test
        cases also count them as wrong, or raise an error.
    alpha : float, default 0.05
        Significance level.
    confidence : float, default 0.95
        Confidence of the intervals.
    intervals : {"simultaneous", "each"}, default "simultaneous"
        Whether the confidence is that of all intervals together or of each one alone.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.
    positive : any, optional
        Of predictions: the positive label.
    mean : {"macro", "micro"}, optional
        On test cases: whether each benchmark or each case has the same weight.
    exact : bool, default False
        On test cases that pass or fail: use McNemar's exact test, whose error rate never exceeds the level, instead of
        mid-p.
    aggregate : {"iqm", "mean", "optimality_gap"}, optional
        On runs: what is compared.
    normalise : {"human", "minmax", "references", "none"} or mapping, optional
        On runs: how scores of different tasks become comparable, or {task: (zero, one)}.
    paired : bool, optional
        On runs: compare runs of one seed with each other.
    blocks : {"datasets", "folds"}, default "datasets"
        Over datasets: what is ranked and tested together, datasets (folds averaged) or every one of their folds.
    **reading : keywords
        Options of `podium.read`, such as `unit="case"`, `truth="y_true"` or `dataset_column="task"`. `cost_column` is the column
        to take of a file of costs; without `cost`, the one of the source that says what each outcome cost.

    Returns
    -------
    Comparison
        The verdict, the tests behind it, and why they were chosen.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.example("benavoli2016"), algorithms=["C3", "C4"])
    >>> f"{comparison.pairs.pvalue[0]:.1e}"
    '3.1e-07'
    """
    options = {name: value for name, value in locals().items() if name not in ("results", "reading")}
    check.fraction("alpha", alpha)
    cost_column = None if cost is None else reading.pop("cost_column", None)
    options["cost"] = reading.get("cost_column") if cost is None else cost
    evidence, source = read(results, metric=metric, direction=direction, takes=tuple(COMPARING), **reading)
    asked = unit_of(evidence).settle(options)
    if check.choice("blocks", blocks, ("datasets", "folds")) == "folds":
        evidence = evidence.blocks()
    if search_metric is not None:  # the scores that the search promised are read like the others
        asked["search_metric"] = scores_of(results, metric=search_metric, direction=direction, **reading)[0]
    asked["cost_column"] = cost_column
    comparison: Comparison = unit_of(evidence)(evidence, asked, source).comparison()
    return comparison


def read(results: Any, *, verb: str = "compare", takes: tuple[str, ...], **reading: Any) -> tuple[Any, Results | None]:
    """What is compared, and the results that it comes from, where there are some; predictions with their metric are ready."""
    if hasattr(results, "to_cases"):
        return results.to_cases(), None
    evidence = evidence_of(results, verb=verb, takes=takes, **reading)
    return evidence if isinstance(evidence, tuple) else (evidence, None)


def reproduce(data: dict[str, Any]) -> Comparison:
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
    >>> reproduce(found.repeatable()).verdict == found.verdict
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
    from podium.ordering.given_costs import own_costs

    own = own_costs(scores)
    if own is not None and own.names == tuple(cost["names"]) and plain(own.values) == cost["values"]:
        return own.names[0]

    folds = None if cost["folds"] is None else np.array(cost["folds"], dtype=np.float64)
    values = np.array(cost["values"], dtype=np.float64)
    return Costs(
        names=tuple(cost["names"]), values=values, folds=folds, datasets=scores.rows, algorithms=scores.algorithms
    )
