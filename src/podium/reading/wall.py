"""The wall around every format: what a library raises over a file becomes one sentence, and what it warns of stays inside."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from podium.core.contents import file_name
from podium.core.errors import ArgumentError, DataError, PodiumError
from podium.core.names import shown


@contextmanager
def wall(path: object) -> Iterator[None]:
    """Read a file within: an error that is not Podium's own is told as damage, with the name of the file."""
    name = file_name(path)
    try:
        with quiet():
            yield
    except PodiumError:
        raise
    except MemoryError:
        raise DataError(f"{name} needs more memory than there is: give a smaller table.", file=str(path)) from None
    except Exception as error:
        what = "is damaged or not what its name says: restore it, or save it again"
        # What Python says of an integer of thousands of digits.
        if isinstance(error, OverflowError) or "integer string conversion" in str(error):
            what = "has a number that is too large for a score: correct it"
        raise DataError(f"{name} {what}.", file=str(path)) from error


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the warnings of libraries (of infinite values, of odd headers) away from who gave the file."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def check_sources(sources: Iterable[object]) -> None:
    """Refuse texts that cannot be paths: empty ones, very long ones, and such with a zero byte."""
    for source in sources:
        if isinstance(source, str) and not source.strip():
            raise ArgumentError("{argument} is an empty text: give the path of a file or folder.", argument="source")
        if isinstance(source, str | Path):
            try:
                Path(source).exists()
            except (OSError, ValueError):
                text = shown(str(source), 80)
                raise DataError("There is no file {file}: check the path.", file=text, reason="no file") from None
