"""Rows of a grid of critical values: the same laws as for single values, with what neighbours share computed once.

Levels (for one competitor) come as a falling array: more competitors, smaller level.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from podium.chance.hypergeometric import log_pmf, top_critical
from podium.chance.jit import kernel
from podium.chance.mann_whitney import spread

__all__ = ["accuracy_row", "auc_by_counts", "auc_row", "node_table", "top_row"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Complexes = npt.NDArray[np.complex128]


@kernel
def accuracy_row(P: int, many: int, levels: Floats) -> Ints:
    """Largest lead k of each level (falling) and N = 1..many: one product serves all levels."""
    places = np.empty((len(levels), many), np.int64)
    for N in range(1, many + 1):
        k = max(0, P - N)
        survival = (P - k) / (N + k + 1)
        for c in range(len(levels)):
            while survival > levels[c]:
                k += 1
                survival *= (P - k) / (N + k + 1)
            places[c, N - 1] = k
    return places


@kernel
def top_row(P: int, many: int, n: int, levels: Floats) -> Ints:
    """True positives among the top n; -1 where there are fewer than n cases. Sums from the top, rising levels last."""
    places = np.full((len(levels), many), -1, np.int64)
    for N in range(max(1, n - P), many + 1):
        high = min(P, n)
        log_top = log_pmf(high, P, N, n)
        if log_top < -600.0:
            for c in range(len(levels)):
                places[c, N - 1] = top_critical(P, N, n, levels[c])
            continue
        term = math.exp(log_top)
        total, i = term, high  # total = P(X >= i)
        for c in range(len(levels) - 1, -1, -1):
            while total <= levels[c] and i > max(0, n - N):
                i -= 1
                term *= (i + 1) * float(N - n + i + 1) / ((P - i) * float(n - i))
                total += term
            places[c, N - 1] = i
    return places


@kernel
def auc_by_counts(N: int, fewest: int, levels: Floats) -> Ints:
    """Mirrored critical U (pairs in the wrong order) for P = 1..fewest <= N: one multiplication serves all P."""
    top = fewest * N // 2
    counts = np.zeros(top + 1)
    counts[0] = 1.0
    places = np.empty((len(levels), fewest), np.int64)
    for j in range(1, fewest + 1):
        for u in range(top, N + j - 1, -1):
            counts[u] -= counts[u - N - j]
        for u in range(j, top + 1):
            counts[u] += counts[u - j]
        scale = math.exp(log_pmf(j, j, N, j))
        total, v = counts[0] * scale, 0  # total = P(U <= v)
        for c in range(len(levels) - 1, -1, -1):
            while total <= levels[c] and v < top:
                v += 1
                total += counts[v] * scale
            places[c, j - 1] = v
    return places


@kernel
def node_table(cases: int, theta: float, step: float, nodes: int) -> Complexes:
    """Psi(n) = sum of log(sinh(j w/2) / (j w/2)) for n = 0..cases at the nodes w = theta - i k step."""
    table = np.zeros((cases + 1, nodes + 1), np.complex128)
    for k in range(nodes + 1):
        half = 0.5 * complex(theta, -k * step)
        total = 0.0 + 0.0j
        for j in range(1, cases + 1):
            x = j * half
            # log sinh(x) = x + log((1 - exp(-2x)) / 2); the branch does not matter, as only exp of sums is used
            if abs(x) > 0.01:
                total += x + np.log((1.0 - np.exp(-2.0 * x)) / (2.0 * x))
            else:
                total += x * x * (1 / 6 - x * x * (1 / 180 - x * x / 2835))
            table[j, k] = total
    return table


@kernel
def _at(logs: Complexes, factors: Complexes, theta: float, step: float, distance: float) -> tuple[float, float, float]:
    """P(U <= v), P(U = v) and P(U = v + 1), as `mann_whitney.integrate`; distance is v - P N / 2.

    factors: 1 / (1 - exp(-w)) and exp(w) at the nodes.
    """
    cumulative, mass, following = 0.0, 0.0, 0.0
    for k in range(len(logs)):
        term = np.exp(logs[k] + complex(theta, -k * step) * distance)
        if k == 0:
            term *= 0.5
        mass += term.real
        cumulative += (term * factors[0, k]).real
        following += (term * factors[1, k]).real
    scale = step / math.pi
    return cumulative * scale, mass * scale, following * scale


@kernel
def auc_row(
    table: Complexes, theta: float, step: float, N: int, first: int, last: int, level: float, deviates: float
) -> Ints:
    """Mirrored critical U, the smallest v with P(U <= v) > level, for P = first..last; -1 where too close to tell."""
    nodes = table.shape[1]
    factors = np.empty((2, nodes), np.complex128)
    for k in range(nodes):
        factors[1, k] = np.exp(complex(theta, -k * step))
        factors[0, k] = 1.0 / (1.0 - 1.0 / factors[1, k])
    logs = np.empty(nodes, np.complex128)
    places = np.empty(last - first + 1, np.int64)
    for P in range(first, last + 1):
        for k in range(nodes):
            logs[k] = table[P + N, k] - table[P, k] - table[N, k]
        places[P - first] = _auc_cell(logs, factors, theta, step, P, N, level, deviates)
    return places


@kernel
def _auc_cell(
    logs: Complexes, factors: Complexes, theta: float, step: float, P: int, N: int, level: float, deviates: float
) -> int:
    T, pairs = float(P + N), P * float(N)
    excess = -1.2 * (T * T - pairs + T) / (pairs * (T + 1))  # kurtosis of U, for the start by Cornish and Fisher
    z = deviates + excess / 24.0 * (deviates**3 - 3.0 * deviates)
    v = int(0.5 * pairs - z * spread(P, N))
    close = 1e-9 * level
    for _ in range(50):
        cumulative, mass, following = _at(logs, factors, theta, step, v - 0.5 * pairs)
        below, above = cumulative - mass, cumulative + following
        if min(abs(below - level), min(abs(cumulative - level), abs(above - level))) < close:
            return -1
        if below <= level < cumulative:
            return v
        if cumulative <= level < above:
            return v + 1
        move = int(math.log(level / cumulative) * cumulative / mass + 0.5)  # Newton on the log of the tail
        v += move if move != 0 else (1 if above <= level else -1)
    return -1
