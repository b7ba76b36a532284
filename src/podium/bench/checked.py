"""Dataclasses whose fields pydantic finds and the checks of `core.check` judge.

Made in Python, a spec raises the error of the check. Within a file, pydantic says where it stands, so that the line
can be named.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeVar, dataclass_transform

import pydantic.dataclasses
from pydantic import ConfigDict, PlainValidator, ValidationError, ValidationInfo

from podium.core import check
from podium.core.errors import ArgumentError, PodiumError

Details = Mapping[str, Any]
T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def spec(cls: type[T]) -> type[T]:
    """A frozen dataclass of keyword-only, checked fields; what it refuses is an error of Podium."""
    config = ConfigDict(extra="forbid")
    dataclass: Any = pydantic.dataclasses.dataclass(frozen=True, slots=True, kw_only=True, config=config)(cls)
    filled = dataclass.__init__

    @functools.wraps(filled)
    def init(self: Any, **values: Any) -> None:
        try:
            filled(self, **values)
        except ValidationError as error:
            raise error_of(error.errors()[0]) from None

    dataclass.__init__ = init
    checked: type[T] = dataclass
    return checked


def rule(judge: Callable[..., Any], *, none: bool = False, **options: Any) -> PlainValidator:
    """A field that a check judges by its name, kept as it was given; None is let through where `none` says so."""

    def judged(value: Any, info: ValidationInfo) -> Any:
        if value is not None or not none:
            judge(info.field_name, value, **options)
        return value

    return PlainValidator(judged)


def _text(name: str, value: Any) -> None:
    if "\0" in check.text(name, value):
        raise check.refused(name, value, "must be a string without NUL characters")


Text = Annotated[str, rule(_text)]


_WORDS = {
    "missing": "is missing: give at least one",
    "too_short": "must be a list with at least one of them; got {value}",
    "tuple_type": "must be a list with at least one of them; got {value}",
    "dict_type": "must be a table of names and values; got {value}",
    "string_type": "must be a string; got {value}",
    "dataclass_type": "must be a podium.bench.{class_name}; got {value}",
}


def error_of(details: Details) -> PodiumError:
    """What pydantic found as an error of Podium: that of a check, or one in our words."""
    context = details.get("ctx", {})
    if isinstance(context.get("error"), PodiumError):
        own: PodiumError = context["error"]
        return own
    names = [part for part in details["loc"] if isinstance(part, str)]
    argument = names[-1] if names else ""
    if details["type"] == "unexpected_keyword_argument":
        return unknown(argument, "it", ())
    kind = "missing" if details["type"].startswith("missing") else details["type"]
    words = _WORDS.get(kind, "cannot be {value}")
    if kind == "dataclass_type" and isinstance(details["loc"][-1], int):
        words = "must hold names or podium.bench.{class_name} objects; one is {value}"
    fields = {"class_name": context.get("class_name", ""), "value": check.shown(details["input"], limit=60)}
    return ArgumentError(f"{{argument}} {words}.", argument=argument, kind=kind, **fields)


def unknown(key: str, where: str, keys: Iterable[str]) -> ArgumentError:
    """The error for a key that nothing is called."""
    names = list(keys)
    near = difflib.get_close_matches(key, names, n=1)
    hint = f": did you mean {near[0]!r}?" if near else f": known here: {', '.join(names)}." if names else "."
    return ArgumentError(f"{{argument}} is not known in {where}{hint}", argument=key)
