"""Results: the long table (algorithm, dataset, repeat, fold, metric, value, status) behind every comparison."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from podium.core import check
from podium.core.arrays import Bools
from podium.core.errors import DataError
from podium.core.escape import visible
from podium.core.files import write_atomically
from podium.core.metric import Metric, as_direction, is_cost, settled_metric
from podium.core.names import guarded, quoted, shown
from podium.core.numbers import counted
from podium.core.result import cut
from podium.evidence.evidence import MissingScore
from podium.evidence.scores import Scores
from podium.evidence.shown import said

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.reading import Reading

# More cells than this (400 MB of numbers) must be worth their place.
MOST_CELLS = 50_000_000

COLUMNS = ("algorithm", "dataset", "repeat", "fold", "metric", "value", "status", "message")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Results:
    """All scores that are known, one per row, with their metrics.

    `notes` are sentences about what was recognised and done when the scores were read; the first says what was recognised.

    Parameters
    ----------
    frame : pandas.DataFrame
        One score per row: names as categories (in order of first appearance), `repeat` and `fold` as integers,
        `value` as float64 (nan where missing), `status` "ok" or the kind of failure, `message` its text.
        Where the source has standard deviations, `deviation` has them.
    metrics : mapping of str to Metric
        What the scores measure, by the name of each metric.
    families : mapping of str to str, optional
        The origin of each dataset: variants of one origin are not independent.
    test_fraction : float, optional
        Share of the cases that each split tests on, if it was not cross-validation.
    notes : tuple of str, optional
        Sentences about how the scores were read.
    source : str, optional
        Where the scores come from.
    main : str, optional
        The metric that is meant where none is named.
    reading : Reading, optional
        How the columns of the source were read, and what one row is; None where nothing had to be recognised.

    Examples
    --------
    >>> import podium
    >>> results = podium.example("benavoli2016")
    >>> results.scores().table().n_datasets
    54
    """

    unit: ClassVar[str] = "dataset"
    frame: pd.DataFrame
    metrics: Mapping[str, Metric]
    families: Mapping[str, str] = field(default_factory=dict)
    test_fraction: float | None = None
    notes: tuple[str, ...] = ()
    source: str = ""
    main: str | None = None
    reading: Reading | None = None

    def __repr__(self) -> str:
        who, on = counted(len(self.algorithms), "algorithm"), counted(len(self.datasets), "dataset")
        lines = [
            f"Results: {said(self.metrics.values())} of {who} on {on}",
            f"algorithms: {quoted(self.algorithms)}",
            f"datasets: {quoted(self.datasets)}",
            self.missing_note,
            f"source: {shown(self.source, 80)}" if self.source else "",
            ".scores() is one metric as an array, .to_frame() the long table, .notes what was recognised.",
        ]
        return "\n".join(cut(visible(line)) for line in lines if line)

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The names of the algorithms, in order of first appearance."""
        return tuple(self.frame["algorithm"].cat.categories)

    @property
    def datasets(self) -> tuple[str, ...]:
        """The names of the datasets, in order of first appearance."""
        return tuple(self.frame["dataset"].cat.categories)

    def metric(self, name: str | None = None) -> Metric:
        """The metric of that name; without a name, `main`, or the only one that is not a cost."""
        if name is not None or self.main is not None:
            return self.metrics[check.member("metric", name or self.main or "", self.metrics)]
        scores = [self.metrics[name] for name in self._no_costs] or list(self.metrics.values())
        if len(scores) != 1:
            names = ", ".join(repr(metric.name) for metric in scores)
            offers = tuple({"metric": metric.name} for metric in scores)
            raise DataError(f"There are several metrics ({names}): choose one with {{metric}}.", offers=offers)
        return scores[0]

    @property
    def _no_costs(self) -> tuple[str, ...]:
        return tuple(name for name, metric in self.metrics.items() if not metric.is_cost)

    @property
    def metric_note(self) -> str:
        """Which metric is taken where none is named, if there are several to choose from; else nothing."""
        if self.main is None or len(self._no_costs) < 2:
            return ""
        names = ", ".join(repr(name) for name in self._no_costs)
        return f"Of several metrics ({names}) {self.main!r} is taken: choose another with `metric`."

    @property
    def costs(self) -> tuple[str, ...]:
        """The names of the metrics that are costs."""
        return tuple(name for name, metric in self.metrics.items() if metric.is_cost)

    def scores(self, metric: str | None = None) -> Scores:
        """One metric as a named array (dataset, algorithm, repeat, fold)."""
        chosen = self.metric(metric)
        rows = self.frame[(self.frame["metric"] == chosen.name).to_numpy()]
        repeats, repeat = np.unique(rows["repeat"].to_numpy(), return_inverse=True)
        folds, fold = np.unique(rows["fold"].to_numpy(), return_inverse=True)
        datasets, dataset = _used(rows["dataset"])
        algorithms, algorithm = _used(rows["algorithm"])
        shape = (len(datasets), len(algorithms), len(repeats), len(folds))
        _check_filled(shape, len(rows))
        values = np.full(shape, np.nan)
        values[dataset, algorithm, repeat, fold] = rows["value"].to_numpy(dtype=np.float64)
        failed = np.flatnonzero((rows["message"] != "").to_numpy())
        messages = {
            (int(dataset[i]), int(algorithm[i]), int(repeat[i]), int(fold[i])): str(rows["message"].iloc[i])
            for i in failed
        }
        deviations = None
        if "deviation" in rows:
            deviations = np.full(shape[:2], np.nan)
            deviations[dataset, algorithm] = rows["deviation"].to_numpy(dtype=np.float64)
        return Scores(
            values=values,
            deviations=deviations,
            datasets=datasets,
            algorithms=algorithms,
            metric=chosen,
            repeats=tuple(int(r) for r in repeats),
            folds=tuple(int(f) for f in folds),
            families=tuple(self.families.get(name, name) for name in datasets) if self.families else (),
            test_fraction=self.test_fraction,
            messages=messages,
            notes=(*self.notes[1:], *([self.metric_note] if metric is None and self.metric_note else [])),
        )

    @property
    def missing_note(self) -> str:
        """How many cells have no score, and why; "" where all have one."""
        holes = self.frame[(self.frame["status"] != "ok").to_numpy()]
        if not len(holes):
            return ""
        why = ", ".join(f"{count} {kind}" for kind, count in holes["status"].value_counts().items() if count)
        return f"{len(holes)} of {len(self.frame)} cells have no score ({why}); they stay missing."

    def only(self, metrics: Sequence[str]) -> Results:
        """The chosen metrics, and the costs, which every comparison may weigh; a single one is the main one."""
        chosen = [self.metric(name).name for name in metrics]
        keep = {*chosen, *self.costs}
        return replace(
            self,
            frame=keep_metrics(self.frame, keep),
            metrics={name: metric for name, metric in self.metrics.items() if name in keep},
            main=chosen[0] if len(chosen) == 1 else self.main if self.main in keep else None,
        )

    def besides(self, search: str) -> Results:
        """The same with another metric as the main one than that of a search, where only one is left."""
        others = [name for name in self._no_costs if name != self.metric(search).name]
        return replace(self, main=others[0]) if len(others) == 1 else self

    def missing(self, metric: str | None = None) -> tuple[MissingScore, ...]:
        """The missing cells of one metric by name, with the failure behind each where it is known."""
        return self.scores(metric).missing

    def to_frame(self) -> pd.DataFrame:
        """The long table as a DataFrame of its own, names as text; with a column `family` if there are families."""
        frame = self.frame.copy()
        for column in ("algorithm", "dataset", "metric", "status", "message"):
            frame[column] = frame[column].astype(object)
        if self.families:
            frame.insert(2, "family", [self.families.get(name, name) for name in frame["dataset"]])
        return frame

    def write_csv(self, path: str | Path) -> None:
        """Write a long table that `read_results` reads back as it was, with no question left open.

        A name that a spreadsheet would run as a formula (=, +, -, @ in front) gets an apostrophe in front, which
        reading takes away again.
        """
        frame = self.to_frame().rename(columns={"deviation": "value_std"})
        words = {metric.name: "cost" if metric.is_cost else metric.direction for metric in self.metrics.values()}
        frame.insert(list(frame.columns).index("value"), "direction", [words[name] for name in frame["metric"]])
        if self.test_fraction is not None:
            frame["test_fraction"] = self.test_fraction
        for column in frame.columns.intersection(["algorithm", "dataset", "family", "metric", "status", "message"]):
            frame[column] = [guarded(str(text)) for text in frame[column]]
        write_atomically(path, frame.to_csv(index=False))

    def with_directions(self, directions: Mapping[str, str]) -> Results:
        """The same results with the directions of some metrics set ("higher" or "lower")."""
        metrics = dict(self.metrics)
        for name, direction in directions.items():
            old = metrics[check.member("metric", name, metrics)]
            metrics[name] = replace(old, direction=as_direction(direction))
        return replace(self, metrics=metrics)


def keep_metrics(frame: pd.DataFrame, keep: Collection[str]) -> pd.DataFrame:
    """The rows of some metrics, and only the names that still occur."""
    return keep_rows(frame, frame["metric"].isin(list(keep)).to_numpy())


def keep_rows(frame: pd.DataFrame, rows: Bools) -> pd.DataFrame:
    """Some rows, and only the names that still occur."""
    kept: pd.DataFrame = frame[rows].reset_index(drop=True)
    for column in ("algorithm", "dataset", "metric"):
        kept[column] = kept[column].cat.remove_unused_categories()
    return kept


def _check_filled(shape: tuple[int, ...], n_rows: int) -> None:
    """Refuse an array of which almost nothing would be filled: a column was taken for what it is not."""
    cells = math.prod(shape)
    if cells > MOST_CELLS and cells > 100 * n_rows:
        raise DataError(
            f"{n_rows} scores for {shape[0]} datasets, {shape[1]} algorithms, {shape[2]} repeats and {shape[3]} folds "
            "leave almost every cell empty: check which columns were read as these."
        )


def _used(column: pd.Series) -> tuple[tuple[str, ...], np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """The categories that occur in a categorical column, in order, and each row's place among them."""
    used, place = np.unique(column.cat.codes.to_numpy(), return_inverse=True)
    categories = column.cat.categories
    return tuple(str(categories[code]) for code in used), place


def metrics_of(names: list[str], directions: Mapping[str, str]) -> dict[str, Metric]:
    """Metrics by name: the direction given, else the one that is certain from the name, else a refusal."""
    return {name: replace(settled_metric(name, directions.get(name)), is_cost=is_cost(name)) for name in names}
