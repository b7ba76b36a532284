"""What the estimators of this room share: checks of their input, and classes as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from podium.core.arrays import Floats, Indices


class Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn classifier whose `fit` works on class numbers."""

    def _begin(self, X: Any, y: Any) -> tuple[Floats, Indices]:
        """The checked features and the number of each case's class; sets `classes_`."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"{type(self).__name__} needs two classes or more; the data has one class.")
        return X, codes.astype(np.intp)

    def _checked(self, X: Any) -> Floats:
        """The features of new cases, as they were in training."""
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, dtype=np.float64, reset=False))

    def _scores(self, X: Floats) -> Floats:
        """What each class gets: a column per class, or a single one for the second of two."""
        raise NotImplementedError

    def _labels(self, scores: Floats) -> npt.NDArray[Any]:
        """The class with the highest score."""
        places = scores.argmax(axis=1) if scores.shape[1] > 1 else (scores[:, 0] > 0).astype(np.intp)
        return np.asarray(self.classes_[places])

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the highest score."""
        return self._labels(self._scores(self._checked(X)))


class Deciding(Classifier):
    """One function for two classes, one per class (against the rest) for more."""

    def decision_function(self, X: Any) -> Floats:
        """The functions; one number per case for two classes."""
        scores = self._scores(self._checked(X))
        return scores[:, 0] if len(self.classes_) == 2 else scores


class Probable(Classifier):
    """Scores that are logarithms of odds."""

    def predict_proba(self, X: Any) -> Floats:
        """The probability of every class."""
        return np.asarray(softmax(self._scores(self._checked(X)), axis=1))


class Counting(Classifier):
    """Scores that are counts."""

    def predict_proba(self, X: Any) -> Floats:
        """The share of every class."""
        counts = self._scores(self._checked(X))
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def indicators(codes: Indices, classes: int) -> Floats:
    """+1 for the class and -1 for the rest, a column per class; a single one for two classes."""
    signs = np.where(codes[:, None] == np.arange(classes), 1.0, -1.0)
    return signs[:, 1:] if classes == 2 else signs
