"""Members of a zip archive, one at a time and never under their own names; also those packed by Zstandard."""

from __future__ import annotations

import mmap
import tempfile
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.names import shown
from podium.reading.logs.files import damaged
from podium.reading.logs.packing import BROKEN, zipfile
from podium.reading.wall import most_bytes, too_long

_BLOCK = 1 << 20


class Archive:
    """A zip file: the names of its members, and what they hold."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except BROKEN:
            raise damaged(path) from None
        self.names = self._zip.namelist()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def member(self, name: str) -> Any:
        """What a member holds, unpacked to a file without a name of which only the parts that are looked at are in memory."""
        most = most_bytes()
        with tempfile.TemporaryFile() as unpacked:
            try:
                with self._zip.open(name) as packed:
                    while block := packed.read(_BLOCK):
                        unpacked.write(block)
                        if unpacked.tell() > most:
                            raise too_long(self.path, f"has {shown(name)}, which unpacks to")
                unpacked.flush()
                return mmap.mmap(unpacked.fileno(), 0, access=mmap.ACCESS_READ) if unpacked.tell() else b""
            except DataError:
                raise
            except BROKEN:
                raise damaged(self.path) from None
