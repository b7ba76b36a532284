"""The names of the chance room's metrics: `auc`, `best_f1`, `tp10`, ... and what each means."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from podium.core import check
from podium.core.errors import ArgumentError

__all__ = ["KNOWN", "Family", "MetricName", "metric_name"]

Family = Literal["auc", "accuracy", "top", "linear", "mcc", "gmean", "fowlkes_mallows"]

# Other words for a metric, after lower case and with "-", " " and "@" as "_".
_ALIASES = {
    "accuracy": "best_accuracy",
    "acc": "best_accuracy",
    "roc_auc": "auc",
    "best_f": "best_f1",
    "f": "best_f1",
    "f_measure": "best_f1",
    "best_youden": "youden",
    "youden_j": "youden",
    "informedness": "youden",
    "best_balanced_accuracy": "balanced_accuracy",
    "best_mcc": "mcc",
    "best_kappa": "kappa",
    "g_mean": "gmean",
    "best_gmean": "gmean",
}
_PLAIN: dict[str, Family] = {
    "auc": "auc",
    "gini": "auc",
    "best_accuracy": "accuracy",
    "youden": "linear",
    "ks": "linear",
    "balanced_accuracy": "linear",
    "kappa": "linear",
    "mcc": "mcc",
    "gmean": "gmean",
    "fowlkes_mallows": "fowlkes_mallows",
    "r_precision": "top",
}
KNOWN = (*_PLAIN, "best_f1", "weighted_accuracy5", "tp10", "precision10", "recall10", "lift10")
_F_BETA = re.compile(r"(?:best_)?f_?(\d+(?:\.\d+)?)")
_WEIGHTED = re.compile(r"weighted_accuracy_?(\d+(?:\.\d+)?)")
_TOP = re.compile(r"(tp|precision|recall|lift)(?:_at)?_?(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricName:
    """A metric of the chance room: its canonical name, the family of its null law, and its parameters."""

    name: str
    family: Family
    base: str
    """The name without its number: "best_f" for best_f1, "tp" for tp10."""
    beta: Fraction = Fraction(1)
    """Beta of F_beta, or the weight of a positive in the weighted accuracy."""
    n: int = 0
    """How many top cases are looked at, for the metrics of the top n; 0 means as many as there are positives."""


def metric_name(metric: str) -> MetricName:
    """Understand the name of a metric.

    >>> metric_name("F1").name, metric_name("TP@10").n, metric_name("best_f0.5").beta
    ('best_f1', 10, Fraction(1, 2))
    """
    if not isinstance(metric, str):
        raise ArgumentError(f"`metric` must be a name such as 'auc' or 'tp10'; got {metric!r}.")
    key = re.sub(r"[-\s@]+", "_", metric.strip().lower())
    key = _ALIASES.get(key, key)
    if key in _PLAIN:
        return MetricName(name=key, family=_PLAIN[key], base=key)
    if found := _F_BETA.fullmatch(key):
        return _f_beta(found[1])
    if found := _WEIGHTED.fullmatch(key):
        weight = _parameter("the weight of", metric, found[1])
        return MetricName(name=f"weighted_accuracy{found[1]}", family="linear", base="weighted_accuracy", beta=weight)
    if found := _TOP.fullmatch(key):
        n = check.count("n", int(found[2]))
        return MetricName(name=f"{found[1]}{n}", family="top", base=found[1], n=n)
    if key in ("average_precision", "ndcg"):
        raise ArgumentError(f"{metric!r} has no exact law here: use `podium.chance.simulated_critical_value`.")
    near = difflib.get_close_matches(key, KNOWN, n=1, cutoff=0.7)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(KNOWN)}, with any number."
    raise ArgumentError(f"There is no chance metric {metric!r}: {hint}")


def _f_beta(digits: str) -> MetricName:
    return MetricName(
        name=f"best_f{digits}", family="linear", base="best_f", beta=_parameter("beta of", f"f{digits}", digits)
    )


def _parameter(what: str, metric: str, digits: str) -> Fraction:
    """A positive decimal with at most three digits after the point: larger denominators would overflow."""
    value = Fraction(digits)
    if value <= 0 or value > 1000 or value.denominator > 1000:
        raise ArgumentError(
            f"For {metric!r}, {what} the metric must lie above 0, at most 1000, with at most 3 decimals; got {digits}."
        )
    return value
