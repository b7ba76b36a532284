"""Rules as data: for each question the first rule that fits the facts decides, and says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from podium.comparison.facts import Facts
from podium.stats import registry

QUESTIONS = {
    "omnibus": "Is there any difference at all?",
    "test": "Which test compares two algorithms?",
    "pairs": "Which pairs are compared?",
    "correction": "How is the family-wise error controlled?",
    "missing": "What becomes of missing cells?",
    "practical": "Is a difference of practical consequence?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """If the facts fit, this is the answer to the question, because of this."""

    question: str
    answer: str
    fits: Callable[[Facts], bool]
    condition: str
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A question, the answer that was given, and why: by a rule or by the user."""

    question: str
    answer: str
    because: str
    by_user: bool = False


RULES: tuple[Rule, ...] = (
    Rule(
        question="omnibus",
        answer="none",
        fits=lambda facts: facts.n_datasets == 1,
        condition="one dataset",
        because="rank tests over datasets need several datasets; with one, the pairs are compared on their folds",
    ),
    Rule(
        question="omnibus",
        answer="none",
        fits=lambda facts: facts.n_algorithms == 2,
        condition="two algorithms",
        because="with two algorithms the pairwise test is the whole question",
    ),
    Rule(
        question="omnibus",
        answer="skillings_mack",
        fits=lambda facts: bool(facts.holes),
        condition="missing cells",
        because="the Skillings-Mack test is Friedman's test for tables with holes: it uses every dataset",
    ),
    Rule(
        question="omnibus",
        answer="friedman",
        fits=lambda facts: True,
        condition="otherwise",
        because="scores of different datasets cannot be compared and are rarely normal; Friedman's test uses only their "
        "ranks (Demsar 2006), and needs no check of normality beforehand",
    ),
    Rule(
        question="test",
        answer="corrected_t",
        fits=lambda facts: facts.n_datasets == 1 and facts.has_folds,
        condition="one dataset, other folds",
        because="folds share their training cases, so the plain t test is too sure; the corrected resampled t test "
        "allows for that (Nadeau and Bengio 2003)",
    ),
    Rule(
        question="test",
        answer="wilcoxon",
        fits=lambda facts: True,
        condition="otherwise",
        because="Wilcoxon's signed-rank test looks only at the two algorithms, so that its outcome cannot depend on "
        "the others in the pool (Benavoli et al. 2016), and assumes no normality (Demsar 2006)",
    ),
    Rule(
        question="pairs",
        answer="against the control",
        fits=lambda facts: facts.control is not None,
        condition="a control is named",
        because="comparing only with the control makes fewer comparisons, which gives each more power",
    ),
    Rule(
        question="pairs",
        answer="one pair",
        fits=lambda facts: facts.n_algorithms == 2,
        condition="two algorithms",
        because="there is only one pair",
    ),
    Rule(
        question="pairs",
        answer="all pairs",
        fits=lambda facts: True,
        condition="otherwise",
        because="no algorithm was named as the control",
    ),
    Rule(
        question="correction",
        answer="none",
        fits=lambda facts: facts.n_algorithms == 2,
        condition="two algorithms",
        because="a single comparison needs no correction",
    ),
    Rule(
        question="correction",
        answer="holm",
        fits=lambda facts: facts.control is not None,
        condition="a control is named",
        because="Holm's correction holds whatever the dependence between the tests",
    ),
    Rule(
        question="correction",
        answer="holm",
        fits=lambda facts: True,
        condition="otherwise",
        because="Holm's correction holds whatever the dependence between the tests; Shaffer's and Bergmann-Hommel's find "
        'more, and can be named if "A equals B and B equals C" may be taken to mean that A equals C',
    ),
    Rule(
        question="missing",
        answer="none",
        fits=lambda facts: not facts.holes and not facts.partial_cells,
        condition="no missing cell",
        because="no cell is missing",
    ),
    Rule(
        question="missing",
        answer="mean of the folds",
        fits=lambda facts: not facts.holes,
        condition="missing folds, but no missing cell",
        because="where some folds of a cell are missing, the cell is the mean of the folds it has",
    ),
    Rule(
        question="missing",
        answer="pairwise",
        fits=lambda facts: True,
        condition="missing cells",
        because="each pair is compared on the datasets that both have, so that no score is thrown away",
    ),
    Rule(
        question="practical",
        answer="rope",
        fits=lambda facts: facts.rope is not None,
        condition="a rope is given",
        because="with a region of practical equivalence, two algorithms can be shown to be equivalent, with a probability",
    ),
    Rule(
        question="practical",
        answer="intervals",
        fits=lambda facts: True,
        condition="otherwise",
        because="no region of practical equivalence was given: sizes and intervals are shown, and the reader judges",
    ),
)


def choose(facts: Facts, named: dict[str, str | None]) -> dict[str, Choice]:
    """Answer every question: what the user named, else the first rule that fits."""
    choices: dict[str, Choice] = {}
    for question in QUESTIONS:
        asked = named.get(question)
        test = registry.PAIRWISE.get(named.get("test") or "")
        if question == "correction" and test is not None and test.corrects_itself:
            because = "the test controls the family-wise error by itself"
            choices[question] = Choice(question=question, answer="built in", because=because)
            continue
        if asked is not None:
            choices[question] = Choice(question=question, answer=asked, because="you asked for it", by_user=True)
            continue
        rule = next(rule for rule in RULES if rule.question == question and rule.fits(facts))
        choices[question] = Choice(question=question, answer=rule.answer, because=rule.because)
    return choices
