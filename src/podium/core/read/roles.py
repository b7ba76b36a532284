"""What a column is, from its name: algorithm, dataset, fold, repeat, metric, value; or something that is no score."""

from __future__ import annotations

import re

from podium.core.metric import is_cost as is_cost
from podium.core.metric import known_metric
from podium.core.read.names import key_of

ROLES = ("algorithm", "dataset", "fold", "repeat", "seed", "metric", "value", "family", "message", "status")

_WORDS = {
    "algorithm": """algorithm algorithms algorithm_name algorithm_id algo alg alg_name algo_name classifier classifiers
        classifier_name clf clf_name method methods method_name model models model_name model_id framework framework_name
        learner learners learner_id learner_name estimator estimator_name solver approach system system_name technique
        regressor agent agent_name policy scheme key_scheme flow flow_name detector optimizer optimiser submission""",
    "dataset": """dataset datasets dataset_name data_set data_sets data data_name datasetname task tasks task_name
        problem problems problem_name problem_id domain benchmark benchmark_name dataset_id task_id taskid game games
        environment environments env env_name env_id db dbs database key_dataset data_id did tid corpus scenario""",
    "fold": "fold folds cv_fold fold_id fold_idx fold_index fold_number fold_nr fold_no split split_id split_idx "
    "k_fold outer_fold key_fold",
    "repeat": """repeat repeats repeat_id repetition replication replicate rep reps run runs run_id key_run iteration
        iter resample resamples resample_id trial trials trial_id shuffle bootstrap""",
    "seed": "seed seeds random_state random_seed rng rng_seed",
    "step": "epoch epochs step steps timestep timesteps global_step checkpoint training_step n_epoch",
    "case": """case case_id item item_id question question_id example example_id sample_id query query_id topic topic_id
        prompt prompt_id instance_id image_id doc_id document_id""",
    "metric": "metric metrics measure metric_name measurement criterion scorer",
    "value": "value values score scores result results performance metric_value test_score",
    "family": "family families origin dataset_family",
    "message": "message messages info error_message exception failure failure_message traceback error",
    "status": "status state outcome",
    "direction": "direction",
    "test_fraction": "test_fraction",
}
_ROLE = {word: role for role, words in _WORDS.items() for word in words.split()}

# What sums up others, by its whole name; or by a word for the mean among words that say of what.
_SUMMARIES = frozenset(
    """total sum std sd stdev std_dev standard_deviation rank ranks rank_sum sum_of_ranks wins win losses ties
    w_t_l w_d_l win_tie_loss wins_ties_losses win_draw_loss win_loss wtl best best_count number_of_wins
    overall min max minimum maximum #wins #best no_wins""".split()
)
_MEANS = frozenset("average averages avg mean means median durchschnitt mittelwert moyenne promedio".split())
_OF_WHAT = frozenset(
    """all overall total grand arithmetic geometric harmonic macro micro weighted unweighted row column the dataset datasets
    data sets task tasks score scores value values result results performance rank ranks ranking sd std""".split()
)
# Signs that stand for words, alone among blanks: "Δ" is a difference, and the σ of σ-VAE is a part of its name.
_SIGNS = {"Δ": "delta", "∆": "delta", "σ": "sd", "±": "sd", "Ø": "mean", "ø": "mean", "平均": "mean", "平均值": "mean"}
_P_VALUE = re.compile(
    r"(.*_)?(p_value|pvalue|p_val|pval)s?|(wilcoxon|friedman|mcnemar|t_test|ttest|sign_test|adjusted)_p"
)
# Names that everybody gives to algorithms and nobody to datasets.
_ALGORITHMS = frozenset(
    """svm svc knn 1nn 3nn 5nn rf random_forest nb naive_bayes gaussian_nb lr logistic_regression dt decision_tree c4_5 c45 j48 cart
    mlp xgb xgboost lightgbm lgbm catboost adaboost gbm gbdt lda qda elm ridge lasso lstm cnn resnet bert""".split()
)
# The labels of test cases. The first are certain; the others only where few different labels occur.
_TRUTH = frozenset("y_true ytrue y_test ground_truth groundtruth true_label truth gold gold_label actual".split())
_PERHAPS_TRUTH = frozenset("y label labels target targets class true expected answer".split())

# What a name says that is no algorithm, in the order in which it is looked for.
_NOT_AN_ALGORITHM = (
    (
        "describes the rows",
        re.compile(
            r"#.*|(n|num|nr|number|no)_(of_)?(instances|classes|features|attributes|samples|train|test|cases|rows|examples"
            r"|points|params|parameters|wins|dims|dimensions|nodes|layers|estimators|iterations|evals|evaluations|trees)"
            r"|instances|classes|features|attributes|samples|cases|(train|test|sample|dataset|data)_size|sizes?|length"
            r"|series_length|radius|dim|dims|dimensions?|dimensionality|imb|imbalance|imbalance_ratio|ir|width|height|depth"
            r"|difficulty|hardness|level"
        ),
    ),
    (
        "is a spread and no score",
        re.compile(
            r"(.*_)?(std|sd|stdev|stddev|std_dev|stderr|std_err|sem|variance|iqr|standard_(error|deviation))(_.*)?"
            r"|(95_)?(ci|confidence_interval)(_95|_low|_lower|_high|_upper)?"
        ),
    ),
    ("is a p-value and no score", _P_VALUE),
    (
        "is a difference and no score",
        re.compile(
            r"((rel|relative|abs|absolute)_)?(delta|diff|difference|gain|improvement|impr)(_(acc|accuracy|auc|f1|percent|pct))?"
        ),
    ),
    (
        "identifies something and is not a score",
        re.compile(r"(.*_)?(id|uuid|guid|seed|idx|index|timestamp|date|year|utc|hash|pid|port|version)"),
    ),
    ("is a count and no score", re.compile(r"(.*_)?(count|counts|wins|losses|draws|ties|total)|n_\w+|num_\w+")),
    ("is a rank and no score", re.compile(r"(.*_)?ranks?")),
)


def role_of(name: str) -> str | None:
    """The role a column's name speaks for, or None.

    >>> role_of("Data Set"), role_of("classifier_name"), role_of("svm")
    ('dataset', 'algorithm', None)
    """
    return _ROLE.get(key_of(name))


def _words_of(name: str) -> str:
    """The name as `key_of` gives it, without the commands of LaTeX and with words for signs."""
    plain = re.sub(r"\\[a-zA-Z]+", " ", name)
    return key_of(" ".join(_SIGNS.get(word, word) for word in plain.split()))


def is_summary(name: str) -> bool:
    """Whether a row or column of that name sums up the others.

    >>> is_summary("Avg. rank"), is_summary("Average over 12 datasets"), is_summary("Mean AUC"), is_summary("mean_shift")
    (True, True, True, False)
    """
    key = _words_of(name)
    if key in _SUMMARIES or _P_VALUE.fullmatch(key):
        return True
    words = re.split(r"_(?:over|across|of|on)_", key)[0].split("_")
    rest = [word for word in words if word not in _MEANS | _OF_WHAT and not word.isdigit()]
    metric = known_metric(rest[0], exact=True) if len(rest) == 1 else None
    return not _MEANS.isdisjoint(words) and (not rest or (metric is not None and not metric.is_cost))


def is_algorithm(name: str) -> bool:
    """Whether that is the name of a well-known algorithm.

    >>> is_algorithm("kNN"), is_algorithm("Random Forest"), is_algorithm("iris")
    (True, True, False)
    """
    return key_of(name) in _ALGORITHMS or key_of(name.lower()) in _ALGORITHMS  # kNN is one word, NaiveBayes two


def is_truth(name: str, *, few_labels: bool) -> bool:
    """Whether a column of that name holds the true labels of test cases.

    >>> is_truth("y_true", few_labels=False), is_truth("label", few_labels=False), is_truth("label", few_labels=True)
    (True, False, True)
    """
    return key_of(name) in _TRUTH or (few_labels and key_of(name) in _PERHAPS_TRUTH)


def says_otherwise(name: str) -> str:
    """What a column's name says that makes it no algorithm, as the end of a sentence; "" if it says nothing of the kind.

    >>> says_otherwise("n_instances"), says_otherwise("fit_time"), says_otherwise("auc_std"), says_otherwise("svm")
    ('describes the rows', 'is a cost and no score', 'is a spread and no score', '')
    """
    keys = (
        _words_of(name),
        _words_of(re.sub(r"\s*[(\[].*", "", name)),
    )  # as it stands, and "Delta" of "Delta (svm-rf)"
    if is_cost(name):
        return "is a cost and no score"
    if known_metric(name, exact=True) is not None:
        return "is the name of a metric"
    return next((what for what, pattern in _NOT_AN_ALGORITHM if any(map(pattern.fullmatch, keys))), "")


def is_property(name: str) -> bool:
    """Whether a column of that name describes datasets: it numbers neither repeats nor folds."""
    return says_otherwise(name) == _NOT_AN_ALGORITHM[0][0]
