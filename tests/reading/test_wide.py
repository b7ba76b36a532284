"""Wide tables: either way round, with folds as rows, with resamples as columns, with what else stands in files."""

import io

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.reading.build import algorithm_in_stem
from podium.reading.options import ReadOptions
from podium.reading.reshape import folds_as_rows
from podium.reading.roles import is_summary
from podium.reading.sheet import Sheet
from refusals import refuses


def read(text, **options):
    return podium.read(pd.read_csv(io.StringIO(text), dtype=object), **{"metric": "accuracy", **options})


def test_datasets_by_algorithms():
    results = read("dataset,svm,knn\niris,0.9,0.8\nzoo,,0.6\n")
    assert (results.datasets, results.algorithms) == (("iris", "zoo"), ("svm", "knn"))
    assert np.array_equal(results.scores().table().values, [[0.9, 0.8], [np.nan, 0.6]], equal_nan=True)
    assert results.frame["status"].tolist() == ["ok", "ok", "missing", "ok"]
    assert "2 datasets x 2 algorithms" in results.notes[0]
    assert "1 of 4 cells have no score" in results.notes[1]


@pytest.mark.parametrize("corner, options", [("algorithm", {}), ("Classifier", {}), ("x", {"rows": "algorithms"})])
def test_algorithms_by_datasets(corner, options):
    results = read(f"{corner},iris,zoo\nsvm,0.9,0.7\nknn,0.8,0.6\n", **options)
    assert (results.datasets, results.algorithms) == (("iris", "zoo"), ("svm", "knn"))
    assert results.scores().table().values.tolist() == [[0.9, 0.8], [0.7, 0.6]]


@pytest.mark.parametrize("header", ["fold", "Run", "split", "Trial", ""])
@pytest.mark.parametrize("stem", ["fold ", "run", "split_", "Trial "])
def test_rows_whose_names_number_folds_or_runs_are_no_datasets(header, stem):
    rows = "".join(f"{stem}{i},0.8{i},0.7{i}\n" for i in range(1, 7))
    results = read(f"{header},svm,knn\n{rows}")
    assert (len(results.datasets), results.scores().values.size) == (1, 12)


def test_numbered_names_of_datasets_stay_datasets():
    rows = "".join(f"{{0}}{i},0.8{i},0.7{i}\n" for i in range(1, 7))
    for header, stem in (("dataset", "run"), ("", "task"), ("fold", "d")):
        assert len(read(f"{header},svm,knn\n{rows.format(stem)}").datasets) == 6


@pytest.mark.parametrize("corner", ["", "x", "accuracy"])
def test_rows_that_are_called_like_algorithms_are_asked_about(corner):
    text = f"{corner},shoes,zoo,hats\nSVM,0.9,0.7,0.8\nkNN,0.8,0.6,0.7\nours,0.5,0.6,0.7\n"
    with refuses(DataError, "rows"):
        read(text)
    assert read(text, rows="algorithms").algorithms == ("SVM", "kNN", "ours")
    assert read(text, rows="datasets").algorithms == ("shoes", "zoo", "hats")
    with refuses(DataError, "rows"):  # whatever the corner says
        read(text.replace(corner, "dataset", 1) if corner else f"dataset{text}")
    assert read(text.replace("shoes", "rf")).datasets == ("SVM", "kNN", "ours")  # rows may be variants, too
    assert read(text.replace("shoes", "iris").replace("hats", "wine")).algorithms == ("SVM", "kNN", "ours")


def test_folds_as_rows_and_other_columns_ignored():
    text = "type,task,run,fold,svm,knn\n" + "".join(
        f"binary,{task},{run},{fold},{0.1 * run + 0.01 * fold},0.5\n"
        for task in "ab"
        for run in (1, 2)
        for fold in (1, 2, 3)
    )
    scores = read(text).scores()
    assert scores.values.shape == (2, 2, 2, 3)
    assert scores.repeats == (1, 2)
    assert scores.values[0, 0, 1, 2] == pytest.approx(0.23)
    assert "Ignored column: 'type'." in read(text).notes


def test_a_family_of_datasets():
    results = read("dataset,family,svm,knn\niris-1,iris,1,2\niris-2,iris,3,4\nzoo,zoo,5,6\n")
    assert results.families == {"iris-1": "iris", "iris-2": "iris", "zoo": "zoo"}
    assert results.scores().table().families == ("iris", "iris", "zoo")


def test_rows_without_names_are_asked_about_and_then_numbered():
    five = "svm,knn\n" + "0.9,0.8\n0.7,0.6\n0.8,0.9\n0.75,0.7\n0.6,0.5\n"  # as many as there often are folds
    with refuses(DataError, "rows", "dataset_column"):
        read(five)
    results = read("svm,knn\n0.9,0.8\n0.7,0.6\n", rows="datasets")
    assert results.datasets == ("1", "2")
    assert "(numbered)" in results.notes[0]


def test_a_counter_in_front_is_no_algorithm():
    assert read(",dataset,svm,knn\n0,iris,0.9,0.8\n1,zoo,0.7,0.6\n").algorithms == ("svm", "knn")


@pytest.mark.parametrize("corner", ["id", "No.", "x"])
def test_a_counter_alone_is_no_name_and_no_algorithm(corner):
    frame = pd.DataFrame({corner: [1, 2, 3], "svm": [0.9, 0.8, 0.7], "knn": [0.8, 0.6, 0.5]})
    results = podium.read(frame, metric="accuracy")
    assert any("have no names" in note for note in results.notes)
    assert (results.datasets, results.algorithms) == (("1", "2", "3"), ("svm", "knn"))


def test_a_first_column_with_a_hole_is_no_counter():
    frame = pd.DataFrame({"a": [1.0, None, 3.0], "svm": [0.9, 0.8, 0.7]})
    assert podium.read(frame, metric="gain", direction="higher", rows="datasets").algorithms == ("a", "svm")


def test_duplicate_columns_that_agree_are_merged_with_a_note():
    frame = pd.DataFrame([["iris", 1.0, 2.0, 1.0]], columns=["dataset", "svm", "knn", "svm"])
    results = podium.read(frame, metric="accuracy")
    assert results.algorithms == ("svm", "knn")
    assert "Duplicate columns that agree were merged: 'svm'." in results.notes


def test_an_index_names_the_datasets():
    frame = pd.DataFrame({"svm": [0.9, 0.7], "knn": [0.8, 0.6]}, index=["iris", "zoo"])
    assert podium.read(frame, metric="accuracy").datasets == ("iris", "zoo")


def test_whole_numbers_name_datasets_too():
    frame = pd.DataFrame({"task_id": [3, 31], "svm": [0.9, 0.7], "knn": [0.8, 0.6]})
    assert podium.read(frame, metric="accuracy").datasets == ("3", "31")


def test_summaries_are_dropped_or_kept_on_request():
    text = "dataset,svm,knn,Mean\niris,1,2,1.5\nAvg. rank,2,1,1\n"
    dropped = read(text, summaries="drop")
    assert (dropped.datasets, dropped.algorithms) == (("iris",), ("svm", "knn"))
    assert "Summary rows were dropped: 'Avg. rank'." in dropped.notes
    kept = read(text, summaries="keep")
    assert (kept.datasets, kept.algorithms) == (("iris", "Avg. rank"), ("svm", "knn", "Mean"))


SCORES = "iris,0.784,0.730,0.759\nwine,0.949,0.900,0.890\nglass,0.661,0.652,0.644\nsonar,0.964,0.929,0.917\nvowel,0.730,0.718,0.716\n"
MEAN, MEDIAN, SUM = "0.818,0.786,0.785", "0.784,0.730,0.759", "4.088,3.929,3.926"


def table(last, scores=SCORES):
    return f"dataset,svm,rf,knn\n{scores}{last}\n"


@pytest.mark.parametrize(
    "name",
    [
        "Average over 12 datasets", "Mean over all", "Avg. (12)", "Mean ± SD", "Overall Mean", "Arithmetic mean", "Macro avg",
        "Average Score", "Mean AUC", "Ø", "Durchschnitt", "Moyenne", "平均", "p-value", r"\textbf{Average}", "Average of UCI",
        "{\\bf Avg.}", "Weighted average", "Average accuracy (%)", "Wilcoxon p",
    ],
)  # fmt: skip
def test_rows_that_sum_up_are_known_by_their_names(name):
    text = table(f"{name},0.5,0.6,0.7")
    with refuses(DataError, "summaries"):
        read(text)
    assert read(text, summaries="drop").datasets == ("iris", "wine", "glass", "sonar", "vowel")
    assert read(text, summaries="keep").datasets[-1] == name


@pytest.mark.parametrize(
    "name",
    [
        "All",
        "mean_shift",
        "Mean Reversion",
        "MeanShift",
        "Average Price",
        "Sum of Squares",
        "Østerbro",
        "means-end",
        "Media",
    ],
)
def test_datasets_that_are_called_nearly_so_are_datasets(name):
    assert read(table(f"{name},0.5,0.6,0.7")).datasets[-1] == name


@pytest.mark.parametrize("numbers, word", [(MEAN, "mean"), (SUM, "sum"), ("0.8176,0.7858,0.7852", "mean")])
@pytest.mark.parametrize("first", [True, False])
def test_a_row_that_sums_up_the_others_is_known_by_its_numbers(numbers, word, first):
    row = f"All,{numbers}"
    text = f"dataset,svm,rf,knn\n{row}\n{SCORES}" if first else table(row)
    options = {"metric": "gain", "direction": "higher"}
    with pytest.raises(DataError, match=f"'All' is the {word} of the other rows"):
        read(text, **options)
    assert "All" not in read(text, summaries="drop", **options).datasets
    assert "All" in read(text, summaries="keep", **options).datasets


def test_a_row_of_medians_is_known_where_no_single_row_is_the_same():
    scores = SCORES + "zoo,0.790,0.740,0.700\n"
    with refuses(DataError, "summaries"):
        read(table("All,0.787,0.735,0.7375", scores))


@pytest.mark.parametrize(
    "text",
    [
        "dataset,a,b\nu,1,0\nv,0,1\nw,1,0\nx,0,1\ny,0.5,0.5\n",  # a middle that chance makes
        "dataset,a,b,c\nu,0.8,0.8,0.8\nv,0.9,0.9,0.9\nw,0.7,0.7,0.7\nx,0.8,0.8,0.8\n",  # few decimals, and alike
        "dataset,a,b,c\nu,0,0,0\nv,0,0,0\nw,0,0,0\nx,0,0,0\n",
        "dataset,a,b,c\nu,0.81,0.72,0.63\nv,0.91,0.62,0.55\nw,0.86,0.67,0.59\n",  # of two others
        table(f"zoo,{MEDIAN}"),  # the same as one other row
    ],
)
def test_a_row_in_the_middle_of_few_numbers_is_a_dataset(text):
    assert len(read(text).datasets) == text.count("\n") - 1


@pytest.mark.parametrize(
    "name",
    [
        "p-value",
        "p value",
        "pval",
        "Wilcoxon p",
        "Δ",
        "gain",
        "improvement",
        "diff",
        "CI",
        "σ",
        "imb",
        "my ±",
        "95% CI",
    ],
)
def test_columns_that_are_no_algorithm_are_known_by_their_names(name):
    text = f"dataset,svm,rf,{name}\niris,0.784,0.730,0.054\nwine,0.949,0.900,0.031\nglass,0.661,0.652,0.077\n"
    with pytest.raises(DataError, match=r"looks like a summary|is it an algorithm\?"):
        read(text)
    assert read(text, ignore_column=name).algorithms == ("svm", "rf")
    assert read(text, keep_column=name, summaries="keep").algorithms == ("svm", "rf", name)


@pytest.mark.parametrize(
    "name", ["DeltaBoost", "Gain Ratio", "σ-VAE", "CI-kNN", "PVal-Net", "ΔTree", "Margin", "p", "SVM_P"]
)
def test_algorithms_that_are_called_nearly_so_are_algorithms(name):
    text = f"dataset,svm,rf,{name}\niris,0.784,0.730,0.754\nwine,0.949,0.900,0.931\nglass,0.661,0.652,0.677\n"
    assert read(text).algorithms == ("svm", "rf", name)


DIFFERENCES = "iris,0.784,0.730,0.054\nwine,0.949,0.900,0.049\nglass,0.661,0.672,-0.011\nsonar,0.964,0.929,0.035\n"


@pytest.mark.parametrize("head", ["svm,rf,svm-rf", "svm-rf,rf,svm"])
def test_the_difference_of_two_others_is_no_algorithm(head):
    rows = [line.split(",") for line in DIFFERENCES.split()]
    if head.startswith("svm-rf"):
        rows = [[name, delta, b, a] for name, a, b, delta in rows]
    text = "\n".join([f"dataset,{head}", *map(",".join, rows)])
    with refuses(DataError, "ignore_column", "keep_column", column="svm-rf"):
        read(text, metric="gain", direction="higher")


@pytest.mark.parametrize(
    "text",
    [
        "dataset,a,b,c\nu,0.2,0.2,0\nv,0.3,0.3,0\nw,0.1,0.1,0\nx,0.4,0.3,0.1\ny,0.5,0.4,0.1\n",  # mostly zeros
        "dataset,a,b,c\nu,0.3,0.2,0.1\nv,0.5,0.3,0.2\nw,0.7,0.4,0.3\n",  # few rows
    ],
)
def test_a_few_equal_differences_are_chance(text):
    assert read(text, metric="error", direction="lower").algorithms == ("a", "b", "c")


def test_ignored_columns():
    results = read("dataset,instances,svm,knn\niris,150,1,2\n", ignore_column="instances")
    assert results.algorithms == ("svm", "knn")


def test_duplicate_rows_that_agree_are_merged_with_a_note():
    results = read("dataset,svm,knn\niris,1,2\nzoo,3,4\niris,1,\n")
    assert results.datasets == ("iris", "zoo")
    assert results.scores().table().values.tolist() == [[1, 2], [3, 4]]
    assert "2 duplicate rows that agree with others were merged." in results.notes


def test_duplicate_rows_that_disagree_are_named():
    with refuses(DataError, "number_folds", "fold_column", "repeat_column"):
        read("dataset,svm,knn\niris,1,2\niris,5,2\n")


def test_text_is_a_typed_hole_on_request():
    text = "dataset,svm,knn,nb,dt\niris,1,timeout after 60 s,MemoryError,crashed badly\n"
    results = read(text, text_as_missing=True)
    assert results.frame["status"].tolist() == ["ok", "timeout", "memory", "failed"]
    assert [hole.why for hole in results.missing()] == ["timeout after 60 s", "MemoryError", "crashed badly"]


class TestMetricAndDirection:
    def path(self, tmp_path, name):
        path = tmp_path / name
        path.write_text("dataset,svm,knn\niris,0.9,0.8\n")
        return path

    @pytest.mark.parametrize(
        "name, metric, direction",
        [
            ("accuracies.csv", "accuracy", "higher"),
            ("accuracy_mean_of_30.csv", "accuracy", "higher"),
            ("accuracy_resample0.csv", "accuracy", "higher"),
            ("mean_accuracy_54x5.csv", "accuracy", "higher"),
            ("training_time.csv", "training_time", "lower"),
            ("space.csv", "space", "lower"),
            ("table2_error_rate.csv", "error_rate", "lower"),
        ],
    )
    def test_from_the_files_name(self, tmp_path, name, metric, direction):
        results = podium.read(self.path(tmp_path, name))
        assert results.metric().name == metric
        assert results.metric().direction == direction
        assert "from the file's name" in results.notes[0]

    @pytest.mark.parametrize(
        "name", ["scores.csv", "cost_sensitive.csv", "ranks_accuracy.csv", "time_series_error.csv"]
    )
    def test_never_guessed(self, tmp_path, name):
        path = self.path(tmp_path, name)
        with refuses(DataError, "metric", "direction"):
            podium.read(path)
        assert podium.read(path, direction="lower").metric().direction == "lower"
        assert podium.read(path, metric="auc").metric().direction == "higher"
        assert podium.read(path, direction={"loss": "lower"}).metric().name == "loss"

    def test_from_the_corner(self, tmp_path):
        path = tmp_path / "table.csv"
        path.write_text("Error rate,svm,knn\niris,0.9,0.8\n")
        assert podium.read(path).metric().direction == "lower"

    def test_the_users_word_wins(self, tmp_path):
        assert podium.read(self.path(tmp_path, "accuracy.csv"), direction="lower").metric().direction == "lower"


class TestResamples:
    @pytest.mark.parametrize(
        "header, shape",
        [
            ("Resamples:,0,1,2", (1, 1, 3, 1)),
            ("dataset,fold 1,fold 2,fold 3", (1, 1, 1, 3)),
            ("fold,1,2,3", (1, 1, 1, 3)),
        ],
    )
    def test_columns_are_repeats_unless_they_say_folds(self, tmp_path, header, shape):
        path = tmp_path / "HC2_accuracy_30_resamples.csv"
        path.write_text(f"{header}\nACSF1,0.9,0.8,0.7\n")
        results = podium.read(path)
        assert results.algorithms == ("HC2",)
        assert results.metric().name == "accuracy"
        assert results.scores().values.shape == shape
        assert results.datasets == ("ACSF1",)

    def test_numbered_columns_as_repeats_of_folds(self, tmp_path):
        path = tmp_path / "svm_accuracy.csv"
        path.write_text("dataset,1,2,3,4,5,6\niris,1,2,3,4,5,6\n")
        scores = podium.read(path, repeats=2).scores()
        assert scores.values[0, 0].tolist() == [[1, 2, 3], [4, 5, 6]]
        with refuses(ArgumentError, "repeats"):
            podium.read(path, repeats=4)

    def test_the_algorithm_in_a_files_name(self):
        assert algorithm_in_stem("MR-Hydra_accuracy_30_resamples") == "MR-Hydra"
        assert algorithm_in_stem("naive_bayes_auc") == "naive_bayes"
        assert algorithm_in_stem("accuracy") == "accuracy"


@pytest.mark.parametrize(
    "text, message",
    [
        ("dataset,a,b,c\nx,78%,0.7,0.6\ny,94%,0.9,0.8\n", "the cell x / a has a percent sign, and others have none"),
        ("dataset,a,b,c\nx,78%,70%,60%\ny,94%,0.9,80%\n", "the cell y / b has no percent sign, and others have one"),
    ],
)
def test_percent_signs_in_some_columns_only(text, message):
    with pytest.raises(DataError, match=message):
        read(text, percent=True)


def test_marked_percents_are_percents():
    assert read("dataset,a,b\nx,**78%**,70%\n", percent=True, footnotes=True).frame["value"].tolist() == [78, 70]


RMSE = {"metric": "rmse", "decimal_comma": True}


@pytest.mark.parametrize(
    "text, options, values",
    [
        ("dataset;a;b\nx;987,5;1.234\ny;1.100,5;1.050\n", {}, [987.5, 1234, 1100.5, 1050]),  # one cell tells of all
        ("dataset;a;b\nx;987,5;1.234\ny;12.5;1.050\n", {}, [987.5, 1.234, 12.5, 1.05]),
        ("dataset;a;b\nx;987,5;1.234\ny;870,0;1.050\n", {"thousands": True}, [987.5, 1234, 870, 1050]),
        ("dataset;a;b\nx;987,5;1,234\ny;870,0;1,050\n", {}, [987.5, 1.234, 870, 1.05]),
    ],
)
def test_dots_beside_decimal_commas(tmp_path, text, options, values):
    (tmp_path / "rmse.csv").write_text(text)
    assert podium.read(tmp_path / "rmse.csv", **RMSE, **options).frame["value"].tolist() == values


@pytest.mark.parametrize("other", ["870,0", "1.100,5;12.5", "0.842;1.100,5"])
def test_a_dot_that_may_group_thousands_is_asked_about(tmp_path, other):
    width = other.count(";") + 1
    header = ";".join(["dataset", "a", *(f"c{i}" for i in range(width))])
    (tmp_path / "rmse.csv").write_text(f"{header}\nx;1.234;{other}\n")
    with pytest.raises(
        DataError, match=r"the cell x / a is '1.234'.*give `thousands` if it is 1234, or write 1,234 if"
    ):
        podium.read(tmp_path / "rmse.csv", **RMSE)
    assert podium.read(tmp_path / "rmse.csv", **RMSE, thousands=True).frame["value"][0] == 1234


def test_constant_columns_are_no_differences_of_each_other():
    rows = "".join(f"d{i},1,2,3\n" for i in range(6))
    assert read(f"dataset,svm,knn,nb\n{rows}", metric="seconds", direction="lower").algorithms == ("svm", "knn", "nb")


def test_a_column_called_n_that_is_all_there_is():
    with pytest.raises(DataError, match="'n'"):
        podium.read(pd.DataFrame({"n": [0.0]}))


def one_large_number(folder, large):
    rows = [f"d{i},{large if i == 0 else 0.5 + i / 100},0.{60 + i},0.{40 + 2 * i}" for i in range(12)]
    path = folder / "loss.csv"
    path.write_text("\n".join(["dataset,a,b,c", *rows]))
    return path


@pytest.mark.parametrize("large", ["1e299", "1e12"])
def test_one_large_number_makes_no_column_the_difference_of_two_others(tmp_path, large):
    """What is lost in a difference was measured by the largest number of the table, and then every column was a difference."""
    assert podium.read(one_large_number(tmp_path, large), direction="lower").algorithms == ("a", "b", "c")


@pytest.mark.parametrize("large", ["inf", "1e309", "1.7e308", "-1e301"])
def test_scores_whose_differences_have_no_end_are_refused_by_their_cell(tmp_path, large):
    with pytest.raises(DataError, match="d0 / a"):
        podium.read(one_large_number(tmp_path, large), direction="lower")


@pytest.mark.parametrize("header", ["acc_2 acc_4 acc_8", "acc_1 acc_3 acc_2", "fold acc_1 acc_2 acc_3", "acc_1 acc_2"])
def test_metrics_that_are_not_numbered_from_the_first_fold_on_stay_columns(header):
    names = ("model", *header.split())
    frame = pd.DataFrame([["svm", *range(1, len(names))], ["knn", *range(1, len(names))]])
    sheet = Sheet(header=names, frame=frame, label="scores.csv")
    assert folds_as_rows(sheet, ReadOptions()) is sheet
    folds = Sheet(
        header=("model", "acc_1", "acc_2", "acc_3"), frame=frame.reindex(range(4), axis=1), label="scores.csv"
    )
    assert folds_as_rows(folds, ReadOptions()).n_rows == 6


@pytest.mark.parametrize(
    ("name", "sums_up"), [("Mean F1", True), ("Mean Cross F1", True), ("mean_shift_f1", False), ("mean_teacher", False)]
)
def test_a_mean_of_a_metric_sums_up_and_mean_shift_is_an_algorithm(name, sums_up):
    assert is_summary(name) == sums_up
