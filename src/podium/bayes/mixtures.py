"""Mixtures of many Gaussians: probabilities and quantiles, for all pairs of algorithms at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["mixture_quantile", "mixture_regions"]

Floats = npt.NDArray[np.float64]


def mixture_regions(means: Floats, sds: Floats, weights: Floats, rope: float) -> Floats:
    """Pairs x (below -rope, within, above rope) of sum_k weights[k] N(means[k, pair], sds[k, pair]^2)."""
    from scipy.special import ndtr

    left = weights @ ndtr((-rope - means) / sds)
    right = weights @ ndtr((means - rope) / sds)
    middle = np.maximum(0.0, 1 - left - right) if rope > 0 else np.zeros_like(left)
    return np.column_stack([left, middle, right])


def mixture_quantile(means: Floats, sds: Floats, level: float) -> Floats:
    """The quantile of each pair's equally weighted mixture, by bisection on its distribution function."""
    from scipy.special import ndtr, ndtri

    reach = abs(float(ndtri(level))) + 1.0
    low, high = (means - reach * sds).min(axis=0), (means + reach * sds).max(axis=0)
    for _ in range(34):
        middle = 0.5 * (low + high)
        below = ndtr((middle - means) / sds).mean(axis=0) < level
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    quantile: Floats = 0.5 * (low + high)
    return quantile
