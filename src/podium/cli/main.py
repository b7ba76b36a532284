"""The program `podium`: collects the commands, and turns errors into one sentence and exit code 2."""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Collection
from pkgutil import resolve_name
from shutil import get_terminal_size
from typing import Any

import typer

from podium.cli.options import Command, Group
from podium.cli.safe import say
from podium.core import notice
from podium.core.errors import PodiumError
from podium.core.files import forget_inputs
from podium.core.options import as_flag

_GARBAGE = 100_000, 20, 20  # a command makes much and throws little away: Python need not look for cycles so often

# Every command by the question that it answers, the most used first; only the one that is called is loaded.
QUESTIONS = {
    "Compare: which algorithm is better, and by how much?": "compare gate plan bayes order show".split(),
    "Run: where do the scores come from?": "run status collect export rescore merge".split(),
    "Further: can the result be trusted, what does a method do?": (
        "serve chance study explain cite formats schema verify".split()
    ),
}
# The files of those that have none of their own.
_FILES = {"explain": "methods", "cite": "methods"}
_FILES |= dict.fromkeys(("status", "collect", "export", "rescore", "merge"), "stores")
COMMANDS = {name: f"{_FILES.get(name, name)}:{name}" for names in QUESTIONS.values() for name in names}


def __getattr__(name: str) -> typer.Typer:
    """`app` is the program with all commands."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    app = globals()["app"] = program(COMMANDS)
    return app


class _Program(Group):
    """Lists the commands by their questions, as plain text: what draws boxes takes longer to load than all of this."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Usage, options and commands, as wide as the terminal allows."""
        formatter.width = max(50, min(100, get_terminal_size().columns) - 2)
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self.format_options(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The sentence of every command, under the question that it answers."""
        longest = max(map(len, COMMANDS))
        for question, commands in QUESTIONS.items():
            formatter.write_paragraph()
            formatter.write_text(typer.style(question, bold=True))
            with formatter.indentation():
                rows = [(typer.style(f"{name:{longest}}", fg="cyan"), _sentence(name)) for name in commands]
                formatter.write_dl(rows)


def _load(name: str) -> Any:
    return resolve_name(f"podium.cli.{COMMANDS[name]}")


def _sentence(name: str) -> str:
    """What a command does."""
    command = _load(name)
    text = command.info.help if isinstance(command, typer.Typer) else command.__doc__
    return str(text).partition("\n")[0]


def program(names: Collection[str]) -> typer.Typer:
    """The program with some of its commands; of the others it knows the names."""
    app = typer.Typer(
        name="podium",
        cls=_Program,
        help="Which machine-learning algorithms really deserve the podium?",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_podium)
    for name in COMMANDS:
        command = _load(name) if name in names else _podium
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name=name, cls=Command)(command)
    return app


def _version(asked: bool) -> None:
    if asked:
        from podium.core.version import VERSION

        typer.echo(f"podium {VERSION}")
        raise typer.Exit


def _podium(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    """Which machine-learning algorithms really deserve the podium?"""


def run() -> None:
    """Run the command line; what Podium raises on purpose becomes one line on stderr and exit code 2."""
    gc.set_threshold(*_GARBAGE)
    forget_inputs()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a name's letters still shows the rest
            stream.reconfigure(errors="backslashreplace")
    if sys.stderr.isatty():
        notice.listen("compiling", lambda: typer.echo("podium: compiling, once; later runs start at once.", err=True))
    called = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    try:
        program([called])(sys.argv[1:] or ["--help"])
    except PodiumError as error:
        say(f"podium: {error.said(as_flag)}")
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("podium: stopped.", err=True)
        sys.exit(130)
    except SystemExit as end:
        # `podium ... | head` closed the pipe: nothing is wrong, though typer exits with 1.
        if isinstance(end.__context__, BrokenPipeError):
            sys.stderr.close()
            sys.exit(0)
        raise
