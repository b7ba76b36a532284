"""Scalars in event files of TensorBoard (CleanRL, Stable-Baselines): records of TensorFlow with a protocol buffer in each."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.reading.wall import bytes_within

# The fields of Event and Summary in tensorflow/core/framework/summary.proto and tensorflow/core/util/event.proto.
_STEP, _SUMMARY = 2, 5
_VALUE = 1
_TAG, _SIMPLE, _TENSOR = 1, 2, 8
_TENSOR_TYPE, _TENSOR_CONTENT, _TENSOR_FLOATS = 1, 4, 5
_FLOAT = 1


def scalars_in(path: Path) -> dict[str, list[tuple[int, float]]]:
    """Every scalar of an event file by its tag: (step, value) in the order of writing; a record that was cut off ends the file."""
    scalars: dict[str, list[tuple[int, float]]] = defaultdict(list)
    try:
        for record in _records(bytes_within(path)):
            event = dict(_fields(record))
            step = event.get(_STEP, 0)
            for number, value in _fields(event.get(_SUMMARY, b"")):
                about = dict(_fields(value)) if number == _VALUE else {}
                scalar = _scalar(about)
                if scalar is not None:
                    scalars[about.get(_TAG, b"").decode("utf-8")].append(
                        (step - (step >> 63 << 64), scalar)
                    )  # a signed number
    except OSError as error:
        raise DataError(f"{path} cannot be read ({(error.strerror or 'unknown error').lower()}).") from None
    except (IndexError, struct.error, UnicodeError, TypeError, AttributeError):
        raise DataError(f"{path.parent.name}/{path.name} is not an event file of TensorBoard, or is damaged.") from None
    return dict(scalars)


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


def _scalar(about: dict[int, Any]) -> float | None:
    """The number of a value, by itself or as a tensor of a single float; None for texts, pictures and histograms."""
    held = about.get(_SIMPLE)
    if _TENSOR in about:
        tensor = dict(_fields(about[_TENSOR]))
        held = tensor.get(_TENSOR_FLOATS) or tensor.get(_TENSOR_CONTENT) if tensor.get(_TENSOR_TYPE) == _FLOAT else None
    return float(struct.unpack("<f", held)[0]) if held is not None and len(held) == 4 else None


def _fields(message: bytes) -> Iterator[tuple[int, Any]]:
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
