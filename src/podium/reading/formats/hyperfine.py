"""Times of commands as hyperfine measures them (--export-json): commands are the agents, and every time is a run.

A parameter that is the same in all commands but for its value makes tasks; where it names the commands themselves, they are told
apart by their whole text. A run that failed is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from podium.core.names import shown
from podium.core.numbers import counted
from podium.reading.logs.files import wrong
from podium.reading.logs.json_view import dict_of, json_view, list_of, names_in
from podium.reading.logs.records import Log, number
from podium.reading.training_names import ONE_TASK


def is_hyperfine(path: Path, head: bytes) -> bool:
    """Whether a file has a list of results with a command and its times."""
    if not names_in(head) >= {"results", "command", "mean"}:
        return False
    first = json_view(path).first("results")
    return first.get("command") is not None and first.get("times") is not None


def read_hyperfine(files: list[Path], log: Log) -> None:
    """Every time of every command; several files are several tasks."""
    for file in files:
        rows = [dict_of(item.load()) for item in json_view(file).items("results")]
        named = next(
            filter(_crossed, ([_named(row, by) for row in rows] for by in (r"(?<![\w.]){}(?![\w.])", "{}"))), None
        )
        if named is None:  # the parameter names what is compared
            named = [(str(row.get("command")), "") for row in rows]
        if twice := next((agent for (agent, _), count in Counter(named).items() if count > 1), None):
            raise wrong(file, f"has the command {shown(twice)} twice: name each one (hyperfine --command-name).")
        failed = 0
        for row, (agent, task) in zip(rows, named, strict=True):
            place = [file.stem] if len(files) > 1 else []
            codes = list_of(row.get("exit_codes"))
            for at, value in enumerate(list_of(row.get("times"))):
                time = number(value)
                if at < len(codes) and codes[at] not in (0, None):
                    failed += 1
                elif time is None:
                    raise wrong(file, f": a time of {agent!r} is not a number: restore it, or leave it out.")
                else:
                    log.add_run(
                        agent, ", ".join([*place, *([task] if task else [])]) or ONE_TASK, time, run=str(at + 1)
                    )
        if failed:
            log.note(f"{counted(failed, 'run')} of {file.name} ended with an error, and the time is left out.")
    log.measure = "seconds"


def _named(row: dict[str, Any], pattern: str) -> tuple[str, str]:
    """The command without the values of its parameters, and these as its task."""
    command, values = str(row.get("command")), dict_of(row.get("parameters"))
    for name, value in values.items():
        command = re.sub(pattern.format(re.escape(str(value))), f"{{{name}}}".replace("\\", r"\\"), command)
    return command, ", ".join(f"{name}={value}" for name, value in values.items())


def _crossed(named: list[tuple[str, str]]) -> bool:
    """Whether these are several agents, each on every task."""
    agents, tasks = ({names[i] for names in named} for i in (0, 1))
    return len(agents) > 1 and len({*named}) == len(named) == len(agents) * len(tasks)
