"""Critical values for the mean score over several test sets (Forman and Cohen 2005, end of section 5).

The mean of independent test sets has a law of its own: the convolution of theirs. Where all scores lie on one lattice it is
convolved as it is. Else every score is rounded down to a fine lattice, which moves the mean by less than one step: the critical
value is then known to lie within an interval of that width.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from podium.chance.best_of import single_level
from podium.chance.distributions import EvenLaw, NullDistribution, null_distribution
from podium.chance.registry import LEVEL, beats, label_of
from podium.chance.tables import whole_numbers
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import counted, interval, number
from podium.core.result import Result

_MOST_PLACES = 20_000  # of one law: each costs up to 0.3 ms
_MOST_POINTS = 4_000_000  # of the convolution: 32 MB
_CELLS = 5_000  # of a rounded law
# Transforms of probabilities err by a few 1e-16 each; a tail must lie well above.
_SMALLEST_LEVEL = 1e-11


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriticalMeanResult(Result):
    """The mean score over several test sets that the best of C random rankings exceeds with probability at most alpha."""

    metric: str
    positives: tuple[int, ...]
    negatives: tuple[int, ...]
    competitors: int
    alpha: float
    critical_value: float
    """The critical value, or the end of its interval that never claims too much."""
    low: float
    high: float
    """Where it lies: one number if the method is exact."""
    p_above: float
    """P(mean > critical value) for one competitor; an upper bound where the scores were rounded."""
    method: str
    references: tuple[str, ...] = ("forman2005",)

    def summary(self) -> str:
        """What a mean must exceed."""
        cases = sum(self.positives) + sum(self.negatives)
        sure = "exactly" if self.method == "exact" else f"it lies within {interval(self.low, self.high, 6)}"
        return (
            f"Over {counted(len(self.positives), 'test set')} with {cases} cases in all, the best of "
            f"{counted(self.competitors, 'random competitor')} {beats(self.metric)} a mean of "
            f"{number(self.critical_value, 5)} ({label_of(self.metric)}; {sure}) with probability at most alpha = {number(self.alpha)}. The test sets must be "
            "independent: folds of one dataset are one test set."
        )

    def columns(self) -> list[dict[str, Any]]:
        """One row."""
        names = ("metric", "competitors", "alpha", "critical_value", "low", "high", "p_above", "method")
        return [{"test_sets": len(self.positives), **{name: getattr(self, name) for name in names}}]


def critical_mean(
    metric: str, *, positives: Sequence[int], negatives: Sequence[int], competitors: int = 1, alpha: float = LEVEL
) -> CriticalMeanResult:
    """What the mean score over several independent test sets must exceed.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    positives, negatives : sequence of int
        Number of positive and of negative cases of each test set.
    competitors : int, default 1
        Number of algorithms tried, discarded ones included.
    alpha : float, default 0.01
        Significance level.

    Returns
    -------
    CriticalMeanResult
        The critical mean score.

    Examples
    --------
    >>> critical_mean("tp10", positives=[50] * 5, negatives=[200] * 5, competitors=100).critical_value
    4.2
    """
    P, N = whole_numbers("positives", positives), whole_numbers("negatives", negatives)
    if len(P) != len(N):
        raise ArgumentError(
            f"`positives` and `negatives` must have one number for each test set; got {len(P)} and {len(N)}."
        )
    count = check.count("competitors", competitors)
    level = single_level(check.fraction("alpha", alpha), count)
    if level < _SMALLEST_LEVEL:
        raise ArgumentError(
            f"Means are computed for levels of one competitor from {number(_SMALLEST_LEVEL)}: take fewer."
        )
    sets = Counter(zip(P, N, strict=True))
    laws = {size: null_distribution(metric, positives=size[0], negatives=size[1]) for size in sets}
    parts = _exact(laws, sets) or _rounded(laws, sets)
    sign, place, above = laws[P[0], N[0]].sign, *_critical(parts, level)
    low = float((parts.first + place * parts.step) / len(P))
    high = low + float(parts.width / len(P)) * sign
    return CriticalMeanResult(
        metric=next(iter(laws.values())).metric.name,
        positives=P,
        negatives=N,
        competitors=count,
        alpha=float(alpha),
        critical_value=high,
        low=min(low, high),
        high=max(low, high),
        p_above=above,
        method="exact" if parts.width == 0 else "scores rounded down to a lattice",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lattice:
    """The sum of all sets is first + k step, plus less than `width`; its parts are (masses, how many such sets)."""

    first: Fraction
    step: Fraction
    width: Fraction
    parts: list[tuple[Floats, int]]


def _exact(laws: dict[tuple[int, int], NullDistribution], sets: Counter[tuple[int, int]]) -> _Lattice | None:
    """All scores on their common lattice; None where there is none, or it is too fine."""
    even = [law for law in laws.values() if isinstance(law, EvenLaw) and law.top - law.bottom < _MOST_PLACES]
    if len(even) < len(laws):
        return None
    bottom = math.lcm(*(law.step.denominator for law in even))
    unit = Fraction(math.gcd(*(int(law.step * bottom) for law in even)), bottom) * even[0].sign
    strides = [int(law.step / unit) for law in even]
    many = list(sets.values())
    if sum((law.top - law.bottom) * s * n for law, s, n in zip(even, strides, many, strict=True)) > _MOST_POINTS:
        return None
    parts = []
    for law, stride, n in zip(even, strides, many, strict=True):
        masses = np.zeros((law.top - law.bottom) * stride + 1)
        masses[::stride] = law.masses()
        parts.append((masses, n))
    first = sum((law.lowest.exact * n for law, n in zip(even, many, strict=True)), Fraction(0))
    return _Lattice(first=first, step=unit, width=Fraction(0), parts=parts)


def _rounded(laws: dict[tuple[int, int], NullDistribution], sets: Counter[tuple[int, int]]) -> _Lattice:
    """Every score rounded towards the worst, to a lattice of so many cells."""
    sign = next(iter(laws.values())).sign
    ends = [(law.lowest.value, law.highest.value) for law in laws.values()]
    low, high = min(min(pair) for pair in ends), max(max(pair) for pair in ends)
    step = Fraction((high - low) * (1 + 1e-9) / _CELLS) * sign
    start = Fraction(low if sign > 0 else high)
    parts = []
    for size, law in laws.items():
        edges = float(start) + float(step) * np.arange(1, _CELLS)
        above = np.array([1.0, *(law.at_least(float(edge)) for edge in edges), 0.0])
        parts.append((-np.diff(above), sets[size]))
    n = sets.total()
    return _Lattice(first=start * n, step=step, width=abs(step) * n, parts=parts)


def _critical(lattice: _Lattice, level: float) -> tuple[int, float]:
    """The first place k with P(sum beyond k) <= level, and that probability."""
    length = sum((len(masses) - 1) * n for masses, n in lattice.parts) + 1
    size = 1 << (length - 1).bit_length()
    transform = np.ones(size // 2 + 1, np.complex128)
    for masses, n in lattice.parts:
        transform *= np.fft.rfft(masses, size) ** n
    law = np.maximum(np.fft.irfft(transform, size)[:length], 0.0)
    beyond = np.append(np.cumsum(law[::-1])[::-1][1:], 0.0)  # P(sum > k)
    place = int(np.argmax(beyond <= level * (1 + 1e-9)))
    return place, float(beyond[place])
