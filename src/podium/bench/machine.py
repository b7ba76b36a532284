"""What the machine spends and is: CPU seconds, memory, load, a calibration number, versions."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from podium.bench.unix import resource

_PAGE, _TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
# Taken before anybody's algorithm is loaded, which may put something else in their place.
_wall, _cpu, _usage = time.perf_counter, time.process_time, resource.getrusage
clock = time.monotonic
_open, _bytes, _close = os.open, os.read, os.close


def children(pid: int | None = None) -> list[int]:
    """The living children of a process (Linux; elsewhere none are seen)."""
    pids: list[int] = []
    folder = f"/proc/{pid or os.getpid()}/task"
    with contextlib.suppress(OSError):
        for thread in os.listdir(folder):
            with contextlib.suppress(OSError):
                pids += [int(child) for child in _read(f"{folder}/{thread}/children").split()]
    return pids


def descendants(pid: int) -> list[int]:
    """The living processes below a process: its children, theirs, and so on."""
    pids = children(pid)
    for child in pids:  # grows while it is walked
        pids += children(child)
    return pids


def is_living(pid: int) -> bool:
    """Whether a process is there and has not ended; one that has ended stays until its parent asks for it."""
    with contextlib.suppress(OSError, IndexError):
        return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0] != b"Z"
    return False


def _total(pids: Iterable[int], file: str, measure: Callable[[bytes], int]) -> int:
    """The sum of what a file of the kernel says of each process; one that is gone counts nothing."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            total += measure(_read(f"/proc/{pid}/{file}"))
    return total


def resident(pids: Iterable[int]) -> int:
    """Resident bytes of processes; pages that several of them share count for each."""
    return _PAGE * _total(pids, "statm", lambda text: int(text.split()[1]))


def proportional(pids: Iterable[int]) -> int:
    """Bytes of processes where a page that several share counts for each in part: once for all of them together."""
    return 1024 * _total(pids, "smaps_rollup", lambda text: int(text.partition(b"\nPss:")[2].split(maxsplit=1)[0]))


class TreeMemory:
    """How much memory the processes below this one have taken since a moment; both the limit and the cost are of it.

    One process is measured by its resident pages, which is quick. Several share pages, which must count once: then the
    supervisor is counted along, so that the pages that it shares with them neither come nor go.
    """

    def __init__(self, worker: int) -> None:
        here = os.getpid()
        self.worker, self.resident, self.whole = worker, resident([worker]), proportional([here, worker])
        self.base, self.peak, self.next = self.resident, 0, 0.0

    def begin(self) -> None:
        """What is taken from here on counts."""
        self.base, self.peak = resident([self.worker]), 0

    def taken(self, limit: float = float("inf")) -> int:
        """Bytes taken at the moment; the peak is kept."""
        pids = descendants(os.getpid())
        used = resident(pids) - self.base
        if len(pids) > 1 and used > self.peak:  # if not even this bound is higher, nothing is
            # Counting exactly takes time for large processes: a tenth of it at most, unless the limit may be exceeded.
            started = _wall()
            if started < self.next and used <= limit:
                return self.peak
            used = proportional([os.getpid(), *pids]) - self.whole - (self.base - self.resident)
            self.next = _wall() + 10 * (_wall() - started)
        self.peak = max(self.peak, used)
        return used


def _read(path: str) -> bytes:
    """A small file of the kernel, without the layers of Python's files: this runs several times per task."""
    handle = _open(path, os.O_RDONLY)
    try:
        return _bytes(handle, 65536)
    finally:
        _close(handle)


def cpu_seconds() -> float:
    """CPU seconds of this process, its finished children and its living descendants."""
    done = _usage(resource.RUSAGE_CHILDREN)
    # Fields 14-17 after the name in brackets: user and system ticks, own and of its finished children.
    below = descendants(os.getpid())
    ticks = _total(below, "stat", lambda text: sum(map(int, text.rpartition(b")")[2].split()[11:15])))
    return _cpu() + done.ru_utime + done.ru_stime + ticks / _TICKS


@dataclass(slots=True)
class Spent:
    """Seconds that a piece of work took."""

    wall: float = 0.0
    cpu: float = 0.0


@contextlib.contextmanager
def spending() -> Iterator[Spent]:
    """Measures what the body spends; the numbers are there after it."""
    spent = Spent()
    cpu, wall = cpu_seconds(), _wall()
    try:
        yield spent
    finally:
        spent.wall = _wall() - wall
        spent.cpu = cpu_seconds() - cpu


def status_bytes(field: str) -> int:
    """A field of /proc/self/status in bytes; 0 where there is none."""
    with contextlib.suppress(OSError):
        _, label, rest = _read("/proc/self/status").partition(f"\n{field}:".encode())
        if label:
            return int(rest.split(maxsplit=1)[0]) * 1024
    return 0


def memory_now(*, reset_peak: bool = False) -> tuple[int, int]:
    """Resident bytes now and at the peak; the peak can be set back to now (Linux)."""
    if reset_peak:
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)  # what earlier tasks freed is given back first
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
    peak = status_bytes("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return status_bytes("VmRSS"), peak


_SUSPENDED = 2.0  # seconds without a look that a busy machine does not explain: looks are 0.05 to 0.5 seconds apart


def jump(before: float, now: float) -> float:
    """For how many of the seconds between two looks this process was suspended; 0 where it just had to wait."""
    return now - before if now - before > _SUSPENDED else 0.0


def load() -> float:
    """The load of the machine over the last minute."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return float("nan")


@functools.cache
def calibration() -> float:
    """CPU seconds of a fixed piece of work (Python loops and a matrix product): a yardstick between machines."""
    matrix = np.sin(np.arange(160 * 160, dtype=np.float64)).reshape(160, 160)
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        total = 0
        for i in range(60_000):
            total += i * i % 7
        for _ in range(8):
            matrix @ matrix
        best = min(best, time.process_time() - start)
    return best


def environment() -> dict[str, str]:
    """Versions and hardware, for the store."""
    from podium.core.errors import MissingPackageError
    from podium.core.version import VERSION

    try:
        import sklearn
    except ModuleNotFoundError:
        raise MissingPackageError("scikit-learn", "Running a benchmark", extra="bench") from None

    model = platform.processor()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return {
        "podium": VERSION,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "system": platform.platform(),
        "host": platform.node(),
        "processor": model,
        "cores": str(os.cpu_count()),
    }
