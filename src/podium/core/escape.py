"""Text of users, made harmless and readable where it is shown: LaTeX, HTML and XML, CSV, the terminal.

A name is data, whatever it looks like: it never becomes markup, a formula, a command or a direction of writing.
"""

from __future__ import annotations

import functools
import re
import unicodedata

__all__ = ["csv_cell", "isolated", "latex", "spelled_out", "terminal", "visible", "without_isolates", "xml"]

# Marks that reorder or hide the text around them; the joiners U+200C and U+200D stay: scripts and emoji need them.
_HIDDEN = frozenset("\u061c\u200b\u200e\u200f\u2028\u2029\u2060\ufeff") | {
    chr(code) for first, last in ((0x202A, 0x202E), (0x2066, 0x206F)) for code in range(first, last + 1)
}
_FIRST_STRONG, _POP = "\u2068", "\u2069"
_JOINERS = "\u200c\u200d\ufe0e\ufe0f"
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
    return "".join(_written_out(c) if c not in kept and _hides(c) else c for c in text)


def _hides(character: str) -> bool:
    return character in _HIDDEN or unicodedata.category(character) in _HIDDEN_CATEGORIES


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


def _written_out(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


@functools.lru_cache(maxsize=16384)  # a report writes the same names and numbers many times
def xml(text: str) -> str:
    """The text for an element or a quoted attribute of HTML or XML.

    >>> xml("<b title='x'>A & B</b>")
    '&lt;b title=&#39;x&#39;&gt;A &amp; B&lt;/b&gt;'
    """
    escaped = visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped.replace('"', "&quot;").replace("'", "&#39;")


def csv_cell(text: str) -> str:
    """The text for a cell of a CSV file that a spreadsheet may open; numbers stay numbers, formulas become text.

    Quoting is left to the csv module.

    >>> csv_cell("=HYPERLINK(1)"), csv_cell("-0.5"), csv_cell("-x")
    ("'=HYPERLINK(1)", '-0.5', "'-x")
    """
    cleaned = visible(text)
    if not cleaned.lstrip().startswith(("=", "+", "-", "@", "\\t", "\\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")):
        return cleaned
    return cleaned if _NUMBER.fullmatch(cleaned) else "'" + cleaned


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def terminal(text: str) -> str:
    r"""The text for rich: no control character reaches the terminal, and brackets are not markup.

    >>> terminal("[red]x\x1b")
    '\\[red]x\\x1b'
    """
    from rich.markup import escape

    return escape(visible(text))


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "\u00a0": "~",
    "\u2013": r"\textendash{}",
    "\u2014": r"\textemdash{}",
    "\u2018": r"\textquoteleft{}",
    "\u2019": r"\textquoteright{}",
    "\u201c": r"\textquotedblleft{}",
    "\u201d": r"\textquotedblright{}",
    "\u2022": r"\textbullet{}",
    "\u2026": r"\textellipsis{}",
    "\u20ac": r"\texteuro{}",
    "±": r"\ensuremath{\pm}",
    "×": r"\ensuremath{\times}",
    "·": r"\ensuremath{\cdot}",
    "µ": r"\ensuremath{\mu}",
    "°": r"\ensuremath{^\circ}",
    "²": r"\ensuremath{^2}",
    "³": r"\ensuremath{^3}",
    "\u2190": r"\ensuremath{\leftarrow}",
    "\u2192": r"\ensuremath{\rightarrow}",
    "\u2208": r"\ensuremath{\in}",
    "\u2212": r"\ensuremath{-}",
    "\u221e": r"\ensuremath{\infty}",
    "\u2248": r"\ensuremath{\approx}",
    "\u2260": r"\ensuremath{\neq}",
    "\u2264": r"\ensuremath{\leq}",
    "\u2265": r"\ensuremath{\geq}",
}
# Pairs that fonts of TeX draw as one sign; a kern of no width keeps them two, in every engine.
_LIGATURES = frozenset(("--", "<<", ">>", ",,", "``", "''", "?`", "!`"))
_GREEK = {
    letter: rf"\ensuremath{{\{name}}}"
    for letter, name in zip(
        "αβγδεζηθικλμνξπρστυφχψωςΓΔΘΛΞΠΣΥΦΨΩ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
        "varphi chi psi omega varsigma Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
        strict=True,
    )
} | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_LETTERS = {"ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ı": "i"}


@functools.lru_cache(maxsize=16384)
def latex(text: str) -> str:
    r"""The text for LaTeX, in any encoding of fonts and with any engine.

    Characters that pdfTeX's usual fonts lack (other scripts, emoji) are kept for LuaTeX and XeTeX where the font has
    them, and are otherwise given by name in brackets, so that a document always compiles and no name disappears.

    >>> latex("A & B_%# é $x$")
    "A \\& B\\_\\%\\# \\'{e} \\$x\\$"
    """
    parts: list[str] = []
    for known, run in _runs(unicodedata.normalize("NFC", without_isolates(visible(text)))):
        parts.append(_latex_run(run) if known else _foreign(run))
    return "".join(parts)


def _latex_run(run: str) -> str:
    apart = (r"\kern0pt{}" if run[i : i + 2] in _LIGATURES else "" for i in range(len(run)))
    return "".join(_latex_character(character) + kern for character, kern in zip(run, apart, strict=True))


def _runs(text: str) -> list[tuple[bool, str]]:
    """The text cut where it changes between characters that LaTeX knows and others, and between other scripts."""
    runs: list[tuple[bool, str]] = []
    last = ""
    for character in text:
        script = "" if _latex_character(character) else unicodedata.name(character, "?").split()[0]
        joins = character in _JOINERS and runs and not runs[-1][0]
        if runs and (joins or script == last):
            runs[-1] = (runs[-1][0], runs[-1][1] + character)
        else:
            runs.append((not script, character))
            last = script
    return runs


def _latex_character(character: str) -> str:
    """One character as LaTeX, or nothing if pdfTeX cannot be trusted to have it."""
    if character in _LATEX:
        return _LATEX[character]
    if character.isascii():
        return character
    if character in _GREEK:
        return _GREEK[character]
    if character in _LETTERS:
        return rf"\{_LETTERS[character]}{{}}"
    decomposed = unicodedata.normalize("NFD", character)
    if len(decomposed) == 2 and decomposed[0].isascii() and decomposed[1] in _ACCENTS:
        base = {"i": r"\i", "j": r"\j"}.get(decomposed[0], decomposed[0])
        return rf"\{_ACCENTS[decomposed[1]]}{{{base}}}"
    return ""


def _foreign(run: str) -> str:
    """A run of one foreign script: itself where engine and font have it, else its characters by name."""
    named = spelled_out(run)
    return rf"{{\ifdefined\Umathcode\iffontchar\font{ord(run[0])} {run}\else{{}}{named}\fi\else{{}}{named}\fi}}"


def spelled_out(text: str) -> str:
    """Characters by name in brackets, for fonts that lack them.

    >>> spelled_out("🚀"), spelled_out("ש"), spelled_out("算法")
    ('[rocket]', '[shin]', '[U+7B97-U+6CD5]')
    """
    return "[" + "-".join(_short_name(character) for character in text if character not in _JOINERS) + "]"


def _short_name(character: str) -> str:
    name = unicodedata.name(character, "").lower()
    if not name or "ideograph" in name:
        return f"U+{ord(character):04X}"
    return re.sub(r"^.*\b(letter|syllable) ", "", name)
