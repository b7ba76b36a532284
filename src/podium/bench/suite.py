"""Suites: a TOML file that says what runs on what. A bad one is refused with its line and the cure."""

from __future__ import annotations

import difflib
import importlib.resources
import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from podium.bench.datasets.expand import expand_dataset
from podium.bench.lines import line_of
from podium.bench.protocols import Protocol
from podium.bench.spec import AlgorithmSpec, DatasetSpec, DataSettings, Limits, Suite, known_metrics, no_repeats
from podium.core import check
from podium.core.errors import DataError, PodiumError

__all__ = ["embedded_suites", "parse_suite", "read_suite"]

_TOP = ("name", "seed", "metrics", "paths", "datasets", "algorithms", "protocol", "data", "limits", "dask")
_PROTOCOL = "kind repeats folds aside test_fraction search search_folds search_cases candidates free_values".split()
_DATA = ("binary", "standardize", "nominal", "min_cases")
_LIMITS = ("seconds", "memory_mb", "threads")
_ALGORITHM = ("name", "learner", "class", "params", "search", "free", "optional")


def embedded_suites() -> dict[str, Path]:
    """The suites in the package, by name."""
    folder = Path(str(importlib.resources.files("podium.bench") / "suites"))
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def read_suite(source: str | Path) -> Suite:
    """A suite from a TOML file, or an embedded one by name ("mini", "wainer14", "ulas8", "full")."""
    path = Path(source)
    embedded = embedded_suites()
    if str(source) in embedded and not path.exists():
        return parse_suite(embedded[str(source)].read_text(encoding="utf-8"), label=f"suite {source!r}")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        known = ", ".join(embedded)
        raise DataError(f"There is no suite {str(source)!r}: give a TOML file, or one of {known}.") from None
    except UnicodeDecodeError:
        raise DataError(f"The suite {str(source)!r} is not UTF-8: save it in this encoding.") from None
    except OSError as error:
        raise DataError(f"The suite {str(source)!r} cannot be read: {error}.") from None
    return parse_suite(text, label=str(source), path=path)


def parse_suite(text: str, *, label: str = "suite", path: Path | None = None) -> Suite:
    """A suite from the text of a TOML file; paths in it are relative to the file."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{label} is not TOML: {error}.") from None
    return _Reader(text, label, path).suite(content)


class _Reader:
    """Walks through the content of a suite and complains with the line."""

    def __init__(self, text: str, label: str, path: Path | None) -> None:
        self.text, self.label, self.path = text, label, path
        self.folder = path.resolve().parent if path else Path.cwd()
        self.places: dict[str, str] = {}

    def fail(self, message: str, table: str = "", index: int = 0, key: str = "", value: object = None) -> DataError:
        said = message.replace("must be True or False", "must be true or false")  # as TOML writes them
        return DataError(f"{self.label}, line {self.line(table, index, key, value)}: {said}")

    def line(self, table: str = "", index: int = 0, key: str = "", value: object = None) -> int:
        """Where something stands; a table may also be written in dotted keys (`protocol.kind = ...`)."""
        dotted = re.search(rf"^[ \t]*{re.escape(table)}\s*\.\s*{re.escape(key)}\s*=", self.text, re.MULTILINE)
        if table and key and dotted:
            return self.text.count("\n", 0, dotted.start()) + 1
        return line_of(self.text, table, index, key, value)

    def note_place(self, name: str, place: dict[str, Any]) -> None:
        """Remember where something stands, for complaints that come after reading."""
        self.places[name] = f"{self.label}, line {self.line(**place)}: "

    def suite(self, content: dict[str, Any]) -> Suite:
        self.known_keys(content, _TOP, "")
        for key in ("datasets", "algorithms"):
            if not content.get(key):
                raise self.fail(f"`{key}` is missing: list at least one, as in {key} = [...].", key=key)
            if not isinstance(content[key], list):
                raise self.fail(f"`{key}` must be a list, as in {key} = [...].", key=key)
        protocol: Protocol = self.built(Protocol, self.table(content, "protocol"), "protocol", _PROTOCOL)
        datasets = self.datasets(content["datasets"])
        algorithms = tuple(self.algorithm(entry, i) for i, entry in enumerate(content["algorithms"]))
        self.no_repeats("datasets", [d.name for d in datasets])
        self.no_repeats("algorithms", [a.name for a in algorithms])
        return Suite(
            name=self.text_of(content, "name", self.path.stem if self.path else "suite"),
            datasets=datasets,
            algorithms=algorithms,
            protocol=protocol,
            data=self.data(self.table(content, "data"), protocol.kind),
            metrics=self.metrics(content.get("metrics", ["error"])),
            limits=self.built(Limits, self.table(content, "limits"), "limits", _LIMITS),
            seed=self.checked(check.count, "seed", content.get("seed", 1), at_least=0),
            paths=self.paths(content.get("paths", [])),
            dask=self.table(content, "dask"),
            source=str(self.path) if self.path else "",
            places=self.places,
        )

    # ---- small pieces -----------------------------------------------------------------------------------------

    def known_keys(self, found: Mapping[str, Any], known: Collection[str], table: str, index: int = 0) -> None:
        for key in found:
            if key not in known:
                near = difflib.get_close_matches(key, list(known), n=1)
                hint = f"did you mean `{near[0]}`?" if near else f"known here: {', '.join(known)}."
                raise self.fail(f"`{key}` is not known in {table or 'a suite'}: {hint}", table, index, key)

    def table(self, content: Mapping[str, Any], key: str) -> dict[str, Any]:
        value = content.get(key, {})
        if not isinstance(value, dict):
            raise self.fail(f"`{key}` must be a table: write it as [{key}].", key=key)
        return value

    def text_of(self, content: Mapping[str, Any], key: str, default: str) -> str:
        value = content.get(key, default)
        if not isinstance(value, str) or not value:
            raise self.fail(f"`{key}` must be a text; got {value!r}.", key=key)
        return value

    def checked(self, function: Any, name: str, value: Any, *args: Any, table: str = "", **options: Any) -> Any:
        try:
            return function(name, value, *args, **options)
        except PodiumError as error:
            raise self.fail(str(error), table, key=name) from None

    def built(self, make: Callable[..., Any], values: dict[str, Any], table: str, known: Collection[str]) -> Any:
        """An object from a table of the suite; its own refusal gets the line of the key that it names."""
        self.known_keys(values, known, table)
        try:
            return make(**values)
        except PodiumError as error:
            named = re.search(r"`(\w+)`", str(error))
            raise self.fail(str(error), table, key=named[1] if named else "") from None

    def no_repeats(self, kind: str, names: list[str]) -> None:
        try:
            no_repeats(kind, names)
        except PodiumError as error:
            twice = next(name for place, name in enumerate(names) if name in names[:place])
            raise self.fail(str(error), key=kind, value=twice) from None

    def paths(self, entries: Any) -> tuple[str, ...]:
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            raise self.fail("`paths` must be a list of folders with your own modules.", key="paths")
        folders = [self.folder / entry for entry in entries]
        for entry, folder in zip(entries, folders, strict=True):
            if not folder.is_dir():
                raise self.fail(f"`paths` names {entry!r}, which is not a folder.", key="paths", value=entry)
        own = [self.folder] if self.path else []
        return tuple(str(folder) for folder in [*own, *folders])

    # ---- the tables -------------------------------------------------------------------------------------------

    def data(self, table: dict[str, Any], kind: str) -> DataSettings:
        # Wainer's transformations come with his protocol unless the suite says otherwise.
        defaults = {"binary": True, "min_cases": 100} if kind == "wainer" else {}
        settings: DataSettings = self.built(DataSettings, {**defaults, **table}, "data", _DATA)
        return settings

    def metrics(self, names: Any) -> tuple[str, ...]:
        try:
            return known_metrics(names)
        except PodiumError as error:
            named = re.search(r"'([^']+)'", str(error))
            raise self.fail(str(error), key="metrics", value=named[1] if named else None) from None

    def datasets(self, entries: list[Any]) -> tuple[DatasetSpec, ...]:
        found: list[DatasetSpec] = []
        for index, entry in enumerate(entries):
            table = {"name": entry} if isinstance(entry, str) else entry
            try:
                members = expand_dataset(table, self.folder)
            except PodiumError as error:
                raise self.fail(str(error), **self.place("datasets", table, index)) from None
            for member in members:
                self.note_place(f"dataset {member.name}", self.place("datasets", table, index))
            found += members
        return tuple(found)

    def algorithm(self, entry: Any, index: int) -> AlgorithmSpec:
        table = {"name": entry} if isinstance(entry, str) else entry
        place = self.place("algorithms", table, index)
        if not isinstance(table, dict) or not isinstance(table.get("name"), str) or not table["name"].strip():
            raise self.fail("an algorithm is a name or a table with `name`.", **place)
        unknown = [key for key in table if key not in _ALGORITHM]
        if unknown:
            near = difflib.get_close_matches(unknown[0], _ALGORITHM, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"known here: {', '.join(_ALGORITHM)}."
            if "table" in place:
                place["key"] = unknown[0]
            raise self.fail(f"`{unknown[0]}` is not known in an algorithm: {hint}", **place)
        self.note_place(f"algorithm {table['name']}", place)
        try:
            return make_algorithm(table)
        except PodiumError as error:
            raise self.fail(str(error), **place) from None

    def place(self, kind: str, table: Any, index: int) -> dict[str, Any]:
        """Where an entry of `datasets` or `algorithms` stands: in a list at the top, or in [[tables]]."""
        value = next(iter(table.values()), None) if isinstance(table, dict) else table
        name = table.get("name", value) if isinstance(table, dict) else value
        if re.search(rf"^\s*\[\[\s*{kind}\s*\]\]", self.text, re.MULTILINE):
            key = "name" if isinstance(table, dict) and "name" in table else ""
            return {"table": kind, "index": index, "key": key}
        return {"key": kind, "value": name}


def make_algorithm(table: Mapping[str, Any]) -> AlgorithmSpec:
    """An algorithm from its table: a learner by name, or any scikit-learn-compatible class by import path."""
    name, path = str(table["name"]), table.get("class")
    if path is not None and (not isinstance(path, str) or "." not in path.strip(".")):
        raise DataError(f"`class` must be an import path such as 'sklearn.svm.SVC'; got {path!r}.")
    if path is not None and "learner" in table:
        raise DataError(f"Algorithm {name!r} has both `learner` and `class`: give one of them.")
    for key, values in {**_table(table, "search"), **_table(table, "free")}.items():
        if not isinstance(values, list) or not values:
            raise DataError(f"`{key}` of {name!r} must be a list of values to try; got {values!r}.")
    return AlgorithmSpec(
        name=name,
        learner=table.get("learner"),
        path=path or "",
        params=_table(table, "params"),
        search=_table(table, "search") if "search" in table else None,
        free=table.get("free"),
        optional=table.get("optional", False),
    )


def _table(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise DataError(f"`{key}` of {table['name']!r} must be a table of hyperparameters; got {value!r}.")
    return value
