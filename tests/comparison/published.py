"""The published cases beside the project, each with what a person would say to have it read."""

from pathlib import Path

CASES = Path(__file__).parents[3] / "shared" / "cases"

# File below the folder of cases -> the options of `podium.compare` that its reading asked for.
TABLES = {
    "benavoli2017_5x54_10x10cv/mean_accuracy_54x5.csv": {"metric": "accuracy"},
    "demsar2006_c45_auc/auc.csv": {"metric": "auc"},
    "eisinga2017_exact_friedman/qPCR_4x11.csv": {"direction": "lower"},
    "eisinga2017_exact_friedman/sachs_diuretics_6x6.csv": {"direction": "higher", "rows": "datasets"},
    "garcia_herrera_2008/accuracy.csv": {"metric": "accuracy"},
    "hfawaz_cd_diagram_example_5x15/example_long.csv": {},
    "mlxtend_5x2cv_and_resampled/scores_5x2cv.csv": {"metric": "accuracy"},
    "mlxtend_5x2cv_and_resampled/scores_30_resamples_70_30.csv": {"metric": "accuracy"},
    "r_exactranktests_coin/quade1979_7x3.csv": {"direction": "higher", "rows": "datasets"},
    "r_exactranktests_coin/rounding_first_base_22x3.csv": {"direction": "lower", "rows": "datasets"},
    "wild_amlb_2019_automl/all_results_1h_long.csv": {"metric": "auc"},
    "wild_amlb_2019_automl/score_summary_1h_35x7.csv": {"direction": "higher", "footnotes": True},
    "wild_tsml_bakeoff_40x142/accuracy_resample0.csv": {"metric": "accuracy"},
}
