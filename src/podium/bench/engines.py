"""Engines carry jobs to workers and bring outcomes back; what a failure means is the guard's business.

`LocalEngine` keeps a guard per slot in one event loop, without threads. `ExecutorEngine` takes any
`concurrent.futures.Executor`; Dask is one of them.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import subprocess
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from typing import Any, NamedTuple, Protocol

from podium.bench import machine
from podium.bench.guard import Guard, close_guards, listen, run_guarded
from podium.bench.spec import Job, Outcome
from podium.core import check
from podium.core.errors import ArgumentError, MissingPackageError, StoreError, first_line
from podium.core.numbers import as_given

_CORES = os.cpu_count() or 1
_FOLLOW = 1.0  # seconds between looks at how many workers there are
_PATIENCE = 20.0  # seconds without any worker after which somebody is told
_BEAT = 0.25  # seconds between heartbeats, so that a display stays alive


class Done(NamedTuple):
    """A finished job."""

    key: str
    outcome: Outcome


class Begun(NamedTuple):
    """A worker on this machine gets a job as soon as this is noted: if the driver dies then, the job may be to blame."""

    key: str


class Engine(Protocol):
    """What the driver needs of an engine."""

    name: str
    jobs: int

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | Begun | None]:
        """Finished jobs as they come, in any order, and those that a worker of this machine has got; None is a heartbeat."""

    def running(self) -> Mapping[str, float]:
        """The keys of the jobs that are running, and since when (monotonic clock)."""

    def close(self) -> None:
        """End all workers."""


class LocalEngine:
    """Jobs on this machine, several at a time.

    Parameters
    ----------
    jobs : int, default 1
        How many jobs run at a time.
    threads : int, default 1
        Threads that one job may use.

    Examples
    --------
    >>> engine = LocalEngine(2)
    >>> engine.jobs
    2
    >>> engine.close()
    """

    name = "local"

    def __init__(self, jobs: int = 1, *, threads: int = 1) -> None:
        self.jobs = check.count("jobs", jobs)
        self._guards = [Guard(threads=check.count("threads", threads)) for _ in range(self.jobs)]
        self._waiting: Iterator[Job] = iter(())
        self._exhausted = True

    def running(self) -> Mapping[str, float]:
        """The keys of the running jobs and when each began."""
        return {guard.job.key: guard.started for guard in self._guards if guard.job is not None}

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | Begun | None]:
        """Finished jobs and begun ones as they come; None every now and then."""
        self._waiting = iter(jobs)
        first = next(self._waiting, None)
        if first is None:
            return  # with nothing to do no worker starts
        self._waiting, self._exhausted = itertools.chain([first], self._waiting), False
        while not self._exhausted or self.running():
            self._grow()
            yield from self._refill()
            finished = [Done(*each) for each in listen(self._started, _BEAT)]
            yield from self._refill()  # the next jobs run while the driver keeps these outcomes
            for guard in self._guards:
                if guard.job is not None and guard.asks:
                    yield Begun(guard.job.key)
                    guard.allow()
            yield from finished
            yield None

    def _grow(self) -> None:
        """Start guards while there is work, as many at a time as there are cores: the first ones need not wait for the last."""
        loading = sum(not guard.ready for guard in self._started)
        idle = [guard for guard in self._guards if not guard.is_started]
        for guard in [] if self._exhausted else idle[: max(_CORES - loading, 0)]:
            guard.start()

    @property
    def _started(self) -> list[Guard]:
        return [guard for guard in self._guards if guard.is_started]

    def _refill(self) -> Iterator[Begun]:
        """Give every idle slot a job, as long as there are any; a job is taken only when it starts.

        One that finds all loaded begins at once: to ask first would cost a small task as much as its work.
        """
        for guard in self._guards:
            if guard.idle and not self._exhausted:
                job = next(self._waiting, None)
                if job is None:
                    self._exhausted = True
                    return
                if guard.has_loaded(job):
                    yield Begun(job.key)
                guard.send(job)

    def close(self) -> None:
        """End all workers and what they have started."""
        for guard in self._guards:
            guard.kill()


class ExecutorEngine:
    """Any `concurrent.futures.Executor`; the guard runs inside each of its workers.

    Parameters
    ----------
    executor : concurrent.futures.Executor
        Where tasks are sent.
    jobs : int or callable
        How many jobs run at a time, or a function that says how many workers there are now.
    name : str, optional
        What the engine is called in reports.
    on_close : callable, optional
        Called when the run has ended.

    Examples
    --------
    >>> from concurrent.futures import ProcessPoolExecutor
    >>> ExecutorEngine(ProcessPoolExecutor(2), jobs=2).jobs
    2
    """

    def __init__(
        self,
        executor: Executor,
        *,
        jobs: int | Callable[[], int],
        name: str = "",
        on_close: Callable[[], None] | None = None,
    ) -> None:
        if not callable(getattr(executor, "submit", None)):
            raise ArgumentError(f"`executor` must be a concurrent.futures.Executor; got {check.shown(executor)}.")
        self.name = name or type(executor).__name__
        self._width = jobs if callable(jobs) else None
        self.jobs = 1 if callable(jobs) else check.count("jobs", jobs)
        self._looked, self._deserted = -_FOLLOW, 0.0
        self._executor, self._on_close = executor, on_close
        self._futures: dict[Future[Outcome], str] = {}
        self._since: dict[str, float] = {}

    def running(self) -> Mapping[str, float]:
        """The keys of the jobs that were handed over, at most as many as run at a time."""
        return dict(list(self._since.items())[: self.jobs])

    def run(self, jobs: Iterable[Job]) -> Iterator[Done | Begun | None]:
        """Finished jobs as they come; a few more than run are handed over at a time."""
        waiting = iter(jobs)
        while True:
            self._follow()
            while len(self._futures) < 2 * self.jobs:
                job = next(waiting, None)
                if job is None:
                    break
                with self._reached():
                    self._futures[self._executor.submit(run_guarded, job)] = job.key
                self._since[job.key] = machine.clock()
            if not self._futures:
                return
            for future in wait(self._futures, timeout=_BEAT, return_when=FIRST_COMPLETED).done:
                key = self._futures.pop(future)
                self._since.pop(key, None)
                yield Done(key, _outcome(future))
            yield None

    def _follow(self) -> None:
        """Run as many at a time as there are workers now, where that can change."""
        now = machine.clock()
        if self._width is None or now - self._looked <= _FOLLOW:
            return
        with self._reached():
            there = self._width()
        self._deserted = 0.0 if there else self._deserted or now
        self.jobs, self._looked = max(there, 1), now

    @property
    def hint(self) -> str:
        """What somebody who waits should know; "" if there is nothing."""
        waited = machine.clock() - self._deserted if self._deserted else 0.0
        return f"no workers have joined for {as_given(round(waited))} s" if waited >= _PATIENCE else ""

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        """What an engine that is gone raises becomes a sentence; what it had lost is run again by the same command."""
        try:
            yield
        except Exception as error:
            raise StoreError(
                f"{self.name} takes no more tasks ({_cause(error)}): what has finished is kept. Start it again, and repeat "
                "the command."
            ) from None

    def close(self) -> None:
        """Cancel what has not begun, and end the guards of this process."""
        for future in self._futures:
            future.cancel()
        close_guards()
        if self._on_close is not None:
            self._on_close()


def _outcome(future: Future[Outcome]) -> Outcome:
    """The outcome, or "lost" where the engine lost the job: the machine's fault, so it is tried again."""
    try:
        return future.result()
    except CancelledError:
        return Outcome(status="lost", message="the engine cancelled the task")
    except Exception as error:
        message = f"the engine lost the task: {type(error).__name__}: {_cause(error)}"
        return Outcome(status="lost", message=message[:300])


def dask_engine(where: str, *, jobs: int, options: Mapping[str, Any] | None = None) -> ExecutorEngine:
    """Dask as the engine: "local", "slurm", or the address of a scheduler ("tcp://host:8786").

    "local" starts `jobs` worker processes here; "slurm" as many jobs through dask-jobqueue with the options
    of the suite's [dask] table (queue, cores, memory, walltime, ...).
    """
    try:
        import distributed
    except ImportError:
        raise MissingPackageError("distributed", "Running on Dask", extra="dask") from None
    dask: Any = distributed
    cluster: Any = None
    for name in ("distributed", "distributed.client"):  # what it loses becomes a row of the store, or a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="distributed")  # another Dask on this machine, say
    if where == "local":
        cluster = dask.LocalCluster(
            n_workers=jobs, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=logging.CRITICAL
        )
    elif where == "slurm":
        cluster = _slurm(jobs, options or {})
    try:
        client = dask.Client(cluster if cluster is not None else where)
    except (OSError, ValueError) as error:
        raise ArgumentError(f"No Dask scheduler answers at {where!r}: {_cause(error)}.") from None

    def width() -> int:
        if client.status != "running":
            raise OSError(f"the scheduler at {where} is gone")
        return int(sum(client.nthreads().values()))

    def close() -> None:
        with contextlib.suppress(Exception):
            client.run(close_guards)
        with contextlib.suppress(Exception):  # a scheduler that is gone cannot be taken leave of
            client.close(timeout=5)
        if cluster is not None:
            cluster.close()

    # pure=False: a task is never answered from another's result; retries=0: retrying is the driver's decision.
    executor = client.get_executor(pure=False, retries=0)
    return ExecutorEngine(executor, jobs=jobs if cluster is not None else width, name=f"dask {where}", on_close=close)


def _slurm(jobs: int, options: Mapping[str, Any]) -> Any:
    """So many jobs on SLURM; one that ends before the run does (at its walltime, say) is replaced by another."""
    try:
        import dask_jobqueue
    except ImportError:
        raise MissingPackageError("dask-jobqueue", "Running on SLURM", extra="dask") from None
    jobqueue: Any = dask_jobqueue
    try:
        cluster = jobqueue.SLURMCluster(**{"cores": 1, "processes": 1, "memory": "4GB", **options})
    except (TypeError, ValueError) as error:
        reason = _cause(error).partition(". ")[0]
        raise ArgumentError(f"dask-jobqueue refuses the suite's [dask] table: {reason}.") from None
    try:
        _try_script(cluster.job_script())
    except ArgumentError:
        cluster.close()
        raise
    cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)
    return cluster


def _try_script(script: str) -> None:
    """Ask SLURM whether it would take the jobs: those it refuses later would be tried again for ever."""
    try:
        tried = subprocess.run(["sbatch", "--test-only"], input=script, capture_output=True, text=True, check=False)
    except OSError:
        raise ArgumentError("There is no `sbatch` on this machine: start the run where SLURM takes jobs.") from None
    if tried.returncode:
        reason = (tried.stderr.strip().splitlines() or ["no reason given"])[-1].rpartition(": ")[2]
        raise ArgumentError(f"SLURM refuses the jobs ({reason}): correct the suite's [dask] table.")


def _cause(error: Exception) -> str:
    return first_line(error, type(error).__name__).rstrip(".")
