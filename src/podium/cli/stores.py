"""Commands on a store: `podium status`, `podium collect`, `podium export`, `podium rescore`, `podium merge`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.progress import progress_bar
from podium.cli.safe import safe, tell
from podium.cli.showing import showing, with_options
from podium.core.errors import ArgumentError, MissingPackageError
from podium.core.escape import visible
from podium.core.files import write_atomically
from podium.core.options import changed

if TYPE_CHECKING:
    import pandas as pd

    from podium.bench.status import RunStatus

_Running = Annotated[Path, typer.Argument(help="A results database, such as suite.db, also while a run is going on.")]
_METRICS = changed("metrics", help="Only this metric (repeatable).")


@showing("failures", short=False)
def status(store: _Running, *, failures: bool) -> RunStatus:
    """Show a run's progress and failures."""
    from podium.bench.status import run_status

    return run_status(store, failures=failures)


@with_options("output", _METRICS, "costs", "estimates", output=...)
def export(store: _Running, *, output: str, metrics: list[str] | None, **options: bool) -> None:
    """Write every finished score, one per row, to CSV or Parquet; failures are rows too."""
    from podium.bench.results import results_from_store

    results = results_from_store(store, metrics=metrics, **options)
    _write(results.frame, Path(output))
    tell(results.notes)
    typer.echo(safe(f"{output}: {len(results.frame)} rows."))


@with_options(changed("metric", many=False, topic="", help="The metric (by default the suite's first)."), "output")
def collect(store: _Running, *, metric: str | None, output: str | None) -> None:
    """Show what is done so far: datasets in rows, algorithms in columns, means over repeats and folds."""
    from podium.bench.results import results_from_store
    from podium.bench.store import open_store

    with open_store(store) as opened:
        chosen = metric or str(opened.definition()["metrics"][0])
    results = results_from_store(store, metrics=[chosen])
    table = results.frame.pivot_table(
        index="dataset", columns="algorithm", values="value", aggfunc="mean", observed=False, dropna=False
    )
    partial = results.scores(chosen).partial_note
    tell((*results.notes, *([partial] if partial else [])))
    if output is not None:
        _write(table.reset_index(), Path(output))
        typer.echo(safe(f"{output}: {len(table)} datasets."))
    else:
        typer.echo(f"{chosen}, mean over repeats and folds")
        shown = table.round(4).rename(index=safe, columns=safe)
        typer.echo(shown.to_string(na_rep="-"))


@with_options(
    changed("output", help="The results database to merge them into, such as suite.db.", default=...), "prefer"
)
def merge(
    parts: Annotated[list[Path], typer.Argument(help="The results databases of the parts, such as suite.shard-*.db.")],
    *,
    output: str,
    prefer: str,
) -> None:
    """Put the stores of parts of a suite (podium run --shard) together."""
    from podium.bench.merge import merge_stores

    counts = merge_stores(output, parts, prefer=prefer or "", tell=lambda sentence: tell((sentence,)))
    listed = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    typer.echo(safe(f"{output}: {sum(counts.values())} tasks planned: {listed}."))


def _shown(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with the control characters of names and messages written out."""
    written: dict[str, list[Any]] = {}
    for name in frame.select_dtypes(["object", "string", "category"]):
        visible_texts = {text: visible(text) for text in frame[name].unique() if isinstance(text, str)}
        if any(text != shown for text, shown in visible_texts.items()):
            written[str(name)] = [visible_texts.get(cell, cell) for cell in frame[name]]
    return frame.assign(**written).rename(columns=lambda name: visible(str(name)))


def _write(frame: pd.DataFrame, output: Path) -> None:
    """Write a table by the ending of the file's name, whole or not at all."""
    kind = output.suffix.lower()
    if kind not in (".csv", ".parquet"):
        raise ArgumentError(f"`output` must end in .csv or .parquet; got {str(output)!r}.")
    frame = _shown(frame)
    try:
        content = frame.to_csv(index=False) if kind == ".csv" else frame.to_parquet(index=False)
    except ImportError:
        raise MissingPackageError("pyarrow", "Writing Parquet files", extra="parquet") from None
    write_atomically(output, content)


@with_options(changed("metrics", help="A metric to compute (repeatable)."), "paths")
def rescore(
    store: Annotated[Path, typer.Argument(help="A results database, such as suite.db.")],
    *,
    metrics: list[str] | None,
    paths: list[str],
) -> None:
    """Compute further metrics from the predictions that were kept; nothing runs again."""
    from podium.bench._rescore import rescore as compute
    from podium.bench.store import open_store

    if not metrics:
        raise ArgumentError("Name a metric to compute: {metrics}.")
    with open_store(store) as opened:  # to write would make one
        opened.definition()
    with open_store(store, write=True) as opened, progress_bar("rescoring") as progress:
        counts = compute(opened, metrics, paths=paths or None, progress=progress)
    for name, count in counts.items():
        typer.echo(f"{name}: {count} scores.")
