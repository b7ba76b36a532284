"""A block: rows of scores with their names as codes, on the way from a sheet to `Results`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from podium.core.arrays import Floats, Indices, Ints
from podium.core.names import LONGEST_NAME, clean_name, shown
from podium.reading.sheet import Sheet

Codes = Indices
_ANY_TEXT = ("case", "cluster", "benchmark", "weight")  # which may be a whole text


@dataclass(slots=True)
class Labels:
    """Names, and which of them each row has."""

    names: list[str]
    codes: Codes

    def __getitem__(self, row: int) -> str:
        return self.names[int(self.codes[row])]

    def repeated(self, times: int) -> Labels:
        """The labels of rows of which each stands for several."""
        return Labels(self.names, np.repeat(self.codes, times))


@dataclass(slots=True, kw_only=True)
class Block:
    """Scores of one or several metrics, one per row.

    By row, where a score is missing: `messages` is what stood there, `kinds` the kind of failure the file names.
    `percent` says that the scores were written with percent signs. `deviation` has what stands beside a score as its spread.
    """

    algorithm: Labels
    dataset: Labels
    repeat: Ints
    fold: Ints
    metric: Labels
    value: Floats
    messages: dict[int, str] = field(default_factory=dict)
    kinds: dict[int, str] = field(default_factory=dict)
    percent: bool = False
    deviation: Floats | None = None

    def first(self) -> str:
        """The first score that there is, for a sentence."""
        row = int(np.flatnonzero(~np.isnan(self.value))[0])
        return f"The {self.metric[row]} of {shown(self.algorithm[row])} on {shown(self.dataset[row])}"


def constant(name: str, n: int) -> Labels:
    """The same name in every row."""
    return Labels([name], np.broadcast_to(np.intp(0), n))  # which takes no room


def numbered_rows(n: int) -> Labels:
    """Rows without a name: 1, 2, 3, ..."""
    return Labels([str(row + 1) for row in range(n)], np.arange(n))


def labels_of(sheet: Sheet, position: int, kind: str) -> Labels:
    """The names in a column; a blank one is refused, and so is one that would break a line."""
    cure = f"no {kind}: fill in column {shown(sheet.header[position])}, or leave out such rows with {{where}}."
    names, codes = sheet.filled(position, cure)
    every = "".join(names)
    if kind in _ANY_TEXT or (every.isprintable() and "'" not in every and max(map(len, names)) <= LONGEST_NAME):
        return Labels(names, codes)  # nothing is to be cleaned
    return Labels([clean_name(name, kind) for name in names], codes)


def numbering(sheet: Sheet, position: int | None) -> Ints:
    """The numbers of repeats or folds: whole numbers as they are, "fold 3" as 3, other texts counted from 0."""
    if position is None:
        return np.zeros(sheet.n_rows, dtype=np.int64)
    cure = f"a blank {sheet.header[position]!r}: fill it in, or give another column."
    names, codes = sheet.filled(position, cure)
    numbers = numbers_of([clean_name(name, sheet.header[position]) for name in names])
    return np.array(numbers, dtype=np.int64)[codes]


def numbers_of(names: list[str]) -> list[int]:
    """Distinct whole numbers for distinct texts.

    >>> numbers_of(["fold 2", "fold 1"]), numbers_of(["a", "b"]), numbers_of(["3", "7"])
    ([2, 1], [0, 1], [3, 7])
    """
    digits = [re.fullmatch(r"\D*(\d{1,15})(\.0*)?", name) for name in names]
    numbers = [int(match[1]) for match in digits if match]
    if len(numbers) == len(names) and len(set(numbers)) == len(names):
        return numbers
    return list(range(len(names)))
