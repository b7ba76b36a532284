"""Tukey's test of all pairs of mean scores, after a repeated-measures analysis of variance."""

from __future__ import annotations

import math
from typing import Any

from podium.stats.exact.studentized_range import range_tail
from podium.stats.posthoc.mean_differences import mean_pairs
from podium.stats.posthoc.posthoc_result import PosthocResult

__all__ = ["tukey"]


def tukey(table: Any, *, missing: str = "complete") -> PosthocResult:
    """All pairs of mean scores against the studentized range, datasets as blocks: q = (m_a - m_b) / sqrt(MSE / n).

    The error has (n - 1)(k - 1) degrees of freedom, so that the pairing by datasets is used. `adjusted` controls the
    family-wise error; `pvalue` is that of the pair alone (Student's t with the pooled error).
    """
    return mean_pairs(
        table,
        test="Tukey's test",
        correction="studentized range",
        scale=math.sqrt(2),
        tail=lambda t, parts: range_tail(t * math.sqrt(2), parts.k, parts.degrees[1]),
        missing=missing,
        references=("tukey1949", "demsar2006"),
    )
