"""What the omnibus tests share: complete datasets, named when they are left out, and enough of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import check, numbers
from podium.core.errors import DataError
from podium.core.table import Table, as_table

__all__ = ["Blocks", "complete_blocks", "left_out"]

MISSING = ("complete", "refuse")


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """A table without holes and the names of the datasets that had to go."""

    table: Table
    dropped: tuple[str, ...]


def complete_blocks(data: Any, *, missing: str = "complete", at_least: int = 2) -> Blocks:
    """The datasets on which every algorithm has a score, or a refusal that names the holes."""
    check.choice("missing", missing, MISSING)
    table = as_table(data)
    holes: list[bool] = np.asarray(np.isnan(table.values).any(axis=1)).tolist()
    if any(holes) and missing == "refuse":
        raise DataError(
            f"The table has missing cells ({check.cells(table.holes())}): fill them, use missing='complete', "
            "or a test made for holes (skillings_mack)."
        )
    dropped = tuple(name for name, hole in zip(table.datasets, holes, strict=True) if hole)
    complete = table.complete() if dropped else table
    if complete.n_datasets < at_least:
        less = f" ({len(dropped)} more have missing cells)" if dropped else ""
        raise DataError(
            f"At least {at_least} complete datasets (rows) are needed; the table has {complete.n_datasets}{less}."
        )
    return Blocks(table=complete, dropped=dropped)


def left_out(dropped: tuple[str, ...]) -> str:
    """A closing sentence for summaries: which datasets were left out, if any."""
    if not dropped:
        return ""
    were = f"{numbers.counted(len(dropped), 'dataset')} with missing cells {'was' if len(dropped) == 1 else 'were'}"
    return f" {were} left out: {check.cells((name,) for name in dropped)}."
