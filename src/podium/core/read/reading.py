"""What was recognised in a source of scores: the role of every column, what one row is, how many units there are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# What one row of evidence stands for; see "The unit" in the docs.
UNITS = ("dataset", "fold", "case", "run")
SURE = ("said", "sure", "guess")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its name, the role it was taken for, how sure that is and why.

    `sure` is "said" (an option says so), "sure" (its name or its cells leave no doubt) or "guess" (which is asked, and so
    never reaches a result).
    """

    name: str
    role: str
    sure: str = "sure"
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a source was understood, before any test.

    `layout` is "wide", "long", "resamples" or the kind of source that needs no recognising. `row` says what one row
    of the table is. `unit` is one of `UNITS`, what the tests will count, and `n_units` how many there are. `left_out`
    are sentences on columns and rows that were left out; `merged` counts the rows that repeated another one.
    """

    layout: str
    row: str
    unit: str
    n_units: int
    columns: tuple[Column, ...] = ()
    left_out: tuple[str, ...] = ()
    merged: int = 0

    def to_frame(self) -> pd.DataFrame:
        """The small table: one row per column."""
        import pandas as pd

        return pd.DataFrame([asdict(column) for column in self.columns], columns=["name", "role", "sure", "why"])

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        found = asdict(self)
        return {**found, "columns": list(found["columns"]), "left_out": list(self.left_out)}
