"""The worker: a process forked by the supervisor that runs the tasks of one algorithm on one dataset.

It is trusted with nothing: it holds no descriptor but its own two pipes, and whatever it says is checked.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from dataclasses import replace
from types import ModuleType
from typing import Any

from podium.bench.execute import execute, preload, warm_up
from podium.bench.machine import status_bytes
from podium.bench.messages import BEGIN, END, LAST, OUTCOME, Reader, write_frame
from podium.bench.spec import Job, Outcome
from podium.bench.unix import resource

# What algorithms share and might change: the functions and classes of these modules.
_SHARED = (
    "builtins math os random time numpy numpy.linalg numpy.random pandas scipy.linalg scipy.special sklearn.base "
    "sklearn.metrics sklearn.utils sklearn.utils.validation"
).split()


def serve(jobs: int, replies: int) -> None:
    """Answer every job with BEGIN, again if it warms up, END and its outcome, until one is the last."""
    reader = Reader(jobs)
    before: _Surroundings | None = None
    last = False
    while not last:
        job: Job = pickle.loads(reader.next().body)
        preload(job)
        before = before or _Surroundings()
        write_frame(replies, BEGIN, job.key)
        outcome = _run(job, replies)
        left = before.changes()
        if left:
            outcome = replace(outcome, details={**outcome.details, "left_behind": left})
        last = bool(left) or job.limits.isolation == "task" or outcome.status == "out_of_memory"
        write_frame(replies, LAST if last else OUTCOME, job.key, pickle.dumps(outcome, protocol=5))


def _run(job: Job, replies: int) -> Outcome:
    """One task within its limits. A copy that `fit` has forked ends here, however it came back."""
    worker = os.getpid()

    def unlimited() -> None:
        if os.getpid() != worker:
            os._exit(0)
        _limit_memory(None)
        write_frame(replies, END, job.key)

    _limit_memory(job.limits.memory_mb)
    warmed = warm_up(job)
    if os.getpid() != worker:
        os._exit(0)
    if warmed:
        write_frame(replies, BEGIN, job.key)  # the warm-up has a time limit of its own; the task's clock starts again
    return execute(job, unlimited)


def _limit_memory(megabytes: int | None) -> None:
    """Let the address space grow by so much and no more: past it an allocation fails with MemoryError."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = status_bytes("VmSize")  # the address space: what RLIMIT_AS counts
    cap = hard
    if megabytes is not None and used:
        cap = used + megabytes * 1024 * 1024
        cap = cap if hard == resource.RLIM_INFINITY else min(cap, hard)
    resource.setrlimit(resource.RLIMIT_AS, (cap, hard))


class _Surroundings:
    """What a task must leave as it was: shared functions and classes, and no thread of its own."""

    def __init__(self) -> None:
        modules = [sys.modules[name] for name in _SHARED if name in sys.modules]
        self.shared: list[tuple[ModuleType, dict[str, Any]]] = [
            (module, {name: value for name, value in vars(module).items() if callable(value)}) for module in modules
        ]
        self.threads = set(threading.enumerate())

    def changes(self) -> list[str]:
        """What a task has changed or left running, in words."""
        changed = [
            f"{module.__name__}.{name} was changed"
            for module, functions in self.shared
            for name, value in functions.items()
            if vars(module).get(name) is not value
        ]
        threads = [thread for thread in threading.enumerate() if thread not in self.threads]
        return [*changed[:5], *(f"the thread {thread.name!r} was left running" for thread in threads[:5])]
