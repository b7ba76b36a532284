"""Looking at the data as often as one likes: e-values and confidence sequences that hold at every moment.

The bet of all sizes at once: E = 1/2 integral over lambda in (-1, 1) of prod (1 + lambda d_i), for differences in [-1, 1].
If the two are equally good, E ever reaches 1 / alpha with a probability of at most alpha (Ville). For pass or fail
it is 2^m B(b + 1, c + 1) with m disagreements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.numbers import as_given

_NODES = 32  # Gauss-Legendre points over the sizes of the bet


def e_value(b: Any, c: Any) -> Floats:
    """The e-value, where b cases are passed only by the first algorithm and c only by the second.

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


def watch(differences: Any, *, bound: float = 1.0, confidence: float = 0.95, running: bool = True) -> Sequence:
    """Follow differences per case in their order, each within [-bound, bound].

    The order must not depend on the outcomes: shuffle the cases with a seed. The interval holds what no moment so far has
    excluded, or with `running=False` what the last moment alone does not exclude.

    >>> watch([1] * 9).first_crossing(0.05)
    8
    """
    check.fraction("confidence", confidence)
    scaled = check.numbers("differences", differences, ndim=1) / bound
    if len(scaled) == 0 or np.isnan(scaled).any():
        raise DataError("A sequence needs at least one difference, and none missing.")
    if np.abs(scaled).max() > 1 + 1e-12:
        raise DataError(f"A difference lies outside -{as_given(bound)} to {as_given(bound)}: give the true `bound`.")
    logs = _running_logs(scaled, -1.0, 1.0, 0.0)
    values = np.exp(_log_mean(logs))
    low, high = _interval(scaled, 1 - confidence, check.flag("running", running))
    return Sequence(
        e_values=values,
        pvalue=float(min(1.0, 1 / values.max())),
        low=low * bound,
        high=high * bound,
        confidence=confidence,
    )


def _running_logs(values: Floats, low: float, high: float, mean: float) -> Floats:
    """Running sums of log(1 + lambda (d - mean)) at the quadrature points of (low, high): cases x points."""
    points, _ = np.polynomial.legendre.leggauss(_NODES)
    bets = low + (high - low) * (points + 1) / 2
    with np.errstate(divide="ignore"):
        return np.cumsum(np.log1p(bets * (values[:, None] - mean)), axis=0)


def _log_mean(logs: Floats) -> Floats:
    """The logarithm of the mean over the bets, by quadrature."""
    from scipy.special import logsumexp

    _, weights = np.polynomial.legendre.leggauss(_NODES)
    log: Floats = logsumexp(logs, b=weights / 2, axis=-1)
    return log


def _interval(values: Floats, alpha: float, running: bool) -> tuple[float, float]:
    """Every mean that is not excluded (Waudby-Smith and Ramdas 2024), by bisection on either side of the estimate."""
    mean = float(np.clip(values.mean(), -1 + 1e-9, 1 - 1e-9))
    ends = []
    for edge in (-1 + 1e-12, 1 - 1e-12):
        inside, outside = mean, edge
        for _ in range(40):
            middle = (inside + outside) / 2
            logs = _log_mean(_running_logs(values, -1 / (1 - middle), 1 / (1 + middle), middle))
            kept = (logs.max() if running else logs[-1]) < np.log(1 / alpha)
            inside, outside = (middle, outside) if kept else (inside, middle)
        ends.append(outside)
    return ends[0], ends[1]
