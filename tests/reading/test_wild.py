"""Real files of public repositories (`../shared/wild`): read as what they hold, along every answer that is offered.

The files are kept beside the project. `HOLDS` says what is in each; a table that says otherwise with exit code 0 fails.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from reading.walker import ends

WILD = next(
    (folder / "shared" / "wild" for folder in Path(__file__).parents if (folder / "shared" / "wild").is_dir()), None
)

DETECTORS = {"IFOREST", "LOF", "MP", "NORMA", "IFOREST1", "HBOS", "OCSVM", "PCA", "AE", "CNN", "LSTM", "POLY"}


def counts(algorithms, rows=None):
    """So many algorithms on so many rows, or one of several such."""
    wanted = algorithms if isinstance(algorithms, tuple) else (algorithms,)
    return lambda end: (
        len(end.algorithms) in wanted
        and (rows is None or len(end.rows) in (rows if isinstance(rows, tuple) else (rows,)))
    )


def nothing(_):
    """There is nothing to compare: whatever is read is wrong."""
    return False


HOLDS = {
    "01_mergedTable_AUC_ROC.csv": lambda end: end.algorithms == DETECTORS,
    "02_all_acc_eval.csv": counts(12),
    "03_results_ucr112_variants.csv": counts(4, 112),
    "04_openclip_results.csv": counts((120, 121), 38),
    "07_Scores_and_Ranks.xlsx": lambda end: "Naive" in end.algorithms or len(end.algorithms) in (24, 50, 51, 74),
    "10_3a-AUC.csv": lambda end: end.algorithms == {"linear", "RF", "DL"},
    "11_benchmark.md": counts((10, 11)),
    "13_performances_execution.json": counts(37, 479),
    "14_raw_per_seed_results.csv": counts(12, (8, 9)),
    "17_leaderboard.csv": lambda end: len(end.algorithms) in (5, 15) and len(end.rows) <= 4,  # a metric for each
    "18_consistency_ranks_by_competition.csv": counts(10, 4),
    "20_results_full.csv": lambda end: len(end.algorithms) in (5, 15) and end.read.values.shape[2:] == (1, 1),
    "22_cv_results.csv": counts(288),
    "24_all_results.csv": lambda end: end.metric in ("test_accuracy", "test_macro_f1", "validation_score"),
    "25_all_results.csv": lambda end: end.metric in ("auc_pr", "vus_pr", "affil_f1", "event_f1"),
    "28_wandb_export.csv": lambda end: end.metric.startswith(("best_", "test")) and len(end.rows) == 3,
    "29_wandb_export.csv": nothing,
    "31_hyperfine.json": counts(2),
    "33_tuned-benchmark.tex": lambda end: end.algorithms in ({"w/o SOT", "w/ SOT"}, {"B", "B++", "MAML", "MN", "PN"}),
    "35_all_results.csv": lambda end: end.metric.endswith("_score"),
    "36_gs_results.csv": counts(120),
    "37_accuracy.csv": counts(3, 270),
    "39_metrics_per_fold.csv": nothing,
    "41_publicleaderboard.csv": nothing,
    "42_eval_results_strict.jsonl": nothing,
    "45_arena_hard_leaderboard_20240731.csv": nothing,
    "48_all_results.csv": lambda end: end.unit == "case" and len(end.algorithms) in (2, 18),
    "49_results.csv": counts(3, 26),
    "55_compare_models.csv": nothing,
    "58_leaderboard.csv": counts(19, 6),
    "61_nsad_bench_results.csv": lambda end: len(end.rows) in (8, 9) and not end.metric.endswith(("_std", "Params")),
    "62_all_results.csv": lambda end: len(end.algorithms) in (4, 40) and end.metric == "mean_reward",
    "66_leaderboard.csv": nothing,
    "69_all_results.csv": lambda end: (
        len(end.algorithms) in (4, 6, 24) and end.metric in ("auc", "brier", "ece", "mce", "log_loss")
    ),
    "70_all_results.csv": lambda end: end.metric in ("acc_mean", "probe_mean", "base_acc"),
    "75_TD3_learning_curves": nothing,
}


def judged(name):
    """Right, refused, asked (beside the point or endlessly) or wrong; with the answers of a wrong table."""
    from podium.comparison.compare import compare
    from podium.core.errors import PodiumError

    asked, wrong, right = False, [], []
    for end in ends(WILD / name):
        if end.read is None:
            asked = asked or bool(end.error.fields.get("offers"))
            continue
        if HOLDS[name](end):
            right.append(end)
            continue
        try:
            compare(end.read)
        except PodiumError:
            continue
        wrong.append(end.answers)
    return "wrong" if wrong else "right" if right else "asked" if asked else "refused", wrong


@pytest.mark.skipif(WILD is None, reason="the files are kept beside the project; there is no folder `shared/wild` here")
@pytest.mark.parametrize("name", HOLDS)
def test_no_offered_answer_leads_to_a_wrong_table(name):
    kind, wrong = judged(name)
    assert kind != "wrong", wrong


if __name__ == "__main__":
    found = {name: judged(name) for name in HOLDS}
    for name, (kind, wrong) in found.items():
        sys.stdout.write(f"{kind:8} {name} {str(wrong[:2])[:300] if wrong else ''}\n")
    sys.stdout.write(f"{Counter(kind for kind, _ in found.values())}\n")
