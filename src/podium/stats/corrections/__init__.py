"""Corrections for many p-values, one function each, and `adjust`, which takes the name of one.

Adjusted p-values keep the order of the input, never fall below the raw ones and never exceed 1, so that
a hypothesis is rejected at a level exactly if its adjusted p-value is at most that level.
"""

from __future__ import annotations

from typing import Any

from podium.core.arrays import Floats
from podium.stats import registry
from podium.stats.corrections.steps import checked, number_of_algorithms

__all__ = ["adjust"]


def adjust(pvalues: Any, method: str = "holm", *, n_algorithms: int | None = None) -> Floats:
    """Adjusted p-values by the named correction, in the order of the input.

    "shaffer" and "bergmann_hommel" are for all pairs of k algorithms, in the order (0, 1), (0, 2), ..., (k-2, k-1).

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.
    method : str, default "holm"
        Name of the correction, such as "holm", "hommel" or "benjamini_hochberg"; "none" leaves p-values as they
        are.
    n_algorithms : int, optional
        Number of algorithms k: any correction then checks that there are k (k - 1) / 2 p-values.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], "bergmann_hommel")
    array([0.03, 0.04, 0.03])
    """
    named = registry.correction(method)
    count = {"n_algorithms": n_algorithms} if named.all_pairs_only else {}
    adjusted: Floats = checked(pvalues) if method == "none" else registry.function(named)(pvalues, **count)
    if n_algorithms is not None:
        number_of_algorithms(adjusted.size, n_algorithms)
    return adjusted
