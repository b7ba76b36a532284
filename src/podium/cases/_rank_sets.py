"""Rank ranges of thousands of algorithms: decisions on all pairs, by blocks, without a row per pair.

The same step-down procedure as `all_pairs` uses (shared sign-flip permutations, Romano and Wolf 2005), for one level: the pairs that
exceed the critical value of the largest statistic are decided, then the critical value of those left is found, until no
more pairs are decided. All pairs are squares of single-precision numbers: 5,000 algorithms take 100 MB.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from podium.cases._all_pairs import filled
from podium.cases.family import flipped_sums
from podium.core import check, numbers
from podium.core.arrays import Floats, Ints
from podium.core.errors import DataError
from podium.core.metric import Metric
from podium.core.result import Result
from podium.core.rng import Rng, generator
from podium.evidence.cases import as_cases
from podium.stats.exact.threads import in_threads

Singles = npt.NDArray[np.float32]
_BITS = 40_000_000  # signs at a time
_SAME = 1e-5  # statistics closer than this, relative to their size, are equal in single precision


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankSets(Result):
    """One row for each algorithm: its score and its rank range, simultaneous for all with the confidence 1 - alpha.

    `better` counts the algorithms that are significantly worse than it, `worse` those significantly better. `critical` is
    the value that the largest statistic of the pairs that were never decided exceeds with the probability alpha. No pair
    is kept: `podium.cases.all_pairs` of a few algorithms gives theirs.
    """

    title: ClassVar[str] = "Rank ranges of algorithms on the same cases"

    algorithms: tuple[str, ...]
    score: Floats
    rank_low: Ints
    rank_high: Ints
    better: Ints
    worse: Ints
    alpha: float
    critical: float
    n_cases: int
    n_pairs: int
    decided: int
    draws: int
    rounds: int
    metric: Metric

    def columns(self) -> dict[str, Any]:
        """A row for each algorithm, the best score first."""
        order = np.argsort(-self.metric.sign * self.score, kind="stable")
        names = ("score", "rank_low", "rank_high", "better", "worse")
        columns = {name: getattr(self, name)[order] for name in names}
        return {"algorithm": [self.algorithms[i] for i in order], **columns}

    def summary(self) -> str:
        """Who may be first, and how many pairs are decided."""
        first = [self.algorithms[i] for i in np.flatnonzero(self.rank_low == 1)]
        who = numbers.listed(first, most=5)
        may = "is" if len(first) == 1 else "may each be"
        return (
            f"{numbers.counted(len(self.algorithms), 'algorithm')} on {numbers.counted(self.n_cases, 'case')}: {who} {may} first; "
            f"{self.decided:,} of {self.n_pairs:,} pairs differ significantly (step-down sign-flip test, {self.draws:,} draws, level "
            f"{numbers.as_given(self.alpha)}). The rank ranges are about cases like these; no significant difference "
            "does not mean no difference."
        )


def rank_confidence_sets(
    outcomes: Any,
    *,
    alpha: float = 0.05,
    missing: Literal["refuse", "wrong"] = "refuse",
    draws: int | None = None,
    rng: Rng = 0,
) -> RankSets:
    """The ranks that each algorithm may hold on cases like these, for thousands of algorithms.

    All pairs are decided by the step-down procedure of `all_pairs`. Clusters, weights and several benchmarks are refused: sign-flip permutations do
    not control the type I error for them.

    Parameters
    ----------
    outcomes : Cases, DataFrame, array-like or dict
        Outcomes that pass or fail, as `all_pairs` takes them; arrays of bool or of 0 and 1 need the least
        memory.
    alpha : float, default 0.05
        Significance level of all pairs together.
    missing : {"refuse", "wrong"}, default "refuse"
        Raise an error if an outcome is missing, or count it as wrong.
    draws : int, optional
        Number of sign-flip permutations; by default 9,999, or 1,999 from a million pairs on.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    RankSets
        For each algorithm its score, and the ranks that it may hold, simultaneously with the confidence 1 -
        alpha.

    Examples
    --------
    >>> found = rank_confidence_sets({"a": [1] * 40, "b": [1] * 20 + [0] * 20, "c": [1] * 18 + [0] * 22})
    >>> found.rank_low.tolist(), found.rank_high.tolist()
    ([1, 2, 2], [1, 3, 3])
    """
    check.fraction("alpha", alpha)
    sums, data = _sums(outcomes, missing)
    k = sums.shape[1]
    if k < 2:
        raise DataError(f"A comparison needs at least 2 algorithms (columns); there are {k}.")
    pairs = k * (k - 1) // 2
    wanted = check.count("draws", (9999 if pairs < 1_000_000 else 1999) if draws is None else draws)
    flipped, exact = flipped_sums(sums, wanted, generator(rng), _BITS)
    totals = sums.sum(axis=0, dtype=np.float64).astype(np.float32)
    scale = _scales(sums)
    critical, rounds = _step_down(flipped, totals, scale, alpha, exact)
    better, worse = np.zeros(k, dtype=np.int64), np.zeros(k, dtype=np.int64)
    from podium.cases.flip_kernels import decided

    decided(scale, totals, better, worse)
    return RankSets(
        algorithms=data.algorithms,
        score=data.scores,
        rank_low=1 + worse,
        rank_high=k - better,
        better=better,
        worse=worse,
        alpha=alpha,
        critical=critical,
        n_cases=data.n_cases,
        n_pairs=pairs,
        decided=int(better.sum()),
        draws=len(flipped),
        rounds=rounds,
        metric=data.metric,
        references=("romano2005", "westfall1993", "mogstad2024"),
    )


def _sums(outcomes: Any, missing: str) -> tuple[Singles, Any]:
    """What the flips add up, cases x algorithms, and the names and scores."""
    small = isinstance(outcomes, np.ndarray) and outcomes.ndim == 2 and outcomes.dtype.kind in "bui"
    if small and outcomes.min(initial=0) >= 0 and outcomes.max(initial=0) <= 1:
        return outcomes.astype(np.float32), _Plain(outcomes)
    data = filled(as_cases(outcomes), missing)
    alone = not data.clusters and data.weights is None and len(set(data.benchmarks)) < 2
    if data.kind != "pass_fail" or data.has_holes or not alone:
        raise DataError(
            "Rank sets of so many need cases that pass or fail, without missing outcomes, clusters, weights and several benchmarks: use `all_pairs`."
        )
    return np.ascontiguousarray(data.metric.sign * data.values, dtype=np.float32), data


class _Plain:
    """Names and scores of an array of whole numbers, without a copy in double precision."""

    def __init__(self, outcomes: npt.NDArray[Any]) -> None:
        self.n_cases = len(outcomes)
        self.algorithms = tuple(f"algorithm {j + 1}" for j in range(outcomes.shape[1]))
        self.scores = outcomes.mean(axis=0, dtype=np.float64)
        self.metric = Metric(name="score", direction="higher")


def _scales(sums: Singles) -> Singles:
    """1 / sqrt(sum of squared differences) of every pair, 0 where two never differ; a square that is used by halves."""
    square: Singles = sums.T @ sums
    own = np.diag(square).copy()
    np.multiply(square, -2.0, out=square)
    square += own
    square += own[:, None]
    smallest = 1e-6 * max(float(own.max(initial=0.0)), 1e-30)
    tiny = square <= smallest
    square[tiny] = 1.0
    np.sqrt(square, out=square)
    np.divide(1.0, square, out=square)
    square[tiny] = 0.0
    square[np.triu_indices(len(square))] = 0.0
    return square


def _step_down(flipped: Singles, totals: Singles, scale: Singles, alpha: float, exact: bool) -> tuple[float, int]:
    """Decide pairs until no more can be; the critical value at the end, and after how many rounds."""
    from podium.cases.flip_kernels import reject

    allowed = _allowed(len(flipped), alpha, exact)
    rounds = 0
    while True:
        rounds += 1
        most = _largest(flipped, scale)
        # A statistic is significant where at most `allowed` of the draws reach it.
        ordered = np.sort(most)[::-1]
        edge = float(ordered[allowed]) if 0 <= allowed < len(ordered) else math.inf
        critical = edge * (1 + _SAME) if allowed >= 0 else math.inf
        if critical <= 0 or reject(scale, totals, critical) == 0:
            return critical, rounds


def _largest(flipped: Singles, scale: Singles) -> Singles:
    """The largest statistic of the pairs still open, for every draw, on all cores."""
    from podium.cases.flip_kernels import largest

    most = np.zeros(len(flipped), dtype=np.float32)
    in_threads(lambda part: largest(flipped[part], scale, most[part]), len(flipped), smallest=256)
    return most


def _allowed(draws: int, alpha: float, exact: bool) -> int:
    """The largest number of draws that may reach a statistic with p <= alpha; p counts the data where draws are random."""
    if exact:
        return math.floor(alpha * draws + 1e-9)
    return math.floor(alpha * (draws + 1) + 1e-9) - 1
