"""Scalars in event files of TensorBoard (CleanRL, Stable-Baselines): records of TensorFlow with a protocol buffer in each."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from podium.core.errors import DataError
from podium.reading.wall import bytes_within

# The fields of Event and Summary in tensorflow/core/framework/summary.proto and tensorflow/core/util/event.proto.
_STEP, _SUMMARY = 2, 5
_VALUE = 1
_TAG, _SIMPLE, _TENSOR = 1, 2, 8
_TENSOR_TYPE, _TENSOR_CONTENT, _TENSOR_FLOATS = 1, 4, 5
_FLOAT = 1
Field = tuple[int, int | bytes]


def scalars_in(path: Path) -> dict[str, list[tuple[int, float]]]:
    """Every scalar of an event file by its tag: (step, value) in the order of writing; a record that was cut off ends the file."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    try:
        data = bytes_within(path)
        for record in _records(data):
            _add(record, found)
    except OSError as error:
        raise DataError(f"{path} cannot be read ({(error.strerror or 'unknown error').lower()}).") from None
    except (IndexError, struct.error, UnicodeError, TypeError):
        raise DataError(f"{path.parent.name}/{path.name} is not an event file of TensorBoard, or is damaged.") from None
    return dict(found)


def _records(data: bytes) -> Iterator[bytes]:
    """The records: their length (8 bytes), its checksum (4), themselves, their checksum (4)."""
    place = 0
    while place + 12 <= len(data):
        (length,) = struct.unpack_from("<Q", data, place)
        end = place + 12 + length
        if end + 4 > len(data):
            return  # written to while it was copied, or when the training was ended
        yield data[place + 12 : end]
        place = end + 4


def _add(event: bytes, found: dict[str, list[tuple[int, float]]]) -> None:
    step, summary = 0, b""
    for number, value in _fields(event):
        if number == _STEP and isinstance(value, int):
            step = value - (1 << 64) if value >> 63 else value
        elif number == _SUMMARY and isinstance(value, bytes):
            summary = value
    for number, value in _fields(summary):
        if number == _VALUE and isinstance(value, bytes):
            tag, scalar = _scalar(value)
            if scalar is not None:
                found[tag].append((step, scalar))


def _scalar(value: bytes) -> tuple[str, float | None]:
    """The tag and the number of a value; None for texts, pictures and histograms."""
    tag, scalar = "", None
    for number, item in _fields(value):
        if not isinstance(item, bytes):
            continue
        if number == _TAG:
            tag = item.decode("utf-8")
        elif number == _SIMPLE:
            (scalar,) = struct.unpack("<f", item)
        elif number == _TENSOR:
            scalar = _of_tensor(item)
    return tag, scalar


def _of_tensor(tensor: bytes) -> float | None:
    """The number of a tensor that is a single float."""
    fields = dict(_fields(tensor))
    held = fields.get(_TENSOR_FLOATS) or fields.get(_TENSOR_CONTENT)
    if fields.get(_TENSOR_TYPE) != _FLOAT or not isinstance(held, bytes) or len(held) != 4:
        return None
    return float(struct.unpack("<f", held)[0])


def _fields(message: bytes) -> Iterator[Field]:
    """The fields of a protocol buffer: their number and what they hold, a number or bytes."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, kind = key >> 3, key & 7
        if kind == 0:
            value, place = _varint(message, place)
            yield number, value
            continue
        if kind == 2:
            size, place = _varint(message, place)
        else:
            size = {1: 8, 5: 4}.get(kind, len(message) + 1)
        if place + size > len(message):
            raise IndexError
        yield number, message[place : place + size]
        place += size


def _varint(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
