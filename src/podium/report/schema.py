"""The JSON Schema of every output, made from the types of the fields of its result.

What a field holds in JSON follows from `core.result.plain`: arrays are lists, and a number that is nan or infinite is null.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np

from podium.core import check
from podium.core.result import Result

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ROOMS = ("comparison", "stats", "bayes", "cases", "runs", "chance", "ordering", "planning", "studies", "evidence")
SINGLE = {bool: "boolean", int: "integer", str: "string", Path: "string", Fraction: "string", NoneType: "null"}
CELLS = {"f": ("numbers", ["number", "null"]), "i": ("integers", ["integer"]), "b": ("booleans", ["boolean"])}
# What a document has beside its result.
AROUND: Mapping[str, Any] = {
    **dict.fromkeys(("podium", "summary", "source"), str),
    "notes": list[str],
    "more": list[dict[str, Any]],
    "reading": dict[str, Any] | None,
}
# Further results, what `show` adds, and how numbers are written, which programs need not know.
OPTIONAL = ("more", "source", "reading", "quantity")

Schema = dict[str, Any]


def json_schema(name: str, *rooms: str) -> Schema:
    """The JSON Schema of the output with results of this kind; other `rooms` may have some too."""
    kinds = dict(_names(*rooms))
    kind = getattr(import_module(kinds[check.member("output", name, kinds)]), name)
    schemas = _Schemas()
    top = schemas.fields({"schema": str, "kind": str} | schemas.types_of(kind) | schemas.around(kind))
    top["properties"] |= {"schema": {"const": kind.SCHEMA}, "kind": {"const": name}}
    return {"$schema": DIALECT, "$id": f"{kind.SCHEMA}/{name}", "title": name, **top, "$defs": schemas.definitions}


def kinds(*rooms: str) -> dict[str, type[Result]]:
    """Every kind of result that has an output, by name."""
    return {name: getattr(import_module(home), name) for name, home in _names(*rooms)}


def _names(*rooms: str) -> Iterator[tuple[str, str]]:
    """The public classes of results with their rooms."""
    for home in (f"podium.{room}" for room in (*ROOMS, *rooms)):
        package = import_module(home)
        for name in package.__all__:
            thing = getattr(package, name) if name[:1].isupper() else None
            if isinstance(thing, type) and issubclass(thing, Result):
                yield name, home


class _Schemas:
    """Schemas of types; those of dataclasses are kept as definitions, which others refer to."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def around(self, kind: type[Result]) -> dict[str, Any]:
        """What stands beside the fields; a comparison says all of its keys itself."""
        return {} if kind.SCHEMA != Result.SCHEMA else dict(AROUND)

    def types_of(self, kind: Any) -> dict[str, Any]:
        """The keys of a dataclass in JSON, with the types of what they hold."""
        said = kind.json_keys() if issubclass(kind, Result) else {}
        return {name: type_ for name, type_ in {**_annotations(kind), **said}.items() if type_ is not None}

    def fields(self, types: Mapping[str, Any]) -> Schema:
        """An object with these keys."""
        properties = {name: self.of(type_) for name, type_ in types.items()}
        return {
            "type": "object",
            "properties": properties,
            "required": [name for name in types if name not in OPTIONAL],
        }

    def of(self, type_: Any) -> Schema:
        """The schema of what a type holds; of one that is not known, anything."""
        origin, parts = get_origin(type_), get_args(type_)
        if type_ is float:
            return {"type": ["number", "null"]}
        if type_ in SINGLE:
            return {"type": SINGLE[type_]}
        if origin in (Union, UnionType):
            return {"anyOf": [self.of(part) for part in parts]}
        if origin is Literal:
            return {"enum": list(parts)}
        if origin is np.ndarray:
            return self._array(np.dtype(get_args(parts[1])[0]))
        if origin in (tuple, list, set, frozenset, Sequence):
            same = parts[0] if len(parts) == 1 or parts[1:] == (...,) else Any
            return {"type": "array", "items": self.of(same)}
        if origin in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        if isinstance(type_, type) and issubclass(type_, Enum):
            return {"enum": [member.value for member in type_]}
        return self._defined(type_) if dataclasses.is_dataclass(type_) else {}

    def _array(self, dtype: np.dtype[Any]) -> Schema:
        """Lists of cells, or lists of such lists."""
        name, cells = CELLS.get("i" if dtype.kind == "u" else dtype.kind, ("cells", []))
        cell: Schema = {"type": cells} if cells else {}
        self.definitions[name] = {"anyOf": [cell, {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}]}
        return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}

    def _defined(self, kind: Any) -> Schema:
        name = kind.__name__
        if name not in self.definitions:
            self.definitions[name] = {}  # it may hold another of its kind
            self.definitions[name] = self.fields(self.types_of(kind))
        return {"$ref": f"#/$defs/{name}"}


def _annotations(kind: Any) -> dict[str, Any]:
    """The types of the fields of a dataclass; one whose name is not there at run time may hold anything."""
    fields: dict[str, Any] = {}
    names = {field.name for field in dataclasses.fields(kind)}
    for base in reversed(kind.__mro__):
        for name, type_ in vars(base).get("__annotations__", {}).items():
            if name in names:
                fields[name] = _resolved(type_, vars(sys.modules[base.__module__]))
    return fields


def _resolved(written: Any, names: Mapping[str, Any]) -> Any:
    """A type as it is written in the source, among the names of its module."""
    if not isinstance(written, str):
        return written
    evaluate: Callable[..., Any] = eval  # of the annotations of this package alone
    try:
        return evaluate(written, dict(names))
    except NameError:
        return Any
