"""Algorithms that go wrong, each in its own way: what the guard must survive."""

import ctypes
import itertools
import multiprocessing
import os
import random
import subprocess
import sys
import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


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
