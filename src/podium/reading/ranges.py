"""Values that their metric cannot have, folds that may be repeats, and percents among shares.

71.8 among 0.65 and 0.73 is a slip, 0.8 among 12 and 99.2 may be a small percentage. What lies above 1 is in percent, or the score is
wrong. Scores from 0 to 1 beside it are asked about where a gap parts the two, so that they are hardly percents; the option `percent`
says that they are.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.core.errors import ArgumentError, DataError
from podium.core.metric import bounds_of, is_cost
from podium.core.names import shown
from podium.core.numbers import as_given
from podium.reading.block import Block
from podium.reading.cells import odd_percent
from podium.reading.options import ReadOptions
from podium.reading.question import Question

MOST_FOLDS = 10  # of one cross-validation, without asking: more may be repeats of fewer


def settle_folds(frame: pd.DataFrame, options: ReadOptions, *, ask: bool = True) -> pd.DataFrame:
    """Many folds and no repeat may be 10 times 10 folds, with another share of test cases: asked for where it matters, and cut."""
    folds = np.sort(frame["fold"].unique()) if np.ptp(frame["fold"]) else frame["fold"].to_numpy()[:1]
    n, one_repeat = len(folds), not np.ptp(frame["repeat"])
    if options.repeats is None:
        if ask and one_repeat and n > MOST_FOLDS and options.test_fraction is None:
            raise Question(
                f"There are {n} folds and no repeats: is it one cross-validation of {n} folds, or several of fewer? Give "
                f"{{repeats}} (1, or {_likely(n)}), or {{test_fraction}} if it was no cross-validation.",
                *(
                    {"repeats": times}
                    for times in dict.fromkeys((*(n // k for k in (10, 5) if n % k == 0 and n > k), 1))
                ),
            )
        return frame
    if one_repeat and options.repeats > 1:
        if n % options.repeats:
            raise ArgumentError(f"{n} folds cannot be cut into {options.repeats} equal {{repeats}}.")
        each, place = n // options.repeats, np.searchsorted(folds, frame["fold"].to_numpy())
        return frame.assign(repeat=(place // each).astype(np.int64), fold=(place % each).astype(np.int64))
    repeats = frame["repeat"].nunique()
    if repeats != options.repeats:
        raise ArgumentError(
            f"The scores have {repeats} repeats, and {{argument}} says {options.repeats}: leave it out.",
            argument="repeats",
        )
    return frame


def _likely(n: int) -> str:
    """How n folds are most often made, as a hint."""
    times = [n // k for k in (10, 5, 2) if n % k == 0 and n > k]
    return f"{times[0]} for {times[0]} times {n // times[0]}" if times else "how many times it was repeated"


def check_percent_signs(blocks: list[Block]) -> None:
    """Refuse a metric with percent signs in one table or file and without them in another."""
    first: dict[str, Block] = {}
    for block in blocks:
        if np.isnan(block.value).all():
            continue
        other = first.setdefault(block.metric[0], block)
        if other.percent != block.percent:
            raise odd_percent(block.first(), signed=block.percent)


def check_ranges(frame: pd.DataFrame) -> None:
    """Refuse values that their metric cannot have."""
    values = frame["value"].to_numpy()
    codes = frame["metric"].cat.codes.to_numpy()
    for code, metric in enumerate(frame["metric"].cat.categories):
        bounds = bounds_of(str(metric))
        if bounds is None:
            continue
        wrong = np.flatnonzero((codes == code) & ((values < bounds[0]) | (values > bounds[1])))
        if len(wrong):
            raise _impossible(frame, int(wrong[0]), str(metric), bounds)


def _impossible(frame: pd.DataFrame, row: int, metric: str, bounds: tuple[float, float]) -> DataError:
    at = frame.iloc[row]
    low, high = bounds
    if np.isinf(high):
        range_ = f"from {as_given(low)} on"
    elif np.isinf(low):
        range_ = f"at most at 1, or at {as_given(high)} in percent"
    else:
        range_ = f"from {as_given(low / 100)} to 1, or from {as_given(low)} to {as_given(high)} in percent"
    return DataError(
        f"{shown(str(at['algorithm']))} has {metric} = {as_given(at['value'])} on {shown(str(at['dataset']))}, and {metric} lies "
        f"{range_}: correct the cell, leave out what is not a score with {{ignore_column}}, or say what it measures with "
        f"{{metric}} (a name of your own and {{direction}})."
    )


# Percents among shares.

GAP = 10  # times as large as the largest share, and nothing between
ALIKE = 1.5  # times as large as the smallest: scores of one row that agree
FEW = 4  # times as many shares: what lies above 1 among them is a slip, whatever its size
FEWEST = 3  # scores that show on which scale they are
_CURE = "bring all to the same scale (percent or shares), or give {percent} if all are in percent."


def check_scales(frame: pd.DataFrame) -> None:
    """Ask about scores of one metric that seem to be in percent in one place and shares in another."""
    values, codes = frame["value"].to_numpy(), frame["metric"].cat.codes.to_numpy()
    for code, metric in enumerate(frame["metric"].cat.categories):
        own = (codes == code) & (values > 0)
        if is_cost(str(metric)) or not (own & (values <= 1)).any() or not (own & (values > 1)).any():
            continue
        scores = frame[own]
        small, large = scores[scores["value"] <= 1], scores[scores["value"] > 1]
        bounds = bounds_of(str(metric))
        if bounds is not None and bounds[1] == 100:
            _check_ends(scores, str(metric))
            _check_table(small, large, str(metric))
            _check_rows(small, large, str(metric))
        elif large["value"].max() <= 100:
            for side in ("algorithm", "dataset"):
                if _hundredfold(scores, side):
                    _check_ends(scores, str(metric), side)


def _ends(scores: pd.DataFrame, side: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The algorithms (or datasets) whose scores are all shares, and those whose scores are all above 1."""
    ends = scores.groupby(side, observed=True)["value"].agg(["min", "max", "size"])
    return ends[ends["max"] <= 1], ends[ends["min"] > 1]


def _check_ends(scores: pd.DataFrame, metric: str, side: str = "algorithm") -> None:
    """One algorithm (or dataset) from 0 to 1 beside another in percent."""
    small, large = _ends(scores, side)
    if len(small) and len(large) and (small["size"].iloc[0] >= FEWEST or side == "dataset"):
        of = "of" if side == "algorithm" else "on"
        raise DataError(
            f"The {metric} {of} {shown(str(small.index[0]))} lies between 0 and 1, that of {shown(str(large.index[0]))} "
            f"above 1: {_CURE}"
        )


def _hundredfold(scores: pd.DataFrame, side: str) -> bool:
    """Whether some algorithms have about 100 times the scores of the others, on every dataset; or some datasets, of every algorithm.

    This is what tells percents from shares where the range of a metric is not known.
    """
    small, large = _ends(scores, side)
    if len(small) + len(large) < scores[side].nunique() or len(scores) < FEWEST * FEWEST:
        return False
    each = "dataset" if side == "algorithm" else "algorithm"
    low, high = (
        scores[scores[side].isin(part.index)].groupby(each, observed=True)["value"].mean() for part in (small, large)
    )
    times = (high / low).dropna()
    fewest = FEWEST if side == "algorithm" else 2
    return len(times) >= fewest and bool(times.between(50, 200).all())


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
