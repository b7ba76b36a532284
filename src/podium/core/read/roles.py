"""What a column is, from its name: algorithm, dataset, fold, repeat, metric, value, family, message."""

from __future__ import annotations

from podium.core.read.names import key_of

ROLES = ("algorithm", "dataset", "fold", "repeat", "seed", "metric", "value", "family", "message", "status")

_WORDS = {
    "algorithm": """algorithm algorithms algorithm_name algo alg classifier classifiers classifier_name clf method
        methods method_name model models model_name framework learner learners estimator solver approach system
        technique regressor""",
    "dataset": """dataset datasets dataset_name data_set data_sets data data_name datasetname task tasks task_name
        problem problems problem_name domain benchmark dataset_id task_id""",
    "fold": "fold folds cv_fold fold_id fold_number fold_nr fold_no split split_id k_fold outer_fold",
    "repeat": """repeat repeats repetition replication replicate rep run runs run_id iteration iter resample resamples
        resample_id trial shuffle bootstrap""",
    "seed": "seed random_state random_seed rng",
    "metric": "metric metrics measure metric_name measurement criterion scorer",
    "value": "value values score scores result results performance metric_value",
    "family": "family families origin dataset_family",
    "message": "message messages info error_message exception failure failure_message traceback error",
    "status": "status state outcome",
    "direction": "direction",
    "test_fraction": "test_fraction",
}
_ROLE = {word: role for role, words in _WORDS.items() for word in words.split()}

_SUMMARIES = frozenset(
    """average averages avg mean means median total sum std sd stdev std_dev standard_deviation average_rank
    avg_rank mean_rank mean_ranks avg_ranks average_ranks rank ranks rank_sum sum_of_ranks wins win losses ties
    w_t_l w_d_l win_tie_loss wins_ties_losses win_draw_loss win_loss wtl best best_count number_of_wins
    overall overall_average mean_accuracy average_accuracy avg_accuracy avg_acc mean_acc grand_mean geometric_mean
    min max minimum maximum #wins #best no_wins""".split()
)
_PROPERTIES = frozenset(
    """#instances instances n_instances #classes classes n_classes #features features n_features #attributes
    attributes n_attributes #samples samples n_samples #train #test train_size test_size n_train n_test
    #cases cases n_cases length series_length #rows n_rows""".split()
)


def role_of(name: str) -> str | None:
    """The role a column's name speaks for, or None.

    >>> role_of("Data Set"), role_of("classifier_name"), role_of("svm")
    ('dataset', 'algorithm', None)
    """
    return _ROLE.get(key_of(name))


def is_summary(name: str) -> bool:
    """Whether a row or column of that name sums up the others.

    >>> is_summary("Avg. rank"), is_summary("Average"), is_summary("iris")
    (True, True, False)
    """
    return key_of(name) in _SUMMARIES


def is_property(name: str) -> bool:
    """Whether a column of that name describes datasets rather than an algorithm."""
    return key_of(name) in _PROPERTIES
