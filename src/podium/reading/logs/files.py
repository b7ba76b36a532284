"""Files of logs, opened one way: what was packed is unpacked, and what cannot be read is refused by its name."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from podium.core.contents import most_bytes, too_long
from podium.core.errors import DataError
from podium.reading.logs.packing import BROKEN, opener_of

HEAD = 16_384
ARCHIVE = b"PK\x03\x04"


def head_of(path: Path) -> bytes:
    """The first bytes of a file, unpacked if it was packed."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    unpack = opener_of(head)
    if unpack is None:
        return head
    with unpack(path) as unpacked:
        start: bytes = unpacked.read1(HEAD)
        return start


def form_of(head: bytes) -> str:
    """What a file is by its first bytes: "json", "archive", "sqlite", "parquet", "array" or "text".

    >>> form_of(b"dataset,svm"), form_of(b' {"results": []}'), form_of(ARCHIVE)
    ('text', 'json', 'archive')
    """
    for start, form in (
        (ARCHIVE, "archive"),
        (b"SQLite format 3\x00", "sqlite"),
        (b"PAR1", "parquet"),
        (b"\x93NUMPY", "array"),
    ):
        if head.startswith(start):
            return form
    return "json" if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "text"


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A file to read from, unpacked if it was packed; what the system refuses is a `DataError`."""
    try:
        with path.open("rb") as file:
            unpack = opener_of(file.read(6))
            if unpack is None:
                file.seek(0)
                yield file
                return
        with tempfile.TemporaryFile() as unpacked:
            _unpack(path, unpack, unpacked)
            yield unpacked
    except OSError as error:
        raise DataError(f"{path} cannot be read ({(error.strerror or 'unknown error').lower()}).") from None


def _unpack(path: Path, unpack: Callable[..., Any], unpacked: Any) -> None:
    """The content of a packed file in a file without a name; a bomb is refused."""
    most = most_bytes()
    try:
        with unpack(path) as packed:
            while block := packed.read(1 << 20):
                unpacked.write(block)
                if unpacked.tell() > most:
                    raise too_long(path, "unpacks to")
    except DataError:
        raise
    except BROKEN:
        raise damaged(path) from None
    unpacked.seek(0)


@contextmanager
def opened_text(path: Path, *, errors: str = "strict") -> Iterator[io.TextIOWrapper]:
    """A file of text in UTF-8, its line ends as they are."""
    with opened(path) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig", errors=errors, newline="") as text:
        yield text


def wrong(file: Path, problem: str, name: str = "") -> DataError:
    """The error for what a file holds: its name, or one that says more, and the problem (", line 3: ..." or "has no study.")."""
    return DataError(f"{name or file.name}{'' if problem[0] in ',:' else ' '}{problem}", file=str(file))


def damaged_line(path: Path, line: int, problem: str, name: str = "") -> DataError:
    """The error for a line that is not as its tool writes it."""
    cure = "the file is damaged or was cut off. Restore it, or leave it out."
    return wrong(path, f", line {line}, is {problem}: {cure}", name)


def damaged(path: Path) -> DataError:
    """The error for a file that is not whole."""
    return wrong(path, "is damaged or was cut off: restore it, or leave it out.")
