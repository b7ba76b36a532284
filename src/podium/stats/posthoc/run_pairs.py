"""What `all_pairs` and `versus_control` share: from data and pairs to a `PairsResult`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, SupportsFloat

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.metric import Metric
from podium.core.scores import Scores
from podium.core.table import UNNAMED_METRIC, Table, as_table
from podium.stats.corrections import CORRECTIONS, LOGICAL, SOURCES, adjust
from podium.stats.posthoc.pair_tests import FOLD_TESTS, TABLE_TESTS, Outcome, Work, by_callable
from podium.stats.posthoc.pairs_result import PairsResult

__all__ = ["PairData", "pair_data", "run_pairs"]

Floats = npt.NDArray[np.float64]
Test = str | Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairData:
    """Scores as rows of algorithms, over datasets or over the folds of one dataset."""

    columns: Floats
    algorithms: tuple[str, ...]
    metric: Metric
    holes: tuple[str, ...] = ()
    dataset: str | None = None
    repeats: int = 0
    folds: int = 0
    rho: float | None = None


def pair_data(data: Any, test: Test, dataset: str | None) -> PairData:
    """Fold scores for the tests on one dataset, a table for all others."""
    if not callable(test):
        check.choice("test", test, [*TABLE_TESTS, *FOLD_TESTS])
    if isinstance(test, str) and test in FOLD_TESTS:
        return _one_dataset(data, test, dataset)
    if dataset is not None:
        raise ArgumentError(f"`dataset` is for tests on the folds of one dataset; {_name(test)!r} is over datasets.")
    table = as_table(data)
    if table.n_datasets < 2:
        raise DataError("Pairs are tested over at least 2 datasets (rows); the table has 1.")
    holes = tuple(f"{where} / {who}" for where, who in table.holes())
    columns = np.array(table.values.T, order="C")  # a writable copy: the kernels are compiled for those
    return PairData(columns=columns, algorithms=table.algorithms, metric=table.metric, holes=holes)


def _one_dataset(data: Any, test: str, dataset: str | None) -> PairData:
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
        raise DataError(
            f"A comparison needs at least 2 algorithms; there {'is' if len(algorithms) else 'are'} {len(algorithms)}."
        )
    if np.isinf(values).any():
        who = algorithms[int(np.argwhere(np.isinf(values))[0][0])]
        raise DataError(f"{who!r} has an infinite score on {name!r}: correct it.")
    if np.isnan(values).any():
        who = algorithms[int(np.argwhere(np.isnan(values))[0][0])]
        raise DesignError(f"{who!r} lacks some of its folds on {name!r}: tests on one dataset need them all.")
    repeats, folds = values.shape[1:]
    if repeats * folds < 2:
        raise DesignError(f"Tests on one dataset need at least 2 folds; {name!r} has {repeats * folds}.")
    rho = fraction if fraction is not None else (1.0 / folds if folds > 1 else None)
    return PairData(
        columns=np.array(values.reshape(len(algorithms), -1), order="C"),
        algorithms=algorithms,
        metric=metric,
        dataset=name,
        repeats=repeats,
        folds=folds,
        rho=rho,
    )


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


def run_pairs(
    data: PairData,
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
    *,
    test: Test,
    correction: str,
    alternative: str,
    confidence: float,
    control: str | None,
    progress: Callable[[int, int], None] | None,
    options: dict[str, Any],
) -> PairsResult:
    """Test the pairs, adjust the p-values, count the wins."""
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    check.choice("correction", correction, [*CORRECTIONS, *LOGICAL])
    _enough(data, first, second)
    work = Work(
        columns=data.columns,
        first=first,
        second=second,
        alternative=alternative,
        confidence=confidence,
        repeats=data.repeats,
        folds=data.folds,
        rho=data.rho,
        progress=progress,
    )
    outcome = _tested(work, test, options)
    n_algorithms = len(data.algorithms) if control is None else None
    losses = outcome.present - outcome.positives - outcome.zeros
    higher = data.metric.higher_is_better
    return PairsResult(
        algorithms=data.algorithms,
        first=first,
        second=second,
        statistic=outcome.statistic,
        pvalue=outcome.pvalue,
        adjusted=adjust(outcome.pvalue, correction, n_algorithms=n_algorithms),
        wins=outcome.positives if higher else losses,
        ties=outcome.zeros,
        losses=losses if higher else outcome.positives,
        used=outcome.present,
        test=_name(test),
        method=outcome.method,
        alternative=alternative,
        correction=correction,
        options=outcome.options,
        missing_policy="pairwise complete",
        holes=data.holes,
        effect_name=outcome.effect_name,
        confidence=confidence,
        metric=data.metric,
        dataset=data.dataset,
        control=control,
        estimates=outcome.estimates,
        references=tuple(dict.fromkeys((*outcome.references, *SOURCES.get(correction, ())))),
    )


def _tested(work: Work, test: Test, options: dict[str, Any]) -> Outcome:
    if work.progress is not None and not callable(work.progress):
        raise ArgumentError(
            f"`progress` must be a function of two numbers, done and total; got {check.shown(work.progress)}."
        )
    if not isinstance(test, str):
        side = {} if work.alternative == "two-sided" else {"alternative": work.alternative}
        _refuse_other_signatures(test, {**options, **side})
        return by_callable(_checked(test), work, {**options, **side})
    run = (TABLE_TESTS | FOLD_TESTS)[test]
    known = {name: option for name, option in inspect.signature(run).parameters.items() if name != "work"}
    for name, value in options.items():
        if name not in known:
            knows = "it knows " + ", ".join(repr(word) for word in known) if known else "it has none"
            raise ArgumentError(f"The test {test!r} has no option {name!r}: {knows}.")
        if isinstance(known[name].default, bool):
            check.flag(name, value)
    return run(work, **options)


def _refuse_other_signatures(test: Callable[..., Any], options: dict[str, Any]) -> None:
    """A given function must take two arrays and the options, as far as its signature can be read."""
    try:
        signature = inspect.signature(test)
    except (TypeError, ValueError):
        return
    anything = any(parameter.kind is parameter.VAR_KEYWORD for parameter in signature.parameters.values())
    for name in options:
        if name not in signature.parameters and not anything:
            cure = "use alternative='two-sided'" if name == "alternative" else "leave it out"
            raise ArgumentError(f"The test {_name(test)!r} has no option {name!r}: {cure}.")
    try:
        signature.bind(None, None, **options)
    except TypeError as error:
        raise ArgumentError(f"`test` must be a function of two arrays of scores: {error}.") from None


def _checked(test: Callable[..., Any]) -> Callable[..., Any]:
    """The test given, with a sentence where what it returns is no number."""

    def run(*arguments: Any, **options: Any) -> Any:
        result = test(*arguments, **options)
        for name in ("statistic", "pvalue", "effect", "low", "high"):
            value = getattr(result, name, 0.0)
            if np.ndim(value) != 0 or not isinstance(value, SupportsFloat):
                raise ArgumentError(
                    f"`test` must return a result whose `{name}` is one number; got {check.shown(value)}."
                )
        return result

    return run


def _enough(data: PairData, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> None:
    """Every pair needs two datasets in common."""
    if not data.holes:
        return
    present = (~np.isnan(data.columns)).astype(np.float64)
    common = (present @ present.T)[first, second]
    if (common < 2).any():
        pair = int(np.argmax(common < 2))
        a, b = data.algorithms[first[pair]], data.algorithms[second[pair]]
        raise DataError(
            f"{a!r} and {b!r} have scores in common on {int(common[pair])} datasets, and at least 2 are needed: "
            "leave one of them out."
        )


def _name(test: Test) -> str:
    return test if isinstance(test, str) else getattr(test, "__name__", "a test given")
