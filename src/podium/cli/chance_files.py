"""Files of predictions for `podium chance test`: one row per case, a column of labels, a column per algorithm."""

from __future__ import annotations

import csv

from podium.core.errors import ArgumentError, DataError


def read_predictions(file: str, label: str, algorithms: list[str] | None) -> tuple[list[str], dict[str, list[float]]]:
    """Labels and the scores of each algorithm, from a CSV file with a header."""
    try:
        with open(file, newline="", encoding="utf-8-sig") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except FileNotFoundError:
        raise DataError(f"There is no file {file!r}.") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{file!r} cannot be read as CSV: {error}.") from None
    if len(rows) < 2:
        raise DataError(f"{file!r} must have a header and at least one case.")
    header = [name.strip() for name in rows[0]]
    if len(set(header)) < len(header):
        raise DataError(f"{file!r} has two columns of the same name: rename one.")
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise DataError(f"{file!r}, row {line}: {len(row)} cells, but the header has {len(header)}.")
    if label not in header:
        raise ArgumentError(f"{file!r} has no column {label!r}: name the column of labels with --label.")
    chosen = [name for name in header if name != label] if algorithms is None else algorithms
    for name in chosen:
        if name not in header:
            raise ArgumentError(f"{file!r} has no column {name!r}.")
    if not chosen:
        raise DataError(f"{file!r} has no column of scores beside {label!r}.")
    labels = [row[header.index(label)].strip() for row in rows[1:]]
    return labels, {name: _numbers(file, name, header.index(name), rows) for name in chosen}


def _numbers(file: str, name: str, column: int, rows: list[list[str]]) -> list[float]:
    numbers = []
    for line, row in enumerate(rows[1:], start=2):
        try:
            numbers.append(float(row[column]))
        except ValueError:
            raise DataError(
                f"{file!r}, row {line}, column {name!r}: {row[column]!r} is not a number; correct the cell, or choose "
                "the columns of scores with --algorithms."
            ) from None
    return numbers
