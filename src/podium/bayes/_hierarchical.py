"""The hierarchical correlated t test: two algorithms, many datasets, all their folds (Corani et al. 2017).

    x_i ~ MVN(delta_i 1, sigma_i^2 M), M with 1 on the diagonal and rho elsewhere: the gains on dataset i
    delta_i ~ t(df; delta0, std0)            sigma_i ~ U(0, large)
    delta0 ~ U(-max|x|, max|x|)              std0 ~ U(0, 1000 times the sd of the datasets' means)
    df - 1 ~ Gamma(alpha, beta)              alpha ~ U(1, 2), beta ~ U(0.01, 0.1)

sigma_i, delta_i, alpha and beta are integrated out; three dimensions remain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.bayes.diagnostics import Diagnostics, chain_diagnostics
from podium.bayes.hierarchical_data import GainFolds, gain_folds, mixture_nodes
from podium.bayes.importance import importance_sample
from podium.bayes.pairs import assemble, pair_indices
from podium.bayes.posterior import Floats, PairsPosterior, SharePosterior, rope_width
from podium.core import check
from podium.core.design import Design
from podium.core.errors import DesignError
from podium.core.rng import Rng, generator
from podium.core.scores import Scores

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["HierarchicalPosterior", "hierarchical", "hierarchical_pairs"]

POINTS, PILOT = 4096, 384
MIXING_GRID = 20  # nodes in log tau: about 0.65 sd apart, for any df


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HierarchicalPosterior(SharePosterior):
    """The population of datasets, and each dataset shrunk towards it.

    `difference` is delta0, the centre of the population of gains; `std0` and `df` are posterior medians of its
    spread and tail. Shares are those of the next dataset. Per dataset: the mean gain `observed`, its shrunk
    expectation `shrunk` with its interval, and the probabilities of left, rope and right (datasets x 3).
    """

    rho: float
    std0: float
    df: float
    datasets: tuple[str, ...]
    observed: Floats
    shrunk: Floats
    shrunk_low: Floats
    shrunk_high: Floats
    regions: Floats
    diagnostics: Diagnostics
    references: tuple[str, ...] = ("corani2017", "benavoli2017")

    def datasets_frame(self) -> pd.DataFrame:
        """One row per dataset: observed and shrunk gain, interval, and the three probabilities."""
        import pandas as pd

        columns = {"observed": self.observed, "shrunk": self.shrunk, "low": self.shrunk_low, "high": self.shrunk_high}
        chances = dict(zip(("p_left", "p_rope", "p_right"), self.regions.T, strict=True))
        return pd.DataFrame({"dataset": self.datasets, **columns, **chances})


def hierarchical(
    x: Any,
    y: Any,
    *,
    rope: Any = 0.0,
    design: Design | None = None,
    names: tuple[str, str] = ("a", "b"),
    datasets: tuple[str, ...] | None = None,
    credibility: float = 0.95,
    draws: int = 4000,
    rng: Rng = None,
    engine: str = "podium",
) -> HierarchicalPosterior:
    """Is a (scores x) practically better than b (scores y) on datasets like these? Uses every fold.

    `x` and `y` are (datasets, repeats, folds), or (datasets, scores) with `design` (without it: one repeat
    of as many folds as scores); higher is better. `p_right` is the probability that, in the population of
    datasets, "a practically better" is the most frequent outcome; `share_right` the probability that a is
    practically better on the next dataset. `engine="numpyro"` samples the model as it stands by NUTS instead,
    for cross-checks, in minutes.

    >>> source = np.random.default_rng(5)
    >>> gains = source.normal(0.03, 0.01, (15, 1)) + source.normal(0, 0.02, (15, 10))
    >>> answer = hierarchical(0.8 + gains, np.full((15, 10), 0.8), rope=0.01, rng=0)
    >>> answer.p_right > 0.99, 0.9 < answer.share_right < 1
    (True, True)
    """
    data = gain_folds(x, y, design, datasets, rope_width(rope))
    check.fraction("credibility", credibility)
    check.count("draws", draws, at_least=400)
    if check.choice("engine", engine, ("podium", "numpyro")) == "numpyro":
        return _fit_by_numpyro(data, rope_width(rope), names, credibility, draws, generator(rng))
    return _fit(data, rope_width(rope), names, credibility, draws, generator(rng))


def hierarchical_pairs(
    scores: Scores,
    *,
    rope: Any = 0.0,
    credibility: float = 0.95,
    draws: int = 4000,
    rng: Rng = None,
    progress: Callable[[int, int], None] | None = None,
) -> PairsPosterior:
    """The hierarchical model of all pairs of algorithms in `scores`."""
    if not scores.has_folds:
        raise DesignError("The hierarchical model needs the scores of every fold; for one score, use the signed rank.")
    gains = scores.metric.sign * scores.values
    index = pair_indices(len(scores.algorithms))
    made = []
    for done, ((i, k), stream) in enumerate(zip(index, generator(rng).spawn(len(index)), strict=True), start=1):
        made.append(
            hierarchical(
                gains[:, i],
                gains[:, k],
                rope=rope,
                design=scores.design,
                names=(scores.algorithms[i], scores.algorithms[k]),
                datasets=scores.datasets,
                credibility=credibility,
                draws=draws,
                rng=stream,
            )
        )
        if progress is not None:
            progress(done, len(index))
    return assemble(made, algorithms=scores.algorithms, model="Hierarchical Bayesian correlated t test")


def _fit(
    data: GainFolds, rope: float, names: tuple[str, str], credibility: float, draws: int, rng: np.random.Generator
) -> HierarchicalPosterior:
    from podium.bayes.hierarchical_kernel import draw_deltas, log_likelihood

    nodes, log_weights = mixture_nodes(data.counts)

    def log_density(points: Floats) -> Floats:
        natural, jacobian = _natural(data, points)
        fit = log_likelihood(natural, data.means, nodes, log_weights, data.scales, MIXING_GRID)
        total: Floats = fit + jacobian + _log_df_prior(natural[:, 2] - 1)
        return total

    weighted = importance_sample(log_density, _start(data), rng=rng, count=POINTS, pilot=PILOT)
    theta = _theta(_natural(data, weighted.points)[0], rope / data.unit)
    picked, _ = _natural(data, weighted.points[rng.permutation(weighted.resample(draws, rng))])
    deltas = draw_deltas(picked, data.means, nodes, log_weights, data.scales, MIXING_GRID, rng)
    return _result(data, rope, names, credibility, weighted.weights, weighted.diagnostics, theta, picked, deltas)


def _fit_by_numpyro(
    data: GainFolds, rope: float, names: tuple[str, str], credibility: float, draws: int, rng: np.random.Generator
) -> HierarchicalPosterior:
    from podium.bayes.engine_numpyro import hierarchical_chains

    chains, deltas = hierarchical_chains(data, draws, rng)
    ess, rhat = chain_diagnostics(chains)
    flat, each = chains.reshape(-1, 3), deltas.reshape(-1, deltas.shape[2])
    diagnostics = Diagnostics(method="NUTS of numpyro, 4 chains", draws=len(flat), ess=ess, rhat=rhat)
    equal = np.full(len(flat), 1 / len(flat))
    theta = _theta(flat, rope / data.unit)
    return _result(data, rope, names, credibility, equal, diagnostics, theta, flat, each)


def _natural(data: GainFolds, points: Floats) -> tuple[Floats, Floats]:
    """(delta0, std0, df) at three unbounded coordinates, and the log of the Jacobian.

    delta0 = largest tanh(c0 fine / largest), std0 = widest logistic(c1), df = 1 + exp(c2), so that uniform
    priors between limits have no edge; `fine` makes c0 count in steps of the expected error of delta0.
    """
    place = np.tanh(points[:, 0] * data.fine / data.largest)
    share = 1 / (1 + np.exp(-points[:, 1]))
    from_one = np.exp(np.minimum(points[:, 2], 12.0))
    jacobian = np.log1p(-np.minimum(place**2, 1 - 1e-15)) - np.logaddexp(0, points[:, 1])
    jacobian = jacobian - np.logaddexp(0, -points[:, 1]) + points[:, 2]
    return np.column_stack([data.largest * place, data.widest * share, 1 + from_one]), jacobian


def _start(data: GainFolds) -> Floats:
    """Coordinates near the middle of the data, to begin the search of the mode."""
    spread = max(float(data.means.std()), 0.1 * float(np.sqrt(data.scales.mean()))) / data.widest
    middle = float(np.clip(np.median(data.means) / data.largest, -0.99, 0.99))
    return np.array([np.arctanh(middle) * data.largest / data.fine, np.log(spread), 1.0])


def _log_df_prior(from_one: Floats) -> Floats:
    """log p(df - 1): a Gamma density, averaged over alpha ~ U(1, 2) and beta ~ U(0.01, 0.1) by Gauss-Legendre."""
    from scipy.special import gammaln, logsumexp

    nodes, weights = np.polynomial.legendre.leggauss(12)
    alpha, beta = 1.5 + 0.5 * nodes[:, None], 0.055 + 0.045 * nodes[None, :]
    log_weights = np.log(weights[:, None] * weights[None, :]) + alpha * np.log(beta) - gammaln(alpha)
    x = from_one[:, None, None]
    density: Floats = logsumexp(log_weights + (alpha - 1) * np.log(x) - beta * x, axis=(1, 2))
    return density


def _theta(natural: Floats, rope: float) -> Floats:
    """The population's (left, rope, right) at each point."""
    from scipy.special import stdtr

    delta0, std0, df = natural.T
    left, right = stdtr(df, (-rope - delta0) / std0), stdtr(df, (delta0 - rope) / std0)
    middle = np.maximum(0.0, 1 - left - right) if rope > 0 else np.zeros_like(left)
    return np.column_stack([left, middle, right])


def _result(
    data: GainFolds,
    rope: float,
    names: tuple[str, str],
    credibility: float,
    weights: Floats,
    diagnostics: Diagnostics,
    theta: Floats,
    picked: Floats,
    deltas: Floats,
) -> HierarchicalPosterior:
    top = theta >= theta.max(axis=1, keepdims=True)
    chances = weights @ (top / top.sum(axis=1, keepdims=True))
    shares, unit, tail = weights @ theta, data.unit, (1 - credibility) / 2
    drawn = _theta(picked, rope / unit)
    low, high = np.quantile(unit * picked[:, 0], [tail, 1 - tail])
    each_low, each_high = np.quantile(unit * deltas, [tail, 1 - tail], axis=0)
    return HierarchicalPosterior(
        model="Hierarchical Bayesian correlated t test",
        a=names[0],
        b=names[1],
        rope=rope,
        p_left=float(chances[0]),
        p_rope=float(chances[1]),
        p_right=float(chances[2]),
        difference=unit * float(picked[:, 0].mean()),
        low=float(low),
        high=float(high),
        credibility=credibility,
        n=len(data.means),
        missing=data.missing,
        method=diagnostics.method,
        warnings=(*diagnostics.warnings(), *data.warnings(names)),
        draws={
            "left": drawn[:, 0],
            "rope": drawn[:, 1],
            "right": drawn[:, 2],
            "delta0": unit * picked[:, 0],
            "std0": unit * picked[:, 1],
            "df": picked[:, 2],
            "delta": unit * deltas,
        },
        share_left=float(shares[0]),
        share_rope=float(shares[1]),
        share_right=float(shares[2]),
        rho=data.rho,
        std0=unit * float(np.median(picked[:, 1])),
        df=float(np.median(picked[:, 2])),
        datasets=data.names,
        observed=unit * data.means,
        shrunk=unit * deltas.mean(axis=0),
        shrunk_low=each_low,
        shrunk_high=each_high,
        regions=_regions(unit * deltas, rope),
        diagnostics=diagnostics,
    )


def _regions(deltas: Floats, rope: float) -> Floats:
    left, right = (deltas < -rope).mean(axis=0), (deltas > rope).mean(axis=0)
    return np.column_stack([left, 1 - left - right, right])
