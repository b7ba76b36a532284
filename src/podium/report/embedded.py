"""The data within a page: written so that nothing in a name can leave its place, and read back."""

from __future__ import annotations

import json
import re
from typing import Any

from podium.core.errors import DataError

__all__ = ["DATA_ID", "json_for_script", "read_embedded"]

DATA_ID = "podium-data"


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
