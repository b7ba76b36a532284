"""The supervisor of a slot: between the driver, which it serves, and the workers, which run the algorithms.

It has the libraries loaded and never runs anybody's algorithm. For each algorithm on each dataset (or for each task) it
forks a worker, gives it jobs, and ends it where it exceeds its time, where its whole tree of processes exceeds its memory,
or where it says what makes no sense. Processes that lose their parents become its own children, so that none is lost. When
the driver is gone, it ends everything and itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import pickle
import select
import signal
import struct
import sys
import time
import warnings
from typing import NamedTuple

from podium.bench import machine
from podium.bench.messages import BEAT, BEGIN, END, JOB, LAST, OUTCOME, READY, NoFrame, Reader, write_frame
from podium.bench.spec import DatasetSpec, DataSettings, Limits, Outcome
from podium.bench.unix import fcntl
from podium.core.numbers import as_given, megabytes

LOADING_SECONDS = 300.0  # for what is not limited: loading before a task, and measuring and telling after it
_GLANCE = 0.05  # seconds between looks at the memory and the clock
_BEAT_SECONDS = 1.0
_WORDS = 65_536  # bytes of standard error that are kept
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_TRUSTED = ("sklearn.", "podium.")  # what these packages do when they are imported is known
MEMORY = struct.Struct(">Q")  # before the outcome: the peak of the tree's memory


class Errand(NamedTuple):
    """A job as the supervisor sees it: what it must know, and the job itself, which only a worker opens."""

    key: str
    limits: Limits
    dataset: DatasetSpec
    data: DataSettings
    path: str
    group: tuple[str, str]  # the hash of the data, and the algorithm
    begun: bool  # whether the driver has noted it already
    job: bytes


class _Exceeded(Exception):
    """A limit was exceeded, or a worker cannot be believed: the outcome."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Worker:
    """A forked process, its pipes, and the last of what it wrote to its standard error."""

    def __init__(self, group: tuple[str, str]) -> None:
        self.group, self.words = group, b""
        (jobs, self.jobs), (replies, answers), (self.errors, errors) = (os.pipe() for _ in range(3))
        self.pid = os.fork()
        if self.pid == 0:
            _become_worker(jobs, answers, errors)
        for end in (jobs, answers, errors):
            os.close(end)
        self.reader = Reader(replies)
        os.set_blocking(self.errors, False)
        self.ends = (self.jobs, replies, self.errors)
        self.memory = machine.TreeMemory(self.pid)

    def listen(self) -> None:
        """Take what it wrote to its standard error; the last of it is kept."""
        with contextlib.suppress(BlockingIOError):
            while part := os.read(self.errors, 1 << 16):
                self.words = (self.words + part)[-_WORDS:]

    def last_words(self) -> str:
        """What its standard error says of its end: a line that names something fatal, else the last."""
        lines = [line.strip() for line in self.words.decode(errors="replace").splitlines() if line.strip()]
        fatal = [line for line in lines if line.startswith(("Fatal", "terminate", "MemoryError"))]
        return (fatal or lines or [""])[-1][:200]


def _become_worker(jobs: int, replies: int, errors: int) -> None:
    """Keep nothing of the supervisor but two pipes, serve, and end."""
    code = 1
    try:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        for number in (signal.SIGTERM, signal.SIGHUP):  # what an algorithm starts can be ended in the usual way
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        kept = [fcntl.fcntl(end, fcntl.F_DUPFD, 16) for end in (jobs, replies, errors)]
        nothing = os.open(os.devnull, os.O_RDWR)
        for place, end in enumerate((nothing, nothing, kept[2])):
            os.dup2(end, place)
        for place, end in enumerate(kept[:2], 3):
            os.dup2(end, place, inheritable=False)
        os.closerange(5, 65_536)
        from podium.bench.worker import serve

        serve(3, 4)
        code = 0
    except EOFError:
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _prctl(option: int, value: int) -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


class _Clock:
    """What a running task has used: its time since it began, and the memory of its tree of processes."""

    def __init__(self, limits: Limits, memory: machine.TreeMemory) -> None:
        self.limits, self.limited, self.memory = limits, False, memory
        self.began = self.looked = machine.clock()
        memory.begin()

    def begin(self) -> None:
        """The task itself begins."""
        self.limited, self.began = True, machine.clock()
        self.memory.begin()

    def end(self) -> None:
        """What follows is not the task's."""
        self.look_at_memory()
        self.limited, self.began = False, machine.clock()

    def look(self) -> None:
        """Raise what is exceeded. While nobody looks (the machine or all processes were suspended), no time goes by."""
        now = machine.clock()
        self.began += machine.jump(self.looked, now)
        self.looked = now
        self.look_at_memory()
        limit = self.limits.seconds if self.limited else LOADING_SECONDS
        if now - self.began >= limit:
            raise _Exceeded("timeout", f"stopped after the limit of {as_given(limit)} seconds")

    def look_at_memory(self) -> None:
        if not self.limited:
            return
        limit = float("inf") if self.limits.memory_mb is None else self.limits.memory_mb * 2**20
        used = self.memory.taken(limit)
        if used > limit:
            count = len(machine.descendants(os.getpid()))
            processes = "its process" if count == 1 else f"its {count} processes together"
            held = f"{processes} held {megabytes(used, 2**20)}"
            raise _Exceeded("out_of_memory", f"{held}, more than the limit of {self.limits.memory_mb:,} MB")


class Supervisor:
    """Takes errands from standard input; sends outcomes to the driver."""

    def __init__(self, replies: int) -> None:
        self.replies, self.errands = replies, Reader(0)
        self.worker: _Worker | None = None
        self.statuses: dict[int, int] = {}
        self.beaten = 0.0

    def serve(self) -> None:
        """Until the driver is gone."""
        write_frame(self.replies, READY)
        with contextlib.suppress(EOFError, BrokenPipeError):
            while True:
                self.attend(pickle.loads(self.errands.next().body))
        self.end_worker()

    def attend(self, errand: Errand) -> None:
        """One task: give it to a worker, watch, and tell the driver what came of it."""
        worker = self.worker_for(errand)
        if not errand.begun:
            self.announce(errand.key)
        clock = _Clock(errand.limits, worker.memory)
        try:
            with contextlib.suppress(BrokenPipeError):  # a worker that died shows below
                write_frame(worker.jobs, JOB, errand.key, errand.job)
            kind, body = self.watch(worker, errand, clock)
        except _Exceeded as error:
            wall = machine.clock() - clock.began
            self.end_worker()
            kind, body = LAST, pickle.dumps(Outcome(status=error.status, message=str(error), wall=wall), protocol=5)
        if kind == LAST or not self.is_alive(worker):
            self.end_worker()
        else:
            self.end_strays(spare=worker.pid)
        write_frame(self.replies, OUTCOME, errand.key, MEMORY.pack(worker.memory.peak) + body)

    def watch(self, worker: _Worker, errand: Errand, clock: _Clock) -> tuple[bytes, bytes]:
        """Wait for the outcome; the clock starts when the data and the package are loaded."""
        poll = select.poll()
        for end in (worker.reader.descriptor, worker.errors):
            poll.register(end, select.POLLIN)
        poll.register(0, 0)  # no events asked for: only the driver's end is reported
        while True:
            if any(end == 0 for end, _ in poll.poll(1000 * _GLANCE)):
                raise EOFError
            alive = self.is_alive(worker)
            worker.listen()
            try:
                for frame in worker.reader.frames():
                    if (frame.key, frame.pid) != (errand.key, worker.pid):
                        raise NoFrame
                    if frame.kind == BEGIN:
                        clock.begin()
                    elif frame.kind == END:
                        clock.end()
                    elif frame.kind in (OUTCOME, LAST):
                        return frame.kind, frame.body
            except EOFError:
                alive = self.is_alive(worker, wait=True)
            except NoFrame:
                raise _Exceeded("crash", "the algorithm wrote into the pipe of its outcomes") from None
            if not alive:
                worker.listen()
                code = os.waitstatus_to_exitcode(self.statuses[worker.pid])
                # Whoever ends all processes of a job asks them first: that is no fault of the algorithm.
                status = "lost" if code in (-signal.SIGTERM, -signal.SIGHUP) else "crash"
                raise _Exceeded(status, died_of(code, worker.last_words()))
            clock.look()
            self.beat(errand.key)

    def announce(self, key: str) -> None:
        """Tell the driver that a worker gets the task, and wait until that is noted in the store.

        What the algorithm's package does when it is imported may end the driver, too.
        """
        write_frame(self.replies, BEGIN, key)
        self.errands.next()

    def beat(self, key: str) -> None:
        """Tell the driver now and then that all is well here."""
        if machine.clock() - self.beaten > _BEAT_SECONDS:
            self.beaten = machine.clock()
            write_frame(self.replies, BEAT, key)

    # ---- processes --------------------------------------------------------------------------------------------

    def worker_for(self, errand: Errand) -> _Worker:
        """The worker of this algorithm on this dataset, or a new one that has the dataset from here."""
        if self.worker is None or self.worker.group != errand.group or not self.is_alive(self.worker):
            self.end_worker()
            _load(errand)
            self.worker = _Worker(errand.group)
        self.worker.words = b""
        return self.worker

    def is_alive(self, worker: _Worker, *, wait: bool = False) -> bool:
        """Whether the worker lives; whatever else has ended is reaped."""
        if wait:
            with contextlib.suppress(ChildProcessError):
                _, self.statuses[worker.pid] = os.waitpid(worker.pid, 0)
        self.reap()
        return worker.pid not in self.statuses

    def reap(self) -> None:
        """Take note of all children that have ended."""
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self.statuses[ended[0]] = ended[1]

    def end_strays(self, spare: int = 0) -> None:
        """Kill every process below this one, but the spared one."""
        while left := [pid for pid in machine.descendants(os.getpid()) if pid != spare and machine.is_living(pid)]:
            for pid in left:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
        self.reap()

    def end_worker(self) -> None:
        """End the worker and all that it has started."""
        self.end_strays()
        if self.worker is not None:
            for end in self.worker.ends:
                os.close(end)
            self.worker = None
        self.statuses.clear()


def _load(errand: Errand) -> None:
    """Have the dataset and the package here, so that workers need not load them; the task itself tells what fails."""
    from podium.bench.execute import keep_dataset

    with contextlib.suppress(Exception):
        if errand.path.startswith(_TRUSTED):
            importlib.import_module(errand.path.rpartition(".")[0])
        keep_dataset(errand.dataset, errand.data, errand.group[0])


def died_of(code: int | None, words: str) -> str:
    """Why a process ended, in words."""
    if code is not None and code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        hint = " (perhaps the system ran out of memory)" if -code == signal.SIGKILL else ""
        cause = f"the process died of {name}{hint}"
    else:
        cause = f"the process ended by itself with code {code}"
    return f"{cause}: {words}" if words else cause


def main(replies: int) -> None:
    """Load what all workers need, then serve the driver."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # a queue ends all processes of a job: the driver decides
    _prctl(_PR_SET_PDEATHSIG, signal.SIGCONT)  # a stopped one must go on to see that the driver is gone
    os.set_inheritable(replies, False)
    if sys.path[0] == os.getcwd():  # `python -m` puts it first, where its files could hide installed packages
        sys.path.append(sys.path.pop(0))
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    import faulthandler

    faulthandler.enable()
    importlib.import_module("podium.bench.worker")
    machine.calibration()
    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
    gc.freeze()
    Supervisor(replies).serve()
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
