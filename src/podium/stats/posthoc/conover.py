"""Conover's test: all pairs of rank sums by Student's t, after Friedman's test."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import stdtr

from podium.stats.corrections import adjust
from podium.stats.exact.friedman import perfect_agreement_pvalue
from podium.stats.posthoc.posthoc_result import PosthocResult
from podium.stats.posthoc.rank_differences import POOL, Floats, RankPairs, rank_pairs

__all__ = ["conover"]


def conover(table: Any, *, correction: str = "holm", missing: str = "complete") -> PosthocResult:
    """All pairs by t = (R_a - R_b) / sqrt(2 (n A - sum R_j^2) / ((n - 1)(k - 1))), R rank sums, A the sum of squared ranks.

    The error is what the algorithms' rank sums leave (Conover 1999, section 5.8), so the test is more powerful than
    the mean-ranks test once some algorithms differ; it is meant for use after Friedman's test has rejected.
    """

    def compute(pairs: RankPairs) -> tuple[Floats, Floats, Floats]:
        n, k = pairs.ranks.shape
        sums = pairs.ranks.sum(axis=0)
        left = n * float((pairs.ranks**2).sum()) - float((sums**2).sum())
        left = 0.0 if left < 1e-9 * n else left
        difference = sums[pairs.a] - sums[pairs.b]
        error = math.sqrt(2 * left / ((n - 1) * (k - 1)))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(difference == 0, 0.0, difference / error)
        raw = np.minimum(2 * stdtr((n - 1) * (k - 1), -np.abs(t)), 1.0)
        if left == 0:  # all datasets agree: t is infinite, but so much agreement has a chance
            raw = np.where(difference == 0, 1.0, perfect_agreement_pvalue(pairs.ranks))
        return t, raw, adjust(raw, correction, n_algorithms=k)

    return rank_pairs(
        table,
        test="Conover's test",
        compute=compute,
        correction=correction,
        missing=missing,
        ties="mean ranks within datasets; the error follows from the ranks as they are",
        caution=f"It is meant for use after Friedman's test has rejected. {POOL}",
        references=("conover1999", "benavoli2016"),
    )
