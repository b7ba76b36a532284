"""Paired scores on one dataset: one score per repeat and fold, none missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import DataError, DesignError
from podium.core.ranks import settle
from podium.core.table import by_label

__all__ = ["five_by_two", "fold_differences", "fold_scores"]

Floats = npt.NDArray[np.float64]


def fold_scores(name: str, values: Any) -> Floats:
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


def fold_differences(x: Any, y: Any) -> Floats:
    """x - y with float noise rounded away, in the shape given; the folds must be the same.

    Series and DataFrames are paired by their labels, not by position.
    """
    y = by_label(x, y, names=("x", "y"), cure="give scores on the same folds")
    first, second = fold_scores("x", x), fold_scores("y", y)
    if first.shape != second.shape:
        raise DesignError(
            f"`x` and `y` must have the same repeats and folds to be paired; their shapes are "
            f"{first.shape} and {second.shape}."
        )
    if first.size < 2:
        raise DataError(f"At least 2 folds are needed; there {'is' if first.size == 1 else 'are'} {first.size}.")
    scale = max(float(np.abs(first).max()), float(np.abs(second).max()))
    return settle(first - second, scale=scale)


def five_by_two(x: Any, y: Any) -> Floats:
    """The differences of a design of five repeats of two folds; any other design is refused."""
    differences = fold_differences(x, y)
    if differences.shape != (5, 2):
        raise DesignError(
            "The 5x2 cv tests need 5 repeats of 2-fold cross-validation, as arrays of shape (5, 2); "
            f"got shape {differences.shape}: use `corrected_t` for other designs."
        )
    return differences
