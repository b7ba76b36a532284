"""Differences of mean scores with the pooled error of a two-way table: what Tukey's and Dunnett's tests share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from podium.stats.omnibus.anova import TwoWay, two_way
from podium.stats.omnibus.blocks import complete_blocks
from podium.stats.posthoc.posthoc_result import PosthocResult, pair_indices

__all__ = ["mean_pairs"]

Floats = npt.NDArray[np.float64]

CAUTION = (
    "It takes scores of different datasets to be commensurable, errors to be normal and the differences of all pairs "
    "to vary alike (sphericity)."
)


def mean_pairs(
    data: Any,
    *,
    test: str,
    correction: str,
    scale: float,
    tail: Callable[[Floats, TwoWay], Floats],
    missing: str,
    references: tuple[str, ...],
    control: str | None = None,
) -> PosthocResult:
    """t of each pair with the pooled error, and the tail of the largest one."""
    blocks = complete_blocks(data, missing=missing)
    table = blocks.table
    first, second = pair_indices(table, control)
    parts = two_way(table.values)
    effect = parts.means[first] - parts.means[second]
    effect = np.where(np.abs(effect) <= 1e-12 * np.abs(table.values).max(), 0.0, effect)
    error = math.sqrt(2 * float(parts.error) / parts.n)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(effect == 0, 0.0, effect / error)
    raw = np.minimum(2 * stdtr(parts.degrees[1], -np.abs(t)), 1.0)
    return PosthocResult(
        test=test,
        algorithms=table.algorithms,
        control=control,
        first=first,
        second=second,
        statistic=t * scale,
        pvalue=raw,
        adjusted=np.maximum(np.where(np.isinf(t), 0.0, tail(np.abs(t), parts)), raw),
        correction=correction,
        effect=effect,
        effect_kind="difference of mean scores",
        direction=int(table.metric.sign),
        mean_ranks=table.mean_ranks(),
        n_datasets=parts.n,
        degrees=float(parts.degrees[1]),
        method="exact under normality and sphericity",
        ties="scores are used as they are",
        missing=missing,
        dropped=blocks.dropped,
        caution=CAUTION,
        references=references,
    )
