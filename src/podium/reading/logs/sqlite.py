"""SQLite files of other tools, read without changing them and without trusting what they hold."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from podium.reading.logs.files import form_of, head_of, opened, wrong


class Tables:
    """The tables of a database, by name; views and whatever else could compute something are not looked at."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        listed = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        self.names = frozenset(str(name) for (name,) in listed)

    def rows(self, table: str, *columns: str) -> Iterator[tuple[Any, ...]]:
        """Some columns of a table, row by row: None in a column that it lacks, no row if there is no such table."""
        if table not in self.names:
            return
        there = {str(row[1]) for row in self._connection.execute(f"PRAGMA table_info({_name(table)})")}
        wanted = ", ".join(_name(column) if column in there else "NULL" for column in columns)
        yield from self._connection.execute(f"SELECT {wanted} FROM {_name(table)}")


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def tables_of(path: Path) -> Iterator[Tables]:
    """The tables of a file that is opened for reading only; a damaged one is refused with its name."""
    _check_length(path)
    try:
        address = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            yield Tables(connection)
    except sqlite3.Error as error:
        raise wrong(
            path, f"is a database that cannot be read ({str(error)[:80]}): restore it, or leave it out."
        ) from None


def _check_length(path: Path) -> None:
    """Refuse a file that is shorter than its first page says: what was cut off would look like trials never made."""
    with opened(path) as file:
        head, size = file.read(100), file.seek(0, os.SEEK_END)
    page = int.from_bytes(head[16:18]) if len(head) == 100 else 0
    page = 65536 if page == 1 else page
    if len(head) < 100 or size < page * int.from_bytes(head[28:32]):
        raise wrong(path, "was cut off: restore it, or leave it out.")


def is_database(path: Path) -> bool:
    """Whether a file is a database at all."""
    return form_of(head_of(path)) == "sqlite"


def has_tables(path: Path, head: bytes, *names: str) -> bool:
    """Whether a file is a database with these tables."""
    if form_of(head) != "sqlite":
        return False
    with tables_of(path) as tables:
        return set(names) <= tables.names
