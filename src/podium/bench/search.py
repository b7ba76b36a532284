"""Search for hyperparameters by cross-validation within a training part.

Each candidate is trained once per fold; the values of a free hyperparameter share that training.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from podium.bench.learners.free import can_stage, labels_of, staged_predictions
from podium.bench.learners.space import Draw, Space
from podium.bench.protocols import stratified_sample
from podium.core.arrays import Floats
from podium.core.errors import MissingPackageError, PodiumError

_FEWEST = 30  # training cases in the first round of halving
OPTUNA_DRAWS = ("uniform", "loguniform", "randint")  # what is known to it as well
Make = Callable[[Mapping[str, Any]], Any]


class SearchError(PodiumError):
    """No candidate could be trained."""


class Part(NamedTuple):
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

    def smaller(self, share: float) -> Part:
        """The same fold with a share of its training cases, a stratified sample that is always the same."""
        strata = np.zeros(len(self.y_train)) if self.regression else self.y_train
        size = min(max(round(share * len(strata)), len(np.unique(strata))), len(strata))
        some = stratified_sample(strata, size, np.random.default_rng(0))
        cases = len(strata)
        per_case = {name: v[some] for name, v in self.fit.items() if isinstance(v, np.ndarray) and len(v) == cases}
        fit = {**self.fit, **per_case}
        return self._replace(X_train=self.X_train[some], y_train=self.y_train[some], fit=fit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The chosen hyperparameters, their cross-validated error, and how much was tried."""

    params: Mapping[str, Any]
    cv_error: float | None
    combinations: int
    trainings: int
    failures: tuple[str, ...] = field(default_factory=tuple)


def search(make: Make, space: Space, parts: Sequence[Part]) -> Choice:
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
    return Choice(
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


def _wrong(make: Make, params: Mapping[str, Any], space: Space, part: Part) -> Floats:
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


def halving(make: Make, space: Space, parts: Sequence[Part]) -> Choice:
    """Successive halving: all candidates on a few training cases, the better third on three times as many, and so on.

    The last round has all cases, and at least the three best candidates of the one before.
    """
    rounds = max(math.ceil(math.log(max(len(space.candidates), 1), 3)), 1)
    left, trained, failures = list(space.candidates), 0, []
    for number in range(rounds - 1, 0, -1):
        smaller = [part.smaller(max(3.0**-number, min(_FEWEST / len(part.y_train), 1.0))) for part in parts]
        losses = []
        for candidate in left:
            try:
                tried = search(make, replace(space, candidates=(candidate,)), smaller)
                losses.append(float(tried.cv_error or 0.0))
                trained += tried.trainings
            except SearchError as error:
                losses.append(math.inf)
                failures.append(str(error))
        best = np.argsort(losses, kind="stable")[: max(math.ceil(len(left) / 3), min(3, len(left)))]
        left = [left[place] for place in sorted(best)]
    last = search(make, replace(space, candidates=tuple(left)), parts)
    trained += last.trainings
    return replace(last, combinations=space.size, trainings=trained, failures=(*failures, *last.failures))


def with_optuna(make: Make, ranges: Mapping[str, Any], count: int, parts: Sequence[Part], seed: int) -> Choice:
    """So many trials of Optuna's TPE sampler; what failed is told to it as such."""
    optuna = optuna_package()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed), direction="minimize")
    failures: list[str] = []

    def trial_loss(trial: Any) -> float:
        params = {name: _suggested(trial, name, values) for name, values in ranges.items()}
        trial.set_user_attr("params", params)
        try:
            return float(search(make, Space((params,)), parts).cv_error or 0.0)
        except SearchError as error:
            failures.append(str(error))
            raise optuna.TrialPruned from None

    study.optimize(trial_loss, n_trials=count)
    done = [trial for trial in study.trials if trial.value is not None]
    if not done:
        raise SearchError(f"All {count} trials failed; the first with {failures[0]}")
    best = min(done, key=lambda trial: trial.value)
    trainings = len(study.trials) * len(parts)
    params = best.user_attrs["params"]
    return Choice(params=params, cv_error=best.value, combinations=count, trainings=trainings, failures=tuple(failures))


def optuna_package() -> Any:
    """Optuna, where it is installed."""
    try:
        import optuna
    except ImportError:
        raise MissingPackageError("optuna", 'The search method "optuna"') from None
    return optuna


def _suggested(trial: Any, name: str, values: Any) -> Any:
    """One value: of a list, of a range of numbers on the plain or the logarithmic scale, or of whole numbers."""
    if not isinstance(values, Draw):
        return values[trial.suggest_categorical(name, list(range(len(values))))]
    if values.distribution == "randint":
        low, high = values.args
        return trial.suggest_int(name, int(low), int(high) - 1)
    if values.distribution == "loguniform":
        return trial.suggest_float(name, *values.args, log=True)
    low, width = (*values.args, *(0.0, 1.0)[len(values.args) :])  # scipy's uniform begins at 0 and is 1 wide
    return trial.suggest_float(name, low, low + width)
