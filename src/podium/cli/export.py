"""`podium export` and `podium collect`: what a store holds, as a file or on the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from podium.cli.safe import safe


def export(
    store: Annotated[Path, typer.Argument(help="A store, such as suite.db; a run may be going on.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file: .csv or .parquet.")],
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="Only this metric (may be given several times).")
    ] = None,
    costs: Annotated[bool, typer.Option(help="With the costs: times, sizes, memory.")] = True,
    estimates: Annotated[bool, typer.Option("--estimates", help="With cv_error, what the search believed.")] = False,
) -> None:
    """Write every score that is done, one per row, to CSV or Parquet; failures are rows too."""
    from podium.bench.results import results_from_store

    results = results_from_store(store, metrics=metric or None, costs=costs, estimates=estimates)
    _write(results.frame, output)
    for note in results.notes:
        typer.echo(safe(note), err=True)
    typer.echo(safe(f"{output}: {len(results.frame)} rows."))


def collect(
    store: Annotated[Path, typer.Argument(help="A store, such as suite.db; a run may be going on.")],
    metric: Annotated[str | None, typer.Option("--metric", help="The metric (by default the suite's first).")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file: .csv or .parquet (by default the screen).")
    ] = None,
) -> None:
    """Show what is done so far: datasets in rows, algorithms in columns, means over repeats and folds."""
    from podium.bench.results import results_from_store

    chosen = metric or _first_metric(store)
    results = results_from_store(store, metrics=[chosen])
    rows = results.frame
    table = rows.pivot_table(
        index="dataset", columns="algorithm", values="value", aggfunc="mean", observed=False, dropna=False
    )
    partial = results.scores(chosen).partial_note
    for note in (*results.notes, *([partial] if partial else [])):
        typer.echo(safe(note), err=True)
    if output is not None:
        _write(table.reset_index(), output)
        typer.echo(safe(f"{output}: {len(table)} datasets."))
    else:
        typer.echo(f"{chosen}, mean over repeats and folds")
        shown = table.round(4).rename(index=safe, columns=safe)
        typer.echo(shown.to_string(na_rep="-"))


def _first_metric(store: Path) -> str:
    from podium.bench.store import open_store

    with open_store(store) as opened:
        return str(opened.definition()["metrics"][0])


def _write(frame: object, output: Path) -> None:
    """Write a table by the ending of the file's name, whole or not at all."""
    import contextlib
    import os

    import pandas as pd

    from podium.core.errors import ArgumentError, MissingPackageError, StoreError

    assert isinstance(frame, pd.DataFrame)
    temporary = output.with_name(f".{output.name}.tmp")
    kind = output.suffix.lower()
    try:
        if kind == ".csv":
            frame.to_csv(temporary, index=False)
        elif kind == ".parquet":
            frame.to_parquet(temporary, index=False)
        else:
            raise ArgumentError(f"`output` must end in .csv or .parquet; got {str(output)!r}.")
        os.replace(temporary, output)
    except ImportError:
        raise MissingPackageError("pyarrow", "Writing Parquet files", extra="parquet") from None
    except OSError as error:
        raise StoreError(f"{str(output)!r} cannot be written: {error.strerror or error}.") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
