"""Files that are whole or not there: written under another name first and then renamed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from podium.core.errors import DataError

__all__ = ["write_atomically", "writing"]


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Make the folder of a file that is written within; what the system refuses becomes a `DataError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written ({error.strerror}): choose another place.") from None


def write_atomically(path: str | Path, content: str | bytes) -> Path:
    """Write a file (text as UTF-8), or leave what was there untouched."""
    path = Path(path)
    with writing(path):
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content.encode("utf-8") if isinstance(content, str) else content)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    return path
