"""Tables that are easily read wrongly. Each is read as what it holds, or asked about, and no offered answer leads elsewhere.

The shapes are those of files in public repositories, cut down; a comment names the file.
"""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.core.errors import ArgumentError, DataError, PodiumError
from podium.reading.reader import read
from podium.reading.roles import says_otherwise
from podium.reading.verbs import evidence_of
from reading.walker import ends, held, refused
from refusals import refuses


def frame(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO("\n".join(line.strip() for line in text.strip().splitlines())))


def scores(n, k, *, seed=1, low=0.5, spread=0.08):
    """Scores of k algorithms on n datasets, some of which are harder."""
    rng = np.random.default_rng(seed)
    return np.round(np.clip(low + 0.4 * rng.random((n, 1)) + spread * rng.standard_normal((n, k)), 0, 1), 4)


ROWS = [f"d{i}" for i in range(12)]


def table(**more):
    made = pd.DataFrame(scores(12, 4), columns=["svm", "rf", "knn", "mlp"])
    made.insert(0, "dataset", ROWS)
    return made.assign(**more)


# --- a cost is never the score --------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", ["Dice", "my_measure", "auc_pr"])
def test_the_runtime_is_not_the_score_while_another_column_has_numbers(score):
    # Thanatosc/tsfm-anomaly-detection results/all_results.csv: four scores beside runtime_s
    rows = [(d, m, 0.5 + 0.01 * i, 3.0 + i) for i, (d, m) in enumerate((d, m) for d in ROWS[:5] for m in ("a", "b"))]
    held(
        pd.DataFrame(rows, columns=["dataset", "model", score, "inference_time"]),
        algorithms=["a", "b"],
        rows=ROWS[:5],
        by=score,
    )


def test_several_unknown_scores_beside_a_runtime_are_asked_about():
    rows = [(d, m, 0.5, 0.6, 3.0, 100) for d in ROWS[:5] for m in ("a", "b")]
    made = pd.DataFrame(rows, columns=["dataset", "model", "alpha_quality", "beta_quality", "runtime_s", "n_test"])
    found = held(made, algorithms=["a", "b"], rows=ROWS[:5])
    assert {end.metric for end in found} == {"alpha_quality", "beta_quality"}


# --- folds in columns -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["-cv{}", "_fold{}", " fold 0{}", "_seed{}", ".run{}"])
def test_folds_in_columns_are_folds(ending):
    # liuya2360/2019-Meta-Learning meta_labels/artificial/accuracy.csv: knnallrew-cv0, knnallrew-cv1, ...
    numbers = scores(6, 6)
    header = [name + ending.format(i) for name in ("knn", "nb") for i in range(3)]
    made = pd.DataFrame(numbers, columns=header)
    made.insert(0, "dataset", ROWS[:6])
    found = held(made, algorithms=["knn", "nb"], rows=ROWS[:6], by="accuracy", metric="accuracy")
    assert not found[0].answers.keys() - {"metric"}
    assert found[0].read.values.shape == (6, 2, 3, 1) or found[0].read.values.shape == (6, 2, 1, 3)


@pytest.mark.parametrize("ending", ["_{}", ".{}"])
def test_bare_numbers_at_the_ends_of_columns_are_asked_about(ending):
    header = [name + ending.format(i) for name in ("knn", "nb") for i in range(3)]
    made = pd.DataFrame(scores(6, 6), columns=header)
    made.insert(0, "dataset", ROWS[:6])
    with refuses(DataError, "number_folds", "layout") as caught:
        read(made, metric="accuracy")
    assert {"number_folds": True} in caught.value.fields["offers"]
    folds = read(made, metric="accuracy", number_folds=True)
    assert set(folds.algorithms) == {"knn", "nb"}
    assert set(read(made, metric="accuracy", layout="wide").algorithms) == set(header)


# --- shares of training and test --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shares", [("20_80", "50_50", "80_20"), ("70/30", "80/20"), ("60%", "80%"), (60, 70, 80), (10, 95)]
)
def test_shares_of_the_data_are_no_folds(shares):
    # emjviray/ML-Classifier-Evaluation results_full.csv: Split holds 20_80, 50_50, 80_20
    rows = [(d, s, m, 0.8 + 0.01 * i) for d in ROWS[:4] for i, s in enumerate(shares) for m in ("LR", "DT")]
    made = pd.DataFrame(rows, columns=["Dataset", "Split", "Classifier", "Accuracy"])
    with refuses(DataError, "algorithm_column", "dataset_column", "where"):
        read(made)
    for end in ends(made):
        if end.read is not None:
            assert end.read.n_folds == end.read.n_repeats == 1 if hasattr(end.read, "n_folds") else True
            assert end.read.values.shape[2:] == (1, 1), end


def test_numbered_folds_are_folds():
    rows = [(d, s, m, 0.8) for d in ROWS[:4] for s in ("fold1", "fold2") for m in ("LR", "DT")]
    made = read(pd.DataFrame(rows, columns=["Dataset", "Split", "Classifier", "Accuracy"]))
    assert made.scores().values.shape == (4, 2, 1, 2)


def test_shares_beside_algorithms_in_columns_are_never_offered_as_a_part_of_the_algorithm():
    # No column names the algorithms: dataset+Split would have turned the rows into algorithms and the columns into datasets.
    rows = [(f"d{d}", split, 0.7 + d / 100, 0.8 - d / 100) for d in range(6) for split in ("20_80", "50_50")]
    with pytest.raises(DataError) as asked:
        read(pd.DataFrame(rows, columns=["dataset", "Split", "svm", "rf"]), metric="accuracy")
    assert [set(answer) for answer in asked.value.fields["offers"]] == [{"where"}, {"where"}]


def test_shares_of_one_method_are_offered_as_what_is_compared():
    rows = [(f"d{d}", split, 0.7 + d / 100) for d in range(6) for split in ("20_80", "50_50")]
    with pytest.raises(DataError) as asked:
        read(pd.DataFrame(rows, columns=["dataset", "Split", "accuracy"]))
    assert {"algorithm_column": "Split"} in asked.value.fields["offers"]
    assert read(pd.DataFrame(rows, columns=["dataset", "Split", "accuracy"]), algorithm_column="Split").algorithms == (
        "20_80",
        "50_50",
    )


# --- a setting beside algorithms in columns ----------------------------------------------------------------------------

SETTINGS = {
    "setting": ("few-shot", "zero-shot"),
    "language": ("en", "de"),
    "version": ("v1", "v2"),
    "size": ("small", "large"),
    "year": (2019, 2020),
    "noise": (0.1, 0.3),
    "n_train": (100, 1000),
    "horizon": (12, 24),
    "shots": (0, 5),
    "temperature": (0.0, 0.7),
    "k": (5, 10),
    "date": ("2020-01-01", "2021-01-01"),
    "split": ("train", "test"),
}


def crossed(name: str, levels: tuple[object, ...], place: int) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    rows = [(d, *np.round(0.6 + 0.3 * rng.random(4), 3), level) for d in ROWS[:8] for level in levels]
    made = pd.DataFrame(rows, columns=["dataset", "svm", "rf", "knn", "mlp", name])
    made.insert(place, name, made.pop(name))
    return made


@pytest.mark.parametrize("place", [0, 1, 5])
@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_beside_algorithms_in_columns_is_never_compared_with_them(name, place):
    # numbers of a setting were taken for scores of an algorithm, and `where` left them as one whose scores are all equal
    every = list(ends(crossed(name, SETTINGS[name], place), metric="accuracy"))
    assert {frozenset(end.algorithms) for end in every if end.read is not None} == {
        frozenset({"svm", "rf", "knn", "mlp"})
    }


@pytest.mark.parametrize("other", ["task", "domain"])
def test_of_two_columns_that_may_name_the_datasets_neither_joins_the_algorithm(other):
    wide = crossed(other, ("qa", "mt"), 1)
    made = wide.melt(["dataset", other], var_name="model", value_name="accuracy")
    every = [end for end in ends(made) if end.read is not None]
    assert {frozenset(end.algorithms) for end in every} == {frozenset({"svm", "rf", "knn", "mlp"})}


def test_what_was_trained_on_is_offered_last():
    first = next(ends(crossed("split", ("train", "test"), 1), metric="accuracy"))
    assert "test" in first.answers["where"]


def test_a_question_about_parts_of_the_data_names_the_test_first():
    table = pd.DataFrame(
        [(f"d{i}", f"m{j}", part, 0.8) for i in range(6) for j in range(3) for part in ("train", "val", "test")],
        columns=["dataset", "model", "split", "acc"],
    )
    with pytest.raises(DataError) as caught:
        read(table)
    assert "\"split == 'test'\"" in caught.value.args[0]


def test_metrics_beside_algorithms_in_columns_are_no_parts_of_datasets():
    every = list(ends(crossed("metric", ("accuracy", "auc"), 1), metric="accuracy"))
    assert [set(end.answers) for end in every] == [{"metric", "where"}] * 2


# --- properties of datasets -------------------------------------------------------------------------------------------

RNG = np.random.default_rng(5)
PROPERTIES = {
    "period_length": RNG.integers(10, 400, 12),
    "ratio": np.round(RNG.random(12) * 0.1, 5),
    "zebra": RNG.integers(0, 2, 12),
    "average_thing": np.round(RNG.random(12) * 300, 2),
    "prevalence": np.round(RNG.random(12), 3),
    "dm_svm_vs_rf_stat": np.round(RNG.standard_normal(12), 3),
    "data_len": RNG.integers(1000, 9000, 12),
}


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property_of_datasets_is_no_algorithm(name):
    # TheDatumOrg/TSB-UAD mergedTable_AUC_ROC.csv: 12 detectors beside 11 properties of the series
    with pytest.raises(DataError) as caught:
        read(table(**{name: PROPERTIES[name]}), metric="accuracy")
    assert repr(name) in str(caught.value)
    assert caught.value.fields["offers"][0] == {"ignore_column": (name,)}


def test_all_properties_are_one_question():
    with pytest.raises(DataError) as caught:
        read(table(**PROPERTIES), metric="accuracy")
    (first, *_) = caught.value.fields["offers"]
    assert set(first["ignore_column"]) == set(PROPERTIES)
    assert set(read(table(**PROPERTIES), metric="accuracy", **first).algorithms) == {"svm", "rf", "knn", "mlp"}


def test_a_size_names_the_rows():
    # szilard/benchm-ml x1-data-higgs/3a-AUC.csv
    made = frame(
        """n,linear,RF,DL
        0.0001,0.6364224,0.656775,0.596479
        0.001,0.6639208,0.7227223,0.6515591
        0.01,0.6842198,0.7651932,0.7253341
        0.1,0.6845118,0.7952181,0.7911117
        1,0.6845305,0.8148103,0.8367432
        10,0.6845414,0.8273,0.8676"""
    )
    held(made, algorithms=["linear", "RF", "DL"])


def test_algorithms_are_not_doubted():
    made = read(table(new=np.minimum(1, scores(12, 1)[:, 0] + 0.3)), metric="accuracy")  # better everywhere
    assert len(made.algorithms) == 5


# --- metrics, bounds and averages -------------------------------------------------------------------------------------


def test_metrics_in_rows_are_no_datasets():
    # Dangee/titanic-survival-classifier-model docs/compare_models.csv
    made = frame(
        """,naive bayes,logistic regression,k-nearest neighbors,random forest
        F1 score,76.0,73.1,76.2,83.1
        Accuracy,75.9,72.4,74.7,82.4
        AUC score,80.1,79.7,79.1,86.6"""
    )
    assert "nothing" in refused(made)
    assert "nothing" in refused(made, direction="higher")


def test_bounds_are_no_datasets():
    # lmarena/arena-hard-auto leaderboard/arena_hard_leaderboard_20240731.csv
    made = frame(
        """model,score,rating_q025,rating_q975,CI,avg_tokens,date
        gpt-4-turbo,82.63,80.75,84.6,"(-1.88, +1.97)",662.0,2024-07-31
        claude-3-5-sonnet,79.35,77.25,80.62,"(-2.10, +1.27)",567.0,2024-07-31
        gpt-4o,79.21,77.8,80.7,"(-1.50, +1.49)",696.0,2024-07-31
        yi-large,63.7,61.3,65.9,"(-2.4, +2.2)",626.0,2024-07-31"""
    )
    assert "nothing" in refused(made)


@pytest.mark.parametrize("words", ["mean min max", "accuracy mean median", "accuracy precision recall"])
def test_statistics_are_no_datasets(words):
    made = pd.DataFrame(scores(5, 3), columns=words.split())
    made.insert(0, "model", ["a", "b", "c", "d", "e"])
    refused(made)
    refused(made, direction="higher")


def test_metrics_beside_datasets_in_the_names_of_columns():
    # KFUPM-JRCAI/asr_arabic results/leaderboard.csv: X WER, X CER for six corpora, Average WER, Average CER
    made = frame(
        """Model,SADA WER,SADA RMSE,MGB WER,MGB RMSE,MASC WER,MASC RMSE,Average WER,Average RMSE
        a,68.0,37.23,13.08,4.27,36.58,9.85,39.2,17.1
        b,55.39,34.44,10.86,2.98,35.21,8.65,33.8,15.4
        c,60.1,35.5,12.2,3.5,35.9,9.1,36.1,16.0"""
    )
    found = held(made, algorithms=["a", "b", "c"], rows=["SADA", "MGB", "MASC"], by="WER", metric="WER")
    assert found


def test_sizes_of_models_and_averages_are_no_datasets():
    # mlfoundations/open_clip docs/openclip_results.csv
    made = frame(
        """name,pretrained,params (M),FLOPs (B),Average perf. on 4 datasets,ImageNet 1k,CIFAR-10,CLEVR Counts,MNIST
        ViT-H,dfn,986.71,1054.05,0.755,0.8437,0.9880,0.3596,0.8364
        ViT-H,meta,986.11,381.68,0.733,0.8344,0.9878,0.2967,0.8079
        ViT-B,dfn,149.62,41.09,0.660,0.7624,0.9645,0.2513,0.6614
        ViT-B,laion,149.62,41.09,0.641,0.7020,0.9494,0.2899,0.6249
        RN50,openai,102.01,18.18,0.520,0.5982,0.7151,0.2106,0.5578"""
    )
    names = ["ViT-H / dfn", "ViT-H / meta", "ViT-B / dfn", "ViT-B / laion", "RN50 / openai"]
    held(made, algorithms=names, rows=["ImageNet 1k", "CIFAR-10", "CLEVR Counts", "MNIST"])


# --- methods in a column of "benchmarks" ------------------------------------------------------------------------------


def test_methods_in_a_column_of_benchmarks_are_algorithms():
    # Mcompetitions/M5-methods Scores and Ranks.xlsx: a column "Benchmark" holds Naive, sNaive, SES, MLP, RF
    made = pd.DataFrame(scores(5, 4), columns=["L1", "L2", "L3", "L4"])
    made.insert(0, "Benchmark", ["Naive", "sNaive", "SES", "MLP", "RF"])
    with refuses(DataError, "rows"):
        read(made, direction="lower")
    held(made, algorithms=["Naive", "sNaive", "SES", "MLP", "RF"], direction="lower", metric="WRMSSE")


# --- counts, samples and groups of cases --------------------------------------------------------------------------------


def test_a_count_of_items_names_no_cases():
    rows = [(f"m{i}", 191 if i % 2 else 200, 0.5 + i / 100) for i in range(12)]
    assert "nothing to test" in refused(pd.DataFrame(rows, columns=["model", "items", "accuracy"]))


def samples(prompts=2, draws=3, twice=False):
    rng = np.random.default_rng(3)
    rows = [
        (model, prompt, f"q{item}", draw, int(rng.random() < 0.5))
        for model in ("a", "b")
        for prompt in [f"p{i}" for i in range(prompts)]
        for item in range(20)
        for draw in range(draws)
    ]
    made = pd.DataFrame(rows, columns=["model", "prompt", "item", "sample", "correct"])
    return pd.concat([made, made]) if twice else made


def test_samples_are_told_apart_by_their_number():
    with refuses(DataError, "algorithm_column", "where", "sample_column") as caught:
        read(samples())
    assert caught.value.fields["offers"]
    for end in ends(samples()):
        if end.read is not None:
            assert end.read.samples.shape[2] == 3, end.answers
    made = read(samples(prompts=1))
    assert made.samples.shape == (20, 2, 3)


def test_a_file_joined_with_itself_is_no_set_of_samples():
    with pytest.raises(DataError, match="more than once"):
        read(samples(prompts=1, twice=True))


def test_duplicates_without_samples_name_the_column_that_differs():
    made = samples(draws=1).drop(columns="sample")
    with refuses(DataError, "algorithm_column", "where", "sample_column"):
        read(made)
    for end in ends(made):
        assert end.read is None or end.read.samples is None, end.answers


def test_categories_of_cases_do_not_weigh_the_mean():
    rng = np.random.default_rng(4)
    rows = [(f"q{i}", "rare" if i < 5 else "usual", m, int(rng.random() < 0.6)) for i in range(60) for m in ("a", "b")]
    made = read(pd.DataFrame(rows, columns=["item", "category", "model", "correct"]))
    assert not made.benchmarks


def test_groups_of_items_are_clusters_and_dollars_a_cost():
    rng = np.random.default_rng(4)
    rows = [(f"q{i}", f"c{i // 4}", m, int(rng.random() < 0.6), 0.01 * i) for i in range(60) for m in ("a", "b")]
    made = read(pd.DataFrame(rows, columns=["item", "context_id", "model", "correct", "cost_usd"]))
    assert made.clusters is not None
    assert len(set(made.clusters)) == 15
    assert made.cost is not None


@pytest.mark.parametrize("name", ["spent ($)", "$ each", "$/1M in, $/1M out", "US$", "\u20ac", "spent in usd"])
def test_a_sign_of_money_is_a_cost(name):
    assert says_otherwise(name) == "is a cost and no score"


@pytest.mark.parametrize("name", ["$k$-NN", "SVM$_{rbf}$", r"$\alpha$-tree", "$f(x)$", "${jndi:x}", "$PPO", "[red]$x$"])
def test_a_dollar_sign_of_a_formula_or_a_variable_is_no_cost(name):
    assert says_otherwise(name) == ""


# --- arrays -------------------------------------------------------------------------------------------------------------


def test_two_dimensional_arrays_are_asked_about():
    rng = np.random.default_rng(0)
    source = {"logreg": 0.8 + 0.02 * rng.random((10, 10)), "nb": 0.79 + 0.02 * rng.random((10, 10))}
    with refuses(DataError, "unit", "rows") as caught:
        evidence_of(source, metric="accuracy")
    assert {"unit": "run"} in caught.value.fields["offers"]
    folds, _ = evidence_of(source, metric="accuracy", rows="folds")
    assert folds.values.shape == (1, 2, 10, 10)
    runs = evidence_of(source, metric="accuracy", unit="run")
    assert "10 runs" in " ".join(runs.notes)
    assert "10 tasks" in " ".join(runs.notes)


# --- a typing error -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [8.3, 1.83, 83.0])
def test_a_value_above_one_among_shares_is_asked_about(wrong):
    made = table()
    made.loc[3, "rf"] = wrong
    with pytest.raises(DataError, match=f"{wrong:g}"):
        read(made, metric="accuracy")


# --- questions that a default spares ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spread", ["{}_std", "{}_sd", "{} (std)", "{} ±"])
def test_spreads_beside_their_means_are_kept_beside_the_scores(spread):
    made = table()
    for name in ("svm", "rf", "knn", "mlp"):
        made[spread.format(name)] = 0.01
    found = read(made, metric="accuracy")
    assert set(found.algorithms) == {"svm", "rf", "knn", "mlp"}
    assert {column.role for column in found.reading.columns} == {
        "dataset",
        "the scores of an algorithm",
        "standard deviation",
    }
    assert (found.scores().table().deviations == 0.01).all()


def test_columns_are_left_out_by_a_pattern():
    found = read(table(x_note=1.5, y_note=2.5), metric="accuracy", ignore_column="*_note")
    assert set(found.algorithms) == {"svm", "rf", "knn", "mlp"}


def test_one_score_per_model_is_nothing_to_test():
    made = pd.DataFrame({"model": ["a", "b", "c"], "auc": [0.7, 0.8, 0.9]})
    assert "nothing to test" in refused(made)
    assert "nothing to test" in refused(made, metric="auc")


def test_the_design_of_folds_is_asked_of_one_dataset_only():
    rows = [(d, m, f, 0.8 + 0.001 * f) for d in ROWS[:3] for m in ("a", "b") for f in range(30)]
    made = pd.DataFrame(rows, columns=["dataset", "model", "fold", "accuracy"])
    assert evidence_of(made)[0].values.shape[3] == 30
    with refuses(DataError, "repeats", "test_fraction"):
        read(made[made["dataset"] == "d0"])


def test_the_rows_of_a_data_frame_are_datasets():
    found = read(pd.DataFrame(scores(13, 3), columns=["a", "b", "c"]), metric="accuracy")
    assert len(found.datasets) == 13
    assert "rows" in " ".join(found.notes)
    with refuses(DataError, "rows", "dataset_column"):
        read(pd.DataFrame(scores(10, 3), columns=["a", "b", "c"]), metric="accuracy")


@pytest.mark.parametrize("name", ["CLEVR Counts", "id"])
def test_names_that_only_sound_like_something_else(name):
    made = pd.DataFrame(scores(6, 4), columns=["en", "de", "fr", name])
    made.insert(0, "model", list("abcdef"))
    assert name in read(made, metric="accuracy").datasets


def test_a_date_is_a_column_to_leave_out():
    made = table()
    made["when"] = ["2024-07-31"] * 12
    with refuses(PodiumError, "ignore_column", "text_as_missing"):
        read(made, metric="accuracy")


# --- one way to name a column, one way to write a number ------------------------------------------------------------------


def runs_table():
    rng = np.random.default_rng(2)
    rows = [
        (a, g, s, round(100 * rng.random(), 1), 7) for a in ("a", "b") for g in ("Pong", "Boxing") for s in range(3)
    ]
    return pd.DataFrame(rows, columns=["agent", "game", "seed", "return", "Extra Col"])


def test_a_column_to_leave_out_is_found_by_its_words_for_every_unit():
    assert read(runs_table(), ignore_column="extra_col").n_tasks == 2
    with refuses(PodiumError, "ignore_column"):
        read(runs_table(), ignore_column="seed_x")  # not a part of the name "seed"
    predicted = pd.DataFrame({"y": [0, 1, 0, 1], "svm": [0, 1, 1, 1], "rf": [0, 0, 0, 1], "Extra Col": [5, 6, 7, 8]})
    assert set(read(predicted, truth="y", ignore_column="extra_col").predicted.columns) == {"svm", "rf"}
    assert "Extra Col" not in read(table(**{"Extra Col": 1.5}), metric="accuracy", ignore_column="extra_col").algorithms


def test_runs_are_written_as_the_options_say():
    made = runs_table()
    made["return"] = made["return"].map(lambda number: str(number).replace(".", ","))
    assert read(made, decimal_comma=True).values.max() <= 100
    made["return"] = made["return"].str.replace(",", ".") + " ± 1.0"
    with refuses(DataError, "mean_sd"):
        read(made)
    assert read(made, mean_sd=True).n_tasks == 2


# --- random tables ----------------------------------------------------------------------------------------------------------

BESIDE = {
    "n_features": lambda rng, n: rng.integers(2, 90, n),
    "imbalance": lambda rng, n: rng.random(n) * 9 + 1,
    "flag": lambda rng, n: np.arange(n) % 2,
    "fit_time": lambda rng, n: rng.random(n) * 40,
    "params (M)": lambda rng, n: rng.random(n) * 900 + 2,
    "auc_ci_low": lambda rng, n: rng.random(n),
    "svm_std": lambda rng, n: rng.random(n) / 50,
    "rank": lambda rng, n: rng.permutation(n) + 1,
    "Average": None,
    "mystery_size": lambda rng, n: rng.random(n) * 5000 + 20,
}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.sampled_from(sorted(BESIDE)), unique=True, max_size=4), st.integers(12, 40))
def test_random_tables_are_read_as_they_are_or_asked_about(seed, besides, n):
    rng = np.random.default_rng(seed)
    names = ["svm", "tree", "boosting", "net"]
    made = pd.DataFrame(scores(n, 4, seed=seed), columns=names)
    for name in besides:
        made[name] = made[names].mean(axis=1) if BESIDE[name] is None else BESIDE[name](rng, n)
    made = made[list(rng.permutation(made.columns))]
    made.insert(0, "dataset", [f"d{i}" for i in range(n)])
    held(made, algorithms=names, rows=[f"d{i}" for i in range(n)], metric="accuracy")


def test_a_failed_run_without_the_name_of_its_metric_is_a_missing_score():
    # MykolaPinchuk/TML-bench archive/leaderboards/2026-02-02/leaderboard.csv: failed runs have neither score nor metric
    rows = [(m, d, "rmse" if m != "c" else None, 1.5 if m != "c" else None) for m in "abc" for d in ROWS[:4]]
    made = evidence_of(pd.DataFrame(rows, columns=["model", "dataset", "metric", "score"]))[0]
    assert made.algorithms == ("a", "b", "c")
    assert np.isnan(made.values).sum() == 4


def test_small_numbers_are_no_differences_of_each_other(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.random((12, 4)) * 1e-10, columns=["A0", "A1", "A2", "A3"])
    frame.insert(0, "dataset", [f"d{i}" for i in range(12)])
    frame.to_csv(tmp_path / "loss.csv", index=False)
    assert read(tmp_path / "loss.csv", metric="loss").algorithms == ("A0", "A1", "A2", "A3")
    frame["A4"] = frame["A3"] - frame["A1"]  # both become larger: a difference is below what it is of
    frame[["A1", "A3"]] += 1e-10
    frame.to_csv(tmp_path / "gain.csv", index=False)
    with refuses(PodiumError, "ignore_column", "keep_column"):
        read(tmp_path / "gain.csv", metric="loss")


@pytest.mark.parametrize("name", ["(a+)+$", "A$", "[A]", "*_std", "no such"])
def test_a_name_that_is_not_there_is_refused(name):
    frame = pd.DataFrame(
        {"dataset": list("uvwxyz"), "A": [0.1, 0.5, 0.3, 0.2, 0.9, 0.4], "B": 0.5, "C": [0.2] * 5 + [0.3]}
    )
    with pytest.raises(ArgumentError) as refused:
        read(frame, metric="accuracy", ignore_column=name)
    assert refused.value.fields["argument"] == "ignore_column"
    assert read(frame, metric="accuracy", ignore_column="a").algorithms == ("B", "C")


# --- cases that are called by an "id" -----------------------------------------------------------------------------------


@pytest.mark.parametrize("outcome", ["correct", "passed", "score"])
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("extra", ["", "temperature", "sample", "split", "category", "tokens", "prompt"])
def test_rows_with_an_id_that_several_systems_share_are_cases(extra, order, outcome):
    # dataset_column 'id' was offered for them, and with a setting model+id as the algorithm
    rng = np.random.default_rng(order)
    levels = {"temperature": (0.0, 0.7), "sample": (1, 2), "split": ("dev", "test"), "prompt": ("p1", "p2")}.get(
        extra, ("",)
    )
    rows = [
        {
            "id": f"q{i}",
            "model": model,
            outcome: round(float(rng.random()), 2) if outcome == "score" else int(rng.random() < 0.6),
            **(
                {extra: {"category": "ab"[i % 2], "tokens": int(rng.integers(10, 900))}.get(extra, level)}
                if extra
                else {}
            ),
        }
        for i in range(12)
        for model in ("gpt", "claude", "llama")
        for level in levels
    ]
    made = pd.DataFrame(rows)
    every = [end for end in ends(made[[*np.roll(made.columns, order)]]) if end.read is not None]
    models = {"gpt", "claude", "llama"}
    assert every
    for end in every:
        assert end.unit == "case", end.answers
        assert {name.split(" / ")[0] for name in end.algorithms} == models
        assert len(end.rows) in (12, 12 * len(levels))


def test_lr_beside_classifiers_is_one_and_beside_other_columns_a_setting():
    made = pd.DataFrame(scores(12, 3), columns=["LR", "RF", "GB"]).assign(dataset=ROWS)
    assert read(made, metric="accuracy").frame["algorithm"].nunique() == 3
    with pytest.raises(PodiumError, match=r"'lr' .*is a setting"):
        read(made.rename(columns={"LR": "lr", "RF": "ours", "GB": "theirs"}), metric="accuracy")


def test_means_and_bounds_of_algorithms_are_no_datasets():
    made = frame("""Algorithm,Mean,Std,Best,Worst
        ga,0.71,0.02,0.75,0.66
        pso,0.73,0.03,0.79,0.70
        de,0.70,0.01,0.72,0.68""")
    for summaries in ("ask", "keep", "drop"):
        with pytest.raises(DataError, match="one score for each algorithm"):
            read(made, summaries=summaries, direction="higher", ignore_column="Std")


def test_what_all_algorithms_share_on_a_dataset_is_no_score():
    rng = np.random.default_rng(0)
    grid = [(f"p{i}", 10 * i, i + 2, a) for i in range(12) for a in ("ga", "ts", "sa")]
    made = pd.DataFrame(grid, columns=["problem", "n", "m", "alg"]).assign(gap_pct=rng.random(36), cpu=rng.random(36))
    assert next(iter(read(made, direction="lower").metrics)) == "gap_pct"


def test_systems_of_different_measures_are_no_systems_of_one_comparison(tmp_path):
    made = pd.DataFrame(scores(25, 4), columns=["psnr_edsr", "ssim_edsr", "psnr_swinir", "ssim_swinir"])
    made.insert(0, "filename", [f"{i}.png" for i in range(25)])
    with pytest.raises(DataError, match="different measures"):
        read(made, unit="case", direction="higher")
    # No answer names a column that is not there: the names of the algorithms were made of those of the columns.
    with pytest.raises(DataError) as caught:
        read(made)
    assert "dataset_column" in str(caught.value)
    assert "algorithm_column" not in str(caught.value)
