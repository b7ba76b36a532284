"""Tests on many samples at once: arrays (samples, datasets, algorithms) to p-values (samples, hypotheses).

The tests are the kernels of `stats`, asked a thousand times in one array operation. A test of two algorithms looks at the
first two, and an omnibus test at all: one column. A test of the pool that corrects itself gives one per pair, or one per
algorithm against the first; one that does not gives the p-value of the first two, or those of all pairs by Bonferroni's
correction where all of them are asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.result import Result
from podium.core.rng import Rng, streams
from podium.evidence.design import Design
from podium.evidence.table import Table
from podium.stats import registry
from podium.stats.pairwise.pair_result import differences_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study(Result):
    """What is found by simulating tests at the level `alpha`: `draws` samples from the generator of `seed`."""

    alpha: float
    draws: int
    seed: str


@dataclass(frozen=True, slots=True)
class BatchTest:
    """A test of many samples at once: (samples, datasets, algorithms) to p-values (samples, hypotheses).

    `of_two` says whether it looks at the first two algorithms only.
    """

    name: str
    pvalues: Callable[[Floats], Floats]
    of_two: bool = False

    def __call__(self, samples: Floats) -> Floats:
        """The p-values of every sample and hypothesis."""
        return self.pvalues(samples)


def the_two(table: Table, a: str | None, b: str | None) -> tuple[str, str]:
    """The two algorithms that a study is of: those that are named, else the first ones."""
    first = table.algorithms[0 if a is None else table.place(a)]
    second = next(name for name in table.algorithms if name != first) if b is None else table.algorithms[table.place(b)]
    if first == second:
        raise ArgumentError(f"`a` and `b` must be two algorithms; both are {first!r}.")
    return first, second


def as_batch(test: Any, *, folds: int | None = None, every_pair: bool = False) -> BatchTest:
    """A batch test from the name of a test.

    A test over folds needs to know how many `folds` the cross-validation has. `every_pair` is for tests of the pool that do not
    correct themselves.
    """
    if isinstance(test, BatchTest):
        return test
    pairwise = {name: registry.PAIRWISE[name] for name in registry.names(("datasets", "folds", "pool"))}
    every = {**pairwise, **registry.OMNIBUS}
    method = every[check.member("test", test, every, limit=len(every))]
    if method.over == "folds" and folds is None:
        raise ArgumentError(f"The test {test!r} is over the folds of one dataset: study it with `power(folds=...)`.")
    kernel = registry.kernel(method)

    def of_pool(samples: Floats) -> Floats:
        tested = kernel(samples)
        if method.corrects_itself:
            return np.asarray(tested.adjusted)
        pvalues: Floats = tested.pvalue
        return np.minimum(1.0, pvalues * pvalues.shape[1]) if every_pair else pvalues[:, :1]

    def of_two(samples: Floats) -> Floats:
        options = {"design": _design(samples.shape[1], folds)} if method.over == "folds" and folds is not None else {}
        differences = differences_of(method, samples[:, :, 0], samples[:, :, 1])
        return np.asarray(kernel(differences, **options).pvalue)[:, None]

    if test in registry.OMNIBUS:
        return BatchTest(test, lambda samples: kernel(samples, **method.options).pvalue[:, None])
    return BatchTest(test, of_pool) if method.of_pool else BatchTest(test, of_two, of_two=True)


def _design(n: int, folds: int) -> Design:
    """So many scores of cross-validation; where they are no whole repeats, splits with the same share of test cases."""
    if n % folds:
        return Design(repeats=n, folds=1, test_fraction=1 / folds)
    return Design(repeats=n // folds, folds=folds)


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
) -> Rate:
    """The share of simulated samples on which a test rejects any of its hypotheses.

    `sampler(rng, count)` makes `count` samples (samples, datasets, algorithms), higher being better. `hypotheses` restricts the
    count to some columns of the p-values, for family-wise errors where only some hypotheses are true.

    Parameters
    ----------
    test : str
        A name of `podium.stats`.
    sampler : callable
        `sampler(rng, count)` makes `count` samples (samples, datasets, algorithms), higher being better.
    alpha : float, default 0.05
        Significance level.
    draws : int, default 10000
        Number of simulated samples.
    hypotheses : array-like of int, optional
        Count only these columns of the p-values, for family-wise errors where only some hypotheses are true.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    Rate
        The share of samples on which the test rejects, and its Monte Carlo standard error.

    Examples
    --------
    >>> found = rejection_rate("sign", lambda rng, count: rng.normal(size=(count, 10, 2)), draws=500)
    >>> found.rate < 0.05
    True
    """
    check.fraction("alpha", alpha)
    check.count("draws", draws)
    batch = as_batch(test)
    sizes = [CHUNK] * (draws // CHUNK) + ([draws % CHUNK] if draws % CHUNK else [])
    rejected = 0
    for stream, count in zip(streams(rng, len(sizes)), sizes, strict=True):
        pvalues = batch(sampler(stream, count))
        if hypotheses is not None:
            pvalues = pvalues[:, np.asarray(hypotheses)]
        rejected += int((pvalues <= alpha).any(axis=1).sum())
    rate = rejected / draws
    return Rate(rate=rate, standard_error=sqrt(rate * (1 - rate) / draws), draws=draws)
