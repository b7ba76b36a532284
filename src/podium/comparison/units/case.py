"""Algorithms compared on the same test cases: outcomes, or predictions with their truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from podium.bayes.posterior import PairsPosterior
from podium.cases._all_pairs import CasePairs, all_pairs, filled
from podium.cases.class_probabilities import of_probabilities
from podium.cases.predictions import COUNTED_WRONG, Predictions, as_predictions, metric_of, pairs_of_predictions
from podium.cases.registry import TESTS, case_metric
from podium.cases.samples import sample_summary
from podium.cases.single import score_intervals
from podium.chance.labels import LabelChanceResult
from podium.chance.predictions import ChanceTestResult
from podium.comparison.case_contest import contest
from podium.comparison.case_missing import complete_cases, other_decisions, with_the_other
from podium.comparison.case_practical import case_practical, equivalence_of, over_benchmarks
from podium.comparison.case_remarks import CASES, detectable_on
from podium.comparison.comparison import Extra, Words
from podium.comparison.facts import Facts, measured
from podium.comparison.leaderboard import leaderboard
from podium.comparison.methods import by_holm, level_and_intervals, practice, who_was_compared
from podium.comparison.reviewer import Reviewer
from podium.comparison.unit import Standing, Unit, of_each
from podium.core import check
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric, as_direction, below_range
from podium.core.numbers import capital, counted, format_pvalue, plural
from podium.core.quantity import Quantity
from podium.core.ranks import rank_rows
from podium.core.result import Result
from podium.evidence.cases import Cases, codes
from podium.evidence.evidence import MissingScore
from podium.evidence.predictions import PredictionTable
from podium.evidence.results import Results
from podium.evidence.table import Table

MISSING = ("pairwise", "complete", "wrong", "refuse")
MOST_CELLS = 4000  # more outcomes than this are in the JSON only

KINDS = {
    "pass_fail": "pass or fail",
    "bounded": "values from 0 to 1",
    "numeric": "numbers",
    "influence": "one metric of all predictions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFacts(Facts):
    """What the rules for cases look at. `rarest_class` counts the cases of the rarer class, 0 where there are none.

    With weights the mean is worth `worth` cases of equal weight, and `heaviest` is the largest share that one case has.
    """

    unit: str = "case"
    hole: ClassVar[str] = "missing outcome"
    n_cases: int
    kind: str
    n_samples: int
    n_clusters: int
    n_benchmarks: int
    smallest_benchmark: int
    rarest_class: int
    mean: str
    weighted: bool
    worth: float
    heaviest: float
    noun: str = "case"

    @property
    def nouns(self) -> str:
        """What several cases are called."""
        return plural(self.noun)

    def counted(self, count: int) -> str:
        """So many cases."""
        return counted(count, self.noun, self.nouns)

    def places(self) -> Mapping[str, str]:
        """What one case and several are called."""
        return {**super(CaseFacts, self).places(), "noun": self.noun, "nouns": self.nouns}

    @property
    def on(self) -> str:
        """What the algorithms were compared on, counted."""
        return self.counted(self.n_cases)

    @property
    def clustered(self) -> bool:
        """Whether some cases belong together."""
        return self.n_clusters < self.n_cases

    @property
    def design(self) -> str:
        """The kind of values, samples, clusters and benchmarks in words."""
        parts = [KINDS[self.kind]]
        parts += [f"{self.n_samples} samples per {self.noun}"] if self.n_samples > 1 else []
        parts += ["weighted"] if self.weighted else []
        parts += [counted(self.n_clusters, "cluster")] if self.clustered else []
        parts += [counted(self.n_benchmarks, "benchmark")] if self.n_benchmarks > 1 else []
        return ", ".join(parts)


class CaseUnit(Unit[Cases, CaseFacts, CasePairs]):
    """A comparison on the same test cases."""

    name: ClassVar[str] = "case"
    additive_costs: ClassVar[bool] = True
    reviewer: ClassVar[Reviewer[Any]] = CASES
    row: ClassVar[str] = "one case, with the outcome of every algorithm"

    def __init__(self, evidence: Any, asked: Mapping[str, Any], source: Results | None = None) -> None:
        super().__init__(_scored(evidence, asked), asked, source)

    @cached_property
    def predictions(self) -> Predictions | None:
        """What the cases come from, where that is known."""
        source: Predictions | None = self.original.source
        return source

    @cached_property
    def compared(self) -> Cases:
        """The cases that can be compared; those with a hole left out where the user wants only complete ones."""
        cases: Cases = self.original
        missing = self.asked["missing"]
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
            raise DataError("Fewer than 2 cases are left: set {missing} to 'pairwise'.")
        return cases

    @cached_property
    def evidence(self) -> Cases:
        """The cases, with a note where another policy for missing predictions would decide otherwise."""
        notes = other_decisions(self.predictions, self.pairs, self.alpha)
        return replace(self.compared, notes=(*self.compared.notes, *notes))

    @cached_property
    def filled(self) -> Cases:
        """The cases as their scores are told: holes count as wrong where the pairs count them so."""
        missing = self.pairs.missing
        return filled(self.evidence, missing if missing in ("wrong", "pairwise") else "pairwise")

    @cached_property
    def rope(self) -> float | None:
        """The rope of cases: a number; there are no folds that could say one."""
        rope = self.asked["rope"]
        if rope is None:
            return None
        if isinstance(rope, str):
            raise ArgumentError("On the same cases a {rope} is a number: the largest difference that does not matter.")
        return below_range("rope", check.nonnegative("rope", rope), self.compared.ends)

    @property
    def mean(self) -> str:
        """Whether each benchmark or each case has the same weight."""
        several = len(set(self.compared.benchmarks)) > 1
        mean: str = self.asked["mean"] or ("macro" if several else "micro")
        return mean

    @cached_property
    def pairs(self) -> CasePairs:
        """The test that fits the kind of outcomes, for all pairs at once."""
        cases, missing = self.compared, self.asked["missing"]
        shared: dict[str, Any] = {name: self.asked[name] for name in ("control", "confidence", "intervals", "rng")}
        if self.predictions is not None and cases.kind == "influence":
            return pairs_of_predictions(cases, **shared)
        shared |= {"missing": missing if missing in ("wrong", "refuse") else "pairwise", "mean": self.mean}
        exact = check.flag("exact", self.asked["exact"])
        pairs = all_pairs(cases, exact=exact, **shared)
        if exact and pairs.method != "exact":
            raise ArgumentError(
                f"{{exact}} asks for McNemar's exact test, which is for outcomes that pass or fail, without weights or clusters; here "
                f"{TESTS[pairs.method].label} is used: leave it out."
            )
        return pairs

    @cached_property
    def facts(self) -> CaseFacts:
        """What is counted beside the tests."""
        cases, weights = self.evidence, self.evidence.weights
        counted_wrong = tuple(MissingScore(*cell, why) for cell, why in cases.reasons.items() if why == COUNTED_WRONG)
        sizes = np.bincount(cases.benchmark)
        return CaseFacts(
            **measured(cases.metric, cases, self.asked["control"]),
            missing_scores=(*cases.missing, *counted_wrong),
            rope=self.rope,
            n_cases=cases.n_cases,
            kind=cases.kind,
            n_samples=1 if cases.samples is None else cases.samples.shape[2],
            n_clusters=int(cases.cluster.max()) + 1,
            n_benchmarks=len(sizes),
            smallest_benchmark=int(sizes.min()),
            rarest_class=int(np.bincount(codes(cases.classes)).min()) if cases.classes else 0,
            mean=self.mean,
            weighted=weights is not None,
            worth=cases.effective_n,
            heaviest=1 / cases.n_cases if weights is None else float(weights.max() / weights.sum()),
            noun=cases.noun,
        )

    @property
    def named(self) -> Mapping[str, str | None]:
        """The policy for missing outcomes, where there are some."""
        missing = self.asked["missing"]
        return {"missing": missing if self.facts.missing_scores or missing == "complete" else None}

    @cached_property
    def table(self) -> Table:
        """The outcomes."""
        return self.evidence.table()

    @cached_property
    def printed(self) -> Table:
        """The score of each algorithm on each benchmark; on all cases where there is one, or where scores are of all cases at once."""
        cases = self.filled
        benchmarks = tuple(dict.fromkeys(cases.benchmarks)) if cases.kind != "influence" else ()
        if len(benchmarks) < 2:
            benchmarks, rows = (f"All {self.facts.on}",), [np.asarray(self.standing.columns["mean_score"])]
        else:
            there = (np.array([own == name for own in cases.benchmarks]) for name in benchmarks)
            rows = [cases.means(np.where(one[:, None], cases.values, np.nan), macro=False) for one in there]
        return Table(values=np.array(rows), datasets=benchmarks, algorithms=cases.algorithms, metric=cases.metric)

    @cached_property
    def standing(self) -> Standing:
        """The algorithms by score, with what one case cost where that is known."""
        cases = self.filled
        scores, low, high = score_intervals(cases, confidence=self.asked["confidence"], macro=self.mean == "macro")
        costs = {} if cases.mean_costs is None else {"mean_cost": cases.mean_costs}
        columns: dict[str, Any] = {
            "mean_score": scores,
            "median_score": of_each(np.median, cases.values),
            "low": low,
            "high": high,
        }
        there = (~np.isnan(cases.values)).sum(axis=0)
        return Standing(
            places=rank_rows(cases.metric.sign * scores[None])[0], columns={**columns, "datasets": there, **costs}
        )

    @property
    def own_quantity(self) -> Quantity:
        """How the metric is written."""
        return self.evidence.quantity

    @cached_property
    def words(self) -> Words:
        """Cases, or what the source calls them."""
        facts, cases = self.facts, self.evidence
        alone = cases.kind != "influence" and cases.values.size <= MOST_CELLS
        return Words(
            row=facts.noun,
            rows=facts.nouns,
            key="cases",
            title=facts.noun.capitalize(),
            value="outcome",
            n_rows=facts.n_cases,
            each="the same for all algorithms",
            by="score",
            places=self.places_note,
            won=f"{facts.nouns} that favour the first, neither, the second",
            measured=cases.metric.display_name,
            cost="" if cases.cost is None else cases.cost.name,
            data=f"{capital(self.quantity.scale)} on each benchmark; {facts.direction} is better.",
            printed="Benchmark",
            outcomes=f"The outcomes: {cases.metric.name}." if alone else "",
            test=TESTS[self.pairs.method].label,
            elsewhere=f"What is better on {facts.nouns} like these may not be better on others.",
        )

    @cached_property
    def practical(self) -> PairsPosterior | None:
        """The probabilities of practical equivalence, where there is a rope."""
        return None if self.rope is None else case_practical(self.filled, self.pairs, self.rope)

    @cached_property
    def luck(self) -> ChanceTestResult | LabelChanceResult | None:
        """Whether the best is better than the best of as many that guess."""
        return None if self.predictions is None else contest(self.predictions, self.alpha)

    @cached_property
    def other_tests(self) -> tuple[Result, ...]:
        """With a rope, tests of equivalence, and of two on several benchmarks what a further benchmark would show; luck."""
        results: list[Result | None] = []
        if self.rope:
            results.append(equivalence_of(self.filled, self.pairs, self.rope, self.alpha))
            results.append(over_benchmarks(self.filled, self.rope, self.asked["rng"]))
        return tuple(result for result in (*results, self.luck) if result is not None)

    @cached_property
    def detectable(self) -> float | None:
        """By the counts or the variance of a typical pair, at the corrected level."""
        return detectable_on(self)

    @cached_property
    def extras(self) -> tuple[Extra, ...]:
        """What several samples of a case say, and what the ranking leaves open."""
        return (*self._samples(), *self._leaderboard())

    def _samples(self) -> list[Extra]:
        result = sample_summary(self.evidence, macro=self.mean == "macro")
        if result is None:
            return []
        note = (
            "pass@k: at least one of k samples passes; pass^k: all of them do; flips: two samples of a case disagree."
        )
        caption = f"Several samples of each {self.facts.noun}."
        return [Extra(key="samples", section="ranking", result=result, caption=caption, note=note)]

    def _leaderboard(self) -> list[Extra]:
        card = leaderboard(self)
        if card is None:
            return []
        said = card.sentences()
        return [Extra(key="leaderboard", section="leaderboard", title="Leaderboard", result=card, sentences=said)]

    def contest(self) -> str:
        """Whether the best is better than the best of as many that guess."""
        if self.luck is None or self.facts.control is not None:
            return ""
        better = "significantly better" if self.luck.pvalue <= self.alpha else "not significantly better"
        return f"{self.luck.winner} is {better} than {self.luck.rivals(self.facts.nouns)} ({format_pvalue(self.luck.pvalue)})."

    def on_what(self) -> str:
        """By which metric, on how many cases, of which design."""
        facts = self.facts
        more = [f"the mean of {facts.n_samples} samples each"] if facts.n_samples > 1 else []
        more += [f"in {counted(facts.n_clusters, 'cluster')}"] if facts.clustered else []
        more += [f"from {facts.n_benchmarks} benchmarks"] if facts.n_benchmarks > 1 else []
        more += [_weighting(facts, "with")] if facts.n_benchmarks > 1 or facts.weighted else []
        better = "" if facts.direction == "higher" and facts.kind == "pass_fail" else f" ({facts.direction} is better)"
        on = ", ".join([facts.on, *more])
        return f"Metric: {self.measured}{better} on {on}{self.missing_of_all('outcomes')}."

    def methods(self) -> str:
        """What was done, in words that can be pasted into a paper."""
        facts, pairs = self.facts, self.pairs
        sentences = [
            f"We compared {facts.n_algorithms} algorithms on the same {facts.on} ({facts.design}) by their {self.evidence.metric.display_name}.",
            f"{who_was_compared(facts)} with {facts.in_words(TESTS[pairs.method].phrase)}.",
            *by_holm(self),
        ]
        if pairs.correction == "step_down":
            drawn = f" ({pairs.draws:,} draws)" if pairs.draws else ""
            sentences.append(
                f"P-values were adjusted with a step-down procedure based on a shared sign-flip test{drawn} "
                "[@romano2005; @westfall1993]."
            )
        if facts.n_benchmarks > 1 or facts.weighted:
            sentences.append(f"In the mean {_weighting(facts, 'has')}.")
        sentences += [level_and_intervals(self), *practice(self)]
        if facts.missing_scores:
            policies = {
                "pairwise": f"Each pair was compared on the {facts.nouns} that both have.",
                "wrong": "Missing outcomes were counted as wrong.",
            }
            sentences.append(policies[pairs.missing])
        return " ".join(sentences)

    @staticmethod
    def overview(evidence: Any, *, list_missing: bool = False) -> list[Result]:
        """Shape, outcomes and samples; of predictions what each column holds."""
        from podium.evidence._case_overview import case_overview, prediction_overview

        if isinstance(evidence, PredictionTable):
            return [prediction_overview(evidence)]
        several = sample_summary(evidence)
        return [case_overview(evidence), *([several] if several is not None else [])]

    @classmethod
    def recognised(cls, evidence: Any) -> dict[str, Any]:
        """Algorithms, metric and missing outcomes."""
        return {**super().recognised(evidence), "missing_cells": evidence.n_missing}

    @classmethod
    def metrics(cls, evidence: Any) -> list[Metric]:
        """The metric; predictions may have none yet."""
        if isinstance(evidence, PredictionTable):
            return [] if evidence.metric is None else [case_metric(evidence.metric).metric]
        return super().metrics(evidence)

    @classmethod
    def counted(cls, evidence: Any) -> str:
        """The cases, by what the source calls them."""
        return counted(evidence.n_cases, evidence.noun, plural(evidence.noun))


def _weighting(facts: CaseFacts, has: str) -> str:
    """What has which weight in the mean."""
    macro = facts.mean == "macro"
    if not facts.weighted:
        return f"each {'benchmark' if macro else facts.noun} {has} the same weight"
    return f"each benchmark {has} the same weight and in it " * macro + f"each {facts.noun} {has} its own weight"


def _scored(data: Cases | PredictionTable, asked: Mapping[str, Any]) -> Cases:
    """The cases that `compare` was given, or its table of predictions with their metric."""
    if not isinstance(data, PredictionTable):
        if asked["positive"] is not None:
            raise ArgumentError("{positive} is for predictions with their truth: leave it out.")
        return data
    metric, direction, positive, missing = (asked.get(name) for name in ("metric", "direction", "positive", "missing"))
    named = metric_of(data, metric)
    scoring = case_metric(named)
    if direction is not None and as_direction(direction) != scoring.direction:
        raise ArgumentError(f"A {scoring.direction} {named} is better: leave out {{direction}}.")
    if data.probabilities:
        scored: Any = of_probabilities(data, scoring, positive)
    else:
        score = partial(as_predictions, data.truth, data.predicted, metric=scoring.name, positive=positive)
        scored = with_the_other(score(missing=missing), data, missing, score)
    by_case = _by_case(data, scored.cases)
    if isinstance(scored, Cases) and scored.kind != "influence":
        by_case["scores"] = np.empty(0)  # made again, by the weights
    cases = replace(scored, noun=data.noun, notes=(*data.notes, *scored.notes), **by_case)
    return cases if isinstance(cases, Cases) else cases.to_cases()


def _by_case(table: PredictionTable, cases: tuple[str, ...]) -> dict[str, Any]:
    """The clusters, benchmarks and weights of the cases that are left."""
    place = {str(name): i for i, name in enumerate(table.truth.index)}
    roles = {"clusters": table.clusters, "benchmarks": table.benchmarks}
    named: dict[str, Any] = {
        role: tuple(names[place[case]] for case in cases) for role, names in roles.items() if names
    }
    if table.weights is not None:
        named["weights"] = table.weights[[place[case] for case in cases]]
    return named
