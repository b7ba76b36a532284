"""What was recognised in a source of scores: the role of every column, what one row is, how many units there are."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from podium.core.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

NAMED = 3  # columns of one kind that are named in full


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its name, the role that it was read as, and why: an option, its name or its cells say so."""

    name: str
    role: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a source was understood, before any test.

    `layout` is "wide", "long", "resamples" or the kind of source that needs no recognising. `row` says what one row
    of the table is. `unit` is what the tests will count ("dataset", "fold", "case" or "run"), and `n_units` how many there
    are. `left_out` are sentences on columns and rows that were left out; `merged` counts the rows that repeated another one.
    """

    layout: str
    row: str
    unit: str
    n_units: int
    columns: tuple[Column, ...] = ()
    left_out: tuple[str, ...] = ()
    merged: int = 0

    def sentence(self) -> str:
        """What one row is and what the tests will count, in one sentence."""
        merged = (
            f" {counted(self.merged, 'row')} that repeated another one {'was' if self.merged == 1 else 'were'} merged."
        )
        return (
            f"One row of the table is {self.row}. The unit of the tests is the {self.unit}: there "
            f"{'is' if self.n_units == 1 else 'are'} {counted(self.n_units, self.unit)}.{merged if self.merged else ''}"
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per column: its name, its role and why."""
        import pandas as pd

        return pd.DataFrame([asdict(column) for column in self.columns], columns=["name", "role", "why"])

    def table(self) -> pd.DataFrame:
        """The same in a few rows: neighbours that were read as the same share one."""
        import pandas as pd

        runs: list[list[Column]] = []
        for column in self.columns:
            if runs and (runs[-1][0].role, runs[-1][0].why) == (column.role, column.why):
                runs[-1].append(column)
            else:
                runs.append([column])
        rows = [(_names(run), run[0].role, run[0].why) for run in runs]
        return pd.DataFrame(rows, columns=["column", "read_as", "why"])

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        fields = asdict(self)
        return {**fields, "columns": list(fields["columns"]), "left_out": list(self.left_out)}


def _names(run: list[Column]) -> str:
    """The columns of a run by name, the first and the last of many."""
    names = [column.name or "(no name)" for column in run]
    if len(names) <= NAMED:
        return ", ".join(names)
    return f"{names[0]}, {names[1]} ... {names[-1]} ({len(names)} columns)"
