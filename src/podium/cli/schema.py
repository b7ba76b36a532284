"""`podium schema NAME`: the JSON Schema of an output."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from podium.cli.methods import list_names


def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The `kind` that the JSON names, such as Comparison.")
    ] = None,
) -> None:
    """Print the JSON Schema of what `--json` writes; without a name, list what there is."""
    from podium.report.schema import json_schema, kinds

    if name is not None:
        typer.echo(json.dumps(json_schema(name, "bench"), indent=1))
        return
    every = kinds("bench")
    list_names("what it is", lambda kind: f"{(every[kind].__doc__ or '').partition('.')[0]}.", every, head="kind")
