"""The Bayesian comparisons of two classifiers in baycomp, without Stan; the hierarchical model takes seconds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.bayes._correlated_t import correlated_t
from podium.bayes._hierarchical import hierarchical
from podium.bayes._sign import sign
from podium.bayes._signed_rank import signed_rank
from podium.bayes.posterior import PairPosterior
from podium.compat.differences import say_once
from podium.core import numbers
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.evidence.design import Design
from podium.plot.bayes import density, simplex
from podium.plot.figure import Figure
from podium.plot.style import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Names = tuple[str, str] | None
SIDES = ("left", "rope", "right")
FEWEST_DRAWS = 100  # that the models here make


class Posterior:
    """What is known of two classifiers: `probs`, `sample` and `plot`; left is the first one's side, as in baycomp.

    The model compares y with x, so that Podium's left, the side of its second algorithm, is that of x.
    On one dataset there are also `mean`, `var`, `df`, `rope`, `meanx`, `meany` and `nsamples`.
    """

    mean: float
    var: float
    df: float
    rope: float
    nsamples: int
    meanx: float
    meany: float

    def __init__(
        self,
        posterior: PairPosterior,
        *,
        names: Names = None,
        with_rope: bool = True,
        most: int | None = None,
        **moments: Any,
    ) -> None:
        self._posterior = posterior
        self._most = most  # how many draws were asked for: fewer than FEWEST_DRAWS are cut from as many
        self._with_rope = with_rope  # what `probs` gives where nobody says it
        self.names = names
        self.__dict__.update(moments)

    @property
    def sample(self) -> Floats:
        """Draws: of the difference, or of (left, rope, right)."""
        draws = self._posterior.draws
        if "left" not in draws:
            return np.asarray(draws["difference"])[: self._most]
        return np.column_stack([draws[side] for side in SIDES])[: self._most]

    def probs(self, with_rope: bool | None = None) -> tuple[float, ...]:
        """(p_left, p_rope, p_right), or (p_left, p_right) where there is no rope."""
        left, rope, right = self._posterior.p_left, self._posterior.p_rope, self._posterior.p_right
        if self._with_rope if with_rope is None else with_rope:
            return left, rope, right
        return (
            (left + rope / 2, right + rope / 2)
            if left + right == 0
            else (left / (left + right), right / (left + right))
        )

    def plot(self, names: Names = None) -> Any:
        """The figure of matplotlib: a triangle, or a histogram where the rope hardly counts; on one dataset the density."""
        if "left" not in self._posterior.draws:
            one, two = self._named(names)
            means = f" ({one}: {numbers.fixed(self.meanx, 3)}, {two}: {numbers.fixed(self.meany, 3)})"
            return _drawn(density(self._labelled(names), xlabel=f"gain of {two} over {one}{means}")).figure
        return self.plot_histogram(names) if self.sample[:, 1].max() < 0.1 else self.plot_simplex(names)

    def plot_simplex(self, names: Names = None) -> Any:
        """The triangle of the draws: near a corner, that outcome is nearly certain."""
        return _drawn(simplex(self._labelled(names))).figure

    def plot_histogram(self, names: Names = None) -> Any:
        """How often the second is better, draw by draw; right of the line it is the better one more often than not."""
        import matplotlib.pyplot as plt

        one, two = self._named(names)
        points = self.sample[:, 2]
        right = float(np.mean(points > 0.5) + np.mean(points == 0.5) / 2)
        figure, axes = plt.subplots(layout="constrained")
        axes.hist(points, 50, range=(0.0, 1.0), color=LIGHT["sky"])
        axes.axvline(0.5, color=LIGHT["ink"], linestyle="--")
        axes.set(xlim=(0, 1), yticks=[], xlabel=f"share of datasets on which {two} is better")
        for side in ("left", "right", "top"):
            axes.spines[side].set_visible(False)
        axes.set_title(f"p({one}) = {numbers.fixed(1 - right, 3)}", loc="left")
        axes.set_title(f"p({two}) = {numbers.fixed(right, 3)}", loc="right")
        return figure

    def _named(self, names: Names) -> tuple[str, str]:
        return names or self.names or ("C1", "C2")

    def _labelled(self, names: Names) -> PairPosterior:
        first, second = self._named(names)
        return replace(self._posterior, a=second, b=first)


def _pair(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if np.isnan(first).any() or np.isnan(second).any():
        raise ArgumentError(
            "A score is missing (nan): leave out the pair of scores, or fill it in. baycomp would count it silently."
        )
    return first, second


def _touches(values: Floats, edge: float) -> bool:
    return bool(np.isclose(np.abs(values), edge, rtol=1e-9, atol=0).any())


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
        posterior = correlated_t(second, first, rope=rope, design=design, draws=max(nsamples, FEWEST_DRAWS), rng=0)
        moments = {"mean": posterior.difference, "var": posterior.details["scale"] ** 2, "df": posterior.details["df"]}
        moments |= {"rope": rope, "nsamples": nsamples, "meanx": float(first.mean()), "meany": float(second.mean())}
        return Posterior(posterior, names=names, with_rope=rope > 0, most=nsamples, **moments)

    @classmethod
    def sample(cls, x: npt.ArrayLike, y: npt.ArrayLike, runs: int = 1, *, nsamples: int = 50000) -> Floats:
        """Draws of the difference."""
        return cls(x, y, runs=runs, nsamples=nsamples).sample

    @classmethod
    def probs(cls, *scores: Any, **options: Any) -> tuple[float, ...]:
        """The probabilities alone."""
        return cls(*scores, **options).probs()

    @classmethod
    def plot(cls, *scores: Any, names: Names = None, **options: Any) -> Any:
        """The figure alone."""
        return cls(*scores, **options).plot(names)


class _OnMultiple:
    """What the tests on several datasets share."""

    LEFT, ROPE, RIGHT = range(3)

    @classmethod
    def _fit(cls, y: Floats, x: Floats, rope: float, **options: Any) -> PairPosterior:
        raise NotImplementedError

    def __new__(  # type: ignore[misc]
        cls,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        rope: float = 0,
        *,
        nsamples: int = 50000,
        random_state: Any = None,
        **kwargs: Any,
    ) -> Posterior:
        """The posterior; its `probs` are three, also without a rope."""
        first, second = _pair(x, y)
        if rope > 0 and cls._on_edge(first - second, rope):
            say_once(
                "baycomp",
                "some differences lie on the edge of the rope. The sign test counts them as inside, the signed-rank test half of "
                "them; in baycomp rounding decides.",
            )
        draws = max(nsamples, FEWEST_DRAWS)
        return Posterior(cls._fit(second, first, rope, draws=draws, rng=random_state, **kwargs), most=nsamples)

    @classmethod
    def _on_edge(cls, gains: Floats, rope: float) -> bool:
        """Whether some of what is counted lies on the edge of the rope, up to rounding."""
        return False

    @classmethod
    def sample(cls, *scores: Any, **options: Any) -> Floats:
        """Draws of (left, rope, right)."""
        return cls(*scores, **options).sample

    @classmethod
    def probs(cls, x: npt.ArrayLike, y: npt.ArrayLike, rope: float = 0, **options: Any) -> tuple[float, ...]:
        """The probabilities alone: two without a rope."""
        return cls(x, y, rope, **options).probs(rope > 0)

    @classmethod
    def plot(cls, *scores: Any, names: Names = None, **options: Any) -> Any:
        """The figure alone."""
        return cls(*scores, **options).plot(names)

    @classmethod
    def plot_simplex(cls, *scores: Any, names: Names = None, **options: Any) -> Any:
        """The triangle alone."""
        return cls(*scores, **options).plot_simplex(names)

    @classmethod
    def plot_histogram(cls, *scores: Any, names: Names = None, **options: Any) -> Any:
        """The histogram alone."""
        return cls(*scores, **options).plot_histogram(names)


class SignTest(_OnMultiple):
    """The Bayesian sign test."""

    @classmethod
    def _fit(cls, y: Floats, x: Floats, rope: float, *, prior: Any = 1, **options: Any) -> PairPosterior:
        strength, place = prior if isinstance(prior, tuple) else (prior, cls.ROPE)
        options["place"] = SIDES[place]
        return sign(y, x, rope=rope, prior=strength, **options)

    @classmethod
    def _on_edge(cls, gains: Floats, rope: float) -> bool:
        return _touches(gains, rope)


class SignedRankTest(_OnMultiple):
    """The Bayesian signed-rank test."""

    @classmethod
    def _fit(cls, y: Floats, x: Floats, rope: float, *, prior: float = 0.5, **options: Any) -> PairPosterior:
        return signed_rank(y, x, rope=rope, prior=prior, zeros="rope" if rope else "split", **options)

    @classmethod
    def _on_edge(cls, gains: Floats, rope: float) -> bool:
        return _touches(gains[:, None] + gains, 2 * rope)


class HierarchicalTest(_OnMultiple):
    """The hierarchical model of cross-validated scores on several datasets, (datasets, scores)."""

    PRIORS: ClassVar[dict[str, float]] = {
        "lower_alpha": 1, "upper_alpha": 2, "lower_beta": 0.01, "upper_beta": 0.1, "upper_sigma": 1000,
    }  # fmt: skip

    @classmethod
    def _fit(cls, y: Floats, x: Floats, rope: float, *, runs: int = 1, **options: Any) -> PairPosterior:
        other = next((name for name, usual in cls.PRIORS.items() if options.pop(name, usual) != usual), None)
        if other is not None:
            raise ArgumentError(
                f"{other} has its usual value here ({numbers.as_given(cls.PRIORS[other])}): leave it out."
            )
        options.pop("chains", None)
        say_once(
            "baycomp",
            "the hierarchical model is fitted without Stan, the seed counts, and nothing is written to the working folder.",
        )
        design = Design(repeats=runs, folds=x.shape[1] // runs)
        draws = min(options.pop("draws"), 4000)
        return hierarchical(y, x, rope=rope, design=design, draws=draws, **options)


def _shortcut(posterior: Posterior, plot: bool, names: Names) -> Any:
    return (posterior.probs(), posterior.plot(names)) if plot else posterior.probs()


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
    **kwargs: Any,
) -> Any:
    """The signed-rank test of scores per dataset, or the hierarchical model of (datasets, scores)."""
    test: Any = SignedRankTest
    if np.ndim(x) == 2:
        test, kwargs = HierarchicalTest, {**kwargs, "runs": runs}
    return _shortcut(test(x, y, rope, **kwargs), plot, names)


def _drawn(figure: Figure) -> Axes:
    """The figure in axes of its own size."""
    import matplotlib.pyplot as plt

    sheet = plt.figure(figsize=(figure.scene.width / 72, figure.scene.height / 72), facecolor="white")
    return figure.draw(sheet.add_axes((0, 0, 1, 1)))
