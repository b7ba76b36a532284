"""The worker behind a guard: a process of its own session that runs jobs one after the other.

Jobs come through standard input, outcomes go out through a pipe of their own, so that what an algorithm
prints harms nothing. A watchdog (forked before any heavy import) kills the whole session as soon as the driver is gone,
even if the worker hangs in C and the driver was killed with -9.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import resource
import select
import signal
import struct
import sys
from typing import IO, Any

_HEADER = struct.Struct(">Q")
MARK = "PODIUM_GUARD"  # in the environment of a worker and of all it starts
_PR_SET_CHILD_SUBREAPER = 36


def write_message(pipe: IO[bytes], message: Any) -> None:
    """A pickled message with its length before it."""
    content = pickle.dumps(message, protocol=5)
    pipe.write(_HEADER.pack(len(content)) + content)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> Any:
    """The next message; EOFError if the other side is gone."""
    header = _read(pipe, _HEADER.size)
    return pickle.loads(_read(pipe, _HEADER.unpack(header)[0]))


def _read(pipe: IO[bytes], size: int) -> bytes:
    """Exactly so many bytes. The pipe is unbuffered: what it holds must stay visible to `select`."""
    parts: list[bytes] = []
    while size > 0:
        part = pipe.read(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def kill_marked(token: str) -> bool:
    """Kill every other process that carries the mark in its environment (Linux); whether there was one."""
    mark, found = f"{MARK}={token}".encode(), False
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as environment:
            if mark in environment.read():
                os.kill(int(name), signal.SIGKILL)
                found = True
    return found


def _start_watchdog() -> int:
    """Fork a process that waits until the driver's end of our input closes, then kills all of us."""
    session = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    os.setsid()
    with contextlib.suppress(BaseException):
        poll = select.poll()
        poll.register(0, 0)  # no events asked for: only a hang-up is reported
        # Nothing but standard input stays open here, or the pipe of outcomes would never be seen to end.
        os.closerange(1, 256)
        while not any(what & (select.POLLHUP | select.POLLERR) for _, what in poll.poll()):
            pass
        os.killpg(session, signal.SIGKILL)
    with contextlib.suppress(BaseException):
        for _ in range(20):
            if not kill_marked(os.environ[MARK]):
                break
    os._exit(0)


def _adopt_orphans() -> None:
    """Grandchildren whose parents die become our children, so that none is lost (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _limit_memory(megabytes: int | None) -> None:
    """Let the address space grow by so much and no more: past it an allocation fails with MemoryError."""
    from podium.bench.machine import address_space

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = address_space()
    if megabytes is None or not used:
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
        return
    cap = used + megabytes * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (cap if hard == resource.RLIM_INFINITY else min(cap, hard), hard))


def _end_children(spared: int) -> None:
    """Kill and reap whatever processes a task has left behind."""
    from podium.bench.machine import children

    for _ in range(100):
        left = [child for child in children() if child != spared]
        if not left:
            return
        for child in left:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        for child in left:
            with contextlib.suppress(OSError):
                os.waitpid(child, 0)


def main(reply_fd: int) -> None:
    """Say "ready", then answer every job with "begin" (twice if it warms up) and its outcome, until the input ends."""
    watchdog = _start_watchdog()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver decides what Ctrl-C means
    if sys.path[0] == os.getcwd():  # `python -m` puts it first, where its files could hide installed packages
        sys.path.append(sys.path.pop(0))
    _adopt_orphans()
    import faulthandler

    faulthandler.enable()
    from podium.bench.execute import execute, preload, warm_up

    jobs = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(reply_fd, "wb")
    # An algorithm that reads its input gets nothing, instead of our jobs.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    write_message(replies, "ready")
    while True:
        try:
            job = read_message(jobs)
        except EOFError:
            break
        preload(job)
        write_message(replies, "begin")
        _limit_memory(job.limits.memory_mb)
        if warm_up(job):
            write_message(replies, "begin")  # the warm-up has a time limit of its own; the task's clock starts anew
        outcome = execute(job)
        _limit_memory(None)
        _end_children(watchdog)
        write_message(replies, outcome)
    _end_children(watchdog)
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
