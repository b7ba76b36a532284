"""`podium run`: run a suite, or go on with it."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.run_display import display
from podium.cli.safe import safe, tell
from podium.cli.showing import with_options
from podium.core.errors import ArgumentError, refused
from podium.core.numbers import counted
from podium.core.options import changed, command_words

if TYPE_CHECKING:
    import pandas as pd

    from podium.bench.engines import Engine
    from podium.bench.plan import Plan
    from podium.bench.spec import Suite


@with_options(
    *("store", "jobs", "retry", "redo", "pilot", "pilot_only", "plan", "shard", "scheduler", "dask"),
    changed("quiet", topic="", help="No progress display."),
)
def run(
    suite: Annotated[
        str,
        typer.Argument(
            help="A suite: a TOML file, or one of the package (mini, wainer14, ulas8, wainer_real, ulas_real, full)."
        ),
    ],
    *,
    store: str | None,
    jobs: int,
    retry: list[str],
    plan: bool,
    shard: str | None,
    scheduler: str | None,
    dask: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Run a suite of datasets and algorithms; run it again to continue where it stopped."""
    from podium.bench.runner import run as run_suite
    from podium.bench.store import open_store

    causes = [cause.strip() for words in retry for cause in words.split(",") if cause.strip()]
    _check_options(jobs, {"store": store, "shard": shard, "scheduler": scheduler, "dask": dask}, causes)
    planned = _planned(suite)
    path = Path(store) if store else planned.suite.default_store
    if shard:
        number, count = _part(shard)
        planned = planned.shard(number, count)
        path = Path(store) if store else path.with_suffix(f".shard-{number}-of-{count}.db")
    tell(planned.notes)
    if plan:
        _show_plan(planned)
        return
    with open_store(path, write=True) as opened:
        engine = _engine(planned.suite, jobs=jobs, scheduler=scheduler, dask=dask)
        with display(planned.suite.name, quiet=quiet) as watch:
            summary = run_suite(planned, opened, engine=engine, retry=causes, watch=watch, **options)
        failures = opened.failures()
    typer.echo(f"{safe(path)}: {summary.summary()}")
    _show_failures(failures, path)
    if summary.stopped:
        chosen = {"store": store, "jobs": jobs or None, "shard": shard, "scheduler": scheduler}
        words = command_words({**chosen, "dask": dask, "retry": ",".join(causes) or None})
        typer.echo(f"Go on with: {safe(shlex.join(['podium', 'run', suite, *words]))}", err=True)
        raise typer.Exit(130)
    if summary.failed:
        raise typer.Exit(1)


def _show_failures(failures: pd.DataFrame, path: Path) -> None:
    for row in failures[:10].itertuples():
        place = f"{row.algorithm} / {row.dataset} (repeat {row.repeat}, fold {row.fold})"
        typer.echo(safe(f"  {row.status}: {place}: {row.message}"))
    if len(failures) > 10:
        typer.echo(f"  and {len(failures) - 10} more: podium status {path} --failures")


def _planned(suite: str) -> Plan:
    """The plan of a suite; Ctrl-C while data are fetched and read ends the command as it does later."""
    from podium.bench.plan import make_plan
    from podium.bench.suite import read_suite

    try:
        return make_plan(read_suite(suite))
    except KeyboardInterrupt:
        typer.echo("podium: stopped.", err=True)
        raise typer.Exit(130) from None


def _part(shard: str) -> tuple[int, int]:
    """The number of a part and how many there are: "3/40"."""
    number, slash, count = shard.partition("/")
    if not (slash and number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise ArgumentError(f"{{argument}} must be a part such as 3/40; got {shard!r}.", argument="shard")
    return int(number), int(count)


def _show_plan(plan: Plan) -> None:
    suite, protocol = plan.suite, plan.suite.protocol
    parts = {"dataset": len(plan.facts), "algorithm": len(suite.algorithms)}
    parts |= {"repeat": protocol.repeats, "fold": protocol.folds}
    product = " x ".join(counted(number, word) for word, number in parts.items())
    typer.echo(f"{safe(suite.name)}: {counted(len(plan.tasks), 'task')} = {product} ({protocol.kind})")
    for facts in plan.facts.values():
        said = [counted(facts.cases, "case"), counted(facts.features, "feature")]
        said.append(counted(facts.classes, "class", "classes") if facts.classes else "regression")
        if facts.missing:
            said.append(counted(facts.missing, "missing value"))
        if facts.family != facts.name:
            said.append(f"family {safe(facts.family)}")
        said.append(f"hash {facts.data_hash[:12]}")
        typer.echo(f"  {safe(facts.name)}: {', '.join(said) if facts.data_hash else 'not available here'}")
    typer.echo(f"  algorithms: {safe(', '.join(algorithm.name for algorithm in suite.algorithms))}")
    for reason, number in Counter(plan.skipped.values()).items():
        typer.echo(f"  {counted(number, 'task')} would be skipped: {safe(reason)}")


def _check_options(jobs: int, words: dict[str, str | None], causes: list[str]) -> None:
    from podium.bench.spec import STATUSES
    from podium.core import check

    check.count("jobs", jobs, at_least=0)
    for cause in causes:
        check.choice("retry", cause, STATUSES)
    for name, word in words.items():
        if word == "":  # a variable of a script that has no value; the whole suite would run here
            raise refused(name, word, "must not be empty")
    if words["scheduler"] and words["dask"]:
        raise ArgumentError("Give --scheduler or --dask, not both.")
    if words["dask"]:
        check.choice("dask", words["dask"], ("local", "slurm"))


def _engine(suite: Suite, *, jobs: int, scheduler: str | None, dask: str | None) -> Engine:
    import os

    from podium.bench.engines import LocalEngine, dask_engine

    width = jobs or max((os.cpu_count() or 1) // suite.limits.threads, 1)
    if where := scheduler or dask:
        return dask_engine(where, jobs=width, options=suite.dask)
    return LocalEngine(width, threads=suite.limits.threads)
