"""What all tests of two algorithms share: what a kernel gives, the result of one pair, and the way from scores to it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check, numbers, ranks
from podium.core.arrays import Bools, Floats
from podium.core.errors import ArgumentError
from podium.core.quantity import Quantity
from podium.core.result import Result
from podium.evidence.table import as_pair
from podium.stats import registry
from podium.stats.registry import Method

COMMON = ("differences", "tables", "alternative", "design", "control")  # not options of a test of its own
UNITS = {"datasets": "pairs", "folds": "folds of one dataset", "pool": "datasets"}


def excess(name: str, value: npt.ArrayLike) -> Floats:
    """An effect of this name as the share by which a exceeds b; one that is no share stays as it is.

    The relative difference is (a - b) / (a + b): a is 10% above b where it is 0.0476.

    >>> float(excess("geometric mean ratio", 1.1).round(4)), float(excess("mean relative difference", 0.1 / 2.1).round(4))
    (0.1, 0.1)
    """
    effect = np.asarray(value, dtype=np.float64)
    kind = effect_kind(name)
    if not kind.of_the_sum:
        return effect - kind.neutral
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(effect < 1, 2 * effect / (1 - effect), np.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectKind:
    """What an effect means: it is `neutral` where nothing differs; a `relative` one has no unit of the metric.

    One `of_the_sum` is (a - b) / (a + b); a `typical` one is a median; one `of_first_fold` looks at no other.
    """

    neutral: float = 0.0
    relative: bool = False
    of_the_sum: bool = False
    typical: bool = False
    of_first_fold: bool = False


EFFECTS: Mapping[str, EffectKind] = {
    "Hodges-Lehmann difference": EffectKind(typical=True),
    "median difference": EffectKind(typical=True),
    "mean relative difference": EffectKind(relative=True, of_the_sum=True),
    "geometric mean ratio": EffectKind(neutral=1.0, relative=True),
    "difference on the first fold": EffectKind(of_first_fold=True),
}


def effect_kind(name: str) -> EffectKind:
    """The kind of an effect by its name; every other is a mean difference.

    >>> effect_kind("geometric mean ratio").neutral, effect_kind("mean difference").neutral
    (1.0, 0.0)
    """
    return EFFECTS.get(name, EffectKind())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """What a kernel says of every row of differences, or of every pair of every table.

    `side` is 1 where the first is ahead by the test's own statistic, -1 where the second is. `turned` is the statistic
    with the two changed over, where that is not its negative. `method` holds where `exact` is not true. `details` are special to the test, and the
    same whichever of the two comes first. A test that corrects itself gives `adjusted` p-values.
    """

    statistic: Floats
    pvalue: Floats
    side: Floats
    turned: Floats | None = None
    method: str
    exact: Bools | None = None
    adjusted: Floats | None = None
    ties: str = "kept"
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def methods(self) -> npt.NDArray[np.str_] | str:
        """One word for all, or one for each where they differ."""
        if self.exact is None or not self.exact.any():
            return self.method
        return "exact" if self.exact.all() else np.where(self.exact, "exact", self.method)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairResult(Result):
    """A test of two algorithms, `a` and `b`: the statistic, its p-value, and the difference a - b with an interval.

    `adjusted` is the p-value corrected for the other pairs of the same table, where there are some. `n` complete pairs of
    scores were used and `left_out` were not. `method` begins with "exact", "approximate", "asymptotic" or "Monte Carlo";
    `equal_scores` says what was done with ties; `details` has what is special to the test, such as `df`.
    """

    test: str
    a: str = "x"
    b: str = "y"
    statistic: float
    pvalue: float
    adjusted: float
    side: float
    alternative: str
    method: str
    effect: float
    low: float
    high: float
    confidence: float
    intervals: str = "each"  # or "simultaneous": the confidence is that of all pairs of a table at once
    effect_name: str
    wins: int
    ties: int
    losses: int
    n: int
    left_out: int = 0
    equal_scores: str = "kept"
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def neutral(self) -> float:
        """What the effect is where nothing differs."""
        return effect_kind(self.effect_name).neutral

    @property
    def title(self) -> str:
        """The name of the test."""
        method = {**registry.PAIRWISE, **registry.PROCEDURES}.get(self.test)
        return method.label if method else f"The test {self.test}"

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return self.summary_in(Quantity())

    def summary_in(self, quantity: Quantity) -> str:
        """The same, with the difference as the quantity is written."""
        method = {**registry.PAIRWISE, **registry.PROCEDURES}.get(self.test)
        label, unit = self.title, UNITS[method.over] if method else "pairs"
        equal = f"; equal scores: {self.equal_scores}" if self.ties and self.equal_scores != "kept" else ""
        left_out = self.left_out
        were = (
            f" {numbers.counted(left_out, 'pair')} {'was' if left_out == 1 else 'were'} left out for a missing score."
        )
        return (
            f"{label} of {self.a} and {self.b} on {self.n} {unit} ({self.method}{equal}): {self._statistic(quantity)}, "
            f"{numbers.format_pvalue(self.pvalue)}; {self._estimate(quantity)}; wins, ties, losses of {self.a}: "
            f"{self.wins}, {self.ties}, {self.losses}. {method.caution if method else registry.PAIRED}"
            f"{were if left_out else ''}"
        )

    def _statistic(self, quantity: Quantity) -> str:
        """The statistic for a sentence, with what is special to the test; rank sums are those of both."""
        details = dict(self.details)
        if "rank_total" in details:
            total = details.pop("rank_total")
            details.pop("smaller_sum", None)
            sums = numbers.number(self.statistic, 4), numbers.number(total - self.statistic, 4)
            text = f"rank sums {sums[0]} for {self.a} and {sums[1]} for {self.b}"
        else:
            text = f"statistic {numbers.number(self.statistic, 4)}"
        shown = {name: numbers.number(v, 4) if isinstance(v, float) else v for name, v in details.items()}
        shown |= {"rope": quantity.precise(details["rope"])} if "rope" in details else {}
        special = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in shown.items())
        return f"{text} ({special})" if special else text

    def _estimate(self, quantity: Quantity) -> str:
        """The effect and its interval, for a sentence."""
        own = Quantity() if effect_kind(self.effect_name).relative else quantity
        estimate = f"{self.effect_name} {own.precise(self.effect)}"
        if math.isnan(self.low):
            return f"{estimate} (no interval: the test rejects every shift)"
        if self.low == -math.inf and self.high == math.inf:
            return f"{estimate} (too few data for a {numbers.percent(self.confidence)} interval)"
        interval = own.precise(self.low, self.high)
        kind = "simultaneous " if self.intervals == "simultaneous" else ""
        return f"{estimate} ({kind}{numbers.percent(self.confidence)} interval {interval})"


def own_options(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that a kernel or an estimate takes."""
    parameters = inspect.signature(function).parameters
    return {name: value for name, value in options.items() if name in parameters}


def checked_options(method: Method, options: Mapping[str, Any], alternative: str) -> dict[str, Any]:
    """The options of a test with their defaults; others are refused, and a side where the test has none."""
    parameters = inspect.signature(registry.kernel(method)).parameters
    defaults = {name: option.default for name, option in parameters.items() if name not in COMMON}
    for name, value in options.items():
        if name not in defaults:
            knows = "it knows " + ", ".join(map(repr, defaults)) if defaults else "it has none"
            raise ArgumentError(f"The test {method.name!r} has no option {name!r}: {knows}.")
        if isinstance(defaults[name], bool):
            check.flag(name, value)
    if check.alternative(alternative) != "two-sided" and not method.sided:
        raise ArgumentError(f"{method.label} has no side: `alternative` must be 'two-sided'; got {alternative!r}.")
    return defaults


def differences_of(method: Method, x: Floats, y: Floats) -> Floats:
    """What the kernel of a test looks at: x - y without float noise, or another contrast of the scores.

    Scores none of which is above 0 are taken to be costs, negated so that higher is better.
    """
    if not method.needs_scores:
        return ranks.differences(x, y)
    contrast: Callable[[Floats, Floats], Floats] = registry.load(method).contrast
    return -contrast(-x, -y) if max(np.nanmax(x), np.nanmax(y)) <= 0 else contrast(x, y)


def run_pair(name: str, x: Any, y: Any, *, alternative: str, confidence: float, **options: Any) -> PairResult:
    """A test over datasets, by its name: from scores of two algorithms to the result."""
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    method = registry.PAIRWISE[name]
    pair = as_pair(x, y, at_least=2)
    options = {**options, "alternative": alternative}
    return pair_result(
        method, differences_of(method, pair.x, pair.y), options, confidence=confidence, left_out=pair.missing
    )


def pair_result(
    method: Method, differences: Floats, options: Mapping[str, Any], *, confidence: float, left_out: int = 0
) -> PairResult:
    """The result of a kernel on the differences of one pair, with those of the options that it takes."""
    home, rows = registry.load(method), differences.reshape(1, -1)
    tested: Tested = home.kernel(rows, **own_options(home.kernel, options))
    ends = home.estimate(rows, confidence, **own_options(home.estimate, options))
    effect, low, high = (float(end[0]) for end in ends)
    special = {name: value[0].item() if np.ndim(value) else value for name, value in tested.details.items()}
    return PairResult(
        test=method.name,
        statistic=float(tested.statistic[0]),
        pvalue=float(tested.pvalue[0]),
        adjusted=float(tested.pvalue[0]),
        side=float(tested.side[0]),
        alternative=options.get("alternative", "two-sided"),
        method=str(tested.methods),
        effect=effect,
        low=low,
        high=high,
        confidence=confidence,
        effect_name=method.effect,
        wins=int((rows > 0).sum()),
        ties=int((rows == 0).sum()),
        losses=int((rows < 0).sum()),
        n=int((~np.isnan(rows)).sum()),
        left_out=left_out,
        equal_scores=tested.ties,
        details=special,
        references=method.references,
    )
