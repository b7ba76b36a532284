"""Signals that ask a run to stop: Ctrl-C, the end of a queue's time (SIGTERM), a closed terminal (SIGHUP)."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# Anything else somebody has chosen: under `nohup` SIGHUP is ignored.
_USUAL = (signal.SIG_DFL, signal.default_int_handler)


class Stopping:
    """Within it these signals raise KeyboardInterrupt, once; what is raised while an outcome is kept comes after it."""

    def __init__(self) -> None:
        self.asked = self.ignored = False
        self._held = 0
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():  # only there a handler can be set
            usual = [number for number in _SIGNALS if signal.getsignal(number) in _USUAL]
            self._before = {number: signal.signal(number, self._note) for number in usual}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        first, self.asked = not self.asked, True
        if first and not self._held and not self.ignored:
            raise KeyboardInterrupt

    def check(self) -> None:
        """Raise what was asked for meanwhile: an exception is lost where Python clears up an object."""
        if self.asked and not self.ignored:
            raise KeyboardInterrupt

    def ignore(self) -> None:
        """The run is ending: nothing is to break its last steps."""
        self.ignored = True

    @contextlib.contextmanager
    def later(self) -> Iterator[None]:
        """What is done within is done to its end."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
