"""Workers: processes that compute, at most so many at once, each stopped when its time is up.

Messages between the server and its workers are JSON and bytes, never pickles: whatever an upload might do to a
worker, the server reads plain values from it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import shutil
import tempfile
import threading
import traceback
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from podium.core.errors import ArgumentError, DataError, DesignError, MissingPackageError, PodiumError, StoreError
from podium.web.errors import BusyError, FaultError, StoppedError
from podium.web.settings import Limits, Settings

__all__ = ["Workers"]

_START_SECONDS = 300.0  # to import and, the first time on a machine, compile what a comparison needs
_KINDS = {kind.__name__: kind for kind in (ArgumentError, DataError, DesignError, StoreError, FaultError)}


class Workers:
    """A fixed number of workers; `run` waits for a free one. Start and stop it with the server."""

    def __init__(self, settings: Settings) -> None:
        self._limits = settings.limits
        self._folder = Path(tempfile.mkdtemp(prefix="podium-serve-"))
        self._workers = [_Worker(self._folder / str(i), settings) for i in range(settings.workers)]
        self._threads = ThreadPoolExecutor(max_workers=settings.workers, thread_name_prefix="podium-worker")
        self._idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._heavy = asyncio.Semaphore(max(1, settings.workers - 1))
        self._waiting = 0
        for worker in reversed(self._workers):
            worker.start()
            self._idle.put_nowait(worker)

    async def run(self, task: str, arguments: dict[str, Any], content: bytes = b"", *, heavy: bool = False) -> Any:
        """What a task of `podium.web.tasks` gives. Heavy ones never take the last free worker."""
        async with self._turn(heavy) as worker:
            call = asyncio.get_running_loop().run_in_executor(self._threads, worker.call, task, arguments, content)
            try:
                return await asyncio.shield(call)
            except asyncio.CancelledError:  # the visitor has left; the worker is free once it is done
                with contextlib.suppress(Exception):
                    await call
                raise

    @contextlib.asynccontextmanager
    async def _turn(self, heavy: bool) -> AsyncIterator[_Worker]:
        if self._waiting >= self._limits.waiting:
            raise BusyError("Too many requests are waiting already: try again in a minute.")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._limits.wait_seconds):
                if heavy:
                    await self._heavy.acquire()
                try:
                    worker = await self._idle.get()
                except BaseException:
                    if heavy:
                        self._heavy.release()
                    raise
        except TimeoutError:
            raise BusyError("No worker became free in time: try again in a minute.") from None
        finally:
            self._waiting -= 1
        try:
            yield worker
        finally:
            self._idle.put_nowait(worker)
            if heavy:
                self._heavy.release()

    def close(self) -> None:
        """End all workers and remove their folder."""
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(wait=True, cancel_futures=True)
        shutil.rmtree(self._folder, ignore_errors=True)


class _Worker:
    """One process and the pipe to it; it is used by one thread at a time."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder, self._settings = folder, settings
        self._closed = False
        self._lock = threading.Lock()
        self._ready = False

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        threads = max(1, (os.cpu_count() or 1) // self._settings.workers)
        self._process = context.Process(
            target=work,
            args=(theirs, str(self._folder), self._settings.limits, threads, self._settings.warm_up),
            daemon=True,
        )
        self._process.start()
        theirs.close()
        self._ready = False

    def call(self, task: str, arguments: dict[str, Any], content: bytes) -> Any:
        limit = self._settings.limits.seconds
        try:
            self._wait_until_ready()
            self._pipe.send_bytes(json.dumps({"task": task, "arguments": arguments}).encode())
            self._pipe.send_bytes(content)
            if not self._pipe.poll(limit):
                self._replace()
                raise StoppedError(f"This took longer than {limit:g} seconds and was stopped: ask for less at once.")
            reply = json.loads(self._pipe.recv_bytes())
        except (EOFError, OSError):
            self._replace()
            raise StoppedError(
                "The computation ended without a result, perhaps for lack of memory: ask for less at once."
            ) from None
        if "error" in reply:
            raise _KINDS.get(reply["error"], PodiumError)(reply["sentence"])
        return reply["value"]

    def _wait_until_ready(self) -> None:
        """The clock of a computation starts when the worker has loaded what it needs."""
        if not self._ready:
            if not self._pipe.poll(_START_SECONDS):
                raise EOFError
            self._pipe.recv_bytes()
            self._ready = True

    def _replace(self) -> None:
        with self._lock:
            self._end()
            if not self._closed:
                self.start()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._end()

    def _end(self) -> None:
        self._process.kill()
        self._process.join(5)
        self._pipe.close()


def work(pipe: Connection, folder: str, limits: Limits, threads: int, warm_up: bool) -> None:
    """The life of a worker: one task after the other, until the server is gone."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(threads)
    _limit_memory(limits.memory_bytes)
    tempfile.tempdir = folder
    from podium.web import tasks

    tasks.prepare(warm_up=warm_up)
    known = tasks.make_tasks(limits)
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        pipe.send_bytes(b"ready")
        while True:
            request = json.loads(pipe.recv_bytes())
            content = pipe.recv_bytes()
            pipe.send_bytes(json.dumps(_answer(known, request, content)).encode())
            del request, content


def _answer(tasks: dict[str, Any], request: dict[str, Any], content: bytes) -> dict[str, Any]:
    try:
        return {"value": tasks[request["task"]](content, **request["arguments"])}
    except MissingPackageError as error:
        return {"error": "PodiumError", "sentence": str(error)}
    except PodiumError as error:
        return {"error": type(error).__name__, "sentence": str(error)}
    except MemoryError:
        return {"error": "PodiumError", "sentence": "This needs more memory than it may take: ask for less at once."}
    except Exception as error:  # a fault of Podium's own: the visitor gets a sentence, the terminal the details
        traceback.print_exc()
        return {"error": "FaultError", "sentence": f"Podium itself failed on this ({type(error).__name__})."}


def _limit_memory(memory: int) -> None:
    """So much memory and no more, where the system can do that."""
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
