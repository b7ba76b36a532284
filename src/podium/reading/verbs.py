"""What every verb takes for its scores: Results, Scores, a Table, or anything that `podium.read` reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from podium.core import check
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric, as_direction, known_metric, settled_metric
from podium.evidence.results import Results, keep_rows
from podium.evidence.scores import Scores
from podium.evidence.table import UNNAMED_METRIC, Table
from podium.reading.options import READ_FIELDS, ReadOptions, options_of


def evidence_of(
    source: Any,
    *,
    metric: str | None = None,
    direction: Any = None,
    verb: str = "read",
    takes: tuple[str, ...] = (),
    **reading: Any,
) -> Any:
    """What a verb that takes evidence of every unit was given: cases, predictions, runs ..., or what `scores_of` gives."""
    if isinstance(source, Scores | Table | Results):
        return scores_of(source, metric=metric, direction=direction, verb=verb, takes=takes, **reading)
    check.known_arguments(verb, reading, (*READ_FIELDS, "reading", *takes))
    options = options_of(metric=metric, direction=direction, **reading)
    if getattr(type(source), "unit", None) is None:  # no evidence of any unit: something to read
        from podium.reading.reader import read_evidence

        evidence = read_evidence(source, options, one_metric=True, ask_design=False)
        return (evidence.scores(metric), evidence) if isinstance(evidence, Results) else evidence
    for name in options.explicit:
        if name not in ("metric", "direction"):
            what = type(source).__name__
            raise ArgumentError("{what} are taken as they are: leave out {argument}.", what=what, argument=name)
    if isinstance(source.metric, Metric) and (options.metric is not None or options.direction is not None):
        return replace(source, metric=_settled(source.metric, options.one_metric, options.direction))
    return source


def scores_of(
    source: Any,
    *,
    metric: str | None = None,
    direction: str | Mapping[str, str] | None = None,
    verb: str = "read",
    takes: tuple[str, ...] = (),
    **reading: Any,
) -> tuple[Scores, Results | None]:
    """The scores of one metric, and the results they come from, if there are any.

    `reading` are options of `podium.read`; another name is refused with the one that may be meant, among these and
    those that the `verb` `takes`.
    """
    check.known_arguments(verb, reading, (*READ_FIELDS, "reading", *takes))
    if isinstance(source, Scores | Table):
        if reading:
            raise ArgumentError("Scores are taken as they are: leave out {argument}.", argument=next(iter(reading)))
        scores = source if isinstance(source, Scores) else Scores.without_folds(source)
        return replace(scores, metric=_settled(scores.metric, metric, direction)), None
    if isinstance(source, Results):
        results = _chosen(source, metric, direction, reading)
    else:
        from podium.reading.reader import read_scores

        results = read_scores(source, metric=metric, direction=direction, **reading)
    return results.scores(metric), results


def _chosen(results: Results, metric: str | None, direction: Any, reading: dict[str, Any]) -> Results:
    if metric is not None and isinstance(direction, str):
        direction = {metric: direction}
    return with_choices(results, options_of(direction=direction, **reading), "Results")


def with_choices(results: Results, options: ReadOptions, what: str) -> Results:
    """Results that need no recognising, with the rows, metric and directions that were asked for; more is refused."""
    for name in options.explicit:
        if name not in ("metric", "direction", "where"):
            raise ArgumentError("{what} is read as it is: leave out {argument}.", what=what, argument=name)
    if options.where is not None:
        results = _rows_where(results, options.where, what)
    if options.metrics:
        results = results.only(options.metrics)
    if isinstance(options.direction, str):
        return results.with_directions({results.metric().name: options.direction})
    return results.with_directions(options.direction) if options.direction else results


def _rows_where(results: Results, where: str, what: str) -> Results:
    """The results in the rows that meet a filter on the columns of the long table."""
    from podium.reading.sheet import Sheet
    from podium.reading.where import kept_rows

    frame = results.frame
    keep, note = kept_rows(Sheet(header=tuple(frame.columns), frame=frame, label=what), where)
    left = keep_rows(frame, keep)
    metrics = {name: results.metrics[name] for name in left["metric"].cat.categories}
    main = results.main if results.main in metrics else None
    return replace(results, frame=left, metrics=metrics, main=main, notes=(*results.notes, note))


def _settled(own: Metric, name: str | None, direction: str | Mapping[str, str] | None) -> Metric:
    """The metric of scores that carry one; without a name of its own, what was said must settle the direction."""
    if name is not None:
        check.text("metric", name)
    if isinstance(direction, Mapping):
        direction = direction.get(name or own.name)
    if own is not UNNAMED_METRIC:
        if name is not None and name != own.name:
            raise ArgumentError(f"The scores measure {own.name!r}, and {{metric}} says {name!r}.")
        return own if direction is None else replace(own, direction=as_direction(direction))
    if direction is not None or name is not None:
        usual = known_metric(name) if direction is None and name is not None else None
        return usual or settled_metric(name or own.name, direction)
    raise DataError(
        "The table does not name its metric: set {metric} (such as 'accuracy'), or {direction} ('higher' or "
        "'lower' is better)."
    )
