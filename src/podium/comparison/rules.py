"""The rules of the guided path: for each question the first that fits the facts decides, and says why (`rules.toml`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from podium.comparison.facts import Facts
from podium.core.registry import read_toml
from podium.stats.posthoc.pairs_result import PairsResult

# The conditions of the rules by their name. They look at the facts of the unit that their rules are for.
WHEN: Mapping[str, Callable[[Any], bool]] = {
    "otherwise": lambda facts: True,
    "a control is named": lambda facts: facts.control is not None,
    "a rope is given": lambda facts: facts.rope is not None,
    "no rope is given": lambda facts: facts.rope is None,
    "two algorithms": lambda facts: facts.n_algorithms == 2,
    "one dataset": lambda facts: facts.n_datasets == 1,
    "one dataset with folds": lambda facts: facts.n_datasets == 1 and facts.has_folds,
    "missing cells": lambda facts: bool(facts.missing_scores),
    "no missing cell": lambda facts: not facts.missing_scores and not facts.partial_cells,
    "missing folds, but no missing cell": lambda facts: not facts.missing_scores and bool(facts.partial_cells),
    "no missing outcome": lambda facts: not facts.missing_scores,
    "clusters": lambda facts: facts.clustered,
    "several benchmarks": lambda facts: facts.n_benchmarks > 1,
    "weights": lambda facts: facts.weighted,
    "weights within benchmarks": lambda facts: facts.weighted and facts.mean == "macro",
    "benchmarks of equal weight": lambda facts: facts.mean == "macro",
    "enough tasks": lambda facts: facts.has_enough_tasks,
    "shared seeds": lambda facts: facts.shared_seeds > 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """If the condition `when` holds and the pairs `used` such a method or correction, this is the answer, because of this."""

    question: str
    answer: str
    when: str = "otherwise"
    used: tuple[str, ...] = ()
    because: str

    def fits(self, facts: Facts, pairs: PairsResult | None = None) -> bool:
        """Whether the rule answers its question here; `pairs` are there where the test itself chose its method."""
        taken = pairs is not None and {getattr(pairs, "method", ""), pairs.correction} & {*self.used}
        return WHEN[self.when](facts) and (not self.used or bool(taken))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question, the answer that was given, and why: by a rule or by the user."""

    question: str
    answer: str
    because: str = "you asked for it"
    by_user: bool = False


_UNITS = read_toml("comparison", "rules.toml")
_UNITS["fold"] = _UNITS["dataset"]
QUESTIONS: Mapping[str, Mapping[str, str]] = {unit: entries["questions"] for unit, entries in _UNITS.items()}
RULES: Mapping[str, tuple[Rule, ...]] = {
    unit: tuple(Rule(**rule) for rule in entries["rules"]) for unit, entries in _UNITS.items()
}


def questions_of(unit: str) -> Mapping[str, str]:
    """The questions of a unit; those that all share, where it has none of its own."""
    return QUESTIONS.get(unit, QUESTIONS["shared"])


def rules_of(unit: str) -> tuple[Rule, ...]:
    """The rules of a unit, between those that all share: rules with a condition come before, the others after."""
    first = tuple(rule for rule in RULES["shared"] if rule.when != "otherwise")
    return (*first, *RULES.get(unit, ()), *(rule for rule in RULES["shared"] if rule not in first))


def choose(
    facts: Facts, named: Mapping[str, str | None], *, pairs: PairsResult | None = None, settled: tuple[Choice, ...] = ()
) -> dict[str, Choice]:
    """Answer every question of the unit: what is `settled`, what the user named, else the first rule that fits."""
    choices = {choice.question: choice for choice in settled}
    for question in questions_of(facts.unit):
        if question in choices:
            continue
        if (answer := named.get(question)) is not None:
            choices[question] = Choice(question=question, answer=answer, by_user=True)
            continue
        rules = (rule for rule in rules_of(facts.unit) if rule.question == question and rule.fits(facts, pairs))
        if (rule := next(rules, None)) is not None:  # None: the test has not chosen yet
            choices[question] = Choice(question=question, answer=rule.answer, because=facts.in_words(rule.because))
    return {question: choices[question] for question in questions_of(facts.unit) if question in choices}
