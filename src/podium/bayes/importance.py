"""Importance sampling in few dimensions: a Student proposal that adapts, quasi-random points, checked weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bayes.diagnostics import Diagnostics, pareto_shape
from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError

DF = 5.0  # of the Student proposal: tails heavier than those of the densities met here
PILOT = 1024
ROUNDS = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Weighted:
    """Points (count x dimensions) with weights that sum to 1, and how good they are."""

    points: Floats
    weights: Floats
    diagnostics: Diagnostics

    def resample(self, count: int, rng: np.random.Generator, *, by: int = 0) -> Indices:
        """Indices of equally weighted points: systematic resampling in the order of coordinate `by`."""
        order = np.argsort(self.points[:, by], kind="stable")
        steps = (np.arange(count) + rng.random()) / count
        edges = np.cumsum(self.weights[order])
        chosen = np.searchsorted(edges, steps * edges[-1])
        return np.asarray(order[np.minimum(chosen, len(order) - 1)])


def importance_sample(
    log_density: Callable[[Floats], Floats],
    start: Floats,
    *,
    rng: np.random.Generator,
    count: int = 8192,
    pilot: int = PILOT,
) -> Weighted:
    """Weighted points of a density of few dimensions, known up to a factor.

    From the mode and the curvature there, `ROUNDS` pilot rounds move and reshape the proposal.
    """
    centre, scatter = _mode_and_scatter(log_density, start)
    for _ in range(ROUNDS):
        points, log_weights = _propose(log_density, centre, scatter, pilot, rng)
        # Tempering keeps a poor first proposal from collapsing onto one point.
        weights = _normalised(log_weights * _temper(log_weights))
        centre = weights @ points
        spread = points - centre
        scatter = (spread * weights[:, None]).T @ spread + 1e-9 * np.diag(np.diag(scatter))
    points, log_weights = _propose(log_density, centre, scatter, count, rng)
    weights = _normalised(log_weights)
    ess = 1 / float(weights @ weights)
    diagnostics = Diagnostics(method="importance sampling", draws=count, ess=ess, pareto_k=pareto_shape(log_weights))
    if not np.isfinite(ess) or ess < 10:
        raise DataError("The posterior could not be sampled from these scores: look for constant or absurd values.")
    return Weighted(points=points, weights=weights, diagnostics=diagnostics)


def _mode_and_scatter(log_density: Callable[[Floats], Floats], start: Floats) -> tuple[Floats, Floats]:
    """The mode, and the inverse of the curvature there by finite differences (all in one call)."""
    from scipy.optimize import minimize

    def negative(point: Floats) -> float:
        value = float(log_density(point[None, :])[0])
        return -value if np.isfinite(value) else 1e300

    simplex = np.vstack([start, start + 0.7 * np.eye(len(start))])
    options: Any = {"xatol": 1e-2, "fatol": 1e-2, "maxiter": 1000, "initial_simplex": simplex}
    optimum = minimize(negative, start, method="Nelder-Mead", options=options)
    mode: Floats = optimum.x
    size = len(mode)
    step = 0.05 * np.eye(size)
    corners = [mode + sa * step[i] + sb * step[j] for i in range(size) for j in range(size) for sa, sb in _SIGNS]
    values = np.nan_to_num(log_density(np.array(corners)), nan=-1e9, neginf=-1e9).reshape(size, size, 4)
    curvature = -(values @ np.array([1.0, -1.0, -1.0, 1.0])) / (4 * 0.05**2)
    roots, axes = np.linalg.eigh(np.nan_to_num(curvature, nan=1.0, posinf=1e6, neginf=1.0))
    return mode, (axes / np.clip(roots, 0.02, 1e8)) @ axes.T


_SIGNS = ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0))


def _propose(
    log_density: Callable[[Floats], Floats], centre: Floats, scatter: Floats, count: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Points of the Student proposal and their log weights (target minus proposal)."""
    from scipy.special import gammainccinv, ndtri

    size = len(centre)
    uniform = _quasi_random(count, size + 1, rng)
    normal = ndtri(uniform[:, :size])
    chi2 = 2 * gammainccinv(DF / 2, uniform[:, size])
    standard = normal * np.sqrt(DF / chi2)[:, None]
    root = np.linalg.cholesky(scatter)
    points = centre + standard @ root.T
    log_proposal = -0.5 * (DF + size) * np.log1p((standard**2).sum(axis=1) / DF)
    values = log_density(points)
    return points, np.where(np.isfinite(values), values, -np.inf) - log_proposal


def _quasi_random(count: int, size: int, rng: np.random.Generator) -> Floats:
    """An additive recurrence with the generalised golden ratio, randomly shifted: points in the open unit cube."""
    ratio = 2.0
    for _ in range(60):
        ratio = (1 + ratio) ** (1 / (size + 1))
    steps = (1 / ratio) ** np.arange(1, size + 1)
    points = (rng.random(size) + np.arange(1, count + 1)[:, None] * steps) % 1.0
    return np.clip(points, 1e-12, 1 - 1e-12)


def _temper(log_weights: Floats) -> float:
    """The largest power (at most 1) of the weights that leaves at least a tenth of the pilot effective."""
    power = 1.0
    for _ in range(12):
        weights = _normalised(log_weights * power)
        if 1 / float(weights @ weights) >= 0.1 * len(weights):
            break
        power /= 2
    return power


def _normalised(log_weights: Floats) -> Floats:
    top = log_weights.max()
    if not np.isfinite(top):
        raise DataError("The posterior could not be sampled from these scores: look for constant or absurd values.")
    weights = np.exp(np.where(np.isfinite(log_weights), log_weights - top, -np.inf))
    return np.asarray(weights / weights.sum())
