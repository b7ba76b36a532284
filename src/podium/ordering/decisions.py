"""Pairwise decisions on one dataset: which algorithm is significantly better than which."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.design import Design
from podium.core.errors import DesignError
from podium.core.ranks import subtract

__all__ = ["FOLD_TESTS", "PairTest", "significantly_better"]

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
PairTest = str | Callable[[Floats, Floats], Any]

FOLD_TESTS = ("cv52_f", "cv52_t", "corrected_t", "kfold_t", "paired_t", "wilcoxon", "sign")


def significantly_better(gains: Floats, *, test: PairTest, alpha: float, design: Design) -> Bools:
    """`[i, j]` is true where i is significantly better than j, from their gains (algorithm, repeat, fold).

    Tests with sides are asked one-sidedly, whether i is better than j. The 5x2 cv F test has no sides: as in
    Ulas et al. (2008) it must reject at alpha and the better mean decides whose win it is.
    """
    if test == "cv52_f":
        return _by_cv52_f(gains, alpha, design)
    pvalue = _one_sided_pvalue(test, design)
    k = len(gains)
    better = np.zeros((k, k), dtype=bool)
    for i in range(k):
        for j in range(k):
            if i != j:
                better[i, j] = pvalue(gains[i], gains[j]) < alpha
    return better


def _by_cv52_f(gains: Floats, alpha: float, design: Design) -> Bools:
    from podium.stats.pairwise.cv52_f import cv52_f_statistics

    if not design.is_5x2:
        raise DesignError(
            f"The 5x2 cv F test needs 5 repeats of 2 folds; there are {design.repeats} x {design.folds}: "
            "choose another test, such as 'corrected_t'."
        )
    differences = subtract(gains[:, None], gains[None, :])
    _, pvalues = cv52_f_statistics(differences)
    decided: Bools = (pvalues < alpha) & (differences.mean(axis=(-2, -1)) > 0)
    return decided


def _one_sided_pvalue(test: PairTest, design: Design) -> Callable[[Floats, Floats], float]:
    """A function (x, y) -> p-value of "x is better than y"."""
    if callable(test):
        return lambda x, y: _sided(test, x, y)
    from podium import stats

    name = check.choice("test", test, FOLD_TESTS)
    function = getattr(stats, name)
    if name == "corrected_t":
        return lambda x, y: float(function(x, y, test_fraction=design.rho, alternative="greater").pvalue)
    if name == "cv52_t":
        return lambda x, y: float(function(x, y, alternative="greater").pvalue)
    return lambda x, y: float(function(x.ravel(), y.ravel(), alternative="greater").pvalue)


def _sided(test: Callable[..., Any], x: Floats, y: Floats) -> float:
    """A user's test: asked one-sidedly if it takes `alternative`, else two-sidedly with the better mean winning."""
    if "alternative" in inspect.signature(test).parameters:
        result = test(x, y, alternative="greater")
    elif x.mean() > y.mean():
        result = test(x, y)
    else:
        return 1.0
    return float(getattr(result, "pvalue", result))
