"""McNemar's test, from the predictions of two algorithms on the same cases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats, Ints
from podium.core.errors import DataError
from podium.core.numbers import number
from podium.core.table import by_label
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, Tested, pair_result
from podium.stats.pairwise.sign import sign_pvalues


def kernel(differences: Floats, *, method: str = "auto", continuity: bool = True) -> Tested:
    """McNemar's test of cases (..., n): 1 where only a is right, -1 where only b is, 0 where both are or neither.

    `statistic` is the number that only a got right where the method is exact, and chi-square where it is asymptotic.
    """
    check.choice("method", method, ("auto", "exact", "asymptotic"))
    check.flag("continuity", continuity)
    only_a, only_b = (differences > 0).sum(axis=-1), (differences < 0).sum(axis=-1)
    side = np.sign(only_a - only_b).astype(np.float64)
    if method == "asymptotic":
        statistic, pvalue = _chi_square(only_a, only_b, continuity)
        details = {"continuity": continuity}
        return Tested(
            statistic=statistic, pvalue=pvalue, side=side, turned=statistic, method="asymptotic", details=details
        )
    return Tested(
        statistic=only_a.astype(np.float64),
        pvalue=sign_pvalues(only_a, only_b, "two-sided"),
        side=side,
        turned=only_b.astype(np.float64),
        method="exact",
    )


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The difference of accuracies with Wald's interval, half a case added to each of the four cells."""
    from scipy.special import ndtri

    only_a, only_b = (differences > 0).sum(axis=-1), (differences < 0).sum(axis=-1)
    n = (~np.isnan(differences)).sum(axis=-1)
    a, b, total = only_a + 0.5, only_b + 0.5, n + 2.0
    centre = (a - b) / total
    half = float(ndtri(0.5 + confidence / 2)) * np.sqrt(np.maximum(a + b - (a - b) ** 2 / total, 0.0)) / total
    return (only_a - only_b) / n, np.maximum(centre - half, -1.0), np.minimum(centre + half, 1.0)


def mcnemar(
    y_true: Any,
    pred_a: Any,
    pred_b: Any,
    *,
    method: str = "auto",
    continuity: bool = True,
    confidence: float = 0.95,
) -> PairResult:
    """Do two trained models err equally often on the same cases?

    Exact (binomial on the cases where just one is right), or by chi-square with or without `continuity` correction.
    The effect is the difference of the accuracies a - b, its interval Wald's with Agresti and Min's half counts.
    Labels are words or numbers, none missing; Series are matched by their index, not by position. Wins and losses are
    the cases that only a and only b got right; `details` has how many `both` and `neither` did.

    >>> mcnemar([1, 1, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 1]).pvalue
    0.125
    """
    check.fraction("confidence", confidence)
    right_a, right_b = _right(y_true, pred_a, pred_b)
    counts = {"both": int((right_a & right_b).sum()), "neither": int((~right_a & ~right_b).sum())}
    cases, options = right_a.astype(np.float64) - right_b, {"method": method, "continuity": continuity}
    result = pair_result(registry.PAIRWISE["mcnemar"], cases, options, confidence=confidence)
    return replace(result, a="a", b="b", details={**result.details, **counts})


def _right(y_true: Any, pred_a: Any, pred_b: Any) -> tuple[Bools, Bools]:
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


def _equal(truth: npt.NDArray[Any], labels: npt.NDArray[Any]) -> Bools:
    """Which labels are the true ones; words and numbers are never equal."""
    words = [array.dtype.kind in "USO" for array in (truth, labels)]
    if words[0] != words[1]:
        return np.asarray(truth.astype(object) == labels.astype(object), dtype=np.bool_)
    return np.asarray(truth == labels, dtype=np.bool_)


def _refuse_probabilities(name: str, labels: npt.NDArray[Any], truth: npt.NDArray[Any]) -> None:
    if labels.dtype.kind == "f" and truth.dtype.kind in "fiub" and (labels % 1).any() and not (truth % 1).any():
        raise DataError(
            f"`{name}` has values such as {number(labels[labels % 1 != 0][0], 6)}, which are no labels of `y_true`: "
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


def _chi_square(only_a: Ints, only_b: Ints, continuity: bool) -> tuple[Floats, Floats]:
    """(|b - c| - 1)^2 / (b + c) with continuity correction, p from one degree of freedom; no such case gives p = 1."""
    from scipy.special import erfc

    total = only_a + only_b
    excess = np.maximum(np.abs(only_a - only_b) - (1 if continuity else 0), 0)
    statistic = excess**2 / np.maximum(total, 1)
    return statistic, np.where(total == 0, 1.0, erfc(np.sqrt(statistic / 2)))
