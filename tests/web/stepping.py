"""A benchmark that runs task by task as a test allows, for watching it."""

import threading
from contextlib import contextmanager

from bench.tools import InsideEngine, suite
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store
from waiting import PATIENCE


class SteppingEngine(InsideEngine):
    """Waits for leave before every task."""

    def __init__(self, step):
        self.step = step

    def run(self, jobs):
        for job in jobs:
            self.step.acquire(timeout=PATIENCE)
            yield from super().run([job])


@contextmanager
def stepped_run(path, step):
    """A run of 12 tasks in a thread, 4 of which fail; gives an event that says that it has ended."""
    finished = threading.Event()

    def drive():
        with open_store(path, write=True) as store:
            run_suite(
                suite(["Majority", "nb", "Thrower"], datasets=("iris", "wine")), store, engine=SteppingEngine(step)
            )
        finished.set()

    thread = threading.Thread(target=drive)
    thread.start()
    try:
        yield finished
    finally:
        for _ in range(12):
            step.release()
        thread.join(PATIENCE)
