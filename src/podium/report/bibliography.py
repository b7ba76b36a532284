"""The bibliography: references.bib, read once, quoted as BibTeX and as plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from podium.core import check
from podium.core.errors import DataError
from podium.core.numbers import listed
from podium.core.version import VERSION

_CITATION = re.compile(r"\[@([\w:.+-]+(?:\s*;\s*@[\w:.+-]+)*)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One work: its key, its fields as written, and its BibTeX source."""

    key: str
    fields: dict[str, str]
    source: str

    def field(self, name: str) -> str:
        """A field as plain text, "" where there is none."""
        return to_text(self.fields.get(name, ""))

    @property
    def year(self) -> str:
        """The year, or "n.d."."""
        return self.field("year") or "n.d."

    @property
    def authors(self) -> tuple[str, ...]:
        """The authors, each "First Last"."""
        names = re.split(r"\s+and\s+", self.field("author") or self.field("editor"))
        return tuple(" ".join(reversed(name.split(", ", 1))) for name in names if name)

    @property
    def label(self) -> str:
        """How the text cites it: "Demšar, 2006"; "Ulaş et al., 2008"."""
        group = self.fields.get("author", "").startswith("{")  # such as the developers of a program
        last = [name if group else _last_name(name) for name in self.authors] or [self.field("title")]
        who = last[0] if len(last) == 1 else f"{last[0]} and {last[1]}" if len(last) == 2 else f"{last[0]} et al."
        return f"{who}, {self.year}"

    @property
    def url(self) -> str:
        """Where it can be read: its DOI or address, "" where none is given."""
        doi = self.fields.get("doi", "")
        return f"https://doi.org/{doi}" if doi else self.fields.get("url", "")

    def text(self) -> str:
        """The reference as one line of plain text."""
        where = self.field("journal") or self.field("booktitle") or self.field("publisher") or self.field("institution")
        where = where or self.field("note")
        number = f"({self.field('number')})" if self.field("number") and self.field("volume") else ""
        volume = f" {self.field('volume')}{number}" if self.field("volume") else ""
        pages = f", {self.field('pages')}" if self.field("pages") else ""
        place = f" {where}{volume}{pages}." if where else ""
        title = self.field("title").rstrip(".")
        stop = "" if title.endswith(("?", "!")) else "."
        authors = listed(self.authors, most=len(self.authors)) if self.authors else ""
        return f"{authors} ({self.year}). {title}{stop}{place}".strip()


def _last_name(name: str) -> str:
    words = name.split()
    for index, word in enumerate(words[:-1]):  # "Mark van der Laan": the particle belongs to the last name
        if index and word[0].islower():
            return " ".join(words[index:])
    return words[-1] if words else ""


_SIGNS = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "\\&": "&", "{": "", "}": "", "$": ""}


def to_text(value: str) -> str:
    r"""The text that a value of the bibliography means; accents are written as they are, in UTF-8.

    >>> to_text(r"{ROC} \& co, ``quoted'', 1--30")
    'ROC & co, “quoted”, 1–30'
    """
    for written, meant in _SIGNS.items():
        value = value.replace(written, meant)
    return " ".join(value.split())


_NESTED = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_START = r"^[ \t]*@\w+\s*\{\s*([^,\s{}]+)\s*,"
_ENTRY = re.compile(rf"{_START}((?:[^{{}}]|{_NESTED})*)\}}", flags=re.MULTILINE)
_FIELD = re.compile(rf'([\w-]+)\s*=\s*(?:({_NESTED})|"([^"]*)"|([^,\s}}]+))')


def parse(source: str) -> dict[str, Entry]:
    """The entries of a BibTeX file, by key (the first of a key counts); an entry that does not end is refused.

    >>> parse("@book{k, title = {A {B}}, year = 1999}")["k"].fields
    {'title': 'A {B}', 'year': '1999'}
    """
    works: dict[str, Entry] = {}
    for match in _ENTRY.finditer(source):
        key, body = match.groups()
        fields = {name.lower(): braced[1:-1] or quoted or bare for name, braced, quoted, bare in _FIELD.findall(body)}
        works.setdefault(key, Entry(key=key, fields=fields, source=match[0].strip()))
    for key in re.findall(_START, source, flags=re.MULTILINE):
        if key not in works:
            raise DataError(f"The entry {key!r} of the bibliography is not closed.")
    return works


@cache
def entries() -> dict[str, Entry]:
    """Every work that Podium can cite, by key."""
    source = files("podium.report").joinpath("references.bib").read_text(encoding="utf-8")
    return parse(source.replace("VERSION", VERSION))


def entry(key: str) -> Entry:
    """The work with that key, with the nearest key suggested where there is none."""
    return entries()[check.member("reference", key, entries())]


def bibtex(keys: Iterable[str]) -> str:
    """The BibTeX of exactly these works, in the order given, each once."""
    return "\n\n".join(entry(key).source for key in dict.fromkeys(keys)) + "\n"


def split_citations(text: str) -> list[str | tuple[str, ...]]:
    """The text in pieces: strings, and tuples of keys where "[@key; @key]" cites works that are known.

    >>> split_citations("Ranks [@demsar2006] of [@nobody].")
    ['Ranks ', ('demsar2006',), ' of [@nobody].']
    """
    pieces: list[str | tuple[str, ...]] = []
    place = 0
    for match in _CITATION.finditer(text):
        keys = tuple(key.strip().removeprefix("@") for key in match[1].split(";"))
        if all(key in entries() for key in keys):
            pieces += [text[place : match.start()], keys]
            place = match.end()
    pieces.append(text[place:])
    return [piece for piece in pieces if piece]


def _labels(keys: tuple[str, ...]) -> str:
    return f"({'; '.join(entry(key).label for key in keys)})"


def set_citations(
    text: str, written: Callable[[str], str] = str, cited: Callable[[tuple[str, ...]], str] = _labels
) -> str:
    """The text with its citations set by `cited`, by default "(Demšar, 2006)"; the rest is passed through `written`."""
    return "".join(written(piece) if isinstance(piece, str) else cited(piece) for piece in split_citations(text))


def cited_keys(text: str) -> tuple[str, ...]:
    """The keys that a text cites, in order."""
    return tuple(dict.fromkeys(key for piece in split_citations(text) if isinstance(piece, tuple) for key in piece))
