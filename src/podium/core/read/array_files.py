"""Arrays of numbers in `.npy` and `.npz` files; what is damaged or holds Python objects is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from podium.core.errors import DataError
from podium.core.read.logs.zips import BROKEN


def arrays_in(path: Path) -> dict[str, Any]:
    """The arrays of a .npz by name; that of a .npy is called as the file."""
    try:
        with path.open("rb") as file:
            held = np.load(file, allow_pickle=False)
            if isinstance(held, np.ndarray):
                return {path.stem: held}
            with held:
                return {name: held[name] for name in held.files}
    except (*BROKEN, KeyError, TypeError, MemoryError, OverflowError) as error:
        why = "it holds Python objects, which are not read" if "pickle" in str(error).lower() else "it is damaged"
        raise DataError(f"{path.name} cannot be read ({why}): save arrays of numbers.", file=str(path)) from None
