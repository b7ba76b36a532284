"""`podium study ...`: can the test itself be trusted? Replicability, pool, power, calibration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from podium.cli.options import Command, Group
from podium.cli.progress import progress_bar
from podium.cli.reading import with_results
from podium.cli.showing import showing
from podium.stats.registry import usual

if TYPE_CHECKING:
    from podium.core.result import Result
    from podium.evidence.results import Results

study = typer.Typer(
    cls=Group, no_args_is_help=True, help="Can the test itself be trusted? Replicability, pool, power, calibration."
)


@study.command("replicability", cls=Command)
@with_results()
@showing(
    *("a", "b", "tests", "size", "draws", "biases", "alpha", "rng"),
    draws=1000,
    biases=tuple(range(21)),
    over=("datasets", "pool"),
)
def replicability_command(results: Results, **options: Any) -> Result:
    """How often do tests reject, and how well do they replicate, on biased samples of these datasets?"""
    from podium.studies._replicability import replicability

    with progress_bar("tests") as progress:
        return replicability(results.scores(), progress=progress, **options)


@study.command("pool", cls=Command)
@with_results()
@showing("test", "draws", "alpha", "rng", test="wilcoxon", draws=500, over=("datasets",))
def pool_command(results: Results, **options: Any) -> Result:
    """Does the decision on two algorithms depend on which others are compared with them?"""
    from podium.studies.pool import pool_dependence

    with progress_bar("pairs") as progress:
        return pool_dependence(results.scores(), progress=progress, **options)


@study.command("power", cls=Command)
@with_results(required=False)
@showing(
    *"a b effects sizes target_power pool tests shape spread folds draws alpha rng".split(),
    draws=2000,
    tests=usual("power"),
    over=("datasets", "pool"),
)
def power_command(results: Results | None, **options: Any) -> tuple[Result, ...]:
    """How likely is a difference to be found, and how many datasets does it take? FILE is a pilot table."""
    from podium.planning._power import planned

    with progress_bar("power") as progress:
        calls = planned(None if results is None else results.scores(), progress=progress, **options)
        return tuple(call() for call in calls)


@study.command("wins", cls=Command)
@showing("sizes", "alpha", sizes=tuple(range(5, 26)))
def wins_command(**options: Any) -> Result:
    """How many datasets must an algorithm win to be better by the sign test, exactly and by the normal approximation?"""
    from podium.stats.pairwise.sign import critical_wins

    return critical_wins(**options)


@study.command("calibrate", cls=Command)
@with_results(required=False)
@showing(
    *("tests", "shapes", "sizes", "n_algorithms", "configurations", "draws", "alpha", "rng"),
    tests=usual("calibrate"),
    shapes=("normal", "heavy", "tied", "skewed"),
    sizes=(6, 10, 20, 54),
    configurations=("all equal",),
    draws=10_000,
    over=("datasets", "pool"),
)
def calibrate_command(results: Results | None, *, tests: list[str], draws: int, **options: Any) -> Result:
    """Does a test keep its error rate where nothing differs? With FILE, on its own scores, shuffled within datasets."""
    from podium.studies.calibration import calibrate

    table = None if results is None else results.scores()
    with progress_bar("situations") as progress:
        return calibrate(tests, table=table, draws=draws, progress=progress, **options)
