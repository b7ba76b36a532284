"""Pieces of compiled work on all cores: the kernels release the interpreter lock, so plain threads do."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def in_threads(piece: Callable[[slice], None], total: int, *, block: int = 512) -> None:
    """Call piece(slice) for every block of range(total)."""
    parts = [slice(start, min(start + block, total)) for start in range(0, total, block)]
    if len(parts) <= 1:
        list(map(piece, parts))
        return
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        list(pool.map(piece, parts))
