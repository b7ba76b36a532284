"""Repeated-measures analysis of variance: do the mean scores of k algorithms over n datasets differ?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, fdtrc

from podium.core import check
from podium.core.result import Result
from podium.stats.omnibus.blocks import complete_blocks, left_out

__all__ = ["AnovaResult", "TwoWay", "anova", "two_way"]

Floats = npt.NDArray[np.float64]

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
    check.squarable(array)
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnovaResult(Result):
    """Repeated-measures ANOVA with the check of sphericity and the corrections for its lack.

    `pvalue` is by the correction that `sphericity` names. `mauchly_pvalue` is nan where there are too few datasets for
    Mauchly's test, or nothing to test (two algorithms).
    """

    statistic: float
    pvalue: float
    method: str
    alternative: str = "any difference"
    sphericity: str
    degrees: tuple[float, float]
    pvalue_assumed: float
    pvalue_greenhouse_geisser: float
    pvalue_huynh_feldt: float
    epsilon_greenhouse_geisser: float
    epsilon_huynh_feldt: float
    mauchly_w: float
    mauchly_chi2: float
    mauchly_pvalue: float
    means: Floats
    mean_square_error: float
    algorithms: tuple[str, ...]
    n_datasets: int
    ties: str = "scores are used as they are"
    missing: str
    dropped: tuple[str, ...]
    references: tuple[str, ...] = ("greenhouse1959", "huynh1976", "mauchly1940", "demsar2006")

    def summary(self) -> str:
        """The test in a sentence, and what does not follow."""
        how = {
            "assumed": "sphericity assumed",
            "greenhouse_geisser": "Greenhouse-Geisser",
            "huynh_feldt": "Huynh-Feldt",
        }
        return (
            f"Repeated-measures ANOVA of {len(self.algorithms)} algorithms on {self.n_datasets} datasets: "
            f"F({self.degrees[0]:.3g}, {self.degrees[1]:.3g}) = {self.statistic:.4g}, p = {self.pvalue:.3g} "
            f"({how[self.sphericity]}, epsilon {self.epsilon_greenhouse_geisser:.2f}). It takes scores of different "
            "datasets to be commensurable and errors to be normal; it does not say which algorithms differ."
            f"{left_out(self.dropped)}"
        )


def anova(table: Any, *, sphericity: str = "greenhouse_geisser", missing: str = "complete") -> AnovaResult:
    """Repeated-measures ANOVA on a table of datasets x algorithms (datasets are the subjects).

    `sphericity`: 'greenhouse_geisser' (the default: holds whether or not the variances of all differences are equal),
    'huynh_feldt', or 'assumed' for the textbook F.

    >>> result = anova([[0.9, 0.8, 0.7], [0.8, 0.75, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> round(result.statistic, 3), round(result.pvalue_assumed, 4), round(result.epsilon_greenhouse_geisser, 3)
    (10.067, 0.0121, 0.512)
    """
    check.choice("sphericity", sphericity, SPHERICITY)
    blocks = complete_blocks(table, missing=missing)
    values = blocks.table.values
    parts = two_way(values)
    f = float(parts.f)
    covariance = _contrast_covariance(values)
    greenhouse, huynh = _epsilons(covariance, parts.n)
    w, chi2, mauchly_pvalue = _mauchly(covariance, parts.n)
    epsilon = {"assumed": 1.0, "greenhouse_geisser": greenhouse, "huynh_feldt": huynh}
    pvalues = {name: _f_tail(f, parts.df, value) for name, value in epsilon.items()}
    return AnovaResult(
        statistic=f,
        pvalue=pvalues[sphericity],
        method="exact under normality and sphericity" if sphericity == "assumed" else "approximate (F, fewer degrees)",
        sphericity=sphericity,
        degrees=(parts.df[0] * epsilon[sphericity], parts.df[1] * epsilon[sphericity]),
        pvalue_assumed=pvalues["assumed"],
        pvalue_greenhouse_geisser=pvalues["greenhouse_geisser"],
        pvalue_huynh_feldt=pvalues["huynh_feldt"],
        epsilon_greenhouse_geisser=greenhouse,
        epsilon_huynh_feldt=huynh,
        mauchly_w=w,
        mauchly_chi2=chi2,
        mauchly_pvalue=mauchly_pvalue,
        means=parts.means,
        mean_square_error=float(parts.error),
        algorithms=blocks.table.algorithms,
        n_datasets=parts.n,
        missing=missing,
        dropped=blocks.dropped,
    )


def _f_tail(f: float, degrees: tuple[int, int], epsilon: float) -> float:
    if math.isinf(f):
        return 0.0
    return float(fdtrc(degrees[0] * epsilon, degrees[1] * epsilon, f))


def _contrast_covariance(values: Floats) -> Floats:
    """The covariance of k - 1 orthonormal contrasts of the algorithms."""
    k = values.shape[1]
    centring = np.eye(k) - 1.0 / k
    contrasts = np.linalg.svd(centring)[0][:, : k - 1]
    return np.atleast_2d(np.cov(values @ contrasts, rowvar=False))


def _epsilons(covariance: Floats, n: int) -> tuple[float, float]:
    """Greenhouse and Geisser's and Huynh and Feldt's epsilon, between 1 / (k - 1) and 1."""
    p = covariance.shape[0]
    squares = float((covariance**2).sum())
    if p == 1 or squares == 0:
        return 1.0, 1.0
    greenhouse = min(1.0, float(np.trace(covariance)) ** 2 / (p * squares))
    below = p * (n - 1 - p * greenhouse)
    huynh = (n * p * greenhouse - 2) / below if below > 0 else 1.0
    return greenhouse, min(1.0, max(greenhouse, huynh))


def _mauchly(covariance: Floats, n: int) -> tuple[float, float, float]:
    """Mauchly's W, its chi-square and p-value with Box's second term (Anderson 1958, section 10.7)."""
    p = covariance.shape[0]
    trace = float(np.trace(covariance))
    if p == 1 or n - 1 < p or trace <= 0:
        return math.nan, math.nan, math.nan
    sign, log_determinant = (float(part) for part in np.linalg.slogdet(covariance * (p / trace)))
    if sign <= 0:
        return 0.0, math.inf, 0.0
    w = math.exp(log_determinant)
    rho = 1 - (2 * p**2 + p + 2) / (6 * p * (n - 1))
    w2 = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p**2 + 3 * p + 2) / (288 * ((n - 1) * p * rho) ** 2)
    chi2 = -(n - 1) * rho * log_determinant
    df = p * (p + 1) / 2 - 1
    first, second = float(chdtrc(df, max(chi2, 0.0))), float(chdtrc(df + 4, max(chi2, 0.0)))
    return w, chi2, min(1.0, max(0.0, first + w2 * (second - first)))
