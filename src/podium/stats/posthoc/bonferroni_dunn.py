"""The Bonferroni-Dunn test: a control's mean rank against all others."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr

from podium.core.errors import ArgumentError
from podium.stats.corrections import adjust, with_control
from podium.stats.posthoc.posthoc_result import PosthocResult
from podium.stats.posthoc.rank_differences import Floats, RankPairs, rank_pairs

__all__ = ["bonferroni_dunn"]


def bonferroni_dunn(
    table: Any, control: str, *, correction: str = "bonferroni", missing: str = "complete"
) -> PosthocResult:
    """Each other algorithm (a) against the control (b) by z of their mean ranks, k - 1 comparisons.

    The correction is Bonferroni's, as the name says; Holm and others (any name that `adjust` knows, except those
    for all pairs) are more powerful (Demsar 2006, section 3.2.2).
    """
    with_control(correction)
    if control is None:  # to what this rests on, it would mean all pairs
        raise ArgumentError("`control` must be the name of an algorithm; got None.")

    def compute(pairs: RankPairs) -> tuple[Floats, Floats, Floats]:
        z = pairs.z
        raw = np.minimum(2 * ndtr(-np.abs(z)), 1.0)
        return z, raw, adjust(raw, correction)

    return rank_pairs(
        table,
        test="Bonferroni-Dunn test",
        compute=compute,
        correction=correction,
        control=control,
        missing=missing,
        references=("dunn1961", "demsar2006", "benavoli2016"),
    )
