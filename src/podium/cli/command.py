"""Commands of typer that take words as they were typed, where text is wanted.

Typer loads pydantic to look at a single word, and at every option that was not given; that takes 0.1 s.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from typer.core import TyperCommand, TyperGroup


class _AsTyped:
    """What leaves alone what needs no conversion."""

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
