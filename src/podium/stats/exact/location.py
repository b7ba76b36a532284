"""Hodges-Lehmann estimates and medians of the differences of pairs, with their exact intervals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from podium.core.table import Pair
from podium.stats.exact import walsh_kernels
from podium.stats.exact.binomial import median_rank
from podium.stats.exact.difference_kernels import exponents
from podium.stats.exact.signed_rank import untied_quantile
from podium.stats.exact.threads import in_threads

__all__ = ["Locations", "location", "locations"]

Floats = npt.NDArray[np.float64]


class Locations(NamedTuple):
    """An estimate and an interval for each pair."""

    effect: Floats
    low: Floats
    high: Floats


def locations(
    columns: Floats,
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
    *,
    confidence: float,
    kind: str = "hodges-lehmann",
) -> Locations:
    """Estimates for pairs of rows of `columns` (algorithms x datasets, nan is missing).

    kind "hodges-lehmann": the median of the Walsh averages, and the interval of Walsh averages that the signed-rank
    law of untied ranks gives (beyond 10,000 the normal law); "median": the median and order statistics by the binomial law. Both intervals are
    exact for continuous symmetric (continuous) differences and conservative with ties; where so few observations
    cannot reach the confidence they are infinite.
    """
    walsh = kind == "hodges-lehmann"
    quantile_of = untied_quantile if walsh else median_rank
    tail = (1 - confidence) / 2
    present = np.unique((~np.isnan(columns)).sum(axis=1))
    sizes = range(columns.shape[1] + 1) if present[0] < columns.shape[1] else (columns.shape[1],)
    quantile = np.full(columns.shape[1] + 1, -1, dtype=np.int64)
    for n in sizes:
        quantile[n] = quantile_of(n, tail)
    estimate = np.empty((len(first), 3))
    digits = exponents(columns)

    def piece(part: slice) -> None:
        walsh_kernels.estimate_pairs(columns, digits, first[part], second[part], walsh, quantile, estimate[part])

    in_threads(piece, len(first))
    return Locations(effect=estimate[:, 0].copy(), low=estimate[:, 1].copy(), high=estimate[:, 2].copy())


def location(pair: Pair, *, confidence: float, kind: str = "hodges-lehmann") -> tuple[float, float, float]:
    """The estimate and interval of one pair (see `locations`)."""
    columns = np.vstack([pair.x, pair.y])
    found = locations(columns, np.array([0]), np.array([1]), confidence=confidence, kind=kind)
    return float(found.effect[0]), float(found.low[0]), float(found.high[0])
