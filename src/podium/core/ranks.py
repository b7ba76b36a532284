"""Ranks within datasets: 1 is best, ties share, float noise does not break ties."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats, Indices

SIGNIFICANT_DIGITS = 12
POWERS = np.array([float(f"1e{i}") for i in range(309)])  # each the nearest float, which 10.0**i is not


def settle(values: npt.ArrayLike, *, scale: npt.ArrayLike | None = None) -> Floats:
    """Round to 12 significant digits of `scale` (default: the largest magnitude of each row).

    Averages of the same folds, added in another order, differ in the 16th digit; a rank test must see
    a tie there. For differences, `scale` is the magnitude of what was subtracted, not of the difference.

    >>> a = (0.1 + 0.2 + 0.3) / 3
    >>> b = (0.3 + 0.2 + 0.1) / 3
    >>> a == b, settle([a, b])[0] == settle([a, b])[1]
    (False, np.True_)
    """
    array = np.asarray(values, dtype=np.float64)
    if array.size == 0:
        return array.copy()
    if scale is None:
        magnitude = np.nanmax(np.abs(np.where(np.isnan(array), 0.0, array)), axis=-1, keepdims=True)
    else:
        magnitude = np.abs(np.asarray(scale, dtype=np.float64))
    exponent = np.floor(np.log10(np.maximum(magnitude, 1e-280)))  # below that, units would underflow
    decimals = np.nan_to_num(SIGNIFICANT_DIGITS - 1 - exponent).astype(np.intp)
    up, down = POWERS[np.maximum(decimals, 0)], POWERS[np.maximum(-decimals, 0)]  # whole: 0.3 stays 0.3
    settled: Floats = np.rint(array * up / down) / up * down + 0.0  # + 0.0 turns -0.0 into 0.0
    return settled


def subtract(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """x - y, with the float noise of each two numbers' own magnitude rounded away.

    >>> subtract([0.3, 4e10], [0.1, 4e10]).tolist()
    [0.2, 0.0]
    """
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    return settle(first - second, scale=np.fmax(np.abs(first), np.abs(second)))


def rank_rows(
    values: npt.ArrayLike, *, higher_is_better: bool = True, decimals: int | None = None, dense: bool = False
) -> Floats:
    """Ranks in each row, 1 for the best; ties get their mean rank, missing cells stay nan.

    `decimals` rounds the values first; `dense` numbers distinct values 1, 2, 3, ... (Wainer 2016 ranks
    errors rounded to three digits, densely).

    >>> rank_rows([[0.9, 0.8, 0.9, 0.7]])
    array([[1.5, 3. , 1.5, 4. ]])
    >>> rank_rows([[0.9, 0.8, 0.9, 0.7]], dense=True)
    array([[1., 2., 1., 3.]])
    """
    array = np.atleast_2d(np.asarray(values, dtype=np.float64))
    array = settle(array) if decimals is None else np.round(array, decimals)
    keys = -array if higher_is_better else array
    order = np.argsort(keys, axis=1, kind="stable")  # nan sorts last
    ordered = np.take_along_axis(keys, order, axis=1)
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


def _mean_positions(group: Indices) -> Floats:
    """The mean of the 1-based positions of each group of equal values, row by row."""
    rows, columns = group.shape
    key = (group + columns * np.arange(rows)[:, None]).ravel()
    sizes = np.bincount(key, minlength=rows * columns)
    sums = np.bincount(key, weights=np.tile(np.arange(1.0, columns + 1), rows), minlength=rows * columns)
    positions: Floats = (sums[key] / sizes[key]).reshape(rows, columns)
    return positions


def wins_ties_losses(x: npt.ArrayLike, y: npt.ArrayLike, *, higher_is_better: bool = True) -> tuple[int, int, int]:
    """How often x is better than, equal to, worse than y; pairs with a missing value do not count.

    >>> wins_ties_losses([3, 2, 1], [1, 2, 3])
    (1, 1, 1)
    """
    difference = subtract(x, y) if higher_is_better else subtract(y, x)
    return int((difference > 0).sum()), int((difference == 0).sum()), int((difference < 0).sum())
