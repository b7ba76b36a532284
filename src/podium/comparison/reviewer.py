"""Who remarks on a comparison: the functions of a unit, each with its topic and weight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from podium.comparison.comparison import Remark

U = TypeVar("U")
Maker = Callable[[U], Iterator[str | Remark]]
FLATTERED = "If algorithms fail where they would do badly, this flatters them."
WEIGHTS = ("warning", "caution", "note")  # the weightiest first


class Reviewer(Generic[U]):
    """Whoever remarks on one unit. Remarks of one weight stand in the order in which they were added."""

    def __init__(self) -> None:
        self._makers: list[Callable[[Any], Iterator[Remark]]] = []

    def remark(self, topic: str, weight: str) -> Callable[[Maker[U]], Maker[U]]:
        """Add a function that yields sentences on a topic; a whole `Remark` where topic or weight are others."""

        def add(maker: Maker[U]) -> Maker[U]:
            def remarks(found: U) -> Iterator[Remark]:
                for said in maker(found):
                    yield Remark(topic=topic, sentence=said, weight=weight) if isinstance(said, str) else said

            self._makers.append(remarks)
            return maker

        return add

    def remarks(self, found: U, notes: tuple[str, ...]) -> tuple[Remark, ...]:
        """Every remark that applies, the weightiest first; then what was said when the data were read."""
        remarks = [remark for maker in self._makers for remark in maker(found)]
        remarks += [Remark(topic="source", sentence=note, weight="note") for note in notes]
        return tuple(sorted(remarks, key=lambda remark: WEIGHTS.index(remark.weight)))
