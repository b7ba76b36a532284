"""The hierarchical model's likelihood with the datasets' sigmas and deltas integrated out, and draws of the deltas."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats
from podium.core.compiled import njit

LEFT_DEPTH, RIGHT_DEPTH = 22.0, 16.0  # the left tail holds the outlying datasets


@njit(cache=True)
def reach(start: float, half: float, depth: float) -> float:
    """Where the log density half (t - e^t + 1) of t = log tau has fallen by `depth`, by Newton from outside."""
    t = start
    for _ in range(12):
        t -= (t - np.exp(t) + 1.0 + depth / half) / (1.0 - np.exp(t))
    return t


@njit(cache=True)
def _grid(df: float, taus: Floats, weights: Floats) -> None:
    """Precisions tau of a Student t with `df`, Gamma(df / 2, df / 2): equally spaced log tau, and their weights there."""
    size, half = taus.shape[0], 0.5 * df + 0.5  # the normal density adds a factor sqrt(tau) at the left
    low = reach(-1.0 - LEFT_DEPTH / half, half, LEFT_DEPTH)
    high = reach(1.5 + np.log1p(RIGHT_DEPTH / half), half, RIGHT_DEPTH)
    top = -np.inf
    for k in range(size):
        taus[k] = np.exp(low + (high - low) * k / (size - 1))
        weights[k] = 0.5 * df * np.log(taus[k]) - 0.5 * df * taus[k]
        top = max(top, weights[k])
    total = 0.0
    for k in range(size):
        weights[k] = np.exp(weights[k] - top)
        total += weights[k]
    weights /= total


@njit(cache=True, fastmath=True, error_model="numpy")
def log_likelihood(
    points: Floats, means: Floats, nodes: Floats, log_node_weights: Floats, scales: Floats, grid: int
) -> Floats:
    """The log density of all datasets' mean gains at each point (delta0, std0, df), up to a constant.

    Dataset i has the likelihood sum_u exp(log_node_weights[i, u]) N(mean_i; delta_i, scales[i] / nodes[i, u])
    (the Student t of its delta by Gauss-Laguerre), delta_i the prior sum_tau w N(delta0, std0^2 / tau).
    """
    count, size = points.shape[0], means.shape[0]
    out = np.empty(count)
    taus, mixing = np.empty(grid), np.empty(grid)
    wide = np.exp(log_node_weights)
    for s in range(count):
        delta0, variance0, df = points[s, 0], points[s, 1] ** 2, points[s, 2]
        _grid(df, taus, mixing)
        total = 0.0
        for i in range(size):
            square = (means[i] - delta0) ** 2
            sum_i = 0.0
            for u in range(nodes.shape[1]):
                within = scales[i] / nodes[i, u]
                inner = 0.0
                for k in range(grid):
                    v = within + variance0 / taus[k]
                    inner += mixing[k] * np.exp(-0.5 * square / v) / np.sqrt(v)
                sum_i += wide[i, u] * inner
            total += np.log(sum_i) if sum_i > 0.0 else -1e5 - 0.5 * square / (scales[i] + variance0)
        out[s] = total
    return out


@njit(cache=True, fastmath=True, error_model="numpy")
def draw_deltas(
    points: Floats,
    means: Floats,
    nodes: Floats,
    log_node_weights: Floats,
    scales: Floats,
    grid: int,
    rng: np.random.Generator,
) -> Floats:
    """One draw of every dataset's delta for each point: pick a pair of mixture components, then a Gaussian."""
    count, size, inner = points.shape[0], means.shape[0], nodes.shape[1]
    out = np.empty((count, size))
    taus, mixing = np.empty(grid), np.empty(grid)
    chance = np.empty(inner * grid)
    wide = np.exp(log_node_weights)
    for s in range(count):
        delta0, variance0, df = points[s, 0], points[s, 1] ** 2, points[s, 2]
        _grid(df, taus, mixing)
        for i in range(size):
            square = (means[i] - delta0) ** 2
            total = 0.0
            for u in range(inner):
                within = scales[i] / nodes[i, u]
                for k in range(grid):
                    v = within + variance0 / taus[k]
                    total += wide[i, u] * mixing[k] * np.exp(-0.5 * square / v) / np.sqrt(v)
                    chance[u * grid + k] = total
            chosen = np.searchsorted(chance, total * rng.random())
            chosen = min(chosen, inner * grid - 1)
            within = scales[i] / nodes[i, chosen // grid]
            prior = variance0 / taus[chosen % grid]
            share = prior / (within + prior)
            centre = delta0 + share * (means[i] - delta0)
            out[s, i] = centre + np.sqrt(share * within) * rng.standard_normal()
    return out
