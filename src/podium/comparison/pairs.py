"""The pairs of a comparison: run the chosen test, and read its decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core.errors import DesignError
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

    known = registry.PAIRWISE[test]
    data: Any = table
    if known.over == "folds":
        if len(scores.datasets) != 1:
            raise DesignError(f"The test {test!r} compares folds on one dataset; there are {len(scores.datasets)}.")
        data = scores
    named = None if known.corrects_itself else correction
    result = all_pairs(data, test=test, correction=named, control=control, confidence=confidence)
    return Pairs(frame=result.to_frame().drop(columns="side"), side=result.side, result=result)


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
