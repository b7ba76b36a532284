"""Golden files: compared with what was made; written again when PODIUM_WRITE_GOLDEN is set."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "golden"


def check_golden(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("PODIUM_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_bytes().decode("utf-8"), f"{name} differs; look at it, then set PODIUM_WRITE_GOLDEN=1"
