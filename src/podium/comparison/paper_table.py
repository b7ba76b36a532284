"""The table of a paper: datasets x algorithms, the best of a row in bold, means and mean ranks, marks of significance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from podium.core.arrays import Bools, Floats
from podium.core.numbers import NO_NUMBER, as_given, fixed
from podium.core.quantity import Quantity
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from podium.comparison.comparison import Comparison

WORSE, BETTER = "†", "‡"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PaperTable(Result):
    """Every score as a paper prints it: a row per dataset, benchmark or task, a column per algorithm, the best algorithm first.

    `deviations` stand after a ±; None where none are known. `summaries` are the rows below: means and mean ranks by title.
    `marks` say of each algorithm whether it is significantly worse (†) or better (‡) than the control, or the best; they stand
    in the last row. `texts()` has every cell as it is printed, `best` which are bold, and `to_frame()` the numbers.
    """

    head: str
    rows: tuple[str, ...]
    algorithms: tuple[str, ...]
    values: Floats
    deviations: Floats | None
    summaries: Mapping[str, Floats]
    marks: tuple[str, ...]
    quantity: Quantity
    caption: str
    note: str

    @property
    def titles(self) -> tuple[str, ...]:
        """What heads each row, those below included."""
        return (*self.rows, *self.summaries)

    @property
    def best(self) -> Bools:
        """Which cells are the best of their row as they are printed; none where all are alike, or where there is one."""
        shown = np.vstack([np.round(self.quantity.written(self.values), self.quantity.decimals or 0), *self._rounded()])
        goals = np.array([self.quantity.sign] * len(self.rows) + [self._sign(title) for title in self.summaries])
        gains = np.where(np.isnan(shown), -np.inf, goals[:, None] * shown)
        best: Bools = (gains == gains.max(axis=1, keepdims=True)) & np.isfinite(gains)
        return best & ~best.all(axis=1, keepdims=True)

    def _sign(self, title: str) -> int:
        return -1 if title == MEAN_RANK_ROW else self.quantity.sign

    def _quantity(self, title: str) -> Quantity:
        if title == MEAN_RANK_ROW:
            return Quantity(decimals=2)
        return self.quantity.column(self.summaries[title].tolist(), significant=4)

    def _rounded(self) -> list[Floats]:
        every = ((self._quantity(title), numbers) for title, numbers in self.summaries.items())
        return [np.round(quantity.written(numbers), quantity.decimals or 0) for quantity, numbers in every]

    def texts(self) -> list[list[str]]:
        """Every cell as it is printed, row by row: "85.31 ± 1.20"."""
        spreads = np.full(self.values.shape, np.nan) if self.deviations is None else self.deviations
        texts = [
            [self._score(value, spread) for value, spread in zip(*row, strict=True)]
            for row in zip(self.values.tolist(), spreads.tolist(), strict=True)
        ]
        for title, numbers in self.summaries.items():
            texts.append([self._quantity(title).text(number) for number in numbers.tolist()])
        texts[-1] = [f"{text}{mark}" for text, mark in zip(texts[-1], self.marks, strict=True)]
        return texts

    def _score(self, value: float, deviation: float) -> str:
        text = self.quantity.text(value)
        beside = np.isfinite(deviation) and text != NO_NUMBER
        return f"{text} ± {fixed(self.quantity.factor * deviation, self.quantity.decimals or 0)}" if beside else text

    def summary(self) -> str:
        """What it shows, and what its marks mean."""
        return f"{self.caption} {self.note}"

    def to_frame(self) -> pd.DataFrame:
        """The numbers: a row per dataset and summary, a column per algorithm, and one per standard deviation (`svm_std`)."""
        import pandas as pd

        index = pd.Index(self.titles, name=self.head.lower())
        columns: dict[str, Floats] = {}
        below = np.array(list(self.summaries.values())).reshape(len(self.summaries), len(self.algorithms))
        for place, name in enumerate(self.algorithms):
            columns[name] = np.append(self.values[:, place], below[:, place])
            if self.deviations is not None:
                columns[f"{name}_std"] = np.append(self.deviations[:, place], np.full(len(below), np.nan))
        return pd.DataFrame(columns, index=index)


MEAN_RANK_ROW = "Mean rank"


def paper_table_of(comparison: Comparison) -> PaperTable:
    """The paper's table of a comparison."""
    from podium.comparison.comparison import MEAN_RANK

    ranking, words = comparison.ranking, comparison.words
    names = tuple(row.algorithm for row in ranking)
    table = comparison.printed.select(names)
    summaries: dict[str, Floats] = {}
    if table.n_datasets > 1:
        summaries[words.mean] = np.array([row.mean_score for row in ranking])
        if words.by == MEAN_RANK:
            summaries[MEAN_RANK_ROW] = np.array([row.mean_rank for row in ranking])
    marks = _marks(comparison, names)
    shown = [values.ravel() for values in (table.values, table.deviations) if values is not None]
    quantity = _digits(comparison.quantity, np.concatenate(shown))
    return PaperTable(
        head=words.printed,
        rows=table.datasets,
        algorithms=names,
        values=table.values,
        deviations=table.deviations,
        summaries=summaries,
        marks=marks,
        quantity=quantity,
        caption=words.data,
        note=_note(comparison, marks, has_deviations=table.deviations is not None),
    )


def _digits(quantity: Quantity, values: Floats) -> Quantity:
    """The quantity with the digits that these scores have, and no more than give the largest four that count."""
    present = values[np.isfinite(values)]
    quantity, written = quantity.column(present.tolist(), significant=4), quantity.written(present)
    exact = (
        places
        for places in range(quantity.decimals or 0)
        if np.allclose(written, written.round(places), rtol=1e-12, atol=0)
    )
    return replace(quantity, decimals=next(exact, quantity.decimals))


def _marks(comparison: Comparison, names: tuple[str, ...]) -> tuple[str, ...]:
    """Who is significantly worse or better than the control, or than the first."""
    place = {name: i for i, name in enumerate(comparison.pairs.algorithms)}
    better, reference = comparison.pairs.better(comparison.alpha), place[_reference(comparison)]
    return tuple(
        WORSE if better[reference, place[name]] else BETTER if better[place[name], reference] else "" for name in names
    )


def _reference(comparison: Comparison) -> str:
    return comparison.facts.control or comparison.ranking[0].algorithm


def _note(comparison: Comparison, marks: tuple[str, ...], *, has_deviations: bool) -> str:
    """What bold, ± and the marks mean, as far as they are there."""
    words = {WORSE: "worse", BETTER: "better"}
    marked = " or ".join(f"{words[mark]} ({mark})" for mark in words if mark in marks)
    than = f"than {_reference(comparison)} (adjusted p ≤ {as_given(comparison.alpha)})"
    parts = ["Bold: the best of each row."]
    parts += [f"±: {comparison.words.deviation}."] if has_deviations else []
    parts.append(
        f"Significantly {marked} {than}." if marked else f"No algorithm is significantly better or worse {than}."
    )
    return " ".join(parts)
