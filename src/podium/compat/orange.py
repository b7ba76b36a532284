"""`compute_CD` and `graph_ranks` of Orange, which Orange itself has dropped: critical differences and their diagram."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from podium.compat.diagrams import diagram, drawn, grouped
from podium.core.errors import ArgumentError
from podium.stats.posthoc.cliques import groups
from podium.stats.posthoc.critical_difference import critical_difference

TESTS = {"nemenyi": "nemenyi", "bonferroni-dunn": "bonferroni_dunn"}


def compute_CD(avranks: Sequence[float], n: int, alpha: str | float = "0.05", test: str = "nemenyi") -> float:
    """The critical difference of mean ranks on n datasets; any number of algorithms and any level, not a table's.

    >>> round(compute_CD([1.9, 3.2, 2.8, 3.3], 30), 6)
    0.856344
    """
    if test not in TESTS:
        raise ArgumentError(f"`test` must be 'nemenyi' or 'bonferroni-dunn'; got {test!r}.")
    return critical_difference(len(avranks), n, float(alpha), test=TESTS[test])


def graph_ranks(
    avranks: Sequence[float],
    names: Sequence[str],
    cd: float | None = None,
    cdmethod: int | None = None,
    lowv: int | None = None,
    highv: int | None = None,
    width: float = 6,
    textspace: float = 1,
    reverse: bool = False,
    filename: str | Path | None = None,
    **kwargs: Any,
) -> None:
    """Draw the diagram of mean ranks into a new figure of pyplot, and write it to `filename` if there is one.

    Bars join algorithms whose mean ranks differ by less than `cd`; with `cdmethod`, only those with that algorithm. With
    `reverse`, the lowest rank is at the right. The scale and the room for names fit by themselves: `lowv`, `highv`,
    `textspace` and options of older versions have no effect.
    """
    if len(avranks) != len(names):
        raise ArgumentError(f"{len(avranks)} ranks cannot have {len(names)} names.")
    ranks = np.asarray(avranks, dtype=float)
    if cd is None:
        found = grouped(~np.eye(len(ranks), dtype=bool), ranks, names)
    elif cdmethod is None:
        found = groups(ranks, critical_difference=cd, algorithms=[str(name) for name in names])
    else:
        near = np.abs(ranks - ranks[cdmethod]) < cd
        apart = np.ones((len(ranks), len(ranks)), dtype=bool)
        apart[cdmethod, near] = apart[near, cdmethod] = False
        np.fill_diagonal(apart, False)
        found = grouped(apart, ranks, names)
    figure = diagram(found, cd, width, reverse)
    drawn(figure)
    if filename is not None:
        figure.save(filename)
