"""Friedman's test: do the mean ranks of k algorithms over n datasets differ more than by chance?"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, chdtrc, fdtrc

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.words import MissingDatasets
from podium.stats.exact import friedman as exact
from podium.stats.omnibus.blocks import OmnibusResult, Overall, complete_blocks, ranks_of

VARIANTS = ("auto", "exact", "iman_davenport", "beta", "chi2", "chi2_uncorrected")
_MANY_DATASETS = 20  # from which on Iman and Davenport's F keeps its level


def friedman_statistics(ranks: npt.ArrayLike) -> dict[str, Floats]:
    """Friedman's statistics from ranks of shape (..., n datasets, k algorithms), with their asymptotic p-values.

    `chi2` and `iman_davenport` are corrected for ties. All ties give statistic 0 and p = 1; perfect agreement gives an
    infinite F and p is 0 (`friedman` does better).

    >>> found = friedman_statistics([[1, 2, 3], [1, 2, 3], [1, 3, 2]])
    >>> float(found["chi2"]), round(float(found["chi2_pvalue"]), 4)
    (4.666666666666667, 0.097)
    """
    array = np.asarray(ranks, dtype=np.float64)
    n, k = array.shape[-2:]
    between = ((array.sum(axis=-2) - n * (k + 1) / 2) ** 2).sum(axis=-1)
    spreads = ((array - (k + 1) / 2) ** 2).sum(axis=-1)
    spread = spreads.sum(axis=-1)  # n k (k + 1) (k - 1) / 12 without ties
    uncorrected = 12 * between / (n * k * (k + 1))
    chi2 = np.where(spread > 0, (k - 1) * between / np.where(spread > 0, spread, 1.0), 0.0)
    return {
        "chi2": chi2,
        "chi2_pvalue": chdtrc(k - 1, chi2),
        "chi2_uncorrected": uncorrected,
        "chi2_uncorrected_pvalue": chdtrc(k - 1, uncorrected),
        **_iman_davenport("iman_davenport", chi2, n, k),
        **_iman_davenport("iman_davenport_uncorrected", uncorrected, n, k),
        "beta_pvalue": _beta_pvalue(between, spreads, k),
    }


def kernel(tables: Floats, *, variant: str = "chi2") -> Overall:
    """Friedman's test of tables (..., datasets, algorithms), where higher is better, by one of its asymptotic variants."""
    statistics = friedman_statistics(ranks_of(tables))
    return Overall(statistics["chi2" if variant == "beta" else variant], statistics[f"{variant}_pvalue"])


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


@check.names_its_arguments
def friedman(
    table: Any,
    *,
    variant: Literal["auto", "exact", "iman_davenport", "beta", "chi2", "chi2_uncorrected"] = "auto",
    missing: MissingDatasets = "complete",
) -> OmnibusResult:
    """Friedman's test of the average ranks in a table of datasets x algorithms.

    The exact distribution keeps the ties: all orders of the ranks within each dataset are equally likely. `details` has the numbers
    of all variants, `exact_pvalue` where it was computed, and Kendall's W.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    variant : {"auto", "exact", "iman_davenport", "beta", "chi2", "chi2_uncorrected"}, default "auto"
        "auto" is exact where that takes about a tenth of a second at most, and otherwise Iman and Davenport's
        F, or "beta" on fewer than 20 datasets, where F rejects too often. "beta" is the beta distribution with
        the mean and the variance of the exact one; "chi2" is corrected for ties.
    missing : {"complete", "refuse"}, default "complete"
        Leave out datasets with missing scores and name them, or raise an error. `skillings_mack` uses them.

    Returns
    -------
    OmnibusResult
        The statistic, its p-value and degrees of freedom, and the mean ranks.

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> result.variant, round(result.pvalue, 4), result.mean_ranks.tolist()
    ('exact', 0.0417, [1.0, 2.25, 2.75])
    """
    check.choice("variant", variant, VARIANTS)
    blocks = complete_blocks(table, missing=missing)
    ranks = blocks.table.ranks()
    n, k = ranks.shape
    chosen, exact_pvalue = _choose(variant, ranks)
    numbers: dict[str, Any] = {name: float(value) for name, value in friedman_statistics(ranks).items()}
    if np.isinf(numbers["iman_davenport"]):  # perfect agreement: no continuous law has a tail there, but we know it
        for name in ("iman_davenport_pvalue", "iman_davenport_uncorrected_pvalue", "beta_pvalue"):
            numbers[name] = exact.perfect_agreement_pvalue(ranks)
    statistic = numbers["chi2" if chosen in ("exact", "beta") else chosen]
    tied = int((np.diff(np.sort(ranks, axis=1), axis=1) == 0).any(axis=1).sum())
    special = {"kendall_w": numbers["chi2"] / (n * (k - 1)), "exact_pvalue": exact_pvalue, "tied_datasets": tied}
    return blocks.result(
        "friedman",
        (statistic, numbers[f"{chosen}_pvalue"] if exact_pvalue is None else exact_pvalue),
        (k - 1, (k - 1) * (n - 1)) if chosen == "iman_davenport" else (k - 1,),
        variant=chosen,
        method={"exact": "exact", "beta": "approximate: beta distribution of exact mean and variance"}.get(
            chosen, "asymptotic"
        ),
        ties="mean ranks within datasets",
        details={**special, **numbers},
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
        f"The exact distribution of Friedman's statistic takes too long for {k} algorithms on {n} datasets: "
        "use variant='iman_davenport' or 'beta'."
    )
