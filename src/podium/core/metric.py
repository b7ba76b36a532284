"""Metrics: a name, which direction is better, and whether it is a score or a cost."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from podium.core import check

Direction = Literal["higher", "lower"]

# Whole words of a metric's name whose direction is certain. "loss", "score" or "result" alone are not.
_HIGHER = frozenset(
    """acc accuracy accuracies auc auroc auprc aucroc roc_auc average_precision balanced_accuracy f1 fscore f_score
    fmeasure f_measure f_beta gini gmean g_mean iou jaccard kappa ks lift mcc map ndcg precision psnr purity r2
    r_squared recall sensitivity specificity ssim tpr tnr bleu rouge youden ari nmi""".split()
)
_LOWER = frozenset(
    """brier ce cross_entropy crossentropy err error errors error_rate errorrate fpr fnr hinge_loss logloss log_loss
    mae mape maxae medae misclassification mse msle nll nrmse perplexity rmse rmsle smape wer zero_one_loss
    hamming_loss""".split()
)
_COST = frozenset(
    """bytes cost costs cpu cpu_time duration energy flops joules latency memory model_size parameters price ram
    runtime seconds space time train_time training_time prediction_time test_time fit_time score_time wall_time
    watts""".split()
)
# Prefixes and suffixes that do not change the direction: test_accuracy, accuracy_mean, mean auc.
_DECORATION = re.compile(
    r"^(mean|avg|average|median|best|test|train|valid|validation|val|cv|split|macro|micro|weighted)_"
    r"|_(mean|avg|score|macro|micro|weighted|test|val|percent|pct|ovr|ovo)$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What a score measures.

    >>> Metric(name="auc", direction="higher").sign
    1
    """

    name: str
    direction: Direction
    is_cost: bool = False

    def __post_init__(self) -> None:
        as_direction(self.direction)

    @property
    def higher_is_better(self) -> bool:
        """Whether a larger value is the better one."""
        return self.direction == "higher"

    @property
    def sign(self) -> int:
        """+1 where higher is better, -1 where lower is: `sign * value` is always a gain."""
        return 1 if self.higher_is_better else -1


def as_direction(word: str) -> Direction:
    """The word "higher" or "lower"; anything else is refused."""
    if word == "higher":
        return "higher"
    if word == "lower":
        return "lower"
    raise check.refused("direction", word, "must be 'higher' or 'lower'")


# Words that make a metric's name mean something else: the spread of an accuracy, the rank by it.
_ANOTHER_THING = re.compile(
    r"(^|_)(std|sd|stdev|stderr|se|var|variance|ci|rank|ranks|diff|delta|drop|n|num|count)(_|$)"
)


def known_metric(name: str, *, exact: bool = False) -> Metric | None:
    """The metric of that name if its direction is certain, else None.

    `exact` wants the name itself to be a metric, where else "validation_of_x_accuracy" is an accuracy too.

    >>> known_metric("test_accuracy").direction
    'higher'
    >>> known_metric("Training time").is_cost
    True
    >>> known_metric("neg_log_loss").direction  # scikit-learn's sign convention
    'higher'
    >>> known_metric("result") is None, known_metric("std_accuracy") is None
    (True, True)
    """
    key = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if key.startswith(("neg_", "negative_")) and known_metric(key.split("_", 1)[1]) is not None:
        return Metric(name=name, direction="higher")
    while True:
        if key in _COST:
            return Metric(name=name, direction="lower", is_cost=True)
        if key in _LOWER:
            return Metric(name=name, direction="lower")
        if key in _HIGHER or re.fullmatch(r"f\d+(_score)?", key):
            return Metric(name=name, direction="higher")
        plainer = _DECORATION.sub("", key, count=1)
        if plainer == key:
            break
        key = plainer
    if exact or _ANOTHER_THING.search(key):
        return None
    if key.endswith(("_error", "_rmse", "_mse", "_mae")):
        return Metric(name=name, direction="lower")
    if key.endswith(("_time", "_seconds", "_duration", "_cost")):
        return Metric(name=name, direction="lower", is_cost=True)
    if key.endswith(("_accuracy", "_auc")):
        return Metric(name=name, direction="higher")
    return None
