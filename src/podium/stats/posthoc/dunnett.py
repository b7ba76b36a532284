"""Dunnett's test of a control's mean score against all others, after a repeated-measures analysis of variance."""

from __future__ import annotations

from typing import Any

from podium.core.errors import ArgumentError
from podium.stats.exact.studentized_range import dunnett_tail
from podium.stats.posthoc.mean_differences import mean_pairs
from podium.stats.posthoc.posthoc_result import PosthocResult

__all__ = ["dunnett"]


def dunnett(table: Any, control: str, *, missing: str = "complete") -> PosthocResult:
    """Each other mean score (a) against the control's (b): t = (m_a - m_b) / sqrt(2 MSE / n), datasets as blocks.

    `adjusted` is the chance that the largest of the k - 1 correlated |t| exceeds the observed one, by quadrature:
    the same number each time, unlike a simulated multivariate t.
    """
    if control is None:  # to what this rests on, it would mean all pairs
        raise ArgumentError("`control` must be the name of an algorithm; got None.")
    return mean_pairs(
        table,
        test="Dunnett's test",
        correction="largest difference from the control",
        scale=1.0,
        tail=lambda t, parts: dunnett_tail(t, parts.k - 1, parts.degrees[1]),
        missing=missing,
        references=("dunnett1955", "demsar2006"),
        control=control,
    )
