"""From the options that `core/options.py` declares to those of typer, and from what was typed to Python's values."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from podium.core.errors import refused
from podium.core.options import Option, as_direction_option, numbers, whole_numbers

_TYPES = {"number": float, "fraction": float, "whole": int, "flag": bool}
_METAVARS = {"name": "NAME", "column": "COLUMN", "file": "FILE", "choice": "WORD", "whole": "N"}


def _parameter(option: Option) -> inspect.Parameter:
    words = ", ".join(option.allowed())
    if option.many and option.kind in ("whole", "fraction", "number"):
        words = "10,20 or 10:90:20 for several" if option.kind == "whole" else "with commas for several"
    listed = f" ({words})" if words else ""
    off = f"/--no-{option.flag[2:]}" if option.kind == "flag" and option.default else ""
    declaration = typer.Option(
        option.flag + off,
        *([option.short] if option.short else []),
        help=f"{option.help.removesuffix('.')}{listed}." if listed else option.help,
        metavar=None if option.kind == "flag" else option.metavar or _METAVARS.get(option.kind),
        rich_help_panel=option.panel or None,
        show_default=bool(option.default) and option.kind != "flag" and option.default is not ...,
    )
    typed: Any = str if option.word or option.many else _TYPES.get(option.kind, str)
    if option.many:
        typed = list[typed] | None
    elif option.default is None:
        typed = typed | None
    default = None if option.many else inspect.Parameter.empty if option.default is ... else option.default
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[typed, declaration]
    )


def taken(options: Iterable[Option], typed: dict[str, Any]) -> dict[str, Any]:
    """What was typed for these options, taken out of all that was given, as the arguments of a function."""
    return {option.name: _value(option, typed.pop(option.name)) for option in options}


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
    if option.word and isinstance(typed, str) and typed != option.word:
        return _number_or(option, typed)
    return typed


def _number_or(option: Option, typed: str) -> float:
    try:
        return float(typed)
    except ValueError:
        raise refused(option.name, typed, f"must be a number or {option.word!r}") from None


def declared(
    run: Callable[..., Any],
    command: Callable[..., Any],
    options: Iterable[Option],
    *first: inspect.Parameter,
    besides: Iterable[str] = (),
) -> Callable[..., Any]:
    """`run` in the place of a command: it says to typer that it has some first parameters, those that the command declares itself
    (`besides` these), with their annotations as types, and the options; all by keyword.
    """
    functools.update_wrapper(run, command)
    own = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(command).parameters.values()
        if parameter.name not in ("results", *besides) and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    written = SimpleNamespace(__annotations__={parameter.name: parameter.annotation for parameter in own})
    hints = typing.get_type_hints(written, globalns=command.__globals__, include_extras=True)
    typed = [parameter.replace(annotation=hints[parameter.name]) for parameter in own]
    parameters = [*first, *typed, *map(_parameter, options)]
    names = [parameter.name for parameter in parameters]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise TypeError(f"{run.__name__} declares options again: {twice}")
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__dict__.pop("__wrapped__", None)  # typer would look through the wrapper
    return run


class _AsTyped:
    """What takes words as they were typed, where text is wanted, and leaves alone options that were not given.

    Typer would load pydantic to look at them; that takes 0.1 s.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """All options, the one for help included."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            fields = vars(parameter)
            if "type_descriptor" in fields and "process_value" not in fields:  # older versions of typer load nothing
                parameter.process_value = partial(_processed, parameter, parameter.process_value)
        return parameters


class Command(_AsTyped, TyperCommand):
    """A command."""


class Group(_AsTyped, TyperGroup):
    """A group of commands with options of its own."""


def _processed(parameter: Any, process: Any, ctx: Any, value: Any) -> Any:
    """What typer makes of a value, found without typer for words and for options that were not given."""
    wanted = parameter.type_descriptor.annotation
    if wanted == list[str]:
        value = [*(value or ())]
    elif value is not None and value is not parameter.default and wanted is not str:
        return process(ctx, value)
    if parameter.required and not value:
        return process(ctx, value)
    return parameter.callback(ctx, parameter, value) if parameter.callback else value
