"""Which tables of tied laws many pairs can share, and making them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.stats.exact import tie_kernels
from podium.stats.exact.threads import in_threads

__all__ = ["TieTables", "no_ties", "shared_ties"]

TieTables = tuple[npt.NDArray[np.int64], *tuple[npt.NDArray[np.float64], ...]]

_MOST = 12  # tables at a time, some 4 MB each
_RARE = 0.01  # a number of observations that fewer of the pairs have gets no table


def _room(slots: int, largest: int, n: int) -> TieTables:
    """Space for so many tables of up to `largest` ranks; entry i of the first array is the table of i ranks, or -1."""
    tilts, width = len(tie_kernels.TILTS), tie_kernels.WIDTH
    return (
        np.full(n + 1, -1, dtype=np.int64),
        np.zeros((slots, tilts, 5)),
        np.empty((slots, tilts, 2, width)),
        np.empty((slots, tilts, 5, largest + 1, 2, width)),
        np.empty((slots, tilts, 2 * largest + 1, 2, width)),
        np.empty((slots, tilts, largest + 1, 2, width)),
    )


def no_ties(n: int) -> TieTables:
    """No tables for up to n ranks."""
    return _room(0, 0, n)


def shared_ties(counts: npt.NDArray[np.int64], n: int) -> TieTables:
    """Tables for the numbers of ranks that a sample of pairs with ties has often enough."""
    sizes, times = np.unique(counts, return_counts=True)
    often = sizes[(times >= _RARE * len(counts)) & (sizes >= 60)]
    often = often[np.argsort(-times[np.isin(sizes, often)], kind="stable")][:_MOST]
    return _made(tuple(int(size) for size in often), n)


@lru_cache(maxsize=1)
def _made(sizes: tuple[int, ...], n: int) -> TieTables:
    if not sizes:
        return no_ties(n)
    tables = _room(len(sizes), max(sizes), n)
    tables[0][list(sizes)] = np.arange(len(sizes))
    arrays: tuple[Any, ...] = tables[1:]

    def piece(part: slice) -> None:
        for slot in range(part.start, part.stop):
            tie_kernels.tie_tables(sizes[slot], *(array[slot] for array in arrays))

    in_threads(piece, len(sizes), block=1)
    return tables
