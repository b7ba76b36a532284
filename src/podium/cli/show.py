"""`podium show FILE`: what was read, before any test."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from podium.cli.reading import with_results
from podium.cli.safe import as_flags
from podium.cli.showing import showing

if TYPE_CHECKING:
    from podium.evidence.cases import Cases
    from podium.evidence.predictions import PredictionTable
    from podium.evidence.reading import Reading
    from podium.evidence.results import Results
    from podium.evidence.runs import Runs
    from podium.report.document import Document, Section


@with_results(announce=False, cases=True)
@showing("all_holes")
def show(results: Results | Cases | PredictionTable | Runs, *, all_holes: bool) -> Document:
    """Show what a file holds: shape, metrics, folds, test cases or runs, missing cells, mean scores, mean ranks, wins."""
    from podium.core.units import UNITS
    from podium.report.documents import document

    found = document(
        *UNITS[results.unit].load().overview(results, all_holes=all_holes),
        title=_in_short(results),
        notes=[as_flags(note) for note in results.notes],
    )
    reading = getattr(results, "reading", None)  # runs have none
    data = {**found.data, "source": getattr(results, "source", ""), "notes": list(results.notes)}
    data["reading"] = None if reading is None else reading.to_dict()
    first = () if reading is None or not reading.columns else (_section(reading),)
    return replace(found, data=data, sections=(*first, *found.sections))


def _in_short(results: Results | Cases | PredictionTable | Runs) -> str:
    """What one row is, what is compared and by what: the first lines of all that is shown."""
    from podium.core.names import shown
    from podium.core.numbers import counted, some
    from podium.evidence.predictions import PredictionTable

    if isinstance(results, PredictionTable):
        row, names = (
            "one case, with its truth and what every algorithm predicts",
            [str(n) for n in results.predicted.columns],
        )
        things, metrics = counted(len(results.truth), results.noun), [] if results.metric is None else [results.metric]
    else:
        reading = getattr(results, "reading", None)
        row, names = "one run of one agent on one task" if reading is None else reading.row, list(results.algorithms)
        things, metrics = _tried_on(results), _measured_by(results)
    by = some(metrics, 4) if metrics else "a metric that is to be chosen"
    return f"One row is {row}. Compared: {counted(len(names), 'algorithm')} ({some(map(shown, names), 3)}) on {things}, by {by}."


def _tried_on(results: Results | Cases | Runs) -> str:
    from podium.core.numbers import counted, plural
    from podium.evidence.cases import Cases
    from podium.evidence.runs import Runs

    if isinstance(results, Runs):
        return counted(results.n_tasks, "task")
    if isinstance(results, Cases):
        return counted(len(results.cases), results.noun, plural(results.noun))
    reading = results.reading
    if reading is not None and reading.unit == "fold":
        return f"{counted(reading.n_units, 'fold')} of one dataset"
    return counted(len(results.datasets), "dataset")


def _measured_by(results: Results | Cases | Runs) -> list[str]:
    metrics = results.metrics.values() if hasattr(results, "metrics") else [results.metric]
    return [f"{metric.name} ({metric.direction} is better)" for metric in metrics]


def _section(reading: Reading) -> Section:
    """What every column was taken for, before anything else."""
    from podium.report.document import Paragraph, Section
    from podium.report.tables import frame_table

    told = Paragraph(text=reading.sentence())
    return Section(key="reading", title="What was read", blocks=(told, frame_table("reading", "", reading.table())))
