"""Forms and addresses: the fields of its options, and from the texts that a browser sends to the options they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any, TypeVar

from pydantic import ValidationError
from starlette.datastructures import FormData, QueryParams

from podium.core.errors import ArgumentError, PodiumError
from podium.core.escape import visible
from podium.core.options import OPTIONS, Option
from podium.web.models import Options

Model = TypeVar("Model", bound=Options)
# Lists of names that are chosen, not typed with commas between.
_WHOLE = ("algorithms", "cost", "value_column", "algorithm_column", "dataset_column", "ignore_column")
_PLACES = ("query", "body", "path", "options", "reading")  # where a field stands in a request
_SEVERAL = re.compile(r" \(repeatable\)")  # as one says on the command line
_WORDS = {"auto": "recognise it", "ask": "ask me", "drop": "leave them out", "keep": "keep them"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """A field of a form: `kind` is "text", "number", "whole", "flag", "choice", "several" (of choices) or "column"."""

    name: str
    label: str
    hint: str
    kind: str
    choices: tuple[tuple[str, str], ...]
    default: Any
    required: bool


@cache
def fields_of(model: type[Options]) -> dict[str, FormField]:
    """The fields of a model by name."""
    return {option.name: _field(option) for option in model.declared}


def _field(option: Option) -> FormField:
    kind = {"fraction": "number"}.get(option.kind, option.kind)
    default = None if option.default is ... else option.default
    if option.choices:
        kind = "several" if option.many else "choice"
    elif option.word or (option.many and not (kind == "column" and default is None)):
        kind = "text"
    return FormField(
        name=option.name,
        label=option.label,
        hint=_SEVERAL.sub("; several with commas between", option.help),
        kind=kind,
        choices=tuple((choice, _words(option, choice)) for choice in option.allowed()),
        default=", ".join(default) if isinstance(default, tuple) and kind != "several" else default,
        required=option.default is ...,
    )


def _words(option: Option, choice: str) -> str:
    """A choice in words: the label of its registry, where it is of one."""
    if isinstance(option.choices, str):
        label = getattr(resolve_name(option.choices).get(choice), "label", None)
        if label:
            return f"{label} ({choice})"
    return _WORDS.get(choice, choice.replace("_", " "))


def options_from(model: type[Model], sent: FormData | QueryParams, *, prefix: str = "") -> Model:
    """The options in a form; fields that are not of this model are left alone, blank ones are left out."""
    typed: dict[str, Any] = {}
    for option in model.declared:
        texts = [text.strip() for text in sent.getlist(prefix + option.name) if isinstance(text, str) and text.strip()]
        if texts and option.many:
            parts = texts if option.name in _WHOLE else [part.strip() for text in texts for part in text.split(",")]
            typed[option.name] = [part for part in parts if part]
        elif texts:
            typed[option.name] = texts[-1]
    try:
        return model.model_validate(typed)
    except ValidationError as error:
        raise refused(error.errors()) from None


def refused(errors: Sequence[Mapping[str, Any]]) -> ArgumentError:
    """The first thing that is wrong, in one sentence."""
    first = errors[0]
    place = [str(part) for part in first["loc"] if part not in _PLACES]
    message, got = str(first["msg"]), first.get("input")
    shown = f"; got {visible(str(got)[:60])!r}" if isinstance(got, str | int | float) else ""
    sentence = "{argument}: {message}{shown}."
    name = visible(place[0]) if place else "the request"
    return ArgumentError(sentence, argument=name, message=message[:1].lower() + message[1:], shown=shown)


def said(error: PodiumError) -> str:
    """The sentence of an error in the words of the form.

    >>> said(PodiumError("Say what it is: give {metric}."))
    'Say what it is: give “Metric”.'
    """
    return error.said(lambda name: f"“{OPTIONS[name].label if name in OPTIONS else name}”")
