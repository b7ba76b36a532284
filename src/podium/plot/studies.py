"""Figures of studies: series against a bias (four panels), power against the number of datasets, decisions by pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np

from podium.core.arrays import Floats
from podium.core.numbers import counted, format_pvalue
from podium.plot.axes import Axis, line_style, named_ends, names_width, plane, span_of, stretched
from podium.plot.figure import Sheet, figure
from podium.plot.scene import Circle, Line, Polyline, Rect, Scene, Shape, Text, sheet_around
from podium.plot.style import text_width, widest

if TYPE_CHECKING:
    from podium.planning._power import PowerResult
    from podium.studies._replicability import ReplicabilityResult
    from podium.studies.pool import PoolResult


WIDTH, HEIGHT, LOW = 230.0, 150.0, 90.0
LEAST_PANEL = 90.0  # narrower ones stand below each other
LEFT, TOP, GAP, BELOW = 52.0, 26.0, 16.0, 40.0
SIZE = 8.5
WANTED = 0.8  # the power that studies usually aim at


@figure
def replicability(result: ReplicabilityResult, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """Share rejected, Bouckaert's replicability, mean p and 1 - var(p) against the bias (Demsar 2006, figures 1-3).

    Parameters
    ----------
    result : ReplicabilityResult
        A result of `podium.studies.replicability`.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> table = np.linspace(0.6, 0.9, 12)[:, None] + [0.0, 0.01]
    >>> study = podium.studies.replicability(table, tests=["sign"], size=5, biases=[0, 5], draws=20)
    >>> replicability(study).svg()[:4]
    '<svg'
    """
    panels = (
        _Panel("share rejected", result.rejected, 0.0, 1.0),
        _Panel("Bouckaert's replicability", result.agreement, 0.4, 1.0),
        _Panel("mean p-value", result.mean_pvalue, 0.0, float(max(0.1, result.mean_pvalue.max()))),
        _Panel("1 − variance of p", result.steadiness, float(np.floor(result.steadiness.min() * 20) / 20), 1.0),
    )
    first, second = result.chosen_by
    described = f"Four series of {len(result.tests)} tests against {len(result.biases)} biases."
    words = (f"bias k towards {first} against {second}", "Replicability of tests", described)
    return _grid(panels, result.tests, np.array(result.biases), words=words, stretch=stretch)


@figure
def power(result: PowerResult, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """Power against the number of datasets or cases, one panel per effect, with lines at 80% and at the size of the pilot: "you are here".

    Parameters
    ----------
    result : PowerResult
        A result of `podium.planning.power`.

    Examples
    --------
    >>> import podium
    >>> power(podium.planning.power(tests=["sign"], effects=[1.0], sizes=[10, 20], draws=100)).svg()[:4]
    '<svg'
    """
    panels = [
        _Panel(f"effect of {result.quantity.in_full(effect)}", result.power[:, j], 0.0, 1.0)
        for j, effect in enumerate(result.effects)
    ]
    described = f"Power of {counted(len(result.tests), 'test')} for {counted(len(result.effects), 'effect')}."
    sizes = np.array(result.sizes, dtype=float)
    words = (result.sized_by, "Power of tests", described)
    return _grid(panels, result.tests, sizes, words=words, stretch=stretch, here=result.here, wanted=WANTED)


@figure
def pool(result: PoolResult, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """For each pair whose decision depends on the pool: the share of pools of each size that make it significant.

    A filled bar is the share by mean ranks; the p-value at the right is that of the test of the two alone.

    Parameters
    ----------
    result : PoolResult
        A result of `podium.studies.pool_dependence`.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> table = np.random.default_rng(0).normal([0.0, 0.6, 1.0, 1.4], 1.0, (30, 4))
    >>> pool(podium.studies.pool_dependence(table)).svg()[:4]
    '<svg'
    """
    pairs = result.affected or result.pairs[:1]
    sizes = [pool.size for pool in result.pairs[0].pools]
    labels = [f"{pair.a} – {pair.b}" for pair in pairs]
    narrow = stretch < 0  # the name of the test stands above its p-values
    alone = [format_pvalue(pair.pvalue) if narrow else f"{result.test} {format_pvalue(pair.pvalue)}" for pair in pairs]
    left = widest(labels, SIZE) + 14
    counts = [f"{pool.significant}/{pool.total}" for pair in pairs for pool in pair.pools]
    cell = widest(counts, 7.0) + 5 if narrow else max(34.0, text_width("100/100", 7.0) + 8)
    heading = "significant pools, by their size" if narrow else "significant pools, by size of the pool"
    shapes: list[Shape] = [Text(8.0 if narrow else left, 14, heading, size=SIZE + 1, bold=True)]
    if narrow:
        shapes.append(Text(left + len(sizes) * cell + 6, 32, result.test, size=SIZE, colour="muted"))
    shapes += [
        Text(left + (i + 0.5) * cell, 32, str(size), size=SIZE, anchor="middle", colour="muted")
        for i, size in enumerate(sizes)
    ]
    for row, (pair, label) in enumerate(zip(pairs, labels, strict=True)):
        y = 42 + row * 22.0
        shapes.append(Text(left - 6, y + 9, label, size=SIZE, anchor="end"))
        for i, pool in enumerate(pair.pools):
            x = left + i * cell
            share = pool.significant / pool.total
            words = f"{label}: {pool.significant} of {pool.total} pools of {pool.size} are significant"
            shapes.append(Rect(x + 1, y, cell - 2, 18, fill="wash", stroke=None, title=words))
            shapes.append(Rect(x + 1, y + 14, (cell - 2) * share, 4, fill="blue", stroke=None, title=words))
            text = f"{pool.significant}/{pool.total}"
            shapes.append(Text(x + cell / 2, y + 7, text, size=7.0, anchor="middle"))
        shapes.append(Text(left + len(sizes) * cell + 6, y + 9, alone[row], size=SIZE))
    described = f"{len(result.affected)} pairs whose mean-ranks decision depends on the pool."
    return sheet_around(shapes, title="Decisions by pool", description=described)


@dataclass(frozen=True, slots=True)
class _Panel:
    """One panel of lines: values of shape (series, x)."""

    title: str
    values: Floats
    low: float
    high: float

    def up(self, top: float, height: float) -> Axis:
        """The axis of its values."""
        return Axis(self.low, max(self.high, self.low + 1e-6), top + height, top)


def _grid(
    panels: Sequence[_Panel],
    names: Sequence[str],
    x: Floats,
    *,
    words: tuple[str, str, str],
    stretch: float,
    here: int | None = None,
    wanted: float | None = None,
) -> Scene:
    """Panels two in a row, in a column one, with the names of the series beside the last one of each row.

    `words` are the label of the horizontal axis, the title and the description. Lines mark the size that is there already
    (`here`) and the height that is `wanted`.
    """
    across = min(2, len(panels))
    beside = LEFT + 4 + names_width(names) + 8
    wide, height = stretched(WIDTH, stretch, share=1 / across), HEIGHT
    if across == 2 and WIDTH + stretch / 2 < LEAST_PANEL:
        own = 2 * WIDTH + LEFT + GAP + beside
        across, wide, height = 1, max(own + stretch - beside, LEAST_PANEL), LOW
    shapes: list[Shape] = []
    for place, panel in enumerate(panels):
        column, row = place % across, place // across
        left = LEFT + column * (wide + LEFT + GAP)
        top = TOP + row * (height + BELOW + TOP)
        across_panel = Axis(*span_of(x if here is None else np.append(x, here)), left, left + wide)
        shapes += _panel(panel, names, x, across_panel, panel.up(top, height), words[0])
        shapes += _goals(across_panel, panel.up(top, height), here, wanted)
        if column == across - 1 or place == len(panels) - 1:
            up = panel.up(top, height)
            ends = [up(float(np.clip(values[-1], panel.low, panel.high))) for values in panel.values]
            shapes += named_ends(names, ends, left + wide + 4, top, top + height)
    return sheet_around(shapes, title=words[1], description=words[2])


def _goals(across: Axis, up: Axis, here: int | None, wanted: float | None) -> list[Shape]:
    """The line of the size that is there already, and that of the height that is wanted."""
    shapes: list[Shape] = []
    if wanted is not None:
        shapes.append(Line(across.start, up(wanted), across.end, up(wanted), stroke="muted", dash="dashed"))
    if here is not None:
        at, right = across(here), across(here) < (across.start + across.end) / 2
        words = f"you are here: {here}"
        wide = text_width(words, SIZE)
        start = at + 3 if right else at - 3 - wide
        shapes.append(Line(at, up.start, at, up.end, stroke="vermilion", dash="dashed"))
        shapes.append(Rect(start, up.start - 13, wide, 11, fill="paper", stroke=None))
        shapes.append(Text(start, up.start - 7, words, size=SIZE, colour="vermilion"))
    return shapes


def _panel(panel: _Panel, names: Sequence[str], x: Floats, across: Axis, up: Axis, x_label: str) -> list[Shape]:
    shapes: list[Shape] = [Text(across.start, up.end - 10, panel.title, size=SIZE + 1, bold=True)]
    shapes += plane(across, up, x_label, "")
    for place, name in enumerate(names):
        points = tuple(
            (across(float(a)), up(float(np.clip(v, panel.low, panel.high))))
            for a, v in zip(x, panel.values[place], strict=True)
        )
        colour, dash = line_style(place)
        if len(points) > 1:
            shapes.append(Polyline(points, stroke=colour, dash=dash, stroke_width=1.5, key=name, title=name))
        shapes += [Circle(a, b, 1.6, fill=colour, stroke=None, key=name, title=name) for a, b in points]
    return shapes
