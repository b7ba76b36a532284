"""Where the constant LEVEL of `podium/stats/exact/tilt_kernels.py` comes from.

The contour integral of a signed-rank law takes only the nodes around z = |z| and z = -|z|. What it leaves out is
about exp(-level) of the integrand, `level` as in `_has_two_lobes`: a heuristic, not a bound. This script draws tied
and untied ranks at random, computes tails by the contour without that check and by the dynamic programme (sums of
positive terms, exact to rounding), and prints the errors by level, and how many above LEVEL exceed 2e-10.
Run: python benchmarks/contour_level.py [DRAWS]
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from podium.stats.exact import tilt_kernels

WANTED = 2e-10


def unchecked(folder: Path):
    """The kernels with a level that everything passes."""
    source = Path(tilt_kernels.__file__).read_text(encoding="utf-8")
    line = next(line for line in source.splitlines() if line.startswith("LEVEL = "))
    copy = folder / "unchecked_kernels.py"
    copy.write_text(source.replace(line, "LEVEL = -1e9"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(copy.stem, copy)
    module = importlib.util.module_from_spec(spec)
    sys.modules[copy.stem] = module
    spec.loader.exec_module(module)
    return module


def drawn_ranks(rng: np.random.Generator) -> np.ndarray:
    """Doubled ranks of 25 to 150 differences: continuous, rounded to a random width, or with a few repeated."""
    n = int(rng.integers(25, 151))
    differences = np.abs(rng.standard_normal(n))
    kind = rng.integers(3)
    if kind == 1:
        differences = np.ceil(differences * rng.uniform(5, 60))
    if kind == 2:
        differences = np.repeat(differences, rng.integers(1, 4, n))[:n]
    return np.rint(2 * rankdata(differences)).astype(np.int64)


def programmed(ranks: np.ndarray, limit: int) -> float:
    """P(W <= limit) by the dynamic programme."""
    law = np.zeros(limit + 1)
    law[0] = 1.0
    for rank in ranks.tolist():
        if rank <= limit:
            law[rank:] += law[: limit + 1 - rank].copy()
        law *= 0.5
    return float(law.sum())


def level_of(rank: np.ndarray, size: np.ndarray, law: np.ndarray) -> float:
    """As `_has_two_lobes` computes it."""
    rows, m = law[rank], np.minimum(size, 2 * tilt_kernels.SIZES)
    places = np.arange(len(rank))
    tied = 0.5 * (rows[places, 2 + m // 2] + rows[places, 2 + (m + 1) // 2])
    return float(np.where(m == 1, rows[:, 1] + np.log(2.0), tied).sum())


def main(draws: int) -> None:
    rng = np.random.default_rng(20060101)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        kernels = unchecked(Path(folder))
        lobes = np.empty((3, 2 * kernels.WIDTH))
        for _ in range(draws):
            ranks = drawn_ranks(rng)
            rank, size = (part.astype(np.int32) for part in np.unique(ranks, return_counts=True))
            mean, spread = ranks.sum() / 2, np.sqrt((ranks**2).sum()) / 2
            limit = int(mean - rng.uniform(0.1, 7.0) * spread)
            room = kernels.contour_room(int(rank[-1]))
            tail = kernels.lower_tail_contour(rank, size, len(rank), limit, room, lobes) if limit > 0 else -1.0
            if tail > 0:  # the bounded errors are small
                found.append((level_of(rank, size, room[1]), abs(tail / programmed(ranks, limit) - 1)))
    levels, errors = np.array(found).T
    print(f"{len(levels)} of {draws} sums; levels from {levels.min():.1f} to {levels.max():.1f}")
    for low in range(5, 35, 3):
        here = (levels >= low) & (levels < low + 3)
        if here.any():
            print(
                f"  level {low:2d} to {low + 3:2d}: {here.sum():6d} sums, largest relative error {errors[here].max():.1e}"
            )
    for wanted in (WANTED, 10 * WANTED):
        late = levels[errors > wanted]
        print(f"Errors are below {wanted:g} from level {late.max() if late.size else levels.min():.1f} on.")
    kept = levels >= tilt_kernels.LEVEL
    above = errors[kept]
    print(
        f"LEVEL is {tilt_kernels.LEVEL}: {kept.sum()} sums reach it, {(above > WANTED).sum()} of them with an error "
        f"above {WANTED:g}; the largest is {above.max():.1e}."
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
