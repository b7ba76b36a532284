"""Files that are whole or not there: written under another name first and then renamed."""

from __future__ import annotations

import errno
import os
import stat
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from podium.core.errors import DataError
from podium.core.names import shown

# What was read here, the latest: it is never written. `protect` names it, and `forget_inputs` is called where a command begins.
_INPUTS: deque[Path] = deque(maxlen=100_000)


def protect(*sources: object) -> None:
    """Name files and folders (in lists, too) that are read, so that no output takes their place; what is no path is let be."""
    for source in sources:
        several = source if isinstance(source, list | tuple) else (source,)
        _INPUTS.extend(Path(one) for one in several if isinstance(one, str | os.PathLike))


def forget_inputs() -> None:
    """A new command begins: it has read nothing yet."""
    _INPUTS.clear()


def refuse_inputs(path: Path) -> None:
    """Refuse to write what was read, under whatever name; of a folder, only files that could have been read."""
    if "\0" in str(path):
        raise DataError(f"{shown(str(path), MOST_SHOWN)} is not the name of a file: choose another one.")
    if path.is_file() and any(_is_of(source, path) for source in _INPUTS):
        raise DataError(f"{path} was read here, and would be overwritten: choose another name.")


def _is_of(source: Path, path: Path) -> bool:
    with suppress(OSError, ValueError):  # a name that no file can have is no input
        within = source.is_dir() and real(path).is_relative_to(real(source))
        return os.path.samefile(source, path) or (within and path.suffix.lower() not in _WRITTEN_ONLY)
    return False


MOST_SHOWN = 200  # characters of a path in a sentence: two or three lines
STANDARD_OUTPUT = "-"  # what a command takes for the name of a file to print instead

_WRITTEN_ONLY = (".html", ".md", ".tex", ".pdf", ".svg", ".tikz")  # reports may lie beside the scores that they are of


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Make the folder of a file that is written within; what the system refuses becomes a `DataError`."""
    try:
        refuse_inputs(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise DataError(f"{_named(path)} cannot be written ({error.strerror}): choose another place.") from None


def _named(path: Path) -> str:
    """A path in a sentence; a very long one is cut."""
    return str(path) if len(str(path)) <= MOST_SHOWN else shown(str(path), MOST_SHOWN)


def write_atomically(path: str | Path, content: str | bytes) -> Path:
    """Write a file (text as UTF-8), or leave what was there untouched."""
    path = Path(path)
    with writing(path):
        replace_file(path, content.encode("utf-8") if isinstance(content, str) else content)
    return path


def real(path: str | Path) -> Path:
    """The path without links; of links that go round in circles, one of them."""
    return Path(os.path.realpath(path))


def replace_file(path: Path, content: bytes) -> None:
    """Write a file into a folder that exists, whole or not at all; what the system refuses stays an OSError.

    A link stays, and the file that it leads to is written; so is what is no regular file (a device, a pipe), which cannot be
    replaced. A file that was there keeps its mode; a new one gets what the umask leaves.
    """
    path = real(path) if path.is_symlink() else path
    try:
        mode: int | None = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        path.write_bytes(content)
        return
    if mode is not None and not os.access(path, os.W_OK):  # a folder lets its files be replaced, whoever may write them
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    _put(path, content, path.with_name(f".{path.name[:100]}.{uuid.uuid4().hex}"), mode)


def replace_own_file(path: Path, content: bytes) -> None:
    """The same for a file whose name is ours and that only one process writes; a link in its place is replaced, not followed.

    The temporary name is always the same: the next write clears up after a kill.
    """
    temporary = path.with_suffix(".tmp")
    temporary.unlink(missing_ok=True)
    _put(path, content, temporary)


def _put(path: Path, content: bytes, temporary: Path, mode: int | None = None) -> None:
    try:
        with open(temporary, "xb") as file:  # made with the mode that the umask leaves, and never through a link
            file.write(content)
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
