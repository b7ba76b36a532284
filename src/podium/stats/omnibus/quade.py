"""Quade's test: Friedman's, with datasets weighted by the rank of their range of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, fdtrc
from scipy.stats import rankdata

from podium.core.ranks import subtract
from podium.core.result import Result
from podium.stats.exact.friedman import perfect_agreement_pvalue
from podium.stats.omnibus.blocks import complete_blocks, left_out

__all__ = ["QuadeResult", "quade"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QuadeResult(Result):
    """Quade's F (`statistic`, `pvalue`) and the chi-square form of the same numbers."""

    statistic: float
    pvalue: float
    method: str = "asymptotic"
    alternative: str = "any difference"
    degrees: tuple[int, int]
    chi2: float
    chi2_pvalue: float
    mean_ranks: Floats
    weighted_mean_ranks: Floats
    algorithms: tuple[str, ...]
    n_datasets: int
    ties: str = "mean ranks, within datasets and between their ranges"
    missing: str
    dropped: tuple[str, ...]
    references: tuple[str, ...] = ("quade1979",)

    def summary(self) -> str:
        """The test in a sentence, and what does not follow."""
        return (
            f"Quade's test of {len(self.algorithms)} algorithms on {self.n_datasets} datasets: "
            f"F({self.degrees[0]}, {self.degrees[1]}) = {self.statistic:.4g}, p = {self.pvalue:.3g}. Datasets with a wide "
            "range of scores count more, so that scores of different datasets must be commensurable; "
            f"it does not say which algorithms differ.{left_out(self.dropped)}"
        )


def quade(table: Any, *, missing: str = "complete") -> QuadeResult:
    """Quade's test on a table of datasets x algorithms.

    >>> result = quade([[52, 45, 38], [63, 79, 50], [45, 57, 39], [53, 51, 43], [47, 50, 56], [62, 72, 49], [49, 52, 40]])
    >>> round(result.statistic, 4), round(result.pvalue, 6)
    (8.3765, 0.005284)
    """
    blocks = complete_blocks(table, missing=missing)
    values = blocks.table.values
    ranks = blocks.table.ranks()
    n, k = ranks.shape
    spans = subtract(values.max(axis=1), values.min(axis=1))
    weights = rankdata(spans)
    scores = weights[:, None] * (ranks - (k + 1) / 2)
    total = float((scores**2).sum())
    between = float((scores.sum(axis=0) ** 2).sum()) / n
    degrees = (k - 1, (k - 1) * (n - 1))
    share = between / total if total > 0 else 0.0
    agreed = share >= 1 - 1e-12
    f = np.inf if agreed else (n - 1) * share / (1 - share)
    return QuadeResult(
        statistic=float(f),
        pvalue=perfect_agreement_pvalue(ranks) if agreed else float(fdtrc(*degrees, f)),
        degrees=degrees,
        chi2=n * (k - 1) * share,
        chi2_pvalue=float(chdtrc(k - 1, n * (k - 1) * share)),
        mean_ranks=ranks.mean(axis=0),
        weighted_mean_ranks=weights @ ranks / weights.sum(),
        algorithms=blocks.table.algorithms,
        n_datasets=n,
        missing=missing,
        dropped=blocks.dropped,
    )
