"""`podium compare FILE`: from a table to a report that can be trusted and pasted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.options import parted
from podium.cli.reading import with_results
from podium.cli.safe import safe
from podium.cli.showing import showing
from podium.core.contents import text_within
from podium.core.errors import ArgumentError, DataError
from podium.core.options import AGENTS, COMPARING, COMPARING_CASES, TOPICS, several

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.evidence.results import Results

_USUAL = tuple(several("cost") if name == "cost" else name for name in COMPARING if name != "missing")


@with_results(required=False, cases=True, one_metric=True)
@showing(*COMPARING_CASES, *AGENTS, *_USUAL, "search_metric", "blocks", exit_code=lambda _: int(bool(_DIFFERENT)))
def compare(
    results: Results | None,
    again: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="PAGE",
            help="Repeat the comparison in a page or JSON file of Podium.",
            rich_help_panel=TOPICS["output"],
        ),
    ] = None,
    **options: Any,
) -> Comparison:
    """Compare algorithms: facts, tests chosen by documented rules, a verdict, a reviewer's remarks."""
    from podium.comparison.compare import compare as compare_results

    _DIFFERENT.clear()
    if again is not None and results is not None:
        raise ArgumentError("Give FILE or {from} PAGE, not both: a page carries its own scores.", options=["from"])
    if again is not None:
        return _repeated(again)
    if results is None:
        raise ArgumentError(
            "Give FILE, the scores to compare, or {from} PAGE to repeat a comparison.", options=["from"]
        )
    if options["algorithms"]:
        options["algorithms"] = parted(options["algorithms"], known=results.algorithms)
    typed = options.pop("cost")
    if not typed:
        return compare_results(results, **options)
    from podium.ordering.costs import given_cost

    costs = [given_cost(text) for text in typed]
    return compare_results(results, **options, cost=costs if len(costs) > 1 else costs[0])


_DIFFERENT: list[str] = []  # what a repeated report says otherwise; the exit code is then 1


def _repeated(page: Path) -> Comparison:
    """The comparison of a page again, and a line that says whether all that the page says comes out the same."""
    from podium.comparison.compare import reproduce
    from podium.report.again import differences

    data, text = _read_report(page)
    try:
        comparison = reproduce(data["repeat"])
    except (TypeError, IndexError) as error:  # settings or shapes that no comparison has
        raise DataError(f"The data of the comparison are damaged ({error}): make it again.") from None
    _DIFFERENT.extend(differences(data, comparison, text))
    made_with = data.get("podium", "of an unknown version")
    word = "different" if _DIFFERENT else "the same"
    if text is None and data.get("reading"):
        typer.echo("How the scores were read (`reading`) cannot be checked.", err=True)
    typer.echo(safe(f"Repeated from {page} (made with podium {made_with}): the result is {word}."), err=True)
    for line in _DIFFERENT:
        typer.echo(safe(f"  {line}"), err=True)
    return comparison


def _read_report(path: Path) -> tuple[dict[str, Any], str | None]:
    """The data of a report, and the page that carries them, if it is one."""
    from podium.comparison.comparison import Comparison
    from podium.reading.formats.json_tables import loaded
    from podium.report.render_html import read_embedded

    try:
        text = text_within(path)
        data = loaded(text, path.name) if path.suffix == ".json" else read_embedded(text)
    except (OSError, ValueError, RecursionError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{path} cannot be read ({type(error).__name__}): give a page or JSON file made by podium compare."
        ) from None
    if not isinstance(data, dict) or not isinstance(data.get("repeat"), dict):
        raise DataError(f"{path} holds no comparison of Podium: give a page or JSON file made by podium compare.")
    if data.get("schema") != Comparison.SCHEMA:
        raise DataError(
            f"{path} was made with podium {data.get('podium', 'of an unknown version')} and has the form {data.get('schema')}; this "
            f"version repeats only {Comparison.SCHEMA}: compare the scores again."
        )
    return data, None if path.suffix == ".json" else text
