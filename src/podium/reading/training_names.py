"""Which agent, task and seed a training is of, by the folders it lies in: `ppo/CartPole-v1_1`, `CartPole-v1__dqn__1__1665000000`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from podium.core.errors import DataError
from podium.core.names import clean_name, shown
from podium.reading.roles import is_algorithm

# CleanRL names a run so: f"{env_id}__{exp_name}__{seed}__{int(time.time())}".
_CLEANRL = re.compile(r"(?P<task>.+?)__(?P<agent>.+)__(?P<seed>\d+)__(?P<time>\d{9,11})")
# Gymnasium names environments so; RL Zoo adds the number of the training: CartPole-v1_1.
_ENVIRONMENT = re.compile(r"([^_]*[A-Za-z][^_]*-v\d+)(?:_(\d+))?")
_WITHIN = re.compile(r"(?:^|[_\-.])([A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*?-v\d+)(?![A-Za-z0-9])")  # ppo_Ant-v4_seed3
_SEED = re.compile(r"(?:^|[_\-. ])(?:[Ss][Ee][Ee][Dd][_\-=]?|s)(\d+)(?=$|[_\-. ])")  # S4 and S5 are models
_RUN = re.compile(r"(?:(?:run|rep|repeat|trial|r)[_\-=]?)?\d+|\d{4}-?\d{2}-?\d{2}[T_\- ]?[\d\-_:.]*", re.IGNORECASE)
# What tools call runs by themselves: W&B's swift-sun-12, or an identifier of letters and digits.
_LABEL = re.compile(r"[a-z]+-[a-z]+-\d+|(?=[a-z0-9]*\d)(?=[a-z0-9]*[a-z])[a-z0-9]{6,}")
_NUMBERED = re.compile(r"(.+)_(\d{1,4})")
ONE_TASK = "the task"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunName:
    """Who was trained, on what, and in which run; `seed` is "" where the name says none."""

    agent: str
    task: str
    run: str
    seed: str = ""


def cleanrl_name(text: str) -> RunName | None:
    """What CleanRL's name of a run says; None for other names.

    >>> cleanrl_name("CartPole-v1__dqn__3__1665000000")
    RunName(agent='dqn', task='CartPole-v1', run='CartPole-v1__dqn__3__1665000000', seed='3')
    """
    match = _CLEANRL.fullmatch(text.strip())
    return None if match is None else RunName(agent=match["agent"], task=match["task"], run=text, seed=match["seed"])


def is_environment(name: str) -> bool:
    """Whether a name ends as environments of Gymnasium do: CartPole-v1."""
    match = _ENVIRONMENT.fullmatch(name.strip())
    return match is not None and match[2] is None


def _environment_in(name: str) -> str:
    """The environment of Gymnasium that is named within, or "".

    >>> _environment_in("TD3_Ant-v1_0"), _environment_in("ppo-CartPole-v1"), _environment_in("ALE-Pong-v5_2"), _environment_in("reach-v2")
    ('Ant-v1', 'CartPole-v1', 'ALE-Pong-v5', 'reach-v2')
    """
    whole, within = _ENVIRONMENT.fullmatch(name), _WITHIN.search(name)
    agent, _, rest = name.partition("-")
    if whole and rest[:1].isupper() and (agent.islower() or is_algorithm(agent)):  # RL Zoo's algo-env
        within, whole = _WITHIN.match(rest), None
    match = whole or within
    return match[1] if match else ""


def names_environment(name: str) -> bool:
    """Whether an environment is named within."""
    return bool(_environment_in(name))


def named(folders: Sequence[tuple[str, ...]], tasks: Sequence[str], root: str) -> list[RunName]:
    """The names of trainings, by the folders between the root and their files, and the tasks that their files name.

    >>> found = named([("logs", "ppo", "CartPole-v1_1"), ("logs", "ppo", "CartPole-v1_2"), ("logs", "a2c", "CartPole-v1_1")], ["", "", ""], "work")
    >>> [(one.agent, one.task) for one in found]
    [('ppo', 'CartPole-v1'), ('ppo', 'CartPole-v1'), ('a2c', 'CartPole-v1')]
    """
    of_cleanrl = [cleanrl_name(parts[-1]) if parts else None for parts in folders]
    if all(of_cleanrl):
        return [name for name in of_cleanrl if name is not None]
    parts = [_Parts.of(own, task) for own, task in zip(folders, tasks, strict=True)]
    _number(parts)
    task_names = _tasks(parts, folders)
    agents = _agents(parts, folders, root)
    return [
        RunName(
            agent=clean_name(agent, "algorithm"),
            task=clean_name(task, "task"),
            run="/".join(own) or root,
            seed=part.seed,
        )
        for agent, task, own, part in zip(agents, task_names, folders, parts, strict=True)
    ]


@dataclass(slots=True)
class _Parts:
    """What is left of the names of the folders, level by level, when task, seed and number of the run are taken out."""

    task: str
    seed: str
    rest: list[str]

    @classmethod
    def of(cls, folders: tuple[str, ...], task: str) -> _Parts:
        if not task:
            task = next(filter(None, map(_environment_in, reversed(folders))), "")
        parts = cls(task=task, seed="", rest=[])
        for name in folders:
            parts.rest.append(parts._without(name))
        return parts

    def _without(self, name: str) -> str:
        left = name
        if self.task:
            place = _spelled(self.task).search(left)
            if place is not None:
                after = re.sub(r"^_\d+$", "", left[place.end() :])  # RL Zoo's number of the training
                left = left[: place.start()] + after
        seed = _SEED.search(left)
        if seed is not None:
            self.seed = seed[1]
            left = left[: seed.start()] + left[seed.end() :]
        left = left.strip("_-. ")
        if len(left) > 2 and self.task.lower().startswith(left.lower()):  # Walker above TD3_Walker2d-v1_0
            return ""
        return "" if _RUN.fullmatch(left) else left


def _spelled(task: str) -> re.Pattern[str]:
    """A task as a folder may spell it: ALE/Pong-v5 is ALE-Pong-v5 there."""
    words = [re.escape(word) for word in re.split(r"[^A-Za-z0-9]+", task) if word]
    return re.compile(r"(?<![A-Za-z0-9])" + r"[^A-Za-z0-9]".join(words) + r"(?![A-Za-z0-9])", re.IGNORECASE)


def _number(parts: list[_Parts]) -> None:
    """PPO_1, PPO_2 ... are runs of PPO, as Stable-Baselines numbers them; ppo_64 and ppo_128 are not."""
    by_name: dict[tuple[str, ...], list[tuple[_Parts, int]]] = defaultdict(list)
    for own in parts:
        numbered = _NUMBERED.fullmatch(own.rest[-1]) if own.rest else None
        if numbered:
            by_name[own.task, *own.rest[:-1], numbered[1]].append((own, int(numbered[2])))
    for key, several in by_name.items():
        numbers = sorted(number for _, number in several)
        if len(numbers) > 1 and numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1))):
            for own, _ in several:
                own.rest[-1] = key[-1]


def _tasks(parts: list[_Parts], folders: Sequence[tuple[str, ...]]) -> list[str]:
    tasks = [own.task for own in parts]
    if not any(tasks):
        return [ONE_TASK] * len(tasks)
    if not all(tasks):
        lost = "/".join(folders[tasks.index("")])
        raise DataError(f"{lost} does not say which environment it is of: name its folder for it, or give it apart.")
    return tasks


def _agents(parts: list[_Parts], folders: Sequence[tuple[str, ...]], root: str) -> list[str]:
    """The levels that differ name the agent; where none does, the innermost that has a name."""
    depth = max(len(own.rest) for own in parts)
    levels = [[own.rest[i] if i < len(own.rest) else "" for own in parts] for i in range(depth)]
    varying = [i for i, level in enumerate(levels) if len(set(level)) > 1]
    if len(varying) > 1 and all(_LABEL.fullmatch(name) for name in levels[varying[-1]]):
        varying = varying[:-1]
    if not varying:
        one = next((level[0] for level in reversed(levels) if level[0]), root)
        return [one] * len(parts)
    named_by = [[levels[i][row] for i in varying if levels[i][row]] for row in range(len(parts))]
    agents = ["/".join(dict.fromkeys(names)) for names in named_by]
    if "" in agents:
        lost = "/".join(folders[agents.index("")]) or root
        raise DataError(
            f"{shown(lost)} does not say which agent it is of: let the folders be agent/run, as in ppo/CartPole-v1_1."
        )
    return agents
