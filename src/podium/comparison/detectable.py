"""How large a true difference must be for the comparison to find it."""

from __future__ import annotations

import math

import numpy as np

from podium.core.table import Table
from podium.stats import registry
from podium.stats.posthoc.pairs_result import PairsResult
from podium.studies.detectable import detectable_effect

WANTED_POWER = 0.8
MOST_PAIRS = 2000  # enough for the median of their spreads


def detectable_difference(table: Table, pairs: PairsResult, alpha: float) -> float | None:
    """The true difference of a typical pair that the test finds with a probability of 80%, in the metric's units.

    The pair has the median number of datasets and the median standard deviation of differences, taken to be normal; the
    test is the one used, at the level alpha / m of m pairs, which Holm's and Bonferroni's corrections ask of a pair that
    alone differs. None where nothing can be significant, where all differences are equal, and for tests of other kinds.
    """
    corrected = pairs.correction != "none"
    known = registry.CORRECTIONS.get(pairs.correction)
    if registry.PAIRWISE[pairs.test].over != "datasets" or (corrected and not (known and known.first_by_count)):
        return None
    level = alpha / pairs.n_pairs if corrected else alpha
    found = typical_spread(table, pairs) * detectable_effect(pairs.test, int(np.median(pairs.n)), level, WANTED_POWER)
    return found if math.isfinite(found) and found > 0 else None


def typical_spread(table: Table, pairs: PairsResult) -> float:
    """The median over pairs of the standard deviation of their differences."""
    chosen = slice(None, None, max(1, pairs.n_pairs // MOST_PAIRS))
    differences = table.values[:, pairs.first[chosen]] - table.values[:, pairs.second[chosen]]
    counts = (~np.isnan(differences)).sum(axis=0)
    spreads = np.nanstd(differences[:, counts > 1], axis=0, ddof=1)
    return float(np.median(spreads)) if len(spreads) else 0.0
