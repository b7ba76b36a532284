"""The metrics of the chance room: what exists, what it is called, and where its law lives. Plain data.

A new metric is one file with its law and one entry in `registry.toml`; commands, pages, tables and documentation read this list.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any, Literal

from podium.core.errors import ArgumentError
from podium.core.registry import entries, read_toml

# The level of the whole room unless another is asked for: that of the tables and charts of Forman and Cohen (2005, "conventionally
# 0.01"), so that a single value and a cell of a table are the same number. A winner is praised after many were tried.
LEVEL = 0.01

# Where a list of metrics is wanted and none is given.
Place = Literal["table", "plan", "curves"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceMetric:
    """One metric."""

    name: str
    """Without its number: "tp" for tp10."""
    home: str
    """module:name of its null distribution here (a NullDistribution), or of the function that scores orderings if it is simulated."""
    label: str
    """How a figure calls it; {number} stands for its number."""
    about: str
    needs: Literal["ranking", "top", "thresholds"]
    """The whole ranking, its top n cases, or the best threshold of all."""
    exact: bool = True
    """False: no exact null distribution is known, critical values are simulated."""
    number: Literal["", "n", "beta", "weight"] = ""
    """What the number behind the name means; empty if there is none."""
    example: str = ""
    """A number to show it with."""
    implied: str = ""
    """The number that is meant where none is given."""
    aliases: tuple[str, ...] = ()
    usual: tuple[Place, ...] = ()
    direction: Literal["higher", "lower"] = "higher"
    references: tuple[str, ...] = ("forman2005",)

    @property
    def shown(self) -> str:
        """The name as one would type it: "auc", "tp10"."""
        return self.name + self.example

    @property
    def sign(self) -> int:
        """1 where higher is better, -1 where lower is."""
        return 1 if self.direction == "higher" else -1

    def load(self) -> Any:
        """The law, or the function that scores orderings."""
        return resolve_name(f"podium.chance.{self.home}")


METRICS = entries(ChanceMetric, read_toml("chance", "registry.toml"))


def names(*, exact: bool | None = None) -> tuple[str, ...]:
    """The names as one would type them; only those with an exact law, or only those without."""
    return tuple(metric.shown for metric in METRICS.values() if exact in (None, metric.exact))


def usual(place: Place) -> tuple[str, ...]:
    """The metrics that a table, a plan or a chart of curves shows unless others are asked for."""
    return tuple(metric.shown for metric in METRICS.values() if place in metric.usual)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricName:
    """A metric with its number."""

    name: str
    metric: ChanceMetric
    number: Fraction = Fraction(0)

    @property
    def n(self) -> int:
        """How many top cases are looked at; 0 if their number is not in the name."""
        return int(self.number) if self.metric.number == "n" else 0


def beats(metric: str) -> str:
    """What a winner's score must do to a critical value, for a sentence."""
    return "exceeds" if metric_name(metric).metric.sign > 0 else "falls below"


def label_of(metric: str) -> str:
    """How a figure calls a metric.

    >>> label_of("best_f1"), label_of("AUC")
    ('best F1', 'AUC')
    """
    named = metric_name(metric)
    return named.metric.label.format(number=named.name.removeprefix(named.metric.name))


def metric_name(metric: str) -> MetricName:
    """Understand the name of a metric with an exact law.

    >>> metric_name("F1").name, metric_name("TP@10").n, metric_name("best_f0.5").number
    ('best_f1', 10, Fraction(1, 2))
    """
    if not isinstance(metric, str):
        raise ArgumentError(f"`metric` must be a name such as 'auc' or 'tp10'; got {metric!r}.")
    return _understood(metric)


_DECIMAL = r"_?(\d+(?:\.\d+)?)"
_NUMBERS = {"": "()", "n": r"(?:_at)?_?(\d+)", "beta": _DECIMAL, "weight": _DECIMAL}


@lru_cache(maxsize=256)
def _understood(metric: str) -> MetricName:
    from podium.core.metric import usual_name  # numpy comes with it, and the help of every command loads this module

    typed = usual_name(re.sub(r"[-\s@]+", "_", metric.strip().lower()))
    for entry in METRICS.values():
        stems = "|".join((entry.name, *entry.aliases))
        if match := re.fullmatch(f"(?:{stems}){_NUMBERS[entry.number]}", typed):
            return _named(entry, match[1], metric)
        if entry.implied and re.fullmatch(stems, typed):
            return _named(entry, entry.implied, metric)
    words = {word: entry.shown for entry in METRICS.values() for word in (entry.name, entry.shown, *entry.aliases)}
    near = difflib.get_close_matches(typed, words, n=1, cutoff=0.7)
    hint = (
        f"did you mean {words[near[0]]!r}?" if near else f"there are {', '.join(names(exact=True))}, with any number."
    )
    raise ArgumentError(f"Unknown chance metric {metric!r}: {hint}")


def _named(entry: ChanceMetric, digits: str, metric: str) -> MetricName:
    """Numbers have at most three decimals: larger denominators would overflow."""
    if not entry.exact:
        raise ArgumentError(f"{metric!r} has no exact distribution here: use `podium.chance.simulated_critical_value`.")
    if entry.number == "n":
        digits = str(int(digits))
    value = Fraction(digits or 0)
    if entry.number == "n" and value == 0:
        raise ArgumentError(f"The number in {metric!r} must be at least 1.")
    if entry.number in ("beta", "weight") and not (0 < value <= 1000 and value.denominator <= 1000):
        raise ArgumentError(
            f"The {entry.number} in {metric!r} must lie above 0, at most 1000, with at most 3 decimals; got {digits}."
        )
    return MetricName(name=entry.name + digits, metric=entry, number=value)
