"""Names of systems: the same model under other settings is another system, and its name says what differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence


def system_names(
    names: Sequence[str], settings: Sequence[Mapping[str, str]], alike: Sequence[Hashable] | None = None
) -> list[str]:
    """The name of each run, with those of its settings that differ between runs of the same name.

    `alike` says which runs are of the same task: settings are compared within a task, and then named in all of them.

    >>> system_names(["a", "a", "b"], [{"shots": "0"}, {"shots": "5"}, {"shots": "5"}])
    ['a (shots=0)', 'a (shots=5)', 'b']
    """
    tasks = alike if alike is not None else [None] * len(names)
    seen: dict[tuple[str, Hashable, str], set[str]] = defaultdict(set)
    keys = list(dict.fromkeys(key for each in settings for key in each))
    for name, task, own in zip(names, tasks, settings, strict=True):
        for key in keys:
            seen[name, task, key].add(own.get(key, ""))
    differing = {(name, key) for (name, _, key), values in seen.items() if len(values) > 1}
    made = []
    for name, own in zip(names, settings, strict=True):
        told = [f"{key}={own.get(key) or 'none'}" for key in keys if (name, key) in differing]
        made.append(f"{name} ({', '.join(told)})" if told else name)
    return made
