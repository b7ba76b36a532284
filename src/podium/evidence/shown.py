"""What evidence prints in a Python session: what it is in a line, and the first rows, in ten lines at most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from podium.core.escape import visible
from podium.core.metric import Metric
from podium.core.numbers import counted, some
from podium.core.result import cut, text_table

if TYPE_CHECKING:
    import pandas as pd

ROWS = 6  # of a table: with its head and what is said around it, eight or nine lines


def in_lines(evidence: Any, rows: str, frame: pd.DataFrame, missing: int = 0) -> str:
    """A line on what is measured of how many algorithms on how many `rows`, and the first rows of a table."""
    holes = f"; {counted(missing, 'missing score')}" if missing else ""
    who = counted(len(evidence.algorithms), "algorithm")
    first = f"{type(evidence).__name__}: {said([evidence.metric])} of {who} on {rows}{holes}"
    return "\n".join([cut(visible(first)), *text_table(frame.reset_index(), ROWS)])


def said(metrics: Iterable[Metric]) -> str:
    """Metrics with their directions."""
    return some((f"{metric.name} ({metric.direction} is better)" for metric in metrics), 4)
