"""All pairs of agents, or all against a control: differences of an aggregate over the same tasks, by their runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.core import check, numbers
from podium.core.arrays import Bools, Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric
from podium.core.pairs import pair_indices
from podium.core.ranks import mean_ranks, rank_rows, settle
from podium.core.words import AggregateName, Intervals
from podium.evidence.runs import Runs, as_runs
from podium.runs.improvement import improvement
from podium.runs.kernels import Spread, skewed_ends, skewed_statistic, stratified_spread
from podium.runs.registry import GAMMA, Aggregate, aggregate_named
from podium.stats.pairwise.pair_result import PairResult
from podium.stats.posthoc.compared import Compared, Gains, pairs_of_gains
from podium.stats.posthoc.pairs_result import INTERVALS, PairsResult
from podium.stats.student import student

# The columns of the probability of improvement, and what each is made of when a and b change places.
_IMPROVEMENT = {
    "improvement": "improvement",
    "improvement_low": "improvement_high",
    "improvement_high": "improvement_low",
}
FEWEST_TASKS = 10  # below this the quartiles of all scores jump from task to task: the mean is compared


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunPairs(PairsResult):
    """Pairs of agents on the same tasks; `n` counts tasks, wins those on which a has the better mean.

    `aggregate` says what the effect is a difference of; `improvement` is the probability that a run of a beats a run of b on a
    task, with the ends of its interval (each pair alone). `paired` says whether runs of one seed were taken together.
    """

    title: ClassVar[str] = "Pairs of agents on the same tasks"
    COLUMNS: ClassVar[tuple[str, ...]] = (*PairsResult.COLUMNS, *_IMPROVEMENT, "df")

    aggregate: str
    gamma: float
    paired: bool
    improvement: Floats
    improvement_low: Floats
    improvement_high: Floats

    @property
    def df(self) -> Floats:
        """The degrees of freedom of each pair."""
        return np.asarray(self.details["df"])

    def turned_column(self, column: str) -> npt.NDArray[Any]:
        """The probability of improvement of b over a is what that of a over b leaves, the ends in each other's place."""
        if column in _IMPROVEMENT:
            return np.asarray(1 - getattr(self, _IMPROVEMENT[column]))
        return PairsResult.turned_column(self, column)

    def pair(self, a: str, b: str) -> PairResult:
        """The test of the two, seen from a; the probability of improvement is among its details."""
        row, turned = self.position(a, b)
        special = {name: float(self.values(name, turned=turned)[row]) for name in _IMPROVEMENT}
        result = PairsResult.pair(self, a, b)
        return replace(result, details={**result.details, **special})

    def summary(self) -> str:
        """The pairs in a sentence or two, and what does not follow."""
        best = int(np.argmin(self.adjusted))
        a, b = self.algorithms[self.first[best]], self.algorithms[self.second[best]]
        corrected = "" if self.n_pairs == 1 else f", corrected by {self.correction}"
        together = "runs of one seed together" if self.paired else "runs of two agents taken as independent"
        return (
            f"{numbers.counted(self.n_pairs, 'pair')} on {numbers.counted(int(self.n[0]), 'task')} by the "
            f"{aggregate_named(self.aggregate).label}, {together}{corrected}: the smallest "
            f"{numbers.format_pvalue(float(self.adjusted[best]), 'adjusted p')}, of {a} and {b} (difference "
            f"{numbers.number(float(self.effect[best]))}; a run of {a} beats a run of {b} with probability "
            f"{numbers.said_probability(float(self.improvement[best]))}). The result is about new runs on the same tasks; no "
            "significant difference does not mean no difference."
        )


def all_pairs(
    runs: Any,
    *,
    aggregate: AggregateName | None = None,
    control: str | None = None,
    paired: bool = False,
    correction: str = "holm",
    gamma: float = GAMMA,
    confidence: float = 0.95,
    intervals: Intervals = "simultaneous",
) -> RunPairs:
    """Compare agents on the same tasks by their runs, all pairs or all against a control.

    Each pair is tested by a t test that is stratified by task, with Satterthwaite's degrees of freedom. Means also allow for skewed
    runs (Hall 1992): the larger p-value and the outer bounds of the two. Numbers of runs may differ.

    Parameters
    ----------
    runs : Runs or dict
        Runs, or agent -> array (runs x tasks) as in rliable, or agent -> {task: scores}.
    aggregate : {"iqm", "mean", "optimality_gap"}, optional
        What is compared; by default "iqm" from 10 tasks on and "mean" below.
    control : str, optional
        Compare every other algorithm only with this one.
    paired : bool, default False
        Compare runs of one seed with each other; otherwise runs of two agents are independent.
    correction : str, default "holm"
        How p-values are adjusted: any name that `podium.stats.adjust` takes.
    gamma : float, default 1.0
        The score that leaves no optimality gap.
    confidence : float, default 0.95
        Confidence of the interval.
    intervals : {"simultaneous", "each"}, default "simultaneous"
        Whether the confidence is that of all intervals together or of each one alone.

    Returns
    -------
    RunPairs
        For each pair: the statistic, the raw and the adjusted p-value, and the difference with its interval.

    Examples
    --------
    >>> found = all_pairs({"a": [[1.0, 2.0], [1.2, 2.3], [1.1, 2.1]], "b": [[0.5, 1.0], [0.9, 1.3], [0.7, 1.0]]})
    >>> found.aggregate, found.effect.round(4).tolist(), found.pvalue.round(5).tolist()
    ('mean', [0.7167], [0.00066])
    """
    data = as_runs(runs)
    check.magnitude(data.values)
    check.fraction("confidence", confidence)
    check.choice("intervals", intervals, INTERVALS)
    kind = _checked(data, aggregate, paired, gamma)
    compared = Compared(algorithms=data.algorithms, metric=measured(data, kind)).among(control)
    improvements = _improvements(data, compared, confidence)
    return pairs_of_gains(
        RunPairs,
        compared,
        _gains(data, kind, compared, paired, gamma),
        test=f"runs_{kind.name}",
        correction=correction if len(compared.first) > 1 else "none",
        effect_name=f"difference of the {kind.label}",
        confidence=confidence,
        intervals=intervals,
        # Pairs with a control do not tell how the others rank among each other.
        mean_ranks=None if control is None else mean_ranks(rank_rows(data.metric.sign * data.means)),
        aggregate=kind.name,
        gamma=gamma,
        paired=paired,
        **improvements,
        references=(*kind.references, "agarwal2021"),
    )


def measured(data: Runs, kind: Aggregate) -> Metric:
    """What a difference is measured in: the metric itself, or the gap, which is better when lower."""
    return Metric(name=kind.label, direction="lower") if kind.better == "lower" else data.metric


def _checked(data: Runs, aggregate: str | None, paired: bool, gamma: float) -> Aggregate:
    """The aggregate that is compared, if these runs allow it."""
    check.flag("paired", paired)
    kind = aggregate_named(aggregate or ("iqm" if data.n_tasks >= FEWEST_TASKS else "mean"))
    if data.n_algorithms < 2:
        raise DataError("A comparison needs at least 2 agents; there is 1.")
    if kind.influence is None:
        raise ArgumentError(
            f"{{aggregate}} {kind.name!r} has an interval but no test of pairs: take 'iqm' or 'mean'.",
            options=("aggregate",),
        )
    if kind.better == "lower" and not data.metric.higher_is_better:
        raise ArgumentError("The optimality gap is for scores of which more is better: take 'iqm' or 'mean'.")
    if kind.better == "lower" and not (data.values < gamma).any():
        raise DataError(
            f"No run scores below {numbers.as_given(gamma)}, so that the optimality gap is 0 for every agent: normalise the scores "
            "({normalise}), or set {aggregate} to 'iqm' or 'mean'."
        )
    alone = [name for name, own in zip(data.algorithms, data.counts.T, strict=True) if own.min() < 2]
    if alone:
        one = len(alone) == 1
        others = "Add runs"
        if len(alone) < data.n_algorithms:
            others += ", or name the other agents with {algorithms}"
        raise DataError(
            f"{check.listed(alone)} {'has' if one else 'have'} a single run on some task, and nothing says how far {'its' if one else 'their'} "
            f"runs vary. {others}; or compare mean scores over the tasks with {{unit}} dataset.",
            leave_out=tuple(alone),
        )
    if paired and not data.seeds:
        raise ArgumentError(
            "{paired} needs the same seeds for every agent on every task: leave it out.", options=("paired",)
        )
    return kind


def _gains(data: Runs, kind: Aggregate, compared: Compared, paired: bool, gamma: float) -> Gains:
    """Differences of the aggregate, higher is better, by Student's t, those of means by Hall's law besides, and tasks won.

    Where the runs of a pair do not vary, p is that of the sign test, in which copies of a run count once.
    """
    assert kind.influence is not None
    pairs = list(zip(compared.first, compared.second, strict=True))
    values = np.array([kind.value(own, gamma) for own in data.by_algorithm])
    spreads = _spreads([kind.influence(own, gamma) for own in data.by_algorithm], pairs, paired)
    error, df, lean = (np.array([getattr(spread, name) for spread in spreads]) for name in ("error", "df", "skewness"))
    gain = compared.metric.sign * (values[compared.first] - values[compared.second])
    lean *= compared.metric.sign * (kind.name == "mean")
    silent = error <= 1e-12 * np.maximum(np.abs(gain), 1.0)
    # What rounding leaves of equal differences has no degrees of freedom: those are the runs that are no copies.
    df = np.where(silent, [spread.residual for spread in spreads], df)
    apart = np.where(np.abs(gain) > 1e-12, gain, 0.0)  # means of equal runs may differ by rounding
    law = np.minimum(df, 1e12)
    statistic = np.where(silent, 0.0, apart / np.where(silent, 1.0, error))
    towards = np.where(silent, apart, skewed_statistic(statistic, lean))
    means = data.metric.sign * settle(data.means)
    ahead = means[:, compared.first] - means[:, compared.second]
    return Gains(
        effect=gain,
        statistic=statistic,
        pvalue=np.minimum(student(towards, np.where(silent, 0.0, 1.0), law), 1.0),
        wins=(ahead > 0).sum(axis=0),
        losses=(ahead < 0).sum(axis=0),
        n=np.full(len(pairs), data.n_tasks),
        ends=lambda level: skewed_ends(gain, error, law, lean, 1 - level),
        method="t, stratified by task",
        details={"df": df},
    )


def _spreads(influence: list[Floats], pairs: list[tuple[int, int]], paired: bool) -> list[Spread]:
    """The spread of the difference of each pair."""
    if paired:
        return [stratified_spread(influence[i] - influence[j], influence[i] + 1j * influence[j]) for i, j in pairs]
    own, turned = ([stratified_spread(side * values) for values in influence] for side in (1, -1))
    return [own[i] + turned[j] for i, j in pairs]


def _improvements(data: Runs, compared: Compared, confidence: float) -> dict[str, Floats]:
    """The probability of improvement of each pair, and the ends of its interval."""
    gains, pairs = data.metric.sign * data.by_algorithm, zip(compared.first, compared.second, strict=True)
    values, low, high = np.array([improvement(gains[i], gains[j], confidence=confidence) for i, j in pairs]).T
    return {"improvement": values, "improvement_low": low, "improvement_high": high}


def seed_correlation(data: Runs) -> float | None:
    """How runs of one seed go together between agents: their mean correlation within tasks, None where no seed is shared."""
    if not data.seeds or data.n_algorithms < 2 or len(data.seeds) < 3:
        return None
    centred = data.values - np.nanmean(data.values, axis=2, keepdims=True)
    scale = np.sqrt(np.nanmean(centred**2, axis=2, keepdims=True))
    varies: Bools = (scale > 0).all(axis=1)[:, 0]
    if not varies.any():
        return None
    unit = (centred / np.where(scale > 0, scale, 1.0))[varies]
    first, second = pair_indices(data.n_algorithms)
    return float(np.nanmean(unit[:, first] * unit[:, second]))
