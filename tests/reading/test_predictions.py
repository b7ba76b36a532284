"""Predictions with their truth in every form: columns, classes, files, long tables, clusters; and what is refused."""

import re

import numpy as np
import pandas as pd
import pytest

import podium
from cases.test_class_probabilities import GIVEN, N, table
from podium.core.errors import PodiumError
from podium.reading import ReadOptions
from podium.reading.predictions import class_columns, prediction_table
from refusals import refuses

RNG = np.random.default_rng(7)


def test_columns_of_classes_are_told_from_names_that_only_look_so():
    assert class_columns(["a_0", "a_1", "b_0", "b_1"], ("0", "1")) == {"a": ["a_0", "a_1"], "b": ["b_0", "b_1"]}
    assert class_columns(["a_0", "b_1"], ("0", "1")) == {}
    assert class_columns(["polecat", "poledog"], ("cat", "dog")) == {}


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda f: f.assign(weight=-1.0), "row 1 below the header has the weight -1.0: a weight is a number above 0"),
        (lambda f: f.assign(id="same"), "occurs more than once"),
    ],
)
def test_what_is_wrong_with_a_table_of_classes_is_said(change, said):
    with pytest.raises(PodiumError, match=said):
        podium.compare(change(table()), truth="y_true", metric="log_loss")


def test_one_file_per_algorithm_with_a_column_per_class(tmp_path):
    frame = table()
    frame[["id", "y_true"]].to_csv(tmp_path / "truth.csv", index=False)
    for name in GIVEN:
        own = frame[["id", *(f"{name}_{label}" for label in ("cat", "dog", "eel"))]].set_axis(
            ["id", "cat", "dog", "eel"], axis=1
        )
        own.sample(frac=1, random_state=1).to_csv(tmp_path / f"pred_{name}.csv", index=False)
    found = podium.compare(tmp_path, truth=tmp_path / "truth.csv", metric="log_loss")
    whole = podium.compare(frame, truth="y_true", metric="log_loss")
    assert [row.mean_score for row in found.ranking] == pytest.approx([row.mean_score for row in whole.ranking])


def test_one_table_whose_truth_is_in_another_file(tmp_path):
    ids, y = [f"q{i}" for i in range(30)], np.arange(30) / 7
    truth = pd.DataFrame({"id": ids, "y": y, "patient": [f"p{i // 3}" for i in range(30)]})
    answers = pd.DataFrame({"id": ids, "length": np.arange(30) % 11 + 3, "rf": y + 0.1, "lin": y - 0.5}).iloc[::-1]
    answers.loc[99] = ["other", 4, 1.0, 1.0]
    truth.to_csv(tmp_path / "truth.csv", index=False)
    answers.to_csv(tmp_path / "answers.csv", index=False)
    told = {"truth": tmp_path / "truth.csv", "metric": "mae", "cluster_column": "patient"}
    with refuses(PodiumError, "ignore_column"):  # not compared as a third algorithm
        podium.compare(tmp_path / "answers.csv", **told)
    found = podium.compare(tmp_path / "answers.csv", ignore_column="length", **told)
    assert {row.algorithm: row.mean_score for row in found.ranking} == pytest.approx({"rf": 0.1, "lin": 0.5})
    assert found.facts.n_clusters == 10
    table = prediction_table(tmp_path / "answers.csv", ReadOptions(ignore_column="length", **told))
    assert table.notes[-1] == "answers.csv predicts 1 case that the truth does not have (other); left out."
    answers.tail(1).to_csv(tmp_path / "answers.csv", index=False)
    with pytest.raises(PodiumError, match=r"No case of .* is in truth\.csv"):
        podium.compare(tmp_path / "answers.csv", ignore_column="length", **told)


@pytest.mark.parametrize(
    "source, said",
    [
        ({"a": [1, 0, 1], "b": [1, 0]}, "The truth has 3 cases, 'b' has 2"),
        ({"a": np.full((3, 2), 0.5), "b": [1, 0, 1]}, "'b' has one number per case and others have one per class"),
        ({"a": np.full((3, 4), 0.25)}, "'a' has 4 probabilities for each case, and the truth has 2 classes"),
    ],
)
def test_arrays_that_do_not_fit_the_truth_are_refused(source, said):
    with pytest.raises(PodiumError, match=said):
        podium.compare(source, truth=[1, 0, 1], metric="accuracy")


def test_clusters_and_benchmarks_stand_beside_predictions(tmp_path):
    frame = table().assign(patient=[f"p{i // 3}" for i in range(N)], benchmark=["easy"] * 60 + ["hard"] * 30)
    found = podium.compare(frame, truth="y_true", metric="accuracy", cluster_column="patient")
    assert (found.facts.n_clusters, found.facts.n_benchmarks, found.facts.mean) == (30, 2, "macro")
    assert found.pairs.method == "t by benchmark"
    with refuses(PodiumError, "where", "ignore_column"):
        podium.compare(frame, truth="y_true", metric="macro_f1", cluster_column="patient")
    with refuses(PodiumError, "ignore_column", "cluster_column", "benchmark_column"):
        podium.compare(frame, truth="y_true", metric="accuracy")
    auc = podium.compare(frame.drop(columns="benchmark"), truth="y_true", metric="auc", cluster_column="patient")
    assert auc.facts.n_clusters == 30


def test_clusters_follow_the_cases_that_are_left():
    frame = pd.DataFrame(
        {"y": [1, 0] * 10, "a": [1.0, 0] * 10, "b": [1, 1.0] * 10, "user": [f"u{i // 4}" for i in range(20)]}
    )
    frame.loc[0:3, "b"] = np.nan
    found = podium.compare(frame, truth="y", metric="accuracy", missing="complete")
    assert (found.facts.n_cases, found.facts.n_clusters) == (16, 4)


def test_long_predictions_are_one_row_per_case():
    wide = pd.DataFrame(
        {"id": list("abcdefgh"), "y": [1, 0] * 4, "m": [1, 0, 1, 1, 0, 0, 1, 0], "n": [0, 0, 1, 1, 0, 1, 1, 0]}
    )
    long = wide.melt(id_vars=["id", "y"], var_name="model", value_name="prediction")
    one, other = (podium.compare(frame, truth="y", metric="accuracy") for frame in (wide, long))
    assert [row.mean_score for row in one.ranking] == [row.mean_score for row in other.ranking]
    timed = podium.compare(long.assign(latency=0.5), truth="y", metric="accuracy")
    assert [row.mean_score for row in timed.ranking] == [row.mean_score for row in one.ranking]
    with pytest.raises(PodiumError, match="'m' predicts the case 'a' more than once"):
        podium.compare(pd.concat([long, long.head(1)]), truth="y", metric="accuracy")
    with pytest.raises(PodiumError, match="'b' has more than one truth"):
        podium.compare(long.assign(y=np.where(long.index == 1, 1, long["y"])), truth="y", metric="accuracy")


def test_costs_reach_the_report(tmp_path):
    from podium.report.documents import document
    from podium.report.render_text import render_text

    rows = [
        {"model": m, "task": t, "passed": (t * k) % 3 > 0, "cost": k + t}
        for m, k in (("a", 1), ("b", 2))
        for t in range(20)
    ]
    found = podium.compare(pd.DataFrame(rows), unit="case")
    assert found.verdict.cost == "a is the cheapest algorithm, and no other is significantly better."
    assert {row.algorithm: row.mean_cost for row in found.ranking} == {"a": 10.5, "b": 11.5}
    text = render_text(document(found, drawn=False))
    assert "Score and cost" in text
    assert "Cost: the mean over 20 tasks." in text
    assert re.findall(r"^([ab]) +65\.0 .* (1[01]\.50)$", text, re.M) == [("a", "10.50"), ("b", "11.50")]
    assert "20 tasks" in found.verdict.on_what
    assert not any("case" in remark.sentence for remark in found.remarks if remark.topic != "source")


def test_a_system_called_one_keeps_its_name():
    frame = pd.DataFrame({"one": [1] * 30, "no": [0] * 15 + [1] * 15})
    assert podium.compare(frame, unit="case").verdict.headline.startswith("one is significantly better than no")


def test_a_column_whose_name_ends_like_an_id_names_the_cases(tmp_path):
    """As in Kaggle's first contest: PassengerId, Survived."""
    frame = pd.DataFrame({"PassengerId": range(900, 930), "Survived": [0, 1, 1] * 10})
    frame.to_csv(tmp_path / "solution.csv", index=False)
    for name, shift in (("ann", 0), ("bob", 1)):
        frame.assign(Survived=np.roll(frame["Survived"], shift)).to_csv(
            tmp_path / f"submission_{name}.csv", index=False
        )
    files = [tmp_path / "submission_ann.csv", tmp_path / "submission_bob.csv"]
    found = podium.compare(podium.read(files, truth=str(tmp_path / "solution.csv"), metric="accuracy"))
    assert found.ranking[0].mean_score == 1.0


def scored(**more):
    """Scores of two algorithms between 0 and 1 for labels of two classes, and more columns."""
    truth = np.arange(N) % 2
    columns = {"a": truth * 0.2 + RNG.uniform(0, 0.8, N).round(3), "b": RNG.uniform(0, 1, N).round(3)}
    return pd.DataFrame({"y_true": truth, **columns, **more})


@pytest.mark.parametrize(
    "name, values, reason",
    [
        ("age", 20 + np.arange(N) % 60, "holds whole numbers only, and the others do not"),
        ("patient", np.arange(N), "has a different whole number in every row"),
        ("fold", np.arange(N) % 5, "is called like a column of folds"),
        ("seed", np.arange(N) % 5, "identifies something"),
        ("sex", ["f", "m", "f"] * (N // 3), "has text, and the others have numbers"),
    ],
)
def test_a_column_that_may_be_no_algorithm_is_asked_about(name, values, reason):
    frame = scored(**{name: values})
    with pytest.raises(PodiumError, match=f"Column '{name}' of the DataFrame {reason}.*`ignore_column` '{name}'"):
        podium.compare(frame, truth="y_true", metric="auc")
    assert len(podium.compare(frame, truth="y_true", metric="auc", ignore_column=name).ranking) == 2
    if name != "sex":
        assert len(podium.compare(frame, truth="y_true", metric="auc", keep_column=name).ranking) == 3


def test_ages_beside_labels_are_asked_about():
    frame = pd.DataFrame({"y": [0, 1] * 20, "a": [0, 1, 1, 1] * 10, "b": [0, 1, 0, 0] * 10, "age": [30, 41] * 20})
    with pytest.raises(
        PodiumError, match="'age' of the DataFrame holds whole numbers, and the others lie between 0 and 1"
    ):
        podium.compare(frame, truth="y", metric="auc")


def test_scores_on_another_scale_and_numbers_of_a_regression_are_algorithms():
    margins = scored(svm=RNG.normal(0, 40, N).round(2), tree=np.arange(N) % 2)
    assert len(podium.compare(margins, truth="y_true", metric="auc").ranking) == 4
    prices = np.arange(N) * 7 % 97 + 0.5
    rounded = pd.DataFrame({"price": prices, "a": prices + RNG.normal(size=N), "b": (prices + 1).round()})
    assert len(podium.compare(rounded, truth="price", metric="rmse").ranking) == 2


def test_the_index_of_a_frame_names_the_cases(tmp_path):
    scored().set_axis([f"c{i}" for i in range(N)], axis=0).to_csv(tmp_path / "index.csv")
    table = podium.read(tmp_path / "index.csv", truth="y_true")
    assert (list(table.predicted.columns), table.truth.index[0]) == (["a", "b"], "c0")


def test_the_columns_of_scores_can_be_named():
    table = podium.read(scored(age=30), truth="y_true", value_column=["b", "a"])
    assert list(table.predicted.columns) == ["b", "a"]
    with refuses(PodiumError, "value_column"):
        podium.read(scored(), truth="y_true", value_column="c")


def test_numbers_as_europe_writes_them(tmp_path):
    scored().to_csv(tmp_path / "eu.csv", sep=";", decimal=",", index=False)
    with pytest.raises(
        PodiumError, match=r"eu.csv, row 1 below the header, column 'a' is '0,\d+', not a number: give `decimal_comma`"
    ):
        podium.read(tmp_path / "eu.csv", truth="y_true")
    table = podium.read(tmp_path / "eu.csv", truth="y_true", decimal_comma=True)
    assert table.predicted.dtypes.map(lambda kind: kind.kind).tolist() == ["f", "f"]


def test_a_word_for_missing_is_a_missing_prediction(tmp_path):
    frame = scored().astype({"a": object})
    frame.loc[3, "a"] = "nan"
    frame.to_csv(tmp_path / "nan.csv", index=False)
    with refuses(PodiumError, "missing"):
        podium.compare(tmp_path / "nan.csv", truth="y_true", metric="auc")


def test_labels_that_begin_with_a_digit_stay_labels():
    frame = pd.DataFrame({"y": ["2D", "3D"] * 20, "a": ["2D", "3D", "2D", "2D"] * 10, "b": ["3D", "2D"] * 20})
    assert len(podium.compare(frame, truth="y", metric="accuracy").ranking) == 2


def test_an_infinite_prediction_is_named_by_its_case():
    frame = scored()
    frame.loc[3, "a"] = np.inf
    with pytest.raises(
        PodiumError, match="The predictions have an infinite value at case 4: correct it, or make it missing"
    ):
        podium.compare(frame, truth="y_true", metric="auc")


def test_what_says_that_an_answer_is_right_is_no_answer(tmp_path):
    # Compared with the truth, `correct` was an algorithm that is nearly always wrong.
    frame = pd.DataFrame({"gold": np.arange(30), "a_answer": np.arange(30), "a_correct": np.arange(30) % 4 > 0})
    frame["b_answer"], frame["b_correct"] = frame["gold"] // 2 * 2, (np.arange(30) % 2 == 0).astype(int)
    frame.to_csv(tmp_path / "answers.csv", index=False)
    with refuses(PodiumError, "ignore_column", "keep_column", column="a_correct"):
        podium.read(tmp_path / "answers.csv", truth="gold", metric="accuracy")
    left = ("a_correct", "b_correct")
    found = podium.read(tmp_path / "answers.csv", truth="gold", metric="accuracy", ignore_column=left)
    assert found.algorithms == ("a_answer", "b_answer")
