"""Golden files: compared with what was made; written again when PODIUM_WRITE_GOLDEN is set, never under CI."""

import os
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "golden"


def check_golden(name: str, text: str) -> None:
    path = FOLDER / name
    if os.environ.get("PODIUM_WRITE_GOLDEN"):
        # A gate that wrote what it compares with could not fail.
        assert not os.environ.get("CI"), (
            "PODIUM_WRITE_GOLDEN is refused under CI: write golden files by hand, and read them"
        )
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_bytes().decode("utf-8"), f"{name} differs; look at it, then set PODIUM_WRITE_GOLDEN=1"
