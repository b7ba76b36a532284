"""McNemar's test, from the predictions of two algorithms on the same cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from podium.cases.binary import DIFFERENCES, exact_pvalues, mid_pvalues, normal_quantile, unconditional_pvalue
from podium.core import check, numbers
from podium.core.arrays import Bools
from podium.core.errors import DataError
from podium.core.quantity import Quantity
from podium.evidence.table import by_label
from podium.stats.pairwise.pair_result import PairResult

METHODS = ("mid-p", "exact", "unconditional")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class McNemarResult(PairResult):
    """McNemar's test of two trained models: wins and losses are the cases that only a, and only b, got right.

    `both` and `neither` count the other cases; the effect is the difference of the accuracies a - b.
    """

    title: ClassVar[str] = "McNemar's test"

    both: int
    neither: int

    def summary_in(self, quantity: Quantity) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"McNemar's test ({self.method}) of {self.a} and {self.b} on {numbers.counted(self.n, 'case')}: only {self.a} is right "
            f"on {self.wins}, only {self.b} on {self.losses}, both on {self.both}, neither on {self.neither}; "
            f"{numbers.format_pvalue(self.pvalue)}; {self._estimate(quantity)}. It speaks of these two trained models on cases like these, "
            "not of the algorithms that trained them. A large p-value would not show that the two are equal, nor a small "
            "one that the difference matters."
        )


def mcnemar(
    y_true: Any,
    pred_a: Any,
    pred_b: Any,
    *,
    method: Literal["mid-p", "exact", "unconditional"] = "mid-p",
    interval: Literal["bonett_price", "tango", "newcombe"] = "bonett_price",
    confidence: float = 0.95,
) -> McNemarResult:
    """Do two trained models err equally often on the same cases?

    The p-value comes from the binomial distribution on the cases that just one gets right. The effect is the difference of the
    accuracies a - b.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The true labels or values. Series are matched by their index.
    pred_a, pred_b : array-like of shape (n_cases,)
        The labels that the two models predict, words or numbers, none missing.
    method : {"mid-p", "exact", "unconditional"}, default "mid-p"
        "mid-p" holds the type I error near the level; "exact" never exceeds it, at a price in power;
        "unconditional" (Suissa and Shuster) never exceeds it either and costs more time.
    interval : {"bonett_price", "tango", "newcombe"}, default "bonett_price"
        The interval of the difference: Bonett and Price's, Tango's score interval, or Newcombe's hybrid of
        Wilson's.
    confidence : float, default 0.95
        Confidence of the interval.

    Returns
    -------
    McNemarResult
        The p-value, the difference of accuracies with its interval, and the cases that only one got right.

    Examples
    --------
    >>> mcnemar([1, 1, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 1]).pvalue
    0.0625
    """
    check.fraction("confidence", confidence)
    check.choice("method", method, METHODS)
    right_a, right_b = _right(y_true, pred_a, pred_b)
    b, c = int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())
    n, both = len(right_a), int((right_a & right_b).sum())
    pvalue = _pvalue(method, b, c, n)
    ends = DIFFERENCES[check.choice("interval", interval, DIFFERENCES)]
    low, high = ends(b, c, n, both, normal_quantile(confidence))
    return McNemarResult(
        test="mcnemar",
        a="a",
        b="b",
        statistic=float(b),
        pvalue=pvalue,
        adjusted=pvalue,
        side=float(np.sign(b - c)),
        alternative="two-sided",
        method=method,
        effect=(b - c) / n,
        low=float(low),
        high=float(high),
        confidence=confidence,
        effect_name="difference of accuracies",
        wins=b,
        ties=n - b - c,
        losses=c,
        n=n,
        both=both,
        neither=n - b - c - both,
        references=(*_REFERENCES[method], *_INTERVALS[interval]),
    )


_REFERENCES = {
    "mid-p": ("mcnemar1947", "fagerland2013", "dietterich1998"),
    "exact": ("mcnemar1947", "dietterich1998"),
    "unconditional": ("suissa1991", "dietterich1998"),
}
_INTERVALS = {"bonett_price": ("bonett2012",), "tango": ("tango1998",), "newcombe": ("newcombe1998",)}


def _pvalue(method: str, b: int, c: int, n: int) -> float:
    if method == "unconditional":
        return unconditional_pvalue(b, c, n)
    return float(exact_pvalues(b, c) if method == "exact" else mid_pvalues(b, c))


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
    return (
        by_label(y_true, pred_a, names=("y_true", "pred_a"), cure=cure),
        by_label(y_true, pred_b, names=("y_true", "pred_b"), cure=cure),
    )


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
            f"`{name}` has values such as {numbers.number(labels[labels % 1 != 0][0], 6)}, which are not labels of `y_true`: "
            "give the predicted labels, not probabilities."
        )


def _refuse_other_coding(name: str, labels: npt.NDArray[Any], truth: npt.NDArray[Any], other: npt.NDArray[Any]) -> None:
    """Labels that cannot be right, unless the other model's show that all are coded in one way."""
    try:
        of_truth, own, others = set(truth.tolist()), set(labels.tolist()), set(other.tolist())
    except TypeError:
        raise DataError("Labels must be words or numbers, one for each case.") from None
    if not (of_truth & own or (of_truth & others and own & others)):
        raise DataError(
            f"`{name}` has no label in common with `y_true` ({truth.tolist()[0]!r} there, {labels.tolist()[0]!r} here): "
            "code both in the same way."
        )
