"""What a section of a comparison's page found, in one sentence; and the three numbers that matter."""

from __future__ import annotations

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core.numbers import as_given, capital, counted, listed, percent, spelled
from podium.report.document import Keys
from podium.stats.registry import CORRECTIONS


def ranking_finding(comparison: Comparison) -> str:
    """How many could be first, and who cannot."""
    ranking = comparison.ranking
    if comparison.facts.control is not None or len(ranking) < 3:
        return ""
    first = [row for row in ranking if row.rank_low == 1]
    others = [row for row in ranking if row.rank_low > 1]
    if not others:
        return f"Any of the {spelled(len(ranking))} could be first."
    if len(first) == 1:
        return f"{first[0].algorithm} is first; the places of the others are open within the spans."
    last = f"; {others[0].algorithm} is at best {_ordinal(others[0].rank_low)}" if len(others) == 1 else ""
    return capital(f"{spelled(len(first))} of {spelled(len(ranking))} could be first{last}.")


def pairs_finding(comparison: Comparison) -> str:
    """How many pairs differ, and what they have in common."""
    decided = int((comparison.pairs.adjusted <= comparison.alpha).sum())
    total = comparison.pairs.n_pairs
    if total == 1:
        return ""
    if not decided:
        return f"None of the {total} pairs is shown to differ."
    better = comparison.pairs.better(comparison.alpha)
    names, whose = comparison.pairs.algorithms, ""
    for who, what in ((better.any(axis=1), "win"), (better.any(axis=0), "loss")):
        if comparison.facts.control is None and who.sum() == 1 and decided > 1:
            whose = f", each a {what} of {names[int(np.argmax(who))]}"
    verb = "differs" if decided == 1 else "differ"
    return f"{decided} of {total} pairs {verb}{whose}."


def remarks_finding(comparison: Comparison) -> str:
    """How many remarks of each weight there are."""
    weights = [remark.weight for remark in comparison.remarks]
    counts = {weight: weights.count(weight) for weight in ("warning", "caution", "note")}
    weighed = [counted(count, weight) for weight, count in counts.items() if count]
    return f"{listed(weighed if counts['warning'] else ['No warning', *weighed])}."


def key_numbers(comparison: Comparison) -> Keys:
    """How many differ, on how much, at which level."""
    facts, pairs = comparison.facts, comparison.pairs
    decided = int((pairs.adjusted <= comparison.alpha).sum())
    noun = "pairs differ" if facts.control is None else "differ from the control"
    correction = CORRECTIONS.get(pairs.correction)
    corrected = f" after correction ({correction.plain})" if correction and correction.told else ""
    words = comparison.words
    holes = f"; {counted(len(facts.holes), words.value)} missing" if facts.holes else ""
    first = (f"{decided} of {pairs.n_pairs}", f"{noun}{corrected}")
    if pairs.n_pairs == 1:
        pair = pairs.pair(*pairs.names[0])
        first = (f"{pair.wins}–{pair.losses}", f"{words.rows} won and lost by {pair.a} against {pair.b}")
    level = (as_given(comparison.alpha), f"the level of significance{_family(comparison)}")
    return Keys(items=(first, (f"{words.n_rows}", f"{words.rows}, {words.each}{holes}"), level))


def _family(comparison: Comparison) -> str:
    """What the level is about, where a correction holds it for all pairs together."""
    pairs = comparison.pairs
    correction = CORRECTIONS.get(pairs.correction)
    if pairs.n_pairs == 1 or correction is None or correction.name == "none":
        return ""
    if correction.controls == "fwer":
        return f": at most {percent(comparison.alpha)} of such studies would report any false difference"
    return ": the expected share of false ones among the differences shown" if correction.controls == "fdr" else ""


def _ordinal(place: int) -> str:
    words = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return words[place] if place < len(words) else f"place {place}"
