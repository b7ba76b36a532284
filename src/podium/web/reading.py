"""From an upload to results, within a worker: looked at first, read by `read_results`, never trusted."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from podium.core.errors import DataError, PodiumError
from podium.core.units import unit_of
from podium.evidence.cases import Cases
from podium.evidence.predictions import PredictionTable
from podium.evidence.reading import Reading
from podium.evidence.results import Results
from podium.evidence.runs import Runs
from podium.reading.options import ReadOptions
from podium.web.settings import Limits
from podium.web.uploads import Upload, check_unpacked

Evidence: TypeAlias = Results | Cases | PredictionTable | Runs
SHOWN_ROWS, SHOWN_COLUMNS = 6, 12


@contextmanager
def _as_file(upload: Upload, limits: Limits) -> Iterator[Path]:
    """The upload as a file, or a folder, in the worker's own folder; its names were checked to lead nowhere else."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / upload.name
        if upload.is_folder:
            with zipfile.ZipFile(io.BytesIO(upload.content)) as archive:
                archive.extractall(folder)  # made by `checked_folder`: no member leads out of it
        else:
            check_unpacked(upload, limits)
            path.write_bytes(upload.content)
        yield path


def results_of(upload: Upload, reading: dict[str, Any], limits: Limits) -> Results:
    """The scores over datasets in an upload."""
    from podium.reading.reader import read_scores as read_results

    with _as_file(upload, limits) as path:
        return read_results(path, **reading)


def evidence_of(upload: Upload, reading: dict[str, Any], limits: Limits) -> Evidence:
    """What an upload holds: scores, outcomes of test cases, runs of agents, or predictions whose truth is a column of it."""
    from podium.reading.reader import read_evidence

    options = ReadOptions(**reading)
    with _as_file(upload, limits) as path:
        # The truth may be a file elsewhere; here it is a column of the upload, and never a file of the server.
        if options.truth is not None:
            return _predictions(path, upload.name, options)
        return read_evidence(path, options)


def _predictions(path: Path, name: str, options: ReadOptions) -> PredictionTable:
    from podium.reading.predictions import prediction_table
    from podium.reading.reader import opened
    from podium.reading.sheet import Sheet as Table

    sheet = opened(path, replace(options, truth=None))
    if not isinstance(sheet, Table):
        raise DataError(f"{name} holds no table of predictions.")
    return prediction_table(sheet, options)


def look(*, upload: Upload, reading: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """What is recognised, or the sentence that asks for more; the columns and first rows in any case."""
    seen: dict[str, Any] = {"name": upload.name, **_first_rows(upload, reading, limits)}
    try:
        results = evidence_of(upload, reading, limits)
    except PodiumError as error:
        if not seen["columns"] and not error.options:
            raise  # nothing on the page could answer it
        return {**seen, "question": error, **_NOTHING}
    recognised = {**seen, "question": None, **_NOTHING, **_recognised(results)}
    return {**recognised, "notes": [*results.notes, *recognised["notes"], *upload.notes]}


_NOTHING: dict[str, Any] = {
    "unit": "dataset",
    "notes": [],
    "metric": None,
    "metrics": [],
    "algorithms": [],
    "datasets": [],
    "design": "",
    "has_folds": False,
    "missing_cells": 0,
    "reading": None,
}


def _recognised(evidence: Evidence) -> dict[str, Any]:
    """What is there: which algorithms, on what, by which metrics; and what the columns were read as."""
    reading = getattr(evidence, "reading", None)
    facts = unit_of(evidence).recognised(evidence)
    return {"unit": evidence.unit, **facts, "reading": None if reading is None else _columns(reading)}


def _columns(reading: Reading) -> dict[str, Any]:
    """What was recognised, and the same as a sentence and a small table for the page."""
    table = reading.table()
    return {**reading.to_dict(), "sentence": reading.sentence(), "table": [list(row) for row in table.to_numpy()]}


def _first_rows(upload: Upload, reading: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """The names of the columns and the first cells, as they stand."""
    from podium.reading.reader import opened
    from podium.reading.sheet import Sheet

    nothing: dict[str, Any] = {"columns": [], "rows": [], "n_rows": 0}
    if upload.is_folder:
        return nothing
    try:
        with _as_file(upload, limits) as path:
            sheet = opened(path, ReadOptions(**reading))
    except DataError:
        return nothing  # reading says what is wrong
    if not isinstance(sheet, Sheet):
        return nothing
    if sheet.n_columns > limits.columns or sheet.n_rows * sheet.n_columns > limits.cells:
        raise DataError(
            f"{upload.name} has {sheet.n_rows:,} rows and {sheet.n_columns:,} columns: give a smaller table."
        )
    head = sheet.frame.iloc[:SHOWN_ROWS, :SHOWN_COLUMNS]
    rows = [
        ["" if cell is None or cell != cell else str(cell)[:60] for cell in row] for row in head.itertuples(index=False)
    ]
    return {"columns": list(sheet.header), "rows": rows, "n_rows": sheet.n_rows}
