"""Text from files on its way to a terminal: nothing in a name may move the cursor or speak markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.core.escape import visible

if TYPE_CHECKING:
    from rich.text import Text


def safe(text: object) -> str:
    """The text on one line, its control and invisible characters written out.

    >>> safe("a\\x1b[31m\\nb")
    'a\\\\x1b[31m\\\\nb'
    """
    return visible(str(text))


def cell(text: object, style: str = "") -> Text:
    """A cell of a rich table: safe, and free of markup."""
    from rich.text import Text

    return Text(safe(text), style=style)
