"""The pairs of a comparison: run the chosen test, and read its decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core.errors import ArgumentError, DesignError
from podium.core.result import Result
from podium.core.scores import Scores
from podium.core.table import Table
from podium.stats import registry

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Pairs", "decisions", "pairs_of"]

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """The pairwise table, who is ahead in each pair (+1: a, -1: b), and the result behind it."""

    frame: pd.DataFrame
    side: npt.NDArray[np.float64]
    result: Result


def pairs_of(
    scores: Scores, table: Table, *, test: str, correction: str, control: str | None, confidence: float
) -> Pairs:
    """The chosen test for all pairs, or for all against the control."""
    from podium.stats.posthoc.all_pairs import all_pairs
    from podium.stats.posthoc.versus_control import versus_control

    over = registry.PAIRWISE[test].over
    if over == "pool":
        return _by_mean_ranks(table, test, correction, control, confidence)
    data: Any = table
    if over == "folds":
        if len(scores.datasets) != 1:
            raise DesignError(f"The test {test!r} compares folds on one dataset; there are {len(scores.datasets)}.")
        data = scores
    settings: dict[str, Any] = {"test": test, "correction": correction, "confidence": confidence}
    result = all_pairs(data, **settings) if control is None else versus_control(data, control, **settings)
    return Pairs(frame=_counted(result.to_frame()), side=result.side, result=result)


def _by_mean_ranks(table: Table, test: str, correction: str, control: str | None, confidence: float) -> Pairs:
    """A test whose outcome depends on the pool; the sizes of differences beside it look only at the two."""
    known = registry.PAIRWISE[test]
    run = registry.function(known)
    from podium.stats.posthoc.all_pairs import all_pairs
    from podium.stats.posthoc.versus_control import versus_control

    if known.needs_control:
        if control is None:
            raise ArgumentError(f"The test {test!r} compares with a control: name it with `control` (--control).")
        result = run(table, control)
        sizes = versus_control(table, control, correction="none", confidence=confidence).to_frame()
    elif control is not None:
        raise ArgumentError(f"The test {test!r} is for all pairs: leave out `control`, or name 'bonferroni_dunn'.")
    else:
        own = {} if known.corrects_itself else {"correction": correction}
        result = run(table, **own)
        sizes = all_pairs(table, correction="none", confidence=confidence).to_frame()
    tested = {name: getattr(result, name) for name in ("statistic", "pvalue", "adjusted")}
    return Pairs(frame=_counted(sizes.assign(**tested)), side=result.side, result=result)


def _counted(frame: pd.DataFrame) -> pd.DataFrame:
    """The pairwise table with the number of datasets that each pair was compared on."""
    return frame.assign(n=frame["wins"] + frame["ties"] + frame["losses"])


def decisions(pairs: Pairs, table: Table, alpha: float) -> Bools:
    """`[i, j]` is true where i is significantly better than j."""
    first = np.array([table.position(name) for name in pairs.frame["a"]], dtype=np.intp)
    second = np.array([table.position(name) for name in pairs.frame["b"]], dtype=np.intp)
    decided = pairs.frame["adjusted"].to_numpy(dtype=np.float64) <= alpha
    better = np.zeros((table.n_algorithms, table.n_algorithms), dtype=bool)
    for_first, for_second = decided & (pairs.side > 0), decided & (pairs.side < 0)
    better[first[for_first], second[for_first]] = True
    better[second[for_second], first[for_second]] = True
    return better
