"""Calibration: does a test keep its error rate, and an interval its confidence, where the truth is known?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import sqrt
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import as_given, fixed
from podium.core.progress import Progress, tracked
from podium.core.rng import Rng
from podium.evidence.table import Table, as_table
from podium.planning.batch import EXCHANGEABLE, BatchTest, Sampler, Study, as_batch, noise, rejection_rate

CONFIGURATIONS = ("all equal", "one far away", "one between")
FAR = 3.0  # how far, in standard deviations, the one different algorithm lies from the equal ones


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRow:
    """The share of false positives of one test in one situation."""

    test: str
    shape: str
    n_datasets: int
    n_algorithms: int
    configuration: str
    rate: float
    standard_error: float
    alpha: float

    @property
    def liberal(self) -> bool:
        """Whether false positives are more frequent than alpha by more than three standard errors."""
        return self.rate > self.alpha + 3 * max(self.standard_error, sqrt(self.alpha * (1 - self.alpha) / 1e6))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibrationResult(Study):
    """False positives of tests on simulated nulls; for tests of many hypotheses, of any true one (family-wise)."""

    rows: tuple[CalibrationRow, ...]
    references: tuple[str, ...] = ("benavoli2016", "fligner1984")

    @property
    def liberal(self) -> tuple[CalibrationRow, ...]:
        """The situations in which a test alarms too often."""
        return tuple(row for row in self.rows if row.liberal)

    def summary(self) -> str:
        """The worst rate, and whether any test is liberal."""
        worst = max(self.rows, key=lambda row: row.rate)
        where = f"{worst.test}, {worst.shape} scores, {worst.n_datasets} datasets, {worst.configuration}"
        alarms = "no test alarms" if not self.liberal else f"{len(self.liberal)} of {len(self.rows)} situations alarm"
        return (
            f"At the level {as_given(self.alpha)}, {alarms} more often than allowed (by three Monte Carlo errors); the largest "
            f"rate is {fixed(worst.rate, 4)} ({where}). Nulls that were not simulated may behave otherwise."
        )

    def columns(self) -> list[dict[str, Any]]:
        """One row per test and situation."""
        return [
            {
                "test": row.test,
                "shape": row.shape,
                "datasets": row.n_datasets,
                "algorithms": row.n_algorithms,
                "configuration": row.configuration,
                "rate": row.rate,
                "standard_error": row.standard_error,
                "liberal": row.liberal,
            }
            for row in self.rows
        ]


def calibrate(
    tests: Iterable[Any],
    *,
    table: Any = None,
    shapes: Sequence[str] = EXCHANGEABLE,
    sizes: Sequence[int] = (6, 10, 20, 54),
    n_algorithms: int = 5,
    configurations: Sequence[str] = ("all equal",),
    alpha: float = 0.05,
    draws: int = 10_000,
    rng: Rng = 0,
    progress: Progress = None,
) -> CalibrationResult:
    """The type I error: how often tests reject on tables in which no algorithm is better; for several hypotheses, any of them.

    Tests of the pool that do not correct themselves get Bonferroni's correction, those of two algorithms get two columns.

    Parameters
    ----------
    tests : iterable of str
        The tests: names of `podium.stats`, or functions.
    table : Table, Scores, DataFrame or array-like, optional
        A table whose datasets are drawn with replacement, the scores of each shuffled among the algorithms:
        whatever their ties and tails, no algorithm is better.
    shapes : sequence of str, default ("normal", "heavy", "tied", "exponential")
        The shapes of the scores, without a table: algorithms are exchangeable, and differences symmetric.
        "skewed", on request, has equal means but skewed differences: signed ranks and signs do reject these,
        because they compare pseudo-medians and medians, which are then not equal.
    sizes : sequence of int, default (6, 10, 20, 54)
        Numbers of datasets.
    n_algorithms : int, default 5
        Number of algorithms, for tests of many.
    configurations : sequence of str, default ("all equal",)
        Which algorithms are equal. Otherwise the last one differs, and only the hypotheses among the others
        count: the maximum type I error (Benavoli et al. 2016, section 4.4; Fligner 1984). "one far away" is
        better than all; "one between" has as many of the equal ones above as below it, so that their ranks
        differ by more than tests on mean ranks expect.
    alpha : float, default 0.05
        Significance level.
    draws : int, default 10000
        Number of simulated tables of each kind.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    CalibrationResult
        The rate of rejections of each test, for each shape, size and configuration.

    Examples
    --------
    >>> found = calibrate(["sign"], shapes=["normal"], sizes=[6], draws=200)
    >>> len(found.rows)
    1
    """
    own = None if table is None else as_table(table).complete()
    lists = {"shapes": shapes if own is None else ("shuffled",), "sizes": sizes, "configurations": configurations}
    check.count("n_algorithms", n_algorithms, at_least=2)
    for configuration in check.several("configurations", configurations):
        check.choice("configurations", configuration, CONFIGURATIONS)
    every = product(*(check.several(name, values) for name, values in lists.items()))
    situations = [
        (test, *situation)
        for test, situation in product(map(_of_every_pair, check.several("tests", tests)), every)
        if not (test.of_two and situation[-1] != "all equal")
    ]
    if not situations:
        raise ArgumentError(
            "Where one algorithm differs, {tests} must be of more than two algorithms, such as mean_ranks; and no list may be empty."
        )
    rows = []
    for test, shape, size, configuration in tracked(situations, progress, total=len(situations)):
        check.count("sizes", size, at_least=2)
        k = 2 if test.of_two else n_algorithms
        if own is None:
            sampler = _null_sampler(shape, size, k, configuration)
        else:
            k = 2 if test.of_two else own.n_algorithms
            sampler = _shuffled_sampler(own, size, k, configuration)
        true = None if configuration == "all equal" else _true_hypotheses(test, sampler, k)
        rate = rejection_rate(test, sampler, alpha=alpha, draws=draws, hypotheses=true, rng=rng)
        rows.append(
            CalibrationRow(
                test=test.name,
                shape=shape,
                n_datasets=size,
                n_algorithms=k,
                configuration=configuration,
                rate=rate.rate,
                standard_error=rate.standard_error,
                alpha=alpha,
            )
        )
    return CalibrationResult(rows=tuple(rows), draws=draws, alpha=alpha, seed=str(rng))


def _of_every_pair(test: Any) -> BatchTest:
    return as_batch(test, every_pair=True)


def _null_sampler(shape: str, size: int, k: int, configuration: str) -> Sampler:
    make = noise(shape)

    def sampler(rng: np.random.Generator, count: int) -> Floats:
        difficulty = 3 * rng.standard_normal((count, size, 1))
        return _one_moved(difficulty + make(rng, (count, size, k)), configuration, FAR)

    return sampler


def _shuffled_sampler(table: Table, size: int, k: int, configuration: str) -> Sampler:
    """Datasets of the table, drawn with replacement, the scores of each shuffled among the algorithms."""
    if table.n_datasets == 0:
        raise DataError("No dataset of the table is complete: its scores cannot be shuffled.")
    spread = float(table.gains.std()) or 1.0

    def sampler(rng: np.random.Generator, count: int) -> Floats:
        rows = table.gains[rng.integers(table.n_datasets, size=(count, size))]
        return _one_moved(rng.permuted(rows, axis=2)[:, :, :k], configuration, FAR * spread)

    return sampler


def _one_moved(scores: Floats, configuration: str, far: float) -> Floats:
    """The scores with the last algorithm where the configuration wants it: the others stay exchangeable."""
    if configuration == "one far away":
        scores[:, :, -1] += far
    elif configuration == "one between":
        middle = (scores.shape[2] - 1) // 2
        equal = np.sort(scores[:, :, :-1], axis=2)
        scores[:, :, -1] = equal[:, :, max(0, middle - 1) : middle + 1].mean(axis=2)
    return scores


def _true_hypotheses(test: BatchTest, sampler: Sampler, k: int) -> list[int]:
    """The columns of p-values that compare equal algorithms, when the last algorithm differs."""
    columns = test(sampler(np.random.default_rng(0), 1)).shape[1]
    if columns == k * (k - 1) // 2:
        return [place for place, pair in enumerate(combinations(range(k), 2)) if k - 1 not in pair]
    if columns == k - 1:
        return list(range(k - 2))
    raise ArgumentError("A test of one hypothesis has none left that is true when one algorithm differs.")
