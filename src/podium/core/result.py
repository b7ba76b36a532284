"""What every result of every test is and can do."""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Result", "plain"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Result(ABC):
    """A frozen result: the numbers, how they were made, and a sentence that says what they mean.

    Subclasses are dataclasses with the same four flags, one per test. No level (alpha) inside: a decision is
    a separate step. `references` are keys of the bibliography, so that a report cites itself.
    """

    references: tuple[str, ...] = ()

    @abstractmethod
    def summary(self) -> str:
        """One plain English sentence or two: the numbers, and what does not follow from them."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values, ready for JSON, with the kind of the result first."""
        fields = {field.name: plain(getattr(self, field.name)) for field in dataclasses.fields(self)}
        return {"kind": type(self).__name__, **fields}

    def to_frame(self) -> pd.DataFrame:
        """A table for people: by default one row with the fields that are single values."""
        import pandas as pd

        row = {name: value for name, value in self.to_dict().items() if not isinstance(value, list | dict)}
        return pd.DataFrame([row])

    def _repr_html_(self) -> str:
        """For notebooks: the sentence, then the table; every name is escaped."""
        table = self.to_frame().to_html(index=False, escape=True, border=0)
        return f"<p>{escape(self.summary())}</p>{table}"


def plain(value: Any) -> Any:
    """Plain Python, ready for JSON: arrays become lists, nan and infinities None, fractions "a/b"."""
    if isinstance(value, Result):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain_array(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _plain_array(array: np.ndarray[Any, Any]) -> Any:
    """An array as lists; arrays of numbers in one sweep, because tables have tens of thousands of cells."""
    if array.dtype.kind in "biu":
        return array.tolist()
    if array.dtype.kind != "f":
        return plain(array.tolist())
    finite = np.isfinite(array)
    if finite.all():
        return array.tolist()
    cells = array.astype(object)
    cells[~finite] = None
    return cells.tolist()
