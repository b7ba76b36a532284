"""Rows of the CSV files that other tools write, one at a time."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator
from functools import lru_cache
from pathlib import Path

from podium.core.names import shown
from podium.reading.logs.files import opened_text, wrong


@lru_cache(maxsize=4)  # every format asks for the header of the same file
def header_of(head: bytes) -> tuple[str, ...]:
    """The names in the first line of a CSV file; none if its first bytes are no text.

    >>> header_of(b"dataset,model\\na,b\\n")
    ('dataset', 'model')
    """
    try:
        line = head.split(b"\n", 1)[0].decode("utf-8-sig").rstrip("\r")
        return tuple(name.strip() for name in next(csv.reader([line]), []))
    except (UnicodeDecodeError, csv.Error):
        return ()


def has_columns(head: bytes, *names: str) -> bool:
    """Whether the first line names all these columns."""
    return set(names) <= set(header_of(head))


def csv_rows(path: Path, need: Collection[str] = ()) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a CSV file by the names of its columns, with the numbers of their lines."""
    try:
        with opened_text(path) as text:
            reader = csv.reader(text)
            header = [name.strip() for name in next(reader, [])]
            for name in need:
                if name not in header:
                    raise wrong(path, f"has no column {name!r}: restore it, or leave it out.")
            for cells in filter(None, reader):
                if len(cells) != len(header):
                    raise wrong(
                        path,
                        f", line {reader.line_num}: {len(cells)} cells where the header has {len(header)}; the "
                        "file is damaged or was cut off. Restore it, or leave it out.",
                    )
                yield reader.line_num, dict(zip(header, map(str.strip, cells), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        reason = shown(str(error), 80)
        raise wrong(path, f"is no CSV file that can be read ({reason}): restore it, or leave it out.") from None
