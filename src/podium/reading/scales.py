"""Percents among shares: 71.8 among 0.65 and 0.73 is a slip, 0.8 among 12 and 99.2 may be a small percentage.

What lies above 1 is in percent, or the score is wrong. Scores from 0 to 1 beside it are asked about where a gap parts the
two, so that they are hardly percents; the option `percent` says that they are.
"""

from __future__ import annotations

import pandas as pd

from podium.core.errors import DataError
from podium.core.metric import bounds_of, is_cost
from podium.core.names import shown
from podium.core.numbers import as_given

GAP = 10  # times as large as the largest share, and nothing between
ALIKE = 1.5  # times as large as the smallest: scores of one row that agree
FEW = 4  # times as many shares: what lies above 1 among them is a slip, whatever its size
FEWEST = 3  # scores that show on which scale they are
_CURE = "bring all to the same scale (percent or shares), or give {percent} if all are in percent."


def check_scales(frame: pd.DataFrame) -> None:
    """Ask about scores of one metric that seem to be in percent in one place and shares in another."""
    for metric, scores in frame[frame["value"] > 0].groupby("metric", observed=True):
        small, large = scores[scores["value"] <= 1], scores[scores["value"] > 1]
        bounds = bounds_of(str(metric))
        if not len(small) or not len(large) or is_cost(str(metric)):
            continue
        if bounds is not None and bounds[1] == 100:
            _check_algorithms(scores, str(metric))
            _check_table(small, large, str(metric))
            _check_rows(small, large, str(metric))
        elif large["value"].max() <= 100 and _hundredfold(scores):
            _check_algorithms(scores, str(metric))


def _by_algorithm(scores: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The algorithms whose scores are all shares, and those whose scores are all above 1."""
    ends = scores.groupby("algorithm", observed=True)["value"].agg(["min", "max", "size"])
    return ends[ends["max"] <= 1], ends[ends["min"] > 1]


def _check_algorithms(scores: pd.DataFrame, metric: str) -> None:
    """One algorithm from 0 to 1 beside another in percent."""
    small, large = _by_algorithm(scores)
    if len(small) and len(large) and small["size"].iloc[0] >= FEWEST:
        raise DataError(
            f"The {metric} of {shown(str(small.index[0]))} lies between 0 and 1, that of {shown(str(large.index[0]))} "
            f"above 1: {_CURE}"
        )


def _hundredfold(scores: pd.DataFrame) -> bool:
    """Whether some algorithms have about 100 times the scores of the others, on every dataset.

    This is what tells percents from shares where the range of a metric is not known.
    """
    small, large = _by_algorithm(scores)
    if len(small) + len(large) < scores["algorithm"].nunique():
        return False
    low, high = (
        scores[scores["algorithm"].isin(part.index)].groupby("dataset", observed=True)["value"].mean()
        for part in (small, large)
    )
    times = (high / low).dropna()
    return len(times) >= FEWEST and bool(times.between(50, 200).all())


def _check_table(small: pd.DataFrame, large: pd.DataFrame, metric: str) -> None:
    """A few scores above 1 among shares; a gap between the shares and the percents of the whole table."""
    if FEW * len(large) <= len(small):
        raise _odd(large.iloc[0], metric, "most other scores lie between 0 and 1")
    if large["value"].min() >= GAP * small["value"].max():
        if len(small) < len(large):
            raise _odd(small.iloc[0], metric, "most other scores lie above 1")
        raise _odd(large.iloc[0], metric, "most other scores lie between 0 and 1")


def _check_rows(small: pd.DataFrame, large: pd.DataFrame, metric: str) -> None:
    """A single score on the other scale than those of all other algorithms in its row, among which it would be usual."""
    row = ["dataset", "repeat", "fold"]
    for odd, others, times in ((small, large, 100), (large, small, 0.01)):
        rest = others.groupby(row, observed=True)["value"].agg(["min", "max", "size"]).reset_index()
        rest = rest[(rest["size"] >= FEWEST) & (rest["max"] <= ALIKE * rest["min"])]
        lonely = odd[~odd.duplicated(row, keep=False)]
        beside = lonely.merge(rest, on=row)
        usual = (times * beside["value"]).between(beside["min"] / ALIKE, beside["max"] * ALIKE)
        if usual.any():
            at = beside[usual].iloc[0]
            raise _odd(at, metric, f"the others have {as_given(at['min'])} to {as_given(at['max'])} there")


def _odd(at: pd.Series, metric: str, others: str) -> DataError:
    return DataError(
        f"{shown(str(at['algorithm']))} has {metric} = {as_given(at['value'])} on {shown(str(at['dataset']))}, and {others}: {_CURE}"
    )
