"""The guard: the driver's end of a slot. It starts a supervisor, sends it jobs, and believes it only with care.

The supervisor keeps the limits of a task. The guard looks after the supervisor: one that dies or falls silent (an
algorithm may do anything to it) costs one task and is replaced, with all that is left of its processes.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO

from podium.bench import machine
from podium.bench.messages import BEGIN, GO, JOB, OUTCOME, READY, Frame, NoFrame, Reader, readable, write_frame
from podium.bench.spec import Job, Outcome
from podium.bench.supervisor import LOADING_SECONDS, MEMORY, Errand, died_of
from podium.core.errors import StoreError
from podium.core.numbers import as_given

# What libraries ask for the number of threads they may use; loky's is that of joblib.cpu_count, too.
_THREAD_VARIABLES = (
    "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS NUMEXPR_NUM_THREADS BLIS_NUM_THREADS NUMBA_NUM_THREADS "
    "LOKY_MAX_CPU_COUNT PYTHON_CPU_COUNT"
).split()
_MARK = "PODIUM_GUARD"  # in the environment of a supervisor and of all that is started below it
_SILENCE_SECONDS = 60.0  # a supervisor says every second that it lives
_OLD_SECONDS = 60.0  # an empty control group of this age belongs to nobody
_STARTS = 3  # supervisors that are started in place of one that was ended before it was ready
_GLANCE = 0.5  # seconds between looks at whether a supervisor still lives


@functools.cache
def control_groups() -> Path | None:
    """The folder in which this process may make control groups (version 2) that can be killed whole (Linux)."""
    with contextlib.suppress(OSError, StopIteration):
        mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
        mount = next(fields[1] for fields in mounts if fields[2] == "cgroup2")
        own = next(line for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::"))
        folder = Path(mount + own[3:])
        trial = folder / f"podium-{uuid.uuid4().hex}"
        trial.mkdir()
        usable = (trial / "cgroup.kill").exists()
        trial.rmdir()
        for old in folder.glob("podium-*"):  # left by drivers that were killed; one with processes cannot be removed
            with contextlib.suppress(OSError):
                if time.time() - old.stat().st_mtime > _OLD_SECONDS:
                    old.rmdir()
        return folder if usable else None
    return None


def containment() -> str:
    """By what the processes of a task are found when they are ended."""
    if os.environ.get("PODIUM_CONTROL_GROUPS") != "0" and control_groups() is not None:
        return "control group"
    return "process tree"


class Guard:
    """A slot for tasks. `send` and `receive` for a driver with several slots, `run` for one alone."""

    def __init__(self, *, threads: int = 1) -> None:
        self.threads = threads
        self.job: Job | None = None
        self.started = 0.0
        self._heard = self._looked = 0.0
        self.ready = False  # whether the supervisor has loaded what it needs
        self.asks = False  # whether the supervisor waits for leave to give the job to a worker
        self._loaded: tuple[str, str] | None = None  # the data and the algorithm that the supervisor has loaded
        self._failed = 0
        self._group: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start a supervisor; `idle` turns true when it has said that it is ready."""
        self._token = uuid.uuid4().hex
        read_end, write_end = os.pipe()
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed by kill)
        environment = {**os.environ, _MARK: self._token, **dict.fromkeys(_THREAD_VARIABLES, str(self.threads))}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "podium.bench.supervisor", str(write_end)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._words,
                env=environment,
                pass_fds=(write_end,),
                start_new_session=True,
            )
        finally:
            os.close(write_end)
        self._replies = Reader(read_end)
        self.ready, self._loaded = False, None
        self.started = self._heard = self._looked = machine.clock()
        self._enclose()

    def _enclose(self) -> None:
        """Put the supervisor, and with it all that it will start, into a control group."""
        assert self._process is not None
        folder = control_groups()
        self._group = None
        if folder is not None and containment() == "control group":
            with contextlib.suppress(OSError):
                group = folder / f"podium-{self._token}"
                group.mkdir()
                self._group = group
                (group / "cgroup.procs").write_text(str(self._process.pid))

    def fileno(self) -> int:
        """What to wait on for the next reply."""
        return self._replies.descriptor

    @property
    def is_started(self) -> bool:
        """Whether there is a supervisor."""
        return self._process is not None

    @property
    def idle(self) -> bool:
        """Whether the supervisor is ready for a job."""
        return self.ready and self.job is None

    @property
    def dead(self) -> bool:
        """Whether the supervisor has ended; a process below it may hold its pipe open, so that no reply tells."""
        return self._process is not None and self._process.poll() is not None

    def look(self) -> None:
        """Called at every turn: a supervisor cannot speak to a driver that was suspended."""
        now = machine.clock()
        self._heard += machine.jump(self._looked, now)
        self._looked = now

    @property
    def deadline(self) -> float:
        """When patience ends, on the monotonic clock."""
        if self.idle:
            return float("inf")
        return self._heard + (_SILENCE_SECONDS if self.ready else LOADING_SECONDS)

    def send(self, job: Job) -> None:
        """Give the idle supervisor a job; its clock starts when the data and the package are loaded."""
        assert self._process is not None
        assert self._process.stdin is not None
        seen = (job.key, job.limits, job.dataset, job.data, job.algorithm.path)
        errand = Errand(*seen, _group(job), self.has_loaded(job), pickle.dumps(job, protocol=5))
        self.job, self.started = job, machine.clock()
        self._heard = self.started + LOADING_SECONDS  # while it loads a dataset it says nothing
        with contextlib.suppress(BrokenPipeError):  # a dead supervisor shows at the next reply
            write_frame(self._process.stdin.fileno(), JOB, job.key, pickle.dumps(errand, protocol=5))

    def has_loaded(self, job: Job) -> bool:
        """Whether the supervisor has the data and the package: then it gives the job to a worker without asking."""
        return self._loaded == _group(job)

    def allow(self) -> None:
        """Let a worker have the job."""
        assert self._process is not None
        assert self._process.stdin is not None
        self.asks = False
        with contextlib.suppress(BrokenPipeError):
            write_frame(self._process.stdin.fileno(), GO)

    def receive(self) -> Outcome | None:
        """The outcome that is waiting, or None; a dead supervisor is a crash."""
        try:
            for frame in self._replies.frames():
                outcome = self._understood(frame)
                if outcome is not None:
                    return outcome
        except EOFError:
            return self._crashed()
        except NoFrame:
            strange = "something else than the supervisor wrote into its pipe"
            return self._replace(f"could not start: {strange}", strange)
        return self._crashed() if self.dead else None

    def _understood(self, frame: Frame) -> Outcome | None:
        """Take a frame of the supervisor; the outcome if it is one."""
        assert self._process is not None
        expected = "" if self.job is None else self.job.key
        if frame.pid != self._process.pid or (frame.kind != READY and frame.key != expected):
            raise NoFrame
        self._heard = machine.clock()
        if frame.kind == READY:
            self.ready, self._failed = True, 0
        elif frame.kind == BEGIN:
            assert self.job is not None
            self.started, self.asks, self._loaded = self._heard, True, _group(self.job)
        elif frame.kind == OUTCOME:
            self.job = None
            return _with_memory(pickle.loads(frame.body[MEMORY.size :]), MEMORY.unpack_from(frame.body)[0])
        return None

    def _crashed(self) -> Outcome | None:
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        cause = died_of(self._process.returncode, self._last_words())
        return self._replace(f"could not start: {cause}", f"what watches over the task was ended: {cause}")

    def expire(self) -> Outcome | None:
        """End a supervisor that says nothing, and start another."""
        late = f"was not ready after {as_given(LOADING_SECONDS)} seconds"
        return self._replace(late, f"what watches over the task said nothing for {as_given(_SILENCE_SECONDS)} seconds")

    def _replace(self, failure: str, message: str) -> Outcome | None:
        """Start another supervisor, but not for ever if none gets ready: `failure` says why; else the outcome of its task."""
        wall, was_ready = machine.clock() - self.started, self.ready
        self._failed += not was_ready
        self.kill()
        if self._failed > _STARTS:
            raise StoreError(f"A worker {failure}.")
        self.start()
        return Outcome(status="crash", message=message, wall=wall) if was_ready else None

    def run(self, job: Job) -> Outcome:
        """One job from start to end, in the calling thread."""
        if not self.is_started:
            self.start()
        while True:
            if self.idle:
                self.send(job)
            for _, outcome in listen([self], _GLANCE):
                return outcome
            if self.asks:
                self.allow()

    def kill(self) -> None:
        """End the supervisor and every process below it."""
        if self._process is None:
            return
        process, self._process, self.job = self._process, None, None
        self.ready = self.asks = False
        for _ in range(20):
            pids = {process.pid, *machine.descendants(process.pid), *_marked(self._token)}
            if self._group is not None:
                with contextlib.suppress(OSError):
                    (self._group / "cgroup.kill").write_text("1")
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
            if pids == {process.pid}:
                break
        if self._group is not None:
            _remove(self._group)
        os.close(self._replies.descriptor)
        for pipe in (process.stdin, self._words):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _last_words(self) -> str:
        """The last line of what the supervisor wrote to its standard error."""
        with contextlib.suppress(OSError, ValueError):
            self._words.seek(0)
            lines = self._words.read(1_000_000).decode(errors="replace").strip().splitlines()
            return lines[-1][:200] if lines else ""
        return ""


def _group(job: Job) -> tuple[str, str]:
    """Jobs of one group run in one worker."""
    return job.data_hash, f"{job.algorithm.name} {job.algorithm.digest()}"


def listen(guards: Sequence[Guard], seconds: float) -> list[tuple[str, Outcome]]:
    """What comes of the jobs of guards, by their keys, within so many seconds or by the next deadline."""
    for guard in guards:
        guard.look()
    patience = min(guard.deadline for guard in guards) - machine.clock()
    ready = readable([guard.fileno() for guard in guards], min(max(patience, 0.0), seconds))
    outcomes = []
    for guard in guards:
        key = guard.job.key if guard.job is not None else ""
        if guard.fileno() in ready or guard.dead:
            outcome = guard.receive()
        else:
            outcome = guard.expire() if machine.clock() >= guard.deadline else None
        if outcome is not None and key:
            outcomes.append((key, outcome))
    return outcomes


def _marked(token: str) -> set[int]:
    """Every process that carries the mark in its environment, in case its parents are gone (Linux)."""
    mark, pids = f"{_MARK}={token}".encode(), set()
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environment:
                if mark in environment.read():
                    pids.add(int(name))
    return pids


def _remove(group: Path) -> None:
    """Remove a control group as soon as its last process is gone."""
    for _ in range(200):
        with contextlib.suppress(OSError):
            group.rmdir()
        if not group.exists():
            return
        time.sleep(0.01)


def _with_memory(outcome: Outcome, peak: int) -> Outcome:
    """The outcome with the memory of all its processes, where that was more than its own."""
    if "memory" not in outcome.scores or outcome.scores["memory"] >= peak:
        return outcome
    return replace(outcome, scores={**outcome.scores, "memory": float(peak)})


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
