"""Metrics that are means over cases: the value of each case."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats

SMALLEST = float(np.finfo(np.float64).eps)  # probabilities are kept this far from 0, as scikit-learn does


def right(truth: npt.NDArray[Any], labels: npt.NDArray[Any]) -> Floats:
    """1 where the label is the true one."""
    return np.asarray(labels == truth[:, None], dtype=np.float64)


def log_loss(truth: npt.NDArray[np.bool_], probabilities: Floats) -> Floats:
    """Minus the logarithm of the probability of what happened, from the probability of the positive class."""
    kept = np.clip(probabilities, SMALLEST, 1 - SMALLEST)
    return -np.log(np.where(truth[:, None], kept, 1 - kept))


def brier(truth: npt.NDArray[np.bool_], probabilities: Floats) -> Floats:
    """The squared error of the probability of the positive class."""
    return (probabilities - truth[:, None]) ** 2


def absolute(truth: Floats, predicted: Floats) -> Floats:
    """The absolute error."""
    return np.abs(predicted - truth[:, None])


def squared(truth: Floats, predicted: Floats) -> Floats:
    """The squared error."""
    return (predicted - truth[:, None]) ** 2
