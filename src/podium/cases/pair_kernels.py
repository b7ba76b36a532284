"""What the cases say of every pair: the difference with its standard error, p-value and the interval at any level.

The rules (docs/methods/cases.md has the coverage behind each) choose by what the values are: pass or fail, sparse bounded
values, numbers, influence values; with clusters and benchmarks all go through the cluster-robust mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.cases.binary import bonett_price, exact_pvalues, mid_pvalues
from podium.cases.clusters import Estimate, cluster_sums, clustered_mean, stratified_mean
from podium.cases.influence import Counts, class_df, ratio
from podium.core.arrays import Floats, Indices, Ints
from podium.core.cases import Cases, codes
from podium.core.errors import DataError

FEW_DIFFERENCES = 20  # fewer cases than this that differ: the t interval is too short, pseudo-cases mend it
FEW_CLUSTERS = 6  # from here on sign flips by cluster can reach 0.05
_BLOCK = 4_000_000  # differences at a time

Ends = tuple[Floats, Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePair:
    """Every pair's difference (higher is better), statistic, p-value, counts, and its interval as a function of the level.

    `ends(level)` gives the two-sided interval whose error probability is `level`.
    """

    effect: Floats
    statistic: Floats
    pvalue: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    n: Ints
    ends: Callable[[float], Ends]
    method: str
    details: dict[str, Any]


def discordant(values: Floats, first: Indices, second: Indices) -> tuple[Ints, Ints, Ints]:
    """How many cases only the first, only the second passes, and how many both have, for all pairs by matrix products."""
    present = ~np.isnan(values)
    passed = np.where(present, values, 0.0).astype(np.float32)
    failed = np.where(present, 1.0 - passed, 0.0).astype(np.float32)
    there = present.astype(np.float32)
    only = np.rint(passed.T @ failed).astype(np.int64)
    common = np.rint(there.T @ there).astype(np.int64)
    return only[first, second], only[second, first], common[first, second]


def pass_fail_pairs(cases: Cases, first: Indices, second: Indices, *, exact: bool) -> CasePair:
    """McNemar's test, mid-p or exact, with Bonett and Price's interval."""
    b, c, n = discordant(cases.values, first, second)
    _refuse_none(cases, first, second, n)
    pvalue = exact_pvalues(b, c) if exact else mid_pvalues(b, c)
    z = ratio((b - c).astype(np.float64), np.sqrt((b + c).astype(np.float64)))

    def ends(level: float) -> Ends:
        return bonett_price(b, c, n, _normal(level))

    return CasePair(
        effect=(b - c) / n,
        statistic=z,
        pvalue=pvalue,
        wins=b,
        ties=n - b - c,
        losses=c,
        n=n,
        ends=ends,
        method="exact" if exact else "mid-p",
        details={},
    )


def mean_pairs(cases: Cases, first: Indices, second: Indices, *, macro: bool) -> CasePair:
    """Differences of case values: cluster-robust t; with few differences of bounded values, two pseudo-cases."""
    gains = cases.metric.sign * cases.values
    parts = []
    size = max(1, _BLOCK // max(cases.n_cases, 1))
    for start in range(0, len(first), size):
        here = slice(start, start + size)
        differences = (gains[:, first[here]] - gains[:, second[here]]).T
        parts.append(_of_differences(cases, differences, macro))
    return _joined(parts)


def _of_differences(cases: Cases, differences: Floats, macro: bool) -> CasePair:
    if np.isnan(differences).any():
        return _joined([_of_differences_of_one(cases, row, macro) for row in differences])
    return _estimated(cases, differences, cases.cluster, cases.benchmark, macro)


def _of_differences_of_one(cases: Cases, row: Floats, macro: bool) -> CasePair:
    """A pair with holes: the cases that both have."""
    there = ~np.isnan(row)
    if there.sum() < 2:
        raise DataError("Two algorithms have fewer than 2 cases in common: leave one of them out.")
    _, cluster = np.unique(cases.cluster[there], return_inverse=True)
    _, benchmark = np.unique(cases.benchmark[there], return_inverse=True)
    return _estimated(cases, row[None, there], cluster, benchmark, macro)


def _estimated(cases: Cases, differences: Floats, cluster: Indices, benchmark: Indices, macro: bool) -> CasePair:
    n = differences.shape[1]
    groups = int(cluster.max()) + 1
    if groups < 3:
        raise DataError(
            f"{groups} clusters of cases allow no test: at least 3 are needed, and 6 for a p-value below 0.05."
        )
    several = int(benchmark.max()) > 0
    found = (
        stratified_mean(differences, benchmark, cluster, macro=macro)
        if several
        else clustered_mean(differences, cluster)
    )
    nonzero = (differences != 0).sum(axis=1)
    clustered = groups < n or several
    sparse = (nonzero < FEW_DIFFERENCES) & (cases.kind in ("bounded", "pass_fail")) & (not clustered)
    statistic = ratio(found.mean, found.error)
    # Differences that are all the same have no standard error: then all signs agree, as in 2 of 2^n flips.
    constant = (found.error == 0) & (found.mean != 0)
    pvalue = np.where(constant, 2.0 ** (1 - groups), _t_pvalues(found, statistic))
    if sparse.any():
        pvalue = np.where(sparse, _flip_pvalues(differences, sparse), pvalue)
    if clustered and groups >= FEW_CLUSTERS:
        weights = case_weights(benchmark, macro)
        pvalue = _flip_pvalues(cluster_sums(differences * weights, cluster), np.ones(len(differences), dtype=bool))
    total, squares = differences.sum(axis=1), (differences**2).sum(axis=1)

    def ends(level: float) -> Ends:
        half = _t(level, found.df) * found.error
        low, high = found.mean - half, found.mean + half
        if not sparse.any():
            return low, high
        centre = total / (n + 2)
        spread = np.sqrt(np.maximum((squares + 2) / (n + 2) - centre**2, 0.0) / (n + 2)) * _normal(level)
        return np.where(sparse, np.maximum(centre - spread, -1.0), low), np.where(
            sparse, np.minimum(centre + spread, 1.0), high
        )

    wins, losses = (differences > 0).sum(axis=1), (differences < 0).sum(axis=1)
    return CasePair(
        effect=found.mean,
        statistic=statistic,
        pvalue=pvalue,
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
        n=np.full(len(differences), n),
        ends=ends,
        method="sign flips by cluster" if clustered and groups >= FEW_CLUSTERS else "t",
        details={"df": found.df},
    )


def case_weights(benchmark: Indices, macro: bool) -> Floats:
    """The weight of each case in the mean over benchmarks."""
    if not macro:
        return np.ones(len(benchmark))
    sizes = np.bincount(benchmark).astype(np.float64)
    return (len(benchmark) / (len(sizes) * sizes))[benchmark]


def _flip_pvalues(rows: Floats, wanted: Any) -> Floats:
    """The sign-flip p-values of the wanted rows: all flips up to 40 differences that are not 0, random ones beyond."""
    from podium.stats.pairwise.permutation import kernel

    pvalue = np.ones(len(rows))
    chosen = np.flatnonzero(wanted & (rows != 0).any(axis=1))
    if len(chosen):
        pvalue[chosen] = kernel(rows[chosen], draws=9999, rng=0).pvalue
    return pvalue


def _t_pvalues(found: Estimate, statistic: Floats) -> Floats:
    from scipy.special import stdtr

    return np.where(found.error > 0, 2 * stdtr(found.df, -np.abs(statistic)), np.where(found.mean == 0, 1.0, 0.0))


def _t(level: float, df: Any) -> Floats:
    from scipy.special import stdtrit

    quantile: Floats = stdtrit(df, 1 - level / 2)
    return quantile


def _normal(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(1 - level / 2))


def influence_pairs(cases: Cases, first: Indices, second: Indices) -> CasePair:
    """A metric that is not a mean: t of the pseudo-values with degrees of freedom by class."""
    gains = cases.metric.sign * cases.values
    differences = (gains[:, first] - gains[:, second]).T
    n = cases.n_cases
    effect = cases.metric.sign * (cases.scores[first] - cases.scores[second])
    cluster = cases.cluster
    if int(cluster.max()) + 1 < n:
        found = clustered_mean(differences, cluster)
        error, df = found.error, found.df
    else:
        error = differences.std(axis=1, ddof=1) / np.sqrt(n)
        centred = differences - differences.mean(axis=1, keepdims=True)
        df = class_df(centred, codes(cases.classes)) if cases.classes else np.full(len(differences), n - 1.0)
    return t_pairs(effect, error, df, differences, "jackknife")


def t_pairs(effect: Floats, error: Floats, df: Floats, differences: Floats, method: str) -> CasePair:
    """Differences with a standard error and degrees of freedom; wins count the cases that speak for either."""
    found = Estimate(mean=effect, error=error, df=df)
    statistic = ratio(effect, error)

    def ends(level: float) -> Ends:
        half = _t(level, df) * error
        return effect - half, effect + half

    tolerance = 1e-12 * np.maximum(np.abs(differences).max(axis=1, initial=0.0), 1e-300)[:, None]
    wins, losses = (differences > tolerance).sum(axis=1), (differences < -tolerance).sum(axis=1)
    n = differences.shape[1]
    return CasePair(
        effect=effect,
        statistic=statistic,
        pvalue=_t_pvalues(found, statistic),
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
        n=np.full(len(differences), n),
        ends=ends,
        method=method,
        details={"df": df, "error": error},
    )


def delong_pairs(placed: Floats, truth: Any, first: Indices, second: Indices) -> CasePair:
    """AUC: DeLong's standard error from placements, with Satterthwaite's degrees of freedom by class."""
    differences = (placed[:, first] - placed[:, second]).T
    positive, negative = differences[:, truth], differences[:, ~truth]
    counts = positive.shape[1], negative.shape[1]
    parts = [side.var(axis=1, ddof=1) / size for side, size in ((positive, counts[0]), (negative, counts[1]))]
    variance = parts[0] + parts[1]
    below = parts[0] ** 2 / (counts[0] - 1) + parts[1] ** 2 / (counts[1] - 1)
    df = np.where(below > 0, variance**2 / np.where(below > 0, below, 1.0), float(sum(counts) - 2))
    effect = positive.mean(axis=1)
    return t_pairs(effect, np.sqrt(variance), df, differences, "DeLong")


def count_pairs(metric: Any, truth: Any, right: Any, first: Indices, second: Indices) -> CasePair:
    """Metrics of two classes' labels (F1, MCC, ...): the jackknife of four more cases, which cures short intervals.

    In each class one case is added that only the first gets right and one that only the second does; for recall this
    is Bonett and Price's interval on the positives. `truth` is True for positives, `right` (cases x algorithms) says who
    is right. The effect is the plain difference.
    """
    cells = [_joint(right[truth == place], first, second) for place in (False, True)]
    joint = np.stack(cells, axis=1)  # pairs x class x (both, only first, only second, neither)
    effect = metric(_state(joint, (0, 1))) - metric(_state(joint, (0, 2)))
    added = joint + np.array([0.0, 1.0, 1.0, 0.0])
    n = added.sum(axis=(1, 2))
    centre = metric(_state(added, (0, 1))) - metric(_state(added, (0, 2)))
    mean, square = np.zeros(len(first)), np.zeros(len(first))
    for place in (0, 1):
        for cell in range(4):
            fewer = added.copy()
            fewer[:, place, cell] -= 1
            count = added[:, place, cell]
            without = metric(_state(fewer, (0, 1))) - metric(_state(fewer, (0, 2)))
            pseudo = np.where(count > 0, n * centre - (n - 1) * without, 0.0)
            mean, square = mean + count * pseudo / n, square + count * pseudo**2
    error = np.sqrt(np.maximum(square - n * mean**2, 0.0) / (n - 1) / n)
    statistic = ratio(centre, error)

    def ends(level: float) -> Ends:
        half = _normal(level) * error
        return centre - half, centre + half

    from scipy.special import ndtr

    only_a, only_b = joint[:, :, 1].sum(axis=1), joint[:, :, 2].sum(axis=1)
    total = joint.sum(axis=(1, 2))
    return CasePair(
        effect=effect,
        statistic=statistic,
        pvalue=2 * ndtr(-np.abs(statistic)),
        wins=only_a.astype(np.int64),
        ties=(total - only_a - only_b).astype(np.int64),
        losses=only_b.astype(np.int64),
        n=total.astype(np.int64),
        ends=ends,
        method="jackknife with four cases added",
        details={"error": error},
    )


def _joint(right: Any, first: Indices, second: Indices) -> Floats:
    """Of the cases of one class, how many both, only the first, only the second, and neither get right."""
    passed = right.astype(np.float64)
    both = (passed.T @ passed)[first, second]
    each = passed.sum(axis=0)
    one, other = each[first] - both, each[second] - both
    return np.stack([both, one, other, len(right) - both - one - other], axis=-1)


def _state(joint: Floats, kinds: tuple[int, int]) -> Counts:
    """The counts of one of the two: right are those of these kinds; a wrong label is the other class."""
    right, row = joint[:, :, kinds[0]] + joint[:, :, kinds[1]], joint.sum(axis=2)
    return Counts(diag=right, row=row, column=right + (row - right)[:, ::-1])


def _refuse_none(cases: Cases, first: Indices, second: Indices, n: Ints) -> None:
    if (n < 1).any():
        pair = int(np.argmax(n < 1))
        a, b = cases.algorithms[first[pair]], cases.algorithms[second[pair]]
        raise DataError(f"{a!r} and {b!r} have no case in common: leave one of them out.")


def _joined(parts: list[CasePair]) -> CasePair:
    """Blocks of pairs as one."""
    if len(parts) == 1:
        return parts[0]

    def join(name: str) -> Any:
        return np.concatenate([getattr(part, name) for part in parts])

    def ends(level: float) -> Ends:
        found = [part.ends(level) for part in parts]
        return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])

    methods = dict.fromkeys(part.method for part in parts)
    details = {name: np.concatenate([part.details[name] for part in parts]) for name in parts[0].details}
    arrays = {name: join(name) for name in ("effect", "statistic", "pvalue", "wins", "ties", "losses", "n")}
    return CasePair(**arrays, ends=ends, method=" or ".join(methods), details=details)
