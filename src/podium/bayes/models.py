"""Every model of all pairs by its name: what the command line, reports and comparisons call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from podium.bayes.posterior import PairsPosterior
from podium.bayes.rope import RopeResult, rope_auto
from podium.core import check
from podium.core.rng import Rng
from podium.core.scores import Scores

__all__ = ["MODELS", "all_pairs"]

# Name -> what it says, in a line.
MODELS = {
    "anova": "all algorithms at once: level + algorithm + dataset + normal error",
    "robust_anova": "the same with Student errors, which outlying scores do not mislead",
    "hierarchical": "each pair on all folds of all datasets, datasets shrunk towards their population",
    "signed_rank": "each pair by its mean scores on the datasets; no distribution is assumed",
    "sign": "each pair by how often each is better; sizes of differences do not count",
    "correlated_t": "each pair on the folds of one dataset",
    "bradley_terry": "all algorithms at once by who beats whom; sizes of differences do not count",
}


def all_pairs(
    scores: Scores,
    *,
    model: str = "anova",
    rope: Any = 0.0,
    search: Scores | None = None,
    dataset: str | None = None,
    draws: int | None = None,
    rng: Rng = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> PairsPosterior:
    """The posterior of all pairs of algorithms under the model of that name (see `MODELS`).

    `rope` is a number in the metric's units, "auto" (from the folds and, if given, from `search`, the scores
    that a search of hyperparameters promised), or a result of `rope_from_...`. For "bradley_terry" it decides
    ties; `options` go to the model.
    """
    check.choice("model", model, tuple(MODELS))
    width: RopeResult | float = rope_auto(scores, search=search) if isinstance(rope, str) and rope == "auto" else rope
    if draws is not None and model != "correlated_t":  # which is exact
        options["draws"] = draws
    if model == "correlated_t":
        from podium.bayes._correlated_t import correlated_t_pairs as bayes_correlated_t_pairs

        return bayes_correlated_t_pairs(scores, dataset=dataset, rope=width, **options)
    if model == "hierarchical":
        from podium.bayes._hierarchical import hierarchical_pairs as bayes_hierarchical_pairs

        return bayes_hierarchical_pairs(scores, rope=width, rng=rng, progress=progress, **options)
    if model == "bradley_terry":
        from podium.bayes._bradley_terry import bradley_terry as bayes_bradley_terry

        return bayes_bradley_terry(scores, rope=width, rng=rng, progress=progress, **options)
    if model in ("anova", "robust_anova"):
        from podium.bayes._anova import anova as bayes_anova

        robust = model == "robust_anova"
        return bayes_anova(scores, rope=width, robust=robust, rng=rng, progress=progress, **options)
    if model == "sign":
        from podium.bayes._sign import sign_pairs as bayes_sign_pairs

        return bayes_sign_pairs(scores, rope=width, rng=rng, **options)
    from podium.bayes._signed_rank import signed_rank_pairs as bayes_signed_rank_pairs

    return bayes_signed_rank_pairs(scores, rope=width, rng=rng, **options)
