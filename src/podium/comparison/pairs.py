"""The pairs of a comparison: run the chosen test, and sign effects so that above 0 speaks for the first."""

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

__all__ = ["FOLD_TESTS", "MEAN_RANK_TESTS", "decisions", "gains_frame", "pairs_of"]

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


def gains_frame(frame: pd.DataFrame, table: Table) -> pd.DataFrame:
    """The pairwise table with effects signed so that above 0 speaks for a, and the number of datasets used."""
    signed = frame.copy()
    if not table.metric.higher_is_better:
        signed["effect"] = -frame["effect"]
        signed["low"], signed["high"] = -frame["high"], -frame["low"]
    signed["n"] = signed["wins"] + signed["ties"] + signed["losses"]
    return signed


def decisions(frame: pd.DataFrame, algorithms: tuple[str, ...], alpha: float) -> Bools:
    """`[i, j]` is true where i is significantly better than j; whose win it is, the sign of the effect says."""
    place = {name: column for column, name in enumerate(algorithms)}
    better = np.zeros((len(algorithms), len(algorithms)), dtype=bool)
    first = frame["a"].map(place).to_numpy(dtype=np.intp)
    second = frame["b"].map(place).to_numpy(dtype=np.intp)
    effect = frame["effect"].to_numpy(dtype=np.float64)
    won = frame["wins"].to_numpy() - frame["losses"].to_numpy()
    side = np.where(effect != 0, np.sign(effect), np.sign(won))
    decided = frame["adjusted"].to_numpy(dtype=np.float64) <= alpha
    better[first[decided & (side > 0)], second[decided & (side > 0)]] = True
    better[second[decided & (side < 0)], first[decided & (side < 0)]] = True
    return better
