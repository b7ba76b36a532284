"""Names made visible: no character hides, reorders or breaks the text around it."""

from __future__ import annotations

import re
import unicodedata

# Marks that reorder or hide the text around them; the joiners U+200C and U+200D stay: scripts and emoji need them.
_HIDDEN = frozenset("\u061c\u200b\u200e\u200f\u2028\u2029\u2060\ufeff") | {
    chr(code) for first, last in ((0x202A, 0x202E), (0x2066, 0x206F)) for code in range(first, last + 1)
}
_FIRST_STRONG, _POP = "\u2068", "\u2069"
JOINERS = "\u200c\u200d\ufe0e\ufe0f"
_HIDDEN_CATEGORIES = ("Cc", "Cs", "Cn")


def visible(text: str) -> str:
    r"""The text on one line, with characters that control, reorder or hide text written out.

    >>> visible("a\u202eb\n\x1b[31mc")
    'a\\u202eb\\n\\x1b[31mc'
    """
    if text.isprintable() and text.isascii():
        return text
    # Isolates that are closed again order what is inside them and nothing else.
    kept = _FIRST_STRONG + _POP if _balanced(text) else ""
    hides = {c for c in set(text) - set(kept) if c in _HIDDEN or unicodedata.category(c) in _HIDDEN_CATEGORIES}
    return "".join(c.encode("unicode_escape").decode("ascii") if c in hides else c for c in text)


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == _FIRST_STRONG) - (character == _POP)
        if depth < 0:
            return False
    return depth == 0


def isolated(name: str) -> str:
    """A name to be put into a sentence: if it is written from right to left, the words around it keep their order.

    >>> isolated("svm"), isolated("\u05d0")
    ('svm', '\u2068\u05d0\u2069')
    """
    shown = visible(name)
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in shown):
        return f"{_FIRST_STRONG}{shown}{_POP}"
    return shown


def without_isolates(text: str) -> str:
    """The text without the marks of `isolated`, for what cannot draw them."""
    return text.replace(_FIRST_STRONG, "").replace(_POP, "")


def spelled_out(text: str) -> str:
    """Characters by name in brackets, for fonts that lack them.

    >>> spelled_out("🚀"), spelled_out("ש"), spelled_out("算法")
    ('[rocket]', '[shin]', '[U+7B97-U+6CD5]')
    """
    return "[" + "-".join(_short_name(character) for character in text if character not in JOINERS) + "]"


def _short_name(character: str) -> str:
    name = unicodedata.name(character, "").lower()
    if not name or "ideograph" in name:
        return f"U+{ord(character):04X}"
    return re.sub(r"^.*\b(letter|syllable) ", "", name)
