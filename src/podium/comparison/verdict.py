"""The verdict in plain sentences: who wins, by how much, how sure, on what; the cost; what does not follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.comparison.comparison import Kind, Verdict
from podium.comparison.methods import pairs_named
from podium.core.numbers import (
    as_given,
    capital,
    counted,
    format_pvalue,
    listed,
    percent,
    said_probability,
    share_of,
    spelled,
)
from podium.core.quantity import Quantity
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, excess

if TYPE_CHECKING:
    from podium.comparison.unit import Unit
    from podium.stats.posthoc.pairs_result import PairsResult

    AnyUnit = Unit[Any, Any, PairsResult]

MOST_PAIRS = 6  # told one by one; more are grouped by their winner
MOST_RANKED = 12  # algorithms; of more than that, only counts and those that could be first are told
SURE = 0.95  # a practical verdict needs this probability


def verdict_of(unit: AnyUnit) -> Verdict:
    """What was found, said as a person would say it; on what and at what cost is said by the unit."""
    kind = kind_of(unit)
    headline = VERDICTS[kind][1](unit)
    verdict = Verdict(
        kind=kind,
        headline=f"On {unit.place}, {headline}." if unit.place else f"{headline}.",
        how_much=_how_much(unit),
        certainty=" ".join(filter(None, (_certainty(unit), unit.contest()))),
        on_what=unit.on_what(),
        pairs=_pairs(unit),
        not_implied=_not_implied(unit),
    )
    if not unit.trade_offs:
        return verdict
    from podium.comparison.cost_words import with_costs

    return with_costs(unit, verdict)


# Headlines.


def _two(unit: AnyUnit) -> bool:
    return len(unit.ranking) == 2


def _practical_two(unit: AnyUnit) -> float | None:
    """The probability that the difference of the only two is of no consequence."""
    if not _two(unit) or unit.practical is None:
        return None
    return float(unit.practical.matrix("p_rope")[0, 1])


def _same_scores(unit: AnyUnit) -> str:
    who = listed(unit.names) if _two(unit) else _opening(unit, f"all {spelled(len(unit.names))} algorithms")
    return f"{who} have the same scores on every {unit.words.row}: there is nothing to compare"


def _nothing_possible(unit: AnyUnit) -> str:
    n = int(unit.pairs.n.max())
    return f"{_opening(unit, 'with')} only {counted(n, unit.words.row)} no difference can reach significance, whatever the scores; {_leads(unit)}"


def _equivalent(unit: AnyUnit) -> str:
    sure = f"within {unit.quantity.in_full(unit.facts.rope or 0)} with probability {said_probability(_practical_two(unit) or 0)}"
    if unit.n_significant:
        winner, loser = unit.significant_pairs[0].a, unit.significant_pairs[0].b
        return f"{winner} is significantly better than {loser}, but by too little to matter: they are {sure}"
    return f"{listed(unit.names)} are practically equivalent: {sure}"


def _two_apart(unit: AnyUnit) -> str:
    pair = unit.significant_pairs[0]
    narrowly = "narrowly but " if _is_close(pair) else ""
    return f"{pair.a} is {narrowly}significantly better than {pair.b}{_twist(unit, pair) or _by(unit, pair)}"


def _neither(unit: AnyUnit) -> str:
    return f"{_opening(unit, 'the')} test finds a significant difference between {listed(unit.names)}, but neither is better"


def _against_control(unit: AnyUnit) -> str:
    """How the control stands: whom it is significantly better than, who is significantly better than it, and the rest."""
    control, others = unit.facts.control or "", len(unit.names) - 1
    beat, lose = unit.beaten_by(control), unit.beats(control)
    still = [name for name in unit.names if name not in (control, *beat, *lose)]
    words = (("better", lose), ("worse", beat))
    parts = [f"significantly {word} than {_of_all(names, others)}" for word, names in words if names]
    if not parts:
        any_of = "either of the two" if others == 2 else f"any of the {spelled(others)}"
        return f"{control}, the control, does not differ significantly from {any_of}"
    rest = f"{still[0]} does" if len(still) == 1 else f"the other {spelled(len(still))} do"
    open_ones = f"; {rest} not differ significantly from it" if still else ""
    return f"{control}, the control, is {' and '.join(parts)}{open_ones}"


def _of_all(names: list[str], others: int) -> str:
    """Some of so many others, by their names where they are few."""
    if len(names) == 1:
        return names[0]
    if len(names) == others:
        return "both others" if others == 2 else f"all {spelled(others)} others"
    named = f" ({listed(names)})" if len(names) <= 3 else ""
    return f"{spelled(len(names))} of the {spelled(others)}{named}"


def _is_beaten(unit: AnyUnit) -> str:
    winners = unit.beaten_by(unit.leader)
    are = "is" if len(winners) == 1 else "are"
    return f"{_leads(unit)}, yet {listed(winners, most=3)} {are} significantly better than {unit.leader}"


def _open(unit: AnyUnit) -> list[str]:
    beaten = unit.beats(unit.leader)
    return [name for name in unit.names[1:] if name not in beaten]


def _all_but(unit: AnyUnit) -> str:
    still, beaten = _open(unit), unit.beats(unit.leader)
    rest = listed(still)
    if len(beaten) == 1:
        return f"{_leads(unit)}, but is significantly better only than {beaten[0]}; its lead over {rest} may be due to chance"
    return f"{_leads(unit)}, significantly better than all but {rest}; its lead over {'both' if len(still) == 2 else rest} may be due to chance"


def _beats_some(unit: AnyUnit) -> str:
    beaten, lead = unit.beats(unit.leader), f"lead over the other {spelled(len(_open(unit)))} may be due to chance"
    if len(beaten) == 1:
        return f"{_leads(unit)}, but is significantly better only than {beaten[0]}; its {lead}"
    return f"{_leads(unit)}, significantly better than {listed(beaten, most=4)}; its {lead}"


def _others_differ(unit: AnyUnit) -> str:
    lead = f"{_leads(unit)}, but its lead may be due to chance"
    if unit.n_significant > 1:
        return f"{lead}; {spelled(unit.n_significant)} pairs of the others differ significantly"
    pair = unit.significant_pairs[0]
    return f"{lead}; the only significant difference is that {pair.a} is better than {pair.b}"


def _shared_first(unit: AnyUnit) -> str:
    """Several have the same rank or score: none of them leads."""
    first, all_of_them = unit.leaders, "both" if len(unit.leaders) == 2 else "all of them"
    winners = [name for name in unit.names if set(unit.beats(name)) & set(first)]
    if winners:
        lost = [name for name in first if unit.beaten_by(name)]
        are = "is" if len(winners) == 1 else "are"
        return f"{_leads(unit)}, yet {listed(winners, most=3)} {are} significantly better than {listed(lost, most=3)}"
    beaten = [name for name in unit.names if set(first) <= set(unit.beaten_by(name))]
    if not beaten:
        return f"{_leads(unit)}, and no algorithm is significantly worse than {all_of_them}"
    return f"{_leads(unit)} and {'both' if len(first) == 2 else 'all'} are significantly better than {listed(beaten, most=4)}"


def _leads(unit: AnyUnit) -> str:
    if len(unit.leaders) > 1:
        return f"{listed(unit.leaders, most=4)} share first place"
    return f"{unit.leader} {'ranks first' if unit.ranked_by == 'rank' else 'scores best'}"


def _none_shown(unit: AnyUnit) -> str:
    return f"{_opening(unit, 'no')} algorithm is significantly better than any other"


def _one_winner(unit: AnyUnit) -> str:
    close = [pair.b for pair in unit.significant_pairs if pair.a == unit.leader and _is_close(pair)]
    narrowly = f", but only narrowly better than {listed(close, most=3)}" if close else ""
    return f"{unit.leader} is significantly better than each of the other {spelled(len(unit.names) - 1)}{narrowly}"


def _many_first(unit: AnyUnit) -> str:
    return f"{_opening(unit, 'no')} single winner: {len(unit.could_be_first)} of {len(unit.names)} algorithms could be first"


def _opening(unit: AnyUnit, words: str) -> str:
    """The words with which a headline begins, where that is no name; after "On iris," in small letters."""
    return words if unit.place else capital(words)


# The kinds of a verdict, of which the first that fits is taken, and the sentence of each.
VERDICTS: Mapping[Kind, tuple[Callable[[AnyUnit], bool], Callable[[AnyUnit], str]]] = {
    Kind.SAME: (lambda unit: unit.all_equal, _same_scores),
    Kind.EQUIVALENT: (lambda unit: (_practical_two(unit) or 0) >= SURE, _equivalent),
    Kind.IMPOSSIBLE: (lambda unit: unit.cannot_reach_alpha, _nothing_possible),
    Kind.CONTROL: (lambda unit: unit.facts.control is not None and not _two(unit), _against_control),
    Kind.TWO_APART: (lambda unit: _two(unit) and unit.n_significant == 1, _two_apart),
    Kind.NEITHER: (lambda unit: _two(unit) and bool(unit.undirected), _neither),
    Kind.TWO_ALIKE: (_two, lambda unit: f"{listed(unit.names)} do not differ significantly"),
    Kind.NONE_SHOWN: (lambda unit: unit.n_significant == 0, _none_shown),
    Kind.ONE_WINNER: (lambda unit: not _open(unit), _one_winner),
    Kind.SHARED_FIRST: (lambda unit: len(unit.leaders) > 1, _shared_first),
    Kind.LEADER_BEATEN: (lambda unit: bool(unit.beaten_by(unit.leader)), _is_beaten),
    Kind.MANY_FIRST: (lambda unit: len(unit.names) > MOST_RANKED and len(_open(unit)) > 2, _many_first),
    Kind.OTHERS_DIFFER: (lambda unit: not unit.beats(unit.leader), _others_differ),
    Kind.ALL_BUT: (lambda unit: len(_open(unit)) <= 2, _all_but),
    Kind.SOME_BEATEN: (lambda unit: True, _beats_some),
}


def kind_of(unit: AnyUnit) -> Kind:
    """What was found, before any word."""
    return next(kind for kind, (fits, _) in VERDICTS.items() if fits(unit))


# How much: the pair that the headline is about.


def _main_pair(unit: AnyUnit) -> PairResult:
    """The two; the first against the control; the first against the second."""
    control = unit.facts.control
    if control is None and unit.beaten_by(unit.leader):
        return unit.pairs.pair(unit.beaten_by(unit.leader)[0], unit.leader)
    if control is None or _two(unit):
        return unit.significant_pairs[0] if _two(unit) and unit.n_significant else unit.pairs.pair(*unit.names[:2])
    rivals = unit.beaten_by(control) or [name for name in unit.names if name != control]
    return unit.pairs.pair(rivals[0], control)


def _how_much(unit: AnyUnit) -> str:
    if unit.all_equal:
        return ""
    pair = _main_pair(unit)
    size = _confidence(unit, pair) or f"{_relation(unit, pair)}{_interval(unit, pair)}"
    return f"{size}{unit.record(pair) if _two(unit) else ''}. {practical(unit)}".rstrip()


def _confidence(unit: AnyUnit, pair: PairResult) -> str:
    """The interval by itself, where the headline has told the size."""
    quantity, value, low, high = _written(unit, pair)
    size_told = _two(unit) and unit.n_significant and not _twist(unit, pair) and quantity.difference(value)
    one_sided = np.isfinite([low, high]).all() and low * high > 0
    if not size_told or not one_sided or (_practical_two(unit) or 0) >= SURE:
        return ""
    low, high = sorted((abs(low), abs(high)))
    return f"With {percent(pair.confidence)} confidence the difference is {quantity.sizes(low, high)}"


def _relation(unit: AnyUnit, pair: PairResult) -> str:
    """Who has the higher or lower score, by how much."""
    quantity, value, *_ = _written(unit, pair)
    where = unit.where(pair)
    if pair.ties == pair.n:
        return f"{pair.a} and {pair.b} have the same score on every {unit.words.row} that was compared"
    if quantity.difference(value):
        said = f"{quantity.apart(pair.a, value, pair.b)} {where}"
        if not _behind(unit, pair):
            return said
        alone = len(unit.leaders) == 1  # whom "it" then means
        its = said.replace(*((f"{pair.a}'s", "its") if quantity.label else (pair.a, "it")), 1)
        return f"Although {_leads(unit)}, {its if alone else said}"
    differ = f"differ by less than {quantity.resolution()}" if value else "do not differ"
    return f"{'They' if _two(unit) else f'{pair.a} and {pair.b}'} {differ} {where}"


def _behind(unit: AnyUnit, pair: PairResult) -> bool:
    """Whether the leader has the worse score on a typical dataset than the one it is compared with."""
    gain = unit.table.metric.sign * (pair.effect - pair.neutral)
    leads = pair.a == unit.leader and pair.b not in unit.leaders
    return leads and gain < 0 and not unit.place and not _two(unit)


def _written(unit: AnyUnit, pair: PairResult) -> tuple[Quantity, float, float, float]:
    """How a pair's effect is written, the effect and the ends of its interval; ratios and relative differences in percent."""
    effect, low, high = excess(pair.effect_name, [pair.effect, pair.low, pair.high]).tolist()
    return unit.difference.at(effect, low, high), effect, low, high


def _by(unit: AnyUnit, pair: PairResult) -> str:
    """The size for a headline: "by 1.4 percentage points on a typical dataset", "with 0.101 lower error"."""
    quantity, value, *_ = _written(unit, pair)
    difference = quantity.difference(value)
    if not difference:
        return f", if by less than {quantity.resolution()} {unit.where(pair)}"
    return f", {f'by {quantity.amount(value)}' if quantity.unit else f'with {difference}'} {unit.where(pair)}"


def _interval(unit: AnyUnit, pair: PairResult) -> str:
    if math.isnan(pair.low) or pair.ties == pair.n:
        return ""
    if math.isinf(pair.low) and math.isinf(pair.high):
        return f" (too few {unit.words.rows} for a {percent(pair.confidence)} interval)"
    quantity, value, low, high = _written(unit, pair)
    alike = not quantity.difference(value)  # "they differ by less than ..." names nobody
    whose = f" for {pair.a}" if alike and (quantity.difference(low) or quantity.difference(high)) else ""
    together = "simultaneous " if unit.simultaneous else ""
    return f" ({together}{percent(pair.confidence)} interval: {quantity.span(low, high)}{whose})"


def _twist(unit: AnyUnit, pair: PairResult) -> str:
    """What must be said where wins or the typical difference point away from the winner that the test names."""
    if pair.wins < pair.losses and unit.record(pair):
        return f": it wins less often ({pair.wins} to {pair.losses}), but by more"
    if unit.table.metric.sign * (pair.effect - pair.neutral) * pair.side < 0:
        return " by the test, though the typical difference points the other way"
    return ""


def practical(unit: AnyUnit) -> str:
    """What the region of practical equivalence says."""
    practical, pairs = unit.practical, unit.pairs
    if practical is None:
        return ""
    if pairs.n_pairs == 1:
        return probabilities(unit, *pairs.names[0])
    left, alike, right = (practical.matrix(name)[pairs.first, pairs.second] for name in ("p_left", "p_rope", "p_right"))
    same, different = np.flatnonzero(alike >= SURE), int(((left >= SURE) | (right >= SURE)).sum())
    named = f" ({pairs_named(pairs, same.tolist())})" if len(same) else ""
    rope = unit.quantity.in_full(unit.facts.rope or 0)
    (many, are), (others, are_too) = (
        (f"{n:,}" if n else "none", "is" if n < 2 else "are") for n in (len(same), different)
    )
    return (
        f"If up to {rope} does not matter, {many} of {pairs.n_pairs:,} pairs {are} practically equivalent"
        f"{named} and {others} {are_too} practically different (probability at least {percent(SURE)})."
    )


def probabilities(unit: AnyUnit, first: str, second: str) -> str:
    """How probably each of two is better, and the two are equivalent; nothing without a region of equivalence."""
    if unit.practical is None:
        return ""
    pair = unit.practical.pair(first, second)
    ahead, behind = (pair.p_right, pair.p_left) if pair.a == first else (pair.p_left, pair.p_right)
    rope = unit.quantity.in_full(unit.facts.rope or 0)
    return (
        f"If up to {rope} does not matter, the probabilities are: {first} better {said_probability(ahead)}, {second} better "
        f"{said_probability(behind)}, equivalent {said_probability(pair.p_rope)}."
    )


# How sure, and on what.


def _certainty(unit: AnyUnit) -> str:
    if unit.all_equal:
        return ""
    pair = _main_pair(unit)
    level = f"the {as_given(unit.alpha)} level"
    if unit.pairs.n_pairs == 1:
        significant = "significant" if pair.adjusted <= unit.alpha else "not significant"
        return f"{unit.words.test}: {format_pvalue(pair.adjusted)}, {significant} at {level}."
    some_of = f"{unit.n_significant:,} of " if unit.n_significant else "None of the "
    count = f"{some_of}{counted(unit.pairs.n_pairs, 'pair')}"
    count += f" {'differs' if unit.n_significant < 2 else 'differ'} significantly at {level}{unit.corrected}"
    return f"{count}; for {pair.a} and {pair.b}, {format_pvalue(pair.adjusted)}.{_omnibus(unit)}"


def _omnibus(unit: AnyUnit) -> str:
    """The test of all together, and whether it agrees with the pairs."""
    if unit.omnibus is None:
        return ""
    pvalue = float(getattr(unit.omnibus, "pvalue", np.nan))
    if unit.order is not None and (pvalue <= unit.alpha) == (unit.n_significant > 0):
        return ""  # it agrees: room for the cost
    label, said = registry.omnibus(unit.answer("omnibus")).label, format_pvalue(pvalue)
    if pvalue <= unit.alpha:
        agrees = (
            "also finds differences" if unit.n_significant else "finds a difference, but no single pair is significant"
        )
    else:
        agrees = "is not significant on its own" if unit.n_significant else "finds no difference either"
    return f" {label} {agrees} ({said})."


# The pairs, and what does not follow.


def _pairs(unit: AnyUnit) -> tuple[str, ...]:
    """Every significant pair where they are few; by winner where they are more; counts where they are many."""
    if _two(unit) or not unit.n_significant:
        return ()
    if unit.n_significant <= MOST_PAIRS:
        return tuple(_sized(unit, pair) for pair in unit.significant_pairs)
    return (*_in_groups(unit), *_borderline(unit))


def _is_close(pair: PairResult) -> bool:
    """Whether the interval of a significant pair reaches the value of no difference."""
    return bool(np.isfinite([pair.low, pair.high]).any() and pair.low <= pair.neutral <= pair.high)


def _borderline(unit: AnyUnit) -> Iterator[str]:
    """The significant pairs whose intervals say otherwise, by name as far as there is room."""
    pairs, names = unit.pairs, unit.pairs.algorithms
    shown = np.flatnonzero((pairs.adjusted <= unit.alpha) & (pairs.side != 0))
    _, low, high = pairs.estimates.of(shown)
    shown = shown[np.isfinite([low, high]).any(axis=0) & (low <= pairs.neutral) & (pairs.neutral <= high)]
    winner, loser = np.where(pairs.side > 0, (pairs.first, pairs.second), (pairs.second, pairs.first))[:, shown]
    rank = np.array([unit.names.index(name) for name in names])
    order = np.lexsort((rank[loser], rank[winner]))
    close = [f"{names[i]} over {names[j]}" for i, j in zip(winner[order], loser[order], strict=True)]
    if close:
        are, whose = ("is", "its interval reaches") if len(close) == 1 else ("are", "their intervals reach")
        yield f"{share_of(len(close), unit.n_significant)} {are} borderline, as {whose} 0: {listed(close, most=3)}."


def _in_groups(unit: AnyUnit) -> tuple[str, ...]:
    """Many significant pairs: by winner, or counted."""
    if unit.facts.control is not None:
        beat, lose = unit.beaten_by(unit.facts.control), unit.beats(unit.facts.control)
        said = (("Better", beat), ("Worse", lose))
        return tuple(f"{word} than the control: {listed(names, most=12)}." for word, names in said if names)
    if len(unit.names) <= MOST_RANKED:
        return tuple(_by_winners(unit))
    return _counts(unit)


def _by_winners(unit: AnyUnit) -> Iterator[str]:
    """Who is better than whom, in one sentence for all that are better than the same ones."""
    winners: dict[tuple[str, ...], list[str]] = {}
    for name in unit.names:
        winners.setdefault(tuple(unit.beats(name)), []).append(name)
    for beaten, names in winners.items():
        if beaten:
            are = "is" if len(names) == 1 else "are each"
            yield f"{listed(names, most=12)} {are} significantly better than {listed(beaten, most=12)}."


def _sized(unit: AnyUnit, pair: PairResult) -> str:
    quantity, value, *_ = _written(unit, pair)
    difference = quantity.difference(value) or f"a difference of less than {quantity.resolution()}"
    size = f"{difference} {unit.where(pair)}{_interval(unit, pair)}, {format_pvalue(pair.adjusted)}"
    twist = _twist(unit, pair)
    close = " (borderline: the interval reaches 0)" if _is_close(pair) else ""
    return f"{pair.a} is better than {pair.b}{close}{f'{twist} ({difference})' if twist else f': {size}'}."


def _counts(unit: AnyUnit) -> tuple[str, ...]:
    """What the headline has no room for: it tells who wins, and of whom two or fewer may be as good."""
    if kind_of(unit) in (Kind.ONE_WINNER, Kind.ALL_BUT):
        return ()
    leader, first = unit.leader, unit.could_be_first
    beaten, winners = unit.beats(leader), unit.beaten_by(leader)
    lost = f" and significantly worse than {listed(winners)}" if winners else ""
    return (
        f"{_leads(unit)}; {leader if len(unit.leaders) > 1 else 'it'} is significantly better than {len(beaten)} of the other {len(unit.names) - 1}{lost}.",
        f"Could be first, as no algorithm is significantly better: {listed(first, most=12)}.",
    )


def _not_implied(unit: AnyUnit) -> tuple[str, ...]:
    """What readers might wrongly conclude: each sentence is a warning that stands by itself."""
    sentences = []
    if unit.n_significant + len(unit.undirected) < unit.pairs.n_pairs and not unit.all_equal:
        cure = ""
        if unit.practical is not None:
            cure = ": only the probabilities of practical equivalence address that"
        elif unit.pairs.has_end(np.isfinite):
            cure = ": the intervals show which differences remain possible"
        sentences.append(f"No significant difference does not mean no difference{cure}.")
    if unit.n_significant:
        sentences.append("A significant difference may be too small to matter: check its size.")
    if unit.facts.control is not None and not _two(unit):
        sentences.append(
            f"Each algorithm was compared only with {unit.facts.control}: the others were not compared with one another."
        )
    if unit.place:
        sentences.append(f"What holds on {unit.place} may not hold on any other dataset.")
    elif unit.n_significant:
        sentences.append(unit.words.elsewhere)
    if unit.order is not None:
        sentences.append("Another cost may put another algorithm first.")
    return tuple(sentences)
