"""Which metric a table without a name for it holds: the option, the corner cell, or the file's name."""

from __future__ import annotations

import re

from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import shown, tokens
from podium.reading.options import ReadOptions
from podium.reading.question import Question
from podium.reading.sheet import Sheet

# Words of a file's name that say nothing about the metric.
_NOISE = re.compile(
    r"\d+|\d*x\d+(x\d+)*|\d+cv|cv|mean|means|avg|average|averages|of|per|by|the|on|all|final|my|resamples?\d*|folds?|"
    r"repeats?|runs?|seeds?|table\d*|tables?|results?|scores?|wide|long|raw|data|datasets?|test|values?|summary|v\d+",
    re.IGNORECASE,
)


def metric_of_table(sheet: Sheet, options: ReadOptions, corner: str, *, one_algorithm: bool = False) -> tuple[str, str]:
    """The metric's name, and where it was found (for the recognition line)."""
    if len(options.metrics) > 1:
        raise DataError(f"{sheet.label} holds one metric only: give one name as {{metric}}.")
    if options.metrics:
        return options.metrics[0], ""
    if known_metric(corner) is not None:
        return corner.strip(), ", from the corner of the table"
    metric = metric_in_stem(sheet.stem, one_algorithm=one_algorithm)
    if metric is not None:
        return metric, ", from the file's name"
    if options.direction is not None and not isinstance(options.direction, str) and len(options.direction) == 1:
        return next(iter(options.direction)), ""
    if isinstance(options.direction, str):
        return "score", ""
    raise Question(
        f"{shown(sheet.label)} does not name its metric: set {{metric}} (such as 'accuracy'), or "
        "{direction} ('higher' or 'lower' is better).",
        {"direction": "higher"},
        {"direction": "lower"},
    )


def metric_in_stem(stem: str, *, one_algorithm: bool = False) -> str | None:
    """The metric in a file's name, if it is one and certain.

    Words that say nothing are set aside; what is left must be a metric, or hold exactly one where the file is
    known to be named for its algorithm too.

    >>> metric_in_stem("accuracy_mean_of_30"), metric_in_stem("cost_sensitive"), metric_in_stem("ranks_accuracy")
    ('accuracy', None, None)
    >>> metric_in_stem("HC2_accuracy_30_resamples", one_algorithm=True)
    'accuracy'
    """
    if known_metric(stem, exact=True) is not None:
        return _plain(stem)
    words = [word for word in tokens(stem) if not _NOISE.fullmatch(word)]
    if not words:
        return None
    if known_metric("_".join(words), exact=True) is not None:
        return _plain("_".join(words))
    if not one_algorithm:
        return None
    metrics = [word for word in words if known_metric(word, exact=True) is not None]
    return _plain(metrics[0]) if len(metrics) == 1 else None


def _plain(name: str) -> str:
    """ "accuracies" is the file of an accuracy."""
    return "accuracy" if name.lower() == "accuracies" else name
