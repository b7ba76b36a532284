"""Rules for agents on tasks with several runs, as data: the first that fits decides, and says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from podium.comparison.rules import Choice
from podium.comparison.run_facts import RunFacts
from podium.runs._all_pairs import FEWEST_TASKS

RUN_QUESTIONS = {
    "normalise": "How are the scores of different tasks made comparable?",
    "aggregate": "What is compared?",
    "test": "Which test compares two agents?",
    "paired": "Do runs of two agents belong together?",
    "pairs": "Which pairs are compared?",
    "correction": "How is the family-wise error controlled?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRule:
    """If the facts fit, this is the answer, because of this."""

    question: str
    answer: str
    fits: Callable[[RunFacts], bool]
    because: str


def _always(facts: RunFacts) -> bool:
    return True


RUN_RULES: tuple[RunRule, ...] = (
    RunRule(
        question="aggregate",
        answer="iqm",
        fits=lambda facts: facts.n_tasks >= FEWEST_TASKS,
        because="the interquartile mean is not ruled by a few tasks with giant scores, and needs fewer runs than the median "
        "(Agarwal et al. 2021)",
    ),
    RunRule(
        question="aggregate",
        answer="mean",
        fits=_always,
        because=f"with fewer than {FEWEST_TASKS} tasks the quartiles of all scores jump from task to task; the interval of the mean holds",
    ),
    RunRule(
        question="test",
        answer="t, stratified by task",
        fits=_always,
        because="runs scatter within tasks, and the tasks stay the same; Satterthwaite's degrees of freedom allow for few runs, where a "
        "bootstrap of 3 runs covers 87% instead of 95%",
    ),
    RunRule(
        question="paired",
        answer="no",
        fits=lambda facts: facts.shared_seeds > 0,
        because="the agents have the same seeds, but a seed makes two agents alike only where it fixes the same luck for both; taken as "
        "independent, the runs are compared with care",
    ),
    RunRule(
        question="paired",
        answer="no",
        fits=_always,
        because="the agents do not have the same seeds on every task: their runs are independent",
    ),
    RunRule(
        question="pairs",
        answer="against the control",
        fits=lambda facts: facts.control is not None,
        because="comparing only with the control makes fewer comparisons, which gives each more power",
    ),
    RunRule(
        question="pairs",
        answer="one pair",
        fits=lambda facts: facts.n_algorithms == 2,
        because="there is only one pair",
    ),
    RunRule(question="pairs", answer="all pairs", fits=_always, because="no agent was named as the control"),
    RunRule(
        question="correction",
        answer="none",
        fits=lambda facts: facts.n_algorithms == 2,
        because="a single comparison needs no correction",
    ),
    RunRule(
        question="correction",
        answer="holm",
        fits=_always,
        because="Holm's correction holds whatever the dependence between the pairs",
    ),
)


def choose_for_runs(facts: RunFacts, named: dict[str, str | None], normalise: Choice) -> dict[str, Choice]:
    """Answer every question: what the user named, else the first rule that fits."""
    choices = {"normalise": normalise}
    for question in RUN_QUESTIONS:
        if question in choices:
            continue
        if (chosen := named.get(question)) is not None:
            choices[question] = Choice(question=question, answer=chosen, because="you asked for it", by_user=True)
            continue
        rule = next(rule for rule in RUN_RULES if rule.question == question and rule.fits(facts))
        choices[question] = Choice(question=question, answer=rule.answer, because=rule.because)
    return choices
