"""The guard: one task at a time in a process of its own, with a hard limit of time, and no way to harm the rest.

A worker is kept between tasks and replaced after a timeout, a crash or a lack of memory. The clock starts
when the worker is ready and has loaded the dataset and the algorithm's package. Killing means the whole session of
the worker and every process that carries its mark.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from typing import IO

from podium.bench.spec import Job, Outcome
from podium.bench.worker import MARK, kill_marked, read_message, write_message
from podium.core.errors import StoreError

_THREAD_VARIABLES = (
    "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS NUMEXPR_NUM_THREADS BLIS_NUM_THREADS NUMBA_NUM_THREADS"
).split()
_STARTUP_SECONDS = 300.0
_GLANCE = 0.5  # seconds between looks at whether a worker still lives


class Guard:
    """A slot for tasks. `send` and `receive` for a driver with several slots, `run` for one alone."""

    def __init__(self, *, threads: int = 1) -> None:
        self.threads = threads
        self.job: Job | None = None
        self.started = 0.0
        self._ready = self._begun = False
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start a worker; `ready` turns true when it has said so."""
        self._token = uuid.uuid4().hex
        read_end, write_end = os.pipe()
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by kill)
        # Appended to, so that it can be emptied between tasks while the worker writes.
        fcntl.fcntl(self._words.fileno(), fcntl.F_SETFL, os.O_APPEND)
        environment = {**os.environ, MARK: self._token}
        environment |= dict.fromkeys(_THREAD_VARIABLES, str(self.threads))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "podium.bench.worker", str(write_end)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._words,
                env=environment,
                pass_fds=(write_end,),
                start_new_session=True,
            )
        finally:
            os.close(write_end)
        self._replies = os.fdopen(read_end, "rb", buffering=0)
        self._ready = False
        self.started = time.monotonic()

    def fileno(self) -> int:
        """What to wait on for the next reply."""
        return self._replies.fileno()

    @property
    def idle(self) -> bool:
        """Whether the worker is ready for a job."""
        return self._ready and self.job is None

    @property
    def dead(self) -> bool:
        """Whether the worker has ended; a child of it may hold its pipe open, so that no reply tells."""
        return self._process is not None and self._process.poll() is not None

    @property
    def deadline(self) -> float:
        """When patience ends, on the monotonic clock."""
        if self._ready and self.job is None:
            return float("inf")
        if self.job is not None and self._begun:
            return self.started + self.job.limits.seconds
        return self.started + _STARTUP_SECONDS

    def send(self, job: Job) -> None:
        """Give the idle worker a job; its clock starts when the data and the package are loaded."""
        assert self._process is not None
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            os.ftruncate(self._words.fileno(), 0)
        self.job, self.started, self._begun = job, time.monotonic(), False
        with contextlib.suppress(BrokenPipeError):  # a dead worker shows at the next reply
            write_message(self._process.stdin, job)

    def receive(self) -> Outcome | None:
        """The reply that is waiting: None for "ready", else the outcome; a dead worker is a crash."""
        if self.dead and not select.select([self], [], [], 0)[0]:
            return self._crashed()
        try:
            reply = read_message(self._replies)
        except EOFError:
            return self._crashed()
        if reply == "ready":
            self._ready = True
            return None
        if reply == "begin":
            self._begun, self.started = True, time.monotonic()
            return None
        outcome: Outcome = reply
        self.job = None
        if outcome.status == "memout":
            self.replace()  # what it still holds is unknown
        return outcome

    def _crashed(self) -> Outcome:
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        code, words, never_ready = self._process.returncode, self._last_words(), not self._ready
        wall = time.monotonic() - self.started
        if never_ready:
            self.kill()
            raise StoreError(f"A worker could not start: {words or f'exit code {code}'}.")
        self.replace()
        return Outcome(status="crash", message=_died_of(code, words), wall=wall)

    def expire(self) -> Outcome:
        """Kill the worker whose time is up, and start another."""
        if not self._ready:
            self.kill()
            raise StoreError(f"A worker was not ready after {_STARTUP_SECONDS:g} seconds.")
        assert self.job is not None
        wall = time.monotonic() - self.started
        limit = self.job.limits.seconds if self._begun else _STARTUP_SECONDS
        self.replace()
        return Outcome(status="timeout", message=f"stopped after the limit of {limit:g} seconds", wall=wall)

    def replace(self) -> None:
        """A new worker for the next job."""
        self.kill()
        self.start()

    def run(self, job: Job) -> Outcome:
        """One job from start to end, in the calling thread."""
        if self._process is None:
            self.start()
        while True:
            if self.idle:
                self.send(job)
            patience = self.deadline - time.monotonic()
            if select.select([self], [], [], min(max(patience, 0.0), _GLANCE))[0] or self.dead:
                outcome = self.receive()
                if outcome is not None:
                    return outcome
            elif patience <= _GLANCE:
                return self.expire()

    def kill(self) -> None:
        """End the worker and everything it has started."""
        if self._process is None:
            return
        process, self._process, self.job, self._ready = self._process, None, None, False
        for _ in range(20):
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            if not kill_marked(self._token):
                break
        process.wait()
        for pipe in (process.stdin, self._replies, self._words):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _last_words(self) -> str:
        """What the worker's standard error says of its end: a line that names something fatal, else the last."""
        with contextlib.suppress(OSError, ValueError):
            size = os.fstat(self._words.fileno()).st_size
            text = os.pread(self._words.fileno(), min(size, 1_000_000), max(size - 1_000_000, 0)).decode(
                errors="replace"
            )
            lines = [line.strip() for line in text.splitlines() if line.strip()]
            fatal = [line for line in lines if line.startswith(("Fatal", "terminate", "MemoryError"))]
            return (fatal or lines or [""])[-1][:200]
        return ""


def _died_of(code: int | None, words: str) -> str:
    """Why a process ended, in words."""
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        hint = " (perhaps the system ran out of memory)" if -code == signal.SIGKILL else ""
        cause = f"the process died of {name}{hint}"
    else:
        cause = f"the process ended by itself with code {code}"
    return f"{cause}: {words}" if words else cause


_IDLE: dict[int, list[Guard]] = {}
_LOCK = threading.Lock()


def run_guarded(job: Job) -> Outcome:
    """One job under a guard of this process: what Dask and other executors call. Guards are kept for the next."""
    with _LOCK:
        idle = _IDLE.setdefault(os.getpid(), [])
        guard = next((g for g in idle if g.threads == job.limits.threads), None)
        if guard is not None:
            idle.remove(guard)
    guard = guard or Guard(threads=job.limits.threads)
    try:
        return guard.run(job)
    finally:
        with _LOCK:
            _IDLE[os.getpid()].append(guard)


def close_guards() -> None:
    """End the workers that `run_guarded` has kept in this process."""
    with _LOCK:
        guards = _IDLE.pop(os.getpid(), [])
    for guard in guards:
        guard.kill()
