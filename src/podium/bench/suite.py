"""Suites: a TOML file that says what runs on what. A bad one is refused with its line and the cure."""

from __future__ import annotations

import importlib.resources
import re
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from podium.bench.checked import Details, error_of, unknown
from podium.bench.datasets.expand import expand_dataset
from podium.bench.protocols import Protocol
from podium.bench.spec import AlgorithmSpec, DataSettings, Limits, Suite
from podium.core.contents import text_within
from podium.core.errors import ArgumentError, DataError, PodiumError, as_argument

_TABLES: dict[str, type] = {"protocol": Protocol, "data": DataSettings, "limits": Limits, "algorithms": AlgorithmSpec}
_NOT_IN_FILES = ("source", "places", "own_metrics")


def embedded_suites() -> dict[str, Path]:
    """The suites in the package, by name."""
    folder = Path(str(importlib.resources.files("podium.bench") / "suites"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_suite(source: str | Path) -> Suite:
    """A suite from a TOML file, or an embedded one.

    Parameters
    ----------
    source : str or pathlib.Path
        The file, or the name of an embedded suite ("mini", "wainer14", ...).

    Returns
    -------
    Suite
        The suite, checked.

    Examples
    --------
    >>> read_suite("mini").name
    'mini'
    """
    path = Path(source)
    embedded = embedded_suites()
    if str(source) in embedded and not path.exists():
        return parse_suite(embedded[str(source)].read_text(encoding="utf-8"), label=f"suite {source!r}")
    try:
        text = text_within(path, "utf-8-sig")
    except FileNotFoundError:
        listed = ", ".join(embedded)
        raise DataError(f"There is no suite {str(source)!r}: give a TOML file, or one of {listed}.") from None
    except UnicodeDecodeError:
        raise DataError(f"The suite {str(source)!r} is not UTF-8: save it in this encoding.") from None
    except OSError as error:
        raise DataError(f"The suite {str(source)!r} cannot be read: {error}.") from None
    return parse_suite(text, label=str(source), path=path)


def parse_suite(text: str, *, label: str = "suite", path: Path | None = None) -> Suite:
    r"""A suite from the text of a TOML file.

    Parameters
    ----------
    text : str
        The text.
    label : str, default "suite"
        What the text is called in errors.
    path : pathlib.Path, optional
        The file that it comes from: paths in it are relative to the file.

    Returns
    -------
    Suite
        The suite, checked.

    Examples
    --------
    >>> parse_suite('name = "one"\ndatasets = ["iris"]\nalgorithms = ["nb"]').name
    'one'
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{label} is not TOML: {error}.") from None
    except RecursionError:
        raise DataError(f"{label} nests its lists or tables too deeply: write them flat.") from None
    return _File(text, content, label, path).suite()


class SuiteError(DataError):
    """What is wrong in the file of a suite, whose words are those of the file, also on the command line."""

    def said(self, spell: Callable[[str], str] = as_argument) -> str:
        """The sentence, whatever options are called elsewhere."""
        return super().said()


class _File:
    """The content of a suite's file; every complaint names the line."""

    def __init__(self, text: str, content: dict[str, Any], label: str, path: Path | None) -> None:
        self.text, self.content, self.label, self.path = text, content, label, path
        self.folder = path.resolve().parent if path else Path.cwd()

    def suite(self) -> Suite:
        """The suite, or the first thing that is wrong with it."""
        content = {"name": self.path.stem if self.path else "suite", **self.content}
        for key in content.keys() & set(_NOT_IN_FILES):
            raise self.refused(unknown(key, "a suite", self.known("")), (key,))
        for key in ("datasets", "algorithms"):
            if not isinstance(content.get(key) or None, list):
                problem = "must be a list" if content.get(key) else "is missing: list at least one"
                raise self.refused(ArgumentError(f"{{argument}} {problem}, as in {key} = [...].", argument=key), (key,))
        if content.get("metrics") == []:
            raise self.refused(ArgumentError("`metrics` is empty: name one, or leave it out."), ("metrics",))
        places = {f"algorithm {_name(entry)}": ("algorithms", i) for i, entry in enumerate(content["algorithms"])}
        datasets = []
        for index, entry in enumerate(content["datasets"]):
            with_name = {"name": entry} if isinstance(entry, str) else entry
            try:
                members = expand_dataset(with_name, self.folder)
            except PodiumError as error:
                raise self.refused(error, ("datasets", index)) from None
            places |= {f"dataset {member.name}": ("datasets", index) for member in members}
            datasets += members
        metrics = content.get("metrics", ())
        for index, entry in enumerate(metrics if isinstance(metrics, list) else ()):
            places[f"metric {_name(entry)}"] = ("metrics", index)
        content |= {
            "datasets": datasets,
            "algorithms": [self.algorithm(entry, i) for i, entry in enumerate(content["algorithms"])],
            "data": self.data(),
            "paths": self.paths(),
            "source": str(self.path) if self.path else "",
            "places": {name: f"{self.label}, line {self.line(place)}: " for name, place in places.items()},
        }
        try:
            return TypeAdapter(Suite).validate_python(content)
        except ValidationError as error:
            raise self.invalid(error.errors()[0]) from None

    def algorithm(self, entry: Any, index: int) -> Any:
        """An entry with the words of Python: a class by its import path is a `path` there."""
        if not isinstance(entry, dict):
            return entry
        if "path" in entry:
            renamed = ArgumentError("`path` is called {argument} in a suite.", argument="path")
            raise self.refused(renamed, ("algorithms", index, "path"))
        return {"path" if key == "class" else key: value for key, value in entry.items()}

    def data(self) -> Any:
        """Wainer's transformations come with his protocol unless the suite says otherwise."""
        table, protocol = self.content.get("data", {}), self.content.get("protocol", {})
        usual = isinstance(protocol, dict) and protocol.get("kind", "wainer") == "wainer" and isinstance(table, dict)
        joined = {} if isinstance(table, dict) and table.get("task") == "regression" else {"binary": True}
        return {**joined, "min_cases": 100, **table} if usual else table

    def paths(self) -> Any:
        """The folder of the suite and those that it names, for modules of the user."""
        entries = self.content.get("paths", [])
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            raise self.refused(ArgumentError("`paths` must be a list of folders with your own modules."), ("paths",))
        for index, entry in enumerate(entries):
            if not (self.folder / entry).is_dir():
                raise self.refused(ArgumentError(f"`paths` names {entry!r}, which is not a folder."), ("paths", index))
        own = [str(self.folder)] if self.path else []
        return [*own, *(str(self.folder / entry) for entry in entries)]

    # ---- complaints -------------------------------------------------------------------------------------------

    def known(self, table: str) -> list[str]:
        """What may stand in a table of the file."""
        names = [field.name for field in fields(_TABLES.get(table, Suite)) if field.name not in _NOT_IN_FILES]
        return ["class" if name == "path" else name for name in names]

    def invalid(self, details: Details) -> DataError:
        """What pydantic found, with its place."""
        place, error = details["loc"], error_of(details)
        if details["type"] == "unexpected_keyword_argument":
            table = str(place[0]) if len(place) > 1 else ""
            where = {"": "a suite", "algorithms": "an algorithm"}.get(table, table)
            key = str(place[-1])
            home = next((name for name in _TABLES if name != "algorithms" and key in self.known(name)), None)
            error = unknown(key, where, self.known(table))
            if home is not None and table == "":
                error = ArgumentError("{argument} belongs in [{home}].", argument=key, home=home)
        elif details["type"] in ("dataclass_type", "dict_type"):
            cure = "a name or a table" if place[0] == "algorithms" else f"a table: write it as [{place[0]}]"
            error = ArgumentError(f"{{argument}} must be {cure}.", argument=str(place[0]))
        return self.refused(error, place)

    def refused(self, error: PodiumError, place: tuple[Any, ...]) -> DataError:
        """The error with its line, in the words of the file."""
        argument = error.fields.get("argument")
        place = place or (argument or "",)
        if argument is not None and place[0] in _TABLES and place[-1] != argument:
            place = (*place, argument)
        error.fields.update(true="true", false="false")  # as TOML writes them
        problem = error.said(lambda name: "`class`" if name == "path" else f"`{name}`")
        line = self.line(place, error.fields.get("name"))
        return SuiteError("{file}, line {line}: {problem}", file=self.label, line=line, problem=problem)

    def line(self, place: tuple[Any, ...], name: object = None) -> int:
        """Where something stands: (key,), (table, key), (list, index) or (list, index, key)."""
        head, rest = str(place[0]), place[1:]
        if not rest:
            return line_of(self.text, key=head, value=name)
        if isinstance(rest[0], str):
            return line_of(self.text, head, key=rest[0])
        entry = self.content[head][rest[0]]
        if re.search(rf"^\s*\[\[\s*{head}\s*\]\]", self.text, re.MULTILINE):
            key = rest[1] if len(rest) > 1 else "name" if isinstance(entry, dict) and "name" in entry else ""
            return line_of(self.text, head, rest[0], "class" if key == "path" else key)
        return line_of(self.text, key=head, value=_name(entry))


def _name(entry: Any) -> Any:
    """What a line of the file shows of an entry: its name, or the first thing it says."""
    return entry.get("name", next(iter(entry.values()), None)) if isinstance(entry, dict) else entry


# ---- lines ----------------------------------------------------------------------------------------------------

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")


def line_of(text: str, table: str = "", index: int = 0, key: str = "", value: object = None) -> int:
    """The line (from 1) of a key, or of a text value in it, within the index-th table of that name.

    A table may also be written in dotted keys (`protocol.kind = ...`). Falls back to its header, then to line 1.

    >>> line_of('seed = 1\\n[limits]\\nseconds = 3', "limits", key="seconds")
    3
    """
    dotted = re.search(rf"^[ \t]*{re.escape(table)}\s*\.\s*{re.escape(key)}\s*=", text, re.MULTILINE)
    if table and key and dotted:
        return text.count("\n", 0, dotted.start()) + 1
    lines = text.splitlines()
    first, last = _scope(lines, table, index)
    if not key:
        return max(first, 1)
    pattern = re.compile(rf"""(^|[\s{{,])["']?{re.escape(key)}["']?\s*=""")
    for number in range(first, last):
        if pattern.search(lines[number]) and not lines[number].lstrip().startswith("#"):
            return _value_line(lines, number, last, value) + 1
    return max(first, 1)


def _scope(lines: list[str], table: str, index: int) -> tuple[int, int]:
    """The lines of a table as a range from the line after its header (0 for the top level)."""
    headers = [(number, header.group(2)) for number, line in enumerate(lines, 1) if (header := _HEADER.match(line))]
    starts = [(0, ""), *((number, name.strip("\"' ")) for number, name in headers)]
    ends = [start - 1 for start, _ in starts[1:]] + [len(lines)]
    places = [(start, end) for (start, name), end in zip(starts, ends, strict=True) if name == table]
    return places[min(index, len(places) - 1)] if places else (0, ends[0])


def _value_line(lines: list[str], start: int, end: int, value: object) -> int:
    if value is None:
        return start
    needle = re.compile(rf"(?<![\w.-]){re.escape(str(value))}(?![\w.-])")
    return next((number for number in range(start, end) if needle.search(lines[number])), start)
