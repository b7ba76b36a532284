"""Making the tables of `shared_tilt_kernels`, for all pairs of a table of scores."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.stats.exact import shared_tilt_kernels as kernels
from podium.stats.exact.shared_tilt_kernels import SIZES, TILTS, WIDTH

_SMALLEST = 50  # ranks; smaller laws are left to the dynamic programme
_BANDS = 5  # of spreads, for pairs with down to half of the observations


class TiltTables(NamedTuple):
    """Tables by band of spreads and by tilt; see `shared_tilt_kernels.fill_shared`."""

    top: float  # the largest spread; band b holds spreads above top / BAND^(b + 1)
    numbers: Floats  # theta and the number of nodes
    rows: Floats
    turns: Floats
    laws: Floats
    levels: Floats
    poles: Floats

    def bands(self, squares: Floats) -> Ints:
        """The band of each pair by the sum of its squared doubled ranks; -1 where there is none."""
        if len(self.numbers) == 0:
            return np.full(len(squares), -1)
        spread = 0.5 * np.sqrt(np.maximum(squares, 1.0))
        band = np.floor(np.log(self.top / spread * (1.0 + 1e-9)) / np.log(kernels.BAND)).astype(np.int64)
        return np.where(band < len(self.numbers), band, -1)


def _room(top: float, bands: int, largest: int) -> TiltTables:
    tilts, rows = len(TILTS), largest + 1 + (largest // 2 + 1) * kernels.LARGEST_TIE
    return TiltTables(
        top,
        np.empty((bands, tilts, 2)),
        np.empty((bands, tilts, rows, kernels.LOBE)),
        np.empty((bands, tilts, largest // 2 + 1, kernels.LOBE)),
        np.empty((bands, tilts, rows, kernels.LAWS)),
        np.empty((bands, tilts, largest + 1, 2 * SIZES + 1)),
        np.empty((bands, tilts, 4, WIDTH)),
    )


def no_tilts() -> TiltTables:
    """No tables at all."""
    return _room(1.0, 0, 0)


@lru_cache(maxsize=2)
def tilts_for(n: int) -> TiltTables:
    """Tables for pairs of up to n observations."""
    if n < _SMALLEST:
        return no_tilts()
    top = float(np.sqrt(n * (n + 1) * (2 * n + 1) / 6))  # the sd of the doubled sum of n untied ranks
    tables = _room(top, _BANDS, 2 * n)
    for band in range(_BANDS):
        thetas = TILTS / (top / kernels.BAND**band)
        tables.numbers[band] = np.column_stack([thetas, _nodes(n / kernels.BAND ** (band * 2 / 3), thetas)])
        for tilt, (theta, nodes) in enumerate(tables.numbers[band]):
            kernels.fill_shared(theta, nodes, *(table[band, tilt] for table in tables[2:]))
    return tables


def _nodes(n: float, thetas: Floats) -> Floats:
    """Nodes K on the circle for each tilt: what the rule adds is little of the tails it serves.

    Judged by n untied ranks; a tilt serves the sums nearest to its own mean and to those of the next ones. The kernel checks the
    bounds again.
    """
    ranks = 2.0 * np.arange(1, int(np.ceil(n)) + 1)
    ladder = thetas[0] * (TILTS[1] / TILTS[0]) ** np.arange(len(thetas) + 1 + kernels.LOWER)
    weights = np.exp(-ranks * ladder[:, None])
    means = (ranks * weights / (1 + weights)).sum(axis=1)
    between = np.append(ranks.sum() / 2, (means[:-1] + means[1:]) / 2)  # the largest sum that is nearest to each mean
    largest, smallest = between[: len(thetas)], between[kernels.LOWER + 1 :][: len(thetas)]
    spreads = np.sqrt((ranks**2 * weights / (1 + weights) ** 2).sum(axis=1))[: len(thetas)]
    log_tails = (np.log((1 + weights) / 2).sum(axis=1) + ladder * smallest[:, None]).min(axis=1) - 3.5
    halves = np.log((1 + np.exp(-ranks * thetas[:, None] / 2)) / 2).sum(axis=1)
    above = np.minimum(26.0 - log_tails, 2.0 * (26.0 - log_tails + halves) + thetas * smallest) / thetas
    nodes: Floats = 2.0 * np.ceil(np.maximum(np.minimum(largest, 11.5 * spreads), above) / 2 + 1)
    return nodes
