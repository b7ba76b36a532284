"""The gate for those who look after every case: one-sided e-processes and the bounds that hold at every moment.

To show that a mean is above m, bet shares t in (0, 1) of all that can be lost, all sizes at once: the mean over t of
prod (1 + t (d_i - m) / (1 + m)), for differences of at least -1. If the mean is at most m, it ever reaches 1 / alpha with a
probability of at most alpha (Ville). It falls as m grows, so that all m it has excluded lie below a bound. Clusters count by their
sums, over the size of the largest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.cases.anytime import bets_of
from podium.cases.gate_kernels import Sides
from podium.core.arrays import Bools, Floats, Ints
from podium.core.errors import DataError
from podium.core.numbers import as_given

_STEPS = 40  # of a bisection
_CELLS = 4_000_000  # rows x cases x bets at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class SequenceSides(Sides):
    """Bounds and p-values that hold at every moment, and after how many cases either answer was first shown (0: never)."""

    not_worse_after: int
    worse_after: int


def sequence_sides(
    differences: Floats, *, margin: float, alpha: float, bound: float = 1.0, sizes: Floats | None = None
) -> SequenceSides:
    """Follow gains in their order, each within [-bound, bound], or the sums of clusters of these `sizes`.

    >>> found = sequence_sides(np.full(60, -1.0), margin=0.05, alpha=0.05)
    >>> found.worse_after, found.not_worse_after
    (7, 0)
    """
    largest = 1.0 if sizes is None else float(sizes.max())
    scaled, shares = differences / bound / largest, None if sizes is None else sizes / largest
    if np.abs(scaled).max() > 1 + 1e-12:
        raise DataError(
            f"A difference lies outside -{as_given(bound)} to {as_given(bound)}: give the largest possible one by {{bound}}."
        )
    if margin >= bound:
        raise DataError("No difference can exceed this margin: {margin} must be below {bound}.")
    above = log_evidence(scaled[None], -margin / bound, shares)[0]
    below = log_evidence(-scaled[None], 0.0, shares)[0]
    limit = -np.log(alpha)
    return SequenceSides(
        gain=float(differences.mean() if sizes is None else differences.sum() / sizes.sum()),
        low=_bound(scaled, limit, shares) * bound,
        high=-_bound(-scaled, limit, shares) * bound,
        not_worse_pvalue=float(np.exp(-max(above.max(), 0.0))),
        worse_pvalue=float(np.exp(-max(below.max(), 0.0))),
        variance=float(differences.var()),
        method="an e-process",
        not_worse_after=_first(above >= limit),
        worse_after=_first(below >= limit),
    )


def log_evidence(rows: Floats, mean: float, sizes: Floats | None = None) -> Floats:
    """The logarithms of the evidence after every case that the mean is above `mean`: rows x cases."""
    bets, weights = bets_of(1.0)
    n = rows.shape[1]
    found = np.empty_like(rows)
    size = max(1, _CELLS // (n * len(bets)))
    for start in range(0, len(rows), size):
        here = slice(start, start + size)
        gains = (rows[here, :, None] - mean * (1.0 if sizes is None else sizes[:, None])) / (1 + mean)
        with np.errstate(divide="ignore"):
            logs = np.cumsum(np.log1p(bets * gains), axis=1)
        top = logs.max(axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            found[here] = np.where(top == -np.inf, -np.inf, np.log(np.exp(logs - top[..., None]) @ weights) + top)
    return found


def sequence_answers(rows: Floats, *, margin: float, alpha: float, sizes: Floats | None = None) -> tuple[Ints, Ints]:
    """For rows of gains in [-1, 1], after how many cases "not worse" and "worse" were first shown (0: never).

    With `sizes` they are sums of clusters, and sizes, in units of the largest.
    """
    limit = -np.log(alpha)
    found = [log_evidence(rows, -margin, sizes) >= limit, log_evidence(-rows, 0.0, sizes) >= limit]
    passed, worse = (np.where(crossed.any(axis=1), crossed.argmax(axis=1) + 1, 0) for crossed in found)
    return passed, worse


def _bound(scaled: Floats, limit: float, sizes: Floats | None) -> float:
    """The largest mean that some moment has shown to be too small."""
    excluded, kept = -1 + 1e-12, 1 - 1e-12
    if log_evidence(scaled[None], excluded, sizes).max() < limit:
        return -1.0
    for _ in range(_STEPS):
        middle = (excluded + kept) / 2
        shown = bool(log_evidence(scaled[None], middle, sizes).max() >= limit)
        excluded, kept = (middle, kept) if shown else (excluded, middle)
    return excluded


def _first(crossed: Bools) -> int:
    return int(np.argmax(crossed)) + 1 if crossed.any() else 0
