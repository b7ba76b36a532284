"""`podium plan`: cases, samples and money for a wanted difference; and whether a running evaluation may stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.safe import tell
from podium.cli.showing import showing
from podium.core.errors import ArgumentError
from podium.core.files import protect
from podium.core.options import READING, TEST_CASES

if TYPE_CHECKING:
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
_READING = tuple(name for name in (*READING, *TEST_CASES) if name != "truth")


@showing(*_OPTIONS, *_READING, exit_code=lambda result: getattr(result, "exit_code", 0), target_power=0.8)
def plan(
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="PILOT", help="Outcomes of a pilot, or with --anytime of a running evaluation."),
    ] = None,
    **options: Any,
) -> Plan | StopResult:
    """How many cases and samples, and how much money, does it take to detect a difference? With --anytime: may a running evaluation stop?"""
    from podium.planning.cases import may_stop
    from podium.planning.cases import plan as plan_cases

    reading = {name: options.pop(name) for name in _READING}
    pilot = None if source is None else _read(source, reading)
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


def _read(source: str, reading: dict[str, Any]) -> Cases:
    from podium.reading.options import ReadOptions
    from podium.reading.outcomes import read_outcomes

    protect(source)
    cases = read_outcomes(source, ReadOptions(**reading))
    tell(cases.notes)
    return cases
