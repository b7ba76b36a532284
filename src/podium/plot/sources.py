"""What figures take from results: a table of scores, the pairs, mean ranks with groups, an order by cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import as_given, capital, percent
from podium.core.quantity import Quantity
from podium.evidence.table import Table, as_table
from podium.plot.ranked import Ranked, ranked
from podium.stats.pairwise.pair_result import effect_kind, excess
from podium.stats.registry import PAIRWISE

if TYPE_CHECKING:
    import pandas as pd

    from podium.bayes.posterior import PairsPosterior
    from podium.evidence.scores import Scores
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multitest import MultiTestResult
    from podium.stats.pairwise.pair_result import PairResult
    from podium.stats.posthoc.cliques import GroupsResult
    from podium.stats.posthoc.pairs_result import PairsResult

#: What shows scores: anything that is or has a table of datasets by algorithms.
TableSource: TypeAlias = "Comparison | Scores | Table | pd.DataFrame | Floats"
#: What shows pairs.
PairsSource: TypeAlias = "Comparison | PairsResult"
#: What shows mean ranks and who is not told apart.
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
            ("ahead", f"shown to be better, {self.level}"),
            ("behind", f"shown to be worse, {self.level}"),
            ("half", "close decision: p and interval disagree"),
            ("none", "may be chance"),
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
        together = "all at once" if pairs.intervals == "simultaneous" and pairs.n_pairs > 1 else "each alone"
        intervals = f" with {percent(pairs.confidence)} intervals, {together}"
        if np.isinf(pairs.low).all() and np.isinf(pairs.high).all():
            intervals = f": too few data for {percent(pairs.confidence)} intervals"
        return f"{capital(pairs.effect_name)}{intervals}; the adjusted\u00a0p decides. {intervals_of(pairs)}".strip()


def intervals_of(pairs: PairsResult) -> str:
    """Whose intervals they are, where the test that decides has none of its own."""
    test = PAIRWISE.get(pairs.test)
    if test is None or not test.beside:
        return ""
    other, own = (label.replace("The ", "the ", 1) for label in (PAIRWISE[test.beside].label, test.label))
    return f"The differences and intervals are those of {other}, the decisions those of {own}: the two can disagree."


def pairs_view(source: PairsSource, alpha: float = 0.05, rope: float | None = None) -> PairsView:
    """Pairs of a comparison, which has its own level, rope and quantity; or a result on pairs, decided at `alpha`."""
    check.fraction("alpha", alpha)
    if isinstance(source, Comparison):
        pairs, quantity = source.pairs, source.difference
        alpha, rope = source.alpha, rope if rope is not None or source.practical is None else source.facts.rope
    else:
        pairs, quantity = source, Quantity(label=source.metric.name, direction=source.metric.direction)
    relative = effect_kind(pairs.effect_name).relative
    if relative and not isinstance(source, Comparison):
        quantity = quantity.relative()
    return PairsView(
        pairs=pairs,
        alpha=alpha,
        quantity=quantity.finer(excess(pairs.effect_name, pairs.effect).tolist()),
        practical=source.practical if isinstance(source, Comparison) else None,
        band=None if rope is None or relative else (-quantity.factor * rope, quantity.factor * rope),
    )


def ranked_of(source: RankSource, alpha: float, critical_difference: float | None = None) -> Ranked:
    """Mean ranks and groups; `alpha` decides on pairs that have not been decided on."""
    given: Any = source
    names: Any
    means: Any
    control = None
    if isinstance(given, Ranked):
        return given
    if isinstance(given, Comparison):
        names, means = ([getattr(row, key) for row in given.ranking] for key in ("algorithm", "mean_rank"))
        control = given.facts.control
        alike = given.groups if control is None else _with_control(given.pairs, given.alpha)
        critical_difference = critical_difference or _critical_difference(given.pairs, given.alpha)
        return ranked(means, names, groups=alike, critical_difference=critical_difference, control=control)

    from podium.ordering._multi2test import Multi2TestResult
    from podium.stats.posthoc.cliques import GroupsResult, complete_groups
    from podium.stats.posthoc.pairs_result import PairsResult

    if isinstance(given, GroupsResult):
        names, means, alike = given.algorithms, given.mean_ranks, (*given.groups, *given.unbarred)
    elif isinstance(given, Multi2TestResult):
        apart = given.final.better | given.final.better.T
        names, means = given.algorithms, given.mean_ranks
        alike = complete_groups(apart, mean_ranks=means, algorithms=names).groups
        critical_difference = critical_difference or given.critical_difference
    elif isinstance(given, PairsResult):
        names, means, control = given.algorithms, given.mean_ranks, given.control
        alike = complete_groups(given, alpha=alpha).groups if control is None else _with_control(given, alpha)
        critical_difference = critical_difference or _critical_difference(given, alpha)
    else:
        raise ArgumentError(f"Mean ranks come from a comparison, groups, pairs or an order; got {check.shown(source)}.")
    return ranked(means, names, groups=alike, critical_difference=critical_difference, control=control)


def _with_control(pairs: Any, alpha: float) -> tuple[tuple[str, ...], ...]:
    """The control and those that are not told apart from it, as one group; nobody compared the others with each other."""
    alike = [name for names, p in zip(pairs.names, pairs.adjusted, strict=True) if p > alpha for name in names]
    return (tuple(dict.fromkeys((pairs.control, *alike))),)


def _critical_difference(pairs: Any, alpha: float) -> float | None:
    """That of a test which decides by differences of mean ranks on the same datasets."""
    known = PAIRWISE.get(pairs.test)
    if known is None or known.on != "ranks" or not known.corrects_itself or pairs.n.min() < pairs.n.max():
        return None
    from podium.stats.posthoc.critical_difference import critical_difference

    return critical_difference(len(pairs.algorithms), int(pairs.n.max()), alpha, test=pairs.test)


def order_of(source: OrderSource) -> MultiTestResult:
    """An order by cost with its graph; of two passes the second."""
    order: Any = source.cost_order if isinstance(source, Comparison) else source
    if order is None:
        raise ArgumentError("This comparison has no order by cost: compare with `cost`.")
    result: MultiTestResult = getattr(order, "final", order)
    return result


def cost_order_of(source: Multi2TestResult | Comparison) -> Multi2TestResult:
    """An order by cost over many datasets."""
    order: Any = source.cost_order if isinstance(source, Comparison) else source
    if not hasattr(order, "first_errors"):
        raise ArgumentError("Costs and errors come from `multi2test`, or from a comparison with `cost`.")
    result: Multi2TestResult = order
    return result
