"""A store becomes Results: scores, costs, failures as typed holes; new metrics need no rerun."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from bench.tools import InsideEngine, algorithm, suite
from podium.bench._rescore import rescore
from podium.bench.metrics import COSTS
from podium.bench.plan import DatasetFacts, Plan, make_plan, plan_tasks
from podium.bench.protocols import Protocol
from podium.bench.results import results_from_store
from podium.bench.runner import run as run_suite
from podium.bench.spec import Outcome
from podium.bench.store import open_store
from podium.core.errors import ArgumentError, StoreError
from podium.evidence.results import COLUMNS


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "s.db"
    searching = Protocol(kind="wainer", folds=2, search_folds=3, candidates=3, free_values=3)
    what = suite(
        ["nb", "svm-linear", "knn", "Thrower"], datasets=["wine", "monks-1"], protocol=searching, metrics=("error",)
    )
    with open_store(path, write=True) as opened:
        run_suite(what, opened, engine=InsideEngine())
    return path


def test_a_store_in_which_nothing_has_finished_says_so(tmp_path):
    with open_store(tmp_path / "s.db", write=True) as opened:
        opened.begin(make_plan(suite(["nb"])), engine="inside", slots=1, environment={})
    for costs in (True, False):
        with pytest.raises(StoreError, match=r"No task of '.*s\.db' has finished yet: `podium status`"):
            results_from_store(tmp_path / "s.db", costs=costs)


def test_results_hold_every_score_and_every_hole(store):
    results = results_from_store(store)
    assert list(results.frame.columns) == list(COLUMNS)
    assert results.algorithms == ("nb", "svm-linear", "knn", "Thrower")
    assert results.datasets == ("wine", "monks-1")
    assert results.metric().name == "error"
    assert results.metric().direction == "lower"
    assert set(results.costs) == set(COSTS)
    assert results.families == {"wine": "wine", "monks-1": "monks"}
    rows = results.frame[results.frame["metric"] == "error"]
    assert len(rows) == 16
    failed = rows[rows["status"] != "ok"]
    assert set(failed["algorithm"]) == {"Thrower"}
    assert set(failed["status"]) == {"error"}
    assert failed["value"].isna().all()
    assert failed["message"].str.startswith("RuntimeError: no luck today").all()
    assert rows[rows["status"] == "ok"]["value"].between(0, 0.5).all()
    assert "4 of 16 tasks failed (4 error)." in results.notes


def test_results_go_straight_into_scores_and_tables(store):
    scores = results_from_store(store).scores()
    assert scores.values.shape == (2, 4, 1, 2)
    assert [hole.algorithm for hole in scores.missing] == ["Thrower", "Thrower"]
    assert "no luck today" in scores.missing[0].why
    assert scores.design.rho == 0.5
    table = scores.table()
    assert np.isnan(table.values[:, 3]).all()


def test_read_results_reads_a_store(store):
    import podium

    results = podium.read(store)
    assert results.metric().name == "error"
    assert len(results.algorithms) == 4


def test_the_short_way_from_python(tmp_path):
    import podium

    text = 'datasets = ["iris"]\nalgorithms = ["5nn"]\n[protocol]\nkind = "holdout"\n'
    (tmp_path / "s.toml").write_text(text)
    summary = podium.run(tmp_path / "s.toml", tmp_path / "s.db", engine=InsideEngine())
    assert summary.summary() == "1 task planned: 1 ok."
    assert podium.read(tmp_path / "s.db").scores().values.shape == (1, 1, 1, 1)


def test_costs_hang_together(store):
    frame = results_from_store(store).frame
    wide = frame[frame["status"] == "ok"].pivot_table(
        index=["algorithm", "dataset", "fold"], columns="metric", values="value", observed=True
    )
    np.testing.assert_allclose(wide["one_train_test_time"], wide["train_time"] + wide["predict_time"])
    knn = wide.loc["knn"]
    np.testing.assert_allclose(knn["per_hyperparameter_time"] * 3, knn["search_time"])  # 3 free values
    assert (wide["model_size"] > 100).all()
    assert (wide[["train_time", "search_time", "train_wall_time"]] > 0).all(axis=None)
    assert (wide["memory"] >= 0).all()


def test_estimates_of_the_search_are_there(store):
    results = results_from_store(store)
    assert results.main == "error"
    both = {name: results.scores(name) for name in ("error", "cv_error")}
    # The two proposals of Wainer for a threshold of irrelevance need both halves, and both kinds of error.
    assert both["error"].values[:, :3].shape == both["cv_error"].values[:, :3].shape == (2, 3, 1, 2)
    assert not np.isnan(both["cv_error"].values[:, :3]).any()


def test_rescoring_needs_no_rerun_and_repeats_what_was_there(store):
    before = results_from_store(store).scores("error").values
    with open_store(store, write=True) as opened:
        assert rescore(opened, ["auc", "log_loss", "error"]) == {"auc": 10, "log_loss": 8, "error": 12}
    results = results_from_store(store)
    np.testing.assert_array_equal(results.scores("error").values, before)
    # Margins do for the AUC of two classes, but not of the three of wine.
    auc = results.scores("auc").values[:, :3, 0]
    assert (np.isnan(auc) == [[[False] * 2, [True] * 2, [False] * 2], [[False] * 2] * 3]).all()
    assert np.nanmin(auc) > 0.5
    missing = results.frame[(results.frame["metric"] == "log_loss") & (results.frame["algorithm"] == "svm-linear")]
    assert set(missing["status"]) == {"skipped"}
    assert set(missing["message"]) == {"the algorithm gives no probabilities"}
    with open_store(store, write=True) as opened, pytest.raises(ArgumentError, match="Unknown metric 'auk'"):
        rescore(opened, ["auk"])


def test_results_are_there_while_a_run_goes_on(tmp_path):
    class Half(InsideEngine):
        def run(self, jobs):
            for number, done in enumerate(super().run(jobs)):
                yield done
                if number == 1:
                    partial = results_from_store(tmp_path / "s.db")
                    assert len(partial.frame[partial.frame["metric"] == "error"]) == 2
                    assert "2 of 4 tasks have not run yet." in partial.notes

    with open_store(tmp_path / "s.db", write=True) as opened:
        run_suite(suite(["nb", "Majority"]), opened, engine=Half())
    assert len(results_from_store(tmp_path / "s.db", metrics=["error"]).frame) == 4


def test_a_store_without_a_run_and_an_unknown_metric_are_refused(tmp_path, store):
    open_store(tmp_path / "s.db", write=True).close()
    with pytest.raises(StoreError, match="is empty: its run never began"):
        results_from_store(tmp_path / "s.db")
    with pytest.raises(ArgumentError, match="Unknown metric 'errors': did you mean 'error'"):
        results_from_store(store, metrics=["errors"])


def test_damaged_predictions_are_named(tmp_path):
    with open_store(tmp_path / "s.db", write=True) as opened:
        run_suite(suite(["nb"]), opened, engine=InsideEngine())
        key = next(iter(opened.statuses()))
        whole = opened.prediction_path(key).read_bytes()
        for content in (b"", b"PK nonsense", whole[: len(whole) // 2], whole.replace(whole[60:90], bytes(30))):
            opened.prediction_path(key).write_bytes(content)
            with pytest.raises(
                StoreError, match=r"1 finished task of 2 got no score. The predictions .* cannot be read"
            ):
                rescore(opened, ["auc"])
        opened.prediction_path(key).unlink()
        with pytest.raises(StoreError, match=r"There are no predictions .*: make them again"):
            opened.load_predictions(key)
        assert opened.rows("SELECT count(*) FROM score WHERE metric = 'auc'") == [(1,)]  # the other task has its score


@pytest.mark.slow
def test_a_million_scores_are_exported(tmp_path):
    what = suite(["nb"], protocol=Protocol(kind="cv", repeats=10, folds=10))
    facts = {
        f"d{i}": DatasetFacts(name=f"d{i}", family="f", data_hash="h", cases=9, features=1, classes=2, missing=0)
        for i in range(1000)
    }
    plan = Plan(suite=what, facts=facts, tasks=tuple(plan_tasks(what, facts)))
    with open_store(tmp_path / "s.db", write=True) as opened:
        opened.begin(plan, engine="none", slots=1, environment={})
        with opened.changing() as db:
            for task in plan.tasks:
                opened._insert(db, task.key, Outcome(status="ok", scores={f"m{i}": 0.5 for i in range(10)}))
    results = results_from_store(tmp_path / "s.db", metrics=[f"m{i}" for i in range(10)])
    assert len(results.frame) == 1_000_000


def test_flat_search_is_said_to_be_optimistic(tmp_path):
    flat = Protocol(kind="cv", repeats=1, folds=2, search="flat", search_folds=2, candidates=3, free_values=3)
    with open_store(tmp_path / "s.db", write=True) as opened:
        run_suite(suite([algorithm("knn")], protocol=flat), opened, engine=InsideEngine())
        chosen = {row[0] for row in opened.rows("SELECT details FROM attempt")}
    assert any("optimistic" in note for note in results_from_store(tmp_path / "s.db").notes)
    assert len({pd.io.json.ujson_loads(text)["params"]["n_neighbors"] for text in chosen}) == 1


def test_opening_a_store_loads_neither_pandas_nor_scikit_learn():
    code = "import sys, podium.bench.store; print(*{'pandas', 'sklearn', 'scipy', 'numpy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
