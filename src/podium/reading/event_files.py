"""Scalars in event files of TensorBoard (CleanRL, Stable-Baselines): records of TensorFlow with a protocol buffer in each."""

from __future__ import annotations

import struct
from collections import defaultdict
from pathlib import Path
from typing import Any

from podium.core.contents import bytes_within
from podium.core.errors import DataError


def scalars_in(path: Path) -> dict[str, list[tuple[int, float]]]:
    """Every scalar of an event file by its tag: (step, value) in the order of writing; a record that was cut off ends the file."""
    scalars: dict[str, list[tuple[int, float]]] = defaultdict(list)
    data, place = bytes_within(path), 0
    try:  # a record is its length (8 bytes), a checksum (4), itself and a checksum (4)
        while place + 16 + (size := int.from_bytes(data[place : place + 8], "little")) <= len(data):
            event = _fields(data[place + 12 : place + 12 + size])
            for value in (each for summary in event[5] for each in _fields(summary)[1]):
                about = _fields(value)
                tensor = _fields(about[8][-1]) if about[8] else about  # the other way to write a scalar
                held = about[2] or (tensor[5] or tensor[4] if tensor[1] == [1] else []) or [b""]
                if len(held[-1]) == 4:
                    step = (event[2] or [0])[-1]
                    scalars[about[1][-1].decode("utf-8")].append((step, struct.unpack("<f", held[-1])[0]))
            place += 16 + size
    except (LookupError, UnicodeError, TypeError, AttributeError, StopIteration):
        raise DataError(f"{path.parent.name}/{path.name} is not an event file of TensorBoard, or is damaged.") from None
    return dict(scalars)


def _fields(message: bytes) -> dict[int, list[Any]]:
    """The fields of a protocol buffer by their number: each holds whole numbers, or bytes."""
    fields: dict[int, list[Any]] = defaultdict(list)
    place = 0
    while place != len(message):
        key, place = _whole_number(message, place)
        if key & 7 == 0:
            value, place = _whole_number(message, place)
        else:
            size, place = _whole_number(message, place) if key & 7 == 2 else ({1: 8, 5: 4}[key & 7], place)
            value, place = message[place : place + size], place + size
        fields[key >> 3].append(value)
    return fields


def _whole_number(message: bytes, place: int) -> tuple[Any, int]:
    """Seven bits in each of at most ten bytes, the last one below 128."""
    end = next(at for at in range(place, place + 10) if message[at] < 128) + 1
    return sum((byte & 127) << 7 * at for at, byte in enumerate(message[place:end])), end
