"""JSON: tables in several shapes, a record per line, and `cross_validate` results."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from podium.core.errors import ArgumentError, DataError
from podium.core.metric import known_metric
from podium.core.names import quoted, shown
from podium.reading.formats.frames import sheet_of_frame
from podium.reading.formats.multi_header import MEANS, SPREADS
from podium.reading.formats.sklearn import is_cross_validation, read_cross_validation
from podium.reading.formats.text import File, decoded
from podium.reading.options import ReadOptions
from podium.reading.question import MORE_SCORES, NothingToTest, Question
from podium.reading.roles import may_be_algorithms, role_of
from podium.reading.sheet import Sheet

if TYPE_CHECKING:
    from podium.evidence.results import Results


MOST_DIGITS = 300  # of an integer that is a finite number


def loaded(text: str, name: str) -> Any:
    """What a text in JSON holds; a key that occurs twice in one object is refused, where Python keeps the last value."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(
                f"{name} has the key {shown(twice)} more than once in one object: rename or delete all but one."
            )
        return members

    def whole(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise DataError(f"{name} has a number that is too large for a score: correct it.")
        return int(digits)

    return json.loads(text, object_pairs_hook=unique, parse_int=whole)


def open_json(path: File, options: ReadOptions) -> Sheet | Results:
    """The table in a JSON file, or the results of a dump of `cross_validate`."""
    try:
        value = loaded(decoded(path, options), path.name)
    except (json.JSONDecodeError, RecursionError) as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(f"{path.name} is not valid JSON{place}: repair it, or save the table as CSV.") from None
    value, left = _of_means(value)
    if is_cross_validation(value):
        return read_cross_validation(value, options, source=str(path))
    if _is_of_outcomes(value):
        return _outcomes(value, path)
    if _is_nested(value) and options.rows == "auto":
        raise _which_are_algorithms(value, path.name)
    value, notes = _unwrapped(value, path.name, options.sheet)
    notes += (f"Of {' and '.join(sorted(left))} beside means, the means are read.",) if left else ()
    return sheet_of_json(value, label=path.name, stem=path.stem, ignored=options.named("ignore"), notes=notes)


def _which_are_algorithms(value: dict[str, dict[str, Any]], label: str) -> DataError:
    """The question for {name: {name: score}}; one name for several metrics has nothing to test."""
    inner = dict.fromkeys(name for row in value.values() for name in row)
    for names in (value, inner):
        if all(known_metric(name, exact=True) is not None for name in names):
            return NothingToTest(
                f"{label} has one score of each metric ({quoted(names, 3)}), so there is nothing to test. {MORE_SCORES}"
            )
    return Question(
        f"{label} has names within names and does not say which are the algorithms: set {{rows}} to 'datasets' if "
        f"the outer ones are ({quoted(value, 2)}), to 'algorithms' if the inner ones are ({quoted(inner, 2)}), or write a list of records.",
        *([{"rows": "datasets"}] if may_be_algorithms(value, inner) else []),
        *([{"rows": "algorithms"}] if may_be_algorithms(inner, value) else []),
    )


def _of_means(value: Any) -> tuple[Any, set[str]]:
    """{name: {name: {metric: {"mean": 0.9, "std": 0.1}}}} with the means alone, and what was left out; anything else as it is."""
    left: set[str] = set()
    alone = _means_alone(value, left) if isinstance(value, dict) else value
    return (alone, left) if left and _is_deep(alone) else (value, set())


def _means_alone(value: Any, left: set[str]) -> Any:
    """Without the spreads beside means: {"mean": 0.9, "std": 0.1} is 0.9; what was left out is put among `left`.

    >>> _means_alone({"svm": {"auc": {"mean": 0.9, "std": 0.1}}, "knn": {"auc": {"mean": 0.8, "std": 0.2}}}, set())
    {'svm': {'auc': 0.9}, 'knn': {'auc': 0.8}}
    """
    if isinstance(value, list):
        return [_means_alone(item, left) for item in value]
    if not isinstance(value, dict):
        return value
    means = [name for name in value if name.lower() in MEANS]
    if len(means) == 1 and len(value) > 1 and all(name.lower() in (*MEANS, *SPREADS) for name in value):
        left |= value.keys() - set(means)
        return value[means[0]]
    return {name: _means_alone(item, left) for name, item in value.items()}


MANY = 5  # a list of records that is so many times as long as any other is the table, and the others describe it


def _unwrapped(value: Any, label: str, wanted: str | None) -> tuple[Any, tuple[str, ...]]:
    """The list of records in an object that has other members too; of several, the one that is asked for or far longer."""
    lists = {name: len(item) for name, item in value.items() if _are_records(item)} if isinstance(value, dict) else {}
    if wanted is not None and wanted not in lists:
        raise ArgumentError(f"{label} has no list of records {wanted!r}: it has {quoted(lists) or 'none'}.")
    if not lists or {"schema", "columns"} & value.keys():
        return value, ()
    longest, *others = sorted(lists, key=lambda name: -lists[name])
    if wanted is None and any(MANY * lists[name] > lists[longest] for name in others):
        raise DataError(f"{label} has several lists of records ({quoted(lists, 12)}): name one with {{sheet}}.")
    chosen = wanted or longest
    rest = [name for name in value if name != chosen]
    return value[chosen], (
        f"The records are those of {chosen!r}; {quoted(rest, 6)} beside them is not read.",
    ) if rest else ()


def _are_records(item: Any) -> bool:
    return isinstance(item, list) and bool(item) and all(isinstance(record, dict) for record in item)


def _cells(value: Any) -> list[Any]:
    """The cells of {name: {name: cell}}; none of anything else."""
    rows = list(value.values()) if isinstance(value, dict) else []
    return [cell for row in rows for cell in row.values()] if all(isinstance(row, dict) and row for row in rows) else []


def _are_scores(cells: Iterable[Any]) -> bool:
    return all(cell is None or isinstance(cell, int | float) for cell in cells)


def _is_of_outcomes(value: Any) -> bool:
    """Whether this is {name: {name: true or false}}."""
    cells = _cells(value)
    return bool(cells) and len(value) > 1 and all(isinstance(cell, bool) for cell in cells)


def _outcomes(value: dict[str, dict[str, bool]], path: File) -> Sheet:
    """Outcomes by system and case: there are fewer systems than cases, and systems stand outside where there are as many."""
    inner = dict.fromkeys(name for row in value.values() for name in row)
    outside, inside = ("algorithm", "case") if len(value) <= len(inner) else ("case", "algorithm")
    rows = [(outer, name, cell) for outer, row in value.items() for name, cell in row.items()]
    frame = pd.DataFrame(rows, columns=[outside, inside, "correct"])
    note = f"The outer names are the {outside}s ({len(value)}), the inner ones the {inside}s ({len(inner)})."
    return sheet_of_frame(frame, label=path.name, stem=path.stem, notes=(note,))


def open_json_lines(path: File, options: ReadOptions) -> Sheet:
    """The table whose rows are the records, one per line; blank lines are skipped."""
    records = []
    for number, line in enumerate(decoded(path, options).lstrip("\ufeff").split("\n"), 1):
        where = f"{path.name}, line {number}"
        try:
            record = loaded(line, where) if line.strip() else None
        except (json.JSONDecodeError, RecursionError):
            raise DataError(f"{where}, is not valid JSON: repair the line, or save the table as CSV.") from None
        if line.strip() and not isinstance(record, dict):
            raise DataError(f'{where}, is not a record: write one per line, as in {{"dataset": "iris", "svm": 0.9}}.')
        records += [record] if line.strip() else []
    return sheet_of_json(records, label=path.name, stem=path.stem, ignored=options.named("ignore"))


def sheet_of_json(
    value: Any, *, label: str, stem: str, ignored: Sequence[str] = (), notes: tuple[str, ...] = ()
) -> Sheet:
    """A sheet from JSON: records, columns, {"columns", "data"}, or {algorithm: {dataset: score}}; `ignored` fields may hold lists."""
    try:
        frame = _frame_of_json(value)
    except (TypeError, ValueError, AttributeError):
        frame = None
    if frame is None or frame.empty:
        raise DataError(
            f"{label} holds no table: use a list of records, columns as lists, or {{algorithm: {{dataset: score}}}}."
        )
    left = [name for name in frame.columns if name not in ignored and _has_no_numbers(frame[name])]
    notes += (f"Left out, because they hold lists without numbers: {quoted(left)}.",) if left else ()
    frame = frame.drop(columns=left)
    for name in set(ignored) & set(frame.columns):  # their cells are not looked at
        frame[name] = frame[name].map(lambda cell: "[...]" if _is_inner(cell) else cell)
    return sheet_of_frame(frame, label=label, stem=stem, notes=notes)


def _is_inner(cell: Any) -> bool:
    return isinstance(cell, list | dict)


def _has_no_numbers(column: pd.Series) -> bool:
    """Whether a field holds lists without a number: tags and texts, but no scores of folds, and no objects that may name something."""
    inner = [cell for cell in column if _is_inner(cell)] if column.dtype == object else []
    return bool(inner) and not any(isinstance(cell, dict) or _inner_numbers(cell) for cell in inner)


def _inner_numbers(cell: Any) -> bool:
    if _is_inner(cell):
        return any(map(_inner_numbers, cell.values() if isinstance(cell, dict) else cell))
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _frame_of_json(value: Any) -> pd.DataFrame | None:
    """The table of any of pandas' orients: records, split, table, columns, index; values if they start with names."""
    if isinstance(value, list):
        if value and all(isinstance(record, dict) for record in value):
            return _flat(value)
        if len(value) > 1 and all(isinstance(row, list) for row in value) and all(isinstance(c, str) for c in value[0]):
            return _rows(value[1:], value[0])
        return None
    if not isinstance(value, dict) or not value:
        return None
    if isinstance(value.get("schema"), dict) and isinstance(value.get("data"), list):
        frame = pd.DataFrame(value["data"])
        keys = [key for key in value["schema"].get("primaryKey", []) if key in frame]
        return _indexed(frame.set_index(keys) if keys else frame)
    if set(value) >= {"columns", "data"} and isinstance(value["data"], list):
        frame = _rows(value["data"], value["columns"])
        return _indexed(frame.set_index(pd.Index(value["index"]))) if "index" in value else frame
    if all(isinstance(column, dict) for column in value.values()) and _numbered(value):
        return pd.DataFrame.from_dict(value, orient="index").reset_index(drop=True)
    if _is_deep(value):
        return _deep_frame(value)
    if all(isinstance(column, dict | list) for column in value.values()):
        return _indexed(pd.DataFrame(value))
    return None


_OF_SCORES = frozenset("metrics metric scores score results result performance evaluation".split())


def _flat(records: list[dict[str, Any]]) -> pd.DataFrame:
    """A row per record; a record within a record gives a column for each of its members, with its name before it unless it is of scores."""
    inner = {name for record in records for name, cell in record.items() if isinstance(cell, dict)}
    if not inner:
        return pd.DataFrame(records)
    frame = pd.json_normalize(records)
    plain = {
        name: name.partition(".")[2] for name in frame.columns if name.partition(".")[0].lower() in inner & _OF_SCORES
    }
    names = [plain.get(name, name) for name in frame.columns]
    return frame.set_axis(names, axis=1) if len({*names}) == len(names) else frame


def _rows(rows: list[Any], names: list[Any]) -> pd.DataFrame:
    """A table of rows that are as wide as its names; others are refused, as a cell that is lost would move the rest."""
    if any(len(row) != len(names) for row in rows):
        raise ValueError("rows of another width")
    return pd.DataFrame(rows, columns=names)


def _is_deep(value: Any) -> bool:
    """Whether this is {name: {name: {metric: number}}}."""
    rows = _cells(value)
    return bool(rows) and all(isinstance(row, dict) and _are_scores(row.values()) for row in rows)


def _deep_frame(value: dict[str, dict[str, dict[str, Any]]]) -> pd.DataFrame:
    """{name: {name: {metric: number}}} as a table; the metrics may be outside, and the inmost names may number seeds or folds."""
    cells = [(outer, inner, row) for outer, own in value.items() for inner, row in own.items()]
    inmost = dict.fromkeys(name for _, _, row in cells for name in row)
    numbered = {
        word for name in inmost for word in re.findall(r"^([a-z]+)[\s_-]*\d+$", name.strip(), re.IGNORECASE) or [""]
    }
    role = role_of(numbered.pop()) if len(numbered) == 1 else None
    if role in ("seed", "repeat", "fold"):
        rows = [
            {"outer": outer, "inner": inner, role: n, "value": x} for outer, inner, row in cells for n, x in row.items()
        ]
        return pd.DataFrame(rows)
    if all(known_metric(name, exact=True) is not None for name in value):
        return pd.DataFrame(
            [
                {"metric": metric, "outer": outer, "inner": n, "value": x}
                for metric, outer, row in cells
                for n, x in row.items()
            ]
        )
    return pd.DataFrame([{"outer": outer, "inner": inner, **row} for outer, inner, row in cells])


def _is_nested(value: Any) -> bool:
    """Whether this is {name: {name: number}}, which may be by algorithm or by dataset."""
    cells = _cells(value)
    counted = bool(cells) and (_numbered(value) or any(map(_numbered, value.values())))
    return bool(cells) and _are_scores(cells) and not counted


def _numbered(names: Iterable[Any]) -> bool:
    """Whether names only count the rows: 0, 1, 2, ..."""
    listed = [str(name) for name in names]
    return sorted(listed) == sorted(map(str, range(len(listed))))


def _indexed(frame: pd.DataFrame) -> pd.DataFrame:
    """Without an index that only counts the rows."""
    return frame.reset_index(drop=True) if frame.index.nlevels == 1 and _numbered(frame.index) else frame
