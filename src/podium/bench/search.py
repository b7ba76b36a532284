"""Search for hyperparameters by cross-validation within a training part.

Each candidate is trained once per fold; the values of a free hyperparameter share that training.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from podium.bench.learners.free import can_stage, labels_of, staged_predictions
from podium.bench.learners.space import Space
from podium.core.arrays import Floats, Indices
from podium.core.errors import PodiumError

Codes = Indices


class SearchError(PodiumError):
    """No candidate could be trained."""


class Part(NamedTuple):
    """One fold of the search, encoded; classes are numbered by those of its training cases, -1 for any other."""

    X_train: Floats
    y_train: Codes
    X_test: Floats
    y_test: Codes


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The chosen hyperparameters, their cross-validated error, and how much was tried."""

    params: Mapping[str, Any]
    cv_error: float | None
    combinations: int
    trainings: int
    failures: tuple[str, ...] = field(default_factory=tuple)


def search(make: Callable[[Mapping[str, Any]], Any], space: Space, parts: Sequence[Part]) -> Found:
    """The combination with the lowest mean error over the folds; the first of equals.

    The error is the mean over folds of the share of wrong cases, weighted by the folds' sizes. A candidate
    that fails in a fold is out, and its message is kept; the task fails only if all do.
    """
    values = space.free_values or (None,)
    wrong = np.full((len(space.candidates), len(values)), np.inf)
    failures = []
    for place, candidate in enumerate(space.candidates):
        try:
            wrong[place] = sum(_wrong(make, candidate, space, part) for part in parts)
        except MemoryError:
            raise
        except Exception as error:
            failures.append(f"{candidate}: {type(error).__name__}: {error}")
    if not np.isfinite(wrong).any():
        raise SearchError(f"All {len(space.candidates)} candidates failed; the first with {failures[0]}")
    best, free = divmod(int(wrong.argmin()), len(values))
    params = dict(space.candidates[best])
    if space.free_name:
        params[space.free_name] = values[free]
    return Found(
        params=params,
        cv_error=float(wrong[best, free] / sum(len(part.y_test) for part in parts)),
        combinations=space.size,
        trainings=sum(_trainings(make, candidate, space) for candidate in space.candidates) * len(parts),
        failures=tuple(failures),
    )


def _wrong(make: Callable[[Mapping[str, Any]], Any], candidate: dict[str, Any], space: Space, part: Part) -> Floats:
    """How many cases of the fold are wrong, for each value of the free hyperparameter."""
    if not space.free_name:
        return np.array([_plainly_wrong(make, candidate, part)])
    if not can_stage(make(candidate), space.free_name):  # with these settings it costs a training per value
        each = [_plainly_wrong(make, {**candidate, space.free_name: value}, part) for value in space.free_values]
        return np.array(each)
    # The regularisation path has no largest: estimators that hold a path are trained on all of its values.
    model = make({**candidate, **_trained_with(make, candidate, space)})
    model.fit(part.X_train, part.y_train)
    staged = staged_predictions(model, space.free_name, part.X_test, space.free_values)
    return np.array([np.sum(labels != part.y_test) for labels in staged], dtype=np.float64)


def _plainly_wrong(make: Callable[[Mapping[str, Any]], Any], params: Mapping[str, Any], part: Part) -> float:
    model = make(params)
    model.fit(part.X_train, part.y_train)
    return float(np.sum(labels_of(model, part.X_test) != part.y_test))


def _trainings(make: Callable[[Mapping[str, Any]], Any], candidate: dict[str, Any], space: Space) -> int:
    """How many trainings a candidate takes in a fold."""
    try:
        shared = not space.free_name or can_stage(make(candidate), space.free_name)
    except Exception:
        return 1  # a candidate that cannot be made has failed
    return 1 if shared else len(space.free_values)


def _trained_with(make: Callable[[Mapping[str, Any]], Any], candidate: dict[str, Any], space: Space) -> dict[str, Any]:
    """With what the shared training is done: a path of all values if the estimator has one, else the largest."""
    path = getattr(make(candidate), "path_parameter", None)
    if path:
        return {path: tuple(space.free_values)}
    return {space.free_name: max(space.free_values)}
