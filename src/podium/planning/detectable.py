"""The true difference that a test finds with a given power: of normal differences, and of a typical pair of a comparison."""

from __future__ import annotations

import math
from functools import cache
from statistics import NormalDist

import numpy as np

from podium.core.arrays import Floats
from podium.core.search import USUAL_POWER
from podium.evidence.table import Table
from podium.stats import registry
from podium.stats.posthoc.pairs_result import PairsResult

MOST_PAIRS = 2000  # enough for the median of their spreads
_MOST = 2000  # samples
_BATCH = 10_000  # differences that are drawn at once
_PRECISION = 0.003  # of the mean of the simulated ends, as a share of it
_ENDS, _SPREADS, _MEANS = 40, 25, 100  # by how many equally likely values each is represented


@cache
def detectable_effect(
    test: str, n: int, alpha: float = 0.05, target_power: float = 0.8, *, estimated: bool = False
) -> float:
    """The true difference that a test of n normal differences finds with the target power, in standard deviations.

    It is that of the test itself, at any n and level: a sample moved by d is told apart once d exceeds minus the low end
    of its interval of confidence 1 - alpha, so the quantile at `target_power` of that end over samples without a difference is the
    answer. The mean, the standard deviation and the shape of a normal sample are independent, and an interval moves and
    stretches with its sample. So only the ends of standardised samples are simulated; means and deviations follow their
    own laws. With `estimated` the standard deviation is that of another n differences: the answer times that has the target power
    on average over such samples. Infinite where no difference can be significant; nan for tests whose interval is not their own inversion.

    >>> round(detectable_effect("paired_t", 34), 1), detectable_effect("wilcoxon", 5)  # exactly 0.495 and infinity
    (0.5, inf)
    """
    if test not in registry.PAIRWISE or not registry.PAIRWISE[test].inverted or n < 2:
        return float("nan")
    rng = np.random.default_rng(n)
    ends = _ends(test, n, alpha, rng)
    if not np.isfinite(ends).all():
        return math.inf
    spreads = np.sqrt(rng.chisquare(n - 1, 10_000) / (n - 1))
    law = NormalDist(0, 1 / math.sqrt(n))
    means = np.array([law.inv_cdf((place + 0.5) / _MEANS) for place in range(_MEANS)])
    effects = _values(spreads, _SPREADS)[:, None, None] * _values(ends, _ENDS)[:, None] + means
    if estimated:
        others = np.sqrt(rng.chisquare(n - 1, 10_000) / (n - 1))
        effects = effects / _values(others, _SPREADS)[:, None, None, None]
    return float(np.quantile(effects, target_power, method="higher"))


def _ends(test: str, n: int, alpha: float, rng: np.random.Generator) -> Floats:
    """Minus the low ends of standardised samples and of their mirror images, so many that their mean is known well."""
    estimate = registry.load(registry.PAIRWISE[test]).estimate
    ends = np.empty((0, 2))
    while True:
        samples = rng.standard_normal((min(max(_BATCH // n, 10), 50), n))
        samples -= samples.mean(axis=1, keepdims=True)
        samples /= samples.std(axis=1, ddof=1, keepdims=True)
        _, low, high = estimate(samples, 1 - alpha)
        ends = np.vstack([ends, np.column_stack([-low, high])])
        if not np.isfinite(ends).all() or len(ends) >= _MOST:
            return ends.ravel()
        each = ends.mean(axis=1)
        if each.std() <= _PRECISION * math.sqrt(len(each)) * abs(each.mean()):
            return ends.ravel()


def _values(draws: Floats, count: int) -> Floats:
    """At most so many equally likely values in the place of many draws: the means of neighbours."""
    return np.array([part.mean() for part in np.array_split(np.sort(draws), min(count, len(draws)))])


def detectable_difference(table: Table, pairs: PairsResult, alpha: float) -> float | None:
    """The true difference of a typical pair that the test finds with a probability of 80%, in the metric's units.

    The pair has the median number of datasets and the median standard deviation of differences, taken to be normal; the
    test is the one used, and its power holds on average over tables like this one, which tell the deviation only roughly, at the level alpha / m of m pairs, which Holm's and Bonferroni's corrections ask of a pair that
    alone differs. None where nothing can be significant, where all differences are equal, and for tests of other kinds.
    """
    corrected = pairs.correction != "none"
    correction = registry.CORRECTIONS.get(pairs.correction)
    if corrected and not (correction and correction.first_by_count):
        return None
    level = alpha / pairs.n_pairs if corrected else alpha
    effect = detectable_effect(pairs.test, int(np.median(pairs.n)), level, USUAL_POWER, estimated=True)
    difference = typical_spread(table, pairs) * effect
    return difference if math.isfinite(difference) and difference > 0 else None


def typical_spread(table: Table, pairs: PairsResult) -> float:
    """The median over pairs of the standard deviation of their differences."""
    chosen = slice(None, None, max(1, pairs.n_pairs // MOST_PAIRS))
    differences = table.values[:, pairs.first[chosen]] - table.values[:, pairs.second[chosen]]
    counts = (~np.isnan(differences)).sum(axis=0)
    largest = float(np.nanmax(np.abs(differences), initial=0.0)) or 1.0  # squares of huge differences would overflow
    spreads = largest * np.nanstd(differences[:, counts > 1] / largest, axis=0, ddof=1)
    return float(np.median(spreads)) if len(spreads) else 0.0
