"""The aggregates of rliable, of scores as runs x tasks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats
from podium.runs.improvement import improvement
from podium.runs.registry import GAMMA, iqm

# An aggregate that a function asked for: its name, its value, the scores it was given, and gamma.
Call = tuple[str, float, tuple[Floats, ...], float]
_WATCHED: ContextVar[list[Call] | None] = ContextVar("watched", default=None)


@contextmanager
def watched() -> Iterator[list[Call]]:
    """The aggregates that are asked for within, in their order."""
    calls: list[Call] = []
    token = _WATCHED.set(calls)
    try:
        yield calls
    finally:
        _WATCHED.reset(token)


def _recorded(name: str, value: float, arrays: tuple[Any, ...], gamma: float = GAMMA) -> float:
    calls = _WATCHED.get()
    if calls is not None:
        calls.append((name, value, tuple(np.asarray(one, dtype=float) for one in arrays), gamma))
    return value


def aggregate_mean(scores: npt.ArrayLike) -> float:
    """The mean over tasks of the means over runs."""
    return _recorded("mean", float(np.mean(np.asarray(scores, dtype=float))), (scores,))


def aggregate_median(scores: npt.ArrayLike) -> float:
    """The median over tasks of the means over runs."""
    return _recorded("median", float(np.median(np.mean(np.asarray(scores, dtype=float), axis=0))), (scores,))


def aggregate_iqm(scores: npt.ArrayLike) -> float:
    """The interquartile mean, which cuts exactly a quarter at each end; rliable cuts whole scores only.

    >>> aggregate_iqm([[1.0, 4.0], [2.0, 5.0]])
    3.0
    """
    values = np.asarray(scores, dtype=float)
    return _recorded("iqm", iqm(values.reshape(len(values), -1).T), (scores,))


def aggregate_optimality_gap(scores: npt.ArrayLike, gamma: float = 1) -> float:
    """How far scores fall short of gamma on average; those above it count as gamma."""
    values = np.asarray(scores, dtype=float)
    return _recorded("optimality_gap", float(gamma - np.mean(np.minimum(values, gamma))), (scores,), float(gamma))


def probability_of_improvement(scores_x: npt.ArrayLike, scores_y: npt.ArrayLike) -> float:
    """The probability that a run of X beats a run of Y on a task, averaged over the tasks."""
    first, second = (np.asarray(one, dtype=float).T for one in (scores_x, scores_y))
    return _recorded("improvement", improvement(first, second).value, (scores_x, scores_y))
