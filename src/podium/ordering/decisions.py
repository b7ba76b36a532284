"""Pairwise decisions on one dataset: which algorithm is significantly better than which."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from podium.core.arrays import Bools, Floats
from podium.core.design import Design
from podium.core.pairs import pair_indices
from podium.stats import registry
from podium.stats.pairwise.pair_result import differences_of

PairTest = str | Callable[[Floats, Floats], Any]


def significantly_better(gains: Floats, *, test: PairTest, alpha: float, design: Design) -> Bools:
    """`[i, j]` is true where i is significantly better than j, from their gains (algorithm, repeat, fold).

    `test` is any registered one over folds or datasets, or a function. Tests with sides are asked one-sidedly, whether
    i is better than j. The 5x2 cv F test has no sides: as in Ulas et al. (2008) it must reject at alpha and the better
    mean decides whose win it is.
    """
    if callable(test):
        return _by_callable(gains, test, alpha)
    method = registry.pairwise(test, ("folds", "datasets"))
    home = registry.load(method)
    k = len(gains)
    flat = gains.reshape(k, -1)
    first, second = pair_indices(k)
    first, second = np.concatenate([first, second]), np.concatenate([second, first])
    options: dict[str, Any] = {"design": design} if method.over == "folds" else {}
    options |= {"alternative": "greater"} if method.sided else {}
    tested = home.kernel(differences_of(method, flat[first], flat[second]), **options)
    decided = (tested.pvalue <= alpha) & (tested.side > 0)
    better = np.zeros((k, k), dtype=bool)
    better[first[decided], second[decided]] = True
    return better


def _by_callable(gains: Floats, test: Callable[..., Any], alpha: float) -> Bools:
    """A user's test: asked one-sidedly if it takes `alternative`, else two-sidedly with the better mean winning."""
    sided = "alternative" in inspect.signature(test).parameters
    better = np.zeros((len(gains), len(gains)), dtype=bool)
    for i, x in enumerate(gains):
        for j, y in enumerate(gains):
            if i != j and (sided or x.mean() > y.mean()):
                result = test(x, y, alternative="greater") if sided else test(x, y)
                better[i, j] = float(getattr(result, "pvalue", result)) <= alpha
    return better
