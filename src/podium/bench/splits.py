"""Splits: stratified, seeded by dataset and repeat, never by algorithm, so that all scores are paired."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from podium.core import check

__all__ = ["Split", "stratified_folds", "stratified_sample"]

Index = npt.NDArray[np.intp]


class Split(NamedTuple):
    """The cases to train on and the cases to test on."""

    train: Index
    test: Index


def stratified_folds(y: npt.ArrayLike, folds: int, rng: np.random.Generator) -> Index:
    """The fold of every case: each class is dealt out in turn, and the next class goes on where it ended.

    Sizes of folds differ by at most one, in all and within each class.

    >>> stratified_folds([0] * 4 + [1] * 4, 2, np.random.default_rng(0)).tolist().count(0)
    4
    """
    labels = np.asarray(y)
    check.count("folds", folds, at_least=2, at_most=len(labels))
    fold = np.empty(len(labels), dtype=np.intp)
    dealt = 0
    for label in np.unique(labels):
        cases = rng.permutation(np.flatnonzero(labels == label))
        fold[cases] = (dealt + np.arange(len(cases))) % folds
        dealt += len(cases)
    return fold


def stratified_sample(y: npt.ArrayLike, size: int, rng: np.random.Generator) -> Index:
    """So many cases with the proportions of the classes kept (largest remainders), in rising order.

    A class that has cases keeps at least one where the size allows.

    >>> np.bincount(np.array([0] * 90 + [1] * 10)[stratified_sample([0] * 90 + [1] * 10, 20, np.random.default_rng(0))])
    array([18,  2])
    """
    labels = np.asarray(y)
    check.count("size", size, at_least=0, at_most=len(labels))
    names, place = np.unique(labels, return_inverse=True)
    there = np.bincount(place, minlength=len(names))
    exact = there * (size / len(labels))
    quota = np.floor(exact).astype(np.intp)
    if size >= len(names):
        quota = np.maximum(quota, 1)
    while quota.sum() > size:
        quota[int(np.argmax(quota - exact))] -= 1
    while quota.sum() < size:
        quota[int(np.argmax(np.where(quota < there, exact - quota, -np.inf)))] += 1
    chosen = [rng.permutation(np.flatnonzero(place == i))[:n] for i, n in enumerate(quota)]
    return np.sort(np.concatenate(chosen))
