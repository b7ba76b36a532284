"""Workers: processes that compute, at most so many at once, each stopped when its time or memory is used up."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import multiprocessing
import os
import shutil
import tempfile
import threading
import traceback
from collections.abc import AsyncIterator, Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Literal, TypeVar

from pebble import ProcessExpired, ProcessPool

from podium.core.errors import MissingPackageError, PodiumError
from podium.core.numbers import as_given
from podium.web.errors import BusyError, FaultError, StoppedError
from podium.web.settings import Settings

_START_SECONDS = 300.0  # to import and, the first time on a machine, compile what a comparison needs
_GARBAGE = 100_000, 20, 20  # a task makes much and throws little away
_OUT_OF_MEMORY = 77  # the exit code of a worker that has used up its memory
_TOO_MUCH = "This needs more memory than it may take: ask for less at once."
_NO_RESULT = "The computation ended without a result, perhaps for lack of memory: ask for less at once."

Weight = Literal["light", "usual", "heavy"]
T = TypeVar("T")


class Workers:
    """A fixed number of workers, and one more; `run` waits for a free one. Start and stop it with the server.

    Light tasks may take any worker. The usual ones leave one free for them, so that a calculator never waits for
    comparisons; heavy ones leave another one for those.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings, self._limits = settings, settings.limits
        self._folder = tempfile.mkdtemp(prefix="podium-serve-")
        self._count = settings.workers + 1
        light, usual = asyncio.Semaphore(self._count), asyncio.Semaphore(settings.workers)
        heavy = asyncio.Semaphore(max(1, settings.workers - 1))
        self._gates = {"light": (light,), "usual": (usual, light), "heavy": (heavy, usual, light)}
        self._waiting = 0
        # Without a warm-up the first task starts the processes.
        self._pool = self._started() if settings.warm_up else None

    def _started(self) -> ProcessPool:
        threads = max(1, (os.cpu_count() or 1) // self._settings.workers)
        pool = ProcessPool(
            max_workers=self._count,
            initializer=_prepare,
            initargs=(self._limits.memory_bytes, threads, self._settings.warm_up),
            context=multiprocessing.get_context("spawn"),
        )
        if not pool.active:  # asking starts it
            raise FaultError("The workers did not start.")
        return pool

    async def run(self, task: Callable[..., T], *, weight: Weight = "usual", **arguments: Any) -> T:
        """What a function gives in a worker."""
        limit = self._limits.seconds
        async with self._turn(weight):
            with tempfile.TemporaryDirectory(dir=self._folder, ignore_cleanup_errors=True) as folder:
                try:
                    # The pool's clock starts when a worker takes the task; the outer one covers a worker's start.
                    async with asyncio.timeout(_START_SECONDS + limit):
                        call = self._running().schedule(_work, (task, folder, arguments), timeout=limit)
                        result: T = await asyncio.wrap_future(call)
                        return result
                except TimeoutError:
                    raise StoppedError(
                        f"This took longer than {as_given(limit)} seconds and was stopped: ask for less at once."
                    ) from None
                except (BrokenProcessPool, ProcessExpired) as ended:
                    short = getattr(ended, "exitcode", None) == _OUT_OF_MEMORY
                    raise StoppedError(_TOO_MUCH if short else _NO_RESULT) from None

    def _running(self) -> ProcessPool:
        """The pool; one that broke, because a worker was killed while nothing ran, is replaced."""
        if self._pool is not None and not self._pool.active:
            threading.Thread(target=_end, args=(self._pool,), daemon=True).start()
            self._pool = None
        if self._pool is None:
            self._pool = self._started()
        return self._pool

    @contextlib.asynccontextmanager
    async def _turn(self, weight: Weight) -> AsyncIterator[None]:
        if self._waiting >= self._limits.waiting:
            raise BusyError("Too many requests are waiting already: try again in a minute.")
        self._waiting += 1
        async with contextlib.AsyncExitStack() as turn:
            try:
                async with asyncio.timeout(self._limits.wait_seconds):
                    for gate in self._gates[weight]:
                        await turn.enter_async_context(gate)
            except TimeoutError:
                raise BusyError("No worker became free in time: try again in a minute.") from None
            finally:
                self._waiting -= 1
            yield

    def close(self) -> None:
        """End all workers and remove their folder."""
        if self._pool is not None:
            _end(self._pool)
        shutil.rmtree(self._folder, ignore_errors=True)


def _end(pool: ProcessPool) -> None:
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


def _prepare(memory: int, threads: int, warm_up: bool) -> None:
    """The start of a worker: its limits, and what most visitors need."""
    for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(threads)
    with contextlib.suppress(ImportError, ValueError, OSError):  # where the system can limit memory
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if warm_up:
        from podium.web.tasks import prepare

        prepare()
    gc.collect()
    gc.freeze()  # what was imported stays: Python need not look through it again and again
    gc.set_threshold(*_GARBAGE)


def _work(task: Callable[..., Any], folder: str, arguments: dict[str, Any]) -> Any:
    """One task, in a worker; only Podium's own errors, which are plain values, go back to the server."""
    tempfile.tempdir = folder
    try:
        return task(**arguments)
    except MissingPackageError as error:
        raise PodiumError(str(error)) from None
    except PodiumError:
        raise
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)  # what is left of it is not fit for others: another takes its place
    except Exception as error:  # a fault of Podium's own: the visitor gets a sentence, the terminal the details
        traceback.print_exc()
        raise FaultError(f"Podium itself failed on this ({type(error).__name__}).") from None
    finally:  # also after a refusal, the memory that it took is given back to the system, as far as the allocator can
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
