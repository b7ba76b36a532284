"""All pairs of algorithms, or all against a control, by any test: from a table to a `PairsResult`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from podium.core import check, ranks
from podium.core.arrays import Floats, Ints
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.ranks import mean_ranks, rank_rows
from podium.core.words import Alternative, Intervals
from podium.evidence.design import Design
from podium.evidence.scores import Scores
from podium.evidence.table import UNNAMED_METRIC, Table, as_table
from podium.stats import registry
from podium.stats.exact.threads import in_threads
from podium.stats.pairwise.pair_result import Tested, checked_options, own_options
from podium.stats.posthoc.compared import Compared, pairs_result
from podium.stats.posthoc.pairs_result import INTERVALS, PairsResult, Places
from podium.stats.registry import Method

MOST_DIFFERENCES = 4_000_000  # at a time: 32 MB, and pairs enough for the kernels to share tables


class Block(NamedTuple):
    """Some of the pairs: where they stand, their differences (or contrasts), and how many are present, > 0 and 0."""

    here: slice
    differences: Floats
    counts: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumns(Compared):
    """Scores as rows of algorithms, over datasets or over the folds of one dataset, and the pairs of them."""

    values: Floats
    dataset: str | None = None
    design: Design | None = None

    def mean_ranks(self) -> Floats:
        """The mean ranks of all algorithms on these scores, as everything else has them."""
        return mean_ranks(rank_rows(self.values.T, higher_is_better=self.metric.higher_is_better))

    def blocks(self, method: Method | None = None) -> Iterator[Block]:
        """All pairs, some at a time; with a contrast instead of the difference for the tests that have one."""
        contrast = registry.load(method).contrast if method is not None and method.needs_scores else None
        values, per_one = self.values, 0.0 if contrast else ranks.grid(self.values)
        steps, units = np.rint(values * per_one), ranks.units_of(values)
        size = max(1, MOST_DIFFERENCES // values.shape[1])
        for start in range(0, len(self.first), size):
            here = slice(start, min(start + size, len(self.first)))
            contrasts = np.empty((here.stop - start, values.shape[1]))
            counts = np.empty((len(contrasts), 3), dtype=np.int64)

            def piece(part: slice, start: int = start, contrasts: Floats = contrasts, counts: Ints = counts) -> None:
                pairs = slice(start + part.start, start + part.stop)
                a, b = self.first[pairs], self.second[pairs]
                if per_one:
                    some = (steps[a] - steps[b]) / per_one
                elif contrast:
                    some = contrast(values[a], values[b])
                else:
                    some = ranks.differences(values[a], values[b], units=(units[a], units[b]))
                contrasts[part] = some
                counted = some if contrast is None else ranks.subtract(values[a], values[b])
                for column, what in enumerate((counted == counted, counted > 0, counted == 0)):
                    counts[part, column] = np.count_nonzero(what, axis=1)

            in_threads(piece, len(contrasts), columns=values.shape[1])
            yield Block(here, contrasts, counts)


@check.names_its_arguments
def all_pairs(
    table: Any,
    *,
    test: str = "wilcoxon",
    control: str | None = None,
    correction: str | None = None,
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
    intervals: Intervals = "simultaneous",
    dataset: str | None = None,
    **options: Any,
) -> PairsResult:
    """Test every pair of algorithms, or every other one against a control, with adjusted p-values.

    What the result says of a pair depends on that pair alone, except for the correction (Benavoli et al. 2016) and unless the test is
    one of the pool. Pairs are compared on the datasets that both have; the result names missing scores, and `n` says how many
    datasets each pair had. Effects are computed when first asked for.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Over datasets: datasets (rows) x algorithms (columns); the folds of Scores are averaged. On one dataset:
        Scores, or an array (algorithm, repeat, fold). Of a bare array or DataFrame, higher is better.
    test : str, default "wilcoxon"
        A registered test over datasets, over folds of one dataset or of the whole pool:
        `podium.stats.registry.names()` lists them.
    control : str, optional
        The algorithm that every other one is compared with.
    correction : str, optional
        How p-values are adjusted: any name that `adjust` takes. By default Holm's, and none for a test that
        corrects itself.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        The alternative hypothesis; "greater" says that the first of the two scores higher.
    confidence : float, default 0.95
        Confidence of the intervals.
    intervals : {"simultaneous", "each"}, default "simultaneous"
        Whether the confidence is that of all intervals together, as for the adjusted p-values, or of each one
        alone.
    dataset : str, optional
        The dataset to test on, for a test over folds.
    **options : Any
        Options of the test, such as `zeros="pratt"`.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.90, 0.85, 0.80], [0.80, 0.75, 0.70], [0.70, 0.66, 0.65], [0.60, 0.61, 0.50], [0.90, 0.80, 0.70]]
    >>> frame = all_pairs(scores).to_frame()
    >>> frame[["a", "b", "statistic", "pvalue", "wins", "losses"]]
                 a            b  statistic  pvalue  wins  losses
    0  algorithm 1  algorithm 2       14.0  0.1250     4       1
    1  algorithm 1  algorithm 3       15.0  0.0625     5       0
    2  algorithm 2  algorithm 3       15.0  0.0625     5       0
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    check.choice("intervals", intervals, INTERVALS)
    method = registry.pairwise(test, ("datasets", "folds", "pool"))
    corrected = _correction(method, correction, control)
    if method.of_pool:
        from podium.stats.posthoc.pool import run_pool

        settings: dict[str, Any] = {"alternative": alternative, "confidence": confidence, "intervals": intervals}
        return run_pool(method.name, table, control, corrected, **settings, **options)
    data = _columns(table, method, dataset, options).among(control)
    _enough(data)
    defaults = checked_options(method, options, alternative)
    tested, counts = run_kernel(data, method, {**options, "alternative": alternative})
    fraction = {} if data.design is None or method.design else {"test_fraction": data.design.rho}
    return pairs_on_columns(
        data,
        replace(tested, side=data.metric.sign * tested.side),
        counts,
        estimates(data, method),
        test=method.name,
        options={**defaults, **options, **fraction},
        effect_name=method.effect,
        correction=corrected,
        alternative=alternative,
        confidence=confidence,
        intervals=intervals,
        references=method.references,
    )


def versus_control(table: Any, control: str, **settings: Any) -> PairsResult:
    """Test every other algorithm against the control, with p-values adjusted for their number.

    In the result `a` is the other algorithm and `b` the control: a positive effect says that `a` scores higher, and wins are wins
    over the control.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    control : str
        The algorithm that every other one is compared with.
    **settings : Any
        Those of `all_pairs`, except that Shaffer's and Bergmann and Hommel's corrections are for all pairs
        only.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.90, 0.85, 0.80], [0.80, 0.75, 0.70], [0.70, 0.66, 0.65], [0.60, 0.61, 0.50], [0.90, 0.80, 0.70]]
    >>> result = versus_control(scores, "algorithm 1")
    >>> result.wins.tolist(), result.losses.tolist(), result.adjusted.tolist()
    ([1, 0], [4, 5], [0.125, 0.125])
    """
    if not isinstance(control, str):
        raise ArgumentError(f"Unknown algorithm {check.shown(control)}: `control` must be the name of one.")
    return all_pairs(table, control=control, **settings)


def pairs_on_columns(data: ScoreColumns, tested: Tested, counts: Ints, estimate: Any, **more: Any) -> PairsResult:
    """The result of these pairs, of which so many scores are present, greater and equal."""
    present, greater, equal = counts.T
    smaller = present - greater - equal
    wins, losses = (greater, smaller) if data.metric.higher_is_better else (smaller, greater)
    more |= {"dataset": data.dataset, "mean_ranks": data.mean_ranks()}
    return pairs_result(PairsResult, data, tested, (wins, equal, losses), estimate, **more)


def _correction(method: Method, named: str | None, control: str | None) -> str | None:
    """The correction that is used: the one named, Holm's, or none where the test corrects itself."""
    if named is None:
        return None if method.corrects_itself else "holm"
    return registry.fitting(named, test=method.name, control=control is not None).name


def _columns(data: Any, method: Method, dataset: str | None, options: dict[str, Any]) -> ScoreColumns:
    """Fold scores for the tests on one dataset, a table for all others."""
    if method.over == "folds":
        return _one_dataset(data, method.name, dataset, options.pop("test_fraction", None))
    if dataset is not None:
        raise ArgumentError(f"`dataset` is for tests on the folds of one dataset; {method.name!r} is over datasets.")
    table = as_table(data)
    if table.n_datasets < 2:
        raise DataError("Pairs are tested over at least 2 datasets (rows); the table has 1.")
    columns = np.array(table.values.T, order="C")  # a writable copy: the kernels are compiled for those
    return ScoreColumns(values=columns, algorithms=table.algorithms, metric=table.metric, missing_scores=table.missing)


def _one_dataset(data: Any, test: str, dataset: str | None, test_fraction: float | None) -> ScoreColumns:
    if isinstance(data, Scores):
        if dataset is None and len(data.datasets) > 1:
            raise ArgumentError("This test looks at one dataset: choose it with `dataset`.")
        name = dataset if dataset is not None else data.datasets[0]
        values, algorithms, metric = data.on(name), data.algorithms, data.metric
        fraction = data.test_fraction
    else:
        name = dataset if dataset is not None else "this dataset"
        values, metric, fraction = _folds(data, test), UNNAMED_METRIC, None
        algorithms = tuple(f"algorithm {i + 1}" for i in range(len(values)))
    if len(algorithms) < 2:
        were = "is" if len(algorithms) else "are"
        raise DataError(f"A comparison needs at least 2 algorithms; there {were} {len(algorithms)}.")
    check.finite(values[None], algorithms, (name,))
    if np.isnan(values).any():
        who = algorithms[int(np.argwhere(np.isnan(values))[0][0])]
        raise DesignError(f"{who!r} lacks some of its folds on {name!r}: tests on one dataset need them all.")
    repeats, folds = values.shape[1:]
    if repeats * folds < 2:
        raise DesignError(f"Tests on one dataset need at least 2 folds; {name!r} has {repeats * folds}.")
    if test_fraction is not None:
        fraction = check.fraction("test_fraction", test_fraction)
    columns = np.array(values.reshape(len(algorithms), -1), order="C")
    design = Design(repeats=repeats, folds=folds, test_fraction=fraction)
    return ScoreColumns(values=columns, algorithms=algorithms, metric=metric, dataset=name, design=design)


def _folds(data: Any, test: str) -> Floats:
    """Scores as (algorithm, repeat, fold)."""
    bare = not isinstance(data, Table) and not hasattr(data, "columns")
    values = check.floats("scores", data) if bare else np.empty(0)
    if values.ndim != 3:
        raise DesignError(
            f"The test {test!r} looks at the folds of one dataset: give Scores with repeats and folds, "
            "or an array of shape (algorithms, repeats, folds)."
        )
    return values


def _enough(data: ScoreColumns) -> None:
    """Every pair needs two datasets in common."""
    if not data.missing_scores:
        return
    present = (~np.isnan(data.values)).astype(np.float64)
    common = (present @ present.T)[data.first, data.second]
    if (common < 2).any():
        pair = int(np.argmax(common < 2))
        a, b = data.algorithms[data.first[pair]], data.algorithms[data.second[pair]]
        raise DataError(
            f"{a!r} and {b!r} have scores in common on {int(common[pair])} datasets, and at least 2 are needed: "
            "leave one of them out."
        )


def run_kernel(data: ScoreColumns, method: Method, options: Mapping[str, Any]) -> tuple[Tested, Ints]:
    """What the kernel of a test says of all pairs, block by block, and how many scores are present, > 0 and equal."""
    kernel = registry.kernel(method)
    own = own_options(kernel, {**options, "design": data.design})
    parts, counts = [], np.empty((len(data.first), 3), dtype=np.int64)
    for block in data.blocks(method):
        parts.append(kernel(block.differences, **own))
        counts[block.here] = block.counts
    return _joined(parts), counts


def _joined(parts: list[Tested]) -> Tested:
    """The parts of a set of pairs as one."""

    def join(values: list[Any]) -> Any:
        return np.concatenate(values) if np.ndim(values[0]) else values[0]

    names = [field.name for field in fields(Tested) if field.name != "details"]
    details = {name: join([part.details.get(name) for part in parts]) for name in parts[0].details}
    return Tested(**{name: join([getattr(part, name) for part in parts]) for name in names}, details=details)


def estimates(data: ScoreColumns, method: Method) -> Callable[[float, Places], tuple[Floats, ...]]:
    """The effects and intervals that belong to a test, each interval erring with the probability asked for."""

    def at(level: float, places: Places) -> tuple[Floats, ...]:
        estimate = registry.load(method).estimate
        options = own_options(estimate, {"design": data.design})
        some = replace(data, first=data.first[places], second=data.second[places])
        parts = [estimate(block.differences, 1 - level, **options) for block in some.blocks(method)]
        return tuple(np.concatenate(ends) for ends in zip(*parts, strict=True))

    return at
