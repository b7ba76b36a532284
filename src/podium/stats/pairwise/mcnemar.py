"""McNemar's test, from the predictions of two algorithms on the same cases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import DataError
from podium.core.table import by_label
from podium.stats.pairwise.pair_result import PairResult, say_pvalue
from podium.stats.pairwise.sign import sign_pvalues

__all__ = ["McNemarResult", "mcnemar"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class McNemarResult(PairResult):
    """McNemar's test on one test set: how many cases only a, only b, both or neither got right.

    `statistic` is the number that only a got right where the method is exact, and chi-square where it is asymptotic.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    continuity: bool
    references: tuple[str, ...] = ("mcnemar1947", "dietterich1998")

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"McNemar's test on {self.n} cases ({self.method}): {self.only_a} only a got right, {self.only_b} only b, "
            f"{say_pvalue(self.pvalue)}; {self._estimate()}. It speaks of these two trained models on this test "
            f"set, not of the algorithms that trained them. {self._caution()}"
        )


def mcnemar(
    y_true: Any,
    pred_a: Any,
    pred_b: Any,
    *,
    method: str = "auto",
    continuity: bool = True,
    confidence: float = 0.95,
) -> McNemarResult:
    """Do two trained models err equally often on the same cases?

    Exact (binomial on the cases where just one is right), or by chi-square with or without `continuity` correction.
    The effect is the difference of the accuracies a - b, its interval Wald's with Agresti and Min's half counts.
    Labels are words or numbers, none missing; Series are matched by their index, not by position.

    >>> mcnemar([1, 1, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 1]).pvalue
    0.125
    """
    check.choice("method", method, ("auto", "exact", "asymptotic"))
    check.flag("continuity", continuity)
    check.fraction("confidence", confidence)
    right_a, right_b = _right(y_true, pred_a, pred_b)
    only_a, only_b = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    asymptotic = method == "asymptotic"
    if asymptotic:
        statistic, pvalue = _chi_square(only_a, only_b, continuity)
    else:
        statistic, pvalue = float(only_a), float(sign_pvalues(only_a, only_b, "two-sided"))
    low, high = _interval(only_a, only_b, len(right_a), confidence)
    return McNemarResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative="two-sided",
        method="asymptotic" if asymptotic else "exact",
        effect=(only_a - only_b) / len(right_a),
        low=low,
        high=high,
        confidence=confidence,
        effect_name="difference of accuracies",
        n=len(right_a),
        missing=0,
        both=int((right_a & right_b).sum()),
        only_a=only_a,
        only_b=only_b,
        neither=int((~right_a & ~right_b).sum()),
        continuity=asymptotic and continuity,
    )


def _right(y_true: Any, pred_a: Any, pred_b: Any) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which cases each model got right."""
    pred_a, pred_b = _in_order(y_true, pred_a, pred_b)
    truth, a, b = _labels("y_true", y_true), _labels("pred_a", pred_a), _labels("pred_b", pred_b)
    if truth.ndim != 1 or not truth.shape == a.shape == b.shape:
        raise DataError(
            "`y_true`, `pred_a` and `pred_b` must be labels of the same cases; their shapes are "
            f"{truth.shape}, {a.shape} and {b.shape}."
        )
    if len(truth) == 0:
        raise DataError("There is no case to compare the predictions on.")
    right_a, right_b = _equal(truth, a), _equal(truth, b)
    for name, labels, right, other in (("pred_a", a, right_a, b), ("pred_b", b, right_b, a)):
        _refuse_probabilities(name, labels, truth)
        if not right.any():
            _refuse_other_coding(name, labels, truth, other)
    return right_a, right_b


def _in_order(y_true: Any, pred_a: Any, pred_b: Any) -> tuple[Any, Any]:
    """The predictions in the order of the cases, where they have an index."""
    cure = "give predictions of the same cases"
    if not hasattr(y_true, "reindex"):
        again = by_label(pred_a, pred_b, names=("pred_a", "pred_b"), cure=cure)
        if again is not pred_b:
            raise DataError(
                "`pred_a` and `pred_b` have the same index in different orders and `y_true` has none: "
                "give `y_true` its index too."
            )
    found = [
        by_label(y_true, labels, names=("y_true", name), cure=cure)
        for name, labels in (("pred_a", pred_a), ("pred_b", pred_b))
    ]
    return found[0], found[1]


def _labels(name: str, values: Any) -> npt.NDArray[Any]:
    """One label per case, none missing; words and numbers side by side stay what they are."""
    try:
        labels = np.asarray(values)
        if labels.dtype.kind in "US" and not isinstance(values, np.ndarray):
            labels = np.asarray(values, dtype=object)  # a nan among words must not become the word 'nan'
    except ValueError:
        raise DataError(f"`{name}` must be one label per case; it has rows of unequal length.") from None
    if labels.dtype.kind == "O":
        from pandas import isna

        missing = bool(np.any(isna(labels)))
    else:
        missing = labels.dtype.kind == "f" and not bool(np.isfinite(labels).all())
    if missing or np.ma.is_masked(values):
        raise DataError(f"`{name}` has a missing or infinite label: leave out that case.")
    return labels


def _equal(truth: npt.NDArray[Any], labels: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which labels are the true ones; words and numbers are never equal."""
    words = [array.dtype.kind in "USO" for array in (truth, labels)]
    if words[0] != words[1]:
        return np.asarray(truth.astype(object) == labels.astype(object), dtype=np.bool_)
    return np.asarray(truth == labels, dtype=np.bool_)


def _refuse_probabilities(name: str, labels: npt.NDArray[Any], truth: npt.NDArray[Any]) -> None:
    if labels.dtype.kind == "f" and truth.dtype.kind in "fiub" and (labels % 1).any() and not (truth % 1).any():
        raise DataError(
            f"`{name}` has values such as {labels[labels % 1 != 0][0]:g}, which are no labels of `y_true`: "
            "give the predicted labels, not probabilities."
        )


def _refuse_other_coding(name: str, labels: npt.NDArray[Any], truth: npt.NDArray[Any], other: npt.NDArray[Any]) -> None:
    """Labels that cannot be right, unless the other model's show that all are coded in one way."""
    try:
        known, given, others = set(truth.tolist()), set(labels.tolist()), set(other.tolist())
    except TypeError:
        raise DataError("Labels must be words or numbers, one for each case.") from None
    if not (known & given or (known & others and given & others)):
        raise DataError(
            f"`{name}` has no label in common with `y_true` ({truth.tolist()[0]!r} there, {labels.tolist()[0]!r} here): "
            "code both in the same way."
        )


def _chi_square(only_a: int, only_b: int, continuity: bool) -> tuple[float, float]:
    """(|b - c| - 1)^2 / (b + c) with continuity correction, p from one degree of freedom; no such case gives p = 1."""
    if only_a + only_b == 0:
        return 0.0, 1.0
    excess = max(abs(only_a - only_b) - (1 if continuity else 0), 0)
    statistic = excess**2 / (only_a + only_b)
    return statistic, math.erfc(math.sqrt(statistic / 2))


def _interval(only_a: int, only_b: int, n: int, confidence: float) -> tuple[float, float]:
    """Wald's interval for the difference of paired proportions, with half a case added to each of the four cells."""
    from scipy.special import ndtri

    a, b, total = only_a + 0.5, only_b + 0.5, n + 2.0
    centre = (a - b) / total
    half = float(ndtri(0.5 + confidence / 2)) * math.sqrt(max(a + b - (a - b) ** 2 / total, 0.0)) / total
    return max(centre - half, -1.0), min(centre + half, 1.0)
