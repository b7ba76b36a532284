"""Rules for algorithms on the same cases, as data: the first that fits decides, and says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from podium.comparison.case_facts import CaseFacts
from podium.comparison.rules import Choice

CASE_QUESTIONS = {
    "test": "Which test compares two algorithms?",
    "interval": "Which interval has a difference?",
    "mean": "What is averaged?",
    "pairs": "Which pairs are compared?",
    "correction": "How is the family-wise error controlled?",
    "missing": "What happens to missing outcomes?",
    "practical": "Is a difference of practical consequence?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRule:
    """If the facts and the method fit, this is the answer, because of this."""

    question: str
    answer: str
    fits: Callable[[CaseFacts, str, str], bool]  # facts, the method and the correction that the kernel used
    because: str


def _method(*names: str) -> Callable[[CaseFacts, str, str], bool]:
    return lambda facts, method, correction: method in names


def _always(facts: CaseFacts, method: str, correction: str) -> bool:
    return True


CASE_RULES: tuple[CaseRule, ...] = (
    CaseRule(
        question="test",
        answer="mcnemar mid-p",
        fits=_method("mid-p"),
        because="the outcomes are pass or fail; of the tests whose size stays near the level, McNemar's mid-p test has the most "
        "power (Fagerland, Lydersen and Laake 2013)",
    ),
    CaseRule(
        question="test",
        answer="mcnemar exact",
        fits=_method("exact"),
        because="you asked for it: the size of McNemar's exact test never exceeds the level, at a price of up to 17 points of power",
    ),
    CaseRule(
        question="test",
        answer="sign flips by cluster",
        fits=_method("sign flips by cluster"),
        because="cases of one cluster or benchmark are not independent or not of one weight; flipping the signs of whole clusters "
        "keeps the level from six clusters on",
    ),
    CaseRule(
        question="test",
        answer="delong",
        fits=_method("DeLong"),
        because="two AUCs on the same cases depend on each other; DeLong's standard error knows that, and few cases of one class "
        "are allowed for by the degrees of freedom",
    ),
    CaseRule(
        question="test",
        answer="jackknife with four cases added",
        fits=_method("jackknife with four cases added"),
        because="the metric is not a mean over cases; leaving out one case at a time gives its standard error, and four added cases "
        "keep the interval from being too short",
    ),
    CaseRule(
        question="test",
        answer="jackknife t",
        fits=_method("jackknife"),
        because="the metric is not a mean over cases; leaving out one case at a time gives its standard error",
    ),
    CaseRule(
        question="test",
        answer="t",
        fits=_always,
        because="each case gives one difference; their t test keeps its level unless the differences are skewed or mostly 0, where "
        "exact sign flips stand in",
    ),
    CaseRule(
        question="interval",
        answer="bonett-price",
        fits=_method("mid-p", "exact"),
        because="Bonett and Price's interval covered at least 93.8% in every design that was enumerated, from 8 cases on; the usual "
        "(Wald) interval covered as little as 4%",
    ),
    CaseRule(
        question="interval",
        answer="cluster-robust t",
        fits=lambda facts, method, correction: facts.clustered or facts.n_benchmarks > 1,
        because="its standard error (CR2) counts clusters, not cases",
    ),
    CaseRule(
        question="interval", answer="the test's own", fits=_always, because="the interval and the test then agree"
    ),
    CaseRule(
        question="mean",
        answer="macro",
        fits=lambda facts, method, correction: facts.mean == "macro",
        because="benchmarks are named: each has the same weight, whatever its number of cases",
    ),
    CaseRule(question="mean", answer="micro", fits=_always, because="every case has the same weight"),
    CaseRule(
        question="pairs",
        answer="against the control",
        fits=lambda facts, method, correction: facts.control is not None,
        because="comparing only with the control makes fewer comparisons, which gives each more power",
    ),
    CaseRule(
        question="pairs",
        answer="one pair",
        fits=lambda facts, method, correction: facts.n_algorithms == 2,
        because="there is only one pair",
    ),
    CaseRule(question="pairs", answer="all pairs", fits=_always, because="no algorithm was named as the control"),
    CaseRule(
        question="correction",
        answer="none",
        fits=lambda facts, method, correction: correction == "none",
        because="a single comparison needs no correction",
    ),
    CaseRule(
        question="correction",
        answer="step_down",
        fits=lambda facts, method, correction: correction == "step_down",
        because="the step-down procedure with shared sign flips knows that pairs depend on each other; it keeps the family-wise "
        "error and is stronger than Holm's correction (Romano and Wolf 2005)",
    ),
    CaseRule(
        question="correction",
        answer="holm",
        fits=_always,
        because="with so few cases of one class sign flips reject too often; Holm's correction holds whatever the dependence",
    ),
    CaseRule(
        question="missing",
        answer="none",
        fits=lambda facts, method, correction: not facts.holes,
        because="no outcome is missing",
    ),
    CaseRule(
        question="missing",
        answer="pairwise",
        fits=_always,
        because="an error or a timeout is not known to be a failure: each pair is compared on the cases that both have",
    ),
    CaseRule(
        question="practical",
        answer="none",
        fits=lambda facts, method, correction: facts.rope is None,
        because="no region of practical equivalence was given: sizes and intervals are shown, and the reader judges",
    ),
    CaseRule(
        question="practical",
        answer="dirichlet",
        fits=_method("mid-p", "exact"),
        because="the cases that only one of two passes have a Dirichlet posterior, which gives the probability that a difference "
        "matters, or that it does not",
    ),
    CaseRule(
        question="practical",
        answer="student",
        fits=_always,
        because="the mean difference of many cases is nearly normal around the truth, which gives the probability that it matters, "
        "or that it does not",
    ),
)


def choose_for_cases(facts: CaseFacts, method: str, correction: str, settings: Any) -> dict[str, Choice]:
    """Answer every question: what the user named, else the first rule that fits."""
    choices: dict[str, Choice] = {}
    for question in CASE_QUESTIONS:
        if question == "missing" and settings.missing is not None and facts.holes:
            choices[question] = Choice(
                question=question, answer=settings.missing, because="you asked for it", by_user=True
            )
            continue
        rule = next(r for r in CASE_RULES if r.question == question and r.fits(facts, method, correction))
        choices[question] = Choice(question=question, answer=rule.answer, because=facts.in_words(rule.because))
    return choices
