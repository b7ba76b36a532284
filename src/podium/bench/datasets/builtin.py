"""Datasets that need no download, by name: scikit-learn's, those drawn from a distribution, those defined by a rule.

Those of a rule are generated exactly. Monks (Thrun et al. 1991): all 432 robots; the third problem without the 5% of
noise that its published training part has. Tic-tac-toe (Aha 1991): all 958 boards at the end of a game that x began.
Balance scale (Siegler 1976): all 625 weights and distances.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping

import pandas as pd

from podium.bench.datasets.distributions import DISTRIBUTIONS, draw
from podium.bench.datasets.model import Dataset, from_frame
from podium.bench.datasets.packages import origin_of
from podium.core import check
from podium.core.errors import DataError

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def monks(problem: int) -> pd.DataFrame:
    """The whole space of six attributes (3 x 3 x 2 x 3 x 4 x 2) with the class of monk's problem 1, 2 or 3."""
    rows = list(itertools.product("123", "123", "12", "123", "1234", "12"))
    frame = pd.DataFrame(rows, columns=[f"a{i}" for i in range(1, 7)])
    if problem == 1:  # (a1 = a2) or (a5 = 1)
        positive = (frame["a1"] == frame["a2"]) | (frame["a5"] == "1")
    elif problem == 2:  # exactly two of the six attributes have their first value
        positive = (frame == "1").sum(axis=1) == 2
    else:  # (a5 = 3 and a4 = 1) or (a5 != 4 and a2 != 3)
        positive = ((frame["a5"] == "3") & (frame["a4"] == "1")) | ((frame["a5"] != "4") & (frame["a2"] != "3"))
    return frame.assign(**{"class": positive.map({True: "1", False: "0"})})


def _wins(board: tuple[str, ...], player: str) -> bool:
    return any(all(board[i] == player for i in line) for line in _LINES)


def tic_tac_toe() -> pd.DataFrame:
    """Every board at which a game ends when x moves first; positive where x has won."""
    ends: set[tuple[str, ...]] = set()
    seen: set[tuple[str, ...]] = set()
    stack: list[tuple[tuple[str, ...], str]] = [(("b",) * 9, "x")]
    while stack:  # each board once: the player to move follows from the board
        board, player = stack.pop()
        if board in seen:
            continue
        seen.add(board)
        other = "o" if player == "x" else "x"
        if _wins(board, other) or "b" not in board:
            ends.add(board)
            continue
        stack += [((*board[:i], player, *board[i + 1 :]), other) for i, mark in enumerate(board) if mark == "b"]
    squares = [f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]
    frame = pd.DataFrame(sorted(ends), columns=squares)
    outcome = ["positive" if _wins(board, "x") else "negative" for board in sorted(ends)]
    return frame.assign(**{"class": outcome})


def balance_scale() -> pd.DataFrame:
    """All weights and distances from 1 to 5: the scale tips to the left (L), right (R) or balances (B)."""
    rows = list(itertools.product(range(1, 6), repeat=4))
    frame = pd.DataFrame(rows, columns=["left-weight", "left-distance", "right-weight", "right-distance"])
    left = frame["left-weight"] * frame["left-distance"]
    right = frame["right-weight"] * frame["right-distance"]
    side = ["L" if a > b else "R" if a < b else "B" for a, b in zip(left, right, strict=True)]
    return frame.astype(float).assign(**{"class": side})


_RULES: Mapping[str, tuple[Callable[[], pd.DataFrame], str]] = {
    "balance-scale": (balance_scale, "balance-scale"),
    "monks-1": (lambda: monks(1), "monks"),
    "monks-2": (lambda: monks(2), "monks"),
    "monks-3": (lambda: monks(3), "monks"),
    "tic-tac-toe": (tic_tac_toe, "tic-tac-toe"),
}
_SKLEARN = {"breast-cancer": "breast_cancer", "digits": "digits", "iris": "iris", "wine": "wine"}

# For regression: scikit-learn's diabetes, and Friedman's three functions, drawn by scikit-learn.
_FRIEDMAN = ("friedman-1", "friedman-2", "friedman-3")
NUMBERS = ("diabetes", *_FRIEDMAN)
DRAWN = (*DISTRIBUTIONS, *_FRIEDMAN)
BUILTIN = tuple(sorted([*_SKLEARN, *_RULES, *DISTRIBUTIONS, *NUMBERS]))


def load_builtin(name: str, *, builtin: str = "", cases: int = 500, seed: int = 1, regression: bool = False) -> Dataset:
    """A dataset from the package, perhaps under another name; `cases` and `seed` are for those that are drawn."""
    which = check.member("dataset", builtin or name, BUILTIN)
    if (which in NUMBERS) is not regression:
        raise DataError(
            f"Dataset {which!r} has classes; for regression there are {', '.join(NUMBERS)}."
            if regression
            else f'Dataset {which!r} is for regression: set `task = "regression"` in [data].'
        )
    if regression:
        return from_frame(name, _numbers(which, cases, seed), "y", family=which, regression=True)
    if which in _SKLEARN:
        return from_frame(name, _from_sklearn(which), "class", family=origin_of(which))
    if which in _RULES:
        make, family = _RULES[which]
        return from_frame(name, make(), "class", family=family)
    return from_frame(name, draw(which, cases=cases, seed=seed), "class", family=DISTRIBUTIONS[which][1])


def _numbers(which: str, cases: int, seed: int) -> pd.DataFrame:
    import sklearn.datasets

    if which == "diabetes":
        bunch = sklearn.datasets.load_diabetes(scaled=False)
        return pd.DataFrame(bunch.data, columns=list(bunch.feature_names)).assign(y=bunch.target)
    draw_friedman = getattr(sklearn.datasets, f"make_friedman{which[-1]}")
    # The noise of Friedman (1991): one third of the signal's spread, about.
    x, y = draw_friedman(cases, noise={"1": 1.0, "2": 125.0, "3": 0.1}[which[-1]], random_state=seed)
    return pd.DataFrame(x, columns=[f"x{i + 1}" for i in range(x.shape[1])]).assign(y=y)


def _from_sklearn(name: str) -> pd.DataFrame:
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{_SKLEARN[name]}")()
    frame = pd.DataFrame(bunch.data, columns=list(bunch.feature_names))
    return frame.assign(**{"class": [str(bunch.target_names[label]) for label in bunch.target]})
