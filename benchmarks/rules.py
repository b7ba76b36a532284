"""The error rates of rules that replaced others, before and after, on laws that are hard on them; se are standard errors.

python benchmarks/rules.py > docs/data/rules.csv       # all of them, about ten minutes
python benchmarks/rules.py gate macro                  # some of them, without the head
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy import stats
from scipy.special import ndtr

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "cases"))

import test_macro_means as macro_designs
import test_skew as skew_designs

from podium.cases._all_pairs import all_pairs
from podium.cases.family import flip_family
from podium.cases.means import case_weights
from podium.cases.planning import cases_needed
from podium.core.pairs import pair_indices
from podium.evidence.cases import as_cases
from podium.planning.cases import mcnemar_cases, plan

HEAD = "what,design,n,before,after,se,draws"
Row = tuple[str, str, str, float, float, int]


def gate(draws: int = 4000) -> Iterator[Row]:
    """False answers of the gate of numbers on the worse side: one-sided t bounds, and the rule that allows for skew."""
    for law in skew_designs.LAWS:
        for n in (60, 100, 200):
            rng = np.random.default_rng(n)
            after = skew_designs.worst_tail(law, n, draws, rng)
            rows = skew_designs.LAWS[law](rng, (draws, n))
            p = stats.ttest_1samp(rows, 0.0, axis=1, alternative="greater").pvalue
            before = max(float((p < 0.05).mean()), float((p > 0.95).mean()))
            yield "gate of numbers", law, str(n), before, after, draws


def pairs(draws: int = 6000) -> Iterator[Row]:
    """Two equal algorithms told apart by numbers on cases, two-sided: Student's t, and the rule that allows for skew."""
    for law in skew_designs.LAWS:
        for n in (10, 30, 100):
            rows = skew_designs.LAWS[law](np.random.default_rng(n), (draws, n))
            before = float((stats.ttest_1samp(rows, 0.0, axis=1).pvalue <= 0.05).mean())
            after = float((skew_designs.unknown(rows).pvalue() <= 0.05).mean())
            yield "numbers on cases", law, str(n), before, after, draws


def macro(draws: int = 300, k: int = 7) -> Iterator[Row]:
    """Seven algorithms with the same mean over benchmarks, some told apart: sign flips, and the hybrid with Holm."""
    for design, (sizes, effects) in macro_designs.DESIGNS.items():
        place = np.repeat(np.arange(len(sizes)), sizes)
        weights = case_weights(place, True)[:, None]
        rng, found = np.random.default_rng(k), np.zeros(2)
        for _ in range(draws):
            chance = 0.55 + np.array(effects)[:, None] * np.where(np.arange(k) % 2, 1, -1) * rng.uniform(0.5, 1, k)
            noise = np.sqrt(0.4) * rng.normal(size=(len(place), 1)) + np.sqrt(0.6) * rng.normal(size=(len(place), k))
            passed = (ndtr(noise) < chance[place]).astype(float)
            flips = flip_family(passed * weights, *pair_indices(k), draws=499, rng=rng)
            new = all_pairs(as_cases(passed, benchmarks=place))
            found += [(flips.adjusted <= 0.05).any(), (new.adjusted <= 0.05).any()]
        yield "mean over benchmarks", f"{design}, effects cancel", "", *(found / draws), draws


def pilots(draws: int = 400) -> Iterator[Row]:
    """Ranges of plans: other pilots whose plan lies in the range (what was said), and ranges that hold the right number."""
    laws = {
        "normal": lambda rng, n: rng.normal(size=n),
        "Student's t, 5 degrees": lambda rng, n: rng.standard_t(5, n) * np.sqrt(3 / 5),
        "two points": lambda rng, n: rng.choice([-1.0, 1.0], n),
        "pass or fail, 20% apart": lambda rng, n: (rng.random(n) < 0.2) * rng.choice([-1.0, 1.0], n),
    }
    for law, draw in laws.items():
        for n in (40, 160):
            rng, counted = np.random.default_rng(n), "pass" in law
            plans = [
                plan({"a": (d > 0) * 1.0, "b": (d < 0) * 1.0} if counted else {"a": d, "b": 0 * d}, difference=0.1)
                for d in (draw(rng, n) for _ in range(draws))
            ]
            right = (
                mcnemar_cases(0.2, 0.1, wanted=0.8, alpha=0.05)[0] if counted else cases_needed(0.1, between=1.0).cases
            )
            found = [(design.low or 0, design.count or 0, design.high or 0) for one in plans for design in one.designs]
            others = np.mean([low <= other[1] <= high for (low, _, high), other in pairwise(found)])
            held = np.mean([low <= right <= high for low, _, high in found])
            yield "range of plans", law, str(n), float(others), float(held), draws


PARTS = {"gate": gate, "pairs": pairs, "macro": macro, "pilots": pilots}


def main(names: list[str]) -> None:
    if not names:
        print(HEAD)
    for name in names or PARTS:
        for what, design, n, before, after, draws in PARTS[name]():
            error = np.sqrt(max(after * (1 - after), 0.01) / draws)
            print(f'{what},"{design}",{n},{before:.3f},{after:.3f},{error:.4f},{draws}', flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
