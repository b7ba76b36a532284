"""JSON in logs: a file as a view whose members are asked for by name, and files of JSON lines one record at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from podium.core.contents import bytes_up_to, most_bytes, too_long
from podium.core.errors import DataError
from podium.core.numbers import megabytes
from podium.reading.logs.files import form_of, head_of, opened, wrong

MOST_LINE = 100_000_000
_NAME = re.compile(rb'"([^"\\]{1,80})"\s*:')


class JsonView:
    """One value of a JSON file: an object whose members, or an array whose elements, are views themselves."""

    __slots__ = ("_value", "path")

    def __init__(self, path: Path, value: Any) -> None:
        self.path = path
        self._value = value

    @property
    def is_list(self) -> bool:
        """Whether the value is an array."""
        return isinstance(self._value, list)

    def keys(self) -> tuple[str, ...]:
        """The names of an object's members; none of anything else."""
        return tuple(dict_of(self._value))

    def get(self, *names: str) -> JsonView | None:
        """The member of these names, each within the one before; None where there is none."""
        value = self._value
        for name in names:
            if name not in dict_of(value):
                return None
            value = value[name]
        return JsonView(self.path, value)

    def value(self, *names: str, otherwise: Any = None) -> Any:
        """What the member of these names holds."""
        view = self.get(*names)
        return otherwise if view is None else view.load()

    def items(self, *names: str) -> Iterator[JsonView]:
        """The elements of an array, or of the member of these names; none of anything else."""
        return (JsonView(self.path, item) for item in list_of(self.value(*names)))

    def first(self, *names: str) -> JsonView:
        """The first element of an array, or of the member of these names; a view of nothing where there is none."""
        return next(self.items(*names), JsonView(self.path, None))

    def members(self) -> Iterator[tuple[str, JsonView]]:
        """The members of an object, by name."""
        return ((name, JsonView(self.path, value)) for name, value in dict_of(self._value).items())

    def load(self) -> Any:
        """The value itself."""
        return self._value


def json_view(path: Path) -> JsonView:
    """A view of the value in a JSON file, packed or not."""
    about = path.stat()
    return JsonView(path, _value_at(path, about.st_mtime_ns, about.st_size))


@lru_cache(maxsize=1)  # several formats ask for the same file
def _value_at(path: Path, changed: int, size: int) -> Any:
    most = most_bytes()
    with opened(path) as file:
        data = bytes_up_to(file, most + 1)
    if len(data) > most:
        raise too_long(path)
    return decoded(data, path)


def decoded(data: bytes, path: Path, line: int | None = None) -> Any:
    """What some JSON holds; what cannot be decoded is refused with the name of the file."""
    if not data.strip():
        raise wrong(path, "is empty.")
    try:
        return json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        place = "" if line is None else f" (line {line})"
        raise wrong(
            path, f"is not valid JSON{place}: it is damaged or was cut off. Restore it, or leave it out."
        ) from None


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines with the numbers of their lines, one at a time; blank lines are passed over."""
    with opened(path) as file:
        number = 0
        while line := file.readline(MOST_LINE):
            number += 1
            if len(line) >= MOST_LINE:
                raise wrong(path, f", line {number}, has more than {megabytes(MOST_LINE)}.")
            if line.isspace():
                continue
            row = decoded(line, path, number)
            if not isinstance(row, dict):
                raise wrong(path, f", line {number}, is not a record: expected {{...}}.")
            yield number, row


def first_record(path: Path) -> dict[str, Any]:
    """The first object of a file of JSON lines, or of one array; an empty one where there is none."""
    if head_of(path).lstrip().startswith(b"["):
        return dict_of(json_view(path).first().load())
    try:
        return next((row for _, row in json_lines(path)), {})
    except DataError:
        return {}


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, or of one array."""
    if head_of(path).lstrip().startswith(b"["):
        return (dict_of(item.load()) for item in json_view(path).items())
    return (row for _, row in json_lines(path))


@lru_cache(maxsize=4)  # every format asks for the names in the same bytes
def names_in(head: bytes) -> frozenset[str]:
    """The names of members in the first bytes of a JSON file, at any depth; none where they are no JSON.

    >>> sorted(names_in(b'{"task": {"id": 3}, "no'))
    ['id', 'task']
    """
    if form_of(head) != "json":
        return frozenset()
    return frozenset(name.decode("utf-8", "replace") for name in _NAME.findall(head))


def dict_of(value: Any) -> dict[str, Any]:
    """An object of JSON; anything else is an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """An array of JSON; anything else is an empty one."""
    return value if isinstance(value, list) else []
