"""Results of SWE-bench in all their kinds, and trajectories of tau-bench: real ones, and one made file for every trap."""

import json

import numpy as np
import pytest

import podium
from podium.cases import pass_at_k, pass_hat_k
from podium.core.errors import DataError
from reading.logs_expected import check_cli, check_facts, compared, expected, folder
from refusals import refuses


@pytest.mark.parametrize(
    "name", ["swebench_verified_results_json", "swebench_minisweagent_details", "swebench_harness_report_v2"]
)
def test_real_results_give_their_facts(name, tmp_path):
    facts = expected(name)
    check_facts(podium.read(folder(name)), facts)
    if name != "swebench_verified_results_json":
        check_cli(tmp_path, [folder(name)], facts)


def test_money_is_the_cost_unless_another_is_named():
    facts = expected("swebench_minisweagent_details")
    cases = podium.read(folder("swebench_minisweagent_details"))
    assert dict(zip(cases.algorithms, cases.costs.mean(axis=0), strict=True)) == pytest.approx(facts["mean_cost_usd"])
    calls = podium.read(folder("swebench_minisweagent_details"), cost_column="api_calls")
    assert dict(zip(calls.algorithms, calls.costs.mean(axis=0), strict=True)) == pytest.approx(facts["mean_api_calls"])
    assert calls.cost.is_cost
    by = podium.read(folder("swebench_minisweagent_details"), cluster_column="repository")
    assert len(set(by.clusters)) == facts["clusters"]["n"]


def test_the_official_rule_counts_everything_else_as_failed(tmp_path):
    facts = expected("swebench_harness_report_v2")["official_rule_everything_else_fails"]
    data = compared(tmp_path, [folder("swebench_harness_report_v2"), "--missing", "wrong"])
    scores = {row["algorithm"]: row["mean_score"] for row in data["ranking"]}
    assert scores == pytest.approx(facts["mean_score_over_items"])


# --- Made files ------------------------------------------------------------------------------------------------------

IDS = [f"django__django-{i}" for i in range(6)] + [f"sympy__sympy-{i}" for i in range(4)]


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def report(resolved, **lists):
    named = {f"{name}_ids": [IDS[i] for i in places] for name, places in {"resolved": resolved, **lists}.items()}
    return {"total_instances": len(IDS), **named, "schema_version": 2}


def test_lists_of_a_report_overlap(tmp_path):
    """Infrastructure failures are among the unresolved ones or the errors, and completed ones among the errors."""
    one = report(
        [0],
        unresolved=[1, 2],
        error=[3, 4],
        infra_failure=[2, 4],
        empty_patch=[5],
        incomplete=[6],
        completed=[0, 1, 2, 3],
        submitted=range(6),
    )
    write(tmp_path / "acme__one.r1.json", one)
    write(tmp_path / "two.r1.json", report([0, 1], unresolved=range(2, 10)))
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("acme__one", "two")
    own = dict(zip(cases.cases, cases.values[:, 0], strict=True))
    assert [own[IDS[i]] for i in (0, 1, 5)] == [1, 0, 0]
    kinds = {case: why for (case, system), why in cases.reasons.items() if system == "acme__one"}
    assert kinds == {IDS[2]: "infrastructure", IDS[4]: "infrastructure", IDS[3]: "error", IDS[6]: "not submitted"}
    assert "2 infrastructure, 1 error and 1 not submitted" in " ".join(cases.notes)


def test_a_version_is_no_run(tmp_path):
    for name in ("claude-3.5", "claude-3.7", "gpt-4.1.run-2"):
        write(tmp_path / f"{name}.json", report([0], unresolved=[1]))
    assert podium.read(tmp_path).algorithms == ("claude-3.5", "claude-3.7", "gpt-4.1")


def test_two_runs_of_a_model_are_a_question(tmp_path):
    write(tmp_path / "a.r1.json", report([0], unresolved=[1, 2]))
    write(tmp_path / "a.r2.json", report([1], unresolved=[0, 2]))
    write(tmp_path / "b.r1.json", report([1], unresolved=[0, 2]))
    with refuses(DataError, "runs"):
        podium.read(tmp_path)
    assert podium.read(tmp_path, runs="repeats").samples.shape == (3, 2, 2)


def old_report(named, resolved, **lists):
    return {"no_generation": [], "generated": IDS[:named], "with_logs": IDS[:named], "resolved": resolved, **lists}


def test_no_patch_is_a_failure_whether_an_old_report_lists_it_or_not(tmp_path):
    """Some systems list what they made no patch for in `no_generation`, others leave it out of the file."""
    listed = old_report(6, IDS[:2], no_generation=IDS[6:], install_fail=[IDS[2]])
    absent = old_report(6, [IDS[0], IDS[0]])
    write(tmp_path / "lists-it.json", listed)
    write(tmp_path / "auto-code-rover.json", absent)
    write(tmp_path / "b.r1.json", report([0], unresolved=range(1, 10)))
    cases = podium.read(tmp_path)
    mean = dict(zip(cases.algorithms, np.nanmean(cases.values, axis=0), strict=True))
    assert mean == pytest.approx({"lists-it": 2 / 9, "auto-code-rover": 0.1, "b": 0.1})
    assert cases.reasons == {(IDS[2], "lists-it"): "install failed"}
    assert any("auto-code-rover (4)" in note and "no patch" in note for note in cases.notes)


def test_an_old_report_of_few_instances_may_be_of_another_split(tmp_path):
    write(tmp_path / "auto-code-rover.json", old_report(3, IDS[:1], no_generation=[IDS[3]]))
    write(tmp_path / "b.r1.json", report([0], unresolved=range(1, 10)))
    cases = podium.read(tmp_path)
    own = cases.values[:, cases.algorithms.index("auto-code-rover")]
    assert sorted(own[~np.isnan(own)]) == [0, 0, 0, 1]
    assert any("auto-code-rover (4 of 10)" in note and "another split" in note for note in cases.notes)


def test_swe_bench_pro_says_true_or_false_of_every_instance(tmp_path):
    """swe_bench_pro_eval.py writes eval_results.json: {instance_id: passed}."""
    ids = [f"instance_{name}-v{i}" for i, name in enumerate(IDS)]
    for system, resolved in (("agent-a", {0, 1, 2}), ("agent-b", {2, 3})):
        write(tmp_path / system / "eval_results.json", {name: i in resolved for i, name in enumerate(ids)})
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("agent-a", "agent-b")
    assert cases.values.sum(axis=0).tolist() == [3, 2]
    assert cases.n_cases == len(IDS)


def test_lists_may_be_written_in_camel_case(tmp_path):
    for name, resolved in (("a", IDS[:3]), ("b", IDS[2:4])):
        left = [each for each in IDS if each not in resolved]
        write(tmp_path / f"{name}.run1.json", {"totalInstances": 10, "resolvedIds": resolved, "unresolvedIds": left})
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("a", "b")
    assert cases.values.sum(axis=0).tolist() == [3, 2]
    assert not np.isnan(cases.values).any()


def boards(place):
    for system, resolved in (("20240101_a", IDS[:3]), ("20240102_b", IDS[1:5])):
        write(place / system / "results" / "results.json", {"no_generation": [], "no_logs": [], "resolved": resolved})


def test_a_board_needs_to_know_all_instances(tmp_path):
    boards(tmp_path / "mine")
    with refuses(DataError, "all_cases"):
        podium.read(tmp_path)
    cases = podium.read(tmp_path, all_cases="10")
    assert cases.algorithms == ("20240101_a", "20240102_b")
    assert cases.scores.tolist() == [0.3, 0.4]
    names = tmp_path / "all.txt"
    names.write_text("\n".join(IDS), encoding="utf-8")
    assert set(podium.read(tmp_path, all_cases=str(names)).cases) == set(IDS)
    (tmp_path / "instances.txt").write_text("\n".join(IDS), encoding="utf-8")
    cases = podium.read(tmp_path)
    assert cases.scores.tolist() == [0.3, 0.4]
    assert not any("left alone" in note and "instances.txt" in note for note in cases.notes)
    with refuses(DataError, "all_cases"):
        podium.read(tmp_path, all_cases="3")


def test_a_folder_named_for_a_split_has_its_size(tmp_path):
    boards(tmp_path / "evaluation" / "verified")
    cases = podium.read(tmp_path)
    assert cases.n_cases == 500
    assert cases.scores.tolist() == [3 / 500, 4 / 500]


def test_files_of_several_kinds_are_one_comparison(tmp_path):
    boards(tmp_path)
    write(tmp_path / "c.r1.json", report([9], unresolved=range(9)))
    details = {"mini": {name: {"resolved": name == IDS[0], "cost": 0.5, "api_calls": 3} for name in IDS}}
    write(tmp_path / "details.json", details)
    cases = podium.read(tmp_path)
    assert cases.n_cases == 10
    assert set(cases.algorithms) == {"20240101_a", "20240102_b", "c", "mini"}
    assert not np.isnan(cases.values).any()


def test_reports_of_single_instances(tmp_path):
    for model, right in (("m1", (1, 0)), ("m2", (1, 1))):
        for name, resolved in zip(IDS, right, strict=False):
            about = {"patch_is_None": False, "patch_exists": True, "resolved": bool(resolved), "tests_status": {}}
            write(tmp_path / "logs" / "run" / model / name / "report.json", {name: about})
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("m1", "m2")
    assert cases.values.tolist() == [[1, 1], [0, 1]]


# --- tau-bench -------------------------------------------------------------------------------------------------------


def test_real_trajectories_give_their_facts():
    facts = expected("taubench_gpt4o_airline")
    cases = podium.read(folder("taubench_gpt4o_airline"))
    check_facts(cases, facts)
    successes = cases.samples[:, 0].sum(axis=1)
    for k in range(1, 5):
        assert pass_hat_k(successes, 4, k).mean() == pytest.approx(facts["pass_hat_k"][str(k)])
        assert pass_at_k(successes, 4, k).mean() == pytest.approx(facts["pass_at_k"][str(k)])


def trial(task, number, reward, **info):
    policy = [{"role": "system", "content": "# Retail agent policy"}]
    return {"task_id": task, "reward": reward, "info": info, "traj": policy, "trial": number}


def test_trials_are_samples_and_almost_one_is_one(tmp_path):
    rewards = {"a": (1.0, 0.9999999), "b": (0.0, 0.5)}
    for name, own in rewards.items():
        write(tmp_path / f"{name}-retail.json", [trial(t, i, r) for t in (0, 1) for i, r in enumerate(own)])
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("a", "b")
    assert cases.scores.tolist() == [1, 0]
    assert cases.samples.shape == (2, 2, 2)
    assert "tau-bench retail" in cases.notes[0]


def test_names_that_tau_bench_writes(tmp_path):
    for name in (
        "tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0612143021",
        "react-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0612143022",
    ):
        broken = trial(1, 0, 0.0, error="RateLimitError: timeout", traceback="...")
        write(tmp_path / f"{name}.json", [trial(0, 0, 1.0), broken])
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("react-gpt-4o-0.0", "tool-calling-gpt-4o-0.0")
    assert set(cases.reasons.values()) == {"timeout"}


def test_tau2_bench(tmp_path):
    for model, reward in (("m1", 1.0), ("m2", 0.0)):
        runs = [
            {
                "id": "x",
                "task_id": str(t),
                "trial": i,
                "reward_info": {"reward": reward},
                "agent_cost": 0.1,
                "duration": 3.0,
            }
            for t in range(3)
            for i in range(2)
        ]
        info = {
            "num_trials": 2,
            "agent_info": {"implementation": "llm_agent", "llm": model},
            "environment_info": {"domain_name": "telecom"},
        }
        write(tmp_path / f"{model}.json", {"timestamp": "2026-01-01", "info": info, "tasks": [], "simulations": runs})
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("m1", "m2")
    assert cases.scores.tolist() == [1, 0]
    assert cases.samples.shape == (3, 2, 2)


def test_tau2_bench_counts_errors_of_the_agent_and_not_of_the_infrastructure(tmp_path):
    for model in "ab":
        ends = ("agent_stop", "agent_error", "user_error", "too_many_errors", "max_steps", "infrastructure_error")
        runs = [
            {"task_id": str(t), "trial": 0, "termination_reason": end, "reward_info": {"reward": float(t == 0)}}
            for t, end in enumerate(ends)
        ]
        info = {"num_trials": 1, "agent_info": {"llm": model}, "environment_info": {"domain_name": "retail"}}
        write(tmp_path / f"{model}.json", {"info": info, "simulations": runs})
    cases = podium.read(tmp_path)
    assert np.nansum(cases.values, axis=0).tolist() == [1, 1]
    assert cases.reasons == {("5", "a"): "infrastructure", ("5", "b"): "infrastructure"}
