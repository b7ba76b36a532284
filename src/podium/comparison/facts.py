"""Facts first: what the data are and what they allow, before any test is chosen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.core.numbers import counted
from podium.core.ranks import settle
from podium.core.scores import Scores
from podium.core.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the rules look at; everything is counted, nothing is tested."""

    metric: str
    direction: str
    n_algorithms: int
    n_datasets: int
    n_complete: int
    holes: tuple[tuple[str, str], ...]
    partial_cells: tuple[tuple[str, str], ...]
    repeats: int
    folds: int
    is_5x2: bool
    tied_share: float
    ceiling_share: float
    n_families: int
    costs: tuple[str, ...]
    control: str | None
    rope: float | None

    @property
    def unit(self) -> str:
        """What one row of evidence stands for."""
        return "dataset" if self.n_datasets > 1 else "fold"

    @property
    def on(self) -> str:
        """What the algorithms were compared on, counted."""
        return counted(self.n_datasets, "dataset")

    @property
    def has_folds(self) -> bool:
        """Whether there is more than one score per dataset and algorithm."""
        return self.repeats * self.folds > 1

    @property
    def has_families(self) -> bool:
        """Whether some datasets are variants of one origin."""
        return self.n_families < self.n_datasets

    @property
    def design(self) -> str:
        """Repeats and folds in words."""
        if not self.has_folds:
            return "one score per dataset and algorithm"
        each = f"{self.repeats} x {self.folds}" if min(self.repeats, self.folds) > 1 else self.repeats * self.folds
        return f"{each} scores per dataset and algorithm"

    def sentence(self) -> str:
        """The facts in one sentence."""
        holes = f", {len(self.holes)} missing cells" if self.holes else ""
        holes += f", {len(self.partial_cells)} cells without all folds" if self.partial_cells else ""
        better = f"{self.direction} is better"
        noun = "dataset" if self.n_datasets == 1 else "datasets"
        table = f"{self.n_algorithms} algorithms on {self.n_datasets} {noun}"
        return f"{table}, {self.metric} ({better}), {self.design}{holes}."


def facts_of(
    scores: Scores,
    table: Table,
    *,
    costs: tuple[str, ...],
    control: str | None,
    rope: float | None,
) -> Facts:
    """Count the facts of one metric."""
    return Facts(
        metric=table.metric.name,
        direction=table.metric.direction,
        n_algorithms=table.n_algorithms,
        n_datasets=table.n_datasets,
        n_complete=table.complete().n_datasets,
        holes=table.holes(),
        partial_cells=tuple(cell[:2] for cell in scores.partial() if cell[0] in table.datasets),
        repeats=scores.design.repeats,
        folds=scores.design.folds,
        is_5x2=scores.design.is_5x2,
        tied_share=_tied_share(table),
        ceiling_share=_ceiling_share(table),
        n_families=len(set(table.families)) if table.families else table.n_datasets,
        costs=costs,
        control=control,
        rope=rope,
    )


def _tied_share(table: Table) -> float:
    """The share of pairs of algorithms, over datasets, whose scores are equal."""
    ordered = np.sort(settle(table.values), axis=1)  # nan last
    tied = pairs = 0
    for row in ordered:
        values, counts = np.unique(row[~np.isnan(row)], return_counts=True)
        present = counts.sum()
        tied += int((counts * (counts - 1) // 2).sum())
        pairs += int(present * (present - 1) // 2) if len(values) else 0
    return tied / pairs if pairs else 0.0


def _ceiling_share(table: Table) -> float:
    """The share of scores within half a percent of the best possible one; 0 where the metric has no known bounds."""
    bounds = table.metric.bounds(table.values)
    if bounds is None:
        return 0.0
    values = table.values[~np.isnan(table.values)]
    best = bounds[1] if table.metric.higher_is_better else bounds[0]
    width = bounds[1] - bounds[0] if np.isfinite(bounds).all() else bounds[1]
    return float((np.abs(best - values) <= 0.005 * width).mean())
