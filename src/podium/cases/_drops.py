"""How few cases decide: the fewest whose removal takes the significance, the lead, or turns it round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.cases.binary import exact_pvalues, mid_pvalues
from podium.core.arrays import Floats, Indices

MANY = 2000  # removals; the search takes the square of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Drops:
    """How many cases to remove until the decision changes, until the two tie, and until the other leads.

    `decision` is None where no removal changes it, `reversal` where the other passes no case alone and so can never lead.
    """

    decision: int | None
    tie: int
    reversal: int | None


def cases_to_overturn(b: int, c: int, *, alpha: float = 0.05, exact: bool = False) -> Drops:
    """The fewest cases to remove, where b cases are passed only by the first algorithm and c only by the second.

    A significant difference is lost by removing cases that speak for the leader; one that is not significant is made so
    by removing cases that speak for the other.

    Parameters
    ----------
    b, c : int
        Number of cases that only the first algorithm passes, and that only the second one passes.
    alpha : float, default 0.05
        Significance level of the decision.
    exact : bool, default False
        Use McNemar's exact test, whose error rate never exceeds the level, instead of mid-p.

    Returns
    -------
    Drops
        How many cases to remove until the decision changes, until the two tie, and until the other leads; None
        where no number does.

    Examples
    --------
    >>> cases_to_overturn(10, 2)
    Drops(decision=2, tie=8, reversal=9)
    """
    more, fewer = max(b, c), min(b, c)
    pvalues = exact_pvalues if exact else mid_pvalues
    if float(pvalues(more, fewer)) <= alpha:
        removed = np.arange(more + 1)
        changed = pvalues(more - removed, np.full(more + 1, fewer)) > alpha
    else:
        removed = np.arange(fewer + 1)
        changed = pvalues(np.full(fewer + 1, more), fewer - removed) <= alpha
    decision = int(np.argmax(changed)) if changed.any() else None
    return Drops(decision=decision, tie=more - fewer, reversal=more - fewer + 1 if fewer else None)


def mean_drops(differences: Floats) -> int:
    """The fewest cases whose removal takes the lead (a tie, or the other ahead): those that speak most for the leader first."""
    total = float(differences.sum())
    if total == 0:
        return 0
    leading = np.sort(differences * np.sign(total))[::-1]
    left = abs(total) - np.cumsum(leading[leading > 0])
    return int(np.argmax(left < 1e-12 * abs(total))) + 1


def benchmark_drops(differences: Floats, benchmark: Indices, weights: Floats | None = None, most: int = MANY) -> int:
    """The same for the mean over benchmarks, where those left of a benchmark share its weight: 0 where none can take the lead.

    One case of each benchmark stays. How many of which go is found step by step over the benchmarks: the least mean that so many
    removals in all can leave. More than `most`, or than 2,000, are not sought.
    """
    counted, most = np.ones(len(differences)) if weights is None else weights, min(most, MANY)
    least = np.zeros(1)  # the smallest sum for every number of removals so far
    for place in range(int(benchmark.max()) + 1):
        curve = _least_means(differences[benchmark == place], counted[benchmark == place], most)
        longer = np.full(len(least) + len(curve) - 1, np.inf)
        for removed, value in enumerate(curve.tolist()):
            here = slice(removed, removed + len(least))
            longer[here] = np.minimum(longer[here], least + value)
        least = longer[: most + 1]
    caught = least < 1e-12 * np.abs(differences).max(initial=1e-300)
    return int(np.argmax(caught)) if caught.any() and least[0] > 0 else 0


def _least_means(values: Floats, weights: Floats, most: int) -> Floats:
    """The least mean that 0, 1, ... removals leave.

    Without weights the largest go. With weights, of all sets of one size that of the least sum of weight * (value - mean) has a smaller
    mean, until none has (Dinkelbach 1967).
    """
    sizes = np.arange(len(values), max(len(values) - most, 1) - 1, -1)
    if (weights == weights[0]).all():
        return np.asarray(np.cumsum(np.sort(values))[sizes - 1] / sizes)
    means, least = np.empty(len(sizes)), float(np.average(values, weights=weights))
    for place, size in enumerate(sizes.tolist()):
        mean = np.inf
        while least < mean:
            mean = least
            left = np.argpartition(weights * (values - mean), size - 1)[:size]
            least = float(np.average(values[left], weights=weights[left]))
        means[place] = least = mean
    return means
