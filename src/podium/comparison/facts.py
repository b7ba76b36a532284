"""Facts first: what the data are and what they allow, before any test is chosen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from podium.core.metric import Metric
from podium.core.named import ByAlgorithm
from podium.core.numbers import counted
from podium.core.ranks import settle
from podium.evidence.evidence import MissingScore
from podium.evidence.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts(ABC):
    """What the rules look at, whatever one row of evidence is; everything is counted, nothing is tested."""

    unit: str
    metric: str
    direction: str
    n_algorithms: int
    control: str | None
    missing_scores: tuple[MissingScore, ...] = ()
    rope: float | None = None
    one: ClassVar[str] = "algorithm"
    hole: ClassVar[str] = "missing cell"

    @property
    @abstractmethod
    def on(self) -> str:
        """What the algorithms were compared on, counted."""

    @property
    @abstractmethod
    def design(self) -> str:
        """What there is of each algorithm, in words."""

    def in_words(self, sentence: str) -> str:
        """A sentence with the words of these data in its places, such as `{noun}`."""
        return sentence.format_map(self.places())

    def places(self) -> Mapping[str, str]:
        """What stands in the places of a sentence: what one of the compared is called, and more in some units."""
        return {"one": self.one}

    @property
    def lacking(self) -> str:
        """What is missing, counted, after a comma; or nothing."""
        return f", {counted(len(self.missing_scores), self.hole)}" if self.missing_scores else ""

    def sentence(self) -> str:
        """The facts in one sentence."""
        better = f"{self.metric} ({self.direction} is better)"
        return f"{counted(self.n_algorithms, self.one)} on {self.on}, {better}, {self.design}{self.lacking}."


def measured(metric: Metric, compared: ByAlgorithm, control: str | None) -> dict[str, Any]:
    """What is known of every comparison: the metric, how many were compared, and with whom."""
    named = {"metric": metric.name, "direction": metric.direction, "control": control}
    return {**named, "n_algorithms": compared.n_algorithms}


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetFacts(Facts):
    """What the rules over datasets, or over the folds of one, look at."""

    n_datasets: int
    n_complete: int
    partial_cells: tuple[MissingScore, ...]
    repeats: int
    folds: int
    is_5x2: bool
    tied_share: float
    ceiling_share: float
    n_families: int

    @property
    def on(self) -> str:
        """What the algorithms were compared on, counted."""
        return counted(self.n_datasets, "dataset")

    @property
    def has_folds(self) -> bool:
        """Whether there is more than one score per dataset and algorithm."""
        return self.repeats * self.folds > 1

    @property
    def design(self) -> str:
        """Repeats and folds in words."""
        if not self.has_folds:
            return "one score per dataset and algorithm"
        each = f"{self.repeats} x {self.folds}" if min(self.repeats, self.folds) > 1 else self.repeats * self.folds
        return f"{each} scores per dataset and algorithm"

    @property
    def lacking(self) -> str:
        """Missing cells, and those that lack a fold."""
        partial = counted(len(self.partial_cells), "score without all folds", "scores without all folds")
        return super(DatasetFacts, self).lacking + (f", {partial}" if self.partial_cells else "")


def tied_share(table: Table) -> float:
    """The share of pairs of algorithms, over datasets, whose scores are equal."""
    ordered = np.sort(settle(table.values), axis=1)  # nan last
    tied = pairs = 0
    for row in ordered:
        values, counts = np.unique(row[~np.isnan(row)], return_counts=True)
        present = counts.sum()
        tied += int((counts * (counts - 1) // 2).sum())
        pairs += int(present * (present - 1) // 2) if len(values) else 0
    return tied / pairs if pairs else 0.0


def ceiling_share(table: Table) -> float:
    """The share of scores within half a percent of the best possible one; 0 where the metric has no known bounds."""
    bounds = table.metric.bounds(table.values)
    if bounds is None:
        return 0.0
    values = table.values[~np.isnan(table.values)]
    best = bounds[1] if table.metric.higher_is_better else bounds[0]
    width = bounds[1] - bounds[0] if np.isfinite(bounds).all() else bounds[1]
    return float((np.abs(best - values) <= 0.005 * width).mean())
