"""Pieces of compiled work on all cores: the kernels release the interpreter lock, so plain threads do."""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

IN_CACHE, SHORTEST = 131_072, 16  # numbers of an array of which some fit into the cache, and rows worth the calls
_QUOTA = Path("/sys/fs/cgroup/cpu.max")
LARGEST = 2048  # a block for which the call itself costs nothing


def allowed_processors() -> int:
    """How many processors this process may use: fewer than there are in a batch job or a container."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return min(len(affinity(0)), _quota()) if affinity else _quota()


@functools.cache
def _quota() -> int:
    """How many processors' time the control group of this process (version 2) may take; all where it is not limited."""
    with contextlib.suppress(OSError, ValueError):  # "max" is no number
        allowed, period = map(int, _QUOTA.read_text().split())
        return max(math.ceil(allowed / period), 1)
    return os.cpu_count() or 1


def in_threads(piece: Callable[[slice], None], total: int, *, smallest: int = 512, columns: int | None = None) -> None:
    """Call piece(slice) for every block of range(total); of rows with so many `columns`, blocks that stay in the cache."""
    cores = allowed_processors()
    block = min(max(total // (2 * cores), smallest), LARGEST)
    if columns is not None:
        block = max(SHORTEST, IN_CACHE // max(columns, 1))
    parts = [slice(start, min(start + block, total)) for start in range(0, total, block)]
    if cores == 1 or len(parts) <= 1:
        list(map(piece, parts))
        return
    with ThreadPoolExecutor(max_workers=cores) as pool:
        list(pool.map(piece, parts))
