"""What has named algorithms: how many they are, and where each stands."""

from __future__ import annotations

from collections.abc import Iterable

from podium.core import check


class ByAlgorithm:
    """A base of whatever holds one column, row or layer for each of its `algorithms`."""

    __slots__ = ()
    algorithms: tuple[str, ...]

    @property
    def n_algorithms(self) -> int:
        """How many algorithms there are."""
        return len(self.algorithms)

    def place(self, algorithm: str) -> int:
        """Where an algorithm stands; a name that is not there is refused."""
        return self.algorithms.index(check.member("algorithm", algorithm, self.algorithms))

    def places(self, algorithms: Iterable[str]) -> list[int]:
        """Where each of these stands."""
        return [self.place(name) for name in algorithms]
