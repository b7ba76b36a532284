"""Test cases by algorithms, sorted by difficulty: which cases everybody solves, which nobody, and who solves the hard ones."""

from __future__ import annotations

from typing import Unpack

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core.arrays import Ints
from podium.core.numbers import counted, fixed, percent
from podium.plot.axes import PAD, stretched
from podium.plot.cases import outcomes_of
from podium.plot.cells import Tile, row_names, tile_shapes
from podium.plot.figure import Sheet, figure
from podium.plot.scene import Scene, Text, sheet_around
from podium.plot.style import label_of, widest

SIZE, ROW = 8.5, 11.0
WIDTH = 300.0
MOST_COLUMNS = 40  # cases beside each other; of more, neighbours in difficulty share a column


@figure
def case_map(result: Comparison, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """Algorithms as rows, the best on top, and cases as columns, the easiest on the left: darker where more is solved.

    Of more than 40 cases, neighbours in difficulty share a column, which has their mean. Outcomes that are missing do not count.

    Parameters
    ----------
    result : Comparison
        A comparison of test cases.

    Examples
    --------
    >>> import podium
    >>> found = podium.compare({"a": [1] * 9 + [0] * 3, "b": [0] * 6 + [1] * 6}, unit="case", metric="accuracy")
    >>> case_map(found).svg()[:4]
    '<svg'
    """
    cases = outcomes_of(result)
    names = [row.algorithm for row in result.ranking]
    gains = cases.metric.sign * cases.select(names).values
    order = np.argsort(-np.nan_to_num(np.nanmean(gains, axis=1), nan=-np.inf), kind="stable")
    groups = np.array_split(order, min(len(order), MOST_COLUMNS))
    low, high = float(np.nanmin(gains)), float(np.nanmax(gains))
    left, top = PAD + widest(map(label_of, names), SIZE) + 8, PAD + 12.0
    cell = (max(stretched(WIDTH, stretch) / len(groups), 2.0), ROW)

    def tile(column: int, group: Ints) -> Tile:
        own = gains[group, column]
        if np.isnan(own).all():
            return Tile(fill=None, crossed=True)
        share = (float(np.nanmean(own)) - low) / (high - low or 1.0)
        return Tile(fill=f"ramp:{fixed(0.05 + 0.85 * share, 1)}")

    tiles = ([tile(place, group) for group in groups] for place in range(len(names)))
    shapes = tile_shapes(tiles, (left, top), cell, size=SIZE, lined=False) + row_names(
        names, left - 8, top, ROW, size=SIZE
    )
    end = left + cell[0] * len(groups)
    shapes.append(Text(left, top - 8, "easiest", size=SIZE - 1, colour="muted"))
    shapes.append(Text(end, top - 8, "hardest", size=SIZE - 1, anchor="end", colour="muted"))
    solved = np.nanmax(gains, axis=1) > low
    note = f"{counted(cases.n_cases, 'case')} from left to right; darker: better"
    shapes.append(Text(left, top + ROW * len(names) + 10, note, size=SIZE - 1, colour="muted"))
    described = f"{len(names)} algorithms on cases from the easiest to the hardest; {percent(1 - float(solved.mean()))} are solved by nobody."
    return sheet_around(shapes, title="Cases by difficulty", description=described)
