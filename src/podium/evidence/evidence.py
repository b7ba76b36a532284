"""What every kind of evidence offers, whatever one row of it stands for; and its form in plain values.

`Scores`, `Cases` and `Runs` follow it without a base class. Algorithms are the second axis of `values`; replicates follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np

from podium.core.arrays import Floats
from podium.core.metric import Metric, as_direction
from podium.core.quantity import Quantity
from podium.core.result import plain
from podium.core.units import UNITS
from podium.evidence.reading import Column, Reading

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.table import Table


@dataclass(frozen=True, slots=True)
class MissingScore:
    """A missing cell: where it is, and why if that is known; of scores with folds, which one is missing."""

    row: str
    algorithm: str
    why: str = ""
    repeat: int | None = None
    fold: int | None = None

    @property
    def cell(self) -> tuple[str, str]:
        """Row and algorithm."""
        return self.row, self.algorithm

    def __str__(self) -> str:
        place = f"{self.row} / {self.algorithm}"
        if self.fold is not None:
            place += f" (repeat {self.repeat}, fold {self.fold})"
        return f"{place}: {self.why}" if self.why else place


class Evidence(Protocol):
    """What is compared: numbers of algorithms (axis 1) on rows (axis 0), and what is known of them."""

    @property
    def unit(self) -> str:
        """What one row stands for: "dataset", "fold", "case" or "run"."""

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The names of axis 1."""

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of axis 0."""

    @property
    def values(self) -> Floats:
        """The numbers; nan is a missing one."""

    @property
    def metric(self) -> Metric:
        """What they measure."""

    @property
    def quantity(self) -> Quantity:
        """How they are written."""

    @property
    def missing(self) -> tuple[MissingScore, ...]:
        """Every missing cell by name."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a report has to repeat of where they come from."""

    @property
    def reading(self) -> Reading | None:
        """What the columns of the source were read as, where there was one."""

    def select(self, algorithms: Sequence[str]) -> Self:
        """The chosen algorithms, in the order given."""

    def table(self) -> Table:
        """One number per row and algorithm."""

    def to_frame(self) -> pd.DataFrame:
        """The numbers as a DataFrame."""

    def to_plain(self) -> dict[str, Any]:
        """Plain values, ready for JSON, from which `from_plain` makes the same again."""

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Self:
        """The evidence that `to_plain` wrote."""


def evidence_from_plain(data: Mapping[str, Any]) -> Any:
    """The evidence of any unit that `to_plain` wrote."""
    return resolve_name(UNITS[data["unit"]].evidence).from_plain(data)


# The parts of a plain form.


def plain_fields(evidence: Any, names: str) -> dict[str, Any]:
    """What every evidence says of itself, and these fields of it, as plain values; missing numbers are None."""
    shared = "unit algorithms values metric notes reading".split()
    return {name: plain(getattr(evidence, name)) for name in (*shared, *names.split())}


def shared_fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """What `plain_fields` wrote of every evidence."""
    fields = {"metric": metric_from_plain(data["metric"]), "reading": reading_from_plain(data["reading"])}
    return {**names_of(data, "algorithms notes"), **numbers_of(data, "values"), **fields}


def reading_from_plain(data: Mapping[str, Any] | None) -> Reading | None:
    """The reading that was written, where there was one."""
    if data is None:
        return None
    columns = tuple(Column(**column) for column in data["columns"])
    return Reading(**{**data, "columns": columns, "left_out": tuple(data["left_out"])})


def names_of(data: Mapping[str, Any], names: str) -> dict[str, Any]:
    """Names as the tuples that they were."""
    return {name: tuple(data[name]) for name in names.split()}


def numbers_of(data: Mapping[str, Any], names: str) -> dict[str, Any]:
    """Numbers as the arrays that they were; None among them, a missing one, becomes nan."""
    return {name: None if data[name] is None else np.array(data[name], dtype=np.float64) for name in names.split()}


def metric_from_plain(data: Mapping[str, Any]) -> Metric:
    """The metric that was written."""
    return Metric(name=data["name"], direction=as_direction(data["direction"]), is_cost=bool(data["is_cost"]))
