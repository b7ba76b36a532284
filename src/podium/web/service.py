"""What the server can do, for pages and API alike: keep tables, look at them, make results, answer calculators."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from podium.core.errors import StoreError
from podium.web import tasks
from podium.web.errors import GoneError
from podium.web.kept import Kept, Made, identity
from podium.web.models import ComparisonOptions, Options, PowerOptions, ReadingOptions
from podium.web.settings import Settings
from podium.web.uploads import checked_upload
from podium.web.workers import Workers

# The files of a result: media type, name for downloads.
FORMATS = {
    "html": ("text/html; charset=utf-8", "podium-report.html"),
    "latex": ("application/zip", "podium-latex.zip"),
    "markdown": ("text/markdown; charset=utf-8", "podium-report.md"),
    "json": ("application/json", "podium-report.json"),
    "csv": ("text/csv; charset=utf-8", "podium-table.csv"),
}
# Calculators that may take long: they leave a worker free for the others.
HEAVY = (tasks.chance_table, tasks.chance_plan, tasks.chance_chart, tasks.power)
MAKERS = {"comparison": tasks.compare, "order": tasks.order}


class Service:
    """One server's tables, results and workers."""

    def __init__(self, settings: Settings, workers: Workers) -> None:
        self.settings = settings
        self.kept = Kept(settings.limits)
        self._workers = workers
        self._under_way: dict[str, asyncio.Task[Made]] = {}

    def add_table(self, name: str, content: bytes) -> str:
        """Keep an upload, once it looks like a table; gives its id."""
        return self.kept.keep_table(checked_upload(name, content, self.settings.limits))

    async def look(self, table: str, reading: ReadingOptions) -> dict[str, Any]:
        """What is recognised in a table."""
        found: dict[str, Any] = await self._read(tasks.look, table, reading)
        return found

    async def _read(
        self, task: Callable[..., Any], table: str, reading: ReadingOptions, *, heavy: bool = False, **arguments: Any
    ) -> Any:
        upload = self.kept.table(table)
        heavy = heavy or upload.cells > self.settings.limits.heavy_cells
        given = {"upload": upload, "reading": reading.given(), "limits": self.settings.limits}
        return await self._workers.run(task, heavy=heavy, **given, **arguments)

    async def make(self, kind: str, table: str, reading: ReadingOptions, options: Options) -> str:
        """Make a result ("comparison", "order"), or find it where it was made before; gives its id."""
        key = identity(kind, table, reading.given(), options.given())

        async def make() -> Made:
            upload = self.kept.table(table)
            found = await self._read(MAKERS[kind], table, reading, settings=options.given())
            asked = {"table": table, "name": upload.name, "reading": reading, "options": options}
            return Made(kind=kind, page={**found["page"], "asked": asked}, files=found["files"])

        await self._once(key, kind, make)
        return key

    async def _once(self, key: str, kind: str, make: Callable[[], Coroutine[Any, Any, Made]]) -> None:
        """Visitors who ask for the same thing at once share the work."""
        if self.kept.find(key, kind) is not None:
            return
        if key not in self._under_way:
            started = self._under_way[key] = asyncio.create_task(make())
            started.add_done_callback(lambda _: self._under_way.pop(key, None))
        made = await asyncio.shield(self._under_way[key])
        self.kept.keep(key, made, made.size)

    async def calculate(self, task: Callable[..., Any], **arguments: Any) -> Any:
        """The answer of a calculator."""
        return await self._workers.run(task, heavy=task in HEAVY, **arguments)

    async def power(self, options: PowerOptions, reading: ReadingOptions) -> dict[str, Any]:
        """Power, with or without a pilot table."""
        arguments = options.model_dump(exclude={"table"})
        if options.table is None:
            found: dict[str, Any] = await self.calculate(tasks.power, **arguments)
        else:
            found = await self._read(tasks.power, options.table, reading, heavy=True, **arguments)
        return found

    async def progress(self) -> dict[str, Any]:
        """How far the watched benchmark is."""
        found: dict[str, Any] = await self._workers.run(tasks.progress, path=self._watched())
        return found

    async def partial_report(self, options: ComparisonOptions) -> str:
        """The comparison of what the watched benchmark has finished; gives its id."""
        found = await self._workers.run(
            tasks.partial_report, path=self._watched(), settings=options.given(), heavy=True
        )
        asked = {"table": None, "name": "", "reading": ReadingOptions(), "options": options}
        made = Made(kind="comparison", page={**found["page"], "asked": asked}, files=found["files"])
        key = identity("comparison", made.files["json"])
        self.kept.keep(key, made, made.size)
        return key

    def _watched(self) -> str:
        if self.settings.watch is None:
            raise GoneError("No benchmark is watched: start the server with `podium serve --watch suite.db`.")
        if not self.settings.watch.is_file():
            raise StoreError("The benchmark that is watched has no store yet: start it with `podium run`.")
        return str(self.settings.watch)
