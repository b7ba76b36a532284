"""The correlated Bayesian t test: two algorithms, one dataset, cross-validated (Corani and Benavoli 2015)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.bayes.pairs import assemble, pair_indices
from podium.bayes.posterior import Floats, PairPosterior, PairsPosterior, rope_width
from podium.core import check
from podium.core.design import Design
from podium.core.errors import DataError, DesignError
from podium.core.rng import Rng, generator
from podium.core.scores import Scores
from podium.core.table import as_pair, by_label

__all__ = ["CorrelatedTPosterior", "correlated_t", "correlated_t_pairs"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CorrelatedTPosterior(PairPosterior):
    """The posterior of the gain on one dataset: Student t with `df`, centred at `difference`, with `scale`."""

    df: int
    scale: float
    rho: float
    references: tuple[str, ...] = ("corani2015", "nadeau2003", "benavoli2017")


def correlated_t(
    x: Any,
    y: Any,
    *,
    rope: Any = 0.0,
    design: Design | None = None,
    names: tuple[str, str] = ("a", "b"),
    credibility: float = 0.95,
    draws: int = 4000,
    rng: Rng = None,
) -> CorrelatedTPosterior:
    """How the scores x (of a) and y (of b) on the folds of one dataset compare; higher is better.

    `x` and `y` are (repeats, folds), or flat with `design` (without it: one repeat of as many folds as scores).
    Scores of overlapping training sets are correlated by `design.rho`, the share of test cases. The answer is
    closed form; `draws` are for those who want them.

    >>> first = [86.3, 86.7, 81.5, 88.1, 84.4, 85.2, 86.7, 83.0, 84.4, 87.4]
    >>> other = [82.2, 85.2, 80.0, 83.7, 83.7, 83.0, 85.9, 79.3, 83.7, 83.0]
    >>> answer = correlated_t(first, other, rope=1.0, names=("svm", "c45"))
    >>> round(answer.p_right, 3), round(answer.p_rope, 3), answer.df
    (0.957, 0.043, 9)
    """
    design = design or _design_of(x)
    y = by_label(x, y, names=("x", "y"), cure="give the same folds")
    pair = as_pair(np.ravel(x), np.ravel(y), at_least=2)
    check.fraction("credibility", credibility)
    return _posterior(
        pair.differences,
        rope=rope_width(rope),
        rho=design.rho,
        names=names,
        credibility=credibility,
        missing=pair.missing,
        draws=check.count("draws", draws, at_least=0),
        rng=rng,
    )


def correlated_t_pairs(
    scores: Scores, *, dataset: str | None = None, rope: Any = 0.0, credibility: float = 0.95
) -> PairsPosterior:
    """The correlated t test of all pairs of algorithms on one dataset of `scores`."""
    if dataset is None:
        if len(scores.datasets) > 1:
            raise DesignError(
                f"The correlated t test is for one dataset of the {len(scores.datasets)}: give `dataset` (--dataset)."
            )
        dataset = scores.datasets[0]
    if not scores.has_folds:
        raise DesignError(
            "The correlated t test needs the scores of every fold; there is only one score per dataset and algorithm."
        )
    width = rope_width(rope)
    gains = scores.metric.sign * scores.on(dataset).reshape(len(scores.algorithms), -1)
    posteriors: list[PairPosterior] = []
    for i, j in pair_indices(len(scores.algorithms)):
        pair = as_pair(gains[i], gains[j], at_least=0)
        if pair.n < 2:
            raise DataError(
                f"{scores.algorithms[i]!r} and {scores.algorithms[j]!r} share fewer than two folds on {dataset!r}."
            )
        posteriors.append(
            _posterior(
                pair.differences,
                rope=width,
                rho=scores.design.rho,
                names=(scores.algorithms[i], scores.algorithms[j]),
                credibility=check.fraction("credibility", credibility),
                missing=pair.missing,
                draws=0,
                rng=0,
            )
        )
    return assemble(posteriors, algorithms=scores.algorithms, model=f"Correlated Bayesian t test on {dataset}")


def _design_of(x: Any) -> Design:
    shape = np.shape(x)
    if len(shape) == 2:
        return Design(repeats=shape[0], folds=shape[1])
    if len(shape) == 1 and shape[0] >= 2:
        return Design(repeats=1, folds=shape[0])
    raise DataError(f"Scores of at least two folds are needed, as (repeats, folds) or flat; got the shape {shape}.")


def _posterior(
    differences: Floats,
    *,
    rope: float,
    rho: float,
    names: tuple[str, str],
    credibility: float,
    missing: int,
    draws: int,
    rng: Rng,
) -> CorrelatedTPosterior:
    """Student t: n - 1 degrees, location the mean, scale^2 = (1/n + rho/(1-rho)) times the variance."""
    from scipy.special import stdtr, stdtrit

    n = len(differences)
    df, mean = n - 1, float(differences.mean())
    scale = float(np.sqrt((1 / n + rho / (1 - rho)) * differences.var(ddof=1))) if np.ptp(differences) > 0 else 0.0
    made = CorrelatedTPosterior(
        model="Correlated Bayesian t test",
        a=names[0],
        b=names[1],
        rope=rope,
        p_left=0.0,
        p_rope=0.0,
        p_right=0.0,
        difference=mean,
        low=mean,
        high=mean,
        credibility=credibility,
        n=n,
        missing=missing,
        method="exact",
        draws={"difference": mean + scale * generator(rng).standard_t(df, size=draws)} if draws else {},
        df=df,
        scale=scale,
        rho=rho,
    )
    if scale == 0:
        return _degenerate(made)
    left, right = float(stdtr(df, (-rope - mean) / scale)), float(stdtr(df, (mean - rope) / scale))
    half = float(stdtrit(df, (1 + credibility) / 2)) * scale
    p_rope = max(0.0, 1 - left - right) if rope > 0 else 0.0
    return replace(made, p_left=left, p_rope=p_rope, p_right=right, low=mean - half, high=mean + half)


def _degenerate(made: CorrelatedTPosterior) -> CorrelatedTPosterior:
    """All differences equal: the model knows no doubt, so the warning has to say it."""
    mean, rope = made.difference, made.rope
    if mean == 0 and rope == 0:
        sentence = f"{made.a} and {made.b} have identical scores on all {made.n} folds: nothing tells them apart."
        return replace(made, p_left=0.5, p_right=0.5, warnings=(sentence,))
    sentence = f"All {made.n} differences equal {mean:g}: without variance the model is certain, which means little."
    left, right = float(mean < -rope), float(mean > rope)
    return replace(made, p_left=left, p_right=right, p_rope=1 - left - right, warnings=(sentence,))
