"""`get_interval_estimates` and `create_performance_profile` of rliable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.compat.differences import say_once
from podium.compat.rliable.metrics import Call, watched
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.rng import generator
from podium.runs._profiles import profiles
from podium.runs.improvement import improvement
from podium.runs.kernels import estimate, median_interval, t_interval
from podium.runs.registry import AGGREGATES

Estimates = tuple[dict[str, Any], dict[str, Floats]]
METHODS = ("percentile", "basic", "bc", "bca", "debiased", "bias-corrected")


def get_interval_estimates(
    score_dict: Mapping[str, Any],
    func: Callable[..., Any],
    method: str = "percentile",
    task_bootstrap: bool = False,
    reps: int = 50000,
    confidence_interval_size: float = 0.95,
    random_state: Any = None,
) -> Estimates:
    """Point estimates and intervals (2 x estimates) of `func` for each entry: an array (runs x tasks), or a pair of them.

    Where `func` only asks for aggregates of `metrics`, their own intervals are given, which hold with few runs and need no
    resampling. Any other function is bootstrapped, stratified by task, with percentiles.
    """
    if method not in METHODS:
        raise ArgumentError(f"`method` must be one of {', '.join(METHODS)}; got {method!r}.")
    is_old = isinstance(random_state, np.random.RandomState)
    rng = generator(random_state.randint(2**31) if is_old else random_state)
    points: dict[str, Any] = {}
    intervals: dict[str, Floats] = {}
    for key, entry in score_dict.items():
        arrays = entry if isinstance(entry, list | tuple) else (entry,)
        scores = tuple(np.asarray(one, dtype=float) for one in arrays)
        with watched() as called:
            points[key] = func(*scores)
        ends = None if task_bootstrap else _known(called, scores, points[key], confidence_interval_size, rng)
        if ends is None:
            say_once(
                "rliable",
                "a function of your own is bootstrapped; percentiles cover about 87% with 3 runs and 91% with 5.",
            )
            ends = _bootstrapped(scores, func, task_bootstrap, reps, confidence_interval_size, rng)
        else:
            say_once(
                "rliable",
                "intervals are t intervals stratified by task, which cover 95% with 3 to 5 runs, not bootstrap percentiles.",
            )
        intervals[key] = ends
    return points, intervals


def _known(
    called: list[Call], scores: tuple[Floats, ...], point: Any, confidence: float, rng: np.random.Generator
) -> Floats | None:
    """The intervals of the aggregates that were asked for, None where the function did anything else with the scores."""
    flat = np.atleast_1d(np.asarray(point, dtype=float))
    if flat.ndim != 1 or len(flat) != len(called):
        return None
    ends = []
    for i, (reported, (name, value, arrays, gamma)) in enumerate(zip(flat, called, strict=True)):
        # Scores with a third axis, such as frames, are looked at one by one, in their order.
        whole = [one[..., i] if one.ndim == 3 and i < one.shape[2] else one for one in scores]
        same = len(arrays) == len(scores) and all(np.array_equal(a, b) for a, b in zip(arrays, whole, strict=True))
        if not same or reported != value or any(one.ndim != 2 for one in arrays):
            return None
        ends.append(_interval(name, [one.T for one in arrays], gamma, confidence, rng))
    return np.array(ends).T


def _interval(
    name: str, arrays: list[Floats], gamma: float, confidence: float, rng: np.random.Generator
) -> tuple[float, float]:
    if name == "improvement":
        estimated = improvement(arrays[0], arrays[1], confidence=confidence)
        return estimated.low, estimated.high
    if name == "median":
        return median_interval(arrays[0], confidence, rng)
    value, spread = estimate(arrays[0], AGGREGATES[name], gamma)
    return t_interval(value, spread, confidence)


def _bootstrapped(
    scores: tuple[Floats, ...],
    func: Callable[..., Any],
    task_bootstrap: bool,
    reps: int,
    confidence: float,
    rng: np.random.Generator,
) -> Floats:
    """Percentiles of the function on runs that are drawn again within each task."""
    drawn = []
    for _ in range(reps):
        again = []
        for one in scores:
            runs, tasks = one.shape[:2]
            columns = rng.integers(tasks, size=tasks) if task_bootstrap else np.arange(tasks)
            again.append(one[rng.integers(runs, size=(runs, tasks)), columns])
        drawn.append(np.atleast_1d(np.asarray(func(*again), dtype=float)))
    return np.asarray(np.quantile(np.array(drawn), [0.5 - confidence / 2, 0.5 + confidence / 2], axis=0))


def create_performance_profile(
    score_dict: Mapping[str, npt.ArrayLike],
    tau_list: Sequence[float] | npt.NDArray[Any],
    use_score_distribution: bool = True,
    custom_profile_func: Callable[..., Any] | None = None,
    method: str = "percentile",
    task_bootstrap: bool = False,
    reps: int = 2000,
    confidence_interval_size: float = 0.95,
) -> Estimates:
    """The share of runs above each threshold, and a band (2 x thresholds) that holds for all thresholds at once."""
    thresholds = np.asarray(tau_list, dtype=float)
    if custom_profile_func is not None or not use_score_distribution or task_bootstrap:
        profile = custom_profile_func or (lambda own, taus: (own.mean(axis=0)[:, None] > taus).mean(axis=0))
        return get_interval_estimates(
            score_dict,
            lambda own: profile(own, thresholds),
            task_bootstrap=task_bootstrap,
            reps=reps,
            confidence_interval_size=confidence_interval_size,
        )
    say_once(
        "rliable",
        "the band of a profile holds for all thresholds at once; rliable's holds for each alone, and covers less with few runs.",
    )
    points: dict[str, Any] = {}
    bands: dict[str, Floats] = {}
    for name, scores in score_dict.items():
        band = profiles({name: scores}, thresholds=thresholds, confidence=confidence_interval_size, draws=reps)
        points[name], bands[name] = band.share[0], np.array([band.low[0], band.high[0]])
    return points, bands
