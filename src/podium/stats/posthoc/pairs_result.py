"""The result of testing many pairs: one row per pair, whatever the test."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.metric import Metric
from podium.core.result import Result, plain

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "Estimates", "PairsResult"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

COLUMNS = ("a", "b", "statistic", "pvalue", "adjusted", "effect", "low", "high", "wins", "ties", "losses")


class Estimates:
    """Effects and intervals of all pairs, computed when first asked for (half a million take seconds), or pickled."""

    __slots__ = ("_make", "_value")

    def __init__(self, make: Callable[[], tuple[Floats, Floats, Floats]]) -> None:
        self._make = make
        self._value: tuple[Floats, Floats, Floats] | None = None

    def get(self) -> tuple[Floats, Floats, Floats]:
        """Effect, low end, high end."""
        if self._value is None:
            self._value = self._make()
        return self._value

    def __reduce__(self) -> tuple[Callable[..., Estimates], tuple[Floats, Floats, Floats]]:
        return _known, self.get()


def _known(effect: Floats, low: Floats, high: Floats) -> Estimates:
    return Estimates(lambda: (effect, low, high))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsResult(Result):
    """Every pair's statistic, raw and adjusted p-value, effect a - b with its interval, and wins, ties, losses of a.

    `first` and `second` are the positions of a and b among `algorithms`. `used` counts the datasets (or folds) on
    which both had a score: holes are left out pair by pair. Effects are in the metric's units (a - b, whichever
    direction is better); wins follow the metric's direction. `options` are those of the test, as used.
    """

    algorithms: tuple[str, ...]
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    statistic: Floats
    pvalue: Floats
    adjusted: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    used: Ints
    test: str
    method: str
    alternative: str
    correction: str
    options: dict[str, Any]
    missing_policy: str
    holes: tuple[str, ...]
    effect_name: str
    confidence: float
    metric: Metric
    dataset: str | None
    control: str | None
    estimates: Estimates
    references: tuple[str, ...] = ()

    @property
    def n_pairs(self) -> int:
        """How many pairs were tested."""
        return len(self.first)

    @property
    def effect(self) -> Floats:
        """The estimated difference a - b of each pair."""
        return self.estimates.get()[0]

    @property
    def low(self) -> Floats:
        """The low end of each effect's interval."""
        return self.estimates.get()[1]

    @property
    def high(self) -> Floats:
        """The high end of each effect's interval."""
        return self.estimates.get()[2]

    @property
    def side(self) -> Floats:
        """1 where a is ahead, -1 where b is, 0 where neither: by the effect or, where it is 0, by the wins."""
        effect = np.nan_to_num(self.metric.sign * self.effect)
        return np.where(effect != 0, np.sign(effect), np.sign(self.wins - self.losses))

    def to_frame(self) -> pd.DataFrame:
        """One row per pair, with the columns of `COLUMNS`."""
        import pandas as pd

        names = np.array(self.algorithms, dtype=object)
        columns = {"a": names[self.first], "b": names[self.second]}
        columns |= {name: getattr(self, name) for name in COLUMNS[2:]}
        return pd.DataFrame(columns)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with names for positions and the effects for what computes them."""
        hidden = ("estimates", "first", "second")
        fields = {f.name: plain(getattr(self, f.name)) for f in dataclasses.fields(self) if f.name not in hidden}
        names = {"a": [self.algorithms[i] for i in self.first], "b": [self.algorithms[i] for i in self.second]}
        effects = {"effect": plain(self.effect), "low": plain(self.low), "high": plain(self.high)}
        return {"kind": type(self).__name__, **names, **fields, **effects}

    def matrix(self, column: str = "adjusted") -> Floats:
        """One column as a square array (algorithms x algorithms), nan for pairs that were not tested.

        p-values are symmetric with 1 on the diagonal; effects change sign, and their ends and wins and losses
        change places, across it.
        """
        check.choice("column", column, COLUMNS[3:])
        mirrored = {"low": "high", "high": "low", "wins": "losses", "losses": "wins"}.get(column, column)
        sign = -1.0 if column in ("effect", "low", "high") else 1.0
        square = np.full((len(self.algorithms), len(self.algorithms)), np.nan)
        np.fill_diagonal(square, 1.0 if column in ("pvalue", "adjusted") else 0.0)
        square[self.first, self.second] = getattr(self, column)
        square[self.second, self.first] = sign * getattr(self, mirrored)
        return square

    def position(self, a: str, b: str) -> int:
        """The row of a pair, in the order it was tested."""
        for name in (a, b):
            check.member("algorithm", name, self.algorithms)
        i, j = self.algorithms.index(a), self.algorithms.index(b)
        found = np.flatnonzero((self.first == i) & (self.second == j))
        if len(found) == 0:
            raise ArgumentError(f"The pair {a!r}, {b!r} was not tested in this order.")
        return int(found[0])

    def summary(self) -> str:
        """The pairs in a sentence or two, and what does not follow."""
        best = int(np.argmin(self.adjusted))
        pair = f"{self.algorithms[self.first[best]]} and {self.algorithms[self.second[best]]}"
        against = f"against the control {self.control}" if self.control else f"of {len(self.algorithms)} algorithms"
        where = f" on {self.dataset}" if self.dataset else ""
        least, most = int(self.used.min()), int(self.used.max())
        span = f"{least}" if least == most else f"{least} to {most}"
        unit = "folds" if self.dataset is not None else "datasets"
        zeros = self.options.get("zeros", self.options.get("ties"))
        how = self.method if zeros is None or not self.ties.any() else f"{self.method}; equal scores: {zeros}"
        holes = f" Missing scores were left out pair by pair: {check.cells((hole,) for hole in self.holes)}."
        corrected = "not corrected" if self.correction == "none" else f"corrected by {self.correction}"
        return (
            f"{self.n_pairs} pairs {against}{where}, each by {self.test} ({how}) on {span} {unit}, p-values "
            f"{corrected}: the smallest adjusted p-value is {self.adjusted[best]:.3g}, of {pair} (wins, ties, losses "
            f"{self.wins[best]}, {self.ties[best]}, {self.losses[best]}). A pair that is not told apart is not "
            f"thereby shown to be equal.{holes if self.holes else ''}"
        )
