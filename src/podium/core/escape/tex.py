"""Text for LaTeX, whatever the engine and its fonts."""

from __future__ import annotations

import functools
import unicodedata

from podium.core.escape.names import JOINERS, spelled_out, visible, without_isolates

# Signs that have a command of text, and those that have one of mathematics, each beside it.
_TEXT = r"""
\ textbackslash   ^ textasciicircum   ~ textasciitilde    < textless          > textgreater       | textbar
` textasciigrave  ' textquotesingle   " char34            – textendash        — textemdash        ‘ textquoteleft
’ textquoteright  “ textquotedblleft  ” textquotedblright • textbullet        … textellipsis      € texteuro
""".split()
_MATHS = r"""
† ^{\dagger} ‡ ^{\ddagger}
± \pm   × \times       · \cdot        µ \mu   ° ^\circ  ² ^2      ³ ^3       ∞ \infty
− -     ← \leftarrow   → \rightarrow  ∈ \in   ≈ \approx ≠ \neq    ≤ \leq     ≥ \geq
""".split()
_LATEX = (
    {sign: f"\\{sign}" for sign in "{}$&#%_"}
    | {sign: rf"\{name}{{}}" for sign, name in zip(_TEXT[::2], _TEXT[1::2], strict=True)}
    | {sign: rf"\ensuremath{{{name}}}" for sign, name in zip(_MATHS[::2], _MATHS[1::2], strict=True)}
    | {"\u00a0": "~"}
)
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
# Grave, acute, circumflex, tilde, macron, breve, dot, diaeresis, ring, double acute, caron, cedilla.
_ACCENTS = dict(
    zip("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327", "`'^~=u.\"rHvc", strict=True)
)
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
    for has_commands, run in _runs(unicodedata.normalize("NFC", without_isolates(visible(text)))):
        parts.append(_latex_run(run) if has_commands else _foreign(run))
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
        joins = character in JOINERS and runs and not runs[-1][0]
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
