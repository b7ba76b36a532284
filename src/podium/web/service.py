"""What the server can do, for pages and API alike: keep tables, look at them, make results, answer calculators."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable
from typing import Any

from podium.core.errors import StoreError
from podium.web.errors import GoneError
from podium.web.kept import Kept, Made, identity
from podium.web.models import ComparisonOptions, OrderOptions, PowerOptions, ReadingOptions
from podium.web.settings import Settings
from podium.web.uploads import Upload, checked_upload
from podium.web.workers import Workers

__all__ = ["FORMATS", "Service"]

# The files of a comparison: part of the worker's answer, media type, name for downloads.
FORMATS = {
    "html": ("text/html; charset=utf-8", "podium-report.html"),
    "latex": ("application/zip", "podium-latex.zip"),
    "markdown": ("text/markdown; charset=utf-8", "podium-report.md"),
    "json": ("application/json", "podium-report.json"),
    "csv": ("text/csv; charset=utf-8", "podium-pairs.csv"),
}
# Calculators that may take long: they leave a worker free for the others.
HEAVY = ("chance_table", "chance_plan", "chance_chart", "power")


class Service:
    """One server's tables, results and workers."""

    def __init__(self, settings: Settings, workers: Workers) -> None:
        self.settings = settings
        self._workers = workers
        self._kept = Kept(settings.limits)
        self._under_way: dict[str, asyncio.Task[Made]] = {}

    def add_table(self, name: str, content: bytes) -> str:
        """Keep an upload, once it looks like a table; gives its id."""
        return self._kept.keep_table(checked_upload(name, content, self.settings.limits))

    def table_of(self, table: str) -> Upload:
        """A table as it was uploaded."""
        return self._kept.table(table)

    def table_name(self, table: str) -> str:
        """The file name of a table."""
        return self.table_of(table).name

    async def look(self, table: str, reading: ReadingOptions) -> dict[str, Any]:
        """What is recognised in a table."""
        found: dict[str, Any] = await self._read("look", table, reading)
        return found

    async def _read(self, task: str, table: str, reading: ReadingOptions, **arguments: Any) -> Any:
        upload = self._kept.table(table)
        given = {"name": upload.name, "reading": reading.given(), **arguments}
        heavy = task in HEAVY or upload.cells > self.settings.limits.heavy_cells
        return await self._workers.run(task, given, upload.content, heavy=heavy)

    async def compare(self, table: str, reading: ReadingOptions, options: ComparisonOptions) -> str:
        """Make the comparison, or find it where it was made before; gives its id."""
        key = identity("comparison", table, reading.given(), options.given())

        async def make() -> Made:
            found = await self._read("compare", table, reading, settings=options.given())
            asked = {"table": table, "reading": reading.model_dump(), "options": options.model_dump()}
            return _comparison(found, asked | {"name": self.table_name(table)})

        await self._once(key, "comparison", make)
        return key

    async def order(self, table: str, reading: ReadingOptions, options: OrderOptions) -> str:
        """Make the order by cost; gives its id."""
        key = identity("order", table, reading.given(), options.given())

        async def make() -> Made:
            found = await self._read("order", table, reading, settings=options.given())
            asked = {"table": table, "reading": reading.model_dump(), "options": options.model_dump()}
            page = {"sections": found["sections"], "asked": asked | {"name": self.table_name(table)}}
            return Made(kind="order", data=found["data"], page=page)

        await self._once(key, "order", make)
        return key

    async def _once(self, key: str, kind: str, make: Callable[[], Awaitable[Made]]) -> None:
        """Visitors who ask for the same thing at once share the work."""
        if self._kept.find(key, kind) is not None:
            return
        if key not in self._under_way:

            async def task() -> Made:
                return await make()

            started = self._under_way[key] = asyncio.create_task(task())
            started.add_done_callback(lambda _: self._under_way.pop(key, None))
        made = await asyncio.shield(self._under_way[key])
        self._kept.keep(key, made, made.size)

    def comparison(self, key: str) -> Made:
        """A comparison that was made."""
        return self._kept.made(key, "comparison")

    def order_made(self, key: str) -> Made:
        """An order that was made."""
        return self._kept.made(key, "order")

    async def calculate(self, task: str, arguments: dict[str, Any]) -> Any:
        """The answer of a calculator."""
        return await self._workers.run(task, arguments, heavy=task in HEAVY)

    async def power(self, options: PowerOptions, reading: ReadingOptions) -> dict[str, Any]:
        """Power, with or without a pilot table."""
        arguments = options.model_dump(exclude={"table"})
        if options.table is None:
            arguments |= {"name": "", "reading": {}}
            found: dict[str, Any] = await self.calculate("power", arguments)
        else:
            found = await self._read("power", options.table, reading, **arguments)
        return found

    async def progress(self) -> dict[str, Any]:
        """How far the watched benchmark is."""
        found: dict[str, Any] = await self._workers.run("watch", {"path": self._watched()})
        return found

    async def partial_report(self, options: ComparisonOptions) -> str:
        """The comparison of what the watched benchmark has finished; gives its id."""
        found = await self._workers.run(
            "watch_compare", {"path": self._watched(), "settings": options.given()}, heavy=True
        )
        made = _comparison(found, {"name": "", "options": options.model_dump()})
        key = identity("comparison", made.files["json"])
        self._kept.keep(key, made, made.size)
        return key

    def _watched(self) -> str:
        if self.settings.watch is None:
            raise GoneError("No benchmark is watched: start the server with `podium serve --watch suite.db`.")
        if not self.settings.watch.is_file():
            raise StoreError("The benchmark that is watched has no store yet: start it with `podium run`.")
        return str(self.settings.watch)


def _comparison(found: dict[str, Any], asked: dict[str, Any]) -> Made:
    files = {name: found.pop(name) for name in FORMATS}
    packed = base64.b64decode(files.pop("latex"))
    return Made(
        kind="comparison",
        data=None,
        page={**found, "asked": asked},
        files={"latex": packed, **{name: text.encode() for name, text in files.items()}},
    )
