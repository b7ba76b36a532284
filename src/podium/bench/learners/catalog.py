"""The catalogue: the learners of catalog.toml, each with its search space.

Wainer's ranges follow section 2.4 of his paper (arXiv:1606.00930). Some of its formulas could not be read in the copy
that was used; there the ranges are the usual ones for these learners, so compare them with the paper before calling a
run a replication. A learner's package is loaded only when a task runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from podium.bench.learners.space import Shape, Space, grid, whole_numbers
from podium.core.registry import read_toml

Build = Callable[[Shape, np.random.Generator], Space]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """One algorithm of the catalogue. `note` says in which respects it differs from the paper's.

    `params` are fixed; `chosen` replaces some of them once the hyperparameters are chosen.
    """

    path: str
    title: str
    space: Build
    params: Mapping[str, Any] = field(default_factory=dict)
    chosen: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    task: str = "classification"


def _powers(low: float, high: float, count: int) -> list[float]:
    """Powers of ten, equally spaced on the logarithmic scale."""
    return [float(value) for value in np.logspace(low, high, count)]


def _upto(values: range, limit: float) -> tuple[int, ...]:
    """The values below the limit; where none is, the limit itself."""
    return tuple(v for v in values if v <= limit) or (max(int(limit), 2),)


def _neighbours(shape: Shape, rng: np.random.Generator, count: int) -> list[int]:
    """1 and at most so many random values from 3 to ndat / 4; never more than the search's folds can hold."""
    top = max(int(shape.cases / 4), 3)
    pool = np.arange(3, top + 1)
    return [1, *sorted(int(k) for k in rng.choice(pool, size=min(count, len(pool)), replace=False))]


def _random_forest(shape: Shape, rng: np.random.Generator) -> Space:
    root, top = np.sqrt(shape.features), max(shape.features / 2, 1)
    tries = sorted({max(1, int(min(factor * root, top))) for factor in (0.5, 1, 2)})
    return Space(grid(max_features=tries), "n_estimators", _upto(range(500, 3001, 500), shape.cases / 2))


def _random_neighbours(shape: Shape, rng: np.random.Generator) -> Space:
    subset = whole_numbers(min(2, shape.features), max(shape.features - 2, min(2, shape.features)), 4)
    neighbours = _neighbours(shape, rng, 24 // len(subset) - 1)
    return Space(grid(max_features=subset, n_neighbors=neighbours), "n_estimators", tuple(range(5, 101, 20)))


def _fixed(free: str = "", values: Sequence[Any] = (), **lists: Sequence[Any]) -> Build:
    """The same space whatever the training part."""
    return lambda shape, rng: Space(grid(**lists), free, tuple(values))


# Demsar (2006, the Slovene paper) searches both of C4.5 and does not say among which values.
FEWEST, CONFIDENCES = (1, 2, 5, 10, 20), (0.05, 0.1, 0.25, 0.5)
_COSTS = [2.0**power for power in (-5, 0, 5, 10, 15)]
_SPACES: Mapping[str, Build] = {
    "rf": _random_forest,
    "gbm": lambda shape, rng: Space(
        grid(max_depth=[1, 2, 3, 4, 5], learning_rate=[0.05, 0.1]),
        "n_estimators",
        _upto(range(50, 501, 20), shape.cases),
    ),
    "svm-linear": _fixed(C=_COSTS),
    "svm-poly": _fixed(C=_COSTS, degree=[2, 3, 4, 5]),
    "svm-poly-homogeneous": _fixed(C=_COSTS, degree=[2, 3, 4, 5]),
    "svm-rbf": _fixed(C=_COSTS, gamma=[2.0**power for power in (-15, -10.5, -6, -1.5, 3)]),
    # R's nnet adds decay * |w|^2 to the summed loss; scikit-learn adds alpha / 2 * |w|^2: alpha = 2 decay.
    "nnet": lambda shape, rng: Space(
        grid(hidden_layer_sizes=[(n,) for n in whole_numbers(3, shape.features / 2, 8)], alpha=[0.0, 0.02, 0.2])
    ),
    "elm": lambda shape, rng: Space(grid(n_hidden=whole_numbers(20, max(shape.cases / 2, 20), 24))),
    "knn": lambda shape, rng: Space(grid(n_neighbors=_neighbours(shape, rng, 23))),  # not free, as in the paper
    "rknn": _random_neighbours,
    "nb": _fixed(kernel=[False, True], laplace=[0.0, 0.1, 1.0, 10.0, 100.0]),
    "lvq": lambda shape, rng: Space(grid(codebook=whole_numbers(max(2, shape.classes), max(2 * shape.features, 4), 8))),
    "glmnet": _fixed("penalty", _powers(-5, 5, 20), l1_ratio=[float(v) for v in np.linspace(0, 1, 8)]),
    "sda": _fixed(penalty=_powers(-8, 3, 8)),
    "bst": lambda shape, rng: Space(grid(shrinkage=[0.05, 0.1]), "n_boosts", _upto(range(100, 3001, 200), shape.cases)),
    "svl": _fixed(C=_powers(-5, 5, 11)),
    "sv2": _fixed(C=_powers(-5, 5, 11)),
    "sv2-inhomogeneous": _fixed(C=_powers(-5, 5, 11)),
    "svr": _fixed(C=_powers(-5, 5, 6), gamma=_powers(-3, 3, 4)),
    "c45-m": _fixed(min_cases=FEWEST),
    "c45-cf": _fixed("confidence", CONFIDENCES),
    "c45-m-cf": _fixed("confidence", CONFIDENCES, min_cases=FEWEST),
    "ridge": _fixed(alpha=_powers(-3, 3, 13)),
    "elastic-net": _fixed(alpha=_powers(-4, 1, 6), l1_ratio=[0.1, 0.5, 0.9, 1.0]),
    "knn-regression": lambda shape, rng: Space(({},), "n_neighbors", tuple(_neighbours(shape, rng, 23))),
    "svm-regression": _fixed(C=[1.0, 32.0, 1024.0], gamma=[2.0**power for power in (-10.5, -6, -1.5)]),
    "tree-regression": _fixed(max_depth=[2, 4, 8, None], min_samples_leaf=[1, 5, 20]),
    "rf-regression": _fixed("n_estimators", (50, 100, 200), max_features=[1.0, 0.33]),
    "gbm-regression": _fixed("n_estimators", (50, 100, 200), max_depth=[1, 3, 5]),
    "nnet-regression": _fixed(hidden_layer_sizes=[(5,), (20,)], alpha=[0.01, 1.0]),
}


def _read(group: str, task: str = "classification") -> dict[str, Learner]:
    entries = read_toml("bench/learners", "catalog.toml")[group]
    return {name: Learner(**said, space=_SPACES.get(name, _fixed()), task=task) for name, said in entries.items()}


WAINER: Mapping[str, Learner] = _read("wainer")
ULAS: Mapping[str, Learner] = _read("ulas")
DEMSAR: Mapping[str, Learner] = _read("demsar")
KERNELS: Mapping[str, Learner] = _read("kernels")
NUMBERS: Mapping[str, Learner] = _read("regression", "regression")
LEARNERS: Mapping[str, Learner] = {**WAINER, **ULAS, **DEMSAR, **KERNELS, **NUMBERS}
