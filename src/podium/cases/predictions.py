"""Predictions with the truth: from labels, scores or numbers to values per case, and to all pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from podium.cases import influence
from podium.cases._all_pairs import CasePairs, all_pairs, case_pairs, compared_on
from podium.cases.pair_kernels import count_pairs, delong_pairs
from podium.cases.registry import METRICS, CaseMetric, case_metric
from podium.core import check
from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Direction, Metric, as_direction
from podium.core.named import ByAlgorithm
from podium.core.numbers import as_given, counted, listed
from podium.core.result import plain
from podium.core.rng import Rng
from podium.core.words import Intervals
from podium.evidence.cases import Cases, columns_of
from podium.evidence.evidence import names_of, numbers_of
from podium.evidence.predictions import PredictionTable, label_text
from podium.stats.posthoc.compared import Gains

Array = npt.NDArray[Any]
COUNTED_WRONG = "counted as wrong"  # why a prediction that is missing is no hole


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions(ByAlgorithm):
    """The truth and the predictions of every algorithm for the same cases, for one metric."""

    truth: Array
    predicted: Array  # cases x algorithms
    algorithms: tuple[str, ...]
    cases: tuple[str, ...]
    metric: CaseMetric
    labels: tuple[str, ...] = ()
    positive: int = 1
    absent: Bools | None = None  # where a prediction is missing; only for metrics that are means
    wrong: Bools | None = None  # where a missing prediction counts as wrong; for metrics that are not means
    other: Predictions | None = None  # the same under another policy for missing predictions, where that can be told
    clusters: tuple[str, ...] = ()
    benchmarks: tuple[str, ...] = ()
    weights: Floats | None = None
    noun: str = "case"
    notes: tuple[str, ...] = ()

    def to_cases(self) -> Cases:
        """Values per case: losses where the metric is a mean, influence values where it is not."""
        entry = self.metric
        same = ("cases", "algorithms", "clusters", "benchmarks", "noun", "notes")
        shared: dict[str, Any] = {"metric": entry.metric, **{name: getattr(self, name) for name in same}}
        shared["source"] = self
        if entry.kind == "mean":
            values = entry.function()(self.truth, self.predicted)
            shown = values if self.absent is None else np.where(self.absent, np.nan, values)
            # A loss without bounds is no share, even where all its values happen to lie between 0 and 1.
            kind = "" if entry.metric.bounds(values) is not None else "numeric"
            return Cases(values=shown, kind=kind, weights=self.weights, **shared)
        if self.weights is not None:
            raise DataError(
                f"{entry.name} is not a mean over cases, and Podium has no weights for it: leave the weights out with {{ignore_column}}, or "
                "choose a metric that is a mean (accuracy, log_loss, brier, mae, mse)."
            )
        if len(set(self.benchmarks)) > 1:
            raise DataError(
                f"{entry.name} of several benchmarks is not one number: compare it on one benchmark at a time, with {{where}}, or leave "
                "the column of benchmarks out with {ignore_column}."
            )
        function = entry.function()
        if entry.kind == "counts":
            influences = influence.from_counts(function, self.truth, self.predicted, len(self.labels), self.positive)
        else:
            influences = function(self.truth, self.predicted)
        truth = self.truth == self.positive if entry.needs == "labels" and entry.two_classes else self.truth
        classes = tuple(map(str, truth.tolist())) if entry.needs in ("labels", "scores") else ()
        missing = () if self.wrong is None else np.argwhere(self.wrong).tolist()
        reasons = {(self.cases[i], self.algorithms[j]): COUNTED_WRONG for i, j in missing}
        shared |= {"classes": classes, "reasons": reasons, "alone": self._alone()}
        return Cases(values=influences.values, scores=influences.score, kind="influence", **shared)

    def _alone(self) -> Floats:
        """How well each case alone was predicted: right or wrong, its place in the ranking, or how small its error is."""
        truth = self.truth[:, None]
        if self.metric.needs == "labels" and self.metric.two_classes:
            right = (self.predicted == self.positive) == (truth == self.positive)
            return np.asarray(right, dtype=np.float64)
        if self.metric.needs == "labels":
            return np.asarray(self.predicted == truth, dtype=np.float64)
        if self.metric.needs == "scores":
            return influence.placements(self.truth, self.predicted)
        return np.asarray(-np.abs(self.predicted - truth), dtype=np.float64)

    def select(self, algorithms: list[str] | tuple[str, ...]) -> Predictions:
        """The chosen algorithms, in the order given."""
        index = self.places(algorithms)
        absent, wrong = (None if mask is None else mask[:, index] for mask in (self.absent, self.wrong))
        chosen = self.predicted[:, index]
        return replace(self, predicted=chosen, algorithms=tuple(algorithms), absent=absent, wrong=wrong)

    def to_plain(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        masks = {"absent": self.absent, "wrong": self.wrong}
        places = {name: None if mask is None else np.argwhere(mask).tolist() for name, mask in masks.items()}
        fields = "algorithms cases truth predicted labels positive clusters weights benchmarks noun notes".split()
        return {"metric": self.metric.name, **{name: plain(getattr(self, name)) for name in fields}, **places}

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Predictions:
        """The predictions that `to_plain` wrote."""
        predicted = np.array(data["predicted"])
        masks: dict[str, Any] = {name: _mask(data[name], predicted.shape) for name in ("absent", "wrong")}
        return cls(
            **names_of(data, "algorithms cases labels clusters benchmarks notes"),
            **numbers_of(data, "weights"),
            **masks,
            truth=np.array(data["truth"]),
            predicted=predicted,
            metric=case_metric(data["metric"]),
            positive=int(data["positive"]),
            noun=data["noun"],
        )


def _mask(places: list[list[int]] | None, shape: tuple[int, ...]) -> Bools | None:
    if places is None:
        return None
    mask = np.zeros(shape, dtype=bool)
    mask[tuple(np.array(places, dtype=np.intp).reshape(-1, len(shape)).T)] = True
    return mask


def as_predictions(
    y_true: Any, predictions: Any, *, metric: str, positive: Any = None, missing: str | None = None
) -> Predictions:
    """Checked predictions: `y_true` and a dict of names, a DataFrame or an array (cases x algorithms).

    A missing prediction (None or nan) is left out "pairwise" where the metric is a mean over cases, left out with its case
    ("complete"), taken for "wrong" (the other label, or a label of no class; the wrong end of the ranking; the worst loss), or
    refused. Means over classes are over those of the truth.
    """
    import pandas as pd

    entry = case_metric(metric)
    columns, names, _ = columns_of(predictions, "a prediction")
    truth = np.asarray(y_true)
    if truth.ndim != 1:
        raise DataError(f"The truth must be one value per case; it has {truth.ndim} dimensions.")
    cases = tuple(str(name) for name in (y_true.index if hasattr(y_true, "reindex") else range(1, len(truth) + 1)))
    if len(columns) != len(truth):
        raise DataError(f"The truth has {len(truth)} cases, the predictions have {len(columns)}: give the same cases.")
    if len(names) < 2:
        raise DataError(
            f"A comparison needs the predictions of at least 2 algorithms; there are those of {len(names)}."
        )
    absent: Bools = np.asarray(pd.isna(columns))
    if absent.any():
        columns, truth, cases, absent = _without(columns, truth, cases, absent, names, entry, missing)
    if len(truth) < 2:
        raise DataError("Predictions are compared on at least 2 cases.")
    shared: dict[str, Any] = {"algorithms": names, "cases": cases, "metric": entry}
    if absent.any():
        shared["absent"] = absent
    if entry.needs == "numbers":
        return Predictions(truth=_numbers("truth", truth), predicted=_numbers("predictions", columns), **shared)
    labels, codes = _classes(truth, entry)
    place = _positive(labels, positive) if entry.two_classes or entry.needs != "labels" else len(labels) - 1
    if entry.needs == "labels":
        predicted, labels = _coded(columns, labels, names)
        classes, sought = len(set(codes.tolist())), place if entry.two_classes else None
        rule = "always wrong" if entry.kind == "mean" else "always wrong; the classes are those of the truth"
        rule = rule if sought is None else f"the same as not {labels[sought]!r}"
        shared["notes"] = _unknown_labels(predicted, classes, labels, names, rule)
        if absent.any() and entry.kind != "mean":
            wrong = _wrong_labels(codes, classes, len(labels), sought)
            predicted = np.where(absent, wrong[:, None], predicted)
            labels = labels if classes == 2 else (*labels, "no prediction")
            shared["wrong"] = shared.pop("absent")
        return Predictions(truth=codes, predicted=predicted, labels=labels, positive=place, **shared)
    scores = _numbers("predictions", columns)
    if absent.any() and entry.kind != "mean":
        # The wrong end of the ranking: below all negatives, or above all positives.
        ends = np.where(codes == place, scores.min() - 1, scores.max() + 1)
        scores = np.where(absent, ends[:, None], scores)
        shared["wrong"] = shared.pop("absent")
    if entry.needs == "probabilities" and ((scores < 0) | (scores > 1)).any():
        row, column = (int(i) for i in np.argwhere((scores < 0) | (scores > 1))[0])
        raise DataError(
            f"{names[column]!r} gives case {cases[row]!r} the probability {as_given(scores[row, column])}: {entry.name} needs "
            "probabilities between 0 and 1."
        )
    return Predictions(truth=codes == place, predicted=scores, labels=labels, positive=place, **shared)


def _without(
    columns: Array,
    truth: Array,
    cases: tuple[str, ...],
    absent: Bools,
    names: tuple[str, ...],
    metric: CaseMetric,
    missing: str | None,
) -> tuple[Array, Array, tuple[str, ...], Bools]:
    """Predictions after the policy for holes; a hole that stays is filled by the truth, and masked."""
    row, column = (int(place) for place in np.argwhere(absent)[0])
    said = f"{names[column]!r} has no prediction for case {cases[row]!r} ({int(absent.sum())} are missing in all)"
    if missing == "complete":
        keep: Bools = np.asarray(~absent.any(axis=1))
        if not keep.any():
            raise DataError(f"{said}, and no case has all predictions: leave out an algorithm.")
        left = tuple(name for name, kept in zip(cases, keep.tolist(), strict=True) if kept)
        return columns[keep], truth[keep], left, absent[keep]
    if missing == "wrong" and metric.kind == "sums":
        raise DataError(f"{said}, and {metric.name} has no worst value: set {{missing}} to 'complete'.")
    if metric.kind != "mean" and missing != "wrong":
        also = "" if metric.kind == "sums" else ", or 'wrong' to count them as wrong"
        raise DataError(
            f"{said}: {metric.name} is a number of all cases, so set {{missing}} to 'complete' to leave out such cases{also}."
        )
    if missing == "refuse":
        raise DataError(f"{said}: set {{missing}} to 'wrong', 'pairwise' or 'complete'.")
    whole = columns.astype(object)
    likely = truth[:, None] if metric.needs in ("labels", "numbers") else 0.5
    whole[absent] = np.broadcast_to(likely, whole.shape)[absent]
    return whole, truth, cases, absent


def _wrong_labels(codes: npt.NDArray[np.intp], classes: int, of_no_class: int, positive: int | None) -> Indices:
    """The label that counts as wrong for each case: the other one of two, else one of no class.

    Where one class is `positive` and all others are the rest, a negative case is wrong only if it is called positive.
    """
    if classes == 2:
        return 1 - codes
    return np.where(codes == positive, of_no_class, of_no_class if positive is None else positive)


def _unknown_labels(
    predicted: npt.NDArray[np.intp], classes: int, labels: tuple[str, ...], names: tuple[str, ...], rule: str
) -> tuple[str, ...]:
    """A note on each algorithm that predicts labels which the truth does not have: perhaps only written otherwise."""
    notes = []
    for name, column in zip(names, predicted.T, strict=True):
        unknown = column[column >= classes]
        if len(unknown):
            which = listed(sorted({repr(labels[code]) for code in unknown.tolist()}), most=3)
            notes.append(
                f"{name} predicts {which} for {counted(len(unknown), 'case')}, which the truth never has: {rule}."
            )
    return tuple(notes)


def _numbers(name: str, values: Array) -> Floats:
    numbers = check.floats(name, values, ndim=values.ndim)
    if np.isinf(numbers).any():
        case = int(np.argwhere(np.isinf(numbers))[0][0]) + 1
        raise DataError(f"The {name} have an infinite value at case {case}: correct it, or make it missing on purpose.")
    if np.isnan(numbers).any():
        raise DataError(f"The {name} have a missing value at case {int(np.argwhere(np.isnan(numbers))[0][0]) + 1}.")
    return numbers


def _classes(truth: Array, metric: CaseMetric) -> tuple[tuple[str, ...], npt.NDArray[np.intp]]:
    texts = np.array([label_text(value) for value in truth.tolist()])
    if any(text in ("nan", "None", "<NA>", "") for text in texts):
        raise DataError("The truth has a missing label: leave out that case.")
    labels, codes = np.unique(texts, return_inverse=True)
    if len(labels) < 2 and (metric.kind != "mean" or metric.needs != "labels"):
        raise DataError(
            f"The truth has one class only, {str(labels[0])!r}: {metric.name} needs cases of at least two; only accuracy does not."
        )
    return tuple(labels.tolist()), codes


def _positive(labels: tuple[str, ...], positive: Any) -> int:
    """The place of the positive class: the one named, or 1, true, yes where the other is 0, false, no."""
    if positive is not None:
        named = label_text(positive)
        if named not in labels:
            raise ArgumentError(f"Unknown class {named!r}: the truth has {', '.join(map(repr, labels))}.")
        return labels.index(named)
    if len(labels) > 2:
        raise DataError(f"The truth has {len(labels)} classes: name the {{positive}} one.")
    usual = {("0", "1"), ("-1", "1"), ("False", "True"), ("false", "true"), ("no", "yes"), ("neg", "pos")}
    if labels not in usual:
        raise DataError(f"Which class is {{positive}}, {labels[0]!r} or {labels[1]!r}?")
    return 1


def _coded(
    columns: Array, labels: tuple[str, ...], names: tuple[str, ...]
) -> tuple[npt.NDArray[np.intp], tuple[str, ...]]:
    """Predicted labels as places, and all labels; those that the truth does not have come last."""
    texts = np.array([[label_text(value) for value in row] for row in columns.tolist()])
    of_truth = set(labels)
    for place, name in enumerate(names):
        if not of_truth & set(texts[:, place].tolist()):
            raise DataError(
                f"{name!r} has no label in common with the truth ({str(texts[0, place])!r} there, {labels[0]!r} here): code both in "
                "the same way, or choose a metric of scores such as auc."
            )
    all_labels = (*labels, *sorted(set(texts.ravel().tolist()) - of_truth))
    place_of = {label: place for place, label in enumerate(all_labels)}
    return np.array([[place_of[text] for text in row] for row in texts.tolist()], dtype=np.intp), all_labels


def metric_of(table: PredictionTable, metric: str | None = None) -> str:
    """By what the predictions of a table are compared; refused where nobody says it."""
    named = metric or table.metric
    if named is None:
        raise ArgumentError("Say by which {metric} the predictions are compared: accuracy, f1, auc, rmse, ...")
    return named


def predictions_of(table: PredictionTable, **options: Any) -> Predictions:
    """The predictions of a table by its metric; `options` are `positive` and `missing`."""
    checked = as_predictions(table.truth, table.predicted, metric=metric_of(table), **options)
    return replace(checked, notes=table.notes)


def compare_predictions(
    y_true: Any,
    predictions: Any,
    *,
    metric: str | Callable[..., float],
    positive: Any = None,
    direction: Direction | None = None,
    control: str | None = None,
    clusters: Any = None,
    missing: Literal["refuse", "complete", "wrong", "pairwise"] = "refuse",
    confidence: float = 0.95,
    intervals: Intervals = "simultaneous",
    draws: int = 9999,
    rng: Rng = 0,
) -> CasePairs:
    """Compare algorithms by a metric of their predictions for the same cases.

    Wins and losses count the cases that only one predicts rightly, ranks better, or predicts with the smaller error; of a metric
    of your own those whose jackknife pseudo-values differ.

    Parameters
    ----------
    y_true : array-like of shape (n_cases,)
        The true labels or values. Series are matched by their index.
    predictions : dict, DataFrame or array-like
        The predictions of cases (rows) x algorithms (columns), or a dict of columns.
    metric : str or callable
        A name of `podium.cases.registry.METRICS` ("auc" needs scores, "f1" labels, "rmse" numbers), or your own
        function of (truth, predictions), which is computed again without each case in turn.
    positive : any, optional
        The positive label, unless the labels are 0 and 1.
    direction : {"higher", "lower"}, optional
        Which values are better, of a function of your own.
    control : str, optional
        Compare every other algorithm only with this one.
    clusters : array-like of shape (n_cases,), optional
        The cluster of each case: cases of one cluster are not independent of each other.
    missing : {"refuse", "complete", "wrong", "pairwise"}, default "refuse"
        What to do about missing predictions: raise an error, leave out their cases, count them as wrong where
        the metric has a worst value, or leave them out pair by pair where it is a mean.
    confidence : float, default 0.95
        Confidence of the interval.
    intervals : {"simultaneous", "each"}, default "simultaneous"
        Whether the confidence is that of all intervals together or of each one alone.
    draws : int, default 9999
        Number of sign-flip permutations or resamples.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    CasePairs
        For each pair: the statistic, the raw and the adjusted p-value, the difference with its interval, and
        the cases that speak for each.

    Examples
    --------
    >>> truth = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1]
    >>> one = [.9, .4, .7, .6, .5, .2, .8, .6, .3, .1, .55, .65]
    >>> two = [.7, .5, .6, .2, .5, .3, .9, .4, .4, .2, .6, .5]
    >>> found = compare_predictions(truth, {"one": one, "two": two}, metric="auc")
    >>> found.effect.round(4).tolist(), found.details["error"].round(4).tolist()
    ([0.1944], [0.1527])
    """
    grouped = tuple(map(str, clusters)) if clusters is not None else ()
    shared: dict[str, Any] = {"control": control, "confidence": confidence, "intervals": intervals}
    shared |= {"draws": draws, "rng": rng}
    if callable(metric):
        return all_pairs(_own_cases(y_true, predictions, metric, direction, grouped), **shared)
    if direction is not None:
        raise ArgumentError(f"The metric {metric!r} has its own direction: leave out `direction`.")
    checked = as_predictions(y_true, predictions, metric=metric, positive=positive, missing=missing)
    if checked.absent is not None:
        shared["missing"] = missing
    return pairs_of_predictions(replace(checked, clusters=grouped).to_cases(), **shared)


def pairs_of_predictions(cases: Cases, *, control: str | None = None, **settings: Any) -> CasePairs:
    """All pairs of checked predictions, by the best standard error that their metric has."""
    compared = compared_on(cases, control)
    special = special_pairs(cases, compared.first, compared.second)
    settings = {"missing": "refuse" if cases.source.wrong is None else "wrong", **settings}
    if special is None:
        return all_pairs(cases, control=control, **settings)
    settings = {"draws": 9999, "rng": 0, **settings}
    return case_pairs(cases, special, compared, mean="micro", **settings)


def special_pairs(cases: Cases, first: Indices, second: Indices) -> Gains | None:
    """The better standard errors that some metrics of predictions have: DeLong's for AUC, added cases for counts of two classes.

    None where there is none; they take cases to be independent, so there is none with clusters either.
    """
    source: Predictions | None = cases.source
    if source is None or cases.kind != "influence" or cases.clusters:
        return None
    if source.metric.name == "auc":
        return delong_pairs(influence.placements(source.truth, source.predicted), source.truth, first, second)
    if source.metric.kind != "counts" or len(source.labels) != 2:
        return None
    right, function = source.predicted == source.truth[:, None], source.metric.function()
    return count_pairs(lambda counts: function(counts, 1), source.truth == source.positive, right, first, second)


def _own_cases(
    y_true: Any, predictions: Any, metric: Callable[..., float], direction: str | None, grouped: Any
) -> Cases:
    if direction is None:
        raise ArgumentError("Say with `direction` whether 'higher' or 'lower' is better for a metric of your own.")
    columns, names, _ = columns_of(predictions, "a prediction")
    truth = np.asarray(y_true)
    if columns.dtype == object:
        columns = np.array(columns.tolist())
    influences = influence.by_deletion(metric, truth, columns)
    return Cases(
        values=influences.values,
        scores=influences.score,
        kind="influence",
        cases=tuple(str(i + 1) for i in range(len(truth))),
        algorithms=names,
        metric=Metric(name=getattr(metric, "__name__", "metric"), direction=as_direction(direction)),
        clusters=grouped,
    )


__all__ = ["METRICS", "Predictions", "as_predictions", "compare_predictions"]
