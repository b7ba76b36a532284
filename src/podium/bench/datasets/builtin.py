"""Datasets that need no download, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from podium.bench.datasets.distributions import DISTRIBUTIONS, draw
from podium.bench.datasets.model import Dataset, from_frame
from podium.bench.datasets.rules import balance_scale, monks, tic_tac_toe
from podium.core import check

_RULES: Mapping[str, tuple[Callable[[], pd.DataFrame], str]] = {
    "balance-scale": (balance_scale, "balance-scale"),
    "monks-1": (lambda: monks(1), "monks"),
    "monks-2": (lambda: monks(2), "monks"),
    "monks-3": (lambda: monks(3), "monks"),
    "tic-tac-toe": (tic_tac_toe, "tic-tac-toe"),
}
_SKLEARN = {"breast-cancer": "breast_cancer", "digits": "digits", "iris": "iris", "wine": "wine"}

BUILTIN = tuple(sorted([*_SKLEARN, *_RULES, *DISTRIBUTIONS]))


def load_builtin(name: str, *, builtin: str = "", cases: int = 500, seed: int = 1) -> Dataset:
    """A dataset from the package, perhaps under another name; `cases` and `seed` are for those that are drawn."""
    which = check.member("dataset", builtin or name, BUILTIN)
    if which in _SKLEARN:
        return from_frame(name, _from_sklearn(which), "class", family=which)
    if which in _RULES:
        make, family = _RULES[which]
        return from_frame(name, make(), "class", family=family)
    return from_frame(name, draw(which, cases=cases, seed=seed), "class", family=DISTRIBUTIONS[which][1])


def _from_sklearn(name: str) -> pd.DataFrame:
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{_SKLEARN[name]}")()
    frame = pd.DataFrame(bunch.data, columns=list(bunch.feature_names))
    return frame.assign(**{"class": [str(bunch.target_names[label]) for label in bunch.target]})
