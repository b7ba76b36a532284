"""What became of missing predictions and outcomes, and whether another policy would decide otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from podium.cases._all_pairs import CasePairs
from podium.cases.predictions import Predictions, pairs_of_predictions
from podium.comparison.methods import pairs_named
from podium.core.errors import DataError
from podium.core.numbers import counted, listed
from podium.evidence.cases import Cases
from podium.evidence.predictions import PredictionTable


def with_the_other(
    made: Predictions, table: PredictionTable, missing: str | None, given: Callable[..., Predictions]
) -> Predictions:
    """Predictions with a note on those that are missing and, where the metric is not a mean, the same by the other policy."""
    counts = {str(name): int(count) for name, count in table.predicted.isna().sum().items() if count}
    if not counts or (made.metric.kind == "mean" and missing != "complete"):
        return made
    if missing != "wrong":
        total = sum(counts.values())
        are, who = "is" if total == 1 else "are", listed([f"{name} ({n})" for name, n in counts.items()], most=4)
        left_out = counted(len(table.truth) - len(made.truth), "case")
        note = f"{counted(total, 'prediction')} {are} missing: {who}; left out, with {left_out}."
        made = replace(made, notes=(*made.notes, note))
    try:
        return replace(made, other=given(missing="complete" if missing == "wrong" else "wrong"))
    except DataError:  # the metric has no worst value, or no case is left
        return made


def other_decisions(given: Predictions | None, pairs: CasePairs, alpha: float) -> tuple[str, ...]:
    """Whether the other policy for missing predictions would decide otherwise, where that can be told."""
    if given is None or given.other is None or given.metric.kind == "mean" or given.clusters:
        return ()
    other = given.other
    asked = {"confidence": pairs.confidence, "intervals": pairs.intervals}
    again = pairs_of_predictions(other.select(given.algorithms).to_cases(), control=pairs.control, **asked)
    fewer = len(other.truth) < len(given.truth)
    done = "Leaving out their cases" if fewer else "Counting missing predictions as wrong"
    return (f"{done} would {changed(pairs, again, alpha)}.",)


def changed(pairs: CasePairs, again: CasePairs, alpha: float) -> str:
    """Which decisions differ, for a sentence."""
    other = pairs.better(alpha) != again.better(alpha)
    places = np.flatnonzero((other | other.T)[pairs.first, pairs.second])
    return f"change the decision on {pairs_named(pairs, places)}" if len(places) else "change no decision"


def complete_cases(cases: Cases) -> Cases:
    """The cases on which every algorithm has an outcome, with a note on the others."""
    keep = ~np.isnan(cases.values).any(axis=1)
    left_out = counted(int((~keep).sum()), "case")
    return replace(cases.take(keep), notes=(*cases.notes, f"{left_out} with a missing outcome left out, as you asked."))
