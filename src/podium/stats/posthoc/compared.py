"""From what a kernel says of pairs to their result: corrections, simultaneous intervals, sides and mean ranks of every unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats, Indices, Ints
from podium.core.metric import Metric
from podium.core.named import ByAlgorithm
from podium.core.pairs import pair_indices
from podium.evidence.evidence import MissingScore
from podium.evidence.table import UNNAMED_METRIC
from podium.stats import registry
from podium.stats.corrections import adjust
from podium.stats.pairwise.pair_result import Tested
from podium.stats.posthoc.pairs_result import Estimates, PairsResult, Places, each_level, first_sign

C = TypeVar("C", bound="Compared")
R = TypeVar("R", bound=PairsResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared(ByAlgorithm):
    """Algorithms, the metric they are compared by, and their pairs: all of them, or each other one with the control."""

    algorithms: tuple[str, ...]
    metric: Metric = UNNAMED_METRIC
    control: str | None = None
    first: Indices = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    second: Indices = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    missing_scores: tuple[MissingScore, ...] = ()

    def among(self: C, control: str | None) -> C:
        """The same with all pairs, or those with the control."""
        first, second = pair_indices(self.n_algorithms, None if control is None else self.place(control))
        return replace(self, first=first, second=second, control=control)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gains:
    """What a kernel on cases or runs says of every pair: the gain of a over b (above 0: a is better), and who won how often.

    `ends(level)` gives the two-sided intervals of the gains whose error probability is `level`.
    """

    effect: Floats
    statistic: Floats
    pvalue: Floats
    wins: Ints
    losses: Ints
    n: Ints
    ends: Callable[[float], tuple[Floats, Floats]]
    method: str
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def side(self) -> Floats:
        """Who is ahead by the test's own statistic; where nothing varies and it is 0, by the gain itself."""
        return first_sign(self.statistic, np.where(np.abs(self.effect) > 1e-12, self.effect, 0.0))

    def in_units(self, sign: int, level: float, places: Places) -> tuple[Floats, ...]:
        """The differences a - b of some pairs and their intervals, of a metric whose direction has this sign."""
        effect, low, high = (each[places] for each in (self.effect, *self.ends(level)))
        return (effect, low, high) if sign > 0 else (-effect, -high, -low)


def pairs_of_gains(
    result: type[R], compared: Compared, gains: Gains, *, adjusted: Floats | None = None, **more: Any
) -> R:
    """The result of pairs that a kernel gave as gains; `adjusted` where the kernel's family of tests corrects itself."""
    same = ("statistic", "pvalue", "side", "method", "details")
    tested = Tested(**{name: getattr(gains, name) for name in same}, adjusted=adjusted)
    counts = gains.wins, gains.n - gains.wins - gains.losses, gains.losses
    sign = compared.metric.sign
    return pairs_result(result, compared, tested, counts, partial(gains.in_units, sign), **more)


def pairs_result(
    result: type[R],
    compared: Compared,
    tested: Tested,
    counts: tuple[Ints, Ints, Ints],
    estimate: Callable[[float, Places], tuple[Floats, ...]],
    *,
    correction: str,
    confidence: float,
    intervals: str,
    references: tuple[str, ...],
    mean_ranks: Floats | None = None,
    **more: Any,
) -> R:
    """Adjust the p-values unless the test did, give each interval its level, and name everything.

    `counts` are the wins, ties and losses of a, and the side of `tested` is 1 where a is better. `estimate(level, places)` gives
    the effects of the pairs in some places and the ends of their intervals, each of which errs with the probability `level`.
    """
    adjusted, sources = tested.adjusted, tuple[str, ...]()
    if adjusted is None:
        k = compared.n_algorithms if compared.control is None else None
        adjusted, sources = (
            adjust(tested.pvalue, correction, n_algorithms=k),
            registry.correction(correction).references,
        )
    level, methods = each_level(confidence, len(compared.first), intervals), tested.methods
    wins, ties, losses = counts
    return result(
        **{
            name: getattr(compared, name)
            for name in ("algorithms", "first", "second", "control", "missing_scores", "metric")
        },
        statistic=tested.statistic,
        turned=-tested.statistic if tested.turned is None else tested.turned,
        pvalue=tested.pvalue,
        adjusted=adjusted,
        wins=wins,
        ties=ties,
        losses=losses,
        n=wins + ties + losses,
        side=tested.side,
        method=methods if isinstance(methods, str) else _mixed(methods),
        methods=None if isinstance(methods, str) else methods,
        correction=correction,
        equal_scores=tested.ties,
        details=tested.details,
        confidence=confidence,
        intervals=intervals,
        estimates=Estimates(partial(estimate, level), len(compared.first)),
        mean_ranks=_ranks_of_wins(compared, *counts) if mean_ranks is None else mean_ranks,
        references=tuple(dict.fromkeys((*references, *sources))),
        **more,
    )


def _ranks_of_wins(compared: Compared, wins: Ints, ties: Ints, losses: Ints) -> Floats:
    """Mean ranks from who wins in all pairs: 1, plus the share of the better ones, plus half of the equal ones."""
    ranks, n = np.ones(compared.n_algorithms), np.maximum(wins + ties + losses, 1)
    np.add.at(ranks, compared.first, (losses + 0.5 * ties) / n)
    np.add.at(ranks, compared.second, (wins + 0.5 * ties) / n)
    return ranks


def _mixed(methods: npt.NDArray[np.str_]) -> str:
    """Which methods were used for how many pairs."""
    names, counts = np.unique(methods, return_counts=True)
    order = np.argsort(names != "exact", kind="stable")
    return ", ".join(f"{names[i]} for {counts[i]} pairs" for i in order)
