"""The one way kernels of this room are compiled: cached on disk, and without the interpreter's lock (threads scale)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a function of plain numbers and arrays. Fused multiply-adds are allowed, nothing else is relaxed."""
    return cast("F", njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})(function))
