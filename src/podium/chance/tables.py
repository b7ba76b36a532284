"""Tables of critical values: for any sizes, competitors and levels, by default those of Forman and Cohen (2005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.chance.best_of import quick_critical
from podium.chance.distributions import null_distribution
from podium.chance.registry import LEVEL, label_of, metric_name
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import counted, number
from podium.core.progress import Progress, tracked
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

PAPER_SIZES = (20, 30, 40, 50, 60, 70, 80, 90, 100, 150, 200, 300, 400, 500, 600, 700, 800, 900, 1000)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriticalTableResult(Result):
    """Critical values: `values[a, c, i, j]` for alphas[a], competitors[c], positives[i] and negatives[j].

    nan where the metric does not exist (fewer cases than its top n).
    """

    metric: str
    positives: tuple[int, ...]
    negatives: tuple[int, ...]
    competitors: tuple[int, ...]
    alphas: tuple[float, ...]
    values: Floats
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    @property
    def _axes(self) -> dict[str, tuple[float, ...]]:
        return {
            "alpha": self.alphas,
            "competitors": self.competitors,
            "positives": self.positives,
            "negatives": self.negatives,
        }

    @property
    def title(self) -> str:
        """Of which metric."""
        return f"Critical values of {label_of(self.metric)}"

    def summary(self) -> str:
        """What the table holds."""
        return (
            f"Exact critical values of {label_of(self.metric)} for {counted(len(self.positives), 'size')} of the positive and "
            f"{counted(len(self.negatives), 'size')} of the negative class, against the best of {_listed(self.competitors)} random rankings at "
            f"alpha {_listed(self.alphas)}: a winner must exceed them; that it does says nothing about its rivals."
        )

    def columns(self) -> dict[str, Any]:
        """One row per critical value."""
        places = dict(zip(self._axes, zip(*product(*self._axes.values()), strict=True), strict=True))
        return {"metric": self.metric, **places, "critical_value": self.values.ravel()}

    def tables(self) -> dict[str, pd.DataFrame]:
        """One table per alpha and number of competitors: positives in rows, negatives in columns."""
        import pandas as pd

        columns = [str(many) for many in self.negatives]
        frames = {}
        for a, alpha in enumerate(self.alphas):
            for c, competitors in enumerate(self.competitors):
                frame = pd.DataFrame(self.values[a, c], columns=columns)
                frame.insert(0, "positives", self.positives)
                frames[f"{competitors}_competitors_at_{number(100 * alpha)}_percent"] = frame
        return frames


def _listed(values: Sequence[float]) -> str:
    return ", ".join(map(number, values))


def critical_table(
    metric: str,
    *,
    positives: Sequence[int] = PAPER_SIZES,
    negatives: Sequence[int] = PAPER_SIZES,
    competitors: Sequence[int] = (10, 100, 1000),
    alphas: Sequence[float] = (LEVEL,),
    progress: Progress = None,
) -> CriticalTableResult:
    """Critical values for every combination of the lists; by default the paper's appendix B.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    positives : sequence of int, default the paper's
        Numbers of positive test cases.
    negatives : sequence of int, default the paper's
        Numbers of negative test cases.
    competitors : sequence of int, default (10, 100, 1000)
        Numbers of algorithms tried, discarded ones included.
    alphas : sequence of float, default (0.01,)
        Significance levels.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    CriticalTableResult
        `values[a, c, i, j]` for alphas[a], competitors[c], positives[i] and negatives[j].

    Examples
    --------
    >>> table = critical_table("tp10", positives=[150], negatives=[484], competitors=[114])
    >>> table.values.item()
    8.0
    """
    name = metric_name(metric)
    sizes = [whole_numbers("positives", positives), whole_numbers("negatives", negatives)]
    counts = whole_numbers("competitors", competitors)
    levels = tuple(check.fraction("alpha", alpha) for alpha in alphas)
    if not levels:
        raise ArgumentError("`alphas` must hold at least one level.")
    values = np.full((len(levels), len(counts), len(sizes[0]), len(sizes[1])), np.nan)
    for i, P in tracked(enumerate(sizes[0]), progress, total=len(sizes[0])):
        for j, N in enumerate(sizes[1]):
            if name.n > P + N:  # fewer cases than the top n: no such score
                continue
            law = null_distribution(metric, positives=P, negatives=N)
            for a, alpha in enumerate(levels):
                for c, count in enumerate(counts):
                    values[a, c, i, j] = quick_critical(law, alpha, count).value
    return CriticalTableResult(
        metric=name.name,
        positives=sizes[0],
        negatives=sizes[1],
        competitors=counts,
        alphas=levels,
        values=values,
        references=name.metric.references,
    )


def whole_numbers(what: str, values: Sequence[int]) -> tuple[int, ...]:
    """Counts, at least one."""
    numbers = tuple(check.count(what, value) for value in values)
    if not numbers:
        raise ArgumentError(f"`{what}` must hold at least one number.")
    return numbers
