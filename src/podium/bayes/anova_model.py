"""The two-factor model of the Bayesian ANOVA, with the effects integrated out (Kruschke 2015; Wainer 2016).

    y_ij ~ N(b0 + a_i + d_j, sigma_y)      i an algorithm, j a dataset, y a gain; s and m: sd and mean of all y
    b0 ~ N(m, 5 s)    a_i ~ N(0, sigma_a)    d_j ~ N(0, sigma_d)
    sigma_y ~ U(s / 1000, 1000 s)            sigma_a, sigma_d ~ Gamma with mode s / 2 and sd 2 s

Given the three sigmas everything is Gaussian, so the posterior is a density of three dimensions times a
Gaussian. Three unbounded coordinates describe the sigmas: the logit of log sigma_y between its limits, log
sigma_a and log sigma_d.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError
from podium.evidence.table import Table

CELLS = 4_000_000  # numbers of an array that is made in parts: 32 MB
SIGMA_RANGE = float(np.log(1e6))  # from s / 1000 to 1000 s
# The Gamma prior of sigma_a and sigma_d in units of the sd of the data: mode 1/2, sd 2.
RATE = float((0.5 + np.sqrt(0.25 + 16.0)) / 8.0)
SHAPE = 1.0 + 0.5 * RATE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnovaData:
    """The gains, centred at their mean and divided by their sd (so that s = 1), and sums over them.

    `sizes` are the different numbers of algorithms that a dataset has, `datasets` how many datasets have each;
    `cross` is X'X for the columns (b0, a_1, ..., a_I), and for each size the sums over its datasets of
    X'11'X (`overlap`), X'1 1'y (`pull`) and (1'y)^2 (`square`).
    """

    y: Floats
    mean: float
    sd: float
    cross: Floats
    load: Floats
    total: float
    sizes: Floats
    datasets: Floats
    overlap: Floats
    pull: Floats
    square: Floats

    @property
    def n_algorithms(self) -> int:
        """I."""
        return int(self.y.shape[1])

    @property
    def n_scores(self) -> int:
        """How many cells are known."""
        return int((~np.isnan(self.y)).sum())

    @property
    def balanced(self) -> bool:
        """Whether no cell is missing."""
        return not np.isnan(self.y).any()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sigmas:
    """Variances of errors, algorithms and datasets, one entry per point."""

    error: Floats
    algorithm: Floats
    dataset: Floats

    def at(self, points: slice) -> Sigmas:
        """Those of some points."""
        return Sigmas(error=self.error[points], algorithm=self.algorithm[points], dataset=self.dataset[points])


def anova_data(table: Table) -> AnovaData:
    """The table's gains, ready; datasets without any score do not count."""
    gains = table.gains[~np.isnan(table.values).all(axis=1)]
    scores = gains[~np.isnan(gains)]
    empty = np.flatnonzero(np.isnan(gains).all(axis=0))
    if empty.size:
        raise DataError(f"{table.algorithms[empty[0]]!r} has no score on any dataset: leave it out.")
    if len(scores) < 3 or np.ptp(scores) <= 1e-12 * max(1e-300, np.abs(scores).max()):
        raise DataError("All scores are equal (or fewer than three): there is no variation for an ANOVA to explain.")
    return standardised(gains, mean=float(scores.mean()), sd=float(scores.std(ddof=1)))


def standardised(gains: Floats, *, mean: float, sd: float) -> AnovaData:
    """Gains (datasets x algorithms) in units of `sd` around `mean`, and the sums over them."""
    y = (gains - mean) / sd
    present, filled = (~np.isnan(y)).astype(np.float64), np.nan_to_num(y)
    count, sums = present.sum(axis=1), filled.sum(axis=1)
    ones = np.column_stack([count, present])  # X'1 of each dataset; 1'y are the sums
    cross = np.diag(ones.sum(axis=0))
    cross[0, 1:] = cross[1:, 0] = present.sum(axis=0)
    sizes = np.unique(count)
    of_size = (count[:, None] == sizes).astype(np.float64)
    return AnovaData(
        y=y,
        mean=mean,
        sd=sd,
        cross=cross,
        load=np.concatenate([[filled.sum()], filled.sum(axis=0)]),
        total=float((filled**2).sum()),
        sizes=sizes,
        datasets=of_size.sum(axis=0),
        overlap=np.einsum("jg,jk,jl->gkl", of_size, ones, ones),
        pull=np.einsum("jg,jk,j->gk", of_size, ones, sums),
        square=of_size.T @ sums**2,
    )


def sigmas_at(points: Floats) -> Sigmas:
    """The variances at points of the three coordinates (in units of the sd of the data)."""
    share = 1 / (1 + np.exp(-points[:, 0]))
    return Sigmas(
        error=np.exp(2 * SIGMA_RANGE * (share - 0.5)),
        algorithm=np.exp(2 * points[:, 1]),
        dataset=np.exp(2 * points[:, 2]),
    )


def log_gamma_prior(log_sigma: Floats) -> Floats:
    """The density of log sigma where sigma has the Gamma prior, up to a constant."""
    return SHAPE * log_sigma - RATE * np.exp(log_sigma)


def log_posterior(data: AnovaData, points: Floats) -> Floats:
    """The log density of the three coordinates, up to a constant."""
    sigmas, share = sigmas_at(points), points[:, 0]
    # sigma_y is uniform: d sigma_y = sigma_y d log sigma_y, and log sigma_y is a logistic function of the coordinate.
    jacobian = 0.5 * np.log(sigmas.error) - np.logaddexp(0, share) - np.logaddexp(0, -share)
    prior = jacobian + log_gamma_prior(points[:, 1]) + log_gamma_prior(points[:, 2])
    if data.balanced:
        return np.asarray(prior + log_likelihood_balanced(data, sigmas))
    parts = [log_likelihood(data, sigmas.at(part)) for part in _parts(data, len(points))]
    return np.asarray(prior + np.concatenate(parts))


def log_likelihood_balanced(data: AnovaData, v: Sigmas) -> Floats:
    """No holes: the orthogonal decomposition leaves three sums of squares and the grand mean."""
    rows, columns = data.y.shape
    grand = float(data.y.mean())
    by_algorithm, by_dataset = data.y.mean(axis=0) - grand, data.y.mean(axis=1) - grand
    ss_a, ss_d, ss_0 = rows * (by_algorithm**2).sum(), columns * (by_dataset**2).sum(), rows * columns * grand**2
    ss_e = max(0.0, data.total - ss_a - ss_d - ss_0)
    a, d = v.error + rows * v.algorithm, v.error + columns * v.dataset
    centre = a + columns * v.dataset + 25.0 * rows * columns
    terms = (rows - 1) * (columns - 1) * np.log(v.error) + ss_e / v.error + np.log(centre) + ss_0 / centre
    terms = terms + (columns - 1) * np.log(a) + ss_a / a + (rows - 1) * np.log(d) + ss_d / d
    return np.asarray(-0.5 * terms)


def log_likelihood(data: AnovaData, v: Sigmas) -> Floats:
    """Any pattern of holes: dataset effects integrated out, then (b0, a) by a batched Cholesky factor."""
    precision, load, share = _normal_equations(data, v)
    root = np.linalg.cholesky(precision)
    solved = np.linalg.solve(precision, load[..., None])[..., 0]
    quadratic = (data.total - share @ data.square) / v.error - (load * solved).sum(axis=1)
    determinant = 2 * np.log(np.einsum("nkk->nk", root)).sum(axis=1) + data.n_algorithms * np.log(v.algorithm)
    spread = np.log1p(data.sizes * (v.dataset / v.error)[:, None]) @ data.datasets
    return np.asarray(-0.5 * (data.n_scores * np.log(v.error) + spread + quadratic + determinant))


def _normal_equations(data: AnovaData, v: Sigmas) -> tuple[Floats, Floats, Floats]:
    """Precision and load of (b0, a) with the dataset effects integrated out, and the shares that do it."""
    share = v.dataset[:, None] / (v.error[:, None] + data.sizes * v.dataset[:, None])
    precision = (data.cross - np.einsum("ng,gkl->nkl", share, data.overlap)) / v.error[:, None, None]
    diagonal = np.einsum("nkk->nk", precision)
    diagonal[:, 0] += 1 / 25.0
    diagonal[:, 1:] += 1 / v.algorithm[:, None]
    load: Floats = (data.load - share @ data.pull) / v.error[:, None]
    return precision, load, share


def pair_moments(data: AnovaData, v: Sigmas, pairs: Indices) -> tuple[Floats, Floats]:
    """Means and sds of a_i - a_k given the sigmas: points x pairs, in units of the sd of the data."""
    if data.balanced:
        rows = len(data.y)
        by_algorithm = data.y.mean(axis=0)
        shrunk = rows * v.algorithm / (v.error + rows * v.algorithm)
        means = shrunk[:, None] * (by_algorithm[pairs[:, 0]] - by_algorithm[pairs[:, 1]])
        sds = np.sqrt(2 * v.algorithm * v.error / (v.error + rows * v.algorithm))
        return means, np.broadcast_to(sds[:, None], means.shape)
    precision, load, _ = _normal_equations(data, v)
    covariance = np.linalg.inv(precision)
    centre = np.einsum("nkl,nl->nk", covariance, load)[:, 1:]
    first, second = pairs[:, 0], pairs[:, 1]
    spread = covariance[:, 1:, 1:]
    variance = spread[:, first, first] + spread[:, second, second] - 2 * spread[:, first, second]
    return centre[:, first] - centre[:, second], np.sqrt(np.maximum(variance, 0.0))


def draw_effects(data: AnovaData, v: Sigmas, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """One draw of (b0, a) for each point: exact, independent."""
    effects = np.empty((len(v.error), 1 + data.n_algorithms))
    for part in _parts(data, len(effects)):
        precision, load, _ = _normal_equations(data, v.at(part))
        root = np.linalg.cholesky(precision)
        noise = rng.standard_normal(load.shape)
        centre = np.linalg.solve(precision, load[..., None])[..., 0]
        effects[part] = centre + np.linalg.solve(np.swapaxes(root, 1, 2), noise[..., None])[..., 0]
    return effects[:, 0], effects[:, 1:]


def draw_datasets(data: AnovaData, v: Sigmas, level: Floats, effects: Floats, rng: np.random.Generator) -> Floats:
    """One draw of d for each point and its (b0, a)."""
    present = ~np.isnan(data.y)
    count = present.sum(axis=1)
    rest = np.nan_to_num(data.y).sum(axis=1) - level[:, None] * count - effects @ present.T
    total = v.error[:, None] + count * v.dataset[:, None]
    spread = np.sqrt(v.dataset[:, None] * v.error[:, None] / total)
    return np.asarray(rest * v.dataset[:, None] / total + spread * rng.standard_normal(rest.shape))


def _parts(data: AnovaData, points: int) -> Iterator[slice]:
    """Points whose matrices are in memory together."""
    step = max(1, CELLS // (1 + data.n_algorithms) ** 2)
    return (slice(start, start + step) for start in range(0, points, step))
