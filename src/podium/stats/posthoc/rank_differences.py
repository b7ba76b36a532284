"""Differences of Friedman mean ranks: the array kernels and the one path that all rank tests of pairs take."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.table import Table
from podium.stats.corrections import SOURCES
from podium.stats.omnibus.blocks import complete_blocks
from podium.stats.posthoc.posthoc_result import Indices, PosthocResult, pair_indices

__all__ = ["POOL", "RankPairs", "mean_rank_z", "rank_pairs"]

Floats = npt.NDArray[np.float64]

POOL = (
    "Mean ranks depend on the whole pool: adding or removing other algorithms can change the verdict on a pair "
    "(Benavoli et al. 2016)."
)
TIES = "mean ranks within datasets; the variance is that without ties, so that ties make the test cautious"


def mean_rank_z(mean_ranks: npt.ArrayLike, n_datasets: int) -> Floats:
    """z of every pair of mean ranks, (..., k) -> (..., k (k-1) / 2), negative where the first is better.

    z = (R_a - R_b) / sqrt(k (k + 1) / (6 n)) (Demsar 2006, section 3.2.2; Benavoli et al. 2016, equation 4).

    >>> mean_rank_z([2.0, 3.5, 3.0], 12).round(3)
    array([-3.674, -2.449,  1.225])
    """
    means = np.asarray(mean_ranks, dtype=np.float64)
    return _z(means, n_datasets, *np.triu_indices(means.shape[-1], 1))


def _z(means: Floats, n: int, a: Indices, b: Indices) -> Floats:
    k = means.shape[-1]
    z: Floats = (means[..., a] - means[..., b]) / math.sqrt(k * (k + 1) / (6 * n))
    # Sums of ranks are multiples of 1/2: what is left of equal ones is float noise.
    return np.where(np.abs(z) < 1e-11 * math.sqrt(n), 0.0, z)


@dataclass(frozen=True, slots=True, eq=False)
class RankPairs:
    """Complete datasets, their ranks, and the pairs to be looked at."""

    table: Table
    dropped: tuple[str, ...]
    ranks: Floats
    a: Indices
    b: Indices

    @property
    def z(self) -> Floats:
        """The z of the chosen pairs, negative where a is better."""
        return _z(self.ranks.mean(axis=0), self.ranks.shape[0], self.a, self.b)


def rank_pairs(
    data: Any,
    *,
    test: str,
    compute: Callable[[RankPairs], tuple[Floats, Floats, Floats]],
    correction: str,
    method: str = "asymptotic",
    degrees: float = math.inf,
    missing: str,
    references: tuple[str, ...],
    control: str | None = None,
    ties: str = TIES,
    caution: str = POOL,
) -> PosthocResult:
    """Rank, pair, `compute` (statistic, pvalue, adjusted) and wrap."""
    blocks = complete_blocks(data, missing=missing)
    a, b = pair_indices(blocks.table, control)
    pairs = RankPairs(blocks.table, blocks.dropped, blocks.table.ranks(), a, b)
    statistic, pvalue, adjusted = compute(pairs)
    means = pairs.ranks.mean(axis=0)
    return PosthocResult(
        test=test,
        algorithms=blocks.table.algorithms,
        control=control,
        first=a,
        second=b,
        statistic=statistic,
        pvalue=pvalue,
        adjusted=adjusted,
        correction=correction,
        effect=means[a] - means[b],
        effect_kind="difference of mean ranks",
        direction=-1,
        mean_ranks=means,
        n_datasets=pairs.ranks.shape[0],
        degrees=degrees,
        method=method,
        ties=ties,
        missing=missing,
        dropped=blocks.dropped,
        caution=caution,
        references=tuple(dict.fromkeys((*references, *SOURCES.get(correction, ())))),
    )
