"""One chain of the robust ANOVA: a Gibbs sampler in which weights or effects are integrated out where possible.

Student errors are normal errors whose precision is multiplied by a Gamma weight. Each sweep:
    1. effects one by one on the Student likelihood (weights integrated out): quick where df is near 1; then all
       effects of a factor stretched together with their sigma: quick where a factor has few levels;
    2. (log sigma_y, log(df - 1)) together, weights integrated out;
    3. the weights;
    4. (b0, a) together, dataset effects integrated out, then the dataset effects;
    5. sigma_a and sigma_d by slice sampling.
"""

from __future__ import annotations

import math

import numpy as np

from podium.bayes.anova_model import RATE, SHAPE
from podium.core.arrays import Bools, Floats
from podium.core.compiled import njit

Source = np.random.Generator
LOG_RANGE = float(np.log(1000.0))
MEAN_DF = 29.0
SCALE_STEPS = 5  # cheap, and the scale and the degrees of freedom move slowest


@njit(cache=True)
def _student(y: Floats, present: Bools, others: Floats, at: float, df: float, sigma: float) -> float:
    """The Student log likelihood of the scores of one algorithm or dataset, up to a constant, at `at` + `others`."""
    total = 0.0
    for k in range(y.shape[0]):
        if present[k]:
            r = (y[k] - at - others[k]) / sigma
            total += np.log1p(r * r / df)
    return -0.5 * (df + 1.0) * total


@njit(cache=True)
def _log_scale_target(squares: Floats, log_sigma: float, log_df: float) -> float:
    """Log density of (log sigma_y, log(df - 1)) given squared residuals, weights integrated out."""
    from_one = np.exp(log_df)
    df = 1.0 + from_one
    if abs(log_sigma) > LOG_RANGE:
        return -np.inf
    variance = np.exp(2.0 * log_sigma)
    total = 0.0
    for k in range(squares.shape[0]):
        total += np.log1p(squares[k] / (df * variance))
    n = squares.shape[0]
    ratio = math.lgamma(0.5 * (df + 1.0)) - math.lgamma(0.5 * df)
    constant = ratio - 0.5 * np.log(df) - log_sigma
    value: float = n * constant - 0.5 * (df + 1.0) * total + log_sigma + log_df - from_one / MEAN_DF
    return value


@njit(cache=True)
def _log_sigma_target(log_sigma: float, count: int, squares: float) -> float:
    """Log density of log sigma_a given the effects' sum of squares."""
    sigma = np.exp(log_sigma)
    value: float = SHAPE * log_sigma - RATE * sigma - count * log_sigma - 0.5 * squares / (sigma * sigma)
    return value


@njit(cache=True)
def _slice(log_sigma: float, count: int, squares: float, rng: Source) -> float:
    """One slice step for log sigma: stepping out, then shrinking."""
    height = _log_sigma_target(log_sigma, count, squares) - rng.standard_exponential()
    low = log_sigma - rng.random()
    high = low + 1.0
    while _log_sigma_target(low, count, squares) > height and low > -30.0:
        low -= 1.0
    while _log_sigma_target(high, count, squares) > height and high < 30.0:
        high += 1.0
    while True:
        new = low + (high - low) * rng.random()
        if _log_sigma_target(new, count, squares) >= height:
            return new
        if new < log_sigma:
            low = new
        else:
            high = new


@njit(cache=True)
def _draw_gaussian(precision: Floats, load: Floats, rng: Source) -> Floats:
    """A draw of N(precision^-1 load, precision^-1); `precision` is overwritten by its Cholesky factor."""
    n = load.shape[0]
    for c in range(n):
        for r in range(c, n):
            total = precision[r, c]
            for k in range(c):
                total -= precision[r, k] * precision[c, k]
            precision[r, c] = np.sqrt(total) if r == c else total / precision[c, c]
    value = np.empty(n)
    for r in range(n):
        total = load[r]
        for k in range(r):
            total -= precision[r, k] * value[k]
        value[r] = total / precision[r, r]
    for r in range(n):
        value[r] += rng.standard_normal()
    for r in range(n - 1, -1, -1):
        total = value[r]
        for k in range(r + 1, n):
            total -= precision[k, r] * value[k]
        value[r] = total / precision[r, r]
    return value


@njit(cache=True)
def _effects(y: Floats, weights: Floats, level_a: Floats, d: Floats, va: float, vd: float, rng: Source) -> None:
    """Draw (b0, a) into `level_a` and then the dataset effects into `d`; `weights` are precisions, 0 for holes."""
    rows, columns = y.shape
    precision = np.zeros((columns + 1, columns + 1))
    load = np.zeros(columns + 1)
    u = np.empty(columns + 1)
    for j in range(rows):
        total, pull = 0.0, 0.0
        for i in range(columns):
            u[i + 1] = weights[j, i]
            total += weights[j, i]
            pull += weights[j, i] * y[j, i]
        u[0] = total
        shrink = 1.0 / (total + 1.0 / vd)
        for r in range(columns + 1):
            load[r] += (pull if r == 0 else u[r] * y[j, r - 1]) - u[r] * pull * shrink
            precision[r, r] += u[r]
            if r > 0:
                precision[r, 0] += u[r]
            for c in range(r + 1):
                precision[r, c] -= u[r] * u[c] * shrink
    precision[0, 0] += 1.0 / 25.0
    for r in range(1, columns + 1):
        precision[r, r] += 1.0 / va
    level_a[:] = _draw_gaussian(precision, load, rng)
    for j in range(rows):
        total, pull = 1.0 / vd, 0.0
        for i in range(columns):
            total += weights[j, i]
            pull += weights[j, i] * (y[j, i] - level_a[0] - level_a[i + 1])
        d[j] = pull / total + rng.standard_normal() / np.sqrt(total)


@njit(cache=True)
def _single_moves(
    y: Floats,
    present: Bools,
    level: float,
    effects: Floats,
    others: Floats,
    scale: Floats,
    variance: float,
    rng: Source,
) -> None:
    """A Metropolis step of each effect on the Student likelihood of its row of `y`, given the other factor's effects."""
    sigma, df = np.exp(scale[0]), 1.0 + np.exp(scale[1])
    wide = 2.4 * sigma * np.sqrt((df + 3.0) / (df + 1.0))
    for i in range(effects.shape[0]):
        old = effects[i]
        new = old + wide / np.sqrt(others.shape[0]) * rng.standard_normal()
        before = _student(y[i], present[i], others, level + old, df, sigma) - 0.5 * old * old / variance
        after = _student(y[i], present[i], others, level + new, df, sigma) - 0.5 * new * new / variance
        if np.log(rng.random()) < after - before:
            effects[i] = new


@njit(cache=True)
def _stretch(
    y: Floats, present: Bools, level: float, a: Floats, d: Floats, log_sigmas: Floats, scale: Floats, rng: Source
) -> None:
    """Stretch the effects of each factor and its sigma by the same random factor, if the data allow."""
    sigma, df = np.exp(scale[0]), 1.0 + np.exp(scale[1])
    by = np.ones(2)
    current = 0.0
    for j in range(d.shape[0]):
        current += _student(y[j], present[j], a, level + d[j], df, sigma)
    for factor in range(2):
        for _ in range(2):
            step = (0.1, 0.4, 1.5)[int(3 * rng.random())] * rng.standard_normal()
            old, new = log_sigmas[factor], log_sigmas[factor] + step
            by[factor] = np.exp(step)
            stretched, proposed = by[0] * a, 0.0
            for j in range(d.shape[0]):
                proposed += _student(y[j], present[j], stretched, level + by[1] * d[j], df, sigma)
            prior = SHAPE * step - RATE * (np.exp(new) - np.exp(old))
            if np.log(rng.random()) < proposed - current + prior:
                current = proposed
                log_sigmas[factor] = new
                a *= by[0]
                d *= by[1]
            by[factor] = 1.0


@njit(cache=True)
def _move_scale(squares: Floats, scale: Floats, shape: Floats, rate: float, rng: Source) -> None:
    """Metropolis steps of `scale`, (log sigma_y, log(df - 1)), by a proposal that adapts while `rate` is not 0.

    `shape` is the proposal: the log of its size, the mean of two and the covariance (00, 10, 11). Robbins-Monro:
    towards an acceptance of 0.3, and towards the posterior's shape.
    """
    current = _log_scale_target(squares, scale[0], scale[1])
    for _ in range(SCALE_STEPS):
        factor = np.exp(shape[0])
        z0, z1 = rng.standard_normal(), rng.standard_normal()
        c00 = np.sqrt(shape[3])
        c10 = shape[4] / c00
        c11 = np.sqrt(max(shape[5] - c10 * c10, 1e-10))
        new0, new1 = scale[0] + factor * c00 * z0, scale[1] + factor * (c10 * z0 + c11 * z1)
        proposed = _log_scale_target(squares, new0, new1)
        accept = min(1.0, np.exp(min(0.0, proposed - current)))
        if rng.random() < accept:
            scale[0], scale[1], current = new0, new1, proposed
        if rate > 0.0:
            gap0, gap1 = scale[0] - shape[1], scale[1] - shape[2]
            shape[0] += rate * (accept - 0.3)
            shape[1] += rate * gap0
            shape[2] += rate * gap1
            shape[3] += rate * (gap0 * gap0 - shape[3]) + 1e-6
            shape[4] += rate * (gap0 * gap1 - shape[4])
            shape[5] += rate * (gap1 * gap1 - shape[5]) + 1e-6


@njit(cache=True)
def run_chain(y: Floats, present: Bools, warmup: int, keep: int, thin: int, rng: Source) -> Floats:
    """One sweep in `thin` is kept: keep x (log sigma_y, df, log sigma_a, log sigma_d, b0, a_1..a_I, d_1..d_J); `y` is 0 where unknown."""
    rows, columns = y.shape
    out = np.empty((keep, 5 + columns + rows))
    level_a, d = np.zeros(columns + 1), np.zeros(rows)
    a = level_a[1:]
    for j in range(rows):
        d[j] = y[j].sum() / max(present[j].sum(), 1) * rng.random()
    scale = np.array([-1.0 + 0.5 * rng.standard_normal(), 1.5 + rng.standard_normal()])
    logs = np.array([-1.5 + 0.5 * rng.standard_normal(), -0.5 + 0.5 * rng.standard_normal()])
    shape = np.array([0.0, scale[0], scale[1], 0.05, 0.0, 0.3])
    weights = np.zeros((rows, columns))
    cells = np.argwhere(present)
    squares = np.empty(len(cells))
    for sweep in range(warmup + thin * keep):
        _single_moves(y.T, present.T, level_a[0], a, d, scale, np.exp(2.0 * logs[0]), rng)
        _single_moves(y, present, level_a[0], d, a, scale, np.exp(2.0 * logs[1]), rng)
        _stretch(y, present, level_a[0], a, d, logs, scale, rng)
        for k in range(len(cells)):
            j, i = cells[k]
            squares[k] = (y[j, i] - level_a[0] - a[i] - d[j]) ** 2
        _move_scale(squares, scale, shape, 1.0 / (1.0 + sweep) ** 0.6 if sweep < warmup else 0.0, rng)
        variance, df = np.exp(2.0 * scale[0]), 1.0 + np.exp(scale[1])
        for k in range(len(cells)):
            rate = 0.5 * (df + squares[k] / variance)
            weights[cells[k, 0], cells[k, 1]] = rng.standard_gamma(0.5 * (df + 1.0)) / (rate * variance)
        _effects(y, weights, level_a, d, np.exp(2.0 * logs[0]), np.exp(2.0 * logs[1]), rng)
        logs[0] = _slice(logs[0], columns, (a**2).sum(), rng)
        logs[1] = _slice(logs[1], rows, (d**2).sum(), rng)
        if sweep >= warmup and (sweep - warmup) % thin == 0:
            row = out[(sweep - warmup) // thin]
            row[0], row[1], row[2], row[3] = scale[0], df, logs[0], logs[1]
            row[4 : 5 + columns] = level_a
            row[5 + columns :] = d
    return out
