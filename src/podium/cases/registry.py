"""Which metrics of predictions there are: what each needs, which direction is better, and who computes its influence.

A new one is a function of `Counts` or of (truth, predictions) in `influence.py` or `losses.py`, and an entry in `registry.toml`;
its home is there where it is not the function of that name in `influence.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any

from podium.core import check
from podium.core.metric import Direction, Metric, usual_name
from podium.core.registry import entries, read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMetric:
    """One metric of predictions.

    `needs` is "labels", "scores" (higher means more positive), "probabilities" or "numbers". `kind` says how its influence
    values come about: "counts" (of a confusion matrix), "mean" (a loss of each case), or "ranks" and "sums" (own functions
    of truth and predictions). `two_classes` metrics need a positive class.
    """

    name: str
    phrase: str
    needs: str
    kind: str
    home: str = ""
    direction: Direction = "higher"
    two_classes: bool = False

    @property
    def metric(self) -> Metric:
        """Name and direction, as results carry them."""
        return Metric(name=self.name, direction=self.direction)

    def function(self) -> Callable[..., Any]:
        """Its function, imported now."""
        function: Callable[..., Any] = resolve_name(f"podium.cases.{self.home or f'influence:{self.name}'}")
        return function


METRICS = entries(CaseMetric, read_toml("cases", "registry.toml"))


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTest:
    """A test on cases: its name at the start of a sentence, how a paper tells of it, and what it rests on."""

    name: str
    label: str
    phrase: str
    references: tuple[str, ...]


TESTS = entries(CaseTest, read_toml("cases", "tests.toml"))


def case_metric(name: Any) -> CaseMetric:
    """The metric of that name."""
    return METRICS[check.choice("metric", usual_name(name), METRICS)]
