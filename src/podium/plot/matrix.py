"""The matrix of pairwise results, after the multiple comparison matrix of Ismail-Fawaz et al. (2023).

Each cell compares the algorithm of its row with that of its column: difference, wins / ties / losses, adjusted
p-value. Apart from the correction of p, a cell depends on its two algorithms only. Bold text and a frame mark pairs
that are told apart; colour repeats who is ahead by the test, and the size of the difference. With many algorithms cells show a sign only,
and the rest on hovering.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.escape import isolated
from podium.core.numbers import decimals, fixed, number, said_pvalue
from podium.plot.axes import PAD, STRETCH, minus
from podium.plot.figure import Ax, Width, figure
from podium.plot.palette import text_on
from podium.plot.scene import Line, Rect, Scene, Shape, Text, runs
from podium.plot.sources import PairsSource, pairs_of, written_effects
from podium.plot.textsize import label_of, widest

if TYPE_CHECKING:
    import pandas as pd


SIZE = 9.0
SMALL, SMALLEST = 8.0, 7.0
SHORT_CELL = 18.0
MOST_WITH_TEXT = 16
CELL_HEIGHT = 36.0
SMALL_CELL = 13.0
MOST_WITH_SIGNS = 60
FAINTEST = 0.12  # a pair that is told apart has a colour, however small the difference


@figure
def comparison_matrix(
    result: PairsSource, *, alpha: float = 0.05, means: bool = False, ax: Ax = None, width: Width = None
) -> Scene:
    """Each row against each column, the best first: difference, wins / ties / losses, adjusted p-value.

    `result` is a comparison, which has its own level and, with `means`, its mean scores beside the names; or a result
    on all pairs. Differences have the sign that makes higher better.
    """
    scores = None
    if isinstance(result, Comparison):
        names = [row.algorithm for row in result.ranking]
        alpha, sign = result.alpha, result.table.metric.sign
        scores = result.quantity.written([row.mean_score for row in result.ranking]).tolist() if means else None
    else:
        names = [result.algorithms[i] for i in result.mean_ranks.argsort(kind="stable")]
        sign = result.metric.sign
    frame = pairs_of(result)
    neutral = 0.0 if isinstance(result, Comparison) else result.neutral
    gains = sign * (written_effects(result, frame["effect"].astype(float)) - neutral)
    return comparison_matrix_scene(names, frame.assign(effect=gains), alpha=alpha, means=scores)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """One pair, seen from its first algorithm."""

    difference: float
    wins: int
    ties: int
    losses: int
    pvalue: float
    side: float  # 1 where the first is ahead by the test, -1 where the second is

    def turned(self) -> _Pair:
        return replace(self, difference=-self.difference, wins=self.losses, losses=self.wins, side=-self.side)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """The pairs and where their cells lie."""

    names: tuple[str, ...]
    pairs: dict[tuple[str, str], _Pair]
    corner: tuple[float, float]
    size: tuple[float, float]
    alpha: float
    digits: int
    largest: float

    def cells(self) -> Iterator[tuple[str, str, _Pair, float, float]]:
        """Row, column, pair, and the upper left corner of each cell that has a pair."""
        for i, row in enumerate(self.names):
            for j, column in enumerate(self.names):
                pair = self.pairs.get((row, column))
                if pair is not None:
                    yield row, column, pair, self.corner[0] + j * self.size[0], self.corner[1] + i * self.size[1]

    def colour(self, pair: _Pair) -> str:
        """By who is ahead, and by the size of the difference relative to the largest."""
        size = abs(pair.difference) / self.largest
        told = pair.pvalue <= self.alpha and pair.side != 0
        sign = pair.side if told else math.copysign(1.0, pair.difference)
        return f"diverging:{0.9 * sign * (max(size, FAINTEST) if told else size):.2f}"


def comparison_matrix_scene(
    names: Sequence[str], pairs: pd.DataFrame, *, alpha: float = 0.05, means: Sequence[float] | None = None
) -> Scene:
    """The matrix as a scene: rows and columns in the order of `names`; an effect is a minus b with higher better."""
    check.fraction("alpha", alpha)
    found = _pairs(names, pairs)
    labels = [label_of(name) for name in names]
    form, digits, size = _form(found, len(names))
    mean_texts = _mean_texts(means, len(names))
    mean_width = widest(mean_texts, SIZE) + 8 if means is not None else 0.0
    left = PAD + widest(labels, SIZE) + mean_width + 8
    upright = form in ("signs", "plain") or widest(labels, SIZE) > size[0] - 6
    top = PAD + (widest(labels, SIZE) if upright else SIZE) + 8
    largest = max((abs(pair.difference) for pair in found.values()), default=0.0) or 1.0
    shown: dict[str, Any] = {"alpha": alpha, "digits": digits, "largest": largest}
    grid = _Grid(names=tuple(names), pairs=found, corner=(left, top), size=size, **shown)
    shapes = _headings(grid, labels, mean_texts, mean_width, upright)
    draw = {"full": _full_cells, "short": _short_cells, "signs": _sign_cells, "plain": _plain_cells}[form]
    shapes += draw(grid)
    bottom = top + len(names) * size[1]
    note = _note(alpha, left if STRETCH.get() >= 0 else PAD, bottom, form)
    told = sum(pair.pvalue <= alpha for pair in found.values()) // 2
    return Scene(
        width=max([left + len(names) * size[0], *(text.x + text.width for text in note)]) + PAD,
        height=bottom + 36,
        shapes=(*shapes, *note),
        title="Pairwise results",
        description=f"{len(names)} algorithms, each row against each column; "
        f"{told} of {len(found) // 2} pairs are told apart.",
    )


def _pairs(names: Sequence[str], frame: pd.DataFrame) -> dict[tuple[str, str], _Pair]:
    """Both views of each pair."""
    for name in {*frame["a"], *frame["b"]} - set(names):
        check.member("algorithm", name, names)
    columns = [frame[key].tolist() for key in ("a", "b", "effect", "wins", "ties", "losses", "adjusted", "side")]
    found: dict[tuple[str, str], _Pair] = {}
    for a, b, gain, *counts, pvalue, side in zip(*columns, strict=True):
        wins, ties, losses = (round(float(count)) for count in counts)
        settings = {"difference": float(gain), "pvalue": float(pvalue), "side": float(side)}
        found[a, b] = _Pair(wins=wins, ties=ties, losses=losses, **settings)
        found[b, a] = found[a, b].turned()
    return found


def _mean_texts(means: Sequence[float] | None, k: int) -> list[str]:
    """The means of rows, all with the same digits; empty without means."""
    if means is None:
        return [""] * k
    digits = decimals(means)
    return [minus(fixed(mean, digits)) for mean in means]


def _texts(pair: _Pair, digits: int) -> tuple[str, str, str]:
    record = f"{pair.wins} / {pair.ties} / {pair.losses}"
    return minus(fixed(pair.difference, digits)), record, said_pvalue(pair.pvalue)


def _form(pairs: dict[tuple[str, str], _Pair], k: int) -> tuple[str, int, tuple[float, float]]:
    """What cells show, the digits of differences, and the size of cells.

    Every number; in a narrow figure the difference only, if need be with fewer digits; of many algorithms a sign or nothing.
    """
    most, least = (decimals((pair.difference for pair in pairs.values()), digits) for digits in (3, 2))
    if k > MOST_WITH_TEXT:
        return "signs" if k <= MOST_WITH_SIGNS else "plain", most, (SMALL_CELL, SMALL_CELL)
    texts = {text for pair in pairs.values() for text in _texts(pair, most)}
    room = max(44.0, widest(texts, SMALL, bold=True) + 10)
    wanted = room + STRETCH.get() / k
    if wanted >= room:
        return "full", most, (wanted, CELL_HEIGHT)
    for digits in range(most, least - 1, -1):
        if widest((_texts(pair, digits)[0] for pair in pairs.values()), SMALLEST, bold=True) + 4 <= wanted:
            return "short", digits, (wanted, SHORT_CELL)
    return "signs", most, (SMALL_CELL, SMALL_CELL)


def _headings(grid: _Grid, labels: list[str], mean_texts: list[str], mean_width: float, upright: bool) -> list[Shape]:
    left, top = grid.corner
    shapes: list[Shape] = []
    for i, name in enumerate(grid.names):
        x, y = left + (i + 0.5) * grid.size[0], top + (i + 0.5) * grid.size[1]
        shapes.append(Text(left - 8 - mean_width, y, labels[i], size=SIZE, anchor="end", key=name, title=name))
        if mean_texts[i]:
            shapes.append(Text(left - 8, y, mean_texts[i], size=SIZE, anchor="end", colour="muted", key=name))
        head = Text(x, top - 9, labels[i], size=SIZE, anchor="middle", key=name, title=name)
        shapes.append(replace(head, y=top - 6, anchor="start", rotation=90) if upright else head)
    return shapes


def _grounds(grid: _Grid) -> list[Shape]:
    """The cells, coloured by their difference."""
    shapes: list[Shape] = []
    for row, column, pair, x, y in grid.cells():
        title = "\n".join((f"{isolated(row)} against {isolated(column)}", *_texts(pair, grid.digits)))
        shapes.append(Rect(x, y, *grid.size, fill=grid.colour(pair), stroke="paper", title=title, key=row))
    return shapes


def _full_cells(grid: _Grid) -> list[Shape]:
    """The difference, the record and the p-value."""
    return _written_cells(grid, SMALL, (-10.0, 0.0, 10.0))


def _short_cells(grid: _Grid) -> list[Shape]:
    """The difference only."""
    return _written_cells(grid, SMALLEST, (0.0,))


def _written_cells(grid: _Grid, letters: float, offsets: tuple[float, ...]) -> list[Shape]:
    width, height = grid.size
    frames: list[Shape] = []
    texts: list[Shape] = []
    for _, _, pair, x, y in grid.cells():
        told, colour = pair.pvalue <= grid.alpha, text_on(grid.colour(pair))
        if told:
            frames.append(Rect(x + 1.5, y + 1.5, width - 3, height - 3, stroke=colour))
        for offset, text in zip(offsets, _texts(pair, grid.digits), strict=False):
            place = x + width / 2, y + height / 2 + offset
            texts.append(Text(*place, text, size=letters, anchor="middle", bold=told, colour=colour))
    return _grounds(grid) + frames + texts


def _sign_cells(grid: _Grid) -> list[Shape]:
    signs: list[Shape] = []
    for _, _, pair, left, top in grid.cells():
        if not pair.pvalue <= grid.alpha:
            continue
        x, y, colour = left + grid.size[0] / 2, top + grid.size[1] / 2, text_on(grid.colour(pair))
        signs.append(Line(x - 3, y, x + 3, y, stroke=colour, stroke_width=1.2))
        if pair.side > 0:
            signs.append(Line(x, y - 3, x, y + 3, stroke=colour, stroke_width=1.2))
    return _grounds(grid) + signs


def _plain_cells(grid: _Grid) -> list[Shape]:
    """Only what is told apart, neighbours of a row as one: a hundred thousand cells stay a small figure."""
    left, top = grid.corner
    width, height = grid.size
    shapes: list[Shape] = []
    for i, row in enumerate(grid.names):
        found = [grid.pairs.get((row, column)) for column in grid.names]
        kinds = ["" if p is None or not p.pvalue <= grid.alpha else "row" if p.side > 0 else "column" for p in found]
        for start, length, kind in runs(kinds):
            if kind:
                colour = "diverging:0.9" if kind == "row" else "diverging:-0.45"
                place = left + start * width, top + i * height + 0.5
                shapes.append(Rect(*place, length * width, height - 1, fill=colour, stroke=None, key=row))
    k = len(grid.names)
    return [*shapes, Rect(left, top, k * width, k * height, stroke="faint", stroke_width=0.5)]


def _note(alpha: float, left: float, bottom: float, form: str) -> list[Text]:
    """How to read a cell."""
    told = f"p \u2264 {number(alpha)}"
    lines = {
        "full": ("row minus column: difference; wins / ties / losses; adjusted p", f"bold, framed: {told}"),
        "short": ("row minus column; blue: the row is better", f"bold, framed: {told}"),
        "signs": ("blue: the row is better; orange: the column is better", f"+ and \u2212: told apart, {told}"),
        "plain": (f"told apart, {told}: dark blue, the row is better;", "light orange, the column is better"),
    }[form]
    return [Text(left, bottom + 12 + 11 * i, line, size=SMALL, colour="muted") for i, line in enumerate(lines)]
