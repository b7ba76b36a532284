"""The document as one page: a single file that needs no network and declares its own content policy."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from podium.core.errors import DataError
from podium.core.escape import xml
from podium.core.version import VERSION
from podium.plot.draw_svg import STYLE as FIGURE_STYLE
from podium.report.document import Document, FigureBlock, Paragraph, TableBlock
from podium.report.html_blocks import reference_html, section_html
from podium.report.render_latex import latex_part, part_name

SCRIPTS = ("tables.js", "page.js")
DATA_ID = "podium-data"
COPIED_ROWS = 300  # LaTeX of longer tables is not carried for copying
AGAIN = (
    "The scores, the settings and every number are within this page; "
    "<code>podium compare --from</code> this file repeats the comparison."
)


def render_html(document: Document) -> str:
    """The whole page."""
    style, script = _style(), _script()
    sections = list(map(section_html, document.sections))
    if document.references:
        items = "".join(map(reference_html, document.references))
        sections.append(
            '<section id="references" aria-labelledby="references-title"><h2 id="references-title">References</h2>'
            f'<ol class="references">{items}</ol></section>'
        )
    return _fill(
        _template("page.html"),
        policy=_policy(style, script),
        title=xml(document.title),
        subtitle=xml(document.subtitle),
        first=xml(document.sections[0].title.lower()),
        version=xml(VERSION),
        again=AGAIN if "repeat" in document.data else "Every number is within this page.",
        style=style,
        script=script,
        links="".join(_links(document)),
        sections="\n".join(sections),
        data_id=DATA_ID,
        data=json_for_script(document.data),
        latex=json_for_script(_latex_parts(document)),
    )


def _fill(template: str, **values: str) -> str:
    """The template with its {{names}} filled in one sweep, so that no value is searched for names."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template)


@cache
def _template(name: str) -> str:
    return files("podium.report").joinpath("templates", name).read_text(encoding="utf-8")


def _style() -> str:
    return FIGURE_STYLE + "\n" + _template("page.css")


def _script() -> str:
    body = "\n".join(_template(name) for name in SCRIPTS)
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


def _latex_parts(document: Document) -> dict[str, str]:
    """What can be copied as LaTeX, by the key of its block."""
    return {
        "methods" if isinstance(block, Paragraph) else block.key: latex_part(block)
        for block in document.blocks()
        if isinstance(block, Paragraph | TableBlock | FigureBlock) and part_name(block) and _is_short(block)
    }


def _is_short(block: Paragraph | TableBlock | FigureBlock) -> bool:
    if isinstance(block, TableBlock):
        return len(block.rows) <= COPIED_ROWS and not block.folded
    return not isinstance(block, FigureBlock) or len(block.scene.shapes) <= 10 * COPIED_ROWS


def json_for_script(value: Any) -> str:
    r"""JSON that can stand within a script element: no "<", ">" or "&" that HTML could read.

    >>> json_for_script({"a": "</script>"})
    '{"a":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def read_embedded(page: str) -> dict[str, Any]:
    """The data that a page carries, as its JSON file has them; a page that is not Podium's is refused."""
    found = re.search(rf'<script type="application/json" id="{DATA_ID}">(.*?)</script>', page, flags=re.DOTALL)
    if found is None:
        raise DataError("The page carries no data of Podium: give a page made by Podium.")
    try:
        data = json.loads(found[1])
    except json.JSONDecodeError as error:
        raise DataError(f"The data in the page are damaged at character {error.pos}: make the page anew.") from None
    if not isinstance(data, dict) or not str(data.get("schema", "")).startswith("podium."):
        raise DataError("The data in the page are not Podium's: give a page made by Podium.")
    return data
