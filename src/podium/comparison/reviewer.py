"""Who remarks on a comparison: the functions of a unit, each with its topic and weight; and what is remarked on every unit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from podium.comparison.comparison import Remark
from podium.comparison.methods import pairs_named

if TYPE_CHECKING:
    from podium.comparison.unit import Unit
    from podium.stats.posthoc.pairs_result import PairsResult

U = TypeVar("U")
Said = str | tuple[str, str] | Remark  # a sentence, alone or with a weight of its own; or all, also with its own topic
Maker = Callable[[U], Iterator[Said]]
FLATTERED = "Algorithms that fail where they would score badly look better than they are."
WEIGHTS = ("warning", "caution", "note")  # the weightiest first


class Reviewer(Generic[U]):
    """Whoever remarks on one unit. Remarks of one weight stand in the order in which they were added."""

    def __init__(self) -> None:
        self._makers: list[Callable[[Any], Iterator[Remark]]] = []

    def remark(self, topic: str, weight: str) -> Callable[[Maker[U]], Maker[U]]:
        """Add a function that yields sentences on a topic, some with another weight."""

        def add(maker: Maker[U]) -> Maker[U]:
            def remarks(unit: U) -> Iterator[Remark]:
                for said in maker(unit):
                    sentence, own = said if isinstance(said, tuple) else (said, weight)
                    yield sentence if isinstance(sentence, Remark) else Remark(topic, sentence, own)

            self._makers.append(remarks)
            return maker

        return add

    def remarks(self, unit: U, notes: tuple[str, ...]) -> tuple[Remark, ...]:
        """Every remark that applies, the weightiest first; then what was said when the data were read."""
        remarks = [remark for maker in (*SHARED._makers, *self._makers) for remark in maker(unit)]
        remarks += [Remark("source", note, "note") for note in notes]
        return tuple(sorted(remarks, key=lambda remark: WEIGHTS.index(remark.weight)))


SHARED: Reviewer[Unit[Any, Any, PairsResult]] = Reviewer()


@SHARED.remark("difference without a winner", "caution")
def _without_a_winner(unit: Unit[Any, Any, PairsResult]) -> Iterator[str]:
    if unit.undirected:
        yield (
            f"{pairs_named(unit.pairs, unit.undirected)}: the test finds a significant difference, but their {unit.pairs.effect_name} "
            "is 0, so that neither is better. Ranking and groups treat such a pair as not significantly different."
        )


@SHARED.remark("identical algorithms", "warning")
def _identical(unit: Unit[Any, Any, PairsResult]) -> Iterator[str]:
    values, pairs = unit.table.values, unit.pairs
    alike = np.flatnonzero(pairs.ties == pairs.n).tolist()
    same = [p for p in alike if np.array_equal(values[:, pairs.first[p]], values[:, pairs.second[p]], equal_nan=True)]
    if same:
        of_each = f"the same {unit.words.value} on every {unit.words.row}"
        yield f"{pairs_named(pairs, same)} have {of_each}: are they the same system under two names?"
