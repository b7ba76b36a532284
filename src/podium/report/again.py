"""Whether a report says what its own scores give: the comparison again, and everything in it compared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.numbers import counted
from podium.core.version import VERSION
from podium.report.comparison import comparison_data, comparison_document
from podium.report.render_html import CARRIED, carried_data, carried_text, json_for_script, render_html

_MISSING = object()


def differences(data: dict[str, Any], comparison: Comparison, page: str | None = None) -> list[str]:
    """What the data of a report, and the page that carries them, say otherwise than the comparison of its own scores.

    Which version has made it, and in data without a page how the file was read, the scores cannot tell.
    """
    made_by = data.get("podium")
    again = json.loads(json.dumps(comparison_data(comparison))) | {"podium": made_by}
    del again["reading"]
    again = again if page is None else carried_data(again)
    again["methods"] = again["methods"].replace(f"Podium {VERSION}", f"Podium {made_by}")
    said = [
        f"{place}: {_shown(old, new)} there, {_shown(new, old)} computed"
        for key in dict.fromkeys([*data, *again])
        for place, old, new in _unequal(key, data.get(key, _MISSING), again.get(key, _MISSING))
        if key != "reading" or page is not None
    ]
    if page is None:
        return said
    carried = CARRIED.search(page)
    if carried is not None and carried_text(carried) != json_for_script(data):
        said.append("the data of the page are not written as Podium writes them, and may hide what follows them")
    here, computed = (
        CARRIED.sub("", text, count=1).split("\n") for text in (page, render_html(comparison_document(comparison)))
    )
    said += (lines := _in_lines(here, computed))
    if lines and made_by != VERSION:
        said.append(f"each version writes a page in its own way: to compare the text of this one, use podium {made_by}")
    return said


def _in_lines(here: list[str], computed: list[str]) -> list[str]:
    """Every place of a page that differs; where it has more or fewer lines, only the first, as all later ones are moved."""
    said = [
        f"line {number} of the page: {old} there, {new} computed"
        for number, pair in enumerate(zip_longest(here, computed, fillvalue=""), 1)
        if pair[0] != pair[1]
        for old, new in _in_line(*pair)
    ]
    if len(here) == len(computed):
        return said
    return [*said[:1], f"the page has {counted(len(here), 'line')}, {len(computed)} computed"]


def _in_line(old: str, new: str) -> Iterator[tuple[str, str]]:
    """The words and tags of a line that differ; where their number differs, the place at which the line begins to."""
    parts = re.findall(r"<[^>]*>|[^<]+", old), re.findall(r"<[^>]*>|[^<]+", new)
    if len(parts[0]) != len(parts[1]):
        parts = [old], [new]
    for one, other in zip(*parts, strict=True):
        if one != other:
            yield _around(one, other), _around(other, one)


def _unequal(place: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    """The places at which two plain values differ, with both values."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _unequal(f"{place}.{key}", old.get(key, _MISSING), new.get(key, _MISSING))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _unequal(f"{place}[{number}]", one, other)
    elif type(old) is not type(new) or old != new:
        yield place, old, new


def _shown(value: Any, other: Any) -> str:
    """A value; of a long text what it begins to differ with."""
    if isinstance(value, str) and isinstance(other, str) and max(len(value), len(other)) > 60:
        return _around(value, other)
    return "nothing" if value is _MISSING else check.shown(value, limit=60)


def _around(text: str, other: str) -> str:
    """The place at which a line begins to differ from another."""
    first = next((i for i, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))
    return repr(text[max(first - 10, 0) : first + 30])
