"""Metrics: a name, which direction is better, the range of its values, how they are written, score or cost."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, Literal, cast, get_args

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.names import SEVERAL_NAMES
from podium.core.numbers import as_given
from podium.core.quantity import PERCENTAGE_POINTS, Quantity
from podium.core.registry import read_toml

Direction = Literal["higher", "lower"]

# Names that do not say what was measured.
_NO_NAME = frozenset("score scores value values result results metric measure test_score".split())
# Prefixes and suffixes that do not change the direction: test_accuracy, accuracy_mean, mean auc, mlr3's classif.acc.
_DECORATION = re.compile(
    r"^(mean|avg|average|median|best|final|overall|test|train|valid|validation|val|eval|dev|cv|split|macro|micro|weighted|classif|regr)_"
    r"|_(mean|avg|score|macro|micro|weighted|test|val|none|percent|pct|ovr|ovo|s|sec|secs|ms|minutes|hours|mb|gb)$"
)
_OF_A_COST = re.compile(r"_(k|m|b|g|kg|kb|us|ns|min|mins|h|usd|eur|kwh|wh|w|j)$")  # params (M), energy (kWh)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What a score measures.

    Parameters
    ----------
    name : str
        Name of the metric, as it is written in reports.
    direction : {"higher", "lower"}
        Which scores are better.
    is_cost : bool, default False
        Whether it is a cost: time, memory, money.

    Examples
    --------
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
    def display_name(self) -> str:
        """The name within a sentence.

        >>> Metric(name="roc_auc", direction="higher").display_name, Metric(name="Macro F1", direction="higher").display_name
        ('ROC AUC', 'Macro F1')
        """
        return " ".join(
            word.upper() if word in _vocabulary().capitals else word for word in self.name.replace("_", " ").split()
        )

    def bounds(self, values: Floats) -> tuple[float, float] | None:
        """The smallest and the largest possible score, on the scale of these values (1 or 100); None where unknown.

        >>> accuracy = Metric(name="accuracy", direction="higher")
        >>> accuracy.bounds(np.array([0.5, 1.0])), accuracy.bounds(np.array([50.0, 99.0]))
        ((0.0, 1.0), (0.0, 100.0))
        >>> Metric(name="rmse", direction="lower").bounds(np.array([0.5])) is None
        True
        """
        kind = _kind_of(self.name)
        present = values[~np.isnan(values)]
        if kind is None or np.isinf(kind.high) or not present.size:
            return None
        for scale in (100.0,) if _IN_PERCENT.search(self.name.lower()) else (1.0, 100.0):
            low, high = scale * kind.low, scale * kind.high
            if low <= present.min() and present.max() <= high and (scale == 1 or present.max() > 2):
                return low, high
        return None

    def practical(self, argument: str, size: float, values: Floats) -> float:
        """A difference between such scores that does not matter, checked by `below_range`."""
        ends = self.bounds(values)
        # Of errors in percent all may be below 1.
        doubtful = not self.higher_is_better and ends == (0.0, 1.0)
        return below_range(argument, size, ends, percent=f"{self.name}_percent" if doubtful else "")

    def quantity(self, values: Floats) -> Quantity:
        """How such scores and their differences are written: in percentage points, in AUC, in seconds.

        A share that is better when low stays as it is where no score is above 1: it may be in percent already.
        """
        ends, kind = self.bounds(values), _kind_of(self.name)
        if self.name.lower() in _NO_NAME:
            return Quantity(unit="points", direction=self.direction)
        if ends is None or kind is None:
            return Quantity(label=self.display_name, direction=self.direction)
        in_percent = ends[1] == 100
        written = Quantity(label=self.display_name, decimals=1 if in_percent else 3, direction=self.direction)
        if kind.share and (in_percent or self.higher_is_better):
            return replace(written, unit=PERCENTAGE_POINTS, factor=1 if in_percent else 100, decimals=1)
        return replace(written, unit="points") if in_percent else written


_IN_PERCENT = re.compile(r"percent|pct|%")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    """What `metrics.toml` says of the metrics of one kind."""

    better: Direction
    low: float = -math.inf
    high: float = math.inf
    mean: bool | None = None
    share: bool = False
    loss: bool = False
    cost: bool = False


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The kind of every name that is known, the names that a number of places may follow, and words in capitals."""

    kinds: dict[str, _Kind]
    at_k: dict[str, str]
    with_k: re.Pattern[str]
    capitals: frozenset[str]
    same: dict[str, str]


@cache
def _vocabulary() -> _Vocabulary:
    held = read_toml("core", "metrics.toml")
    rows = [(row["names"], _Kind(**{key: row[key] for key in row if key != "names"})) for row in held["kinds"]]
    kinds = {name: kind for names, kind in rows for name in names.split()}
    signed, plain = (
        "|".join(sorted(names, key=len, reverse=True)) for names in (held["at_k"], held["numbered"].split())
    )
    # At a number (ndcg@10, map_at_0_5_0_95), a cut of trec_eval, or the number alone.
    sign = rf"(?:{signed})(?=_(?:at|cut)_[\dk])|(?:{plain})(?=_?\d)"
    with_k = re.compile(rf"(?<![a-z])({sign})(?:_at|_cut)?_?(?:\d+(?:_\d+)*|k)(?=_|$)")
    return _Vocabulary(kinds, held["at_k"], with_k, frozenset(held["capitals"].split()), held["same"])


def usual_name(name: Any) -> Any:
    """The name here of a metric that is computed, for the one that others give it; any other as it is.

    >>> usual_name("roc_auc"), usual_name("accuracy")
    ('auc', 'accuracy')
    """
    return _vocabulary().same.get(name, name) if isinstance(name, str) else name


@lru_cache(maxsize=SEVERAL_NAMES)
def _kind_of(name: str) -> _Kind | None:
    """The kind of a metric by its name, or by what is left of it without prefixes and suffixes; None where unknown."""
    words = _vocabulary()
    spelled = re.sub("[@^]", "_at_", name)
    for key in dict.fromkeys((_key(spelled), _key(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", spelled)))):  # IoU; trainingTime
        key, before = words.with_k.sub(lambda match: words.at_k[match[1]], key), ""
        while key != before:
            before, key = key, re.sub(r"^f(0_?\d|[1-4])(_score)?$", "f1", key)  # F0.5 to F4; f179 is some file's name
            if key in words.kinds:
                return words.kinds[key]
            priced = words.kinds.get(_OF_A_COST.sub("", key))
            if priced is not None and priced.cost:
                return priced
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
    kind = _kind_of(name)
    if kind is None or kind.cost or np.isinf([kind.low, kind.high]).all():
        return None
    return (0.0, math.inf) if kind.loss else (100.0 * kind.low, 100.0 * kind.high)


def is_mean_over_cases(name: str) -> bool | None:
    """Whether a metric is the mean of a value for each case; None where it is not known, or used in both ways.

    >>> is_mean_over_cases("accuracy"), is_mean_over_cases("BLEU"), is_mean_over_cases("f1") is None
    (True, False, True)
    """
    kind = _kind_of(name)
    return None if kind is None else kind.mean


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
    metric = known_metric(name)
    return metric is not None and metric.is_cost


def settled_metric(name: str, direction: object = None, *, usual: Direction | None = None) -> Metric:
    """The metric of that name, with the direction that was said, that is certain from its name, or that is usual; else it is
    asked for.
    """
    metric = known_metric(name)
    better = as_direction(direction) if direction is not None else metric.direction if metric is not None else usual
    if better is None:
        raise DataError(
            f"Is a higher or a lower {name!r} better? Its name does not say: set {{direction}} to 'higher' or 'lower'."
        )
    return Metric(name=name, direction=better)


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


@lru_cache(maxsize=SEVERAL_NAMES)
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
    kind = _kind_of(name)
    if kind is not None:
        return Metric(name=name, direction=kind.better, is_cost=kind.cost)
    key = _key(name)
    turned = _ONE_MINUS.fullmatch(name.strip().lower()) or re.fullmatch("neg(?:ative)?_(.+)", key)
    inner = known_metric(turned[1]) if turned else None
    if inner is not None and not inner.is_cost:
        return Metric(name=name, direction="lower" if inner.higher_is_better else "higher")
    if exact or _ANOTHER_THING.search(key) or _MOMENT.search(key):
        return None
    if key.endswith(("_error", "_rmse", "_mse", "_mae")):
        return Metric(name=name, direction="lower")
    if key.endswith(("_time", "_seconds", "_duration", "_cost")) or _TIME_OF.search(key):  # InceptionTime is no time
        return Metric(name=name, direction="lower", is_cost=True)
    if key.endswith(("_accuracy", "_auc")) or _SPEED.search(key):
        return Metric(name=name, direction="higher")
    return None
