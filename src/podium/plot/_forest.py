"""The forest plot: differences with their intervals, one line each, and the rope if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.core.errors import ArgumentError
from podium.core.numbers import fixed, number
from podium.core.quantity import Quantity
from podium.plot.axes import Axis, minus
from podium.plot.figure import Ax, Width, figure
from podium.plot.rows import Interval, Row, Rows, Tone, decided_row, ends_text, rows_of
from podium.plot.scene import Rect
from podium.plot.sources import PairsSource, PairsView, pairs_view

if TYPE_CHECKING:
    from podium.stats.pairwise.pair_result import PairResult

OPEN_PAIRS = 10  # largest undecided differences that are kept beside those decided


@figure
def forest(
    result: PairsSource,
    *,
    algorithm: str | None = None,
    alpha: float = 0.05,
    rope: float | None = None,
    most: int | None = None,
    ax: Ax = None,
    width: Width = None,
) -> Rows:
    """The gain of each pair with its interval and adjusted p-value, the one that is ahead named first.

    `result` is a comparison, which has its own level, or a result on pairs, decided at `alpha`; the largest difference is
    on top. With `algorithm`, only its pairs are shown, all seen from it; with a control, each algorithm over the control.
    Right of 0 the first is better, whichever direction that is. A mark is filled where the adjusted p-value decides, half
    filled where the interval says otherwise; an interval without an end is an arrow. Of more than `most` pairs, those that
    are decided and the largest others are kept. The `rope` is shaded; a comparison brings its own.
    """
    view = pairs_view(result, alpha, rope)
    if algorithm is not None:
        frame = view.pairs.seen_from(algorithm)
    elif view.pairs.control is None:
        frame = view.pairs.winner_first()
    else:
        frame = view.pairs.against(view.pairs.control)
    if frame["effect"].isna().all():
        raise ArgumentError("No pair has an effect: there is nothing to draw.")
    pairs = [view.pairs.pair(a, b) for a, b in zip(frame["a"], frame["b"], strict=True)]
    chosen = pairs if most is None or len(pairs) <= most else _largest(pairs, view.alpha, most)
    return _rows(view, chosen)


def _rows(view: PairsView, pairs: Sequence[PairResult]) -> Rows:
    equivalent = ("P(equivalent)",) if view.practical is not None else ()
    heads = ("Gain", view.interval_head, *equivalent, "Adj. p")
    left_out = view.pairs.n_pairs - len(pairs)
    total = f"{len(pairs)} of {view.pairs.n_pairs} pairs. " if left_out > 0 and view.pairs.control is None else ""
    return rows_of(
        "The first over the second",
        f"Gain of the first, {view.quantity.measured}{view.lower_is_better}",
        [_pair_row(view, pair) for pair in pairs],
        reference=0.0,
        band=view.band,
        heads=heads,
        minor=(1,),
        note=f"{total}{view.intervals_are}",
        legend=view.legend,
    )


def _pair_row(view: PairsView, pair: PairResult) -> Row:
    """One pair, seen from its first."""
    further: tuple[str, ...] = ()
    if view.practical is not None:
        places = view.practical.algorithms.index(pair.a), view.practical.algorithms.index(pair.b)
        further = (fixed(float(view.practical.matrix("p_rope")[places]), 2),)
    tone: Tone = "behind" if pair.side < 0 else "ahead"
    span = view.gains(pair)
    return decided_row(
        (pair.a, pair.b), span, view.quantity, p=pair.adjusted, alpha=view.alpha, tone=tone, further=further
    )


def _largest(pairs: Sequence[PairResult], alpha: float, most: int) -> list[PairResult]:
    decided = [pair for pair in pairs if pair.adjusted <= alpha][: max(most - OPEN_PAIRS, 1)]
    still = [pair for pair in pairs if pair.adjusted > alpha][: most - len(decided)]
    kept = {(pair.a, pair.b) for pair in (*decided, *still)}
    return [pair for pair in pairs if (pair.a, pair.b) in kept]


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
