"""`Diagram` of critdd: mean ranks, groups and the diagram as TikZ, PDF or picture, without LaTeX."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
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
from podium.plot.scene import Scene, stacked
from podium.stats.corrections import adjust
from podium.stats.omnibus.friedman import friedman as friedman_test
from podium.stats.posthoc.all_pairs import all_pairs

ChiSquareFriedmanResult = namedtuple(
    "ChiSquareFriedmanResult", "pvalue statistic n_df average_ranks n maximize_outcome"
)
FDistributedFriedmanResult = namedtuple(
    "FDistributedFriedmanResult", "pvalue statistic chi_square_result n_df_1 n_df_2"
)


def friedman(X: npt.ArrayLike, *, maximize_outcome: bool = False) -> FDistributedFriedmanResult:
    """Friedman's test: F corrected for ties, its p-value exact where that can be; and the form with chi-square.

    `chi_square_result` also has the mean ranks.
    """
    return _tested(_table(np.asarray(X, dtype=float), None, maximize_outcome), maximize_outcome)


def _tested(table: Table, maximize_outcome: bool) -> FDistributedFriedmanResult:
    n, k = table.values.shape
    if k < 3:
        raise ValueError("The Friedman test requires at least 3 treatments")
    chi = friedman_test(table, variant="chi2")
    ranked = ChiSquareFriedmanResult(chi.pvalue, chi.statistic, k - 1, table.mean_ranks(), n, maximize_outcome)
    statistic = friedman_test(table, variant="iman_davenport").statistic
    return FDistributedFriedmanResult(friedman_test(table).pvalue, statistic, ranked, k - 1, (k - 1) * (n - 1))


def _table(values: Floats, names: Sequence[str] | None, maximize_outcome: bool) -> Table:
    told = [f"treatment {i}" for i in range(values.shape[1])] if names is None else [str(name) for name in names]
    rows = tuple(str(i + 1) for i in range(len(values)))
    return Table(values=values if maximize_outcome else -values, datasets=rows, algorithms=tuple(told))


class Diagram:
    """A diagram of mean ranks; `X` has observations in rows and treatments in columns."""

    def __init__(
        self, X: npt.ArrayLike, *, treatment_names: Sequence[str] | None = None, maximize_outcome: bool = False
    ) -> None:
        values = np.asarray(X, dtype=float)
        if treatment_names is not None and len(treatment_names) != values.shape[1]:
            raise ValueError("len(treatment_names) != X.shape[1]")
        self._table = _table(values, treatment_names, maximize_outcome)
        self.treatment_names = np.array(self._table.algorithms)
        self.r = _tested(self._table, maximize_outcome)
        pairs = all_pairs(self._table, test="wilcoxon", correction="none", zeros="pratt")
        self.P = np.full((len(self.treatment_names),) * 2, np.nan)
        self.P[pairs.second, pairs.first] = pairs.pvalue
        say_once(
            "critdd",
            "Friedman's test is corrected for ties and exact where it can be, p-values of pairs are exact with ties and zeros, and "
            "adjusted ones stop at 1.",
        )

    @property
    def maximize_outcome(self) -> bool:
        """Whether more is better."""
        return bool(self.r.chi_square_result.maximize_outcome)

    @property
    def average_ranks(self) -> Floats:
        """The mean rank of each treatment."""
        return np.asarray(self.r.chi_square_result.average_ranks)

    def get_groups(self, alpha: float = 0.05, adjustment: str = "holm", return_names: bool = False) -> list[Any]:
        """The maximal groups that are not told apart, the best first, also those of one; all in one where Friedman's test does not reject."""
        found = self._groups(alpha, adjustment)
        place = {name: i for i, name in enumerate(self.treatment_names.tolist())}
        members = [*found.groups, *((name,) for name in found.alone)]
        groups = [sorted(place[name] for name in group) for group in members]
        groups.sort(key=lambda group: float(self.average_ranks[group].min()))
        return [self.treatment_names[group].tolist() for group in groups] if return_names else groups

    def _groups(self, alpha: float, adjustment: str) -> Any:
        if adjustment not in ("holm", "bonferroni"):
            raise ArgumentError("`adjustment` must be 'holm' or 'bonferroni'.")
        lower = np.tril_indices(len(self.P), -1)
        adjusted = np.ones_like(self.P)
        adjusted[lower] = adjust(self.P[lower], adjustment)
        apart = (adjusted < alpha) if self.r.pvalue < alpha else np.zeros(self.P.shape, dtype=bool)
        return grouped(apart | apart.T, self.average_ranks, self.treatment_names.tolist())

    def _figure(
        self, alpha: float = 0.05, adjustment: str = "holm", reverse_x: bool = False, **others: Any
    ) -> tuple[Figure, str]:
        """The diagram and its title; unknown options are refused, those of pgfplots have no effect."""
        title = others.pop("title", None) or dict(others.pop("axis_options", None) or {}).get("title", "")
        for name in ("tikzpicture_options", "preamble", "as_document"):
            others.pop(name, None)
        if others:
            raise TypeError(f"to_str() got an unexpected keyword argument {next(iter(others))!r}")
        # critdd's axis begins at the left with rank 1; `reverse_x` turns it round.
        return diagram(self._groups(alpha, adjustment), reverse=reverse_x), str(title)

    def to_str(self, alpha: float = 0.05, adjustment: str = "holm", **kwargs: Any) -> str:
        """The TikZ code: `reverse_x`, `as_document` and a title count; of the options of pgfplots no other has an effect."""
        figure, title = self._figure(alpha, adjustment, **kwargs)
        return to_tikz(_headed(figure.scene, title), standalone=bool(kwargs.get("as_document")))

    def to_file(self, path: str | Path, *args: Any, **kwargs: Any) -> None:
        """Write it: .tex, .tikz, .pdf, .png or .svg, none of which needs LaTeX; the options are those of `to_str`."""
        if Path(path).suffix not in (".tex", ".tikz", ".pdf", ".svg", ".png"):
            raise ValueError("Unknown file path extension")
        figure, title = self._figure(*args, **kwargs)
        Figure(_headed(figure.scene, title)).save(path)


def _headed(scene: Scene, title: str) -> Scene:
    return stacked([scene], headings=[title], title=scene.title, description=scene.description) if title else scene
