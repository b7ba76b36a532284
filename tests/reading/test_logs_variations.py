"""Variations of logs as people keep them: the smallest case of each that was read wrongly, or refused without a way on."""

import numpy as np
import pytest

from podium.core.errors import DataError
from reading.test_logs_judged import annotations
from reading.test_logs_lm_eval import row as document
from reading.test_logs_lm_eval import write_run
from reading.test_logs_tables import put, read, table
from reading.test_logs_trackers import cv_results, mlflow_run, monitor, optuna
from reading.walker import held
from refusals import refuses


def means(read):
    """The mean score of each algorithm."""
    return dict(zip(read.algorithms, np.nanmean(read.values, axis=0).tolist(), strict=True))


# --- SWE-bench -------------------------------------------------------------------------------------------------------


def test_a_report_that_names_only_what_was_resolved_is_no_list_of_successes(tmp_path):
    for name, n in (("a.run.json", 3), ("b.run.json", 4)):
        put(tmp_path, name, {"total_instances": 10, "resolved_instances": n, "resolved_ids": list("abcdef"[:n])})
    with refuses(DataError, "all_cases"):
        read(tmp_path)
    assert means(read(tmp_path, all_cases="10")) == {"a": 0.3, "b": 0.4}


def test_two_runs_of_reports_of_single_instances_are_a_question(tmp_path):
    for run, k in (("run1", 2), ("run2", 1)):
        for at, instance in enumerate(("x__x-1", "x__x-2", "x__x-3")):
            outcome = {instance: {"patch_exists": True, "resolved": at < k}}
            put(tmp_path, f"logs/{run}/gpt/{instance}/report.json", outcome)
    with refuses(DataError, "runs"):
        read(tmp_path)
    assert read(tmp_path / "logs" / "run1").n_cases == 3


def test_the_logs_of_a_system_on_the_board_are_no_further_system(tmp_path):
    for system, n in (("20240402_a", 2), ("20240620_b", 3)):
        where = f"evaluation/verified/{system}"
        put(
            tmp_path,
            f"{where}/results/results.json",
            {"no_generation": [], "no_logs": [], "resolved": ["x__1", "x__2", "x__3"][:n]},
        )
        put(tmp_path, f"{where}/logs/x__3/report.json", {"x__3": {"patch_exists": True, "resolved": n == 3}})
    assert means(read(tmp_path)) == {"20240402_a": 0.004, "20240620_b": 0.006}


# --- scikit-learn ----------------------------------------------------------------------------------------------------


def test_a_search_without_its_column_of_settings_is_read_by_its_parameters(tmp_path):
    cv_results().drop(columns="params").to_csv(tmp_path / "cv_results.csv")
    results = read(tmp_path / "cv_results.csv", metric="acc")
    assert (results.algorithms, results.datasets) == (("C=1", "C=10"), ("dataset",))


def test_a_search_without_its_splits_has_the_mean_of_each_setting(tmp_path):
    for name in ("iris", "wine"):
        cv_results().filter(regex="^(mean|param)").to_csv(tmp_path / f"cv_results_{name}.csv")
    assert table(read(tmp_path, metric="acc"))["{'C': 10}"] == {"iris": 0.7, "wine": 0.7}


@pytest.mark.parametrize("names", [("svm", "rf"), ("one", "two")])
def test_searches_of_several_models_are_not_searches_on_several_datasets(tmp_path, names):
    cv_results().to_csv(tmp_path / f"{names[0]}.csv")
    other = cv_results() if names[0] == "svm" else cv_results().assign(params=[{"depth": 1}, {"depth": 2}])
    other.to_csv(tmp_path / f"{names[1]}.csv")
    with pytest.raises(DataError, match="searches of several models"):
        read(tmp_path)


# --- TREC ------------------------------------------------------------------------------------------------------------

RUN = "".join(f"{q} Q0 d{d} {d} {9 - d}.5 TAG\n" for q in (1, 2) for d in range(3))


def test_judgements_of_beir_have_a_header_and_no_iteration(tmp_path):
    for tag in ("bm25", "ql"):
        put(tmp_path, f"{tag}.run", RUN.replace("TAG", tag))
    put(tmp_path, "qrels/test.tsv", "query-id\tcorpus-id\tscore\n1\td0\t1\n1\td2\t0\n2\td1\t1\n")
    assert means(read(tmp_path)) == {"bm25": 0.75, "ql": 0.75}


def test_runs_in_one_file_and_runs_of_other_queries_are_told(tmp_path):
    put(tmp_path, "qrels", "1 0 d0 1\n2 0 d1 1\n3 0 d1 1\n")
    put(tmp_path, "all.run", RUN.replace("TAG", "a") + RUN.replace("TAG", "b"))
    with pytest.raises(DataError, match="holds the runs 'a' and 'b'"):
        read(tmp_path)
    put(tmp_path, "all.run", RUN)
    put(tmp_path, "other.run", "3 Q0 d1 1 2.5 other\n")
    with pytest.raises(DataError, match=r"other\.run and all\.run have no query in common"):
        read(tmp_path)


def test_one_measure_that_trec_eval_printed_is_enough(tmp_path):
    for name in "ab":
        put(
            tmp_path,
            f"{name}.txt",
            "ndcg_cut_10  \t301\t0.5000\nndcg_cut_10  \t302\t0.2500\nndcg_cut_10  \tall\t0.3750\n",
        )
    assert read(tmp_path).metric.name == "ndcg_cut_10"


# --- Optuna ----------------------------------------------------------------------------------------------------------


def test_a_study_named_for_its_problem_first_is_not_turned_over(tmp_path):
    studies = {
        f"{d}/{s}Sampler": (["MINIMIZE"], [("COMPLETE", 1.0)]) for d in ("ackley", "levy") for s in ("TPE", "Random")
    }
    assert set(read(optuna(tmp_path / "s.db", studies)).datasets) == {"ackley", "levy"}


def test_an_attribute_names_the_system_and_the_study_its_problem(tmp_path):
    studies = {f"{d}/{s}": (["MINIMIZE"], [("COMPLETE", 1.0)]) for d in ("ackley", "levy") for s in ("x", "y")}
    attributes = {name: {"sampler": name[-1]} for name in studies}
    results = read(optuna(tmp_path / "s.db", studies, attributes))
    assert (set(results.algorithms), set(results.datasets)) == ({"x", "y"}, {"ackley", "levy"})


# --- AlpacaEval, arenas, MTEB ----------------------------------------------------------------------------------------


def test_a_leaderboard_of_alpaca_eval_has_nothing_to_test(tmp_path):
    head = ",length_controlled_winrate,win_rate,avg_length,standard_error,n_wins,n_wins_base,n_draws,n_total,mode,discrete_win_rate\n"
    board = put(
        tmp_path, "leaderboard.csv", head + "".join(f"m{i},1{i}.5,1{i}.1,900,1.1,9,8,0,17,x,1{i}.2\n" for i in range(4))
    )
    with pytest.raises(DataError, match="nothing to test"):
        read(board)
    for name in "ab":
        put(tmp_path, f"results/{name}/annotations.json", annotations(name, [1, 2, 2]))
    assert set(read(tmp_path).algorithms) == {"a", "b"}


def test_battles_with_long_talks_or_an_outcome_in_each_column_are_refused(tmp_path):
    talk = [{"role": "user", "content": "x" * 20_000}]
    battle = {"question_id": "q", "conversation_a": talk, "model_a": "x", "model_b": "y", "winner": "tie"}
    columns = (
        "id,model_a,model_b,prompt,winner_model_a,winner_model_b,winner_tie\n" + "0,x,y,p,1,0,0\n1,y,z,p,0,0,1\n" * 5
    )
    for file in (put(tmp_path, "talks.json", [battle] * 3), put(tmp_path, "train.csv", columns)):
        with pytest.raises(DataError, match="holds battles"):
            read(file)


def test_tasks_without_english_are_the_mean_over_their_languages(tmp_path):
    for name in "ab":
        rows = [
            {"hf_subset": pair, "languages": pair.split("-"), "main_score": own}
            for pair, own in (("de-fr", 0.2), ("de-it", 0.6))
        ]
        put(
            tmp_path, f"{name}/{'0' * 40}/T.json", {"task_name": "T", "mteb_version": "2.1.0", "scores": {"test": rows}}
        )
    assert table(read(tmp_path))["a"] == {"T": pytest.approx(0.4)}


# --- MLflow ----------------------------------------------------------------------------------------------------------


def test_runs_of_one_model_with_other_settings_are_told_by_what_differs(tmp_path):
    for rate in (0.1, 0.01):
        for model in ("svm", "rf"):
            params = {"model": model, "dataset": "iris", "rate": rate}
            mlflow_run(tmp_path, f"{model}{rate}", params, {"accuracy": rate}, experiment=str(rate)[-1])
    with refuses(DataError, "runs") as caught:
        read(tmp_path)
    assert "differ in 'rate'" in str(caught.value)


def test_a_parent_run_is_not_a_fold_of_its_children(tmp_path):
    for model, level in (("svm", 0.5), ("rf", 0.7)):
        about = {"model": model, "dataset": "iris"}
        mlflow_run(tmp_path, model, about, {"accuracy": 0.0})
        for fold in range(2):
            mlflow_run(tmp_path, f"{model}{fold}", {**about, "fold": fold}, {"accuracy": level})
            put(tmp_path, f"mlruns/7/{model}{fold}/tags/mlflow.parentRunId", model)
    results = read(tmp_path)
    assert table(results) == {"svm": {"iris": 0.5}, "rf": {"iris": 0.7}}
    assert any("2 parent runs" in note for note in results.notes)


# --- lm-evaluation-harness -------------------------------------------------------------------------------------------


def test_totals_are_compared_where_only_one_model_kept_its_documents(tmp_path):
    for model in "ab":
        write_run(tmp_path, model, [document(i, acc=1.0) for i in range(3)], values={"acc,none": 1.0})
    for file in (tmp_path / "b").glob("samples_*"):
        file.unlink()
    results = read(tmp_path, metric="acc")
    assert set(results.algorithms) == {"a", "b"}
    assert any("only one system has cases" in note for note in results.notes)


def test_the_backend_makes_another_system(tmp_path):
    for backend in ("hf", "vllm"):
        write_run(tmp_path / backend, "a", [document(0, acc=1.0)], config={"model": backend})
    assert set(read(tmp_path).algorithms) == {"a (model=hf)", "a (model=vllm)"}


def test_a_question_of_metrics_does_not_name_a_benchmark_where_all_have_them(tmp_path):
    for task in ("arc", "swag"):
        for model in "ab":
            write_run(
                tmp_path, model, [document(0, acc=1.0, acc_norm=0.0)], task=task, date=f"2026-01-21T03-44-{len(task)}.1"
            )
    with pytest.raises(DataError, match=r"as in `metric` acc\."):
        read(tmp_path)


# --- Trainings -------------------------------------------------------------------------------------------------------


def test_monitors_in_a_folder_of_evaluations_are_of_no_agent(tmp_path):
    for agent in ("ppo", "a2c"):
        for k in (1, 2):
            monitor(tmp_path, f"{agent}/Acrobot-v1_{k}", [1.0, 2.0])
            monitor(tmp_path, f"{agent}/Acrobot-v1_{k}/eval", [9.0])
    assert set(read(tmp_path).algorithms) == {"ppo", "a2c"}


# --- questions -------------------------------------------------------------------------------------------------------


def test_several_things_in_the_logs_are_a_question_with_answers(tmp_path):
    for model, right in (("a", 6), ("b", 4)):
        rows = [document(n, acc=float(n < right), acc_norm=float(n < right - 1)) for n in range(10)]
        write_run(tmp_path, model, rows)
    found = held(tmp_path, algorithms=["a", "b"], unit="case")
    assert {end.answers["metric"] for end in found} == {"acc", "acc_norm"}


def test_studies_of_one_problem_with_both_directions_are_never_compared(tmp_path):
    studies = {f"{s}/{p}": (["MINIMIZE"], [("COMPLETE", v)]) for s, v in (("tpe", 1.0), ("qmc", 2.0)) for p in "xyz"}
    studies["cma/x"] = (["MAXIMIZE"], [("COMPLETE", 9.0)])
    for end in held(optuna(tmp_path / "s.db", studies), algorithms=["tpe", "qmc"], must_read=True):
        assert end.answers == {"where": "direction == 'lower'"}
