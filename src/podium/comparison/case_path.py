"""The guided path for algorithms on the same test cases: from outcomes or predictions to the same `Comparison`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from podium.cases._all_pairs import CasePairs, all_pairs, filled
from podium.cases.class_probabilities import of_probabilities
from podium.cases.predictions import Predictions, as_predictions, pairs_of_predictions
from podium.cases.registry import TESTS, case_metric
from podium.cases.single import score_intervals
from podium.comparison.case_contest import contest
from podium.comparison.case_missing import complete_cases, other_decisions, with_the_other
from podium.comparison.case_practical import case_practical, equivalence_of, over_benchmarks
from podium.comparison.case_words import CASES, CaseEvidence, case_facts, case_methods, case_verdict
from podium.comparison.comparison import Comparison, RankedCases
from podium.comparison.gather import Settings, gather, of_each, ranking_of, references_of
from podium.comparison.leaderboard import leaderboard
from podium.comparison.rules import choose
from podium.core import check
from podium.core.cases import Cases
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import as_direction, below_range
from podium.core.ranks import rank_rows
from podium.core.read.predictions import PredictionTable
from podium.core.result import Result
from podium.core.table import Table

MISSING = ("pairwise", "complete", "wrong", "refuse")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSettings(Settings):
    """What the user chose for cases."""

    missing: str | None = None
    mean: str | None = None
    rope: float | None = None
    exact: bool = False


def compare_cases(given: Cases | Predictions, *, algorithms: list[str] | None = None, **settings: Any) -> Comparison:
    """Compare algorithms on the same cases; `settings` are those of `compare` that cases have."""
    chosen = CaseSettings(**settings)
    if algorithms is not None:
        given = given.columns(algorithms)
    predictions = given if isinstance(given, Predictions) else None
    cases = _after_policy(predictions.to_cases() if predictions is not None else given, chosen.missing)  # type: ignore[arg-type]
    rope = _rope(chosen.rope, cases)
    mean = chosen.mean or ("macro" if len(set(cases.benchmarks)) > 1 else "micro")
    pairs = _pairs(cases, predictions, chosen, mean)
    cases = replace(cases, notes=(*cases.notes, *other_decisions(predictions, pairs, chosen.alpha)))
    facts = case_facts(cases, control=chosen.control, rope=rope, mean=mean)
    named = {"missing": chosen.missing if facts.holes or chosen.missing == "complete" else None}
    choices = choose(facts, named, pairs=pairs)
    table = Table(values=cases.values, datasets=cases.cases, algorithms=cases.algorithms, metric=cases.metric)
    shown = filled(cases, pairs.missing if pairs.missing in ("wrong", "pairwise") else "pairwise")
    luck = contest(predictions, chosen.alpha)
    beside = _beside(shown, predictions, pairs, rope, chosen)
    evidence = CaseEvidence(
        facts=facts,
        table=table,
        pairs=pairs,
        ranking=_ranking(shown, pairs, chosen, mean),
        alpha=chosen.alpha,
        unit=cases.unit,
        rows=facts.nouns,
        test_label=TESTS[pairs.method].label,
        elsewhere=f"What is better on {facts.nouns} like these need not be better on others.",
        notes=cases.notes,
        cases=cases,
        practical=None if rope is None else case_practical(shown, predictions, pairs, rope),
        luck=luck,
    )
    return gather(
        evidence,
        choices,
        beside=beside if luck is None else (*beside, luck),
        remarks=CASES.remarks(evidence),
        verdict=case_verdict(evidence),
        methods_paragraph=case_methods(evidence),
        settings=chosen.to_dict(),
        references=references_of(pairs, evidence.practical, *beside),
        cases=cases,
        predictions=predictions,
        reading=cases.reading,
        leaderboard=leaderboard(evidence),
    )


def _rope(rope: Any, cases: Cases) -> float | None:
    """The rope of cases: a number; there are no folds that could say one."""
    if rope is None:
        return None
    if isinstance(rope, str):
        raise ArgumentError("On the same cases a {rope} is a number: the largest difference that does not matter.")
    return below_range("rope", check.nonnegative("rope", rope), cases.ends)


def _beside(
    cases: Cases, predictions: Predictions | None, pairs: CasePairs, rope: float | None, chosen: CaseSettings
) -> tuple[Result, ...]:
    """With a rope, tests of equivalence, and of two on several benchmarks what a further benchmark would show."""
    if not rope:
        return ()
    found = [equivalence_of(cases, predictions, pairs, rope, chosen.alpha), over_benchmarks(cases, rope, chosen.rng)]
    return tuple(result for result in found if result is not None)


def _after_policy(cases: Cases, missing: str | None) -> Cases:
    """Cases that can be compared; those with a hole left out where the user wants only complete ones."""
    if missing is not None:
        check.choice("missing", missing, MISSING)
    if cases.n_algorithms < 2:
        raise DataError(f"A comparison needs at least 2 algorithms (columns); there is {cases.n_algorithms}.")
    empty = np.isnan(cases.values).all(axis=0)
    if empty.any():
        raise DataError(f"{cases.algorithms[int(np.argmax(empty))]!r} has no outcome at all: leave it out.")
    if missing == "complete" and cases.has_holes:
        cases = complete_cases(cases)
    if cases.n_cases < 2:
        raise DataError("Fewer than 2 cases are left: let {missing} be 'pairwise'.")
    return cases


def _pairs(cases: Cases, predictions: Predictions | None, chosen: CaseSettings, mean: str) -> CasePairs:
    shared: dict[str, Any] = {name: getattr(chosen, name) for name in ("control", "confidence", "intervals", "rng")}
    if predictions is not None and cases.kind == "influence":
        return pairs_of_predictions(predictions, **shared)
    policy = chosen.missing if chosen.missing in ("wrong", "refuse") else "pairwise"
    return all_pairs(cases, missing=policy, mean=mean, exact=check.flag("exact", chosen.exact), **shared)


def _ranking(cases: Cases, pairs: CasePairs, chosen: CaseSettings, mean: str) -> tuple[RankedCases, ...]:
    """The algorithms by score, with what one case cost where that is known."""
    scores, low, high = score_intervals(cases, confidence=chosen.confidence, macro=mean == "macro")
    costs = {} if cases.mean_costs is None else {"mean_cost": cases.mean_costs}
    return ranking_of(
        pairs,
        chosen.alpha,
        rank_rows(cases.metric.sign * scores[None])[0],
        mean_score=scores,
        median_score=of_each(np.median, cases.values),
        datasets=(~np.isnan(cases.values)).sum(axis=0),
        low=low,
        high=high,
        **costs,
    )


def cases_of(
    evidence: Cases | Predictions | PredictionTable, *, metric: Any, direction: Any, positive: Any, missing: str | None
) -> Cases | Predictions:
    """The cases that `compare` was given, or its table of predictions with their metric."""
    if isinstance(evidence, Cases | Predictions):
        return evidence
    named = metric or evidence.metric
    if named is None:
        raise ArgumentError("Say by which {metric} the predictions are compared: accuracy, f1, auc, rmse, ...")
    known = case_metric(named)
    if direction is not None and as_direction(direction) != known.direction:
        raise ArgumentError(f"A {known.direction} {named} is better: leave out {{direction}}.")
    if evidence.probabilities:
        made: Any = of_probabilities(evidence, known, positive)
    else:
        given = partial(as_predictions, evidence.truth, evidence.predicted, metric=known.name, positive=positive)
        made = with_the_other(given(missing=missing), evidence, missing, given)
    by_case = _by_case(evidence, made.cases)
    if isinstance(made, Cases) and made.kind != "influence":
        by_case["scores"] = np.empty(0)  # made again, by the weights
    found: Cases | Predictions = replace(made, noun=evidence.noun, notes=(*evidence.notes, *made.notes), **by_case)
    return found


def _by_case(table: PredictionTable, cases: tuple[str, ...]) -> dict[str, Any]:
    """The clusters, benchmarks and weights of the cases that are left."""
    place = {str(name): i for i, name in enumerate(table.truth.index)}
    given = {"clusters": table.clusters, "benchmarks": table.benchmarks}
    named: dict[str, Any] = {
        role: tuple(names[place[case]] for case in cases) for role, names in given.items() if names
    }
    if table.weights is not None:
        named["weights"] = table.weights[[place[case] for case in cases]]
    return named
