"""The compiler: it works where nothing can be written, and says once that it is at work."""

import subprocess
import sys

from podium.core import notice


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_without_a_place_for_its_cache_everything_is_compiled_in_memory():
    code = """
import numba.core.caching as caching

caching.CacheImpl._locator_classes = []
from podium.core.compiled import njit

@njit(cache=True, nogil=True)
def double(x):
    return 2 * x

print(double(21))
"""
    assert run(code) == ["42"]


def test_a_listener_is_told_once_when_something_is_compiled():
    code = """
from podium.core import notice
notice.listen("compiling", lambda: print("compiling"))
from podium.core.compiled import njit

@njit()
def double(x):
    return 2 * x

print(double(21), double(2.0))
"""
    assert run(code) == ["compiling", "42", "4.0"]


def test_nobody_need_listen():
    notice.tell("compiling")
