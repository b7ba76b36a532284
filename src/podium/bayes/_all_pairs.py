"""Every model of all pairs by its name: what the command line, reports and comparisons call."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

from podium.bayes.posterior import PairsPosterior
from podium.bayes.registry import MODELS
from podium.bayes.rope import rope_auto
from podium.core import check
from podium.core.progress import Progress
from podium.core.rng import Rng
from podium.core.scores import Scores


def all_pairs(
    data: Any,
    *,
    model: str = "signed_rank",
    rope: Any = 0.0,
    search: Scores | None = None,
    dataset: str | None = None,
    draws: int | None = None,
    rng: Rng = None,
    progress: Progress = None,
    **options: Any,
) -> PairsPosterior:
    """The posterior of all pairs of algorithms under the model of that name, on Scores, a Table, a DataFrame or an array.

    `rope` is a number in the metric's units, "auto" (from the folds and, if given, from `search`, the scores
    that a search of hyperparameters promised), or a result of `rope_from_...`. For "bradley_terry" it decides
    ties. "correlated_t" takes one `dataset`, and like "hierarchical" it needs Scores with folds. `draws` holds for
    the models that draw; `progress` is called with how much is done, of how much; `options` go to the model.

    >>> import numpy as np
    >>> table = np.linspace(0.6, 0.9, 12)[:, None] + [0.0, 0.01, 0.05]
    >>> found = all_pairs(table, model="sign", rope=0.02, rng=0)
    >>> found.names[2], round(float(found.p_left[2]), 3)
    (('algorithm 2', 'algorithm 3'), 1.0)
    """
    known = MODELS[check.choice("model", model, tuple(MODELS))]
    width = rope_auto(data, search=search) if isinstance(rope, str) and rope == "auto" else rope
    settings = {**known.options, **options}
    if draws is not None:
        settings["draws"] = draws
    if known.over == "folds":
        settings["dataset"] = dataset
    fit: Callable[..., PairsPosterior] = importlib.import_module(known.home).fit
    for name in settings:
        check.member(f"option of the model {model!r}", name, list(inspect.signature(fit).parameters)[1:])
    return fit(data, rope=width, rng=rng, progress=progress, **settings)
