"""How results look in a notebook, where a higher room can show more of them than their own sentence and table.

`podium` says which function that is; it is loaded when a result is first shown. This room knows none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

#: Class of a result -> the function that gives its HTML.
NOTEBOOK: dict[str, Callable[[Any], str]] = {}
