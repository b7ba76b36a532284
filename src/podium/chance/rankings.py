"""From labels and scores to a metric of the ranking, with ties in the scores made explicit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.chance.distributions import NullDistribution
from podium.core import check
from podium.core.arrays import Bools, Floats, Ints
from podium.core.errors import DataError
from podium.core.frames import as_pandas


@dataclass(frozen=True, slots=True)
class RankedScore:
    """A metric of one ranking. Cases with equal scores have no order: what the order among them could make of it."""

    expected: float
    """Ties as usual: half a pair for AUC, thresholds only between distinct scores, the expected top n."""
    worst: float
    """Every tie broken against the algorithm."""
    best: float
    """Every tie broken in its favour."""
    tied: int
    """How many cases share their score with a case of the other class."""


def as_binary(y_true: Any, *, positive: Any = None) -> Bools:
    """Labels as true (positive) and false: 0/1, booleans, or any two values with the positive one named."""
    labels = np.asarray(y_true)
    if labels.ndim != 1 or labels.size == 0:
        raise DataError(f"`y_true` must be a list of labels; it has {labels.ndim} dimensions, {labels.size} values.")
    missing = [place for place, label in enumerate(labels.tolist()) if label is None or label != label]
    if missing:
        raise DataError(f"There is a missing label at index {missing[0]}: fill it or leave the case out.")
    values = sorted(set(labels.tolist()), key=str)
    if len(values) != 2:
        shown = ", ".join(repr(value) for value in values[:5]) + (", ..." if len(values) > 5 else "")
        raise DataError(f"There must be exactly two different labels; there are {len(values)}: {shown}.")
    if positive is None:
        if {str(value) for value in values} <= {"0", "1", "0.0", "1.0", "True", "False", "-1", "-1.0"}:
            positive = values[-1] if isinstance(values[-1], str) else max(values)
        else:
            raise DataError(f"The labels are {values[0]!r} and {values[1]!r}: say which one is `positive`.")
    matches = [value for value in values if value == positive or str(value) == str(positive)]
    if not matches:
        raise DataError(f"`positive` must be one of the labels {values[0]!r} and {values[1]!r}; got {positive!r}.")
    return np.asarray(labels == matches[0])


def as_columns(scores: Any, *, cases: int) -> dict[str, Floats]:
    """Scores of one or many algorithms by name: a list, an array (cases x algorithms), a mapping or a DataFrame."""
    names: Sequence[Any] = range(cases)
    scores = as_pandas(scores)
    if hasattr(scores, "columns"):
        columns = {str(name): scores[name].to_numpy() for name in scores.columns}
        names = list(scores.index)
    elif isinstance(scores, Mapping):
        columns = {str(name): values for name, values in scores.items()}
    else:
        array = np.asarray(scores)
        if array.ndim == 1:
            array = array[:, None]
        if array.ndim != 2:
            raise DataError(f"`scores` must be cases, or cases x algorithms; it has {array.ndim} dimensions.")
        columns = {f"algorithm {j + 1}": array[:, j] for j in range(array.shape[1])}
    if not columns:
        raise DataError("`scores` must hold at least one algorithm.")
    return {name: _column(name, values, cases, names) for name, values in columns.items()}


def _column(name: str, values: Any, cases: int, names: Sequence[Any]) -> Floats:
    column = check.floats(f"scores of {name}", values, ndim=1)
    if len(column) != cases:
        raise DataError(f"The scores of {name!r} have {len(column)} cases, but there are {cases} labels.")
    wrong = np.flatnonzero(~np.isfinite(column))
    if not len(wrong):
        return column
    place = int(wrong[0])
    case = f"{names[place]!r}" if not isinstance(names, range) else f"{place} (from 0)"
    cure = "missing: fill it"
    if np.isinf(column[place]):  # an infinite score has its place in the ranking, and a finite one can take it
        cure = f"infinite: write a {'larger' if column[place] > 0 else 'smaller'} number than the others have"
    raise DataError(f"The score of {name!r} for case {case} is {cure}, or leave the case out.")


def ranked_score(law: NullDistribution, positive: Bools, scores: Floats) -> RankedScore:
    """The law's metric for labels and scores, higher scores first."""
    order = np.argsort(-scores, kind="stable")
    ordered, labels = scores[order], positive[order]
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))  # the last case of each group of ties
    positives = np.diff(np.cumsum(labels.astype(np.int64))[ends], prepend=0)
    negatives = np.diff(ends + 1, prepend=0) - positives
    worst, expected, best = law.of_groups(positives, negatives)
    tied = int((positives + negatives)[(positives > 0) & (negatives > 0)].sum())
    return RankedScore(expected=expected, worst=worst, best=best, tied=tied)


def best_threshold(
    best_at: Callable[[Ints, Ints], float], positives: Ints, negatives: Ints
) -> tuple[float, float, float]:
    """`NullDistribution.of_groups` for a metric that is the best over all thresholds.

    `best_at` gives the best over some places, true positives and cases so far. The usual thresholds lie between
    groups of ties; the most favourable order has the positives of each group first.
    """
    tp, n = np.cumsum(positives), np.cumsum(positives + negatives)
    worst = best_at(tp, n)
    return worst, worst, best_at(np.concatenate([tp, tp]), np.concatenate([n - negatives, n]))
