"""Search for hyperparameters by cross-validation within a training part.

Each candidate is trained once per fold; the values of a free hyperparameter share that training.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from podium.bench.learners.free import can_stage, labels_of, staged_predictions
from podium.bench.learners.space import Space
from podium.core.arrays import Floats
from podium.core.errors import PodiumError

Make = Callable[[Mapping[str, Any]], Any]


class SearchError(PodiumError):
    """No candidate could be trained."""


class SearchFold(NamedTuple):
    """One fold of the search, encoded; classes are numbered by those of its training cases, -1 for any other.

    `fit` are further arguments of `fit`, such as the weights of its cases.
    """

    X_train: Floats
    y_train: npt.NDArray[Any]
    X_test: Floats
    y_test: npt.NDArray[Any]
    fit: Mapping[str, Any] = MappingProxyType({})

    @property
    def regression(self) -> bool:
        """Whether numbers are predicted."""
        return self.y_test.dtype.kind == "f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The chosen hyperparameters, their cross-validated error, and how much was tried."""

    params: Mapping[str, Any]
    cv_error: float | None
    combinations: int
    trainings: int
    failures: tuple[str, ...] = field(default_factory=tuple)


def search(make: Make, space: Space, parts: Sequence[SearchFold]) -> Chosen:
    """The combination with the lowest mean error over the folds; the first of equals.

    The error is the mean over folds of the share of wrong cases, weighted by the folds' sizes, or the root of the mean
    squared error. A candidate that fails in a fold is out, and its message is kept; the task fails only if all do.
    """
    values = space.free_values or (None,)
    total = sum(len(part.y_test) for part in parts)
    wrong = np.full((len(space.candidates), len(values)), np.inf)
    failures = []
    trained = 0
    for place, candidate in enumerate(space.candidates):
        try:
            trainings = _trainings(make, candidate, space)
            trained += len(trainings) * len(parts)
            wrong[place] = sum(np.concatenate([_wrong(make, *each, part) for each in trainings]) for part in parts)
        except MemoryError:
            raise
        except Exception as error:
            failures.append(f"{candidate}: {type(error).__name__}: {error}")
    if not np.isfinite(wrong).any():
        raise SearchError(f"All {len(space.candidates)} candidates failed; the first with {failures[0]}")
    best, free = divmod(int(wrong.argmin()), len(values))
    loss = float(wrong[best, free]) / total
    return Chosen(
        params={**space.candidates[best], **({space.free_name: values[free]} if space.free_name else {})},
        cv_error=math.sqrt(loss) if parts[0].regression else loss,
        combinations=space.size,
        trainings=trained,
        failures=tuple(failures),
    )


def _trainings(make: Make, candidate: Mapping[str, Any], space: Space) -> list[tuple[Mapping[str, Any], Space]]:
    """With what to train for a candidate in each fold, and the free values that come from each training."""
    free, values = space.free_name, space.free_values
    if not free:
        return [(candidate, Space())]
    model = make(candidate)
    if not can_stage(model, free):  # with these settings it costs a training per value
        return [({**candidate, free: value}, Space()) for value in values]
    # The regularisation path has no largest: estimators that hold a path are trained on all of its values.
    path = getattr(model, "path_parameter", None)
    return [({**candidate, **({path: tuple(values)} if path else {free: max(values)})}, space)]


def _wrong(make: Make, params: Mapping[str, Any], space: Space, part: SearchFold) -> Floats:
    """How many cases of the fold are wrong, for each free value that the training serves."""
    model = make(params)
    model.fit(part.X_train, part.y_train, **part.fit)
    if space.free_name:
        predicted = staged_predictions(model, space.free_name, part.X_test, space.free_values)
    else:
        predicted = [labels_of(model, part.X_test)]
    if part.regression:
        return np.array([np.sum((labels - part.y_test) ** 2) for labels in predicted], dtype=np.float64)
    return np.array([np.sum(labels != part.y_test) for labels in predicted], dtype=np.float64)
