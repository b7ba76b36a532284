"""Critical differences: how far two mean ranks must lie apart."""

from __future__ import annotations

import math

from scipy.special import ndtri

from podium.core import check
from podium.stats.exact.studentized_range import quantile, range_tail
from podium.stats.registry import PAIRWISE


def critical_value(k: int, alpha: float = 0.05, *, test: str = "nemenyi") -> float:
    """The critical value in units of the standard error sqrt(k (k + 1) / (6 n)): table 5 of Demsar 2006.

    >>> round(critical_value(4), 3), round(critical_value(4, test="bonferroni_dunn"), 3)
    (2.569, 2.394)
    """
    size = check.count("k", k, at_least=2)
    level = check.fraction("alpha", alpha)
    names = [name for name, method in PAIRWISE.items() if method.distance]
    method = PAIRWISE[check.choice("test", test, names)]
    if method.correction == "studentized range":
        return quantile(lambda q: float(range_tail(q, size)), level) / math.sqrt(2)
    comparisons = size - 1 if method.needs_control else size * (size - 1) // 2
    return float(-ndtri(level / (2 * comparisons)))


def critical_difference(k: int, n: int, alpha: float = 0.05, *, test: str = "nemenyi") -> float:
    """The least difference of mean ranks that is significant, for k algorithms on n datasets.

    Computed, not looked up: any k, any alpha.

    Parameters
    ----------
    k : int
        Number of algorithms.
    n : int
        Number of datasets.
    alpha : float, default 0.05
        Significance level.
    test : {"nemenyi", "bonferroni_dunn", "mean_ranks"}, default "nemenyi"
        All pairs, a control against the others, or all pairs with Bonferroni's correction (Benavoli et al.
        2016).

    Returns
    -------
    float
        The critical difference.

    Examples
    --------
    >>> round(critical_difference(4, 14), 4), round(critical_difference(4, 14, 0.10), 4)
    (1.2536, 1.1181)
    """
    size = check.count("n", n, at_least=1)
    return critical_value(k, alpha, test=test) * math.sqrt(k * (k + 1) / (6 * size))
