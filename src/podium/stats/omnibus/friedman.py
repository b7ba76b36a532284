"""Friedman's test: do the mean ranks of k algorithms over n datasets differ more than by chance?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, chdtrc, fdtrc

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.result import Result
from podium.stats.exact import friedman as exact
from podium.stats.omnibus.blocks import complete_blocks, left_out

__all__ = ["FriedmanResult", "FriedmanStatistics", "friedman", "friedman_statistics"]

Floats = npt.NDArray[np.float64]

VARIANTS = ("auto", "exact", "iman_davenport", "beta", "chi2", "chi2_uncorrected")
_MANY_DATASETS = 20  # from which on Iman and Davenport's F keeps its level


@dataclass(frozen=True, slots=True, eq=False)
class FriedmanStatistics:
    """Friedman's statistics of many tables at once, with their asymptotic p-values."""

    chi2: Floats
    chi2_pvalue: Floats
    chi2_uncorrected: Floats
    chi2_uncorrected_pvalue: Floats
    iman_davenport: Floats
    iman_davenport_pvalue: Floats
    iman_davenport_uncorrected: Floats
    iman_davenport_uncorrected_pvalue: Floats
    beta_pvalue: Floats


def friedman_statistics(ranks: npt.ArrayLike) -> FriedmanStatistics:
    """Friedman's statistics from ranks of shape (..., n datasets, k algorithms); broadcasts over leading axes.

    All ties give statistic 0 and p = 1; perfect agreement gives an infinite F and p = 0 (`friedman` does better).

    >>> found = friedman_statistics([[1, 2, 3], [1, 2, 3], [1, 3, 2]])
    >>> float(found.chi2), round(float(found.chi2_pvalue), 4)
    (4.666666666666667, 0.097)
    """
    array = np.asarray(ranks, dtype=np.float64)
    n, k = array.shape[-2:]
    between = ((array.sum(axis=-2) - n * (k + 1) / 2) ** 2).sum(axis=-1)
    spreads = ((array - (k + 1) / 2) ** 2).sum(axis=-1)
    spread = spreads.sum(axis=-1)  # n k (k + 1) (k - 1) / 12 without ties
    uncorrected = 12 * between / (n * k * (k + 1))
    chi2 = np.where(spread > 0, (k - 1) * between / np.where(spread > 0, spread, 1.0), 0.0)
    return FriedmanStatistics(
        chi2=chi2,
        chi2_pvalue=chdtrc(k - 1, chi2),
        chi2_uncorrected=uncorrected,
        chi2_uncorrected_pvalue=chdtrc(k - 1, uncorrected),
        **_iman_davenport("iman_davenport", chi2, n, k),
        **_iman_davenport("iman_davenport_uncorrected", uncorrected, n, k),
        beta_pvalue=_beta_pvalue(between, spreads, k),
    )


def _iman_davenport(name: str, chi2: Floats, n: int, k: int) -> dict[str, Floats]:
    """F = (n - 1) chi2 / (n (k - 1) - chi2) and its p-value (Iman and Davenport 1980)."""
    left = n * (k - 1) - chi2
    agreed = left <= 1e-12 * n * (k - 1)
    f = np.where(agreed, np.inf, (n - 1) * chi2 / np.where(agreed, 1.0, left))
    pvalue = np.where(agreed, 0.0, fdtrc(k - 1, (k - 1) * (n - 1), np.where(agreed, 1.0, f)))
    return {name: f, f"{name}_pvalue": pvalue}


def _beta_pvalue(between: Floats, spreads: Floats, k: int) -> Floats:
    """By the beta law with the exact mean and variance of the null (Kendall and Babington Smith 1939), ties kept.

    `between` is the squared length of the sum of the datasets' centred ranks, `spreads` the squared length of each.
    Products of two datasets' ranks have mean 0 and variance c_i c_j / (k - 1), and no two of them are correlated.
    """
    total = spreads.sum(axis=-1)
    most = np.sqrt(spreads).sum(axis=-1) ** 2  # reached only where all datasets agree
    variance = 2 * (total**2 - (spreads**2).sum(axis=-1)) / (k - 1)
    random = variance > 1e-9 * most**2  # else at most one dataset has an order, and nothing can be said
    at = np.where(random, between / np.where(random, most, 1.0), 0.0)
    mean = np.where(random, total / np.where(random, most, 1.0), 0.5)
    size = np.where(random, mean * (1 - mean) * most**2 / np.where(random, variance, 1.0) - 1, 1.0)
    size = np.maximum(size, 1e-9)  # 0 with two datasets and two algorithms: a coin
    return np.asarray(betainc((1 - mean) * size, mean * size, np.clip(1 - at, 0.0, 1.0)), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FriedmanResult(Result):
    """Friedman's test by one variant (`statistic`, `pvalue`), and the numbers of the others.

    `chi2` and `iman_davenport` are corrected for ties; the `_uncorrected` ones are those of Demsar 2006; `beta_pvalue`
    is that of the beta law with the exact mean and variance.
    `exact_pvalue` is None where it was not computed.
    """

    statistic: float
    pvalue: float
    variant: str
    method: str
    alternative: str = "any difference"
    degrees: tuple[int, ...]
    mean_ranks: Floats
    algorithms: tuple[str, ...]
    n_datasets: int
    kendall_w: float
    chi2: float
    chi2_pvalue: float
    chi2_uncorrected: float
    chi2_uncorrected_pvalue: float
    iman_davenport: float
    iman_davenport_pvalue: float
    iman_davenport_uncorrected: float
    iman_davenport_uncorrected_pvalue: float
    beta_pvalue: float
    exact_pvalue: float | None
    ties: str = "mean ranks within datasets"
    tied_datasets: int
    missing: str
    dropped: tuple[str, ...]
    references: tuple[str, ...] = ("friedman1937", "kendall1939", "iman1980", "demsar2006")

    def summary(self) -> str:
        """The test in a sentence, and what does not follow."""
        kind = {
            "exact": "exact",
            "iman_davenport": "Iman-Davenport F",
            "beta": "beta law of exact mean and variance",
            "chi2": "chi-square",
        }
        name = kind.get(self.variant, "chi-square without tie correction")
        return (
            f"Friedman's test ({name}) of {len(self.algorithms)} algorithms on {self.n_datasets} datasets: "
            f"statistic {self.statistic:.4g}, p = {self.pvalue:.3g}, Kendall's W = {self.kendall_w:.2f}. "
            "A small p says that some mean ranks differ, not which and not by how much; "
            f"a large one does not show that the algorithms are equal.{left_out(self.dropped)}"
        )


def friedman(table: Any, *, variant: str = "auto", missing: str = "complete") -> FriedmanResult:
    """Friedman's test on a table of datasets x algorithms.

    `variant`: 'auto' takes the exact law where it costs about a tenth of a second at most, and otherwise Iman and
    Davenport's F, or on fewer than 20 datasets, where that rejects too often, 'beta': the beta law that has the mean and
    the variance of the exact one. 'exact', 'iman_davenport', 'beta', 'chi2' (corrected for ties) and 'chi2_uncorrected'
    take what they say. The exact law keeps the ties: all orders of the ranks within each dataset are equally likely.
    `missing='complete'` leaves out datasets with holes and names them; 'refuse' raises (see `skillings_mack`).

    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> result.variant, round(result.pvalue, 4), result.mean_ranks.tolist()
    ('exact', 0.0417, [1.0, 2.25, 2.75])
    """
    check.choice("variant", variant, VARIANTS)
    blocks = complete_blocks(table, missing=missing)
    ranks = blocks.table.ranks()
    found = friedman_statistics(ranks)
    n, k = ranks.shape
    chosen, exact_pvalue = _choose(variant, ranks)
    numbers: dict[str, Any] = {name: float(getattr(found, name)) for name in FriedmanStatistics.__slots__}
    if np.isinf(numbers["iman_davenport"]):  # perfect agreement: no continuous law has a tail there, but we know it
        for name in ("iman_davenport_pvalue", "iman_davenport_uncorrected_pvalue", "beta_pvalue"):
            numbers[name] = exact.perfect_agreement_pvalue(ranks)
    return FriedmanResult(
        statistic=numbers["chi2" if chosen in ("exact", "beta") else chosen],
        pvalue=exact_pvalue if exact_pvalue is not None else numbers[f"{chosen}_pvalue"],
        variant=chosen,
        method={"exact": "exact", "beta": "approximate: beta law of exact mean and variance"}.get(chosen, "asymptotic"),
        degrees=(k - 1, (k - 1) * (n - 1)) if chosen == "iman_davenport" else (k - 1,),
        mean_ranks=ranks.mean(axis=0),
        algorithms=blocks.table.algorithms,
        n_datasets=n,
        kendall_w=numbers["chi2"] / (n * (k - 1)),
        exact_pvalue=exact_pvalue,
        tied_datasets=int((np.diff(np.sort(ranks, axis=1), axis=1) == 0).any(axis=1).sum()),
        missing=missing,
        dropped=blocks.dropped,
        **numbers,
    )


def _choose(variant: str, ranks: Floats) -> tuple[str, float | None]:
    """The variant to report and, where it was asked for and is affordable, the exact p-value."""
    if variant not in ("auto", "exact"):
        return variant, None
    if exact.affordable(ranks, most_work=exact.LITTLE_WORK if variant == "auto" else exact.MOST_WORK):
        return "exact", exact.exact_pvalue(ranks)
    n, k = ranks.shape
    if variant == "auto":
        return "iman_davenport" if n >= _MANY_DATASETS else "beta", None
    raise ArgumentError(
        f"The exact law of Friedman's statistic takes too long for {k} algorithms on {n} datasets: "
        "use variant='iman_davenport' or 'beta'."
    )
