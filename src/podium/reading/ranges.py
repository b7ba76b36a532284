"""Is a whole table plausible? Folds that may be repeats of folds, and values that their metric cannot have."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.core.errors import ArgumentError, DataError
from podium.core.metric import bounds_of
from podium.core.names import shown
from podium.core.numbers import as_given
from podium.reading.block import Block
from podium.reading.cells import odd_percent
from podium.reading.options import ReadOptions
from podium.reading.question import Question

MOST_FOLDS = 10  # of one cross-validation, without asking: more may be repeats of fewer


def settle_folds(frame: pd.DataFrame, options: ReadOptions, *, ask: bool = True) -> pd.DataFrame:
    """Many folds and no repeat may be 10 times 10 folds, with another share of test cases: asked for where it matters, and cut."""
    folds, place = np.unique(frame["fold"].to_numpy(), return_inverse=True)
    n, one_repeat = len(folds), frame["repeat"].nunique() == 1
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
        each = n // options.repeats
        return frame.assign(repeat=(place // each).astype(np.int64), fold=(place % each).astype(np.int64))
    found = frame["repeat"].nunique()
    if found != options.repeats:
        raise ArgumentError(
            f"The scores have {found} repeats, and {{argument}} says {options.repeats}: leave it out.",
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
        rows = np.flatnonzero((codes == code) & ~np.isnan(values))
        wrong = rows[(values[rows] < bounds[0]) | (values[rows] > bounds[1])]
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
