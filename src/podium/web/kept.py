"""What was uploaded and made, kept in memory while the server runs; what was unused for longest goes first."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from podium.web.asked import Asked
from podium.web.errors import GoneError
from podium.web.models import Options
from podium.web.settings import Limits
from podium.web.uploads import Upload


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A result: what it is ("comparison", "order"), parts of its page, and the files that were made of it so far.

    `policy` is that of the file "html". An "answer" has its `page` only: what a calculator said, or what was recognised.
    """

    kind: str
    page: dict[str, Any] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    policy: str = ""
    asked: Asked = field(default_factory=lambda: Asked(options=Options()))

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        upload = 0 if self.asked.upload is None else len(self.asked.upload.content)
        return sum(map(len, self.files.values())) * 2 + len(str(self.page)) + upload


class Kept:
    """Tables and results by their identities, bounded in number and in bytes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._items: OrderedDict[str, tuple[Upload | Made, int]] = OrderedDict()
        self._bytes = 0

    def table(self, key: str) -> Upload:
        """A table that was uploaded."""
        found = self._find(key)
        if not isinstance(found, Upload):
            raise GoneError(
                "There is no such table (any more): tables are kept while the server runs; upload it again."
            )
        return found

    def made(self, key: str, kind: str) -> Made:
        """A result that was made."""
        found = self.find(key, kind)
        if found is None:
            raise GoneError(
                f"There is no such {kind} (any more): it is kept while the server runs; make it again from its table."
            )
        return found

    def find(self, key: str, kind: str) -> Made | None:
        """A result if it is there."""
        found = self._find(key)
        return found if isinstance(found, Made) and found.kind == kind else None

    def keep_table(self, upload: Upload) -> str:
        """Keep a table; its identity follows from its name and bytes."""
        key = identity(upload.name, upload.content)
        self.keep(key, upload, len(upload.content))
        return key

    def keep(self, key: str, item: Upload | Made, size: int) -> None:
        """Keep something, and let go of what is too much."""
        if key in self._items:
            self._bytes -= self._items.pop(key)[1]
        self._items[key] = (item, size)
        self._bytes += size
        while len(self._items) > 1 and (len(self._items) > self._limits.kept or self._bytes > self._limits.kept_bytes):
            _, (_, freed) = self._items.popitem(last=False)
            self._bytes -= freed

    def _find(self, key: str) -> Upload | Made | None:
        if key not in self._items:
            return None
        self._items.move_to_end(key)
        return self._items[key][0]


def identity(*parts: Any) -> str:
    """A short name that follows from the content and nothing else.

    >>> identity("a.csv", b"x") == identity("a.csv", b"x"), len(identity(1))
    (True, 20)
    """
    digest = hashlib.sha256()
    for part in parts:
        piece = part if isinstance(part, bytes) else json.dumps(part, sort_keys=True).encode()
        digest.update(len(piece).to_bytes(8, "big") + piece)
    return digest.hexdigest()[:20]
