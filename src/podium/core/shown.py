"""What a result offers that higher rooms do: it is drawn, shown in a notebook, printed and written to files.

Their functions are named here as text, and loaded when somebody first asks for one. This room knows none of them.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

HOMES = {
    "plot": "podium.plot.accessor:Plots",
    "dict": "podium.report.comparison:comparison_data",
    "html": "podium.report.notebook:result_html",
    "latex": "podium.report.output:latex_of",
    "text": "podium.report.render_short:comparison_text",
    "save": "podium.report.output:save",
}


def shown(how: str, result: Any, *more: Any) -> Any:
    """What the function for this makes of a result."""
    return resolve_name(HOMES[how])(result, *more)
