"""`podium compare FILE`: from a table to a report that can be trusted and pasted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.reading import with_results
from podium.cli.safe import safe
from podium.cli.showing import showing
from podium.core.errors import ArgumentError, DataError
from podium.core.options import AGENTS, COMPARING, COMPARING_CASES

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.core.results import Results

_USUAL = tuple(name for name in COMPARING if name != "missing")


@with_results(required=False, cases=True)
@showing(*COMPARING_CASES, *AGENTS, *_USUAL)
def compare(
    results: Results | None,
    again: Annotated[
        Path | None,
        typer.Option("--from", metavar="PAGE", help="Repeat the comparison in a page or JSON file of Podium."),
    ] = None,
    **options: Any,
) -> Comparison:
    """Compare algorithms: facts, tests chosen by rules that explain themselves, a verdict, a reviewer's remarks."""
    from podium.comparison.compare import compare as compare_results
    from podium.ordering.costs import given_cost

    if again is not None and results is not None:
        raise ArgumentError("Give FILE or {from} PAGE, not both: a page carries its own scores.", options=["from"])
    if again is not None:
        return _repeated(again)
    if results is None:
        raise ArgumentError(
            "Give FILE, the scores to compare, or {from} PAGE to repeat a comparison.", options=["from"]
        )
    cost = options.pop("cost")
    return compare_results(results, cost=None if cost is None else given_cost(cost), **options)


def _repeated(page: Path) -> Comparison:
    """The comparison of a page again, and a line that says whether it comes out the same."""
    from podium.comparison.repeat import compare_again
    from podium.report.comparison import comparison_data

    data = _read_report(page)
    found = compare_again(data["repeat"])
    again = comparison_data(found)
    same = all(again[key] == data[key] for key in ("pairs", "ranking", "verdict", "groups"))
    word = "the same" if same else "different"
    made_with = data.get("podium", "of an unknown version")
    typer.echo(safe(f"Repeated from {page} (made with podium {made_with}): the result is {word}."), err=True)
    return found


def _read_report(path: Path) -> dict[str, Any]:
    import json

    from podium.report.render_html import read_embedded

    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text) if path.suffix == ".json" else read_embedded(text)
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path} cannot be read ({type(error).__name__}): give a page or JSON file made by podium compare."
        ) from None
    if not isinstance(data, dict) or "repeat" not in data:
        raise DataError(f"{path} holds no comparison of Podium: give a page or JSON file made by podium compare.")
    return data
