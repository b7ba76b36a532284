"""Names of algorithms and datasets as they stand in files: stripped, refused where they would mislead."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable

from podium.core.errors import DataError
from podium.core.numbers import some

LONGEST_NAME = 300  # characters: longer ones are sentences in the wrong column
SEVERAL_NAMES = 1 << 16  # distinct names that are remembered: a table asks for the same ones again and again
WORD = r"[^_\s.]+"  # of a file name; hyphens belong to names
_CAMEL, _NO_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])"), re.compile(r"[^a-z0-9#]+")
_WORDS_ONLY = _NO_WORD.sub(lambda signs: " " * len(signs[0]), "".join(map(chr, range(128))))


def clean_name(name: object, kind: str) -> str:
    """The name without outer blanks; line breaks, control characters and very long names are refused.

    >>> clean_name("  svm ", "algorithm")
    'svm'
    >>> clean_name("a\\nb", "algorithm")
    Traceback (most recent call last):
    ...
    podium.core.errors.DataError: The algorithm name 'a\\nb' holds a line break or control character: rename it.
    """
    return _cleaned(str(name), kind)


@functools.lru_cache(maxsize=SEVERAL_NAMES)
def _cleaned(name: str, kind: str) -> str:
    text = unguarded(name.strip())
    if not text:
        raise DataError(f"A name is blank: give every {kind} a name.")
    if not text.isprintable() and any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in text):
        raise DataError(f"The {kind} name {shown(text)} holds a line break or control character: rename it.")
    if len(text) > LONGEST_NAME:
        raise DataError(
            f"The {kind} name {shown(text)} has {len(text)} characters: shorten it to at most {LONGEST_NAME}, "
            "or check the quotes of the file."
        )
    return text


def guarded(text: str) -> str:
    """The text with an apostrophe in front if a spreadsheet would run it as a formula.

    >>> guarded("=1+1"), unguarded("'=1+1"), guarded("svm")
    ("'=1+1", '=1+1', 'svm')
    """
    return f"'{text}" if re.match(r"'*[=+\-@]", text) else text


def unguarded(text: str) -> str:
    """What `guarded` was given."""
    return text[1:] if text.startswith("'") and re.match(r"''*[=+\-@]", text) else text


def without_filler(header: str) -> str:
    """A blank header is blank again, where pandas has written "Unnamed: 0" for it."""
    return "" if re.fullmatch(r"Unnamed: \d+", header) else header


def shown(text: str, limit: int = 60) -> str:
    """A text as it may stand in a one-line message: quoted, escaped, cut."""
    return ascii(text[:limit] + "...") if len(text) > limit else repr(text)


def quoted(names: Iterable[str], limit: int = 6) -> str:
    """Names for a sentence: "'a', 'b' and 3 more"."""
    return some(map(shown, names), limit)


@functools.lru_cache(maxsize=SEVERAL_NAMES)
def key_of(name: str) -> str:
    """A header in lower case with underscores, so that "Data Set" and "data_set" are one word."""
    lower = name.lower()
    spaced = lower if lower == name else _CAMEL.sub("_", name).lower()
    if spaced.isascii():  # a table is three times as fast
        return "_".join(spaced.translate(_WORDS_ONLY).split())
    return _NO_WORD.sub("_", spaced).strip("_")


def in_order(name: str) -> list[str | int]:
    """A key that puts names in the order of the numbers inside.

    >>> sorted(["v10", "v9", "v9b"], key=in_order)
    ['v9', 'v9b', 'v10']
    """
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def tokens(stem: str) -> list[str]:
    """The words of a file name, cut at underscores, dots and blanks (not at hyphens: they belong to names)."""
    return re.findall(WORD, stem)


def some_words(stem: str, start: int, stop: int) -> str:
    """Some of the words of a file name, with what stands between them.

    >>> some_words("WEASEL-2.0_TESTFOLDS", 0, 2)
    'WEASEL-2.0'
    """
    kept = list(re.finditer(WORD, stem))[start:stop]
    return stem[kept[0].start() : kept[-1].end()] if kept else ""
