"""The correlated Bayesian t test: two algorithms, one dataset, cross-validated (Corani and Benavoli 2015)."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from podium.bayes.posterior import PairPosterior, PairsPosterior, rope_width, stacked
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError, DesignError
from podium.core.numbers import number
from podium.core.rng import Rng, generator
from podium.evidence.design import Design, as_design
from podium.evidence.scores import Scores
from podium.evidence.table import Pair, as_pair, by_label


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
) -> PairPosterior:
    """How the scores x (of a) and y (of b) on the folds of one dataset compare; higher is better.

    Scores of overlapping training sets are correlated by `design.rho`, the share of test cases. The posterior is a
    Student t with `details["df"]`, centred at `difference`, with `details["scale"]`.

    Parameters
    ----------
    x, y : array-like of shape (repeats, folds) or (n_scores,)
        Scores of a and of b on the same folds.
    rope : float or RopeResult, default 0.0
        Differences up to this, in the units of the scores, do not matter; or a result of `rope_from_...`.
    design : Design, optional
        Repeats, folds and the share of test cases of flat scores; without it, one repeat of as many folds as
        scores.
    names : (str, str), default ("a", "b")
        What the two algorithms are called.
    credibility : float, default 0.95
        Probability that the credible intervals hold.
    draws : int, default 4000
        How many draws of the difference to keep in `draws`.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    PairPosterior
        `p_left` (b is better), `p_rope` (practically equivalent), `p_right` (a is better), and the difference
        with its interval.

    Examples
    --------
    >>> first = [86.3, 86.7, 81.5, 88.1, 84.4, 85.2, 86.7, 83.0, 84.4, 87.4]
    >>> other = [82.2, 85.2, 80.0, 83.7, 83.7, 83.0, 85.9, 79.3, 83.7, 83.0]
    >>> answer = correlated_t(first, other, rope=1.0, names=("svm", "c45"))
    >>> round(answer.p_right, 3), round(answer.p_rope, 3), int(answer.details["df"])
    (0.957, 0.043, 9)
    """
    check.pair_of_names(names)
    shape = check.floats("x", x, ragged="repeats with unequal numbers of folds").shape
    design = _design_of(shape) if design is None else as_design(design, shape)
    y = by_label(x, y, names=("x", "y"), cure="give the same folds")
    pair = as_pair(np.ravel(x), np.ravel(y), at_least=2)
    posterior = _posterior([pair], names, rope, design.rho, credibility, {}).pair(*names)
    if not check.count("draws", draws, at_least=0):
        return posterior
    drawn = generator(rng).standard_t(posterior.details["df"], size=draws)
    return replace(posterior, draws={"difference": posterior.difference + posterior.details["scale"] * drawn})


def fit(
    data: Scores,
    *,
    dataset: str | None = None,
    rope: Any = 0.0,
    credibility: float = 0.95,
    draws: int = 0,
    rng: Rng = None,
    progress: Any = None,
) -> PairsPosterior:
    """All pairs of algorithms on one dataset; the answer is exact, so that nothing is drawn."""
    if dataset is None and len(data.datasets) > 1:
        raise DesignError(
            "The correlated t test is for one dataset of the {count}: give {dataset}.",
            count=len(data.datasets),
            options=["dataset"],
        )
    dataset = dataset or data.datasets[0]
    gains = data.metric.sign * data.on(dataset).reshape(len(data.algorithms), -1)
    pairs = []
    for (x, y), (a, b) in zip(combinations(gains, 2), combinations(data.algorithms, 2), strict=True):
        pairs.append(as_pair(x, y, at_least=0))
        if pairs[-1].n < 2:
            raise DataError(f"{a!r} and {b!r} share fewer than two folds on {dataset!r}.")
    return _posterior(pairs, data.algorithms, rope, data.design.rho, credibility, {"dataset": dataset})


def _design_of(shape: tuple[int, ...]) -> Design:
    if len(shape) == 2:
        return Design(repeats=shape[0], folds=shape[1])
    if len(shape) == 1 and shape[0] >= 2:
        return Design(repeats=1, folds=shape[0])
    raise DataError(f"Scores of at least two folds are needed, as (repeats, folds) or flat; got the shape {shape}.")


def _posterior(
    pairs: list[Pair], algorithms: tuple[str, ...], rope: Any, rho: float, credibility: float, details: dict[str, Any]
) -> PairsPosterior:
    width = rope_width(rope)
    check.fraction("credibility", credibility)
    rows = [
        {**_row(pair.differences, names, width, rho, credibility), "left_out": pair.missing}
        for pair, names in zip(pairs, combinations(algorithms, 2), strict=True)
    ]
    fields = {"rope": width, "credibility": credibility, "method": "exact", "details": {"rho": rho, **details}}
    return PairsPosterior.of("correlated_t", algorithms, **fields, **stacked(rows))


def _row(differences: Floats, names: tuple[str, str], rope: float, rho: float, credibility: float) -> dict[str, Any]:
    """Student t: df = n - 1, location the mean, scale^2 = (1/n + rho/(1-rho)) times the variance."""
    from scipy.special import stdtr, stdtrit

    n, mean = len(differences), float(differences.mean())
    scale = float(np.sqrt((1 / n + rho / (1 - rho)) * differences.var(ddof=1))) if np.ptp(differences) > 0 else 0.0
    df, half = n - 1, 0.0
    if scale > 0:
        left, right = float(stdtr(df, (-rope - mean) / scale)), float(stdtr(df, (mean - rope) / scale))
        half, warnings = float(stdtrit(df, (1 + credibility) / 2)) * scale, []
    elif mean == 0 and rope == 0:
        left = right = 0.5
        warnings = [f"{names[0]} and {names[1]} have identical scores on all {n} folds: there is nothing to compare."]
    else:  # the model knows no doubt, so the warning has to say it
        left, right = float(mean < -rope), float(mean > rope)
        equal = f"All {n} differences of {names[0]} and {names[1]} equal {number(mean, 6)}"
        warnings = [f"{equal}: without variance the model is certain, which means little."]
    return {
        "p_left": left,
        "p_rope": max(0.0, 1 - left - right) if rope > 0 or scale == 0 else 0.0,
        "p_right": right,
        "difference": mean,
        "low": mean - half,
        "high": mean + half,
        "n": n,
        "df": df,
        "scale": scale,
        "warnings": warnings,
    }
