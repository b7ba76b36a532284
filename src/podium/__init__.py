"""Podium: which machine-learning algorithms really deserve the podium?

Scores of algorithms on datasets in, an honest verdict out. Start with `podium.read_results` or
`podium.example`. Names load their room when first used, so that `import podium` is instant.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Public name -> the module that defines it. Sorted by room, then by name.
_HOME = {
    "ArgumentError": "core.errors",
    "DataError": "core.errors",
    "Design": "core.design",
    "DesignError": "core.errors",
    "Metric": "core.metric",
    "MissingPackageError": "core.errors",
    "PodiumError": "core.errors",
    "Results": "core.results",
    "Scores": "core.scores",
    "StoreError": "core.errors",
    "Table": "core.table",
    "example": "core.examples",
    "example_frame": "core.examples",
    "examples": "core.examples",
    "overview": "core.overview",
    "rank_rows": "core.ranks",
    "read_results": "core.read.reader",
    "adjust": "stats.corrections",
    "benjamini_hochberg": "stats.corrections",
    "benjamini_yekutieli": "stats.corrections",
    "bergmann_hommel": "stats.corrections",
    "bonferroni": "stats.corrections",
    "finner": "stats.corrections",
    "hochberg": "stats.corrections",
    "holland": "stats.corrections",
    "holm": "stats.corrections",
    "holm_sidak": "stats.corrections",
    "hommel": "stats.corrections",
    "li": "stats.corrections",
    "rom": "stats.corrections",
    "shaffer": "stats.corrections",
    "sidak": "stats.corrections",
    "friedman": "stats.omnibus.friedman",
    "skillings_mack": "stats.omnibus.skillings_mack",
    "aligned_ranks": "stats.omnibus.aligned_ranks",
    "quade": "stats.omnibus.quade",
    "anova": "stats.omnibus.anova",
    "bonferroni_dunn": "stats.posthoc.bonferroni_dunn",
    "critical_difference": "stats.posthoc.critical_difference",
    "groups": "stats.posthoc.cliques",
    "mean_ranks": "stats.posthoc.mean_ranks",
    "nemenyi": "stats.posthoc.nemenyi",
    "rank_intervals": "stats.posthoc.rank_intervals",
    "rank_sums": "stats.posthoc.rank_sums",
    "conover": "stats.posthoc.conover",
    "dunnett": "stats.posthoc.dunnett",
    "tukey": "stats.posthoc.tukey",
    "all_pairs": "stats.posthoc.all_pairs",
    "cohen_dz": "stats.effects",
    "corrected_t": "stats.pairwise.corrected_t",
    "cv52_f": "stats.pairwise.cv52_f",
    "cv52_f_statistics": "stats.pairwise.cv52_f",
    "cv52_t": "stats.pairwise.cv52_t",
    "effect_sizes": "stats.effects",
    "equivalence": "stats.pairwise.equivalence",
    "geometric_ratio": "stats.pairwise.geometric_ratio",
    "hodges_lehmann": "stats.effects",
    "kfold_t": "stats.pairwise.kfold_t",
    "mcnemar": "stats.pairwise.mcnemar",
    "mean_difference": "stats.effects",
    "median_difference": "stats.effects",
    "paired_t": "stats.pairwise.paired_t",
    "permutation": "stats.pairwise.permutation",
    "probability_of_superiority": "stats.effects",
    "rank_biserial": "stats.effects",
    "relative_t": "stats.pairwise.relative_t",
    "sign": "stats.pairwise.sign",
    "versus_control": "stats.posthoc.versus_control",
    "wilcoxon": "stats.pairwise.wilcoxon",
    "as_costs": "ordering.costs",
    "combine_costs": "ordering.costs",
    "multi2test": "ordering.multi2test",
    "multitest": "ordering.multitest",
    "order_from_decisions": "ordering.multitest",
    "what_if": "ordering.multi2test",
    "bayes_correlated_t": "bayes.correlated_t",
    "bayes_correlated_t_pairs": "bayes.correlated_t",
    "bayes_sign": "bayes.sign",
    "bayes_sign_pairs": "bayes.sign",
    "bayes_signed_rank": "bayes.signed_rank",
    "bayes_signed_rank_pairs": "bayes.signed_rank",
    "decide": "bayes.decide",
    "decide_by_loss": "bayes.decide",
    "rope_auto": "bayes.rope",
    "rope_from_folds": "bayes.rope",
    "rope_from_halves": "bayes.rope",
    "rope_from_search": "bayes.rope",
    "bayes_anova": "bayes.anova",
    "CriticalValueResult": "chance.best_of",
    "ChancePvalueResult": "chance.best_of",
    "critical_value": "chance.best_of",
    "chance_pvalue": "chance.best_of",
    "NullDistribution": "chance.distributions",
    "null_distribution": "chance.distributions",
    "ChanceGrid": "chance.grid",
    "critical_grid": "chance.grid",
    "read_grid": "chance.grid",
    "write_grid": "chance.grid",
    "CriticalTableResult": "chance.tables",
    "critical_table": "chance.tables",
    "SimulatedCriticalValueResult": "chance.simulate",
    "simulated_critical_value": "chance.simulate",
    "ChanceTestResult": "chance.predictions",
    "chance_test": "chance.predictions",
    "EmpiricalNullResult": "chance.checks",
    "label_permutation": "chance.checks",
    "trivial_classifiers": "chance.checks",
    "CasesPlanResult": "chance.plan",
    "CompetitorsPlanResult": "chance.plan",
    "MixPlanResult": "chance.plan",
    "plan_cases": "chance.plan",
    "plan_competitors": "chance.plan",
    "plan_mix": "chance.plan",
    "NullCurve": "chance.curves",
    "null_curve": "chance.curves",
    "ChanceSurface": "figures.chance",
    "chance_surface_layout": "figures.chance",
    "draw_chance_cdfs": "figures.chance",
    "draw_chance_competitors": "figures.chance",
    "draw_chance_contours": "figures.chance",
    "draw_chance_surface": "figures.chance",
    "Comparison": "comparison.comparison",
    "compare": "comparison.compare",
    "compare_again": "comparison.repeat",
    "AlgorithmSpec": "bench.spec",
    "DataSettings": "bench.spec",
    "DatasetSpec": "bench.spec",
    "ExecutorEngine": "bench.engines",
    "Limits": "bench.spec",
    "LocalEngine": "bench.engines",
    "Protocol": "bench.protocols",
    "Suite": "bench.spec",
    "open_store": "bench.store",
    "parse_suite": "bench.suite",
    "read_suite": "bench.suite",
    "rescore": "bench.rescore",
    "results_from_store": "bench.results",
    "run_suite": "bench.runner",
    "calibrate": "studies.calibration",
    "coverage": "studies.calibration",
    "datasets_needed": "studies.power",
    "pool_dependence": "studies.pool",
    "pool_power": "studies.power",
    "power": "studies.power",
    "rejection_rate": "studies.rates",
    "replicability": "studies.replicability",
    "smallest_effect": "studies.power",
    "letters_of": "stats.posthoc.letters",
    "bayes_bradley_terry": "bayes.bradley_terry",
    "bayes_hierarchical": "bayes.hierarchical",
    "bayes_hierarchical_pairs": "bayes.hierarchical",
    "draw_cd_diagram": "figures.cd_diagram",
    "draw_cd_stack": "figures.cd_diagram",
    "draw_comparison_matrix": "figures.matrix",
    "draw_cost_plane": "figures.cost_plane",
    "draw_forest": "figures.forest",
    "draw_heatmap": "figures.heatmap",
    "draw_letter_list": "figures.letter_list",
    "draw_order_graph": "figures.ordering",
    "draw_performance_profile": "figures.profile",
    "draw_rank_distribution": "figures.rank_distribution",
    "draw_rank_intervals": "figures.rank_intervals",
    "draw_scatter": "figures.scatter",
    "draw_sort_steps": "figures.ordering",
    "draw_underlined_ranks": "figures.ordering",
    "save_figure": "figures.save",
    "bayes_pairs": "bayes.models",
    "draw_density": "figures.bayes",
    "draw_differences": "figures.bayes_pairs",
    "draw_rank_probabilities": "figures.bayes_pairs",
    "draw_rope_matrix": "figures.bayes_pairs",
    "draw_shrinkage": "figures.bayes",
    "draw_simplex": "figures.bayes",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"podium.{_HOME[name]}"), name)
        globals()[name] = value
        if name == "read_results":
            _let_stores_be_read()
        return value
    raise AttributeError(f"module 'podium' has no attribute {name!r}")


def _let_stores_be_read() -> None:
    """`read_results("suite.db")`: core may not know the bench, so the two meet here, when first used."""
    from podium.core.read.files import register_kind

    def read_store(path: Any) -> Any:
        from podium.bench.results import results_from_store

        return results_from_store(path)

    register_kind(".db", read_store)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
