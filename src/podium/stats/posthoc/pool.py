"""Tests whose outcome for two algorithms depends on the whole pool: what those on mean ranks and on mean scores share.

Each such test has a `kernel` from tables (..., datasets, algorithms), where higher is better, to what it says of every
pair of every table: (0, 1), (0, 2), ..., or of each other algorithm (a) against the control (b).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.pairs import pair_indices
from podium.evidence.table import Table
from podium.stats import registry
from podium.stats.omnibus.anova import TwoWay, two_way
from podium.stats.omnibus.blocks import complete_blocks, ranks_of
from podium.stats.pairwise.pair_result import Tested, checked_options
from podium.stats.posthoc.all_pairs import Columns, estimates, pairs_on_columns
from podium.stats.posthoc.pairs_result import INTERVALS, PairsResult

METHOD = "exact under normality and sphericity"


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
    columns = Columns(values=values, algorithms=table.algorithms, metric=table.metric).among(control)
    place = None if control is None else table.place(control)
    home = registry.load(method)
    tested: Tested = home.kernel(table.gains, control=place, **options)
    sign = table.metric.sign
    if correction is not None:  # a test that corrects itself may be asked for another correction
        tested = replace(tested, adjusted=None)
    if method.on == "scores":
        tested = replace(tested, statistic=sign * tested.statistic, turned=None)
    own = intervals == "simultaneous" and correction is None and hasattr(home, "critical_t")
    return pairs_on_columns(
        columns,
        tested,
        np.concatenate([block.counts for block in columns.blocks()]),
        _own_intervals(table, home.critical_t, confidence, place) if own else estimates(columns, beside),
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
) -> Callable[[float], tuple[Floats, ...]]:
    """Mean differences with the simultaneous intervals of a test on mean scores, in the metric's own units."""

    def together(level: float) -> tuple[Floats, ...]:
        parts = two_way(table.values)
        first, second = pair_indices(table.n_algorithms, control)
        effect = parts.means[first] - parts.means[second]
        half = critical_t(parts.k, parts.df[1], 1 - confidence) * np.sqrt(2 * parts.error / parts.n)
        return effect, effect - half, effect + half

    return together


def mean_rank_z(mean_ranks: npt.ArrayLike, n_datasets: int, control: int | None = None) -> Floats:
    """z of every pair of mean ranks, (..., k) -> (..., pairs), negative where the first is better.

    z = (R_a - R_b) / sqrt(k (k + 1) / (6 n)) (Demsar 2006, section 3.2.2; Benavoli et al. 2016, equation 4).

    >>> mean_rank_z([2.0, 3.5, 3.0], 12).round(3)
    array([-3.674, -2.449,  1.225])
    """
    means = np.asarray(mean_ranks, dtype=np.float64)
    k = means.shape[-1]
    a, b = pair_indices(k, control)
    z: Floats = (means[..., a] - means[..., b]) / math.sqrt(k * (k + 1) / (6 * n_datasets))
    # Sums of ranks are multiples of 1/2: what is left of equal ones is float noise.
    return np.where(np.abs(z) < 1e-11 * math.sqrt(n_datasets), 0.0, z)


def z_tested(tables: Floats, control: int | None = None) -> tuple[Floats, Tested]:
    """z of the mean ranks of all pairs, and what the normal law says of it."""
    from scipy.special import ndtr

    z = mean_rank_z(ranks_of(tables).mean(axis=-2), tables.shape[-2], control)
    return z, rank_tested(z, np.minimum(2 * ndtr(-np.abs(z)), 1.0))


def rank_tested(statistic: Floats, pvalue: Floats, **more: Any) -> Tested:
    """What a test on ranks says: the one with the smaller ranks is ahead."""
    cautious = "mean ranks within datasets; the variance is that without ties, so that ties make the test cautious"
    more = {"method": "asymptotic", "ties": cautious} | more
    return Tested(statistic=statistic, pvalue=pvalue, side=-np.sign(statistic), **more)


def mean_t(tables: Floats, control: int | None = None) -> tuple[Tested, TwoWay]:
    """t of each pair of mean scores with the pooled error of the analysis of variance, and its parts.

    Where nothing is left as error, all datasets put every pair in the same order by the same amounts. Of a set of equal algorithms
    that happens with a probability of at most 2^(1 - n), whatever the others do, so that this p-value needs no correction.
    """
    from podium.stats.pairwise.paired_t import student

    parts = two_way(tables)
    first, second = pair_indices(tables.shape[-1], control)
    effect = parts.means[..., first] - parts.means[..., second]
    largest = np.abs(tables).max(axis=-2)  # a mean is as precise as the largest of its scores
    noise = 1e-12 * np.maximum(largest[..., first], largest[..., second])
    effect = np.where(np.abs(effect) <= noise, 0.0, effect)
    error = np.sqrt(2 * parts.error / parts.n)[..., None]
    # Without spread anywhere the pooled error has no degrees of freedom to speak of: what is left is that the n differences of
    # a pair have the same sign, as in the test of the two alone.
    df = np.where(error > 0, parts.df[1], parts.n - 1.0)
    tested = student(effect, np.broadcast_to(error, effect.shape), df, "two-sided", METHOD)
    return replace(tested, details={"df": parts.df[1]}), parts
