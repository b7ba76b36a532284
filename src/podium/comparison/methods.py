"""Sentences on what was done and found that every unit shares; `[@key]` cites an entry of the bibliography."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from podium.comparison.facts import Facts
from podium.core.numbers import as_given, percent
from podium.core.version import VERSION
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.registry import PAIRWISE

if TYPE_CHECKING:
    from podium.comparison.unit import Unit

    AnyUnit = Unit[Any, Any, PairsResult]


def who_was_compared(facts: Facts) -> str:
    """The pairs, at the start of a sentence."""
    if facts.n_algorithms == 2:
        return "The two were compared"
    return f"Every {facts.one} was compared with {facts.control}" if facts.control else "All pairs were compared"


def level_and_intervals(unit: AnyUnit) -> str:
    """The significance level, and what the intervals are."""
    return f"The significance level was {as_given(unit.alpha)}. {intervals_told(unit)}"


def intervals_told(unit: AnyUnit) -> str:
    """What the intervals are of, their confidence, and how it became that of all of them."""
    pairs, confidence = unit.pairs, percent(unit.pairs.confidence)
    if pairs.n_pairs == 1:
        return f"The interval is that of the {pairs.effect_name}, with a confidence of {confidence}."
    of = f"Intervals are those of the {pairs.effect_name} of each pair"
    if not unit.simultaneous:
        return f"{of}, each with a confidence of {confidence}."
    method = PAIRWISE.get(pairs.test)
    own = method is not None and method.on == "scores" and pairs.correction == method.correction
    how = "by the test itself" if own else f"by Bonferroni's inequality: {percent(pairs.confidence_each)} each"
    return f"{of}, with a simultaneous confidence of {confidence} ({how})."


def made_with() -> str:
    """The program and its version."""
    return f"The analysis was made with Podium {VERSION} [@podium]."


def pairs_named(pairs: PairsResult, places: Iterable[int]) -> str:
    """Some of the pairs within a sentence."""
    names = pairs.names  # made again at each look
    return parted([f"{a} and {b}" for a, b in (names[place] for place in places)])


def parted(parts: Sequence[str], most: int = 3) -> str:
    """Parts of a sentence that have words such as "and" in them, one after the other.

    >>> parted(["a and b", "a and c"]), parted(["a and b", "a and c", "b and c"], most=1)
    ('a and b; a and c', 'a and b; 2 more')
    """
    more = [f"{len(parts) - most:,} more"] if len(parts) > most else []
    return "; ".join([*parts[:most], *more])


def would_be_found(unit: AnyUnit, size: float, power: float) -> str:
    """How large a true difference must be to be found; of several pairs, one whose differences vary as those of most."""
    typical = " between a typical pair" if unit.pairs.n_pairs > 1 else ""
    return (
        f"A true difference of about {unit.quantity.at(size).amount(size)}{typical} would be detected with a power of "
        f"{percent(power)}; smaller ones are likely to be missed."
    )


def by_holm(unit: AnyUnit) -> list[str]:
    """How p-values were adjusted, where that was by Holm's correction."""
    return ["P-values were adjusted with Holm's procedure [@holm1979]."] if unit.pairs.correction == "holm" else []


def practice(unit: AnyUnit) -> list[str]:
    """What is too small to matter, where the user said so."""
    if unit.practical is None:
        return []
    from podium.bayes.registry import known_model

    return [
        f"Differences of up to {unit.quantity.in_full(unit.practical.rope)} were taken to be too small to matter; the probabilities of "
        f"practical equivalence are those of {known_model(unit.practical.model).phrase}."
    ]
