"""The compiler of the kernels: it works where nothing can be written, and tells whoever asked that it is at work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import event

from podium.core import notice


def njit(**options: Any) -> Callable[[Any], Any]:
    """`numba.njit`, without a cache on disk where neither the package nor the user has a folder for one."""

    def compiled(function: Any) -> Any:
        try:
            return numba.njit(**options)(function)
        except RuntimeError as error:
            if "no locator available" not in str(error):
                raise
            return numba.njit(**{**options, "cache": False})(function)

    return compiled


def inner(**options: Any) -> Callable[[Any], Any]:
    """`numba.njit` of what only kernels call: it needs neither a file of its own nor what would let Python call it."""
    without: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return njit(**without, **options)


def is_at_hand(kernel: Any) -> bool:
    """Whether a kernel need not be compiled first: it was in this process, or it lies in the cache on disk."""
    if not hasattr(kernel, "stats"):  # numba was told not to compile
        return True
    folder = kernel.stats.cache_path
    name = kernel.py_func.__qualname__
    return bool(kernel.signatures) or (folder is not None and any(Path(folder).glob(f"*.{name}-*.nbi")))


class _Tells(event.Listener):
    """Says once that something is being compiled; what is loaded from the cache makes no such event."""

    def on_start(self, event: Any) -> None:
        notice.tell("compiling")

    def on_end(self, event: Any) -> None:
        """Nothing: the result is what comes next."""


event.register("numba:compile", _Tells())  # type: ignore[no-untyped-call]
