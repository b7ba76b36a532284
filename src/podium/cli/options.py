"""From the options that `core/options.py` declares to those of typer, and from what was typed to Python's values."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from podium.core.errors import ArgumentError
from podium.core.options import Option, as_direction_option, numbers, whole_numbers

__all__ = ["parameters", "values_of"]

_TYPES = {"number": float, "fraction": float, "whole": int, "flag": bool}
_METAVARS = {"name": "NAME", "column": "COLUMN", "file": "FILE", "choice": "WORD", "whole": "N"}


def parameters(options: Iterable[Option]) -> list[inspect.Parameter]:
    """The options as parameters of a command, as typer reads them."""
    return [_parameter(option) for option in options]


def _parameter(option: Option) -> inspect.Parameter:
    words = option.allowed()
    listed = f" ({', '.join(words)})" if words else ""
    made = typer.Option(
        option.flag,
        *([option.short] if option.short else []),
        help=f"{option.help.removesuffix('.')}{listed}." if listed else option.help,
        metavar=None if option.kind == "flag" else option.metavar or _METAVARS.get(option.kind),
        rich_help_panel=option.panel or None,
        show_default=bool(option.default) and option.kind != "flag",
    )
    typed: Any = str if option.word or option.many else _TYPES.get(option.kind, str)
    if option.many:
        typed = list[typed] | None
    elif option.default is None:
        typed = typed | None
    default = option.default if option.default or not option.many else None
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[typed, made]
    )


def values_of(options: Iterable[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was typed, as the arguments of a function."""
    return {option.name: _value(option, given[option.name]) for option in options}


def _value(option: Option, typed: Any) -> Any:
    if option.many and not typed:
        return option.default
    if option.name == "direction":
        return as_direction_option(typed)
    if option.name == "separator" and typed in ("tab", "\\t"):
        return "\t"
    if option.many and option.kind == "whole":
        return whole_numbers(option.name, typed)
    if option.many and option.kind in ("number", "fraction"):
        return numbers(option.name, typed)
    if option.word and typed not in (None, option.word):
        return _number_or(option, typed)
    return typed


def _number_or(option: Option, typed: str) -> float:
    try:
        return float(typed)
    except ValueError:
        raise ArgumentError(f"`{option.name}` must be a number or {option.word!r}; got {typed!r}.") from None
