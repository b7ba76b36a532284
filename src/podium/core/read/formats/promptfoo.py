"""Results of promptfoo: JSON, JSON Lines and CSV. A column (provider x prompt) is a system, a set of variables a case.

The share of tests that pass is compared; `score` and the named scores can be asked for. Only failureReason 2 is an error, a hole;
the text of `error` is there for plain failures, too. Repeats of a test have the same variables and are its samples.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.read.logs.find import opened
from podium.core.read.logs.json_view import JsonView, dict_of, first_record, json_lines, json_view, list_of
from podium.core.read.logs.records import Log, Stream, hole_kind, number

_ERROR = 2
PASSED = "pass rate"
_COLUMN = re.compile(r"\[(?P<provider>[^\]]+)\] (?P<prompt>.*)", re.DOTALL)
_GRADE = re.compile(r"\s*\[(PASS|FAIL|ERROR)\]")
MOST_CELL = 10_000_000


def is_promptfoo(path: Path, head: bytes) -> bool:
    """Whether a file is what `promptfoo eval -o` writes: JSON with results.results, one result per line, or a CSV."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] != b"{":
        return _is_csv(text)
    if b'"promptIdx"' in head or b'"gradingResult"' in head:
        row = first_record(path)
        if row is not None and _is_row(row):
            return True
    if not re.search(rb'"(evalId|promptIdx|results|gradingResult)"', head):
        return False
    results = json_view(path).get("results", "results")
    first = next(results.items(), None) if results is not None else None
    return first is not None and _is_row(first.load())


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and {"success", "vars", "provider"} <= row.keys()
        and ("prompt" in row or "promptIdx" in row)
    )


def _is_csv(text: bytes) -> bool:
    """Columns "[provider] prompt", each followed by Status and Score, or with cells that begin by [PASS]."""
    if b"] " not in text[:4000]:
        return False
    try:
        rows = list(csv.reader(io.StringIO(text.decode("utf-8", "ignore")), strict=False))[:3]
    except csv.Error:
        return False
    if len(rows) < 2:
        return False
    outputs = [at for at, name in enumerate(rows[0]) if _COLUMN.fullmatch(name)]
    graded = [
        at for at in outputs if rows[0][at + 1 : at + 2] == ["Status"] or _GRADE.match("".join(rows[1][at : at + 1]))
    ]
    return bool(graded)


@dataclass(slots=True)
class _Row:
    """One outcome, without its texts."""

    column: tuple[str, str, int]
    case: str
    name: str
    asked: str
    success: float | None
    why: str
    scores: dict[str, float | None]
    costs: dict[str, float]
    traits: dict[str, Any]


@dataclass(slots=True)
class _Columns:
    """Providers and prompts of all files; a prompt has the number of its first occurrence."""

    prompts: dict[str, int] = field(default_factory=dict)

    def number(self, prompt: str) -> int:
        return self.prompts.setdefault(prompt, len(self.prompts))


def read_promptfoo(files: list[Path], log: Log) -> None:
    """JSON first, because it lists the prompts in their order."""
    columns = _Columns()
    read = []
    for file in sorted(files, key=lambda file: (_kind(file) != "json", file)):
        kind = _kind(file)
        if kind == "json":
            _order_prompts(json_view(file), columns)
        rows = list(_rows_of_csv(file) if kind == "csv" else _rows_of_json(file, kind))
        _number_prompts(rows, columns)
        read.append((file, rows))
    for file, rows in _without_rounded(read, log):
        _fill(file, rows, columns, log)
    if len(columns.prompts) > 1:
        for prompt, at in columns.prompts.items():
            log.note(f"Prompt {at} is {prompt[:80]!r}.")
    log.matched_by("the variables of the test")


def _without_rounded(read: list[tuple[Path, list[_Row]]], log: Log) -> list[tuple[Path, list[_Row]]]:
    """Without a CSV that says the same as another file: its scores are rounded to two digits."""
    full = {_outcomes(rows): file for file, rows in read if _kind(file) != "csv"}
    kept = []
    for file, rows in read:
        twin = full.get(_outcomes(rows))
        if _kind(file) == "csv" and twin is not None:
            log.beside.add(file)
            log.note(f"{file.name} says the same as {twin.name}, rounded: it is left out.")
        else:
            kept.append((file, rows))
    return kept


def _outcomes(rows: list[_Row]) -> frozenset[tuple[str, str, str, float | None]]:
    return frozenset((row.column[0], row.column[1], row.case, row.success) for row in rows)


def _kind(file: Path) -> str:
    with opened(file) as stream:
        text = stream.read(100).lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] != b"{":
        return "csv"
    row = first_record(file)
    return "lines" if row is not None and _is_row(row) else "json"


# --- JSON ------------------------------------------------------------------------------------------------------------


def _order_prompts(view: JsonView, columns: _Columns) -> None:
    prompts = view.value("results", "prompts")
    for prompt in list_of(prompts):
        columns.number(_label(prompt))


def _label(prompt: Any) -> str:
    if not isinstance(prompt, dict):
        return str(prompt)
    return str(prompt.get("label") or prompt.get("display") or prompt.get("raw") or "")


def _rows_of_json(file: Path, kind: str) -> Iterator[_Row]:
    if kind == "lines":
        for _, row in json_lines(file):
            yield _row(row)
        return
    results = json_view(file).get("results", "results")
    for view in results.items() if results is not None else ():
        row = view.load()
        if isinstance(row, dict):
            yield _row(row)


def _row(row: dict[str, Any]) -> _Row:
    provider = row.get("provider")
    who = str(dict_of(provider).get("label") or dict_of(provider).get("id") or provider)
    at = number(row.get("promptIdx"))
    test = dict_of(row.get("testCase"))
    case, name = _case(
        dict_of(row.get("vars")) or dict_of(test.get("vars")), test.get("description"), row.get("testIdx")
    )
    reason, grading = row.get("failureReason"), row.get("gradingResult")
    failed = reason == _ERROR if reason is not None else bool(row.get("error")) and grading is None
    scores = {
        "score": number(row.get("score")),
        **{str(k): number(v) for k, v in dict_of(row.get("namedScores")).items()},
    }
    latency, tokens = number(row.get("latencyMs")), number(dict_of(row.get("tokenUsage")).get("total"))
    costs = {"cost": number(row.get("cost")), "tokens": tokens, "seconds": None if latency is None else latency / 1000}
    asserts = json.dumps(test.get("assert"), sort_keys=True, default=str) if test.get("assert") else ""
    traits = {key: value for key, value in dict_of(test.get("metadata")).items() if not key.startswith("_")}
    return _Row(
        column=(
            who,
            _label(row.get("prompt")) if row.get("prompt") is not None else str(row.get("promptId")),
            -1 if at is None else int(at),
        ),
        case=case,
        name=name,
        asked=hashlib.sha256(asserts.encode()).hexdigest()[:12] if asserts else "",
        success=None if failed else number(row.get("success")),
        why=hole_kind(str(row.get("error"))) if failed else "no score",
        scores=dict.fromkeys(scores) if failed else scores,
        costs={key: value for key, value in costs.items() if value},
        traits=traits,
    )


def _case(given: dict[str, Any], description: Any, test: Any) -> tuple[str, str]:
    """The key of a case and what it is called: its variables; without any, its description or number.

    >>> _case({"a": 1, "b": "x"}, None, 0)[1], _case({"b": "x", "a": "1"}, None, 7)[1]
    ('a=1, b=x', 'a=1, b=x')
    """
    plain = {str(key): _text(value) for key, value in given.items() if not str(key).startswith("_")}
    if not plain:
        name = str(description or f"test {test}")
        return name, name
    told = ", ".join(f"{key}={plain[key]}" for key in sorted(plain))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16], told[:80]


def _text(value: Any) -> str:
    """A variable as CSV writes it, so that 3 and "3" are one."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# --- CSV -------------------------------------------------------------------------------------------------------------


def _rows_of_csv(file: Path) -> Iterator[_Row]:
    csv.field_size_limit(MOST_CELL)
    try:
        with opened(file) as stream, io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
            table = csv.reader(text)
            header = next(table)
            starts = [at for at, name in enumerate(header) if _COLUMN.fullmatch(name)]
            given = [at for at in range(starts[0]) if not header[at].startswith("__") and header[at] != "Description"]
            for cells in table:
                if cells:
                    yield from _row_of_csv(header, cells, starts, given)
    except (csv.Error, UnicodeError, StopIteration, IndexError):
        raise DataError(
            f"{file.name} is damaged or was cut off: restore it, or leave it out.", file=str(file)
        ) from None


def _row_of_csv(header: list[str], cells: list[str], starts: list[int], given: list[int]) -> Iterator[_Row]:
    if len(cells) < len(header):
        raise csv.Error
    description = cells[header.index("Description")] if "Description" in header[: starts[0]] else None
    case, name = _case({header[at]: cells[at] for at in given}, description, cells[0])
    for order, (start, stop) in enumerate(zip(starts, [*starts[1:], len(header)], strict=True)):
        found = _COLUMN.fullmatch(header[start])
        own = dict(zip(header[start + 1 : stop], cells[start + 1 : stop], strict=True))
        graded = _GRADE.match(cells[start])
        status = own.get("Status") or (graded[1] if graded else "")
        scores = {"score": number(own.get("Score"))}
        scores |= {
            key.removeprefix("Metric: "): number(text) for key, text in own.items() if key.startswith("Metric: ")
        }
        failed = status not in ("PASS", "FAIL")
        yield _Row(
            column=(found["provider"], found["prompt"], order) if found else ("", "", order),
            case=case,
            name=name,
            asked="",
            success=None if failed else float(status == "PASS"),
            why="error" if status == "ERROR" else "no score",
            scores=dict.fromkeys(scores) if failed else scores,
            costs={},
            traits={},
        )


# --- Streams ---------------------------------------------------------------------------------------------------------


def _number_prompts(rows: list[_Row], columns: _Columns) -> None:
    """Prompts that no list has named yet, in the order of their columns."""
    for _, prompt, _ in sorted({row.column for row in rows}, key=lambda column: column[2]):
        columns.number(prompt)


def _fill(file: Path, rows: list[_Row], columns: _Columns, log: Log) -> None:
    systems = _systems({row.column for row in rows}, columns)
    distinct = _with_other_asserts(rows)
    when = str(json_view(file).value("results", "timestamp") or "") if _kind(file) == "json" else ""
    streams: dict[tuple[str, str], Stream] = {}

    def stream(system: str, metric: str, **more: Any) -> Stream:
        if (system, metric) not in streams:
            streams[system, metric] = log.stream(file=file, system=system, metric=metric, when=when, **more)
        return streams[system, metric]

    for row in rows:
        system = systems[row.column]
        case = f"{row.case}:{row.asked}" if row.case in distinct else row.case
        told: dict[str, Any] = {"name": row.name, "why": row.why}
        stream(system, PASSED, direction="higher").add(case, row.success, traits=row.traits, **told)
        for metric, score in row.scores.items():
            stream(system, metric, direction="higher", main=False).add(case, score, **told)
        for cost, amount in row.costs.items():
            stream(system, cost, direction="lower", is_cost=True).add(case, amount, name=row.name)
    _fill_named_scores_of_errors(streams, rows, systems, distinct)


def _fill_named_scores_of_errors(
    streams: dict[tuple[str, str], Stream],
    rows: list[_Row],
    systems: dict[tuple[str, str, int], str],
    distinct: set[str],
) -> None:
    """An error has no named scores at all: it is a hole in each of those that its system has."""
    for row in rows:
        if row.success is not None:
            continue
        case = f"{row.case}:{row.asked}" if row.case in distinct else row.case
        for (system, metric), stream in streams.items():
            if system == systems[row.column] and not stream.is_cost and metric != PASSED and metric not in row.scores:
                stream.add(case, None, name=row.name, why=row.why)


def _systems(found: set[tuple[str, str, int]], columns: _Columns) -> dict[tuple[str, str, int], str]:
    """A column is its provider, with the number of its prompt where there are several, and of the column if it must be."""
    several = len(columns.prompts) > 1
    names = {column: f"{column[0]} / prompt {columns.number(column[1])}" if several else column[0] for column in found}
    taken = list(names.values())
    return {
        column: name if taken.count(name) == 1 else f"{name} (column {column[2]})" for column, name in names.items()
    }


def _with_other_asserts(rows: list[_Row]) -> set[str]:
    """Cases whose variables occur with several sets of assertions: those are several cases."""
    seen: dict[str, set[str]] = {}
    for row in rows:
        seen.setdefault(row.case, set()).add(row.asked)
    return {case for case, asked in seen.items() if len(asked) > 1}
