"""The corrected resampled t test of Nadeau and Bengio, for any repeats, folds and test sizes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from podium.core.arrays import Floats
from podium.core.words import Alternative
from podium.evidence.design import Design
from podium.stats.pairwise.folds import run_folds
from podium.stats.pairwise.pair_result import PairResult, Tested
from podium.stats.pairwise.paired_t import mean_interval, mean_test


def kernel(differences: Floats, *, design: Design, alternative: str = "two-sided") -> Tested:
    """The corrected t test of differences (..., folds) of one dataset."""
    tested = mean_test(differences, alternative, _factor(differences, design), "approximate (Student's t)")
    return replace(tested, details={**tested.details, "rho": design.rho})


def estimate(differences: Floats, confidence: float, *, design: Design) -> tuple[Floats, ...]:
    """The mean difference with the interval of the corrected variance."""
    return mean_interval(differences, confidence, _factor(differences, design))


def _factor(differences: Floats, design: Design) -> float:
    """The variance of the mean in units of s^2: 1/J + n_test/n_train."""
    return float(1 / differences.shape[-1]) + design.rho / (1 - design.rho)


def corrected_t(
    x: Any,
    y: Any,
    *,
    design: Design | None = None,
    test_fraction: float | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> PairResult:
    """The corrected resampled t test: do two algorithms differ on one dataset, when training sets overlap?

    The variance of the mean of J differences is (1/J + n_test/n_train) s^2 instead of s^2/J (Nadeau, Bengio 2003). No variance:
    p is 1 if all differences are 0; if they are constant but not 0, t is infinite and p that of the sign test. `details` has
    `df` and `rho`, the share of test cases.

    Parameters
    ----------
    x, y : array-like of shape (repeats, folds) or (n_splits,)
        Scores of the two algorithms on the same folds. Arrays with two axes are cross-validation, whose
        n_test/n_train is 1/(folds - 1); flat arrays of random splits need `test_fraction` or `design`.
    design : Design, optional
        Repeats, folds and the share of test cases, where the shape does not say them.
    test_fraction : float, optional
        Share of the cases that each random split tests on: 0.3 for 70/30 splits.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        The alternative hypothesis; "greater" says that `x` is greater.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairResult
        The statistic, its p-value, and the effect (`x` minus `y`) with its interval.

    Examples
    --------
    >>> x = [[0.9, 0.8], [0.85, 0.82]]; y = [[0.8, 0.8], [0.83, 0.8]]
    >>> round(corrected_t(x, y).pvalue, 4)
    0.5311
    """
    settings: dict[str, Any] = {"design": design, "test_fraction": test_fraction, "alternative": alternative}
    return run_folds("corrected_t", x, y, confidence=confidence, **settings)
