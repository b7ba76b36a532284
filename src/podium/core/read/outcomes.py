"""Outcomes per test case, long (system, case, score) or wide (cases x systems), as `Cases`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from podium.core.arrays import Floats
from podium.core.cases import Cases, as_cases, kind_of
from podium.core.errors import DataError
from podium.core.metric import Metric, as_direction, known_metric
from podium.core.read.cells import MISSING_MARKERS, failure_kind
from podium.core.read.names import key_of, quoted, shown
from podium.core.read.options import ReadOptions
from podium.core.read.roles import role_of

if TYPE_CHECKING:
    from podium.core.read.sheet import Sheet

# Names of a column of cases that leave no doubt; and those that do only where somebody says that the unit is the case.
CLEAR = frozenset(
    """case case_id test_case test_case_id item item_id question question_id example example_id instance instance_id doc_id
    document_id prompt_id query_id qid sample_id""".split()
)
POSSIBLE = frozenset("id task task_id problem problem_id index name doc document prompt query question_number".split())
ROLES: dict[str, frozenset[str]] = {
    "sample": frozenset("sample epoch attempt trial generation sample_index sample_nr".split()),
    "cluster": frozenset("cluster cluster_id group group_id passage passage_id user user_id".split()),
    "benchmark": frozenset("benchmark benchmark_name suite subject category dataset task_name".split()),
}
_RIGHT = frozenset("1 true t yes y pass passed p+ c correct right resolved success solved ok".split())
_WRONG = frozenset("0 false f no n fail failed i incorrect wrong unresolved failure unsolved".split())
_ERRORS = ("error", "timeout", "timed out", "crash", "oom", "out of memory", "exception", "killed", "tle")
_RIGHTNESS = frozenset("correct is_correct right acc accuracy exact_match score value outcome result".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseColumns:
    """The columns that were named for a role."""

    case: str | None = None
    sample: str | None = None
    cluster: str | None = None
    benchmark: str | None = None

    @property
    def any(self) -> bool:
        """Whether one was named."""
        return any(getattr(self, role) is not None for role in ("case", "sample", "cluster", "benchmark"))


def looks_like_cases(sheet: Sheet) -> bool:
    """Whether a column is clearly one of test cases: no dataset, fold or metric beside it, each case once per system."""
    keys = [key_of(name) for name in sheet.header]
    roles = {role_of(name) for name in sheet.header}
    return sum(key in CLEAR for key in keys) == 1 and not roles & {"fold", "metric", "family"}


def read_outcomes(
    source: Any,
    *,
    metric: str | None = None,
    direction: str | None = None,
    columns: CaseColumns | None = None,
    options: ReadOptions | None = None,
) -> Cases:
    """Cases from a path, a DataFrame, a dict of columns or an array; `columns` names those whose names do not say it."""
    named = columns or CaseColumns()
    if isinstance(source, Cases):
        return source
    if isinstance(source, str | Path) or (hasattr(source, "columns") and _is_table(source, named)):
        from podium.core.read.reader import opened

        sheet = cast("Sheet", opened(source, options or ReadOptions()))
        if not hasattr(sheet, "header"):
            raise DataError(f"{source} holds scores of datasets, not outcomes of cases.")
        return _of_sheet(sheet, metric, direction, named)
    data = source
    if hasattr(source, "columns"):
        data = {str(name): _values(source[name].to_numpy(), str(name), source.index)[0] for name in source.columns}
        made = as_cases(data)
        names = tuple(str(name) for name in source.index)
        if len(set(names)) < len(names):
            raise DataError(f"The case {_twice(names)!r} occurs more than once in the index: give each its own name.")
        made = Cases(values=made.values, cases=names, algorithms=made.algorithms, metric=made.metric)
    elif isinstance(source, Mapping):
        made = as_cases({name: _values(np.asarray(c, dtype=object), str(name), None)[0] for name, c in source.items()})
    else:
        made = as_cases(data)
    return _with_metric(made, metric, direction)


def _is_table(frame: Any, named: CaseColumns) -> bool:
    keys = {key_of(str(name)) for name in frame.columns}
    return named.any or bool(keys & CLEAR) or any(role_of(str(name)) == "algorithm" for name in frame.columns)


def _with_metric(cases: Cases, metric: str | None, direction: str | None) -> Cases:
    from dataclasses import replace

    return replace(cases, metric=_metric(metric, direction, cases.values)) if metric or direction else cases


def _metric(name: str | None, direction: str | None, values: Floats) -> Metric:
    """The metric: of pass or fail a share that is better when higher; of numbers one whose direction is known or said."""
    kind = kind_of(values)
    said = name or "score"
    if kind == "pass_fail" and known_metric(said) is None:
        said = "accuracy" if key_of(said) in _RIGHTNESS else "pass rate"
    if direction is not None:
        return Metric(name=said, direction=as_direction(direction))
    known = known_metric(said)
    if known is not None:
        return Metric(name=said, direction=known.direction)
    if kind != "numeric":
        return Metric(name=said, direction="higher")
    raise DataError(f"Is a higher or a lower {said!r} better? Give {{direction}}.", options=("direction",))


def _of_sheet(sheet: Sheet, metric: str | None, direction: str | None, named: CaseColumns) -> Cases:
    case = _column(sheet, "case", named.case, CLEAR)
    case = _column(sheet, "case", None, POSSIBLE) if case is None else case
    places = {role: _column(sheet, role, getattr(named, role), words) for role, words in ROLES.items()}
    system = next((i for i, name in enumerate(sheet.header) if role_of(name) == "algorithm" and i != case), None)
    if system is None and case is not None:
        system = next((i for i, n in enumerate(sheet.header) if key_of(n) in ("agent", "llm", "patch", "team")), None)
    if case is None:
        raise DataError(
            f"{sheet.label}: which column names the test cases? Give {{case_column}} (the columns are {quoted(sheet.header, 12)}).",
            options=("case_column",),
        )
    taken = {case, system, *places.values()} - {None}
    if system is None:
        return _wide(sheet, case, places, [i for i in range(sheet.n_columns) if i not in taken], metric, direction)
    return _long(sheet, case, system, places, [i for i in range(sheet.n_columns) if i not in taken], metric, direction)


def _column(sheet: Sheet, role: str, named: str | None, words: frozenset[str]) -> int | None:
    if named is not None:
        if named not in sheet.header:
            raise DataError(
                f"{sheet.label} has no column {named!r} for {{{role}_column}}: it has {quoted(sheet.header, 12)}.",
                options=(f"{role}_column",),
            )
        return sheet.header.index(named)
    return next((i for i, name in enumerate(sheet.header) if key_of(name) in words), None)


def _texts(sheet: Sheet, place: int, what: str) -> list[str]:
    names, codes = sheet.codes(place)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise DataError(f"{sheet.label}: row {row + 1} below the header has no {what}: fill it in, or delete the row.")
    return [names[code] for code in codes.tolist()]


def _wide(
    sheet: Sheet,
    case: int,
    places: dict[str, int | None],
    systems: list[int],
    metric: str | None,
    direction: str | None,
) -> Cases:
    cases = _with_benchmark(sheet, case, places["benchmark"])
    if len(set(cases)) < len(cases):
        raise DataError(
            f"{sheet.label}: the case {_twice(cases)!r} occurs in more than one row: give each case its own name, or one row per "
            "system, case and sample."
        )
    values, holes = [], {}
    for place in systems:
        column, why = _values(sheet.column(place).to_numpy(dtype=object), sheet.header[place], None, sheet.label)
        values.append(column)
        holes.update({(cases[row], sheet.header[place]): text for row, text in why.items()})
    if len(systems) < 2:
        raise DataError(f"{sheet.label} has the outcomes of fewer than 2 systems beside its column of cases.")
    return _made(sheet, np.array(values).T, cases, [sheet.header[i] for i in systems], places, holes, metric, direction)


def _with_benchmark(sheet: Sheet, case: int, benchmark: int | None) -> list[str]:
    """The names of cases; a case of the same name in two benchmarks is two cases."""
    names = _texts(sheet, case, "case")
    if benchmark is None:
        return names
    return [f"{where}/{name}" for where, name in zip(_texts(sheet, benchmark, "benchmark"), names, strict=True)]


def _long(
    sheet: Sheet,
    case: int,
    system: int,
    places: dict[str, int | None],
    rest: list[int],
    metric: str | None,
    direction: str | None,
) -> Cases:
    value = _value_column(sheet, rest, metric)
    names, who = _with_benchmark(sheet, case, places["benchmark"]), _texts(sheet, system, "algorithm")
    column, why = _values(sheet.column(value).to_numpy(dtype=object), sheet.header[value], None, sheet.label)
    cases, systems = list(dict.fromkeys(names)), list(dict.fromkeys(who))
    row_of, column_of = ({name: i for i, name in enumerate(each)} for each in (cases, systems))
    cells: dict[tuple[int, int], list[float]] = {}
    holes = {}
    for at, (name, one) in enumerate(zip(names, who, strict=True)):
        key = row_of[name], column_of[one]
        if key in cells and places["sample"] is None:
            raise DataError(
                f"{sheet.label}: {one!r} has more than one outcome on the case {name!r} (row {at + 1} below the header): name the "
                "column of samples by {sample_column}, or keep one.",
                options=("sample_column",),
            )
        cells.setdefault(key, []).append(float(column[at]))
        if at in why:
            holes[name, one] = why[at]
    most = max(len(drawn) for drawn in cells.values())
    samples = np.full((len(cases), len(systems), most), np.nan)
    for (i, j), drawn in cells.items():
        samples[i, j, : len(drawn)] = drawn
    present = ~np.isnan(samples)
    count = present.sum(axis=2)
    values = np.where(count > 0, np.where(present, samples, 0.0).sum(axis=2) / np.maximum(count, 1), np.nan)
    first = [names.index(name) for name in cases] if len(cases) * len(names) < 10**6 else _firsts(names)
    wanted = metric or sheet.header[value]
    return _made(
        sheet,
        values,
        cases,
        systems,
        places,
        holes,
        wanted,
        direction,
        rows=first,
        samples=samples if most > 1 else None,
    )


def _firsts(names: list[str]) -> list[int]:
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        seen.setdefault(name, at)
    return list(seen.values())


def _value_column(sheet: Sheet, rest: list[int], metric: str | None) -> int:
    """The column of outcomes: the one named, the one called a score, or the only one."""
    if metric is not None and metric in sheet.header:
        return sheet.header.index(metric)
    scored = [i for i in rest if role_of(sheet.header[i]) == "value" or key_of(sheet.header[i]) in _RIGHTNESS]
    found = scored or [i for i in rest if role_of(sheet.header[i]) is None]
    if len(found) != 1:
        names = quoted([sheet.header[i] for i in found or rest], 12) if found or rest else "none is left"
        raise DataError(
            f"{sheet.label}: which column has the outcomes ({names})? Give {{metric}}.", options=("metric",)
        )
    return found[0]


def _made(
    sheet: Sheet,
    values: Floats,
    cases: list[str],
    systems: list[str],
    places: dict[str, int | None],
    holes: dict[tuple[str, str], str],
    metric: str | None,
    direction: str | None,
    *,
    rows: list[int] | None = None,
    samples: Floats | None = None,
) -> Cases:
    named: dict[str, Any] = {}
    for role, field in (("cluster", "clusters"), ("benchmark", "benchmarks")):
        place = places[role]
        if place is not None:
            texts = _texts(sheet, place, role)
            named[field] = tuple(texts[row] for row in (rows if rows is not None else range(len(texts))))
    shape = f"{len(systems)} algorithms on {len(cases)} cases"
    more = "".join(f", {field}" for field in named) + (
        f", up to {samples.shape[2]} samples per case" if samples is not None else ""
    )
    return Cases(
        values=values,
        cases=tuple(cases),
        algorithms=tuple(systems),
        metric=_metric(metric, direction, samples if samples is not None else values),
        samples=samples,
        holes=holes,
        notes=(f"{sheet.label} was read as outcomes of test cases: {shape}{more}.",),
        **named,
    )


def _twice(names: Any) -> str:
    """The first name that occurs again."""
    counts = Counter(names)
    return next(str(name) for name, count in counts.items() if count > 1)


def _values(cells: Any, name: str, index: Any, label: str = "The table") -> tuple[Floats, dict[int, str]]:
    """The numbers of a column of outcomes, and why a cell is a hole, by row."""
    values, why = np.full(len(cells), np.nan), {}
    for row, cell in enumerate(cells):
        text = "" if cell is None or cell != cell else str(cell).strip()
        plain = text.lower()
        if not plain or plain in MISSING_MARKERS:
            continue
        if plain in _RIGHT or plain in _WRONG:
            values[row] = 1.0 if plain in _RIGHT else 0.0
        elif any(word in plain for word in _ERRORS):
            why[row] = "timeout" if plain == "tle" else failure_kind(text).replace("failed", "error")
        else:
            values[row] = _number(text, label, name, row)
    return values, why


def _number(text: str, label: str, name: str, row: int) -> float:
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if not np.isfinite(found):
        raise DataError(
            f"{label}: {shown(text)} in column {name!r}, row {row + 1} below the header, is no outcome: write 1 or 0, pass or fail, "
            "a number, or error."
        )
    return found
