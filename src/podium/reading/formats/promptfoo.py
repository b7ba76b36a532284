"""Results of promptfoo: JSON, JSON Lines and CSV. A column (provider x prompt) is a system, a set of variables a case.

The share of tests that pass is compared; `score` and the named scores can be asked for. Only failureReason 2 is an error, a hole;
the text of `error` is there for plain failures, too. Repeats of a test have the same variables and are its samples.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

from podium.reading.logs.files import damaged, opened, opened_text
from podium.reading.logs.json_view import dict_of, first_record, json_lines, json_view, list_of, names_in
from podium.reading.logs.records import NO_SCORE, Log, digest, hole_kind, number

_ERROR = 2
PASSED = "pass rate"
_COLUMN = re.compile(r"\[(?P<provider>[^\]]+)\] (?P<prompt>.*)", re.DOTALL)
_GRADE = re.compile(r"\s*\[(PASS|FAIL|ERROR)\]")
MOST_CELL = 10_000_000
Column = tuple[str, str, int]  # of a provider, a prompt, and its place


def is_promptfoo(path: Path, head: bytes) -> bool:
    """Whether a file is what `promptfoo eval -o` writes: JSON with results.results, one result per line, or a CSV."""
    text = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] != b"{":
        return _is_csv(text)
    if {"promptIdx", "gradingResult"} & names_in(head) and _is_row(first_record(path)):
        return True
    return bool({"evalId", "promptIdx", "results", "gradingResult"} & names_in(head)) and _is_row(
        json_view(path).first("results", "results").keys()
    )


def _is_row(names: Collection[str]) -> bool:
    """Whether an object with these members is one outcome."""
    return {"success", "vars", "provider"} <= set(names) and ("prompt" in names or "promptIdx" in names)


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
    return any(rows[0][at + 1 : at + 2] == ["Status"] or _GRADE.match("".join(rows[1][at : at + 1])) for at in outputs)


@dataclass(slots=True)
class _Row:
    """One outcome, without its texts."""

    column: Column
    case: str
    name: str
    success: float | None
    why: str
    scores: dict[str, float | None]
    asked: str = ""
    costs: dict[str, Any] = field(default_factory=dict)
    traits: dict[str, Any] = field(default_factory=dict)


def read_promptfoo(files: list[Path], log: Log) -> None:
    """JSON first, because it lists the prompts in their order; a prompt has the number of its first occurrence."""
    prompts: dict[str, None] = {}
    read: list[tuple[Path, str, list[_Row]]] = []
    for file, kind in sorted(((file, _kind(file)) for file in files), key=lambda item: (item[1] != "json", item[0])):
        if kind == "json":
            prompts |= dict.fromkeys(map(_label, list_of(json_view(file).value("results", "prompts"))))
        rows = list(map(_row, _results(file, kind)))
        prompts |= dict.fromkeys(prompt for _, prompt, _ in sorted({row.column for row in rows}, key=itemgetter(2)))
        read.append((file, kind, rows))
    full = {_outcomes(rows): file for file, kind, rows in read if kind != "csv"}
    for file, kind, rows in read:
        twin = full.get(_outcomes(rows))
        if kind == "csv" and twin is not None:
            log.beside.add(file)
            log.note(f"{file.name} says the same as {twin.name}, rounded: it is left out.")
        else:
            when = str(json_view(file).value("results", "timestamp") or "") if kind == "json" else ""
            _fill(file, when, rows, list(prompts), log)
    for at, prompt in enumerate(prompts) if len(prompts) > 1 else ():
        log.note(f"Prompt {at} is {prompt[:80]!r}.")
    log.matched_by("the variables of the test")


def _outcomes(rows: list[_Row]) -> frozenset[tuple[str, str, str, float | None]]:
    return frozenset((row.column[0], row.column[1], row.case, row.success) for row in rows)


def _kind(file: Path) -> str:
    with opened(file) as stream:
        text = stream.read(100).lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] != b"{":
        return "csv"
    return "lines" if _is_row(first_record(file)) else "json"


# --- JSON ------------------------------------------------------------------------------------------------------------


def _label(prompt: Any) -> str:
    if not isinstance(prompt, dict):
        return str(prompt)
    return str(prompt.get("label") or prompt.get("display") or prompt.get("raw") or "")


def _results(file: Path, kind: str) -> Iterator[dict[str, Any]]:
    if kind == "csv":
        return _results_of_csv(file)
    if kind == "lines":
        return (row for _, row in json_lines(file))
    return (row for view in json_view(file).items("results", "results") if isinstance(row := view.load(), dict))


def _row(row: dict[str, Any]) -> _Row:
    provider, prompt, place = row.get("provider"), row.get("prompt"), number(row.get("promptIdx"))
    who = str(dict_of(provider).get("label") or dict_of(provider).get("id") or provider)
    label = _label(prompt) if prompt is not None else str(row.get("promptId"))
    test = dict_of(row.get("testCase"))
    variables = dict_of(row.get("vars")) or dict_of(test.get("vars"))
    case, name = _case(variables, test.get("description"), row.get("testIdx"))
    reason, grading = row.get("failureReason"), row.get("gradingResult")
    failed = reason == _ERROR if reason is not None else bool(row.get("error")) and grading is None
    named = {str(key): value for key, value in dict_of(row.get("namedScores")).items()}
    scores = {key: None if failed else number(value) for key, value in {"score": row.get("score"), **named}.items()}
    latency, tokens = number(row.get("latencyMs")), number(dict_of(row.get("tokenUsage")).get("total"))
    costs = {"cost": number(row.get("cost")), "tokens": tokens, "seconds": latency and latency / 1000}
    asserts = json.dumps(test.get("assert"), sort_keys=True, default=str) if test.get("assert") else ""
    return _Row(
        column=(who, label, -1 if place is None else int(place)),
        case=case,
        name=name,
        success=None if failed else number(row.get("success")),
        why=hole_kind(str(row.get("error"))) if failed else NO_SCORE,
        scores=scores,
        asked=digest(asserts) if asserts else "",
        costs={key: value for key, value in costs.items() if value},
        traits={key: value for key, value in dict_of(test.get("metadata")).items() if not key.startswith("_")},
    )


def _case(variables: dict[str, Any], description: Any, test: Any) -> tuple[str, str]:
    """The key of a case and what it is called: its variables; without any, its description or number.

    >>> _case({"a": 1, "b": "x"}, None, 0)[1], _case({"b": "x", "a": "1"}, None, 7)[1]
    ('a=1, b=x', 'a=1, b=x')
    """
    plain = {str(key): _text(value) for key, value in variables.items() if not str(key).startswith("_")}
    if not plain:
        name = str(description or f"test {test}")
        return name, name
    text = ", ".join(f"{key}={plain[key]}" for key in sorted(plain))
    return digest(text), text[:80]


def _text(value: Any) -> str:
    """A variable as CSV writes it, so that 3 and "3" are one."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


# --- CSV -------------------------------------------------------------------------------------------------------------


def _results_of_csv(file: Path) -> Iterator[dict[str, Any]]:
    """The outcomes of a table as JSON has them: the variables of a row stand before the first column of a system."""
    csv.field_size_limit(MOST_CELL)
    try:
        with opened_text(file) as text:
            table = csv.reader(text)
            header = next(table)
            starts = [at for at, name in enumerate(header) if _COLUMN.fullmatch(name)]
            for cells in filter(None, table):
                yield from _outcomes_in(header, cells, starts)
    except (csv.Error, UnicodeError, StopIteration, IndexError, ValueError):
        raise damaged(file) from None


def _outcomes_in(header: list[str], cells: list[str], starts: list[int]) -> Iterator[dict[str, Any]]:
    variables = dict(zip(header[: starts[0]], cells, strict=False))
    about = {"testCase": {"description": variables.pop("Description", None)}, "testIdx": cells[0], "vars": variables}
    for order, (start, stop) in enumerate(zip(starts, [*starts[1:], len(header)], strict=True)):
        provider, prompt = _COLUMN.findall(header[start])[0]
        own = dict(zip(header[start + 1 : stop], cells[start + 1 : stop], strict=True))
        graded = _GRADE.match(cells[start])
        status = own.get("Status") or (graded and graded[1])
        yield {
            **about,
            "provider": provider,
            "prompt": prompt,
            "promptIdx": order,
            "score": own.get("Score"),
            "success": status == "PASS",
            "failureReason": 0 if status in ("PASS", "FAIL") else _ERROR,
            "namedScores": {name[8:]: text for name, text in own.items() if name.startswith("Metric: ")},
        }


# --- Streams ---------------------------------------------------------------------------------------------------------


def _fill(file: Path, when: str, rows: list[_Row], prompts: list[str], log: Log) -> None:
    systems = _systems({row.column for row in rows}, prompts)
    _tell_apart(rows)
    named: dict[Column, dict[str, None]] = defaultdict(dict)
    for row in rows:
        named[row.column] |= dict.fromkeys(row.scores)
    for row in rows:
        about = {"file": file, "system": systems[row.column], "when": when}
        place: dict[str, Any] = {"name": row.name, "why": row.why}
        stream = log.stream(metric=PASSED, direction="higher", **about)
        stream.add(row.case, row.success, traits=row.traits, **place)
        # An error has no named scores at all.
        for metric in row.scores if row.success is not None else named[row.column]:
            stream = log.stream(metric=metric, direction="higher", main=False, **about)
            stream.add(row.case, row.scores.get(metric), **place)
        log.spend(row.costs, about, row.case, name=row.name)


def _systems(columns: set[Column], prompts: list[str]) -> dict[Column, str]:
    """A column is its provider, with the number of its prompt where there are several, and of the column if it must be."""
    several = len(prompts) > 1
    names = {column: f"{column[0]} / prompt {prompts.index(column[1])}" if several else column[0] for column in columns}
    counts = Counter(names.values())
    return {column: name if counts[name] == 1 else f"{name} (column {column[2]})" for column, name in names.items()}


def _tell_apart(rows: list[_Row]) -> None:
    """Variables that occur with several sets of assertions are those of several cases."""
    seen: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        seen[row.case].add(row.asked)
    for row in rows:
        if len(seen[row.case]) > 1:
            row.case = f"{row.case}:{row.asked}"
