"""Figures of pairs as rows: the gaps of a verdict, the strip of two algorithms, and the forest plot with its rope."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from podium.comparison.comparison import MEAN_RANK, Comparison, Ranked
from podium.core.errors import ArgumentError
from podium.core.numbers import capital, counted, fixed, number
from podium.core.quantity import Quantity
from podium.plot.axes import Axis, minus, with_room
from podium.plot.figure import Sheet, figure
from podium.plot.rows import MOST_BARS, Bars, Interval, Row, Rows, Tone, decided_row, ends_text, rows_of, spread_dots
from podium.plot.scene import Rect
from podium.plot.sources import PairsSource, PairsView, pairs_view
from podium.stats.pairwise.pair_result import PairResult, effect_kind

# Rows of a verdict, and how many after those that could be first; the others are folded.
LEAST_OPEN, MOST_OPEN, MORE_OPEN = 20, 60, 5
PRACTICAL = ("P worse", "P equiv.", "P better")  # beside a gap, where there is a rope; a page has the middle one
MOST_DOTS = 1000  # of a strip; of more, every second, third ... by size is drawn
MOST_WITH_BARS = 12  # rows; letters in the table tell the groups of more
MOST_LETTERS = 26  # more groups than letters are not named


@figure
def gaps(result: Comparison, **sheet: Unpack[Sheet]) -> Rows:
    """How far each algorithm is behind the best, or from the control, with its interval; filled where that is shown.

    A filled mark is shown by the adjusted p-value, a hollow one may be due to chance, a half-filled one is borderline: p-value
    and interval disagree. The tint marks those that could be first. Of more than 20 algorithms, those that could be first and
    five more are drawn, at least 20 and at most 60.

    Parameters
    ----------
    result : Comparison
        A comparison, as `podium.compare` makes it.

    Examples
    --------
    >>> import podium
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> gaps(podium.compare(scores, metric="accuracy")).svg()[:4]
    '<svg'
    """
    if len(result.ranking) < 2:
        raise ArgumentError("A gap needs two algorithms.")
    control = result.facts.control
    view = pairs_view(result, of=control or result.ranking[0].algorithm)
    return _gaps_to_best(result, view) if control is None else _gaps_to_control(result, view)


def _gaps_to_best(comparison: Comparison, view: PairsView) -> Rows:
    ranking, by_rank = comparison.ranking, comparison.words.by == MEAN_RANK
    best = ranking[0].algorithm
    scores = comparison.quantity.column([row.mean_score for row in ranking])
    rows = []
    for place, ranked in enumerate(ranking):
        standing = fixed(ranked.mean_rank, 2) if by_rank else minus(scores.text(ranked.mean_score))
        rows.append(_gap_row(view, best, ranked, standing, is_best=place == 0))
    bars, letters, joins = _groups(comparison)
    standing_head = "Mean rank" if by_rank else capital(comparison.quantity.head)
    return _rows(
        view,
        f"Gap to {best}, the best by {comparison.words.by}",
        f"{capital(view.quantity.measured)} behind {best}; left of 0: ahead",
        rows,
        heads=("Gap", view.interval_head, *(PRACTICAL if view.practical else [standing_head])),
        bars=bars,
        letters=letters,
        shown=min(max(LEAST_OPEN, _last_first(ranking) + MORE_OPEN), MOST_OPEN),
        joins=joins,
        legend=(*view.legend, ("tint", "could be first")),
    )


def _last_first(ranking: Sequence[Ranked]) -> int:
    """The place of the last algorithm that could be first."""
    return max(place for place, row in enumerate(ranking, start=1) if row.rank_low == 1)


def _rows(view: PairsView, title: str, scale: str, rows: Sequence[Row], **more: Any) -> Rows:
    """Rows of gains around 0, with the rope; what the intervals are, and what marks mean."""
    lines = {row.has_interval for row in rows if row.has_interval or row.lacks_interval}
    lack = " No line: too few data for an interval." if len(lines) > 1 else ""  # without any, the note says it for all
    minor = (1, 2, 4) if more["heads"][2:] == PRACTICAL else (1,)
    own = {"minor": minor, "note": view.intervals_are + lack, "legend": view.legend, **more}
    return rows_of(title, scale, rows, reference=0.0, band=view.band, **own)


def _gap_row(view: PairsView, best: str, ranked: Ranked, standing: str, *, is_best: bool) -> Row:
    """One algorithm: how far the best is ahead of it."""
    name, first = ranked.algorithm, ranked.rank_low == 1
    if is_best:
        return Row(
            names=(name,),
            value=0.0,
            tone="reference",
            texts=("0", "", *(("", "", "") if view.practical else (standing,))),
            tinted=first,
        )
    pair = view.pairs.pair(best, name)
    row = _pair_row(view, pair, (name,), tone="behind" if pair.side > 0 else "ahead")
    return replace(row, texts=(*row.texts[:2], *(_probabilities(view, name, best) or (standing,))), tinted=first)


def _practical_head(view: PairsView) -> tuple[str, ...]:
    """The head of the column that there is with a rope."""
    return () if view.practical is None else ("P equiv.",)


def _probabilities(view: PairsView, name: str, other: str) -> tuple[str, ...]:
    """How probable it is that one is practically worse than another, equivalent to it, or better; nothing without a rope."""
    if view.practical is None:
        return ()
    places = view.practical.algorithms.index(name), view.practical.algorithms.index(other)
    return tuple(fixed(float(view.practical.matrix(part)[places]), 3) for part in ("p_left", "p_rope", "p_right"))


def _groups(comparison: Comparison) -> tuple[Bars, tuple[str, ...], str]:
    """Groups as bars with the letters that the table has, and what they mean; of many rows the letters tell."""
    place = {row.algorithm: i for i, row in enumerate(comparison.ranking)}
    groups = [tuple(sorted(place[name] for name in group)) for group in comparison.groups if len(group) > 1]
    few = len(place) <= MOST_WITH_BARS and len(groups) <= MOST_BARS
    bars = tuple(enumerate(sorted(groups))) if few else ()  # each in a lane of its own, below its letter
    if not bars:
        lettered = 0 < len(groups) <= MOST_LETTERS
        return (), (), "Letters in the table show which do not differ significantly." if lettered else ""
    letters = tuple(_letter(comparison, group) for _, group in bars)
    joins = "Bars connect algorithms that do not differ significantly"
    apart = len(set().union(*groups)) < len(place) or len(groups) > 1
    tells = apart and _bars_tell_all(comparison)
    meaning = f"{joins}; those that share no bar differ significantly." if tells else f"{joins}."
    return bars, letters, meaning


def _letter(comparison: Comparison, places: Sequence[int]) -> str:
    """The letter that the members of a group share; none where the table has no letters."""
    shared = set.intersection(*(set(comparison.ranking[place].group) for place in places))
    return min(shared, default="")


def _bars_tell_all(comparison: Comparison) -> bool:
    """Whether every pair that no group holds differs significantly."""
    joined = {pair for group in comparison.groups for pair in itertools.permutations(group, 2)}
    pairs = comparison.pairs
    return all(pair in joined for pair, p in zip(pairs.names, pairs.adjusted, strict=True) if not p <= comparison.alpha)


def _gaps_to_control(comparison: Comparison, view: PairsView) -> Rows:
    """Each algorithm's difference from the control, the largest first; the control has its own row, at 0."""
    control = comparison.facts.control or ""
    names = [row.algorithm for row in comparison.ranking]
    pairs = {name: view.pairs.pair(name, control) for name in names if name != control}
    sizes = {name: np.nan_to_num(view.gains(pair)[0], nan=-np.inf) for name, pair in pairs.items()} | {control: 0.0}
    heads = ("Gain", view.interval_head, *(PRACTICAL if view.practical else ["Adj. p"]))
    rows = []
    for name in sorted(names, key=lambda name: -sizes[name]):
        if name == control:
            rows.append(
                Row(
                    names=(name,),
                    value=0.0,
                    tone="reference",
                    tag="control",
                    texts=("0", *[""] * (len(heads) - 1)),
                    tinted=True,
                )
            )
            continue
        row = _pair_row(view, pairs[name], (name,))
        further = _probabilities(view, name, control)
        rows.append(replace(row, texts=(*row.texts[:2], *further)) if further else row)
    place = next(i for i, row in enumerate(rows, start=1) if row.tone == "reference")
    return _rows(
        view,
        f"Difference from the control {control}",
        f"{capital(view.quantity.measured)}; right of 0: {view.quantity.direction} {comparison.table.metric.display_name} than the control",
        rows,
        heads=heads,
        shown=max(LEAST_OPEN, place),
    )


@figure
def strip(result: Comparison, *, algorithms: tuple[str, str] | None = None, **sheet: Unpack[Sheet]) -> Rows:
    """Of two algorithms, a dot for the difference on each dataset, and the typical difference with its interval.

    Parameters
    ----------
    result : Comparison
        A comparison over datasets.
    algorithms : (str, str), optional
        The two algorithms; by default the first two of the ranking.

    Examples
    --------
    >>> import podium
    >>> strip(podium.compare([[0.9, 0.8], [0.8, 0.7], [0.7, 0.8], [0.9, 0.85]], metric="accuracy")).svg()[:4]
    '<svg'
    """
    if result.words.by != MEAN_RANK or len(result.ranking) < 2:
        raise ArgumentError("A strip shows two algorithms on the same datasets: compare two or more over datasets.")
    view, quantity = pairs_view(result), result.quantity
    chosen = algorithms or (result.ranking[0].algorithm, result.ranking[1].algorithm)
    pair = view.pairs.pair(*chosen)
    pair = view.pairs.pair(*chosen[::-1]) if view.gains(pair)[0] < 0 else pair
    first, second = pair.a, pair.b
    table = result.table.select([first, second])
    dots = [dot for dot in quantity.written(table.gains[:, 0] - table.gains[:, 1]).tolist() if math.isfinite(dot)]
    same_scale = not effect_kind(view.pairs.effect_name).relative
    typical = _pair_row(view, pair, ())
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
    return _rows(
        view,
        f"{title} on each dataset",
        f"{capital(quantity.measured)}; right of 0: {first} is better",
        rows,
        limits=limits,
        heads=("Difference",),
        minor=(),
        note=f"{first} won {pair.wins}, {second} {pair.losses}{equal}.",
    )


@figure
def forest(
    result: PairsSource,
    *,
    algorithm: str | None = None,
    alpha: float = 0.05,
    rope: float | None = None,
    most: int | None = None,
    **sheet: Unpack[Sheet],
) -> Rows:
    """The gain of each pair with its interval and adjusted p-value, the one that is ahead named first.

    Of a comparison the leader against each of the others is on top, then the closest pairs; else the largest difference. Right of 0 the first is better, whichever direction that is; with a control, each algorithm is
    shown over the control. A mark is filled where the adjusted p-value decides, half filled where the interval says otherwise; an
    interval without an end is an arrow.

    Parameters
    ----------
    result : Comparison or PairsResult
        A comparison, or a result on pairs.
    algorithm : str, optional
        Show only the pairs of this one, all seen from it.
    alpha : float, default 0.05
        Significance level of the pairs; a comparison has its own.
    rope : float, optional
        Differences up to this are shaded; a comparison brings its own.
    most : int, optional
        The most pairs to show: the first of them.

    Examples
    --------
    >>> import podium
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> forest(podium.stats.all_pairs(scores)).svg()[:4]
    '<svg'
    """
    view = pairs_view(result, alpha, rope)
    if algorithm is not None:
        frame = view.pairs.seen_from(algorithm)
    elif view.pairs.control is None:
        frame = result.leader_first() if isinstance(result, Comparison) else view.pairs.winner_first()
    else:
        frame = view.pairs.against(view.pairs.control)
    if frame["effect"].isna().all():
        raise ArgumentError("No pair has an effect: there is nothing to draw.")
    pairs = [view.pairs.pair(a, b) for a, b in zip(frame["a"], frame["b"], strict=True)]
    chosen = pairs[:most]
    left_out = view.pairs.n_pairs - len(chosen)
    total = f"{len(chosen)} of {view.pairs.n_pairs} pairs. " if left_out > 0 and view.pairs.control is None else ""
    return _rows(
        view,
        "The first over the second",
        f"Gain of the first, {view.quantity.measured}{view.lower_is_better}",
        [_pair_row(view, pair, (pair.a, pair.b), further=_probabilities(view, pair.a, pair.b)[1:2]) for pair in chosen],
        heads=("Gain", view.interval_head, *_practical_head(view), "Adj. p"),
        note=f"{total}{view.intervals_are}",
    )


def _pair_row(
    view: PairsView,
    pair: PairResult,
    names: tuple[str, ...],
    *,
    tone: Tone | None = None,
    further: tuple[str, ...] = (),
) -> Row:
    """One pair, seen from its first."""
    tone = tone or ("behind" if pair.side < 0 else "ahead")
    span = view.gains(pair)
    return decided_row(names, span, view.quantity, p=pair.adjusted, alpha=view.alpha, tone=tone, further=further)


def interval_rows(
    labels: Sequence[str],
    intervals: Sequence[Interval],
    *,
    rope: float | None = None,
    scale: str = "difference",
    head: str = "Interval",
    title: str = "Differences with intervals",
) -> Rows:
    """Differences as they are written, each with its own interval; full where that excludes 0."""
    quantity = Quantity().column([value for row in intervals for value in row])
    rows = [
        Row(
            names=(),
            label=label,
            value=estimate,
            low=low,
            high=high,
            fill="full" if low > 0 or high < 0 else "none",
            texts=(minus(quantity.text(estimate)), ends_text(quantity, low, high)),
        )
        for label, (estimate, low, high) in zip(labels, intervals, strict=True)
    ]
    return rows_of(
        title,
        scale,
        rows,
        reference=0.0,
        band=None if rope is None else (-rope, rope),
        heads=("Difference", head),
        minor=(1,),
        legend=(
            ("plain", "the interval excludes 0"),
            ("none", "it does not"),
            ("band", "differences that do not matter"),
        ),
    )


def rope_band(x: Axis, rope: float, top: float, bottom: float) -> Rect:
    """The region of practical equivalence, shaded."""
    start, end = x(-rope), x(rope)
    return Rect(start, top, end - start, bottom - top, fill="wash", stroke=None, title=f"rope: \u00b1{number(rope, 6)}")
