"""Which files of a folder are logs, and whose: known by what they hold, never by their names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

from podium.core.contents import is_regular
from podium.core.errors import DataError, PodiumError
from podium.core.files import protect
from podium.reading.logs.files import ARCHIVE, damaged, form_of, head_of
from podium.reading.logs.packing import BROKEN
from podium.reading.registry import LOGS, LogFormat, log_formats
from podium.reading.wall import quiet

MOST_FILES = 500_000
_recogniser = cache(resolve_name)  # asked for every file
_PASSED_OVER = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", ".ipynb_checkpoints"})


@dataclass(slots=True)
class LogFiles:
    """The logs among some files, by format, and the files that are none."""

    logs: dict[str, tuple[LogFormat, list[Path]]] = field(default_factory=dict)
    others: list[Path] = field(default_factory=list)
    damaged: list[Path] = field(default_factory=list)

    @property
    def n_files(self) -> int:
        """How many files are logs."""
        return sum(len(files) for _, files in self.logs.values())


def find_logs(paths: Sequence[Path]) -> LogFiles:
    """The logs among these files and in these folders."""
    protect([*paths])
    logs = LogFiles()
    with quiet():
        for path in files_of(paths):
            try:
                entry = format_of_content(path) if is_regular(path) else None
            except PodiumError:
                logs.damaged.append(path)
                continue
            if entry is None:
                logs.others.append(path)
            else:
                logs.logs.setdefault(entry.name, (entry, []))[1].append(path)
    return logs


def files_of(paths: Iterable[Path]) -> list[Path]:
    """Every file among these paths and below these folders, in the order of their names; links to folders are not followed."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            for folder, below, names in os.walk(path):
                below[:] = sorted(name for name in below if name not in _PASSED_OVER)
                files += [Path(folder, name) for name in sorted(names)]
                if len(files) > MOST_FILES:
                    raise DataError(f"{path} has more than {MOST_FILES} files: give only the folder of the logs.")
        else:
            files.append(path)
    return list(dict.fromkeys(files))


def format_of_content(path: Path) -> LogFormat | None:
    """The kind of log that a file is, by its first bytes or more if its format must look; None if it is none.

    A file that cannot be known because it is damaged is refused.
    """
    try:
        head = head_of(path)
    except BROKEN:
        raise DataError(f"{path} cannot be read.", file=str(path)) from None
    if not head:
        return None
    broken: PodiumError | None = None
    form = form_of(head)
    for entry in (entry for entry in log_formats() if not entry.forms or form in entry.forms):
        try:
            if _recogniser(entry.content)(path, head):
                return entry
        except PodiumError as error:
            broken = error
        except Exception:  # a wall around each of the formats would take longer than to ask them
            broken = damaged(path)
    if broken is not None:
        raise broken
    return None


def _is_archive(path: Path) -> bool:
    try:
        return head_of(path).startswith(ARCHIVE)
    except BROKEN:  # the reader of tables says what is wrong
        return False


def logs_in(paths: list[Path], unit: str | None = None) -> LogFiles | None:
    """The logs of some paths; None where there are none. Who says that they are runs means all event files, whatever their tags."""
    logs = find_logs(paths)
    lost = [path for path in paths if not path.exists()]
    if unit == "run" and not logs.logs:
        events = [path for path in logs.others if path.name.startswith("events.out.tfevents.")]
        logs.logs |= {"trainings": (LOGS["trainings"], events)} if events else {}
        logs.others = [path for path in logs.others if path not in events]
    if logs.logs and lost:
        raise DataError("There is no file {file}: check the path.", file=repr(str(lost[0])), reason="no file")
    if not logs.logs and logs.damaged == paths and _is_archive(paths[0]):
        raise damaged(paths[0])
    return logs if logs.logs else None
