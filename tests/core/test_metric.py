"""Directions that are certain from a name, and those that are not."""

import numpy as np
import pytest

from podium.core.errors import ArgumentError
from podium.core.metric import Metric, as_direction, below_range, known_metric


@pytest.mark.parametrize(
    "name",
    """accuracy|Accuracy|test_accuracy|mean AUC|roc_auc|F1|f1_macro|balanced accuracy|R2|neg_log_loss|
    neg_root_mean_squared_error|kappa|MCC|validation accuracy|accuracy (mean)|
    1-error rate|top-1 accuracy|throughput|samples per second|tokens_per_s""".replace("\n    ", "").split("|"),
)
def test_higher_is_better(name):
    assert known_metric(name).direction == "higher"


@pytest.mark.parametrize(
    "name",
    ["error", "Error rate", "RMSE", "log_loss", "logloss", "brier", "mean_absolute_error", "1-accuracy", "1_minus_auc"],
)
def test_lower_is_better(name):
    metric = known_metric(name)
    assert (metric.direction, metric.is_cost) == ("lower", False)


@pytest.mark.parametrize(
    "name",
    ["training_time", "Training time", "fit_time", "memory", "space", "cpu seconds", "cost", "Elapsed_Time_training"],
)
def test_costs(name):
    metric = known_metric(name)
    assert (metric.direction, metric.is_cost) == ("lower", True)


@pytest.mark.parametrize(
    "name",
    """loss score result value svm rank accuracy_std std_accuracy rank_accuracy neg_x accuracy_sd n_time
    sd_of_the_accuracy _ Date_time start_time end_time 1/MSE inverse_rmse loss_of_accuracy time_to_accuracy 1-time""".split(),
)
def test_what_is_not_certain_is_not_known(name):
    assert known_metric(name) is None


def test_exact_wants_the_name_itself():
    assert known_metric("hc2_accuracy").direction == "higher"
    assert known_metric("hc2_accuracy", exact=True) is None
    assert known_metric("test_accuracy", exact=True).direction == "higher"


def test_sign_turns_every_metric_into_a_gain():
    assert Metric(name="auc", direction="higher").sign == 1
    assert Metric(name="error", direction="lower").sign == -1
    assert Metric(name="auc", direction="higher").higher_is_better


def test_only_two_directions():
    assert as_direction("lower") == "lower"
    with pytest.raises(ArgumentError, match="'higher' or 'lower'; got 'up'"):
        Metric(name="x", direction="up")


def test_errors_in_percent_may_all_be_below_1():
    errors = np.array([0.3, 0.9])
    with pytest.raises(ArgumentError, match="if they are in percent, call the `metric` 'error_rate_percent'"):
        Metric(name="error_rate", direction="lower").practical("rope", 1, errors)
    assert Metric(name="error_rate_percent", direction="lower").practical("rope", 1, errors) == 1


@pytest.mark.parametrize("size, ends", [(0.99, (0.0, 1.0)), (1, (0.0, 100.0)), (1.5, (-1.0, 1.0)), (5, None)])
def test_a_difference_that_scores_can_have(size, ends):
    assert below_range("rope", size, ends) == size


@pytest.mark.parametrize("size, ends", [(1, (0.0, 1.0)), (100, (0.0, 100.0)), (2, (-1.0, 1.0))])
def test_a_difference_that_no_scores_can_exceed(size, ends):
    with pytest.raises(ArgumentError, match=f"`rope` must be below {size}; got {size}: .*scores here are between"):
        below_range("rope", size, ends)
