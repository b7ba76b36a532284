"""Cases: one number per test case and algorithm, the input of every test on the same cases."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import DataError
from podium.core.frames import as_pandas
from podium.core.metric import Metric
from podium.core.named import ByAlgorithm
from podium.core.numbers import as_given, counted
from podium.core.quantity import PERCENTAGE_POINTS, Quantity
from podium.core.result import plain
from podium.evidence.evidence import (
    MissingScore,
    metric_from_plain,
    names_of,
    numbers_of,
    plain_fields,
    reading_from_plain,
    shared_fields,
)
from podium.evidence.shown import in_lines
from podium.evidence.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.reading import Reading

_PREDICTIONS = "podium.cases.predictions:Predictions"  # named, not imported: tests are built on evidence
KINDS = ("pass_fail", "bounded", "numeric", "influence")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Groups:
    """How cases hang together: the cluster and the benchmark of each as numbers from 0, and their weights (None: all alike).

    With `macro` each benchmark has the same weight in a mean, otherwise each case.
    """

    cluster: Indices
    benchmark: Indices
    weights: Floats | None = None
    macro: bool = False

    @property
    def n(self) -> int:
        """How many cases there are."""
        return len(self.cluster)

    @property
    def n_clusters(self) -> int:
        """How many clusters there are; as many as cases where every case is its own."""
        return int(self.cluster.max()) + 1

    @property
    def clustered(self) -> bool:
        """Whether some cases belong together."""
        return self.n_clusters < self.n

    @property
    def several_benchmarks(self) -> bool:
        """Whether the cases are of more than one benchmark."""
        return int(self.benchmark.max()) > 0

    @property
    def over_benchmarks(self) -> bool:
        """Whether a mean is one of several benchmarks."""
        return self.macro and self.several_benchmarks

    @property
    def counted(self) -> Floats:
        """How much each case counts in a mean, 1 on average: by its weight, and benchmarks alike where the mean is macro."""
        own = np.ones(self.n) if self.weights is None else self.weights / self.weights.mean()
        if not self.macro:
            return own
        totals = np.bincount(self.benchmark, weights=own)
        return own * (self.n / (len(totals) * totals))[self.benchmark]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Cases(ByAlgorithm):
    """One value per case (row) and algorithm (column); nan is a missing one, and `reasons` says why, where that is known.

    The mean of a column is the algorithm's score.

    Parameters
    ----------
    values : array of shape (n_cases, n_algorithms)
        The outcomes.
    cases : tuple of str
        Names of the cases.
    algorithms : tuple of str
        Names of the algorithms.
    metric : Metric
        What the values measure.
    kind : {"pass_fail", "bounded", "numeric", "influence"}, optional
        What the values are: 0 or 1; between 0 and 1, such as the mean of several samples; losses, times or
        rewards; or jackknife pseudo-values of a metric that is not a mean, whose own value is in `scores`.
    scores : array of shape (n_algorithms,), optional
        The value of the metric, where the values are pseudo-values.
    clusters : tuple of str, optional
        The cluster of each case: cases of one cluster are not independent.
    benchmarks : tuple of str, optional
        The benchmark of each case.
    classes : tuple of str, optional
        The class of each case, where the metric has classes.
    alone : array of shape (n_cases, n_algorithms), optional
        How well each algorithm did on each case alone, higher is better, where the values are pseudo-values:
        those depend on all cases, so that their signs do not say who did better on one.
    weights : array of shape (n_cases,), optional
        How much each case counts in the means; by default all alike. They do not say how often it was seen: one
        case of weight 2 tells less than two cases of weight 1.
    samples : array of shape (n_cases, n_algorithms, n_samples), optional
        The outcome of every sample, where a case was tried several times.
    costs : array of shape (n_cases, n_algorithms), optional
        What each outcome cost.
    cost : Metric, optional
        What the costs measure.
    noun : str, default "case"
        What one case is called: "item", "task".
    reading : Reading, optional
        How the columns of the source were read.
    reasons : mapping, optional
        Why an outcome is missing, by case and algorithm.
    notes : tuple of str, optional
        Sentences about how the outcomes were read.
    source : any, optional
        The predictions that the values come from, where they do: all of them, of every case.

    Examples
    --------
    >>> import numpy as np
    >>> cases = Cases(values=np.array([[1, 0], [1, 1]]), cases=("q1", "q2"), algorithms=("a", "b"),
    ...               metric=Metric(name="accuracy", direction="higher"))
    >>> cases.kind, cases.n_cases
    ('pass_fail', 2)
    """

    values: Floats
    cases: tuple[str, ...]
    algorithms: tuple[str, ...]
    metric: Metric
    kind: str = ""
    scores: Floats = field(default_factory=lambda: np.empty(0))
    clusters: tuple[str, ...] = ()
    benchmarks: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    alone: Floats | None = None
    weights: Floats | None = None
    samples: Floats | None = None
    costs: Floats | None = None
    cost: Metric | None = None
    noun: str = "case"
    reading: Reading | None = None
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    source: Any = None

    def __post_init__(self) -> None:
        values = check.numbers("values", self.values, ndim=2)
        shape = (len(self.cases), len(self.algorithms))
        if values.shape != shape:
            raise DataError(f"{shape[0]} cases and {shape[1]} algorithms cannot have values of shape {values.shape}.")
        for name in ("clusters", "benchmarks", "classes"):
            names = getattr(self, name)
            if names and len(names) != shape[0]:
                raise DataError(f"There are {shape[0]} cases, but {len(names)} {name}: give one for each case.")
        check.distinct("algorithm", self.algorithms)
        if self.costs is not None and self.costs.shape != shape:
            raise DataError(
                f"The costs have the shape {self.costs.shape}, the outcomes {shape}: give one for each outcome."
            )
        object.__setattr__(self, "values", values)
        if not self.kind:
            object.__setattr__(self, "kind", kind_of(values))
        check.choice("kind", self.kind, KINDS)
        if self.weights is not None:
            object.__setattr__(self, "weights", self._checked(self.weights))
        if not len(self.scores):
            object.__setattr__(self, "scores", np.nan_to_num(self.means(values, macro=True)))

    def __repr__(self) -> str:
        return in_lines(self, counted(len(self.cases), self.noun), self.to_frame(), len(self.missing))

    def _checked(self, weights: Floats) -> Floats | None:
        """Weights above 0, one for each case; None where all are the same, since then they say nothing."""
        weights = check.numbers("weights", weights, ndim=1)
        if len(weights) != self.n_cases:
            raise DataError(f"There are {self.n_cases} cases, but {len(weights)} weights: give one for each case.")
        wrong = np.flatnonzero(~((weights > 0) & np.isfinite(weights)))
        if len(wrong):
            case = self.cases[int(wrong[0])]
            raise DataError(
                f"The case {case!r} has the weight {as_given(float(weights[wrong[0]]))}: weights are above 0; leave out a case "
                "that is not to count."
            )
        if self.kind == "influence":
            raise DataError(
                "Influence values are of all cases at once, which then have no weights: leave the weights out."
            )
        return None if np.ptp(weights) <= 1e-12 * weights.max() else weights

    def means(self, values: Floats, *, macro: bool) -> Floats:
        """The mean of each column over what is there, by the weights; nan where nothing is.

        With `macro` each benchmark has the same weight, otherwise each case.
        """
        absent = np.isnan(values)
        own = np.where(absent, 0.0, 1.0 if self.weights is None else self.weights[:, None])
        group = self.benchmark if macro and len(set(self.benchmarks)) > 1 else None
        sums, totals = _sums_by(group, np.where(absent, 0.0, values) * own), _sums_by(group, own)
        there = totals > 0
        each = np.where(there, sums / np.where(there, totals, 1.0), 0.0)
        return np.where(there.any(axis=0), each.sum(axis=0) / np.maximum(there.sum(axis=0), 1), np.nan)

    def scores_by(self, *, macro: bool) -> Floats:
        """The score of each algorithm, with the same weight for each benchmark (as in `scores`) or for each case."""
        return self.scores if self.kind == "influence" else self.means(self.values, macro=macro)

    @property
    def unit(self) -> str:
        """What the tests count."""
        return "case"

    @property
    def rows(self) -> tuple[str, ...]:
        """The cases."""
        return self.cases

    @property
    def missing(self) -> tuple[MissingScore, ...]:
        """Every missing outcome by name."""
        empty = [(self.cases[i], self.algorithms[j]) for i, j in np.argwhere(np.isnan(self.values))]
        return tuple(MissingScore(*cell, self.reasons.get(cell, "")) for cell in empty)

    def table(self) -> Table:
        """The values as a table of cases x algorithms."""
        return Table(values=self.values, datasets=self.cases, algorithms=self.algorithms, metric=self.metric)

    @property
    def n_cases(self) -> int:
        """The number of rows."""
        return len(self.cases)

    @property
    def n_missing(self) -> int:
        """How many outcomes are missing."""
        return int(np.isnan(self.values).sum())

    @property
    def cluster(self) -> Indices:
        """The cluster of each case as a number; by default every case is its own."""
        return codes(self.clusters) if self.clusters else np.arange(self.n_cases)

    @property
    def benchmark(self) -> Indices:
        """The benchmark of each case as a number."""
        return codes(self.benchmarks) if self.benchmarks else np.zeros(self.n_cases, dtype=np.intp)

    def groups(self, there: Bools | None = None, *, macro: bool = False) -> Groups:
        """How the cases, or those that are there, hang together."""
        kept = np.ones(self.n_cases, dtype=bool) if there is None else there
        _, cluster = np.unique(self.cluster[kept], return_inverse=True)
        _, benchmark = np.unique(self.benchmark[kept], return_inverse=True)
        weights = None if self.weights is None else self.weights[kept]
        return Groups(cluster=cluster, benchmark=benchmark, weights=weights, macro=macro)

    @property
    def on_each_case(self) -> Floats:
        """How well each algorithm did on each case, higher is better: who won a case can be read from it."""
        return self.metric.sign * self.values if self.alone is None else self.alone

    @property
    def has_holes(self) -> bool:
        """Whether some algorithm has no value on some case."""
        return bool(np.isnan(self.values).any())

    @property
    def ends(self) -> tuple[float, float] | None:
        """The smallest and the largest score that an algorithm can have; None where unknown."""
        if self.kind in ("pass_fail", "bounded"):
            return 0.0, 1.0
        return self.metric.bounds(self.scores if self.kind == "influence" else self.values)

    @property
    def quantity(self) -> Quantity:
        """How scores and differences are written: shares of cases in percentage points, whatever the metric is called."""
        if self.kind == "pass_fail":
            said, better = self.metric.display_name, self.metric.direction
            return Quantity(label=said, unit=PERCENTAGE_POINTS, factor=100, decimals=1, direction=better)
        return self.metric.quantity(self.scores)

    @property
    def worst(self) -> float | None:
        """How a failure counts: the worst value that a case can have; None if that is not known."""
        if self.kind == "influence":
            return None
        if self.kind == "pass_fail" or (self.kind == "bounded" and self.metric.higher_is_better):
            return 0.0 if self.metric.higher_is_better else 1.0
        ends = self.metric.bounds(self.values)
        end = None if ends is None else ends[0] if self.metric.higher_is_better else ends[1]
        return end if end is not None and np.isfinite(end) else None

    @property
    def mean_costs(self) -> Floats | None:
        """The mean cost of each algorithm over the outcomes whose cost is known; None where no costs are."""
        return None if self.costs is None else self.means(self.costs, macro=False)

    @property
    def effective_n(self) -> float:
        """How many cases of equal weight tell as much as these (Kish 1965); without weights, all of them."""
        if self.weights is None:
            return float(self.n_cases)
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    def unweighted(self, task: str) -> Cases:
        """The same, for a task that gives every case the same weight; refused where they have weights."""
        if self.weights is not None:
            raise DataError(
                f"{task} gives every case the same weight, and these have weights: leave them out with {{ignore_column}}."
            )
        return self

    def select(self, algorithms: Sequence[str]) -> Cases:
        """The chosen algorithms, in the order given; of predictions, their own values again."""
        if self.source is not None:
            cases: Cases = self.source.select(algorithms).to_cases()
            return replace(cases, metric=self.metric, reading=self.reading, notes=self.notes)
        index = self.places(algorithms)
        return replace(
            self,
            **self._at("values alone samples costs", (slice(None), index)),
            algorithms=tuple(algorithms),
            scores=self.scores[index],
            reasons={key: why for key, why in self.reasons.items() if key[1] in algorithms},
        )

    def _at(self, arrays: str, places: Any) -> dict[str, Any]:
        """These of its arrays at some places, where it has them."""
        whole = {name: getattr(self, name) for name in arrays.split()}
        return {name: None if array is None else array[places] for name, array in whole.items()}

    def take(self, keep: npt.ArrayLike) -> Cases:
        """The chosen cases (a mask or indices); influence values belong to all their cases and cannot be cut."""
        if self.kind == "influence":
            raise DataError(
                "Influence values are of all cases at once: choose the cases before the metric is computed."
            )
        chosen = np.arange(self.n_cases)[np.asarray(keep)]
        named: dict[str, Any] = {
            name: tuple(getattr(self, name)[i] for i in chosen) if getattr(self, name) else ()
            for name in ("cases", "clusters", "benchmarks", "classes")
        }
        kept = set(named["cases"])
        reasons = {key: why for key, why in self.reasons.items() if key[0] in kept}
        arrays = self._at("values weights samples costs", chosen)
        return replace(self, **arrays, **named, scores=np.empty(0), reasons=reasons)

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame with the cases as index and the algorithms as columns."""
        import pandas as pd

        return pd.DataFrame(self.values, index=pd.Index(self.cases, name="case"), columns=list(self.algorithms))

    def to_plain(self) -> dict[str, Any]:
        """Plain values, ready for JSON; of predictions, these."""
        if self.source is not None:
            shared = {name: plain(getattr(self, name)) for name in ("unit", "metric", "notes", "reading")}
            return {**shared, "predictions": self.source.to_plain()}
        fields = "cases kind scores clusters benchmarks classes alone weights samples costs cost noun"
        return {**plain_fields(self, fields), "reasons": [[*cell, why] for cell, why in self.reasons.items()]}

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Cases:
        """The cases that `to_plain` wrote."""
        if "predictions" in data:
            cases: Cases = resolve_name(_PREDICTIONS).from_plain(data["predictions"]).to_cases()
            metric, reading = metric_from_plain(data["metric"]), reading_from_plain(data["reading"])
            return replace(cases, metric=metric, notes=tuple(data["notes"]), reading=reading)
        return cls(
            **shared_fields(data),
            **names_of(data, "cases clusters benchmarks classes"),
            **numbers_of(data, "scores alone weights samples costs"),
            kind=data["kind"],
            cost=None if data["cost"] is None else metric_from_plain(data["cost"]),
            noun=data["noun"],
            reasons={(case, who): why for case, who, why in data["reasons"]},
        )


def _sums_by(group: Indices | None, values: Floats) -> Floats:
    """The sums of the columns over the rows of each group, groups x columns; without groups all rows are one."""
    if group is None:
        return np.asarray(values.sum(axis=0, keepdims=True))
    sums = np.zeros((int(group.max()) + 1, values.shape[1]))
    np.add.at(sums, group, values)
    return sums


def kind_of(values: Floats) -> str:
    """What values per case are: 0 or 1, numbers between 0 and 1, or any numbers.

    >>> kind_of(np.array([[0.0, 1.0]])), kind_of(np.array([[0.2, 1.0]])), kind_of(np.array([[2.0, 0.5]]))
    ('pass_fail', 'bounded', 'numeric')
    """
    present = values[~np.isnan(values)]
    if ((present == 0) | (present == 1)).all():
        return "pass_fail"
    return "bounded" if ((present >= 0) & (present <= 1)).all() else "numeric"


def sample_means(samples: Floats) -> Floats:
    """The mean of the samples that there are of each case and algorithm; nan where there is none."""
    if samples.shape[2] == 1 and not np.isinf(samples).any():
        return np.asarray(samples[:, :, 0])
    present = ~np.isnan(samples)
    count = present.sum(axis=2)
    with np.errstate(over="ignore"):
        total = np.where(present, samples, 0.0).sum(axis=2)
    if np.isinf(total).any():
        raise DataError("A score is too large to be averaged: correct it, or make it missing on purpose.")
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


@functools.lru_cache(maxsize=16)  # asked for once for every algorithm
def codes(names: tuple[str, ...]) -> Indices:
    """Names as numbers from 0, in the order of their first occurrence; not to be changed.

    >>> codes(("b", "a", "b")).tolist()
    [0, 1, 0]
    """
    seen: dict[str, int] = {}
    numbers = np.array([seen.setdefault(name, len(seen)) for name in names], dtype=np.intp)
    numbers.flags.writeable = False
    return numbers


def as_cases(
    data: Any, *, metric: Metric | None = None, clusters: Any = None, benchmarks: Any = None, weights: Any = None
) -> Cases:
    """Cases from Cases, predictions with their metric, a DataFrame (cases x algorithms; its index names the cases), a dict of columns or an array.

    >>> as_cases({"a": [1, 0, 1], "b": [1, 1, 1]}).scores.round(2).tolist()
    [0.67, 1.0]
    """
    data = data.to_cases() if hasattr(data, "to_cases") else data
    labels = {"clusters": clusters, "benchmarks": benchmarks}
    more: dict[str, Any] = {name: tuple(map(str, own)) for name, own in labels.items() if own is not None}
    more |= {} if weights is None else {"weights": weights}
    if isinstance(data, Cases):
        return replace(data, **more, scores=np.empty(0)) if more else data
    columns, algorithms, named = columns_of(data, "a value")
    values = check.floats("outcomes", columns, ndim=2)
    if named is not None:
        check.distinct("case", named)
    names = named or tuple(f"case {i + 1}" for i in range(len(values)))
    usual = Metric(name="accuracy" if kind_of(values) == "pass_fail" else "score", direction="higher")
    return Cases(values=values, cases=names, algorithms=algorithms, metric=metric or usual, **more)


def columns_of(data: Any, what: str) -> tuple[npt.NDArray[Any], tuple[str, ...], tuple[str, ...] | None]:
    """Cases x algorithms, the names of the algorithms, and of the cases where there are any.

    `data` is a dict of columns, each with `what` for every case, a DataFrame or an array.
    """
    if isinstance(data, Mapping) and data:
        lengths = {str(name): len(column) for name, column in data.items()}
        if len(set(lengths.values())) > 1:
            raise DataError(f"Every algorithm needs {what} for every case; their numbers differ: {lengths}.")
        return np.stack([np.asarray(column, dtype=object) for column in data.values()], axis=1), tuple(lengths), None
    frame = as_pandas(data)
    if hasattr(frame, "columns") and hasattr(frame, "index"):
        names = tuple(map(str, frame.index)) if frame is data else None  # other libraries have no names of rows
        return frame.to_numpy(), tuple(map(str, frame.columns)), names
    array = np.asarray(data)
    if array.ndim != 2:
        raise DataError(f"Give cases x algorithms; these have {counted(array.ndim, 'dimension')}.")
    return array, tuple(f"algorithm {j + 1}" for j in range(array.shape[1])), None
