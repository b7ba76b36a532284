"""Classic datasets that are defined by a distribution, drawn with a fixed seed.

Twonorm, ringnorm and threenorm: Breiman (1996), "Bias, variance, and arcing classifiers". Waveform and LED:
Breiman et al. (1984), "Classification and regression trees", sections 2.6. Circle, xor and spirals: as in
mlbench (Leisch and Dimitriadou).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from podium.core.arrays import Floats, Indices

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


DISTRIBUTIONS: Mapping[str, tuple[Draw, str]] = {
    "circle": (_circle, "circle"),
    "led": (_led, "led"),
    "led-noise": (_led_noise, "led"),
    "ringnorm": (_ringnorm, "ringnorm"),
    "spirals": (_spirals, "spirals"),
    "threenorm": (_threenorm, "threenorm"),
    "twonorm": (_twonorm, "twonorm"),
    "waveform": (_waveform, "waveform"),
    "waveform-noise": (_waveform_noise, "waveform"),
    "xor": (_xor, "xor"),
}


def draw(name: str, *, cases: int, seed: int) -> pd.DataFrame:
    """So many cases of a distribution; the same seed always gives the same ones."""
    x, y = DISTRIBUTIONS[name][0](cases, np.random.default_rng(seed))
    frame = pd.DataFrame(x, columns=[f"x{i + 1}" for i in range(x.shape[1])])
    return frame.assign(**{"class": y.astype(str)})
