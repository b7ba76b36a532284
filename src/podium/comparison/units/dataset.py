"""Algorithms compared over datasets, by one score for each: Wilcoxon's test and its kin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from podium.comparison.comparison import MEAN_RANK, Words
from podium.comparison.facts import DatasetFacts, ceiling_share, measured, tied_share
from podium.comparison.leave_one_out import Fragile, lost_without
from podium.comparison.methods import intervals_told, practice, who_was_compared
from podium.comparison.overlap import comparable_table
from podium.comparison.remarks import DATASETS
from podium.comparison.reviewer import Reviewer
from podium.comparison.rules import Choice
from podium.comparison.symmetry import skewed_pairs
from podium.comparison.unit import Standing, Unit, of_each
from podium.core import check
from podium.core.errors import ArgumentError, DesignError, PodiumError
from podium.core.metric import Metric, known_metric
from podium.core.numbers import as_given, capital, counted, percent
from podium.core.quantity import Quantity
from podium.core.result import Result, plain
from podium.evidence.results import Results
from podium.evidence.scores import Scores
from podium.evidence.table import Table
from podium.planning.detectable import detectable_difference
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, effect_kind, own_options
from podium.stats.posthoc.all_pairs import all_pairs
from podium.stats.posthoc.pairs_result import INTERVALS, PairsResult

if TYPE_CHECKING:
    from podium.bayes.posterior import PairsPosterior
    from podium.evidence.reading import Reading
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multitest import MultiTestResult
    from podium.studies.pool import PoolResult

MOST_FOR_POOL_AUDIT = 40  # algorithms; above that the audit of the pool is a study of its own
MANY_HOLES = 0.05  # missing scores; above this share the verdict says what became of them
_MISSING = {
    "pairwise": "Each pair was compared on the datasets where both have scores.",
    "complete": "Datasets with a missing score were left out.",
}


class DatasetUnit(Unit[Scores, DatasetFacts, PairsResult]):
    """A comparison over datasets."""

    name: ClassVar[str] = "dataset"
    reviewer: ClassVar[Reviewer[Any]] = DATASETS
    ranked_by: ClassVar[str] = "rank"
    test_questions: ClassVar[tuple[str, ...]] = ("test", "omnibus", "correction", "missing")

    def __init__(self, evidence: Any, asked: Mapping[str, Any], source: Results | None = None) -> None:
        super().__init__(evidence, asked, source)
        check.choice("intervals", asked["intervals"], INTERVALS)

    @cached_property
    def table(self) -> Table:
        """The mean scores, without incomplete datasets if the user wants that."""
        control = self.asked["control"]
        table = comparable_table(self.original, self.asked.get("missing"), control)
        if control is not None:
            check.member("algorithm", control, table.algorithms)
        return table

    @cached_property
    def evidence(self) -> Scores:
        """The scores; missing cells have a remark of their own, and need no note."""
        scores: Scores = self.original
        if self.source is None or not self.facts.missing_scores:
            return scores
        return replace(scores, notes=tuple(note for note in scores.notes if note != self.source.missing_note))

    @cached_property
    def facts(self) -> DatasetFacts:
        """What is counted before any test."""
        self.check_names()
        scores, table = self.original, self.table
        kept = set(table.datasets)
        return DatasetFacts(
            unit=self.name,
            **measured(table.metric, table, self.asked["control"]),
            n_datasets=table.n_datasets,
            n_complete=table.complete().n_datasets,
            missing_scores=table.missing,
            partial_cells=tuple(cell for cell in scores.partial() if cell.row in kept),
            repeats=scores.design.repeats,
            folds=scores.design.folds,
            is_5x2=scores.design.is_5x2,
            tied_share=tied_share(table),
            ceiling_share=ceiling_share(table),
            n_families=len(set(table.families)) if table.families else table.n_datasets,
            rope=self._rope(),
        )

    def _rope(self) -> float | None:
        """The largest difference that does not matter; "auto" takes it from the folds."""
        rope, scores = self.asked["rope"], self.original
        table = self.table  # refuses what cannot be compared
        search = self.asked["search_metric"]
        if search is not None and rope != "auto":
            raise ArgumentError("{search_metric} is for an automatic rope: give {rope} auto, or leave it out.")
        if rope is None:
            return None
        if rope == "auto":
            from podium.bayes.rope import rope_auto

            # The smaller of the rope from the folds and that from the search (Wainer 2016).
            return rope_auto(scores, search=None if search is None else search.select(scores.algorithms)).rope
        if isinstance(rope, str):
            raise check.refused("rope", rope, "must be a number from 0 or 'auto'")
        return table.metric.practical("rope", check.nonnegative("rope", rope), scores.values)

    def check_names(self) -> None:
        """Refuse tests and corrections that there are not, or that do not go together."""
        test, omnibus, correction = (self.asked[name] for name in ("test", "omnibus", "correction"))
        if test is not None:
            registry.pairwise(test, over=("datasets", "folds", "pool"))
        if omnibus is not None:
            check.choice("omnibus", omnibus, ("none", *registry.OMNIBUS))
        if correction is not None:
            registry.fitting(correction, test=test, control=self.asked["control"] is not None)

    @property
    def named(self) -> Mapping[str, str | None]:
        """The test, the omnibus test, the correction and the policy that the user named."""
        return {name: self.asked.get(name) for name in self.test_questions}

    @property
    def settled(self) -> tuple[Choice, ...]:
        """A test that controls the family-wise error answers the question of the correction."""
        test = self.asked["test"]
        if test is None or not registry.PAIRWISE[test].corrects_itself:
            return ()
        because = "the test itself controls the family-wise error rate"
        return (Choice(question="correction", answer="built in", because=because),)

    @cached_property
    def pairs(self) -> PairsResult:
        """The chosen test for all pairs, or for all against the control."""
        method, correction = registry.PAIRWISE[self.answer("test")], self.answer("correction")
        folds, datasets = method.over == "folds", len(self.original.datasets)
        if folds and datasets != 1:
            raise DesignError(f"The test {method.name!r} compares folds on one dataset; there are {datasets}.")
        return all_pairs(
            self.original if folds else self.table,
            test=method.name,
            control=self.facts.control,
            correction=None if method.corrects_itself else correction,
            confidence=self.asked["confidence"],
            intervals=self.asked["intervals"],
            **own_options(registry.kernel(method), {"rng": self.asked["rng"]}),
        )

    @cached_property
    def standing(self) -> Standing:
        """The algorithms by mean rank, over the datasets that all of them have where these are many."""
        table = self.table.common()
        scores = {"mean_score": of_each(np.mean, table.values), "median_score": of_each(np.median, table.values)}
        return Standing(places=table.mean_ranks(), columns={**scores, "datasets": table.rank_counts()})

    @cached_property
    def own_quantity(self) -> Quantity:
        """How the metric is written."""
        return self.table.metric.quantity(self.table.values)

    @cached_property
    def words(self) -> Words:
        """Datasets, and what is said of them."""
        metric = self.table.metric
        return Words(
            row="dataset",
            rows="datasets",
            key="datasets",
            title="Dataset",
            n_rows=self.facts.n_datasets,
            each=self.facts.design,
            by=MEAN_RANK,
            places="Rank range: where its true rank may lie, in the order by typical (pseudo-median) differences on such datasets, "
            f"with {percent(1 - self.alpha)} simultaneous confidence.",
            won="datasets won/tied/lost by the first",
            measured=metric.display_name,
            data=f"{capital(self.quantity.scale)} on each dataset; {metric.direction} is better.",
            printed="Dataset",
            deviation=f"standard deviation over {self.folds}" if self.facts.has_folds else "as the source gives it",
            test=registry.PAIRWISE[self.pairs.test].label,
            elsewhere="What is better across such datasets may not be better on yours.",
        )

    @cached_property
    def omnibus(self) -> Result | None:
        """The overall test."""
        name = self.answer("omnibus")
        if name == "none":
            return None
        method = registry.omnibus(name)
        result: Result = registry.function(method)(self.table, **method.options)
        return result

    @cached_property
    def practical(self) -> PairsPosterior | None:
        """The probabilities of practical equivalence, where there is a rope."""
        if self.facts.rope is None:
            return None
        from podium.bayes._all_pairs import all_pairs as bayes_all_pairs

        return bayes_all_pairs(self._modelled, rope=self.facts.rope, rng=self.asked["rng"])

    @property
    def _modelled(self) -> Table | Scores:
        """What the model of practical equivalence looks at: the folds of one dataset, or means."""
        return self.original if self.original.unit == "fold" else self.table

    @cached_property
    def second_opinion(self) -> str:
        """The pairs on which another model of practical equivalence decides differently, in a sentence."""
        if self.practical is None:
            return ""
        from podium.bayes._all_pairs import second_opinion
        from podium.comparison.verdict import SURE

        return second_opinion(self._modelled, self.practical, probability=SURE, rng=self.asked["rng"])

    @cached_property
    def other_tests(self) -> tuple[Result, ...]:
        """Other tests of the same question: for two algorithms the sign test, and with a rope equivalence tests."""
        table, rope = self.table, self.facts.rope
        if table.n_algorithms != 2 or table.n_datasets == 1:
            return ()
        from podium.stats.pairwise.equivalence import equivalence
        from podium.stats.pairwise.sign import sign

        first, second = table.gains[:, 0], table.gains[:, 1]
        results: list[PairResult] = []
        if self.answer("test") != "sign":
            results.append(sign(first, second))
        if rope:
            results.append(equivalence(first, second, rope=rope, test="wilcoxon"))
        return tuple(_of_the_two(table, result) for result in results)

    @cached_property
    def order(self) -> Multi2TestResult | MultiTestResult | None:
        """The order by cost: Multi2Test where several datasets have all their folds."""
        scores = self.original
        whole = ~np.isnan(scores.values).any(axis=(1, 2, 3))
        if self.costs is None or not scores.has_folds or whole.sum() < 2:
            return super().order
        from podium.ordering._multi2test import multi2test

        test = "cv5x2_f" if scores.design.is_5x2 else "corrected_t"
        return multi2test(scores, self.costs, test=test, alpha=self.alpha)

    @property
    def smallest_possible(self) -> float:
        """A sign-symmetric test cannot go below 2^(1 - n)."""
        pairs = self.pairs
        symmetric = registry.PAIRWISE[pairs.test].symmetric
        return min(1.0, pairs.n_pairs * 2.0 ** (1 - int(pairs.n.max()))) if symmetric else 0.0

    @property
    def sources(self) -> tuple[str, ...]:
        """Why tests look at two algorithms alone."""
        return ("benavoli2016",)

    @property
    def settings(self) -> dict[str, Any]:
        """The options; an automatic rope is the number that it was."""
        return {**super().settings, "rope": self.facts.rope}

    @property
    def reading(self) -> Reading | None:
        """How the columns of the source were read."""
        return None if self.source is None else self.source.reading

    def where(self, pair: PairResult) -> str:
        """On a typical dataset, or on average over all."""
        return "on a typical dataset" if effect_kind(pair.effect_name).typical else "on average"

    def record(self, pair: PairResult) -> str:
        """The datasets, or folds, that each of two won."""
        ties = f", with {counted(pair.ties, 'tie')}" if pair.ties else ""
        return f"; of {counted(pair.n, self.words.row)}, {pair.a} won {pair.wins} and lost {pair.losses}{ties}"

    # What the reviewer looks at.

    @cached_property
    def fragile(self) -> Fragile:
        """Which significant pairs are lost without a dataset."""
        return lost_without(self.table, self.pairs, self.alpha)

    @cached_property
    def skewed(self) -> dict[tuple[str, str], float]:
        """Which significant pairs have clearly skewed differences, with the p-value of their sign test."""
        return skewed_pairs(self.table, self.pairs, self.alpha)

    @cached_property
    def detectable(self) -> float | None:
        """By the pairwise test itself, at the corrected level."""
        return detectable_difference(self.table, self.pairs, self.alpha)

    @cached_property
    def partial_note(self) -> str:
        """Which cells lack some of their folds."""
        there = set(self.table.datasets)
        note: str = self.original.take([name in there for name in self.original.datasets]).partial_note
        return note

    @cached_property
    def pool(self) -> PoolResult | None:
        """The audit of the pool, where it is quick and makes sense."""
        table, control = self.table, self.facts.control
        complete = table.complete()
        if not 3 <= table.n_algorithms <= MOST_FOR_POOL_AUDIT or complete.n_datasets < 5:
            return None
        from podium.studies.pool import pool_dependence

        pairs = None if control is None else [(control, name) for name in table.algorithms if name != control]
        return pool_dependence(complete, alpha=self.alpha, pairs=pairs, draws=200)

    # What is said.

    def on_what(self) -> str:
        """By which metric, on how many datasets, and what is missing."""
        facts = self.facts
        holes = self.missing_of_all("scores")
        if len(facts.missing_scores) > MANY_HOLES * self.table.values.size:
            holes += ", so each pair was compared on the datasets that both have"
        metric = known_metric(self.table.metric.name)
        better = "" if metric and metric.direction == facts.direction else f" ({facts.direction} is better)"
        return f"Metric: {self.measured}{better} on {self.on_data()}{holes}."

    def on_data(self) -> str:
        """The datasets, and of how many folds each score is a mean."""
        folds = f" (means of {self.folds})" if self.facts.has_folds else ""
        return f"{counted(self.facts.n_datasets, 'dataset')}{folds}"

    @property
    def folds(self) -> str:
        """Repeats and folds, counted."""
        facts = self.facts
        several = counted(facts.repeats, "repeat") if facts.folds == 1 else f"{facts.repeats} x {facts.folds} folds"
        return several if facts.repeats > 1 else f"{facts.folds} folds"

    def methods(self) -> str:
        """What was done, in words that can be pasted into a paper."""
        facts, answers = self.facts, {question: choice.answer for question, choice in self.choices.items()}
        datasets = "one dataset" if facts.n_datasets == 1 else f"{facts.n_datasets} datasets"
        folds = f" ({facts.design})" if facts.has_folds else ""
        sentences = [
            f"We compared {facts.n_algorithms} algorithms on {datasets}{folds} by their {self.table.metric.display_name}."
        ]
        if self.omnibus is not None:
            method = registry.omnibus(answers["omnibus"])
            by = method.phrase_by.get(getattr(self.omnibus, "variant", ""), method.phrase)
            sentences.append(f"We tested for an overall difference with {by}.")
        test = registry.pairwise(answers["test"]).phrase
        sentences.append(f"{who_was_compared(facts)} with {test}. {self._adjusted()} {as_given(self.alpha)}.")
        sentences.append(f"{intervals_told(self)} Two scores that agree to 12 significant digits count as equal.")
        if facts.missing_scores and answers["missing"] in _MISSING:
            sentences.append(_MISSING[answers["missing"]])
        if facts.partial_cells:
            sentences.append("Where some folds are missing, the score is the mean of the others.")
        return " ".join([*sentences, *practice(self)])

    def _adjusted(self) -> str:
        correction = self.answer("correction")
        by = registry.CORRECTIONS[correction].procedure if correction in registry.CORRECTIONS else ""
        return f"P-values were adjusted with {by}; the significance level was" if by else "The significance level was"

    @staticmethod
    def overview(
        results: Any, *, list_missing: bool = False, dense: bool = False, decimals: int | None = None
    ) -> list[Result]:
        """Shape, folds, mean scores and ranks of each metric."""
        from podium.evidence._overview import overview

        how: dict[str, Any] = {"list_missing": list_missing, "dense": dense, "decimals": decimals}
        return [overview(results.scores(name), **how) for name in results.metrics]

    @classmethod
    def metrics(cls, results: Any) -> list[Metric]:
        """Every metric of the results."""
        return list(results.metrics.values())

    @classmethod
    def counted(cls, results: Any) -> str:
        """The datasets, or the folds of the only one."""
        folds = results.reading is not None and results.reading.unit == "fold"
        return (
            f"{counted(results.reading.n_units, 'fold')} of one dataset"
            if folds
            else counted(len(results.datasets), "dataset")
        )

    @classmethod
    def recognised(cls, results: Any) -> dict[str, Any]:
        """Metrics, algorithms and datasets; where several metrics are open, the question which one."""
        names: dict[str, Any] = {
            "metrics": plain(cls.metrics(results)),
            "algorithms": list(results.algorithms),
            "datasets": list(results.datasets),
        }
        try:
            scores = results.scores()
        except PodiumError as error:
            return {**names, "question": error}
        return {
            **names,
            "metric": plain(scores.metric),
            "algorithms": list(scores.algorithms),
            "datasets": list(scores.datasets),
            "design": str(scores.design),
            "has_folds": scores.has_folds,
            "missing_cells": len(scores.missing),
        }


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
