"""The verdict in plain sentences: who wins, by how much, how sure, on what; the cost; what does not follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.comparison.comparison import Kind, Verdict
from podium.core.numbers import (
    as_given,
    capital,
    counted,
    listed,
    percent,
    said_probability,
    said_pvalue,
    spelled,
)
from podium.core.quantity import Quantity
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, effect_kind, excess

if TYPE_CHECKING:
    from podium.comparison.unit import Unit
    from podium.stats.posthoc.pairs_result import PairsResult

    AnyUnit = Unit[Any, Any, PairsResult]

MOST_PAIRS = 6  # told one by one; more are grouped by their winner
MOST_RANKED = 12  # algorithms; of more than that, only counts and those that could be first are told
SURE = 0.95  # a practical verdict needs this probability


def verdict_of(found: AnyUnit) -> Verdict:
    """What was found, said as a person would say it; on what and at what cost is said by the unit."""
    kind = kind_of(found)
    headline = VERDICTS[kind][1](found)
    return Verdict(
        kind=kind,
        headline=f"On {found.place}, {headline}." if found.place else f"{headline}.",
        how_much=_how_much(found),
        how_sure=_how_sure(found),
        on_what=found.on_what(),
        cost=found.cost(),
        pairs=_pairs(found),
        does_not_follow=_does_not_follow(found),
    )


# Headlines.


def _two(found: AnyUnit) -> bool:
    return len(found.ranking) == 2


def _practical_two(found: AnyUnit) -> float | None:
    """The probability that the difference of the only two is of no consequence."""
    if not _two(found) or found.practical is None:
        return None
    return float(found.practical.matrix("p_rope")[0, 1])


def _same_scores(found: AnyUnit) -> str:
    who = listed(found.names) if _two(found) else _opening(found, f"all {spelled(len(found.names))} algorithms")
    return f"{who} have the same scores on every {found.words.row}: there is nothing to tell apart"


def _nothing_possible(found: AnyUnit) -> str:
    n = int(found.pairs.n.max())
    return f"{_opening(found, 'with')} only {counted(n, found.words.row)} no two algorithms can be told apart, whatever the scores; {_leads(found)}"


def _equivalent(found: AnyUnit) -> str:
    sure = f"within {found.quantity.given(found.facts.rope or 0)} with probability {said_probability(_practical_two(found) or 0)}"
    if found.n_shown:
        winner, loser = found.shown[0].a, found.shown[0].b
        return f"{winner} is better than {loser}, but by too little to matter: they are {sure}"
    return f"{listed(found.names)} are practically equivalent: {sure}"


def _two_apart(found: AnyUnit) -> str:
    pair = found.shown[0]
    return f"{pair.a} is better than {pair.b}{_twist(found, pair) or _by(found, pair)}"


def _against_control(found: AnyUnit) -> str:
    control, others = found.facts.control or "", len(found.names) - 1
    none = "neither of the two" if others == 2 else f"none of the {spelled(others)}"
    beat, lose = found.beaten_by(control), found.beats(control)
    named = f"the control, {control}"
    if not beat and not lose:
        return f"{_opening(found, none)} is shown to differ from {named}"
    worse = f"; {listed(lose, most=3)} {'is' if len(lose) == 1 else 'are'} shown to be worse" if lose else ""
    if not beat:
        return f"{_opening(found, none)} beats {named}{worse}"
    if len(beat) == others > 1:
        return f"{_opening(found, 'each')} of the {spelled(others)} beats {named}"
    verb = "beats" if len(beat) == 1 else "beat"
    return f"{_opening(found, spelled(len(beat)))} of {spelled(others)} algorithms {verb} {named}: {listed(beat, most=3)}{worse}"


def _is_beaten(found: AnyUnit) -> str:
    masters = found.beaten_by(found.leader)
    are = "is" if len(masters) == 1 else "are"
    return f"{_leads(found)}, yet {listed(masters, most=3)} {are} shown to be better than {found.leader}"


def _open(found: AnyUnit) -> list[str]:
    beaten = found.beats(found.leader)
    return [name for name in found.names[1:] if name not in beaten]


def _all_but(found: AnyUnit) -> str:
    still = _open(found)
    rest = listed(still)
    return (
        f"{_leads(found)} and beats all but {rest}; its lead over {'both' if len(still) == 2 else rest} may be chance"
    )


def _beats_some(found: AnyUnit) -> str:
    beaten, lead = found.beats(found.leader), f"lead over the other {spelled(len(_open(found)))} may be chance"
    if len(beaten) == 1:
        only = f"but only {beaten[0]} is shown to be worse"
        return f"{_leads(found)}, {only}; {found.leader}'s {lead}"
    return f"{_leads(found)} and beats {listed(beaten, most=4)}; its {lead}"


def _others_differ(found: AnyUnit) -> str:
    lead = f"{_leads(found)}, but its lead may be chance"
    if found.n_shown > 1:
        return f"{lead}; {spelled(found.n_shown)} pairs of the others do differ"
    pair = found.shown[0]
    return f"{lead}; the only difference shown is that {pair.a} is better than {pair.b}"


def _shared_first(found: AnyUnit) -> str:
    """Several have the same rank or score: none of them leads."""
    first, all_of_them = found.leaders, "both" if len(found.leaders) == 2 else "all of them"
    masters = [name for name in found.names if set(found.beats(name)) & set(first)]
    if masters:
        lost = [name for name in first if found.beaten_by(name)]
        are = "is" if len(masters) == 1 else "are"
        return f"{_leads(found)}, yet {listed(masters, most=3)} {are} shown to be better than {listed(lost, most=3)}"
    beaten = [name for name in found.names if set(first) <= set(found.beaten_by(name))]
    if not beaten:
        return f"{_leads(found)}, and no algorithm is shown to be worse than {all_of_them}"
    return f"{_leads(found)} and {'both' if len(first) == 2 else 'all'} beat {listed(beaten, most=4)}"


def _leads(found: AnyUnit) -> str:
    if len(found.leaders) > 1:
        return f"{listed(found.leaders, most=4)} share the first place"
    return f"{found.leader} {found.ranked_by + 's'} best"


def _none_shown(found: AnyUnit) -> str:
    return f"{_opening(found, 'no')} algorithm is shown to be better than another"


def _one_winner(found: AnyUnit) -> str:
    return f"{found.leader} is better than each of the other {spelled(len(found.names) - 1)}"


def _many_first(found: AnyUnit) -> str:
    return f"{_opening(found, 'no')} single winner: {len(found.could_be_first)} of {len(found.names)} algorithms could be first"


def _opening(found: AnyUnit, words: str) -> str:
    """The words with which a headline begins, where that is no name; after "On iris," in small letters."""
    return words if found.place else capital(words)


# The kinds of a verdict, of which the first that fits is taken, and the sentence of each.
VERDICTS: Mapping[Kind, tuple[Callable[[AnyUnit], bool], Callable[[AnyUnit], str]]] = {
    Kind.SAME: (lambda found: found.all_equal, _same_scores),
    Kind.EQUIVALENT: (lambda found: (_practical_two(found) or 0) >= SURE, _equivalent),
    Kind.IMPOSSIBLE: (lambda found: found.cannot_reach_alpha, _nothing_possible),
    Kind.CONTROL: (lambda found: found.facts.control is not None and not _two(found), _against_control),
    Kind.TWO_APART: (lambda found: _two(found) and found.n_shown == 1, _two_apart),
    Kind.TWO_ALIKE: (_two, lambda found: f"{listed(found.names)} cannot be told apart"),
    Kind.NONE_SHOWN: (lambda found: found.n_shown == 0, _none_shown),
    Kind.ONE_WINNER: (lambda found: not _open(found), _one_winner),
    Kind.SHARED_FIRST: (lambda found: len(found.leaders) > 1, _shared_first),
    Kind.LEADER_BEATEN: (lambda found: bool(found.beaten_by(found.leader)), _is_beaten),
    Kind.MANY_FIRST: (lambda found: len(found.names) > MOST_RANKED and len(_open(found)) > 2, _many_first),
    Kind.OTHERS_DIFFER: (lambda found: not found.beats(found.leader), _others_differ),
    Kind.ALL_BUT: (lambda found: len(_open(found)) <= 2, _all_but),
    Kind.SOME_BEATEN: (lambda found: True, _beats_some),
}


def kind_of(found: AnyUnit) -> Kind:
    """What was found, before any word."""
    return next(kind for kind, (fits, _) in VERDICTS.items() if fits(found))


# How much: the pair that the headline is about.


def _main_pair(found: AnyUnit) -> PairResult:
    """The two; the first against the control; the first against the second."""
    control = found.facts.control
    if control is None and found.beaten_by(found.leader):
        return found.pairs.pair(found.beaten_by(found.leader)[0], found.leader)
    if control is None or _two(found):
        return found.shown[0] if _two(found) and found.n_shown else found.pairs.pair(*found.names[:2])
    rivals = found.beaten_by(control) or [name for name in found.names if name != control]
    return found.pairs.pair(rivals[0], control)


def _how_much(found: AnyUnit) -> str:
    if found.all_equal:
        return ""
    pair = _main_pair(found)
    size = _confidence(found, pair) or f"{_relation(found, pair)}{_interval(found, pair)}"
    return f"{size}{_record(found, pair)}. {_practical(found)}".rstrip()


def _confidence(found: AnyUnit, pair: PairResult) -> str:
    """The interval by itself, where the headline has told the size."""
    quantity, value = _quantity(found, pair)
    ends = excess(pair.effect_name, [pair.low, pair.high]).tolist()
    told = (
        _two(found)
        and found.n_shown
        and not _twist(found, pair)
        and quantity.difference(value)
        and np.isfinite(ends).all()
    )
    if not told or (_practical_two(found) or 0) >= SURE or ends[0] * ends[1] <= 0:
        return ""
    low, high = sorted(map(abs, ends))
    return f"With {percent(pair.confidence)} confidence the difference is {quantity.sizes(low, high)}"


def _relation(found: AnyUnit, pair: PairResult) -> str:
    """Who has the higher or lower score, by how much."""
    quantity, value = _quantity(found, pair)
    told, where = quantity.difference(value), found.where(pair)
    if pair.ties == pair.n:
        return f"{pair.a} and {pair.b} have the same score on every {found.words.row} that was compared"
    if told:
        verb = "has" if quantity.label else "scores"
        though = f"Though first by {found.ranked_by}, " if _behind(found, pair) else ""
        return f"{though}{pair.a} {verb} {told} than {pair.b} {where}"
    differ = f"differ by less than {quantity.resolution()}" if value else "do not differ"
    return f"{'They' if _two(found) else f'{pair.a} and {pair.b}'} {differ} {where}"


def _behind(found: AnyUnit, pair: PairResult) -> bool:
    """Whether the leader has the worse score on a typical dataset than the one it is compared with."""
    gain = found.table.metric.sign * (pair.effect - pair.neutral)
    leads = pair.a == found.leader and pair.b not in found.leaders
    return leads and gain < 0 and not found.place and not _two(found)


def _quantity(found: AnyUnit, pair: PairResult) -> tuple[Quantity, float]:
    """How a pair's effect is written, and the effect; ratios and relative differences are told in percent."""
    if not effect_kind(pair.effect_name).relative:
        return found.quantity.at(pair.effect, pair.low, pair.high), pair.effect
    relative = found.quantity.relative()
    effect, low, high = excess(pair.effect_name, [pair.effect, pair.low, pair.high]).tolist()
    return relative.at(effect, low, high), effect


def _by(found: AnyUnit, pair: PairResult) -> str:
    """The size for a headline: "by 1.4 percentage points on a typical dataset", "with 0.101 lower error"."""
    quantity, value = _quantity(found, pair)
    told = quantity.difference(value)
    if not told:
        return f", if by less than {quantity.resolution()} {found.where(pair)}"
    return f", {f'by {quantity.amount(value)}' if quantity.unit else f'with {told}'} {found.where(pair)}"


def _interval(found: AnyUnit, pair: PairResult) -> str:
    if math.isnan(pair.low) or pair.ties == pair.n:
        return ""
    if math.isinf(pair.low) and math.isinf(pair.high):
        return f" (too few {found.words.rows} for a {percent(pair.confidence)} interval)"
    quantity, value = _quantity(found, pair)
    low, high = excess(pair.effect_name, [pair.low, pair.high]).tolist()
    alike = not quantity.difference(value)  # "they differ by less than ..." names nobody
    whose = f" for {pair.a}" if alike and (quantity.difference(low) or quantity.difference(high)) else ""
    together = "simultaneous " if found.together else ""
    return f" ({together}{percent(pair.confidence)} interval: {quantity.span(low, high)}{whose})"


def _record(found: AnyUnit, pair: PairResult) -> str:
    if not _two(found) or not found.counts_wins:  # the table of pairs has it
        return ""
    ties = f", with {counted(pair.ties, 'tie')}" if pair.ties else ""
    return f"; of {counted(pair.n, found.words.row)}, {pair.a} won {pair.wins} and lost {pair.losses}{ties}"


def _twist(found: AnyUnit, pair: PairResult) -> str:
    """What must be said where wins or the typical difference point away from the winner that the test names."""
    if found.counts_wins and pair.wins < pair.losses:
        return f": it wins less often ({pair.wins} to {pair.losses}), but by more"
    if found.table.metric.sign * (pair.effect - pair.neutral) * pair.side < 0:
        return " by the test, though the typical difference points the other way"
    return ""


def _practical(found: AnyUnit) -> str:
    """What the region of practical equivalence says."""
    practical, pairs = found.practical, found.pairs
    if practical is None or (_practical_two(found) or 0) >= SURE:
        return ""
    left, alike, right = (practical.matrix(name)[pairs.first, pairs.second] for name in ("p_left", "p_rope", "p_right"))
    rope = found.quantity.given(found.facts.rope or 0)
    if pairs.n_pairs == 1:
        return f"The probability that they differ by more than {rope} is {said_probability(1 - float(alike[0]))}."
    same, different = int((alike >= SURE).sum()), int(((left >= SURE) | (right >= SURE)).sum())
    return (
        f"If up to {rope} does not matter, {same} of {pairs.n_pairs} pairs are practically equivalent and {different} "
        f"practically different (probability at least {percent(SURE)})."
    )


# How sure, and on what.


def _how_sure(found: AnyUnit) -> str:
    if found.all_equal:
        return ""
    pair = _main_pair(found)
    level = f"the level {as_given(found.alpha)}"
    if found.pairs.n_pairs == 1:
        told = "significant" if pair.adjusted <= found.alpha else "not significant"
        return f"{found.words.test}: {said_pvalue(pair.adjusted)}, {told} at {level}."
    count = f"{found.n_shown or 'None'} of {'' if found.n_shown else 'the '}{counted(found.pairs.n_pairs, 'pair')}"
    count += f" {'differs' if found.n_shown < 2 else 'differ'} at {level}{found.corrected}"
    return f"{count}; for {pair.a} and {pair.b}, {said_pvalue(pair.adjusted)}.{_omnibus(found)}"


def _omnibus(found: AnyUnit) -> str:
    """The test of all together, and whether it agrees with the pairs."""
    if found.omnibus is None:
        return ""
    pvalue = float(getattr(found.omnibus, "pvalue", np.nan))
    if found.order is not None and (pvalue <= found.alpha) == (found.n_shown > 0):
        return ""  # it agrees: room for the cost
    label, said = registry.omnibus(found.answer("omnibus")).label, said_pvalue(pvalue)
    if pvalue <= found.alpha:
        agrees = "agrees" if found.n_shown else "finds differences, but no pair can be named"
    else:
        agrees = "alone would not show a difference" if found.n_shown else "finds none either"
    return f" {label} {agrees} ({said})."


# The pairs, and what does not follow.


def _pairs(found: AnyUnit) -> tuple[str, ...]:
    """Every significant pair where they are few; by winner where they are more; counts where they are many."""
    if _two(found) or not found.n_shown:
        return ()
    if found.n_shown <= MOST_PAIRS:
        return tuple(_sized(found, pair) for pair in found.shown)
    if found.facts.control is not None:
        beat, lose = found.beaten_by(found.facts.control), found.beats(found.facts.control)
        said = (("Better", beat), ("Worse", lose))
        return tuple(f"{word} than the control: {listed(names, most=12)}." for word, names in said if names)
    if len(found.names) <= MOST_RANKED:
        winners = [(name, found.beats(name)) for name in found.names]
        return tuple(f"{name} is better than {listed(beaten, most=12)}." for name, beaten in winners if beaten)
    return _counts(found)


def _sized(found: AnyUnit, pair: PairResult) -> str:
    quantity, value = _quantity(found, pair)
    told = quantity.difference(value) or f"a difference of less than {quantity.resolution()}"
    size = f"{told} {found.where(pair)}{_interval(found, pair)}, {said_pvalue(pair.adjusted)}"
    twist = _twist(found, pair)
    return f"{pair.a} is better than {pair.b}{f'{twist} ({told})' if twist else f': {size}'}."


def _counts(found: AnyUnit) -> tuple[str, ...]:
    leader, first = found.leader, found.could_be_first
    beaten, masters = found.beats(leader), found.beaten_by(leader)
    lost = f" and loses to {listed(masters)}" if masters else ""
    return (
        f"{_leads(found)}; {leader if len(found.leaders) > 1 else 'it'} beats {len(beaten)} of the other {len(found.names) - 1}{lost}.",
        f"Could be first, as no algorithm is shown to be better: {listed(first, most=12)}.",
    )


def _does_not_follow(found: AnyUnit) -> tuple[str, ...]:
    """What readers might wrongly conclude: each sentence is a warning that stands by itself."""
    sentences = []
    if found.n_shown < found.pairs.n_pairs and not found.all_equal:
        cure = "the intervals show which differences remain possible"
        if found.practical is not None:
            cure = "only the probabilities of practical equivalence speak of that"
        sentences.append(f"Algorithms that cannot be told apart need not be equally good: {cure}.")
    if found.n_shown:
        sentences.append("A difference that is shown need not be large enough to matter: look at its size.")
    if found.facts.control is not None and not _two(found):
        sentences.append(
            f"Each algorithm was compared with {found.facts.control} alone: nothing follows about the others among themselves."
        )
    if found.place:
        sentences.append(f"What holds on {found.place} need not hold on any other dataset.")
    elif found.n_shown:
        sentences.append(found.words.elsewhere)
    if found.order is not None:
        sentences.append("Another cost may put another algorithm first.")
    return tuple(sentences)
