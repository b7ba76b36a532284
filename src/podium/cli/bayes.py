"""`podium bayes FILE --model anova --rope 0.01`: how probable is it that a difference matters?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from podium.cli.progress import progress_bar
from podium.cli.reading import with_results
from podium.cli.showing import showing
from podium.core.errors import ArgumentError
from podium.core.options import BAYES, OPTIONS

if TYPE_CHECKING:
    from podium.core.result import Result
    from podium.evidence.results import Results


@with_results()
@showing(*BAYES, rope=0)
def bayes(
    results: Results,
    *,
    model: str | None,
    rope: float | str,
    search_metric: str | None,
    probability: float,
    place: str | None,
    **options: Any,
) -> tuple[Result, ...]:
    """The probability that each difference matters: a better, practically equivalent, or b better."""
    from podium.bayes._all_pairs import all_pairs, second_opinion, usual_model
    from podium.bayes._decide import decide
    from podium.bayes._imprecise import imprecise
    from podium.bayes.rope import rope_auto

    scores = results.scores()
    search = None if search_metric is None else results.scores(search_metric)
    if model is None:
        model = (
            "signed_rank"
            if place or options["prior"]
            else "correlated_t"
            if options["dataset"]
            else usual_model(scores)
        )
    width = rope_auto(scores, search=search) if isinstance(rope, str) else rope
    if model != "bradley_terry":
        for name in ("band", "fold_effect"):
            if options.pop(name) != OPTIONS[name].default:
                raise ArgumentError(
                    "{argument} is for the model bradley_terry: leave it out, or give {rope}.", argument=name
                )
    if options["prior"] is None:
        del options["prior"]
    if place == "any":
        of_prior: dict[str, Any] = {"model": model}
        of_prior |= {name: options[name] for name in ("prior", "draws", "rng") if options.get(name) is not None}
        return (imprecise(scores, rope=width, **of_prior),)
    if place is not None:
        options["place"] = place
    with progress_bar(model) as progress:
        pairs = all_pairs(scores, model=model, rope=width, progress=progress, **options)
    decisions = decide(pairs, probability=probability)
    if sentence := second_opinion(scores, pairs, probability=probability, rng=options["rng"]):
        pairs = replace(pairs, warnings=(sentence, *pairs.warnings))
    return (pairs, decisions) if isinstance(width, int | float) else (pairs, decisions, width)
