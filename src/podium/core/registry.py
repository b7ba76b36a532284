"""The one loader of registries: a table of plain data that comes with the package, and an object for each of its entries, by name."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, TypeVar

T = TypeVar("T")


def read_toml(room: str, name: str) -> dict[str, Any]:
    """A table that comes with the package, its lists as tuples: `read_toml("core", "options.toml")`."""
    table: dict[str, Any] = _frozen(tomllib.loads(files("podium").joinpath(room, name).read_text(encoding="utf-8")))
    return table


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def entries(make: Callable[..., T], rows: Mapping[str, Mapping[str, Any]]) -> dict[str, T]:
    """What `make` gives for the name and the fields of each row.

    >>> entries(dict, {"sign": {"over": "datasets"}})
    {'sign': {'name': 'sign', 'over': 'datasets'}}
    """
    return {name: make(name=name, **row) for name, row in rows.items()}
