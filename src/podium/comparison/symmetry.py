"""Are the differences of a pair clearly skewed? The signed-rank test takes them to be symmetric."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.ranks import subtract
from podium.evidence.table import Table
from podium.stats.pairwise.sign import sign_pvalue
from podium.stats.posthoc.pairs_result import PairsResult

CLEARLY = 0.001  # the level of the test of symmetry; on hard symmetric laws about one alarm in 100 is false
LEAST = 15  # differences; fewer cannot show a shape
MOST = 100  # differences looked at, evenly spaced: 100 show an exponential law with a probability of 1
MOST_PAIRS = 500  # looked at
_SAME = 1e-9  # of the range: three values are symmetric if they are so but for rounding


def symmetry_pvalue(differences: Floats) -> float:
    """The p-value of symmetry around an unknown centre by the triples test (Randles and others 1980); nan are left out.

    A triple leans to the right if its middle value is nearer to the smallest, to the left if it is nearer to the largest.

    >>> symmetry_pvalue(np.arange(-9.0, 10.0)), bool(symmetry_pvalue(np.exp(np.arange(20.0) / 3)) < 0.001)
    (1.0, True)
    """
    lean, variance = triples(differences[~np.isnan(differences)])
    if not variance > 0:
        return 1.0
    present = min(int((~np.isnan(differences)).sum()), MOST)
    return student_tails(lean / math.sqrt(variance), present - 1)


def student_tails(t: float, df: int) -> float:
    """Both tails of Student's t with whole degrees of freedom, as a finite sum (Abramowitz and Stegun 26.7.3, 26.7.4).

    Every comparison over datasets asks for it, and none should have to load SciPy for that.
    """
    angle, is_odd = math.atan(abs(t) / math.sqrt(df)), df % 2
    squared = math.cos(angle) ** 2
    term, total = math.sin(angle) * (math.cos(angle) if is_odd else 1.0), 0.0
    for k in range(1, df // 2 + 1):
        total += term
        term *= squared * (2 * k / (2 * k + 1) if is_odd else (2 * k - 1) / (2 * k))
    return 1 - (2 / math.pi * (angle + total) if is_odd else total)


def triples(values: Floats) -> tuple[float, float]:
    """A third of the share of triples that lean to the right less those to the left, and its variance.

    Each pair of sorted values i < j is in n - 2 triples: as both ends, as smallest and middle, as middle and largest. What these
    lean to is counted by looking for where the third value would be symmetric.
    """
    chosen = values[np.linspace(0, len(values) - 1, MOST).astype(np.intp)] if len(values) > MOST else values
    x, n = np.sort(chosen), len(chosen)
    if n < 5 or not np.ptp(x) > 0:
        return 0.0, 0.0
    near = _SAME * np.ptp(x)
    i, j = np.triu_indices(n, 1)

    def places(third: Floats, low: Any, high: Any) -> tuple[Any, Any]:
        """Of the values at places low to high, how many lie below and above the third value."""
        below = np.clip(np.searchsorted(x, third - near, side="left"), low, high) - low
        return below, high - np.clip(np.searchsorted(x, third + near, side="right"), low, high)

    below, above = places((x[i] + x[j]) / 2, i + 1, j)
    sums = (below - above).astype(np.float64)
    for third, low, high in ((2 * x[j] - x[i], j + 1, np.full_like(j, n)), (2 * x[i] - x[j], np.zeros_like(i), i)):
        below, above = places(third, low, high)
        sums += above - below
    total = n * (n - 1) * (n - 2) / 6
    lean = float(sums.sum() / 9 / total)
    by_pair = sums / 3 / (n - 2)
    by_one = np.bincount(np.concatenate([i, j]), weights=np.concatenate([sums, sums])) / 3 / ((n - 1) * (n - 2))
    spread = 1.5 * (n - 3) * (n - 4) * np.mean((by_one - lean) ** 2) + 3 * (n - 3) * np.mean((by_pair - lean) ** 2)
    return lean, float((spread + 1 / 9 - lean**2) / total)


def skewed_pairs(table: Table, pairs: PairsResult, alpha: float) -> dict[tuple[str, str], float]:
    """The significant pairs by Wilcoxon's test whose differences are clearly skewed -> p of their sign test."""
    if pairs.test != "wilcoxon":
        return {}
    names = pairs.names
    pvalues: dict[tuple[str, str], float] = {}
    for row in np.flatnonzero(pairs.adjusted <= alpha)[:MOST_PAIRS]:
        differences = subtract(table.values[:, pairs.first[row]], table.values[:, pairs.second[row]])
        if pairs.n[row] >= LEAST and symmetry_pvalue(differences) <= CLEARLY:
            pvalues[names[row]] = sign_pvalue(int(pairs.wins[row]), int(pairs.losses[row]))
    return pvalues
