"""Metrics: a name, which direction is better, the range of its values, the unit of a difference, score or cost."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.numbers import Unit

Direction = Literal["higher", "lower"]

# Whole words of a metric's name whose direction is certain. "loss", "score" or "result" alone are not.
_HIGHER = frozenset(
    """acc accuracy accuracies auc auroc auprc aucroc roc_auc average_precision balanced_accuracy f1 fscore f_score
    fmeasure f_measure f_beta gini gmean g_mean iou jaccard kappa ks lift mcc map ndcg precision psnr purity r2
    r_squared recall sensitivity specificity ssim tpr tnr bleu rouge youden ari nmi percent_correct area_under_roc
    win_rate pass_rate success_rate reward episode_reward exact_match""".split()
)
_LOWER = frozenset(
    """brier ce cross_entropy crossentropy err error errors error_rate errorrate fpr fnr hinge_loss logloss log_loss
    mae mape mase maxae medae misclassification mse msle nll nrmse perplexity rmse rmsle smape wer wql zero_one_loss
    hamming_loss""".split()
)
_COST = frozenset(
    """bytes cost costs cpu cpu_time duration energy flops joules latency memory model_size parameters price ram
    runtime seconds space time train_time training_time prediction_time test_time fit_time score_time wall_time
    watts inference_time elapsed elapsed_time run_time walltime time_elapsed train_duration training_duration
    predict_duration predict_time prediction_duration""".split()
)
# The range of a metric's values, the best possible one included. A bare "error" may be a rate or a distance: it has none.
_RANGES: dict[tuple[float, float], frozenset[str]] = {
    (0, 1): frozenset(
        """acc accuracy accuracies auc auroc auprc aucroc roc_auc average_precision balanced_accuracy f1 fscore f_score
        fmeasure f_measure f_beta gmean g_mean iou jaccard ks map ndcg precision purity recall sensitivity specificity
        tpr tnr nmi brier error_rate errorrate fpr fnr misclassification zero_one_loss hamming_loss""".split()
    ),
    (-1, 1): frozenset("kappa mcc gini youden ari ssim".split()),
    (-np.inf, 1): frozenset("r2 r_squared".split()),
}
# Shares of cases: a difference of theirs is told in percentage points.
_SHARES = frozenset(
    """acc accuracy accuracies balanced_accuracy precision purity recall sensitivity specificity tpr tnr error_rate errorrate
    fpr fnr misclassification zero_one_loss hamming_loss""".split()
)
# Names that are written in capitals; and names that say nothing of what was measured.
_CAPITALS = frozenset(
    """auc auroc auprc roc pr f1 iou ks mcc ndcg psnr ssim tpr tnr fpr fnr ari nmi mae mape maxae medae mse msle nll nrmse rmse
    rmsle smape wer bleu cpu ram flops""".split()
)
_NO_NAME = frozenset("score scores value values result results metric measure test_score".split())
# Prefixes and suffixes that do not change the direction: test_accuracy, accuracy_mean, mean auc.
_DECORATION = re.compile(
    r"^(mean|avg|average|median|best|test|train|valid|validation|val|cv|split|macro|micro|weighted)_"
    r"|_(mean|avg|score|macro|micro|weighted|test|val|percent|pct|ovr|ovo|s|sec|secs|ms|minutes|hours|mb|gb)$"
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

    @property
    def said(self) -> str:
        """The name within a sentence.

        >>> Metric(name="roc_auc", direction="higher").said, Metric(name="Macro F1", direction="higher").said
        ('ROC AUC', 'Macro F1')
        """
        return " ".join(word.upper() if word in _CAPITALS else word for word in self.name.replace("_", " ").split())

    def bounds(self, values: Floats) -> tuple[float, float] | None:
        """The smallest and the largest possible score, on the scale of these values (1 or 100); None where unknown.

        >>> accuracy = Metric(name="accuracy", direction="higher")
        >>> accuracy.bounds(np.array([0.5, 1.0])), accuracy.bounds(np.array([50.0, 99.0]))
        ((0.0, 1.0), (0.0, 100.0))
        >>> Metric(name="rmse", direction="lower").bounds(np.array([0.5])) is None
        True
        """
        known = next((ends for ends, names in _RANGES.items() if _plain_names(self.name) & names), None)
        present = values[~np.isnan(values)]
        if known is None or not present.size:
            return None
        for scale in (100.0,) if _IN_PERCENT.search(self.name.lower()) else (1.0, 100.0):
            low, high = scale * known[0], scale * known[1]
            if low <= present.min() and present.max() <= high and (scale == 1 or present.max() > 2):
                return low, high
        return None

    def unit(self, values: Floats) -> Unit:
        """How a difference between such scores is told: in percentage points, in AUC, in seconds.

        A share that is better when low stays as it is where no score is above 1: it may be in percent already.
        """
        ends, names = self.bounds(values), _plain_names(self.name)
        if self.name.lower() in _NO_NAME:
            return Unit(noun="", points="points")
        if ends is None:
            return Unit(noun=self.said)
        in_percent = ends[1] == 100
        if names & _SHARES and (in_percent or self.higher_is_better):
            return Unit(noun=self.said, points="percentage points", factor=1 if in_percent else 100, digits=1)
        return Unit(noun=self.said, points="points" if in_percent else "", digits=1 if in_percent else 3)


_IN_PERCENT = re.compile(r"percent|pct|%")


def _plain_names(name: str) -> frozenset[str]:
    """A metric's name and what is left of it without its decoration, as the lists above write them.

    >>> sorted(_plain_names("Test accuracy"))
    ['accuracy', 'test_accuracy']
    """
    key = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    found = [key]
    while (plainer := _DECORATION.sub("", found[-1], count=1)) != found[-1]:
        found.append(plainer)
    return frozenset("f1" if re.fullmatch(r"f\d+(_score)?", each) else each for each in found)


def as_direction(word: str) -> Direction:
    """The word "higher" or "lower"; anything else is refused."""
    if word == "higher":
        return "higher"
    if word == "lower":
        return "lower"
    raise check.refused("direction", word, "must be 'higher' or 'lower'")


# The values that a metric can have: from 0 to 1 (or 100, in percent), from -1 to 1, from 0 on.
_SHARE = frozenset(
    """acc accuracy accuracies auc auroc auprc aucroc roc_auc average_precision balanced_accuracy f1 fscore f_score fmeasure
    f_measure f_beta gmean g_mean iou jaccard map ndcg precision purity recall sensitivity specificity tpr tnr fpr fnr
    error_rate errorrate misclassification hamming_loss zero_one_loss percent_correct area_under_roc win_rate pass_rate
    success_rate exact_match""".split()
)
_SIGNED_SHARE = frozenset("kappa mcc gini youden ari".split())
_FROM_ZERO = frozenset(
    "brier ce cross_entropy crossentropy logloss log_loss mae mape mase mse msle nll nrmse rmse rmsle smape wer".split()
)


def bounds_of(name: str) -> tuple[float, float] | None:
    """The values that a metric of that name can have, percent included; None where they are not known.

    >>> bounds_of("test_accuracy"), bounds_of("RMSE"), bounds_of("score") is None
    ((0.0, 100.0), (0.0, inf), True)
    """
    key = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    while True:
        if key in _SHARE:
            return 0.0, 100.0
        if key in _SIGNED_SHARE:
            return -100.0, 100.0
        if key in _FROM_ZERO:
            return 0.0, math.inf
        plainer = _DECORATION.sub("", key, count=1)
        if plainer == key:
            return None
        key = plainer


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
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)  # trainingTime
    key = re.sub(r"[^a-z0-9]+", "_", spaced.lower()).strip("_")
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
    key = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")  # InceptionTime is no time
    if exact or _ANOTHER_THING.search(key):
        return None
    if key.endswith(("_error", "_rmse", "_mse", "_mae")):
        return Metric(name=name, direction="lower")
    if key.endswith(("_time", "_seconds", "_duration", "_cost")):
        return Metric(name=name, direction="lower", is_cost=True)
    if key.endswith(("_accuracy", "_auc")):
        return Metric(name=name, direction="higher")
    return None
