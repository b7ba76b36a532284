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
    predictions: Predictions, table: PredictionTable, missing: str | None, scored: Callable[..., Predictions]
) -> Predictions:
    """Predictions with a note on those that are missing and, where the metric is not a mean, the same by the other policy."""
    counts = {str(name): int(count) for name, count in table.predicted.isna().sum().items() if count}
    if not counts or (predictions.metric.kind == "mean" and missing != "complete"):
        return predictions
    if missing != "wrong":
        total = sum(counts.values())
        are, who = "is" if total == 1 else "are", listed([f"{name} ({n})" for name, n in counts.items()], most=4)
        left_out = counted(len(table.truth) - len(predictions.truth), "case")
        note = f"{counted(total, 'prediction')} {are} missing: {who}; left out, with {left_out}."
        predictions = replace(predictions, notes=(*predictions.notes, note))
    try:
        return replace(predictions, other=scored(missing="complete" if missing == "wrong" else "wrong"))
    except DataError:  # the metric has no worst value, or no case is left
        return predictions


def other_decisions(predictions: Predictions | None, pairs: CasePairs, alpha: float) -> tuple[str, ...]:
    """Whether the other policy for missing predictions would decide otherwise, where that can be told."""
    other: Predictions | None = getattr(predictions, "other", None)
    if not predictions or other is None or predictions.metric.kind == "mean" or predictions.clusters:
        return ()
    asked = {"confidence": pairs.confidence, "intervals": pairs.intervals}
    again = pairs_of_predictions(other.select(predictions.algorithms).to_cases(), control=pairs.control, **asked)
    fewer = len(other.truth) < len(predictions.truth)
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
