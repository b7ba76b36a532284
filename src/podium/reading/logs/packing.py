"""What packs files: how each is opened, by the ending of its name or by its first bytes, and what it raises where a file is broken."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import sys
import zlib
from collections.abc import Callable
from typing import Any

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdError
    from compression.zstd import open as open_zstd
else:
    from backports.zstd import ZstdError, zipfile
    from backports.zstd import open as open_zstd

__all__ = ["BROKEN", "OPENERS", "opener_of", "zipfile"]
OPENERS: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open, ".zst": open_zstd
}  # fmt: skip
_STARTS = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
# What comes out of a packed file that is not whole. NotImplementedError is a RuntimeError.
BROKEN = (
    OSError, EOFError, ValueError, RuntimeError, struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile, ZstdError
)  # fmt: skip


def opener_of(head: bytes) -> Callable[..., Any] | None:
    """What opens a file that begins so; None where it is not packed."""
    return next((OPENERS[ending] for start, ending in _STARTS.items() if head.startswith(start)), None)
