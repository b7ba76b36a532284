"""Figures that are rows: a name, a mark with its interval on one axis, numbers beside it, and bars that join rows.

`Rows` is the layout as plain numbers. `Rows.scene` places it on a sheet, for SVG, TikZ and matplotlib; pages and terminals
write the same rows as lines of a table, which keep the size of their letters at any width.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from podium.core.numbers import fixed, number, pvalue
from podium.core.quantity import Quantity
from podium.plot.axes import PAD, Axis, minus, round_ticks, with_room
from podium.plot.scene import Circle, Line, Polygon, Rect, Scene, Shape, Text, sheet_around
from podium.plot.style import label_of, lines_of, text_width, widest

SIZE, SMALL = 9.0, 8.0
ROW, LOW_ROW = 15.0, 12.0
MANY = 20  # rows; more are lower
AXIS, LEAST_AXIS = 260.0, 80.0
MOST_BESIDE = 80.0  # points; wider names stand above their marks where there is no room
GAP = 12.0  # between names, axis and columns
LANE = 7.0  # from one bar to the next
RADIUS = 3.2
DOT_LANE, DOTS_HIGH = 5.0, 50.0  # the rows of dots, and how high all of them are
DOT_ROOM = 0.024  # of the axis, which a dot takes
DOT_LANES = (0, -1, 1, -2, 2, -3, 3, -4, 4)
DOT = Circle(0.0, 0.0, 2.2, fill="blue", stroke="paper", stroke_width=0.5, opacity=0.6)
MOST_BARS = 12  # lanes of bars; more cannot be followed on a page
ARROW = 0.2  # of the axis, for intervals without an end to be seen as longer than any other

Fill = Literal["full", "half", "none"]
Tone = Literal["plain", "ahead", "behind", "reference"]
Ticks = tuple[tuple[float, str], ...]
Bars = tuple[tuple[int, tuple[int, ...]], ...]  # the lane of each, and the places of the rows that it joins
Interval = tuple[float, float, float]  # estimate, low, high
_COLOURS: dict[Tone, str] = {"plain": "ink", "ahead": "blue", "behind": "vermilion", "reference": "blue"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line: whom it is about (two names: the first over the second), its mark, and the numbers beside it.

    A full mark is decided, a hollow one may be due to chance, a half one is borderline. What is missing is nan, an interval
    without an end is infinite. `dots` are values with the lane in which each hides no other.
    """

    names: tuple[str, ...]
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    fill: Fill = "full"
    tone: Tone = "plain"
    texts: tuple[str, ...] = ()
    tinted: bool = False
    label: str = ""  # stands for the names
    short: tuple[str, ...] = ()  # the labels of the names, where there is little room
    tag: str = ""  # a word after the name, such as "control"
    dots: tuple[tuple[float, int], ...] = ()

    @property
    def ends(self) -> tuple[float, ...]:
        """All values of the row."""
        return (self.value, *((self.low, self.high) * self.has_interval), *(value for value, _ in self.dots))

    @property
    def has_interval(self) -> bool:
        """Whether it has a line: an interval without any end says nothing."""
        return is_interval(self.low, self.high)

    @property
    def lacks_interval(self) -> bool:
        """Whether there are too few data for a line."""
        return self.low == -math.inf and self.high == math.inf

    @property
    def is_decided(self) -> bool:
        """Whether a test shows who is ahead."""
        return self.fill == "full" and self.tone in ("ahead", "behind")

    @property
    def is_high(self) -> bool:
        """Whether its dots need several lanes."""
        return any(lane for _, lane in self.dots)

    @property
    def said(self) -> str:
        """The name of the row as it is written."""
        named = self.label or " over ".join(self.short or map(label_of, self.names))
        return f"{named} {self.tag}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows on one axis: its ends and ticks, heads of the columns, and what marks, tint and bars mean.

    A column in `minor` gives way first. `bars` are the places of rows that they join, with their lane. `legend` says what
    "ahead", "behind", "plain", "half", "none", "tint", "band", "line" and "dot" mean, as far as they are seen. `rest` has the
    rows that a page folds away, on an axis of their own. `words` say what one sees where the rows themselves would not.
    """

    title: str
    scale: str
    low: float
    high: float
    ticks: Ticks
    rows: tuple[Row, ...]
    heads: tuple[str, ...] = ()
    minor: tuple[int, ...] = ()
    reference: float | None = None
    band: tuple[float, float] | None = None
    bars: Bars = ()
    letters: tuple[str, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    note: str = ""
    joins: str = ""  # what bars mean
    rest: Rows | None = None
    words: str = ""

    @property
    def cut(self) -> int | None:
        """Below which row a line parts the tinted from all others; none where they are mixed or all alike."""
        tinted = [row.tinted for row in self.rows]
        first = tinted.index(False) if False in tinted else len(tinted)
        return first if 0 < first < len(tinted) and not any(tinted[first:]) and self.says("tint") else None

    @property
    def lanes(self) -> int:
        """How many bars stand beside each other."""
        return max((lane for lane, _ in self.bars), default=-1) + 1

    @property
    def half_tone(self) -> Tone:
        """The tone of the marks that are half filled, for their sample in the legend."""
        return next(
            (row.tone for row in (*self.rows, *(self.rest.rows if self.rest else ())) if row.fill == "half"), "plain"
        )

    def says(self, sample: str) -> bool:
        """Whether the legend has it."""
        return any(word == sample for word, _ in self.legend)

    @property
    def folded(self) -> str:
        """How many rows are folded away, and how many of them could be first."""
        rest = self.rest.rows if self.rest else ()
        first = sum(row.tinted for row in rest) if self.says("tint") else 0
        return f"{len(rest)} more{f', of which {first} could be first' if first else ''}"

    @property
    def description(self) -> str:
        """What the figure shows, for those who cannot see it."""
        said = [" ".join(filter(None, (row.said, *row.texts[:1]))) for row in self.rows[:MANY]]
        more = len(self.rows) - len(said) + (len(self.rest.rows) if self.rest else 0)
        return self.words or f"{self.title}: {'; '.join(said)}{f'; and {more} more' if more else ''}."

    def scene(self, stretch: float = 0.0) -> Scene:
        """The rows on a sheet, by so many points wider than by themselves; what a page folds is left out, and said."""
        sheet = _placed(self, stretch)
        rows = (_row(sheet, place, row) for place, row in enumerate(self.rows))
        shapes = [*_ground(sheet), *_heads(sheet), *itertools.chain(*rows), *_bars(sheet), *_legend(sheet)]
        return sheet_around(shapes, title=self.title, description=self.description)


def is_interval(low: float, high: float) -> bool:
    """Whether these are the ends of an interval; where there are too few data for one, both are infinite."""
    return not (math.isnan(low) or math.isnan(high) or (low == -math.inf and high == math.inf))


def ends_text(quantity: Quantity, low: float, high: float) -> str:
    """An interval as a cell."""
    return "too few data" if low == -math.inf and high == math.inf else minus(quantity.interval(low, high))


def rows_of(
    title: str,
    scale: str,
    rows: Sequence[Row],
    *,
    limits: tuple[float, float] | None = None,
    ticks: Callable[[float, float], Ticks] | None = None,
    legend: tuple[tuple[str, str], ...] = (),
    shown: int | None = None,
    bars: Bars = (),
    **more: Any,
) -> Rows:
    """The rows with their axis: around all values, the reference and the band, unless it has `limits`.

    Of a legend only what is seen is kept. Rows after the first that are `shown` are folded, on an axis of their own, and
    then no bars join them. `more` are further fields of `Rows`.
    """
    rows = [replace(row, short=tuple(map(label_of, row.names))) for row in rows]
    reference, band = more.get("reference"), more.get("band")
    kept = tuple((word, meaning) for word, meaning in legend if word in seen(rows, reference, band))

    def part(some: Sequence[Row]) -> Rows:
        low, high = limits or _limits(some, reference, band)
        marks = (ticks or ticks_of)(low, high)
        return Rows(title=title, scale=scale, low=low, high=high, ticks=marks, rows=tuple(some), legend=kept, **more)

    if shown is None or shown >= len(rows):
        return replace(part(rows), bars=bars)
    return replace(part(rows[:shown]), rest=part(rows[shown:]))


def _limits(rows: Sequence[Row], reference: float | None, band: tuple[float, float] | None) -> tuple[float, float]:
    values = [end for row in rows for end in row.ends]
    room = ARROW if any(map(math.isinf, values)) else 0.04
    return with_room([*values, *(band or ()), *([reference] if reference == 0 else [])], room, 1.0)


def seen(rows: Sequence[Row], reference: float | None, band: tuple[float, float] | None) -> set[str]:
    """Which entries of a legend explain something in these rows."""
    marks = {row.tone if row.fill == "full" else row.fill for row in rows if not math.isnan(row.value)}
    others = {
        "tint": any(row.tinted for row in rows),
        "band": band is not None,
        "line": reference is not None,
        "dot": any(row.dots for row in rows),
    }
    return marks | {word for word, is_seen in others.items() if is_seen}


def ticks_of(low: float, high: float) -> Ticks:
    """Three to six round values with their labels, all with the same digits; seven where there would be two."""
    tried = [round_ticks(low, high, about) for about in (8, 6, 5, 4, 3, 2)]
    ticks = next(
        (ticks for ticks in tried if 3 <= len(ticks) <= 6), min(tried, key=lambda ticks: (len(ticks) < 3, len(ticks)))
    )
    step = min((b - a for a, b in itertools.pairwise(ticks)), default=1.0)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return tuple((tick, minus(fixed(tick, digits) if digits < 7 else number(tick))) for tick in ticks)


def place_ticks(low: float, high: float) -> Ticks:
    """Round places, and the first one."""
    first = math.ceil(low)
    apart = (tick for tick in round_ticks(low, high, 4) if tick == int(tick) and tick - first > 0.08 * (high - low))
    return tuple((tick, fixed(tick, 0)) for tick in (float(first), *apart))


def spread_dots(values: Iterable[float], low: float, high: float) -> tuple[tuple[float, int], ...]:
    """Values with the lane, up or down, in which each hides no other, as far as there is room."""
    ends = [-math.inf] * len(DOT_LANES)
    dots = []
    for value in sorted(values):
        place = (value - low) / ((high - low) or 1.0)
        free = [lane for lane, end in enumerate(ends) if place - end >= DOT_ROOM]
        lane = free[0] if free else ends.index(min(ends))
        ends[lane] = place
        dots.append((value, DOT_LANES[lane]))
    return tuple(dots)


def decided_row(
    names: tuple[str, ...],
    span: Interval,
    quantity: Quantity,
    *,
    p: float,
    alpha: float,
    tone: Tone,
    further: tuple[str, ...] = (),
) -> Row:
    """A difference that a test decided by its p-value: full where it is shown, half where its interval says otherwise.

    `span` is in the quantity's own units. The texts are the difference, its interval, `further`, and p.
    """
    gain, low, high = span
    shown = p <= alpha
    is_close = is_interval(low, high) and shown != (low > 0 or high < 0)
    value, *ends = quantity.written(span).tolist()
    return Row(
        names=names,
        value=value,
        low=ends[0],
        high=ends[1],
        fill="half" if is_close else "full" if shown else "none",
        tone=tone if shown else "plain",
        texts=(minus(quantity.text(gain)), ends_text(quantity, low, high), *further, pvalue(p)),
    )


def lanes(spans: Sequence[tuple[float, float]], gap: float) -> list[int]:
    """For each stretch (sorted by its start), the first lane in which it keeps `gap` from the one before.

    >>> lanes([(0, 2), (1, 3), (4, 5)], 0.5)
    [0, 1, 0]
    """
    ends: list[float] = []
    result = []
    for start, end in spans:
        lane = next((i for i, taken in enumerate(ends) if taken + gap <= start), len(ends))
        ends[lane : lane + 1] = [end]
        result.append(lane)
    return result


def group_bars(groups: Sequence[tuple[int, ...]], most: int = MOST_BARS) -> Bars:
    """Groups of rows as bars in as few lanes as possible; none where there would be more than `most`."""
    ordered = sorted(group for group in groups if len(group) > 1)
    places = lanes([(group[0], group[-1]) for group in ordered], 1.0)
    return tuple(zip(places, ordered, strict=True)) if max(places, default=0) < most else ()


# --- On a sheet ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """Where things stand: the axis, the right ends of the columns that have room, the upper end of each row."""

    data: Rows
    axis: Axis
    scale: list[str]  # what the axis measures, in lines
    columns: tuple[tuple[int, float], ...]
    above: bool  # names stand above their marks
    tops: tuple[float, ...]  # of the rows, and the end of the last
    bars: float  # where bars begin

    @property
    def right(self) -> float:
        """The right end of all."""
        lanes = self.data.lanes
        return self.bars + LANE * lanes if lanes else self.bars - GAP

    def middle(self, place: int) -> float:
        """The height of a mark."""
        top, bottom = self.tops[place : place + 2]
        return bottom - ROW / 2 if self.above else (top + bottom) / 2


def _placed(data: Rows, stretch: float) -> _Sheet:
    """The layout in the room there is: minor columns give way first, then names stand above, then the last columns go."""
    names = widest((row.said for row in data.rows), SIZE, bold=True) + GAP
    widths = [
        max(text_width(head, SMALL), widest((row.texts[i] for row in data.rows if row.texts), SMALL)) + GAP
        for i, head in enumerate(data.heads)
    ]
    kept, above, room = set(range(len(widths))), False, AXIS + stretch
    crowded = len(data.minor) > 1 and room < names + sum(widths)  # the track would have less than half
    if room < LEAST_AXIS or crowded:
        room += sum(widths[i] for i in data.minor)
        kept -= set(data.minor)
    if room < LEAST_AXIS and names > MOST_BESIDE:
        above, room = True, room + names
    while room < LEAST_AXIS and kept:
        room += widths[max(kept)]
        kept.remove(max(kept))
    left = PAD + (0.0 if above else names)
    axis = Axis(data.low, data.high, left, left + max(room, LEAST_AXIS))
    *ends, right = itertools.accumulate((widths[i] for i in sorted(kept)), initial=axis.end)
    columns = tuple(zip(sorted(kept), [*ends, right][1:], strict=True))
    lines = lines_of(data.scale, SMALL, max(right - PAD, 1.4 * LEAST_AXIS))
    height = (LOW_ROW if len(data.rows) > MANY else ROW) + (0.8 * SIZE + 4 if above else 0.0)
    heights = (DOTS_HIGH if row.is_high else height for row in data.rows)
    tops = tuple(itertools.accumulate(heights, initial=PAD + 11.0 * len(lines) + 16.0))
    return _Sheet(data=data, axis=axis, scale=lines, columns=columns, above=above, tops=tops, bars=right + GAP)


def _ground(sheet: _Sheet) -> list[Shape]:
    """Tint, band, grid and the line of the reference, under everything."""
    data, x, (top, bottom) = sheet.data, sheet.axis, (sheet.tops[0], sheet.tops[-1])
    shapes: list[Shape] = [
        Rect(PAD / 2, start, sheet.right - PAD / 2, end - start, fill="tint", stroke=None)
        for row, (start, end) in zip(data.rows, itertools.pairwise(sheet.tops), strict=True)
        if row.tinted
    ]
    if data.band is not None:
        start, end = (x(value) for value in data.band)
        shapes.append(
            Rect(start, top, end - start, bottom - top, fill="wash", stroke="faint", stroke_width=0.5, title="rope")
        )
    shapes += [Line(x(tick), top, x(tick), bottom, stroke="faint", stroke_width=0.5) for tick, _ in data.ticks]
    if data.reference is not None and x.low <= data.reference <= x.high:
        at = x(data.reference)
        shapes.append(Line(at, top, at, bottom, stroke_width=1.0, dash="solid" if data.reference == 0 else "dashed"))
    shapes.append(Line(PAD / 2, bottom, sheet.right, bottom, stroke="muted", stroke_width=0.8))
    if data.cut is not None:
        shapes.append(Line(PAD / 2, sheet.tops[data.cut], sheet.right, sheet.tops[data.cut], stroke_width=1.2))
    return shapes


def _heads(sheet: _Sheet) -> list[Shape]:
    """What the axis measures, its ticks, the heads of the columns and the letters of the bars."""
    data, y = sheet.data, sheet.tops[0] - 8
    shapes: list[Shape] = [
        Text(PAD / 2, PAD + 11 * i + 4, line, size=SMALL, colour="muted") for i, line in enumerate(sheet.scale)
    ]
    shapes += [
        Text(sheet.axis(tick), y, text, size=SMALL, anchor="middle", colour="muted")
        for tick, text in _apart(data.ticks, sheet.axis)
    ]
    shapes += [Text(right, y, data.heads[i], size=SMALL, anchor="end", colour="muted") for i, right in sheet.columns]
    for (lane, _), letter in zip(data.bars, data.letters, strict=False):
        x = sheet.bars + LANE * (lane + 0.5)
        shapes.append(Text(x, y, letter, size=SMALL - 1, anchor="middle", colour="muted"))
    return shapes


def _apart(ticks: Ticks, axis: Axis) -> Ticks:
    """The ticks whose labels keep apart: all, every second, ...; 0 always has one."""
    kept = next((i for i, (tick, _) in enumerate(ticks) if tick == 0), 0)
    for step in range(1, len(ticks) + 1):
        chosen = tuple(tick for i, tick in enumerate(ticks) if (i - kept) % step == 0)
        halves = [text_width(text, SMALL) / 2 + 3 for _, text in chosen]
        gaps = [axis(b[0]) - axis(a[0]) for a, b in itertools.pairwise(chosen)]
        if all(gap >= halves[i] + halves[i + 1] for i, gap in enumerate(gaps)):
            break
    return chosen


def _row(sheet: _Sheet, place: int, row: Row) -> list[Shape]:
    data, x, y = sheet.data, sheet.axis, sheet.middle(place)
    key = row.names[0] if len(row.names) == 1 else ""
    hover = "\n".join(
        [row.said, *(f"{head} {text}" for head, text in zip(data.heads, row.texts, strict=False) if text)]
    )
    at = (PAD / 2 + 1, sheet.tops[place] + 7) if sheet.above else (x.start - GAP, y)
    shapes: list[Shape] = [
        Text(*at, row.said, size=SIZE, anchor="start" if sheet.above else "end", bold=row.tinted, key=key, title=hover)
    ]
    shapes += mark(row, x, y, key=key, title=hover)
    columns = sheet.columns if row.texts else ()
    return shapes + [
        Text(right, y, row.texts[i], size=SMALL, anchor="end", bold=row.is_decided, key=key) for i, right in columns
    ]


def mark(row: Row, x: Axis, y: float, *, key: str = "", title: str = "") -> list[Shape]:
    """The dots of a row, its interval, and its mark."""
    colour = _COLOURS[row.tone]
    shapes: list[Shape] = [
        replace(DOT, x=x(value), y=y + DOT_LANE * lane, key=key, title=title) for value, lane in row.dots
    ]
    if row.has_interval:
        ends = [x(min(max(end, x.low), x.high)) for end in (row.low, row.high)]
        shapes.append(Line(ends[0], y, ends[1], y, stroke=colour, stroke_width=1.4, key=key, title=title))
        for end, at, inward in ((row.low, ends[0], 5.0), (row.high, ends[1], -5.0)):
            if math.isinf(end):
                shapes.append(Polygon(((at, y), (at + inward, y - 3), (at + inward, y + 3)), fill=colour, stroke=None))
    if not math.isnan(row.value) and x.low <= row.value <= x.high:
        shapes += sample(row.fill, row.tone, x(row.value), y, key=key, title=title)
    return shapes


def sample(fill: Fill, tone: Tone, x: float, y: float, *, key: str = "", title: str = "") -> list[Shape]:
    """A mark: full, hollow, or filled on its right half."""
    colour = _COLOURS[tone]
    inside = colour if fill == "full" else "paper"
    shapes: list[Shape] = [Circle(x, y, RADIUS, fill=inside, stroke=colour, stroke_width=1.2, key=key, title=title)]
    if fill == "half":
        angles = (math.pi * (i / 12 - 0.5) for i in range(13))
        arc = tuple((x + RADIUS * math.cos(angle), y + RADIUS * math.sin(angle)) for angle in angles)
        shapes.append(Polygon(arc, fill=colour, stroke=None, key=key))
    return shapes


def _bars(sheet: _Sheet) -> list[Shape]:
    """Bars thick along their members, dotted past other rows."""
    shapes: list[Shape] = []
    for lane, group in sheet.data.bars:
        x = sheet.bars + LANE * (lane + 0.5)
        names = [sheet.data.rows[place].said for place in group]
        title = "\n".join([f"{len(group)} that do not differ significantly:", *names[:MANY]])
        for before, after in itertools.pairwise(group):
            if after > before + 1:
                top, bottom = sheet.tops[before + 1], sheet.tops[after]
                shapes.append(Line(x, top, x, bottom, stroke_width=1.0, dash="dotted", title=title, css="group"))
        for start, end in _neighbours(group):
            top, bottom = sheet.tops[start] + 3, sheet.tops[end + 1] - 3
            shapes.append(Line(x, top, x, bottom, stroke_width=3.0, title=title, css="group"))
    return shapes


def _neighbours(group: tuple[int, ...]) -> list[tuple[int, int]]:
    """The stretches of places that follow each other.

    >>> _neighbours((0, 1, 2, 5))
    [(0, 2), (5, 5)]
    """
    starts = [place for place in group if place - 1 not in group]
    ends = [place for place in group if place + 1 not in group]
    return list(zip(starts, ends, strict=True))


def _legend(sheet: _Sheet) -> list[Shape]:
    """What the marks mean, in as many lines as it needs; and how many rows are left out."""
    data, left = sheet.data, PAD / 2
    x, y = left, sheet.tops[-1] + 12
    entries = list(data.legend)
    if data.rest is not None:
        entries.append(("", f"and {data.folded}"))
    shapes: list[Shape] = []
    for word, meaning in entries:
        wide = (12.0 if word else 0.0) + text_width(meaning, SMALL)
        if x > left and x + wide > max(sheet.right, left + 1.4 * LEAST_AXIS):
            x, y = left, y + 12
        shapes += _explained(word, x, y, data.half_tone)
        shapes.append(Text(x + (12.0 if word else 0.0), y, meaning, size=SMALL, colour="muted"))
        x += wide + 12
    return shapes


def _explained(word: str, x: float, y: float, half: Tone) -> list[Shape]:
    """The sample of an entry of the legend."""
    match word:
        case "tint" | "band":
            fill = "tint" if word == "tint" else "wash"
            return [Rect(x, y - 3.5, 9, 7, fill=fill, stroke="faint", stroke_width=0.5)]
        case "line":
            return [Line(x + 4, y - 5, x + 4, y + 5, dash="dashed")]
        case "dot":
            return [replace(DOT, x=x + 4, y=y)]
        case "ahead" | "behind" | "plain":
            return sample("full", word, x + 4, y)
        case "half" | "none":
            return sample(word, half if word == "half" else "plain", x + 4, y)
        case _:
            return []
