"""Results: the long table, one design per metric, writing and reading back."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric
from podium.evidence.results import Results
from refusals import refuses

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=6)
FORMULAS = st.sampled_from(["=1+1", "+x", "-x", "@x", "'=x", "''-x", "'x", '"', "a,b", "a;b", "NA", "1"])
SCORES = st.floats(-1e9, 1e9) | st.just(np.nan)


@st.composite
def written(draw):
    """Results with awkward names, holes, statuses, families and a metric whose name says nothing."""
    algorithms = draw(st.lists(NAMES | FORMULAS, min_size=1, max_size=3, unique=True))
    datasets = draw(st.lists(NAMES | FORMULAS, min_size=1, max_size=3, unique=True))
    rows = [
        {"algorithm": a, "dataset": d, "repeat": r, "fold": f, "metric": m, "value": draw(SCORES)}
        for m, folds in (("accuracy", 2), ("odd", 1), ("odd cost", 1))
        for d in datasets
        for a in algorithms
        for r in range(2)
        for f in range(folds)
    ]
    frame = pd.DataFrame(rows)
    assert_some = frame.groupby(["metric", "dataset"])["value"].transform("count") == 0
    frame.loc[assert_some, "value"] = 0.5
    missing = frame["value"].isna()
    frame["status"] = np.where(missing, draw(st.sampled_from(["missing", "timeout", "crash"])), "ok")
    frame["message"] = np.where(frame["status"].isin(["ok", "missing"]), "", draw(st.sampled_from(["", "=boom\nat 3"])))
    for name in ("algorithm", "dataset", "metric", "status", "message"):
        frame[name] = pd.Categorical(frame[name], categories=pd.Index(frame[name].unique(), dtype=object))
    metrics = {
        "accuracy": Metric(name="accuracy", direction="higher"),
        "odd": Metric(name="odd", direction="lower"),
        "odd cost": Metric(name="odd cost", direction="lower", is_cost=True),
    }
    families = {datasets[0]: "family 1"} if draw(st.booleans()) else {}
    return Results(frame=frame, metrics=metrics, families=families, test_fraction=draw(st.sampled_from([None, 0.3])))


@given(results=written())
def test_what_is_written_is_read_back(tmp_path_factory, results):
    path = tmp_path_factory.mktemp("round") / "results.csv"
    results.write_csv(path)
    again = podium.read(path, summaries="keep")
    pd.testing.assert_frame_equal(again.to_frame()[list(results.frame)], results.to_frame()[list(results.frame)])
    assert again.metrics == results.metrics
    assert again.test_fraction == results.test_fraction
    assert {d: again.families.get(d, d) for d in again.datasets} == {
        d: results.families.get(d, d) for d in again.datasets
    }


def test_no_written_cell_is_a_formula(tmp_path):
    frame = pd.DataFrame(
        {"dataset": ["=cmd|'/C calc'!A0", "+1", "-1", "@x"], "=svm": [1.0, 2, 3, 4], "knn": [1, 2, 3, 4]}
    )
    podium.read(frame, metric="accuracy").write_csv(tmp_path / "a.csv")
    cells = pd.read_csv(tmp_path / "a.csv", dtype=str).drop(columns=["value", "repeat", "fold"]).fillna("").to_numpy()
    assert not [cell for cell in cells.ravel() if cell[:1] in set("=+-@")]


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        podium.example("benavoli2016").write_csv("/proc/a.csv")


def test_each_metric_has_its_own_design():
    results = podium.example("ulas2008")
    assert results.scores("accuracy").values.shape == (38, 8, 5, 2)
    assert results.scores("training_time").values.shape == (38, 8, 1, 1)
    assert results.scores().metric.name == "accuracy"  # the only one that is not a cost
    assert results.scores("accuracy").design.is_5x2
    assert results.scores("space").algorithms == results.scores("accuracy").algorithms


def test_only_some_metrics_and_the_costs():
    results = podium.example("ulas2008").only(["accuracy"])
    assert list(results.metrics) == ["accuracy", "training_time", "space"]
    assert list(podium.example("ulas2008").only(["space"]).metrics) == ["training_time", "space"]
    with refuses(ArgumentError, kind="metric", value="'acc'"):
        results.only(["acc"])


def test_a_single_chosen_metric_is_meant_from_then_on_though_it_be_a_cost():
    results = podium.example("ulas2008")
    assert results.only(["space"]).scores().metric.name == "space"
    assert results.only(["space"]).metric_note == ""
    assert results.only(["accuracy", "space"]).metric().name == "accuracy"  # the only one that is not a cost


def test_several_metrics_need_a_main_one_and_its_scores_say_so():
    frame = pd.DataFrame({"algorithm": ["a", "b"], "dataset": "d", "accuracy": [1.0, 2.0], "auc": [3.0, 4.0]})
    results = podium.read(frame)
    with refuses(DataError, "metric"):
        results.scores()
    results = replace(results, main="auc")
    said = "Of several metrics ('accuracy', 'auc') 'auc' is taken: choose another with `metric`."
    assert results.scores().values.ravel().tolist() == [3.0, 4.0]
    assert said in results.scores().notes
    assert said not in results.scores("auc").notes  # it was named
    assert results.only(["accuracy"]).scores().metric.name == "accuracy"
    assert results.only(["accuracy", "auc"]).main == "auc"


def test_scores_carry_what_the_reader_said_without_what_it_recognised():
    results = podium.read(pd.DataFrame({"dataset": ["x", "y"], "a": [1.0, None], "b": [2, 3]}), metric="auc")
    assert (
        results.scores().notes == results.notes[1:] == ("1 of 4 cells have no score (1 missing); they stay missing.",)
    )


def test_directions_can_be_set():
    results = podium.example("benavoli2016").with_directions({"accuracy": "lower"})
    assert results.metric().direction == "lower"
    with pytest.raises(ArgumentError):
        results.with_directions({"accuracy": "up"})


def test_an_almost_empty_array_is_refused():
    n = 30_000
    frame = pd.DataFrame({"algorithm": range(n), "dataset": range(n), "accuracy": np.linspace(0, 1, n)})
    with pytest.raises(DataError, match="leave almost every cell empty"):
        podium.read(frame, algorithm_column="algorithm", dataset_column="dataset").scores()


def test_a_table_that_was_read_is_not_overwritten_by_its_results(tmp_path):
    path = tmp_path / "a.csv"
    podium.example("benavoli2016").write_csv(path)
    kept = path.read_bytes()
    with pytest.raises(DataError, match="was read here"):
        podium.read(path).write_csv(path)
    assert path.read_bytes() == kept
