"""Forms and addresses: the fields that a model has, and from the texts that a browser sends to the options they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pkgutil import resolve_name
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, QueryParams

from podium.core.errors import ArgumentError, PodiumError
from podium.core.escape import visible
from podium.core.options import OPTIONS

Model = TypeVar("Model", bound=BaseModel)
# Lists of names that are chosen, not typed with commas between.
_WHOLE = ("algorithms", "cost", "value_column", "algorithm_column", "dataset_column")
_PLACES = ("query", "body", "path", "options", "reading")  # where a field stands in a request
_SEVERAL = re.compile(r" \(give it several times[^)]*\)")  # as one says on the command line
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


@cache
def fields_of(model: type[BaseModel]) -> dict[str, FormField]:
    """The fields of a model by name, from its schema."""
    return {name: _field(name, facts) for name, facts in _properties(model).items()}


@cache
def _properties(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of each field; making it takes longer than anything else in reading a form."""
    found: dict[str, Any] = model.model_json_schema()["properties"]
    return found


def _field(name: str, facts: dict[str, Any]) -> FormField:
    variants = [one for one in facts.get("anyOf", [facts]) if one.get("type") != "null"]
    choices = variants[0].get("enum", variants[0].get("items", {}).get("enum", []))
    kinds = {"number": "number", "integer": "whole", "boolean": "flag"}
    kind = kinds.get(variants[0].get("type", ""), "text") if len(variants) == 1 else "text"
    if choices:
        kind = "several" if variants[0].get("type") == "array" else "choice"
    elif name in OPTIONS and OPTIONS[name].kind == "column" and OPTIONS[name].default is None:
        kind = "column"
    default = facts.get("default")
    return FormField(
        name=name,
        label=facts["title"],
        hint=_SEVERAL.sub("; several with commas between", facts.get("description", "")),
        kind=kind,
        choices=tuple((choice, _words(name, choice)) for choice in choices),
        default=", ".join(default) if isinstance(default, list) and kind != "several" else default,
    )


def _words(name: str, choice: str) -> str:
    """A choice in words: the label of its registry, where it is of one."""
    declared = OPTIONS[name].choices if name in OPTIONS else ()
    if isinstance(declared, str):
        label = getattr(resolve_name(declared).get(choice), "label", None)
        if label:
            return f"{label} ({choice})"
    return _WORDS.get(choice, choice.replace("_", " "))


def options_from(model: type[Model], sent: FormData | QueryParams, *, prefix: str = "") -> Model:
    """The options in a form; fields that are not of this model are left alone, blank ones are left out."""
    given: dict[str, Any] = {}
    for name, field in _properties(model).items():
        texts = [text.strip() for text in sent.getlist(prefix + name) if isinstance(text, str) and text.strip()]
        if not texts:
            continue
        if any(one.get("type") == "array" for one in field.get("anyOf", [field])):
            parts = texts if name in _WHOLE else [part.strip() for text in texts for part in text.split(",")]
            given[name] = [part for part in parts if part]
        else:
            given[name] = texts[-1]
    try:
        return model.model_validate(given)
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
    'Say what it is: give “What the scores measure”.'
    """
    return error.said(lambda name: f"“{OPTIONS[name].label if name in OPTIONS else name}”")
