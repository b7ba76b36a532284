"""The oracle of the chance room: every ranking of P positives and N negatives, scored by the textbook formulas."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np


def _ratio(top, bottom):
    return Fraction(top, bottom) if bottom else Fraction(0)


def _signed_square(value):
    """Roots are compared by their squares; what is below zero is as bad as zero, which every ranking reaches."""
    return max(value, Fraction(0))


# metric -> score of (tp, fp, fn, tn); for those marked as roots, the square of the score.
CELL_SCORES = {
    "best_accuracy": lambda tp, fp, fn, tn: Fraction(tp + tn, tp + fp + fn + tn),
    "best_f1": lambda tp, fp, fn, tn: _ratio(2 * tp, 2 * tp + fp + fn),
    "best_f2": lambda tp, fp, fn, tn: _ratio(5 * tp, 5 * tp + fp + 4 * fn),
    "best_f0.5": lambda tp, fp, fn, tn: _ratio(Fraction(5, 4) * tp, Fraction(5, 4) * tp + fp + Fraction(fn, 4)),
    "youden": lambda tp, fp, fn, tn: Fraction(tp, tp + fn) + Fraction(tn, tn + fp) - 1,
    "ks": lambda tp, fp, fn, tn: Fraction(tp, tp + fn) - Fraction(fp, tn + fp),
    "balanced_accuracy": lambda tp, fp, fn, tn: (Fraction(tp, tp + fn) + Fraction(tn, tn + fp)) / 2,
    "weighted_accuracy5": lambda tp, fp, fn, tn: Fraction(5 * tp + tn, 5 * (tp + fn) + fp + tn),
    "weighted_accuracy0.4": lambda tp, fp, fn, tn: (Fraction(2, 5) * tp + tn) / (Fraction(2, 5) * (tp + fn) + fp + tn),
    "kappa": lambda tp, fp, fn, tn: _ratio(2 * (tp * tn - fn * fp), (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)),
    "mcc": lambda tp, fp, fn, tn: _ratio(max(0, tp * tn - fp * fn) ** 2, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    "gmean": lambda tp, fp, fn, tn: _signed_square(Fraction(tp, tp + fn) * Fraction(tn, tn + fp)),
    "fowlkes_mallows": lambda tp, fp, fn, tn: _ratio(tp * tp, (tp + fp) * (tp + fn)),
}
ROOTS = {"mcc", "gmean", "fowlkes_mallows"}


def all_rankings(P, N):
    """Every ranking as a row of 0 and 1, best rank first."""
    rows = np.zeros((comb(P + N, P), P + N), np.int64)
    for row, places in zip(rows, combinations(range(P + N), P), strict=True):
        row[list(places)] = 1
    return rows


def best_law(metric, P, N, rankings):
    """{score: probability} of the best over all thresholds."""
    tp = np.concatenate([np.zeros((len(rankings), 1), np.int64), np.cumsum(rankings, axis=1)], axis=1)
    fp = np.arange(P + N + 1) - tp
    score = CELL_SCORES[metric]
    cells = {(i, j): score(i, j, P - i, N - j) for i in range(P + 1) for j in range(N + 1)}
    values = sorted(set(cells.values()))
    order = {value: place for place, value in enumerate(values)}
    place = np.array([[order[cells[i, j]] for j in range(N + 1)] for i in range(P + 1)])
    return _law(place[tp, fp].max(axis=1), values.__getitem__)


def auc_law(metric, P, N, rankings):
    """{AUC or Gini: probability}, counting the pairs in the right order."""
    negatives_below = np.cumsum((1 - rankings)[:, ::-1], axis=1)[:, ::-1]
    pairs = (negatives_below * rankings).sum(axis=1)
    return _law(pairs, lambda u: Fraction(u, P * N) if metric == "auc" else Fraction(2 * u, P * N) - 1)


def top_law(metric, n, P, N, rankings):
    """{true positives, precision, recall or lift at n: probability}."""
    unit = {"tp": 1, "precision": n, "recall": P, "lift": Fraction(n * P, P + N)}[metric]
    return _law(rankings[:, :n].sum(axis=1), lambda tp: Fraction(tp) / unit)


def _law(places, value):
    counts = Counter(places.tolist())
    return {value(place): Fraction(count, len(places)) for place, count in sorted(counts.items())}
