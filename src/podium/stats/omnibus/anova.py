"""Repeated-measures analysis of variance: do the mean scores of k algorithms over n datasets differ?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from podium.core import check
from podium.core.arrays import Floats
from podium.core.words import MissingDatasets
from podium.stats.omnibus.blocks import OmnibusResult, Overall, complete_blocks, f_tail

SPHERICITY = ("greenhouse_geisser", "huynh_feldt", "assumed")


@dataclass(frozen=True, slots=True, eq=False)
class TwoWay:
    """The parts of a datasets x algorithms table: mean squares of algorithms and of what is left."""

    means: Floats
    between: Floats
    error: Floats
    n: int
    k: int

    @property
    def df(self) -> tuple[int, int]:
        """Degrees of freedom of algorithms and of error."""
        return self.k - 1, (self.k - 1) * (self.n - 1)

    @property
    def f(self) -> Floats:
        """The F ratio: 0 where nothing differs at all, infinite where only the algorithms do."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = self.between / self.error
        return np.where(self.between == 0, 0.0, np.where(self.error == 0, np.inf, ratio))


def two_way(values: npt.ArrayLike) -> TwoWay:
    """Split tables of shape (..., n, k) into datasets, algorithms and error; float noise counts as nothing."""
    array = np.asarray(values, dtype=np.float64)
    check.magnitude(array)
    n, k = array.shape[-2:]
    rows, columns = array.mean(axis=-1, keepdims=True), array.mean(axis=-2, keepdims=True)
    grand = array.mean(axis=(-2, -1), keepdims=True)
    noise = (1e-12 * np.abs(array).max(axis=(-2, -1))) ** 2
    between = n * ((columns - grand) ** 2).sum(axis=(-2, -1)) / (k - 1)
    error = ((array - rows - columns + grand) ** 2).sum(axis=(-2, -1)) / ((n - 1) * (k - 1))
    return TwoWay(
        means=columns[..., 0, :],
        between=np.where(between <= n * noise, 0.0, between),
        error=np.where(error <= noise, 0.0, error),
        n=n,
        k=k,
    )


def kernel(tables: Floats) -> Overall:
    """The F test of tables (..., datasets, algorithms) with Greenhouse and Geisser's degrees of freedom, as `anova` uses it."""
    parts = two_way(tables)
    epsilon, _ = _epsilons(_contrast_covariance(tables), parts.n)
    return Overall(parts.f, f_tail(parts.f, (epsilon * parts.df[0], epsilon * parts.df[1]), tables))


def anova(
    table: Any,
    *,
    sphericity: Literal["greenhouse_geisser", "huynh_feldt", "assumed"] = "greenhouse_geisser",
    missing: MissingDatasets = "complete",
) -> OmnibusResult:
    """Repeated-measures ANOVA on a table of datasets x algorithms (datasets are the subjects).

    `details` has the p-values with all three ways to treat sphericity, their epsilons, Mauchly's test (nan where there are too
    few datasets for it, or two algorithms), the means and the mean square error.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    sphericity : {"greenhouse_geisser", "huynh_feldt", "assumed"}, default "greenhouse_geisser"
        How the degrees of freedom are corrected where differences of pairs do not all vary alike; "assumed" is
        the textbook F.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.

    Returns
    -------
    OmnibusResult
        The statistic, its p-value and degrees of freedom, and the mean ranks.

    Examples
    --------
    >>> result = anova([[0.9, 0.8, 0.7], [0.8, 0.75, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> round(result.statistic, 3), round(result.details["pvalue_assumed"], 4), round(result.details["epsilon"], 3)
    (10.067, 0.0121, 0.512)
    """
    check.choice("sphericity", sphericity, SPHERICITY)
    blocks = complete_blocks(table, missing=missing)
    parts = two_way(blocks.table.values)
    covariance = _contrast_covariance(blocks.table.values)
    greenhouse, huynh = (float(epsilon) for epsilon in _epsilons(covariance, parts.n))
    epsilon = {"assumed": 1.0, "greenhouse_geisser": greenhouse, "huynh_feldt": huynh}
    df = {name: (parts.df[0] * value, parts.df[1] * value) for name, value in epsilon.items()}
    pvalues = {name: float(f_tail(parts.f, degrees, blocks.table.values)) for name, degrees in df.items()}
    return blocks.result(
        "anova",
        (parts.f, pvalues[sphericity]),
        df[sphericity],
        method="exact under normality and sphericity" if sphericity == "assumed" else "approximate (F, fewer degrees)",
        variant=sphericity,
        details={
            "epsilon": epsilon[sphericity],
            **{f"pvalue_{name}": value for name, value in pvalues.items()},
            **{f"epsilon_{name}": value for name, value in epsilon.items() if name != "assumed"},
            **_mauchly(covariance, parts.n),
            "means": parts.means,
            "mean_square_error": float(parts.error),
        },
    )


def _contrast_covariance(values: Floats) -> Floats:
    """The covariance (..., k - 1, k - 1) of orthonormal contrasts of the algorithms."""
    n, k = values.shape[-2:]
    contrasts = np.linalg.svd(np.eye(k) - 1.0 / k)[0][:, : k - 1]
    moved = (values - values.mean(axis=-2, keepdims=True)) @ contrasts
    return np.asarray(np.swapaxes(moved, -1, -2) @ moved / (n - 1))


def _epsilons(covariance: Floats, n: int) -> tuple[Floats, Floats]:
    """Greenhouse and Geisser's and Huynh and Feldt's epsilon, between 1 / (k - 1) and 1."""
    p = covariance.shape[-1]
    squares = (covariance**2).sum(axis=(-2, -1))
    traces = np.trace(covariance, axis1=-2, axis2=-1)
    with np.errstate(divide="ignore", invalid="ignore"):  # no scatter at all, or too few datasets for Huynh and Feldt
        greenhouse = np.where((squares == 0) | (p == 1), 1.0, np.minimum(1.0, traces**2 / (p * squares)))
        below = p * (n - 1 - p * greenhouse)
        huynh = np.where(below > 0, (n * p * greenhouse - 2) / below, 1.0)
    return greenhouse, np.minimum(1.0, np.maximum(greenhouse, huynh))


def _mauchly(covariance: Floats, n: int) -> dict[str, float]:
    """Mauchly's W, its chi-square and p-value with Box's second term (Anderson 1958, section 10.7)."""
    p = covariance.shape[0]
    trace = float(np.trace(covariance))
    if p == 1 or n - 1 < p or trace <= 0:
        return {"mauchly_w": math.nan, "mauchly_chi2": math.nan, "mauchly_pvalue": math.nan}
    sign, log_determinant = (float(part) for part in np.linalg.slogdet(covariance * (p / trace)))
    if sign <= 0:
        return {"mauchly_w": 0.0, "mauchly_chi2": math.inf, "mauchly_pvalue": 0.0}
    w = math.exp(log_determinant)
    rho = 1 - (2 * p**2 + p + 2) / (6 * p * (n - 1))
    w2 = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p**2 + 3 * p + 2) / (288 * ((n - 1) * p * rho) ** 2)
    chi2 = -(n - 1) * rho * log_determinant
    df = p * (p + 1) / 2 - 1
    first, second = float(chdtrc(df, max(chi2, 0.0))), float(chdtrc(df + 4, max(chi2, 0.0)))
    pvalue = min(1.0, max(0.0, first + w2 * (second - first)))
    return {"mauchly_w": w, "mauchly_chi2": chi2, "mauchly_pvalue": pvalue}
