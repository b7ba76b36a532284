"""The pairs of a comparison: run the chosen test, and read its decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core.errors import DesignError
from podium.core.result import Result
from podium.core.scores import Scores
from podium.core.table import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FOLD_TESTS", "MEAN_RANK_TESTS", "counted", "decisions", "pairs_of"]

Bools = npt.NDArray[np.bool_]

FOLD_TESTS = ("cv52_f", "cv52_t", "corrected_t", "kfold_t")
MEAN_RANK_TESTS = ("nemenyi", "mean_ranks", "conover", "tukey", "bonferroni_dunn", "dunnett")


def pairs_of(
    scores: Scores, table: Table, *, test: str, correction: str, control: str | None, confidence: float
) -> Result:
    """The result of the chosen test for all pairs, or for all against the control."""
    from podium.stats.posthoc.all_pairs import all_pairs
    from podium.stats.posthoc.versus_control import versus_control

    data: Any = table
    if test in FOLD_TESTS:
        if len(scores.datasets) != 1:
            raise DesignError(f"The test {test!r} compares folds on one dataset; there are {len(scores.datasets)}.")
        data = scores
    settings: dict[str, Any] = {"test": test, "correction": correction, "confidence": confidence}
    if control is not None:
        return versus_control(data, control, **settings)
    return all_pairs(data, **settings)


def counted(frame: pd.DataFrame) -> pd.DataFrame:
    """The pairwise table with the number of datasets that each pair was compared on."""
    return frame.assign(n=frame["wins"] + frame["ties"] + frame["losses"])


def decisions(frame: pd.DataFrame, table: Table, alpha: float) -> Bools:
    """`[i, j]` is true where i is significantly better than j; whose win it is, the sign of the effect says."""
    place = {name: column for column, name in enumerate(table.algorithms)}
    better = np.zeros((table.n_algorithms, table.n_algorithms), dtype=bool)
    first = frame["a"].map(place).to_numpy(dtype=np.intp)
    second = frame["b"].map(place).to_numpy(dtype=np.intp)
    effect = table.metric.sign * frame["effect"].to_numpy(dtype=np.float64)
    won = frame["wins"].to_numpy() - frame["losses"].to_numpy()
    side = np.where(effect != 0, np.sign(effect), np.sign(won))
    decided = frame["adjusted"].to_numpy(dtype=np.float64) <= alpha
    better[first[decided & (side > 0)], second[decided & (side > 0)]] = True
    better[second[decided & (side < 0)], first[decided & (side < 0)]] = True
    return better
