"""The one loader of registries: a table of plain data becomes an object for each of its entries, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def entries(make: Callable[..., T], rows: Mapping[str, Mapping[str, Any]]) -> dict[str, T]:
    """What `make` gives for the name and the fields of each row.

    >>> entries(dict, {"sign": {"over": "datasets"}})
    {'sign': {'name': 'sign', 'over': 'datasets'}}
    """
    return {name: make(name=name, **row) for name, row in rows.items()}
