"""From an algorithm of a suite to an estimator and its search space."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import shutil
from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.bench.learners.catalog import LEARNERS
from podium.bench.learners.free import can_stage
from podium.bench.learners.space import Draw, Shape, Space, drawn, grid
from podium.bench.spec import AlgorithmSpec
from podium.core import check
from podium.core.errors import ArgumentError, MissingPackageError, PodiumError, first_line


class MissingProgramError(MissingPackageError):
    """A program that an algorithm needs is not there; an optional algorithm is then skipped."""

    def __init__(self, sentence: str) -> None:
        PodiumError.__init__(self, sentence)


_DRAWN = 24  # combinations that are drawn from distributions unless the protocol says how many
_TRIED = 200  # so many candidates of a search are made before anything runs


def load_class(path: str) -> Any:
    """The class behind an import path; a missing package or a wrong name gets its own sentence."""
    module_name, _, name = path.rpartition(".")
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        missing = error.name or module_name
        package, _, rest = missing.partition(".")
        if rest and f"{module_name}.".startswith(f"{missing}."):  # the package is there, the module in it is not
            raise ArgumentError(f"The package {package!r} has no module {missing!r}: correct {path!r}.") from None
        extra = "bench" if package == "sklearn" else None
        raise MissingPackageError(package, f"The class {path!r}", extra=extra) from None
    except (Exception, SystemExit) as error:
        raise ArgumentError(f"{module_name!r} cannot be imported: {_said(error)}.") from None
    if not hasattr(module, name):
        raise ArgumentError(f"The module {module_name!r} has no class {name!r}.")
    return getattr(module, name)


def _said(error: BaseException) -> str:
    """The kind of an error and the first line of its text."""
    return f"{type(error).__name__}: {first_line(error, 'no reason given')}".rstrip(".")


def make_estimator(
    spec: AlgorithmSpec, params: Mapping[str, Any], seed: int, *, chosen: bool = False, nominal: int = 0
) -> Any:
    """An untrained estimator with the fixed and the given hyperparameters, seeded where it takes a seed.

    Those that are `chosen` may train for longer than those that are tried. So many of the last features are `nominal` (codes of
    levels): those that ask for it are told.
    """
    fixed = dict(LEARNERS[spec.learner].params) if spec.learner else {}
    fixed |= LEARNERS[spec.learner].chosen if spec.learner and chosen else {}
    settings = {**fixed, **spec.params, **params}
    if spec.program:
        settings["command"] = spec.program
    later = {name: value for name, value in settings.items() if "__" in name}  # of a step of a pipeline
    estimator = load_class(spec.path)(**{name: value for name, value in settings.items() if name not in later})
    for name in _known_params(estimator) - set(spec.params):
        if name.rpartition("__")[2] == "random_state":
            later.setdefault(name, seed)
        elif name == "n_jobs":
            later[name] = None  # one task, one core: the slots are the parallelism
        elif name == "nominal":
            later[name] = nominal
    return estimator.set_params(**later) if later else estimator


def _known_params(estimator: Any) -> set[str]:
    """What the estimator lists and what its constructor names: some list only what was set."""
    listed = set(estimator.get_params()) if hasattr(estimator, "get_params") else set()
    return listed | _arguments(type(estimator))


def _arguments(made_by: Any) -> set[str]:
    """The names of the arguments of a class, or of a function that makes an estimator."""
    try:
        parameters = list(inspect.signature(made_by).parameters.values())
    except (TypeError, ValueError):  # a class written in C may not tell
        parameters = []
    return {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def make_space(spec: AlgorithmSpec, shape: Shape, rng: np.random.Generator, count: int | None = None) -> Space:
    """What to search over: the suite's lists where it gives some, else the learner's own space.

    Where a distribution is among them, `count` combinations are drawn.
    """
    own = LEARNERS[spec.learner].space(shape, rng) if spec.learner else Space()
    candidates = own.candidates if spec.search is None else _combinations(spec.search, rng, count)
    name, values = spec.free if spec.free is not None else (own.free_name, own.free_values)
    if spec.search is not None and name in spec.search:
        name, values = "", ()  # the suite searches it with a training each
    return Space(candidates, name, tuple(values))


def _combinations(search: Mapping[str, Any], rng: np.random.Generator, count: int | None) -> tuple[dict[str, Any], ...]:
    if any(isinstance(values, Draw) for values in search.values()):
        return drawn(count or _DRAWN, rng, **search)
    return grid(**search)


def check_algorithm(spec: AlgorithmSpec, *, regression: bool = False) -> None:
    """Refuse, before anything runs, a class that cannot be made or a hyperparameter that it does not have."""
    if spec.program:
        _check_program(spec)
        return
    try:
        estimator = make_estimator(spec, {}, 0)
    except PodiumError:
        raise
    except (Exception, SystemExit) as error:
        raise ArgumentError(f"{spec.path!r} cannot be made with the given `params`: {_said(error)}.") from None
    for method in ("fit", "predict"):
        if not hasattr(estimator, method):
            raise ArgumentError(f"{spec.path!r} has no `{method}`: it is not a scikit-learn-compatible class.")
    names = _known_params(estimator) | _arguments(load_class(spec.path))
    for name in [*(spec.search or {}), *([spec.free[0]] if spec.free else [])]:
        if names and name not in names:
            raise ArgumentError(f"{spec.path!r} has no hyperparameter {name!r}; it has {', '.join(sorted(names))}.")
    for candidate in _combinations(spec.search or {}, np.random.default_rng(0), None)[:_TRIED]:
        try:
            make_estimator(spec, candidate, 0)
        except Exception as error:
            raise ArgumentError(f"{spec.path!r} cannot be made with {candidate} of `search`: {_said(error)}.") from None
    if not regression and _is(estimator, "regressor"):
        raise ArgumentError(f"{spec.path!r} predicts numbers, not classes: choose a classifier.")
    if regression and (_is(estimator, "classifier") or spec.class_weights):
        cure = "choose a regressor, without `class_weights`"
        raise ArgumentError(f"{spec.path!r} predicts classes, not numbers: {cure}.")
    _check_fit(spec, estimator)
    if spec.free:
        _check_free(spec, estimator, *spec.free)


def _is(estimator: Any, kind: str) -> bool:
    import sklearn.base

    with contextlib.suppress(Exception):  # what is not of scikit-learn need not say what it is
        return bool(getattr(sklearn.base, f"is_{kind}")(estimator))
    return getattr(estimator, "_estimator_type", "") == kind


def _check_fit(spec: AlgorithmSpec, estimator: Any) -> None:
    """Refuse arguments that `fit` does not take."""
    wanted = {"sample_weight": "`class_weights` needs it"} if spec.class_weights else {}
    wanted |= dict.fromkeys(spec.fit, "`fit` names it")
    try:
        parameters = inspect.signature(estimator.fit).parameters.values()
    except (TypeError, ValueError):
        return
    taken = {p.name for p in parameters}
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        taken |= set(spec.fit)  # it may know them; weights it must name
    for name in wanted.keys() - taken:
        raise ArgumentError(f"The `fit` of {spec.path!r} takes no {name!r}: {wanted[name]}.")


def _check_program(spec: AlgorithmSpec) -> None:
    """Refuse a program that is not there, and what only classes of Python can have."""
    from podium.bench.sources import located

    if shutil.which(located(spec.program[0])) is None:
        cure = "install it, give its path, or make it executable"
        raise MissingProgramError(f"There is no program {spec.program[0]!r} that can be run here: {cure}.")
    for option in ("free", "fit", "class_weights"):
        if getattr(spec, option):
            raise ArgumentError(f"A program has no `{option}`: give it in `params` or `search`, and read it there.")


def case_weights(spec: AlgorithmSpec, y: Any, classes: tuple[str, ...]) -> dict[str, Any]:
    """The further arguments of `fit` for these training cases: those of the suite, and the weights of the cases."""
    from sklearn.utils.class_weight import compute_sample_weight

    more = dict(spec.fit)
    if spec.class_weights == "balanced":
        more["sample_weight"] = compute_sample_weight("balanced", y)
    elif spec.class_weights is not None and not isinstance(spec.class_weights, str):
        for name in spec.class_weights:
            check.member("class of `class_weights`", name, classes)
        weights = np.array([float(spec.class_weights.get(name, 1.0)) for name in classes])
        more["sample_weight"] = weights[y]
    return more


def _check_free(spec: AlgorithmSpec, estimator: Any, name: str, values: tuple[Any, ...]) -> None:
    if not can_stage(estimator, name):
        rate = "set its `learning_rate`, or " if type(estimator).__name__.startswith("CatBoost") else ""
        cure = f"its values need a training each ({rate}put it in `search`)"
        raise ArgumentError(f"`{name}` of {spec.path!r} cannot be free: {cure}.")
    for value in values:
        if getattr(estimator, "path_parameter", None):
            check.nonnegative(name, value)
        else:
            check.count(name, value)
