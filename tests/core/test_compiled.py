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


def test_a_listener_hears_of_it_once_and_nobody_need_listen():
    heard = []
    notice.listen("test", lambda: heard.append(1))
    for _ in range(3):
        notice.tell("test")
    assert heard == [1]


def test_what_was_compiled_is_at_hand_in_this_process_and_in_the_next(tmp_path):
    module = tmp_path / "doubling.py"
    module.write_text(
        "from podium.core.compiled import njit\n\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n",
        encoding="utf-8",
    )
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
from podium.core.compiled import is_at_hand, njit
from doubling import double
kept = njit()(lambda x: 3 * x)
print(is_at_hand(double), is_at_hand(kept))
double(21), kept(7)
print(is_at_hand(double), is_at_hand(kept))
"""
    assert run(code) == ["False", "False", "True", "True"]
    assert run(code) == ["True", "False", "True", "True"]
