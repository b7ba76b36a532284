"""Algorithms that go wrong, each in its own way: what the guard must survive."""

import contextlib
import ctypes
import itertools
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning


class Majority(ClassifierMixin, BaseEstimator):
    """Predicts the commonest class. What the others are when nothing goes wrong."""

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.commonest_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.commonest_)


class Sleeper(Majority):
    def fit(self, X, y):
        time.sleep(3600)
        return super().fit(X, y)


class Spinner(Majority):
    """Spins in C with the interpreter's lock held: no Python signal handler or thread can run."""

    def fit(self, X, y):
        sum(itertools.repeat(0))
        return super().fit(X, y)


class Segfault(Majority):
    def fit(self, X, y):
        ctypes.string_at(0)
        return super().fit(X, y)


class Glutton(Majority):
    def fit(self, X, y):
        self.hoard_ = np.ones(100 * 2**30, dtype=np.uint8)
        return super().fit(X, y)


class Thrower(Majority):
    def fit(self, X, y):
        raise RuntimeError("no luck today\nsecond line")


class Leaver(Majority):
    """Ends the whole process as if all were well."""

    def fit(self, X, y):
        os._exit(0)


MARK = "podium-test-child"


class Parent(Majority):
    """Starts children, one of them in a session of its own, and hangs."""

    def fit(self, X, y):
        code = "import time; time.sleep(3600)"
        subprocess.Popen([sys.executable, "-c", code, MARK])
        subprocess.Popen([sys.executable, "-c", code, MARK], start_new_session=True)
        time.sleep(3600)
        return super().fit(X, y)


class Litterer(Majority):
    """Leaves a child and a grandchild behind and ends well."""

    def fit(self, X, y):
        code = "import time; time.sleep(3600)"
        twice = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {code!r}, '{MARK}'])"
        subprocess.run([sys.executable, "-c", twice, MARK], check=True)
        subprocess.Popen([sys.executable, "-c", code, MARK])
        return super().fit(X, y)


def _burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


class Delegator(Majority):
    """Works in a child process: its CPU time must be counted."""

    def fit(self, X, y):
        child = multiprocessing.get_context("fork").Process(target=_burn, args=(0.3,))
        child.start()
        child.join()
        return super().fit(X, y)


class Pause(Majority):
    """A short, known duration."""

    def __init__(self, seconds=0.05):
        self.seconds = seconds

    def fit(self, X, y):
        time.sleep(self.seconds)
        return super().fit(X, y)


class WrongShape(Majority):
    def predict(self, X):
        return np.full((len(X), 2), self.commonest_)


class Reader(Majority):
    """Prints, and reads standard input: neither may disturb the worker's pipes."""

    def fit(self, X, y):
        print("noise on standard output")  # noqa: T201
        sys.stdin.read()
        return super().fit(X, y)


class Uncertain(Majority):
    """Knows nothing about how likely its classes are."""

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), np.nan)


class Gapless(Majority):
    """Takes classes 0, 1, 2, ... only, as XGBoost does."""

    def __init__(self, extra=0):
        self.extra = extra

    def fit(self, X, y):
        super().fit(X, y)
        if list(self.classes_) != list(range(len(self.classes_))):
            raise ValueError("Invalid classes inferred from unique values of `y`")
        return self

    def predict_proba(self, X):
        return np.eye(len(self.classes_))[self.predict(X)]


class Gambler(Majority):
    """Draws from the shared generators of numpy and Python."""

    def predict(self, X):
        return (np.random.choice(self.classes_, len(X)) + random.randrange(3)) % 3  # noqa: NPY002


class Forker(Majority):
    """Comes back twice: from `fit` in the worker, and in a copy of it."""

    def fit(self, X, y):
        if os.fork() == 0:
            time.sleep(0.2)  # the copy answers when the next task is at work
        return super().fit(X, y)


class Scribbler(Majority):
    """Writes to every descriptor that it finds open."""

    def fit(self, X, y):
        for place in range(200):
            with contextlib.suppress(OSError):
                os.write(place, b"scribble" * 100)
        return super().fit(X, y)


class Runaway(Majority):
    """Starts a child that keeps neither the session nor the environment, and hangs."""

    def fit(self, X, y):
        code = "import time; time.sleep(3600)"
        subprocess.Popen([sys.executable, "-c", code, MARK], start_new_session=True, env={})
        time.sleep(3600)
        return super().fit(X, y)


class Crowd(Majority):
    """Holds memory in children: none of them too much, all together."""

    def __init__(self, children=5, megabytes=200, seconds=30):
        self.children = children
        self.megabytes = megabytes
        self.seconds = seconds

    def fit(self, X, y):
        code = f"import time; held = b'x' * ({self.megabytes} * 2**20); time.sleep({self.seconds})"
        for child in [subprocess.Popen([sys.executable, "-c", code]) for _ in range(self.children)]:
            child.wait()
        return super().fit(X, y)


class Weighty(Majority):
    """A model that fits into the memory, but not twice."""

    def fit(self, X, y):
        self.weights_ = np.ones(60 * 2**20, dtype=np.uint8)
        return super().fit(X, y)


class Patcher(Majority):
    """Changes what all algorithms share."""

    def fit(self, X, y):
        np.argmin = np.argmax
        return super().fit(X, y)


class Haunted(Majority):
    """Leaves a busy thread behind."""

    def fit(self, X, y):
        threading.Thread(target=_burn, args=(60,), name="ghost", daemon=True).start()
        return super().fit(X, y)


class Nearest(Majority):
    """Right only where nobody has changed numpy."""

    def predict(self, X):
        return np.full(len(X), np.argmin([0, 1]))


class Patricide(Majority):
    """Kills whoever started its process."""

    def fit(self, X, y):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(3600)
        return super().fit(X, y)


class Regicide(Majority):
    """Kills the driver, as a machine that runs out of memory may."""

    def fit(self, X, y):
        os.kill(int(os.environ["DRIVER"]), signal.SIGKILL)
        time.sleep(3600)
        return super().fit(X, y)


class Stopper(Majority):
    """Stops whoever started its process, so that nobody watches any more."""

    def fit(self, X, y):
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(3600)
        return super().fit(X, y)


class Shouter(Majority):
    """Writes without end to its standard error."""

    def __init__(self, megabytes=64):
        self.megabytes = megabytes

    def fit(self, X, y):
        for _ in range(self.megabytes):
            os.write(2, b"x" * (2**20 - 1) + b"\n")
        os.write(2, b"last words\n")
        os.abort()


class Impossible(Majority):
    """Gives probabilities that are none."""

    def __init__(self, value=-5.0):
        self.value = value

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), self.value)


class ClockThief(Majority):
    """Puts a clock of its own in the place of Python's, one that runs backwards."""

    def fit(self, X, y):
        ticks = itertools.count(0, -1)
        for name in ("perf_counter", "process_time", "monotonic"):
            setattr(time, name, lambda: float(next(ticks)))
        return super().fit(X, y)


class Unconverged(Majority):
    """Says that it has not converged, and fails for one candidate of a search."""

    def __init__(self, depth=1):
        self.depth = depth

    def fit(self, X, y):
        if self.depth == 0:
            raise ValueError("no depth")
        warnings.warn("it did not converge", ConvergenceWarning, stacklevel=2)
        return super().fit(X, y)


class Patient(Majority):
    """Needs ten steps, warns of fewer, and is right only after them."""

    def __init__(self, steps=10):
        self.steps = steps

    def fit(self, X, y):
        if self.steps < 10:
            warnings.warn("it did not converge", ConvergenceWarning, stacklevel=2)
        return super().fit(X, y)

    def predict(self, X):
        return super().predict(X) if self.steps >= 10 else 1 - super().predict(X)


class Siblings(Majority):
    """Holds memory, then forks processes that share it and sleep."""

    def __init__(self, children=4, megabytes=100):
        self.children = children
        self.megabytes = megabytes

    def fit(self, X, y):
        held = np.ones(self.megabytes * 2**20, dtype=np.uint8)
        pids = []
        for _ in range(self.children):
            pid = os.fork()
            if pid == 0:
                time.sleep(1.5)
                os._exit(int(held[0]) - 1)
            pids.append(pid)
        for pid in pids:
            os.waitpid(pid, 0)
        return super().fit(X, y)


class Masked(Majority):
    """Predicts nothing."""

    def predict(self, X):
        return np.ma.masked_all(len(X), dtype=int)


class Repeated(Majority):
    """Says that all its probabilities are of one class."""

    def fit(self, X, y):
        super().fit(X, y)
        self.count_ = len(self.classes_)
        self.classes_ = np.zeros(self.count_, dtype=int)
        return self

    def predict_proba(self, X):
        return np.full((len(X), self.count_), 1 / self.count_)
