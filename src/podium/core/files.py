"""Files that are whole or not there: written under another name first and then renamed; and tables of the package."""

from __future__ import annotations

import os
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from podium.core.errors import DataError


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
        replace_file(path, content.encode("utf-8") if isinstance(content, str) else content)
    return path


def replace_file(path: Path, content: bytes, *, temporary: Path | None = None) -> None:
    """Write a file into a folder that exists, whole or not at all; what the system refuses stays an OSError.

    Where only one process writes, it may give the `temporary` name: then the next write clears up after a kill.
    """
    if temporary is None:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        temporary = Path(name)
    try:
        temporary.write_bytes(content)
        temporary.chmod(0o644)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_toml(room: str, name: str) -> dict[str, Any]:
    """A table that comes with the package, its lists as tuples: `read_toml("core", "options.toml")`."""
    table: dict[str, Any] = _frozen(tomllib.loads(files("podium").joinpath(room, name).read_text(encoding="utf-8")))
    return table


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
