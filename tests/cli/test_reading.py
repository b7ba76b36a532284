"""The reading options that commands share."""

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

import podium
from podium.cli.options import Command
from podium.cli.reading import with_results
from podium.core.errors import ArgumentError


def make(command, **settings):
    """A program of one command."""
    app = typer.Typer()
    app.command(cls=Command)(with_results(**settings)(command))
    return app


def test_a_command_gets_results_and_its_own_options():
    seen = {}

    def count(results, alpha: Annotated[float, typer.Option()] = 0.05) -> None:
        """Count."""
        seen.update(algorithms=results.algorithms, alpha=alpha)

    ran = CliRunner().invoke(make(count), ["benavoli2016", "--alpha", "0.01"])
    assert ran.exit_code == 0
    assert seen == {"algorithms": tuple(f"C{i}" for i in range(1, 8)), "alpha": 0.01}
    assert ran.stdout == ""
    assert ran.stderr.startswith("Accuracy (%) of 7 algorithms")  # what was recognised, on one line
    assert "\n6 of 378 cells have no score (6 missing); they stay missing.\n" in ran.stderr  # and what else is to say
    assert ran.stderr.splitlines() == list(podium.example("benavoli2016").notes)


def test_a_command_may_stay_silent_and_help_lists_all_options():
    def quiet(results) -> None:
        """Be quiet."""

    app = make(quiet, announce=False)
    assert CliRunner().invoke(app, ["benavoli2016"]).output == ""
    shown = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "200"}).output
    more = CliRunner().invoke(app, ["--help-reading"], env={"COLUMNS": "200"}).output
    assert all(option in shown for option in ("--metric", "--direction", "--help-reading", "Be quiet."))
    assert all(option in more for option in ("--mean-sd", "--summaries", "--dataset-column"))
    assert "--mean-sd" not in shown


def test_reading_options_are_declared_once():
    def clash(results, metric: str = "x") -> None:
        """Clash."""

    with pytest.raises(TypeError, match=r"declares options again: \['metric'\]"):
        with_results()(clash)


def test_a_direction_that_is_no_word():
    def quiet(results) -> None:
        """Be quiet."""

    ran = CliRunner().invoke(make(quiet), ["benavoli2016", "--direction", "accuracy"])
    assert isinstance(ran.exception, ArgumentError)
    assert "'higher' or 'lower'" in str(ran.exception)
