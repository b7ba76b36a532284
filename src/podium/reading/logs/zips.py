"""Members of a zip archive, one at a time and never under their own names; also those packed by Zstandard (type 93)."""

from __future__ import annotations

import lzma
import mmap
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import IO, Any

from podium.core.errors import DataError, MissingPackageError
from podium.core.names import shown
from podium.reading.logs.files import damaged
from podium.reading.wall import most_bytes, too_long

ZSTANDARD = 93
MOST_MEMBERS = 1_000_000
_BLOCK = 1 << 20
# What comes out of a packed file that is not whole. NotImplementedError is a RuntimeError.
BROKEN = (OSError, EOFError, ValueError, RuntimeError, struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


class Archive:
    """A zip file: the names of its members, and what they hold."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except BROKEN:
            raise damaged(path) from None
        self.names = self._zip.namelist()
        if len(self.names) > MOST_MEMBERS:
            raise DataError(f"{path.name} has {len(self.names)} members, which is more than a log has.")

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def member(self, name: str) -> Any:
        """What a member holds, unpacked to a file without a name of which only the parts that are looked at are in memory."""
        info, most = self._zip.getinfo(name), most_bytes()
        with tempfile.TemporaryFile() as made:
            try:
                for block in self._blocks(info):
                    made.write(block)
                    if made.tell() > most:
                        raise too_long(self.path, f"has {shown(name)}, which unpacks to")
                made.flush()
                return mmap.mmap(made.fileno(), 0, access=mmap.ACCESS_READ) if made.tell() else b""
            except (DataError, MissingPackageError):
                raise
            except BROKEN:
                raise damaged(self.path) from None

    def _blocks(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        is_zstandard = info.compress_type == ZSTANDARD
        check = 0
        for block in _unpacked(self._raw(info)) if is_zstandard else _read(self._zip.open(info)):
            check = zlib.crc32(block, check)
            yield block
        if check != info.CRC:
            raise zipfile.BadZipFile

    def _raw(self, info: zipfile.ZipInfo) -> IO[bytes]:
        """The packed bytes of a member, which zipfile cannot unpack itself: as if they were stored so, without a checksum."""
        packed = copy(info)
        packed.compress_type, packed.file_size = zipfile.ZIP_STORED, info.compress_size
        del packed.CRC
        return self._zip.open(packed)


def _read(stream: IO[bytes]) -> Iterator[bytes]:
    with stream:
        yield from iter(lambda: stream.read(_BLOCK), b"")


def _unpacked(packed: IO[bytes]) -> Iterator[bytes]:
    """Zstandard unpacked, by whatever package can: the standard library's (Python 3.14), backports.zstd, pyarrow."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        try:
            from backports import zstd  # type: ignore[import-not-found,no-redef,unused-ignore]
        except ImportError:
            yield from _read(_by_arrow(packed))
            return
    try:
        yield from _read(zstd.ZstdFile(packed))
    except zstd.ZstdError:
        raise zipfile.BadZipFile from None


def _by_arrow(packed: IO[bytes]) -> IO[bytes]:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingPackageError("backports.zstd", "Reading logs that are packed by Zstandard") from None
    stream: IO[bytes] = pa.CompressedInputStream(pa.PythonFile(packed, mode="r"), "zstd")
    return stream
