"""`podium compare FILE`: from a table to a report that can be trusted and pasted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.reading import with_results
from podium.cli.safe import safe

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.core.results import Results

__all__ = ["compare"]

_HTML = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained page.")]
_LATEX = Annotated[
    Path | None, typer.Option("--latex", metavar="FOLDER", help="Write tables, figures, methods and .bib for LaTeX.")
]
_MARKDOWN = Annotated[Path | None, typer.Option("--md", metavar="FILE", help="Write Markdown.")]
_JSON_FILE = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write everything as JSON; - prints it.")
]
_CSV = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the pairwise table as CSV.")]
_FIGURES = Annotated[
    Path | None, typer.Option("--figures", metavar="FOLDER", help="Write every figure as PDF, SVG and TikZ.")
]
_QUIET = Annotated[bool, typer.Option("--quiet", "-q", help="Do not print the report.")]


@with_results(required=False)
def compare(
    results: Results | None,
    again: Annotated[
        Path | None,
        typer.Option("--from", metavar="PAGE", help="Repeat the comparison in a page or JSON file of Podium."),
    ] = None,
    control: Annotated[
        str | None, typer.Option(metavar="NAME", help="Compare every algorithm with this one only.")
    ] = None,
    rope: Annotated[
        str | None, typer.Option(metavar="WIDTH", help="Differences up to this are irrelevant; auto: from the folds.")
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option("--cost", metavar="NAME", help="A metric of the same file that is a cost: adds an order by it."),
    ] = None,
    algorithms: Annotated[
        list[str] | None,
        typer.Option("--algorithms", metavar="NAME", help="Compare only these (give it several times)."),
    ] = None,
    test: Annotated[
        str | None, typer.Option(metavar="TEST", help="The pairwise test, instead of the rule's choice.")
    ] = None,
    omnibus: Annotated[
        str | None, typer.Option(metavar="TEST", help="The omnibus test, instead of the rule's choice.")
    ] = None,
    correction: Annotated[str | None, typer.Option(metavar="NAME", help="holm, shaffer, bergmann_hommel, ...")] = None,
    missing: Annotated[
        str | None, typer.Option(metavar="WORD", help="What becomes of missing cells: pairwise or complete.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="The level of significance.")] = 0.05,
    confidence: Annotated[float, typer.Option(help="The confidence of intervals.")] = 0.95,
    rng: Annotated[int, typer.Option(help="For what is simulated; equal seeds give equal numbers.")] = 0,
    html: _HTML = None,
    latex: _LATEX = None,
    markdown: _MARKDOWN = None,
    json_file: _JSON_FILE = None,
    csv_file: _CSV = None,
    figures: _FIGURES = None,
    quiet: _QUIET = False,
) -> None:
    """Compare algorithms: facts, tests chosen by rules that explain themselves, a verdict, a reviewer's remarks."""
    if again is not None:
        found = _repeated(again, results)
    else:
        found = _compared(
            results,
            algorithms=algorithms or None,
            control=control,
            rope=_rope(rope),
            costs=cost,
            test=test,
            omnibus=omnibus,
            correction=correction,
            missing=missing,
            alpha=alpha,
            confidence=confidence,
            rng=rng,
        )
    from podium.report.documents import document
    from podium.report.output import show

    show(
        document(found), html=html, md=markdown, latex=latex, json=json_file, csv=csv_file, figures=figures, quiet=quiet
    )


def _compared(results: Results | None, **settings: Any) -> Comparison:
    from podium.comparison.compare import compare as compare_results
    from podium.core.errors import ArgumentError

    if results is None:
        raise ArgumentError("Give FILE, the scores to compare, or --from PAGE to repeat a comparison.")
    return compare_results(results, **settings)


def _repeated(page: Path, results: Results | None) -> Comparison:
    """The comparison of a page anew, and a line that says whether it comes out the same."""
    from podium.comparison.repeat import compare_again
    from podium.core.errors import ArgumentError
    from podium.report.comparison import comparison_data

    if results is not None:
        raise ArgumentError("Give FILE or --from PAGE, not both: a page carries its own scores.")
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

    from podium.core.errors import DataError
    from podium.report.embedded import read_embedded

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path} cannot be read ({type(error).__name__}): give a page made by podium compare."
        ) from None
    if path.suffix == ".json":
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise DataError(
                f"{path} is not JSON (character {error.pos}): give a file made by podium compare."
            ) from None
    else:
        data = read_embedded(text)
    if not isinstance(data, dict) or "repeat" not in data:
        raise DataError(f"{path} holds no comparison of Podium: give a page or JSON file made by podium compare.")
    return data


def _rope(text: str | None) -> float | str | None:
    from podium.core.errors import ArgumentError

    if text is None or text == "auto":
        return text
    try:
        return float(text)
    except ValueError:
        raise ArgumentError(f"`--rope` must be a number from 0 or 'auto'; got {text!r}.") from None
