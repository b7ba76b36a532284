"""Scores of different tasks on one scale: by reference scores, by the lowest and highest score, or as they are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.registry import read_toml
from podium.evidence.runs import Runs, as_runs

WAYS = ("human", "references", "minmax", "none")
# Tasks whose scores spread over ranges that differ by more than this cannot be averaged as they are.
SCALES_APART = 10.0
RAW = 20.0  # no agent is 20 times as good as a human on every game: larger typical scores are raw ones


class Reference(NamedTuple):
    """The scores of one task that become 0 and 1."""

    zero: float
    one: float


def atari_scores(*, only_100k: bool = False) -> dict[str, Reference]:
    """The scores of a random agent (0) and of a human (1) on the 57 Atari games, or on the 26 of Atari 100k.

    Parameters
    ----------
    only_100k : bool, default False
        Only the 26 games of Atari 100k.

    Returns
    -------
    dict of str to Reference
        For each game the score that becomes 0 and the one that becomes 1.

    Examples
    --------
    >>> len(atari_scores()), len(atari_scores(only_100k=True)), atari_scores()["Pong"]
    (57, 26, Reference(zero=-20.7, one=14.6))
    """
    check.flag("only_100k", only_100k)
    return {
        game: Reference(zero=float(low), one=float(high))
        for game, (low, high, small) in _atari().items()
        if small or not only_100k
    }


@cache
def _atari() -> dict[str, Any]:
    return read_toml("data", "atari.toml")


def game_of(task: str) -> str | None:
    """The Atari game that a task is called after, in any of the usual spellings; None for other tasks.

    >>> game_of("ALE/BankHeist-v5"), game_of("bank_heist"), game_of("UpNDownNoFrameskip-v4"), game_of("CartPole-v1")
    ('BankHeist', 'BankHeist', 'UpNDown', None)
    """
    name = re.sub(r"^(ale|atari)[/_-]", "", task.strip().lower())
    name = re.sub(r"(noframeskip|deterministic)?(-ram)?-v\d+$", "", name)
    return _by_key().get(re.sub(r"[^a-z0-9]", "", name))


@cache
def _by_key() -> dict[str, str]:
    return {game.lower(): game for game in _atari()}


def normalise(runs: Any, by: Literal["human", "minmax", "references", "none"] | Mapping[str, Any] = "human") -> Runs:
    """Scores on one scale for all tasks.

    Parameters
    ----------
    runs : Runs or dict
        Runs, or agent -> array (runs x tasks) as in rliable, or agent -> {task: scores}.
    by : {"human", "minmax", "references", "none"} or mapping, default "human"
        "human": 0 is the shipped score of a random agent, 1 that of a human, for Atari games. "minmax": 0 and 1
        are the lowest and the highest score of any run of any agent on the task. "references": those that came
        with the runs. Or a mapping of task to (zero, one).

    Returns
    -------
    Runs
        The runs with their normalised scores.

    Examples
    --------
    >>> found = normalise({"dqn": {"Pong": [14.6, -20.7]}}, "human")
    >>> found.values.tolist(), found.normalised
    ([[[1.0, 0.0]]], 'human-normalised')
    """
    data = as_runs(runs)
    if isinstance(by, Mapping):
        return _scaled(
            data, _given(data, by), "normalised by the reference scores that were given", "0 and 1 are those"
        )
    check.choice("normalise", by, WAYS)
    if by == "none":
        return data
    if data.normalised:
        raise ArgumentError(
            f"The runs are normalised already ({data.scale}): leave out {{normalise}}.", options=("normalise",)
        )
    if by == "references":
        if not data.references:
            raise ArgumentError(
                "The runs have no reference scores: choose another {normalise}.", options=("normalise",)
            )
        return normalise(data, data.references)
    if by == "human":
        return _scaled(data, _human(data), "human-normalised", "0 is a random agent, 1 a human")
    low, high = np.nanmin(data.values, axis=(1, 2)), np.nanmax(data.values, axis=(1, 2))
    flat = np.flatnonzero(~(high > low))
    if len(flat):
        raise DataError(
            f"Every run has the same score on {data.tasks[int(flat[0])]!r}, and it has no range: leave out its rows with {{where}}, or give "
            "{normalise} reference scores."
        )
    ends = "0 and 1 are the lowest and the highest score of any of these runs on the task"
    return _scaled(data, np.column_stack([low, high]), "min-max normalised", ends)


def _scaled(data: Runs, references: Floats, words: str, ends: str) -> Runs:
    """The runs with the two reference scores of each task (tasks x 2) as 0 and 1."""
    zero, one = references.T[:, :, None, None]
    span = one - zero
    same = data.metric.higher_is_better or (span > 0).all()
    metric = data.metric if same else replace(data.metric, direction="higher")
    return replace(data, values=(data.values - zero) / span, metric=metric, normalised=words, ends=ends)


def _human(data: Runs) -> Floats:
    scores = atari_scores()
    unknown = [task for task in data.tasks if game_of(task) is None]
    if unknown:
        raise DataError(
            f"{check.listed(unknown)} {'is no Atari game' if len(unknown) == 1 else 'are no Atari games'} with a known human score: "
            "set {normalise} to 'minmax' or 'none', or give reference scores.",
            options=("normalise",),
        )
    return np.array([scores[game_of(task) or ""] for task in data.tasks])


def _given(data: Runs, by: Mapping[str, Any]) -> Floats:
    references = []
    for task in data.tasks:
        if task not in by:
            raise DataError(f"The reference scores lack the task {task!r}: give (zero, one) for each task.")
        ends = check.floats(f"the reference of {task}", list(by[task]), ndim=1)
        if len(ends) != 2 or ends[0] == ends[1]:
            raise DataError(f"The reference of {task!r} must be two different scores, (zero, one).")
        references.append(ends)
    return np.array(references)


def usual_way(data: Runs) -> tuple[str, str]:
    """How scores are normalised where nobody says it, and why."""
    if data.normalised:
        return "none", f"the scores are {data.normalised} already"
    if data.references:
        return "references", "the source has reference scores of a random agent and of a human"
    largest = float(np.nanmedian(np.nanmax(np.abs(data.values), axis=(1, 2))))
    if data.metric.higher_is_better and all(game_of(task) for task in data.tasks) and largest > RAW:
        return "human", "the tasks are Atari games with raw scores, whose scales differ by thousands"
    if scales_apart(data) is not None:
        return (
            "minmax",
            "the scales of the tasks differ, and no reference scores are known; the numbers depend on which agents are compared",
        )
    if len(data.tasks) == 1:
        return "none", "there is only one task"
    return "none", "on at least three of four tasks the scores spread over similar ranges, within a factor of 10"


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Two tasks whose scores spread over ranges that differ so much that one rules every mean."""

    widest: str
    narrow: str
    times: float


def scales_apart(data: Runs) -> Apart | None:
    """Whether the scales of the tasks differ too much for a mean of all; None if they do not.

    The widest range is compared with that of the task at the lower quartile: the narrowest of very many is narrow by chance.
    Tasks on which all scores are the same have no range, and are passed over.
    """
    ranges: Floats = np.nanmax(data.values, axis=(1, 2)) - np.nanmin(data.values, axis=(1, 2))
    order = [int(task) for task in np.argsort(ranges, kind="stable") if ranges[task] > 0]
    if len(order) < 2:
        return None
    low, high = order[(len(order) - 1) // 4], order[-1]
    times = float(ranges[high] / ranges[low])
    return Apart(widest=data.tasks[high], narrow=data.tasks[low], times=times) if times > SCALES_APART else None
