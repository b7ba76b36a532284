"""Tests whose outcome for two algorithms depends on the whole pool: what those on mean ranks and on mean scores share.

Each such test has a kernel from tables (..., datasets, algorithms), where higher is better, to what it says of every
pair of every table: (0, 1), (0, 2), ..., or of each other algorithm (a) against the control (b).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.pairs import pair_indices
from podium.evidence.table import Table
from podium.stats import registry
from podium.stats.omnibus.anova import two_way
from podium.stats.omnibus.blocks import complete_blocks
from podium.stats.pairwise.pair_result import Tested, checked_options
from podium.stats.posthoc.all_pairs import ScoreColumns, estimates, pairs_on_columns
from podium.stats.posthoc.pairs_result import INTERVALS, PairsResult, Places


def run_pool(
    name: str,
    data: Any,
    control: str | None = None,
    correction: str | None = None,
    *,
    missing: str = "complete",
    confidence: float = 0.95,
    intervals: str = "simultaneous",
    alternative: str = "two-sided",
    **options: Any,
) -> PairsResult:
    """A test of the pool, by its name, on the complete datasets; effects and wins are those of the two."""
    method = registry.PAIRWISE[name]
    checked_options(method, options, alternative)
    check.fraction("confidence", confidence)
    if control is None and method.needs_control:
        raise ArgumentError(f"The test {name!r} compares with a control: name it with `control`.")
    if control is not None and not method.needs_control:
        raise ArgumentError(f"The test {name!r} is for all pairs: leave out `control`, or name 'bonferroni_dunn'.")
    blocks = complete_blocks(data, missing=missing)
    table = blocks.table
    beside = registry.PAIRWISE[method.beside]
    values = np.array(table.values.T, order="C")
    columns = ScoreColumns(values=values, algorithms=table.algorithms, metric=table.metric).among(control)
    place = None if control is None else table.place(control)
    tested: Tested = registry.kernel(method)(table.gains, control=place, **options)
    sign = table.metric.sign
    if correction is not None:  # a test that corrects itself may be asked for another correction
        tested = replace(tested, adjusted=None)
    if method.on == "scores":
        tested = replace(tested, statistic=sign * tested.statistic, turned=None)
    critical_t = getattr(registry.load(method), f"{name}_critical_t", None)
    own = intervals == "simultaneous" and correction is None and critical_t is not None
    return pairs_on_columns(
        columns,
        tested,
        np.concatenate([block.counts for block in columns.blocks()]),
        _own_intervals(table, critical_t, confidence, place) if own else estimates(columns, beside),
        test=name,
        correction=correction or method.correction,
        confidence=confidence,
        intervals=check.choice("intervals", intervals, INTERVALS),
        missing=missing,
        dropped=blocks.dropped,
        effect_name=beside.effect,
        options=options,
        references=method.references,
    )


def _own_intervals(
    table: Table, critical_t: Any, confidence: float, control: int | None
) -> Callable[[float, Places], tuple[Floats, ...]]:
    """Mean differences with the simultaneous intervals of a test on mean scores, in the metric's own units."""

    def together(level: float, places: Places) -> tuple[Floats, ...]:
        parts = two_way(table.values)
        first, second = (each[places] for each in pair_indices(table.n_algorithms, control))
        effect = parts.means[first] - parts.means[second]
        half = critical_t(parts.k, parts.df[1], 1 - confidence) * np.sqrt(2 * parts.error / parts.n)
        return effect, effect - half, effect + half

    return together
