"""Scores: one metric as a named array (dataset, algorithm, repeat, fold), missing cells named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats
from podium.core.errors import DataError, DesignError
from podium.core.metric import Metric
from podium.core.named import ByAlgorithm
from podium.core.numbers import counted, some
from podium.core.quantity import Quantity
from podium.evidence.design import Design
from podium.evidence.evidence import MissingScore, names_of, numbers_of, plain_fields, shared_fields
from podium.evidence.reading import Reading
from podium.evidence.shown import in_lines
from podium.evidence.table import Table, deviations_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Scores(ByAlgorithm):
    """One metric of every algorithm on every dataset, repeat and fold.

    Parameters
    ----------
    values : array of shape (datasets, algorithms, repeats, folds)
        The scores; nan is a missing one.
    datasets : tuple of str
        Names of the datasets.
    algorithms : tuple of str
        Names of the algorithms.
    metric : Metric
        What the scores measure.
    repeats : tuple of int, default (0,)
        The numbers of the repeats, as in the file.
    folds : tuple of int, default (0,)
        The numbers of the folds, as in the file.
    families : tuple of str, optional
        The origin of each dataset: variants of one origin are not independent.
    test_fraction : float, optional
        Share of the cases that each split tests on, if it was not cross-validation.
    messages : dict, optional
        The failure behind a missing score, by its index.
    notes : tuple of str, optional
        Sentences about where the scores come from that a report has to repeat.
    reading : Reading, optional
        How the columns of the source were read.
    deviations : array, optional
        Standard deviations of the scores, where the source has them.

    Examples
    --------
    >>> import numpy as np
    >>> scores = Scores(values=np.array([[[[0.9, 0.8]], [[0.7, 0.6]]]]), datasets=("iris",), algorithms=("svm", "knn"),
    ...                 metric=Metric(name="accuracy", direction="higher"), folds=(0, 1))
    >>> scores.table().values.round(2).tolist()
    [[0.85, 0.65]]
    """

    values: Floats
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    metric: Metric
    repeats: tuple[int, ...] = (0,)
    folds: tuple[int, ...] = (0,)
    families: tuple[str, ...] = ()
    test_fraction: float | None = None
    messages: dict[tuple[int, int, int, int], str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reading: Reading | None = None
    deviations: Floats | None = None

    def __post_init__(self) -> None:
        shape = (len(self.datasets), len(self.algorithms), len(self.repeats), len(self.folds))
        if self.values.shape != shape:
            raise DataError(f"Scores named for a shape of {shape} cannot have values of shape {self.values.shape}.")
        check.finite(self.values, self.algorithms, self.datasets)

    def __repr__(self) -> str:
        folds = f", means of {len(self.repeats)} x {len(self.folds)} folds" if self.has_folds else ""
        return in_lines(
            self, counted(len(self.datasets), "dataset") + folds, self.table().to_frame(), len(self.missing)
        )

    @classmethod
    def without_folds(cls, table: Table) -> Scores:
        """The scores of a table, in which nothing was averaged."""
        same = ("datasets", "algorithms", "metric", "families", "deviations")
        return cls(values=table.values[:, :, None, None], **{name: getattr(table, name) for name in same})

    @property
    def design(self) -> Design:
        """Repeats, folds and the share of test cases."""
        return Design(repeats=len(self.repeats), folds=len(self.folds), test_fraction=self.test_fraction)

    @property
    def has_folds(self) -> bool:
        """Whether there is more than one score per dataset and algorithm."""
        return self.design.n_scores > 1

    def blocks(self) -> Scores:
        """The same scores with every fold a dataset of its own, as Wainer (2016) ranks times; those of one dataset are a family."""
        order = np.moveaxis(self.values, 1, -1).reshape(-1, len(self.algorithms))
        several = len(self.repeats) > 1
        names = tuple(
            f"{dataset} {f'repeat {repeat} ' if several else ''}fold {fold}"
            for dataset in self.datasets
            for repeat in self.repeats
            for fold in self.folds
        )
        families = tuple(family for family in self.families or self.datasets for _ in range(self.design.n_scores))
        note = f"Every fold counts as a dataset: {len(names)} folds of {counted(len(self.datasets), 'dataset')}."
        return replace(
            self,
            values=order[:, :, None, None],
            datasets=names,
            families=families,
            repeats=(0,),
            folds=(0,),
            messages={},
            notes=(*self.notes, note),
            deviations=None,
        )

    @property
    def unit(self) -> str:
        """What the tests count: datasets, or the folds of the only one."""
        return "fold" if len(self.datasets) == 1 and self.has_folds else "dataset"

    @property
    def rows(self) -> tuple[str, ...]:
        """The datasets."""
        return self.datasets

    @property
    def quantity(self) -> Quantity:
        """How scores and differences are written."""
        return self.metric.quantity(self.values)

    @property
    def missing(self) -> tuple[MissingScore, ...]:
        """Every missing cell by name; a dataset and algorithm with no score at all is one."""
        missing = np.isnan(self.values)
        if not missing.any():
            return ()
        empty: Bools = np.all(missing, axis=(2, 3))
        said = {key[:2]: text for key, text in reversed(self.messages.items())}  # the first message of each pair
        cells = [
            MissingScore(self.datasets[i], self.algorithms[j], said.get((int(i), int(j)), ""))
            for i, j in np.argwhere(empty)
        ]
        partial = missing & ~empty[:, :, None, None]
        cells += [
            MissingScore(
                self.datasets[i],
                self.algorithms[j],
                self.messages.get((int(i), int(j), int(r), int(f)), ""),
                self.repeats[r],
                self.folds[f],
            )
            for i, j, r, f in np.argwhere(partial)
        ]
        return tuple(cells)

    def partial(self) -> tuple[MissingScore, ...]:
        """Cells with some folds missing, and how many folds there are."""
        present, total = (~np.isnan(self.values)).sum(axis=(2, 3)), self.design.n_scores
        some = np.argwhere((present > 0) & (present < total))
        return tuple(MissingScore(self.datasets[i], self.algorithms[j], f"{present[i, j]} of {total}") for i, j in some)

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes, and the one on missing folds if there is something to say."""
        return (*self.notes, *([self.partial_note] if self.partial_note else []))

    @property
    def partial_note(self) -> str:
        """How many cells lack some of their folds, and what happens to them; empty if none does."""
        partial = self.partial()
        if not partial:
            return ""
        named = some((f"{cell.row} / {cell.algorithm} {cell.why}" for cell in partial), 6)
        cells = len(self.datasets) * len(self.algorithms)
        lack = "lacks some of its folds" if len(partial) == 1 else "lack some of their folds"
        return f"{len(partial)} of {cells} cells {lack} ({named}): a mean over folds takes those there are."

    def table(self, *, partial: str = "mean") -> Table:
        """Datasets x algorithms: the mean over repeats and folds.

        `partial` says what happens to a cell with some folds missing: "mean" averages the others, "missing" makes
        the whole cell missing.
        """
        check.choice("partial", partial, ("mean", "missing"))
        missing = np.isnan(self.values)
        present = (~missing).sum(axis=(2, 3))
        total = np.where(missing, 0.0, self.values).sum(axis=(2, 3))
        with np.errstate(invalid="ignore"):
            means = np.where(present > 0, total / present, np.nan)
        if partial == "missing":
            means[missing.any(axis=(2, 3))] = np.nan
        return Table(
            values=means,
            datasets=self.datasets,
            algorithms=self.algorithms,
            metric=self.metric,
            families=self.families,
            deviations=deviations_of(self.values.reshape(*present.shape, -1)) if self.has_folds else self.deviations,
        )

    def on(self, dataset: str) -> Floats:
        """The scores on one dataset, as (algorithm, repeat, fold)."""
        return np.asarray(self.values[self.datasets.index(check.member("dataset", dataset, self.datasets))])

    def folds_of(self, algorithm: str, dataset: str) -> Floats:
        """One algorithm's scores on one dataset, as (repeat, fold); none may be missing."""
        values: Floats = self.on(dataset)[self.place(algorithm)]
        if np.isnan(values).any():
            raise DesignError(
                f"{algorithm!r} lacks some of its folds on {dataset!r}: tests on one dataset need them all."
            )
        return values

    def take(self, keep: npt.ArrayLike) -> Scores:
        """The chosen datasets (a mask or indices)."""
        chosen = [int(i) for i in np.arange(len(self.datasets))[np.asarray(keep)]]
        place = {old: new for new, old in enumerate(chosen)}
        return replace(
            self,
            values=self.values[chosen],
            datasets=tuple(self.datasets[i] for i in chosen),
            families=tuple(self.families[i] for i in chosen) if self.families else (),
            messages={(place[k[0]], *k[1:]): text for k, text in self.messages.items() if k[0] in place},
            deviations=None if self.deviations is None else self.deviations[chosen],
        )

    def complete(self) -> Scores:
        """Only the datasets on which no algorithm lacks any repeat or fold."""
        return self.take(~np.isnan(self.values).any(axis=(1, 2, 3)))

    def select(self, algorithms: Sequence[str]) -> Scores:
        """The chosen algorithms, in the order given."""
        index = self.places(algorithms)
        place = {old: new for new, old in enumerate(index)}
        return replace(
            self,
            values=self.values[:, index],
            algorithms=tuple(algorithms),
            messages={(k[0], place[k[1]], k[2], k[3]): text for k, text in self.messages.items() if k[1] in place},
            deviations=None if self.deviations is None else self.deviations[:, index],
        )

    def to_frame(self) -> pd.DataFrame:
        """A long table: one row per score that there is."""
        import pandas as pd

        dataset, algorithm, repeat, fold = np.nonzero(~np.isnan(self.values))
        return pd.DataFrame(
            {
                "dataset": np.array(self.datasets, dtype=object)[dataset],
                "algorithm": np.array(self.algorithms, dtype=object)[algorithm],
                "repeat": np.array(self.repeats)[repeat],
                "fold": np.array(self.folds)[fold],
                self.metric.name: self.values[dataset, algorithm, repeat, fold],
            }
        )

    def to_plain(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        messages = [[*place, text] for place, text in self.messages.items()]
        return {**plain_fields(self, "datasets repeats folds families test_fraction deviations"), "messages": messages}

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Scores:
        """The scores that `to_plain` wrote."""
        share = data["test_fraction"]
        return cls(
            **shared_fields(data),
            **names_of(data, "datasets repeats folds families"),
            **numbers_of({"deviations": None, **data}, "deviations"),
            test_fraction=None if share is None else float(share),
            messages={(i, j, r, f): text for i, j, r, f, text in data["messages"]},
        )
