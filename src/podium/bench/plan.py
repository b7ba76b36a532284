"""The plan: every task of a suite with its key. A key is a hash of all that decides the scores.

Limits and metrics are not in it: a longer limit does not make finished work undone, and a new metric is
computed from the kept predictions.
"""

from __future__ import annotations

import hashlib
import itertools
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from podium.bench.datasets.model import Dataset
from podium.bench.execute import add_paths, prepared
from podium.bench.learners.build import check_algorithm
from podium.bench.metrics import Predictions
from podium.bench.protocols import Protocol, forward_blocks
from podium.bench.seeds import digest
from podium.bench.sources import metric_digest, source_digest
from podium.bench.spec import AlgorithmSpec, Job, Suite
from podium.bench.suite import SuiteError
from podium.core import check
from podium.core.errors import DataError, MissingPackageError, PodiumError
from podium.core.progress import Progress, tracked

# Raised when splits, encoders or the meaning of a suite change, so that old scores are not mixed with new.
VERSION = 4


class Task(NamedTuple):
    """One algorithm on one repeat and fold of one dataset."""

    key: str
    dataset: str
    algorithm: str
    repeat: int
    fold: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFacts:
    """What is known of a dataset once it has been loaded; without a hash it could not be."""

    name: str
    family: str
    data_hash: str = ""
    cases: int = 0
    features: int = 0
    classes: int = 0
    missing: int = 0
    splits: tuple[tuple[int, int], ...] = ()  # repeat and fold of those that came with the data


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """All tasks, in the order of datasets, algorithms, repeats and folds.

    `skipped` holds the keys of tasks that cannot run here and why; `notes` says what was left out; `sources` and
    `metric_sources` have a hash of the source of own classes, programs and metrics.
    """

    suite: Suite
    facts: Mapping[str, DatasetFacts]
    tasks: tuple[Task, ...]
    skipped: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    metric_sources: Mapping[str, str] = field(default_factory=dict)

    def versions(self) -> dict[str, str]:
        """The versions of the packages that the algorithms come from, where these say it."""
        names = {spec.path.partition(".")[0] for spec in self.suite.algorithms} - {"podium", "sklearn"}
        versions = {name: getattr(sys.modules.get(name), "__version__", None) for name in sorted(names)}
        return {name: str(version) for name, version in versions.items() if version is not None}

    def job(self, task: Task) -> Job:
        """Everything a worker needs for a task."""
        suite = self.suite
        algorithm = next(a for a in suite.algorithms if a.name == task.algorithm)
        as_said = ("data", "protocol", "seed", "metrics", "own_metrics", "paths")
        return Job(
            key=task.key,
            dataset=next(d for d in suite.datasets if d.name == task.dataset),
            data_hash=self.facts[task.dataset].data_hash,
            algorithm=algorithm,
            repeat=task.repeat,
            fold=task.fold,
            keep_model=suite.keep_models,
            source=self.sources.get(task.algorithm, ""),
            limits=algorithm.limits(suite.limits),
            **{name: getattr(suite, name) for name in as_said},
        )

    def shard(self, number: int, count: int) -> Plan:
        """The number-th of so many parts (from 1), which can be run apart and merged: every count-th kind of task.

        The tasks of one algorithm on one dataset stay together, for they share a process and a loaded dataset.
        """
        check.count("shards", count)
        check.count("shard", number, at_most=count)
        kinds = dict.fromkeys((task.dataset, task.algorithm) for task in self.tasks)
        chosen = set(list(kinds)[number - 1 :: count])
        return replace(self, tasks=tuple(t for t in self.tasks if (t.dataset, t.algorithm) in chosen))

    def pilot(self) -> list[Task]:
        """The smallest task of every algorithm: its first on the dataset with the fewest values."""
        size = {name: facts.cases * facts.features for name, facts in self.facts.items()}
        smallest_first = sorted(self.tasks, key=lambda task: size[task.dataset])  # stable: the first of equals
        return list({task.algorithm: task for task in reversed(smallest_first)}.values())


def make_plan(suite: Suite, *, progress: Progress = None) -> Plan:
    """Load every dataset once, check every algorithm, and list the tasks.

    Datasets below `min_cases` are left out with a note. What is marked `optional` and is not available becomes
    skipped tasks.
    """
    _check_metrics(suite)
    missing_algorithms = {spec.name: why for spec in suite.algorithms if (why := _why_not(spec, suite))}
    facts: dict[str, DatasetFacts] = {}
    missing_datasets: dict[str, str] = {}
    notes: list[str] = []
    given = suite.protocol.kind == "given"
    for spec in tracked(suite.datasets, progress, total=len(suite.datasets)):
        where = suite.places.get(f"dataset {spec.name}", "")
        try:
            dataset = prepared(spec, suite.data, splits=given)
        except PodiumError as error:
            if not spec.optional:
                raise SuiteError(f"{where}{error}") from None
            missing_datasets[spec.name] = str(error)
            facts[spec.name] = DatasetFacts(name=spec.name, family=spec.family or spec.name)
            continue
        if dataset.cases < suite.data.min_cases:
            notes.append(f"{spec.name} is left out: {dataset.cases} cases are fewer than {suite.data.min_cases}.")
        else:
            try:
                _check_splits(dataset, suite.protocol)
                if not given:
                    _check_size(dataset, suite.protocol)
            except DataError as error:
                raise SuiteError(f"{where}{error}") from None
            facts[spec.name] = DatasetFacts(
                name=dataset.name,
                family=dataset.family,
                data_hash=dataset.digest(),
                cases=dataset.cases,
                features=dataset.width,
                classes=len(dataset.classes),
                missing=dataset.missing,
                splits=tuple((split.repeat, split.fold) for split in dataset.given) if given else (),
            )
    if not facts:
        raise DataError(f"No dataset has {suite.data.min_cases} cases: lower `min_cases` in [data].")
    tasks = tuple(plan_tasks(suite, facts))
    causes = {t.key: missing_datasets.get(t.dataset) or missing_algorithms.get(t.algorithm) for t in tasks}
    skipped = {key: cause for key, cause in causes.items() if cause}
    sources = {s.name: source for s in suite.algorithms if (source := source_digest(s, suite.paths))}
    return Plan(
        suite=suite,
        facts=facts,
        tasks=tasks,
        skipped=skipped,
        notes=tuple(notes),
        sources=sources,
        metric_sources={metric.name: metric_digest(metric, suite.paths) for metric in suite.own_metrics},
    )


def plan_tasks(suite: Suite, facts: Mapping[str, DatasetFacts]) -> Iterable[Task]:
    """The tasks with their keys, dataset by dataset and algorithm by algorithm: a process is made for each of them."""
    rules = digest(VERSION, suite.seed, suite.protocol.rules(), suite.data.rules())
    usual = tuple(itertools.product(range(suite.protocol.repeats), range(suite.protocol.folds)))
    algorithms = [(a.name, a.digest()) for a in suite.algorithms]
    for name, fact in facts.items():
        for (algorithm, definition), (repeat, fold) in itertools.product(algorithms, fact.splits or usual):
            where = f"{rules}|{name}|{fact.data_hash}|{repeat}|{fold}|"
            key = hashlib.sha256(f"{where}{algorithm}|{definition}".encode()).hexdigest()[:32]
            yield Task(key, name, algorithm, repeat, fold)


def _check_metrics(suite: Suite) -> None:
    """Refuse metrics of the user's that cannot be called."""
    add_paths(suite.paths)
    y = np.array([0.0, 1.0, 2.0]) if suite.data.regression else np.array([0, 1, 1])
    chances = np.array([[0.9, 0.1], [0.2, 0.8], [0.3, 0.7]])
    for metric in suite.own_metrics:
        where = suite.places.get(f"metric {metric.name}", "")
        try:
            metric.score(Predictions(np.arange(3), y, y, 0 if suite.data.regression else 2, chances))
        except PodiumError as error:
            raise SuiteError(f"{where}{error}") from None
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
            raise SuiteError(f"{where}The metric {metric.name!r} fails on three cases: {failure}.") from None


def _check_splits(dataset: Dataset, protocol: Protocol) -> None:
    """Refuse data whose time or splits do not go with the protocol."""
    kind, folds, what = protocol.kind, protocol.folds, f"Dataset {dataset.name!r}"
    if dataset.time is not None and kind != "forward":
        raise DataError(f'{what} has a column of time: set `kind = "forward"`, or ignore the column.')
    if kind == "forward":
        if dataset.groups is not None:
            raise DataError(f"{what} has groups, which cannot be kept whole in time: remove `group`.")
        time = np.arange(dataset.cases) if dataset.time is None else dataset.time
        if len(np.unique(forward_blocks(time, folds + 1))) < folds + 1:
            raise DataError(f"{what} has too few different times for {folds} folds.")
    if kind == "given" and not dataset.given:
        raise DataError(f"{what} comes without splits: name their column with `split`.")
    if kind != "given" and dataset.given:
        raise DataError(f'{what} has a column of splits: set `kind = "given"`, or ignore the column.')
    for split in dataset.given:
        if not len(split.train) or not len(split.test) or np.intersect1d(split.train, split.test).size:
            place = f"repeat {split.repeat}, fold {split.fold}"
            raise DataError(f"{what}: {place} has an empty part, or tests what it trains on.")


def _check_size(dataset: Dataset, protocol: Protocol) -> None:
    """Refuse a dataset that is too small for the protocol."""
    what, cases = f"Dataset {dataset.name!r}", dataset.cases
    if cases < max(protocol.folds, 2) * 2:
        raise DataError(f"{what} has {cases} cases, too few for {protocol.folds} folds: drop it.")
    if dataset.groups is not None:
        groups, needed = len(np.unique(dataset.groups)), protocol.group_folds
        if protocol.aside > 0:
            raise DataError(f"{what} has groups, and the protocol puts cases aside: use 'cv'.")
        if groups < needed:
            raise DataError(f"{what} has {groups} groups, too few for {needed} parts.")
    train, test = protocol.sizes(cases)
    if train < max(len(dataset.classes), 2) or test < 1:
        share = "test_fraction" if protocol.kind == "holdout" and protocol.aside == 0 else "aside"
        sizes = f"{cases} cases, of which the protocol trains on {train} and tests on {test}"
        raise DataError(f"{what} has {sizes}: change `{share}`, or drop the dataset.")


def _why_not(spec: AlgorithmSpec, suite: Suite) -> str:
    """Why an optional algorithm cannot run here ("" if it can); one that is not optional is refused."""
    add_paths(suite.paths)
    where = suite.places.get(f"algorithm {spec.name}", "")
    try:
        check_algorithm(spec, regression=suite.data.regression)
    except MissingPackageError as error:
        if spec.optional:
            return str(error)
        raise SuiteError(f"{where}Algorithm {spec.name!r}: {error} Or mark it `optional = true`.") from None
    except PodiumError as error:
        raise SuiteError(f"{where}Algorithm {spec.name!r}: {error}") from None
    return ""
