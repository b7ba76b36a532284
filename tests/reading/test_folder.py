"""Folders with one file per algorithm."""

import numpy as np
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.reading.formats.folder import algorithms_in_stems
from refusals import refuses


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text)
    return folder


def test_resamples_as_columns(tmp_path):
    folder = write(
        tmp_path / "bakeoff",
        HC2_accuracy_30_resamples="Resamples:,0,1\nACSF1,0.9,0.8\nAdiac,0.7,0.6\n",
        RDST_accuracy_30_resamples="Resamples:,0,1\nAdiac,0.5,0.4\nACSF1,0.3,\n",
    )
    (folder / "README.md").write_text("not a table")
    results = podium.read(folder)
    assert (results.algorithms, results.datasets) == (("HC2", "RDST"), ("ACSF1", "Adiac"))
    expected = [[[0.9, 0.8], [0.3, np.nan]], [[0.7, 0.6], [0.5, 0.4]]]  # paired by name, not by row
    assert np.array_equal(results.scores().values[..., 0], expected, equal_nan=True)
    assert "a folder of 2 tables of one algorithm each" in results.notes[0]


def test_long_tables_and_a_metric_from_the_folders_name(tmp_path):
    folder = write(tmp_path / "auc", svm="dataset,score\niris,0.9\nzoo,0.8\n", knn="dataset,score\niris,0.7\nzoo,0.6\n")
    results = podium.read(folder)
    assert results.algorithms == ("knn", "svm")
    assert results.metric().name == "auc"


def test_files_by_their_paths_are_read_as_in_a_folder(tmp_path):
    long = {"svm": "dataset,accuracy\niris,0.9\nzoo,0.8\n", "knn": "dataset,accuracy\niris,0.7\nzoo,0.6\n"}
    folder = write(tmp_path / "all", **long)
    paths = sorted(folder.iterdir())
    found, whole = podium.read(paths), podium.read(folder)
    assert (found.algorithms, found.datasets) == (("knn", "svm"), ("iris", "zoo"))
    assert np.array_equal(found.scores().values, whole.scores().values)
    assert "knn.csv and 1 more was read as the tables of one algorithm each" in found.notes[0]
    other = write(tmp_path / "new", **long)
    same_name = podium.read([folder / "svm.csv", other / "svm.csv"])
    assert same_name.algorithms == ("all", "new")
    cases = dict.fromkeys(("a", "b"), "case,correct\nq1,1\nq2,0\n")
    cased = sorted(write(tmp_path / "cases", **cases).iterdir())
    assert podium.read(cased).algorithms == ("a", "b")
    with pytest.raises(DataError, match="twice"):
        podium.read([paths[0], paths[0]])
    with pytest.raises(ArgumentError, match="is a folder"):
        podium.read([paths[0], other])
    with pytest.raises(DataError, match="no file"):
        podium.read([paths[0], tmp_path / "none.csv"])


def test_percent_signs_in_one_file_only(tmp_path):
    folder = write(
        tmp_path / "accuracy", knn="dataset,score\niris,0.7\nzoo,0.6\n", svm="dataset,score\niris,90%\nzoo,80%\n"
    )
    with pytest.raises(DataError, match="accuracy of 'svm' on 'iris' has a percent sign, and others have none"):
        podium.read(folder, percent=True)


def test_one_table_per_metric(tmp_path):
    wide = "dataset,svm,knn\niris,0.9,0.8\n"
    results = podium.read(write(tmp_path / "all", accuracy=wide, training_time=wide))
    assert list(results.metrics) == ["accuracy", "training_time"]
    assert results.costs == ("training_time",)


def test_a_folder_that_says_no_metric(tmp_path):
    with refuses(DataError, "metric", "direction"):
        podium.read(write(tmp_path / "x", svm="dataset,0,1\niris,0.9,0.8\n", knn="dataset,0,1\niris,0.9,0.8\n"))


def test_names_without_the_words_all_files_share():
    assert algorithms_in_stems(["a_svm_1", "a_knn_1"]) == ["svm", "knn"]
    assert algorithms_in_stems(["svm", "svm_rbf"]) == ["svm", "rbf"]
    assert algorithms_in_stems(["H-InceptionTime_accuracy_30_resamples"]) == ["H-InceptionTime"]


def test_dots_belong_to_names(tmp_path):
    for name in ("WEASEL-2.0", "C4.5", "Arsenal"):
        (tmp_path / f"{name}_TESTFOLDS.csv").write_text("dataset,0,1\niris,0.9,0.8\nzoo,0.7,0.6\n")
    assert podium.read(tmp_path, metric="accuracy").scores().algorithms == ("Arsenal", "C4.5", "WEASEL-2.0")


@pytest.mark.parametrize("truth", ["solution", "test_labels", "ground_truth"])
def test_a_file_of_true_labels_is_no_algorithm(tmp_path, truth):
    """As Kaggle has them: the mean of labels is nobody's score, and the truth does not compete."""
    rows = "".join(f"img_{i},{i % 7}\n" for i in range(40))
    folder = write(tmp_path / "kaggle", **dict.fromkeys((truth, "submission_a", "submission_b"), f"Id,Label\n{rows}"))
    for options in ({}, {"unit": "case", "direction": "higher"}):
        with refuses(DataError, "truth", "metric"):
            podium.read(folder, **options)
    assert set(podium.read(folder, truth=str(folder / f"{truth}.csv"), metric="accuracy").predicted) == {"a", "b"}


def test_tasks_that_each_model_passed_or_failed_are_cases(tmp_path):
    """A file of a code benchmark for each model; what only predicts 0 or 1 says nothing about right and wrong."""
    for model in ("a", "b"):
        rows = (f'{{"task_id": "HumanEval/{i}", "passed": {"true" if i % 3 else "false"}}}\n' for i in range(30))
        (tmp_path / f"{model}.jsonl").write_text("".join(rows))
    found = podium.read(sorted(tmp_path.iterdir()))
    assert (len(found.cases), found.algorithms, found.kind) == (30, ("a", "b"), "pass_fail")
    rows = "".join(f"{i},{i % 2}\n" for i in range(40))
    with refuses(DataError, "unit", "truth"):
        podium.read(write(tmp_path / "labels", a=f"id,prediction\n{rows}", b=f"id,prediction\n{rows}"))


def test_predictions_without_a_truth_are_no_outcomes(tmp_path):
    rows = "".join(f"img_{i},{i % 7}\n" for i in range(40))
    folder = write(tmp_path / "kaggle", a=f"Id,Label\n{rows}", b=f"Id,Label\n{rows}")
    for options in ({}, {"unit": "case", "direction": "higher"}):
        with refuses(DataError, "truth", "metric"):
            podium.read(folder, **options)
