"""The metrics of the chance room: what exists, what it is called, and where its law lives. Plain data.

A new metric is one file with its law and one entry here; commands, pages, tables and documentation read this list.
"""

from __future__ import annotations

import difflib
import importlib
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from podium.core import check
from podium.core.errors import ArgumentError

# Where a list of metrics is wanted and none is given.
Place = Literal["table", "grid", "plan", "curves"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric; higher is better for all of them."""

    name: str
    """Without its number: "tp" for tp10."""
    home: str
    """module:name of its law (a NullDistribution), or of the function that scores orderings if it is simulated."""
    label: str
    """How a figure calls it; {number} stands for its number."""
    about: str
    needs: Literal["ranking", "top", "thresholds"]
    """The whole ranking, its top n cases, or the best threshold of all."""
    exact: bool = True
    """False: no exact law is known, critical values are simulated."""
    number: Literal["", "n", "beta", "weight"] = ""
    """What the number behind the name means; empty if there is none."""
    example: str = ""
    """A number to show it with."""
    implied: str = ""
    """The number that is meant where none is given."""
    aliases: tuple[str, ...] = ()
    usual: tuple[Place, ...] = ()
    direction: Literal["higher"] = "higher"
    references: tuple[str, ...] = ("forman2005",)

    @property
    def shown(self) -> str:
        """The name as one would type it: "auc", "tp10"."""
        return self.name + self.example

    def load(self) -> Any:
        """The law, or the function that scores orderings."""
        module, _, name = self.home.partition(":")
        return getattr(importlib.import_module(module), name)


_THRESHOLDS = "podium.chance.thresholds"
_TOP: dict[str, Any] = {"home": "podium.chance.top:TopLaw", "needs": "top", "number": "n", "example": "10"}

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(name="auc", home="podium.chance.auc:AucLaw", label="AUC", needs="ranking", aliases=("roc_auc",),
               about="area under the ROC curve", usual=("table", "grid", "plan", "curves")),
        Metric(name="gini", home="podium.chance.auc:GiniLaw", label="Gini", needs="ranking", about="2 AUC - 1"),
        Metric(name="best_accuracy", home="podium.chance.accuracy:AccuracyLaw", label="best accuracy",
               needs="thresholds", about="share of cases classified rightly", aliases=("accuracy", "acc"),
               usual=("table", "grid", "plan", "curves")),
        Metric(name="best_f", home=f"{_THRESHOLDS}:BestF", label="best F{number}", needs="thresholds",
               about="F-measure, beta weighting recall", number="beta", example="1", implied="1",
               aliases=("f", "f_measure"), usual=("table", "grid", "plan", "curves")),
        Metric(name="youden", home=f"{_THRESHOLDS}:Youden", label="Youden's J", needs="thresholds",
               about="true positive rate - false positive rate", aliases=("best_youden", "youden_j", "informedness")),
        Metric(name="ks", home=f"{_THRESHOLDS}:Youden", label="Kolmogorov-Smirnov", needs="thresholds",
               about="largest distance of the classes' score distributions, which is Youden's J"),
        Metric(name="balanced_accuracy", home=f"{_THRESHOLDS}:BalancedAccuracy", label="best balanced accuracy",
               needs="thresholds", about="mean of both classes' recall", aliases=("best_balanced_accuracy",)),
        Metric(name="weighted_accuracy", home=f"{_THRESHOLDS}:WeightedAccuracy", label="best accuracy, weight {number}",
               needs="thresholds", about="accuracy where a positive counts so many times", number="weight",
               example="5"),
        Metric(name="kappa", home=f"{_THRESHOLDS}:Kappa", label="best kappa", needs="thresholds",
               about="Cohen's kappa", aliases=("best_kappa",)),
        Metric(name="mcc", home=f"{_THRESHOLDS}:Mcc", label="best MCC", needs="thresholds",
               about="Matthews' correlation coefficient", aliases=("best_mcc",)),
        Metric(name="gmean", home=f"{_THRESHOLDS}:GMean", label="best G-mean", needs="thresholds",
               about="geometric mean of both classes' recall", aliases=("g_mean", "best_gmean")),
        Metric(name="fowlkes_mallows", home=f"{_THRESHOLDS}:FowlkesMallows", label="best Fowlkes-Mallows",
               needs="thresholds", about="geometric mean of precision and recall"),
        Metric(name="tp", label="true positives in the top {number}", about="true positives in the top n", **_TOP,
               usual=("grid", "plan")),
        Metric(name="precision", label="precision at {number}", about="share of positives in the top n", **_TOP),
        Metric(name="recall", label="recall at {number}", about="share of all positives that are in the top n", **_TOP),
        Metric(name="lift", label="lift at {number}", about="precision in the top n over that of chance", **_TOP),
        Metric(name="r_precision", home="podium.chance.top:TopLaw", label="R-precision", needs="top",
               about="precision in as many top cases as there are positives"),
        Metric(name="average_precision", home="podium.chance.simulate:average_precision", label="average precision",
               needs="ranking", about="mean of the precision at each positive", exact=False),
        Metric(name="ndcg", home="podium.chance.simulate:ndcg", label="NDCG", needs="ranking",
               about="normalised discounted cumulative gain", exact=False),
    )
}  # fmt: skip


def names(*, exact: bool | None = None) -> tuple[str, ...]:
    """The names as one would type them; only those with an exact law, or only those without."""
    return tuple(metric.shown for metric in METRICS.values() if exact in (None, metric.exact))


def usual(place: Place) -> tuple[str, ...]:
    """The metrics that a table, a grid, a plan or a chart of curves shows unless others are asked for."""
    return tuple(metric.shown for metric in METRICS.values() if place in metric.usual)


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricName:
    """A metric with its number."""

    name: str
    metric: Metric
    number: Fraction = Fraction(0)

    @property
    def n(self) -> int:
        """How many top cases are looked at; 0 if their number is not in the name."""
        return int(self.number) if self.metric.number == "n" else 0


def label_of(metric: str) -> str:
    """How a figure calls a metric.

    >>> label_of("best_f1"), label_of("AUC")
    ('best F1', 'AUC')
    """
    found = metric_name(metric)
    return found.metric.label.format(number=found.name.removeprefix(found.metric.name))


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
    typed = re.sub(r"[-\s@]+", "_", metric.strip().lower())
    for entry in METRICS.values():
        stems = "|".join((entry.name, *entry.aliases))
        if found := re.fullmatch(f"(?:{stems}){_NUMBERS[entry.number]}", typed):
            return _named(entry, found[1], metric)
        if entry.implied and re.fullmatch(stems, typed):
            return _named(entry, entry.implied, metric)
    words = {word: entry.shown for entry in METRICS.values() for word in (entry.name, entry.shown, *entry.aliases)}
    near = difflib.get_close_matches(typed, words, n=1, cutoff=0.7)
    hint = (
        f"did you mean {words[near[0]]!r}?" if near else f"there are {', '.join(names(exact=True))}, with any number."
    )
    raise ArgumentError(f"There is no chance metric {metric!r}: {hint}")


def _named(entry: Metric, digits: str, metric: str) -> MetricName:
    """Numbers have at most three decimals: larger denominators would overflow."""
    if not entry.exact:
        raise ArgumentError(f"{metric!r} has no exact law here: use `podium.chance.simulated_critical_value`.")
    if entry.number == "n":
        digits = str(check.count("n", int(digits)))
    value = Fraction(digits or 0)
    if entry.number in ("beta", "weight") and not (0 < value <= 1000 and value.denominator <= 1000):
        raise ArgumentError(
            f"The {entry.number} in {metric!r} must lie above 0, at most 1000, with at most 3 decimals; got {digits}."
        )
    return MetricName(name=entry.name + digits, metric=entry, number=value)
