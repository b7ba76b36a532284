"""Every kind of file and object that `podium.read` understands: one entry each, plain data.

A new reader is one file in `formats/` and one entry here. Reading, folders, the command line's help and the page's
uploads look here; no other list of endings exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One kind of source, and who reads it.

    `home` ("module:function") is called with the source and the options, and gives a `Sheet`, whose layout is then
    recognised, or `Results`. A file is recognised by its ending, anything else by `recognised` ("module:function").
    """

    name: str
    home: str
    told: str
    endings: tuple[str, ...] = ()
    recognised: str = ""
    is_text: bool = False
    is_packed: bool = False
    in_folders: bool = False
    """Whether a file of this kind in a folder is one of its tables."""
    ready: bool = False
    """Whether `home` takes the path alone: the results need no recognising, and no options but metric and direction."""


_HERE = "podium.core.read.formats"

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format(
            name="text",
            told="CSV, TSV",
            home=f"{_HERE}.text:open_text",
            endings=(".csv", ".tsv", ".tab", ".txt", ".dat"),
            is_text=True,
            in_folders=True,
        ),
        Format(name="json", told="JSON", home=f"{_HERE}.json_tables:open_json", endings=(".json",), is_text=True),
        Format(
            name="json_lines",
            told="JSON Lines",
            home=f"{_HERE}.json_lines:open_json_lines",
            endings=(".jsonl", ".ndjson"),
            is_text=True,
            in_folders=True,
        ),
        Format(
            name="excel",
            told="Excel",
            home=f"{_HERE}.excel:open_excel",
            endings=(".xlsx", ".xlsm"),
            in_folders=True,
        ),
        Format(
            name="parquet",
            told="Parquet",
            home=f"{_HERE}.parquet:open_parquet",
            endings=(".parquet", ".pq"),
            in_folders=True,
        ),
        Format(
            name="packed",
            told="any of these packed (.gz, .bz2, .xz)",
            home=f"{_HERE}.packed:open_stream",
            endings=(".gz", ".bz2", ".xz"),
            in_folders=True,
            is_packed=True,
        ),
        Format(
            name="zip",
            told="a zip archive of one table",
            home=f"{_HERE}.packed:open_zip",
            endings=(".zip",),
            is_packed=True,
        ),
        Format(
            name="store",
            told="a benchmark's store (.db)",
            home="podium.bench.results:results_from_store",
            endings=(".db",),
            ready=True,
        ),
        Format(
            name="folder",
            told="a folder with one file per algorithm",
            home=f"{_HERE}.folder:read_folder",
            recognised=f"{_HERE}.folder:is_folder",
        ),
        Format(
            name="frame",
            told="a DataFrame",
            home=f"{_HERE}.frames:open_frame",
            recognised=f"{_HERE}.frames:is_frame",
        ),
        Format(
            name="array",
            told="an array (rows x algorithms)",
            home=f"{_HERE}.arrays:open_array",
            recognised=f"{_HERE}.arrays:is_array",
        ),
        Format(
            name="columns",
            told="a dict of columns",
            home=f"{_HERE}.arrays:open_columns",
            recognised=f"{_HERE}.arrays:is_columns",
        ),
        Format(
            name="cross_validation",
            told="a dict of cross_validate results",
            home=f"{_HERE}.sklearn:read_cross_validation",
            recognised=f"{_HERE}.sklearn:is_dict",
        ),
        Format(
            name="search",
            told="a fitted search",
            home=f"{_HERE}.sklearn:read_search",
            recognised=f"{_HERE}.sklearn:is_search",
        ),
    )
}


def format_of(source: Any) -> Format | None:
    """The kind of an object or of a path that exists; a file with an ending of its own is taken for text."""
    for entry in FORMATS.values():
        if entry.recognised and load(entry.recognised)(source):
            return entry
    return format_of_name(source.name) if isinstance(source, Path) else None


def format_of_name(name: str) -> Format:
    """The kind of a file, by the ending of its name; one with an ending of its own is taken for text."""
    ending = Path(name).suffix.lower()
    return next((entry for entry in FORMATS.values() if ending in entry.endings), FORMATS["text"])


def load(home: str) -> Callable[..., Any]:
    """The function at "module:function"."""
    module, _, function = home.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def endings(fits: Callable[[Format], bool] = lambda entry: True) -> tuple[str, ...]:
    """The endings of the files of some kinds.

    >>> endings(lambda entry: entry.name == "excel")
    ('.xlsx', '.xlsm')
    """
    return tuple(ending for entry in FORMATS.values() if fits(entry) for ending in entry.endings)


def told(fits: Callable[[Format], bool]) -> str:
    """Some kinds in words.

    >>> told(lambda entry: entry.is_text)
    'CSV, TSV, JSON or JSON Lines'
    """
    *most, last = [entry.told for entry in FORMATS.values() if fits(entry)]
    return f"{', '.join(most)} or {last}" if most else last
