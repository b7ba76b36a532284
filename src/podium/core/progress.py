"""How far long work is: functions take a callback `progress(done, total)` and never print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")
Progress = Callable[[int, int], None] | None


def tracked(items: Iterable[Item], progress: Progress, *, total: int) -> Iterator[Item]:
    """The items one after the other; `progress` hears that one is done when the next is asked for.

    >>> [item for item in tracked("ab", print, total=2)]
    1 2
    2 2
    ['a', 'b']
    """
    for done, item in enumerate(items, start=1):
        yield item
        if progress is not None:
            progress(done, total)
