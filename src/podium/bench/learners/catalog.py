"""The catalogue: the learners of catalog.toml, each with its search space.

Wainer's ranges follow section 2.4 of his paper (arXiv:1606.00930). Some of its formulas could not be read in the copy
that was used; there the ranges are the usual ones for these learners, so compare them with the paper before calling a
run a replication. A learner's package is loaded only when a task runs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np

from podium.bench.learners.space import Shape, Space, grid, whole_numbers

Build = Callable[[Shape, np.random.Generator], Space]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """One algorithm of the catalogue. `note` says in which respects it differs from the paper's."""

    path: str
    title: str
    space: Build
    params: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


def _nothing(shape: Shape, rng: np.random.Generator) -> Space:
    """Nothing to search for."""
    return Space()


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


def _bst(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"shrinkage": [0.05, 0.1]}), "n_boosts", _upto(range(100, 3001, 200), shape.cases))


def _elm(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"n_hidden": whole_numbers(20, max(shape.cases / 2, 20), 24)}))


def _gbm(shape: Shape, rng: np.random.Generator) -> Space:
    candidates = grid({"max_depth": [1, 2, 3, 4, 5], "learning_rate": [0.05, 0.1]})
    return Space(candidates, "n_estimators", _upto(range(50, 501, 20), shape.cases))


def _glmnet(shape: Shape, rng: np.random.Generator) -> Space:
    shares = [float(v) for v in np.linspace(0, 1, 8)]
    return Space(grid({"l1_ratio": shares}), "penalty", tuple(_powers(-5, 5, 20)))


def _knn(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(({},), "n_neighbors", tuple(_neighbours(shape, rng, 23)))


def _lvq(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"codebook": whole_numbers(max(2, shape.classes), max(2 * shape.features, 4), 8)}))


def _nb(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"kernel": [False, True], "laplace": [0.0, 0.1, 1.0, 10.0, 100.0]}))


def _nnet(shape: Shape, rng: np.random.Generator) -> Space:
    hidden = [(units,) for units in whole_numbers(3, shape.features / 2, 8)]
    # R's nnet adds decay * |w|^2 to the summed loss; scikit-learn adds alpha / 2 * |w|^2: alpha = 2 decay.
    return Space(grid({"hidden_layer_sizes": hidden, "alpha": [0.0, 0.02, 0.2]}))


def _rf(shape: Shape, rng: np.random.Generator) -> Space:
    root, top = np.sqrt(shape.features), max(shape.features / 2, 1)
    tries = sorted({max(1, int(min(factor * root, top))) for factor in (0.5, 1, 2)})
    return Space(grid({"max_features": tries}), "n_estimators", _upto(range(500, 3001, 500), shape.cases / 2))


def _rknn(shape: Shape, rng: np.random.Generator) -> Space:
    subset = whole_numbers(min(2, shape.features), max(shape.features - 2, min(2, shape.features)), 4)
    neighbours = _neighbours(shape, rng, 24 // len(subset) - 1)
    return Space(grid({"max_features": subset, "n_neighbors": neighbours}), "n_estimators", tuple(range(5, 101, 20)))


def _sda(shape: Shape, rng: np.random.Generator) -> Space:
    return Space(grid({"penalty": _powers(-8, 3, 8)}))


def _svm(**more: list[Any]) -> Build:
    return lambda shape, rng: Space(grid({"C": [2.0**power for power in (-5, 0, 5, 10, 15)], **more}))


def _ulas_svm(costs: int, **more: list[float]) -> Build:
    return lambda shape, rng: Space(grid({"C": _powers(-5, 5, costs), **more}))


_SPACES: Mapping[str, Build] = {
    "rf": _rf,
    "gbm": _gbm,
    "svm-linear": _svm(),
    "svm-poly": _svm(degree=[2, 3, 4, 5]),
    "svm-rbf": _svm(gamma=[2.0**power for power in (-15, -10.5, -6, -1.5, 3)]),
    "nnet": _nnet,
    "elm": _elm,
    "knn": _knn,
    "rknn": _rknn,
    "nb": _nb,
    "lvq": _lvq,
    "glmnet": _glmnet,
    "sda": _sda,
    "bst": _bst,
    "svl": _ulas_svm(11),
    "sv2": _ulas_svm(11),
    "svr": _ulas_svm(6, gamma=_powers(-3, 3, 4)),
}


def _read(group: str) -> dict[str, Learner]:
    text = files("podium.bench.learners").joinpath("catalog.toml").read_text(encoding="utf-8")
    return {
        name: Learner(**said, space=_SPACES.get(name, _nothing)) for name, said in tomllib.loads(text)[group].items()
    }


WAINER: Mapping[str, Learner] = _read("wainer")
ULAS: Mapping[str, Learner] = _read("ulas")
LEARNERS: Mapping[str, Learner] = {**WAINER, **ULAS}
