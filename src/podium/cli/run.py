"""`podium run`: run a suite, or go on with it."""

from __future__ import annotations

from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from podium.bench.engines import Engine
    from podium.bench.runner import Progress
    from podium.bench.spec import Suite

__all__ = ["run"]


def run(
    suite: Annotated[
        str, typer.Argument(help="A suite: a TOML file, or one of the package (mini, wainer14, ulas8, full).")
    ],
    store: Annotated[
        Path | None, typer.Option(help="Where the results go (by default the suite's name with .db).")
    ] = None,
    slots: Annotated[int, typer.Option(help="Tasks at a time (0: as many as there are cores).")] = 0,
    retry: Annotated[str, typer.Option(help="Run tasks with these outcomes again: timeout,crash,memout,error.")] = "",
    pilot: Annotated[bool, typer.Option("--pilot", help="Begin with the smallest task of every algorithm.")] = False,
    pilot_only: Annotated[
        bool, typer.Option("--pilot-only", help="Stop after the smallest task of every algorithm.")
    ] = False,
    plan_only: Annotated[
        bool, typer.Option("--plan", help="Check the suite and list what would run; run nothing.")
    ] = False,
    scheduler: Annotated[str, typer.Option(help="The address of a Dask scheduler, such as tcp://host:8786.")] = "",
    dask: Annotated[str, typer.Option(help="Start Dask here: local or slurm.")] = "",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress display.")] = False,
) -> None:
    """Run a suite of datasets and algorithms; run it again to go on where it stopped."""
    from podium.bench.plan import make_plan
    from podium.bench.runner import run_suite
    from podium.bench.store import open_store
    from podium.bench.suite import read_suite

    _check_options(slots, scheduler, dask)
    chosen = read_suite(suite)
    plan = make_plan(chosen)
    for note in plan.notes:
        typer.echo(note, err=True)
    if plan_only:
        _show_plan(plan)
        return
    path = store or chosen.default_store
    causes = [cause.strip() for cause in retry.split(",") if cause.strip()]
    with open_store(path, write=True) as opened:
        engine = _engine(chosen, slots=slots, scheduler=scheduler, dask=dask)
        with _display(chosen.name, quiet=quiet) as watch:
            summary = run_suite(
                plan, opened, engine=engine, retry=causes, pilot=pilot, pilot_only=pilot_only, watch=watch
            )
        failures = opened.failures()
    typer.echo(f"{path}: {summary.summary()}")
    for row in failures[:10]:
        place = f"{row.algorithm} / {row.dataset} (repeat {row.repeat}, fold {row.fold})"
        typer.echo(f"  {row.status}: {place}: {row.message}")
    if len(failures) > 10:
        typer.echo(f"  and {len(failures) - 10} more: podium status {path} --failures")
    if summary.stopped:
        typer.echo(f"Go on with: podium run {suite}{f' --store {store}' if store else ''}", err=True)
        raise typer.Exit(130)
    if summary.failed:
        raise typer.Exit(1)


def _show_plan(plan: Any) -> None:
    suite = plan.suite
    protocol = suite.protocol
    typer.echo(
        f"{suite.name}: {len(plan.tasks)} tasks = {len(plan.facts)} datasets x {len(suite.algorithms)} algorithms x "
        f"{protocol.repeats} repeats x {protocol.folds} folds ({protocol.kind})"
    )
    for facts in plan.facts.values():
        family = f", family {facts.family}" if facts.family != facts.name else ""
        typer.echo(
            f"  {facts.name}: {facts.cases} cases, {facts.features} features, {facts.classes} classes"
            f"{f', {facts.missing} missing values' if facts.missing else ''}{family}, hash {facts.data_hash[:12]}"
        )
    typer.echo(f"  algorithms: {', '.join(algorithm.name for algorithm in suite.algorithms)}")
    if plan.skipped:
        typer.echo(f"  {len(plan.skipped)} tasks would be skipped: {next(iter(plan.skipped.values()))}")


def _check_options(slots: int, scheduler: str, dask: str) -> None:
    from podium.core import check
    from podium.core.errors import ArgumentError

    check.count("slots", slots, at_least=0)
    if scheduler and dask:
        raise ArgumentError("Give --scheduler or --dask, not both.")
    if dask:
        check.choice("dask", dask, ("local", "slurm"))


def _engine(suite: Suite, *, slots: int, scheduler: str, dask: str) -> Engine:
    import os

    from podium.bench.engines import LocalEngine, dask_engine

    width = slots or max((os.cpu_count() or 1) // suite.limits.threads, 1)
    if scheduler or dask:
        return dask_engine(scheduler or dask, slots=width, options=suite.dask)
    return LocalEngine(width, threads=suite.limits.threads)


@contextmanager
def _display(name: str, *, quiet: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A live line on a terminal; a line every ten seconds elsewhere."""
    import sys

    if quiet:
        yield None
    elif sys.stderr.isatty():
        with _live(name) as watch:
            yield watch
    else:
        yield _lines()


def _lines() -> Callable[[Progress], None]:
    import time

    last = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= 10 and progress.done < progress.total:
            last = time.monotonic()
            typer.echo(_sentence(progress), err=True)

    return show


def _sentence(progress: Progress) -> str:
    eta = "" if progress.eta is None else f", about {_clock(progress.eta)} left"
    failed = f", {progress.failed} failed" if progress.failed else ""
    return f"{progress.done} of {progress.total} done{failed}, {len(progress.running)} running{eta}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _live(name: str) -> AbstractContextManager[Callable[[Progress], None]]:
    @contextmanager
    def display() -> Iterator[Callable[[Progress], None]]:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[words]}"))
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(name, total=None, words="starting workers")

            def show(progress: Progress) -> None:
                doing = f" [{', '.join(progress.running[:2])}]" if progress.running else ""
                words = (_sentence(progress) + doing).replace("[", r"\[")
                bar.update(task, completed=progress.done, total=progress.total, words=words)

            yield show

    return display()
