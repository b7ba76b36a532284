"""What each case contributes to a metric that is not a mean: jackknife pseudo-values in closed form; and curves of scores.

The pseudo-value of case i is n theta - (n - 1) theta without i; their mean is the metric up to its bias, and their spread
its standard error (Efron and Stein 1981). One array of cases x algorithms then serves every pair and all pairs at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats, Indices


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence:
    """The metric of every algorithm, and the pseudo-values (cases x algorithms) behind it."""

    score: Floats
    values: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How many cases of each class are right (`diag`), of the class (`row`), and predicted to be of it (`column`).

    Arrays (..., classes). The metrics of labels need no more of the confusion matrix than this.
    """

    diag: Floats
    row: Floats
    column: Floats

    @property
    def total(self) -> Floats:
        """How many cases there are."""
        return np.asarray(self.row.sum(axis=-1))

    def of(self, place: int) -> Counts:
        """The counts of one class."""
        return Counts(diag=self.diag[..., place], row=self.row[..., place], column=self.column[..., place])


def ratio(above: Floats, below: Floats) -> Floats:
    """A quotient that is 0 where nothing is divided by nothing, as in scikit-learn."""
    return np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=np.asarray(below) != 0)


def accuracy(counts: Counts, positive: int = 1) -> Floats:
    """The share of cases that are right."""
    return ratio(counts.diag.sum(axis=-1), counts.total)


def balanced_accuracy(counts: Counts, positive: int = 1) -> Floats:
    """The mean recall of the classes that occur."""
    return ratio(ratio(counts.diag, counts.row).sum(axis=-1), (counts.row > 0).sum(axis=-1).astype(np.float64))


def recall(counts: Counts, positive: int = 1) -> Floats:
    """Of the positives, the share that was found."""
    one = counts.of(positive)
    return ratio(one.diag, one.row)


def specificity(counts: Counts, positive: int = 1) -> Floats:
    """Of the negatives, the share that was not called positive; which of the other classes it was called does not matter."""
    one = counts.of(positive)
    negatives = counts.total - one.row
    return ratio(negatives - (one.column - one.diag), negatives)


def precision(counts: Counts, positive: int = 1) -> Floats:
    """Of those called positive, the share that is."""
    one = counts.of(positive)
    return ratio(one.diag, one.column)


def f1(counts: Counts, positive: int = 1) -> Floats:
    """2 TP / (2 TP + FP + FN)."""
    one = counts.of(positive)
    return ratio(2 * one.diag, one.row + one.column)


def macro_f1(counts: Counts, positive: int = 1) -> Floats:
    """The mean F1 of the classes that occur in the truth: the same ones for every algorithm, whatever it predicts.

    It is scikit-learn's f1_score(average="macro") with the classes of the truth as `labels`.
    """
    each = ratio(2 * counts.diag, counts.row + counts.column)  # 0 where the truth does not have the class
    return ratio(each.sum(axis=-1), (counts.row > 0).sum(axis=-1).astype(np.float64))


def mcc(counts: Counts, positive: int = 1) -> Floats:
    """Matthews' correlation, for any number of classes (Gorodkin 2004); 0 where a margin is empty."""
    n, right = counts.total, counts.diag.sum(axis=-1)
    agreement = right * n - (counts.row * counts.column).sum(axis=-1)
    spreads = (n**2 - (counts.column**2).sum(axis=-1)) * (n**2 - (counts.row**2).sum(axis=-1))
    return ratio(agreement, np.sqrt(np.maximum(spreads, 0.0)))


def kappa(counts: Counts, positive: int = 1) -> Floats:
    """Cohen's kappa."""
    n, chance = counts.total, (counts.row * counts.column).sum(axis=-1)
    return ratio(counts.diag.sum(axis=-1) * n - chance, n**2 - chance)


def counts_of(truth: Indices, labels: Indices, classes: int) -> Counts:
    """The counts of every algorithm, from codes: truth (cases), labels (cases x algorithms)."""
    right = labels == truth[:, None]
    diag = np.stack([(right & (truth == place)[:, None]).sum(axis=0) for place in range(classes)], axis=-1)
    column = np.stack([(labels == place).sum(axis=0) for place in range(classes)], axis=-1)
    row = np.broadcast_to(np.bincount(truth, minlength=classes), diag.shape)
    return Counts(diag=diag.astype(np.float64), row=row.astype(np.float64), column=column.astype(np.float64))


def from_counts(metric: Any, truth: Indices, labels: Indices, classes: int, positive: int = 1) -> Influence:
    """Pseudo-values of a metric of labels: one for each cell of the confusion matrix, then looked up by case."""
    counts, n = counts_of(truth, labels, classes), len(truth)
    score: Floats = metric(counts, positive)
    cells, place = np.unique(truth[:, None] * classes + labels, return_inverse=True)
    unit = np.eye(classes)
    was, called = unit[cells // classes], unit[cells % classes]
    without = Counts(
        diag=counts.diag[:, None] - was * called, row=counts.row[:, None] - was, column=counts.column[:, None] - called
    )
    pseudo = n * score[:, None] - (n - 1) * metric(without, positive)  # algorithms x cells
    cell = place.reshape(labels.shape)
    return Influence(score=score, values=pseudo[np.arange(labels.shape[1]), cell])


def auc(truth: npt.NDArray[np.bool_], scores: Floats) -> Influence:
    """The area under the ROC curve, by midranks (Sun and Xu 2014); ties count half.

    `values` are pseudo-values; `placements` has what DeLong's standard error is made of.
    """
    values = placements(truth, scores)
    score = values[truth].mean(axis=0)
    sizes = np.where(truth, truth.sum(), (~truth).sum())[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        without = np.where(sizes > 1, score + (score - values) / (sizes - 1), score)
    n = len(truth)
    return Influence(score=score, values=n * score - (n - 1) * without)


def placements(truth: npt.NDArray[np.bool_], scores: Floats) -> Floats:
    """For a positive the share of negatives below it, for a negative the share of positives above it; ties half.

    One sort for each algorithm: the classes so far are counted along the sorted scores, groups of equal ones at once.
    """
    placed = np.empty(scores.shape)
    positives, negatives = int(truth.sum()), int((~truth).sum())
    for column, values in enumerate(np.ascontiguousarray(scores.T)):
        order = np.argsort(values)
        ordered, is_positive = values[order], truth[order]
        new = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        length = np.diff(np.append(new, len(ordered)))
        hits = np.add.reduceat(is_positive, new, dtype=np.int64)
        misses = length - hits
        below = np.cumsum(misses) - misses / 2  # negatives below a group, its own counting half
        above = positives - np.cumsum(hits) + hits / 2
        shares = np.where(is_positive, np.repeat(below, length) / negatives, np.repeat(above, length) / positives)
        placed[order, column] = shares
    return placed


def average_precision(truth: npt.NDArray[np.bool_], scores: Floats) -> Influence:
    """Average precision as scikit-learn defines it, and its pseudo-values, one algorithm after the other."""
    columns = [_average_precision(truth, column) for column in scores.T]
    return Influence(
        score=np.array([score for score, _ in columns]), values=np.stack([values for _, values in columns], axis=1)
    )


def _average_precision(truth: npt.NDArray[np.bool_], scores: Floats) -> tuple[float, Floats]:
    """AP and its pseudo-values, in one sweep over the groups of tied scores from the highest down.

    t positives of a group, T and N the positives and cases so far, P all positives: AP = sum t T / N / P. A deletion
    lowers T or N of its own group and of all later ones by one.
    """
    _, group = np.unique(-scores, return_inverse=True)
    hits = np.bincount(group, weights=truth)
    cases, positives_so_far = np.cumsum(np.bincount(group)), np.cumsum(hits)
    positives, n = positives_so_far[-1], len(truth)
    terms = hits * positives_so_far / cases
    score = float(terms.sum() / positives)
    before = np.cumsum(terms) - terms
    fewer = np.maximum(cases - 1, 1)
    negative_terms = np.where(cases > 1, hits * positives_so_far / fewer, 0.0)
    from_here = negative_terms[::-1].cumsum()[::-1]
    without_negative = (before + from_here) / positives
    later = np.where(cases > 1, hits * (positives_so_far - 1) / fewer, 0.0)
    after = later[::-1].cumsum()[::-1] - later
    own = np.where(cases > 1, (hits - 1) * (positives_so_far - 1) / fewer, 0.0)
    without_positive = (before + own + after) / max(positives - 1, 1)
    without = np.where(truth, without_positive[group], without_negative[group])
    return score, n * score - (n - 1) * without


def roc_points(truth: npt.NDArray[np.bool_], scores: Floats) -> Floats:
    """Rows of false positive rate and true positive rate, from (0, 0) to (1, 1); equal scores are one step.

    >>> roc_points(np.array([True, False, True]), np.array([0.9, 0.5, 0.4])).tolist()
    [[0.0, 0.0], [0.0, 0.5], [1.0, 0.5], [1.0, 1.0]]
    """
    right, wrong = _found(truth, scores)
    points = np.column_stack([wrong / max(wrong[-1], 1), right / max(right[-1], 1)])
    return np.vstack([[0.0, 0.0], points])


def pr_points(truth: npt.NDArray[np.bool_], scores: Floats) -> Floats:
    """Rows of recall and precision, from the highest score down; average precision is the area under these steps.

    >>> pr_points(np.array([True, False, True]), np.array([0.9, 0.5, 0.4])).round(3).tolist()
    [[0.5, 1.0], [0.5, 0.5], [1.0, 0.667]]
    """
    right, wrong = _found(truth, scores)
    return np.column_stack([right / max(right[-1], 1), right / (right + wrong)])


def _found(truth: npt.NDArray[np.bool_], scores: Floats) -> tuple[Floats, Floats]:
    """How many positives and negatives have at least each score, from the highest down."""
    order = np.argsort(-scores, kind="stable")
    last = np.flatnonzero(np.r_[np.diff(scores[order]) != 0, True])
    right = np.cumsum(truth[order]).astype(np.float64)[last]
    return right, last + 1.0 - right


def rmse(truth: Floats, predicted: Floats) -> Influence:
    """The root of the mean squared error."""
    squares = (predicted - truth[:, None]) ** 2
    n, total = len(truth), squares.sum(axis=0)
    score = np.sqrt(total / n)
    without = np.sqrt(np.maximum(total - squares, 0.0) / (n - 1))
    return Influence(score=score, values=n * score - (n - 1) * without)


def r2(truth: Floats, predicted: Floats) -> Influence:
    """The coefficient of determination; deleting a case moves the mean of the truth too."""
    squares = (predicted - truth[:, None]) ** 2
    n, total = len(truth), squares.sum(axis=0)
    centred = truth - truth.mean()
    spread = float((centred**2).sum())
    score = 1 - total / spread
    left = np.maximum(spread - centred**2 * n / (n - 1), np.finfo(float).tiny)[:, None]
    without = 1 - (total - squares) / left
    return Influence(score=score, values=n * score - (n - 1) * without)


def by_deletion(metric: Any, truth: npt.NDArray[Any], predicted: npt.NDArray[Any]) -> Influence:
    """Any metric of (truth, predictions): the same by deleting one case after the other, n calls for each algorithm."""
    n, k = predicted.shape
    score = np.array([float(metric(truth, predicted[:, j])) for j in range(k)])
    kept = ~np.eye(n, dtype=bool)
    without = np.array([[float(metric(truth[keep], predicted[keep, j])) for j in range(k)] for keep in kept])
    return Influence(score=score, values=n * score - (n - 1) * without)


def class_df(parts: Sequence[Floats], sizes: Sequence[int], *, otherwise: float) -> Floats:
    """Satterthwaite's degrees of freedom by class: few cases of one class are few, however many the other has.

    `parts` are what each class of so many cases adds to the variance; `otherwise` holds where nothing varies.
    """
    below = np.sum([part**2 / max(size - 1, 1) for part, size in zip(parts, sizes, strict=True)], axis=0)
    return np.where(below > 0, np.sum(parts, axis=0) ** 2 / np.where(below > 0, below, 1.0), float(otherwise))
