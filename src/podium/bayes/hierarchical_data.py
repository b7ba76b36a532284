"""The gains on the folds of many datasets, reduced to what the hierarchical model needs of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Bools, Floats, Ints
from podium.core.errors import ArgumentError, DataError
from podium.core.ranks import subtract
from podium.evidence.design import Design, as_design
from podium.evidence.table import by_label

MANY_FOLDS = 50
DEPTH = 16.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GainFolds:
    """Sufficient statistics of each dataset that is `used`, in units of `unit`, the mean sd within datasets.

    `names` are those of all datasets; the arrays run over those used, which have two folds or more.

    With sigma_i integrated out, delta_i has the likelihood (S + k (delta - mean)^2)^(-(n - 1) / 2), with
    k = n / (1 + (n - 1) rho) and S = SS_within / (1 - rho); `scales` are S / (2 k).
    """

    names: tuple[str, ...]
    used: Bools
    counts: Ints
    means: Floats
    scales: Floats
    unit: float
    rho: float
    largest: float
    widest: float
    flat: tuple[str, ...]
    identical: bool

    @property
    def fine(self) -> float:
        """The expected error of the mean of the population, roughly."""
        return float(np.sqrt((self.means.var() + self.scales.mean()) / len(self.means)))

    def spread(self, values: Floats) -> Floats:
        """Values of the datasets used, among all datasets: nan for the others."""
        wide = np.full((len(self.names), *values.shape[1:]), np.nan)
        wide[self.used] = values
        return wide

    def warnings(self, pair: tuple[str, str]) -> tuple[str, ...]:
        """What a careful reader must know of the data."""
        sentences = []
        if self.identical:
            sentences.append(f"{pair[0]} and {pair[1]} have identical scores everywhere: there is nothing to compare.")
        elif self.flat:
            cells = check.cells((name,) for name in self.flat)
            sentences.append(f"All folds have the same difference on {cells}: a small variance was used instead.")
        if len(self.means) == 1:
            sentences.append("With one dataset nothing is known of a population of them: use the correlated t test.")
        return tuple(sentences)


def gain_folds(x: Any, y: Any, design: Design | None, datasets: tuple[str, ...] | None, rope: float) -> GainFolds:
    """Check and reduce the scores of two algorithms, datasets first; gains are x - y."""
    y = by_label(x, y, names=("x", "y"), cure="give the same datasets")
    first, second = check.floats("x", x), check.floats("y", y)
    if first.shape != second.shape or first.ndim not in (2, 3):
        raise DataError(
            "`x` and `y` must have the same shape, (datasets, scores) or (datasets, repeats, folds); "
            f"got {first.shape} and {second.shape}."
        )
    for name, values in (("x", first), ("y", second)):
        check.numbers(name, values, ndim=values.ndim)  # refuses infinite scores
    if design is None:
        repeats, folds = (1, first.shape[1]) if first.ndim == 2 else first.shape[1:]
        design = Design(repeats=repeats, folds=folds)
    as_design(design, first.shape[1:])
    if datasets is not None and (isinstance(datasets, str) or len(datasets) != len(first)):
        raise ArgumentError("{argument} must name each of the {count} datasets.", argument="datasets", count=len(first))
    names = datasets or tuple(f"dataset {i + 1}" for i in range(len(first)))
    gains = subtract(first, second).reshape(len(first), -1)
    used = (~np.isnan(gains)).sum(axis=1) >= 2
    if not used.any():
        raise DataError("No dataset has two folds on which both algorithms have a score.")
    return _reduce(gains[used], names, used, design.rho, rope)


def _reduce(gains: Floats, names: tuple[str, ...], used: Bools, rho: float, rope: float) -> GainFolds:
    counts = (~np.isnan(gains)).sum(axis=1)
    means = np.nanmean(gains, axis=1)
    squares = np.nansum((gains - means[:, None]) ** 2, axis=1)
    squares[squares <= 1e-20 * np.nanmax(np.abs(gains), axis=1, initial=0.0) ** 2] = 0.0  # each dataset by itself
    flat = squares == 0
    sds = np.sqrt(squares / counts)
    sds[flat] = _stand_in(sds[~flat], means, rope)
    squares = counts * sds**2
    unit = float(sds.mean())
    k = counts / (1 + (counts - 1) * rho)
    among = float(means.std()) if len(means) > 1 and np.ptp(means) > 0 else unit
    return GainFolds(
        names=names,
        used=used,
        counts=counts.astype(np.int64),
        means=means / unit,
        scales=squares / (1 - rho) / (2 * k) / unit**2,
        unit=unit,
        rho=rho,
        largest=max(float(np.nanmax(np.abs(gains))), unit) / unit,
        widest=1000 * among / unit,
        flat=tuple(names[i] for i in np.flatnonzero(used)[flat]),
        identical=not np.nan_to_num(gains).any(),
    )


def _stand_in(positive: Floats, means: Floats, rope: float) -> float:
    """An sd for datasets whose folds all have the same difference; without one, their likelihood has no bound.

    As in baycomp, gains spread uniformly over the rope (but without its random numbers): rope / sqrt(3); and
    never more than the smallest sd of the other datasets.
    """
    candidates = [rope / np.sqrt(3)] if rope > 0 else []
    candidates += [float(positive.min())] if positive.size else []
    if candidates:
        return float(min(candidates))
    if np.ptp(means) == 0 and means[0] == 0:
        return 1.0  # identical algorithms, no rope: any unit will do
    raise DataError(
        "On every dataset all folds have the same difference: without variance within datasets the hierarchical "
        "model says nothing; use the signed-rank test on the means."
    )


def mixture_nodes(counts: Ints) -> tuple[Floats, Floats]:
    """Nodes t and log weights for the mixture over Gamma((n - 1) / 2) that is each dataset's Student likelihood.

    The factor t^(-1/2) of the integrated normal density is put into the weights. Many folds: few Gauss-Laguerre
    nodes. Few folds: the tail of the likelihood matters too, and the trapezoidal rule in log t reaches it.
    """
    shapes = {int(n): (int(n) - 1) / 2 for n in np.unique(counts)}
    if counts.min() >= MANY_FOLDS:
        nodes = {n: _laguerre(a) for n, a in shapes.items()}
    else:
        size = max(_nodes_needed(a) for a in shapes.values())
        nodes = {n: _log_trapezoid(a, size) for n, a in shapes.items()}
    return np.array([nodes[int(n)][0] for n in counts]), np.array([nodes[int(n)][1] for n in counts])


def _limits(a: float) -> tuple[float, float]:
    """Where log (t / a) has left all but a trace of t^a e^-t behind, on both sides."""
    from podium.bayes.hierarchical_kernel import reach

    return reach(-1.0 - DEPTH / a, a, DEPTH), reach(1.5 + float(np.log1p(DEPTH / a)), a, DEPTH)


def _nodes_needed(a: float) -> int:
    """One node for each standard deviation of log t: the trapezoidal rule is then exact to many digits."""
    from scipy.special import polygamma

    low, high = _limits(a)
    return int(np.ceil((high - low) / np.sqrt(float(polygamma(1, a))))) + 1


def _log_trapezoid(a: float, size: int) -> tuple[Floats, Floats]:
    """Equally spaced log t within the limits, and the log weights t^a e^-t there."""
    low, high = _limits(a)
    t = a * np.exp(np.linspace(low, high, size))
    weights = a * np.log(t / a) - (t - a)
    return t, weights - 0.5 * np.log(t)


def _laguerre(a: float, size: int = 4) -> tuple[Floats, Floats]:
    """By Golub and Welsch, normalised, so that no Gamma function overflows."""
    from scipy.linalg import eigh_tridiagonal

    steps, shape = np.arange(1, size), a - 1  # t^shape e^-t
    nodes, vectors = eigh_tridiagonal(2.0 * np.arange(size) + shape + 1, np.sqrt(steps * (steps + shape)))
    weights = 2 * np.log(np.abs(vectors[0]) + 1e-300) - 0.5 * np.log(nodes)
    return np.asarray(nodes, dtype=np.float64), np.asarray(weights, dtype=np.float64)
