"""What is told while something is computed: the command line and others may listen, and nobody need."""

from __future__ import annotations

from collections.abc import Callable

_listeners: dict[str, Callable[[], None]] = {}


def listen(topic: str, listener: Callable[[], None]) -> None:
    """Call `told` the first time that something of this topic begins, such as "compiling"."""
    _listeners[topic] = listener


def tell(topic: str) -> None:
    """Something of this topic begins."""
    listener = _listeners.pop(topic, None)
    if listener is not None:
        listener()
