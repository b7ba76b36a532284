"""Tables with a title or several header rows, as pivot tables and spreadsheets with merged cells have them.

Two header rows name each column twice: by its metric and its algorithm, say. Where one of the rows is known (metrics,
folds, mean and deviation) the table is made long, or keeps its means; else the question is asked.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import quoted, shown
from podium.reading.cells import MISSING_MARKERS
from podium.reading.roles import role_of

Row = list[Any]

_FOLD = re.compile(r"(?:fold|cv|split|repeat|rep|run|seed)?[\s_#.-]*\d+", re.IGNORECASE)
MEANS = ("mean", "avg", "average")
SPREADS = ("std", "sd", "stdev", "stddev", "std dev", "sem", "se", "var", "min", "max", "median", "count", "n", "±")
FOLDS = ("fold", "repeat", "seed")  # rows of a header whose cells are numbers
_MOST_LEVELS = 4  # three levels of columns, and the row in which pandas names the index


_COUNTS = {2: "two", 3: "three", 4: "four"}


class Grid(NamedTuple):
    """One header row, the rows below it, and what was done to come there."""

    header: list[str]
    rows: list[Row]
    notes: tuple[str, ...]


def grid_of(rows: list[Row], label: str) -> Grid:
    """The rows of a table with one header row: titles above it are left out, several header rows resolved."""
    rows, notes = _without_title(rows)
    levels = _levels(rows)
    if levels == 1:
        return Grid(told_apart([_text(cell) for cell in rows[0]]), rows[1:], notes)
    grid = resolved([[_text(cell) for cell in row] for row in rows[:levels]], rows[levels:], label, notes)
    return grid._replace(header=told_apart(grid.header))


def told_apart(header: list[str]) -> list[str]:
    """Names for several columns without one, so that an option can name them."""
    if header.count("") < 2:
        return header
    return [name or f"column {j + 1}" for j, name in enumerate(header)]


def _without_title(rows: list[Row]) -> tuple[list[Row], tuple[str, ...]]:
    """Without the lines above the header that hold a single cell."""
    titles = []
    while len(rows) > 2 and len(set(map(_text, rows[0])) - {""}) == 1 and len(set(map(_text, rows[1])) - {""}) > 1:
        titles.append(next(_text(cell) for cell in rows[0] if _text(cell)))
        rows = rows[1:]
    return rows, tuple(f"The line {shown(title)} above the header was read as a title." for title in titles)


def _levels(rows: list[Row]) -> int:
    """How many rows the header has: more than one only where names above are blank or repeated, and no numbers below."""
    top = [_text(cell) for cell in rows[0][1:]]
    if len(set(top)) == len(top) and "" not in top:
        return 1
    count = 1
    while count <= _MOST_LEVELS and count < len(rows) and _is_header(rows[count], rows[0]):
        count += 1
    wordy = count == len(rows) or count > _MOST_LEVELS or not any(is_number(cell) for cell in rows[count])
    return 1 if wordy else count


def _is_header(row: Row, top: Row) -> bool:
    """Whether a row below the first can be one of the header: as long, no numbers or holes, no name where the first has one."""
    if len(row) != len(top):
        return False
    corner, above = _text(row[0]), _text(top[0])
    names = not corner or not above or corner == above or role_of(corner) is not None
    if role_of(corner) in FOLDS and all(_FOLD.fullmatch(_text(cell)) for cell in row[1:]):
        return True
    return names and not any(is_number(cell) or _text(cell).lower() in MISSING_MARKERS for cell in row[1:])


def resolved(levels: list[list[str]], rows: list[Row], label: str, notes: tuple[str, ...] = ()) -> Grid:
    """The table of several header rows as one with a single header, or the question how to read it."""
    levels = [list(level) for level in levels]
    if len(levels) > 1 and not any(levels[-1][1:]):  # pandas writes the names of the index in a row of their own
        index_names = levels.pop()
    else:
        index_names = levels[-1]
    first = _first_value_column(levels)
    for level in levels[:-1]:
        for j in range(first + 1, len(level)):
            level[j] = level[j] or level[j - 1]
    names = [index_names[j] or next((level[j] for level in levels if level[j]), "") for j in range(first)]
    paths = list(zip(*(level[first:] for level in levels), strict=True))
    for depth in reversed(range(len(levels))):  # a row that says the same of every column tells none apart
        name = paths[0][depth]
        if len({path[depth] for path in paths}) == 1 and (
            len(paths[0]) == 2 or (len(paths[0]) > 2 and not known_metric(name))
        ):
            notes += (f"The header row {shown(name)} stands above all columns and was left out.",)
            paths = [path[:depth] + path[depth + 1 :] for path in paths]
    if len(paths[0]) == 1:
        return Grid([*names, *(path[0] for path in paths)], rows, notes)
    return _resolved(names, paths, rows, label, notes)


def _resolved(names: list[str], paths: list[tuple[str, ...]], rows: list[Row], label: str, notes: Any) -> Grid:
    """The table of columns that are named by several rows: means alone are kept, metrics and folds become columns."""
    first, kinds = len(names), [_kind([path[depth] for path in paths]) for depth in range(len(paths[0]))]
    if "summary" in kinds:
        depth = kinds.index("summary")
        keep = [j for j, path in enumerate(paths) if path[depth].strip().lower() in MEANS]
        kept = [[*row[:first], *(row[first + j] for j in keep)] for row in rows]
        left = sorted({path[depth] for j, path in enumerate(paths) if j not in keep})
        notes = (*notes, f"Of {_COUNTS[len(kinds)]} header rows, the columns {quoted(left)} were left out.")
        paths = [paths[j][:depth] + paths[j][depth + 1 :] for j in keep]
        if len(paths[0]) == 1:
            return Grid([*names, *(path[0] for path in paths)], kept, notes)
        return _resolved(names, paths, kept, label, notes)
    certain = [kind for kind in kinds if kind]
    if kinds.count("") != 1 or len(set(certain)) < len(certain) or len(set(paths)) < len(paths):
        above = " over ".join(quoted(dict.fromkeys(path[depth] for path in paths), 4) for depth in range(len(kinds)))
        raise DataError(
            f"{label} has {len(kinds)} header rows ({above}): join them into one name per column, or keep the one that "
            "names the algorithms."
        )
    order = [kinds.index(""), *(kinds.index(kind) for kind in certain)]
    other = "dataset" if any(role_of(name) == "algorithm" for name in names) else "algorithm"
    header = [*names, other, *certain, "value"]
    long = [[*row[:first], *(path[i] for i in order), row[first + j]] for row in rows for j, path in enumerate(paths)]
    parts = [f"{quoted(dict.fromkeys(path[kinds.index(kind)] for path in paths), 4)} are {kind}s" for kind in certain]
    algorithms = quoted(dict.fromkeys(path[order[0]] for path in paths), 4)
    said = f"{_COUNTS[len(kinds)].capitalize()} header rows were read: {', '.join(parts)}, {algorithms} {other}s."
    return Grid(header, long, (*notes, said))


def _first_value_column(levels: list[list[str]]) -> int:
    """How many columns at the left are the rows' names: those without a name above, or with a role of their own."""
    count = 0
    while count < len(levels[0]) - 1 and (
        not levels[0][count] or role_of(levels[-1][count]) or role_of(levels[0][count])
    ):
        count += 1
    return max(count, 1)


def _kind(values: list[str]) -> str:
    """What the names in one header row are, if that is certain: metrics, folds, or means beside deviations."""
    words = {value.strip().lower() for value in values}
    if words & set(MEANS) and words <= {*MEANS, *SPREADS}:
        return "summary"
    if all(known_metric(value) is not None for value in words):
        return "metric"
    return "fold" if all(_FOLD.fullmatch(value) for value in words) else ""


def _text(cell: Any) -> str:
    return "" if cell is None or cell != cell else str(cell).strip()


def is_number(cell: Any) -> bool:
    """Whether a cell is a number, or a text that begins as one."""
    if isinstance(cell, bool) or cell is None:
        return False
    if isinstance(cell, int | float):
        return cell == cell
    return re.match(r"[\s*_$]*[-+−]?[.,]?\d", str(cell)) is not None
