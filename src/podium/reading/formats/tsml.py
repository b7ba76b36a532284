"""tsml and aeon: `<estimator>/Predictions/<dataset>/testResample0.csv`, a file per estimator, dataset and resample."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np

from podium.core.errors import DataError
from podium.core.names import shown
from podium.core.numbers import counted
from podium.core.numbers import number as as_number
from podium.reading.logs.files import damaged_line, opened_text
from podium.reading.logs.records import Log, number

_NUMBER = re.compile(r"(?i)(?:test|train)?(?:resample|fold)(\d{1,6})$")
_SPLITS = ("TEST", "TRAIN")
_UNITS = {"NANOSECONDS": 1e-9, "MICROSECONDS": 1e-6, "MILLISECONDS": 1e-3, "SECONDS": 1.0}
CLUSTERING = 7  # numbers in the third line; classifiers have 9 and regressors 8
TOLERANCE = 1e-4
MOST_LINE = 10_000_000


def is_tsml(path: Path, head: bytes) -> bool:
    """Whether a file has the three first lines of tsml's results, and predictions below."""
    try:
        lines = head.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return False
    if len(lines) < 4:
        return False
    first, third, case = lines[0].split(","), lines[2].split(","), lines[3].split(",")
    has_split = len(first) > 3 and first[2].strip().upper() in (*_SPLITS, "PREDICTIONS")
    return has_split and number(third[0]) is not None and len(case) >= 2


def read_tsml(files: list[Path], log: Log) -> None:
    """Accuracy of classifiers and clusterers, or squared error of regressors, on every resample of every dataset."""
    first: dict[str, Path] = {}
    n_train = 0
    for file in files:
        named, third, pairs = _read(file)
        dataset, estimator, split = (name.strip() for name in named[:3])
        if file.name.lower().startswith("train") or split.upper() == "TRAIN":
            n_train += 1
            continue
        system = _folder_name(file) or estimator
        metric, direction, score = _score(pairs, third, file)
        about: dict[str, Any] = {"file": first.setdefault(system, file), "system": system, "unit": "dataset"}
        resample = _resample(file, named[3])
        log.stream(metric=metric, direction=direction, **about).add(dataset, score, sample=resample)
        log.spend({"fit_time": _seconds(third, named)}, about, dataset, sample=resample)
    if n_train:
        log.note(f"{counted(n_train, 'file')} of estimates on training data not used.")
    log.matched_by("dataset and resample")


def _folder_name(file: Path) -> str | None:
    """The estimator that a file lies under, which people rename; what it calls itself may be longer."""
    parts = file.resolve().parts
    places = [i for i, part in enumerate(parts) if part.lower() == "predictions"]
    return parts[places[-1] - 1] if places and places[-1] > 0 else None


def _read(file: Path) -> tuple[list[str], list[str], list[tuple[str, str]]]:
    """The first and the third line of a file, and the pairs of true and predicted labels below."""
    try:
        with opened_text(file) as text:
            head = [text.readline(MOST_LINE).rstrip("\r\n") for _ in range(3)]
            first, third = next(csv.reader([head[0]]), []), head[2].split(",")
            if len(first) < 4 or not third[0]:
                raise _damaged(file, 1 if len(first) < 4 else 3)
            pairs = []
            for line, row in enumerate(csv.reader(text), 4):
                if row and (len(row) < 2 or not row[0].strip() or not row[1].strip()):
                    raise _damaged(file, line)
                if row:
                    pairs.append((row[0].strip(), row[1].strip()))
    except (UnicodeDecodeError, csv.Error):
        raise _damaged(file, 4) from None
    if not pairs:
        raise _damaged(file, 4)
    return first, third, pairs


def _seconds(third: list[str], first: list[str]) -> float | None:
    """How long fitting took, where the file tells it with its unit."""
    spent = number(third[1]) if len(third) > 1 else None
    factor = _UNITS.get(first[4].strip().upper()) if len(first) > 4 else None
    return spent * factor if spent is not None and factor is not None and spent >= 0 else None


def _damaged(file: Path, line: int) -> DataError:
    return damaged_line(file, line, "not as tsml writes it", f"{file.parent.name}/{file.name}")


def _resample(file: Path, stated: str) -> int:
    """The number of the resample, from the first line or from the file's name."""
    value = number(stated)
    if value is not None and value == int(value) and value >= 0:
        return int(value)
    match = _NUMBER.search(file.name.split(".")[0])
    return int(match[1]) if match else 0


def _score(pairs: list[tuple[str, str]], third: list[str], file: Path) -> tuple[str, str, float]:
    """The score of the predictions, which must be the one that the file states."""
    stated = number(third[0])
    tried = [("clustering accuracy", "higher", _matched(pairs))] if len(third) == CLUSTERING else _scores(pairs)
    for metric, direction, score in tried:
        if stated is not None and abs(stated - score) <= TOLERANCE * max(1.0, abs(score)):
            return metric, direction, score
    scores = " or ".join(f"{metric} {as_number(score, 4)}" for metric, _, score in tried)
    raise DataError(
        f"{file.parent.name}/{file.name} states a score of {shown(third[0])}, but its predictions have {scores}: the file is "
        "damaged or was cut off. Restore it, or leave it out.",
        file=str(file),
    )


def _scores(pairs: list[tuple[str, str]]) -> list[tuple[str, str, float]]:
    """Accuracy, as text and as numbers ("1" and "1.0" are one class), and mean squared error."""
    scores = [("accuracy", "higher", sum(a == b for a, b in pairs) / len(pairs))]
    numbers = [(x, y) for a, b in pairs if (x := number(a)) is not None and (y := number(b)) is not None]
    if len(numbers) == len(pairs):
        scores.append(("accuracy", "higher", sum(x == y for x, y in numbers) / len(pairs)))
        scores.append(("mse", "lower", sum((x - y) ** 2 for x, y in numbers) / len(pairs)))
    return list(dict.fromkeys(scores))


def _matched(pairs: list[tuple[str, str]]) -> float:
    """The largest accuracy over all ways of naming the clusters."""
    import pandas as pd
    from scipy.optimize import linear_sum_assignment

    counts = pd.crosstab(*np.transpose(pairs)).to_numpy()
    rows, columns = linear_sum_assignment(counts, maximize=True)
    return float(counts[rows, columns].sum() / len(pairs))
