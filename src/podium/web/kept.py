"""What was uploaded and made, kept in memory while the server runs; what was unused for longest goes first."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from podium.web.asked import Asked
from podium.web.errors import GoneError
from podium.web.models import Options
from podium.web.settings import Limits
from podium.web.uploads import Upload


@dataclass(frozen=True, kw_only=True)
class Made:
    """A result: what it is ("comparison", "order"), parts of its page, and the files that were made of it so far.

    `policy` is that of the file "html". An "answer" has its `page` only: what a calculator said, or what was recognised. A "table"
    has its upload.
    """

    kind: str
    page: dict[str, Any] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    policy: str = ""
    asked: Asked = field(default_factory=lambda: Asked(options=Options()))

    @cached_property
    def size(self) -> int:
        """About how many bytes it takes."""
        upload = 0 if self.asked.upload is None else len(self.asked.upload.content)
        return sum(map(len, self.files.values())) * 2 + len(str(self.page)) + upload


_GONE = {"table": "tables are kept while the server runs; upload it again."}
_GONE_RESULT = "it is kept while the server runs; make it again from its table."


class Kept:
    """Tables and results by their identities, bounded in number and in bytes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._items: OrderedDict[str, Made] = OrderedDict()

    def table(self, key: str) -> Upload:
        """A table that was uploaded."""
        upload = self.made(key, "table").asked.upload
        assert upload is not None
        return upload

    def made(self, key: str, kind: str) -> Made:
        """A result that was made."""
        item = self.find(key, kind)
        if item is None:
            raise GoneError(f"There is no such {kind} (any more): {_GONE.get(kind, _GONE_RESULT)}")
        return item

    def find(self, key: str, kind: str) -> Made | None:
        """A result if it is there."""
        item = self._items.get(key)
        if item is None or item.kind != kind:
            return None
        self._items.move_to_end(key)
        return item

    def keep_table(self, upload: Upload) -> str:
        """Keep a table; its identity follows from its name and bytes."""
        key = identity(upload.name, upload.content)
        self.keep(key, Made(kind="table", asked=Asked(options=Options(), upload=upload)))
        return key

    def keep(self, key: str, item: Made) -> Made:
        """Keep something, and let go of what is too much."""
        self._items.pop(key, None)
        self._items[key] = item
        while len(self._items) > 1 and not self._fits():
            self._items.popitem(last=False)
        return item

    def _fits(self) -> bool:
        size = sum(item.size for item in self._items.values())
        return len(self._items) <= self._limits.kept and size <= self._limits.kept_bytes


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
