"""When a figure belongs in the report of a comparison: each function gives the options of its figure, or None.

Beyond these sizes a figure says less than its table, and weighs more than the page should.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from podium.core.numbers import number
from podium.plot.sources import pairs_of

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison

Options = dict[str, Any]

MOST_FOREST_ROWS = 45
MOST_MATRIX_ALGORITHMS = 30
MOST_DISTRIBUTIONS = 25
MOST_HEAT_CELLS = 2500
MOST_SCORE_ROWS = 150
MOST_COUNTS = 40
MOST_AGREEMENT = 60  # thousands of cells weigh too much for a page; the figure itself takes any number
MOST_BENCHMARKS = 60


def mean_ranks(comparison: Comparison) -> Options | None:
    """Mean ranks of three or more algorithms over datasets."""
    if len(comparison.ranking) < 3 or any(r.mean_rank is None for r in comparison.ranking):
        return None
    bars = f"; a bar joins algorithms that are not told apart at level {number(comparison.alpha)}"
    return {"caption": f"Mean ranks, the best first{bars if comparison.groups else ''}."}


def places(comparison: Comparison) -> Options | None:
    """The places that each could hold, where all have some."""
    known = all(row.rank_low is not None and row.rank_high is not None for row in comparison.ranking)
    return {} if known and mean_ranks(comparison) is not None else None


def distribution(comparison: Comparison) -> Options | None:
    """How often each had each rank, where these are not too many."""
    if mean_ranks(comparison) is None or len(comparison.ranking) > MOST_DISTRIBUTIONS:
        return None
    return {} if comparison.table.complete().n_datasets > 1 else None


def scores(comparison: Comparison) -> Options | None:
    """Scores on cases with the places that each could hold."""
    return {} if len(comparison.ranking) <= MOST_SCORE_ROWS else None


def differences(comparison: Comparison) -> Options | None:
    """All pairs with bounded intervals where they are few, else those with the control or with the best."""
    pairs, best = pairs_of(comparison), None
    which = "All pairs"
    if len(pairs) > MOST_FOREST_ROWS:
        best = comparison.facts.control or comparison.ranking[0].algorithm
        which = f"The pairs with {'the control' if comparison.facts.control else 'the best'}"
        pairs = pairs[(pairs["a"] == best) | (pairs["b"] == best)]
    bounded = int(pairs[["effect", "low", "high"]].astype(float).map(math.isfinite).all(axis=1).sum())
    if not 0 < bounded <= MOST_FOREST_ROWS:
        return None
    which = f"{which} whose intervals are bounded" if bounded < len(pairs) else which
    return {"caption": f"{which}: differences with intervals and adjusted p-values.", "algorithm": best}


def matrix(comparison: Comparison) -> Options | None:
    """Row against column, where all pairs of a few algorithms were compared."""
    if not 2 < len(comparison.ranking) <= MOST_MATRIX_ALGORITHMS or comparison.facts.control is not None:
        return None
    return {"caption": f"Row against column: difference, {comparison.words.matrix}, adjusted p-value."}


def two(comparison: Comparison) -> Options | None:
    """Two algorithms on several datasets."""
    here = len(comparison.ranking) == 2 and comparison.table.n_datasets > 1
    return {} if here else None


def heat(comparison: Comparison) -> Options | None:
    """The scores, where they are not too many."""
    table = comparison.table
    here = table.n_datasets > 1 and table.values.size <= MOST_HEAT_CELLS
    return {} if here else None


def counts(comparison: Comparison) -> Options | None:
    """Discordant counts of pass and fail."""
    cases: Any = comparison.evidence
    here = cases.kind == "pass_fail" and len(comparison.ranking) <= MOST_COUNTS
    return {} if here else None


def agreeing(comparison: Comparison) -> Options | None:
    """How far three or more systems agree; of a metric of all cases only with the predictions."""
    cases: Any = comparison.evidence
    if not 2 < len(comparison.ranking) <= MOST_AGREEMENT:
        return None
    return {} if cases.kind != "influence" or cases.source is not None else None


def curves(comparison: Comparison) -> Options | None:
    """Curves of scores for two classes."""
    from podium.plot.cases import scored_predictions

    return {} if scored_predictions(comparison) is not None else None


def benchmarks(comparison: Comparison) -> Options | None:
    """The difference of the two best on each of several benchmarks."""
    cases: Any = comparison.evidence
    if cases.kind == "influence" or not 1 < len(set(cases.benchmarks)) <= MOST_BENCHMARKS:
        return None
    a, b = (row.algorithm for row in comparison.ranking[:2])
    return {"caption": f"{a} and {b}, the first two, on each benchmark; the number of cases in brackets."}
