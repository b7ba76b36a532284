"""Where the constant BETWEEN of `podium/stats/exact/tilts.py` comes from.

The contour integral of a signed-rank law takes only the nodes around z = |z| and z = -|z|. What it leaves out is about
exp(-level) of the integrand's peak: a heuristic, not a bound. This script draws tied and untied ranks at random, computes tails by
the shared tilts without that check and by the dynamic programme (sums of positive terms, exact to rounding), and prints the
errors by the margin: -log of what is left out, relative to the answer.
Run: python benchmarks/contour_level.py [DRAWS]
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.stats import rankdata

from podium.stats.exact import tilts
from podium.stats.exact.ranks import ranks_of
from podium.stats.exact.small import lower_tail

WANTED = 2e-10
MOST = 150  # observations


def drawn_ranks(rng: np.random.Generator) -> np.ndarray:
    """Doubled ranks of 60 to 150 differences: continuous, rounded to a random width, or with a few repeated."""
    n = int(rng.integers(60, MOST + 1))
    differences = np.abs(rng.standard_normal(n))
    kind = rng.integers(3)
    if kind == 1:
        differences = np.ceil(differences * rng.uniform(5, 60))
    if kind == 2:
        differences = np.repeat(differences, rng.integers(1, 4, n))[:n]
    return np.rint(2 * rankdata(differences)).astype(np.int64)


def main(draws: int) -> None:
    rng, found = np.random.default_rng(20060101), []
    between, tilts.BETWEEN, tilts.LEAST = tilts.BETWEEN, 0.0, -np.inf  # nothing is judged
    bounded, tilts.bounded = tilts.bounded, lambda *told: (levels.append(told), bounded(*told))[1]
    for _ in range(draws):
        ranks, levels = ranks_of(drawn_ranks(rng)), []
        rank, size = ranks.one(0)
        limit = int(rank @ size / 2 - rng.uniform(0.1, 8.5) * np.sqrt(ranks.squares[0]) / 2)
        tail = tilts.contour_tails(ranks, np.array([limit]))[0] if limit > 0 else -1.0
        if tail > 0:  # the bounded errors are small
            law, theta = levels[-1][2], levels[-1][3]
            known = tilts._levels(np.exp(-theta * rank))
            level = known[np.arange(len(rank)), np.minimum(size, tilts.FULLEST)].sum()
            left = float(level - (law.log[0] + theta * limit - np.log(tail)))
            found.append((left, abs(tail / lower_tail(rank, size, limit) - 1)))
    margins, errors = np.array(found).T
    print(f"{len(margins)} sums; margins from {margins.min():.1f} to {margins.max():.1f}")
    for low in range(5, 35, 2):
        here = (margins >= low) & (margins < low + 2)
        if here.any():
            print(
                f"  margin {low:2d} to {low + 2:2d}: {here.sum():6d} sums, largest relative error {errors[here].max():.1e}"
            )
    enough = np.log(between / tilts.SMALL)
    above = errors[margins >= enough]
    print(
        f"BETWEEN is {between}, a margin of {enough:.1f}: {above.size} sums have it, {(above > WANTED).sum()} of them an "
        f"error above {WANTED:g}; the largest is {above.max():.1e}."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
