"""Friedman's test with aligned ranks: scores minus their dataset's mean, ranked all together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc
from scipy.stats import rankdata

from podium.core.ranks import settle
from podium.core.result import Result
from podium.stats.omnibus.blocks import complete_blocks, left_out

__all__ = ["AlignedRanksResult", "aligned_ranks"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AlignedRanksResult(Result):
    """The aligned-ranks statistic with its chi-square p-value; `mean_ranks` are of 1 (best) to n k.

    `statistic` is the published formula, which ties make slightly cautious; `statistic_corrected` accounts for them.
    """

    statistic: float
    pvalue: float
    statistic_corrected: float
    pvalue_corrected: float
    method: str = "asymptotic"
    alternative: str = "any difference"
    degrees: tuple[int]
    mean_ranks: Floats
    algorithms: tuple[str, ...]
    n_datasets: int
    ties: str = "mean ranks of the aligned scores, after float noise is rounded away"
    missing: str
    dropped: tuple[str, ...]
    references: tuple[str, ...] = ("hodges1962", "garcia2010")

    def summary(self) -> str:
        """The test in a sentence, and what does not follow."""
        return (
            f"Aligned-ranks test of {len(self.algorithms)} algorithms on {self.n_datasets} datasets: "
            f"chi-square({self.degrees[0]}) = {self.statistic:.4g}, p = {self.pvalue:.3g}. Differences on different "
            "datasets are ranked together and must be commensurable; it does not say which algorithms differ."
            f"{left_out(self.dropped)}"
        )


def aligned_ranks(table: Any, *, missing: str = "complete") -> AlignedRanksResult:
    """Friedman's test with aligned ranks (Hodges and Lehmann 1962) on a table of datasets x algorithms.

    The statistic compares the spread of the algorithms' rank sums with the spread within datasets: under the
    hypothesis each dataset's aligned ranks are in random order.
    """
    blocks = complete_blocks(table, missing=missing)
    gains = blocks.table.gains
    n, k = gains.shape
    aligned = settle(gains - gains.mean(axis=1, keepdims=True), scale=np.abs(gains).max(axis=1, keepdims=True))
    ranks = rankdata(-aligned).reshape(n, k)
    between = float(((ranks.sum(axis=0) - n * (n * k + 1) / 2) ** 2).sum())
    within = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum())
    lost = n * k * (n * k + 1) * (2 * n * k + 1) / 6 - float((ranks**2).sum())  # what ties take from the squares
    statistic, corrected = (
        (k - 1) * between / spread if within > 1e-9 else 0.0 for spread in (within + max(lost, 0.0), within)
    )
    return AlignedRanksResult(
        statistic=statistic,
        pvalue=float(chdtrc(k - 1, statistic)),
        statistic_corrected=corrected,
        pvalue_corrected=float(chdtrc(k - 1, corrected)),
        degrees=(k - 1,),
        mean_ranks=ranks.mean(axis=0),
        algorithms=blocks.table.algorithms,
        n_datasets=n,
        missing=missing,
        dropped=blocks.dropped,
    )
