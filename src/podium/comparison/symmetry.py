"""Are the differences of a pair clearly skewed? The signed-rank test takes them to be symmetric."""

from __future__ import annotations

import math

import numpy as np

from podium.core.arrays import Floats
from podium.core.ranks import subtract
from podium.core.table import Table
from podium.stats.pairwise.sign import sign_pvalue
from podium.stats.posthoc.pairs_result import PairsResult

CLEARLY = 0.01  # the level of the test of symmetry
LEAST = 10  # differences; fewer cannot show a shape
MOST_PAIRS = 500  # looked at


def symmetry_pvalue(differences: Floats) -> float:
    """The p-value of symmetry around an unknown centre (Miao, Gel and Gastwirth 2006); nan are left out.

    sqrt(n) (mean - median) / J is asymptotically normal with variance pi/2 - 1, where J is the scale
    sqrt(pi/2) mean |d - median|.

    >>> symmetry_pvalue(np.arange(-9.0, 10.0)), bool(symmetry_pvalue(np.exp(np.arange(20.0) / 3)) < 0.01)
    (1.0, True)
    """
    present = differences[~np.isnan(differences)]
    centre = np.median(present)
    scale = np.sqrt(np.pi / 2) * np.abs(present - centre).mean()
    if not scale > 0:
        return 1.0
    z = np.sqrt(len(present)) * (present.mean() - centre) / scale / np.sqrt(np.pi / 2 - 1)
    return math.erfc(abs(z) / math.sqrt(2))


def skewed_pairs(table: Table, pairs: PairsResult, alpha: float) -> dict[tuple[str, str], float]:
    """The significant pairs by Wilcoxon's test whose differences are clearly skewed -> p of their sign test."""
    if pairs.test != "wilcoxon":
        return {}
    names = pairs.names
    found: dict[tuple[str, str], float] = {}
    for row in np.flatnonzero(pairs.adjusted <= alpha)[:MOST_PAIRS]:
        differences = subtract(table.values[:, pairs.first[row]], table.values[:, pairs.second[row]])
        if pairs.n[row] >= LEAST and symmetry_pvalue(differences) <= CLEARLY:
            found[names[row]] = sign_pvalue(int(pairs.wins[row]), int(pairs.losses[row]))
    return found
