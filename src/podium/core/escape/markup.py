"""Text for HTML, XML and the cells of CSV files."""

from __future__ import annotations

import functools
import re

from podium.core.escape.names import visible


@functools.lru_cache(maxsize=16384)  # a report writes the same names and numbers many times
def xml(text: str) -> str:
    """The text for an element or a quoted attribute of HTML or XML.

    >>> xml("<b title='x'>A & B</b>")
    '&lt;b title=&#39;x&#39;&gt;A &amp; B&lt;/b&gt;'
    """
    escaped = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace('"', "&quot;").replace("'", "&#39;")


def csv_cell(text: str) -> str:
    """The text for a cell of a CSV file that a spreadsheet may open; numbers stay numbers, formulas become text.

    Quoting is left to the csv module.

    >>> csv_cell("=HYPERLINK(1)"), csv_cell("-0.5"), csv_cell("-x")
    ("'=HYPERLINK(1)", '-0.5', "'-x")
    """
    cleaned = visible(text)
    if not cleaned.lstrip().startswith(("=", "+", "-", "@", "\\t", "\\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")):
        return cleaned
    return cleaned if _NUMBER.fullmatch(cleaned) else "'" + cleaned


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
