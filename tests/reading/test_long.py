"""Long tables: roles by name and by option, several metrics, failures, duplicates."""

import io

import pandas as pd
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from refusals import refuses


def read(text, **options):
    return podium.read(pd.read_csv(io.StringIO(text)), **options)


# The shape of openml/automlbenchmark results: failures with messages, AUC for two classes, log loss for more.
AMLB = """framework,task,fold,auc,logloss,acc,duration,seed,models,info,result
a,adult,0,0.9,,0.8,10,1,3,,0.9
a,adult,1,0.8,,0.7,11,2,3,,0.8
b,adult,0,,,,12,3,3,Missing predictions.,
b,adult,1,0.7,,0.6,13,4,3,,0.7
a,car,0,,0.1,0.9,10,5,3,,0.1
a,car,1,,0.2,0.9,10,6,3,,0.2
b,car,0,,0.3,0.8,10,7,3,,0.3
b,car,1,,,,10,8,3,"Error: could not produce any model in the requested time",
"""


def test_names_are_recognised():
    results = read("classifier_name,dataset_name,accuracy\nclf1,d1,0.9\nclf2,d1,0.8\n")
    assert (results.algorithms, results.datasets) == (("clf1", "clf2"), ("d1",))
    assert results.notes[0] == (
        "The DataFrame was read as a long table: algorithm = 'classifier_name', dataset = 'dataset_name', "
        "value = 'accuracy'; 1 dataset x 2 algorithms; 'accuracy' (higher is better)."
    )


def test_names_can_be_given():
    text = "who,where,when,how\na,x,1,0.5\nb,x,1,0.6\na,x,2,0.7\nb,x,2,0.8\n"
    results = read(
        text,
        algorithm_column="who",
        dataset_column="where",
        repeat_column="when",
        value_column="how",
        direction="lower",
    )
    assert results.scores("how").values[0, :, :, 0].tolist() == [[0.5, 0.7], [0.6, 0.8]]
    assert results.metric().direction == "lower"


def test_several_metrics_failures_and_seeds():
    results = read(AMLB)
    assert list(results.metrics) == ["auc", "logloss", "acc", "duration"]
    assert results.costs == ("duration",)
    assert results.scores("auc").datasets == ("adult",)  # log loss is measured on the other one
    assert results.scores("acc").values.shape == (2, 2, 1, 2)  # seeds differ by fold: no repeats
    holes = results.missing("acc")
    assert [str(hole) for hole in holes] == [
        "adult / b (repeat 0, fold 0): Missing predictions.",
        "car / b (repeat 0, fold 1): Error: could not produce any model in the requested time",
    ]
    failed = results.frame[results.frame["status"] != "ok"]
    assert set(failed["status"]) == {"failed", "timeout"}
    assert any("'auc' has no value at all on 1 of the datasets" in note for note in results.notes)


STATES = ["finished", "crashed", "finished", "finished"]


def with_status(states, name="State"):
    rows = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]
    lines = [f"{a},{d},{state},0.{i + 1}" for i, ((a, d), state) in enumerate(zip(rows, states, strict=True))]
    return "\n".join([f"model,dataset,{name},accuracy", *lines])


@pytest.mark.parametrize(
    "word", ["crashed", "failed", "FAILED", "running", "Killed", "timeout", "OUT_OF_MEMORY", "error"]
)
@pytest.mark.parametrize("name", ["State", "status"])
def test_a_row_that_is_marked_as_failed_has_no_score(word, name):
    results = read(with_status([word if state == "crashed" else state for state in STATES], name))
    assert [(hole.algorithm, hole.row, hole.why) for hole in results.missing()] == [("a", "y", word)]
    assert any(f"1 row with a score is marked '{word}' in '{name}'" in note for note in results.notes)


def test_the_score_of_a_failed_row_is_kept_if_somebody_says_so():
    assert not read(with_status(STATES), ignore_column="State").missing()


@pytest.mark.parametrize("word", ["finished", "ok", "COMPLETED", "Texas", "no error", "0"])
def test_other_states_leave_the_score_as_it_is(word):
    assert not read(with_status([word if state == "crashed" else state for state in STATES])).missing()


def test_a_table_of_nothing_but_failed_rows_says_so():
    with refuses(DataError, "ignore_column"):
        read(with_status(["failed"] * 4))


def test_one_metric_and_the_costs():
    results = read(AMLB, metric="acc")
    assert list(results.metrics) == ["acc", "duration"]
    assert results.metric().name == "acc"


def test_a_value_column_by_name():
    with refuses(DataError, "direction"):
        read(AMLB, value_column="result")
    assert list(read(AMLB, value_column="result", direction="higher").metrics) == ["result"]
    assert list(read(AMLB, value_column="result", metric="auc").metrics) == ["auc"]


def test_a_column_of_metrics():
    text = "algorithm,dataset,metric,value\na,x,accuracy,0.9\nb,x,accuracy,0.8\na,x,penalty,1\nb,x,penalty,2\n"
    with refuses(DataError, "direction"):
        read(text)
    both = read(text, direction={"penalty": "lower"})
    assert both.scores("penalty").table().mean_ranks().tolist() == [1, 2]
    assert list(read(text, metric="accuracy").metrics) == ["accuracy"]
    with pytest.raises(ArgumentError, match="Unknown metric 'acuracy': did you mean 'accuracy'"):
        read(text, metric="acuracy")
    with refuses(DataError, "metric"):
        both.scores()


def test_one_word_of_direction_for_many_certain_metrics_is_refused():
    with refuses(ArgumentError, "metric", "direction"):
        read("algorithm,dataset,auc,logloss\na,x,1,2\nb,x,3,4\n", direction="lower")


def test_seeds_are_repeats_where_they_tell_rows_apart():
    text = "algorithm,dataset,seed,accuracy\na,x,17,0.9\na,x,4,0.8\nb,x,17,0.7\nb,x,4,0.6\n"
    scores = read(text).scores()
    assert scores.repeats == (4, 17)
    assert scores.values[0, 0, :, 0].tolist() == [0.8, 0.9]


def test_folds_in_words():
    text = "algorithm,dataset,fold,accuracy\na,x,fold_2,0.9\na,x,fold_1,0.8\n"
    assert read(text).scores().values.ravel().tolist() == [0.8, 0.9]


def test_duplicates():
    agree = "algorithm,dataset,accuracy\na,x,0.9\na,x,0.9\nb,x,0.8\n"
    assert "1 duplicate row that agree with others were merged." in read(agree).notes
    differ = "algorithm,dataset,shuffled,accuracy\na,x,0,0.9\na,x,1,0.8\nb,x,0,0.8\nb,x,1,0.7\n"
    with pytest.raises(
        DataError, match=r"0.9, 0.8 \(and 1 more such cell\).*differ in 'shuffled' \('0', '1'\).*`repeat_column`"
    ):
        read(differ)
    assert read(differ, repeat_column="shuffled").scores().design.repeats == 2


def test_one_algorithm_or_one_dataset(tmp_path):
    (tmp_path / "svm.csv").write_text("dataset,fold,accuracy\niris,0,0.9\niris,1,0.8\n")
    assert podium.read(tmp_path / "svm.csv").algorithms == ("svm",)
    (tmp_path / "iris.csv").write_text("model,fold,accuracy\nsvm,0,0.9\nknn,0,0.8\n")
    results = podium.read(tmp_path / "iris.csv")
    assert (results.algorithms, results.datasets) == (("svm", "knn"), ("iris",))


def test_a_value_without_a_name_takes_the_files(tmp_path):
    (tmp_path / "auc.csv").write_text("algorithm,dataset,score\na,x,0.9\nb,x,0.8\n")
    assert podium.read(tmp_path / "auc.csv").metric().name == "auc"


def test_categories_keep_the_order_of_first_appearance():
    results = read("algorithm,dataset,accuracy\nz,y,1\na,y,2\nz,b,3\na,b,4\n")
    assert (results.algorithms, results.datasets) == (("z", "a"), ("y", "b"))


@pytest.mark.parametrize("name", ["Average", "Best", "Mean rank"])
def test_an_algorithm_that_sums_up_the_others_is_asked_about(name):
    text = f"dataset,model,accuracy\niris,svm,0.9\niris,knn,0.7\niris,{name},0.8\nzoo,svm,0.8\nzoo,knn,0.6\nzoo,{name},0.7\n"
    with pytest.raises(DataError, match=f"rows that look like summaries \\('{name}'\\): set `summaries`"):
        read(text)
    dropped = read(text, summaries="drop")
    assert (dropped.algorithms, dropped.datasets) == (("svm", "knn"), ("iris", "zoo"))
    assert f"Summary rows were dropped: '{name}'." in dropped.notes
    assert read(text, summaries="keep").algorithms == ("svm", "knn", name)


def test_summaries_of_algorithms_and_of_datasets_are_dropped_together():
    rows = [f"{d},{a},{x}" for d in ("iris", "zoo", "Mean") for a, x in (("svm", 0.9), ("knn", 0.7), ("Average", 0.8))]
    found = read("\n".join(["dataset,model,accuracy", *rows]), summaries="drop")
    assert (found.algorithms, found.datasets) == (("svm", "knn"), ("iris", "zoo"))
    assert found.scores().table().values.tolist() == [[0.9, 0.7], [0.9, 0.7]]


def test_two_columns_of_algorithms_and_no_rows(tmp_path):
    (tmp_path / "a.csv").write_text("algorithm,algorithm\n,\n")
    with pytest.raises(DataError, match=r"a\.csv has no column of numbers"):
        podium.read(tmp_path / "a.csv")
