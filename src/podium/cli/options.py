"""From the options that `core/options.py` declares to those of typer, and from what was typed to Python's values."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Collection, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from podium.core.errors import refused
from podium.core.options import OPTIONS, TOPICS, Option, as_direction_option, numbers, whole_numbers

_METAVARS = {
    "name": "NAME",
    "column": "COLUMN",
    "file": "FILE",
    "choice": "WORD",
    "whole": "N",
    "flag": "",
    "text": "TEXT",
}
_METAVARS |= {"number": "NUMBER", "fraction": "NUMBER"}
_TYPES = {"number": float, "fraction": float, "whole": int, "flag": bool}


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
        metavar=option.metavar or _METAVARS[option.kind],
        rich_help_panel=TOPICS.get(option.topic),
        show_default=bool(option.default) and option.kind != "flag" and option.default is not ...,
    )
    typed: Any = str if option.word or option.many else _TYPES.get(option.kind, str)
    if option.many:
        typed = list[typed] | None
    elif option.default is None:
        typed = typed | None
    default = inspect.Parameter.empty if option.default is ... else None if option.many else option.default
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
    if option.many and option.kind == "choice":
        return parted(typed)
    if option.word and isinstance(typed, str) and typed != option.word:
        return _number_or(option, typed)
    return typed


def parted(texts: Iterable[str], known: Collection[str] = ()) -> list[str]:
    """Words that were typed with commas between them; a name that is known as it is stays whole.

    >>> parted(["a,b", "svm, rbf"], known=["svm, rbf"])
    ['a', 'b', 'svm, rbf']
    """
    return [part.strip() for text in texts for part in ([text] if text in known else text.split(","))]


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
    """`run` in the place of a command, without what only helps: it says to typer that it has some first parameters, those that the command declares itself
    (`besides` these), with their annotations as types, and the options; all by keyword.
    """
    options = tuple(options)

    @functools.wraps(command)
    def called(*results: Any, **typed: Any) -> Any:
        return run(*results, **{name: value for name, value in typed.items() if not name.startswith("help_")})

    own = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(command).parameters.values()
        if parameter.name not in ("results", *besides) and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    written = SimpleNamespace(__annotations__={parameter.name: parameter.annotation for parameter in own})
    hints = typing.get_type_hints(written, globalns=command.__globals__, include_extras=True)
    typed = [parameter.replace(annotation=hints[parameter.name]) for parameter in own]
    topics = dict.fromkeys(option.topic for option in options if option.topic)
    helps = [_help_on(topic) for topic in TOPICS if topic in topics and f"help_{topic}" not in hints]
    parameters = [*first, *map(_parameter, options), *typed, *helps]
    names = [parameter.name for parameter in parameters]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise TypeError(f"{called.__name__} declares options again: {twice}")
    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    called.__dict__.pop("__wrapped__", None)  # typer would look through the wrapper
    return called


def _help_on(topic: str) -> inspect.Parameter:
    """The option that shows the others on a topic."""

    def show(ctx: typer.Context, asked: bool) -> None:
        if asked:
            vars(ctx.command)["topic"] = topic
            if text := ctx.get_help():  # without rich; with it, the help is printed already
                typer.echo(text)
            raise typer.Exit

    declaration = typer.Option(
        f"--help-{topic}", is_eager=True, callback=show, metavar="", help=f"{TOPICS[topic]}: more options."
    )
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(f"help_{topic}", kind, default=False, annotation=Annotated[bool, declaration])


class _AsTyped:
    """What takes words as they were typed, where text is wanted, and leaves alone options that were not given.

    Typer would load pydantic to look at them; that takes 0.1 s.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """All options, the one for help included."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            fields = vars(parameter)
            if parameter.param_type_name == "argument":
                fields["display_type_rich"] = lambda ctx: None  # its help says what it is
            elif fields["is_flag"] and parameter.metavar is None:
                parameter.metavar = ""
            if "type_descriptor" in fields and "process_value" not in fields:  # older versions of typer load nothing
                parameter.process_value = partial(_processed, parameter, parameter.process_value)
        return parameters


class Command(_AsTyped, TyperCommand):
    """A command, whose help shows what most people use, or the options on a topic."""

    topic = ""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What was typed; two files where one is written are refused, as the first would be forgotten."""
        given = self.make_parser(ctx).parse_args(args=list(args))[2]
        for parameter in {*given}:
            option = OPTIONS.get(parameter.name or "")
            if option is not None and option.kind == "file" and not option.many and given.count(parameter) > 1:
                ctx.fail(
                    f"{parameter.opts[0]} names {given.count(parameter)} files: give one, and run again for another."
                )
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The options without a topic, or those on the one that was asked for."""
        for parameter in self.params if self.topic == "" else self.get_params(ctx):
            vars(parameter)["hidden"] = (getattr(parameter, "rich_help_panel", None) or "") != TOPICS.get(
                self.topic, ""
            )
        super().format_help(ctx, formatter)


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
