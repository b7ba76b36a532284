"""Which tables can be compared: every algorithm has scores, and every two that are tested share a dataset."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Bools
from podium.core.errors import DataError, DesignError
from podium.evidence.scores import Scores
from podium.evidence.table import Table


def comparable_table(scores: Scores, missing: str | None, control: str | None) -> Table:
    """The table of mean scores, without incomplete datasets if the user wants that; refused where nothing can be compared."""
    table = scores.table()
    if missing in ("wrong", "refuse"):
        rule = "must be 'pairwise' or 'complete' for scores over datasets"
        raise check.refused("missing", missing, rule, ": that is for outcomes of test cases ({unit} 'case').")
    if missing is not None and check.choice("missing", missing, ("pairwise", "complete")) == "complete":
        table = table.complete()
        if table.n_datasets == 0:
            _check_overlap(scores.table(), control)
            raise DataError("No dataset has a score of every algorithm: set {missing} to 'pairwise'.")
    if table.n_algorithms < 2:
        raise DataError(f"A comparison needs at least 2 algorithms (columns); the table has {table.n_algorithms}.")
    if table.n_datasets == 1 and not scores.has_folds:
        raise DesignError("One dataset with one score per algorithm allows no test: give its folds, or more datasets.")
    _check_scores(table)
    _check_overlap(table, control)
    return table


def _check_scores(table: Table) -> None:
    """Refuse algorithms without any score, all at once: say whom to keep."""
    gone = [name for name, scores in zip(table.algorithms, table.values.T, strict=True) if np.isnan(scores).all()]
    if not gone:
        return
    kept = [name for name in table.algorithms if name not in gone]
    cure = f"give scores, or name the others with {{algorithms}} ({check.listed(kept)})"
    raise DataError(
        f"{check.listed(gone)} {'has' if len(gone) == 1 else 'have'} no score at all: {cure if len(kept) > 1 else 'give scores'}.",
        leave_out=tuple(gone),
    )


def _check_overlap(table: Table, control: str | None) -> None:
    """Refuse two algorithms that share no dataset: no test can tell them apart. Say whom to leave out to keep most.

    With a control, only it must meet the others.
    """
    present = ~np.isnan(table.values)
    met = (present.T.astype(np.int64) @ present.astype(np.int64)) > 0
    if control in table.algorithms:
        apart = np.arange(table.n_algorithms) != table.algorithms.index(control)
        met |= apart[:, None] & apart[None, :]
    if met.all():
        return
    i, j = (int(place) for place in np.argwhere(~met)[0])
    keep = _all_meeting(
        met, present.sum(axis=0), stays=table.algorithms.index(control) if control in table.algorithms else None
    )
    gone = [name for place, name in enumerate(table.algorithms) if place not in keep]
    kept = [name for place, name in enumerate(table.algorithms) if place in keep]
    if len(kept) < 2:
        raise DataError(
            f"{table.algorithms[i]!r} and {table.algorithms[j]!r} share no dataset, and neither do any others: give scores of "
            "several algorithms on the same datasets, under the same names."
        )
    raise DataError(
        f"{table.algorithms[i]!r} and {table.algorithms[j]!r} share no dataset, so that nothing compares them. Leave out "
        f"{check.listed(gone)} to keep most: {len(kept)} algorithms that all meet. Name those to compare with {{algorithms}} "
        f"({check.listed(kept)}).",
        leave_out=tuple(gone),
    )


def _all_meeting(met: Bools, scores: Any, *, stays: int | None) -> set[int]:
    """Algorithms of which any two share a dataset, greedily as many as possible: whoever lacks most goes first."""
    keep = set(range(len(met)))
    while True:
        lacks = {i: sum(not met[i, j] for j in keep) for i in keep}
        if not any(lacks.values()):
            return keep
        keep.remove(max(keep - {stays}, key=lambda i: (lacks[i], -int(scores[i]), i)))
