"""The paragraph on methods, ready for a paper; `[@key]` cites an entry of the bibliography."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.bayes.registry import MODELS
from podium.comparison.facts import Facts
from podium.comparison.rules import Choice
from podium.core.numbers import Unit, as_given, percent
from podium.core.result import Result
from podium.stats import registry

if TYPE_CHECKING:
    from podium.bayes.posterior import PairsPosterior

_MISSING = {
    "pairwise": "Each pair was compared on the datasets where both have scores.",
    "complete": "Datasets with a missing score were left out.",
}


def methods_paragraph(
    facts: Facts,
    choices: dict[str, Choice],
    omnibus: Result | None,
    practical: PairsPosterior | None,
    *,
    alpha: float,
    confidence: float,
    unit: Unit,
    together: bool,
) -> str:
    """What was done, in words that can be pasted into a paper."""
    sentences = [_data(facts)]
    if omnibus is not None:
        known = registry.omnibus(choices["omnibus"].answer)
        told = known.told_by.get(getattr(omnibus, "variant", ""), known.told)
        sentences.append(f"Whether there is any difference at all was tested by {told}.")
    sentences.append(
        f"{_family(facts)} by {registry.pairwise(choices['test'].answer).told}. {_adjusted(choices)} {as_given(alpha)}."
    )
    sentences.append(
        f"Intervals have a confidence of {percent(confidence)}{' all together' if together else ''}. Two scores that agree to 12 significant digits count as equal."
    )
    if facts.holes and choices["missing"].answer in _MISSING:
        sentences.append(_MISSING[choices["missing"].answer])
    if facts.partial_cells:
        sentences.append("Where some folds are missing, the score is the mean of the others.")
    if practical is not None:
        sentences.append(
            f"Differences of up to {unit.given(practical.rope)} were taken to be too small to matter; the probabilities of "
            f"practical equivalence are those of {MODELS[practical.model].told}."
        )
    return " ".join(sentences)


def _data(facts: Facts) -> str:
    datasets = "one dataset" if facts.n_datasets == 1 else f"{facts.n_datasets} datasets"
    folds = f" ({facts.design})" if facts.has_folds else ""
    return f"We compared {facts.n_algorithms} algorithms on {datasets}{folds} by their {facts.metric}."


def _family(facts: Facts) -> str:
    if facts.n_algorithms == 2:
        return "The two were compared"
    return f"Every algorithm was compared with {facts.control}" if facts.control else "All pairs were compared"


def _adjusted(choices: dict[str, Choice]) -> str:
    correction = choices["correction"].answer
    told = registry.CORRECTIONS[correction].told if correction in registry.CORRECTIONS else ""
    return f"P-values were adjusted by the procedure of {told}; the level was" if told else "The level was"
