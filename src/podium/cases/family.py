"""All pairs of many algorithms on cases that pass or fail, at once: step-down max-T with shared sign flips.

Flipping the signs of all differences of a case at once keeps the dependence among the pairs, so that the correction costs less
than Holm's (Westfall and Young 1993; Romano and Wolf 2005). "Equally accurate" is the symmetry that the flips need: nothing
else is assumed. It is not enough for numbers, nor for a mean over benchmarks, where effects may cancel.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.rng import Rng, generator
from podium.stats.exact.threads import in_threads

ALL_FLIPS_UP_TO = 13  # clusters: 2^13 flips are all counted
_BLOCK = 2_000_000  # draws x pairs at a time
_BITS = 20_000_000  # signs at a time
_COMPILED_FROM = 400_000_000  # draws x pairs: below, loading the compiler costs more than it saves
_SAME = 1e-9  # statistics closer than this are equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The statistics of all pairs and their adjusted p-values."""

    statistic: Floats
    adjusted: Floats
    exact: bool
    draws: int


def flip_family(sums: Floats, first: Indices, second: Indices, *, draws: int = 9999, rng: Rng = 0) -> Family:
    """Step-down max-T by sign flips of the rows of `sums` (cases x algorithms), shared by all pairs.

    All 2^n flips are counted where there are at most 13 cases, else `draws` random ones, and p counts the data too.
    """
    sums = np.ascontiguousarray(sums, dtype=np.float64)
    squares, largest_square = _squares(sums, first, second)
    constant = squares <= 1e-14 * max(largest_square, 1e-300)
    scale = np.where(constant, 0.0, 1 / np.sqrt(np.where(constant, 1.0, squares)))
    totals = sums.sum(axis=0)
    statistic = np.abs(totals[first] - totals[second]) * scale
    flipped, exact = flipped_sums(sums, draws, generator(rng), _BITS)
    order = np.argsort(statistic, kind="stable")
    counts = _step_down(flipped, first[order], second[order], scale[order], statistic[order])
    pvalues = counts / len(flipped) if exact else (counts + 1) / (len(flipped) + 1)
    adjusted = np.where(constant, 1.0, _monotone(pvalues, order))
    return Family(statistic=statistic, adjusted=adjusted, exact=exact, draws=len(flipped))


def _monotone(pvalues: Floats, order: Indices) -> Floats:
    """P-values of pairs in ascending order of their statistics, none below that of a larger one, as they were given."""
    adjusted = np.empty_like(pvalues)
    adjusted[order] = np.maximum.accumulate(pvalues[::-1])[::-1]
    return adjusted


def _squares(sums: Floats, first: Indices, second: Indices) -> tuple[Floats, float]:
    """The sums of squares of every pair's differences, and the largest of a column."""
    columns = (sums**2).sum(axis=0)
    if len(first) >= sums.shape[1]:
        square = sums.T @ sums
        return np.maximum(columns[first] + columns[second] - 2 * square[first, second], 0.0), float(columns.max())
    size = max(1, _BLOCK // len(sums))
    products = [
        np.einsum("gp,gp->p", sums[:, first[start : start + size]], sums[:, second[start : start + size]])
        for start in range(0, len(first), size)
    ]
    product = np.concatenate(products) if products else np.empty(0)
    return np.maximum(columns[first] + columns[second] - 2 * product, 0.0), float(columns.max(initial=0.0))


def flipped_sums(sums: Any, draws: int, random: np.random.Generator, at_once: int) -> tuple[Any, bool]:
    """The column sums after sign flips of the rows, in the precision of `sums`, and whether these are all flips there are.

    All of up to 13 rows, else random ones, drawn as packed bits, `at_once` at a time. Whole numbers are added without error in
    single precision, up to 2^24, and twice as fast.
    """
    groups = len(sums)
    if groups <= ALL_FLIPS_UP_TO:
        signs = 1.0 - 2.0 * ((np.arange(2**groups)[:, None] >> np.arange(groups)) & 1)
        return signs.astype(sums.dtype) @ sums, True
    flipped = np.empty((draws, sums.shape[1]), dtype=sums.dtype)
    whole = bool((sums == np.rint(sums)).all()) and float(np.abs(sums).sum(axis=0).max(initial=0.0)) < 2**23
    added = sums.astype(np.float32 if whole else sums.dtype, copy=False)
    block, piece = max(1, at_once // groups), max(64, 500_000 // groups)
    for start in range(0, draws, block):
        stop = min(start + block, draws)
        bits = np.unpackbits(random.integers(0, 256, (stop - start, -(-groups // 8)), dtype=np.uint8), axis=1)
        for row in range(start, stop, piece):  # as many as the processor's cache holds as numbers
            here = slice(row, min(row + piece, stop))
            flipped[here] = bits[row - start : here.stop - start, :groups].astype(added.dtype) @ added
    flipped *= 2
    flipped -= sums.sum(axis=0, dtype=np.float64).astype(sums.dtype)
    return flipped, False


def _step_down(flipped: Floats, first: Indices, second: Indices, scale: Floats, statistic: Floats) -> Floats:
    """For pairs in ascending order, how often the largest flipped statistic so far reaches the pair's own.

    One pair after the other, all draws at once: what is read lies side by side.
    """
    counts = np.zeros(len(first))
    largest = np.zeros(len(flipped))
    bounds = statistic - _SAME
    if len(first) * len(flipped) <= _COMPILED_FROM:
        pairs = zip(first.tolist(), second.tolist(), scale.tolist(), bounds.tolist(), strict=True)
        draws, value = np.ascontiguousarray(flipped.T), np.empty(len(flipped))
        for place, (i, j, factor, bound) in enumerate(pairs):
            np.subtract(draws[i], draws[j], out=value)
            np.abs(value, out=value)
            np.multiply(value, factor, out=value)
            np.maximum(largest, value, out=largest)
            counts[place] = np.count_nonzero(largest >= bound)
        return counts
    from podium.cases.flip_kernels import step_down

    def piece(part: slice) -> None:
        reached = step_down(np.ascontiguousarray(flipped[part].T), first, second, scale, bounds, largest[part])
        with adding:
            counts[:] += reached

    adding = threading.Lock()
    in_threads(piece, len(flipped))
    return counts
