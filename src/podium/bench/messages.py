"""Messages: the frames that driver, supervisor and worker send each other. Each says of which task and of which process it is.

Whatever is not a frame is refused: an algorithm may write to any descriptor that it finds.
"""

from __future__ import annotations

import os
import select
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_MARK = b"PODIUM"
_HEADER = struct.Struct(">6sc32sIIQ")  # mark, kind, key, process, checksum of the body, its length
_LONGEST = 1 << 36

READY, JOB, BEGIN, GO, END, OUTCOME, LAST, BEAT = b"r", b"j", b"b", b"g", b"e", b"o", b"l", b"h"


class Frame(NamedTuple):
    """A message: its kind, the key of its task, the process that wrote it, and what it says."""

    kind: bytes
    key: str
    pid: int
    body: bytes


class NoFrame(Exception):
    """Something else than a frame was written."""


def write_frame(descriptor: int, kind: bytes, key: str = "", body: bytes = b"") -> None:
    """Write a whole frame, waiting for the reader if need be."""
    header = _HEADER.pack(_MARK, kind, key.encode(), os.getpid(), zlib.crc32(body), len(body))
    waiting = memoryview(header + body)
    while waiting:
        waiting = waiting[os.write(descriptor, waiting) :]


def readable(descriptors: Iterable[int], seconds: float | None = None) -> set[int]:
    """Those with something to read, within so many seconds; `select` knows none above 1,023."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(None if seconds is None else 1000 * seconds)}


class Reader:
    """The frames that arrive at a descriptor."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._held = bytearray()
        os.set_blocking(descriptor, False)

    def frames(self) -> Iterator[Frame]:
        """Those that are there, without waiting; EOFError where the other end is closed."""
        while True:
            yield from self._whole()
            try:
                part = os.read(self.descriptor, 1 << 20)
            except BlockingIOError:
                return
            if not part:
                raise EOFError
            self._held += part

    def next(self) -> Frame:
        """The next one, however long it takes."""
        while True:
            for frame in self.frames():
                return frame
            readable([self.descriptor])

    def _whole(self) -> Iterator[Frame]:
        while len(self._held) >= _HEADER.size:
            mark, kind, key, pid, checksum, length = _HEADER.unpack_from(self._held)
            if mark != _MARK or length > _LONGEST:
                raise NoFrame
            if len(self._held) < _HEADER.size + length:
                return
            body = bytes(self._held[_HEADER.size : _HEADER.size + length])
            del self._held[: _HEADER.size + length]
            if zlib.crc32(body) != checksum:
                raise NoFrame
            yield Frame(kind, key.rstrip(b"\0").decode("ascii", "replace"), pid, body)
