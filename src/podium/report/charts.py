"""The charts of a comparison's page: the picture of the verdict, the differences of pairs, every one against every other.

A chart is plain data: names, places on a scale, numbers as text. How it is drawn is `html_charts`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.comparison.comparison import MEAN_RANK, Comparison, Ranked
from podium.core.numbers import as_given, capital, counted, fixed, percent, pvalue
from podium.core.quantity import Quantity
from podium.plot.axes import minus, round_ticks, with_room
from podium.report.document import Chart, ChartRow, Interval, Mark, Matrix, MatrixCell
from podium.stats.pairwise.pair_result import effect_kind

if TYPE_CHECKING:
    from podium.stats.pairwise.pair_result import PairResult

MOST_RANKED = 20  # more algorithms are a list of possible places
MOST_LISTED = 60  # of more, only those that could be first and a few others are open
MORE_OPEN = 5
MOST_CONTROLLED = 30  # of many algorithms against a control
MOST_BARS = 12
MOST_LETTERS = 26  # more groups than letters are not named
MOST_FOREST = 12  # algorithms of which all pairs are shown
MOST_FOREST_ROWS = 66
OPEN_PAIRS = 10  # largest undecided differences that are shown beside those decided
MOST_WRITTEN = 16  # algorithms; the cells of larger matrices are too small for numbers
MOST_MATRIX = 60
STEPS = 4

Ticks = tuple[tuple[float, str], ...]

FILLED, HOLLOW, BEHIND = "filled", "hollow", "behind"


def _differences(comparison: Comparison) -> Quantity:
    """How charts write the gains of pairs."""
    return comparison.difference.finer(comparison.gains(comparison.pairs.effect).tolist())


def _gains(comparison: Comparison, pair: PairResult) -> tuple[float, float, float]:
    """The gain of the first of a pair, and the ends of its interval, the lower first."""
    gain, low, high = comparison.gains([pair.effect, pair.low, pair.high]).tolist()
    return (gain, low, high) if comparison.quantity.sign > 0 else (gain, high, low)


def _text(quantity: Quantity, gain: float) -> str:
    return minus(quantity.text(gain))


# The picture of the verdict.


def lead_chart(comparison: Comparison) -> Chart | None:
    """The chart beside the verdict, by how many algorithms there are and what was asked."""
    k = len(comparison.ranking)
    if comparison.facts.control is not None and k > 2:
        return against_control(comparison)
    if comparison.words.by != MEAN_RANK:
        return scores_chart(comparison)
    if k == 2:
        return strip(comparison)
    return ranks_chart(comparison) if k <= MOST_RANKED else places_chart(comparison)


def ranks_chart(comparison: Comparison) -> Chart:
    """Mean ranks on a scale; a bar joins algorithms that are not told apart."""
    ranking = comparison.ranking
    k = len(ranking)
    low, high = math.floor(ranking[0].mean_rank), math.ceil(max(row.mean_rank for row in ranking))
    high = max(high, low + 1)
    middle = (k + 1) / 2
    rows = tuple(
        _ranked_row(row, fixed(row.mean_rank, 2), value=row.mean_rank, filled=_could_be_first(row) and place == 0)
        for place, row in enumerate(ranking)
    )
    return Chart(
        key="chart_ranks",
        title=f"Mean rank over {comparison.facts.on}, lower is better",
        **_on_scale(low, high),
        heads=("Mean",),
        rows=rows,
        reference=middle,
        **_bars(comparison),
        legend=("lit: could be first", f"reference: {as_given(middle)}, the mean rank if all were alike"),
    )


def _ranked_row(row: Ranked, *texts: str, **mark: Any) -> ChartRow:
    """One algorithm of the ranking, lit and filled where it could be first."""
    first = _could_be_first(row)
    return ChartRow(names=(row.algorithm,), mark=Mark(**{"filled": first, **mark}), texts=texts, lit=first)


def _bars(comparison: Comparison) -> dict[str, Any]:
    """The groups as bars, with letters where the table has them; none where they are too many to be told apart."""
    place = {row.algorithm: i for i, row in enumerate(comparison.ranking)}
    groups = sorted(tuple(sorted(place[name] for name in group)) for group in comparison.groups if len(group) > 1)
    if not 0 < len(groups) <= MOST_BARS:
        told = "Letters in the table below say which are not told apart." if 0 < len(groups) <= MOST_LETTERS else ""
        return {"bars": (), "note": told}
    joins = "A bar joins algorithms that are not told apart"
    return {
        "bars": tuple(groups),
        "letters": tuple(_letter(comparison, group) for group in groups),
        "note": f"{joins}; those that share no bar differ." if _bars_tell_all(comparison) else f"{joins}.",
    }


def _letter(comparison: Comparison, places: Sequence[int]) -> str:
    """The letter that the members of a group share; none where the table has no letters."""
    shared = set.intersection(*(set(comparison.ranking[place].group) for place in places))
    return min(shared, default="")


def _bars_tell_all(comparison: Comparison) -> bool:
    """Whether every pair that no group holds is told apart."""
    joined = {pair for group in comparison.groups for pair in itertools.permutations(group, 2)}
    pairs = comparison.pairs
    return all(pair in joined for pair, p in zip(pairs.names, pairs.adjusted, strict=True) if not p <= comparison.alpha)


def _could_be_first(row: Ranked) -> bool:
    return row.rank_low == 1


def _last_first(ranking: Sequence[Ranked]) -> int:
    """The place of the last that could be first."""
    return max((place for place, row in enumerate(ranking, start=1) if _could_be_first(row)), default=1)


def places_chart(comparison: Comparison) -> Chart:
    """The places that each algorithm could hold, all at once; a dot at the place by mean rank."""
    ranking = comparison.ranking
    k = len(ranking)
    rows = []
    for place, row in enumerate(ranking, start=1):
        texts, ends = (f"{row.rank_low}–{row.rank_high}", fixed(row.mean_rank, 1)), (row.rank_low, row.rank_high)
        rows.append(_ranked_row(row, *texts, value=place, low=ends[0], high=ends[1]))
    chart = Chart(
        key="chart_places",
        title=f"Places by mean rank, and the places that are possible with {percent(1 - comparison.alpha)} confidence",
        low=1,
        high=k,
        ticks=_place_ticks(1, k),
        heads=("Places", "Mean rank"),
        rows=tuple(rows),
        **(_bars(comparison) if k <= MOST_LISTED else {"bars": (), "note": ""}),
        legend=("lit: could be first",),
    )
    open_until = _last_first(ranking) + MORE_OPEN
    return chart if k <= MOST_LISTED else _opened(chart, open_until, _places_scale, _place_ticks)


def _places_scale(rows: Sequence[ChartRow]) -> tuple[float, float]:
    """From the best place that any of these could hold to the worst."""
    ends = [end for row in rows for end in (row.mark.low, row.mark.value, row.mark.high) if end is not None]
    return min(ends), max(max(ends), min(ends) + 1)


def _place_ticks(low: float, high: float) -> Ticks:
    """Round places, and the first one."""
    apart = (tick for tick in round_ticks(low, high, 4) if tick == int(tick) and tick - low > 0.08 * (high - low))
    return tuple((tick, fixed(tick, 0)) for tick in (low, *apart))


def _opened(
    chart: Chart,
    most: int,
    scale: Callable[[Sequence[ChartRow]], tuple[float, float]],
    ticks: Callable[[float, float], Ticks] | None = None,
) -> Chart:
    """The first lines of a chart with the others folded away, each part on the scale of its own lines."""

    def part(rows: tuple[ChartRow, ...]) -> Chart:
        low, high = scale(rows)
        return replace(chart, rows=rows, low=low, high=high, ticks=(ticks or _ticks)(low, high), bars=())

    if most >= len(chart.rows):
        return chart
    return replace(part(chart.rows[:most]), rest=part(chart.rows[most:]))


def scores_chart(comparison: Comparison) -> Chart:
    """The scores of the algorithms, each with the interval of its own score where there is one."""
    ranking = comparison.ranking
    quantity = comparison.quantity.column([row.mean_score for row in ranking])
    ends = [row.interval or (math.nan, math.nan) for row in ranking]
    values = quantity.written([row.mean_score for row in ranking]).tolist()
    spans = [tuple(quantity.written(span).tolist()) for span in ends]
    with_intervals = ranking[0].interval is not None
    alone = f", with the {percent(comparison.pairs.confidence)} interval of each alone" if with_intervals else ""
    rows = tuple(
        ChartRow(
            names=(row.algorithm,),
            mark=Mark(value=value, low=_known(span[0]), high=_known(span[1]), filled=_could_be_first(row)),
            texts=(
                _text(quantity, row.mean_score),
                *([f"{_text(quantity, own[0])}–{_text(quantity, own[1])}"] if with_intervals else []),
            ),
            lit=_could_be_first(row) and comparison.facts.control is None,
        )
        for row, value, span, own in zip(ranking, values, spans, ends, strict=True)
    )
    chart = Chart(
        key="chart_scores",
        title=f"{capital(quantity.scale)}, {quantity.direction} is better{alone}",
        **_on_scale(*_limits([*values, *(end for span in spans for end in span)])),
        heads=("Score", "Interval") if with_intervals else ("Score",),
        rows=rows,
        **_bars(comparison),
        legend=("lit: could be first",),
    )
    return chart if len(rows) <= MOST_LISTED else _opened(chart, _last_first(ranking) + MORE_OPEN, _scale)


def strip(comparison: Comparison) -> Chart:
    """Two algorithms: a dot for the difference on each dataset, and the typical difference with its interval."""
    quantity, difference = comparison.quantity, _differences(comparison)
    pairs = comparison.pairs
    first, second = pairs.winner_first()[["a", "b"]].iloc[0]
    pair = pairs.pair(first, second)
    table = comparison.table.select([first, second])
    dots = quantity.written(table.gains[:, 0] - table.gains[:, 1])
    known = [float(dot) for dot in dots if math.isfinite(dot)]
    gain, *span = _gains(comparison, pair)
    ends = difference.written(span).tolist()
    same_scale = not effect_kind(pairs.effect_name).relative
    shown = pair.adjusted <= comparison.alpha
    rows = [ChartRow(names=(), label=counted(len(known), "dataset"), mark=Mark(dots=tuple(known)), texts=("",))]
    if same_scale:
        value = float(difference.written(gain))
        mark = Mark(value=value, low=_known(ends[0]), high=_known(ends[1]), filled=shown)
        rows.append(ChartRow(names=(), label="Typical", mark=mark, texts=(_text(difference, gain),)))
    title = f"{first} minus {second} on each dataset, {quantity.measured}"
    if quantity.sign < 0:
        title = f"How much lower {first} is than {second} on each dataset, {quantity.measured}"
    return Chart(
        key="chart_strip",
        title=title,
        **_on_scale(*_limits([*known, 0.0, *(ends if same_scale else ())])),
        heads=("Difference",),
        rows=tuple(rows),
        reference=0.0,
        band=_rope(comparison),
        note=f"Right of 0: {first} is better. {first} won {pair.wins}, {second} {pair.losses}"
        + (f", and {pair.ties} are equal." if pair.ties else "."),
        legend=_decisions(comparison)[:2] if same_scale else (),
    )


def against_control(comparison: Comparison) -> Chart:
    """Each algorithm's difference from the control, the largest first; the control has its own line, at 0."""
    control, quantity = comparison.facts.control or "", _differences(comparison)
    names = [row.algorithm for row in comparison.ranking]
    pairs = {name: comparison.pairs.pair(name, control) for name in names if name != control}
    known = {name: _gains(comparison, pair)[0] for name, pair in pairs.items() if not math.isnan(pair.effect)}
    known[control] = 0.0
    rows = [
        ChartRow(names=(name,), mark=Mark(value=0.0), texts=("0", "", ""), lit=True, tag="control")
        if name == control
        else _pair_row(pairs[name], quantity, comparison, names=(name,))
        for name in sorted(names, key=lambda name: -known.get(name, -math.inf))
    ]
    chart = Chart(
        key="chart_control",
        title=f"Difference from the control {control}, {quantity.measured}",
        **_on_scale(*_scale(rows)),
        heads=("Difference", f"{percent(comparison.pairs.confidence)} interval", "Adj. p"),
        rows=tuple(rows),
        reference=0.0,
        band=_rope(comparison),
        note=f"Right of 0: {quantity.direction} {comparison.table.metric.said} than the control. {_kind_of_interval(comparison)}",
        legend=_decisions(comparison),
    )
    return chart if len(rows) <= MOST_LISTED else _opened(chart, MOST_CONTROLLED, _scale)


# Pairs.


def forest_chart(comparison: Comparison) -> Chart | None:
    """Winner over loser, the largest difference first; of many algorithms, the best against all others."""
    k = len(comparison.ranking)
    if k < 3 or k > MOST_LISTED or comparison.facts.control is not None:
        return None
    quantity = _differences(comparison)
    if k <= MOST_RANKED:
        frame = comparison.pairs.winner_first()
        pairs = [comparison.pairs.pair(a, b) for a, b in zip(frame["a"], frame["b"], strict=True)]
        chosen = pairs if k <= MOST_FOREST else _largest(pairs, comparison.alpha)
        title = f"Winner over loser, {quantity.measured}; the largest difference first"
    else:
        best = comparison.ranking[0].algorithm
        chosen = [comparison.pairs.pair(best, row.algorithm) for row in comparison.ranking[1:]]
        title = f"{best} over each of the others, {quantity.measured}"
    rope = () if comparison.practical is None else ("P(equivalent)",)
    rows = tuple(_pair_row(pair, quantity, comparison) for pair in chosen)
    if k > MOST_RANKED:
        rows = tuple(replace(row, names=row.names[1:]) for row in rows)
    return Chart(
        key="chart_forest",
        title=title,
        **_on_scale(*_limits([0.0, *_ends(rows)])),
        heads=("Difference", f"{percent(comparison.pairs.confidence)} interval", *rope, "Adj. p"),
        rows=rows,
        reference=0.0,
        band=_rope(comparison),
        note=_left_out(len(rows), comparison) + _kind_of_interval(comparison),
        legend=_decisions(comparison),
    )


def _largest(pairs: Sequence[PairResult], alpha: float) -> list[PairResult]:
    decided = [pair for pair in pairs if pair.adjusted <= alpha][: MOST_FOREST_ROWS - OPEN_PAIRS]
    still = [pair for pair in pairs if pair.adjusted > alpha][:OPEN_PAIRS]
    kept = {(pair.a, pair.b) for pair in (*decided, *still)}
    return [pair for pair in pairs if (pair.a, pair.b) in kept]


def _left_out(shown: int, comparison: Comparison) -> str:
    total = comparison.pairs.n_pairs
    return f"{shown} of {total} pairs; the table below has all. " if shown < total else ""


def _kind_of_interval(comparison: Comparison) -> str:
    pairs = comparison.pairs
    together = "all at once" if pairs.intervals == "simultaneous" and pairs.n_pairs > 1 else "each alone"
    return f"{capital(pairs.effect_name)} with {percent(pairs.confidence)} intervals, {together}; the adjusted\u00a0p decides."


def _pair_row(
    pair: PairResult, quantity: Quantity, comparison: Comparison, *, names: tuple[str, ...] | None = None
) -> ChartRow:
    """One pair, seen from its first."""
    gain, *ends = _gains(comparison, pair)
    decided = pair.adjusted <= comparison.alpha
    practical = comparison.practical
    alike: list[str] = []
    if practical is not None and names is None:
        places = practical.algorithms.index(pair.a), practical.algorithms.index(pair.b)
        alike = [fixed(float(practical.matrix("p_rope")[places]), 2)]
    value, low, high = map(_known, quantity.written([gain, *ends]).tolist())
    return ChartRow(
        names=names or (pair.a, pair.b),
        mark=Mark(value=value, low=low, high=high, filled=decided, behind=decided and pair.side < 0),
        texts=(_text(quantity, gain), minus(quantity.interval(*ends)), *alike, pvalue(pair.adjusted)),
    )


def _decisions(comparison: Comparison) -> tuple[str, ...]:
    """What fill and colour mean."""
    level = f"p ≤ {as_given(comparison.alpha)}"
    rope = ("band: differences that do not matter",) if comparison.practical is not None else ()
    behind = (f"{BEHIND}: worse, {level}",) if comparison.facts.control is not None else ()
    return (f"{FILLED}: shown to be better, {level}", *behind, f"{HOLLOW}: may be chance", *rope)


def _rope(comparison: Comparison) -> Interval | None:
    rope = comparison.facts.rope
    if rope is None or comparison.practical is None or effect_kind(comparison.pairs.effect_name).relative:
        return None
    width = float(comparison.quantity.written(rope))
    return -width, width


# The matrix.


def matrix_of(comparison: Comparison) -> Matrix | None:
    """Every algorithm against every other, the best first."""
    names = tuple(row.algorithm for row in comparison.ranking)
    k = len(names)
    if not 2 < k <= MOST_MATRIX or comparison.facts.control is not None:
        return None
    quantity, pairs = _differences(comparison), comparison.pairs
    places = [pairs.algorithms.index(name) for name in names]
    order = np.ix_(places, places)
    effect, adjusted, side = (pairs.matrix(name)[order] for name in ("effect", "adjusted", "side"))
    wins, losses = (pairs.matrix(name)[order] for name in ("wins", "losses"))
    gain = comparison.gains(effect)
    largest = float(np.nanmax(np.abs(np.where(np.isfinite(gain), gain, np.nan)), initial=0.0)) or 1.0
    written = k <= MOST_WRITTEN

    def cell(i: int, j: int) -> MatrixCell | None:
        if i == j:
            return None
        if i > j and written:
            return MatrixCell(text=f"{fixed(wins[i, j], 0)}–{fixed(losses[i, j], 0)}")
        decided = bool(adjusted[i, j] <= comparison.alpha)
        return MatrixCell(
            text=_text(quantity, float(gain[i, j])) if written else "",
            step=_step(float(gain[i, j]), float(side[i, j]) if decided else 0.0, largest) if written or decided else 0,
            framed=decided,
        )

    unit = {"run": "task"}.get(comparison.facts.unit, comparison.facts.unit)
    quarter = largest / STEPS
    cells = tuple(tuple(cell(i, j) for j in range(k)) for i in range(k))
    used = {cell.step for row in cells for cell in row if cell is not None}
    behind = ((-2, f"< {_text(quantity, -2 * quarter)}"), (-1, "below 0"))
    steps = tuple(step for step in behind if step[0] in used)
    steps += tuple((i + 1, f"to {_text(quantity, (i + 1) * quarter)}") for i in range(STEPS))
    below = f" Below the diagonal: {unit}s won–lost." if written else " Blue: the row is better; orange: the column."
    title = f"How much {quantity.direction} the row is than the column"
    if quantity.sign > 0 and not effect_kind(pairs.effect_name).relative:  # a share of the column is no difference
        title = "Row minus column"
    return Matrix(
        key="chart_matrix",
        title=f"{title}, {quantity.measured}",
        names=names,
        cells=cells,
        written=written,
        steps=steps,
        note=f"Best first. {'Framed and bold' if written else 'Coloured'}: shown to differ, p ≤ {as_given(comparison.alpha)}.{below}",
    )


def _step(gain: float, side: float, largest: float) -> int:
    """How strong the colour of a cell is; what is decided is never without."""
    if math.isnan(gain):
        return 0
    direction = side or math.copysign(1.0, gain)
    strength = abs(gain) / largest
    if direction < 0:
        return -2 if strength > 2 / STEPS else -1 if strength > 0.02 or side else 0
    return min(STEPS, math.ceil(strength * STEPS - 1e-9)) if strength > 0.02 else int(bool(side))


# Scales.


def _known(value: float) -> float | None:
    """A number; infinite ends stay, as lines that leave the picture; what is missing is none."""
    return None if math.isnan(value) else value


def _ends(rows: Sequence[ChartRow]) -> Iterator[float]:
    for row in rows:
        yield from (end for end in (row.mark.value, row.mark.low, row.mark.high) if end is not None)


def _scale(rows: Sequence[ChartRow]) -> tuple[float, float]:
    """The ends of a scale of these lines; that of differences has 0."""
    return _limits([*([0.0] if any(row.tag for row in rows) else []), *_ends(rows)])


def _limits(values: Iterable[float]) -> tuple[float, float]:
    """The ends of a scale that holds all finite values, with a little room."""
    return with_room(values, 0.04)


def _on_scale(low: float, high: float) -> dict[str, Any]:
    """The scale of a chart with its ticks."""
    return {"low": low, "high": high, "ticks": _ticks(low, high)}


def _ticks(low: float, high: float) -> Ticks:
    ticks = round_ticks(low, high, 4)
    step = min((b - a for a, b in itertools.pairwise(ticks)), default=1.0)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return tuple((tick, minus(fixed(tick, digits))) for tick in ticks)
