"""Predictions with the truth of every case: what metrics of classifiers are computed from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from podium.core.arrays import Floats
from podium.core.numbers import counted
from podium.core.result import text_table
from podium.evidence.shown import ROWS

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.reading import Reading


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PredictionTable:
    """The truth of every case (its index names them) and a column of predictions per algorithm; nan is a missing one.

    Where algorithms give a probability to each of the `classes`, `probabilities` has them (cases x classes) by algorithm,
    and the column of predictions is empty. `clusters` and `benchmarks` have a name for each case, or none; `weights` a number.
    """

    unit: ClassVar[str] = "case"
    truth: pd.Series
    predicted: pd.DataFrame
    probabilities: Mapping[str, Floats] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    benchmarks: tuple[str, ...] = ()
    weights: Floats | None = None
    noun: str = "case"
    metric: str | None = None
    notes: tuple[str, ...] = ()
    reading: Reading | None = None

    def __repr__(self) -> str:
        who, on = counted(len(self.algorithms), "algorithm"), counted(self.n_cases, self.noun)
        frame = self.truth.to_frame("truth").reset_index(drop=True).join(self.predicted.reset_index(drop=True))
        return "\n".join([f"PredictionTable: predictions of {who} for {on}", *text_table(frame, ROWS)])

    @property
    def algorithms(self) -> tuple[str, ...]:
        """Whose predictions these are."""
        return tuple(map(str, self.predicted.columns))

    @property
    def n_cases(self) -> int:
        """The number of rows."""
        return len(self.truth)

    @property
    def n_missing(self) -> int:
        """How many predictions are missing."""
        return 0 if self.probabilities else int(self.predicted.isna().sum().sum())


def labels_of(truth: pd.Series) -> tuple[str, ...]:
    """The classes of the truth, in the order of scikit-learn: numbers by size, texts by the alphabet."""
    labels = sorted(truth.dropna().unique().tolist(), key=lambda value: (isinstance(value, str), value))
    return tuple(map(label_text, labels))


def label_text(value: Any) -> str:
    """A label as text, whole numbers without a point: 3.0, 3 and True's 1 are one label."""
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)
