"""Packed files: a table in .gz, .bz2, .xz or .zst, or the one in a zip archive. Bombs are refused before they grow."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path, PurePosixPath
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from podium.core.contents import bytes_up_to, most_bytes, too_long
from podium.core.errors import ArgumentError, DataError
from podium.core.names import quoted, shown
from podium.reading.formats.text import Content, File, bytes_of
from podium.reading.logs.packing import BROKEN, OPENERS, zipfile
from podium.reading.options import ReadOptions

if TYPE_CHECKING:
    from podium.evidence.results import Results
    from podium.reading.sheet import Sheet


def open_stream(path: File, options: ReadOptions) -> Sheet | Results:
    """The table in a file that was packed by itself: accuracy.csv.gz is accuracy.csv."""
    return _opened(unpacked(path), options, path.name)


def open_zip(path: File, options: ReadOptions) -> Sheet | Results:
    """The table in a zip archive; of several, the one that `sheet` names."""
    names = tables_in(path)
    if options.sheet in names:
        return _opened(unpacked(path, member=options.sheet), replace(options, sheet=None), path.name)
    if len(names) == 1:
        return _opened(unpacked(path, member=names[0]), options, path.name)
    if options.sheet is not None:
        raise ArgumentError(f"{path.name} has no table {options.sheet!r}: it has {quoted(names, 12)}.")
    raise DataError(
        f"{path.name} has {len(names)} tables ({quoted(names, 12)}): name one with {{sheet}}, or unpack it and give the "
        "folder if they belong together."
    )


def _opened(content: Content, options: ReadOptions, outer: str) -> Sheet | Results:
    from podium.reading.registry import format_of_name

    entry = format_of_name(content.name)
    if entry.ready:
        raise DataError(f"{outer} holds {entry.told}: unpack it first.")
    content_of: Sheet | Results = resolve_name(entry.home)(content, options)
    return content_of


def tables_in(path: File) -> list[str]:
    """The tables in a zip archive, by name; none is refused."""
    from podium.reading.registry import endings

    wanted = endings(lambda entry: not entry.ready)
    tables = [name for name in _archive(path).namelist() if name.lower().endswith(wanted)]
    hidden = (".", "__MACOSX")
    names = [name for name in tables if not any(part.startswith(hidden) for part in PurePosixPath(name).parts)]
    if not names:
        raise DataError(f"{path.name} has no table in it: pack a file with one of the endings {', '.join(wanted)}.")
    return sorted(names)


def _archive(path: File) -> zipfile.ZipFile:
    raw = bytes_of(path)
    try:
        return zipfile.ZipFile(io.BytesIO(raw))
    except BROKEN:
        raise DataError(
            f"{path.name} is not a readable zip archive: pack it again, or give the table itself."
        ) from None


def unpacked(path: File, most: int | None = None, member: str | None = None) -> Content:
    """What a packed file holds, but not more than `most` bytes of it."""
    raw, limit, stated = bytes_of(path), most or most_bytes(), 0
    try:
        if member is not None:
            with zipfile.ZipFile(io.BytesIO(raw)) as archive, archive.open(member) as stream:
                stated = archive.getinfo(member).file_size  # a bomb that says so is not unpacked at all
                content = bytes_up_to(stream, limit + 1) if stated <= limit else b""
        else:
            with OPENERS[path.suffix.lower()](io.BytesIO(raw), "rb") as stream:
                content = bytes_up_to(stream, limit + 1)
    except BROKEN:
        protected = " (it may need a password)" if member else ""
        raise DataError(
            f"{shown(path.name)} cannot be unpacked{protected}: pack it again, or give the table itself."
        ) from None
    if max(len(content), stated) > limit:
        raise too_long(path.name, "unpacks to", most)
    return Content(PurePosixPath(member).name if member else path.stem, content)


def check_size(path: File, most: int) -> None:
    """Refuse a packed file that would unpack to more than `most` bytes."""
    if path.suffix.lower() in OPENERS:
        unpacked(path, most)
    elif sum(part.file_size for part in _archive(path).infolist()) > most:
        raise too_long(path.name, "unpacks to", most)


def stem_of(path: Path) -> str:
    """The name of a file without its ending, packed or not.

    >>> stem_of(Path("a/svm_accuracy.csv.gz")), stem_of(Path("WEASEL-2.0.csv"))
    ('svm_accuracy', 'WEASEL-2.0')
    """
    return Path(path.stem).stem if path.suffix.lower() in OPENERS else path.stem
