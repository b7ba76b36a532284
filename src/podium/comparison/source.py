"""What `compare` accepts, as Scores; and costs as whatever `as_costs` takes."""

from __future__ import annotations

from typing import Any

from podium.core.results import Results


def costs_of(results: Results | None, costs: Any) -> Any:
    """Costs named as a metric of the results become its scores; anything else stays as it is."""
    if isinstance(costs, str) and results is not None:
        return results.scores(costs)
    return costs
