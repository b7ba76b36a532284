"""Text that is a table without separators: aligned by blanks, pasted from Markdown or LaTeX, with comments."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

from podium.core.errors import DataError
from podium.core.read.names import shown

SEPARATORS = (",", "\t", ";", "|")
_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?")
_LATEX_LINE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline\{.*?\}|cmidrule(?:\(.*?\))?\{.*?\}|begin\{.*|end\{.*|caption\{.*|label\{.*|"
    r"centering|addlinespace(?:\[.*?\])?)\s*"
)
_CELL_MACRO = re.compile(r"\\multicolumn\{(\d+)\}\{[^{}]*\}\{([^{}]*)\}")
_NUMBER = re.compile(r"[-+−]?[.,]?\d")


class Pasted(NamedTuple):
    """A text of separated values, its separator if it is known, and what was done to come there."""

    text: str
    separator: str | None = None
    notes: tuple[str, ...] = ()


def separated(text: str, label: str) -> Pasted:
    """The text as separated values: most is so already."""
    notes: tuple[str, ...] = ()
    if text.startswith("#") or "\n#" in text:
        text, notes = _without_comments(text)
    first = text.split("\n", 1)[0].strip()
    if first.startswith("|") and first.endswith("|") and len(first) > 2:
        lines = [line.strip() for line in text.split("\n")]
        rows = [line.removeprefix("|").removesuffix("|") for line in lines if line and not _RULE.fullmatch(line)]
        return Pasted("\n".join("|".join(cell.strip() for cell in row.split("|")) for row in rows), "|", notes)
    if "&" in text and "\\\\" in text and _is_latex(text):
        return Pasted(_from_latex(text), "&", notes)
    if not any(sign in first for sign in SEPARATORS) and len(first.split()) > 1:
        return Pasted(_from_blanks(text, label), "\t", notes)
    return Pasted(text, None, notes)


def sniff_separator(text: str) -> str:
    """The separator that cuts the first line into most cells; a tab or semicolon wins over the comma in it.

    >>> sniff_separator("data;a;b\\niris;0,8;0,9"), sniff_separator("data,a\\niris,1")
    (';', ',')
    """
    line = text.split("\n", 1)[0]
    unquoted = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=unquoted.count)


def _cells(line: str) -> int:
    """How many cells a line has, by the sign that cuts it into most."""
    return max(
        max(line.count(sign) for sign in SEPARATORS) + 1,
        len(line.split()) if not any(s in line for s in SEPARATORS) else 1,
    )


def _without_comments(text: str) -> tuple[str, tuple[str, ...]]:
    """Without the lines that start with # and are no rows; the last one before the table may be its header."""
    lines = text.split("\n")
    body = next((i for i, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    width = _cells(lines[body]) if body < len(lines) else 0
    header = [line.lstrip("#").strip() for line in lines[:body] if line.strip()][-1:]
    is_header = header and _cells(header[0]) == width > 1 and _has_numbers(lines[body]) and not _has_numbers(header[0])
    kept = header if is_header else []
    kept += [line for line in lines[body:] if not (line.startswith("#") and _cells(line.lstrip("#").strip()) != width)]
    left = sum(bool(line.strip()) for line in lines) - sum(bool(line.strip()) for line in kept)
    notes = (
        [f"{left} line{'s' if left > 1 else ''} of comments (#) {'were' if left > 1 else 'was'} left out."]
        if left
        else []
    )
    if row := next((line for line in kept[1:] if line.startswith("#")), None):
        notes.append(f"The row {shown(row, 30)} starts with # and is counted: delete it if it is a comment.")
    return "\n".join(kept), tuple(notes)


def _has_numbers(line: str) -> bool:
    return any(_NUMBER.match(word) for word in re.split(r"[\s,;|]+", line.strip())[1:])


def _is_latex(text: str) -> bool:
    """Whether most lines have cells between &, and no other separator cuts them into more."""
    lines = [line for line in text.split("\n") if line.strip() and not _LATEX_LINE.fullmatch(line.strip())]
    cut = [line for line in lines if line.count("&") > max(map(line.count, SEPARATORS)) and "\\\\" in line]
    return 2 * len(cut) >= len(lines)


def _from_latex(text: str) -> str:
    """The rows of a tabular: cells between &, rows that end in \\\\."""
    rows = []
    for piece in re.split(r"\\\\(?:\[[^\]]*\])?", re.sub(r"(?<!\\)%[^\n]*", "", text)):
        line = " ".join(_LATEX_LINE.sub("", part).strip() for part in piece.strip().split("\n")).strip()
        if "&" in line:
            line = _CELL_MACRO.sub(lambda m: m[2] + "&" * (int(m[1]) - 1), line.replace("\\&", "\0"))
            cells = (cell.strip().replace("\0", "and") for cell in line.split("&"))
            rows.append("&".join(cells).replace("\\_", "_").replace("\\%", "%"))
    return "\n".join(rows)


def _from_blanks(text: str, label: str) -> str:
    """Columns aligned by blanks, as separated by tabs. Two blanks part cells whose names hold single ones."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        return text
    words = [_words(line) for line in lines]
    wide = [re.split(r"\s{2,}", line) for line in lines]
    cells = (cell.lower() for row in words[1:] for cell in row[1:])
    scores = all(_NUMBER.match(cell) or cell in ("na", "nan", "-", "?") for cell in cells)
    for rows, fits in ((words, scores), (wide, len(wide[0]) > 1), (words, True)):
        if fits and _even(rows):
            return "\n".join("\t".join(row) for row in rows)
    wrong = next((i for i, row in enumerate(words) if len(row) != len(words[0])), 1)
    raise DataError(
        f"{label}, row {wrong} below the header: {len(words[wrong])} cells where the header has {len(words[0])}; the cells "
        "are separated by blanks: write NA in blank cells, quote names that hold blanks, or save the table as CSV."
    )


def _words(line: str) -> list[str]:
    """The cells of a line between blanks, quoted ones whole."""
    try:
        return [cell for cell in next(csv.reader([line], delimiter=" ", skipinitialspace=True)) if cell]
    except csv.Error:
        return line.split()


def _even(rows: list[list[str]]) -> bool:
    """Whether all rows are as long as the header, or all one longer, by their names."""
    return len(rows) > 1 and len({len(row) for row in rows[1:]}) == 1 and len(rows[1]) - len(rows[0]) in (0, 1)
