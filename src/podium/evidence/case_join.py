"""Two algorithms from two files side by side: their outcomes on the same cases, matched by the names of the cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core.errors import DataError
from podium.core.names import quoted
from podium.evidence.cases import Cases

NOT_RUN = "not run"


def side_by_side(baseline: Cases, candidate: Cases, *, names: tuple[str, str]) -> Cases:
    """Both as one, under these names; a case that only one of them has is a hole of the other.

    The cases are in the order of the candidate, because its file is the one that may still grow.

    >>> from podium.evidence.cases import as_cases
    >>> one, two = as_cases({"x": [1, 0, 1]}), as_cases({"x": [1, 1, 1]})
    >>> side_by_side(one, two, names=("old", "new")).scores.round(2).tolist()
    [0.67, 1.0]
    """
    both = (baseline, candidate)
    for cases, name in zip(both, names, strict=True):
        if cases.n_algorithms != 1:
            raise DataError(f"{name} holds {cases.n_algorithms} algorithms: {quoted(cases.algorithms, 6)}.")
        if cases.kind == "influence":
            raise DataError(f"{name} holds influence values, which belong to all their cases and cannot be joined.")
        if np.isnan(cases.values).all():
            raise DataError(f"{name} has no outcome at all: every cell is empty or an error.")
        cases.unweighted("The gate")
    _same_metric(baseline, candidate, names)
    old = set(baseline.cases)
    common = [case for case in candidate.cases if case in old]
    if not common:
        raise DataError(
            f"{names[0]} and {names[1]} have no case in common ({baseline.cases[0]!r} there, {candidate.cases[0]!r} here): name the "
            "cases alike in both, or say by {case_column} which column names them."
        )
    ran = set(candidate.cases)
    order = (*candidate.cases, *(case for case in baseline.cases if case not in ran))
    values, samples = _placed(both, order)
    return Cases(
        values=values,
        cases=order,
        algorithms=names,
        metric=baseline.metric,
        samples=samples,
        reasons=_reasons(both, names, order),
        notes=(*baseline.notes, *candidate.notes),
        clusters=_named(both, "clusters", order, names),
        benchmarks=_named(both, "benchmarks", order, names),
    )


def _same_metric(baseline: Cases, candidate: Cases, names: tuple[str, str]) -> None:
    one, other = baseline.metric, candidate.metric
    if (one.name, one.direction) != (other.name, other.direction):
        raise DataError(
            f"{names[0]} is measured by {one.display_name} ({one.direction} is better), {names[1]} by {other.display_name} ({other.direction} is "
            "better): name the one to compare by {metric}."
        )


def _placed(both: tuple[Cases, Cases], order: tuple[str, ...]) -> tuple[Any, Any]:
    """The values of both in one order; and their samples, where one of them has several."""
    row_of = {case: row for row, case in enumerate(order)}
    rows = [np.array([row_of[case] for case in cases.cases]) for cases in both]
    values = np.full((len(order), 2), np.nan)
    for column, cases in enumerate(both):
        values[rows[column], column] = cases.values[:, 0]
    if all(cases.samples is None for cases in both):
        return values, None
    most = max(1 if cases.samples is None else cases.samples.shape[2] for cases in both)
    samples = np.full((len(order), 2, most), np.nan)
    for column, cases in enumerate(both):
        drawn = cases.values[:, 0, None] if cases.samples is None else cases.samples[:, 0]
        samples[rows[column], column, : drawn.shape[1]] = drawn
    return values, samples


def _reasons(both: tuple[Cases, Cases], names: tuple[str, str], order: tuple[str, ...]) -> dict[tuple[str, str], str]:
    """Why a cell is a hole: the reason of its file, or that the case was not run."""
    reasons = {}
    for cases, name in zip(both, names, strict=True):
        own = set(cases.cases)
        reasons.update({(case, name): NOT_RUN for case in order if case not in own})
        reasons.update({(case, name): why for (case, _), why in cases.reasons.items()})
    return reasons


def _named(both: tuple[Cases, Cases], field: str, order: tuple[str, ...], names: tuple[str, str]) -> tuple[str, ...]:
    """The cluster or benchmark of every case, from whichever file says it."""
    name_of: dict[str, str] = {}
    for cases in both:
        for case, name in zip(cases.cases, getattr(cases, field), strict=False):
            if name_of.setdefault(case, name) != name:
                raise DataError(
                    f"The case {case!r} belongs to the {field[:-1]} {name_of[case]!r} in {names[0]} and to {name!r} in {names[1]}."
                )
    return tuple(name_of.get(case, case) for case in order) if name_of else ()
