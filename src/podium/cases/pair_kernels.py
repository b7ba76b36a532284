"""What the cases say of every pair: the difference with its standard error, p-value and the interval at any level.

The rules (docs/methods/cases.md has the coverage behind each) choose by what the values are: pass or fail, sparse bounded
values, numbers, influence values; with clusters, benchmarks and weights all go through the cluster-robust mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from podium.cases.binary import bonett_price, exact_pvalues, mid_pvalues
from podium.cases.bootstrap import needs_bootstrap, studentised_ends
from podium.cases.clusters import Estimate, cluster_sums, clustered_mean, lonely, mean_of_cases
from podium.cases.influence import Counts, class_df, ratio
from podium.core.arrays import Bools, Floats, Indices, Ints
from podium.core.cases import Cases, codes
from podium.core.errors import DataError

FEW_DIFFERENCES = 20  # fewer cases than this that differ: the t interval is too short, pseudo-cases mend it
FEW_CLUSTERS = 6  # from here on sign flips by cluster can reach 0.05
_BLOCK = 4_000_000  # differences at a time
_FLIPS, _FLIPS_AT_ONCE = 9999, 1024
_ROUNDING = 1e-12  # of the sum of sizes
_LONG = 256  # cases: from here on a loop over pairs costs less than the memory of blocks

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
    losses: Ints
    n: Ints
    ends: Callable[[float], Ends]
    method: str
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def ties(self) -> Ints:
        """How many cases speak for neither."""
        return self.n - self.wins - self.losses


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
    better, worse = (first, second) if cases.metric.higher_is_better else (second, first)
    b, c, n = discordant(cases.values, better, worse)
    if (n < 1).any():
        a, b = (cases.algorithms[side[int(np.argmax(n < 1))]] for side in (first, second))
        raise DataError(f"{a!r} and {b!r} have no case in common: leave one of them out.")
    return CasePair(
        effect=(b - c) / n,
        statistic=ratio((b - c).astype(np.float64), np.sqrt((b + c).astype(np.float64))),
        pvalue=exact_pvalues(b, c) if exact else mid_pvalues(b, c),
        wins=b,
        losses=c,
        n=n,
        ends=lambda level: bonett_price(b, c, n, _normal(level)),
        method="exact" if exact else "mid-p",
    )


def mean_pairs(cases: Cases, first: Indices, second: Indices, *, macro: bool) -> CasePair:
    """Differences of case values: cluster-robust t; with few differences of bounded values, two pseudo-cases."""
    gains = cases.metric.sign * cases.values
    if macro and not cases.has_holes:
        refuse_lonely(cases)
    return _joined(
        [
            _of_differences(cases, (gains[:, first[here]] - gains[:, second[here]]).T, macro)
            for here in _blocks(len(first), cases.n_cases)
        ]
    )


def _of_differences(cases: Cases, differences: Floats, macro: bool) -> CasePair:
    if not np.isnan(differences).any():
        found, sums = _estimated(cases, differences, cases.cluster, cases.benchmark, macro, cases.weights)
        return _flipped(found, sums)
    parts = [_of_differences_of_one(cases, row, macro) for row in differences]
    found = _joined([part for part, _ in parts])
    sums = np.zeros((len(parts), max(sums.shape[1] for _, sums in parts)))
    for place, (_, own) in enumerate(parts):
        sums[place, : own.shape[1]] = own[0]
    return _flipped(found, sums)


def _flipped(found: CasePair, sums: Floats) -> CasePair:
    """With the p-values of sign flips of the sums of clusters, the same flips for all pairs; rows of nothing keep theirs."""
    wanted = np.any(sums != 0, axis=1)
    return replace(found, pvalue=np.where(wanted, _flip_pvalues(sums, wanted), found.pvalue)) if wanted.any() else found


def _of_differences_of_one(cases: Cases, row: Floats, macro: bool) -> tuple[CasePair, Floats]:
    """A pair with holes: the cases that both have."""
    there = ~np.isnan(row)
    if there.sum() < 2:
        raise DataError("Two algorithms have fewer than 2 cases in common: leave one of them out.")
    if macro:
        refuse_lonely(cases, there)
    cluster, benchmark, weights = cases.groups(there)
    return _estimated(cases, row[None, there], cluster, benchmark, macro, weights)


def refuse_lonely(cases: Cases, there: Bools | None = None) -> None:
    """Refuse a mean over benchmarks of which one has a single case or cluster: it has no standard error.

    `there` are the cases that two algorithms have in common, if those are not all.
    """
    if len(set(cases.benchmarks)) < 2:
        return
    mask = np.ones(cases.n_cases, dtype=bool) if there is None else there
    cluster, benchmark, _ = cases.groups(mask)
    alone = lonely(benchmark, cluster)
    if alone is not None:
        here = benchmark == alone
        name, noun = cases.benchmarks[int(np.flatnonzero(mask)[np.argmax(here)])], cases.noun
        one = f"one {'cluster' if here.sum() > 1 else noun} only"
        common = "" if there is None else " that two algorithms have in common"
        raise DataError(
            f"The benchmark {name!r} has {one}{common}, so that nothing tells how far its score is off. Leave it out with {{where}}, "
            f"or let every {noun} have the same weight: {{mean}} 'micro'."
        )


def _estimated(
    cases: Cases, differences: Floats, cluster: Indices, benchmark: Indices, macro: bool, weights: Floats | None
) -> tuple[CasePair, Floats]:
    """The pairs, and the sums of clusters whose signs are to be flipped for the p-values: none where t gives them."""
    n = differences.shape[1]
    groups = int(cluster.max()) + 1
    if groups < 3:
        raise DataError(
            f"{groups} clusters of cases allow no test: at least 3 are needed, and 6 for a p-value below 0.05."
        )
    clustered = groups < n or int(benchmark.max()) > 0
    found, sparse, ends = mean_intervals(cases.kind, differences, cluster, benchmark, macro=macro, weights=weights)
    statistic = ratio(found.mean, found.error)
    # Differences that are all the same have no standard error: then all signs agree, as in 2 of 2^n flips.
    constant = (found.error == 0) & (found.mean != 0)
    pvalue = np.where(constant, 2.0 ** (1 - groups), _t_pvalues(found, statistic))
    counted = case_weights(benchmark, macro, weights)
    if sparse.any():
        pvalue = np.where(sparse, _flip_pvalues(differences * counted, sparse), pvalue)
    unequal = weights is not None and cases.kind != "numeric"
    by_flips = (clustered or unequal) and groups >= FEW_CLUSTERS
    sums = np.zeros((len(differences), 0))
    if by_flips:
        sums = cluster_sums(differences * counted, cluster)
        pvalue = np.ones(len(differences))
    flips = "sign flips by cluster" if by_flips and groups < n else "sign flips"
    resampled = _resampled(cases.kind, differences, clustered, weights)
    pairs = CasePair(
        effect=found.mean,
        statistic=statistic,
        pvalue=pvalue,
        wins=(differences > 0).sum(axis=1),
        losses=(differences < 0).sum(axis=1),
        n=np.full(len(differences), n),
        ends=ends,
        method=flips if by_flips or sparse.all() else "t",
        details={"df": found.df, "error": found.error, "bootstrap_interval": resampled},
    )
    return pairs, sums


def mean_intervals(
    kind: str, differences: Floats, cluster: Indices, benchmark: Indices, *, macro: bool, weights: Floats | None = None
) -> tuple[Estimate, Bools, Callable[[float], Ends]]:
    """Means of differences (rows x cases) with standard errors, which rows are sparse, and the intervals at any level.

    With fewer than 20 cases that differ, t intervals of bounded values are too short: two cases are added, one on
    either side.
    """
    n = differences.shape[1]
    found = mean_of_cases(differences, cluster, benchmark, macro=macro, weights=weights)
    clustered = int(cluster.max()) + 1 < n or int(benchmark.max()) > 0
    counted = np.ones(n) if weights is None else weights
    few = _worth(counted * (differences != 0)) < FEW_DIFFERENCES
    sparse: Bools = few & (kind in ("bounded", "pass_fail")) & (not clustered)
    size, total, squares = _worth_of_mean(differences, counted, found)
    skewed = _resampled(kind, differences, clustered, weights)
    resampled = differences[skewed]

    def ends(level: float) -> Ends:
        half = _t(level, found.df) * found.error
        low, high = found.mean - half, found.mean + half
        if skewed.any():
            # Neither is enough alone: t is short for skewed differences, the bootstrap for heavy tails on both sides.
            ends_of = studentised_ends(resampled, level, weights=weights)
            low[skewed], high[skewed] = np.minimum(low[skewed], ends_of[0]), np.maximum(high[skewed], ends_of[1])
        if not sparse.any():
            return low, high
        centre = total / (size + 2)
        # Unequal weights leave fewer cases to tell the spread by: then the normal law is too narrow.
        quantile = _normal(level) if weights is None else _t(level, np.maximum(size, 2.0) - 1)
        spread = np.sqrt(np.maximum((squares + 2) / (size + 2) - centre**2, 0.0) / (size + 2)) * quantile
        added = np.maximum(centre - spread, -1.0), np.minimum(centre + spread, 1.0)
        return np.where(sparse, added[0], low), np.where(sparse, added[1], high)

    return found, sparse, ends


def _worth(weights: Floats) -> Floats:
    """The number of cases of equal weight that tell as much as those with these weights (..., n) (Kish 1965)."""
    return ratio(weights.sum(axis=-1) ** 2, (weights**2).sum(axis=-1))


def _worth_of_mean(differences: Floats, weights: Floats, found: Estimate) -> tuple[Floats, Floats, Floats]:
    """How many cases of equal weight each mean is worth, and the sums of its differences and of their squares then.

    Where the cases that differ are the heavy ones, the mean is worth fewer cases than the weights alone would say.
    """
    share = weights / weights.sum()
    mean, square = differences @ share, differences**2 @ share
    size = np.broadcast_to(_worth(weights), mean.shape)
    told = ratio(square - mean**2, found.error**2)
    size = np.where(told > 0, np.minimum(size, told), size) if np.ptp(weights) > 0 else size
    return size, size * mean, size * square


def _resampled(kind: str, differences: Floats, clustered: bool, weights: Floats | None) -> Bools:
    """Which rows have an interval by the bootstrap: skewed numbers on few cases that do not belong together."""
    wanted: Bools = needs_bootstrap(differences, weights) & (kind == "numeric" and not clustered)
    return wanted


def case_weights(benchmark: Indices, macro: bool, weights: Floats | None = None) -> Floats:
    """How much each case counts in the mean, 1 on average: by its weight, and benchmarks alike where the mean is macro."""
    own = np.ones(len(benchmark)) if weights is None else weights / weights.mean()
    if not macro:
        return own
    totals = np.bincount(benchmark, weights=own)
    return own * (len(benchmark) / (len(totals) * totals))[benchmark]


def _flip_pvalues(rows: Floats, wanted: Bools) -> Floats:
    """The sign-flip p-values of the wanted rows: all flips up to 40 differences that are not 0, random ones beyond.

    The random flips are the same for all rows, so that they are one matrix product; sums that differ by rounding are equal.
    """
    from podium.stats.pairwise.permutation import EXACT_UP_TO, kernel

    pvalue = np.ones(len(rows))
    speaking_cases = (rows != 0).sum(axis=1)
    few = np.flatnonzero(wanted & (speaking_cases > 0) & (speaking_cases <= EXACT_UP_TO))
    if len(few):
        pvalue[few] = kernel(rows[few]).pvalue
    many = np.flatnonzero(wanted & (speaking_cases > EXACT_UP_TO))
    if len(many):
        columns = rows[many].T
        observed = np.abs(columns.sum(axis=0)) - _ROUNDING * np.abs(columns).sum(axis=0)
        random, as_extreme = np.random.default_rng(0), np.ones(len(many))
        for start in range(0, _FLIPS, _FLIPS_AT_ONCE):
            size = (min(_FLIPS_AT_ONCE, _FLIPS - start), len(columns))
            signs = 2.0 * random.integers(0, 2, size=size, dtype=np.int8) - 1.0
            as_extreme += (np.abs(signs @ columns) >= observed).sum(axis=0)
        pvalue[many] = as_extreme / (1 + _FLIPS)
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
    n, spoken = cases.n_cases, speaking(cases.on_each_case, first, second)
    effect = cases.metric.sign * (cases.scores[first] - cases.scores[second])
    if int(cases.cluster.max()) + 1 < n:
        parts = (gains[:, first[here]] - gains[:, second[here]] for here in _blocks(len(first), n))
        estimates = [clustered_mean(part.T, cases.cluster) for part in parts]
        found = Estimate(**_concatenated(estimates, "mean", "error", "df"))
        return t_pairs(effect, found.error, found.df, spoken, "jackknife", n=n)
    centred = gains - gains.mean(axis=0)
    error = np.sqrt(_spread(centred, first, second) / (n - 1) / n)
    df = np.full(len(first), n - 1.0)
    sizes: tuple[int, ...] = ()
    if cases.classes:
        group = codes(cases.classes)
        sizes = tuple(np.bincount(group).tolist())
        squares = [_spread(centred[group == place], first, second) for place in range(len(sizes))]
        df = class_df(squares, sizes, otherwise=n - 1)
    return t_pairs(effect, error, df, spoken, "jackknife", n=n, classes=sizes)


def _spread(columns: Floats, first: Indices, second: Indices) -> Floats:
    """The sums of squares of the differences of columns, by one matrix product."""
    products = columns.T @ columns
    own = np.diag(products)
    squares = own[first] + own[second] - 2 * products[first, second]
    # What is left of the subtraction of equal columns is rounding.
    return np.where(squares > 1e-12 * (own[first] + own[second]), squares, 0.0)


def speaking(gains: Floats, first: Indices, second: Indices) -> tuple[Ints, Ints]:
    """How many cases speak for the first and for the second of each pair."""
    wins, losses = np.empty(len(first), dtype=np.int64), np.empty(len(first), dtype=np.int64)
    rows = np.ascontiguousarray(gains.T)
    largest = 1e-12 * np.maximum(np.abs(rows).max(axis=1), 1e-300)
    if gains.shape[0] >= _LONG:  # pair by pair, within the processor's cache
        for pair, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            difference, bound = rows[i] - rows[j], max(largest[i], largest[j])
            wins[pair] = np.count_nonzero(difference > bound)
            losses[pair] = np.count_nonzero(difference < -bound)
        return wins, losses
    for here in _blocks(len(first), gains.shape[0]):
        differences = rows[first[here]] - rows[second[here]]
        tolerance = np.maximum(largest[first[here]], largest[second[here]])[:, None]
        wins[here] = (differences > tolerance).sum(axis=1)
        losses[here] = (differences < -tolerance).sum(axis=1)
    return wins, losses


def _blocks(pairs: int, n: int) -> Iterator[slice]:
    """Pairs in blocks of so many differences as the memory likes."""
    size = max(1, _BLOCK // max(n, 1))
    return (slice(start, start + size) for start in range(0, pairs, size))


def _concatenated(parts: Sequence[Any], *names: str) -> dict[str, Any]:
    """These arrays of all parts, each one after the other."""
    return {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}


def t_pairs(
    effect: Floats,
    error: Floats,
    df: Floats,
    counts: tuple[Ints, Ints],
    method: str,
    *,
    n: int,
    classes: tuple[int, ...] = (),
) -> CasePair:
    """Differences with a standard error and degrees of freedom; `counts` are the cases that speak for either.

    Of a metric of `classes` (so many cases each) no difference seen is not "no difference": as in Bonett and Price's interval
    two cases that disagree are added to each class.
    """
    statistic = ratio(effect, error)
    unseen = (error == 0) & (effect == 0) & bool(classes)
    least = float(np.sqrt(sum(2 / (size + 2) ** 2 for size in classes)))

    def ends(level: float) -> Ends:
        half = np.where(unseen, min(_normal(level) * least, 1.0), _t(level, df) * error)
        return effect - half, effect + half

    return CasePair(
        effect=effect,
        statistic=statistic,
        pvalue=_t_pvalues(Estimate(mean=effect, error=error, df=df), statistic),
        wins=counts[0],
        losses=counts[1],
        n=np.full(len(effect), n),
        ends=ends,
        method=method,
        details={"df": df, "error": error},
    )


def delong_pairs(placed: Floats, truth: Any, first: Indices, second: Indices) -> CasePair:
    """AUC: DeLong's standard error from placements, with Satterthwaite's degrees of freedom by class."""
    sides = placed[truth], placed[~truth]
    counts = len(sides[0]), len(sides[1])
    parts = [
        _spread(side - side.mean(axis=0), first, second) / max(size - 1, 1) / size
        for side, size in zip(sides, counts, strict=True)
    ]
    df = class_df(parts, counts, otherwise=sum(counts) - 2)
    means, error = sides[0].mean(axis=0), np.sqrt(parts[0] + parts[1])
    spoken = speaking(placed, first, second)
    return t_pairs(means[first] - means[second], error, df, spoken, "DeLong", n=len(truth), classes=counts)


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

    from scipy.special import ndtr

    return CasePair(
        effect=effect,
        statistic=statistic,
        pvalue=2 * ndtr(-np.abs(statistic)),
        wins=joint[:, :, 1].sum(axis=1).astype(np.int64),
        losses=joint[:, :, 2].sum(axis=1).astype(np.int64),
        n=joint.sum(axis=(1, 2)).astype(np.int64),
        ends=lambda level: (centre - _normal(level) * error, centre + _normal(level) * error),
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


def _joined(parts: list[CasePair]) -> CasePair:
    """Blocks of pairs as one."""
    if len(parts) == 1:
        return parts[0]

    def ends(level: float) -> Ends:
        found = [part.ends(level) for part in parts]
        return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])

    methods = {part.method for part in parts}
    details = {name: np.concatenate([part.details[name] for part in parts]) for name in parts[0].details}
    arrays = _concatenated(parts, "effect", "statistic", "pvalue", "wins", "losses", "n")
    return CasePair(**arrays, ends=ends, method=methods.pop() if len(methods) == 1 else "t", details=details)
