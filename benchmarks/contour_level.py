"""Where the constant BETWEEN of `podium/stats/exact/shared_tilt_kernels.py` comes from.

The contour integral of a signed-rank law takes only the nodes around z = |z| and z = -|z|. What it leaves out is about
exp(-level) of the integrand's peak: a heuristic, not a bound. This script draws tied and untied ranks at random, computes tails by
the shared tables without that check and by the dynamic programme (sums of positive terms, exact to rounding), and prints the
errors by the margin: -log of what is left out, relative to the answer.
Run: python benchmarks/contour_level.py [DRAWS]
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from podium.stats.exact import shared_tilt_kernels as kernels
from podium.stats.exact.small import lower_tail
from podium.stats.exact.tilt_kernels import SMALL
from podium.stats.exact.tilt_tables import tilts_for

WANTED = 2e-10
MOST = 150  # observations


def unchecked(folder: Path) -> Any:
    """The kernels without what says that too much is left out."""
    source = Path(kernels.__file__).read_text(encoding="utf-8")
    line = next(line for line in source.splitlines() if line.startswith("BETWEEN = "))
    copy = folder / "unchecked_kernels.py"
    copy.write_text(source.replace(line, "BETWEEN = 0.0").replace("cache=True, ", ""), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(copy.stem, copy)
    module = importlib.util.module_from_spec(spec)
    sys.modules[copy.stem] = module
    spec.loader.exec_module(module)
    return module


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


def margin(rank: np.ndarray, size: np.ndarray, limit: int, tail: float, theta: float, laws: Any, levels: Any) -> float:
    """What the level is more than is lost by the tilt."""
    level = levels[rank, np.minimum(size, levels.shape[1] - 1)].sum()
    return float(level - (laws[rank, kernels.LOG] @ size + theta * limit - np.log(tail)))


def main(draws: int) -> None:
    rng, tables, found = np.random.default_rng(20060101), tilts_for(MOST), []
    with tempfile.TemporaryDirectory() as folder:
        free = unchecked(Path(folder))
        room = free.shared_room(MOST + 1)
        for _ in range(draws):
            ranks = drawn_ranks(rng)
            rank, size = (part.astype(np.int32) for part in np.unique(ranks, return_counts=True))
            squares = np.array([np.square(ranks, dtype=float).sum()])
            limit, band = (
                int(ranks.sum() / 2 - rng.uniform(0.1, 8.5) * np.sqrt(squares[0]) / 2),
                tables.bands(squares)[0],
            )
            if limit <= 0 or band < 0 or len(rank) < kernels.FEWEST:
                continue
            nearest = free._nearest(limit, tables.laws[band, :, 2 * MOST + 1 + len(ranks)])
            for tilt in {max(nearest - lower, 0) for lower in range(kernels.LOWER + 1)}:
                numbers, *rest = (table[band, tilt] for table in tables[1:])
                tail = free.shared_tail(rank, size, len(rank), limit, (*numbers, *rest), -1e9, room)
                if tail > 0:  # the bounded errors are small
                    left = margin(rank, size, limit, tail, numbers[0], rest[2], rest[3])
                    found.append((left, abs(tail / lower_tail(rank, size, limit) - 1)))
    margins, errors = np.array(found).T
    print(f"{len(margins)} sums; margins from {margins.min():.1f} to {margins.max():.1f}")
    for low in range(5, 35, 2):
        here = (margins >= low) & (margins < low + 2)
        if here.any():
            print(
                f"  margin {low:2d} to {low + 2:2d}: {here.sum():6d} sums, largest relative error {errors[here].max():.1e}"
            )
    enough = np.log(kernels.BETWEEN / SMALL)
    above = errors[margins >= enough]
    print(
        f"BETWEEN is {kernels.BETWEEN}, a margin of {enough:.1f}: {above.size} sums have it, {(above > WANTED).sum()} of them an "
        f"error above {WANTED:g}; the largest is {above.max():.1e}."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
