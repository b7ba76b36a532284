"""Members of a zip archive, one at a time and never under their own names; also those packed by Zstandard."""

from __future__ import annotations

from pathlib import Path

from podium.core.contents import bytes_up_to, most_bytes, too_long
from podium.core.names import shown
from podium.reading.logs.files import damaged
from podium.reading.logs.json_view import JsonView, decoded
from podium.reading.logs.packing import BROKEN, zipfile


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

    def view(self, name: str) -> JsonView:
        """What a member in JSON holds."""
        most = most_bytes()
        try:
            with self._zip.open(name) as packed:
                data = bytes_up_to(packed, most + 1)
        except BROKEN:
            raise damaged(self.path) from None
        if len(data) > most:
            raise too_long(self.path, f"has {shown(name)}, which unpacks to")
        return JsonView(self.path, decoded(data, self.path))
