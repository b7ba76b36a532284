"""What the server can do, for pages and API alike: keep tables, look at them, make results, answer calculators."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from podium.core.errors import StoreError
from podium.web import tasks
from podium.web.asked import Asked
from podium.web.calculators import CALCULATORS
from podium.web.errors import GoneError
from podium.web.kept import Kept, Made, identity
from podium.web.models import Options, ReadingOptions
from podium.web.settings import Settings
from podium.web.uploads import Upload, checked_folder, checked_upload
from podium.web.workers import T, Weight, Workers

# The files of a result: media type, name for downloads.
FORMATS = {
    "html": ("text/html; charset=utf-8", "podium-report.html"),
    "latex": ("application/zip", "podium-latex.zip"),
    "markdown": ("text/markdown; charset=utf-8", "podium-report.md"),
    "json": ("application/json", "podium-report.json"),
    "csv": ("text/csv; charset=utf-8", "podium-table.csv"),
}
AT_ONCE = ("json",)  # the other files are made when the first of them is asked for
MAKERS = {"comparison": tasks.compare, "order": tasks.order, "gate": tasks.gate}


class Service:
    """One server's tables, results and workers."""

    def __init__(self, settings: Settings, workers: Workers) -> None:
        self.settings = settings
        self.kept = Kept(settings.limits)
        self._answers = Kept(settings.limits)
        self._workers = workers
        self._under_way: dict[str, asyncio.Task[Made]] = {}

    def add_table(self, name: str, content: bytes) -> str:
        """Keep an upload, once it looks like a table; gives its id."""
        return self.kept.keep_table(checked_upload(name, content, self.settings.limits))

    def add_folder(self, files: Sequence[tuple[str, bytes]]) -> str:
        """Keep several files as one folder; gives its id."""
        return self.kept.keep_table(checked_folder(files, self.settings.limits))

    async def look(self, table: str, reading: ReadingOptions) -> dict[str, Any]:
        """What is recognised in a table."""
        upload = self.kept.table(table)
        key = identity("look", table, reading.explicit())
        return await self._answer(key, lambda: self._read(tasks.look, upload, reading))

    async def make(
        self, kind: str, table: str, reading: ReadingOptions, options: Options, *, after: str | None = None
    ) -> str:
        """Make a result ("comparison", "order"), or find it where it was made before; gives its id.

        `after` is the result that was looked at before these options were chosen.
        """
        asked = self._after(
            after, kind, Asked(table=table, upload=self.kept.table(table), reading=reading, options=options)
        )
        key = identity(kind, table, reading.explicit(), options.explicit(), asked.changes)

        async def make() -> Made:
            return Made(kind=kind, asked=asked, **await self._made(kind, asked, AT_ONCE))

        if self.kept.find(key, kind) is None:
            self.kept.keep(key, await self._once(key, make))
        return key

    async def file(self, key: str, kind: str, form: str) -> Made:
        """A result with this file and all others."""
        result = self.kept.made(key, kind)
        if form in result.files:
            return result

        async def complete() -> Made:
            more = await self._made(kind, result.asked, tuple(one for one in FORMATS if one not in result.files))
            return replace(result, files={**result.files, **more["files"]}, policy=more["policy"])

        return self.kept.keep(key, await self._once(f"{key}/files", complete))

    def _after(self, earlier: str | None, kind: str, asked: Asked) -> Asked:
        return asked if not earlier else asked.after(self.kept.made(earlier, kind).asked)

    async def _made(self, kind: str, asked: Asked, forms: tuple[str, ...]) -> dict[str, Any]:
        assert asked.upload is not None
        settings, changes = asked.options.explicit(), asked.changes
        return await self._read(
            MAKERS[kind], asked.upload, asked.reading, settings=settings, changes=changes, forms=forms
        )

    async def _read(
        self, task: Callable[..., T], upload: Upload, reading: ReadingOptions, *, heavy: bool = False, **more: Any
    ) -> T:
        weight: Weight = "heavy" if heavy or upload.cells > self.settings.limits.heavy_cells else "usual"
        table = {"upload": upload, "reading": reading.explicit(), "limits": self.settings.limits}
        return await self._workers.run(task, weight=weight, **table, **more)

    async def _once(self, key: str, make: Callable[[], Any]) -> Made:
        """Visitors who ask for the same thing at once share the work."""
        if key not in self._under_way:
            started = self._under_way[key] = asyncio.create_task(make())
            started.add_done_callback(lambda _: self._under_way.pop(key, None))
        return await asyncio.shield(self._under_way[key])

    async def _answer(self, key: str, compute: Callable[[], Awaitable[T]]) -> T:
        """What follows from the question alone is computed once, and found again."""

        async def make() -> Made:
            return Made(kind="answer", page={"answer": await compute()})

        kept = self._answers.find(key, "answer")
        if kept is None:
            kept = self._answers.keep(key, await self._once(key, make))
        answer: T = kept.page["answer"]
        return answer

    async def example(self, name: str) -> str:
        """An example's scores as a long table; gives its id."""
        key = identity("example", name)
        text = await self._answer(key, lambda: self._workers.run(tasks.example, weight="light", name=name))
        return self.add_table(f"{name}.csv", text.encode())

    async def calculate(self, kind: str, options: Options, reading: ReadingOptions | None = None) -> dict[str, Any]:
        """The answer of a calculator, with or without a pilot table."""
        calculator, table = CALCULATORS[kind], getattr(options, "table", None)
        asked: dict[str, Any] = {"kind": kind, "options": calculator.used(options)}
        if table is None:
            key = identity("answer", asked)
            return await self._answer(key, lambda: self._workers.run(tasks.answer, weight=calculator.weight, **asked))
        upload = self.kept.table(table)
        reading = (reading or ReadingOptions()).model_copy(update={"unit": calculator.unit})
        key = identity(table, reading.explicit(), asked)
        return await self._answer(key, lambda: self._read(tasks.answer, upload, reading, heavy=True, **asked))

    async def progress(self) -> dict[str, Any]:
        """How far the watched benchmark is."""
        return await self._workers.run(tasks.progress, weight="light", path=self._watched())

    async def partial_report(self, options: Options, *, after: str | None = None) -> str:
        """The comparison of what the watched benchmark has finished; gives its id."""
        asked = self._after(after, "comparison", Asked(options=options))
        settings = {"settings": options.explicit(), "changes": asked.changes, "forms": tuple(FORMATS)}
        parts = await self._workers.run(tasks.partial_report, path=self._watched(), weight="heavy", **settings)
        result = Made(kind="comparison", asked=asked, **parts)
        key = identity("comparison", result.files["json"])
        self.kept.keep(key, result)
        return key

    def _watched(self) -> str:
        if self.settings.watch is None:
            raise GoneError("No benchmark is watched: start the server with `podium serve --watch suite.db`.")
        if not self.settings.watch.is_file():
            raise StoreError("The benchmark that is watched has no results database yet: start it with `podium run`.")
        return str(self.settings.watch)
