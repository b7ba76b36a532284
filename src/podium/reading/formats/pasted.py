"""Text that is a table without separators: aligned by blanks, pasted from Markdown or LaTeX, with comments."""

from __future__ import annotations

import csv
import re
from typing import NamedTuple

from podium.core.errors import ArgumentError, DataError
from podium.core.names import quoted, shown

SEPARATORS = (",", "\t", ";", "|")
_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?")
_LATEX_LINE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|cline\{.*?\}|cmidrule(?:\(.*?\))?\{.*?\}|begin\{.*|end\{.*|caption\{.*|label\{.*|"
    r"centering|small|footnotesize|scriptsize|addlinespace(?:\[.*?\])?|(?:vspace|hspace|setlength|resizebox|renewcommand)\*?\{.*)\s*"
)
_TABULAR = re.compile(r"\\begin\{(tabular[x*]?|longtable|array)\}(.*?)\\end\{\1\}", re.DOTALL)
_CELL_MACRO = re.compile(r"\\multicolumn\{(\d+)\}\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_MULTIROW = re.compile(r"\\multirow(?:\[[^\]]*\])?\{(-?\d+)\}(?:\[[^\]]*\])?\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_MAKECELL = re.compile(r"\\(?:makecell|shortstack|thead)(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}")
# What says how a cell looks: with what it holds, and without.
_LOOK = re.compile(r"\\(?:textcolor|colorbox)\{[^{}]*\}\{((?:[^{}]|\{[^{}]*\})*)\}")
_FONT = re.compile(
    r"\\(?:textbf|mathbf|textit|mathit|mathrm|text|emph|underline|uline|textsc|bm|boldsymbol)\{([^{}]*)\}"
)
_SWITCH = re.compile(
    r"\\(?:bfseries|itshape|bf|it|em|cellcolor(?:\[[^\]]*\])?\{[^{}]*\}|rowcolor(?:\[[^\]]*\])?\{[^{}]*\}|color\{[^{}]*\}|vspace\*?\{[^{}]*\})\s*"
)
_NUMBER = re.compile(r"[-+−]?[.,]?\d")


class Pasted(NamedTuple):
    """A text of separated values, its separator if it is known, and what was done to come there."""

    text: str
    separator: str | None = None
    notes: tuple[str, ...] = ()


def separated(text: str, label: str, table: str | None = None) -> Pasted:
    """The text as separated values: most is so already. Of several tables on a page, `table` names one."""
    pages = _on_a_page(text)
    if pages:
        return _of_page(text, pages, label, table)
    if table is not None:
        raise ArgumentError(f"{label} is one table: leave out {{argument}}.", argument="sheet")
    text, notes = _without_titles(text)
    if "#" in text and (text.startswith("#") or "\n#" in text):
        text, left = _without_comments(text)
        notes += left
    first = _first_line(text).strip()
    if first.startswith("|") and first.endswith("|") and len(first) > 2:
        return Pasted(_from_pipes(text.split("\n")), "|", notes)
    if "&" in text and "\\\\" in text and (_TABULAR.search(text) or _is_latex(text)):
        return Pasted(_from_latex(text, label), "&", notes)
    if not any(sign in first for sign in SEPARATORS) and len(first.split()) > 1:
        return Pasted(_from_blanks(text, label), "\t", notes)
    return Pasted(text, None, notes)


MOST_TITLES = 12  # lines above a table


def _without_titles(text: str) -> tuple[str, tuple[str, ...]]:
    """Without lines of prose above a header of names: they have none of the separators that cut the lines below into as many cells."""
    lines = text[:20_000].split("\n", MOST_TITLES + 2)[: MOST_TITLES + 2]
    for sign in SEPARATORS:
        counts = ["".join(line.split('"')[::2]).count(sign) for line in lines]
        at = next((i for i, count in enumerate(counts) if count), 0)
        above = [line.strip() for line in lines[:at] if line.strip()]
        even = at + 1 < len(lines) and counts[at] == counts[at + 1]
        if (
            above
            and even
            and not _has_numbers(lines[at])
            and not any(line.startswith(("#", "\\", "|")) for line in above)
        ):
            many = len(above) > 1
            note = f"{len(above)} line{'s' if many else ''} above the table {'were' if many else 'was'} left out: {quoted(above, 3)}."
            return text.split("\n", at)[at], (note,)
    return text, ()


def _on_a_page(text: str) -> dict[str, list[str]]:
    """The tables of a Markdown page by the headings above them: a line of names, a rule below it, and rows."""
    if "|" not in text or "--" not in text:
        return {}
    lines = [line.strip() for line in text.split("\n")]
    tables: dict[str, list[str]] = {}
    heading, at = "", 0
    while at < len(lines):
        heading = lines[at].strip("# ") if lines[at].startswith("#") else heading
        is_rule = "|" in lines[at] and "-" in lines[at] and _RULE.fullmatch(lines[at])
        if not is_rule or not at or lines[at - 1].strip("|").count("|") != lines[at].strip("|").count("|"):
            at += 1
            continue
        end = next((i for i in range(at, len(lines)) if "|" not in lines[i]), len(lines))
        name = heading if heading and heading not in tables else f"{heading or 'table'} {len(tables) + 1}"
        tables[name] = [lines[at - 1], *lines[at + 1 : end]]
        at = end
    scored = {name: rows for name, rows in tables.items() if any(map(_has_number, rows[1:]))}
    return scored or tables


def _has_number(row: str) -> bool:
    return any(_NUMBER.match(cell.strip("*_ ")) for cell in row.strip("|").split("|")[1:])


def _of_page(text: str, tables: dict[str, list[str]], label: str, table: str | None) -> Pasted:
    """The one table of a page, or the one that is asked for: by its heading or by its number."""
    numbered = dict(zip(map(str, range(1, len(tables) + 1)), tables, strict=True))
    chosen = numbered.get(table or "", table) if table is not None or len(tables) > 1 else next(iter(tables))
    if chosen is None:
        raise DataError(
            f"{label} has {len(tables)} tables ({quoted(tables, 12)}): name one with {{sheet}}, by the heading above it or by its number.",
            offers=tuple({"sheet": name} for name in tables),
        )
    if chosen not in tables:
        raise ArgumentError(f"{label} has no table {chosen!r}: it has {quoted(tables, 12)}.")
    lines = tables[chosen]
    around = sum(bool(line.strip()) for line in text.split("\n")) - len(lines) - 1
    note = f"The text around the table was left out ({around} line{'s' if around > 1 else ''})."
    return Pasted(_from_pipes(lines), "|", (note,) if around else ())


def _from_pipes(lines: list[str]) -> str:
    """The rows of a Markdown table, without its rule; a bar that belongs to a cell is written \\|."""
    stripped = (line.strip() for line in lines)
    rows = [
        line.replace("\\|", "\0").removeprefix("|").removesuffix("|")
        for line in stripped
        if line and not _RULE.fullmatch(line)
    ]
    return "\n".join("|".join(cell.strip() for cell in row.split("|")) for row in rows).replace("\0", "/")


def _first_line(text: str) -> str:
    """The first line, without a copy of the rest."""
    end = text.find("\n")
    return text if end < 0 else text[:end]


def sniff_separator(text: str) -> str:
    """The separator that cuts the first line into most cells; a tab or semicolon wins over the comma in it.

    >>> sniff_separator("data;a;b\\niris;0,8;0,9"), sniff_separator("data,a\\niris,1")
    (';', ',')
    """
    line = _first_line(text)
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


def _from_latex(text: str, label: str) -> str:
    """The rows of a tabular: cells between &, rows that end in \\\\."""
    text = re.sub(r"(?<!\\)%[^\n]*", "", text)
    tables = _TABULAR.findall(text)
    if len(tables) > 1:
        raise DataError(f"{label} has {len(tables)} tables: keep one `tabular` in the file.")
    text = _without_columns(tables[0][1]) if tables else text
    text = _MAKECELL.sub(lambda m: re.sub(r"\s*\\\\\s*", " ", m[1]).strip(), text)
    rows: list[list[str]] = []
    below: dict[int, tuple[int, str]] = {}
    for piece in re.split(r"\\\\(?:\[[^\]]*\])?", text):
        line = " ".join(_LATEX_LINE.sub("", part).strip() for part in piece.strip().split("\n")).strip()
        if "&" in line:
            line = _SWITCH.sub("", _LOOK.sub(r"\1", line.replace("\\&", "\0")))
            line = _FONT.sub(r"\1", _FONT.sub(r"\1", line)).replace("$", "").replace("\\pm", "±").replace("~", " ")
            line = re.sub(r"_\{?\s*(±[^}&]*)\}?", r" \1", line)
            line = _CELL_MACRO.sub(lambda m: m[2] + "&" * (int(m[1]) - 1), line)
            rows.append(_filled([cell.strip().replace("\0", "and") for cell in line.split("&")], below))
    return "\n".join("&".join(row).replace("\\_", "_").replace("\\%", "%") for row in rows)


def _without_columns(body: str) -> str:
    """The inside of a tabular without the arguments that say how its columns look: {llr}, {\\textwidth}{XX}."""
    return re.sub(r"^\s*(?:\[[^\]]*\]|\{(?:[^{}]|\{[^{}]*\})*\}\s*)+", "", body)


def _filled(cells: list[str], below: dict[int, tuple[int, str]]) -> list[str]:
    """The cells of a row in which one that reaches over several rows stands in each of them."""
    for j, cell in enumerate(cells):
        spans = _MULTIROW.search(cell)
        if spans:
            cells[j] = _MULTIROW.sub(r"\2", cell).strip()
            below[j] = (int(spans[1]) - 1, cells[j])
        elif j in below and not cell:
            left, name = below[j]
            cells[j] = name
            below[j] = (left - 1, name)
        if j in below and below[j][0] <= 0:
            del below[j]
    return cells


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
