"""The exact law of the difference of two Friedman rank sums (Eisinga et al. 2017), with ties.

Within a dataset all orders of the ranks are equally likely, so the difference of two given algorithms is that of two
ranks drawn without replacement; the law over datasets is the convolution. All pairs share it.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
from scipy.optimize import brentq

from podium.core.arrays import Floats, Ints

Kernels = list[tuple[Floats, int]]

# Multiplications of the plain convolution; beyond, Fourier transforms of tilted laws do it.
MOST_PRODUCTS = 1e8


def two_sided_pvalues(ranks: Floats, differences: Floats) -> Floats:
    """P(|D| >= |d|) for each difference d of rank sums, given the ranks (datasets x algorithms) with their ties."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    unit = math.gcd(*{int(gap) for gap in (doubled - doubled[:, :1]).ravel() if gap}, 0)
    if unit == 0:  # all ties
        return np.ones(differences.shape)
    kernels = _kernels(doubled, unit)
    products = sum(count for _, count in kernels) ** 2 * max(kernel.size for kernel, _ in kernels) ** 2
    distance = np.rint(2 * np.abs(differences) / unit).astype(np.int64)
    largest = int(distance.max(initial=0))
    pmf = _by_convolution(kernels) if products <= MOST_PRODUCTS else _by_tilted_transforms(kernels, largest)
    tail = np.cumsum(pmf[: pmf.size // 2 - 1 : -1])[::-1]  # P(D >= d) for d = 0, 1, ...
    return np.where(distance == 0, 1.0, np.minimum(2 * tail[distance], 1.0))


def _kernels(doubled: Ints, unit: int) -> Kernels:
    """The law of the difference within a dataset, one for each pattern of ties, and how many datasets have it."""
    patterns = Counter(tuple(row) for row in np.sort(doubled, axis=1).tolist() if row[0] != row[-1])
    kernels = []
    for pattern, count in patterns.items():
        values, sizes = np.unique(np.array(pattern) // unit, return_counts=True)
        widest = int(values[-1] - values[0])
        kernel = np.zeros(2 * widest + 1)
        gaps = values[:, None] - values + widest
        np.add.at(kernel, gaps, np.outer(sizes, sizes).astype(np.float64))
        kernel[widest] -= len(pattern)  # an algorithm is not drawn twice
        kernels.append((kernel / (len(pattern) * (len(pattern) - 1)), count))
    return kernels


def _by_convolution(kernels: Kernels) -> Floats:
    pmf: Floats = np.ones(1)
    for kernel, count in kernels:
        for _ in range(count):
            pmf = np.convolve(pmf, kernel)
    return pmf


def _by_tilted_transforms(kernels: Kernels, largest: int) -> Floats:
    """The same by Fourier transforms, each tilted to a part of the law, so that far tails keep their digits.

    With weights exp(t d) the law of a sum of differences moves to where its tail was; there a transform is accurate
    to some 12 digits, and the weights are known. Parts overlap by several standard deviations. What lies so far
    beyond the `largest` difference that is asked for that it adds nothing is left at 0.
    """
    reach = sum((kernel.size // 2) * count for kernel, count in kernels)
    logs = np.full(reach + 1, -np.inf)
    best = np.full(reach + 1, np.inf)
    target = 0.0
    spread = 0.0
    while target < min(reach - 0.5, largest + 8 * spread + 3):
        tilt = 0.0 if target == 0.0 else brentq(lambda t, aim=target: _moments(kernels, t)[0] - aim, 0.0, 60.0)
        mean, variance, log_mass = _moments(kernels, tilt)
        law = _transform(kernels, tilt, reach)
        with np.errstate(divide="ignore"):
            here = np.log(np.maximum(law, 0.0)) - tilt * np.arange(reach + 1) + log_mass
        distance = np.abs(np.arange(reach + 1) - mean)
        logs = np.where(distance < best, here, logs)
        best = np.minimum(best, distance)
        spread = math.sqrt(variance)
        target = mean + max(0.75, 3 * spread)
    logs[-1] = sum(count * math.log(kernel[-1]) for kernel, count in kernels)  # the widest difference everywhere
    half = np.exp(logs)
    return np.concatenate([half[:0:-1], half])


def _tilted(kernel: Floats, tilt: float) -> tuple[Floats, float]:
    """A kernel with weights exp(tilt d), normalised, and the logarithm of its mass."""
    widest = kernel.size // 2
    weighted = kernel * np.exp(tilt * (np.arange(-widest, widest + 1) - widest))
    mass = float(weighted.sum())
    return weighted / mass, math.log(mass) + tilt * widest


def _moments(kernels: Kernels, tilt: float) -> tuple[float, float, float]:
    """Mean, variance and log mass of the tilted sum."""
    mean = variance = log_mass = 0.0
    for kernel, count in kernels:
        weights, log_one = _tilted(kernel, tilt)
        d = np.arange(kernel.size) - kernel.size // 2
        first = float(weights @ d)
        mean += count * first
        variance += count * float(weights @ (d - first) ** 2)
        log_mass += count * log_one
    return mean, variance, log_mass


def _transform(kernels: Kernels, tilt: float, reach: int) -> Floats:
    """The tilted law at 0..reach, by one transform and its inverse."""
    from scipy.fft import irfft, next_fast_len, rfft

    size = next_fast_len(2 * reach + 1, real=True)
    spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
    for kernel, count in kernels:
        weights, _ = _tilted(kernel, tilt)
        widest = kernel.size // 2
        centred = np.zeros(size)
        centred[: widest + 1] = weights[widest:]
        centred[size - widest :] = weights[:widest]
        spectrum *= rfft(centred) ** count
    return np.asarray(irfft(spectrum, size)[: reach + 1])
