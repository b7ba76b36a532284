"""Ranks of algorithms, the best on top: the ranks that the data allow, how often each was had, how probable each is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import fixed, percent
from podium.plot.axes import PAD, Axis, axis_below, rank_ticks, stretched
from podium.plot.cells import Tile, row_names, tile_shapes
from podium.plot.figure import Sheet, figure
from podium.plot.rows import Row, Rows, place_ticks, rows_of
from podium.plot.scene import Polygon, Scene, sheet_around
from podium.plot.sources import TableSource, table_of
from podium.plot.style import label_of, widest

if TYPE_CHECKING:
    from podium.bayes.posterior import EffectsPosterior
    from podium.stats.posthoc.rank_intervals import RankIntervalsResult

SIZE = 9.0
MOST_WITH_NUMBERS = 25
MOST_SINGLE_CELLS = 60


@figure
def rank_intervals(result: RankIntervalsResult | Comparison, **sheet: Unpack[Sheet]) -> Rows:
    """The rank of each algorithm by mean rank, with the ranks that it may hold: simultaneous intervals.

    Parameters
    ----------
    result : RankIntervalsResult or Comparison
        A result of `podium.stats.rank_intervals`, or a comparison.

    Examples
    --------
    >>> import podium
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> rank_intervals(podium.stats.rank_intervals(scores)).svg()[:4]
    '<svg'
    """
    if isinstance(result, Comparison):
        rows = [(row.algorithm, row.mean_rank, row.rank_low, row.rank_high) for row in result.ranking]
    else:
        rows = list(zip(result.algorithms, result.mean_ranks, result.low, result.high, strict=True))
    places = _places([mean for _, mean, _, _ in rows])
    ordered = sorted(zip(places, rows, strict=True), key=lambda each: (each[0], each[1][2]))
    k = max(len(rows), *(high for _, _, _, high in rows))
    drawn = [
        Row(names=(name,), value=place, low=low, high=high, texts=(f"{low} to {high}", fixed(mean, 2)), tinted=low == 1)
        for place, (name, mean, low, high) in ordered
    ]
    return rows_of(
        "Rank ranges by mean rank",
        "Rank; lines: simultaneous rank ranges",
        drawn,
        limits=(0.5, k + 0.5),
        ticks=place_ticks,
        heads=("Rank range", "Mean rank"),
        legend=(("tint", "could be first"),),
    )


def _places(mean_ranks: Sequence[float]) -> list[float]:
    """The place of each mean rank in their order; ties share theirs."""
    ordered = sorted(mean_ranks)
    return [ordered.index(rank) + (ordered.count(rank) + 1) / 2 for rank in mean_ranks]


@figure
def rank_distribution(result: TableSource, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """A cell for each algorithm and rank, darker and with its percentage for more datasets; a notch at the mean rank.

    Datasets with a missing score are left out.

    Parameters
    ----------
    result : Comparison, Scores, Table, DataFrame or array-like
        A comparison, or scores of datasets x algorithms.

    Examples
    --------
    >>> rank_distribution([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8]]).svg()[:4]
    '<svg'
    """
    table = table_of(result, best_first=True).complete()
    if table.n_datasets == 0:
        raise ArgumentError("Every dataset lacks a score: there are no ranks to show.")
    shares, means = rank_shares(table.ranks()), table.mean_ranks()
    described = f"How often each algorithm had each rank on {table.n_datasets} datasets"
    words = ("% of datasets", "Distribution of ranks", described, "rank {rank} on {percent} of datasets")
    return _scene(shares, table.algorithms, means, words, stretch)


@figure
def rank_probabilities(posterior: EffectsPosterior, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """The probability of each algorithm (row) to have each rank (column), in percent, the best on top.

    Parameters
    ----------
    posterior : EffectsPosterior
        A result of `podium.bayes.anova` or `podium.bayes.bradley_terry`.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> table = np.random.default_rng(0).normal([0.7, 0.71, 0.75], 0.01, (12, 3))
    >>> rank_probabilities(podium.bayes.anova(table, rope=0.01, draws=400, rng=0)).svg()[:4]
    '<svg'
    """
    chances = posterior.rank_probabilities
    means = chances @ np.arange(1, len(chances) + 1)
    hover = "rank {rank} with probability {fixed}"
    words = ("probability in %", f"{posterior.title}: ranks", "Probabilities of the ranks", hover)
    return _scene(chances, posterior.algorithms, means, words, stretch)


def rank_shares(ranks: Floats) -> Floats:
    """The share of datasets on which each algorithm (row) had each rank (column).

    A rank shared by tied algorithms, such as 2.5, counts half for 2 and half for 3. Datasets that an algorithm lacks
    (nan) do not count for it.

    >>> rank_shares(np.array([[1.0, 2.0], [1.5, 1.5]])).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    n, k = ranks.shape
    shares = np.zeros((k, k))
    finite = np.isfinite(ranks)
    low = np.where(finite, np.floor(ranks), 1).astype(np.intp)
    part = np.where(finite, ranks - low, 0.0)
    columns = np.broadcast_to(np.arange(k), (n, k))
    np.add.at(shares, (columns[finite], low[finite] - 1), 1 - part[finite])
    upper = finite & (part > 0)
    np.add.at(shares, (columns[upper], low[upper]), part[upper])
    return np.asarray(shares / np.maximum(finite.sum(axis=0), 1)[:, None])


def _scene(
    shares: Floats, names: Sequence[str], means: Floats, words: tuple[str, str, str, str], stretch: float
) -> Scene:
    """Shares of ranks (columns) of algorithms (rows), the lowest mean rank on top.

    `words` are the unit, the title, the description, and what hovering over a cell tells.
    """
    unit, title, described, hover = words
    k = len(names)
    order = np.argsort(means, kind="stable")
    cell = stretched(max(8.0, min(24.0, 480.0 / k)), stretch, least=8.0, share=1 / k)
    height = max(11.0, min(18.0, cell))
    left, top = PAD + widest(map(label_of, names), SIZE) + 8, PAD
    x = Axis(0.5, k + 0.5, left, left + k * cell)
    numbered = k <= MOST_WITH_NUMBERS and cell >= 14

    def tile(name: str, rank: int, share: float) -> Tile:
        shade = round(0.85 * float(share / shares.max()), 2)
        if k > MOST_SINGLE_CELLS:
            shade = round(shade, 1)
            return Tile(fill=f"ramp:{shade}" if shade else None, key=name)
        said = f"{name}\n{hover.format(rank=rank, percent=percent(share), fixed=fixed(share, 3))}"
        text = fixed(100 * share, 0) if numbered and share >= 0.005 else ""
        return Tile(fill=f"ramp:{shade}", text=text, title=said, key=name)

    tiles = ([tile(names[i], rank, share) for rank, share in enumerate(shares[i].tolist(), 1)] for i in order)
    shapes = tile_shapes(tiles, (left, top), (cell, height), size=7)
    shapes += row_names([names[i] for i in order], left - 8, top, height, size=SIZE)
    for row, i in enumerate(order.tolist()):
        said = f"{names[i]}\nmean rank {fixed(means[i], 3)}"
        shapes.append(_notch(x(float(means[i])), top + row * height, names[i], said))
    label = f"rank ({unit}; triangle: mean rank)" if k <= MOST_WITH_NUMBERS else "rank (triangle: mean rank)"
    shapes += axis_below(x, top + k * height + 1, label=label, ticks=rank_ticks(k, x.end - x.start))
    description = f"{described}; {names[order[0]]}, the best of {k} algorithms by mean rank, is on top."
    return sheet_around(shapes, title=title, description=description)


def _notch(x: float, top: float, key: str, title: str) -> Polygon:
    """A small triangle that points down at the mean rank."""
    points = ((x - 3, top), (x + 3, top), (x, top + 4.5))
    return Polygon(points, fill="vermilion", stroke="paper", stroke_width=0.5, key=key, title=title)
