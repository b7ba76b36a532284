"""The tests that `all_pairs` and `versus_control` know, each on all pairs at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError, DesignError
from podium.core.ranks import subtract
from podium.stats.exact import moment_kernels
from podium.stats.exact.difference_kernels import exponents
from podium.stats.exact.location import locations
from podium.stats.exact.signed_rank import ZEROS, signed_ranks
from podium.stats.exact.threads import in_threads
from podium.stats.pairwise.cv52_f import cv52_f_interval, cv52_f_statistics
from podium.stats.pairwise.sign import TIES, sign_counts, sign_pvalues
from podium.stats.pairwise.student import t_pvalues
from podium.stats.pairwise.wilcoxon import METHODS, signed_rank_pvalues
from podium.stats.posthoc.pairs_result import Estimates

__all__ = ["FOLD_TESTS", "TABLE_TESTS", "Outcome", "Work", "by_callable"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a test gets: scores (algorithms x datasets, or x folds), the pairs, and how to test them."""

    columns: Floats
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    alternative: str
    confidence: float
    repeats: int = 0
    folds: int = 0
    rho: float | None = None
    progress: Progress | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test gives back, one entry per pair."""

    statistic: Floats
    pvalue: Floats
    positives: Ints
    zeros: Ints
    present: Ints
    method: str
    effect_name: str
    estimates: Estimates
    options: dict[str, Any]
    references: tuple[str, ...]


def _wilcoxon(work: Work, *, zeros: str = "drop", method: str = "auto", continuity: bool = False) -> Outcome:
    check.choice("zeros", zeros, ZEROS)
    check.choice("method", method, METHODS)
    ranked = signed_ranks(
        work.columns,
        work.first,
        work.second,
        zeros=zeros,
        alternative=work.alternative,
        exact=method != "asymptotic",
        progress=work.progress,
    )
    pvalue, exact = signed_rank_pvalues(ranked, alternative=work.alternative, method=method, continuity=continuity)
    some = "asymptotic" if not exact.any() else f"exact for {int(exact.sum())} pairs, asymptotic for the others"
    return Outcome(
        statistic=ranked.positive_sum,
        pvalue=pvalue,
        positives=ranked.positives,
        zeros=ranked.zeros,
        present=ranked.present,
        method="exact" if exact.all() else some,
        effect_name="Hodges-Lehmann difference",
        estimates=_located(work, "hodges-lehmann"),
        options={"zeros": zeros, "method": method, "continuity": continuity},
        references=("wilcoxon1945", "benavoli2016", "hodges1963"),
    )


def _located(work: Work, kind: str) -> Estimates:
    return Estimates(lambda: locations(work.columns, work.first, work.second, confidence=work.confidence, kind=kind))


@dataclass(frozen=True, slots=True)
class _Moments:
    present: Ints
    positives: Ints
    zeros: Ints
    mean: Floats
    variance: Floats


def _moments(work: Work) -> _Moments:
    pairs = len(work.first)
    counts, mean, variance = np.zeros((pairs, 3), dtype=np.int64), np.zeros(pairs), np.zeros(pairs)
    digits = exponents(work.columns)

    def piece(part: slice) -> None:
        first, second = work.first[part], work.second[part]
        moment_kernels.moment_pairs(work.columns, digits, first, second, counts[part], mean[part], variance[part])

    in_threads(piece, pairs, progress=work.progress)
    return _Moments(counts[:, 0], counts[:, 1], counts[:, 2], mean, variance)


def _sign(work: Work, *, ties: str = "drop") -> Outcome:
    check.choice("ties", ties, TIES)
    found = _moments(work)
    losses = found.present - found.positives - found.zeros
    wins, losses = sign_counts(found.positives, found.zeros, losses, ties)
    return Outcome(
        statistic=wins.astype(np.float64),
        pvalue=sign_pvalues(wins, losses, work.alternative),
        positives=found.positives,
        zeros=found.zeros,
        present=found.present,
        method="exact",
        effect_name="median difference",
        estimates=_located(work, "median"),
        options={"ties": ties},
        references=("demsar2006", "benavoli2016"),
    )


def _student(work: Work, found: _Moments, factor: Floats, method: str, references: tuple[str, ...]) -> Outcome:
    """t tests whose mean has the variance factor * s^2 (see `pairwise.student` for constant differences)."""
    from scipy.special import stdtrit

    check.squarable(work.columns)
    df = (found.present - 1).astype(np.float64)
    error = np.sqrt(factor * found.variance)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(found.mean == 0, 0.0, found.mean / error)
    pvalue = np.where((error == 0) & (found.mean == 0), 1.0, t_pvalues(t, df, work.alternative))
    half = stdtrit(df, 0.5 + work.confidence / 2) * error
    ends = (found.mean, found.mean - half, found.mean + half)
    return Outcome(
        statistic=t,
        pvalue=np.minimum(pvalue, 1.0),
        positives=found.positives,
        zeros=found.zeros,
        present=found.present,
        method=method,
        effect_name="mean difference",
        estimates=Estimates(lambda: ends),
        options={},
        references=references,
    )


def _paired_t(work: Work) -> Outcome:
    found = _moments(work)
    return _student(work, found, 1.0 / found.present, "exact under normality (Student's t)", ("demsar2006",))


def _corrected_t(work: Work, *, test_fraction: float | None = None) -> Outcome:
    rho = work.rho if test_fraction is None else check.fraction("test_fraction", test_fraction)
    if rho is None:
        raise DesignError("The share of test cases is unknown: give `test_fraction`.")
    found = _moments(work)
    factor = 1.0 / found.present + rho / (1 - rho)
    outcome = _student(work, found, factor, "approximate (Student's t)", ("nadeau2003",))
    return replace(outcome, options={"test_fraction": rho})


def _cv52_f(work: Work) -> Outcome:
    if (work.repeats, work.folds) != (5, 2):
        raise DesignError(
            "The 5x2 cv tests need 5 repeats of 2-fold cross-validation; "
            f"these scores have {work.repeats} x {work.folds}: use test='corrected_t'."
        )
    if work.alternative != "two-sided":
        raise ArgumentError(
            f"The 5x2 cv F test has no side: `alternative` must be 'two-sided'; got {work.alternative!r}."
        )
    found = _moments(work)
    differences = subtract(work.columns[work.first], work.columns[work.second]).reshape(-1, 5, 2)
    statistic, pvalue = cv52_f_statistics(differences)
    low, high = cv52_f_interval(differences, work.confidence)
    ends = (found.mean, low, high)
    return Outcome(
        statistic=statistic,
        pvalue=pvalue,
        positives=found.positives,
        zeros=found.zeros,
        present=found.present,
        method="approximate (F)",
        effect_name="mean difference",
        estimates=Estimates(lambda: ends),
        options={},
        references=("alpaydin1999",),
    )


TABLE_TESTS: dict[str, Callable[..., Outcome]] = {"wilcoxon": _wilcoxon, "sign": _sign, "paired_t": _paired_t}
FOLD_TESTS: dict[str, Callable[..., Outcome]] = {"cv52_f": _cv52_f, "corrected_t": _corrected_t}


def by_callable(test: Callable[..., Any], work: Work, options: dict[str, Any]) -> Outcome:
    """Any function test(x, y) whose result has a p-value; its effect and interval too if it has them."""
    found = _moments(work)
    total = len(work.first)
    numbers = np.full((total, 5), np.nan)
    method = "as the test given"
    references: tuple[str, ...] = ()
    for pair, (i, j) in enumerate(zip(work.first, work.second, strict=True)):
        x, y = work.columns[i], work.columns[j]
        both = ~(np.isnan(x) | np.isnan(y))
        result = test(x[both], y[both], **options)
        if not hasattr(result, "pvalue"):
            raise ArgumentError("`test` must return a result with the attribute `pvalue` (and `statistic`).")
        method, references = getattr(result, "method", method), getattr(result, "references", references)
        names = ("statistic", "pvalue", "effect", "low", "high")
        try:
            numbers[pair] = [float(getattr(result, name, np.nan)) for name in names]
        except (TypeError, ValueError):
            raise ArgumentError(f"`test` must give single numbers for {', '.join(names)}.") from None
        if work.progress is not None:
            work.progress(pair + 1, total)
    ends = (numbers[:, 2], numbers[:, 3], numbers[:, 4])
    return Outcome(
        statistic=numbers[:, 0],
        pvalue=_one_where_equal(numbers[:, 1], found),
        positives=found.positives,
        zeros=found.zeros,
        present=found.present,
        method=method,
        effect_name="effect of the test given",
        estimates=Estimates(lambda: ends),
        options=options,
        references=references,
    )


def _one_where_equal(pvalue: Floats, found: _Moments) -> Floats:
    """p-values with 1 for pairs that are equal throughout, where many tests give nan; any other nan is refused."""
    made = np.where(np.isnan(pvalue) & (found.zeros == found.present), 1.0, pvalue)
    if np.isnan(made).any():
        raise ArgumentError(f"`test` gave no p-value (nan) for {int(np.isnan(made).sum())} pairs.")
    return made
