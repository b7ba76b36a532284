"""How few cases decide: the fewest whose removal takes the significance, the lead, or turns it round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.cases.binary import exact_pvalues, mid_pvalues
from podium.core.arrays import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Drops:
    """How many cases to remove until the decision changes, until the two tie, and until the other leads.

    `decision` is None where no removal changes it, `reversal` where the other passes no case alone and so can never lead.
    """

    decision: int | None
    tie: int
    reversal: int | None


def drops(b: int, c: int, *, alpha: float = 0.05, exact: bool = False) -> Drops:
    """The fewest cases to remove, where b cases are passed only by the first algorithm and c only by the second.

    A significant difference is lost by removing cases that speak for the leader; one that is not significant is made so
    by removing cases that speak for the other.

    >>> drops(10, 2)
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
    found = int(np.argmax(changed)) if changed.any() else None
    return Drops(decision=found, tie=more - fewer, reversal=more - fewer + 1 if fewer else None)


def mean_drops(differences: Floats) -> int:
    """The fewest cases whose removal takes the lead (a tie, or the other ahead): those that speak most for the leader first."""
    total = float(differences.sum())
    if total == 0:
        return 0
    leading = np.sort(differences * np.sign(total))[::-1]
    left = abs(total) - np.cumsum(leading[leading > 0])
    return int(np.argmax(left < 1e-12 * abs(total))) + 1
