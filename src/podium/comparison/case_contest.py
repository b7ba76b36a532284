"""A contest: is the best of the algorithms on a test set better than the best of as many random rankings?"""

from __future__ import annotations

from podium.cases.predictions import Predictions
from podium.chance.predictions import ChanceTestResult, chance_test
from podium.chance.registry import METRICS

MOST_CASES = 3000  # the exact law of the luck of more takes long, and luck is then no longer the question


def contest(predictions: Predictions | None, alpha: float) -> ChanceTestResult | None:
    """The winner against luck, where the metric is one of rankings whose law is known."""
    if predictions is None or predictions.metric.needs != "scores" or not _has_law(predictions.metric.name):
        return None
    if len(predictions.truth) > MOST_CASES:
        return None
    scores = dict(zip(predictions.algorithms, predictions.predicted.T, strict=True))
    return chance_test(predictions.truth.astype(int), scores, metric=predictions.metric.name, alpha=alpha)


def _has_law(name: str) -> bool:
    return name in METRICS and METRICS[name].exact
