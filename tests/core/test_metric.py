"""Directions that are certain from a name, and those that are not."""

import numpy as np
import pytest

from podium.core.errors import ArgumentError
from podium.core.metric import Metric, as_direction, below_range, bounds_of, known_metric
from podium.core.registry import read_toml
from refusals import refuses


@pytest.mark.parametrize(
    "name",
    """accuracy|Accuracy|test_accuracy|mean AUC|roc_auc|F1|f1_macro|balanced accuracy|R2|neg_log_loss|
    neg_root_mean_squared_error|kappa|MCC|validation accuracy|accuracy (mean)|
    1-error rate|top-1 accuracy|throughput|samples per second|tokens_per_s|F0.5|f05|f2_score""".replace(
        "\n    ", ""
    ).split("|"),
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
    """score result value svm rank accuracy_std std_accuracy rank_accuracy neg_x accuracy_sd n_time
    sd_of_the_accuracy _ Date_time start_time end_time 1/MSE inverse_rmse loss_of_accuracy time_to_accuracy 1-time f179 f10""".split(),
)
def test_what_is_not_certain_is_not_known(name):
    assert known_metric(name) is None


@pytest.mark.parametrize(
    "name",
    """acc_norm auc_pr aupr dice mrr top1 Top-5 top_1_acc IoU mIoU mAP MAP@10 mAP50-95 mAP@[.5:.95] mAP@0.5 AP50 P@5 R@1 recall@k
    recall_at_10 ndcg@10 nDCG@10 ndcg_cut_10 pass@1 pass^4 hits@10 HR@10 rouge1 rougeL ROUGE-L BLEU-4 rocAuc balancedAccuracy acc,none
    eval/accuracy PSNR SSIM c_index""".split(),
)
def test_names_of_the_field_that_are_better_when_higher(name):
    metric = known_metric(name, exact=True)
    assert (metric.direction, metric.is_cost) == ("higher", False)


@pytest.mark.parametrize(
    "name",
    "cer WER fid crps eer loss eval/loss sMAPE logLoss MASE HD95 top1_error fpr@95 ppl bits_per_byte ECE WAPE".split(),
)
def test_names_of_the_field_that_are_better_when_lower(name):
    metric = known_metric(name, exact=True)
    assert (metric.direction, metric.is_cost) == ("lower", False)


@pytest.mark.parametrize("name", ["params (M)", "FLOPs (B)", "inference_time (ms)", "GFLOPs", "peak memory (GB)"])
def test_costs_with_their_units(name):
    assert known_metric(name, exact=True).is_cost


@pytest.mark.parametrize(
    "name", "P1 R1 accuracy_1 acc2 f1_2 em top pass hit Q2 TopKNN InceptionTime map_std BestFirst MAE_24".split()
)
def test_numbered_columns_and_names_of_other_things_are_no_metrics(name):
    assert known_metric(name, exact=True) is None


def test_the_vocabulary_has_a_direction_for_each_of_many_metrics_and_a_range_where_there_is_one():
    kinds = read_toml("core", "metrics.toml")["kinds"]
    names = [name for kind in kinds if not kind.get("cost") for name in kind["names"].split()]
    assert len(names) == len(set(names)) >= 150
    for kind in kinds:
        for name in kind["names"].split():
            metric = known_metric(name, exact=True)
            assert (metric.direction, metric.is_cost) == (kind["better"], kind.get("cost", False)), name
            assert metric.is_cost or "high" not in kind or bounds_of(name)[1] >= 100, name
            assert known_metric(f"Test {name.replace('_', ' ').upper()}").direction == kind["better"], name


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
    with refuses(ArgumentError, "direction", value="'up'"):
        Metric(name="x", direction="up")


def test_errors_in_percent_may_all_be_below_1():
    errors = np.array([0.3, 0.9])
    with refuses(ArgumentError, "rope"):
        Metric(name="error_rate", direction="lower").practical("rope", 1, errors)
    assert Metric(name="error_rate_percent", direction="lower").practical("rope", 1, errors) == 1


@pytest.mark.parametrize("size, ends", [(0.99, (0.0, 1.0)), (1, (0.0, 100.0)), (1.5, (-1.0, 1.0)), (5, None)])
def test_a_difference_that_scores_can_have(size, ends):
    assert below_range("rope", size, ends) == size


@pytest.mark.parametrize("size, ends", [(1, (0.0, 1.0)), (100, (0.0, 100.0)), (2, (-1.0, 1.0))])
def test_a_difference_that_no_scores_can_exceed(size, ends):
    with pytest.raises(ArgumentError, match=f"`rope` must be below {size}; got {size}: .*scores here are between"):
        below_range("rope", size, ends)
