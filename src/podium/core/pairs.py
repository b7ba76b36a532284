"""What every result on pairs of algorithms is, whatever the test or model: arrays that run over the pairs."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import ArgumentError, DataError
from podium.core.named import ByAlgorithm
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

MOST_PAIRS = 5_000_000  # their columns take about 1 GB


def pair_indices(count: int, control: int | None = None) -> tuple[Indices, Indices]:
    """The places of a and b in all pairs (0, 1), (0, 2), ..., or of each other one (a) against the control (b)."""
    if control is None:
        if (pairs := count * (count - 1) // 2) > MOST_PAIRS:
            raise DataError(
                f"{count:,} algorithms make {pairs:,} pairs, which take too much memory: compare fewer of them, or all with a control."
            )
        first, second = np.triu_indices(count, 1)
        return first, second
    others = np.delete(np.arange(count), control)
    return others, np.full(len(others), control, dtype=np.intp)


def turned_interval(estimate: str) -> dict[str, tuple[int, str]]:
    """What an estimate of a minus b and the ends of its interval become when a and b change places."""
    return {estimate: (-1, estimate), "low": (-1, "high"), "high": (-1, "low")}


def swapped(one: str, other: str) -> dict[str, tuple[int, str]]:
    """Two columns that take each other's place, such as wins and losses."""
    return {one: (1, other), other: (1, one)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs(ByAlgorithm, Result):
    """Pairs of algorithms; `first` and `second` are the places of a and b among `algorithms`.

    A subclass has one array per column in `COLUMNS`, one number per pair. `TURNED` says what a column becomes when
    a and b change places: the sign it takes and the column it comes from, as in {"effect": (-1, "effect"), "wins":
    (1, "losses")}; every other column stays as it is. `DIAGONAL` has what an algorithm against itself shows.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    TURNED: ClassVar[dict[str, tuple[int, str]]] = {}
    DIAGONAL: ClassVar[dict[str, float]] = {}

    algorithms: tuple[str, ...]
    first: Indices
    second: Indices
    control: str | None = None

    @property
    def n_pairs(self) -> int:
        """How many pairs there are."""
        return len(self.first)

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The pairs by name, (a, b), in their order."""
        ends = zip(self.first.tolist(), self.second.tolist(), strict=True)
        return tuple((self.algorithms[i], self.algorithms[j]) for i, j in ends)

    def position(self, a: str, b: str) -> tuple[int, bool]:
        """The row of a pair, and whether it stands there turned round."""
        i, j = self.places((a, b))
        if i == j:
            raise ArgumentError(f"A pair needs two different algorithms; got {a!r} twice.")
        straight = np.flatnonzero((self.first == i) & (self.second == j))
        turned = np.flatnonzero((self.first == j) & (self.second == i))
        if len(straight) + len(turned) == 0:
            raise ArgumentError(
                f"{a!r} and {b!r} were not compared: every algorithm was compared with {self.control!r}."
            )
        return (int(straight[0]), False) if len(straight) else (int(turned[0]), True)

    @abstractmethod
    def pair(self, a: str, b: str) -> Result:
        """The result of the two, seen from a: the same fields as the test of two algorithms gives."""

    def values(self, column: str, *, turned: bool = False) -> Floats:
        """One column over all pairs, as seen from a, or from b where turned."""
        return np.asarray(self.turned_column(column) if turned else getattr(self, column), dtype=np.float64)

    def turned_column(self, column: str) -> npt.NDArray[Any]:
        """One column over all pairs with a and b in each other's place."""
        sign, name = self.TURNED.get(column, (1, column))
        turned: npt.NDArray[Any] = sign * np.asarray(getattr(self, name))
        return turned

    def matrix(self, column: str) -> Floats:
        """One column as a square array (algorithms x algorithms), nan for pairs that were not compared."""
        check.choice("column", column, self.COLUMNS)
        square = np.full((len(self.algorithms), len(self.algorithms)), np.nan)
        np.fill_diagonal(square, self.DIAGONAL.get(column, np.nan))
        square[self.first, self.second] = self.values(column)
        square[self.second, self.first] = self.values(column, turned=True)
        return square

    def to_frame(self) -> pd.DataFrame:
        """One row per pair: a, b, and every column.

        The order is that of the algorithms in the table, (0, 1), (0, 2), ..., or with a control each other one as a, and
        does not depend on what was found.
        """
        return self.oriented(np.zeros(self.n_pairs, dtype=bool), np.arange(self.n_pairs))

    def oriented(self, turn: Bools, order: Indices) -> pd.DataFrame:
        """The rows of `to_frame` in another order; where `turn` is true, a and b have changed places."""
        import pandas as pd

        names = np.array(self.algorithms, dtype=object)
        columns = {}
        for name in self.COLUMNS:
            columns[name] = np.where(turn, self.turned_column(name), np.asarray(getattr(self, name)))
        a, b = np.where(turn, self.second, self.first), np.where(turn, self.first, self.second)
        frame = pd.DataFrame({"a": names[a], "b": names[b], **columns})
        return frame.iloc[order].reset_index(drop=True)
