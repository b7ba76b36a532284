"""`podium show FILE`: what was read, before any test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from podium.cli.reading import with_results
from podium.cli.showing import showing

if TYPE_CHECKING:
    from podium.core.read.reading import Reading
    from podium.core.results import Results
    from podium.report.document import Document, Section


@with_results(announce=False)
@showing("all_holes")
def show(results: Results, *, all_holes: bool) -> Document:
    """Show what a file holds: shape, metrics, folds, missing cells, mean scores, mean ranks, wins."""
    from podium.core._overview import overview
    from podium.report.documents import document

    overviews = [overview(results.scores(name), all_holes=all_holes) for name in results.metrics]
    found = document(*overviews, title=results.notes[0], notes=results.notes[1:])
    reading = results.reading
    data = {**found.data, "source": results.source, "notes": list(results.notes)}
    data["reading"] = None if reading is None else reading.to_dict()
    first = () if reading is None or not reading.columns else (_section(reading),)
    return replace(found, data=data, sections=(*first, *found.sections))


def _section(reading: Reading) -> Section:
    """What every column was taken for, before anything else."""
    from podium.report.document import Paragraph, Section
    from podium.report.tables import frame_table

    told = Paragraph(text=reading.sentence())
    return Section(key="reading", title="What was read", blocks=(told, frame_table("reading", "", reading.table())))
