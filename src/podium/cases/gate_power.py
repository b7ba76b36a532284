"""What a gate of this size can do: how surely it gives which answer, and how many cases would tell.

All of it follows the rule by which the gate decides: exactly for cases that pass or fail, in runs drawn from the observed
differences where the rule changes with the number of cases, and by the t law elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from podium.cases.gate_kernels import ADDED, FEWEST_CLUSTERS, Design, Sides, answer_of, answers_of_rows, exact_rates
from podium.cases.gate_repeat import power_if_unchanged
from podium.cases.gate_result import POWER
from podium.cases.pair_kernels import FEW_DIFFERENCES
from podium.cases.planning import MOST_CASES, affordable, t_power
from podium.core.arrays import Floats
from podium.core.rng import Rng, generator

PRICE_OF_LOOKING = 2.1  # cases of a gate that is looked at all the time, for the same power: 1.9 to 2.3 times as many
MANY_CASES = 2000  # from here on the normal law is as good as the exact power
_DRAWS, _SEARCH_DRAWS = 1000, 200
_DRAWS_WHILE_LOOKING = 200
_NODES = 64  # of the law of the standard error
_BY_HALVES = 20  # steps of a bisection


def abilities(sides: Sides, differences: Floats, design: Design, rng: Rng) -> dict[str, Any]:
    """The power if nothing has changed, how many cases would tell, and the drop that is called worse with 80%."""
    n, is_open = design.n, answer_of(sides.not_worse_pvalue, sides.worse_pvalue, design.alpha) == "cannot tell"
    unchanged, observed = _cases_that_tell(sides, differences, design, rng, exactly=is_open)
    if sides.gain == 0:  # "as observed" is "nothing has changed"
        unchanged, observed = unchanged if unchanged is None or not is_open else max(unchanged, n + 1), None
    elif observed is not None and observed <= n:
        observed = n + 1 if is_open else None
    return {
        "power": _power(sides, differences, design, rng),
        "cases_needed": unchanged,
        "cases_if_as_observed": observed,
        "detectable_drop": _drop(sides, differences, design),
    }


def _apart(differences: Floats) -> int:
    """On how many cases the two differ."""
    return int(np.count_nonzero(differences))


def _variance(sides: Sides, design: Design) -> float:
    """The variance of one difference; where all cases pass or fail alike, with a case added on either side."""
    return 2 / (design.n + 2) if design.kind == "pass_fail" and sides.variance <= 0 else sides.variance


# The probability of "not worse" if nothing has changed.


def _power(sides: Sides, differences: Floats, design: Design, rng: Rng) -> float | None:
    if design.anytime:
        return power_if_unchanged(differences, design, draws=_DRAWS_WHILE_LOOKING, rng=rng)
    if design.counts_cases:
        apart = _apart(differences) / design.n
        return float(exact_rates(design.n, apart=apart, gain=0.0, margin=design.margin, alpha=design.alpha)[0])
    if sides.method == ADDED or design.kind == "pass_fail":
        return power_if_unchanged(differences, design, draws=_DRAWS, rng=rng)
    if sides.variance <= 0:
        return None
    return t_power(design.groups, design.margin, sides.variance / design.n * design.groups, 2 * design.alpha)


# How many cases would tell with a probability of 80%: if nothing has changed, and if the observed difference is the true one.


def _cases_that_tell(
    sides: Sides, differences: Floats, design: Design, rng: Rng, *, exactly: bool
) -> tuple[int | None, int | None]:
    """None where more than ten million would be needed."""
    variance, price = _variance(sides, design), PRICE_OF_LOOKING if design.anytime else 1.0
    distances = [abs(sides.gain)] if sides.gain < 0 else []
    distances += [sides.gain + design.margin] if sides.gain > -design.margin else []
    unchanged = _cases(variance if _apart(differences) else 0.0, design.margin, design, price, exactly=exactly)
    observed = _cases(variance, max(distances), design, price) if sides.gain != 0 else None
    if sides.method != ADDED:
        return unchanged, observed
    return (
        _by_drawing(unchanged, differences, design, rng, swapped=True),
        None if observed is None else _by_drawing(observed, differences, design, rng, swapped=False),
    )


def _cases(variance: float, distance: float, design: Design, price: float, exactly: bool = False) -> int | None:
    """Cases that show a distance with a probability of 80%."""
    from scipy.special import ndtri

    least = float(FEWEST_CLUSTERS)
    if design.kind == "pass_fail":  # with no disagreement at all
        least = float(ndtri(1 - design.alpha)) ** 2 * (1 - design.margin) / design.margin + 1
    if variance <= 0:
        return math.floor(price * least)
    found = affordable(distance, variance, power=POWER, alpha=2 * design.alpha)
    if found is None:
        return None
    needed = max(found, math.floor(least))
    if design.counts_cases and exactly and variance <= 1:
        needed = _by_exact_power(needed, variance, design)
    elif not design.counts_cases:
        needed = _by_t_power(needed, distance, variance, design)
    return math.ceil(price * needed)


def _by_exact_power(needed: int, apart: float, design: Design) -> int:
    """The normal law promises too much where disagreements are few: more cases, in steps of 4%, until the exact power is there."""
    while needed < MANY_CASES:
        found = exact_rates(needed, apart=apart, gain=0.0, margin=design.margin, alpha=design.alpha)[0]
        if found >= POWER:
            break
        needed += max(1, needed // 25)
    return needed


def _by_t_power(needed: int, distance: float, variance: float, design: Design) -> int:
    """The same for few clusters, each of which has as many cases as here on average."""
    size = design.n / design.groups
    groups = max(math.ceil(needed / size), FEWEST_CLUSTERS)
    while groups < MANY_CASES and t_power(groups, distance, variance / size, 2 * design.alpha) < POWER:
        groups += 1
    return max(needed, math.ceil(groups * size))


def _by_drawing(by_t: int | None, differences: Floats, design: Design, rng: Rng, *, swapped: bool) -> int | None:
    """The fewest cases whose runs are answered with a probability of 80%, in runs drawn from the observed differences.

    Cases are added while few differ. So many that this no longer happens follow the t law (`by_t`).
    """
    apart = _apart(differences) / design.n
    enough = 2 * FEW_DIFFERENCES / apart if apart else MOST_CASES

    def tells(n: int) -> bool:
        return _share_told(differences, design, n, rng, swapped=swapped) >= POWER

    low, n = FEWEST_CLUSTERS - 1, FEWEST_CLUSTERS
    while not tells(n):
        if n > enough:
            return None if by_t is None else max(by_t, n)
        low, n = n, n + max(1, n // 4)
    return _fewest(tells, low, n)


def _fewest(tells: Callable[[int], bool], low: int, high: int) -> int:
    """By halves, the fewest cases that tell: `low` are too few, and `high` are enough."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tells(middle) else (middle, high)
    return high


def _share_told(differences: Floats, design: Design, n: int, rng: Rng, *, swapped: bool) -> float:
    """The share of runs on n drawn cases with an answer; where the two are `swapped` at random, with "not worse"."""
    drawn = generator(rng)
    size = (_SEARCH_DRAWS if _apart(differences) else 1, n)
    rows = drawn.choice(differences, size=size)
    if swapped:
        rows = rows * (drawn.integers(0, 2, size=size) * 2.0 - 1.0)
    alone = replace(design, cluster=np.arange(n), benchmark=np.zeros(n, dtype=np.intp))
    passed, worse = answers_of_rows(rows, alone)
    return float((passed if swapped else passed | worse).mean())


# The true drop that is called worse with a probability of 80%.


def _drop(sides: Sides, differences: Floats, design: Design) -> float | None:
    """None where it is not known: a gate that is looked at, too few clusters, or bounds with cases added."""
    variance, most = _variance(sides, design), 1.0 if design.kind in ("pass_fail", "bounded") else math.inf
    if design.anytime or design.groups < FEWEST_CLUSTERS or sides.method == ADDED or variance <= 0:
        return None
    high = design.margin + math.sqrt(variance / design.n)
    called = _called_worse(differences, variance, design)
    while high < most and called(high) < POWER:
        high *= 2
    high = min(high, most)
    if called(high) < POWER:
        return None
    low = 0.0
    for _ in range(_BY_HALVES):
        middle = (low + high) / 2
        low, high = (low, middle) if called(middle) >= POWER else (middle, high)
    return high


def _called_worse(differences: Floats, variance: float, design: Design) -> Callable[[float], float]:
    """The probability of "worse" as a function of the true drop: behind is shown, and the margin is not ruled out."""
    n, asked = design.n, {"margin": design.margin, "alpha": design.alpha}
    if design.counts_cases and n < MANY_CASES:
        apart = (_apart(differences) or 2 * n / (n + 2)) / n
        # Two that differ by a drop disagree at least so often.
        return lambda drop: float(exact_rates(n, apart=max(apart, drop), gain=-drop, **asked)[1])

    def called(drop: float) -> float:
        spread = max(variance, drop * (1 - drop)) if design.kind == "pass_fail" else variance
        return worse_rate(drop, math.sqrt(spread / n), df=design.groups - 1, **asked)

    return called


def worse_rate(drop: float, error: float, *, df: int, margin: float, alpha: float) -> float:
    """The probability that t bounds call a true drop worse, from the standard error and its degrees of freedom.

    The upper bound has to be below 0 and the lower one not above -margin; both move with the standard error that is seen,
    over whose law the probability is averaged.

    >>> round(worse_rate(0.03, 0.01, df=10**6, margin=0.01, alpha=0.05), 3)
    0.912
    """
    from scipy.special import chdtri, ndtr, stdtrit

    tails = (np.arange(_NODES) + 0.5) / _NODES
    half = float(stdtrit(df, 1 - alpha)) * error * np.sqrt(chdtri(df, tails) / df)
    return float(ndtr((drop - np.maximum(half, margin - half)) / error).mean())
