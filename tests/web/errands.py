"""What the tests give workers to do. A worker imports it by its name, which no package has (some bring a `tests`)."""

import os
import signal
import tempfile
import time
from pathlib import Path


def echo(*, value):
    return value


def wait_for(*, path):
    """Say that the work has begun, and go on until the test says so."""
    Path(f"{path}.{os.getpid()}").touch()
    while not Path(path).exists():
        time.sleep(0.01)
    return "done"


def hang(*, path):
    """Leave a file, and never end."""
    Path(path).write_text(tempfile.mkdtemp())
    while True:
        time.sleep(1)


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def own_pid():
    return os.getpid()


def take(*, size):
    return len(bytes(size))


def fail(*, error):
    raise error


class OddError(Exception):
    def __init__(self, first, second):
        super().__init__(first + second)


def fail_oddly():
    raise OddError("a", "b")
