"""Rejection rates by simulation: the one engine under power and calibration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Floats
from podium.core.progress import Progress, tracked
from podium.core.rng import Rng, streams
from podium.studies.batch import as_batch

Sampler = Callable[[np.random.Generator, int], Floats]
Noise = Callable[[np.random.Generator, tuple[int, ...]], Floats]

CHUNK = 1000  # samples per random stream: the chunks own the streams, so cores do not matter


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A share of simulated samples, and its Monte Carlo standard error."""

    rate: float
    standard_error: float
    draws: int


# Shapes of scores (..., algorithms). Those of EXCHANGEABLE algorithms have symmetric differences, whatever the scores' own
# law. "skewed" has the same mean for all, but every other one is turned round: their differences are skewed.
SHAPES: dict[str, Noise] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "heavy": lambda rng, shape: rng.standard_t(2, shape),
    "tied": lambda rng, shape: np.round(rng.standard_normal(shape)),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "skewed": lambda rng, shape: (rng.exponential(size=shape) - 1) * (1 - 2 * (np.arange(shape[-1]) % 2)),
}
EXCHANGEABLE = tuple(name for name in SHAPES if name != "skewed")


def noise(shape: str) -> Noise:
    """The generator of a named shape: "normal", "heavy" (Student t, 2 degrees), "tied" (rounded), "exponential", "skewed"."""
    return SHAPES[check.choice("shape", shape, tuple(SHAPES))]


def rejection_rate(
    test: Any,
    sampler: Sampler,
    *,
    alpha: float = 0.05,
    draws: int = 10_000,
    hypotheses: npt.ArrayLike | None = None,
    rng: Rng = 0,
    progress: Progress = None,
) -> Rate:
    """The share of simulated samples on which a test rejects any of its hypotheses.

    `sampler(rng, count)` makes `count` samples (samples, datasets, algorithms), higher being better. `test` is a
    name or a function (see `as_batch`). `hypotheses` restricts the count to some columns of the p-values, for
    family-wise errors where only some hypotheses are true.
    """
    check.fraction("alpha", alpha)
    check.count("draws", draws)
    batch = as_batch(test)
    sizes = [CHUNK] * (draws // CHUNK) + ([draws % CHUNK] if draws % CHUNK else [])
    rejected = 0
    samples = zip(streams(rng, len(sizes)), sizes, strict=True)
    for stream, count in tracked(samples, progress, total=len(sizes)):
        pvalues = batch(sampler(stream, count))
        if hypotheses is not None:
            pvalues = pvalues[:, np.asarray(hypotheses)]
        rejected += int((pvalues <= alpha).any(axis=1).sum())
    rate = rejected / draws
    return Rate(rate=rate, standard_error=sqrt(rate * (1 - rate) / draws), draws=draws)
