"""How far systems agree: the share of cases with the same outcome or label, or the rank correlation of their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.cases.predictions import Predictions
from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError
from podium.core.numbers import counted, fixed, percent
from podium.core.result import Result
from podium.evidence.cases import Cases, as_cases

SHARE, CORRELATION = "share of cases with the same outcome", "rank correlation over the cases"
FEWEST = 3  # cases that two systems must share, for a correlation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement(Result):
    """`values[i, j]` says how far two systems agree, by `measure`; nan where they share too few cases.

    `order` puts systems that agree next to each other (average linkage, optimal order of leaves).
    """

    algorithms: tuple[str, ...]
    values: Floats
    measure: str
    order: Indices

    def summary(self) -> str:
        """Who agree most and least."""
        rows, columns = np.triu_indices(len(self.algorithms), 1)
        apart = self.values[rows, columns]
        if np.isnan(apart).all():
            return "No two systems share enough cases to say how far they agree."
        most, least = int(np.nanargmax(apart)), int(np.nanargmin(apart))
        written = percent if self.measure == SHARE else (lambda value: fixed(value, 2))
        names = [f"{self.algorithms[rows[p]]} and {self.algorithms[columns[p]]}" for p in (most, least)]
        if len(apart) == 1:
            return f"{names[0]}: {written(float(apart[0]))} ({self.measure})."
        return (
            f"{names[0]} agree most ({written(float(apart[most]))}), {names[1]} least ({written(float(apart[least]))}); {self.measure}, "
            f"{counted(len(apart), 'pair')}. Systems that agree need not be good."
        )

    def columns(self) -> dict[str, Any]:
        """One row per pair."""
        rows, columns = np.triu_indices(len(self.algorithms), 1)
        names = np.array(self.algorithms, dtype=object)
        return {"a": names[rows], "b": names[columns], "agreement": self.values[rows, columns]}


def agreement(data: Cases | Predictions | Any) -> Agreement:
    """How often systems agree on the same cases.

    Pass and fail: the share of cases on which two systems have the same outcome. Predicted labels: the share with the same
    label. Numbers: Spearman's rank correlation. Cases that one of two systems lacks are left out of their pair.

    Parameters
    ----------
    data : Cases, Predictions, DataFrame, array-like or dict
        Outcomes or predictions of cases (rows) x systems (columns).

    Returns
    -------
    Agreement
        `values[i, j]` says how far two systems agree; nan where they share too few cases.

    Examples
    --------
    >>> agreement({"a": [1, 1, 0, 0], "b": [1, 0, 0, 0], "c": [0, 0, 1, 1]}).values[0].tolist()
    [1.0, 0.75, 0.0]
    """
    if isinstance(data, Predictions):
        values, alike = data.predicted, data.metric.needs == "labels"
        if data.absent is not None:
            values = np.where(data.absent, np.nan, values)
        names = data.algorithms
    else:
        cases = as_cases(data)
        if cases.kind == "influence":
            raise DataError("Influence values belong to a metric of all cases: give the predictions or the outcomes.")
        values, alike, names = cases.values, cases.kind == "pass_fail", cases.algorithms
    shared = _shares(values) if alike else _correlations(values)
    return Agreement(
        algorithms=names, values=shared, measure=SHARE if alike else CORRELATION, order=_order(shared), references=()
    )


def _shares(values: Any) -> Floats:
    """The share of the same values among the cases that both have, one label after the other."""
    numbers = np.asarray(values, dtype=np.float64)
    present = ~np.isnan(numbers)
    both = present.T.astype(np.float64) @ present
    same = np.zeros_like(both)
    for label in np.unique(numbers[present]):
        has = (numbers == label).astype(np.float64)
        same += has.T @ has
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(both > 0, same / both, np.nan), dtype=np.float64)


def _correlations(values: Any) -> Floats:
    import pandas as pd

    correlations = pd.DataFrame(values).corr("spearman", min_periods=FEWEST).to_numpy(copy=True)
    np.fill_diagonal(correlations, 1.0)
    return correlations


def _order(values: Floats) -> Indices:
    """Systems that agree next to each other; as given where there are few, or where some pair is not known."""
    if len(values) < 3 or np.isnan(values).any():
        return np.arange(len(values))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    far = 1 - (values + values.T) / 2
    np.fill_diagonal(far, 0.0)
    tree = linkage(squareform(np.clip(far, 0.0, None), checks=False), "average", optimal_ordering=len(values) <= 200)
    return np.asarray(leaves_list(tree), dtype=np.intp)
