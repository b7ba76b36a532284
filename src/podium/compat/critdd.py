"""`Diagram` of critdd: mean ranks, groups and the diagram as TikZ, PDF or picture, without LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.compat.diagrams import diagram, grouped
from podium.compat.differences import say_once
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.table import Table
from podium.plot.draw_tikz import to_tikz
from podium.plot.figure import Figure
from podium.stats.corrections import adjust
from podium.stats.omnibus.friedman import friedman as friedman_test
from podium.stats.posthoc.all_pairs import all_pairs


@dataclass(frozen=True)
class FriedmanResult:
    """Friedman's test in its F form, corrected for ties."""

    pvalue: float
    statistic: float
    average_ranks: Floats


class Diagram:
    """A diagram of mean ranks; `X` has observations in rows and treatments in columns."""

    def __init__(
        self,
        X: npt.ArrayLike,
        *,
        treatment_names: Sequence[str] | None = None,
        maximize_outcome: bool = False,
    ) -> None:
        values = np.asarray(X, dtype=float)
        names = [f"treatment {i}" for i in range(values.shape[1])] if treatment_names is None else list(treatment_names)
        if len(names) != values.shape[1]:
            raise ValueError("len(treatment_names) != X.shape[1]")
        self.treatment_names = np.array([str(name) for name in names])
        self.maximize_outcome = maximize_outcome
        rows = tuple(str(i + 1) for i in range(len(values)))
        gains = values if maximize_outcome else -values
        self._table = Table(values=gains, datasets=rows, algorithms=tuple(self.treatment_names.tolist()))
        tested = friedman_test(self._table)
        self.r = FriedmanResult(tested.pvalue, tested.statistic, self._table.mean_ranks())
        pairs = all_pairs(self._table, test="wilcoxon", correction="none")
        self.P = np.full((len(names), len(names)), np.nan)
        self.P[pairs.second, pairs.first] = pairs.pvalue
        say_once(
            "critdd",
            "Friedman's test is corrected for ties, p-values are exact with ties and zeros, and adjusted ones stop at 1.",
        )

    @property
    def average_ranks(self) -> Floats:
        """The mean rank of each treatment."""
        return self.r.average_ranks

    def get_groups(self, alpha: float = 0.05, adjustment: str = "holm", return_names: bool = False) -> list[Any]:
        """The maximal groups that are not told apart; one of all where Friedman's test does not reject."""
        found = self._groups(alpha, adjustment)
        if return_names:
            return [list(group) for group in found.groups]
        place = {name: i for i, name in enumerate(self.treatment_names.tolist())}
        return [np.array([place[name] for name in group]) for group in found.groups]

    def _groups(self, alpha: float, adjustment: str) -> Any:
        if adjustment not in ("holm", "bonferroni"):
            raise ArgumentError("`adjustment` must be 'holm' or 'bonferroni'.")
        lower = np.tril_indices(len(self.P), -1)
        adjusted = np.ones_like(self.P)
        adjusted[lower] = adjust(self.P[lower], adjustment)
        apart = (adjusted < alpha) if self.r.pvalue < alpha else np.zeros(self.P.shape, dtype=bool)
        return grouped(apart | apart.T, self.average_ranks, self.treatment_names.tolist())

    def _figure(self, alpha: float, adjustment: str) -> Figure:
        return diagram(self._groups(alpha, adjustment))

    def to_str(self, alpha: float = 0.05, adjustment: str = "holm", as_document: bool = False, **others: Any) -> str:
        """The TikZ code; options of pgfplots (`axis_options` and the like) have no effect."""
        return to_tikz(self._figure(alpha, adjustment).scene, standalone=as_document)

    def to_file(self, path: str | Path, alpha: float = 0.05, adjustment: str = "holm", **others: Any) -> None:
        """Write it: .tex, .tikz, .pdf, .png or .svg."""
        self._figure(alpha, adjustment).save(path)
