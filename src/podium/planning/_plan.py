"""What every plan is, whatever is counted: how many datasets, cases or runs show a difference, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from podium.core.numbers import as_given, counted, fixed, number, percent
from podium.core.quantity import Quantity
from podium.core.result import SentencesResult
from podium.stats.registry import PAIRWISE

PLAIN = Quantity()
CONFIDENCE = 0.8  # of the range that a pilot leaves for the right number: as sure as the plan itself


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDesign:
    """One way to do it: so many datasets, cases or runs (None: more than were tried), and the power there.

    Each is tried by so many `samples`, which gives so many `outcomes` at a `cost`. `low` and `high` are the range that a pilot
    leaves for the right number, `standard_error` that of a simulated power.
    """

    count: int | None
    power: float
    standard_error: float | None = None
    samples: int = 1
    outcomes: int | None = None
    cost: float | None = None
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan(SentencesResult):
    """How many of `counted` (datasets, cases, runs) show a true `difference` with the probability `target_power`.

    The cheapest of the `designs` is `best`. `solved` says what was asked for: the "count", or the "difference" that the
    count at hand shows. `detectable` is what as many as in the pilot show, where that was computed. `source` says what the plan
    rests on, and `pilot` how many of these the pilot had (0: none).
    """

    title: ClassVar[str] = "Plan"

    counted: str
    difference: float
    quantity: Quantity = PLAIN
    designs: tuple[PlanDesign, ...]
    best: int = 0
    target_power: float
    alpha: float
    test: str
    source: str
    each: str = ""
    solved: str = "count"
    pilot: int = 0
    detectable: float | None = None
    most: int = 0
    remarks: tuple[str, ...] = ()

    @property
    def needed(self) -> int | None:
        """How many the best design takes."""
        return self.designs[self.best].count

    @property
    def power(self) -> float:
        """The power of the best design."""
        return self.designs[self.best].power

    def sentences(self) -> tuple[str, ...]:
        """The cheapest design, what it rests on, and what does not follow."""
        best, said = self.designs[self.best], [self._head(), *self._range()]
        test = PAIRWISE[self.test].called if self.test in PAIRWISE else self.test
        how = f"By {test} at the {as_given(self.alpha)} level, from {self.source}"
        if best.standard_error is not None:
            how += f"; the power there is {fixed(best.power, 3)} (Monte Carlo error {fixed(best.standard_error, 3)})"
        said.append(f"{how}.")
        if self.detectable is not None:
            said.append(f"As many as now show a difference of {self.quantity.precise(self.detectable)}.")
        return (*said, *self.remarks, "A smaller true difference is likely to be missed.")

    def _head(self) -> str:
        best = self.designs[self.best]
        written = self.quantity.in_full if self.solved == "count" else self.quantity.at(self.difference).amount
        shown = f"a difference of {written(self.difference)} with a probability of {percent(self.target_power)}"
        if best.count is None:
            return (
                f"More than {self.most:,} {self.counted}s would be needed to show {shown}: it is too small to be shown."
            )
        if self.solved == "difference":
            return f"{counted(best.count, self.counted)} that vary like these show {shown}."
        money = f", at a cost of {number(best.cost, 4)}" if best.cost is not None else ""
        times = "once" if best.samples == 1 else f"{best.samples} times"
        tried = f", each tried {times}" if self.counted == "case" else ""
        return f"To show {shown} takes about {best.count:,} {self.counted}s{tried}{self.each}{money}."

    def _range(self) -> list[str]:
        best = self.designs[self.best]
        if best.low is None or best.high is None:
            return []
        return [
            f"A pilot as small as this one ({counted(self.pilot, self.counted)}) tells that number only roughly: from {best.low:,} to "
            f"{best.high:,}, with a confidence of about {percent(CONFIDENCE)}."
        ]

    def columns(self) -> list[dict[str, Any]]:
        """One row per design, without what is not known of any of them."""
        names = {
            "samples": "samples",
            "count": f"{self.counted}s",
            "outcomes": "outcomes",
            "cost": "cost",
            "power": "power",
        }
        shown = [name for name in names if getattr(self.designs[self.best], name) is not None]
        shown = shown if self.counted == "case" else [name for name in shown if name != "samples"]
        test = {"test": self.test} if self.counted == "dataset" else {}  # plans by several tests stand in one table
        return [{**test, **{names[name]: getattr(design, name) for name in shown}} for design in self.designs]
