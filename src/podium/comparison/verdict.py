"""The verdict in plain sentences: who wins, by how much, how sure, on what; the cost; what does not follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from podium.comparison.comparison import Verdict
from podium.comparison.evidence import DatasetEvidence, Evidence
from podium.core.metric import known_metric
from podium.core.numbers import (
    WORDS,
    Unit,
    as_given,
    capital,
    counted,
    listed,
    percent,
    said_probability,
    said_pvalue,
    spelled,
)
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, excess

if TYPE_CHECKING:
    from podium.ordering._multi2test import Multi2TestResult

MOST_PAIRS = 6  # told one by one; more are grouped by their winner
MOST_RANKED = 12  # algorithms; of more than that, only counts and those that could be first are told
SURE = 0.95  # a practical verdict needs this probability
MANY_HOLES = 0.05  # missing scores; above this share the verdict says what became of them
FIRST_FOLD = "difference on the first fold"  # which the 5x2 cv t test looks at
RELATIVE = ("mean relative difference", "geometric mean ratio")  # effects that have no unit of the metric
# Words with which a headline may begin, beside names.
OPENERS = ("all", "each", "neither", "none", "with", *WORDS)
TYPICAL = ("Hodges-Lehmann difference", "median difference")


def verdict_of(found: Evidence, *, on_what: str, cost: str = "") -> Verdict:
    """What was found, said as a person would say it; on what and at what cost is said by those who know the unit."""
    headline = next(told for fits, told in HEADLINES if fits(found))(found)
    return Verdict(
        headline=f"On {found.one_dataset}, {headline}." if found.one_dataset else f"{_capital(headline, found.names)}.",
        how_much=_how_much(found),
        how_sure=_how_sure(found),
        on_what=on_what,
        cost=cost,
        pairs=_pairs(found),
        does_not_follow=_does_not_follow(found),
    )


# Headlines: the first that fits.


def _two(found: Evidence) -> bool:
    return len(found.ranking) == 2


def _practical_two(found: Evidence) -> float | None:
    """The probability that the difference of the only two is of no consequence."""
    if not _two(found) or found.practical is None:
        return None
    return float(found.practical.matrix("p_rope")[0, 1])


def _same_scores(found: Evidence) -> str:
    who = listed(found.names) if _two(found) else f"all {spelled(len(found.names))} algorithms"
    return f"{who} have the same scores on every {found.rows.removesuffix('s')}: there is nothing to tell apart"


def _nothing_possible(found: Evidence) -> str:
    n = int(found.pairs.n.max())
    return (
        f"with only {counted(n, 'dataset')} no two algorithms can be told apart, whatever the scores; {_leads(found)}"
    )


def _equivalent(found: Evidence) -> str:
    sure = f"within {found.unit.given(found.facts.rope or 0)} with probability {said_probability(_practical_two(found) or 0)}"
    if found.n_shown:
        winner, loser = found.shown[0].a, found.shown[0].b
        return f"{winner} is better than {loser}, but by too little to matter: they are {sure}"
    return f"{listed(found.names)} are practically equivalent: {sure}"


def _two_apart(found: Evidence) -> str:
    pair = found.shown[0]
    return f"{pair.a} is better than {pair.b}{_twist(found, pair) or _by(found, pair)}"


def _against_control(found: Evidence) -> str:
    control, others = found.facts.control or "", len(found.names) - 1
    none = "neither of the two" if others == 2 else f"none of the {spelled(others)}"
    beat, lose = found.better_than(control), found.beaten_by(control)
    named = f"the control, {control}"
    if not beat and not lose:
        return f"{none} is shown to differ from {named}"
    worse = f"; {listed(lose, most=3)} {'is' if len(lose) == 1 else 'are'} shown to be worse" if lose else ""
    if not beat:
        return f"{none} beats {named}{worse}"
    if len(beat) == others > 1:
        return f"each of the {spelled(others)} beats {named}"
    verb = "beats" if len(beat) == 1 else "beat"
    return f"{spelled(len(beat))} of {spelled(others)} algorithms {verb} {named}: {listed(beat, most=3)}{worse}"


def _is_beaten(found: Evidence) -> str:
    masters = found.better_than(found.leader)
    are = "is" if len(masters) == 1 else "are"
    return f"{_leads(found)}, yet {listed(masters, most=3)} {are} shown to be better than {found.leader}"


def _open(found: Evidence) -> list[str]:
    beaten = found.beaten_by(found.leader)
    return [name for name in found.names[1:] if name not in beaten]


def _all_but(found: Evidence) -> str:
    still = _open(found)
    rest = listed(still)
    return (
        f"{_leads(found)} and beats all but {rest}; its lead over {'both' if len(still) == 2 else rest} may be chance"
    )


def _beats_some(found: Evidence) -> str:
    beaten, lead = found.beaten_by(found.leader), f"lead over the other {spelled(len(_open(found)))} may be chance"
    if len(beaten) == 1:
        only = f"but only {beaten[0]} is shown to be worse"
        return f"{_leads(found)}, {only}; {found.leader}'s {lead}"
    return f"{_leads(found)} and beats {listed(beaten, most=4)}; its {lead}"


def _others_differ(found: Evidence) -> str:
    lead = f"{_leads(found)}, but its lead may be chance"
    if found.n_shown > 1:
        return f"{lead}; {spelled(found.n_shown)} pairs of the others do differ"
    pair = found.shown[0]
    return f"{lead}; the only difference shown is that {pair.a} is better than {pair.b}"


def _shared_first(found: Evidence) -> str:
    """Several have the same rank or score: none of them leads."""
    first, all_of_them = found.leaders, "both" if len(found.leaders) == 2 else "all of them"
    masters = [name for name in found.names if set(found.beaten_by(name)) & set(first)]
    if masters:
        lost = [name for name in first if found.better_than(name)]
        are = "is" if len(masters) == 1 else "are"
        return f"{_leads(found)}, yet {listed(masters, most=3)} {are} shown to be better than {listed(lost, most=3)}"
    beaten = [name for name in found.names if set(first) <= set(found.better_than(name))]
    if not beaten:
        return f"{_leads(found)}, and no algorithm is shown to be worse than {all_of_them}"
    return f"{_leads(found)} and {'both' if len(first) == 2 else 'all'} beat {listed(beaten, most=4)}"


def _leads(found: Evidence) -> str:
    if len(found.leaders) > 1:
        return f"{listed(found.leaders, most=4)} share the first place"
    return f"{found.leader} {'scores' if found.by_score else 'ranks'} best"


HEADLINES: tuple[tuple[Callable[[Evidence], bool], Callable[[Evidence], str]], ...] = (
    (lambda found: found.all_equal, _same_scores),
    (lambda found: (_practical_two(found) or 0) >= SURE, _equivalent),
    (lambda found: found.hopeless, _nothing_possible),
    (lambda found: found.facts.control is not None and not _two(found), _against_control),
    (lambda found: _two(found) and found.n_shown == 1, _two_apart),
    (_two, lambda found: f"{listed(found.names)} cannot be told apart"),
    (lambda found: found.n_shown == 0, lambda found: "no algorithm is shown to be better than another"),
    (
        lambda found: not _open(found),
        lambda found: f"{found.leader} is better than each of the other {spelled(len(found.names) - 1)}",
    ),
    (lambda found: len(found.leaders) > 1, _shared_first),
    (lambda found: bool(found.better_than(found.leader)), _is_beaten),
    (
        lambda found: len(found.names) > MOST_RANKED and len(_open(found)) > 2,
        lambda found: f"no single winner: {len(found.could_be_first)} of {len(found.names)} algorithms could be first",
    ),
    (lambda found: not found.beaten_by(found.leader), _others_differ),
    (lambda found: len(_open(found)) <= 2, _all_but),
    (lambda found: True, _beats_some),
)


# How much: the pair that the headline is about.


def _main_pair(found: Evidence) -> PairResult:
    """The two; the first against the control; the first against the second."""
    control = found.facts.control
    if control is None and found.better_than(found.leader):
        return found.pairs.pair(found.better_than(found.leader)[0], found.leader)
    if control is None or _two(found):
        return found.shown[0] if _two(found) and found.n_shown else found.pairs.pair(*found.names[:2])
    rivals = found.better_than(control) or [name for name in found.names if name != control]
    return found.pairs.pair(rivals[0], control)


def _how_much(found: Evidence) -> str:
    if found.all_equal:
        return ""
    pair = _main_pair(found)
    size = _confidence(found, pair) or f"{_relation(found, pair)}{_interval(found, pair)}"
    return f"{size}{_record(found, pair)}. {_practical(found)}".rstrip()


def _confidence(found: Evidence, pair: PairResult) -> str:
    """The interval by itself, where the headline has told the size."""
    unit, value = _unit(found, pair)
    ends = excess(pair.effect_name, [pair.low, pair.high]).tolist()
    told = _two(found) and found.n_shown and not _twist(found, pair) and unit.told(value) and np.isfinite(ends).all()
    if not told or (_practical_two(found) or 0) >= SURE or ends[0] * ends[1] <= 0:
        return ""
    low, high = sorted(map(abs, ends))
    return f"With {percent(pair.confidence)} confidence the difference is {unit.sizes(low, high)}"


def _relation(found: Evidence, pair: PairResult) -> str:
    """Who has the higher or lower score, by how much."""
    unit, value = _unit(found, pair)
    told, where = unit.told(value), _where(found, pair)
    if pair.ties == pair.n:
        return f"{pair.a} and {pair.b} have the same score on every {found.rows.removesuffix('s')} that was compared"
    if told:
        verb = "has" if unit.noun else "scores"
        though = f"Though first by {'score' if found.by_score else 'rank'}, " if _behind(found, pair) else ""
        return f"{though}{pair.a} {verb} {told} than {pair.b} {where}"
    differ = f"differ by less than {unit.least()}" if value else "do not differ"
    return f"{'They' if _two(found) else f'{pair.a} and {pair.b}'} {differ} {where}"


def _behind(found: Evidence, pair: PairResult) -> bool:
    """Whether the leader has the worse score on a typical dataset than the one it is compared with."""
    gain = found.table.metric.sign * (pair.effect - pair.neutral)
    leads = pair.a == found.leader and pair.b not in found.leaders
    return leads and gain < 0 and not found.one_dataset and not _two(found)


def _unit(found: Evidence, pair: PairResult) -> tuple[Unit, float]:
    """The unit of a pair's effect, and the effect in it; ratios and relative differences are told in percent."""
    if pair.effect_name not in RELATIVE:
        return found.unit.at(pair.effect, pair.low, pair.high), pair.effect
    relative = replace(found.unit, points="percent", factor=100.0, digits=1)
    effect, low, high = excess(pair.effect_name, [pair.effect, pair.low, pair.high]).tolist()
    return relative.at(effect, low, high), effect


def _where(found: Evidence, pair: PairResult) -> str:
    if pair.effect_name == FIRST_FOLD:
        return "on the first fold"
    if found.one_dataset or not found.averages:
        return "on average over the folds" if found.averages else f"on these {found.rows}"
    return "on a typical dataset" if pair.effect_name in TYPICAL else "on average"


def _by(found: Evidence, pair: PairResult) -> str:
    """The size for a headline: "by 1.4 percentage points on a typical dataset", "with 0.101 lower error"."""
    unit, value = _unit(found, pair)
    told = unit.told(value)
    if not told:
        return f", if by less than {unit.least()} {_where(found, pair)}"
    return f", {f'by {unit.amount(value)}' if unit.points else f'with {told}'} {_where(found, pair)}"


def _interval(found: Evidence, pair: PairResult) -> str:
    if math.isnan(pair.low) or pair.ties == pair.n:
        return ""
    if math.isinf(pair.low) and math.isinf(pair.high):
        return f" (too few {found.rows} for a {percent(pair.confidence)} interval)"
    unit, value = _unit(found, pair)
    low, high = excess(pair.effect_name, [pair.low, pair.high]).tolist()
    alike = not unit.told(value)  # "they differ by less than ..." names nobody
    whose = f" for {pair.a}" if alike and (unit.told(low) or unit.told(high)) else ""
    together = "simultaneous " if found.together else ""
    return f" ({together}{percent(pair.confidence)} interval: {unit.span(low, high)}{whose})"


def _record(found: Evidence, pair: PairResult) -> str:
    if not _two(found) or not found.counts_wins:  # the table of pairs has it
        return ""
    ties = f", with {counted(pair.ties, 'tie')}" if pair.ties else ""
    return f"; of {counted(pair.n, found.rows[:-1])}, {pair.a} won {pair.wins} and lost {pair.losses}{ties}"


def _twist(found: Evidence, pair: PairResult) -> str:
    """What must be said where wins or the typical difference point away from the winner that the test names."""
    if found.counts_wins and pair.wins < pair.losses:
        return f": it wins less often ({pair.wins} to {pair.losses}), but by more"
    if found.table.metric.sign * (pair.effect - pair.neutral) * pair.side < 0:
        return " by the test, though the typical difference points the other way"
    return ""


def _practical(found: Evidence) -> str:
    """What the region of practical equivalence says."""
    practical, pairs = found.practical, found.pairs
    if practical is None or (_practical_two(found) or 0) >= SURE:
        return ""
    left, alike, right = (practical.matrix(name)[pairs.first, pairs.second] for name in ("p_left", "p_rope", "p_right"))
    rope = found.unit.given(found.facts.rope or 0)
    if pairs.n_pairs == 1:
        return f"The probability that they differ by more than {rope} is {said_probability(1 - float(alike[0]))}."
    same, different = int((alike >= SURE).sum()), int(((left >= SURE) | (right >= SURE)).sum())
    return (
        f"If up to {rope} does not matter, {same} of {pairs.n_pairs} pairs are practically equivalent and {different} "
        f"practically different (probability at least {percent(SURE)})."
    )


# How sure, and on what.


def _how_sure(found: Evidence) -> str:
    if found.all_equal:
        return ""
    pair = _main_pair(found)
    level = f"the level {as_given(found.alpha)}"
    if found.pairs.n_pairs == 1:
        told = "significant" if pair.adjusted <= found.alpha else "not significant"
        return f"{found.test_label}: {said_pvalue(pair.adjusted)}, {told} at {level}."
    count = f"{found.n_shown or 'None'} of {'' if found.n_shown else 'the '}{counted(found.pairs.n_pairs, 'pair')}"
    count += f" {'differs' if found.n_shown < 2 else 'differ'} at {level}{found.corrected}"
    return f"{count}; for {pair.a} and {pair.b}, {said_pvalue(pair.adjusted)}.{_omnibus(found)}"


def _omnibus(found: Evidence) -> str:
    """The test of all together, and whether it agrees with the pairs."""
    if found.omnibus is None:
        return ""
    pvalue = float(getattr(found.omnibus, "pvalue", np.nan))
    if found.order is not None and (pvalue <= found.alpha) == (found.n_shown > 0):
        return ""  # it agrees: room for the cost
    label, said = registry.omnibus(found.omnibus_name).label, said_pvalue(pvalue)
    if pvalue <= found.alpha:
        agrees = "agrees" if found.n_shown else "finds differences, but no pair can be named"
    else:
        agrees = "alone would not show a difference" if found.n_shown else "finds none either"
    return f" {label} {agrees} ({said})."


def dataset_verdict(found: DatasetEvidence) -> Verdict:
    """The verdict over datasets, or over the folds of one."""
    return verdict_of(found, on_what=_on_what(found), cost=_cost(found))


def _on_what(found: DatasetEvidence) -> str:
    facts, table = found.facts, found.table
    where = f"{found.one_dataset}" if found.one_dataset else counted(facts.n_datasets, "dataset")
    known = known_metric(table.metric.name)
    better = "" if known and known.direction == facts.direction else f" ({facts.direction} is better)"
    rows = ""
    if facts.has_folds:
        several = counted(facts.repeats, "repeat") if facts.folds == 1 else f"{facts.repeats} x {facts.folds} folds"
        each = several if facts.repeats > 1 else f"{facts.folds} folds"
        rows = f", over {each}" if found.one_dataset else f" (means of {each})"
    cells = facts.n_datasets * facts.n_algorithms
    are = "is" if len(facts.holes) == 1 else "are"
    holes = f"; {len(facts.holes)} of {cells} scores {are} missing" if facts.holes else ""
    if len(facts.holes) > MANY_HOLES * cells:
        holes += ", so each pair was compared on the datasets that both have"
    return f"Measured by {table.metric.said if found.unit.noun else 'a score'}{better} on {where}{rows}{holes}."


# The cost.


def _cost(found: Evidence) -> str:
    order = found.order
    if order is None:
        return ""
    cost, first, best = " and ".join(name.replace("_", " ") for name in order.cost_names), order.order[0], found.leader
    if first == best:
        return f"Counting {cost} too, {best} stays first."
    saved = _saved(order, first, best)
    # With a control, other pairs were not tested over the datasets.
    compared = found.facts.control in (None, first, best)
    if not compared or first in found.beaten_by(best):
        i, j = order.algorithms.index(best), order.algorithms.index(first)
        wins = int(order.first_better[:, i, j].sum())  # datasets whose own folds show it
        why = f", whose lead shows on only {wins} of {len(order.datasets)} single datasets"
    else:
        why = " and is not shown to be worse"
    return f"Counting {cost} too, {first} comes first: it {saved}{why}."


def _saved(order: Multi2TestResult, first: str, best: str) -> str:
    """How much less the first costs than the best, where the cost is measured."""
    average = dict(zip(order.algorithms, order.average_cost, strict=True))
    measured = order.cost_names[0] not in ("cost", "the given order") and len(order.cost_names) == 1
    if not measured or not average[best] > average[first]:
        return f"{'is cheaper' if average[best] > average[first] else 'is the better buy'} than {best}"
    return f"takes {percent(round(1 - average[first] / average[best], 2))} less than {best}"


# The pairs, and what does not follow.


def _pairs(found: Evidence) -> tuple[str, ...]:
    """Every significant pair where they are few; by winner where they are more; counts where they are many."""
    if _two(found) or not found.n_shown:
        return ()
    if found.n_shown <= MOST_PAIRS:
        return tuple(_sized(found, pair) for pair in found.shown)
    if found.facts.control is not None:
        beat, lose = found.better_than(found.facts.control), found.beaten_by(found.facts.control)
        said = (("Better", beat), ("Worse", lose))
        return tuple(f"{word} than the control: {listed(names, most=12)}." for word, names in said if names)
    if len(found.names) <= MOST_RANKED:
        winners = [(name, found.beaten_by(name)) for name in found.names]
        return tuple(f"{name} is better than {listed(beaten, most=12)}." for name, beaten in winners if beaten)
    return _counts(found)


def _sized(found: Evidence, pair: PairResult) -> str:
    unit, value = _unit(found, pair)
    told = unit.told(value) or f"a difference of less than {unit.least()}"
    size = f"{told} {_where(found, pair)}{_interval(found, pair)}, {said_pvalue(pair.adjusted)}"
    twist = _twist(found, pair)
    return f"{pair.a} is better than {pair.b}{f'{twist} ({told})' if twist else f': {size}'}."


def _counts(found: Evidence) -> tuple[str, ...]:
    leader, first = found.leader, found.could_be_first
    beaten, masters = found.beaten_by(leader), found.better_than(leader)
    lost = f" and loses to {listed(masters)}" if masters else ""
    return (
        f"{_leads(found)}; {leader if len(found.leaders) > 1 else 'it'} beats {len(beaten)} of the other {len(found.names) - 1}{lost}.",
        f"Could be first, as no algorithm is shown to be better: {listed(first, most=12)}.",
    )


def _does_not_follow(found: Evidence) -> tuple[str, ...]:
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
    if found.one_dataset:
        sentences.append(f"What holds on {found.one_dataset} need not hold on any other dataset.")
    elif found.n_shown:
        sentences.append(found.elsewhere)
    if found.order is not None:
        sentences.append("Another cost may put another algorithm first.")
    return tuple(sentences)


def _capital(sentence: str, names: Sequence[str]) -> str:
    """A sentence that begins with a capital, unless it begins with a name that has none, such as "one"."""
    first = sentence.split()[0]
    return capital(sentence) if first in OPENERS and first not in names else sentence
