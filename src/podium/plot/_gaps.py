"""The figures of a verdict: how far each is behind the best or from the control; of two, the difference on each dataset."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

from podium.comparison.comparison import MEAN_RANK, Comparison, Ranked
from podium.core.errors import ArgumentError
from podium.core.numbers import capital, counted, fixed, number
from podium.plot.axes import minus, with_room
from podium.plot.figure import Ax, Width, figure
from podium.plot.rows import MOST_BARS, Bars, Row, Rows, Tone, decided_row, rows_of, spread_dots
from podium.plot.sources import PairsView, pairs_view
from podium.stats.pairwise.pair_result import effect_kind

MOST_OPEN = 20  # algorithms; of more, those that could be first and a few others are open
MORE_OPEN = 5
MOST_DOTS = 1000  # of a strip; of more, every second, third ... by size is drawn
MOST_WITH_BARS = 12  # rows; letters in the table tell the groups of more
MOST_LETTERS = 26  # more groups than letters are not named


@figure
def gaps(result: Comparison, *, ax: Ax = None, width: Width = None) -> Rows:
    """How far each algorithm is behind the best, or from the control, with its interval; filled where that is shown.

    A filled mark is shown by the adjusted p-value, a hollow one may be chance, a half-filled one is a close decision: p-value
    and interval disagree. The tint marks those that could be first. Of more than 20 algorithms, those that could be first and
    five more are drawn.
    """
    if len(result.ranking) < 2:
        raise ArgumentError("A gap needs two algorithms.")
    view = pairs_view(result)
    return _gaps_to_best(result, view) if result.facts.control is None else _gaps_to_control(result, view)


def _gaps_to_best(comparison: Comparison, view: PairsView) -> Rows:
    ranking, by_rank = comparison.ranking, comparison.words.by == MEAN_RANK
    best = ranking[0].algorithm
    scores = comparison.quantity.column([row.mean_score for row in ranking])
    rows = []
    for place, ranked in enumerate(ranking):
        standing = fixed(ranked.mean_rank, 2) if by_rank else minus(scores.text(ranked.mean_score))
        rows.append(_gap_row(view, best, ranked, standing, is_best=place == 0))
    bars, letters, told = _groups(comparison)
    return rows_of(
        f"Gap to {best}, the best by {comparison.words.by}",
        f"{capital(view.quantity.measured)} behind {best}; left of 0: ahead of it",
        rows,
        reference=0.0,
        band=view.band,
        heads=("Gap", view.interval_head, "Mean rank" if by_rank else "Score"),
        minor=(1,),
        bars=bars,
        letters=letters,
        shown=_open(ranking),
        note=view.intervals_are,
        joins=told,
        legend=(*view.legend, ("tint", "could be first")),
    )


def _gap_row(view: PairsView, best: str, ranked: Ranked, standing: str, *, is_best: bool) -> Row:
    """One algorithm: how far the best is ahead of it."""
    name, first = ranked.algorithm, ranked.rank_low == 1
    if is_best:
        return Row(names=(name,), value=0.0, tone="reference", texts=("0", "", standing), tinted=first)
    pair = view.pairs.pair(best, name)
    tone: Tone = "behind" if pair.side > 0 else "ahead"
    row = decided_row((name,), view.gains(pair), view.quantity, p=pair.adjusted, alpha=view.alpha, tone=tone)
    return replace(row, texts=(*row.texts[:2], standing), tinted=first)


def _open(ranking: Sequence[Ranked]) -> int:
    """How many rows are open: all of a few, else those up to the last that could be first and a few more."""
    if len(ranking) <= MOST_OPEN:
        return len(ranking)
    last = max(place for place, row in enumerate(ranking, start=1) if row.rank_low == 1 or place == 1)
    return max(last + MORE_OPEN, MOST_OPEN)


def _groups(comparison: Comparison) -> tuple[Bars, tuple[str, ...], str]:
    """Groups as bars with the letters that the table has, and what they mean; of many rows the letters tell."""
    place = {row.algorithm: i for i, row in enumerate(comparison.ranking)}
    groups = [tuple(sorted(place[name] for name in group)) for group in comparison.groups if len(group) > 1]
    few = len(place) <= MOST_WITH_BARS and len(groups) <= MOST_BARS
    bars = tuple(enumerate(sorted(groups))) if few else ()  # each in a lane of its own, below its letter
    if not bars:
        lettered = 0 < len(groups) <= MOST_LETTERS
        return (), (), "Letters in the table say which are not told apart." if lettered else ""
    letters = tuple(_letter(comparison, group) for _, group in bars)
    joins = "A bar joins algorithms that are not told apart"
    told = f"{joins}; those that share no bar are shown to differ." if _bars_tell_all(comparison) else f"{joins}."
    return bars, letters, told


def _letter(comparison: Comparison, places: Sequence[int]) -> str:
    """The letter that the members of a group share; none where the table has no letters."""
    shared = set.intersection(*(set(comparison.ranking[place].group) for place in places))
    return min(shared, default="")


def _bars_tell_all(comparison: Comparison) -> bool:
    """Whether every pair that no group holds is told apart."""
    joined = {pair for group in comparison.groups for pair in itertools.permutations(group, 2)}
    pairs = comparison.pairs
    return all(pair in joined for pair, p in zip(pairs.names, pairs.adjusted, strict=True) if not p <= comparison.alpha)


def _gaps_to_control(comparison: Comparison, view: PairsView) -> Rows:
    """Each algorithm's difference from the control, the largest first; the control has its own row, at 0."""
    control = comparison.facts.control or ""
    names = [row.algorithm for row in comparison.ranking]
    spans = {name: view.gains(view.pairs.pair(name, control)) for name in names if name != control}
    sizes = {control: 0.0, **{name: -math.inf if math.isnan(span[0]) else span[0] for name, span in spans.items()}}
    rows = []
    for name in sorted(names, key=lambda name: -sizes[name]):
        if name == control:
            rows.append(
                Row(names=(name,), value=0.0, tone="reference", tag="control", texts=("0", "", ""), tinted=True)
            )
            continue
        pair = view.pairs.pair(name, control)
        tone: Tone = "behind" if pair.side < 0 else "ahead"
        rows.append(decided_row((name,), spans[name], view.quantity, p=pair.adjusted, alpha=view.alpha, tone=tone))
    place = next(i for i, row in enumerate(rows, start=1) if row.tone == "reference")
    return rows_of(
        f"Difference from the control {control}",
        f"{capital(view.quantity.measured)}; right of 0: {view.quantity.direction} {comparison.table.metric.said} than the control",
        rows,
        reference=0.0,
        band=view.band,
        heads=("Difference", view.interval_head, "Adj. p"),
        minor=(1,),
        shown=max(MOST_OPEN, place),
        note=view.intervals_are,
        legend=view.legend,
    )


@figure
def strip(result: Comparison, *, ax: Ax = None, width: Width = None) -> Rows:
    """Of two algorithms, a dot for the difference on each dataset, and the typical difference with its interval."""
    if len(result.ranking) != 2:
        raise ArgumentError("A strip shows two algorithms on the same datasets: compare two.")
    view, quantity = pairs_view(result), result.quantity
    first, second = view.pairs.winner_first()[["a", "b"]].iloc[0]
    pair = view.pairs.pair(first, second)
    table = result.table.select([first, second])
    dots = [dot for dot in quantity.written(table.gains[:, 0] - table.gains[:, 1]).tolist() if math.isfinite(dot)]
    same_scale = not effect_kind(view.pairs.effect_name).relative
    typical = decided_row((), view.gains(pair), view.quantity, p=pair.adjusted, alpha=view.alpha, tone="ahead")
    ends = [0.0, *dots, *(view.band or ()), *(typical.ends if same_scale else ())]
    limits = with_room(ends, 0.04, 1.0)
    drawn = sorted(dots)[:: -(-len(dots) // MOST_DOTS)] if dots else []
    every = "" if len(drawn) == len(dots) else f", {number(len(drawn))} of them"
    label = f"{counted(len(dots), 'dataset')}{every}"
    rows = [Row(names=(), label=label, dots=spread_dots(drawn, *limits), texts=("",))]
    if same_scale:
        rows.append(replace(typical, label="Typical", texts=typical.texts[:1]))
    title = f"{first} minus {second}" if quantity.sign > 0 else f"How much lower {first} is than {second}"
    equal = f", and {pair.ties} are equal" if pair.ties else ""
    return rows_of(
        f"{title} on each dataset",
        f"{capital(quantity.measured)}; right of 0: {first} is better",
        rows,
        limits=limits,
        reference=0.0,
        band=view.band,
        heads=("Difference",),
        note=f"{first} won {pair.wins}, {second} {pair.losses}{equal}.",
        legend=view.legend,
    )
