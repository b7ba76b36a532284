"""What the tests of two algorithms share: oracles."""

from itertools import product

import numpy as np
from scipy.stats import rankdata


def signed_rank_oracle(differences, zeros="drop", alternative="two-sided"):
    """The p-value by all 2^n sign flips, written as plainly as can be."""
    d = np.asarray(differences, dtype=float)
    if zeros == "drop":
        d = d[d != 0]
    if zeros == "split" and (d == 0).sum() % 2:
        d = np.delete(d, np.flatnonzero(d == 0)[0])
    if len(d) == 0 or (zeros == "pratt" and not d.any()):
        return 1.0
    ranks = rankdata(np.abs(d))
    plus = ranks[d > 0].sum()
    flipped = ranks
    if zeros == "pratt":
        flipped = ranks[d != 0]
    if zeros == "split":
        plus += ranks[d == 0].sum() / 2
    sums = np.array([np.dot(signs, flipped) for signs in product((0, 1), repeat=len(flipped))])
    less, greater = (sums <= plus + 1e-9).mean(), (sums >= plus - 1e-9).mean()
    return {"less": less, "greater": greater, "two-sided": min(1.0, 2 * min(less, greater))}[alternative]
