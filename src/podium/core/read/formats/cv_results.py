"""scikit-learn's `cv_results_`, saved as CSV or JSON: a row per setting, a column per split and scorer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.read.formats.folder import algorithms_in_stems
from podium.core.read.logs.json_view import first_record, json_lines, json_view
from podium.core.read.logs.records import Log, Stream, number, plain
from podium.core.read.logs.tables import csv_rows, header_of, stem_of

_SPLIT = re.compile(r"split(\d{1,6})_test_(.+)")
_COSTS = ("mean_fit_time", "mean_score_time")


def is_cv_results(path: Path, head: bytes) -> bool:
    """Whether a table has the settings, the fitting times and the scores per split of a search."""
    names: set[str] = set(header_of(head))
    if head.lstrip().startswith((b"{", b"[")):
        names = {found.decode("ascii", "replace") for found in re.findall(rb'"([A-Za-z0-9_]{1,80})"\s*:', head)}
    return "params" in names and "mean_fit_time" in names and any(map(_SPLIT.fullmatch, names))


def read_cv_results(files: list[Path], log: Log) -> None:
    """Every setting on every split; a file is about one dataset, and is named for it."""
    datasets = _datasets(files)
    for file, dataset in zip(files, datasets, strict=True):
        rows = _last_iteration(list(_rows(file)), file, log)
        streams: dict[tuple[str, str], Stream] = {}
        for row in rows:
            system = plain(row["params"]) or "default"
            for column, value in row.items():
                found = _SPLIT.fullmatch(column)
                if found is None and column not in _COSTS:
                    continue
                metric = found[2] if found else column.removeprefix("mean_")
                key = (system, metric)
                if key not in streams:
                    streams[key] = log.stream(
                        file=file, system=system, metric=metric, unit="dataset", is_cost=found is None,
                        direction="lower" if found is None else "higher",
                    )  # fmt: skip
                elif found is None:
                    raise DataError(
                        f"{file.name} has the setting {system} twice: keep one of its rows.", file=str(file)
                    )
                why = "" if number(value) is not None else "the fit failed"
                streams[key].add(dataset, value, sample=int(found[1]) if found else 0, why=why)
    log.note(
        "The settings of one search are not independent algorithms, and the best of many looks better than it is. "
        "scikit-learn's scorers are better when higher."
    )
    log.matched_by("split")


def _datasets(files: list[Path]) -> list[str]:
    """The dataset of each file: what its name has that the others do not."""
    stems = [stem_of(file) for file in files]
    if len(files) == 1:
        found = re.fullmatch(r"(?i)(?:cv[_-]?results?|search|grid[_-]?search)[_-]*(.*)", stems[0])
        return [(found[1] if found else stems[0]) or "dataset"]
    names = algorithms_in_stems(stems)
    return names if len(set(names)) == len(names) else [str(file.parent / file.name) for file in files]


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    """The settings, from CSV, from records, or from columns."""
    with file.open("rb") as opened:
        first = opened.read(64).lstrip()[:1]
    if first not in (b"{", b"["):
        yield from (row for _, row in csv_rows(file, ("params",)))
        return
    row = first_record(file) if first == b"{" else None
    if row is not None and not isinstance(row.get("mean_fit_time"), list | dict):
        yield from ({**row, "params": str(row.get("params"))} for _, row in json_lines(file))
        return
    view = json_view(file)
    if first == b"[":
        for item in view.items():
            row = item.load()
            if not isinstance(row, dict) or "params" not in row:
                raise DataError(f"{file.name} has an entry without 'params'.", file=str(file))
            yield {**row, "params": str(row["params"])}
        return
    columns = {name: _cells(column.load()) for name, column in view.members()}
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) != 1 or "params" not in columns:
        raise DataError(f"{file.name} has columns of different lengths: restore it, or leave it out.", file=str(file))
    for at in range(lengths.pop()):
        row = {name: cells[at] for name, cells in columns.items()}
        yield {**row, "params": str(row["params"])}


def _cells(column: Any) -> list[Any]:
    """A column as a list: written as a list, or by row as pandas does."""
    if isinstance(column, dict):
        return list(column.values())
    return column if isinstance(column, list) else []


def _last_iteration(rows: list[dict[str, Any]], file: Path, log: Log) -> list[dict[str, Any]]:
    """Of a search by halving only the last round: the rounds before were scored with less data."""
    rounds = [number(row.get("iter")) for row in rows]
    last = max((n for n in rounds if n is not None), default=None)
    if last is None or last == 0:
        return rows
    kept = [row for row, n in zip(rows, rounds, strict=True) if n == last]
    log.note(f"{file.name} is of a search by halving: its last round is compared, {len(kept)} of {len(rows)} rows.")
    return kept
