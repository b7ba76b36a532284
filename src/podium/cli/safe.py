"""Text from files on its way to a terminal: nothing in a name may move the cursor or speak markup."""

from __future__ import annotations

from podium.core.escape import visible


def safe(text: object) -> str:
    """The text on one line, its control and invisible characters written out.

    >>> safe("a\\x1b[31m\\nb")
    'a\\\\x1b[31m\\\\nb'
    """
    return visible(str(text))
