"""Several samples of each case: pass@k and pass^k without bias, how often outcomes flip, where the variance lies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.numbers import percent
from podium.core.result import Result
from podium.evidence.cases import Cases


def pass_at_k(successes: Any, samples: Any, k: int) -> Floats:
    """The probability that at least one of k samples passes, without bias (Chen et al. 2021).

    Parameters
    ----------
    successes : int or array-like
        How many samples passed, of each case.
    samples : int or array-like
        How many samples there are, of each case.
    k : int
        How many samples are looked at together.

    Returns
    -------
    array of float
        One number per case.

    Examples
    --------
    >>> pass_at_k([3, 3], 10, 5).round(6).tolist(), pass_at_k(5, 5, 3).item()
    ([0.916667, 0.916667], 1.0)
    """
    c, m = _checked(successes, samples, k)
    return 1 - _share_of_subsets(m - c, m, k)


def pass_hat_k(successes: Any, samples: Any, k: int) -> Floats:
    """The probability that all of k samples pass, without bias.

    Parameters
    ----------
    successes : int or array-like
        How many samples passed, of each case.
    samples : int or array-like
        How many samples there are, of each case.
    k : int
        How many samples are looked at together.

    Returns
    -------
    array of float
        One number per case.

    Examples
    --------
    >>> pass_hat_k(3, 10, 2).round(6).item()
    0.066667
    """
    c, m = _checked(successes, samples, k)
    return _share_of_subsets(c, m, k)


def _checked(successes: Any, samples: Any, k: int) -> tuple[Floats, Floats]:
    k = check.count("k", k)
    c, m = np.broadcast_arrays(check.floats("successes", successes), check.floats("samples", samples))
    if (m < k).any():
        raise DataError(
            f"pass@{k} and pass^{k} need at least {k} samples of every case; one has {int(m.min())}: choose a smaller k."
        )
    if ((c < 0) | (c > m)).any():
        raise DataError("There are more successes than samples, or fewer than none: check the counts.")
    return c, m


def _share_of_subsets(chosen: Floats, total: Floats, k: int) -> Floats:
    """C(chosen, k) / C(total, k), as a product of k ratios: exact for small numbers, and never infinite."""
    share = np.ones(np.broadcast(chosen, total).shape)
    for step in range(k):
        share = share * np.maximum(chosen - step, 0.0) / (total - step)
    return share


def _flips(outcomes: Floats) -> Floats:
    """The share of the pairs of samples that disagree, cases x algorithms; nan where there is no pair."""
    present = ~np.isnan(outcomes)
    m = present.sum(axis=2)
    ones = np.where(present, outcomes, 0.0).sum(axis=2)
    pairs = m * (m - 1) / 2
    return np.where(pairs > 0, ones * (m - ones) / np.where(pairs > 0, pairs, 1), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampledCases(Result):
    """Of each algorithm: how often two samples of a case disagree, and the chance that one, or all, of k samples pass."""

    title: ClassVar[str] = "Several samples of each case"

    algorithms: tuple[str, ...]
    n_cases: int
    k: tuple[int, ...]
    flips: Floats
    pass_at: Floats
    pass_hat: Floats

    def summary(self) -> str:
        """What k samples are good for, and how often they disagree, of the algorithm that passes most often."""
        best = int(np.argmax(self.pass_at[:, 0]))
        most = f"{self.k[-1]} samples"
        return (
            f"{self.algorithms[best]}: on average {percent(self.pass_at[best, 0])} of the samples of a case pass; at least one of "
            f"{most} passes on {percent(self.pass_at[best, -1])} of cases, all of {most} on {percent(self.pass_hat[best, -1])}. "
            f"Two samples of one case disagree {percent(self.flips[best])} of the time."
        )

    def columns(self) -> dict[str, Any]:
        """One row per algorithm; pass@k is the chance that one of k samples passes, pass^k that all do."""
        columns: dict[str, Any] = {"algorithm": np.array(self.algorithms, dtype=object), "flips": self.flips}
        columns |= {f"pass@{k}": self.pass_at[:, place] for place, k in enumerate(self.k)}
        return columns | {f"pass^{k}": self.pass_hat[:, place] for place, k in enumerate(self.k) if k > 1}


def sample_summary(cases: Cases, *, macro: bool = True) -> SampledCases | None:
    """What several pass-or-fail samples of each case say.

    An algorithm's cases without a sample are left out; k goes up to the smallest number of samples of the others.

    Parameters
    ----------
    cases : Cases
        The outcomes, with their samples.
    macro : bool, default True
        Whether each benchmark has the same weight, as in the score, or each case.

    Returns
    -------
    SampledCases or None
        The probabilities that at least one and that all of k samples pass; None if there is one sample, or if
        outcomes are numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from podium import Cases, Metric
    >>> passed = np.array([[[1, 0, 1]], [[0, 0, 1]]], dtype=float)
    >>> cases = Cases(values=passed.mean(axis=2), cases=("1", "2"), algorithms=("a",), samples=passed,
    ...               metric=Metric(name="accuracy", direction="higher"))
    >>> sample_summary(cases).pass_at.round(3).tolist()
    [[0.5, 0.833, 1.0]]
    """
    if cases.samples is None:
        return None
    present = ~np.isnan(cases.samples)
    counts = present.sum(axis=2)
    smallest = int(counts[counts > 0].min(initial=cases.samples.shape[2]))
    if smallest < 2 or not np.isin(cases.samples[present], (0.0, 1.0)).all() or not (counts > 0).any(axis=0).all():
        return None
    ks = tuple(k for k in range(1, smallest + 1) if k <= 5 or k in (10, 20, 50, 100) or k == smallest)
    passed, some = np.where(present, cases.samples, 0.0).sum(axis=2), counts > 0

    def mean_of(chance: Callable[[Any, Any, int], Floats]) -> Floats:
        means = []
        for k in ks:
            chances = np.full(counts.shape, np.nan)
            chances[some] = chance(passed[some], counts[some], k)
            means.append(cases.means(chances, macro=macro))
        return np.stack(means, axis=1)

    return SampledCases(
        algorithms=cases.algorithms,
        n_cases=cases.n_cases,
        k=ks,
        flips=cases.means(_flips(cases.samples), macro=macro),
        pass_at=mean_of(pass_at_k),
        pass_hat=mean_of(pass_hat_k),
        references=("chen2021",),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSplit:
    """Of the difference of two algorithms: its mean, the variance within cases of either, and between cases.

    `between` is an unbiased estimate and may come out below 0 where cases hardly differ.
    """

    difference: float
    within_a: float
    within_b: float
    between: float
    samples: float
    cases: int


def variance_split(a: Any, b: Any) -> VarianceSplit:
    """Split the variance of the difference of two algorithms.

    Parameters
    ----------
    a, b : array-like of shape (cases, samples)
        Outcomes of the two algorithms.

    Returns
    -------
    VarianceSplit
        The mean difference, the variance within cases of either, and between cases.

    Examples
    --------
    >>> split = variance_split([[1, 1, 0, 1], [0, 0, 1, 0]], [[1, 0, 0, 1], [0, 0, 0, 0]])
    >>> split.difference, split.within_a
    (0.25, 0.25)
    """
    first, second = check.floats("a", a, ndim=2), check.floats("b", b, ndim=2)
    if len(first) != len(second) or len(first) < 2:
        raise DataError("Both algorithms need samples of the same cases, at least 2 of them.")
    if min(first.shape[1], second.shape[1]) < 2:
        raise DataError("The variance within cases needs at least 2 samples of every case.")
    within_a, within_b = (float(x.var(axis=1, ddof=1).mean()) for x in (first, second))
    differences = first.mean(axis=1) - second.mean(axis=1)
    noise = within_a / first.shape[1] + within_b / second.shape[1]
    return VarianceSplit(
        difference=float(differences.mean()),
        within_a=within_a,
        within_b=within_b,
        between=float(differences.var(ddof=1)) - noise,
        samples=float(first.shape[1]),
        cases=len(first),
    )
