"""The remarks of a careful reviewer: one function each, from what was found to a sentence, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from podium.comparison.comparison import Remark
from podium.comparison.evidence import Evidence

E = TypeVar("E", bound=Evidence)
WEIGHTS = ("warning", "caution", "note")  # the weightiest first


class Reviewer(Generic[E]):
    """Whoever remarks on one kind of evidence. Remarks of one weight stand in the order in which they were added."""

    def __init__(self) -> None:
        self._makers: list[Callable[[E], Iterator[Remark]]] = []

    def remark(
        self, topic: str, weight: str
    ) -> Callable[[Callable[[E], Iterator[str | Remark]]], Callable[[E], Iterator[str | Remark]]]:
        """Add a function that yields sentences on a topic; a whole `Remark` where topic or weight are others."""

        def add(maker: Callable[[E], Iterator[str | Remark]]) -> Callable[[E], Iterator[str | Remark]]:
            def made(found: E) -> Iterator[Remark]:
                for said in maker(found):
                    yield Remark(topic=topic, sentence=said, weight=weight) if isinstance(said, str) else said

            self._makers.append(made)
            return maker

        return add

    def remarks(self, found: E) -> tuple[Remark, ...]:
        """Every remark that applies, the weightiest first; then what was said when the data were read."""
        made = [remark for maker in self._makers for remark in maker(found)]
        made += [Remark(topic="source", sentence=note, weight="note") for note in found.notes]
        return tuple(sorted(made, key=lambda remark: WEIGHTS.index(remark.weight)))
