"""`podium show FILE`: what was read, before any test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from podium.cli.reading import with_results
from podium.cli.showing import showing

if TYPE_CHECKING:
    from podium.core.results import Results
    from podium.report.document import Document


@with_results(announce=False)
@showing("all_holes")
def show(results: Results, *, all_holes: bool) -> Document:
    """Show what a file holds: shape, metrics, folds, missing cells, mean scores, mean ranks, wins."""
    from podium.core._overview import overview
    from podium.report.documents import document

    overviews = [overview(results.scores(name), all_holes=all_holes) for name in results.metrics]
    found = document(*overviews, title=results.notes[0], notes=results.notes[1:])
    return replace(found, data={**found.data, "source": results.source, "notes": list(results.notes)})
