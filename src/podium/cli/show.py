"""`podium show FILE`: what was read, before any test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from podium.cli.reading import with_results
from podium.cli.safe import as_flags
from podium.cli.showing import showing

if TYPE_CHECKING:
    from podium.core.cases import Cases
    from podium.core.read.predictions import PredictionTable
    from podium.core.read.reading import Reading
    from podium.core.result import Result
    from podium.core.results import Results
    from podium.core.runs import Runs
    from podium.report.document import Document, Section


@with_results(announce=False, cases=True)
@showing("all_holes")
def show(results: Results | Cases | PredictionTable | Runs, *, all_holes: bool) -> Document:
    """Show what a file holds: shape, metrics, folds, test cases or runs, missing cells, mean scores, mean ranks, wins."""
    from podium.report.documents import document

    found = document(
        *_overviews(results, all_holes), title=results.notes[0], notes=[as_flags(note) for note in results.notes[1:]]
    )
    reading = getattr(results, "reading", None)  # runs have none
    data = {**found.data, "source": getattr(results, "source", ""), "notes": list(results.notes)}
    data["reading"] = None if reading is None else reading.to_dict()
    first = () if reading is None or not reading.columns else (_section(reading),)
    return replace(found, data=data, sections=(*first, *found.sections))


def _overviews(results: Results | Cases | PredictionTable | Runs, all_holes: bool) -> list[Result]:
    """What is known before any test, of scores by metric."""
    from podium.core._case_overview import case_overview, prediction_overview
    from podium.core._overview import overview
    from podium.core._run_overview import run_overview
    from podium.core.cases import Cases
    from podium.core.read.predictions import PredictionTable
    from podium.core.runs import Runs

    if isinstance(results, Runs):
        return [run_overview(results)]
    if isinstance(results, Cases):
        from podium.cases.samples import sampled

        several = sampled(results)
        return [case_overview(results), *([several] if several is not None else [])]
    if isinstance(results, PredictionTable):
        return [prediction_overview(results)]
    return [overview(results.scores(name), all_holes=all_holes) for name in results.metrics]


def _section(reading: Reading) -> Section:
    """What every column was taken for, before anything else."""
    from podium.report.document import Paragraph, Section
    from podium.report.tables import frame_table

    told = Paragraph(text=reading.sentence())
    return Section(key="reading", title="What was read", blocks=(told, frame_table("reading", "", reading.table())))
