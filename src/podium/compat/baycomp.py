"""The Bayesian comparisons of two classifiers in baycomp, without Stan; the hierarchical model takes seconds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.bayes._correlated_t import correlated_t
from podium.bayes._hierarchical import hierarchical
from podium.bayes._sign import sign
from podium.bayes._signed_rank import signed_rank
from podium.bayes.posterior import PairPosterior
from podium.compat.differences import say_once
from podium.core.arrays import Floats
from podium.core.design import Design
from podium.core.errors import ArgumentError
from podium.plot.bayes import density, simplex

Names = tuple[str, str] | None


class Posterior:
    """What is known of two classifiers: `probs`, `sample` and `plot`; left is the first one's side, as in baycomp."""

    def __init__(self, found: PairPosterior, *, names: Names = None, with_rope: bool = True) -> None:
        self._found = found
        self._with_rope = with_rope  # what `probs` gives where nobody says it
        self.names = names

    @property
    def sample(self) -> Floats:
        """Draws: of the difference, or of (left, rope, right)."""
        draws = self._found.draws
        if "left" not in draws:
            return np.asarray(-draws["difference"])  # of y - x
        return np.column_stack([draws["right"], draws["rope"], draws["left"]])

    def probs(self, with_rope: bool | None = None) -> tuple[float, ...]:
        """(p_left, p_rope, p_right), or (p_left, p_right) where there is no rope."""
        left, rope, right = self._found.p_right, self._found.p_rope, self._found.p_left
        if self._with_rope if with_rope is None else with_rope:
            return left, rope, right
        return (
            (left + rope / 2, right + rope / 2)
            if left + right == 0
            else (left / (left + right), right / (left + right))
        )

    def plot(self, names: Names = None) -> Any:
        """The figure of matplotlib: a triangle, or the density of the difference."""
        import matplotlib.pyplot as plt

        first, second = names or self.names or ("C1", "C2")
        # Podium's right is a, its left is b: turned round, so that the first one stands at the left, as in baycomp.
        turned = replace(
            self._found,
            a=second,
            b=first,
            p_left=self._found.p_right,
            p_right=self._found.p_left,
            share_left=self._found.share_right,
            share_right=self._found.share_left,
            difference=-self._found.difference,
            low=-self._found.high,
            high=-self._found.low,
            draws=_turned(dict(self._found.draws)),
        )
        figure = simplex(turned) if "left" in turned.draws else density(turned)
        made = plt.figure(figsize=(figure.scene.width / 72, figure.scene.height / 72), facecolor="white")
        figure.draw(made.add_axes((0, 0, 1, 1)))
        return made


def _turned(draws: dict[str, Any]) -> dict[str, Any]:
    if "left" in draws:
        return {**draws, "left": draws["right"], "right": draws["left"]}
    return {**draws, "difference": -np.asarray(draws["difference"])}


def _pair(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if np.isnan(first).any() or np.isnan(second).any():
        raise ArgumentError(
            "A score is missing (nan): leave out the pair of scores, or fill it in. baycomp would count it silently."
        )
    return first, second


class CorrelatedTTest:
    """The correlated t test of two classifiers on one dataset."""

    def __new__(  # type: ignore[misc]
        cls,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        rope: float = 0,
        runs: int = 1,
        *,
        names: Names = None,
        nsamples: int = 50000,
    ) -> Posterior:
        """The posterior of the difference."""
        first, second = _pair(x, y)
        if len(first) % runs:
            raise ValueError("Number of measurements is not divisible by number of runs")
        design = Design(repeats=runs, folds=len(first) // runs)
        found = correlated_t(first, second, rope=rope, design=design, draws=nsamples, rng=0)
        return Posterior(found, names=names, with_rope=rope > 0)

    @classmethod
    def probs(cls, x: npt.ArrayLike, y: npt.ArrayLike, rope: float = 0, runs: int = 1) -> tuple[float, ...]:
        """The probabilities alone."""
        return cls(x, y, rope, runs).probs()

    @classmethod
    def plot(cls, x: npt.ArrayLike, y: npt.ArrayLike, rope: float = 0, runs: int = 1, *, names: Names = None) -> Any:
        """The figure alone."""
        return cls(x, y, rope, runs).plot(names)


class _OnMultiple:
    """What the tests on several datasets share."""

    @classmethod
    def _fit(cls, x: Floats, y: Floats, rope: float, **options: Any) -> PairPosterior:
        raise NotImplementedError

    def __new__(  # type: ignore[misc]
        cls,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        rope: float = 0,
        *,
        nsamples: int = 50000,
        random_state: Any = None,
        **options: Any,
    ) -> Posterior:
        """The posterior; its `probs` are three, also without a rope."""
        first, second = _pair(x, y)
        return Posterior(cls._fit(first, second, rope, draws=nsamples, rng=random_state, **options))

    @classmethod
    def probs(cls, x: npt.ArrayLike, y: npt.ArrayLike, rope: float = 0, **options: Any) -> tuple[float, ...]:
        """The probabilities alone: two without a rope."""
        return cls(x, y, rope, **options).probs(rope > 0)

    @classmethod
    def plot(cls, x: npt.ArrayLike, y: npt.ArrayLike, rope: float = 0, *, names: Names = None, **options: Any) -> Any:
        """The figure alone."""
        return cls(x, y, rope, **options).plot(names)


class SignTest(_OnMultiple):
    """The Bayesian sign test."""

    LEFT, ROPE, RIGHT = range(3)

    @classmethod
    def _fit(cls, x: Floats, y: Floats, rope: float, *, prior: Any = 1, **options: Any) -> PairPosterior:
        strength, place = prior if isinstance(prior, tuple) else (prior, cls.ROPE)
        side = ("right", "rope", "left")[place]  # their left is the first one's side, ours the second one's
        return sign(x, y, rope=rope, prior=strength, place=side, **options)


class SignedRankTest(_OnMultiple):
    """The Bayesian signed-rank test."""

    @classmethod
    def _fit(cls, x: Floats, y: Floats, rope: float, *, prior: float = 0.5, **options: Any) -> PairPosterior:
        return signed_rank(x, y, rope=rope, prior=prior, zeros="rope" if rope else "split", **options)


class HierarchicalTest(_OnMultiple):
    """The hierarchical model of cross-validated scores on several datasets, (datasets, scores)."""

    @classmethod
    def _fit(cls, x: Floats, y: Floats, rope: float, *, runs: int = 1, **options: Any) -> PairPosterior:
        say_once(
            "baycomp",
            "the hierarchical model is fitted without Stan, the seed counts, and nothing is written to the working folder.",
        )
        design = Design(repeats=runs, folds=x.shape[1] // runs)
        known = {name: options[name] for name in ("draws", "rng") if name in options}
        return hierarchical(x, y, rope=rope, design=design, **{**known, "draws": min(known.get("draws", 4000), 4000)})


def _shortcut(found: Posterior, plot: bool, names: Names) -> Any:
    return (found.probs(), found.plot(names)) if plot else found.probs()


def two_on_single(
    x: npt.ArrayLike, y: npt.ArrayLike, rope: float = 0, runs: int = 1, *, names: Names = None, plot: bool = False
) -> Any:
    """(p_left, p_rope, p_right), or (p_left, p_right) without a rope; with `plot` also the figure."""
    return _shortcut(CorrelatedTTest(x, y, rope, runs), plot, names)


def two_on_multiple(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    rope: float = 0,
    *,
    runs: int = 1,
    names: Names = None,
    plot: bool = False,
    **options: Any,
) -> Any:
    """The signed-rank test of scores per dataset, or the hierarchical model of (datasets, scores)."""
    test: Any = SignedRankTest
    if np.ndim(x) == 2:
        test, options = HierarchicalTest, {**options, "runs": runs}
    return _shortcut(test(x, y, rope, **options), plot, names)
