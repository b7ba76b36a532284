"""What `podium compare` reads: scores of datasets, outcomes of test cases, or predictions with their truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.cli.reading import read_file

COLUMNS = ("case", "sample", "cluster", "benchmark")
READ_CASES = ("unit", "truth", *(f"{role}_column" for role in COLUMNS))


def read_evidence(files: list[str], own: dict[str, Any], **reading: Any) -> Any:
    """Predictions where there is a truth, outcomes where the unit is the case, otherwise scores."""
    from podium.core.errors import ArgumentError
    from podium.core.read.outcomes import CaseColumns, read_outcomes
    from podium.core.read.predictions import prediction_table

    metric = _one(reading["metric"])
    if own["truth"] is not None:
        options = _options({**reading, "metric": None})
        return prediction_table(files if len(files) > 1 else files[0], own["truth"], metric=metric, options=options)
    if len(files) > 1:
        raise ArgumentError("Several files are predictions: say by {truth} where the truth is.", options=["truth"])
    named = CaseColumns(**{role: own[f"{role}_column"] for role in COLUMNS})
    if own["unit"] == "case" or named.any or (own["unit"] is None and _is_of_cases(files[0], reading)):
        options = _options({**reading, "metric": None, "direction": None})
        return read_outcomes(files[0], metric=metric, direction=reading["direction"], columns=named, options=options)
    return read_file(files[0], **reading)


def _options(given: dict[str, Any]) -> Any:
    from podium.core.read.options import ReadOptions

    return ReadOptions(**given)


def _one(metrics: Any) -> str | None:
    """The one metric of cases."""
    from podium.core.errors import ArgumentError

    if not metrics:
        return None
    if not isinstance(metrics, str) and len(metrics) > 1:
        raise ArgumentError("Test cases are compared by one {metric} at a time.", options=["metric"])
    return str(metrics if isinstance(metrics, str) else metrics[0])


def _is_of_cases(file: str, reading: dict[str, Any]) -> bool:
    """Whether the names of the columns say that a row is a test case."""
    from podium.core.errors import PodiumError
    from podium.core.read.outcomes import looks_like_cases
    from podium.core.read.reader import opened
    from podium.core.read.sheet import Sheet

    path = Path(file)
    if not path.is_file() or path.suffix.lower() == ".db" or reading.get("dataset_column"):
        return False
    try:
        sheet = opened(path, _options({**reading, "metric": None}))
    except PodiumError:
        return False  # the reader of scores says what is wrong
    return isinstance(sheet, Sheet) and looks_like_cases(sheet)
