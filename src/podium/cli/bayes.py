"""`podium bayes FILE --model anova --rope 0.01`: how probable is it that a difference matters?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.reading import with_results
from podium.cli.safe import cell

if TYPE_CHECKING:
    from podium.bayes._decide import BayesDecisions
    from podium.bayes.posterior import PairsPosterior
    from podium.bayes.rope import RopeResult
    from podium.core.results import Results
    from podium.core.scores import Scores

__all__ = ["bayes"]


@with_results()
def bayes(
    results: Results,
    model: Annotated[
        str,
        typer.Option(
            help="anova, robust_anova, hierarchical, signed_rank, sign, correlated_t or bradley_terry.",
        ),
    ] = "anova",
    rope: Annotated[
        str,
        typer.Option(
            metavar="NUMBER|auto",
            help="Differences up to this (in the metric's units) do not matter; auto takes it from the folds.",
        ),
    ] = "0",
    search_metric: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The metric that the search of hyperparameters promised, for --rope auto."),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", metavar="NAME", help="The dataset, for correlated_t.")
    ] = None,
    probability: Annotated[float, typer.Option(help="A verdict needs a probability above this.")] = 0.95,
    band: Annotated[
        float, typer.Option(help="bradley_terry: equivalent if each beats the other with probability 1/2 ± this.")
    ] = 0.05,
    fold_effect: Annotated[
        float, typer.Option(help="bradley_terry: a tie within so many standard deviations of the folds (0.4).")
    ] = 0.0,
    draws: Annotated[int | None, typer.Option(help="Draws from the posterior, where the model draws.")] = None,
    rng: Annotated[int, typer.Option(help="Equal seeds give equal numbers.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")] = False,
) -> None:
    """The probability that each difference matters: a better, practically equivalent, or b better."""
    from podium.bayes._all_pairs import all_pairs
    from podium.bayes._decide import decide
    from podium.bayes.registry import MODELS
    from podium.cli.progress import progress_bar

    scores, search = _scores(results, search_metric)
    width = _rope(scores, rope, search)
    options: dict[str, Any] = {"band": band, "fold_effect": fold_effect} if model == "bradley_terry" else {}
    settings: dict[str, Any] = {
        "model": model,
        "rope": width,
        "dataset": dataset,
        "draws": draws,
        "rng": rng,
        **options,
    }
    if model in MODELS and MODELS[model].slow:  # the others are done before a bar could be read
        with progress_bar(model) as report:
            found = all_pairs(scores, progress=report, **settings)
    else:
        found = all_pairs(scores, **settings)
    verdicts = decide(found, probability=probability)
    if as_json:
        _print_json(found, verdicts, width, scores.all_notes)
    else:
        _print_tables(found, verdicts, width)


def _scores(results: Results, search: str | None) -> tuple[Scores, Scores | None]:
    """The scores, and those that the search promised, if there are any."""
    if search is None:
        return results.scores(), None
    promised = results.scores(search)
    others = [name for name, metric in results.metrics.items() if name != search and not metric.is_cost]
    return results.scores(others[0] if len(others) == 1 else None), promised


def _rope(scores: Scores, text: str, search: Scores | None) -> RopeResult | float:
    from podium.bayes.rope import rope_auto
    from podium.core.errors import ArgumentError

    if text == "auto":
        return rope_auto(scores, search=search)
    try:
        return float(text)
    except ValueError:
        raise ArgumentError(f"`--rope` must be a number in the metric's units, or auto; got {text!r}.") from None


def _print_json(
    found: PairsPosterior, verdicts: BayesDecisions, rope: RopeResult | float, notes: tuple[str, ...]
) -> None:
    import json

    from podium.core.result import plain

    rows = found.to_frame().assign(verdict=verdicts.verdicts).to_dict(orient="records")
    out = {**found.to_dict(), "pairs": plain(rows), "rule": verdicts.rule, "summary": found.summary()}
    for name in ("p_left", "p_rope", "p_right", "difference", "low", "high", "n", "left_out"):
        out.pop(name)  # they are in the rows
    if not isinstance(rope, float):
        out["rope_source"] = rope.to_dict()
    out["source_notes"] = list(notes)
    typer.echo(json.dumps(out, indent=2, ensure_ascii=False))


def _print_tables(found: PairsPosterior, verdicts: BayesDecisions, rope: RopeResult | float) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not isinstance(rope, float):
        console.print(cell(rope.summary()))
    _print_effects(console, found)
    _print_pairs(console, found, verdicts)
    console.print(cell(verdicts.summary()))
    if found.rope == 0:
        console.print(cell("Without a rope, better means better by any amount: give --rope NUMBER or --rope auto."))
    note = found.details.get("predictive_note", "")
    if note:
        pvalue = found.details["predictive_pvalue"]
        console.print(cell(f"{note} Here: {pvalue:.3f}." if pvalue == pvalue else note))
    for warning in found.warnings:
        console.print(cell(f"Note: {warning}"))


def _print_effects(console: Any, found: PairsPosterior) -> None:
    """For the models of all algorithms at once: their places."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from podium.bayes.posterior import EffectsPosterior

    if not isinstance(found, EffectsPosterior):
        return
    table = Table(title="Algorithms, best first", title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    for heading in ("algorithm", "effect", "P(best)", "expected rank"):
        table.add_column(heading, justify="left" if heading == "algorithm" else "right")
    for row in found.effects_frame().sort_values("expected_rank", kind="stable").to_dict(orient="records"):
        numbers = f"{row['effect']:+.4g}", f"{row['p_best']:.3f}", f"{row['expected_rank']:.2f}"
        table.add_row(cell(row["algorithm"]), *numbers)
    console.print(table)


def _print_pairs(console: Any, found: PairsPosterior, verdicts: BayesDecisions) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    title = (
        f"{found.label}, rope {found.rope:.4g}\n"
        f"P(a): a better, P(=): equivalent, P(b): b better; gain of a over b, {100 * found.credibility:g} % interval"
    )
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1))
    for heading in ("a", "b", "P(b)", "P(=)", "P(a)", "gain", "low", "high", "verdict"):
        table.add_column(heading, justify="left" if heading in ("a", "b", "verdict") else "right")
    for k, (a, b) in enumerate(found.names):
        chances = [f"{p[k]:.3f}" for p in (found.p_left, found.p_rope, found.p_right)]
        gains = [f"{value[k]:.3g}" for value in (found.difference, found.low, found.high)]
        word = verdicts.verdicts[k]
        table.add_row(cell(a), cell(b), *chances, *gains, cell({"a": a, "b": b}.get(word, word)))
    console.print(table)
