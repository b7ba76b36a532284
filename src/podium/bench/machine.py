"""What the machine spends and is: CPU seconds, memory, load, a calibration number, versions."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from podium.bench.unix import resource

_PAGE, _TICKS = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def children(pid: int | None = None) -> list[int]:
    """The living children of a process (Linux; elsewhere none are seen)."""
    found: list[int] = []
    folder = f"/proc/{pid or os.getpid()}/task"
    with contextlib.suppress(OSError):
        for thread in os.listdir(folder):
            with contextlib.suppress(OSError):
                found += [int(child) for child in _read(f"{folder}/{thread}/children").split()]
    return found


def descendants(pid: int) -> list[int]:
    """The living processes below a process: its children, theirs, and so on."""
    found = children(pid)
    for child in found:  # grows while it is walked
        found += children(child)
    return found


def is_living(pid: int) -> bool:
    """Whether a process is there and has not ended; one that has ended stays until its parent asks for it."""
    with contextlib.suppress(OSError, IndexError):
        return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[0] != b"Z"
    return False


def tree_memory(*, exact: bool = False) -> int:
    """Resident bytes of all processes below this one; pages that several share count for each, unless `exact`."""
    total = 0
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError, ValueError, IndexError):
            if exact:
                shares = _read(f"/proc/{pid}/smaps_rollup").partition(b"\nPss:")[2]
                total += int(shares.split(maxsplit=1)[0]) * 1024
            else:
                total += int(_read(f"/proc/{pid}/statm").split()[1]) * _PAGE
    return total


def _read(path: str) -> bytes:
    """A small file of the kernel, without the layers of Python's files: this runs several times per task."""
    handle = os.open(path, os.O_RDONLY)
    try:
        return os.read(handle, 65536)
    finally:
        os.close(handle)


def cpu_seconds() -> float:
    """CPU seconds of this process, its finished children and its living descendants."""
    done = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + done.ru_utime + done.ru_stime
    for child in descendants(os.getpid()):
        with contextlib.suppress(OSError, IndexError, ValueError):
            # Fields 14-17 after the name in brackets: user and system ticks, own and of its finished children.
            fields = _read(f"/proc/{child}/stat").rpartition(b")")[2].split()
            total += sum(int(ticks) for ticks in fields[11:15]) / _TICKS
    return total


@dataclass(slots=True)
class Spent:
    """Seconds that a piece of work took."""

    wall: float = 0.0
    cpu: float = 0.0


@contextlib.contextmanager
def spending() -> Iterator[Spent]:
    """Measures what the body spends; the numbers are there after it."""
    spent = Spent()
    cpu, wall = cpu_seconds(), time.perf_counter()
    try:
        yield spent
    finally:
        spent.wall = time.perf_counter() - wall
        spent.cpu = cpu_seconds() - cpu


def status_bytes(field: str) -> int:
    """A field of /proc/self/status in bytes; 0 where there is none."""
    with contextlib.suppress(OSError):
        _, found, rest = _read("/proc/self/status").partition(f"\n{field}:".encode())
        if found:
            return int(rest.split(maxsplit=1)[0]) * 1024
    return 0


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def memory_now(*, reset_peak: bool = False) -> tuple[int, int]:
    """Resident bytes now and at the peak; the peak can be set back to now (Linux)."""
    if reset_peak:
        with contextlib.suppress(OSError, AttributeError):
            _libc().malloc_trim(0)  # what earlier tasks freed is given back first
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
    peak = status_bytes("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return status_bytes("VmRSS"), peak


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
    import sklearn

    from podium.core.version import VERSION

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
