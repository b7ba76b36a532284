"""The paragraph on methods, ready for a paper; `[@key]` cites an entry of the bibliography."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from podium.comparison.evidence import DatasetEvidence, Evidence
from podium.comparison.facts import DatasetFacts, Facts
from podium.comparison.rules import Choice
from podium.core.numbers import as_given, percent
from podium.stats import registry
from podium.stats.posthoc.pairs_result import PairsResult

_MISSING = {
    "pairwise": "Each pair was compared on the datasets where both have scores.",
    "complete": "Datasets with a missing score were left out.",
}


def methods_paragraph(found: DatasetEvidence, choices: dict[str, Choice], confidence: float) -> str:
    """What was done, in words that can be pasted into a paper."""
    facts = found.facts
    sentences = [_data(facts)]
    if found.omnibus is not None:
        known = registry.omnibus(choices["omnibus"].answer)
        told = known.told_by.get(getattr(found.omnibus, "variant", ""), known.told)
        sentences.append(f"Whether there is any difference at all was tested by {told}.")
    test = registry.pairwise(choices["test"].answer).told
    sentences.append(f"{who_was_compared(facts)} by {test}. {_adjusted(choices)} {as_given(found.alpha)}.")
    together = " all together" if found.together else ""
    sentences.append(
        f"Intervals have a confidence of {percent(confidence)}{together}. Two scores that agree to 12 significant digits count as equal."
    )
    if facts.holes and choices["missing"].answer in _MISSING:
        sentences.append(_MISSING[choices["missing"].answer])
    if facts.partial_cells:
        sentences.append("Where some folds are missing, the score is the mean of the others.")
    return " ".join([*sentences, *practice(found)])


def _data(facts: DatasetFacts) -> str:
    datasets = "one dataset" if facts.n_datasets == 1 else f"{facts.n_datasets} datasets"
    folds = f" ({facts.design})" if facts.has_folds else ""
    return f"We compared {facts.n_algorithms} algorithms on {datasets}{folds} by their {facts.metric}."


def _adjusted(choices: dict[str, Choice]) -> str:
    correction = choices["correction"].answer
    told = registry.CORRECTIONS[correction].told if correction in registry.CORRECTIONS else ""
    return f"P-values were adjusted by the procedure of {told}; the level was" if told else "The level was"


# Sentences for every unit.


def who_was_compared(facts: Facts) -> str:
    """The pairs, at the start of a sentence."""
    if facts.n_algorithms == 2:
        return "The two were compared"
    noun = facts.who.removesuffix("s")
    return f"Every {noun} was compared with {facts.control}" if facts.control else "All pairs were compared"


def level_and_intervals(found: Evidence) -> str:
    """The level, and for how many pairs the confidence holds."""
    together = "for all pairs at once" if found.together else "for each pair alone"
    confidence = percent(found.pairs.confidence)
    return f"The level is {as_given(found.alpha)}; intervals have a confidence of {confidence}, {together}."


def pairs_named(pairs: PairsResult, places: Iterable[int]) -> str:
    """Some of the pairs within a sentence."""
    names = pairs.names  # made again at each look
    return parted([f"{a} and {b}" for a, b in (names[place] for place in places)])


def parted(parts: Sequence[str], most: int = 3) -> str:
    """Parts of a sentence that have words such as "and" in them, one after the other.

    >>> parted(["a and b", "a and c"]), parted(["a and b", "a and c", "b and c"], most=1)
    ('a and b; a and c', 'a and b; 2 more')
    """
    more = [f"{len(parts) - most} more"] if len(parts) > most else []
    return "; ".join([*parts[:most], *more])


def would_be_found(found: Evidence, size: float, power: float) -> str:
    """How large a true difference must be to be found."""
    return (
        f"A true difference of about {found.unit.at(size).amount(size)} would be found with a probability of "
        f"{percent(power)}; smaller ones are likely to be missed."
    )


def by_holm(found: Evidence) -> list[str]:
    """How p-values were adjusted, where that was by Holm's correction."""
    return ["P-values were adjusted by Holm's correction [@holm1979]."] if found.pairs.correction == "holm" else []


def practice(found: Evidence) -> list[str]:
    """What is too small to matter, where the user said so."""
    if found.practical is None:
        return []
    from podium.bayes.registry import known_model

    return [
        f"Differences of up to {found.unit.given(found.practical.rope)} were taken to be too small to matter; the probabilities of "
        f"practical equivalence are those of {known_model(found.practical.model).told}."
    ]
