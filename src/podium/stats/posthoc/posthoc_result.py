"""What the post-hoc tests of this room return: one row per pair of algorithms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core.errors import ArgumentError
from podium.core.result import Result
from podium.core.table import Table
from podium.stats.omnibus.blocks import left_out

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PosthocResult", "pair_indices"]

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


def pair_indices(table: Table, control: str | None = None) -> tuple[Indices, Indices]:
    """The columns a and b of all pairs (0, 1), (0, 2), ..., or of each other one (a) against the control (b)."""
    if control is None:
        a, b = np.triu_indices(table.n_algorithms, 1)
        return a, b
    position = table.position(control)
    others = np.array([j for j in range(table.n_algorithms) if j != position], dtype=np.intp)
    return others, np.full(others.size, position, dtype=np.intp)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PosthocResult(Result):
    """A post-hoc test of all pairs of algorithms, or of a control against all others.

    `first` and `second` are the positions of a and b in `algorithms`; `effect` is a - b, in mean ranks or in mean
    scores as `effect_kind` says, and `statistic` has its sign. `direction` is 1 where a larger effect means that a is
    better, and -1 (mean ranks, costs, errors) where it means that a is worse.
    """

    test: str
    algorithms: tuple[str, ...]
    control: str | None = None
    first: Indices
    second: Indices
    statistic: Floats
    pvalue: Floats
    adjusted: Floats
    correction: str
    effect: Floats
    effect_kind: str
    direction: int
    mean_ranks: Floats
    n_datasets: int
    degrees: float
    method: str
    alternative: str = "two-sided"
    ties: str
    missing: str
    dropped: tuple[str, ...]
    caution: str

    @property
    def side(self) -> Floats:
        """1 where a is ahead, -1 where b is, 0 where neither."""
        return self.direction * np.sign(self.effect)

    def summary(self) -> str:
        """How many pairs, the clearest one, and what to be careful about."""
        clearest = int(np.argmin(self.adjusted))
        a, b = self.algorithms[self.first[clearest]], self.algorithms[self.second[clearest]]
        family = (
            f"all {self.first.size} pairs" if self.control is None else f"{self.first.size} pairs with {self.control}"
        )
        return (
            f"{self.test} ({self.method}) on {family}, {self.n_datasets} datasets: the smallest adjusted p is "
            f"{self.adjusted[clearest]:.3g} ({a} against {b}, {self.effect_kind} {self.effect[clearest]:+.3g}). "
            f"{self.caution}{left_out(self.dropped)}"
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per pair: a, b, statistic, pvalue, adjusted, effect."""
        import pandas as pd

        names = np.array(self.algorithms, dtype=object)
        return pd.DataFrame(
            {
                "a": names[self.first],
                "b": names[self.second],
                "statistic": self.statistic,
                "pvalue": self.pvalue,
                "adjusted": self.adjusted,
                "effect": self.effect,
            }
        )

    def matrix(self) -> Floats:
        """The adjusted p-values of all pairs as a symmetric array, with 1 on the diagonal."""
        if self.control is not None:
            raise ArgumentError(f"A comparison with the control {self.control!r} has no matrix of all pairs.")
        k = len(self.algorithms)
        square = np.ones((k, k))
        square[self.first, self.second] = square[self.second, self.first] = self.adjusted
        return square
