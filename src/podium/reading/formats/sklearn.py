"""scikit-learn's own results: dicts of `cross_validate`, arrays of `cross_val_score`, fitted searches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import is_cost, known_metric
from podium.core.names import clean_name, quoted, shown
from podium.reading.block import Block, constant
from podium.reading.build import UNNAMED, Part
from podium.reading.options import ReadOptions
from podium.reading.roles import may_be_algorithms

if TYPE_CHECKING:
    from podium.evidence.results import Results

TURNED = "The inner names of the dict are those of algorithms: its outer names are the datasets."
COSTS = ("fit_time", "score_time")
NOT_INDEPENDENT = (
    "The candidates of one search are not independent algorithms, and the best of many looks better than it is."
)


def is_search(source: Any) -> bool:
    """Whether this is a scikit-learn search, fitted or not."""
    return hasattr(source, "cv_results_") or (hasattr(source, "best_estimator_") or hasattr(source, "param_grid"))


def _is_one(value: Any) -> bool:
    """Whether this is what `cross_validate` returns."""
    return isinstance(value, Mapping) and any(str(key).startswith("test_") for key in value) and "fit_time" in value


def is_cross_validation(value: Any) -> bool:
    """Whether a dict holds `cross_validate` results, for one algorithm or several, on one dataset or several."""
    if not isinstance(value, Mapping) or not value:
        return False
    return _is_one(value) or all(is_cross_validation(item) or _are_folds(item) for item in value.values())


def _are_folds(value: Any) -> bool:
    """Whether this is {dataset: [score, score, ...]}."""
    return isinstance(value, Mapping) and bool(value) and all(isinstance(scores, list) for scores in value.values())


def is_dict(source: Any) -> bool:
    """Whether this can only be meant as a dict of `cross_validate` results."""
    return isinstance(source, Mapping)


def read_cross_validation(
    by_algorithm: Mapping[Any, Any],
    options: ReadOptions,
    *,
    source: str = "cross_validate results",
    said: str = "",
    notes: Sequence[str] = (),
) -> Results:
    """Results from {algorithm: cv}, {algorithm: {dataset: cv}} or one cv alone; a cv may be an array of scores."""
    from podium.reading.assemble import assemble

    _no_filter(options, source)
    if not by_algorithm:
        raise DataError("The dict of cross_validate results is empty: give {algorithm: cross_validate(...)}.")
    if _is_one(by_algorithm):
        by_algorithm = {"algorithm": by_algorithm}
    one_dataset = options.dataset_name or UNNAMED
    inner = dict.fromkeys(
        name for item in by_algorithm.values() if isinstance(item, Mapping) and not _is_one(item) for name in item
    )
    if inner and _are_metrics(by_algorithm):
        by_algorithm, inner = _turned(by_algorithm, inner), dict.fromkeys(by_algorithm)
    if inner and _are_metrics(inner):
        by_algorithm = {who: {one_dataset: _with_prefix(item)} for who, item in by_algorithm.items()}
    elif options.rows == "auto" and not may_be_algorithms(map(str, by_algorithm), map(str, inner)):
        by_algorithm = _turned(by_algorithm, inner)
        notes = (*notes, TURNED)
    blocks = []
    for algorithm, item in by_algorithm.items():
        by_dataset = item if isinstance(item, Mapping) and not _is_one(item) else {one_dataset: item}
        for dataset, cv in by_dataset.items():
            blocks += _blocks(clean_name(algorithm, "algorithm"), clean_name(dataset, "dataset"), cv, options)
    if not blocks:
        raise DataError("The dict holds no cross_validate results: give {algorithm: cross_validate(...)}.")
    _check_lengths(blocks)
    said = said or f"{source} of {len(by_algorithm)} algorithms were read, folds as they were given"
    return assemble([Part(blocks=blocks, said=said, notes=[*notes])], options, source=source)


def _are_metrics(names: Iterable[Any]) -> bool:
    return all(known_metric(str(name), exact=True) is not None or is_cost(str(name)) for name in names)


def _turned(outer: Mapping[Any, Any], inner: Iterable[Any]) -> dict[Any, Any]:
    """The inner names outside."""
    return {who: {name: item[who] for name, item in outer.items() if who in item} for who in inner}


def _with_prefix(scores: Mapping[Any, Any]) -> dict[str, Any]:
    """{metric: scores} as `cross_validate` names them."""
    return {name if name in COSTS else f"test_{name}": folds for name, folds in scores.items()}


def _blocks(algorithm: str, dataset: str, cv: Any, options: ReadOptions) -> list[Block]:
    """One block per metric of one algorithm on one dataset."""
    where = f"{algorithm} on {dataset}"
    if not isinstance(cv, Mapping):
        return [_block(algorithm, dataset, _default_metric(options, "the scores measure"), _folds(cv, where), options)]
    blocks = []
    for key, scores in cv.items():
        name = str(key)
        if name in COSTS:
            metric = name
        elif name.startswith("test_"):
            metric = _default_metric(options, "'test_score' measures") if name == "test_score" else name[len("test_") :]
        else:
            continue
        blocks.append(_block(algorithm, dataset, metric, _folds(scores, where), options))
    if not blocks:
        raise DataError(f"The results of {where} have no 'test_...' scores: give what cross_validate returned.")
    return blocks


def _default_metric(options: ReadOptions, what: str) -> str:
    if options.metrics:
        return options.metrics[0]
    if isinstance(options.direction, str):
        return "score"
    runs = (
        ", or set {unit} to 'run' if a list has the scores of independent runs" if what == "the scores measure" else ""
    )
    who = "Nothing says" if runs else "scikit-learn does not say"
    raise DataError(f"{who} what {what}: give {{metric}} (such as 'accuracy'){runs}.")


def _folds(scores: Any, where: str) -> Floats:
    if isinstance(scores, list | tuple) and any(isinstance(score, bool) for score in scores):  # NumPy takes true for 1
        raise DataError(f"The scores of {where} have true or false among them: write numbers.")
    try:
        values = np.atleast_1d(np.asarray(scores, dtype=np.float64))
    except (TypeError, ValueError):
        raise DataError(f"The scores of {where} are not numbers: give what cross_validate returned.") from None
    if values.ndim != 1 or not len(values):
        raise DataError(f"The scores of {where} must be one number per fold; their shape is {values.shape}.")
    if np.isinf(values).any():
        raise DataError(f"{where} has an infinite score: correct it, or make it missing (nan) on purpose.")
    return values


def _block(algorithm: str, dataset: str, metric: str, values: Floats, options: ReadOptions) -> Block:
    n = len(values)
    repeats = 1 if n == 1 and metric in COSTS else options.repeats or 1  # a search has the mean of its folds
    if n % repeats:
        raise ArgumentError(f"{n} scores of {algorithm} on {dataset} cannot be cut into {repeats} equal {{repeats}}.")
    order = np.arange(n, dtype=np.int64)
    return Block(
        algorithm=constant(algorithm, n),
        dataset=constant(dataset, n),
        repeat=order // (n // repeats),
        fold=order % (n // repeats),
        metric=constant(metric, n),
        value=values,
    )


def _check_lengths(blocks: list[Block]) -> None:
    """The same folds for every algorithm on a dataset: else their scores are not paired."""
    first: dict[tuple[str, str], Block] = {}
    for block in blocks:
        other = first.setdefault((block.dataset.names[0], block.metric.names[0]), block)
        if len(other.value) != len(block.value):
            raise DataError(
                f"{shown(other.algorithm.names[0])} has {len(other.value)} folds on {shown(block.dataset.names[0])} and "
                f"{shown(block.algorithm.names[0])} {len(block.value)}: use the same splits for all algorithms."
            )


def read_search(search: Any, options: ReadOptions) -> Results:
    """Every candidate of a fitted search as an algorithm, on one dataset, with its folds."""
    _no_filter(options, "A fitted search")
    table = getattr(search, "cv_results_", None)
    if not isinstance(table, Mapping) or "params" not in table:
        raise DataError("The search is not fitted: call its fit method first.")
    splits = [match for key in table if (match := re.fullmatch(r"split\d+_test_(.+)", key))]
    if not splits:
        raise DataError(f"The search has no scores per split: it has {quoted(list(table), 8)}.")
    scoring = getattr(search, "scoring", None)
    called = scoring if isinstance(scoring, str) and not options.metrics else "score"
    candidates: dict[str, dict[str, list[Any]]] = {}
    for row, name in enumerate(_candidates(table["params"])):
        own = candidates[name] = {}
        for match in splits:
            metric = called if match[1] == "score" else match[1]
            own.setdefault(f"test_{metric}", []).append(table[match[0]][row])
        own |= {cost: [table[f"mean_{cost}"][row]] for cost in COSTS if f"mean_{cost}" in table}
    if options.repeats is None and isinstance(repeats := getattr(search.cv, "n_repeats", None), int):
        options = replace(options, repeats=repeats)
    kind = type(search).__name__
    said = f"A fitted {kind} was read: its candidates are the algorithms"
    return read_cross_validation(candidates, options, source=kind, said=said, notes=[NOT_INDEPENDENT])


def _no_filter(options: ReadOptions, what: str) -> None:
    if options.where is not None:
        raise ArgumentError("{what} has no rows to choose from: leave out {argument}.", what=what, argument="where")


def _candidates(params: Any) -> list[str]:
    """Names like "C=1, kernel=rbf", numbered where two would be the same."""
    names: list[str] = []
    for chosen in params:
        name = re.sub(r"\s+", " ", ", ".join(f"{key}={value}" for key, value in chosen.items()))[:200] or "default"
        again = sum(old == name or old.startswith(f"{name} #") for old in names)
        names.append(clean_name(f"{name} #{again + 1}" if again else name, "algorithm"))
    return names
