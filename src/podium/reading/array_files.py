"""Arrays of numbers in `.npy` and `.npz` files; what is damaged or holds Python objects is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from podium.core.contents import check_file, most_bytes, too_long
from podium.core.errors import DataError
from podium.reading.wall import wall


def arrays_in(path: Path) -> dict[str, Any]:
    """The arrays of a .npz by name; that of a .npy is called as the file."""
    with wall(path), path.open("rb") as file:
        check_file(path)
        try:
            held = np.load(file, allow_pickle=False)
        except ValueError as error:
            if "Object arrays" not in str(error):  # a file of another kind is told as that
                raise
            raise DataError(
                f"{path.name} holds Python objects, which are not read: save arrays of numbers.", file=str(path)
            ) from None
        if isinstance(held, np.ndarray):
            return {path.stem: held}
        with held:
            if sum(entry.file_size for entry in held.zip.infolist()) > most_bytes():
                raise too_long(path, "unpacks to")
            return {name: held[name] for name in held.files}
