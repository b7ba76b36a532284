"""The guided path: `compare` looks at the facts, lets the rules choose, runs the tests and gathers what was found."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.comparison.comparison import Comparison, Ranked
from podium.comparison.detectable import detectable_difference
from podium.comparison.evidence import DatasetEvidence
from podium.comparison.facts import DatasetFacts, facts_of
from podium.comparison.gather import Settings, gather, of_each, ranking_of, references_of
from podium.comparison.leave_one_out import lost_without
from podium.comparison.methods import methods_paragraph
from podium.comparison.remarks import DATASETS
from podium.comparison.rules import Choice, choose
from podium.comparison.symmetry import skewed_pairs
from podium.comparison.verdict import dataset_verdict
from podium.core import check
from podium.core.arrays import Bools
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.options import COMPARING
from podium.core.read.verbs import evidence_of
from podium.core.result import Result
from podium.core.results import Results
from podium.core.rng import Rng
from podium.core.runs import Runs
from podium.core.scores import Scores
from podium.core.table import Table
from podium.ordering.costs import Costs
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult
from podium.stats.posthoc.all_pairs import all_pairs
from podium.stats.posthoc.pairs_result import INTERVALS, PairsResult

if TYPE_CHECKING:
    from podium.bayes.posterior import PairsPosterior
    from podium.ordering._multi2test import Multi2TestResult
    from podium.studies.pool import PoolResult


_ARGUMENTS = tuple(COMPARING)  # what `compare` takes besides the options of reading
FOR_RUNS = "is for runs of agents on tasks: leave it out, or let {unit} be 'run'."
NOT_FOR_RUNS = (
    "is not for runs: these agents are compared by their runs on the same tasks. Leave it out, or let {unit} be dataset to compare "
    "mean scores over the tasks."
)
NOT_FOR_CASES = "is for comparisons over datasets; these algorithms are compared on the same cases: leave it out."
MOST_FOR_POOL_AUDIT = 40  # algorithms; above that the audit of the pool is a study of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is compared, and what the user and the rules chose."""

    scores: Scores
    table: Table
    facts: DatasetFacts
    chosen: Settings
    named: dict[str, str | None]
    choices: dict[str, Choice]

    def answer(self, question: str) -> str:
        """What was chosen."""
        return self.choices[question].answer


def compare(
    results: Any,
    *,
    metric: str | None = None,
    direction: str | None = None,
    algorithms: list[str] | None = None,
    control: str | None = None,
    rope: float | str | None = None,
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
    aggregate, normalise, paired
        On runs: what is compared ("iqm", "mean" or "optimality_gap"), how scores of different tasks become comparable
        ("human", "minmax", "references", "none", or {task: (zero, one)}), and whether runs are paired by seed.
    reading
        The options of `podium.read`, such as `unit="case"` or `truth="y_true"`.
    """
    check.fraction("alpha", alpha)
    found_in: Any = results
    if not _are_predictions(results):
        found_in = evidence_of(results, metric=metric, direction=direction, verb="compare", takes=_ARGUMENTS, **reading)
    over_datasets = {"omnibus": omnibus, "test": test, "correction": correction, "cost": cost}
    shared: dict[str, Any] = {"control": control, "alpha": alpha, "confidence": confidence}
    shared |= {"intervals": intervals, "rng": rng}
    of_runs = {"aggregate": aggregate, "normalise": normalise, "paired": paired}
    if isinstance(found_in, Runs):
        from podium.comparison.run_path import compare_runs

        _refuse({**over_datasets, "rope": rope, "missing": missing, "mean": mean}, NOT_FOR_RUNS)
        return compare_runs(found_in, algorithms=algorithms, **shared, **of_runs)
    _refuse(of_runs, FOR_RUNS)
    if not isinstance(found_in, tuple):
        from podium.comparison.case_path import cases_of, compare_cases

        _refuse(over_datasets, NOT_FOR_CASES)
        given = cases_of(found_in, metric=metric, direction=direction, positive=positive, missing=missing)
        of_cases = {"missing": missing, "mean": mean, "rope": rope, "exact": exact}
        return compare_cases(given, algorithms=algorithms, **of_cases, **shared)
    scores, source = found_in
    named = {"test": test, "omnibus": omnibus, "correction": correction, "missing": missing}
    scores = scores if algorithms is None else scores.columns(algorithms)
    return _on_datasets(scores, source, named, rope, cost, Settings(**shared))


def _are_predictions(given: Any) -> bool:
    """Whether `given` are `Predictions`: then their module has been loaded, and scores on datasets need not load it."""
    module = sys.modules.get("podium.cases.predictions")
    return module is not None and isinstance(given, module.Predictions)


def _refuse(arguments: dict[str, Any], because: str) -> None:
    """Arguments that such evidence does not have."""
    for name, value in arguments.items():
        if value is not None and value is not False:
            raise ArgumentError(f"{{{name}}} {because}")


def _on_datasets(
    scores: Scores,
    source: Results | None,
    named: dict[str, str | None],
    rope: float | str | None,
    cost: Any,
    chosen: Settings,
) -> Comparison:
    """The comparison over datasets, or over the folds of one."""
    control = chosen.control
    check.choice("intervals", chosen.intervals, INTERVALS)
    table = _table(scores, named["missing"], control)
    if control is not None:
        check.member("algorithm", control, table.algorithms)
    width = _rope(rope, scores)
    facts = facts_of(scores, table, costs=source.costs if source else (), control=control, rope=width)
    _check_names(control=control, **named)
    choices = choose(facts, named, settled=_built_in(named["test"]))
    asked = _Asked(scores=scores, table=table, facts=facts, chosen=chosen, named=named, choices=choices)
    found = _compared(asked, None if cost is None else _cost(source or scores, scores, cost))
    return found if source is None else replace(found, reading=source.reading)


def _compared(asked: _Asked, cost: Costs | None) -> Comparison:
    """Every test that was chosen, and what follows from them."""
    facts, table, alpha = asked.facts, asked.table, asked.chosen.alpha
    pairs, beside = _pairs(asked), _beside(asked)
    method, one_dataset = registry.PAIRWISE[pairs.test], table.datasets[0] if facts.n_datasets == 1 else None
    # A sign-symmetric test cannot go below 2^(1 - n).
    smallest = min(1.0, pairs.n_pairs * 2.0 ** (1 - int(pairs.n.max()))) if method.symmetric else 0.0
    evidence = DatasetEvidence(
        facts=facts,
        table=table,
        pairs=pairs,
        ranking=_ranking(table, pairs, alpha),
        alpha=alpha,
        unit=table.metric.unit(table.values),
        rows="folds" if one_dataset else "datasets",
        test_label=method.label,
        one_dataset=one_dataset,
        smallest_possible=smallest,
        by_score=one_dataset is not None,
        omnibus=_omnibus(asked.answer("omnibus"), table),
        omnibus_name=asked.answer("omnibus"),
        practical=_practical(asked),
        order=None if cost is None else _cost_order(asked.scores, cost, alpha),
        pool=_pool(table, alpha, facts.control),
        partial_note=asked.scores.rows([name in table.datasets for name in asked.scores.datasets]).partial_note,
        # Missing cells have a remark of their own.
        notes=tuple(note for note in asked.scores.notes if not (facts.holes and "no score" in note)),
        without=lost_without(table, pairs, alpha),
        detectable=detectable_difference(table, pairs, alpha),
        skewed=skewed_pairs(table, pairs, alpha),
    )
    references = references_of(pairs, evidence.omnibus, evidence.practical, *beside, evidence.order)
    return gather(
        evidence,
        asked.choices,
        scores=asked.scores,
        cost=cost,
        beside=beside,
        remarks=DATASETS.remarks(evidence),
        verdict=dataset_verdict(evidence),
        methods_paragraph=methods_paragraph(evidence, asked.choices, asked.chosen.confidence),
        settings={"control": facts.control, "rope": facts.rope, **asked.named, **asked.chosen.to_dict()},
        references=tuple(dict.fromkeys((*references, "benavoli2016"))),
    )


def _ranking(table: Table, pairs: PairsResult, alpha: float) -> tuple[Ranked, ...]:
    """The algorithms by mean rank."""
    return ranking_of(
        pairs,
        alpha,
        table.mean_ranks(),
        mean_score=of_each(np.mean, table.values),
        median_score=of_each(np.median, table.values),
        datasets=table.rank_counts(),
    )


def _check_names(
    *, control: str | None, test: str | None, omnibus: str | None, correction: str | None, missing: str | None
) -> None:
    """Refuse tests and corrections that there are not, or that do not go together; `missing` has been checked."""
    if test is not None:
        registry.pairwise(test, over=("datasets", "folds", "pool"))
    if omnibus is not None:
        check.choice("omnibus", omnibus, ("none", *registry.OMNIBUS))
    if correction is not None:
        registry.fitting(correction, test=test, control=control is not None)


def _built_in(test: str | None) -> tuple[Choice, ...]:
    """A test that controls the family-wise error answers the question of the correction."""
    if test is None or not registry.PAIRWISE[test].corrects_itself:
        return ()
    because = "the test controls the family-wise error by itself"
    return (Choice(question="correction", answer="built in", because=because),)


def _table(scores: Scores, missing: str | None, control: str | None) -> Table:
    """The table of mean scores, without incomplete datasets if the user wants that."""
    table = scores.table()
    if missing in ("wrong", "refuse"):
        rule = "must be 'pairwise' or 'complete' for scores over datasets"
        raise check.refused("missing", missing, rule, ": that is for outcomes of test cases ({unit} 'case').")
    if missing is not None and check.choice("missing", missing, ("pairwise", "complete")) == "complete":
        table = table.complete()
        if table.n_datasets == 0:
            _refuse_strangers(scores.table(), control)
            raise DataError("No dataset has a score of every algorithm: let {missing} be 'pairwise'.")
    if table.n_algorithms < 2:
        raise DataError(f"A comparison needs at least 2 algorithms (columns); the table has {table.n_algorithms}.")
    if table.n_datasets == 1 and not scores.has_folds:
        raise DesignError("One dataset with one score per algorithm allows no test: give its folds, or more datasets.")
    _refuse_empty(table)
    _refuse_strangers(table, control)
    return table


def _refuse_empty(table: Table) -> None:
    """Refuse algorithms without any score, all at once: say whom to keep."""
    gone = [name for name, scores in zip(table.algorithms, table.values.T, strict=True) if np.isnan(scores).all()]
    if not gone:
        return
    kept = [name for name in table.algorithms if name not in gone]
    cure = f"give scores, or name the others with {{algorithms}} ({check.listed(kept)})"
    raise DataError(
        f"{check.listed(gone)} {'has' if len(gone) == 1 else 'have'} no score at all: {cure if len(kept) > 1 else 'give scores'}.",
        leave_out=tuple(gone),
    )


def _refuse_strangers(table: Table, control: str | None) -> None:
    """Refuse two algorithms that share no dataset: no test can tell them apart. Say whom to leave out to keep most.

    With a control, only it must meet the others.
    """
    present = ~np.isnan(table.values)
    met = (present.T.astype(np.int64) @ present.astype(np.int64)) > 0
    if control in table.algorithms:
        apart = np.arange(table.n_algorithms) != table.algorithms.index(control)
        met |= apart[:, None] & apart[None, :]
    if met.all():
        return
    i, j = (int(place) for place in np.argwhere(~met)[0])
    keep = _acquainted(
        met, present.sum(axis=0), stays=table.algorithms.index(control) if control in table.algorithms else None
    )
    gone = [name for place, name in enumerate(table.algorithms) if place not in keep]
    kept = [name for place, name in enumerate(table.algorithms) if place in keep]
    if len(kept) < 2:
        raise DataError(
            f"{table.algorithms[i]!r} and {table.algorithms[j]!r} share no dataset, and neither do any others: give scores of "
            "several algorithms on the same datasets, under the same names."
        )
    raise DataError(
        f"{table.algorithms[i]!r} and {table.algorithms[j]!r} share no dataset, so that nothing compares them. Leave out "
        f"{check.listed(gone)} to keep most: {len(kept)} algorithms that all meet. Name those to compare with {{algorithms}} "
        f"({check.listed(kept)}).",
        leave_out=tuple(gone),
    )


def _acquainted(met: Bools, scores: Any, *, stays: int | None) -> set[int]:
    """Algorithms of which any two share a dataset, greedily as many as possible: whoever lacks most goes first."""
    keep = set(range(len(met)))
    while True:
        lacks = {i: sum(not met[i, j] for j in keep) for i in keep}
        if not any(lacks.values()):
            return keep
        keep.remove(max(keep - {stays}, key=lambda i: (lacks[i], -int(scores[i]), i)))


def _rope(rope: float | str | None, scores: Scores) -> float | None:
    if rope is None:
        return None
    if rope == "auto":
        from podium.bayes.rope import rope_auto

        return rope_auto(scores).rope
    if isinstance(rope, str):
        raise check.refused("rope", rope, "must be a number from 0 or 'auto'")
    return scores.metric.practical("rope", check.nonnegative("rope", rope), scores.values)


def _pairs(asked: _Asked) -> PairsResult:
    """The chosen test for all pairs, or for all against the control."""
    known, correction = registry.PAIRWISE[asked.answer("test")], asked.answer("correction")
    folds = known.over == "folds"
    if folds and len(asked.scores.datasets) != 1:
        datasets = len(asked.scores.datasets)
        raise DesignError(f"The test {known.name!r} compares folds on one dataset; there are {datasets}.")
    return all_pairs(
        asked.scores if folds else asked.table,
        test=known.name,
        control=asked.facts.control,
        correction=None if known.corrects_itself else correction,
        confidence=asked.chosen.confidence,
        intervals=asked.chosen.intervals,
    )


def _omnibus(name: str, table: Table) -> Result | None:
    if name == "none":
        return None
    known = registry.omnibus(name)
    result: Result = registry.function(known)(table, **known.options)
    return result


def _practical(asked: _Asked) -> PairsPosterior | None:
    """The probabilities of practical equivalence, where there is a rope."""
    if asked.facts.rope is None:
        return None
    from podium.bayes._all_pairs import all_pairs as bayes_all_pairs

    model, data = ("correlated_t", asked.scores) if asked.table.n_datasets == 1 else ("signed_rank", asked.table)
    return bayes_all_pairs(data, model=model, rope=asked.facts.rope, rng=asked.chosen.rng)


def _beside(asked: _Asked) -> tuple[Result, ...]:
    """Other tests of the same question: for two algorithms the sign test, and with a rope equivalence tests."""
    table, rope = asked.table, asked.facts.rope
    if table.n_algorithms != 2 or table.n_datasets == 1:
        return ()
    from podium.stats.pairwise.equivalence import equivalence
    from podium.stats.pairwise.sign import sign

    first, second = table.gains[:, 0], table.gains[:, 1]
    found: list[PairResult] = []
    if asked.answer("test") != "sign":
        found.append(sign(first, second))
    if rope:
        found.append(equivalence(first, second, rope=rope, test="wilcoxon"))
    return tuple(_of_the_two(table, result) for result in found)


def _of_the_two(table: Table, result: PairResult) -> PairResult:
    """A test of the gains of two algorithms with their names, and its difference in the units of the metric."""
    a, b = table.algorithms
    named = replace(result, a=a, b=b)
    if table.metric.sign > 0:
        return named
    details = dict(result.details)
    if "rope" in details:  # the ends of the rope change places
        details["above_lower"], details["below_upper"] = details["below_upper"], details["above_lower"]
    return replace(named, effect=-result.effect, low=-result.high, high=-result.low, details=details)


def _pool(table: Table, alpha: float, control: str | None) -> PoolResult | None:
    """The audit of the pool, where it is quick and makes sense."""
    complete = table.complete()
    if not 3 <= table.n_algorithms <= MOST_FOR_POOL_AUDIT or complete.n_datasets < 5:
        return None
    from podium.studies.pool import pool_dependence

    pairs = None if control is None else [(control, name) for name in table.algorithms if name != control]
    return pool_dependence(complete, alpha=alpha, pairs=pairs, draws=200)


def _cost(results: Results | Scores, scores: Scores, cost: Any) -> Costs:
    """The cost that was asked for, matched to the scores."""
    from podium.ordering.costs import combine_costs
    from podium.ordering.order import costs_of

    return combine_costs(costs_of(results, scores, [cost]))


def _cost_order(scores: Scores, cost: Costs, alpha: float) -> Multi2TestResult:
    """The order by cost; the scores must have folds."""
    from podium.ordering._multi2test import multi2test

    if len(scores.datasets) == 1:
        raise DesignError(
            "{cost} is weighed over several datasets, and there is one: leave it out. `podium order` takes one dataset."
        )
    test = "cv52_f" if scores.design.is_5x2 else "corrected_t"
    return multi2test(scores, cost, test=test, alpha=alpha)
