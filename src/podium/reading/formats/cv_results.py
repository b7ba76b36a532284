"""scikit-learn's `cv_results_`, saved as CSV or JSON: a row per setting, a column per split and scorer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.names import quoted, shown
from podium.reading.formats.compressed import stem_of
from podium.reading.formats.folder import algorithms_in_stems
from podium.reading.formats.sklearn import COSTS, NOT_INDEPENDENT
from podium.reading.logs.files import form_of, head_of, wrong
from podium.reading.logs.json_view import JsonView, json_view, list_of, names_in, records
from podium.reading.logs.records import Log, number, plain
from podium.reading.logs.tables import csv_rows, header_of
from podium.reading.roles import is_algorithm

_SCORE = re.compile(r"(?:split(\d{1,6})|mean)_test_(.+)")
_SEARCH = re.compile(r"(?i)(?:cv[_-]?results?|search|grid[_-]?search)[_-]*(.*)")


def is_cv_results(path: Path, head: bytes) -> bool:
    """Whether a table has the settings, the fitting times and the scores of a search."""
    names = names_in(head) or set(header_of(head))
    is_set = any(name == "params" or name.startswith("param_") for name in names)
    return is_set and "mean_fit_time" in names and any(map(_SCORE.fullmatch, names))


def read_cv_results(files: list[Path], log: Log) -> None:
    """Every setting on every split, or its mean where the splits were not saved; a file is about one dataset, and named for it."""
    rows = {file: _last_iteration(_rows(file), file, log) for file in files}
    datasets = _datasets({file: {_setting(row) for row in own} for file, own in rows.items()})
    for file, dataset in zip(files, datasets, strict=True):
        seen: set[str] = set()
        for row in rows[file]:
            system = _setting(row)
            if system in seen:
                raise wrong(file, f"has the setting {system} twice: keep one of its rows.")
            seen.add(system)
            about: dict[str, Any] = {"file": file, "system": system, "unit": "dataset"}
            scores = {column: match for column in row if (match := _SCORE.fullmatch(column))}
            has_splits = any(match[1] for match in scores.values())
            for column, match in scores.items():
                if match[1] or not has_splits:
                    stream = log.stream(metric=match[2], direction="higher", **about)
                    stream.add(dataset, row[column], sample=int(match[1] or 0), why="the fit failed")
            log.spend({cost: row.get(f"mean_{cost}") for cost in COSTS}, about, dataset, sample=0)
    log.note(f"{NOT_INDEPENDENT} scikit-learn's scorers are better when higher.")
    log.matched_by("split")


def _setting(row: dict[str, Any]) -> str:
    """The setting of a row: as it is written, or from a column for each parameter."""
    if row.get("params") is not None:
        return plain(row["params"]) or "default"
    named = {name.removeprefix("param_"): value for name, value in row.items() if name.startswith("param_")}
    return ", ".join(f"{name}={value}" for name, value in named.items())


def _datasets(settings: dict[Path, set[str]]) -> list[str]:
    """The dataset of each file: what its name has that the others do not. Searches of several models are refused."""
    files = list(settings)
    stems = [stem_of(file) for file in files]
    if len(files) == 1:
        match = _SEARCH.fullmatch(stems[0])
        return [(match[1] if match else stems[0]) or "dataset"]
    names = algorithms_in_stems(stems)
    other = next((file for file in files if settings[files[0]].isdisjoint(settings[file])), None)
    if other is not None or sum(map(is_algorithm, names)) > 1:
        raise DataError(
            f"{quoted([files[0].name, (other or files[1]).name])} seem to be searches of several models, and a file must be one of the "
            "datasets of the same search: give a table with a column of datasets and one for each model, or the files of one model."
        )
    return names if len(set(names)) == len(names) else [str(file.parent / file.name) for file in files]


def _rows(file: Path) -> list[dict[str, Any]]:
    """The settings, from CSV, from records, or from columns."""
    if form_of(head_of(file)) != "json":
        return [row for _, row in csv_rows(file)]
    try:
        view = json_view(file)
    except DataError:  # a record in each line
        return list(records(file))
    if view.is_list or not isinstance(view.value("mean_fit_time"), list | dict):
        return list(records(file))
    return list(_rows_of_columns(view))


def _rows_of_columns(view: JsonView) -> Iterator[dict[str, Any]]:
    columns = {name: _cells(column.load()) for name, column in view.members()}
    keys = columns["mean_fit_time"].keys()
    for name, cells in columns.items():
        if cells.keys() != keys:
            raise wrong(view.path, f": {shown(name)} has other rows than 'mean_fit_time': restore it, or leave it out.")
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
