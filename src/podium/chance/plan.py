"""Planning a test set: which mix and metric make significance easiest, how many cases are enough, what C costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.chance.best_of import single_level
from podium.chance.distributions import null_distribution
from podium.chance.grid import TIE
from podium.chance.names import metric_name
from podium.chance.rankings import ranked_score
from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.result import Result
from podium.core.rng import Rng, generator

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "CasesPlanResult",
    "CompetitorsPlanResult",
    "MixPlanResult",
    "plan_cases",
    "plan_competitors",
    "plan_mix",
]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
DEFAULT_METRICS = ("auc", "best_accuracy", "best_f1", "tp10")
_MOST_MIXES, _MOST_SIMULATED = 99, 25


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MixPlanResult(Result):
    """For a fixed number of labelled cases: the critical value (and the power) of each metric along the mixes."""

    cases: int
    competitors: int
    alpha: float
    metrics: tuple[str, ...]
    positives: Ints
    """The numbers of positives looked at; the rest are negatives."""
    critical_values: Floats
    """[metric, mix]; nan where a metric does not exist."""
    easiest: tuple[int, ...]
    """Per metric, the number of positives with the lowest critical value that a score can exceed: the bottom of the
    valley; 0 if there is none."""
    auc: float
    """True AUC of the imagined algorithm; nan if none was given."""
    power: Floats
    """[metric, mix]: P(its score exceeds the critical value); nan if no AUC was given."""
    best_metric: str
    """The metric with the highest power at its best mix; empty if no AUC was given."""
    best_positives: int
    """That best mix; 0 if no AUC was given."""
    repeats: int
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    def summary(self) -> str:
        """The valleys, and the most powerful choice if an algorithm was imagined."""
        valleys = ", ".join(
            f"{metric} with {positives} positives ({self.critical_values[m, self.positives == positives].item():.4g})"
            for m, (metric, positives) in enumerate(zip(self.metrics, self.easiest, strict=True))
            if positives
        )
        text = (
            f"With {self.cases} cases, {self.competitors} competitors and alpha = {self.alpha:g}, critical values are "
            f"lowest for {valleys}."
        )
        if not self.best_metric:
            return f"{text} Values of different metrics cannot be compared: give a true AUC to compare their power."
        power = np.nanmax(self.power[self.metrics.index(self.best_metric)])
        return (
            f"{text} An algorithm with true AUC {self.auc:g} is most often significant by {self.best_metric} with "
            f"{self.best_positives} positives (power {power:.2f}, {self.repeats} simulations of equal normal spreads)."
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per metric and mix."""
        import pandas as pd

        return pd.DataFrame(
            {
                "metric": np.repeat(self.metrics, len(self.positives)),
                "positives": np.tile(self.positives, len(self.metrics)),
                "negatives": np.tile(self.cases - self.positives, len(self.metrics)),
                "critical_value": self.critical_values.ravel(),
                "power": self.power.ravel(),
            }
        )


def plan_mix(
    cases: int,
    *,
    metrics: Sequence[str] = DEFAULT_METRICS,
    competitors: int = 1,
    alpha: float = 0.05,
    auc: float | None = None,
    repeats: int = 400,
    rng: Rng = None,
    progress: Callable[[int, int], None] | None = None,
) -> MixPlanResult:
    """Which mix of positives and negatives makes significance easiest, by metric; with a true `auc`, which metric.

    Critical values of different metrics are on different scales. With `auc`, an algorithm whose scores are normal
    with equal spreads in both classes is simulated, and power decides.
    """
    total = check.count("cases", cases, at_least=2)
    names = tuple(metric_name(metric).name for metric in metrics)
    if all(metric_name(name).n > total for name in names):
        raise ArgumentError(f"{', '.join(names)} look at more than {total} cases: plan with more, or another metric.")
    level = single_level(check.fraction("alpha", alpha), check.count("competitors", competitors)) * TIE
    most = _MOST_MIXES if auc is None else _MOST_SIMULATED
    mixes = np.unique(np.linspace(1, total - 1, min(total - 1, most)).round().astype(np.int64))
    critical = np.full((len(names), len(mixes)), np.nan)
    possible = np.zeros(critical.shape, bool)
    power = np.full_like(critical, np.nan)
    stream = generator(rng)
    if auc is not None and not 0.5 < check.number("auc", auc) < 1:
        raise ArgumentError(f"`auc` must lie strictly between 0.5 and 1; got {auc!r}.")
    for i, P in enumerate(mixes.tolist()):
        for m, metric in enumerate(names):
            if metric_name(metric).n <= total:
                law = null_distribution(metric, positives=P, negatives=total - P)
                critical[m, i] = law.critical(level).value
                possible[m, i] = critical[m, i] < law.highest.value
        if auc is not None:
            power[:, i] = _power(names, critical[:, i], P, total - P, auc, check.count("repeats", repeats), stream)
        if progress:
            progress(i + 1, len(mixes))
    valley = np.where(possible, critical, np.inf)
    easiest = tuple(int(mixes[np.argmin(row)]) if np.isfinite(row).any() else 0 for row in valley)
    best = np.unravel_index(int(np.nanargmax(power)), power.shape) if auc is not None else None
    return MixPlanResult(
        cases=total,
        competitors=competitors,
        alpha=float(alpha),
        metrics=names,
        positives=mixes,
        critical_values=critical,
        easiest=easiest,
        auc=math.nan if auc is None else float(auc),
        power=power,
        best_metric="" if best is None else names[int(best[0])],
        best_positives=0 if best is None else int(mixes[best[1]]),
        repeats=0 if auc is None else repeats,
        method="exact" if auc is None else "exact critical values, simulated power",
    )


def _power(
    names: tuple[str, ...], critical: Floats, P: int, N: int, auc: float, repeats: int, stream: np.random.Generator
) -> Floats:
    """Share of simulated algorithms whose score exceeds the critical value. AUC is Phi(shift / sqrt(2))."""
    from statistics import NormalDist

    shift = NormalDist().inv_cdf(auc) * math.sqrt(2)
    labels = np.arange(P + N) < P
    laws = [
        None if np.isnan(value) else null_distribution(name, positives=P, negatives=N)
        for name, value in zip(names, critical, strict=True)
    ]
    exceeded = np.zeros(len(names))
    for _ in range(repeats):
        scores = stream.standard_normal(P + N) + shift * labels
        for m, law in enumerate(laws):
            if law is not None:
                exceeded[m] += ranked_score(law, labels, scores).expected > critical[m] + 1e-12
    result: Floats = np.where(np.isnan(critical), np.nan, exceeded / repeats)
    return result


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CasesPlanResult(Result):
    """How many cases are needed before a score would be significant."""

    metric: str
    score: float
    share: float
    """The share of positives."""
    competitors: int
    alpha: float
    cases: int
    """The smallest number of cases from which on the score exceeds the critical value."""
    positives: int
    negatives: int
    critical_value: float
    """The critical value at that size."""
    first: int
    """The first size at which it does; critical values jump, so that it may fail again between."""
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    def summary(self) -> str:
        """The number of cases."""
        return (
            f"{self.metric} {self.score:g} exceeds the critical value of the best of {self.competitors} random "
            f"rankings at alpha = {self.alpha:g} from {self.cases} cases on ({self.positives} positives, "
            f"{self.negatives} negatives: critical value {self.critical_value:.5g}). Whether an algorithm will reach "
            f"that score on so many cases is another question."
        )


def plan_cases(
    metric: str,
    score: float,
    *,
    share: float = 0.5,
    competitors: int = 1,
    alpha: float = 0.05,
    at_most: int = 20_000,
) -> CasesPlanResult:
    """The smallest test set, with this share of positives, on which the score would be significant.

    >>> plan_cases("auc", 0.65, share=0.25, competitors=1000, alpha=0.01).cases
    354
    """
    score, share = check.number("score", score), check.fraction("share", share)
    count, alpha = check.count("competitors", competitors), check.fraction("alpha", alpha)
    most = check.count("at_most", at_most, at_least=2, at_most=100_000)
    level = single_level(alpha, count) * TIE
    name = metric_name(metric)

    def margin(cases: int) -> float:
        P, N = _split(cases, share)
        return score - null_distribution(metric, positives=P, negatives=N).critical(level).value

    smallest = max(2, name.n)
    high = smallest
    while high < most and margin(high) <= 1e-12:
        high = min(2 * high, most)
    if margin(high) <= 1e-12:
        raise ArgumentError(
            f"A {name.name} of {score:g} is not significant against {count} competitors with up to {most} cases and "
            f"a share of {share:g} positives: ask for a higher score, a better mix, or fewer competitors."
        )
    # Critical values jump with the rounding of the mix: look beyond the first success, then back to the last failure.
    beyond = min(most, high + max(50, high // 4))
    first = next(size for size in _search(margin, smallest, high))
    last_failure = next((size for size in range(min(beyond, 2 * first + 50), first, -1) if margin(size) <= 1e-12), 0)
    cases = max(first, last_failure + 1)
    P, N = _split(cases, share)
    return CasesPlanResult(
        metric=name.name,
        score=score,
        share=share,
        competitors=count,
        alpha=alpha,
        cases=cases,
        positives=P,
        negatives=N,
        critical_value=score - margin(cases),
        first=first,
    )


def _split(cases: int, share: float) -> tuple[int, int]:
    positives = min(max(1, math.floor(cases * share + 0.5)), cases - 1)
    return positives, cases - positives


def _search(margin: Callable[[int], float], low: int, high: int) -> Sequence[int]:
    """About the first size that succeeds: halve, then look back over the ripple of the rounding."""
    bottom, top = low, high
    while bottom < top:
        middle = (bottom + top) // 2
        if margin(middle) > 1e-12:
            top = middle
        else:
            bottom = middle + 1
    window = range(max(low, top - max(20, top // 20)), top + 1)
    return [size for size in window if margin(size) > 1e-12]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompetitorsPlanResult(Result):
    """The critical value as a function of the number of competitors."""

    metric: str
    positives: int
    negatives: int
    alpha: float
    competitors: Ints
    critical_values: Floats
    score: float
    """A score of interest; nan if none was given."""
    most_competitors: int
    """The most competitors against which that score is still significant; 0 if none, or no score was given."""
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    def summary(self) -> str:
        """The curve's ends, and where the score stops being significant."""
        text = (
            f"With {self.positives} positives and {self.negatives} negatives, the critical value of {self.metric} at "
            f"alpha = {self.alpha:g} rises from {self.critical_values[0]:.5g} for {self.competitors[0]} to "
            f"{self.critical_values[-1]:.5g} for {self.competitors[-1]} competitors."
        )
        if not math.isnan(self.score):
            text += f" {self.metric} {self.score:g} is significant against at most {self.most_competitors} competitors."
        return text + " Dependent competitors count for fewer, but there is no sanctioned rule for how many."

    def to_frame(self) -> pd.DataFrame:
        """One row per number of competitors."""
        import pandas as pd

        return pd.DataFrame({"competitors": self.competitors, "critical_value": self.critical_values})


def plan_competitors(
    metric: str,
    *,
    positives: int,
    negatives: int,
    alpha: float = 0.05,
    competitors: Sequence[int] | None = None,
    score: float | None = None,
) -> CompetitorsPlanResult:
    """What counting fewer competitors would change: the critical value over C (by default 1 to 10,000)."""
    law = null_distribution(metric, positives=positives, negatives=negatives)
    alpha = check.fraction("alpha", alpha)
    given = np.unique(np.logspace(0, 4, 41).round().astype(int)).tolist() if competitors is None else competitors
    counts = np.array(sorted({check.count("competitors", count) for count in given}))
    if not counts.size:
        raise ArgumentError("`competitors` must hold at least one number.")
    values = np.array([law.critical(single_level(alpha, count) * TIE).value for count in counts.tolist()])
    most = 0
    if score is not None:
        # Significant iff P(S >= score) <= 1 - (1 - alpha)^(1/C), so C <= log(1 - alpha) / log(1 - P).
        tail = law.tail(law.locate(score, unattainable="below"))
        most = 0 if tail >= 1 else math.floor(math.log1p(-alpha) / math.log1p(-tail) * (1 + 1e-12))
    return CompetitorsPlanResult(
        metric=law.metric.name,
        positives=law.positives,
        negatives=law.negatives,
        alpha=alpha,
        competitors=counts,
        critical_values=values,
        score=math.nan if score is None else float(score),
        most_competitors=most,
    )
