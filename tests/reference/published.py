"""Numbers of others that several tests use, each with its source. Tests compare what Podium finds in them."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

# Demsar 2006, JMLR 7:1-30, table 6: the ranks in parentheses (the printed AUCs round two of them into a tie).
DEMSAR_RANKS = np.array(
    [
        [4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1],
        [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3], [3, 1, 4, 2],
    ]
)  # fmt: skip
DEMSAR_NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")

# Demsar 2006, table 6: AUCs of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 datasets.
DEMSAR_AUC = np.array(
    [
        [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975], [0.957, 0.978, 0.946, 0.970],
    ]
)  # fmt: skip

# Garcia and Herrera 2008, JMLR 9:2677-2694: accuracies of C4.5, 1-NN, naive Bayes, Kernel, CN2 on 30 datasets,
# as exported from the R package scmamp (data_gh_2008).
GARCIA_HERRERA = np.array(
    [
        [0.219, 0.202, 0.249, 0.165, 0.261],
        [0.803, 0.75, 0.813, 0.692, 0.798],
        [0.859, 0.814, 0.845, 0.542, 0.816],
        [0.809, 0.774, 0.673, 0.275, 0.785],
        [0.768, 0.79, 0.727, 0.872, 0.706],
        [0.759, 0.654, 0.734, 0.703, 0.714],
        [0.693, 0.611, 0.572, 0.689, 0.572],
        [0.544, 0.531, 0.558, 0.439, 0.541],
        [0.945, 0.954, 0.978, 0.541, 0.858],
        [0.725, 0.705, 0.739, 0.625, 0.717],
        [0.674, 0.736, 0.721, 0.356, 0.704],
        [0.801, 0.357, 0.52, 0.309, 0.52],
        [0.785, 0.77, 0.841, 0.659, 0.759],
        [0.71, 0.402, 0.728, 0.12, 0.674],
        [0.691, 0.827, 0.667, 0.527, 0.638],
        [0.743, 0.739, 0.83, 0.549, 0.746],
        [0.99, 0.482, 0.941, 0.857, 0.99],
        [0.867, 0.098, 0.915, 0.986, 0.784],
        [0.821, 0.872, 0.815, 0.885, 0.778],
        [0.893, 0.824, 0.902, 0.739, 0.885],
        [0.799, 0.655, 0.925, 0.517, 0.755],
        [0.845, 0.731, 0.693, 0.653, 0.704],
        [0.741, 0.701, 0.591, 0.663, 0.619],
        [0.799, 0.994, 0.603, 0.269, 0.621],
        [0.949, 0.955, 0.989, 0.77, 0.954],
        [0.555, 0.505, 0.569, 0.312, 0.556],
        [0.928, 0.928, 0.945, 0.419, 0.897],
        [0.915, 0.857, 0.86, 0.7, 0.777],
        [0.855, 0.796, 0.857, 0.607, 0.809],
        [0.906, 0.359, 0.895, 0.641, 0.918],
    ]
)
GARCIA_HERRERA_NAMES = ("C4.5", "1NN", "NaiveBayes", "Kernel", "CN2")

# Eisinga et al. 2017: qPCR methods on four criteria (ranks 1 = smallest value), as data of the exact test.
QPCR = np.array(
    [
        [1.98, 6.54, 1.92, 5.98, 5.02, 5.27, 8.97, 8.43, 7.84, 7.11, 6.94],
        [2.73, 3.57, 3.84, 4.13, 4.63, 4.79, 6.4, 7.98, 8.59, 9.14, 10.19],
        [3.13, 2.51, 3.71, 4.43, 4.79, 5.1, 6.27, 7.95, 8.81, 9.52, 9.78],
        [2.71, 2.63, 3.59, 4.17, 4.71, 4.95, 6.51, 8.17, 8.68, 9.52, 10.33],
    ])  # fmt: skip

# Sachs 1997 p. 675, printed with PMCMRplus frdAllPairsExactTest: six diuretics on six persons.
SACHS = np.array(
    [
        [3.88, 30.58, 25.24, 4.44, 29.41, 38.87],
        [5.64, 30.14, 33.52, 7.94, 30.72, 33.12],
        [5.76, 16.92, 25.45, 4.04, 32.92, 39.15],
        [4.25, 23.19, 18.85, 4.4, 28.23, 28.06],
        [5.91, 26.74, 20.45, 4.23, 23.35, 38.23],
        [4.33, 10.91, 26.67, 4.36, 12.0, 26.65],
    ])  # fmt: skip

# Quade 1979, p. 683: seven stores, three; coin-Ex.Rout.save prints its tests.
QUADE = np.array([[52, 45, 38], [63, 79, 50], [45, 57, 39], [53, 51, 43], [47, 50, 56], [62, 72, 49], [49, 52, 40]])

# Hollander and Wolfe 1999, table 7.1: rounding first base, 22 players, three methods.
ROUNDING_FIRST_BASE = np.array(
    [
        [5.4, 5.5, 5.55],
        [5.85, 5.7, 5.75],
        [5.2, 5.6, 5.5],
        [5.55, 5.5, 5.4],
        [5.9, 5.85, 5.7],
        [5.45, 5.55, 5.6],
        [5.4, 5.4, 5.35],
        [5.45, 5.5, 5.35],
        [5.25, 5.15, 5.0],
        [5.85, 5.8, 5.7],
        [5.25, 5.2, 5.1],
        [5.65, 5.55, 5.45],
        [5.6, 5.35, 5.45],
        [5.05, 5.0, 4.95],
        [5.5, 5.5, 5.4],
        [5.45, 5.55, 5.5],
        [5.55, 5.55, 5.35],
        [5.45, 5.5, 5.55],
        [5.5, 5.45, 5.25],
        [5.65, 5.6, 5.4],
        [5.7, 5.65, 5.55],
        [6.3, 6.3, 6.25],
    ])  # fmt: skip

# R's own example of repeated measures (stats::SSD, mauchly.test, anova.mlm), Maxwell and Delaney 1990.
REACTION_TIMES = np.array(
    [
        [420, 420, 480, 480, 600, 780], [420, 480, 480, 360, 480, 600], [480, 480, 540, 660, 780, 780],
        [420, 540, 540, 480, 780, 900], [540, 660, 540, 480, 660, 720], [360, 420, 360, 360, 480, 540],
        [480, 480, 600, 540, 720, 840], [480, 600, 660, 540, 720, 900], [540, 600, 540, 480, 720, 780],
        [480, 420, 540, 540, 660, 780],
    ]
)  # fmt: skip

# Benavoli et al. 2016, JMLR 17(5):1-10, example 1 (higher is better): A, B, C, D, E on 20 datasets.
BENAVOLI_EXAMPLE_1 = np.array([[1, 5, 2, 3, 4]] * 10 + [[3, 2, 1, 4, 5]] * 10)

DEMSAR_DATASETS = (
    "adult (sample)", "breast cancer", "breast cancer wisconsin", "cmc", "ionosphere", "iris", "liver disorders",
    "lung cancer", "lymphography", "mushroom", "primary tumor", "rheum", "voting", "wine",
)  # fmt: skip
GARCIA_HERRERA_DATASETS = (
    "Abalone*", "Adult*", "Australian", "Autos", "Balance", "Breast", "Bupa", "Cleveland", "Dermatology", "German",
    "Glass", "Hayes-Roth", "Heart", "Led7Digit", "Letter*", "Lymphography", "Mushrooms*", "OptDigits*",
    "Satimage*", "SpamBase*", "Splice*", "Tic-tac-toe", "Vehicle", "Vowel", "Wine", "Yeast", "Zoo", "Car", "Crx",
    "Ion",
)  # fmt: skip

# hfawaz/cd-diagram, example.csv (commit 1b48b4b): accuracies of five classifiers on 15 datasets, clf1 to clf5 row by row.
HFAWAZ = """
    0.6901098901098901 0.5230769230769231 0.8197802197802198 0.4835164835164835 0.4549450549450549
    0.9014492753623188 0.26666666666666666 0.8644927536231884 0.8485507246376811 0.8376811594202899
    0.5357142857142857 0.9285714285714286 1.0 1.0 1.0
    0.5920000000000001 0.596 0.772 0.5760000000000001 0.82
    0.6641025641025641 0.6205128205128205 0.8410256410256409 0.5897435897435898 0.7948717948717948
    0.5846153846153846 0.6589743589743591 0.8384615384615385 0.5974358974358974 0.7666666666666667
    0.6384615384615384 0.6128205128205129 0.8589743589743589 0.6307692307692307 0.8025641025641026
    0.017902813299232736 0.4066496163682865 0.80306905370844 0.4143222506393862 0.8388746803069054
    0.3028571428571429 0.6628571428571428 0.84 0.7942857142857143 0.8228571428571428
    0.2 0.5 0.7 0.6666666666666666 0.7
    0.5 0.75 0.85 0.85 0.9
    0.5 0.9 0.9 0.8 1.0
    0.2333333333333333 0.7666666666666667 0.9 0.8 0.9
    0.3333333333333333 0.9155555555555556 0.9977777777777778 0.8611111111111112 0.9944444444444444
    0.5325520833333334 0.5497395833333333 0.8731770833333333 0.8125 0.8236979166666667
"""
HFAWAZ_DATASETS = (
    "dataset1", "dataset10", "dataset11", "dataset12", "dataset13", "dataset14", "dataset15", "dataset2",
    "dataset3", "dataset4", "dataset5", "dataset6", "dataset7", "dataset8", "dataset9",
)  # fmt: skip

# cran/exactRankTests, tests/exactRankTests-Ex.Rout.save (commit d7f598f): serum antigen level before and after.
SERUM_BEFORE = """
    149 0 0 259 106 255 0 52 340 65 180 0 84 89 212 554 500 424 112 2600
"""
SERUM_AFTER = """
    0 51 0 385 0 235 0 0 48 65 77 0 0 0 53 150 0 165 98 0
"""

# cran/exactRankTests, tests/bugfix-tests.Rout.save (commit d7f598f): 73 pairs with 26 zeros (Bellio).
BELLIO_X = """
    0 87 0 0 0 0 8 0 16 0 64 0 0 37 200 0 0 32 5 0 0 14 0 0 4 0 0 50 0 0 99 0 0 12 36 22 4 13 0 10 70 0 0 0 0 19
    0 4 3 4 23 0 0 0 0 0 0 14 4 8 0 11 42 0 0 0 0 0 18 11 29 0 0
"""
BELLIO_Y = """
    0 0 14 0 0 16 0 145 0 0 16 0 0 47 0 0 0 144 0 2 0 13 0 0 114 0 6 0 0 4 9 0 0 17 0 0 42 0 0 0 0 0 0 0 25 0 1
    178 0 0 0 6 0 7 76 252 0 0 23 0 0 68 0 0 0 24 0 59 0 0 0 0 16
"""

# rasbt/mlxtend's unit tests (commit 9aadcee), scores by their documented procedure. Iris: cases right out of 75 (5x2 cv)
# and of 45 (random splits); Boston: R squared.
_MLXTEND_5X2 = {
    "iris_logreg_vs_tree": (
        75,
        """
    71 73 74 69 72 74 72 72 72 72
""",
        """
    71 73 71 71 71 72 71 70 71 67
""",
    ),
    "iris_logreg_vs_stump": (
        75,
        """
    71 73 74 69 72 74 72 72 72 72
""",
        """
    47 47 48 49 47 41 48 47 48 46
""",
    ),
    "boston_lasso_vs_ridge": (
        1,
        """
    0.6696664660498375 0.6241208395769611 0.643521522378251 0.6953817076738154 0.6547861778434034
    0.6830210574107216 0.6074454687158835 0.6889332266027411 0.6577509697375306 0.6671144374890619
""",
        """
    0.6872784123238738 0.7120432341290526 0.6728405535685371 0.7468271886746524 0.7282386809488017
    0.7187295080709293 0.6895170120990552 0.7290969968269054 0.6850399686434202 0.688556385932655
""",
    ),
}
_MLXTEND_RESAMPLED = {
    "iris_logreg_vs_tree": (
        45,
        """
    44 44 42 44 44 44 44 44 45 43 43 45 41 42 42 45 44 45 43 43 44 45 43 43 45 43 45 44 42 43
""",
        """
    42 42 43 43 43 43 42 43 45 42 43 45 41 41 42 44 44 45 43 43 43 45 43 41 44 44 45 44 40 43
""",
    ),
    "iris_logreg_vs_stump": (
        45,
        """
    44 44 42 44 44 44 44 44 45 43 43 45 41 42 42 45 44 45 43 43 44 45 43 43 45 43 45 44 42 43
""",
        """
    27 29 26 29 30 27 24 26 29 24 27 31 29 26 28 28 27 30 30 29 28 26 28 28 29 23 28 29 30 27
""",
    ),
}


def numbers(text):
    """An array of the numbers in a text."""
    return np.array(text.split(), dtype=float)


def demsar_auc():
    """AUC of four variants of C4.5 on 14 datasets."""
    return pd.DataFrame(DEMSAR_AUC, index=DEMSAR_DATASETS, columns=DEMSAR_NAMES)


def garcia_herrera():
    """Accuracies of five algorithms on 30 datasets."""
    return pd.DataFrame(GARCIA_HERRERA, index=GARCIA_HERRERA_DATASETS, columns=GARCIA_HERRERA_NAMES)


def hfawaz():
    """Accuracies of five classifiers on 15 datasets."""
    names = [f"clf{i}" for i in range(1, 6)]
    return pd.DataFrame(numbers(HFAWAZ).reshape(15, 5), index=HFAWAZ_DATASETS, columns=names)


def mlxtend_5x2(name):
    """Scores of two algorithms, 5 x 2 each."""
    cases, x, y = _MLXTEND_5X2[name]
    return (numbers(x) / cases).reshape(5, 2), (numbers(y) / cases).reshape(5, 2)


def mlxtend_resampled(name):
    """Scores of two algorithms on 30 random splits, 0.3 of the cases for testing."""
    cases, x, y = _MLXTEND_RESAMPLED[name]
    return numbers(x) / cases, numbers(y) / cases


@cache
def benavoli_2017():
    """Algorithm -> accuracies in percent on 54 datasets x 10 repeats x 10 folds (see the README beside)."""
    with np.load(Path(__file__).parent / "benavoli2017.npz") as stored:
        thousandths = stored["thousandths"].astype(float)
    names = ("nbc", "aode", "hnb", "j48", "j48gr")
    return {name: thousandths[i] / 1000 for i, name in enumerate(names)}


@cache
def benavoli_2017_means():
    """Mean accuracies in percent: 54 datasets x 5 algorithms."""
    means = {name: values.mean(axis=(1, 2)) for name, values in benavoli_2017().items()}
    return pd.DataFrame(means, index=[f"D{i:02d}" for i in range(1, 55)])
