"""The functions have the signatures of the packages that they stand for (scikit-posthocs 0.17.1, baycomp 1.0.3, rliable
1.2.0): same names, order, kinds and defaults of the arguments."""

import importlib
import inspect

import pytest

PEERS = {
    "scikit_posthocs.posthoc_nemenyi_friedman": "a, y_col=None, group_col=None, block_col=None, block_id_col=None, melted=False, sort=False",
    "scikit_posthocs.posthoc_wilcoxon": "a, val_col=None, group_col=None, method='auto', zero_method='wilcox', correction=False, p_adjust=None, sort=False",
    "scikit_posthocs.posthoc_conover_friedman": "a, y_col=None, block_col=None, block_id_col=None, group_col=None, melted=False, sort=False, p_adjust=None",
    "scikit_posthocs.critical_difference_diagram": "ranks, sig_matrix, *, cd=None, alpha=0.05, ax=None, label_fmt_left='{label} ({rank:.2g})', label_fmt_right='({rank:.2g}) {label}', label_props=None, marker_props=None, elbow_props=None, crossbar_props=None, color_palette=None, text_h_margin=0.01, left_only=False, hue=None, hue_order=None",
    "baycomp.two_on_single": "x, y, rope=0, runs=1, *, names=None, plot=False",
    "baycomp.two_on_multiple": "x, y, rope=0, *, runs=1, names=None, plot=False, **kwargs",
    "baycomp.CorrelatedTTest": "x, y, rope=0, runs=1, *, names=None, nsamples=50000",
    "baycomp.SignTest": "x, y, rope=0, *, nsamples=50000, random_state=None, **kwargs",
    "baycomp.SignedRankTest": "x, y, rope=0, *, nsamples=50000, random_state=None, **kwargs",
    "baycomp.HierarchicalTest": "x, y, rope=0, *, nsamples=50000, random_state=None, **kwargs",
    "rliable.library.get_interval_estimates": "score_dict, func, method='percentile', task_bootstrap=False, reps=50000, confidence_interval_size=0.95, random_state=None",
    "rliable.library.create_performance_profile": "score_dict, tau_list, use_score_distribution=True, custom_profile_func=None, method='percentile', task_bootstrap=False, reps=2000, confidence_interval_size=0.95",
    "rliable.metrics.aggregate_mean": "scores",
    "rliable.metrics.aggregate_median": "scores",
    "rliable.metrics.aggregate_iqm": "scores",
    "rliable.metrics.aggregate_optimality_gap": "scores, gamma=1",
    "rliable.metrics.probability_of_improvement": "scores_x, scores_y",
}


def plain(function):
    """The signature without types, as the code of the packages has it."""
    known = inspect.signature(function)
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in known.parameters.values()]
    return str(known.replace(parameters=bare, return_annotation=inspect.Signature.empty))


@pytest.mark.parametrize("name", PEERS)
def test_signatures_are_those_of_the_packages(name):
    parts = name.split(".")
    depth = 2 if parts[0] == "rliable" else 1
    found = importlib.import_module("podium.compat." + ".".join(parts[:depth]))
    for part in parts[depth:]:
        found = getattr(found, part)
    assert plain(found) == f"({PEERS[name]})"
