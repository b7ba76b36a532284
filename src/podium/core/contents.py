"""What a file holds, up to a limit: what has no end is refused, and what is read is not overwritten."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path
from typing import IO

from podium.core.errors import ArgumentError, DataError
from podium.core.files import protect
from podium.core.names import shown
from podium.core.numbers import megabytes

# MB of one file, unpacked: a table of scores has a thousandth, and memory must hold it several times.
LARGEST_FILE = 2_000
LIMIT = "PODIUM_LARGEST_FILE"  # in the environment: it is a matter of the machine, and nobody on the page may change it
_BLOCK = 1 << 20
_OF_SYSTEM = ("/proc/", "/sys/")


def file_name(path: object) -> str:
    """The name of a file within a sentence; a very long one is cut."""
    name = Path(str(path)).name
    return name if len(name) <= 80 else shown(name, 80)


def most_bytes() -> int:
    """How large a file may be, packed or not."""
    text = os.environ.get(LIMIT, str(LARGEST_FILE))
    if not text.isdecimal() or not int(text):
        raise ArgumentError(f"{LIMIT} must be a number of megabytes, such as {2 * LARGEST_FILE}; got {shown(text)}.")
    return int(text) * 1_000_000


def check_file(path: Path) -> None:
    """Refuse what has no end (a device) and what is too large to be held; a pipe is read as far as it goes.

    A file that is read is not to be overwritten, whichever option names it.
    """
    protect(path)
    try:
        about = path.stat()
    except (OSError, ValueError):
        return  # who opens it says what is wrong
    if _is_of_system(path, about):
        raise DataError(f"{shown(str(path), 80)} is not a file: the system makes it as it is read.", file=str(path))
    if stat.S_ISCHR(about.st_mode) or stat.S_ISBLK(about.st_mode) or stat.S_ISSOCK(about.st_mode):
        raise DataError(f"{shown(str(path), 80)} is a device and not a file: give a file.", file=str(path))
    if stat.S_ISREG(about.st_mode) and about.st_size > most_bytes():
        raise too_long(path)


def is_regular(path: str | Path) -> bool:
    """Whether a path leads to a file with an end: not to a folder, a device or a pipe, and not into /proc."""
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(about.st_mode) and not _is_of_system(path, about)


def _is_of_system(path: str | Path, about: os.stat_result) -> bool:
    """Whether the system makes a file as it is read: such a one says that it is empty, and /proc/kmsg has no end."""
    return stat.S_ISREG(about.st_mode) and not about.st_size and os.path.realpath(path).startswith(_OF_SYSTEM)


def bytes_up_to(stream: IO[bytes], most: int) -> bytes:
    """What a stream holds, block by block up to about so many bytes: `read` of so many takes all of that room at once."""
    blocks: list[bytes] = []
    size = 0
    while size < most and (block := stream.read(min(_BLOCK, most - size))):
        blocks.append(block)
        size += len(block)
    return b"".join(blocks)


def bytes_within(path: Path) -> bytes:
    """What a file holds, if it ends before the limit."""
    check_file(path)
    most = most_bytes()
    with path.open("rb") as file:
        content = bytes_up_to(file, most + 1)
    if len(content) > most:
        raise too_long(path)
    return content


def text_within(path: Path, encoding: str = "utf-8") -> str:
    """The same as text; every end of a line is told as one sign."""
    return io.TextIOWrapper(io.BytesIO(bytes_within(path)), encoding).read()


def too_long(path: object, does: str = "has", most: int | None = None) -> DataError:
    """The error for a file that has, or unpacks to, more than `most` bytes; more than the limit can be allowed."""
    more = "" if most is not None else f", or set the environment variable {LIMIT} to more megabytes"
    return DataError(
        f"{file_name(path)} {does} more than {megabytes(most or most_bytes())}: give a smaller table, such as one of mean scores{more}.",
        file=str(path),
    )
