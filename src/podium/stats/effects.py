"""Effect sizes of two algorithms, each with an interval and how that was made.

How large a difference is matters more than whether it is zero. All take x and y on the same datasets and speak of
x - y in the units of the scores, or of wins.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check, numbers
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.result import Result
from podium.core.rng import Rng, generator
from podium.evidence.table import Pair, as_pair
from podium.stats import registry


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EffectResult(Result):
    """An effect size with its interval; `method` says how the interval was made.

    Wins, ties and losses count where x is greater, equal, smaller. `n` complete pairs were used.
    """

    name: str
    estimate: float
    low: float
    high: float
    confidence: float
    method: str
    n: int
    left_out: int
    wins: int
    ties: int
    losses: int

    def summary(self) -> str:
        """The estimate and its interval in a sentence."""
        return (
            f"The {self.name} of x and y on {self.n} pairs is {numbers.number(self.estimate, 4)} "
            f"({numbers.percent(self.confidence)} interval {numbers.interval(self.low, self.high, 4)}, {self.method}); x is "
            f"greater {self.wins} times, equal {self.ties}, smaller {self.losses}. The interval speaks of datasets like "
            "these, not of any one dataset."
        )


def _effect(
    name: str, pair: Pair, value: tuple[float, ...], confidence: float, method: str, *references: str
) -> EffectResult:
    d = pair.differences
    return EffectResult(
        name=name,
        estimate=value[0],
        low=value[1],
        high=value[2],
        confidence=confidence,
        method=method,
        n=pair.n,
        left_out=pair.missing,
        wins=int((d > 0).sum()),
        ties=int((d == 0).sum()),
        losses=int((d < 0).sum()),
        references=references,
    )


def _pair(x: Any, y: Any, confidence: float) -> Pair:
    check.fraction("confidence", confidence)
    return as_pair(x, y, at_least=2)


def _of_test(test: str, x: Any, y: Any, confidence: float, method: str, reference: str) -> EffectResult:
    """The estimate and the interval that belong to a test."""
    pair, test_entry = _pair(x, y, confidence), registry.PAIRWISE[test]
    ends = registry.load(test_entry).estimate(pair.differences[None], confidence)
    return _effect(test_entry.effect, pair, tuple(float(end[0]) for end in ends), confidence, method, reference)


def mean_difference(x: Any, y: Any, *, confidence: float = 0.95) -> EffectResult:
    """The mean of x - y with Student's interval (which assumes normal differences).

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    EffectResult
        The estimate with its interval, and how the interval was computed.

    Examples
    --------
    >>> round(mean_difference([3, 4, 5], [1, 1, 1]).low, 3)
    0.516
    """
    return _of_test("paired_t", x, y, confidence, "analytic: Student's t", "student1908")


def median_difference(x: Any, y: Any, *, confidence: float = 0.95) -> EffectResult:
    """The median of x - y with the interval of order statistics that belongs to the sign test.

    It covers at least as often as it says, however the differences are distributed; it is infinite if n is too small.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    EffectResult
        The estimate with its interval, and how the interval was computed.

    Examples
    --------
    >>> found = median_difference([0.9, 0.8, 0.7, 0.9, 0.8, 0.6], [0.8, 0.5, 0.5, 0.7, 0.4, 0.5])
    >>> round(found.estimate, 2), round(found.low, 2), round(found.high, 2)
    (0.2, 0.1, 0.4)
    """
    return _of_test("sign", x, y, confidence, "exact: order statistics", "conover1999")


def hodges_lehmann(x: Any, y: Any, *, confidence: float = 0.95) -> EffectResult:
    """The median of the Walsh averages of x - y with the exact interval that belongs to the signed-rank test.

    The interval assumes that the differences are symmetric around their centre; with ties it covers at least as often as
    it says (the distribution of untied ranks is used). It is infinite if n is too small: 95% needs 6 pairs.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    EffectResult
        The estimate with its interval, and how the interval was computed.

    Examples
    --------
    >>> result = hodges_lehmann([1.1, 2.2, 3.3, 4.4, 5.5, 6.6], [0, 0, 0, 0, 0, 0])
    >>> result.estimate, result.low, result.high
    (3.85, 1.1, 6.6)
    """
    return _of_test("wilcoxon", x, y, confidence, "exact: signed-rank distribution", "hodges1963")


def rank_biserial(x: Any, y: Any, *, confidence: float = 0.95, draws: int = 2000, rng: Rng = None) -> EffectResult:
    """The matched-pairs rank-biserial correlation: (rank sum for x - rank sum for y) / (their sum), zeros dropped.

    It is 1 if x is always greater, -1 if always smaller, 0 if all are equal. The interval has the bootstrap's percentiles over
    resampled datasets.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    confidence : float, default 0.95
        Confidence of the intervals.
    draws : int, default 2000
        Number of bootstrap samples of the datasets.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    EffectResult
        The estimate with its interval, and how the interval was computed.

    Examples
    --------
    >>> found = rank_biserial([3, 4, 5, 1], [1, 1, 1, 2], rng=0)
    >>> found.estimate
    0.8
    """
    pair = _pair(x, y, confidence)
    return _effect(
        "rank-biserial correlation",
        pair,
        _bootstrap(pair.differences, _rank_biserial, confidence, draws, rng),
        confidence,
        f"bootstrap: percentiles of {draws} draws",
        "kerby2014",
    )


def _rank_biserial(rows: Floats) -> Floats:
    """The correlation of each row of differences."""
    from scipy.stats import rankdata

    ranks = rankdata(np.where(rows == 0, np.nan, np.abs(rows)), axis=1, nan_policy="omit")
    signed = np.where(rows == 0, 0.0, np.sign(rows) * np.nan_to_num(ranks)).sum(axis=1)
    total = np.nan_to_num(ranks).sum(axis=1)
    return np.asarray(np.where(total > 0, signed / np.where(total > 0, total, 1.0), 0.0))


def _bootstrap(
    values: Floats, statistic: Callable[[Floats], Floats], confidence: float, draws: int, rng: Rng
) -> tuple[float, float, float]:
    """The statistic and the percentiles of its bootstrap law."""
    check.count("draws", draws, at_least=100)
    rows = values[generator(rng).integers(0, len(values), size=(draws, len(values)))]
    low, high = np.quantile(statistic(rows), [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(statistic(values[None, :])[0]), float(low), float(high)


def probability_of_superiority(x: Any, y: Any, *, confidence: float = 0.95) -> EffectResult:
    """The probability that x is greater than y on a dataset, ties counting half, with Clopper and Pearson's interval.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    EffectResult
        The estimate with its interval, and how the interval was computed.

    Examples
    --------
    >>> result = probability_of_superiority([3, 4, 5, 6], [1, 1, 1, 6])
    >>> result.estimate, round(result.low, 3), round(result.high, 3)
    (0.875, 0.284, 1.0)
    """
    from scipy.special import betaincinv

    pair = _pair(x, y, confidence)
    d = pair.differences
    wins = float((d > 0).sum() + 0.5 * (d == 0).sum())
    losses = pair.n - wins
    tail = (1 - confidence) / 2
    low = float(betaincinv(wins, losses + 1, tail)) if wins > 0 else 0.0
    high = float(betaincinv(wins + 1, losses, 1 - tail)) if losses > 0 else 1.0
    method = "exact: Clopper-Pearson" + (", ties count half" if (d == 0).any() else "")
    value = (wins / pair.n, low, high)
    return _effect("probability of superiority", pair, value, confidence, method, "mcgraw1992")


def cohen_dz(x: Any, y: Any, *, confidence: float = 0.95) -> EffectResult:
    """Cohen's d_z: the mean difference over the standard deviation of the differences.

    The interval inverts the noncentral t distribution (it assumes normal differences). All differences 0 give 0;
    differences that are constant but not 0 have no d_z.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    EffectResult
        The estimate with its interval, and how the interval was computed.

    Examples
    --------
    >>> round(cohen_dz([3, 4, 5], [1, 1, 1]).estimate, 4)
    3.0
    """
    from podium.stats.pairwise.paired_t import moments

    pair = _pair(x, y, confidence)
    d = pair.differences
    deviation = math.sqrt(moments(d)[2])
    if deviation == 0 and d[0] != 0:
        raise DataError("Cohen's d_z needs differences that vary: these are constant; use `mean_difference`.")
    estimate = float(d.mean()) / deviation if deviation > 0 else 0.0
    low, high = (_noncentral(estimate, pair.n, (1 + side * confidence) / 2) for side in (1, -1))
    return _effect("Cohen's d_z", pair, (estimate, low, high), confidence, "analytic: noncentral t", "cohen1988")


def _noncentral(effect: float, n: int, share: float) -> float:
    """The d_z under which the observed t has this share of the noncentral t law below it."""
    from scipy.optimize import brentq
    from scipy.special import nctdtr

    t = effect * math.sqrt(n)

    def excess(shift: float) -> float:
        below = float(nctdtr(n - 1, shift, t))
        if math.isnan(below):  # far out on the other side of 0, where scipy gives up: all or nothing lies below t
            below = float(shift < t)
        return below - share

    width = 10.0 + 4.0 * abs(t)  # in noncentrality: far beyond any root, as the share moves from 1 to 0 within it
    while excess(t - width) < 0 or excess(t + width) > 0:
        width *= 2
    return float(brentq(excess, t - width, t + width)) / math.sqrt(n)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EffectsResult(Result):
    """All effect sizes of one pair."""

    effects: tuple[EffectResult, ...]

    def summary(self) -> str:
        """The robust estimate first, in a sentence."""
        return next(effect for effect in self.effects if effect.name.startswith("Hodges")).summary()

    def columns(self) -> dict[str, Any]:
        """One row per effect size."""
        names = ("name", "estimate", "low", "high", "confidence", "method")
        return {name: [getattr(effect, name) for effect in self.effects] for name in names}


def effect_sizes(x: Any, y: Any, *, confidence: float = 0.95, draws: int = 2000, rng: Rng = None) -> EffectsResult:
    """Every effect size of x and y with its interval, as one table (d_z only where the differences vary).

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    confidence : float, default 0.95
        Confidence of the intervals.
    draws : int, default 2000
        Number of bootstrap samples of the datasets, for the rank-biserial correlation.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    EffectsResult
        Every effect with its interval; `to_frame()` makes a table of them.

    Examples
    --------
    >>> found = effect_sizes([3, 4, 5, 1], [1, 1, 1, 2], rng=0)
    >>> [effect.name for effect in found.effects][:2]
    ['mean difference', 'median difference']
    """
    effects = [
        mean_difference(x, y, confidence=confidence),
        median_difference(x, y, confidence=confidence),
        hodges_lehmann(x, y, confidence=confidence),
        rank_biserial(x, y, confidence=confidence, draws=draws, rng=rng),
        probability_of_superiority(x, y, confidence=confidence),
    ]
    if effects[0].low < effects[0].high or effects[0].estimate == 0:
        effects.append(cohen_dz(x, y, confidence=confidence))
    references = tuple(dict.fromkeys(key for effect in effects for key in effect.references))
    return EffectsResult(effects=tuple(effects), references=references)
