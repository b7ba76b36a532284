"""scikit-learn's `cv_results_`, saved as CSV or JSON: a row per setting, a column per split and scorer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.core.names import shown
from podium.reading.formats.compressed import stem_of
from podium.reading.formats.folder import algorithms_in_stems
from podium.reading.logs.files import form_of, head_of, wrong
from podium.reading.logs.json_view import first_record, json_view, list_of, names_in, records
from podium.reading.logs.records import Log, number, plain
from podium.reading.logs.tables import csv_rows, header_of

_SPLIT = re.compile(r"split(\d{1,6})_test_(.+)")
_COSTS = ("mean_fit_time", "mean_score_time")


def is_cv_results(path: Path, head: bytes) -> bool:
    """Whether a table has the settings, the fitting times and the scores per split of a search."""
    names = names_in(head) or set(header_of(head))
    return "params" in names and "mean_fit_time" in names and any(map(_SPLIT.fullmatch, names))


def read_cv_results(files: list[Path], log: Log) -> None:
    """Every setting on every split; a file is about one dataset, and is named for it."""
    datasets = _datasets(files)
    for file, dataset in zip(files, datasets, strict=True):
        for row in _last_iteration(list(_rows(file)), file, log):
            system = plain(row["params"]) or "default"
            about: dict[str, Any] = {"file": file, "system": system, "unit": "dataset"}
            for column, value in row.items():
                why = "" if number(value) is not None else "the fit failed"
                if split := _SPLIT.fullmatch(column):
                    stream = log.stream(metric=split[2], direction="higher", **about)
                    stream.add(dataset, value, sample=int(split[1]), why=why)
                elif column in _COSTS:
                    cost = column.removeprefix("mean_")
                    stream = log.stream(metric=cost, direction="lower", is_cost=True, **about)
                    if len(stream.values):
                        raise wrong(file, f"has the setting {system} twice: keep one of its rows.")
                    stream.add(dataset, value, sample=0, why=why)
    log.note(
        "The settings of one search are not independent algorithms, and the best of many looks better than it is. "
        "scikit-learn's scorers are better when higher."
    )
    log.matched_by("split")


def _datasets(files: list[Path]) -> list[str]:
    """The dataset of each file: what its name has that the others do not."""
    stems = [stem_of(file) for file in files]
    if len(files) == 1:
        match = re.fullmatch(r"(?i)(?:cv[_-]?results?|search|grid[_-]?search)[_-]*(.*)", stems[0])
        return [(match[1] if match else stems[0]) or "dataset"]
    names = algorithms_in_stems(stems)
    return names if len(set(names)) == len(names) else [str(file.parent / file.name) for file in files]


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    """The settings, from CSV, from records, or from columns."""
    head = head_of(file)
    if form_of(head) != "json":
        yield from (row for _, row in csv_rows(file, ("params",)))
        return
    row = first_record(file)
    if head.lstrip().startswith(b"[") or (row and not isinstance(row.get("mean_fit_time"), list | dict)):
        for row in records(file):
            if "params" not in row:
                raise wrong(file, "has an entry without 'params'.")
            yield row
        return
    columns = {name: _cells(column.load()) for name, column in json_view(file).members()}
    keys = columns.get("params", {}).keys()
    for name, cells in columns.items():
        if cells.keys() != keys:
            raise wrong(file, f": {shown(name)} has other rows than 'params': restore it, or leave it out.")
    yield from ({name: cells[key] for name, cells in columns.items()} for key in keys)


def _cells(column: Any) -> dict[str, Any]:
    """The cells of a column by row: numbered if it is a list, by their keys if pandas wrote them."""
    return column if isinstance(column, dict) else {str(at): cell for at, cell in enumerate(list_of(column))}


def _last_iteration(rows: list[dict[str, Any]], file: Path, log: Log) -> list[dict[str, Any]]:
    """Of a search by halving only the last round: the rounds before were scored with less data."""
    rounds = [number(row.get("iter")) for row in rows]
    last = max((n for n in rounds if n is not None), default=None)
    if last is None or last == 0:
        return rows
    kept = [row for row, n in zip(rows, rounds, strict=True) if n == last]
    log.note(f"{file.name} is of a search by halving: its last round is compared, {len(kept)} of {len(rows)} rows.")
    return kept
