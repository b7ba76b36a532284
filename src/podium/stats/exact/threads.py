"""Pieces of compiled work on all cores: the kernels release the interpreter lock, so plain threads do."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor


def in_threads(
    piece: Callable[[slice], None], total: int, *, block: int = 512, progress: Callable[[int, int], None] | None = None
) -> None:
    """Call piece(slice) for every block of range(total); `progress` gets how many of the total are done."""
    parts = [slice(start, min(start + block, total)) for start in range(0, total, block)]
    if len(parts) <= 1:
        for part in parts:
            piece(part)
        if progress is not None:
            progress(total, total)
        return
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        for part, _ in zip(parts, pool.map(piece, parts), strict=True):
            if progress is not None:
                progress(part.stop, total)
