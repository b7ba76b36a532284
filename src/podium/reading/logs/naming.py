"""What names a system: its model and the settings that differ; or which parameter of a run names it, its dataset and fold."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence

from podium.reading.block import numbers_of
from podium.reading.roles import is_called, role_of

_ROLES = ("algorithm", "dataset", "fold", "repeat", "seed")


def role_of_parameter(name: str) -> str | None:
    """The role of a parameter, from its name.

    >>> role_of_parameter("model"), role_of_parameter("sampler"), role_of_parameter("learning_rate")
    ('algorithm', 'algorithm', None)
    """
    more = (role for role in ("algorithm", "dataset") if is_called(name, f"trackers.{role}"))
    role = role_of(name) or next(more, None)
    return role if role in _ROLES else None


def roles_of(runs: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The parameters that play a role, by role; of two for one role, the one that more runs have."""
    counts = Counter(name for run in runs for name in run)
    roles: dict[str, str] = {}
    for name, _ in counts.most_common():
        role = role_of_parameter(name)
        if role is not None:
            roles.setdefault(role, name)
    return roles


def by_role(run: Mapping[str, str], roles: Mapping[str, str]) -> dict[str, str]:
    """What the parameters of a run say for each role, where they say something."""
    return {role: run[name] for role, name in roles.items() if run.get(name)}


def numbered(texts: Iterable[str]) -> dict[str, int]:
    """A number for every text that names a fold or a seed: its own where all are numbers, else in order."""
    distinct = list(dict.fromkeys(texts))
    return dict(zip(distinct, numbers_of(distinct), strict=True))


def system_names(runs: Sequence[tuple[str, Mapping[str, str], Hashable]]) -> list[str]:
    """The name of each run, with those of its settings that differ between runs of the same name.

    A run is a name, settings and a task: settings are compared within a task, and then named in all of them.

    >>> system_names([("a", {"shots": "0"}, ""), ("a", {"shots": "5"}, ""), ("b", {"shots": "5"}, "")])
    ['a (shots=0)', 'a (shots=5)', 'b']
    """
    seen: dict[tuple[str, Hashable, str], set[str]] = defaultdict(set)
    keys = list(dict.fromkeys(key for _, settings, _ in runs for key in settings))
    for name, settings, task in runs:
        for key in keys:
            seen[name, task, key].add(settings.get(key, ""))
    differing = {(name, key) for (name, _, key), values in seen.items() if len(values) > 1}
    whole_names = []
    for name, settings, _ in runs:
        details = [f"{key}={settings.get(key) or 'none'}" for key in keys if (name, key) in differing]
        whole_names.append(f"{name} ({', '.join(details)})" if details else name)
    return whole_names
