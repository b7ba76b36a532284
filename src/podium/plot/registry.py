"""Which figures there are, as plain data: what each shows, and what stands below it in a report.

A new figure is a function with `@figure` in a file of this room, a line in `__init__.pyi`, and an entry here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from podium.core import check

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.plot.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureKind:
    """A figure: its name, its module, the names of the classes that it shows, and its caption.

    What is only another form of a figure `in_reports` is drawn where it is asked for. In the report of a comparison, it
    stands in a `section`, `when` a function of `plot/reports.py` says so; on the page it is "open", "closed" until asked for,
    or left out where a "chart" shows the same.
    """

    name: str
    home: str
    shows: tuple[str, ...]
    caption: str
    in_reports: bool
    section: str = ""
    when: str = ""
    page: str = "open"

    def options_for(self, comparison: Comparison) -> dict[str, Any] | None:
        """How it is drawn in the report of a comparison; None where it does not belong."""
        if not self.when:
            return None
        fits = getattr(importlib.import_module("podium.plot.reports"), self.when)
        found: dict[str, Any] | None = fits(comparison)
        return found


_RANKS = "Comparison GroupsResult PairsResult Multi2TestResult"
_ORDERS = "MultiTestResult Multi2TestResult"
_TABLES = "Comparison Scores Table"
_PAIRS = "Comparison PairsResult"

# name, home, classes, caption
_ROWS = (
    ("cd_diagram", "_cd_diagram", _RANKS, "Mean ranks, the best first; a bar joins what is not told apart."),
    ("cd_stack", "_cd_diagram", "", "Mean ranks of the same algorithms, one diagram for each result."),
    ("letter_list", "ranked_lists", _RANKS, "Algorithms that share a letter are not told apart."),
    ("underlined_ranks", "ranked_lists", _RANKS, "Mean ranks, the best first; a line joins what is not told apart."),
    ("rank_intervals", "ranks", "Comparison RankIntervalsResult", "Places by mean rank, with simultaneous intervals."),
    ("rank_distribution", "ranks", _TABLES, "How often each algorithm had each rank."),
    ("rank_probabilities", "ranks", "EffectsPosterior", "The probability of each rank."),
    ("score_intervals", "cases", "Comparison", "Scores with their intervals, and the places that each could hold."),
    ("forest", "_forest", _PAIRS, "Differences with intervals and adjusted p-values."),
    ("comparison_matrix", "matrix", _PAIRS, "Row against column: difference, wins / ties / losses, adjusted p-value."),
    ("discordance", "cases", "Comparison", "On how many cases the row is better than the column."),
    (
        "benchmark_forest",
        "cases",
        "Comparison BenchmarkDifferences",
        "Two algorithms on each benchmark, with intervals.",
    ),
    ("roc_curves", "cases", "Comparison", "ROC curves of the best; the diagonal is guessing."),
    ("pr_curves", "cases", "Comparison", "Precision-recall curves of the best; the dashed line is guessing."),
    ("agreement_matrix", "cases", "Comparison Agreement", "How far the algorithms agree."),
    ("scatter", "scores", _TABLES, "The two algorithms on the same datasets; the diagonal is equality."),
    ("performance_profile", "scores", _TABLES, "How often each algorithm is within a distance of the best."),
    ("heatmap", "_heatmap", _TABLES, "The scores, darker where they are better within their dataset."),
    (
        "aggregate_intervals",
        "runs",
        "Comparison AggregatesResult",
        "Aggregates over tasks and runs, with intervals for each alone.",
    ),
    (
        "run_profiles",
        "runs",
        "Comparison ProfilesResult",
        "The share of runs with a score above each threshold, with simultaneous bands.",
    ),
    (
        "order_graph",
        "ordering",
        _ORDERS,
        "Cheapest first; an arrow leads to what is significantly better and costs more.",
    ),
    ("sort_steps", "ordering", _ORDERS, "The order, step by step: what is taken at each step, and from which."),
    ("cost_plane", "_cost_plane", "Multi2TestResult", "Cost and error; joined: no other is both cheaper and better."),
    ("simplex", "bayes", "PairPosterior", "How probable it is that the first is better, the second, or neither."),
    ("density", "bayes", "PairPosterior", "The posterior of the gain of the first over the second."),
    ("shrinkage", "bayes", "PairPosterior", "The gain on each dataset, observed and shrunk."),
    ("rope_matrix", "bayes", "PairsPosterior", "How probable it is that the row is better, equivalent or worse."),
    ("differences", "bayes", "PairsPosterior", "The expected gains of all pairs, the largest on top."),
    ("chance_cdfs", "chance", "NullCurve", "The share of random rankings that score at most so much."),
    ("chance_competitors", "chance", "CompetitorsPlanResult", "The critical value by the number of competitors."),
    ("chance_contours", "chance", "CriticalTableResult", "Isolines of critical values."),
    ("chance_surface", "chance", "CriticalTableResult", "The surface of critical values."),
    ("replicability", "studies", "ReplicabilityResult", "How often tests reject, and how well they replicate."),
    ("power", "studies", "PowerResult", "Power against the number of datasets."),
    ("pool", "studies", "PoolResult", "Decisions that depend on the pool, by its size."),
)
# name, section of the report of a comparison, when (a function of `reports.py`), on the page
_PLACES = (
    ("cd_diagram", "ranking", "mean_ranks", "chart"),
    ("rank_intervals", "ranking", "places", "chart"),
    ("rank_distribution", "ranking", "distribution", "closed"),
    ("score_intervals", "ranking", "scores", "closed"),
    ("roc_curves", "ranking", "curves", "open"),
    ("pr_curves", "ranking", "curves", "closed"),
    ("aggregate_intervals", "aggregates", "of_runs", "open"),
    ("run_profiles", "aggregates", "of_runs", "open"),
    ("forest", "pairs", "differences", "chart"),
    ("comparison_matrix", "pairs", "matrix", "chart"),
    ("scatter", "pairs", "two", "open"),
    ("discordance", "pairs", "counts", "closed"),
    ("benchmark_forest", "pairs", "benchmarks", "open"),
    ("agreement_matrix", "data", "agreeing", "closed"),
    ("heatmap", "data", "heat", "closed"),
)
_WHERE = {name: {"section": section, "when": when, "page": page} for name, section, when, page in _PLACES}
_OTHER_FORMS = ("letter_list", "underlined_ranks", "chance_surface")
FIGURES = {
    name: FigureKind(
        name=name,
        home=f"podium.plot.{home}",
        shows=tuple(shows.split()),
        caption=caption,
        in_reports=name not in _OTHER_FORMS,
        **_WHERE.get(name, {}),
    )
    for name, home, shows, caption in _ROWS
}


def function(name: str) -> Callable[..., Figure]:
    """The function that draws this figure."""
    kind = FIGURES[check.choice("figure", name, tuple(FIGURES))]
    found: Callable[..., Figure] = getattr(importlib.import_module(kind.home), name)
    return found


def figures_of(result: Any) -> list[FigureKind]:
    """The figures that show a result of this class."""
    classes = {kind.__name__ for kind in type(result).__mro__}
    return [kind for kind in FIGURES.values() if classes & set(kind.shows)]
