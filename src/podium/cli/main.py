"""The program `podium`: collects the commands, and turns errors into one sentence and exit code 2."""

from __future__ import annotations

import io
import sys

import typer

from podium.cli.bayes import bayes
from podium.cli.chance import chance
from podium.cli.compare import compare
from podium.cli.methods import cite, explain
from podium.cli.order import order
from podium.cli.run import run as run_command
from podium.cli.safe import safe
from podium.cli.serve import serve
from podium.cli.show import show
from podium.cli.stores import collect, export, merge, rescore, status
from podium.cli.study import study
from podium.cli.verify import verify
from podium.core import notice
from podium.core.options import as_flag

app = typer.Typer(
    name="podium",
    help="Which machine-learning algorithms really deserve the podium?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from podium.core.version import VERSION

        typer.echo(f"podium {VERSION}")
        raise typer.Exit


@app.callback()
def _podium(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Which machine-learning algorithms really deserve the podium?"""


app.command()(collect)
app.command()(export)
app.command()(rescore)
app.command()(merge)
app.command(name="run")(run_command)
app.command()(status)
app.command()(compare)
app.command()(order)
app.command()(bayes)
app.command()(serve)
app.command()(show)
app.add_typer(chance, name="chance")
app.add_typer(study, name="study")
app.command()(verify)
app.command()(cite)
app.command()(explain)


def run() -> None:
    """Run the command line; what Podium raises on purpose becomes one line on stderr and exit code 2."""
    from podium.core.errors import PodiumError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a name's letters still shows the rest
            stream.reconfigure(errors="backslashreplace")
    if sys.stderr.isatty():
        notice.listen("compiling", lambda: typer.echo("podium: compiling, once; later runs start at once.", err=True))
    try:
        app()
    except PodiumError as error:
        typer.echo(f"podium: {safe(error.said(as_flag))}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("podium: stopped.", err=True)
        sys.exit(130)
    except BrokenPipeError:  # `podium ... | head` closed the pipe: nothing is wrong
        sys.stderr.close()
        sys.exit(0)
