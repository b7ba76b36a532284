"""`podium plan`: cases, samples and money for a wanted difference; and whether a running evaluation may stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.safe import tell
from podium.cli.showing import showing
from podium.core.errors import ArgumentError
from podium.core.options import READING, TEST_CASES

if TYPE_CHECKING:
    from podium.cases.predictions import Predictions
    from podium.evidence.cases import Cases
    from podium.planning._plan import Plan
    from podium.planning.cases import StopResult

_OF_LOOKS = ("bound", "largest_cluster")
_OPTIONS = (
    "difference",
    "agreement",
    "a",
    "b",
    "case_cost",
    "sample_cost",
    "target_power",
    "alpha",
    "anytime",
    *_OF_LOOKS,
)
_READING = (*READING, *TEST_CASES)


@showing(*_OPTIONS, "positive", *_READING, exit_code=lambda result: getattr(result, "exit_code", 0), target_power=0.8)
def plan(
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="PILOT",
            help="Outcomes or predictions of a pilot, or with --anytime of a running evaluation; twice: a file for each of two algorithms.",
        ),
    ] = None,
    **options: Any,
) -> Plan | StopResult:
    """How many cases and samples, and how much money, does it take to detect a difference? With --anytime: may a running evaluation stop?"""
    from podium.planning.cases import may_stop
    from podium.planning.cases import plan as plan_cases

    reading = {name: options.pop(name) for name in _READING}
    positive = options.pop("positive")
    pilot = _read(sources, positive, reading) if sources else None
    anytime, looks = options.pop("anytime"), {name: options.pop(name) for name in _OF_LOOKS}
    if anytime:
        if pilot is None:
            raise ArgumentError("{anytime} looks at a running evaluation: name its outcomes by --from.")
        unused = next((name for name in ("agreement", "case_cost", "sample_cost") if options[name] is not None), None)
        if unused is not None:
            raise ArgumentError(f"{{{unused}}} has no place with {{anytime}}.")
        asked = {name: options[name] for name in ("a", "b", "difference", "target_power", "alpha")}
        return may_stop(pilot, **looks, **asked)
    of_looks = next((name for name, value in looks.items() if value is not None), None)
    if of_looks is not None:
        raise ArgumentError(f"{{{of_looks}}} is for {{anytime}}.")
    if options["difference"] is None:
        raise ArgumentError("Give {difference}, the smallest that matters: 0.02 for 2 percentage points.")
    return plan_cases(pilot, **options)


def _read(files: list[str], positive: str | None, reading: dict[str, Any]) -> Cases | Predictions:
    from podium.cli.gate_files import read_pilot

    pilot = read_pilot(files, positive=positive, reading=reading)
    tell(pilot.notes)
    return pilot
