"""Where a run stands: a table that renews itself on a terminal, a plain log elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import typer

from podium.cli.safe import safe
from podium.core.numbers import clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Group

    from podium.bench.runner import Progress

_EVERY = 10  # seconds between lines of a log
_SHOWN = 30  # algorithms in the table; of more, those that have most to do


@contextmanager
def display(name: str, *, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """What a run calls to be looked at: None where nothing is shown."""
    with nullcontext() if quiet else _live(name) if sys.stderr.isatty() else nullcontext(_log()) as watch:
        yield watch


def _log() -> Callable[[Progress], None]:
    """A line every ten seconds, and one for each algorithm that is done."""
    last = time.monotonic()
    ended: set[str] = set()

    def show(progress: Progress) -> None:
        nonlocal last
        for algorithm in progress.algorithms:
            if not algorithm.left and algorithm.name not in ended:
                ended.add(algorithm.name)
                failed = f", {algorithm.failed} failed" if algorithm.failed else ""
                typer.echo(safe(f"{algorithm.name} is done: {algorithm.ok} ok{failed}"), err=True)
        if time.monotonic() - last >= _EVERY and progress.done < progress.total:
            last = time.monotonic()
            typer.echo(safe(sentence(progress)), err=True)

    return show


def sentence(progress: Progress) -> str:
    """The whole run in one line, and the task that has run longest."""
    eta = "" if progress.eta is None else f", about {clock(progress.eta)} left"
    failed = f", {progress.failed} failed" if progress.failed else ""
    slowest = f" (longest: {progress.running[0]}, {clock(progress.longest)})" if progress.running else ""
    hint = f": {progress.hint}" if progress.hint else ""
    return f"{progress.done} of {progress.total} done{failed}{eta}, {len(progress.running)} running{slowest}{hint}"


@contextmanager
def _live(name: str) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    with Live(Text(safe(f"{name}: starting workers")), console=console, transient=True, auto_refresh=False) as live:

        def show(progress: Progress) -> None:
            live.update(standing(name, progress), refresh=True)

        yield show


def standing(name: str, progress: Progress) -> Group:
    """One line per algorithm: done, failed, left, and about how long it will still take; the whole run below."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("Algorithm", "", "Done", "Failed", "Left", "Time left"):
        table.add_column(heading, justify="left" if heading in ("Algorithm", "") else "right", no_wrap=True)
    shown = progress.algorithms
    for entry in shown if len(shown) <= _SHOWN else sorted(shown, key=lambda entry: -(entry.eta or 0.0))[:_SHOWN]:
        total = entry.ok + entry.failed + entry.left
        bar = ProgressBar(total=total, completed=total - entry.left, width=12)
        left = "" if entry.eta is None or not entry.left else clock(entry.eta)
        failed = Text(str(entry.failed), style="red" if entry.failed else "")
        table.add_row(Text(safe(entry.name)), bar, str(entry.ok), failed, str(entry.left), left)
    return Group(Text(safe(name)), table, Text(safe(sentence(progress))))
