"""Datasets that need no download, by name: scikit-learn's, those drawn from a distribution, those defined by a rule.

Those of a rule are generated exactly. Monks (Thrun et al. 1991): all 432 robots; the third problem without the 5% of
noise that its published training part has. Tic-tac-toe (Aha 1991): all 958 boards at the end of a game that x began.
Balance scale (Siegler 1976): all 625 weights and distances.

Those of a distribution are drawn with a fixed seed. Twonorm, ringnorm and threenorm: Breiman (1996), "Bias, variance, and
arcing classifiers". Waveform and LED: Breiman et al. (1984), "Classification and regression trees", sections 2.6. Circle,
xor and spirals: as in mlbench (Leisch and Dimitriadou).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.bench.datasets.model import Dataset, from_frame
from podium.bench.datasets.packages import origin_of
from podium.core import check
from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError

Drawn = tuple[Floats, Indices]
Draw = Callable[[int, np.random.Generator], Drawn]

# The seven lights of each digit: top, upper left, upper right, middle, lower left, lower right, bottom.
_LIGHTS = np.array(
    [[int(light) for light in digit] for digit in (
        "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011".split()
    )]
)  # fmt: skip


def _twonorm(n: int, rng: np.random.Generator) -> Drawn:
    """Two unit normals in 20 dimensions with means (a, ..., a) and (-a, ..., -a), a = 2 / sqrt(20)."""
    y = rng.integers(0, 2, n)
    return rng.standard_normal((n, 20)) + np.where(y == 0, 1, -1)[:, None] * (2 / np.sqrt(20)), y


def _ringnorm(n: int, rng: np.random.Generator) -> Drawn:
    """A normal with covariance 4 I around 0, and a unit normal around (a, ..., a), a = 1 / sqrt(20)."""
    y = rng.integers(0, 2, n)
    x = rng.standard_normal((n, 20))
    return np.where((y == 0)[:, None], 2 * x, x + 1 / np.sqrt(20)), y


def _threenorm(n: int, rng: np.random.Generator) -> Drawn:
    """Class 1: unit normals around (a, ..., a) or (-a, ..., -a); class 2: around (a, -a, a, ...), a = 2 / sqrt(20)."""
    y = rng.integers(0, 2, n)
    side = np.where(rng.integers(0, 2, n) == 0, 1.0, -1.0)
    a = 2 / np.sqrt(20)
    alternating = a * np.where(np.arange(20) % 2 == 0, 1.0, -1.0)
    mean = np.where((y == 0)[:, None], (side * a)[:, None] * np.ones(20), alternating)
    return rng.standard_normal((n, 20)) + mean, y


def _waveform(n: int, rng: np.random.Generator) -> Drawn:
    """Random mixtures of two of three triangular waves at 21 points, plus unit normal noise."""
    at = np.arange(1, 22)
    waves = np.stack([np.maximum(6 - np.abs(at - centre), 0) for centre in (11, 15, 7)])
    y = rng.integers(0, 3, n)
    u = rng.random((n, 1))
    first, second = np.array([0, 0, 1])[y], np.array([1, 2, 2])[y]
    return u * waves[first] + (1 - u) * waves[second] + rng.standard_normal((n, 21)), y


def _waveform_noise(n: int, rng: np.random.Generator) -> Drawn:
    """Waveform with 19 features of pure noise added."""
    x, y = _waveform(n, rng)
    return np.hstack([x, rng.standard_normal((n, 19))]), y


def _led(n: int, rng: np.random.Generator) -> Drawn:
    """The seven lights of a digit, each wrong with probability 0.1."""
    y = rng.integers(0, 10, n)
    return (_LIGHTS[y] ^ (rng.random((n, 7)) < 0.1)).astype(np.float64), y


def _led_noise(n: int, rng: np.random.Generator) -> Drawn:
    """LED with 17 lights that mean nothing added."""
    x, y = _led(n, rng)
    return np.hstack([x, rng.integers(0, 2, (n, 17)).astype(np.float64)]), y


def _circle(n: int, rng: np.random.Generator) -> Drawn:
    """Uniform in the square from -1 to 1: inside or outside the circle that covers half of it."""
    x = rng.uniform(-1, 1, (n, 2))
    return x, ((x**2).sum(axis=1) > 2 / np.pi).astype(np.intp)


def _xor(n: int, rng: np.random.Generator) -> Drawn:
    """Uniform in the square from -1 to 1: the signs agree or not."""
    x = rng.uniform(-1, 1, (n, 2))
    return x, (x[:, 0] * x[:, 1] > 0).astype(np.intp)


def _spirals(n: int, rng: np.random.Generator) -> Drawn:
    """Two entangled spirals of one and a half turns with normal noise of 0.1."""
    y = rng.integers(0, 2, n)
    turn = 3 * np.pi * np.sqrt(rng.random(n))
    arm = np.where(y == 0, 1.0, -1.0)
    x = (arm * turn / (3 * np.pi))[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    return x + 0.1 * rng.standard_normal((n, 2)) / 2, y


_DRAWN = (_circle, _led, _led_noise, _ringnorm, _spirals, _threenorm, _twonorm, _waveform, _waveform_noise, _xor)
DISTRIBUTIONS: Mapping[str, Draw] = {draw.__name__[1:].replace("_", "-"): draw for draw in _DRAWN}


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


_RULES: Mapping[str, Callable[[], pd.DataFrame]] = {
    "balance-scale": balance_scale,
    "monks-1": lambda: monks(1),
    "monks-2": lambda: monks(2),
    "monks-3": lambda: monks(3),
    "tic-tac-toe": tic_tac_toe,
}
_SKLEARN = ("breast-cancer", "digits", "iris", "wine")

# For regression: scikit-learn's diabetes, and Friedman's three functions, drawn by scikit-learn with the noise of Friedman
# (1991): one third of the signal's spread, about.
_FRIEDMAN = {"friedman-1": 1.0, "friedman-2": 125.0, "friedman-3": 0.1}
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
    return from_frame(name, _table(which, cases, seed), "class", family=origin_of(which), regression=regression)


def _table(which: str, cases: int, seed: int) -> pd.DataFrame:
    """The features, and what is to be predicted as `class`; the same seed always draws the same cases."""
    import sklearn.datasets

    y: Any
    if which in _RULES:
        return _RULES[which]()
    if which in _SKLEARN:
        bunch = getattr(sklearn.datasets, f"load_{which.replace('-', '_')}")()
        x, y, names = bunch.data, [str(bunch.target_names[label]) for label in bunch.target], list(bunch.feature_names)
    elif which == "diabetes":
        bunch = sklearn.datasets.load_diabetes(scaled=False)
        x, y, names = bunch.data, bunch.target, list(bunch.feature_names)
    else:
        if which in _FRIEDMAN:
            draw = getattr(sklearn.datasets, f"make_friedman{which[-1]}")
            x, y = draw(cases, noise=_FRIEDMAN[which], random_state=seed)
        else:
            x, labels = DISTRIBUTIONS[which](cases, np.random.default_rng(seed))
            y = labels.astype(str)
        names = [f"x{i + 1}" for i in range(x.shape[1])]
    return pd.DataFrame(x, columns=names).assign(**{"class": y})
