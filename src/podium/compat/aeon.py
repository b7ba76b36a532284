"""`plot_critical_difference` of aeon, with Holm's correction of two-sided tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.compat.diagrams import diagram, drawn, grouped
from podium.compat.differences import say_once
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.table import Table, as_table
from podium.stats.posthoc.all_pairs import all_pairs
from podium.stats.posthoc.nemenyi import nemenyi


def plot_critical_difference(
    scores: npt.ArrayLike,
    labels: Sequence[str],
    highlight: dict[str, str] | None = None,
    lower_better: bool = False,
    test: str = "wilcoxon",
    correction: str | None = "holm",
    alpha: float = 0.1,
    width: float = 6,
    textspace: float = 1.5,
    reverse: bool = True,
    return_p_values: bool = False,
) -> tuple[Any, ...]:
    """Draw mean ranks with bars over what is not told apart; returns (figure, axes), and p-values if asked for.

    `scores` are datasets x estimators. The p-values are two-sided and not adjusted, in the order of mean ranks; bars
    follow the adjusted ones, whatever Friedman's test says. With `reverse`, the lowest rank is at the right; the room for
    names fits by itself, so that `textspace` has no effect.
    """
    table = _table(scores, labels, lower_better)
    if return_p_values and test != "wilcoxon":
        raise ValueError("p-values are returned of test='wilcoxon' only: Nemenyi's test has a critical difference.")
    if test == "wilcoxon":
        say_once(
            "aeon",
            "p-values are two-sided and Holm's correction steps through all pairs; aeon compares one-sided p-values with "
            "alpha / (k - 1), which can give more false alarms than the level allows.",
        )
        found = all_pairs(table, test="wilcoxon", correction=correction or "none")
    elif test == "nemenyi":
        say_once("aeon", "Nemenyi's critical value is that of k estimators; aeon reads the one of k + 1.")
        found = nemenyi(table)
    else:
        raise ArgumentError("`test` must be 'wilcoxon' or 'nemenyi'.")
    better = found.better(alpha)
    figure = diagram(grouped(better | better.T, table.mean_ranks(), table.algorithms), None, width, reverse)
    axes = drawn(figure)
    for name, colour in (highlight or {}).items():
        for text in axes.texts:
            if text.get_text() == name:
                text.set_color(colour)
    if not return_p_values:
        return axes.figure, axes
    order = np.argsort(table.mean_ranks(), kind="stable")
    square: Floats = found.matrix("pvalue")[np.ix_(order, order)]
    return axes.figure, axes, np.triu(square)


def _table(scores: npt.ArrayLike, labels: Sequence[str], lower_better: bool) -> Table:
    import pandas as pd

    frame = pd.DataFrame(np.asarray(scores, dtype=float), columns=[str(label) for label in labels])
    table = as_table(frame)
    return Table(
        values=-table.values if lower_better else table.values, datasets=table.datasets, algorithms=table.algorithms
    )
