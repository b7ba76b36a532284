"""Metrics: a name, which direction is better, the range of its values, the unit of a difference, score or cost."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast, get_args

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.files import read_toml
from podium.core.numbers import Unit, as_given

Direction = Literal["higher", "lower"]

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
        known = _kind_of(self.name)
        present = values[~np.isnan(values)]
        if known is None or np.isinf(known.high) or not present.size:
            return None
        for scale in (100.0,) if _IN_PERCENT.search(self.name.lower()) else (1.0, 100.0):
            low, high = scale * known.low, scale * known.high
            if low <= present.min() and present.max() <= high and (scale == 1 or present.max() > 2):
                return low, high
        return None

    def practical(self, argument: str, size: float, values: Floats) -> float:
        """A difference between such scores that does not matter, checked by `below_range`."""
        ends = self.bounds(values)
        # Of errors in percent all may be below 1.
        doubtful = not self.higher_is_better and ends == (0.0, 1.0)
        return below_range(argument, size, ends, percent=f"{self.name}_percent" if doubtful else "")

    def unit(self, values: Floats) -> Unit:
        """How a difference between such scores is written: in percentage points, in AUC, in seconds.

        A share that is better when low stays as it is where no score is above 1: it may be in percent already.
        """
        ends, known = self.bounds(values), _kind_of(self.name)
        if self.name.lower() in _NO_NAME:
            return Unit(noun="", points="points")
        if ends is None or known is None:
            return Unit(noun=self.said)
        in_percent = ends[1] == 100
        if known.share and (in_percent or self.higher_is_better):
            return Unit(noun=self.said, points="percentage points", factor=1 if in_percent else 100, digits=1)
        return Unit(noun=self.said, points="points" if in_percent else "", digits=1 if in_percent else 3)


_IN_PERCENT = re.compile(r"percent|pct|%")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What `metrics.toml` says of the metrics of one kind."""

    better: Direction
    low: float = -math.inf
    high: float = math.inf
    share: bool = False
    loss: bool = False
    cost: bool = False


@cache
def _kinds() -> dict[str, _Kind]:
    rows = read_toml("core", "metrics.toml")["kinds"]
    made = [(row["names"], _Kind(**{key: row[key] for key in row if key != "names"})) for row in rows]
    return {name: kind for names, kind in made for name in names.split()}


def _kind_of(name: str) -> _Kind | None:
    """The kind of a metric by its name, or by what is left of it without prefixes and suffixes; None where unknown."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)  # trainingTime
    key, before = _key(spaced), ""
    while key != before:
        before, key = key, re.sub(r"^f\d+(_score)?$", "f1", key)
        if key in _kinds():
            return _kinds()[key]
        key = _DECORATION.sub("", key, count=1)
    return None


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def as_direction(word: object) -> Direction:
    """The word "higher" or "lower"; anything else is refused."""
    for direction in get_args(Direction):
        if word == direction:
            return cast("Direction", direction)
    raise check.refused("direction", word, "must be 'higher' or 'lower'")


def bounds_of(name: str) -> tuple[float, float] | None:
    """The values that a metric of that name can have, percent included; None where they are not known.

    >>> bounds_of("test_accuracy"), bounds_of("RMSE"), bounds_of("score") is None
    ((0.0, 100.0), (0.0, inf), True)
    """
    known = _kind_of(name)
    if known is None or known.cost or np.isinf([known.low, known.high]).all():
        return None
    return (0.0, math.inf) if known.loss else (100.0 * known.low, 100.0 * known.high)


def below_range(
    argument: str,
    size: float,
    ends: tuple[float, float] | None,
    *,
    noun: str = "scores",
    of: str = "",
    percent: str = "",
) -> float:
    """A difference that does not matter (a rope, a margin); one as large as scores can differ is refused, where their ends are known.

    >>> below_range("rope", 1, (0.0, 100.0))
    1
    >>> below_range("rope", 1, (0.0, 1.0))
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `rope` must be below 1; got 1: 2 percentage points are 0.02, and scores here are between 0 and 1.
    """
    if ends is None or size < ends[1] - ends[0]:
        return size
    low, high = (as_given(end) for end in ends)
    points = f"2 percentage points are {as_given(0.02 * ends[1])}, and " if ends[0] == 0 else ""
    cure = f" (if they are in percent, call the {{metric}} {percent!r})" if percent else ""
    hint = f": {points}{noun} here are between {low} and {high}{cure}."
    raise check.refused(argument, size, f"must be below {as_given(ends[1] - ends[0])}{of}", hint)


def is_cost(name: str) -> bool:
    """Whether a metric of this name is a cost."""
    known = known_metric(name)
    return known is not None and known.is_cost


def settled_metric(name: str, direction: object = None, *, usual: Direction | None = None) -> Metric:
    """The metric of that name, with the direction that was said, that is certain from its name, or that is usual; else it is
    asked for.
    """
    known = known_metric(name)
    found = as_direction(direction) if direction is not None else known.direction if known is not None else usual
    if found is None:
        raise DataError(
            f"Is a higher or a lower {name!r} better? Its name does not say: set {{direction}} to 'higher' or 'lower'."
        )
    return Metric(name=name, direction=found)


# Words that make a metric's name mean something else: the spread of an accuracy, the rank by it, what is lost of it.
_ANOTHER_THING = re.compile(
    r"(^|_)(std|sd|stdev|stderr|se|var|variance|ci|rank|ranks|diff|delta|drop|n|num|count|minus|inverse|inv|reciprocal|gain"
    r"|loss_of|time_to|improvement|increase|decrease|reduction)(_|$)|^1_"
)
_ONE_MINUS = re.compile(r"(?:1|one)[\s_]*(?:[-\u2013\u2212]|minus)[\s_]*(.+)")


# Moments, not durations: when a task started cannot be paid.
_MOMENT = re.compile(r"(^|_)(date|start|started|begin|end|ended|created|creation|submit|submitted|updated)_time$")
# Weka's Elapsed_Time_training, UserCPU_Time_testing
_TIME_OF = re.compile(r"(elapsed|cpu|wall|run)_time_[a-z]+$")
# How much is done in some time.
_SPEED = re.compile(
    r"(samples|cases|rows|items|examples|instances|images|frames|tokens|requests|queries|predictions)_per_(s|sec|second|minute|hour)$"
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
    >>> known_metric("1 - AUC").direction
    'lower'
    >>> known_metric("result") is None, known_metric("std_accuracy") is None, known_metric("start_time") is None
    (True, True, True)
    """
    key = _key(name)
    if key.startswith(("neg_", "negative_")) and known_metric(key.split("_", 1)[1]) is not None:
        return Metric(name=name, direction="higher")
    turned = _ONE_MINUS.fullmatch(name.strip().lower())
    inner = _kind_of(turned[1]) if turned else None
    if inner is not None and not inner.cost:
        return Metric(name=name, direction="lower" if inner.better == "higher" else "higher")
    known = _kind_of(name)
    if known is not None:
        return Metric(name=name, direction=known.better, is_cost=known.cost)
    if exact or _ANOTHER_THING.search(key) or _MOMENT.search(key):
        return None
    if key.endswith(("_error", "_rmse", "_mse", "_mae")):
        return Metric(name=name, direction="lower")
    if key.endswith(("_time", "_seconds", "_duration", "_cost")) or _TIME_OF.search(key):  # InceptionTime is no time
        return Metric(name=name, direction="lower", is_cost=True)
    if key.endswith(("_accuracy", "_auc")) or _SPEED.search(key):
        return Metric(name=name, direction="higher")
    return None
