"""Every kind of file and object that `podium.read` understands: one entry each, plain data.

A new reader is one file in `formats/` and one entry in `registry.toml`. Reading, folders, the command line's help and the page's
uploads look here; no other list of endings exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from podium.core.errors import ArgumentError
from podium.core.registry import entries, read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One kind of source, and who reads it.

    `home` ("module:function") is called with the source and the options, and gives a `Sheet`, whose layout is then
    recognised, or `Results`. A file is recognised by its ending, anything else by `recognised` ("module:function").
    """

    name: str
    home: str
    told: str
    endings: tuple[str, ...] = ()
    recognised: str = ""
    is_text: bool = False
    is_packed: bool = False
    in_folders: bool = False
    """Whether a file of this kind in a folder is one of its tables."""
    ready: bool = False
    """Whether `home` takes the path alone: the results need no recognising, and no options but metric and direction."""

    @property
    def kind(self) -> str:
        """What options about sources call it: "text" (a folder or archive has such files), another "file", or an "object"."""
        if self.is_text or self.is_packed or self.name == "folder":
            return "text"
        return "file" if self.endings else "object"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFormat:
    """The logs of one tool, known by their content.

    `content` ("module:function") is called with a path and its first bytes and says whether it is one; `home` with all such
    files and a `Log`, which it fills (see `logs/records.py`). `example` has two lines: what is there, and what to type.
    `forms` are those that its files have ("json", "text", "archive", "sqlite", "parquet", "array"): it is not asked about others.
    """

    name: str
    told: str
    home: str
    content: str
    example: str
    forms: tuple[str, ...] = ()


_HERE = "podium.reading.formats"
_ENTRIES = read_toml("reading", "registry.toml")


def _at(home: str) -> str:
    """A home in full: in `formats`, unless it says another room."""
    return home if not home or home.startswith("podium.") else f"{_HERE}.{home}"


def _format(name: str, *, home: str, recognised: str = "", **entry: Any) -> Format:
    return Format(name=name, home=_at(home), recognised=_at(recognised), **entry)


def _logs(name: str, *, example: tuple[str, str], at: str = "", **entry: Any) -> LogFormat:
    module = _at(at or name)
    home, content = f"{module}:read_{name}", f"{module}:is_{name}"
    return LogFormat(name=name, home=home, content=content, example="\n".join(example), **entry)


FORMATS: dict[str, Format] = entries(_format, _ENTRIES["formats"])
LOGS: dict[str, LogFormat] = entries(_logs, _ENTRIES["logs"])


def format_of(source: Any) -> Format | None:
    """The kind of an object or of a path that exists; a file with an ending of its own is taken for text."""
    for entry in FORMATS.values():
        if entry.recognised and resolve_name(entry.recognised)(source):
            return entry
    return format_of_name(source.name) if isinstance(source, Path) else None


def format_of_name(name: str) -> Format:
    """The kind of a file, by the ending of its name; one with an ending of its own is taken for text."""
    ending = Path(name).suffix.lower()
    return next((entry for entry in FORMATS.values() if ending in entry.endings), FORMATS["text"])


@cache
def log_formats() -> tuple[LogFormat, ...]:
    """The kinds of logs: those above, and those that installed packages add (entry points "podium.formats")."""
    from importlib.metadata import entry_points

    added = [point.load() for point in entry_points(group="podium.formats")]
    for entry in added:
        if not isinstance(entry, LogFormat):
            raise ArgumentError(
                f"An entry point of podium.formats names a {type(entry).__name__}: it must be a LogFormat."
            )
    return (*LOGS.values(), *added)


def endings(fits: Callable[[Format], bool] = lambda entry: True) -> tuple[str, ...]:
    """The endings of the files of some kinds.

    >>> endings(lambda entry: entry.name == "excel")
    ('.xlsx', '.xlsm')
    """
    return tuple(ending for entry in FORMATS.values() if fits(entry) for ending in entry.endings)


def told(fits: Callable[[Format], bool]) -> str:
    """Some kinds in words.

    >>> told(lambda entry: entry.is_text)
    'CSV, TSV, JSON or JSON Lines'
    """
    *most, last = [entry.told for entry in FORMATS.values() if fits(entry)]
    return f"{', '.join(most)} or {last}" if most else last
