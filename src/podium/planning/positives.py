"""Planning a test set: which mix and metric make significance easiest, how many cases are enough, what C costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from podium.chance.best_of import CompetitorsResult, quick_critical, rival_of
from podium.chance.distributions import NullDistribution, RankingResult, null_distribution
from podium.chance.rankings import ranked_score
from podium.chance.registry import LEVEL, beats, label_of, metric_name, usual
from podium.chance.tables import whole_numbers
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import ArgumentError
from podium.core.numbers import counted, fixed, number
from podium.core.progress import Progress, tracked
from podium.core.result import Result
from podium.core.rng import Rng, generator
from podium.core.search import least_count

if TYPE_CHECKING:
    import pandas as pd

_MOST_MIXES, _MOST_SIMULATED = 99, 25
_ABOVE = 1e-12  # a score must exceed a critical value by more than rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassBalancePlanResult(Result):
    """The critical value (and the power) of each metric along the mixes of so many cases, or where cases of one class are left out.

    `leave_out` is that class, empty where the number of cases is fixed. `positives` and `negatives` are the numbers looked
    at; `critical_values` and `power`, P(a score exceeds the critical value), are [metric, mix], nan where a metric does not exist
    or no true `auc` was given. `easiest` has for each metric the number of positives (of negatives, where those are left out)
    with the lowest critical value that a score can exceed: the bottom of the valley; 0 if there is none. `best_metric` has the
    highest power at its best mix of `best_positives` and `best_negatives`; empty and 0 if no AUC was given.
    """

    cases: int
    leave_out: str
    competitors: int
    alpha: float
    metrics: tuple[str, ...]
    positives: Ints
    negatives: Ints
    critical_values: Floats
    easiest: tuple[int, ...]
    auc: float
    power: Floats
    best_metric: str
    best_positives: int
    best_negatives: int
    draws: int
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    def summary(self) -> str:
        """The valleys, and the most powerful choice if an algorithm was imagined."""
        valleys = ", ".join(
            f"{label_of(metric)} with {self._mix(kept)} ({number(self.critical_values[m, self._varied == kept].item(), 4)})"
            for m, (metric, kept) in enumerate(zip(self.metrics, self.easiest, strict=True))
            if kept
        )
        given = f"With {self._cases}, {counted(self.competitors, 'competitor')} and alpha = {number(self.alpha)}"
        if not valleys:
            return f"{given}, no score can be significant, whatever the mix: plan with more cases."
        text = f"{given}, critical values are lowest for {valleys}, of {counted(len(self.positives), 'mix', 'mixes')}."
        if not self.best_metric:
            return f"{text} Values of different metrics cannot be compared: give a true AUC to compare their power."
        power = fixed(np.nanmax(self.power[self.metrics.index(self.best_metric)]), 2)
        return (
            f"{text} An algorithm with true AUC {number(self.auc)} is most often significant by {label_of(self.best_metric)} with "
            f"{self._mix(self.best_negatives if self.leave_out == 'negatives' else self.best_positives)} (power {power}, {self.draws} simulations of equal normal spreads)."
        )

    @property
    def _cases(self) -> str:
        """What there is, for a sentence."""
        if not self.leave_out:
            return f"{self.cases} cases"
        return f"{counted(int(self.positives[-1]), 'positive')} and {counted(int(self.negatives[-1]), 'negative')}"

    @property
    def _varied(self) -> Ints:
        return self.negatives if self.leave_out == "negatives" else self.positives

    def _mix(self, kept: int) -> str:
        """A mix for a sentence: the positives, or what is left out."""
        if not self.leave_out:
            return counted(kept, "positive")
        return f"{int(self._varied[-1]) - kept:,} of {int(self._varied[-1]):,} {self.leave_out} left out"

    def columns(self) -> dict[str, Any]:
        """One row per metric and mix."""
        return {
            "metric": np.repeat(self.metrics, len(self.positives)),
            "positives": np.tile(self.positives, len(self.metrics)),
            "negatives": np.tile(self.negatives, len(self.metrics)),
            "critical_value": self.critical_values.ravel(),
            "power": self.power.ravel(),
        }

    def tables(self) -> dict[str, pd.DataFrame]:
        """For every metric the mix with the most power, or with the lowest critical value if no AUC was given."""
        frame = self.to_frame()
        if self.best_metric:
            rows = frame.dropna(subset="power")  # a metric of more top ranks than there are cases has none
            return {"result": rows.loc[rows.groupby("metric", sort=False)["power"].idxmax()]}
        easiest = dict(zip(self.metrics, self.easiest, strict=True))
        kept = np.tile(self._varied, len(self.metrics))
        return {"result": frame[kept == frame["metric"].map(easiest)].drop(columns="power")}


def plan_class_balance(
    cases: int | None = None,
    *,
    positives: int | None = None,
    negatives: int | None = None,
    leave_out: Literal["positives", "negatives"] | None = None,
    metrics: Sequence[str] | None = None,
    competitors: int = 1,
    alpha: float = LEVEL,
    auc: float | None = None,
    draws: int = 400,
    rng: Rng = None,
    progress: Progress = None,
) -> ClassBalancePlanResult:
    """Which class distribution, the mix of positives and negatives, makes significance easiest; with a true AUC, by which metric.

    Either so many cases may be mixed at will; or there are so many positives and negatives, of which some may be left out. Critical
    values of different metrics are on different scales.

    Parameters
    ----------
    cases : int, optional
        Number of cases that may be mixed at will.
    positives, negatives : int, optional
        Number of positive and of negative cases that there are.
    leave_out : {"positives", "negatives"}, optional
        Of which class cases may be left out.
    metrics : sequence of str, optional
        Names of the metrics; by default the usual ones.
    competitors : int, default 1
        Number of algorithms tried, discarded ones included.
    alpha : float, default 0.01
        Significance level.
    auc : float, optional
        A true AUC, between 0.5 and 1: an algorithm whose scores are normal with equal spreads in both classes
        is simulated, and power decides.
    draws : int, default 400
        Number of simulations for each class balance, with `auc`.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    ClassBalancePlanResult
        The critical value (and the power) of each metric along the class balances.

    Examples
    --------
    >>> found = plan_class_balance(40, metrics=["auc"], competitors=10)
    >>> found.metrics
    ('auc',)
    """
    check.fraction("alpha", alpha)
    check.count("competitors", competitors)
    check.count("draws", draws)
    if auc is not None and not 0.5 < check.number("auc", auc) < 1:
        raise ArgumentError(f"`auc` must lie strictly between 0.5 and 1; got {auc!r}.")
    names = tuple(metric_name(metric).name for metric in metrics or usual("plan"))
    kept, others = _mixes(cases, positives, negatives, leave_out, _MOST_MIXES if auc is None else _MOST_SIMULATED)
    total = int((kept + others).max())
    if all(metric_name(name).n > total for name in names):
        raise ArgumentError(f"{', '.join(names)} look at more than {total} cases: plan with more, or another metric.")
    critical, power = (np.full((len(names), len(kept)), np.nan) for _ in range(2))
    valley = np.full(critical.shape, np.inf)
    stream = generator(rng)
    for i, (P, N) in tracked(enumerate(zip(kept.tolist(), others.tolist(), strict=True)), progress, total=len(kept)):
        possible = [m for m, name in enumerate(names) if metric_name(name).n <= P + N]
        laws = [null_distribution(names[m], positives=P, negatives=N) for m in possible]
        signs = np.array([law.sign for law in laws])
        values = np.array([quick_critical(law, alpha, competitors).value for law in laws])
        critical[possible, i] = values
        reachable = signs * values < signs * np.array([law.highest.value for law in laws])
        valley[possible, i] = np.where(reachable, signs * values, np.inf)
        if auc is not None:
            power[possible, i] = _power(laws, values, auc, draws, stream)
    varied = others if leave_out == "negatives" else kept
    best = None if auc is None else np.unravel_index(int(np.nanargmax(power)), power.shape)
    return ClassBalancePlanResult(
        cases=total,
        leave_out=leave_out or "",
        competitors=competitors,
        alpha=float(alpha),
        metrics=names,
        positives=kept,
        negatives=others,
        critical_values=critical,
        easiest=tuple(int(varied[np.argmin(row)]) if np.isfinite(row).any() else 0 for row in valley),
        auc=math.nan if auc is None else float(auc),
        power=power,
        best_metric="" if best is None else names[int(best[0])],
        best_positives=0 if best is None else int(kept[best[1]]),
        best_negatives=0 if best is None else int(others[best[1]]),
        draws=0 if auc is None else draws,
        method="exact" if auc is None else "exact critical values, simulated power",
    )


def _mixes(
    cases: int | None, positives: int | None, negatives: int | None, leave_out: str | None, most: int
) -> tuple[Ints, Ints]:
    """The positives and negatives of the mixes that are looked at, the largest last."""

    def up_to(count: int, space: Callable[[int, int, int], Any] = np.linspace) -> Ints:
        return np.unique(space(1, count, min(count, most)).round().astype(np.int64))

    if leave_out is None:
        total = check.count("cases", cases, at_least=2)
        kept = up_to(total - 1)
        return kept, total - kept
    check.choice("leave_out", leave_out, ("positives", "negatives"))
    P, N = check.count("positives", positives), check.count("negatives", negatives)
    few = up_to(P if leave_out == "positives" else N, np.geomspace)  # closer together where they are few
    return (few, np.full_like(few, N)) if leave_out == "positives" else (np.full_like(few, P), few)


def _power(
    laws: list[NullDistribution], critical: Floats, auc: float, draws: int, stream: np.random.Generator
) -> Floats:
    """Share of simulated algorithms whose score exceeds the critical value. AUC is Phi(shift / sqrt(2))."""
    shift = NormalDist().inv_cdf(auc) * math.sqrt(2)
    labels = np.arange(laws[0].positives + laws[0].negatives) < laws[0].positives
    exceeded, signs = np.zeros(len(laws)), np.array([law.sign for law in laws])
    for _ in range(draws):
        scores = stream.standard_normal(len(labels)) + shift * labels
        reached = np.array([ranked_score(law, labels, scores).expected for law in laws])
        exceeded += signs * (reached - critical) > _ABOVE
    return exceeded / draws


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CasesPlanResult(RankingResult):
    """How many cases, of which so many are positive (`share`), are needed before a score would be significant.

    `cases` is the smallest number from which on the score exceeds the critical value, which is `critical_value` there. `first` is
    the first size at which it does; critical values jump, so that it may fail again between.
    """

    score: float
    share: float
    competitors: int
    alpha: float
    cases: int
    critical_value: float
    first: int

    def summary(self) -> str:
        """The number of cases."""
        return (
            f"{label_of(self.metric)} {number(self.score)} {beats(self.metric)} the critical value of {rival_of(self.competitors)} "
            f"at alpha = {number(self.alpha)} from {self.cases} cases on ({self.sizes}: critical value "
            f"{number(self.critical_value, 5)}). Whether an algorithm will reach that score on so many cases is another "
            f"question."
        )


def plan_cases(
    metric: str, score: float, *, share: float = 0.5, competitors: int = 1, alpha: float = LEVEL, at_most: int = 20_000
) -> CasesPlanResult:
    """The size of the smallest test set, with this share of positives, on which the score would be significant.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    score : float
        The score that is planned for.
    share : float, default 0.5
        The share of positives.
    competitors : int, default 1
        Number of algorithms tried, discarded ones included.
    alpha : float, default 0.01
        Significance level.
    at_most : int, default 20000
        The largest test set to look at.

    Returns
    -------
    CasesPlanResult
        The number of cases, and how many of them are positive.

    Examples
    --------
    >>> plan_cases("auc", 0.65, share=0.25, competitors=1000, alpha=0.01).cases
    354
    """
    score, share = check.number("score", score), check.fraction("share", share)
    count, alpha = check.count("competitors", competitors), check.fraction("alpha", alpha)
    most = check.count("at_most", at_most, at_least=2, at_most=100_000)

    def law(cases: int) -> NullDistribution:
        P = min(max(1, math.floor(cases * share + 0.5)), cases - 1)
        return null_distribution(metric, positives=P, negatives=cases - P)

    def enough(cases: int) -> bool:
        null = law(cases)
        return null.sign * (score - quick_critical(null, alpha, count).value) > _ABOVE

    first = least_count(enough, max(2, metric_name(metric).n), most, ripple=lambda size: max(20, size // 20))
    if first is None:
        raise ArgumentError(
            f"A {metric_name(metric).name} of {number(score)} is not significant against {count:,} competitors with up "
            f"to {most} cases and a share of {number(share)} positives: ask for a higher score, a better class balance, or fewer "
            "competitors."
        )
    # Critical values jump with the rounding of the mix: look beyond the first success, then back to the last failure.
    beyond = min(most, first + max(50, first // 2))
    cases = next((size for size in range(beyond, first, -1) if not enough(size)), first - 1) + 1
    return CasesPlanResult(
        **law(cases).facts(),
        score=score,
        share=share,
        competitors=count,
        alpha=alpha,
        cases=cases,
        critical_value=quick_critical(law(cases), alpha, count).value,
        first=first,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompetitorsPlanResult(CompetitorsResult):
    """The critical value as a function of the number of competitors.

    `most_competitors` are the most against which the `score` is still significant; 0 if none, or no score was given (nan).
    """

    score: float
    most_competitors: int

    def tables(self) -> dict[str, pd.DataFrame]:
        """Every fourth row."""
        return {"result": self.to_frame().iloc[::4]}

    def summary(self) -> str:
        """The ends of the curve, and where the score stops being significant."""
        text = (
            f"With {self.sizes}, the critical value of {label_of(self.metric)} at alpha = {number(self.alpha)} goes from "
            f"{number(self.critical_values[0], 5)} for {self.competitors[0]:,} to {number(self.critical_values[-1], 5)} "
            f"for {self.competitors[-1]:,} competitors."
        )
        if not math.isnan(self.score):
            most = self.most_competitors
            text += (
                f" {label_of(self.metric)} {number(self.score)} is significant against at most {most:,} competitors."
            )
        return text + " Dependent competitors count for fewer, but there is no agreed rule for how many."


def plan_competitors(
    metric: str,
    *,
    positives: int,
    negatives: int,
    alpha: float = LEVEL,
    competitors: Sequence[int] | None = None,
    score: float | None = None,
) -> CompetitorsPlanResult:
    """How the critical value depends on the number of competitors.

    Parameters
    ----------
    metric : str
        Name of the metric: "auc", "tp10", "best_accuracy", ...; `podium.chance.registry.METRICS` lists them.
    positives, negatives : int
        Number of positive and of negative test cases.
    alpha : float, default 0.01
        Significance level.
    competitors : sequence of int, optional
        Numbers of algorithms tried, discarded ones included; by default from 1 to 10,000.
    score : float, optional
        Also say for how many competitors this score is significant.

    Returns
    -------
    CompetitorsPlanResult
        The critical value for each number of competitors.

    Examples
    --------
    >>> plan_competitors("auc", positives=50, negatives=50, competitors=[1, 10], score=0.7).competitors
    (1, 10)
    """
    law = null_distribution(metric, positives=positives, negatives=negatives)
    alpha = check.fraction("alpha", alpha)
    counts = np.unique(np.logspace(0, 4, 41).round().astype(int)).tolist() if competitors is None else competitors
    counts = tuple(sorted(set(whole_numbers("competitors", counts))))
    most = 0
    if score is not None:
        # Significant iff P(S >= score) <= 1 - (1 - alpha)^(1/C), so C <= log(1 - alpha) / log(1 - P).
        tail = law.tail(law.locate(score, unattainable="below"))
        most = 0 if tail >= 1 else math.floor(math.log1p(-alpha) / math.log1p(-tail) * (1 + 1e-12))
    return CompetitorsPlanResult(
        **law.facts(),
        alpha=alpha,
        competitors=counts,
        critical_values=np.array([quick_critical(law, alpha, count).value for count in counts]),
        score=math.nan if score is None else float(score),
        most_competitors=most,
    )


def planned(
    *,
    metrics: Sequence[str] | None = None,
    cases: int | None = None,
    leave_out: str | None = None,
    score: float | None = None,
    positives: int | None = None,
    negatives: int | None = None,
    share: float = 0.5,
    competitors: int = 1,
    alpha: float = LEVEL,
    **mix: Any,
) -> partial[Any]:
    """The call that answers `podium chance plan` and the page: the mix of so many cases or where some are left out, what the number
    of competitors changes where both sizes are known, or how many cases a score needs.
    """
    metric = (metrics or ["auc"])[0]
    if cases is not None or leave_out is not None:
        sizes: dict[str, Any] = {"positives": positives, "negatives": negatives, "leave_out": leave_out}
        return partial(plan_class_balance, cases, metrics=metrics, **sizes, competitors=competitors, alpha=alpha, **mix)
    if positives is not None and negatives is not None:
        return partial(plan_competitors, metric, positives=positives, negatives=negatives, alpha=alpha, score=score)
    if score is not None:
        return partial(plan_cases, metric, score, share=share, competitors=competitors, alpha=alpha)
    raise ArgumentError("Say what to plan: {cases}, {score}, or both {positives} and {negatives}.")
