"""What figures take from results: a table of scores, the pairs, mean ranks with groups, an order by cost."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import as_given, capital, fixed, percent
from podium.core.quantity import Quantity
from podium.evidence.table import Table, as_table
from podium.plot.style import label_of
from podium.stats.pairwise.pair_result import effect_kind, excess
from podium.stats.registry import PAIRWISE

if TYPE_CHECKING:
    import pandas as pd

    from podium.bayes.posterior import PairsPosterior
    from podium.evidence.scores import Scores
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multitest import MultiTestResult
    from podium.ordering.trade_off import TradeOff
    from podium.stats.pairwise.pair_result import PairResult
    from podium.stats.posthoc.cliques import GroupsResult
    from podium.stats.posthoc.pairs_result import PairsResult

MOST_NAMED = 20  # members of a group
Group = tuple[int, ...]

#: What shows scores: anything that is or has a table of datasets by algorithms.
TableSource: TypeAlias = "Comparison | Scores | Table | pd.DataFrame | Floats"
#: What shows pairs.
PairsSource: TypeAlias = "Comparison | PairsResult"
#: What shows mean ranks and who does not differ significantly from whom.
RankSource: TypeAlias = "Comparison | GroupsResult | PairsResult | Multi2TestResult | Ranked"
#: What shows an order by cost.
OrderSource: TypeAlias = "MultiTestResult | Multi2TestResult | Comparison"


def table_of(source: TableSource, *, best_first: bool = False) -> Table:
    """The scores of a comparison, or any table of datasets by algorithms."""
    if not isinstance(source, Comparison):
        return as_table(source, at_least=1)
    return source.table.select([row.algorithm for row in source.ranking]) if best_first else source.table


def quantity_of(source: Any) -> Quantity:
    """How the scores of a comparison are written; those of bare data stay as they are."""
    return source.quantity if isinstance(source, Comparison) else Quantity(label="")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairsView:
    """Pairs as figures show them: gains of the first, whichever direction is better, and the words for decisions."""

    pairs: PairsResult
    alpha: float
    quantity: Quantity  # of gains
    practical: PairsPosterior | None = None
    band: tuple[float, float] | None = None  # where differences do not matter, as they are written

    def gains(self, pair: PairResult) -> tuple[float, float, float]:
        """The gain of the first of a pair, and the ends of its interval, the lower first."""
        gain, low, high = self.gain([pair.effect, pair.low, pair.high]).tolist()
        return (gain, low, high) if self.quantity.sign > 0 else (gain, high, low)

    def gain(self, effects: npt.ArrayLike) -> Floats:
        """Effects as gains of the first; ratios as what exceeds 1."""
        return self.quantity.sign * excess(self.pairs.effect_name, effects)

    @property
    def level(self) -> str:
        """What decides."""
        return f"p \u2264 {as_given(self.alpha)}"

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """What marks and band mean."""
        return (
            ("ahead", f"significantly better, {self.level}"),
            ("behind", f"significantly worse, {self.level}"),
            ("half", "borderline: p and interval disagree"),
            ("none", "may be due to chance"),
            ("band", "differences that do not matter"),
        )

    @property
    def lower_is_better(self) -> str:
        """How a gain is to be read where lower is better."""
        return "" if self.quantity.sign > 0 else f" lower {self.quantity.label}".rstrip()

    @property
    def interval_head(self) -> str:
        """The head of the column of intervals."""
        return f"{percent(self.pairs.confidence)} interval"

    @property
    def intervals_are(self) -> str:
        """What the intervals are, and what decides."""
        pairs = self.pairs
        kind = "simultaneous" if pairs.intervals == "simultaneous" and pairs.n_pairs > 1 else "individual"
        intervals = f" with {kind} {percent(pairs.confidence)} intervals"
        if not pairs.has_end(lambda ends: ~np.isinf(ends)):
            intervals = f": too few data for {percent(pairs.confidence)} intervals"
        return f"{capital(pairs.effect_name)}{intervals}; the adjusted\u00a0p decides. {intervals_of(pairs)}".strip()


def intervals_of(pairs: PairsResult) -> str:
    """Whose intervals they are, where the test that decides has none of its own."""
    test = PAIRWISE.get(pairs.test)
    if test is None or not test.beside:
        return ""
    other, own = (label.replace("The ", "the ", 1) for label in (PAIRWISE[test.beside].label, test.label))
    return f"The differences and intervals are those of {other}, the decisions those of {own}: the two can disagree."


def pairs_view(
    source: PairsSource, alpha: float = 0.05, rope: float | None = None, *, of: str | None = None
) -> PairsView:
    """Pairs of a comparison, which has its own level, rope and quantity; or a result on pairs, decided at `alpha`.

    A chart of one algorithm has the digits of its differences: effects of thousands of pairs would take longer than their tests.
    """
    check.fraction("alpha", alpha)
    if isinstance(source, Comparison):
        pairs, quantity = source.pairs, source.difference
        alpha, rope = source.alpha, rope if rope is not None or source.practical is None else source.facts.rope
    else:
        pairs, quantity = source, Quantity(label=source.metric.name, direction=source.metric.direction)
    place = None if of is None else pairs.place(of)
    shown = slice(None) if of is None else np.flatnonzero((pairs.first == place) | (pairs.second == place))
    relative = effect_kind(pairs.effect_name).relative
    if relative and not isinstance(source, Comparison):
        quantity = quantity.relative()
    return PairsView(
        pairs=pairs,
        alpha=alpha,
        quantity=quantity.finer(excess(pairs.effect_name, pairs.estimates.of(shown)[0]).tolist()),
        practical=source.practical if isinstance(source, Comparison) else None,
        band=None if rope is None or relative else (-quantity.factor * rope, quantity.factor * rope),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Algorithms from the best (lowest) mean rank on; ties keep the order given. Groups hold places in this order.

    With a `control`, the others are compared with it only: there are no groups, and `alike` has the places of those that are
    that does not differ significantly from it.
    """

    names: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    groups: tuple[Group, ...] = ()
    critical_difference: float | None = None
    control: str | None = None
    alike: Group = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The names as they are written."""
        return tuple(f"{label_of(name)}{' (control)' if name == self.control else ''}" for name in self.names)

    @property
    def ranks(self) -> list[str]:
        """The mean ranks as they are written."""
        return [fixed(rank, 2) for rank in self.mean_ranks]

    def title(self, place: int) -> str:
        """What hovering over an algorithm tells."""
        mean, name, standing = fixed(self.mean_ranks[place], 3), self.names[place], ""
        if name == self.control:
            standing = "\nthe control"
        elif self.control is not None:
            standing = f"\n{'not ' if place in self.alike else ''}significantly different from the control"
        return f"{name}\nmean rank {mean}, rank {place + 1} of {len(self.names)}{standing}"

    def group_title(self, group: Group) -> str:
        """What hovering over a group tells."""
        more = [f"and {len(group) - MOST_NAMED} more"] if len(group) > MOST_NAMED else []
        names = [self.names[i] for i in group[:MOST_NAMED]]
        return "\n".join([f"{len(group)} algorithms that do not differ significantly:", *names, *more])

    def ends(self) -> str:
        """The best and the worst in words."""
        return (
            f"{len(self.names)} algorithms by mean rank, from {self.names[0]} ({self.ranks[0]}, the best) "
            f"to {self.names[-1]} ({self.ranks[-1]})"
        )


def ranked(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    groups: Iterable[Iterable[str]] = (),
    critical_difference: float | None = None,
    control: str | None = None,
) -> Ranked:
    """Mean ranks, sorted; groups without a second member are left out.

    With a `control` the groups are those of it and what does not differ significantly from it.
    """
    ranks = check.numbers("mean_ranks", mean_ranks, ndim=1)
    if len(ranks) != len(names) or np.isnan(ranks).any():
        raise ArgumentError(f"`mean_ranks` must give a number for each of {len(names)} names; it has {len(ranks)}.")
    order = np.argsort(ranks, kind="stable")
    ordered = tuple(str(names[i]) for i in order)
    place = {name: i for i, name in enumerate(ordered)}
    places = sorted({tuple(sorted({place[name] for name in group})) for group in groups})
    return Ranked(
        names=ordered,
        mean_ranks=tuple(ranks[order].tolist()),
        groups=tuple(group for group in places if len(group) > 1 and control is None),
        critical_difference=critical_difference,
        control=control,
        alike=tuple(sorted({i for group in places for i in group if ordered[i] != control})) if control else (),
    )


def ranked_of(source: RankSource, alpha: float, critical_difference: float | None = None) -> Ranked:
    """Mean ranks and groups; `alpha` decides on pairs that have not been decided on."""
    result: Any = source
    if isinstance(result, Ranked):
        return result
    if isinstance(result, Comparison):
        names, means = ([getattr(row, key) for row in result.ranking] for key in ("algorithm", "mean_rank"))
        return _of_pairs(result.pairs, result.alpha, names, means, result.groups, critical_difference)

    from podium.ordering._multi2test import Multi2TestResult
    from podium.stats.posthoc.cliques import GroupsResult, complete_groups
    from podium.stats.posthoc.pairs_result import PairsResult

    if isinstance(result, PairsResult):
        groups = complete_groups(result, alpha=alpha).groups if result.control is None else ()
        return _of_pairs(result, alpha, result.algorithms, result.mean_ranks, groups, critical_difference)
    if isinstance(result, GroupsResult):
        groups = (*result.groups, *result.unbarred)
    elif isinstance(result, Multi2TestResult):
        apart = result.final.better | result.final.better.T
        groups = complete_groups(apart, mean_ranks=result.mean_ranks, algorithms=result.algorithms).groups
        critical_difference = critical_difference or result.critical_difference
    else:
        raise ArgumentError(f"Mean ranks come from a comparison, groups, pairs or an order; got {check.shown(source)}.")
    return ranked(result.mean_ranks, result.algorithms, groups=groups, critical_difference=critical_difference)


def _of_pairs(
    pairs: PairsResult, alpha: float, names: Any, means: Any, groups: Iterable[Iterable[str]], difference: float | None
) -> Ranked:
    """With the critical difference of a test on mean ranks of the same datasets; those alike with a control as one group."""
    test = PAIRWISE.get(pairs.test)
    if not difference and test and test.distance and test.corrects_itself and pairs.n.min() == pairs.n.max():
        from podium.stats.posthoc.critical_difference import critical_difference

        difference = critical_difference(len(pairs.algorithms), int(pairs.n.max()), alpha, test=pairs.test)
    if pairs.control is not None:  # nobody compared the others with each other
        alike = (pair for pair, p in zip(pairs.names, pairs.adjusted, strict=True) if p > alpha)
        groups = [(pairs.control, *itertools.chain(*alike))]
    return ranked(means, names, groups=groups, critical_difference=difference, control=pairs.control)


def order_of(source: OrderSource) -> MultiTestResult:
    """An order by cost with its graph; of two passes the second."""
    order: Any = source.cost_order if isinstance(source, Comparison) else source
    if order is None:
        raise ArgumentError("This comparison has no order by cost: compare with `cost`.")
    result: MultiTestResult = getattr(order, "final", order)
    return result


def trade_off_of(source: Comparison | TradeOff, cost: str | None = None) -> TradeOff:
    """Score against one cost; of a comparison with several the first, or the one of this name."""
    trades = source.trade_offs if isinstance(source, Comparison) else (source,)
    if not trades or not hasattr(trades[0], "cost_name"):
        raise ArgumentError("Costs and gaps come from a comparison with `cost`.")
    names = tuple(trade.cost_name for trade in trades)
    return trades[0 if cost is None else names.index(check.member("cost", cost, names))]


def difference_of(source: Any) -> Quantity:
    """How the differences of a comparison are written; those of bare results stay as they are."""
    return source.difference if isinstance(source, Comparison) else Quantity(label="")
