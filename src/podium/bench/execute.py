"""One task, from its job to its outcome: split, encode, search, train, predict, score, and what it cost.

Runs inside a guarded worker. Nothing here limits time; the guard does.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import platform
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.bench import machine
from podium.bench.datasets.expand import load_dataset
from podium.bench.datasets.model import Dataset, as_binary
from podium.bench.encode import fit_encoder
from podium.bench.learners.build import case_weights, load_class, make_estimator, make_space
from podium.bench.learners.free import MaskedPrediction, labels_of
from podium.bench.learners.space import Shape
from podium.bench.metrics import Predictions, score_or_hole
from podium.bench.protocols import Split, Task, inner_folds, make_split, stratified_sample
from podium.bench.search import Chosen, SearchFold, search
from podium.bench.seeds import digest, generator_of, seed_of
from podium.bench.sources import source_digest
from podium.bench.spec import CANDIDATES_FAILED, NOT_CONVERGED, DatasetSpec, DataSettings, Job, Outcome
from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError, MissingPackageError, PodiumError, first_line


class InvalidPrediction(PodiumError):
    """An algorithm has predicted what cannot be."""


class ChangedSource(PodiumError):
    """A class or a program is not the one that was planned."""


_LOADED: dict[str, Dataset] = {}
_WARM: set[str] = set()


def prepared(spec: DatasetSpec, settings: DataSettings, *, splits: bool = False) -> Dataset:
    """The dataset with the suite's transformation of its classes, or a sample of it; `splits`: with those of OpenML."""
    dataset = load_dataset(spec, regression=settings.regression, splits=splits)
    dataset = as_binary(dataset) if settings.binary else dataset
    if settings.max_cases is None or dataset.cases <= settings.max_cases:
        return dataset
    return dataset.part(stratified_sample(dataset.strata, settings.max_cases, generator_of("cases", spec.name)))


def execute(job: Job, done: Callable[[], None] = lambda: None) -> Outcome:
    """Run one task; whatever goes wrong in Python becomes a typed outcome. `done` is called where its limits end."""
    before, _ = machine.memory_now(reset_peak=True)
    calibration = machine.calibration()
    caught: list[warnings.WarningMessage] = []
    with machine.spending() as spent:
        try:
            with warnings.catch_warnings(record=True, action="default") as caught:  # each warning of each place once
                result = _run(job)
        except MemoryError as error:
            result = {"status": "out_of_memory", "message": _one_line(error)}
        except (InvalidPrediction, MaskedPrediction) as error:
            result = {"status": "invalid", "message": str(error)}
        except MissingPackageError as error:
            result = {"status": "skipped", "message": str(error)}
        except ChangedSource as error:
            result = {"status": "lost", "message": str(error)}
        except BaseException as error:
            result = {"status": "error", "message": _one_line(error)}
    peak = machine.memory_now()[1]
    done()
    model = result.pop("model", None)
    kept = None
    if result["status"] == "ok":
        _model_size(model, result["scores"], result["holes"])
        if job.keep_model and "model_size" in result["scores"]:
            kept = pickle.dumps(model, protocol=5)
        result["scores"]["memory"] = float(max(peak - before, 0))
        result["details"]["warnings"] = sorted({first_line(warning.message) for warning in caught})[:5]
        result["remark"] = _remark(result["details"])
    return Outcome(
        **result,
        model=kept,
        wall=spent.wall,
        cpu=spent.cpu,
        peak_memory=peak,
        host=platform.node(),
        threads=job.limits.threads,
        load=machine.load(),
        calibration=calibration,
    )


def _is_of_convergence(warning: warnings.WarningMessage) -> bool:
    """Whether a fit says that it has not converged, in the words of scikit-learn and of others."""
    return "Convergence" in warning.category.__name__ or "converge" in str(warning.message).lower()


def _remark(details: dict[str, Any]) -> str:
    """What a reader of the scores should know of the task, in a few words; that a candidate was stopped is usual."""
    said = [NOT_CONVERGED] if details["not_converged"] else []
    if details["candidates_failed"]:
        said.append(f"{CANDIDATES_FAILED}: {details['candidates_failed']} of {details['combinations']}")
    return "; ".join(said)


def preload(job: Job) -> None:
    """Load the dataset and the algorithm's package before the clock starts; the task itself tells what fails."""
    with contextlib.suppress(Exception):
        add_paths(job.paths)
        load_class(job.algorithm.path)
        _dataset(job)


def add_paths(paths: Iterable[str]) -> None:
    """Let modules of these folders be imported; they come last, so that none of them hides an installed package."""
    sys.path += [path for path in paths if path not in sys.path]


def _one_line(error: BaseException) -> str:
    """The kind of an error, the first line of its text, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    text = first_line(error)
    return f"{type(error).__name__}: {text}{where}" if text else f"{type(error).__name__}{where}"


def keep_dataset(spec: DatasetSpec, settings: DataSettings, data_hash: str, *, splits: bool = False) -> Dataset:
    """A dataset, kept between tasks; refused if it is not the one that was planned."""
    if data_hash not in _LOADED:
        dataset = prepared(spec, settings, splits=splits)
        if dataset.digest() != data_hash:
            raise DataError(f"Dataset {spec.name!r} has changed since the plan was made: run again.")
        while len(_LOADED) >= 4:  # a slot meets the datasets one after the other
            _LOADED.pop(next(iter(_LOADED)))
        _LOADED[data_hash] = dataset
    return _LOADED[data_hash]


def _dataset(job: Job) -> Dataset:
    return keep_dataset(job.dataset, job.data, job.data_hash, splits=job.protocol.kind == "given")


def _split(job: Job, dataset: Dataset) -> Split:
    """The training and test cases of the task."""
    if job.protocol.kind == "given":
        here = (job.repeat, job.fold)
        return next(Split(split.train, split.test) for split in dataset.given if (split.repeat, split.fold) == here)
    place: Task = {"seed": job.seed, "dataset": job.dataset.name, "repeat": job.repeat, "fold": job.fold}
    return make_split(job.protocol, dataset.strata, dataset.groups, dataset.time, **place)


def _check_source(job: Job) -> None:
    """Refuse an own class that was edited while the run goes on: its scores would be kept as those of the planned one."""
    if job.source and source_digest(job.algorithm, job.paths) not in ("", job.source):  # "": installed on this machine
        raise ChangedSource(f"The source of {job.algorithm.name!r} has changed since the run began: run again.")


def _run(job: Job) -> dict[str, Any]:
    _check_source(job)
    dataset = _dataset(job)
    train, test = _split(job, dataset)
    encoder = fit_encoder(dataset, train, job.data)
    X_train, X_test = encoder.transform(dataset, train), encoder.transform(dataset, test)
    present, y_train = _numbered(dataset, train)
    fit = case_weights(job.algorithm, dataset.y[train], dataset.classes)
    choice, searching = _search(job, dataset, train, X_train.shape[1])
    model = _maker(job, job.repeat, job.fold)(choice.params, chosen=True)
    with warnings.catch_warnings(record=True, action="default") as caught, machine.spending() as training:
        model.fit(X_train, y_train, **fit)
    for warning in caught:
        warnings.showwarning(warning.message, warning.category, warning.filename, warning.lineno)
    with machine.spending() as predicting:
        predicted = labels_of(model, X_test)
    predictions = _predictions(model, X_test, test, dataset, predicted, present)
    scores, holes = _costs(searching, training, predicting, choice)
    own = {metric.name: metric for metric in job.own_metrics}
    for name in job.metrics:
        value, hole = score_or_hole(name, predictions, own)
        if value is None:
            holes[name] = hole
        else:
            scores[name] = value
    if choice.cv_error is not None:
        scores["cv_error"] = choice.cv_error
    return {
        "status": "ok",
        "model": model,
        "scores": scores,
        "holes": holes,
        "predictions": predictions,
        "details": {
            "params": {k: v.item() if isinstance(v, np.generic) else v for k, v in choice.params.items()},
            "combinations": choice.combinations,
            "trainings": choice.trainings,
            "failed_candidates": list(choice.failures)[:5],
            "candidates_failed": len(choice.failures),
            "not_converged": any(map(_is_of_convergence, caught)),
            "train_cases": len(train),
            "test_cases": len(test),
        },
    }


def _maker(job: Job, repeat: int, fold: int) -> Any:
    """Makes seeded estimators; those without a seed of their own find the shared generators seeded as well."""
    seed = seed_of("algorithm", job.seed, job.dataset.name, repeat, fold, job.algorithm.name)
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    coded = _dataset(job).nominal.shape[1] if job.data.nominal == "ordinal" else 0
    return functools.partial(make_estimator, job.algorithm, seed=seed, nominal=coded)


def warm_up(job: Job) -> bool:
    """Once per worker and algorithm, on a few cases: imports, compilers and pools start outside the measured task.

    Whether it was done; what goes wrong in it the task itself will tell.
    """
    algorithm = job.algorithm.digest()
    if algorithm in _WARM:
        return False
    _WARM.add(algorithm)
    with contextlib.suppress(BaseException), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dataset = _dataset(job)
        strata = dataset.strata
        few = np.concatenate([np.flatnonzero(strata == label)[:12] for label in np.unique(strata)])
        X = fit_encoder(dataset, few, job.data).transform(dataset, few)
        model = make_estimator(job.algorithm, {}, 0)
        model.fit(X, dataset.y[few], **case_weights(job.algorithm, dataset.y[few], dataset.classes))
        model.predict(X)
    return True


def _numbered(dataset: Dataset, cases: Indices) -> tuple[Indices, npt.NDArray[Any]]:
    """The classes that occur, and the cases by their place among them: some libraries take no gaps. Numbers stay."""
    if dataset.regression:
        return np.arange(0), dataset.y[cases]
    present, codes = np.unique(dataset.y[cases], return_inverse=True)
    return present, codes.astype(np.intp)


_FLAT: dict[str, tuple[Chosen, machine.Spent]] = {}


def _search(job: Job, dataset: Dataset, train: Indices, width: int) -> tuple[Chosen, machine.Spent]:
    """The chosen hyperparameters and what the search cost; a flat one is made once and costs the same in every fold."""
    flat = job.protocol.search == "flat"
    key = digest(job.data_hash, asdict(job.algorithm), asdict(job.protocol), asdict(job.data), job.seed) if flat else ""
    if key in _FLAT:
        return _FLAT[key]
    with machine.spending() as spent:
        choice = _choose(job, dataset, train, width)
    if flat:
        _FLAT[key] = choice, spent
    return choice, spent


def _choose(job: Job, dataset: Dataset, train: Indices, width: int) -> Chosen:
    """Choose the hyperparameters: within the training part, once on the whole dataset, or not at all."""
    flat = job.protocol.search == "flat"
    cases = np.arange(dataset.cases) if flat else train
    repeat, fold = (-1, -1) if flat else (job.repeat, job.fold)
    searched = min(len(cases), job.protocol.search_cases or len(cases))  # ranges that the sample can hold
    shape = Shape(width, searched, len(dataset.classes))
    rng = generator_of("candidates", job.seed, job.dataset.name, repeat, fold, job.algorithm.name)
    space = make_space(job.algorithm, shape, rng, job.protocol.candidates)
    space = space.thinned(job.protocol.candidates, job.protocol.free_values)
    if job.protocol.search == "none" or space.size == 1:
        params = {**space.candidates[0], **({space.free_name: space.free_values[-1]} if space.free_values else {})}
        return Chosen(params=params, cv_error=None, combinations=1, trainings=0)
    return search(_maker(job, repeat, fold), space, _parts(job, dataset, cases, repeat, fold))


def _parts(job: Job, dataset: Dataset, cases: Indices, repeat: int, fold: int) -> list[SearchFold]:
    """The folds of the search, each encoded by its own training cases."""
    place: Task = {"seed": job.seed, "dataset": job.dataset.name, "repeat": repeat, "fold": fold}
    groups = None if dataset.groups is None else dataset.groups[cases]
    time = None if dataset.time is None else dataset.time[cases]
    chosen, splits = inner_folds(job.protocol, dataset.strata[cases], groups, time, **place)
    pool = cases[chosen]
    parts = []
    for split in splits:
        train, test = pool[split.train], pool[split.test]
        encoder = fit_encoder(dataset, train, job.data)
        encoded = encoder.transform(dataset, train), encoder.transform(dataset, test)
        present, y_train = _numbered(dataset, train)
        number = np.full(len(dataset.classes), -1, dtype=np.intp)
        number[present] = np.arange(len(present))
        y_test = dataset.y[test] if dataset.regression else number[dataset.y[test]]
        fit = case_weights(job.algorithm, dataset.y[train], dataset.classes)
        parts.append(SearchFold(encoded[0], y_train, encoded[1], y_test, fit))
    return parts


def _predictions(
    model: Any, X: Any, cases: Indices, dataset: Dataset, predicted: npt.NDArray[Any], present: Indices
) -> Predictions:
    """Predictions with whatever the model says about its certainty; untimed. The model knows the present classes."""
    n_classes, name = len(dataset.classes), type(model).__name__
    if dataset.regression:
        return Predictions(cases, dataset.y[cases], _certain(f"{name}.predict", predicted, (len(cases),)), 0)
    if predicted.shape != (len(cases),) or not np.isin(predicted, np.arange(len(present))).all():
        raise InvalidPrediction(f"{name} predicted something that is not one known class per case.")
    labels = present[predicted.astype(np.intp)]
    probabilities = decision = None
    if hasattr(model, "predict_proba"):
        columns = _columns(name, getattr(model, "classes_", np.arange(len(present))), len(present))
        shares = _certain(f"{name}.predict_proba", model.predict_proba(X), (len(cases), len(columns)))
        probabilities = np.zeros((len(cases), n_classes))
        probabilities[:, present[columns]] = _possible(f"{name}.predict_proba", shares)
    elif n_classes == 2 == len(present) and hasattr(model, "decision_function"):
        decision = _certain(f"{name}.decision_function", model.decision_function(X), (len(cases),))
    return Predictions(cases, dataset.y[cases], labels, n_classes, probabilities, decision)


def _columns(name: str, classes_: Any, classes: int) -> Indices:
    """Which class each column of probabilities is of, if every column has its own."""
    columns = np.asarray(classes_)
    if len(np.unique(columns)) != len(columns) or not np.isin(columns, np.arange(classes)).all():
        raise InvalidPrediction(f"{name}.classes_ does not name each known class at most once.")
    return columns.astype(np.intp)


def _possible(what: str, shares: Floats) -> Floats:
    """Probabilities, if they are from 0 to 1 and those of a case sum to 1, up to the rounding of single precision."""
    strange = ((shares < -1e-6) | (shares > 1 + 1e-6)).any(axis=1)
    _refuse(strange, f"{what} gave something that is not a probability")
    _refuse(np.abs(shares.sum(axis=1) - 1) > 1e-3, f"{what} gave probabilities that do not sum to 1")
    return shares


def _refuse(wrong: npt.ArrayLike, what: str) -> None:
    """Refuse predictions of which some cases are wrong."""
    if np.any(wrong):
        raise InvalidPrediction(f"{what} for {np.sum(wrong)} of {np.size(wrong)} cases.")


def _certain(what: str, output: Any, shape: tuple[int, ...]) -> Floats:
    """What a model says about its certainty, unless it is of another shape or holds what is no finite number."""
    values = np.asarray(output, dtype=np.float64)
    if values.shape == (*shape, 1):
        values = values[..., 0]
    if values.shape != shape:
        raise InvalidPrediction(f"{what} gave an array of shape {values.shape}; {shape} was expected.")
    _refuse((~np.isfinite(values)).reshape(len(values), -1).any(axis=1), f"{what} gave nan or infinity")
    return values


_BACKWARDS = "less than no time was measured: a process that had been counted is gone, or a clock was changed"


def _costs(
    searching: machine.Spent, training: machine.Spent, predicting: machine.Spent, choice: Chosen
) -> tuple[dict[str, float], dict[str, str]]:
    """What the task cost, and why a cost is not known."""
    measured = {
        "train_time": training.cpu,
        "predict_time": predicting.cpu,
        "one_train_test_time": training.cpu + predicting.cpu if min(training.cpu, predicting.cpu) >= 0 else -1.0,
        "search_time": searching.cpu,
        "per_hyperparameter_time": searching.cpu / choice.combinations,
        "train_wall_time": training.wall,
        "predict_wall_time": predicting.wall,
        "search_wall_time": searching.wall,
    }
    costs = {name: value for name, value in measured.items() if value >= 0}
    holes = dict.fromkeys(measured.keys() - costs.keys(), _BACKWARDS)
    if not choice.trainings:
        costs.pop("per_hyperparameter_time", None)
        holes["per_hyperparameter_time"] = "no hyperparameter was searched for"
    return costs, holes


class _Counter:
    """Counts what is written to it and keeps nothing."""

    count = 0

    def write(self, content: Any) -> int:
        self.count += (size := memoryview(content).nbytes)
        return size


def _model_size(model: Any, scores: dict[str, float], holes: dict[str, str]) -> None:
    """The bytes of the pickled model, counted without a copy of it in memory."""
    counter = _Counter()
    try:
        pickle.Pickler(counter, protocol=5, buffer_callback=lambda part: counter.write(part.raw()) < 0).dump(model)
        scores["model_size"] = float(counter.count)
    except Exception as error:
        holes["model_size"] = f"the model cannot be pickled: {_one_line(error)}"
