"""How a cell reads in any format: one wording of numbers, p-values and intervals for all renderers."""

from __future__ import annotations

import math
from typing import Any

from podium.report.document import Cell, Column

__all__ = ["MISSING", "cell_text", "pvalue_text"]

MISSING = "–"  # an en dash: there is no number here
SMALLEST_PVALUE = 1e-4


def pvalue_text(value: float) -> str:
    """A p-value with as many digits as mean anything.

    >>> pvalue_text(0.04936), pvalue_text(0.000123), pvalue_text(3e-9), pvalue_text(1.0)
    ('0.049', '0.0001', '<0.0001', '1.000')
    """
    if value < SMALLEST_PVALUE:
        return f"<{SMALLEST_PVALUE:.4f}"
    return f"{value:.4f}" if value < 0.01 else f"{value:.3f}"


def cell_text(value: Cell, column: Column) -> str:
    """The cell as plain text, not yet escaped for any format.

    >>> cell_text((-0.5, 0.25), Column(key="ci", title="interval", kind="interval", digits=2))
    '[-0.50, 0.25]'
    >>> cell_text((12, 1, 3), Column(key="record", title="W/T/L", kind="record"))
    '12/1/3'
    """
    if isinstance(value, tuple) and column.kind == "record":
        return "/".join(str(count) for count in value)
    if isinstance(value, tuple):
        low, high = (_number(side, column) for side in value)
        return MISSING if low == high == MISSING else f"[{low}, {high}]"
    if isinstance(value, str):
        return value
    return _number(value, column)


def _number(value: Any, column: Column) -> str:
    if value is None or math.isnan(value):
        return MISSING
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if column.kind == "pvalue":
        return pvalue_text(float(value))
    if column.kind == "count":
        return f"{int(value)}"
    text = f"{float(value):.{column.digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text
