"""JSON of any size without holding it: a view finds members by their brackets and decodes only what is asked for.

A file is mapped, not read; strings and brackets are found by one regular expression, so neither deep nesting nor a large
document can exhaust the memory. Decoding a part is bounded by its size.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from podium.core.errors import DataError
from podium.core.numbers import megabytes
from podium.reading.logs.files import form_of, head_of, opened, wrong

MOST_DECODED = 100_000_000  # bytes of one part; its objects take several times as much
MOST_LINE = 100_000_000
SMALL = 1_000_000  # a document of so many bytes is decoded at once, which is quicker

# Possessive, and the closing quote of a token may lack: a string that was cut off is passed over once, not tried again.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[{}\[\]]', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\]}]+")
_BLANK = re.compile(rb"[\s,:]*")
_NAME = re.compile(rb'"([^"\\]{1,80})"\s*:')


class _Span(NamedTuple):
    """A value that is not decoded: its place in the bytes of a file."""

    data: Any
    start: int
    end: int

    @property
    def text(self) -> bytes:
        """The value as it is written."""
        held: bytes = self.data[self.start : self.end]
        return held

    def begins(self, sign: bytes) -> bool:
        """Whether it is an object or an array, by its bracket."""
        return bool(self.data[self.start : self.start + 1] == sign)

    def parts(self, path: Path) -> Iterator[_Span]:
        """The values between the brackets; the names of an object are among them."""
        at = _after_blank(self.data, self.start + 1)
        while at < self.end - 1:
            end = end_of(self.data, at, self.end, path)
            yield _Span(self.data, at, end)
            at = _after_blank(self.data, end)


class JsonView:
    """One value of a JSON file: an object whose members, or an array whose elements, are views themselves.

    A small part is decoded at once, which is quicker; of a large one only the places of its parts are kept.
    """

    __slots__ = ("_held", "_spans", "path")

    def __init__(self, path: Path, held: Any) -> None:
        self.path = path
        self._spans: dict[str, _Span] | None = None
        is_small = isinstance(held, _Span) and held.end - held.start <= SMALL
        self._held = decoded(held.text, path) if is_small else held

    @property
    def is_list(self) -> bool:
        """Whether the value is an array."""
        return self._held.begins(b"[") if isinstance(self._held, _Span) else isinstance(self._held, list)

    def keys(self) -> tuple[str, ...]:
        """The names of an object's members; none of anything else."""
        return tuple(self._members())

    def get(self, *names: str) -> JsonView | None:
        """The member of these names, each within the one before; None where there is none."""
        view: JsonView = self
        for name in names:
            members = view._members()
            if name not in members:
                return None
            view = JsonView(self.path, members[name])
        return view

    def value(self, *names: str, otherwise: Any = None) -> Any:
        """The decoded member of these names."""
        view = self.get(*names)
        return otherwise if view is None else view.load()

    def items(self, *names: str) -> Iterator[JsonView]:
        """The elements of an array, or of the member of these names; none of anything else."""
        view = self.get(*names)
        return iter(()) if view is None else (JsonView(self.path, part) for part in view._elements())

    def first(self, *names: str) -> JsonView:
        """The first element of an array, or of the member of these names; a view of nothing where there is none."""
        return next(self.items(*names), JsonView(self.path, None))

    def members(self) -> Iterator[tuple[str, JsonView]]:
        """The members of an object, by name."""
        return ((name, JsonView(self.path, part)) for name, part in self._members().items())

    def load(self) -> Any:
        """The value itself."""
        if not isinstance(self._held, _Span):
            return self._held
        size = self._held.end - self._held.start
        if size > MOST_DECODED:
            raise wrong(self.path, f": one part of the file has {megabytes(size)}, which is more than a log has.")
        return decoded(self._held.text, self.path)

    def _elements(self) -> Iterable[Any]:
        if not isinstance(self._held, _Span):
            return list_of(self._held)
        return self._held.parts(self.path) if self._held.begins(b"[") else ()

    def _members(self) -> dict[str, Any]:
        if not isinstance(self._held, _Span):
            return dict_of(self._held)
        if self._spans is None:
            parts = self._held.parts(self.path) if self._held.begins(b"{") else iter(())
            named = zip(parts, parts, strict=False)  # a name and its value take turns
            self._spans = {str(decoded(name.text, self.path)): value for name, value in named}
        return self._spans


def _after_blank(data: Any, at: int) -> int:
    blank = _BLANK.match(data, at)
    return blank.end() if blank else at


def end_of(data: Any, at: int, stop: int, path: Path) -> int:
    """Where the value that begins at a place ends: at its closing bracket or quote, or before the next comma."""
    first = data[at : at + 1]
    if first not in (b"{", b"["):
        match = (_STRING if first == b'"' else _SCALAR).match(data, at, stop)
        if match is None:
            raise _broken(path)
        return match.end()
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
    at = 3 if data[:3] == b"\xef\xbb\xbf" else _after_blank(data, 0)
    if at >= len(data):
        raise wrong(path, "is empty.")
    return JsonView(path, _Span(data, at, len(data) if len(data) <= SMALL else end_of(data, at, len(data), path)))


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
