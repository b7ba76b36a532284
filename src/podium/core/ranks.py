"""Ties, differences and ranks: 1 is best, ties share, float noise does not break ties.

The rule of ties, everywhere: two scores tie when they differ by at most 5e-13 of the larger of the two, so that any two
numbers of 12 significant digits that differ stay apart. Nothing is decided relative to a third number. Two differences
tie when their sizes differ by at most 5e-13 of the largest of the four scores that they come from. In order of size,
neighbours share a tie while each two of them tie, from the largest down: a chain of them cannot drift.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Bools, Floats, Indices

TIE = 5e-13  # of the larger of two: they agree to 12 digits
CLEAN_DIGITS = 14  # to which differences are rounded: finer than any tie, coarser than float noise
MOST_STEPS = 1e11  # of a grid: its step is far above the tie of the largest score then
POWERS = np.array([float(f"1e{i}") for i in range(309)])  # each the nearest float, which 10.0**i is not


def settle(values: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Floats:
    """The same numbers, with those that tie in size made equal in size, row by row (the last axis).

    `scale` is the magnitude that says how precise each number is: its own, or that of the scores of which it is the
    difference. A tie takes the value of its most precise member. Zero ties with zero alone.

    Averages of the same folds, added in another order, differ in the 16th digit; a rank test must see a tie there.

    >>> a = (0.1 + 0.2 + 0.3) / 3
    >>> b = (0.3 + 0.2 + 0.1) / 3
    >>> a == b, settle([a, b])[0] == settle([a, b])[1]
    (False, np.True_)
    """
    array = np.array(values, dtype=np.float64) + 0.0  # + 0.0 turns -0.0 into 0.0
    if array.size == 0 or array.ndim == 0:
        return array
    rows = array.reshape(-1, array.shape[-1])
    slack = TIE * np.abs(rows if scale is None else np.broadcast_to(scale, array.shape).reshape(rows.shape))
    doubtful = np.flatnonzero(_may_tie(np.abs(rows), slack))
    some, slack = np.abs(rows[doubtful]), slack[doubtful]
    order = np.argsort(some, axis=1, kind="stable")  # nan sorts last
    sizes, slack = np.take_along_axis(some, order, axis=1), np.take_along_axis(slack, order, axis=1)
    near = _near(sizes, slack)
    for i in np.flatnonzero((near & (sizes[:, 1:] != sizes[:, :-1])).any(axis=1)).tolist():
        row, equal = doubtful[i], _made_equal(sizes[i], slack[i], near[i])
        rows[row, order[i]] = np.copysign(equal, rows[row, order[i]])
    return array


def _may_tie(sizes: Floats, slack: Floats) -> Bools:
    """Rows in which two sizes that differ could tie, were each as imprecise as the least precise one.

    Most rows have none, and to sort them takes far less time than to find their order.
    """
    ascending = np.sort(sizes, axis=1)
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf
        gaps = ascending[:, 1:] - ascending[:, :-1]
        return np.asarray(((gaps > 0) & (gaps <= np.fmax.reduce(slack, axis=1)[:, None])).any(axis=1))


def _near(sizes: Floats, slack: Floats) -> Bools:
    """Whether neighbours of ascending sizes tie; zeros, infinite and missing ones are left alone."""
    low, high = sizes[:, :-1], sizes[:, 1:]
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf
        return np.asarray((high - low <= np.maximum(slack[:, :-1], slack[:, 1:])) & (low > 0) & np.isfinite(high))


def _made_equal(sizes: Floats, slack: Floats, near: Bools) -> Floats:
    """Ascending sizes of one row, each tie with the size of its most precise member."""
    equal = sizes.copy()
    edges = np.flatnonzero(~near) + 1
    for first, last in zip([0, *edges.tolist()], [*edges.tolist(), len(sizes)], strict=True):
        if last - first > 1 and sizes[last - 1] != sizes[first]:
            for start, stop in _ties(sizes, slack, first, last):
                equal[start:stop] = sizes[start + int(np.argmin(slack[start:stop]))]
    return equal


def _ties(sizes: Floats, slack: Floats, first: int, last: int) -> Iterator[tuple[int, int]]:
    """A run of neighbours cut into ties in which each two members tie, from the largest down."""
    if sizes[last - 1] - sizes[first] <= slack[first:last].min():
        yield first, last
        return
    stop = last
    for start in range(last - 1, first - 1, -1):
        others = slice(start, stop)
        if (sizes[others] - sizes[start] > np.maximum(slack[others], slack[start])).any():
            yield start + 1, stop
            stop = start + 1
    yield first, stop


def units_of(values: Floats) -> Floats:
    """How many units of its 14th significant digit make one, of each number; a power of ten, and 1 where that is missing."""
    exponent = np.floor(np.log10(np.maximum(np.abs(values), 1e-280)))  # below that, units would underflow
    decimals = np.nan_to_num(CLEAN_DIGITS - 1 - exponent).astype(np.intp)
    return np.asarray(POWERS[np.maximum(decimals, 0)] / POWERS[np.maximum(-decimals, 0)])


def subtract(x: npt.ArrayLike, y: npt.ArrayLike, *, units: tuple[Floats, Floats] | None = None) -> Floats:
    """x - y, cell by cell: 0 where the two tie, and float noise of their own magnitude rounded away.

    `units` of both save time where they are known.

    >>> subtract([0.3, 4e10], [0.1, 4e10]).tolist()
    [0.2, 0.0]
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    scale, difference = np.fmax(np.abs(first), np.abs(second)), first - second
    per_one = np.minimum(*units) if units else units_of(scale)
    cleaned: Floats = np.rint(difference * per_one) / per_one  # whole: 0.3 stays 0.3
    if per_one.min(initial=1.0) < 1.0:
        large = 1.0 / per_one
        cleaned = np.where(per_one < 1.0, np.rint(difference / large) * large, cleaned)
    np.copyto(cleaned, 0.0, where=np.abs(difference) <= TIE * scale)
    return cleaned


def differences(x: npt.ArrayLike, y: npt.ArrayLike, *, units: tuple[Floats, Floats] | None = None) -> Floats:
    """x - y of rows of paired scores, as rank tests need them: differences that tie are equal in size (the last axis).

    >>> tenths = differences([0.9, 0.4], [0.8, 0.3])
    >>> bool(tenths[0] == tenths[1]), 0.9 - 0.8 == 0.4 - 0.3
    (True, False)
    """
    return settle(subtract(x, y, units=units), scale=np.fmax(np.abs(x), np.abs(y)))


def mean(values: Floats) -> Floats:
    """The means of rows (the last axis); 0 where numbers cancel out but for float noise, so that noise decides nothing.

    >>> mean(np.array([0.1, 0.2, -0.3])).tolist(), bool(np.mean([0.1, 0.2, -0.3]) == 0)
    (0.0, False)
    """
    means = values.mean(axis=-1)
    return np.asarray(np.where(np.abs(means) <= TIE * np.abs(values).max(axis=-1), 0.0, means))


def grid(values: Floats) -> float:
    """The power of ten of which all numbers are whole numbers over (10,000 for four decimals); 0 if there is none.

    Differences on such a grid are whole numbers of its step: they are exact, and no two of them are nearly equal.
    """
    present = values[~np.isnan(values)]
    largest = float(np.abs(present).max(initial=0.0))
    for per_one in POWERS[:10].tolist():
        if largest * per_one >= MOST_STEPS:
            return 0.0
        if np.array_equal(np.rint(present * per_one) / per_one, present):
            return float(per_one)
    return 0.0


def rank_rows(
    values: npt.ArrayLike, *, higher_is_better: bool = True, decimals: int | None = None, dense: bool = False
) -> Floats:
    """Ranks in each row, 1 for the best; ties get their mean rank, missing cells stay nan.

    Parameters
    ----------
    values : array-like of shape (n_rows, n_columns)
        The scores.
    higher_is_better : bool, default True
        Whether the highest value has rank 1.
    decimals : int, optional
        Round the values first (Wainer 2016 ranks errors rounded to three digits, densely).
    dense : bool, default False
        Number distinct values 1, 2, 3, ... without gaps.

    Returns
    -------
    array of float
        The ranks.

    Examples
    --------
    >>> rank_rows([[0.9, 0.8, 0.9, 0.7]])
    array([[1.5, 3. , 1.5, 4. ]])
    >>> rank_rows([[0.9, 0.8, 0.9, 0.7]], dense=True)
    array([[1., 2., 1., 3.]])
    """
    array = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if decimals is not None:
        array = np.round(array, decimals)
    keys = -array if higher_is_better else array
    order, ordered = _sorted(keys)
    if decimals is None and _nearly_equal(ordered):
        order, ordered = _sorted(settle(keys))
    starts = np.ones(ordered.shape, dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    group = np.cumsum(starts, axis=1) - 1
    if dense:
        ranked = group + 1.0
    else:
        ranked = _mean_positions(group)
    ranks = np.empty_like(array)
    np.put_along_axis(ranks, order, ranked, axis=1)
    ranks[np.isnan(array)] = np.nan
    return ranks


def _sorted(keys: Floats) -> tuple[Indices, Floats]:
    order = np.argsort(keys, axis=1, kind="stable")  # nan sorts last
    return order, np.take_along_axis(keys, order, axis=1)


def _nearly_equal(ordered: Floats) -> bool:
    """Whether neighbours tie somewhere that are not equal."""
    low, high = ordered[:, :-1], ordered[:, 1:]
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf
        gap = high - low
        return bool(((gap <= TIE * np.maximum(np.abs(low), np.abs(high))) & (gap > 0)).any())


def rescale_ranks(ranks: Floats) -> Floats:
    """Ranks within rows that have holes, brought to the same scale: the rank expected among all k algorithms.

    Rank r of the k_i that a row has becomes r (k + 1) / (k_i + 1): its expectation if the missing ones could stand
    anywhere. As in the test of Skillings and Mack, each row ranks what it has, its ranks are centred at (k + 1) / 2, and a
    row with a single score says nothing (nan).

    >>> rescale_ranks(np.array([[1.0, 2.0, 3.0], [1.0, np.nan, 2.0], [np.nan, 1.0, np.nan]])).round(2).tolist()
    [[1.0, 2.0, 3.0], [1.33, nan, 2.67], [nan, nan, nan]]
    """
    k = ranks.shape[-1]
    count = (~np.isnan(ranks)).sum(axis=-1, keepdims=True)
    return np.asarray(np.where(count == k, ranks, np.where(count > 1, ranks * (k + 1) / (count + 1), np.nan)))


def common_rows(values: Floats) -> Bools:
    """The rows over which columns have their means: those without holes, if these are at least half of all; else every row.

    Means over the same rows can be compared; where few rows are whole, too much would be thrown away.

    >>> common_rows(np.array([[1.0, 2.0], [3.0, np.nan]])).tolist(), common_rows(np.array([[1.0, np.nan]])).tolist()
    ([True, False], [True])
    """
    whole: Bools = np.asarray(~np.isnan(values).any(axis=1))
    return whole if 2 * whole.sum() >= len(whole) else np.ones_like(whole)


def mean_ranks(ranks: Floats) -> Floats:
    """The mean rank of each column over the `common_rows`; where these have holes, over those that it has, on the scale of
    `rescale_ranks`."""
    scaled = rescale_ranks(ranks[common_rows(ranks)])
    present = ~np.isnan(scaled)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(present, scaled, 0.0).sum(axis=0) / present.sum(axis=0))


def _mean_positions(group: Indices) -> Floats:
    """The mean of the 1-based positions of each group of equal values, row by row."""
    rows, columns = group.shape
    key = (group + columns * np.arange(rows)[:, None]).ravel()
    sizes = np.bincount(key, minlength=rows * columns)
    sums = np.bincount(key, weights=np.tile(np.arange(1.0, columns + 1), rows), minlength=rows * columns)
    return np.asarray((sums[key] / sizes[key]).reshape(rows, columns))
