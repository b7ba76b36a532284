"""Compiled loops of the exact Friedman law: sums of independently permuted rows, kept as sorted vectors."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.compiled import njit

EMPTY = np.int64(-1)


@njit(cache=True)
def _place(keys: Ints, key: np.int64) -> np.int64:
    """The slot of a key in an open hash table of a power-of-two size."""
    mask = keys.size - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(mixed >> np.uint64(20)) & mask
    while keys[slot] != EMPTY and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@njit(cache=True)
def _grown(keys: Ints, weights: Floats) -> tuple[Ints, Floats]:
    bigger_keys = np.full(keys.size * 4, EMPTY)
    bigger_weights = np.zeros(keys.size * 4)
    for old in range(keys.size):
        if keys[old] != EMPTY:
            slot = _place(bigger_keys, keys[old])
            bigger_keys[slot] = keys[old]
            bigger_weights[slot] = weights[old]
    return bigger_keys, bigger_weights


@njit(cache=True)
def add_row(sums: Ints, chances: Floats, orders: Ints, bits: int) -> tuple[Ints, Floats]:
    """The law of the sorted column sums after one more row, all of whose orders are equally likely.

    Before and after, the columns are exchangeable, so that sorted vectors carry the whole law.
    """
    k = sums.shape[1]
    total = sums[0].sum() + orders[0].sum()
    keys = np.full(1024, EMPTY)
    weights = np.zeros(1024)
    used = 0
    row = np.empty(k, np.int64)
    for state in range(sums.shape[0]):
        share = chances[state] / orders.shape[0]
        for order in range(orders.shape[0]):
            for j in range(k):  # insertion sort of the new sums
                value = sums[state, j] + orders[order, j]
                i = j
                while i > 0 and row[i - 1] > value:
                    row[i] = row[i - 1]
                    i -= 1
                row[i] = value
            key = np.int64(0)
            for j in range(k - 1):  # the last sum follows from the total
                key = (key << bits) | row[j]
            slot = _place(keys, key)
            if keys[slot] == EMPTY:
                keys[slot] = key
                used += 1
            weights[slot] += share
            if 2 * used > keys.size:
                keys, weights = _grown(keys, weights)
    new_sums = np.empty((used, k), np.int64)
    new_chances = np.empty(used)
    filled = 0
    for place in range(keys.size):
        if keys[place] == EMPTY:
            continue
        packed = keys[place]
        left = total
        for j in range(k - 2, -1, -1):
            new_sums[filled, j] = packed & ((1 << bits) - 1)
            left -= new_sums[filled, j]
            packed >>= bits
        new_sums[filled, k - 1] = left
        new_chances[filled] = weights[place]
        filled += 1
    return new_sums, new_chances
