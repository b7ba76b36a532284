"""A contest: is the best of the algorithms on a test set better than the best of as many that guess?"""

from __future__ import annotations

import numpy as np

from podium.cases.influence import Counts, accuracy
from podium.cases.predictions import Predictions
from podium.chance.labels import LabelChanceResult, label_luck
from podium.chance.predictions import ChanceTestResult, chance_test
from podium.chance.registry import METRICS
from podium.core.arrays import Floats, Ints

MOST_CASES = 3000  # the exact law of the luck of more takes long, and luck is then no longer the question


def contest(predictions: Predictions, alpha: float) -> ChanceTestResult | LabelChanceResult | None:
    """The winner against luck: rankings where the metric is one of rankings whose law is known, labels of two classes."""
    if len(predictions.truth) > MOST_CASES:
        return None
    if predictions.metric.needs == "labels":
        return _of_labels(predictions, alpha)
    law = METRICS.get(predictions.metric.name)
    if predictions.metric.needs != "scores" or law is None or not law.exact:
        return None
    scores = dict(zip(predictions.algorithms, predictions.predicted.T, strict=True))
    return chance_test(predictions.truth.astype(int), scores, metric=predictions.metric.name, alpha=alpha)


def _of_labels(predictions: Predictions, alpha: float) -> LabelChanceResult | None:
    """Labels against guessers that call equally many cases positive; not where some are missing or count more."""
    if len(predictions.labels) != 2 or predictions.absent is not None or predictions.weights is not None:
        return None
    truth = predictions.truth == predictions.positive
    if truth.all() or not truth.any():
        return None
    n, positives = len(truth), int(truth.sum())
    function = accuracy if predictions.metric.kind == "mean" else predictions.metric.function()

    def metric(hits: Ints, called: int) -> Floats:
        rejected = n - called - (positives - hits)  # negatives that are called negative
        return np.asarray(
            function(
                Counts(
                    diag=np.stack([rejected, hits], axis=-1).astype(np.float64),
                    row=np.broadcast_to([n - positives, positives], (len(hits), 2)).astype(np.float64),
                    column=np.broadcast_to([n - called, called], (len(hits), 2)).astype(np.float64),
                ),
                1,
            )
        )

    columns = dict(zip(predictions.algorithms, (predictions.predicted == predictions.positive).T, strict=True))
    return label_luck(truth, columns, metric, name=predictions.metric.name, alpha=alpha)
