"""Looking at the data as often as one likes: e-values and confidence sequences that hold at every moment.

The bet of all sizes at once: E = 1/2 integral over lambda in (-1, 1) of prod (1 + lambda d_i), for differences in [-1, 1].
If the two are equally good, E ever reaches 1 / alpha with a probability of at most alpha (Ville). For pass or fail
it is 2^m B(b + 1, c + 1) with m disagreements. A cluster counts by the sum of its differences, over the size of the largest,
so that the claim is about cases. That size has to be known beforehand: if the largest clusters are rare and lean to one side, whoever takes
the largest so far errs in up to 40% instead of 5% (docs/methods/anytime.md).

The integral is a sum over bets that are the smaller the closer: with many cases only small bets pay. A sum of bets is as valid as
the integral. An interval is made at the first hundred moments, at some later ones and now: any moments are valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.cases.binary import halved
from podium.cases.means import Ends, TwoSided
from podium.core import check
from podium.core.arrays import Floats, Indices, Ints
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import as_given, counted

_POINTS = 8  # of Gauss and Legendre between 2^-k and 2^-(k-1) of the largest bet
_HALVINGS = 16  # the smallest bet is good for 10^9 cases
_EACH, _LATER, _FURTHER = 100, 300, 1.05  # moments of the interval: each up to so many, then every 5% more cases
_CELLS = 2_000_000  # cases x bets at a time
_STEPS = 40  # of a bisection
_FEW_VALUES = 64  # values of differences: so few are counted
_CONTRADICTION = (
    "The first cases exclude the mean of all cases: their order depends on the outcomes, they differ from those that came later, or chance "
    "did it, as in a few evaluations of 100. "
    "Shuffle the cases, or follow those that came later on their own."
)


def e_value(b: Any, c: Any) -> Floats:
    """The e-value of cases that only one of two algorithms passes.

    Parameters
    ----------
    b, c : int or array-like
        Number of cases that only the first algorithm passes, and that only the second one passes.

    Returns
    -------
    array of float
        The e-values: 20 or more is as much evidence as p at most 0.05, however often one looks.

    Examples
    --------
    >>> e_value([15, 9], [5, 0]).round(4).tolist()
    [3.2206, 51.2]
    """
    from scipy.special import betaln

    first, second = np.asarray(b, dtype=np.float64), np.asarray(c, dtype=np.float64)
    return np.asarray(np.exp((first + second) * np.log(2) + betaln(first + 1, second + 1)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sequence:
    """E-values after every case, the p-value that holds at every moment, and the interval at the end."""

    e_values: Floats
    pvalue: float
    low: float
    high: float
    confidence: float

    def first_crossing(self, alpha: float) -> int:
        """The first case after which the difference is shown at this level; 0 if never."""
        crossed = self.e_values >= 1 / alpha
        return int(np.argmax(crossed)) + 1 if crossed.any() else 0


def confidence_sequence(
    differences: Any,
    *,
    bound: float = 1.0,
    confidence: float = 0.95,
    running: bool = True,
    sizes: Any = None,
    largest_cluster: int | None = None,
) -> Sequence:
    """Follow differences per case in their order.

    The order must not depend on the outcomes: shuffle the cases with a seed.

    Parameters
    ----------
    differences : array-like of shape (n_cases,)
        The difference of two algorithms on each case, each within [-bound, bound].
    bound : float, default 1.0
        The largest difference that one case can have.
    confidence : float, default 0.95
        Confidence of the interval.
    running : bool, default True
        The interval holds what no moment so far has excluded; if False, what the last moment alone does not
        exclude.
    sizes : array-like of shape (n_clusters,), optional
        The differences are the sums of clusters of so many cases.
    largest_cluster : int, optional
        The most cases that a cluster can have, also one that is still to come; needed with `sizes`.

    Returns
    -------
    Sequence
        The e-value after every case, the p-value that holds at every moment, and the interval at the end.

    Examples
    --------
    >>> confidence_sequence([1] * 9).first_crossing(0.05)
    8
    """
    check.fraction("confidence", confidence)
    scaled = check.numbers("differences", differences, ndim=1) / bound
    counted = None if sizes is None else check.numbers("sizes", sizes, ndim=1)
    if len(scaled) == 0 or np.isnan(scaled).any():
        raise DataError("A sequence needs at least one difference, and none missing.")
    if (np.abs(scaled) > (1.0 if counted is None else counted) + 1e-12).any():
        raise DataError(f"A difference lies outside -{as_given(bound)} to {as_given(bound)}: give the true `bound`.")
    largest = 1 if counted is None else most_cases(largest_cluster, counted)
    path = _Path(values=scaled / largest, sizes=None if counted is None else counted / largest)
    values, moments = np.exp(np.minimum(path.evidence(), 700.0)), {len(scaled)}
    if check.flag("running", running):
        moments |= {int(np.argmax(values)) + 1, *_moments(len(scaled))}
    low, high = _interval(path, np.array(sorted(moments)), 1 - confidence)
    return Sequence(
        e_values=values,
        pvalue=float(min(1.0, 1 / values.max())),
        low=low * bound,
        high=high * bound,
        confidence=confidence,
    )


def most_cases(largest: int | None, sizes: Any) -> int:
    """The most cases that a cluster can have, as somebody said who knows; clusters of these sizes have come so far."""
    seen = int(sizes.max())
    if largest is None:
        raise ArgumentError(
            "Looks at clusters need to know how large the largest can be, also of those still to come: give {argument} (so far: "
            f"{counted(seen, 'case')}).",
            argument="largest_cluster",
        )
    if check.count("largest_cluster", largest) < seen:
        raise check.refused("largest_cluster", largest, f"must be at least {seen}, the size of a cluster that is there")
    return largest


def about_clusters(largest: int) -> str:
    """What the answer assumes of clusters, of which none has more cases than this."""
    return (
        "A cluster counts by its cases, when its first one is there: look when clusters are complete. The answer holds if no cluster, "
        f"nor one that is still to come, has more than {counted(largest, 'case')} (the option largest_cluster)."
    )


def bets_of(high: float) -> tuple[Floats, Floats]:
    """Bets between 0 and the largest one with their weights, which add up to it: eight in every halving."""
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    edges = np.concatenate([[0.0], high * 2.0 ** np.arange(-_HALVINGS, 1)])
    widths = np.diff(edges)
    bets = edges[:-1, None] + widths[:, None] * (points + 1) / 2
    return bets.ravel(), (widths[:, None] * weights / 2).ravel()


def log_wealth(gains: Floats, bets: Floats, weights: Floats) -> Floats:
    """The logarithms of what bets with these weights make of gains in their order, after each of them."""
    wealth, so_far, size = [], np.zeros(len(bets)), max(1, _CELLS // len(bets))
    for start in range(0, len(gains), size):
        with np.errstate(divide="ignore"):
            logs = so_far + np.cumsum(np.log1p(bets * gains[start : start + size, None]), axis=0)
        so_far = logs[-1]
        wealth.append(_log_mean(logs, weights))
    return np.concatenate(wealth)


def _log_mean(logs: Floats, weights: Floats) -> Floats:
    """The logarithms of the weighted sums of exponentials of each row."""
    top = logs.max(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(top == -np.inf, -np.inf, np.log(np.exp(logs - top[:, None]) @ weights) + top)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Path:
    """Differences in their order, within [-1, 1]; of clusters their sums, and `sizes` in units of the largest."""

    values: Floats
    sizes: Floats | None

    def _bets(self, mean: float) -> tuple[Floats, Floats]:
        """All bets that never lose everything if the true mean is this one, and their weights."""
        low, high = (1 / (1 - mean), 1 / (1 + mean)) if self.sizes is None else (1 / (1 + abs(mean)),) * 2
        (down, one), (up, other) = bets_of(low), bets_of(high)
        return np.concatenate([-down[::-1], up]), np.concatenate([one[::-1], other]) / (low + high)

    def evidence(self) -> Floats:
        """The logarithms of the e-values against a mean of 0, after every case or cluster."""
        from scipy.special import betaln

        if self.sizes is None and np.isin(self.values, (-1.0, 0.0, 1.0)).all():
            b, c = np.cumsum(self.values > 0), np.cumsum(self.values < 0)
            return np.asarray((b + c) * np.log(2) + betaln(b + 1.0, c + 1.0))
        return log_wealth(self.values, *self._bets(0.0))

    def most_evidence(self, mean: float, moments: Indices) -> float:
        """The largest logarithm of an e-value against this mean at some moments."""
        bets, weights = self._bets(mean)
        starts = np.concatenate([[0], moments[:-1]])
        distinct, place = np.unique(self.values, return_inverse=True)
        if self.sizes is None and len(distinct) <= _FEW_VALUES:
            part = np.searchsorted(moments, np.arange(moments[-1]), side="right")
            counts = np.zeros((len(moments), len(distinct)))
            np.add.at(counts, (part, place[: moments[-1]]), 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                logs = np.log1p(bets * (distinct[:, None] - mean))
                sums = np.where(counts[:, :, None] > 0, counts[:, :, None] * logs, 0.0).sum(axis=1)
        else:
            size = 1.0 if self.sizes is None else self.sizes[:, None]
            with np.errstate(divide="ignore"):
                sums = np.add.reduceat(np.log1p(bets * (self.values[:, None] - mean * size)), starts, axis=0)
        return float(_log_mean(np.cumsum(sums, axis=0), weights).max())


def _moments(n: int) -> set[int]:
    """The moments up to n at which an interval is made."""
    later = np.round(_EACH * _FURTHER ** np.arange(1, _LATER + 1)).astype(np.int64)
    return {*range(1, min(n, _EACH) + 1), *later[later <= n].tolist()}


def _interval(path: _Path, moments: Indices, alpha: float) -> tuple[float, float]:
    """Every mean that is not excluded (Waudby-Smith and Ramdas 2024), by bisection on either side of the estimate."""
    whole = len(path.values) if path.sizes is None else path.sizes.sum()
    mean = float(np.clip(path.values.sum() / whole, -1 + 1e-9, 1 - 1e-9))
    limit = np.log(1 / alpha)
    if path.most_evidence(mean, moments) >= limit:
        raise DataError(_CONTRADICTION)
    ends = [
        float(halved(mean, edge, lambda at: path.most_evidence(float(at), moments) < limit, 36))
        for edge in (-1 + 1e-12, 1 - 1e-12)
    ]
    return ends[0], ends[1]


@dataclass(frozen=True, kw_only=True)
class SequenceMeans(TwoSided):
    """One-sided p-values and bounds that hold at every moment, of rows of gains in their order, each within [-bound, bound].

    To show that a mean is above m, bet shares t in (0, 1) of all that can be lost, all sizes at once: the mean over t of
    prod (1 + t (d_i - m) / (1 + m)), for differences of at least -1. It falls as m grows, so that all m it has excluded lie
    below a bound. The columns of `sums` are clusters of these `sizes`, each of which counts over the `largest` that there can be.

    >>> SequenceMeans(sums=np.full((1, 60), -1.0), sizes=np.ones(60)).shown_after(margin=0.05, alpha=0.05)
    (array([0]), array([7]))
    """

    sums: Floats
    sizes: Floats
    bound: float = 1.0
    largest: int = 1

    def evidence(self, value: float, sign: int) -> Floats:
        """The logarithms of the evidence that a mean is above (sign 1) or below (-1) the value: rows x clusters."""
        mean = sign * value / self.bound
        gains = (sign * self.sums / self.bound - mean * self.sizes) / self.largest / (1 + mean)
        bets, weights = bets_of(1.0)
        return np.stack([log_wealth(row, bets, weights) for row in gains])

    def p_above(self, value: float) -> Floats:
        """By the most that was ever shown."""
        return np.asarray(np.exp(-np.maximum(self.evidence(value, 1).max(axis=1), 0.0)))

    def p_below(self, value: float) -> Floats:
        """By the most that was ever shown."""
        return np.asarray(np.exp(-np.maximum(self.evidence(value, -1).max(axis=1), 0.0)))

    def shown_after(self, *, margin: float, alpha: float) -> tuple[Ints, Ints]:
        """After how many clusters "above -margin" and "below 0" were first shown (0: never)."""
        crossed = [self.evidence(value, sign) >= -np.log(alpha) for value, sign in ((-margin, 1), (0.0, -1))]
        above, below = (np.where(one.any(axis=1), one.argmax(axis=1) + 1, 0) for one in crossed)
        return above, below

    def ends(self, level: float) -> Ends:
        """Of a single row: the largest mean that some moment has shown to be too small, the smallest that is too large."""
        limit, edge = -np.log(level / 2), self.bound * (1 - 1e-12)

        def end(sign: int) -> Floats:
            def is_excluded(value: Any) -> bool:
                return bool(self.evidence(float(value), sign).max() >= limit)

            start = -sign * edge
            return np.atleast_1d(
                halved(start, -start, is_excluded, _STEPS) if is_excluded(start) else -sign * self.bound
            )

        low, high = end(1), end(-1)
        if (low > high).any():
            raise DataError(_CONTRADICTION)
        return low, high
