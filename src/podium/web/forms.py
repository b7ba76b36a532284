"""Forms and addresses: from the texts that a browser sends to the options they mean, or a sentence."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, QueryParams

from podium.core.errors import ArgumentError
from podium.core.escape import visible

__all__ = ["for_page", "options_from", "sentence_of"]

Options = TypeVar("Options", bound=BaseModel)

_WHOLE = ("algorithms", "cost_metrics")  # lists of names that are chosen, not typed with commas between
# What the sentences of the reader call an option of the command line is a field of the form here.
_FIELDS = {
    "--metric": "“What the scores measure”",
    "--direction": "“Better is”",
    "--algorithm-column": "“Algorithms are in”",
    "--dataset-column": "“Datasets are in”",
    "--value-column": "“Scores are in”",
    "--fold-column": "“Folds are in”",
    "--repeat-column": "“Repeats are in”",
    "--metric-column": "“Metrics are in”",
    "--ignore-column": "“Leave out columns”",
    "--missing-marker": "“Missing is written as”",
    "--summaries": "“Summary rows and columns”",
    "--rows": "“Rows are”",
    "--layout": "“Shape”",
    "--separator": "“Separator”",
    "--encoding": "“Encoding”",
    "--sheet": "“Sheet”",
    "--decimal-comma": "“Decimal comma”",
    "--percent": "“Percent signs”",
    "--mean-sd": "“Mean and deviation in one cell”",
    "--footnotes": "“Footnote marks”",
    "--text-as-missing": "“Texts are failures”",
    "--repeats": "“Number of repeats”",
    "--test-fraction": "“Share tested”",
    "--cost": "“Costs”",
    "--cost-metric": "“Costs”",
    "--cost-order": "“Costs”",
}


def options_from(model: type[Options], sent: FormData | QueryParams, *, prefix: str = "") -> Options:
    """The options in a form; fields that are not of this model are left alone, blank ones are left out."""
    given: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        texts = [text.strip() for text in sent.getlist(prefix + name) if isinstance(text, str) and text.strip()]
        if not texts:
            continue
        if _is_list(field.annotation):
            parts = texts if name in _WHOLE else [part.strip() for text in texts for part in text.split(",")]
            given[name] = [part for part in parts if part]
        else:
            given[name] = texts[-1]
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise ArgumentError(sentence_of(error.errors())) from None


def _is_list(annotation: Any) -> bool:
    return (
        annotation is list or typing.get_origin(annotation) is list or any(map(_is_list, typing.get_args(annotation)))
    )


def sentence_of(errors: typing.Sequence[Mapping[str, Any]]) -> str:
    """The first thing that is wrong, in one sentence."""
    first = errors[0]
    place = [str(part) for part in first["loc"] if part not in ("query", "body", "path")]
    name = place[0] if place else "the request"
    message = str(first["msg"])
    got = first.get("input")
    shown = f"; got {visible(str(got)[:60])!r}" if isinstance(got, str | int | float) else ""
    return f"`{visible(name)}`: {message[:1].lower()}{message[1:]}{shown}."


def for_page(sentence: str) -> str:
    """A sentence in the words of the form: fields instead of options of the command line, no Python.

    >>> for_page("Say what it is: give --metric (such as auc), or --direction lower (`metric=`, `direction=`).")
    'Say what it is: give “What the scores measure” (such as auc), or “Better is” lower.'
    """
    without_python = re.sub(r" \(`[^()]*\)", "", sentence)
    named = r"--[a-z]+(?:-[a-z]+)*|`([a-z_]+)`"
    return re.sub(named, lambda match: _FIELDS.get(_flag(match[1] or match[0]), match[0]), without_python)


def _flag(name: str) -> str:
    return name if name.startswith("--") else "--" + name.replace("_", "-")
