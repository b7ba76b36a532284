"""The guided path for algorithms on the same test cases: from outcomes or predictions to the same `Comparison`."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from podium.cases._all_pairs import CasePairs, all_pairs, filled
from podium.cases.predictions import Predictions, as_predictions, pairs_of_predictions
from podium.cases.single import score_intervals
from podium.comparison.case_facts import CaseEvidence, case_facts
from podium.comparison.case_rules import choose_for_cases
from podium.comparison.case_words import case_methods, case_remarks, case_verdict
from podium.comparison.comparison import Comparison, RankedCases
from podium.core import check
from podium.core.arrays import Bools
from podium.core.cases import Cases
from podium.core.errors import ArgumentError, DataError
from podium.core.ranks import settle
from podium.core.read.outcomes import read_outcomes
from podium.core.read.predictions import PredictionTable, prediction_table
from podium.core.rng import Rng
from podium.core.scores import Scores
from podium.core.table import Table

OVER_DATASETS = ("omnibus", "test", "correction", "cost", "rope")
MISSING = ("pairwise", "complete", "wrong", "refuse")


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseSettings:
    """What the user chose; None where a rule chooses."""

    control: str | None = None
    missing: str | None = None
    alpha: float = 0.05
    confidence: float = 0.95
    intervals: str = "simultaneous"
    mean: str | None = None
    rng: Rng = 0

    def to_dict(self) -> dict[str, Any]:
        """The settings by name; a generator cannot be written down."""
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**known, "rng": self.rng if isinstance(self.rng, int) else None}


def compare_cases(given: Cases | Predictions, *, algorithms: list[str] | None = None, **settings: Any) -> Comparison:
    """Compare algorithms on the same cases; `settings` are those of `compare` that cases have."""
    refused = [name for name in OVER_DATASETS if settings.pop(name, None) is not None]
    if refused:
        raise ArgumentError(
            f"{{{refused[0]}}} is for comparisons over datasets; these algorithms are compared on the same cases: leave it out.",
            options=(refused[0],),
        )
    chosen = CaseSettings(**settings)
    check.fraction("alpha", chosen.alpha)
    if algorithms is not None:
        given = given.columns(algorithms)
    predictions = given if isinstance(given, Predictions) else None
    cases = _after_policy(predictions.to_cases() if predictions is not None else given, chosen.missing)  # type: ignore[arg-type]
    mean = chosen.mean or ("macro" if len(set(cases.benchmarks)) > 1 else "micro")
    pairs = _pairs(cases, predictions, chosen, mean)
    facts = case_facts(cases, control=chosen.control, rope=None, mean=mean)
    choices = choose_for_cases(facts, pairs.method, pairs.correction, chosen.missing)
    table = Table(values=cases.values, datasets=cases.cases, algorithms=cases.algorithms, metric=cases.metric)
    shown = filled(cases, pairs.missing if pairs.missing in ("wrong", "pairwise") else "pairwise")
    ranking = _ranking(shown, pairs, chosen, mean)
    evidence = CaseEvidence(
        facts=facts,
        table=table,
        pairs=pairs,
        ranking=ranking,
        alpha=chosen.alpha,
        notes=cases.notes,
        without={},
        cases=cases,
    )
    return Comparison(
        facts=facts,
        choices=tuple(choices.values()),
        scores=Scores(
            values=cases.values[:, :, None, None],
            datasets=cases.cases,
            algorithms=cases.algorithms,
            metric=cases.metric,
            notes=cases.notes,
        ),
        table=table,
        alpha=chosen.alpha,
        omnibus=None,
        pairs=pairs,
        ranking=ranking,
        groups=_groups(pairs, ranking, chosen.alpha) if chosen.control is None else (),
        cost_order=None,
        remarks=case_remarks(evidence),
        verdict=case_verdict(evidence),
        methods_paragraph=case_methods(facts, pairs, pairs.missing, chosen.alpha),
        settings=chosen.to_dict(),
        references=pairs.references,
        cases=cases,
        predictions=predictions,
    )


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
        cases = cases.rows(~np.isnan(cases.values).any(axis=1))
    if cases.n_cases < 2:
        raise DataError("Fewer than 2 cases are left: let {missing} be 'pairwise'.", options=("missing",))
    return cases


def _pairs(cases: Cases, predictions: Predictions | None, chosen: CaseSettings, mean: str) -> CasePairs:
    shared: dict[str, Any] = {
        "control": chosen.control,
        "confidence": chosen.confidence,
        "intervals": chosen.intervals,
        "rng": chosen.rng,
    }
    if predictions is not None and cases.kind == "influence":
        return pairs_of_predictions(predictions, **shared)
    policy = chosen.missing if chosen.missing in ("wrong", "refuse") else "pairwise"
    return all_pairs(cases, missing=policy, mean=mean, **shared)


def _ranking(cases: Cases, pairs: CasePairs, chosen: CaseSettings, mean: str) -> tuple[RankedCases, ...]:
    """The algorithms by score, with the places that the decisions on pairs leave open."""
    from scipy.stats import rankdata

    from podium.stats.posthoc.letters import letters_of

    scores, low, high = score_intervals(cases, confidence=chosen.confidence, macro=mean == "macro")
    better: Bools = pairs.better(chosen.alpha)
    places = rankdata(-settle(cases.metric.sign * scores[None])[0])
    order = np.argsort(places, kind="stable")
    k = cases.n_algorithms
    letters = letters_of(better | better.T, order) if chosen.control is None else [""] * k
    rows = []
    for j in order:
        beats, beaten = int(better[j].sum()), int(better[:, j].sum())
        present = cases.values[~np.isnan(cases.values[:, j]), j]
        rows.append(
            RankedCases(
                algorithm=cases.algorithms[j],
                mean_score=float(scores[j]),
                median_score=float(np.median(present)),
                mean_rank=float(places[j]),
                rank_low=1 + beaten,
                rank_high=k - beats,
                wins=beats,
                ties=k - 1 - beats - beaten,
                losses=beaten,
                group=letters[j],
                datasets=len(present),
                low=float(low[j]),
                high=float(high[j]),
            )
        )
    return tuple(rows)


def _groups(pairs: CasePairs, ranking: tuple[RankedCases, ...], alpha: float) -> tuple[tuple[str, ...], ...]:
    from podium.stats.posthoc.cliques import groups

    better = pairs.better(alpha)
    place = {row.algorithm: row.mean_rank for row in ranking}
    told: dict[str, Any] = {
        "mean_ranks": np.array([place[name] for name in pairs.algorithms]),
        "algorithms": pairs.algorithms,
    }
    try:
        return groups(better | better.T, form="cliques", **told).groups
    except ArgumentError:
        return groups(better | better.T, form="intervals", **told).groups


def cases_of(
    results: Any,
    *,
    unit: str | None,
    truth: Any,
    metric: Any,
    positive: Any,
    missing: str | None,
    direction: Any = None,
) -> Cases | Predictions | None:
    """The cases or predictions that `compare` was given, None where it was given scores over datasets."""
    if unit is not None:
        check.choice("unit", unit, ("case", "dataset"))
    if isinstance(results, Cases | Predictions):
        return results
    if truth is not None or isinstance(results, PredictionTable):
        table = results if isinstance(results, PredictionTable) else prediction_table(results, truth)
        named = metric or table.metric
        if named is None:
            raise ArgumentError(
                "Say by which {metric} the predictions are compared: accuracy, f1, auc, rmse, ...", options=("metric",)
            )
        made = as_predictions(table.truth, table.predicted, metric=named, positive=positive, missing=missing)
        return replace(made, notes=table.notes)
    if unit == "case":
        return read_outcomes(results, metric=metric, direction=direction)
    return None
