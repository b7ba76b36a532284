"""Quantity: what is compared, and how every number of it is written: with which factor, unit and digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats
from podium.core.numbers import MOST_DIGITS, NO_NUMBER, decimals, fixed, number

if TYPE_CHECKING:
    from podium.core.metric import Direction

PERCENTAGE_POINTS = "percentage points"
IN_UNITS = ("baseline_score", "candidate_score", "difference", "low", "high", "margin", "detectable_drop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """What is compared, and how it is written: `factor` times its value, differences in the `unit`.

    The `label` names it in a sentence; "" where the source does not say what was measured. `decimals` after the point suit
    most differences; None: three significant digits. `at` fits them to a size, `column` to the cells of a column.

    >>> accuracy = Quantity(label="accuracy", unit="percentage points", factor=100, decimals=1)
    >>> accuracy.difference(0.0142), accuracy.amount(0.0142), accuracy.difference(-0.0001), accuracy.resolution()
    ('1.4 percentage points higher accuracy', '1.4 percentage points', '', '0.1 percentage points')
    >>> accuracy.apart("A", 0.0142, "B"), Quantity(decimals=2).apart("A", -0.1, "B")
    ("A's accuracy is 1.4 percentage points higher than B's", 'A scores 0.10 lower than B')
    >>> accuracy.span(-0.003, 0.02), accuracy.span(0.001, 0.02), accuracy.span(-0.03, -0.01), accuracy.span(0, 0.0001)
    ('0.3 lower to 2.0 higher', '0.1 to 2.0 higher', '1.0 to 3.0 lower', 'no difference at this precision')
    >>> accuracy.at(0.001).difference(0.0007), accuracy.in_full(0.01), accuracy.in_full(0.005)
    ('0.07 percentage points higher accuracy', '1 percentage point', '0.5 percentage points')
    >>> Quantity(label="RMSE").at(0.152).difference(-0.10119), Quantity(label="AUC", decimals=3).amount(0.0123)
    ('0.101 lower RMSE', '0.012 in AUC')
    >>> Quantity(label="MSE").at(7.2e-11).difference(-7.02e-11), Quantity(label="perplexity").at(6.4e19).amount(6.4e19)
    ('7.02e-11 lower MSE', '6.4e+19 in perplexity')
    >>> accuracy.text(-0.0142), accuracy.column([0.853, 0.791]).text(0.853), accuracy.scale, accuracy.measured
    ('-1.4', '85.3', 'accuracy in percent', 'percentage points')
    """

    label: str = ""
    unit: str = ""
    factor: float = 1.0
    decimals: int | None = None
    direction: Direction = "higher"

    @property
    def sign(self) -> int:
        """+1 where higher is better, -1 where lower is."""
        return 1 if self.direction == "higher" else -1

    @property
    def scale(self) -> str:
        """What stands on an axis of scores."""
        return f"{self.label or 'score'}{' in percent' if self.unit == PERCENTAGE_POINTS else ''}"

    @property
    def head(self) -> str:
        """What heads a column of scores."""
        return f"{self.label or 'score'}{', %' if self.unit == PERCENTAGE_POINTS else ''}"

    @property
    def measured(self) -> str:
        """What stands on an axis of differences."""
        return self.unit or self.label or "points"

    def written(self, values: npt.ArrayLike) -> Floats:
        """Values as they are written."""
        return self.factor * np.asarray(values, dtype=np.float64)

    def row(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The row of a result as a table shows it: its metric with the scale, and what is `IN_UNITS` as it is written."""
        own = {name: float(self.written(values[name])) for name in IN_UNITS if values.get(name) is not None}
        return {"metric": self.scale, **{name: values[name] for name in values if name != "metric"}, **own}

    def relative(self) -> Quantity:
        """The quantity of ratios to another algorithm, which are written in percent."""
        return replace(self, unit="percent", factor=100.0, decimals=1)

    def at(self, *sizes: float) -> Quantity:
        """With digits for numbers of these sizes: one more than usual where all are very small."""
        largest = self.factor * max((abs(size) for size in sizes if math.isfinite(size)), default=0.0)
        if self.decimals is not None:
            return replace(self, decimals=self.decimals + (0 < largest < 3 * 10.0**-self.decimals))
        places = 2 - math.floor(math.log10(largest)) if largest else 3
        return replace(self, decimals=max(places, 0) if places <= MOST_DIGITS else None)

    def column(self, values: Iterable[float | None], significant: int = 3) -> Quantity:
        """With the digits of a column of these values."""
        written = [self.factor * value for value in values if value is not None]
        return replace(self, decimals=decimals(written, significant))

    def finer(self, values: Iterable[float]) -> Quantity:
        """With the digits of a chart of these differences: one more than in a sentence, if they have so many."""
        column = self.column(values)
        if self.decimals is None or column.decimals is None:
            return column
        return replace(self, decimals=min(self.decimals + 1, column.decimals))

    def text(self, value: float | None) -> str:
        """A value as a number with its sign, for cells and axes."""
        if value is None or not math.isfinite(value):
            return number(value)
        size = self.factor * value
        return number(size) if self.decimals is None else fixed(size, self.decimals)

    def precise(self, *values: float) -> str:
        """A value, or an interval from one to another, with four significant digits and the unit, for summaries."""
        texts = (number(self.factor * value, 4).replace("-", "\u2212") for value in values)
        return _joined(" to ".join(texts), self.unit)

    def interval(self, low: float, high: float) -> str:
        """Both ends as one cell."""
        return NO_NUMBER if math.isnan(low) or math.isnan(high) else f"{self.text(low)} to {self.text(high)}"

    def difference(self, difference: float) -> str:
        """The difference with its direction; nothing where it is too small to be told."""
        amount = self._directed(difference)
        return _joined(amount, self.label) if amount else ""

    def apart(self, who: str, difference: float, than: str) -> str:
        """Whose score is higher or lower than whose and by how much, at the start of a sentence."""
        amount = self._directed(difference)
        if not amount:
            return f"They differ by less than {self.resolution()}"
        return f"{who}'s {self.label} is {amount} than {than}'s" if self.label else f"{who} scores {amount} than {than}"

    def amount(self, difference: float) -> str:
        """The size of the difference, whichever way it points."""
        return self._of(self._size(difference))

    def sizes(self, low: float, high: float) -> str:
        """The ends of an interval without signs, and their unit."""
        return _joined(_both(self._size(low), self._size(high)), self.unit)

    def in_full(self, amount: float) -> str:
        """An amount that somebody chose, such as a rope, with all its digits."""
        text = number(self.factor * amount, 6)
        return _joined(text, self.unit.removesuffix("s")) if text == "1" and self.unit else self._of(text)

    def resolution(self) -> str:
        """The smallest amount that can be told."""
        return self._of(fixed(10.0 ** -(self.decimals or 0), self.decimals or 0))

    def span(self, low: float, high: float) -> str:
        """The interval of a difference, in words instead of signs."""
        ends = [self._size(end) for end in (low, high)]
        if not any(math.isinf(end) or float(text) for end, text in zip((low, high), ends, strict=True)):
            return "no difference at this precision"
        if low >= 0:
            return f"{_both(*ends)} higher" if math.isfinite(high) else f"at least {ends[0]} higher"
        if high <= 0:
            return f"{_both(*ends[::-1])} lower" if math.isfinite(low) else f"at least {ends[1]} lower"
        return f"{ends[0]} lower to {ends[1]} higher"

    def _of(self, text: str) -> str:
        """The number with its unit, or of what it is an amount."""
        return _joined(text, self.unit or (f"in {self.label}" if self.label else ""))

    def _directed(self, difference: float) -> str:
        """By how much higher or lower; nothing where it is too small to be told."""
        text = self._size(difference)
        return _joined(text, self.unit, "higher" if difference > 0 else "lower") if float(text) else ""

    def _size(self, difference: float) -> str:
        if math.isinf(difference):
            return "any amount"
        size = self.factor * abs(difference)
        return number(size) if self.decimals is None else fixed(size, self.decimals)


def _both(low: str, high: str) -> str:
    """Two ends of an interval as they are written; one where they are alike."""
    return low if low == high else f"{low} to {high}"


def _joined(*words: str) -> str:
    return " ".join(word for word in words if word)
