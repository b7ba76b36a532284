"""ROC and precision-recall curves of scores, point by point."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Bools, Floats


def roc_points(truth: Bools, scores: Floats) -> Floats:
    """Rows of false positive rate and true positive rate, from (0, 0) to (1, 1); equal scores are one step.

    >>> roc_points(np.array([True, False, True]), np.array([0.9, 0.5, 0.4])).tolist()
    [[0.0, 0.0], [0.0, 0.5], [1.0, 0.5], [1.0, 1.0]]
    """
    right, wrong = _steps(truth, scores)
    points = np.column_stack([wrong / max(wrong[-1], 1), right / max(right[-1], 1)])
    return np.vstack([[0.0, 0.0], points])


def pr_points(truth: Bools, scores: Floats) -> Floats:
    """Rows of recall and precision, from the highest score down; average precision is the area under these steps.

    >>> pr_points(np.array([True, False, True]), np.array([0.9, 0.5, 0.4])).round(3).tolist()
    [[0.5, 1.0], [0.5, 0.5], [1.0, 0.667]]
    """
    right, wrong = _steps(truth, scores)
    return np.column_stack([right / max(right[-1], 1), right / (right + wrong)])


def _steps(truth: Bools, scores: Floats) -> tuple[Floats, Floats]:
    """How many positives and negatives have at least each score, from the highest down."""
    order = np.argsort(-scores, kind="stable")
    last = np.flatnonzero(np.r_[np.diff(scores[order]) != 0, True])
    right = np.cumsum(truth[order]).astype(np.float64)[last]
    return right, last + 1.0 - right
