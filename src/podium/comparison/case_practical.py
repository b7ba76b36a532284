"""What a region of practical equivalence says of algorithms on the same cases: probabilities, and tests of equivalence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from podium.bayes._pass_fail import case_means, pass_fail_pairs
from podium.bayes.posterior import PairPosterior, PairsPosterior
from podium.cases._all_pairs import CasePairs, tested
from podium.cases.equivalence import CaseEquivalence, case_equivalence
from podium.cases.predictions import special_pairs
from podium.core.arrays import Indices
from podium.core.pairs import pair_indices
from podium.core.rng import Rng
from podium.evidence.cases import Cases
from podium.stats.posthoc.compared import Gains

FEWEST_BENCHMARKS = 3  # from here on a population of benchmarks can be spoken of


def _kernel(cases: Cases, first: Indices, second: Indices, pairs: CasePairs) -> Gains:
    usual: dict[str, bool] = {"exact": pairs.method == "exact", "macro": pairs.mean == "macro"}
    return special_pairs(cases, first, second) or tested(cases, first, second, **usual)


def case_practical(cases: Cases, pairs: CasePairs, rope: float) -> PairsPosterior:
    """The probabilities that a is practically better, equivalent, or worse, for all pairs."""
    first, second = pair_indices(cases.n_algorithms)
    gains = _kernel(cases, first, second, pairs)
    if gains.method in ("mid-p", "exact"):
        return pass_fail_pairs(cases.algorithms, gains.wins, gains.losses, gains.n, rope=rope)
    df = np.asarray(gains.details.get("df", np.full(len(first), np.inf)))
    # The law of t for a number without end is the normal one.
    df = np.where(np.isfinite(df), df, 1e9)
    return case_means(cases.algorithms, gains.effect, gains.details["error"], df, gains.n, rope=rope)


def equivalence_of(cases: Cases, pairs: CasePairs, rope: float, alpha: float) -> CaseEquivalence:
    """Which pairs are shown to differ by less than the rope."""
    return case_equivalence(_kernel(cases, pairs.first, pairs.second, pairs), pairs, rope=rope, alpha=alpha)


def over_benchmarks(cases: Cases, rope: float, rng: Rng) -> PairPosterior | None:
    """Of two algorithms on several benchmarks: what a further benchmark would show, by the hierarchical model.

    Cases of one benchmark are taken to be independent; each benchmark is shrunk towards the others.
    """
    sizes = np.bincount(cases.benchmark)
    usable = cases.n_algorithms == 2 and len(sizes) >= FEWEST_BENCHMARKS and not cases.clusters
    usable = usable and cases.weights is None  # the model's cases of one benchmark are alike
    if not usable or cases.kind == "influence" or cases.has_holes or sizes.min() < 2:
        return None
    from podium.bayes._hierarchical import hierarchical
    from podium.evidence.design import Design

    gains = cases.metric.sign * cases.values
    values = np.full((2, len(sizes), int(sizes.max())), np.nan)
    for place, size in enumerate(sizes):
        values[:, place, :size] = gains[cases.benchmark == place].T
    if not (values[0] != values[1])[~np.isnan(values[0])].any():
        return None
    names = tuple(dict.fromkeys(cases.benchmarks))
    posterior = hierarchical(
        values[0],
        values[1],
        rope=rope,
        design=Design(repeats=int(sizes.max()), test_fraction=1e-9),  # cases share no training set
        names=(cases.algorithms[0], cases.algorithms[1]),
        datasets=names,
        rng=rng,
    )
    return replace(posterior, details={**posterior.details, "noun": "benchmark"})
