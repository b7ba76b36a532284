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

from podium.cases.gate_kernels import (
    BY_BENCHMARK,
    FEWEST_CLUSTERS,
    SEEN,
    UNKNOWN,
    GateDesign,
    Sides,
    answer_of,
    answers_of_rows,
    exact_rates,
)
from podium.cases.gate_repeat import power_if_unchanged
from podium.cases.gate_result import POWER
from podium.cases.planning import affordable, t_power
from podium.core.arrays import Floats
from podium.core.rng import Rng, generator
from podium.core.search import least_count, least_size

PRICE_OF_LOOKING = 2.1  # cases of a gate that is looked at all the time, for the same power: 1.9 to 2.3 times as many
MANY_CASES = 2000  # from here on the normal law is as good as the exact power
_DRAWS, _SEARCH_DRAWS = 1000, 200
_CELLS = 400_000  # drawn differences for one probability: beyond, fewer runs are drawn
_DRAWS_WHILE_LOOKING = 200
_NODES = 64  # of the law of the standard error
_BY_HALVES = 12  # steps of a bisection: three digits


def abilities(sides: Sides, differences: Floats, design: GateDesign, rng: Rng) -> dict[str, Any]:
    """The power if nothing has changed, how many cases would tell, and the drop that is called worse with 80%."""
    answer = answer_of(sides.not_worse_pvalue, sides.worse_pvalue, design.alpha, abstains=sides.abstains)
    n, is_open = design.n, answer == "cannot tell"
    unchanged, observed = _cases_that_tell(sides, differences, design, rng, exactly=is_open)
    if sides.gain == 0:  # "as observed" is "nothing has changed"
        unchanged, observed = unchanged if unchanged is None or not is_open else max(unchanged, n + 1), None
    elif observed is not None and observed <= n:
        observed = n + 1 if is_open else None
    return {
        "power": _power(sides, differences, design, rng),
        "cases_needed": unchanged,
        "cases_if_as_observed": observed,
        "detectable_drop": _drop(sides, differences, design, rng),
    }


def _apart(differences: Floats) -> int:
    """On how many cases the two differ."""
    return int(np.count_nonzero(differences))


def _variance(sides: Sides, design: GateDesign) -> float:
    """The variance of one difference; where all cases pass or fail alike, with a case added on either side."""
    return 2 / (design.n + 2) if design.kind == "pass_fail" and sides.variance <= 0 else sides.variance


# The probability of "not worse" if nothing has changed.


def _power(sides: Sides, differences: Floats, design: GateDesign, rng: Rng) -> float | None:
    if design.anytime:
        return power_if_unchanged(differences, design, draws=_DRAWS_WHILE_LOOKING, rng=rng)
    if design.counts_cases:
        apart = _apart(differences) / design.n
        return float(exact_rates(design.n, apart=apart, gain=0.0, margin=design.margin, alpha=design.alpha)[0])
    if _drawn(design) or design.kind == "pass_fail":
        return power_if_unchanged(differences, design, draws=min(_DRAWS, max(50, _CELLS // design.n)), rng=rng)
    if sides.variance <= 0:
        return None
    return t_power(design.groups, design.margin, sides.variance / design.n * design.groups, 2 * design.alpha)


def _drawn(design: GateDesign) -> bool:
    """Whether the rule is not that of t, so that runs drawn from the observed differences say what it can do."""
    plain = design.groups == design.n and design.kind not in ("pass_fail", "influence")
    return plain and design.rule != BY_BENCHMARK and not design.anytime and design.n < MANY_CASES


# How many cases would tell with a probability of 80%: if nothing has changed, and if the observed difference is the true one.


def _cases_that_tell(
    sides: Sides, differences: Floats, design: GateDesign, rng: Rng, *, exactly: bool
) -> tuple[int | None, int | None]:
    """None where more than ten million would be needed."""
    variance, price = _variance(sides, design), PRICE_OF_LOOKING if design.anytime else 1.0
    distances = [abs(sides.gain)] if sides.gain < 0 else []
    distances += [sides.gain + design.margin] if sides.gain > -design.margin else []
    unchanged = _cases(variance if _apart(differences) else 0.0, design.margin, design, price, exactly=exactly)
    observed = _cases(variance, max(distances), design, price) if sides.gain != 0 else None
    if not _drawn(design):
        return unchanged, observed
    return (
        _by_drawing(unchanged, differences, design, rng, swapped=True),
        None if observed is None else _by_drawing(observed, differences, design, rng, swapped=False),
    )


def _cases(variance: float, distance: float, design: GateDesign, price: float, exactly: bool = False) -> int | None:
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


def _by_exact_power(needed: int, apart: float, design: GateDesign) -> int:
    """The normal law promises too much where disagreements are few: more cases, in steps of 4%, until the exact power is there."""
    while needed < MANY_CASES:
        found = exact_rates(needed, apart=apart, gain=0.0, margin=design.margin, alpha=design.alpha)[0]
        if found >= POWER:
            break
        needed += max(1, needed // 25)
    return needed


def _by_t_power(needed: int, distance: float, variance: float, design: GateDesign) -> int:
    """The same for few clusters, each of which has as many cases as here on average."""
    size = design.n / design.groups
    groups = max(math.ceil(needed / size), FEWEST_CLUSTERS)
    while groups < MANY_CASES and t_power(groups, distance, variance / size, 2 * design.alpha) < POWER:
        groups += 1
    return max(needed, math.ceil(groups * size))


def _by_drawing(by_t: int | None, differences: Floats, design: GateDesign, rng: Rng, *, swapped: bool) -> int | None:
    """The fewest cases whose runs are answered with a probability of 80%, in runs drawn from the observed differences.

    No rule here needs fewer cases than t does, so that the search begins there.
    """
    if by_t is None or (design.rule == UNKNOWN and not _apart(differences)):
        return None

    def tells(n: int) -> bool:
        return _share_told(differences, design, n, rng, swapped=swapped) >= POWER

    least = math.log(design.alpha) / math.log(1 - SEEN) if design.rule == UNKNOWN else FEWEST_CLUSTERS
    start = max(by_t, math.ceil(least))
    return least_count(tells, start, max(start, MANY_CASES), step=0.25) or max(start, MANY_CASES)


def _share_told(differences: Floats, design: GateDesign, n: int, rng: Rng, *, swapped: bool) -> float:
    """The share of runs on n drawn cases with an answer; where the two are `swapped` at random, with "not worse"."""
    drawn = generator(rng)
    size = (min(_SEARCH_DRAWS, max(50, _CELLS // n)) if _apart(differences) else 1, n)
    rows = drawn.choice(differences, size=size)
    if swapped:
        rows = rows * (drawn.integers(0, 2, size=size) * 2.0 - 1.0)
    alone = replace(design, cluster=np.arange(n), benchmark=np.zeros(n, dtype=np.intp))
    passed, worse = answers_of_rows(rows, alone)
    return float((passed if swapped else passed | worse).mean())


# The true drop that is called worse with a probability of 80%.


def _drop(sides: Sides, differences: Floats, design: GateDesign, rng: Rng) -> float | None:
    """None where it is not known: a gate that is looked at, or too few cases or clusters."""
    variance, most = _variance(sides, design), 1.0 if design.kind in ("pass_fail", "bounded") else math.inf
    if design.anytime or design.groups < FEWEST_CLUSTERS or design.abstains or variance <= 0:
        return None
    called = _called_worse(differences, variance, design, rng)
    start = design.margin + math.sqrt(variance / design.n)
    return least_size(lambda drop: called(drop) >= POWER, start, most, halvings=_BY_HALVES)


def _called_worse(differences: Floats, variance: float, design: GateDesign, rng: Rng) -> Callable[[float], float]:
    """The probability of "worse" as a function of the true drop: behind is shown, and the margin is not ruled out."""
    n, asked = design.n, {"margin": design.margin, "alpha": design.alpha}
    limit = math.inf if design.bound is None else design.bound
    if design.counts_cases and n < MANY_CASES:
        apart = (_apart(differences) or 2 * n / (n + 2)) / n
        # Two that differ by a drop disagree at least so often.
        return lambda drop: float(exact_rates(n, apart=max(apart, drop), gain=-drop, **asked)[1])

    if _drawn(design):
        size = (max(50, min(_SEARCH_DRAWS, _CELLS // n)), n)
        centred = generator(rng).choice(differences - differences.mean(), size=size)
        return lambda drop: float(answers_of_rows(np.clip(centred - drop, -limit, limit), design)[1].mean())

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
