"""Paired scores on one dataset: one score per repeat and fold, none missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError, DesignError
from podium.core.ranks import differences
from podium.evidence.design import Design, as_design
from podium.evidence.table import by_label
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, pair_result


def run_folds(
    name: str,
    x: Any,
    y: Any,
    *,
    confidence: float,
    design: Design | None = None,
    test_fraction: float | None = None,
    alternative: str = "two-sided",
) -> PairResult:
    """A test on the folds of one dataset, by its name: from scores of two algorithms to the result."""
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    method, gains = registry.PAIRWISE[name], _fold_differences(x, y)
    if method.design == "one repeat" and gains.ndim == 1:
        gains = gains[None]
    options = {"alternative": alternative, "design": _design(gains.shape, design, test_fraction)}
    return pair_result(method, gains, options, confidence=confidence)


def five_by_two(design: Design | None, n: int) -> None:
    """Refuse any other design than five repeats of two folds."""
    if n != 10 or (design is not None and not design.is_5x2):
        got = f"{n} scores" if design is None else f"{design.repeats} x {design.folds}"
        raise DesignError(
            "The 5x2 cv tests need 5 repeats of 2-fold cross-validation, as arrays of shape (5, 2); "
            f"these scores have {got}: use `corrected_t` for other designs."
        )


def within_repeats(differences: Floats) -> Floats:
    """2 sum s_i^2 of differences (..., 10), as s_i^2 = (d_i1 - d_i2)^2 / 2 for the two folds of repeat i."""
    return np.asarray(np.square(differences[..., 0::2] - differences[..., 1::2]).sum(axis=-1))


def _fold_scores(name: str, values: Any) -> Floats:
    """Scores as a flat array or (repeats, folds), all present."""
    scores = check.floats(name, values, ragged="repeats with unequal numbers of folds")
    if scores.ndim not in (1, 2):
        got = f"got {check.shown(values)}" if scores.ndim == 0 else f"it has {scores.ndim} dimensions"
        raise DataError(f"`{name}` must be the scores of folds, as a list or as rows of repeats; {got}.")
    scores = check.numbers(name, scores, ndim=scores.ndim)
    if np.isnan(scores).any():
        where = tuple(int(i) for i in np.argwhere(np.isnan(scores))[0])
        raise DesignError(f"`{name}` lacks the score at index {where}: tests on one dataset need every fold.")
    return scores


def _fold_differences(x: Any, y: Any) -> Floats:
    """x - y with float noise rounded away, in the shape given; the folds must be the same.

    Series and DataFrames are paired by their labels, not by position.
    """
    y = by_label(x, y, names=("x", "y"), cure="give scores on the same folds")
    first, second = _fold_scores("x", x), _fold_scores("y", y)
    if first.shape != second.shape:
        raise DesignError(
            f"`x` and `y` must have the same repeats and folds to be paired; their shapes are "
            f"{first.shape} and {second.shape}."
        )
    if first.size < 2:
        raise DataError(f"At least 2 folds are needed; there {'is' if first.size == 1 else 'are'} {first.size}.")
    return differences(first.ravel(), second.ravel()).reshape(first.shape)


def _design(shape: tuple[int, ...], design: Design | None, test_fraction: float | None) -> Design:
    """The design of the scores, from what was said and from their shape: flat scores are repeats of one split."""
    if test_fraction is not None:
        check.fraction("test_fraction", test_fraction)
    if design is None:
        repeats, folds = shape if len(shape) == 2 else (shape[0], 1)
        return Design(repeats=repeats, folds=folds, test_fraction=test_fraction)
    if test_fraction is not None:
        raise DesignError("Give `design` or `test_fraction`, not both: a design has its own share of test cases.")
    return as_design(design, shape)
