"""Every model of all pairs by its name: what the command line, reports and comparisons call."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any

from podium.bayes._decide import decide, disagreement
from podium.bayes.posterior import PairsPosterior, rope_width
from podium.bayes.registry import MODELS
from podium.bayes.rope import rope_auto
from podium.core import check
from podium.core.errors import DesignError
from podium.core.metric import Direction
from podium.core.progress import Progress
from podium.core.rng import Rng
from podium.evidence.results import Results
from podium.evidence.scores import Scores
from podium.evidence.table import Table, as_table
from podium.reading.verbs import scores_of


def all_pairs(
    data: Any,
    *,
    metric: str | None = None,
    direction: Direction | None = None,
    model: str | None = None,
    rope: Any = 0.0,
    search: Scores | None = None,
    dataset: str | None = None,
    draws: int | None = None,
    rng: Rng = None,
    progress: Progress = None,
    **options: Any,
) -> PairsPosterior:
    """The posterior of all pairs of algorithms under the model of that name.

    Parameters
    ----------
    data : Results, Scores, Table, DataFrame, array-like or str
        Scores of datasets (rows) x algorithms (columns), or whatever `podium.read` takes. "correlated_t" and
        "hierarchical" need folds.
    metric : str, optional
        What the scores measure, or which of several metrics to use.
    direction : {"higher", "lower"}, optional
        Which scores are better, where the metric does not say it (a bare array or DataFrame: higher).
    model : str, optional
        Name of the model: `podium.bayes.registry.MODELS` lists them. By default "anova", or "correlated_t" for the folds
        of one dataset: the models of `podium.compare` with a `rope`.
    rope : float, "auto" or RopeResult, default 0.0
        Differences up to this, in the metric's units, do not matter; "auto" takes it from the folds and from
        `search`; or a result of `rope_from_...`. For "bradley_terry" it decides ties.
    search : Scores, optional
        The scores that a search of hyperparameters promised, for rope="auto".
    dataset : str, optional
        The dataset, for "correlated_t".
    draws : int, optional
        Number of draws, for models that draw.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.
    **options : Any
        Options of the model, such as `prior` for "sign".

    Returns
    -------
    PairsPosterior
        For every pair the probabilities `p_left` (b is better), `p_rope` and `p_right` (a is better), and the
        difference with its interval.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.linspace(0.6, 0.9, 12)[:, None] + [0.0, 0.01, 0.05]
    >>> found = all_pairs(table, model="sign", rope=0.02, rng=0)
    >>> found.names[2], round(float(found.p_left[2]), 3)
    (('algorithm 2', 'algorithm 3'), 1.0)
    """
    data = _scores(data, metric, direction)
    entry = MODELS[check.choice("model", usual_model(data) if model is None else model, tuple(MODELS))]
    if entry.over in ("folds", "nested") and not (isinstance(data, Scores) and data.has_folds):
        raise DesignError(
            f"{entry.label} needs the scores of every fold; for one score per dataset and algorithm, use the signed-rank test."
        )
    width = rope_auto(data, search=search) if isinstance(rope, str) and rope == "auto" else rope
    if isinstance(data, Scores | Table):
        data.metric.practical("rope", rope_width(width), data.values)
    settings = {**entry.options, **options}
    if draws is not None:
        settings["draws"] = draws
    if entry.over == "folds":
        settings["dataset"] = dataset
    fit: Callable[..., PairsPosterior] = importlib.import_module(entry.home).fit
    for name in settings:
        check.member(f"option of the model {entry.name!r}", name, list(inspect.signature(fit).parameters)[1:])
    return fit(data, rope=width, rng=rng, progress=progress, **settings)


def usual_model(data: Any) -> str:
    """The model that answers where none is named: for differences of means it errs least often (benchmarks/bayes.py)."""
    return "correlated_t" if isinstance(data, Scores) and data.unit == "fold" else "anova"


def second_opinion(data: Any, result: PairsPosterior, *, probability: float, rng: Rng = None) -> str:
    """A sentence on the pairs that the other usual model of the same question decides differently, if there are any."""
    if result.model not in MODELS or MODELS[result.model].over == "folds" or result.model == "bradley_terry":
        return ""
    other = "signed_rank" if result.model == usual_model(data) else usual_model(data)
    answer = all_pairs(data, model=other, rope=result.rope, rng=rng)
    return disagreement(
        decide(result, probability=probability), decide(answer, probability=probability), MODELS[other].label
    )


def _scores(data: Any, metric: str | None, direction: str | None) -> Any:
    """What the models take: scores of one metric in one direction; a bare array stays as it is where nothing is said."""
    to_be_read = isinstance(data, Results | str | os.PathLike | Mapping)
    if not to_be_read and metric is None and direction is None:
        return data
    if not to_be_read and not isinstance(data, Scores | Table):
        data = as_table(data)
    return scores_of(data, metric=metric, direction=direction)[0]
