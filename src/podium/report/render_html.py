"""The document as one page: a single file that needs no network and declares its own content policy."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from typing import Any

from podium.core.errors import DataError
from podium.core.escape import xml
from podium.core.numbers import counted
from podium.core.version import VERSION
from podium.plot.draw_svg import STYLE as FIGURE_STYLE
from podium.report.document import Document, filled, template
from podium.report.html_blocks import folded_html, packed, reference_html, section_html, unpacked

SCRIPTS = ("tables.js", "page.js")
DATA_ID = "podium-data"
PACKED_FROM = 100_000  # characters; longer data are compressed within the page
LONG = 4_000_000  # letters
MOST_PAIRS = 2000  # the numbers of more pairs are left to the JSON file: the scores give them again
AGAIN = (
    "The scores, the settings and every number are within this page; "
    "<code>podium compare --from</code> this file repeats the comparison, and <code>--latex</code> with it writes the tables and "
    "figures for a paper."
)


def render_html(document: Document) -> str:
    """The whole page."""
    style, script = _style(document.title), _script()
    sections = list(map(section_html, document.sections))
    if document.references:
        items = "".join(map(reference_html, document.references))
        works = f'<ol class="references">{items}</ol>'
        sections.append(folded_html("references", "References", counted(len(document.references), "work"), works))
    return filled(
        "page.html",
        policy=_policy(style, script),
        title=xml(document.title),
        heading=_heading(document),
        subtitle=xml(document.subtitle),
        first=xml(document.sections[0].title.lower()),
        version=xml(VERSION),
        again=AGAIN if "repeat" in document.data else "Every number is within this page.",
        style=style,
        script=script,
        links="".join(_links(document)),
        sections="\n".join(sections),
        data=_carried(DATA_ID, carried_data(document.data)),
    )


def _heading(document: Document) -> str:
    """The title: the heading of the page, unless a verdict is that."""
    tag = "h1" if document.sections[0].verdict is None else "p"
    return f'<{tag} class="title">{xml(document.title)}</{tag}>'


def carried_data(data: dict[str, Any]) -> dict[str, Any]:
    """What a page carries of the data: all that its scores give again, but for the numbers of thousands of pairs."""
    data = {key: value for key, value in data.items() if key != "reading"}
    pairs = data.get("pairs")
    if not isinstance(pairs, dict) or len(pairs.get("a", ())) <= MOST_PAIRS:
        return data
    return {**data, "pairs": None}


def _carried(name: str, value: Any) -> str:
    """Data within the page: plain where they are short, else packed."""
    text = json_for_script(value)
    if len(text) <= PACKED_FROM:
        return f'<script type="application/json" id="{name}">{text}</script>'
    level = 7 if len(text) <= LONG else 1  # millions of digits hardly get smaller by more work
    return f'<script type="application/gzip" id="{name}">{packed(text, level)}</script>'


def _style(title: str) -> str:
    """The style sheet; on paper every page after the first has the title, written so that no title can be read as style."""
    written = "".join(letter if letter.isascii() and letter.isalnum() else f"\\{ord(letter):x} " for letter in title)
    head = f'@top-left {{ content: "{written}"; font: 8pt sans-serif; }}'
    paper = f"@media print {{ @page {{ {head} }} @page :first {{ @top-left {{ content: none; }} }} }}"
    return f"{FIGURE_STYLE}\n{template('page.css')}\n{paper}\n"


def _script() -> str:
    body = "\n".join(template(name) for name in SCRIPTS)
    return f'(() => {{\n"use strict";\n{body}\n}})();'


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded and nothing may run, but for this style sheet and this script."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _links(document: Document) -> list[str]:
    links = [(section.key, section.title) for section in document.sections[1:]]
    links += [("references", "References")] if document.references else []
    return [f'<li><a href="#{xml(key)}">{xml(title)}</a></li>' for key, title in links]


def json_for_script(value: Any) -> str:
    r"""JSON that can stand within a script element: no "<", ">" or "&" that HTML could read.

    >>> json_for_script({"a": "</script>"})
    '{"a":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


# The data that a page carries: how they are written, and their text.
CARRIED = re.compile(rf'(?<=<script type="application/)(json|gzip)" id="{DATA_ID}">(.*?)(?=</script>)', flags=re.DOTALL)


def carried_text(carried: re.Match[str]) -> str:
    """The data as JSON, unpacked if they were packed."""
    return carried[2] if carried[1] == "json" else unpacked(carried[2])


def read_embedded(page: str) -> dict[str, Any]:
    """The data that a page carries, as its JSON file has them; a page that is not Podium's is refused."""
    carried = CARRIED.search(page)
    if carried is None:
        raise DataError("The page carries no data of Podium: give a page made by Podium.")
    try:
        data = json.loads(carried_text(carried))
    except (OSError, EOFError, zlib.error, binascii.Error, UnicodeDecodeError):
        raise DataError("The packed data in the page are damaged: make the page again.") from None
    except json.JSONDecodeError as error:
        raise DataError(f"The data in the page are damaged at character {error.pos}: make the page again.") from None
    if not isinstance(data, dict) or not str(data.get("schema", "")).startswith("podium."):
        raise DataError("The data in the page are not Podium's: give a page made by Podium.")
    return data
