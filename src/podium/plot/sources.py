"""What figures take from results: a table of scores, the pairs, mean ranks with groups, an order by cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.quantity import Quantity
from podium.evidence.table import Table, as_table
from podium.plot.ranked import Ranked, ranked
from podium.stats.pairwise.pair_result import excess
from podium.stats.registry import PAIRWISE

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.scores import Scores
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multitest import MultiTestResult
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


def difference_of(source: PairsSource) -> Quantity:
    """How the differences of pairs are written: those of a comparison as everywhere in it, others as they are."""
    if isinstance(source, Comparison):
        return source.difference
    return Quantity(label=source.metric.name, direction=source.metric.direction)


def written_effects(source: PairsSource, effects: npt.ArrayLike) -> Floats:
    """Effects of pairs as they are written; the ratios of a bare result stay ratios."""
    if not isinstance(source, Comparison):
        return np.asarray(effects, dtype=np.float64)
    return source.difference.written(excess(source.pairs.effect_name, effects))


def pairs_of(source: PairsSource) -> pd.DataFrame:
    """One row per pair: a, b, effect, low, high, adjusted, wins, ties, losses, ..."""
    pairs: Any = source.pairs if isinstance(source, Comparison) else source
    frame: pd.DataFrame = pairs.to_frame() if hasattr(pairs, "to_frame") else pairs
    return frame


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
    """That of a test which decides by differences of mean ranks."""
    from podium.stats.posthoc.critical_difference import critical_difference

    known = PAIRWISE.get(pairs.test)
    if known is None or known.on != "ranks" or not known.corrects_itself:
        return None
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
