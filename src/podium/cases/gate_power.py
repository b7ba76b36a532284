"""What a gate of this size can do: how surely it gives which answer, and how many cases would tell.

All of it follows the rule by which the gate decides: exactly for cases that pass or fail, in runs drawn from the observed
differences where the rule changes with the number of cases, and by the t law elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.cases.clusters import FEWEST_CLUSTERS
from podium.cases.gate_kernels import SEEN, UNKNOWN, GateDesign, answers_of_rows, exact_rates
from podium.cases.gate_repeat import power_if_unchanged
from podium.cases.means import quantile
from podium.cases.planning import affordable, t_power
from podium.core.arrays import Floats
from podium.core.rng import Rng, generator
from podium.core.search import USUAL_POWER, least_count, least_size

PRICE_OF_LOOKING = 2.1  # cases of a gate that is looked at all the time, for the same power: 1.9 to 2.3 times as many
MANY_CASES = 2000  # from here on the normal law is as good as the exact power
_DRAWS, _SEARCH_DRAWS = 1000, 200  # of runs: a power of 0.8 to 1.3 and to 2.8 points
_CELLS = 400_000  # drawn differences for one probability: beyond, fewer runs are drawn
_DRAWS_WHILE_LOOKING = 200  # the same, each of which is looked at after every case
_NODES = 64  # of the law of the standard error
_BY_HALVES = 12  # steps of a bisection: three digits


@dataclass(frozen=True, kw_only=True)
class GatePower:
    """What a gate of a design can do, from the gain, and the variance of one difference, that it saw."""

    gain: float
    variance: float
    differences: Floats
    design: GateDesign
    rng: Rng

    def abilities(self, answer: str) -> dict[str, Any]:
        """The power if nothing has changed, how many cases would tell, and the drop that is called worse with 80%."""
        n, is_open = self.design.n, answer == "cannot tell"
        unchanged, observed = self._cases_that_tell(exactly=is_open)
        if self.gain == 0:  # "as observed" is "nothing has changed"
            unchanged, observed = unchanged if unchanged is None or not is_open else max(unchanged, n + 1), None
        elif observed is not None and observed <= n:
            observed = n + 1 if is_open else None
        return {
            "power": self._power(),
            "cases_needed": unchanged,
            "cases_if_as_observed": observed,
            "detectable_drop": self._drop(),
        }

    @property
    def _apart(self) -> int:
        """On how many cases the two differ."""
        return int(np.count_nonzero(self.differences))

    @property
    def _likely_variance(self) -> float:
        """The variance of one difference; where all cases pass or fail alike, with a case added on either side."""
        unseen = self.design.kind == "pass_fail" and self.variance <= 0
        return 2 / (self.design.n + 2) if unseen else self.variance

    @property
    def _drawn(self) -> bool:
        """Whether the rule is not that of t, so that runs drawn from the observed differences say what it can do."""
        design = self.design
        plain = not design.clustered and design.kind not in ("pass_fail", "influence")
        return plain and not design.anytime and design.n < MANY_CASES

    def _power(self) -> float | None:
        """The probability of "not worse" if nothing has changed."""
        design = self.design
        if design.anytime:
            return power_if_unchanged(self.differences, design, draws=_DRAWS_WHILE_LOOKING, rng=self.rng)
        if design.counts_cases:
            apart = self._apart / design.n
            return float(exact_rates(design.n, apart=apart, gain=0.0, margin=design.margin, alpha=design.alpha)[0])
        if self._drawn or design.kind == "pass_fail":
            draws = min(_DRAWS, max(50, _CELLS // design.n))
            return power_if_unchanged(self.differences, design, draws=draws, rng=self.rng)
        if self.variance <= 0:
            return None
        clusters = design.n_clusters
        return t_power(clusters, design.margin, self.variance / design.n * clusters, 2 * design.alpha)

    def _cases_that_tell(self, *, exactly: bool) -> tuple[int | None, int | None]:
        """How many cases would tell with 80%: if nothing has changed, and if the observed difference is the true one.

        None where more than ten million would be needed.
        """
        variance, margin = self._likely_variance, self.design.margin
        distances = [abs(self.gain)] if self.gain < 0 else []
        distances += [self.gain + margin] if self.gain > -margin else []
        unchanged = self._cases(variance if self._apart else 0.0, margin, exactly=exactly)
        observed = self._cases(variance, max(distances)) if self.gain != 0 else None
        if not self._drawn:
            return unchanged, observed
        return self._by_drawing(unchanged, swapped=True), self._by_drawing(observed, swapped=False)

    def _cases(self, variance: float, distance: float, exactly: bool = False) -> int | None:
        """Cases that show a distance with a probability of 80%."""
        design, least = self.design, float(FEWEST_CLUSTERS)
        price = PRICE_OF_LOOKING if design.anytime else 1.0
        if design.kind == "pass_fail":  # with no disagreement at all
            least = quantile(2 * design.alpha) ** 2 * (1 - design.margin) / design.margin + 1
        if variance <= 0:
            return math.floor(price * least)
        by_normal_law = affordable(distance, variance, power=USUAL_POWER, alpha=2 * design.alpha)
        if by_normal_law is None:
            return None
        needed = max(by_normal_law, math.floor(least))
        if design.counts_cases and exactly and variance <= 1:
            needed = self._by_exact_power(needed, variance)
        elif not design.counts_cases:
            needed = self._by_t_power(needed, distance, variance)
        return math.ceil(price * needed)

    def _by_exact_power(self, needed: int, apart: float) -> int:
        """The normal law promises too much where disagreements are few: more cases, in steps of 4%, until the exact power is there."""
        asked = {"margin": self.design.margin, "alpha": self.design.alpha}
        while needed < MANY_CASES and exact_rates(needed, apart=apart, gain=0.0, **asked)[0] < USUAL_POWER:
            needed += max(1, needed // 25)
        return needed

    def _by_t_power(self, needed: int, distance: float, variance: float) -> int:
        """The same for few clusters, each of which has as many cases as here on average."""
        size, level = self.design.n / self.design.n_clusters, 2 * self.design.alpha
        groups = max(math.ceil(needed / size), FEWEST_CLUSTERS)
        while groups < MANY_CASES and t_power(groups, distance, variance / size, level) < USUAL_POWER:
            groups += 1
        return max(needed, math.ceil(groups * size))

    def _by_drawing(self, by_t: int | None, *, swapped: bool) -> int | None:
        """The fewest cases whose runs are answered with a probability of 80%, in runs drawn from the observed differences.

        No rule here needs fewer cases than t does, so that the search begins there.
        """
        unknown = self.design.rule == UNKNOWN
        if by_t is None or (unknown and not self._apart):
            return None
        enough = math.log(self.design.alpha) / math.log(1 - SEEN) if unknown else FEWEST_CLUSTERS
        least = enough * self.design.n / self.design.fewest  # also in the smallest benchmark
        start = max(by_t, math.ceil(least))
        most = max(start, MANY_CASES)
        return (
            least_count(lambda n: self._share_told(n, swapped=swapped) >= USUAL_POWER, start, most, step=0.25) or most
        )

    def _share_told(self, n: int, *, swapped: bool) -> float:
        """The share of runs on n drawn cases with an answer; where the two are `swapped` at random, with "not worse"."""
        random = generator(self.rng)
        rows, drawn = self._resampled(self.differences, n, random)
        if swapped:
            rows = rows * (random.integers(0, 2, size=rows.shape) * 2.0 - 1.0)
        passed, worse = answers_of_rows(rows, drawn)
        return float((passed if swapped else passed | worse).mean())

    def _resampled(self, values: Floats, n: int, random: np.random.Generator) -> tuple[Floats, GateDesign]:
        """Runs on about n cases, drawn from those of each benchmark in proportion."""
        benchmark, draws = self.design.benchmark, min(_SEARCH_DRAWS, max(50, _CELLS // n)) if self._apart else 1
        sizes = np.maximum(np.rint(np.bincount(benchmark) * (n / self.design.n)), 2).astype(np.intp)
        parts = [random.choice(values[benchmark == place], size=(draws, size)) for place, size in enumerate(sizes)]
        rows, place = np.concatenate(parts, axis=1), np.repeat(np.arange(len(sizes)), sizes)
        return rows, replace(self.design, cluster=np.arange(len(place)), benchmark=place)

    def _drop(self) -> float | None:
        """The true drop that is called worse with 80%; None for a gate that is looked at, or too few cases or clusters."""
        design, variance = self.design, self._likely_variance
        if design.anytime or design.n_clusters < FEWEST_CLUSTERS or design.abstains or variance <= 0:
            return None
        called = self._called_worse(variance)
        start, most = design.margin + math.sqrt(variance / design.n), math.inf
        if design.kind in ("pass_fail", "bounded"):
            most = 1.0
        return least_size(lambda drop: called(drop) >= USUAL_POWER, start, most, halvings=_BY_HALVES)

    def _called_worse(self, variance: float) -> Callable[[float], float]:
        """The probability of "worse" as a function of the true drop: behind is shown, and the margin is not ruled out."""
        design, n = self.design, self.design.n
        asked = {"margin": design.margin, "alpha": design.alpha}
        limit = math.inf if design.bound is None else design.bound
        if design.counts_cases and n < MANY_CASES:
            apart = (self._apart or 2 * n / (n + 2)) / n
            # Two that differ by a drop disagree at least so often.
            return lambda drop: float(exact_rates(n, apart=max(apart, drop), gain=-drop, **asked)[1])
        if self._drawn:
            centred, drawn = self._resampled(self.differences - self.gain, n, generator(self.rng))
            return lambda drop: float(answers_of_rows(np.clip(centred - drop, -limit, limit), drawn)[1].mean())

        def called(drop: float) -> float:
            spread = max(variance, drop * (1 - drop)) if design.kind == "pass_fail" else variance
            return worse_rate(drop, math.sqrt(spread / n), df=design.n_clusters - 1, **asked)

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
