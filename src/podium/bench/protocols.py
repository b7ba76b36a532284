"""Protocols: how the cases of a dataset become training and test parts.

| kind         | repeats x folds | what it is                                                                   |
|--------------|-----------------|------------------------------------------------------------------------------|
| `wainer`     | 1 x 2           | stratified halves: train on one, test on the other, and back                 |
| `ulas`       | 5 x 2           | one third put aside, five times two-fold cross-validation on the rest        |
| `cv`         | 10 x 10         | repeated stratified cross-validation                                         |
| `holdout`    | 1 x 1           | a stratified test part of `test_fraction`, repeated if asked                 |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.bench.seeds import generator_of
from podium.bench.splits import Split, stratified_folds, stratified_sample

__all__ = ["DEFAULTS", "KINDS", "SEARCHES", "Protocol", "inner_folds", "make_split"]

KINDS = ("wainer", "ulas", "cv", "holdout")
SEARCHES = ("nested", "flat", "none")

# What each kind of protocol means unless the suite says otherwise.
DEFAULTS: dict[str, dict[str, Any]] = {
    "wainer": {"repeats": 1, "folds": 2, "search_cases": 5000},
    "ulas": {"repeats": 5, "folds": 2, "aside": 1 / 3},
    "cv": {"repeats": 10, "folds": 10},
    "holdout": {"repeats": 1, "folds": 1, "test_fraction": 1 / 3},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How to split, and how hyperparameters are searched for.

    `search` is "nested" (within each training part), "flat" (once on the whole dataset: optimistic, its
    scores have seen the test cases) or "none" (the first candidate). `candidates` and `free_values` thin a
    search space; None keeps it whole.
    """

    kind: str = "wainer"
    repeats: int = 1
    folds: int = 2
    aside: float = 0.0
    test_fraction: float | None = None
    search: str = "nested"
    search_folds: int = 5
    search_cases: int | None = None
    candidates: int | None = 24
    free_values: int | None = None


def make_split(protocol: Protocol, y: npt.NDArray[Any], *, seed: int, dataset: str, repeat: int, fold: int) -> Split:
    """The training and test cases of one repeat and fold."""
    pool = np.arange(len(y))
    if protocol.aside > 0:
        aside = stratified_sample(y, round(protocol.aside * len(y)), generator_of("aside", seed, dataset))
        pool = np.setdiff1d(pool, aside)
    rng = generator_of("split", seed, dataset, repeat)
    if protocol.folds == 1:
        size = round((protocol.test_fraction or 1 / 3) * len(pool))
        test = pool[stratified_sample(y[pool], size, rng)]
        return Split(np.setdiff1d(pool, test), test)
    folds = stratified_folds(y[pool], protocol.folds, rng)
    return Split(pool[folds != fold], pool[folds == fold])


def inner_folds(
    protocol: Protocol, y: npt.NDArray[Any], *, seed: int, dataset: str, repeat: int, fold: int
) -> tuple[npt.NDArray[np.intp], list[Split]]:
    """The cases of the training part to search on (all, or a stratified sample) and the folds among them."""
    rng = generator_of("search", seed, dataset, repeat, fold)
    cases = np.arange(len(y))
    if protocol.search_cases is not None and len(y) > protocol.search_cases:
        cases = stratified_sample(y, protocol.search_cases, rng)
    folds = stratified_folds(y[cases], min(protocol.search_folds, len(cases)), rng)
    return cases, [Split(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(int(folds.max()) + 1)]
