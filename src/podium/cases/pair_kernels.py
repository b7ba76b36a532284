"""What the cases say of every pair: the difference with its standard error, p-value and the interval at any level.

The rules (docs/methods/cases.md has the coverage behind each) choose by what the values are: pass or fail, sparse bounded
values, numbers, influence values; with clusters, benchmarks and weights all go through the cluster-robust mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from podium.cases.auc import difference_ends, difference_pvalues
from podium.cases.binary import bonett_price, exact_pvalues, mid_pvalues
from podium.cases.clusters import FEWEST_CLUSTERS, Estimate, clustered_mean, lonely
from podium.cases.influence import Counts, class_df, ratio
from podium.cases.means import Ends, StudentMeans, means_of, quantile, tail
from podium.core import check
from podium.core.arrays import Bools, Floats, Indices, Ints
from podium.core.errors import DataError
from podium.evidence.cases import Cases, Groups, codes
from podium.stats.posthoc.compared import Gains

_BLOCK = 4_000_000  # differences at a time
_CACHE = 50_000  # the same, where they are only counted: as many as the processor's cache holds


def discordant(values: Floats, first: Indices, second: Indices) -> tuple[Ints, Ints, Ints]:
    """How many cases only the first, only the second passes, and how many both have, for all pairs by matrix products."""
    present = ~np.isnan(values)
    passed = np.where(present, values, 0.0).astype(np.float32)
    failed = np.where(present, 1.0 - passed, 0.0).astype(np.float32)
    there = present.astype(np.float32)
    only = np.rint(passed.T @ failed).astype(np.int64)
    common = np.rint(there.T @ there).astype(np.int64)
    return only[first, second], only[second, first], common[first, second]


def pass_fail_pairs(cases: Cases, first: Indices, second: Indices, *, exact: bool) -> Gains:
    """McNemar's test, mid-p or exact, with Bonett and Price's interval."""
    better, worse = (first, second) if cases.metric.higher_is_better else (second, first)
    b, c, n = discordant(cases.values, better, worse)
    if (n < 1).any():
        a, b = (cases.algorithms[side[int(np.argmax(n < 1))]] for side in (first, second))
        raise DataError(f"{a!r} and {b!r} have no case in common: leave one of them out.")
    return Gains(
        effect=(b - c) / n,
        statistic=ratio((b - c).astype(np.float64), np.sqrt((b + c).astype(np.float64))),
        pvalue=exact_pvalues(b, c) if exact else mid_pvalues(b, c),
        wins=b,
        losses=c,
        n=n,
        ends=lambda level: bonett_price(b, c, n, quantile(level)),
        method="exact" if exact else "mid-p",
    )


def mean_pairs(cases: Cases, first: Indices, second: Indices, *, macro: bool) -> Gains:
    """Differences of case values, by the rule of `means` that fits them."""
    gains = cases.metric.sign * cases.values
    if macro and not cases.has_holes:
        check_benchmark_sizes(cases)
    parts = []
    for here in _blocks(len(first), cases.n_cases):
        differences = (gains[:, first[here]] - gains[:, second[here]]).T
        if np.isnan(differences).any():
            parts += [_on_shared_cases(cases, row, macro) for row in differences]
        else:
            parts.append(_estimated(cases, differences, cases.groups(macro=macro)))
    return _joined(parts)


def _on_shared_cases(cases: Cases, row: Floats, macro: bool) -> Gains:
    """A pair with holes: the cases that both have."""
    there = ~np.isnan(row)
    if there.sum() < 2:
        raise DataError("Two algorithms have fewer than 2 cases in common: leave one of them out.")
    if macro:
        check_benchmark_sizes(cases, there)
    return _estimated(cases, row[None, there], cases.groups(there, macro=macro))


def check_benchmark_sizes(cases: Cases, there: Bools | None = None) -> None:
    """Refuse a mean over benchmarks of which one has a single case or cluster: it has no standard error.

    `there` are the cases that two algorithms have in common, if those are not all.
    """
    if len(set(cases.benchmarks)) < 2:
        return
    groups = cases.groups(there)
    alone = lonely(groups.benchmark, groups.cluster)
    if alone is not None:
        here, noun = groups.benchmark == alone, cases.noun
        places = np.arange(cases.n_cases) if there is None else np.flatnonzero(there)
        name = cases.benchmarks[int(places[np.argmax(here)])]
        one = f"one {'cluster' if here.sum() > 1 else noun} only"
        common = "" if there is None else " that two algorithms have in common"
        raise DataError(
            f"The benchmark {name!r} has {one}{common}, so that nothing tells how far its score is off. Leave it out with {{where}}, "
            f"or let every {noun} have the same weight: {{mean}} 'micro'."
        )


def _estimated(cases: Cases, differences: Floats, groups: Groups) -> Gains:
    if groups.n_clusters < FEWEST_CLUSTERS:
        raise DataError(f"{groups.n_clusters} clusters of cases allow no test: at least {FEWEST_CLUSTERS} are needed.")
    check.magnitude(differences)
    chosen = means_of(cases.kind, differences, groups, range_of_differences(cases))
    estimate = chosen.estimate
    return Gains(
        effect=estimate.mean,
        statistic=ratio(estimate.mean, estimate.error),
        pvalue=chosen.means.pvalue(),
        wins=(differences > 0).sum(axis=1),
        losses=(differences < 0).sum(axis=1),
        n=np.full(len(differences), differences.shape[1]),
        ends=chosen.means.ends,
        method=chosen.method,
        details={"df": estimate.df, "error": estimate.error},
    )


def range_of_differences(cases: Cases) -> tuple[float, float]:
    """The smallest and the largest difference that two algorithms can have on a case; without end where that is not known."""
    ends = cases.ends
    span = np.inf if ends is None else ends[1] - ends[0]
    return -float(span), float(span)


def influence_pairs(cases: Cases, first: Indices, second: Indices) -> Gains:
    """A metric that is not a mean: t of the pseudo-values with degrees of freedom by class."""
    spoken = speaking(cases.on_each_case, first, second)
    effect = cases.metric.sign * (cases.scores[first] - cases.scores[second])
    error, df = jackknife(cases, cases.values, first, second)
    sizes = tuple(np.bincount(codes(cases.classes)).tolist()) if cases.classes and not cases.groups().clustered else ()
    return t_pairs(effect, error, df, spoken, "jackknife", n=cases.n_cases, classes=sizes)


def jackknife(cases: Cases, columns: Floats, first: Indices, second: Indices) -> tuple[Floats, Floats]:
    """The standard errors of differences of columns of pseudo-values, and their degrees of freedom."""
    n = cases.n_cases
    if cases.groups().clustered:
        parts = (columns[:, first[here]] - columns[:, second[here]] for here in _blocks(len(first), n))
        estimates = [clustered_mean(part.T, cases.cluster) for part in parts]
        error, df = (np.concatenate([getattr(part, name) for part in estimates]) for name in ("error", "df"))
        return error, df
    centred = columns - columns.mean(axis=0)
    error = np.sqrt(_spread(centred, first, second) / (n - 1) / n)
    if not cases.classes:
        return error, np.full(len(first), n - 1.0)
    group = codes(cases.classes)
    sizes = np.bincount(group).tolist()
    squares = [_spread(centred[group == place], first, second) for place in range(len(sizes))]
    return error, class_df(squares, sizes, otherwise=n - 1)


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
    for here in _blocks(len(first), gains.shape[0], _CACHE):
        differences = rows[first[here]] - rows[second[here]]
        tolerance = np.maximum(largest[first[here]], largest[second[here]])[:, None]
        wins[here] = (differences > tolerance).sum(axis=1)
        losses[here] = (differences < -tolerance).sum(axis=1)
    return wins, losses


def _blocks(pairs: int, n: int, most: int = _BLOCK) -> Iterator[slice]:
    """Pairs in blocks of at most so many differences."""
    size = max(1, most // max(n, 1))
    return (slice(start, start + size) for start in range(0, pairs, size))


def t_pairs(
    effect: Floats,
    error: Floats,
    df: Floats,
    counts: tuple[Ints, Ints],
    method: str,
    *,
    n: int,
    classes: tuple[int, ...] = (),
) -> Gains:
    """Differences with a standard error and degrees of freedom; `counts` are the cases that speak for either.

    Of a metric of `classes` (so many cases each) no difference seen is not "no difference": as in Bonett and Price's interval
    two cases that disagree are added to each class.
    """
    statistic = ratio(effect, error)
    unseen = (error == 0) & (effect == 0) & bool(classes)
    least = float(np.sqrt(sum(2 / (size + 2) ** 2 for size in classes)))

    def ends(level: float) -> Ends:
        half = np.where(unseen, min(quantile(level) * least, 1.0), quantile(level, df) * error)
        return effect - half, effect + half

    return Gains(
        effect=effect,
        statistic=statistic,
        pvalue=StudentMeans(estimate=Estimate(mean=effect, error=error, df=df)).pvalue(),
        wins=counts[0],
        losses=counts[1],
        n=np.full(len(effect), n),
        ends=ends,
        method=method,
        details={"df": df, "error": error},
    )


def delong_pairs(placed: Floats, truth: Any, first: Indices, second: Indices) -> Gains:
    """AUC: DeLong's standard error from placements, with Satterthwaite's degrees of freedom by class, and score intervals.

    The larger p-value and the outer ends of the two: near 1 DeLong's interval alone is too short.
    """
    sides = placed[truth], placed[~truth]
    counts = len(sides[0]), len(sides[1])
    parts = [
        _spread(side - side.mean(axis=0), first, second) / max(size - 1, 1) / size
        for side, size in zip(sides, counts, strict=True)
    ]
    df = class_df(parts, counts, otherwise=sum(counts) - 2)
    means, error = sides[0].mean(axis=0), np.sqrt(parts[0] + parts[1])
    spoken = speaking(placed, first, second)
    student = t_pairs(means[first] - means[second], error, df, spoken, "DeLong", n=len(truth), classes=counts)
    own = sum(side.var(axis=0, ddof=1) / size if size > 1 else 0.0 for side, size in zip(sides, counts, strict=True))
    own = np.broadcast_to(own, means.shape)
    product = np.sqrt(own[first] * own[second])
    shared = ratio((own[first] + own[second] - error**2) / 2, product) * min(counts) / (min(counts) + 2)
    asked = (means[first], means[second]), (own[first], own[second]), np.clip(shared, -1.0, 1.0), counts

    def ends(level: float) -> Ends:
        low, high = student.ends(level)
        one, other = difference_ends(*asked, quantile(level))
        return np.minimum(low, one), np.maximum(high, other)

    return replace(student, pvalue=np.maximum(student.pvalue, difference_pvalues(*asked)), ends=ends)


def count_pairs(metric: Any, truth: Any, right: Any, first: Indices, second: Indices) -> Gains:
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
    return Gains(
        effect=effect,
        statistic=statistic,
        pvalue=2 * tail(-np.abs(statistic)),
        wins=joint[:, :, 1].sum(axis=1).astype(np.int64),
        losses=joint[:, :, 2].sum(axis=1).astype(np.int64),
        n=joint.sum(axis=(1, 2)).astype(np.int64),
        ends=lambda level: (centre - quantile(level) * error, centre + quantile(level) * error),
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


def _joined(parts: list[Gains]) -> Gains:
    """Blocks of pairs as one."""
    if len(parts) == 1:
        return parts[0]

    def ends(level: float) -> Ends:
        intervals = [part.ends(level) for part in parts]
        return np.concatenate([low for low, _ in intervals]), np.concatenate([high for _, high in intervals])

    methods = {part.method for part in parts}
    details = {name: np.concatenate([part.details[name] for part in parts]) for name in parts[0].details}
    names = ("effect", "statistic", "pvalue", "wins", "losses", "n")
    arrays: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Gains(**arrays, ends=ends, method=methods.pop() if len(methods) == 1 else "widened t", details=details)
