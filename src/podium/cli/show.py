"""`podium show FILE`: what was read, before any test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from podium.cli.reading import with_results
from podium.cli.safe import as_flags
from podium.cli.showing import showing

if TYPE_CHECKING:
    from podium.evidence.reading import Reading
    from podium.report.document import Document, Section


@with_results(announce=False, cases=True)
@showing("list_missing", "dense", "decimals", short=False)
def show(results: Any, **options: Any) -> Document:
    """Show what a file holds: shape, metrics, folds, test cases or runs, missing cells, mean scores, mean ranks, wins."""
    from podium.core.units import unit_of
    from podium.report.documents import document

    unit = unit_of(results)
    overview = document(
        *unit.overview(results, **unit.settle(options)),
        title=unit.in_short(results),
        notes=[as_flags(note) for note in results.notes],
    )
    reading = getattr(results, "reading", None)  # runs have none
    source = getattr(results, "source", "")  # of cases these are the predictions
    data = {**overview.data, "source": source if isinstance(source, str) else "", "notes": list(results.notes)}
    data["reading"] = None if reading is None else reading.to_dict()
    first = () if reading is None or not reading.columns else (_section(reading),)
    return replace(overview, data=data, sections=(*first, *overview.sections))


def _section(reading: Reading) -> Section:
    """What every column was read as, before anything else."""
    from podium.report.document import Paragraph, Section
    from podium.report.tables import frame_table

    sentence = Paragraph(text=reading.sentence())
    return Section(key="reading", title="What was read", blocks=(sentence, frame_table("reading", "", reading.table())))
