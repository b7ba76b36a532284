"""Stores of experiments (MLflow, Optuna, scikit-learn's searches, IOHprofiler) and runs of reinforcement learning."""

import json
import sqlite3

import numpy as np
import pandas as pd
import pytest

from podium.core.errors import DataError
from podium.reading.formats.optuna_store import is_optuna, read_optuna
from podium.reading.logs.records import Log
from reading.logs_expected import compared, expected, folder
from reading.results_expected import check_results
from reading.test_logs_tables import put, read, table
from refusals import refuses

# --- MLflow ----------------------------------------------------------------------------------------------------------


def mlflow_run(root, name, params, metrics, status=3, stage="active", experiment="7", start=1000):
    where = root / "mlruns" / experiment / name
    about = f"lifecycle_stage: {stage}\nrun_id: {name}\nstart_time: {start}\nstatus: {status}\n"
    put(where, "meta.yaml", f"artifact_uri: file:///x\n{about}")
    for key, value in params.items():
        put(where, f"params/{key}", str(value))
    for key, lines in metrics.items():
        put(where, f"metrics/{key}", lines if isinstance(lines, str) else f"1794805061077 {lines} 0\n")


def mlflow(root):
    put(root, "mlruns/7/meta.yaml", "experiment_id: '7'\nlifecycle_stage: active\nname: classifiers\n")
    for i, (model, level) in enumerate((("svm", 0.9), ("knn", 0.8))):
        for dataset in ("iris", "wine"):
            for fold in range(2):
                params = {"model": model, "dataset": dataset, "fold": fold, "lr": i}
                failed = (model, dataset, fold) == ("knn", "wine", 1)
                metrics = (
                    {} if failed else {"accuracy": level + fold / 100, "train_signal": "1 0.9 0\n3 0.5 9\n2 0.7 4\n"}
                )
                mlflow_run(root, f"{model}{dataset}{fold}", params, metrics, status=4 if failed else 3)
    mlflow_run(root, "extra", {"model": "svm", "dataset": "iris", "fold": 7}, {}, status=4)
    mlflow_run(root, "gone", {"model": "old", "dataset": "iris", "fold": 0}, {"accuracy": 0.1}, stage="deleted")
    return root


def test_mlflow_parameters_name_system_dataset_and_fold(tmp_path):
    results = read(mlflow(tmp_path))
    assert results.metric().name == "accuracy"
    assert results.scores().values.shape == (2, 2, 1, 2)
    assert table(results)["svm"] == {"iris": pytest.approx(0.905), "wine": pytest.approx(0.905)}
    assert [(h.algorithm, h.row, h.fold, h.why) for h in results.missing()] == [("knn", "wine", 1, "failed")]
    notes = " ".join(results.notes)
    assert "no system has a score there: 'svm on iris, failed'" in notes
    assert "not known which direction is better: 'train_signal'" in notes
    assert "old" not in results.algorithms


@pytest.mark.parametrize("status,word", [(1, "running"), (4, "failed"), (5, "killed")])
def test_mlflow_runs_that_are_not_finished_are_holes_whatever_they_logged(tmp_path, status, word):
    mlflow(tmp_path)
    params = {"model": "knn", "dataset": "iris", "fold": 1}
    mlflow_run(tmp_path, "knniris1", params, {"accuracy": 0.1}, status=status)
    results = read(tmp_path)
    assert table(results)["knn"]["iris"] == 0.8
    assert ("iris", word) in [(h.row, h.why) for h in results.missing()]
    assert any("even if they logged a metric" in note and f" {word}" in note for note in results.notes)


def test_mlflow_runs_of_the_same_fold_are_a_question(tmp_path):
    mlflow(tmp_path)
    params = {"model": "knn", "dataset": "iris", "fold": 1}
    mlflow_run(tmp_path, "again", params, {"accuracy": 0.1}, start=999)
    with refuses(DataError, "runs"):
        read(tmp_path)
    assert table(read(tmp_path, runs="newest"))["knn"]["iris"] == pytest.approx(0.805)
    repeated = read(tmp_path, runs="repeats").scores()
    assert table(read(tmp_path, runs="repeats"))["knn"]["iris"] == pytest.approx((0.8 + 0.81 + 0.1) / 3)
    assert repeated.values.shape == (2, 2, 2, 2)


def test_mlflow_a_failed_run_that_was_repeated_is_no_hole(tmp_path):
    mlflow(tmp_path)
    mlflow_run(tmp_path, "again", {"model": "knn", "dataset": "wine", "fold": 1}, {"accuracy": 0.81})
    assert not read(tmp_path).missing()


def test_mlflow_without_a_finished_run_says_so(tmp_path):
    for model in ("svm", "knn"):
        mlflow_run(tmp_path, model, {"model": model, "dataset": "iris"}, {"accuracy": 0.5}, status=1)
    with pytest.raises(DataError, match=r"mlruns has no finished run \(2 running\)"):
        read(tmp_path)


def test_mlflow_the_last_step_of_a_metric_counts(tmp_path):
    results = read(mlflow(tmp_path), metric="train_signal", direction="lower")
    assert results.scores("train_signal").values[0, 0, 0, 0] == 0.5


def test_mlflow_without_a_system_asks_for_one(tmp_path):
    mlflow_run(tmp_path, "r", {"lr": 1}, {"accuracy": 0.5})
    with pytest.raises(DataError, match="no parameter of the runs names the system"):
        read(tmp_path)


def test_mlflow_tags_may_name_the_system_and_a_parent_run_is_left_out(tmp_path):
    for model in ("svm", "knn"):
        mlflow_run(tmp_path, model, {"data": "iris"}, {"accuracy": 0.5})
        put(tmp_path, f"mlruns/7/{model}/tags/model", model)
        put(tmp_path, f"mlruns/7/{model}/tags/mlflow.source.name", "train.py")
    mlflow_run(tmp_path, "parent", {"data": "iris"}, {"accuracy": 0.7})
    results = read(tmp_path)
    assert table(results) == {"svm": {"iris": 0.5}, "knn": {"iris": 0.5}}
    assert any("1 run that name no system" in note or "1 run" in note for note in results.notes)


def test_mlflow_damaged_metric_is_named(tmp_path):
    mlflow_run(tmp_path, "r1", {"model": "a", "dataset": "d"}, {"accuracy": "17948 0.9 0\n1794"})
    with pytest.raises(DataError, match="r1/metrics/accuracy, line 2"):
        read(tmp_path)


def test_mlflow_in_sqlite_is_the_same(tmp_path):
    path = tmp_path / "mlflow.db"
    base = sqlite3.connect(path)
    base.executescript(
        "CREATE TABLE experiments (experiment_id INTEGER, name TEXT);"
        "CREATE TABLE runs (run_uuid TEXT, experiment_id INTEGER, status TEXT, lifecycle_stage TEXT);"
        "CREATE TABLE params (run_uuid TEXT, key TEXT, value TEXT);"
        "CREATE TABLE metrics (run_uuid TEXT, key TEXT, value FLOAT, timestamp BIGINT, step BIGINT, is_nan BOOLEAN);"
        "INSERT INTO experiments VALUES (1, 'iris'), (2, 'wine');"
    )
    for experiment in (1, 2):
        for model in ("svm", "knn"):
            run = f"{model}{experiment}"
            base.execute("INSERT INTO runs VALUES (?, ?, 'FINISHED', 'active')", (run, experiment))
            base.execute("INSERT INTO params VALUES (?, 'model', ?)", (run, model))
            rows = [(run, "accuracy", 0.1, 5, 0, 0), (run, "accuracy", 0.9 if model == "svm" else 0.7, 4, 1, 0)]
            base.executemany("INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?)", rows)
    base.commit()
    base.close()
    before = path.read_bytes()
    assert table(read(path)) == {"svm": {"iris": 0.9, "wine": 0.9}, "knn": {"iris": 0.7, "wine": 0.7}}
    assert path.read_bytes() == before


# --- Optuna ----------------------------------------------------------------------------------------------------------


def optuna(path, studies, attributes=()):
    """Studies by name: a direction and trials of (state, value)."""
    base = sqlite3.connect(path)
    base.executescript(
        "CREATE TABLE studies (study_id INTEGER, study_name TEXT);"
        "CREATE TABLE study_directions (study_id INTEGER, direction TEXT, objective INTEGER);"
        "CREATE TABLE study_user_attributes (study_id INTEGER, key TEXT, value_json TEXT);"
        "CREATE TABLE trials (trial_id INTEGER, study_id INTEGER, state TEXT);"
        "CREATE TABLE trial_values (trial_id INTEGER, objective INTEGER, value FLOAT, value_type TEXT);"
    )
    trial = 0
    for i, (name, (directions, trials)) in enumerate(studies.items()):
        base.execute("INSERT INTO studies VALUES (?, ?)", (i, name))
        for objective, direction in enumerate(directions):
            base.execute("INSERT INTO study_directions VALUES (?, ?, ?)", (i, direction, objective))
        for key, value in dict(attributes).get(name, {}).items():
            base.execute("INSERT INTO study_user_attributes VALUES (?, ?, ?)", (i, key, json.dumps(value)))
        for state, value in trials:
            base.execute("INSERT INTO trials VALUES (?, ?, ?)", (trial, i, state))
            if value is not None:
                kind = "INF_POS" if value == np.inf else "FINITE"
                base.execute(
                    "INSERT INTO trial_values VALUES (?, 0, ?, ?)", (trial, None if value == np.inf else value, kind)
                )
            trial += 1
    base.commit()
    base.close()
    return path


TRIALS = [("COMPLETE", 3.0), ("COMPLETE", 2.0), ("PRUNED", 0.5), ("FAIL", None), ("COMPLETE", np.inf)]


def test_optuna_takes_the_best_complete_trial(tmp_path):
    names = [
        f"{sampler}/{problem}/{seed}"
        for sampler in ("tpe", "random")
        for problem in ("ackley", "sphere")
        for seed in (0, 1)
    ]
    studies = {name: (["MINIMIZE"], TRIALS if name != "tpe/sphere/1" else [("PRUNED", 0.1)]) for name in names}
    results = read(optuna(tmp_path / "s.db", studies))
    assert (results.metric().name, results.metric().direction) == ("best value", "lower")
    assert table(results)["random"] == dict.fromkeys(("ackley/0", "ackley/1", "sphere/0", "sphere/1"), 2.0)
    assert [(h.algorithm, h.row, h.why) for h in results.missing()] == [
        ("tpe", "sphere/1", "no complete trial (1 pruned)")
    ]
    assert results.scores().families == ("ackley", "ackley", "sphere", "sphere")
    assert any("between 0 and 3 complete trials" in note for note in results.notes)


def test_optuna_maximises_and_reads_attributes(tmp_path):
    studies = {f"s{i}": (["MAXIMIZE"], [("COMPLETE", float(i)), ("COMPLETE", i - 5.0)]) for i in range(4)}
    attributes = {f"s{i}": {"sampler": "ab"[i % 2], "dataset": f"d{i // 2}"} for i in range(4)}
    results = read(optuna(tmp_path / "s.db", studies, attributes))
    assert results.metric().direction == "higher"
    assert table(results) == {"a": {"d0": 0.0, "d1": 2.0}, "b": {"d0": 1.0, "d1": 3.0}}


def test_a_journal_of_optuna(tmp_path):
    """Studies and trials are numbered by their lines; what is pruned, deleted or waits counts for nothing."""
    lines = [(0, {"study_name": f"{system}/{problem}", "directions": [2]}) for system in "ab" for problem in ("p", "q")]
    lines += [(0, {"study_name": "a/gone", "directions": [2]}), (1, {"study_id": 4})]
    for study, (first, second) in enumerate([(1.0, 3.0), (2.0, 1.5), (0.5, 0.25), (4.0, 9.0)]):
        lines += [(4, {"study_id": study}), (5, {"trial_id": 3 * study, "param_name": "x"})]
        lines += [(6, {"trial_id": 3 * study, "state": 1, "values": [first]})]
        lines += [(4, {"study_id": study, "state": 1, "value": second, "values": None})]
        lines += [(4, {"study_id": study}), (6, {"trial_id": 3 * study + 2, "state": 2, "values": [99.0]})]
    text = "".join(json.dumps({"op_code": code, "worker_id": "w", **about}) + "\n" for code, about in lines)
    table = read(put(tmp_path, "journal.log", text)).scores("best value").table()
    assert table.algorithms == ("a", "b")
    assert table.values.tolist() == [[3.0, 0.5], [2.0, 9.0]]


def test_optuna_problems_of_both_directions_are_a_question(tmp_path):
    """A is better on all four problems: judged in one direction, each would win two."""
    studies = {}
    for i in range(2):
        studies |= {f"a/clf{i}": (["MAXIMIZE"], [("COMPLETE", 0.9)]), f"b/clf{i}": (["MAXIMIZE"], [("COMPLETE", 0.7)])}
        studies |= {f"a/reg{i}": (["MINIMIZE"], [("COMPLETE", 1.0)]), f"b/reg{i}": (["MINIMIZE"], [("COMPLETE", 3.0)])}
    path = optuna(tmp_path / "s.db", studies)
    with pytest.raises(
        DataError, match=r"s\.db.* disagree .*\"direction == 'higher'\" \(2 datasets\) .*'lower'\" \(2 datasets"
    ):
        read(path)
    for direction, best in (("higher", 0.9), ("lower", 1.0)):
        results = read(path, where=f"direction == '{direction}'")
        assert results.metric().direction == direction
        assert set(table(results)["a"].values()) == {best}
    assert read(path, direction="lower").metric().direction == "lower"  # somebody says that it holds for all


def test_optuna_infeasible_trials_are_not_the_best(tmp_path):
    """As `study.best_value`: a trial with a constraint above 0 does not count, one without constraints does."""
    trials = [("COMPLETE", 0.1), ("COMPLETE", 0.2), ("COMPLETE", 3.0), ("COMPLETE", 5.0)]
    path = optuna(tmp_path / "s.db", {name: (["MINIMIZE"], trials) for name in ("a/p", "b/p", "a/q", "b/q")})
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE trial_system_attributes (trial_id INTEGER, key TEXT, value_json TEXT)")
    told = [(0, "constraints", "[-1.0, 0.5]"), (1, "constraints:size", "2"), (2, "constraints", "[0.0, -1]")]
    told += [(4 + i, "constraints", "[1.0]") for i in range(4)] + [(8, "other", "[1.0]")]
    base.executemany("INSERT INTO trial_system_attributes VALUES (?, ?, ?)", told)
    base.commit()
    base.close()
    results = read(path)
    assert table(results)["a"] == {"p": 3.0, "q": 0.1}
    assert [hole.why for hole in results.missing()] == ["no feasible trial (4 complete)"]
    assert any("6 trials that break a constraint count for nothing" in note for note in results.notes)


def test_a_journal_of_optuna_with_infeasible_trials(tmp_path):
    lines = [(0, {"study_name": f"{system}/p", "directions": [2]}) for system in "ab"]
    for study in range(2):
        for trial, value in enumerate((9.0, 8.0, 1.0)):
            lines += [(4, {"study_id": study, "state": 1, "values": [value], "system_attrs": {}})]
            if trial == 0:
                lines += [(9, {"trial_id": 3 * study, "system_attr": {"constraints": [0.1]}})]
    lines += [(4, {"study_id": 0, "state": 1, "values": [7.0], "system_attrs": {"constraints:c": 1.0}})]
    text = "".join(json.dumps({"op_code": code, "worker_id": "w", **about}) + "\n" for code, about in lines)
    assert table(read(put(tmp_path, "journal.log", text))) == {"a": {"p": 8.0}, "b": {"p": 8.0}}


def test_optuna_asks_for_names_and_refuses_several_objectives(tmp_path):
    path = optuna(tmp_path / "s.db", {"one": (["MINIMIZE"], TRIALS), "two": (["MINIMIZE"], TRIALS)})
    with pytest.raises(DataError, match="does not say which system"):
        read(path)
    path = optuna(tmp_path / "t.db", {"a/b": (["MINIMIZE", "MAXIMIZE"], TRIALS)})
    with pytest.raises(DataError, match="several objectives"):
        read(path)


def test_a_damaged_database_is_named(tmp_path):
    path = optuna(tmp_path / "s.db", {f"a/{i}": (["MINIMIZE"], TRIALS * 50) for i in range(20)})
    raw = path.read_bytes()
    for percent in range(0, 100, 3):
        path.write_bytes(raw[: len(raw) * percent // 100])
        with pytest.raises(DataError, match=r"s\.db"):
            read_optuna([path], Log())


def test_a_view_in_the_place_of_a_table_is_not_run(tmp_path):
    path = optuna(tmp_path / "s.db", {"a/b": (["MINIMIZE"], TRIALS)})
    base = sqlite3.connect(path)
    base.executescript("DROP TABLE studies; CREATE VIEW studies AS SELECT 1 AS study_id, randomblob(1) AS study_name;")
    base.close()
    assert not is_optuna(path, path.read_bytes()[:100])


# --- scikit-learn ----------------------------------------------------------------------------------------------------


def cv_results():
    return pd.DataFrame(
        {
            "mean_fit_time": [0.1, 0.2],
            "param_C": [1, 10],
            "params": [{"C": 1}, {"C": 10}],
            "split0_test_acc": [0.5, 0.7],
            "split1_test_acc": [0.6, np.nan],
            "mean_test_acc": [0.55, 0.7],
            "split0_test_ll": [-0.5, -0.4],
            "split1_test_ll": [-0.6, -0.3],
        }
    )


@pytest.mark.parametrize("kind", ["csv", "records", "lines", "columns", "by_row"])
def test_cv_results_settings_are_algorithms_and_splits_are_folds(tmp_path, kind):
    frame = cv_results()
    path = tmp_path / ("cv_results_wine.csv" if kind == "csv" else "cv_results_wine.json")
    if kind == "csv":
        frame.to_csv(path)
    elif kind == "columns":
        put(tmp_path, path.name, {name: frame[name].where(frame[name].notna(), None).tolist() for name in frame})
    else:
        orient = "records" if kind in ("records", "lines") else "columns"
        frame.to_json(path, orient=orient, lines=kind == "lines")
    results = read(path, metric="acc")
    assert results.datasets == ("wine",)
    assert results.algorithms == ("{'C': 1}", "{'C': 10}")
    assert results.metric().direction == "higher"
    np.testing.assert_array_equal(results.scores().values[0, :, 0], [[0.5, 0.6], [0.7, np.nan]])
    assert results.missing()[0].why == "the fit failed"
    assert read(path, metric="ll").metric().direction == "higher"  # a scorer: neg_log_loss
    with refuses(DataError, "metric"):
        read(path).metric()


def test_cv_results_by_row_are_matched_by_the_keys_of_the_rows(tmp_path):
    columns = json.loads(cv_results().to_json())
    columns["split0_test_acc"] = dict(reversed(columns["split0_test_acc"].items()))
    results = read(put(tmp_path, "cv_results_wine.json", columns), metric="acc")
    assert results.scores().values[0, :, 0, 0].tolist() == [0.5, 0.7]
    columns["split0_test_acc"] = {"0": 0.5, "9": 0.7}
    with pytest.raises(
        DataError, match=r"cv_results_wine\.json: 'split0_test_acc' has other rows than 'mean_fit_time'"
    ):
        read(put(tmp_path, "cv_results_wine.json", columns), metric="acc")


def test_cv_results_of_several_files_are_named_for_what_differs(tmp_path):
    for name in ("wine", "breast_cancer"):
        cv_results().to_csv(tmp_path / f"cv_results_{name}.csv")
    assert set(read(tmp_path, metric="acc").datasets) == {"wine", "breast_cancer"}


def test_cv_results_of_halving_take_the_last_round(tmp_path):
    frame = pd.concat([cv_results(), cv_results().iloc[:1]], ignore_index=True).assign(iter=[0, 0, 1])
    frame.to_csv(tmp_path / "cv.csv")
    assert read(tmp_path / "cv.csv", metric="acc").algorithms == ("{'C': 1}",)


# --- IOHprofiler -----------------------------------------------------------------------------------------------------


def ioh(root, algorithm, values, maximise=False, function=1):
    runs = [
        {"instance": i, "evals": 200, "best": {"evals": 3, "y": y, "x": [0]}} for i, own in values.items() for y in own
    ]
    data = {"version": "0.3", "function_id": function, "function_name": "Sphere", "maximization": maximise}
    data |= {"algorithm": {"name": algorithm, "info": ""}, "attributes": ["evaluations"]}
    data |= {"scenarios": [{"dimension": 5, "path": "x.dat", "runs": runs}]}
    put(root, f"{algorithm}/IOHprofiler_f{function}_Sphere.json", data)


def test_ioh_runs_of_an_instance_are_repeats(tmp_path):
    ioh(tmp_path, "es", {1: [1.0, 3.0], 2: [5.0, 7.0]})
    ioh(tmp_path, "rs", {1: [2.0, 4.0], 2: [6.0, 8.0]})
    results = read(tmp_path)
    assert results.metric().direction == "lower"
    assert table(results)["es"] == {"f1 Sphere, 5D, instance 1": 2.0, "f1 Sphere, 5D, instance 2": 6.0}
    assert results.scores().families == ("f1 Sphere, 5D",) * 2
    assert results.scores().values.shape == (2, 2, 2, 1)


def test_ioh_functions_of_both_directions_are_a_question(tmp_path):
    for algorithm in ("es", "rs"):
        ioh(tmp_path, algorithm, {1: [1.0]})
        ioh(tmp_path, algorithm, {1: [1.0]}, maximise=True, function=2)
    with refuses(DataError, "where"):
        read(tmp_path)
    assert read(tmp_path, where="direction == 'higher'").datasets == ("f2 Sphere, 5D, instance 1",)


def test_ioh_systems_that_disagree_on_one_function_need_a_direction(tmp_path):
    ioh(tmp_path, "es", {1: [1.0]})
    ioh(tmp_path, "rs", {1: [2.0]}, maximise=True)
    with refuses(DataError, "direction"):
        read(tmp_path)
    assert read(tmp_path, direction="lower").metric().direction == "lower"


# --- Reinforcement learning ------------------------------------------------------------------------------------------


def rl(root):
    put(root, "HUMAN.json", {"Pong": [11.0], "Alien": [100.0]})
    put(root, "RANDOM.json", {"Pong": [1.0], "Alien": [0.0]})
    put(root, "spr.json", {"Pong": [6.0, 11.0], "Alien": [50.0, 150.0]})
    put(root, "zero.json", {"Pong": [1.0], "Alien": [20.0]})
    put(root, "curl.json", [{"game": g, "seed": 1, "HNS": 0.25} for g in ("Pong", "Alien")])
    return root


def test_rl_is_human_normalised_by_the_files_beside_it(tmp_path):
    results = read(rl(tmp_path))
    assert results.metric().direction == "higher"
    assert table(results) == {
        "curl": {"Pong": 0.25, "Alien": 0.25},
        "spr": {"Pong": 0.75, "Alien": 1.0},
        "zero": {"Pong": 0.0, "Alien": 0.2},
    }
    assert any("not paired" in note for note in results.notes)


def test_rl_without_normalisers_is_raw_and_leaves_out_what_is_normalised(tmp_path):
    rl(tmp_path)
    (tmp_path / "HUMAN.json").unlink()
    with refuses(DataError, "direction"):
        read(tmp_path)
    results = read(tmp_path, direction="higher")
    assert set(results.algorithms) == {"spr", "zero"}
    notes = " ".join(results.notes)
    assert "scores are raw" in notes
    assert "'curl'" in notes


def test_one_json_file_of_columns_stays_a_table(tmp_path):
    import podium

    path = put(tmp_path, "accuracy.json", {"svm": [0.9, 0.8], "knn": [0.7, 0.6]})
    assert podium.read(path, rows="datasets").algorithms == ("svm", "knn")


def monitor(root, name, rewards, start=0.0, environment="Acrobot-v1", k=0):
    head = "#" + json.dumps({"t_start": start, "env_id": environment}) + "\nr,l,t\n"
    put(root, f"{name}/{k}.monitor.csv", head + "".join(f"{r},10,{i + 1}\n" for i, r in enumerate(rewards)))


def test_monitors_of_one_training_are_one_score_of_its_last_episodes(tmp_path):
    monitor(tmp_path, "ppo/Acrobot-v1_1", [-500] * 30 + [-80] * 60)
    monitor(tmp_path, "ppo/Acrobot-v1_1", [-500] * 30 + [-90] * 60, k=1)
    monitor(tmp_path, "a2c/Acrobot-v1_1", [-100.0, -120.0])
    monitor(tmp_path, "a2c/Acrobot-v1_2", [-140.0])
    monitor(tmp_path, "a2c/Pong-v4_1", [1.0], environment="Pong-v4")
    results = read(tmp_path)
    assert results.metric().direction == "higher"
    assert table(results)["a2c"] == {"Acrobot-v1": -125.0, "Pong-v4": 1.0}
    assert table(results)["ppo"]["Acrobot-v1"] == -85.0
    assert any("last 100 episodes" in note for note in results.notes)
    put(tmp_path, "a2c/Pong-v4_1/0.monitor.csv", '#{"t_start": 1}\nr,l,t\n1.0,10,2\n3.0')
    with pytest.raises(DataError, match=r"Pong-v4_1/0.monitor.csv, line 4"):
        read(tmp_path)


# --- The real ones ---------------------------------------------------------------------------------------------------


def test_mlflow_as_expected():
    facts = expected("mlflow_filestore")
    results = read(folder("mlflow_filestore"), metric="accuracy")
    check_results(results, facts, metric="accuracy")
    assert len(results.missing("accuracy")) == facts["missing_rows"]


def test_optuna_as_expected():
    check_results(read(folder("optuna_sqlite")), expected("optuna_sqlite"))


@pytest.mark.parametrize("dataset", ["wine", "breast_cancer"])
def test_cv_results_as_expected(dataset):
    facts = expected("sklearn_cv_results")["datasets"][dataset]
    results = read(folder("sklearn_cv_results") / f"cv_results_{dataset}.csv", metric="acc")
    scores = results.scores("acc")
    assert scores.values.shape == (1, facts["systems"], 1, facts["items"])
    for name, mean in facts["mean_score_over_items"].items():
        assert scores.values[0, scores.algorithms.index(name)].mean() == pytest.approx(mean, abs=1e-12)


def test_ioh_as_expected():
    check_results(read(folder("ioh_bbob")), expected("ioh_bbob"))


def test_rl_as_expected():
    called = {"CURL_10_evals": "CURL"}
    facts = expected("rl_atari100k_iris") | {"repeats_per_item": {"max": 1}}  # the runs of an agent are averaged
    check_results(read(folder("rl_atari100k_iris")), facts, lambda name: called.get(name, name))


COMMANDS = {
    "fev_chronos_zeroshot": [],
    "mteb_results": [],
    "mlflow_filestore": ["--metric", "accuracy"],
    "optuna_sqlite": [],
    "ioh_bbob": [],
    "rl_atari100k_iris": [],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_line_gives_the_expected_means(tmp_path, name):
    means = expected(name)["mean_score_over_items"]
    data = compared(tmp_path, [folder(name), *COMMANDS[name]])
    found = {row["algorithm"].removesuffix("_10_evals"): row["mean_score"] for row in data["ranking"]}
    assert found == pytest.approx(means, rel=1e-9)
