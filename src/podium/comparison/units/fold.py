"""Algorithms compared over the folds of one dataset: the corrected t test and its kin."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from podium.comparison.comparison import Words
from podium.comparison.units.dataset import DatasetUnit
from podium.stats.pairwise.pair_result import PairResult, effect_kind


class FoldUnit(DatasetUnit):
    """A comparison over the folds of one dataset."""

    name: ClassVar[str] = "fold"
    ranked_by: ClassVar[str] = "score"

    @cached_property
    def words(self) -> Words:
        """Folds, and what is said of them."""
        return replace(
            super().words, row="fold", rows="folds", n_rows=int(self.pairs.n.max()), by="mean score", places=""
        )

    @property
    def place(self) -> str:
        """The dataset."""
        name: str = self.table.datasets[0]
        return name

    def where(self, pair: PairResult) -> str:
        """On the fold that the test looks at, or on average over all."""
        return "on the first fold" if effect_kind(pair.effect_name).of_first_fold else "on average over the folds"

    def on_data(self) -> str:
        """The dataset and its folds."""
        return f"{self.place}, over {self.folds}" if self.facts.has_folds else self.place
