"""JSON of any size without holding it: a view finds members by their brackets and decodes only what is asked for.

A file is mapped, not read; strings and brackets are found by one regular expression, so neither deep nesting nor a large
document can exhaust the memory. Decoding a part is bounded by its size.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.numbers import megabytes
from podium.reading.logs.files import opened, wrong

MOST_DECODED = 100_000_000  # bytes of one part; its objects take several times as much
MOST_LINE = 100_000_000
SMALL = 1_000_000  # a document of so many bytes is decoded at once, which is quicker

# Possessive, and the closing quote of a token may lack: a string that was cut off is passed over once, not tried again.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\]}]+")
_BLANK = re.compile(rb"[\s,:]*")


class JsonView:
    """One value of a JSON file: an object whose members, or an array whose elements, are views themselves."""

    __slots__ = ("_data", "_spans", "end", "path", "start")

    def __init__(self, path: Path, data: Any, start: int, end: int) -> None:
        self.path, self._data, self.start, self.end = path, data, start, end
        self._spans: dict[str, tuple[int, int]] | None = None

    @property
    def kind(self) -> str:
        """The sign that the value begins with: "{", "[", a quote, or the first sign of a number or word."""
        return str(self._data[self.start : self.start + 1], "ascii", "replace")

    def keys(self) -> tuple[str, ...]:
        """The names of an object's members; none of anything else."""
        return tuple(self._members())

    def get(self, *names: str) -> JsonView | None:
        """The member of these names, each within the one before; None where there is none."""
        found: JsonView = self
        for name in names:
            span = found._members().get(name)
            if span is None:
                return None
            found = JsonView(self.path, self._data, *span)
        return found

    def value(self, *names: str, otherwise: Any = None) -> Any:
        """The decoded member of these names."""
        found = self.get(*names)
        return otherwise if found is None else found.load()

    def items(self, *names: str) -> Iterator[JsonView]:
        """The elements of an array, or of the member of these names; none of anything else."""
        found = self.get(*names)
        return iter(()) if found is None else found._items()

    def first(self, *names: str) -> JsonView:
        """The first element of an array, or of the member of these names; a view of nothing where there is none."""
        return next(self.items(*names), _Decoded(self.path, None))

    def _items(self) -> Iterator[JsonView]:
        at = self._after(_BLANK, self.start + 1)
        while self.kind == "[" and at < self.end - 1:
            end = self._end(at)
            yield JsonView(self.path, self._data, at, end)
            at = self._after(_BLANK, end)

    def members(self) -> Iterator[tuple[str, JsonView]]:
        """The members of an object, by name."""
        for name in self.keys():
            if (member := self.get(name)) is not None:
                yield name, member

    def load(self) -> Any:
        """The value itself."""
        if self.end - self.start > MOST_DECODED:
            raise wrong(
                self.path,
                f": one part of the file has {megabytes(self.end - self.start)}, which is more than a log has.",
            )
        return decoded(self._data[self.start : self.end], self.path)

    def _members(self) -> dict[str, tuple[int, int]]:
        if self._spans is None:
            self._spans = {}
            if self.kind == "{":
                at = self._after(_BLANK, self.start + 1)
                while at < self.end - 1:
                    key_end = self._end(at)
                    name = decoded(self._data[at:key_end], self.path)
                    at = self._after(_BLANK, key_end)
                    end = self._end(at)
                    self._spans[str(name)] = (at, end)
                    at = self._after(_BLANK, end)
        return self._spans

    def _after(self, pattern: re.Pattern[bytes], at: int) -> int:
        found = pattern.match(self._data, at, self.end)
        return found.end() if found else at

    def _end(self, at: int) -> int:
        """Where the value that begins here ends."""
        return end_of(self._data, at, self.end, self.path)


class _Decoded(JsonView):
    """A view of a small document, which is decoded at once."""

    __slots__ = ("_value",)

    def __init__(self, path: Path, value: Any) -> None:
        super().__init__(path, b"", 0, 0)
        self._value = value

    @property
    def kind(self) -> str:
        return "{" if isinstance(self._value, dict) else "[" if isinstance(self._value, list) else "x"

    def keys(self) -> tuple[str, ...]:
        return tuple(dict_of(self._value))

    def get(self, *names: str) -> JsonView | None:
        found = self._value
        for name in names:
            if not isinstance(found, dict) or name not in found:
                return None
            found = found[name]
        return _Decoded(self.path, found)

    def _items(self) -> Iterator[JsonView]:
        return (_Decoded(self.path, value) for value in list_of(self._value))

    def load(self) -> Any:
        return self._value


def end_of(data: Any, at: int, stop: int, path: Path) -> int:
    """Where the value that begins at a place ends: at its closing bracket or quote, or before the next comma."""
    first = data[at : at + 1]
    if first not in (b"{", b"["):
        found = (_STRING if first == b'"' else _SCALAR).match(data, at, stop)
        if found is None:
            raise _broken(path)
        return found.end()
    depth = 0
    for token in _TOKEN.finditer(data, at, stop):
        sign = data[token.start()]
        if sign == 0x22:
            continue
        depth += 1 if sign in b"{[" else -1
        if depth == 0:
            return token.end()
    raise _broken(path)


def decoded(text: bytes | str, path: Path, line: int | None = None) -> Any:
    """A piece of JSON as an object; what cannot be decoded is refused with the name of the file."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise _broken(path, line) from None


def _broken(path: Path, line: int | None = None) -> DataError:
    place = "" if line is None else f" (line {line})"
    return wrong(path, f"is not valid JSON{place}: it is damaged or was cut off. Restore it, or leave it out.")


def json_view(path: Path) -> JsonView:
    """A view of the value in a JSON file, packed by gzip or not."""
    return view_of(mapped(path), path)


def view_of(data: Any, path: Path) -> JsonView:
    """A view of the value in some bytes; `path` is named where they are broken."""
    start = _BLANK.match(data)
    at = start.end() if start else 0
    if data[:3] == b"\xef\xbb\xbf":
        at = 3
    if at >= len(data):
        raise wrong(path, "is empty.")
    if len(data) <= SMALL:
        return _Decoded(path, decoded(data[at:], path))
    return JsonView(path, data, at, end_of(data, at, len(data), path))


def mapped(path: Path) -> Any:
    """The bytes of a file, of which only those that are looked at are in memory."""
    with opened(path) as file:
        try:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            return b""


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
    with opened(path) as file:
        for line in iter(lambda: file.readline(MOST_LINE), b""):
            if line.lstrip()[:1] == b"[":
                return dict_of(json_view(path).first().load())
            if line.isspace():
                continue
            try:
                return dict_of(json.loads(line))
            except (ValueError, RecursionError):
                return {}
    return {}


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, or of one array."""
    with opened(path) as file:
        is_array = file.read(100).lstrip()[:1] == b"["
    if is_array:
        return (dict_of(item.load()) for item in json_view(path).items())
    return (row for _, row in json_lines(path))


def dict_of(value: Any) -> dict[str, Any]:
    """An object of JSON; anything else is an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """An array of JSON; anything else is an empty one."""
    return value if isinstance(value, list) else []
