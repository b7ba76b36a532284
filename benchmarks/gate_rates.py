"""How often the gate gives which answer, by simulation: writes docs/data/gate_rates.csv (some minutes).

Four designs: pass or fail; five samples per case; clusters of five cases whose outcomes change together; and pass or fail
looked at after every case (--anytime). The margin is 0.05; the true drop is nothing, the margin, or twice the margin.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np

from podium.cases.gate_kernels import GateDesign, answers_of_rows

MARGIN, ALPHA, APART = 0.05, 0.05, 0.12
SIZES, DROPS = (50, 200, 1000), (0.0, MARGIN, 2 * MARGIN)
DESIGNS = ("pass or fail", "five samples", "clusters of five", "looked at after every case")


def outcomes(design: str, n: int, drop: float, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Differences of the candidate to the baseline: draws x cases."""
    down, up = (APART + drop) / 2, (APART - drop) / 2
    if design == "five samples":  # each case has its own probability of passing, and every fifth one drops
        chance = rng.beta(1.2, 0.8, size=(draws, n)) * 0.5 + 0.5
        now = np.where(rng.random((draws, n)) < 0.2, chance - 5 * drop, chance)
        return rng.binomial(5, now) / 5 - rng.binomial(5, chance) / 5
    if design == "clusters of five":  # half of the cases do what the first of their cluster does
        alone = _changes(rng, (draws, n), down, up)
        common = np.repeat(_changes(rng, (draws, n // 5), down, up), 5, axis=1)
        return np.where(rng.random((draws, n)) < 0.5, common, alone)
    return _changes(rng, (draws, n), down, up)


def _changes(rng: np.random.Generator, shape: tuple[int, int], down: float, up: float) -> np.ndarray:
    drawn = rng.random(shape)
    return np.where(drawn < down, -1.0, np.where(drawn < down + up, 1.0, 0.0))


def rates(design: str, n: int, drop: float, draws: int, rng: np.random.Generator) -> tuple[float, float, float]:
    """The shares of "not worse", "worse" and "cannot tell"."""
    counted = np.zeros(3)
    size = max(1, min(draws, 2_000_000 // n))
    for start in range(0, draws, size):
        rows = outcomes(design, n, drop, min(size, draws - start), rng)
        kind = "bounded" if design == DESIGNS[1] else "pass_fail"
        cluster = np.arange(n) // 5 if design == DESIGNS[2] else np.arange(n)
        one, anytime = np.zeros(n, dtype=np.intp), design == DESIGNS[3]
        asked = GateDesign(
            kind=kind, cluster=cluster, benchmark=one, margin=MARGIN, alpha=ALPHA, bound=1.0, anytime=anytime
        )  # outcomes lie between 0 and 1, as the gate knows
        passed, worse = answers_of_rows(rows, asked)
        counted += [passed.sum(), worse.sum(), (~(passed | worse)).sum()]
    return tuple((counted / draws).tolist())


def main(draws: int = 10_000) -> None:
    """Every design, size and drop."""
    target = Path(__file__).parents[1] / "docs/data/gate_rates.csv"
    rng = np.random.default_rng(17)
    with target.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["design", "cases", "true_drop", "not_worse", "worse", "cannot_tell", "draws"])
        for design in DESIGNS:
            for n in SIZES:
                for drop in DROPS:
                    found = rates(design, n, drop, draws, rng)
                    rows.writerow([design, n, drop, *(f"{share:.3f}" for share in found), draws])
                    print(design, n, drop, found, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
