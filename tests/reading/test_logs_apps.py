"""promptfoo, deepeval and HELM: real files against their facts, and one made file for every trap."""

import csv
import json

import numpy as np
import pytest

import podium
from podium.core.errors import DataError
from reading.logs_expected import check_cli, check_facts, compared, expected, folder
from refusals import refuses


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


# --- promptfoo -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["", "results.json", "results.jsonl", "results.csv"])
def test_promptfoo_in_all_its_forms(file):
    check_facts(podium.read(folder("promptfoo_a") / file), expected("promptfoo_a"))


def test_promptfoo_on_the_command_line(tmp_path):
    facts = expected("promptfoo_a")
    check_cli(tmp_path, [folder("promptfoo_a")], facts)
    data = compared(tmp_path, [folder("promptfoo_a"), "--missing", "wrong"])
    scores = {row["algorithm"]: row["mean_score"] for row in data["ranking"]}
    assert scores == pytest.approx(facts["errors_as_fail"]["mean_score_over_items"])


@pytest.mark.parametrize("metric,facts", [("score", "graded_score"), ("correct", "named_metric_correct")])
def test_promptfoo_by_other_metrics(metric, facts):
    check_facts(podium.read(folder("promptfoo_a"), metric=metric), expected("promptfoo_a")[facts])


def outcome(case, column, success, *, provider="p", prompt="{{q}}", reason=None, **more):
    return {
        "provider": {"id": provider},
        "prompt": {"raw": f"rendered {case}", "label": prompt},
        "promptIdx": column,
        "testIdx": more.pop("test", 0),
        "vars": more.pop("given", {"q": case}),
        "success": success,
        "score": float(success),
        "namedScores": {},
        "gradingResult": {"pass": success},
        "testCase": {"assert": more.pop("asserts", [{"type": "equals", "value": "x"}]), "vars": {}},
        "error": None if success else "Expected output to equal x",
        "failureReason": reason if reason is not None else 0 if success else 1,
        **more,
    }


def write_promptfoo(path, rows, version=3):
    return write(path, {"evalId": "e", "results": {"version": version, "results": rows, "stats": {}}})


def test_the_text_of_an_error_is_no_error(tmp_path):
    rows = [outcome(c, i, c != "b", provider=f"p{i}") for i in range(2) for c in "abc"]
    rows[2] = outcome("c", 0, False, provider="p0", reason=2, gradingResult=None, error="Error: timed out")
    cases = podium.read(write_promptfoo(tmp_path / "r.json", rows))
    assert cases.algorithms == ("p0", "p1")
    assert list(cases.reasons.values()) == ["timeout"]
    assert cases.values[1].tolist() == [0, 0]


def test_old_results_without_a_reason(tmp_path):
    rows = [outcome(c, i, False, provider=f"p{i}") for i in range(2) for c in "abc"]
    for row in rows:
        del row["failureReason"], row["promptIdx"]
    rows[0]["gradingResult"] = None
    cases = podium.read(write_promptfoo(tmp_path / "r.json", rows, version=2))
    assert np.isnan(cases.values).sum() == 1


def test_a_column_is_a_system_and_repeats_are_samples(tmp_path):
    rows = []
    for test, case in enumerate("ab" * 3):  # --repeat 3: each repeat has a number of its own
        for column, (provider, prompt) in enumerate((p, q) for p in ("x", "y") for q in ("short", "long")):
            rows.append(outcome(case, column, (test + column) % 2 == 0, provider=provider, prompt=prompt, test=test))
    cases = podium.read(write_promptfoo(tmp_path / "r.json", rows))
    assert set(cases.algorithms) == {"x / prompt 0", "x / prompt 1", "y / prompt 0", "y / prompt 1"}
    assert cases.n_cases == 2
    assert cases.samples.shape == (2, 4, 3)


def test_the_same_provider_twice_is_told_apart_by_its_column(tmp_path):
    rows = [outcome(c, i, True, provider="same") for i in range(2) for c in "abc"]
    assert set(podium.read(write_promptfoo(tmp_path / "r.json", rows)).algorithms) == {
        "same (column 0)",
        "same (column 1)",
    }


def test_the_same_variables_with_other_assertions_are_another_case(tmp_path):
    rows = [
        outcome("a", i, True, provider=f"p{i}", asserts=[{"type": "equals", "value": value}])
        for i in range(2)
        for value in "xy"
    ]
    assert podium.read(write_promptfoo(tmp_path / "r.json", rows)).n_cases == 2


def test_numbers_and_texts_are_the_same_variable(tmp_path):
    write_promptfoo(tmp_path / "a.json", [outcome("", 0, True, provider="a", given={"n": n}) for n in (1, 2)])
    write_promptfoo(tmp_path / "b.json", [outcome("", 0, False, provider="b", given={"n": n}) for n in ("1", "2")])
    cases = podium.read(tmp_path)
    assert cases.values.tolist() == [[1, 0], [1, 0]]


def test_an_old_csv_has_its_grades_in_the_cells(tmp_path):
    path = tmp_path / "old.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = [
            ["q", "[gpt-4] {{q}}", "[gpt-3] {{q}}"],
            ["a", "[PASS] yes", "[FAIL] (0.33) no\n---\nx"],
            ["b", "[PASS] y", "[ERROR] e"],
        ]
        csv.writer(file).writerows(rows)
    cases = podium.read(path)
    assert cases.algorithms == ("gpt-4", "gpt-3")
    assert cases.values[0].tolist() == [1, 0]
    assert set(cases.reasons.values()) == {"error"}


# --- deepeval --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["Right", "Brevity"])
def test_deepeval_by_metric(metric, tmp_path):
    facts = expected("deepeval_testruns")["by_metric"][metric]
    check_facts(podium.read(folder("deepeval_testruns"), metric=metric), facts)
    check_cli(tmp_path, [folder("deepeval_testruns"), "--metric", metric], facts)


def test_deepeval_by_success():
    cases = podium.read(folder("deepeval_testruns"))
    check_facts(cases, expected("deepeval_testruns")["test_success"])
    assert any("it counts once" in note for note in cases.notes)


def run_of(system, scores, **more):
    def case(i, score):
        metric = {"name": "Bias", "score": score, "threshold": 0.5, "success": score <= 0.5}
        return {
            "name": more.get("name", "case_{}").format(i),
            "input": f"q{i}",
            "success": score <= 0.5,
            "metricsData": [metric],
        }

    return {
        "testCases": [case(i, s) for i, s in enumerate(scores)],
        "metricsScores": [],
        "identifier": system,
        **more.get("about", {}),
    }


def test_scores_that_pass_below_their_threshold_are_better_when_lower(tmp_path):
    write(tmp_path / "a.json", {"testRunData": run_of("a", (0.1, 0.9, 0.2))})
    write(tmp_path / "b.json", run_of("b", (0.8, 0.9, 0.2)))
    assert podium.read(tmp_path, metric="Bias").metric.direction == "lower"


def test_cases_that_are_only_numbered_are_matched_by_what_was_asked(tmp_path):
    one, two = run_of("a", (0.1, 0.9, 0.2), name="test_case_{}"), run_of("b", (0.8, 0.9, 0.2), name="test_case_{}")
    for at, case in enumerate(reversed(two["testCases"])):
        case["name"] = f"test_case_{at}"
    two["testCases"].reverse()
    write(tmp_path / "a.json", one)
    write(tmp_path / "b.json", two)
    cases = podium.read(tmp_path)
    assert cases.n_cases == 3
    assert cases.values.tolist() == [[1, 0], [0, 0], [1, 1]]


def test_a_run_without_identifier_is_named_by_its_hyperparameters(tmp_path):
    for prompt in ("long", "short"):
        about = {"hyperparameters": {"model": "m", "prompt": prompt}}
        write(tmp_path / f"{prompt}.json", run_of(None, (0.1, 0.2), about=about))
    assert podium.read(tmp_path).algorithms == ("m (prompt=long)", "m (prompt=short)")


# --- HELM ------------------------------------------------------------------------------------------------------------


def test_helm_gives_its_facts(tmp_path):
    facts = expected("helm_made")
    check_facts(podium.read(folder("helm_made")), facts)
    for subject, own in facts["by_subject"].items():
        where = f"benchmark == 'mmlu:subject={subject}'"
        check_facts(podium.read(folder("helm_made"), where=where), own)
        check_cli(tmp_path, [folder("helm_made"), "--where", where], own)
    perturbed = podium.read(folder("helm_made"), metric="exact_match", where="perturbation == 'misspelling'")
    check_facts(perturbed, facts["perturbed_rows"])


def stat(name, value, split="test", perturbation=None):
    about = {"name": name, "split": split, **({"perturbation": perturbation} if perturbation else {})}
    return {"name": about, "count": 1, "sum": value, "mean": value}


def write_helm(place, model, instances, scenario="mmlu:subject=x"):
    own = place / f"{scenario},model={model}"
    write(own / "per_instance_stats.json", instances)
    write(own / "run_spec.json", {"name": own.name, "adapter_spec": {"model": model.replace("_", "/")}})


def instance(number, value, *, split="test", trial=0, **more):
    stats = [
        stat("exact_match", value, split),
        stat("num_prompt_tokens", 100, split),
        stat("num_completion_tokens", 5, split),
    ]
    return {"instance_id": f"id{number}", "train_trial_index": trial, "stats": stats, **more}


def test_of_several_splits_test_is_compared(tmp_path):
    for model in ("lab_a", "lab_b"):
        write_helm(tmp_path, model, [instance(i, 1.0, split="valid" if i == 9 else "test") for i in range(10)])
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("lab/a", "lab/b")
    assert cases.n_cases == 9
    assert any("Only cases with split 'test'" in note for note in cases.notes)
    assert podium.read(tmp_path, where="split in ['test', 'valid']").n_cases == 10
    assert podium.read(tmp_path, where="split == 'valid'").n_cases == 1
    assert cases.cost.name == "tokens"
    assert cases.costs[0].tolist() == [105, 105]


def test_ids_of_two_scenarios_are_not_the_same(tmp_path):
    for model in ("a", "b"):
        for subject in ("x", "y"):
            write_helm(
                tmp_path,
                model,
                [instance(i, 1.0, trial=t) for i in range(3) for t in range(2)],
                f"mmlu:subject={subject}",
            )
    cases = podium.read(tmp_path)
    assert cases.n_cases == 6
    assert set(cases.benchmarks) == {"mmlu:subject=x", "mmlu:subject=y"}
    assert cases.samples.shape == (6, 2, 2)


def test_of_runs_without_a_date_the_last_folder_is_taken_and_named(tmp_path):
    """All files of HELM have the same name; v10 comes after v9."""
    for model in ("lab_a", "lab_b"):
        write_helm(tmp_path / "v9", model, [instance(i, 1.0) for i in range(3)])
    write_helm(tmp_path / "v10", "lab_a", [instance(i, 0.0) for i in range(3)])
    with refuses(DataError, "runs"):
        podium.read(tmp_path)
    cases = podium.read(tmp_path, runs="newest")
    assert cases.values.mean(axis=0).tolist() == [0, 1]
    assert any("the last by name, because no date distinguishes them: v10/" in note for note in cases.notes)


def test_statistics_without_a_main_one_are_a_question(tmp_path):
    for model in ("a", "b"):
        entries = [
            {"instance_id": f"id{i}", "train_trial_index": 0, "stats": [stat("f2", 1.0), stat("g2", 0.5)]}
            for i in range(3)
        ]
        write_helm(tmp_path, model, entries, "own:x=1")
    with refuses(DataError, "metric"):
        podium.read(tmp_path)


@pytest.mark.parametrize(
    "metric,direction",
    [
        ("annotation_label_correct_answer", "higher"),
        ("harmlessness", "higher"),
        ("safety_score", "higher"),
        ("wer_score", "lower"),
        ("ece_10_bin", "lower"),
        ("bits_per_byte", "lower"),
        ("toxic_frac", "lower"),
    ],
)
def test_helm_directions_are_by_whole_words(tmp_path, metric, direction):
    for model in ("lab_a", "lab_b"):
        one = [{"instance_id": f"i{i}", "train_trial_index": 0, "stats": [stat(metric, 0.5, "test")]} for i in range(3)]
        write_helm(tmp_path, model, one, scenario="other")
    assert podium.read(tmp_path).metric.direction == direction


def test_what_deepeval_returned_in_snake_case(tmp_path):
    """`EvaluationResult.model_dump_json()`: test_results with metrics_data, no identifier."""
    for system, scores in (("alpha", (0.9, 0.2)), ("beta", (0.8, 0.7))):
        rows = [
            {"name": f"t{i}", "success": score >= 0.5, "conversational": False, "input": f"q{i}",
             "metrics_data": [{"name": "Relevancy", "score": score, "threshold": 0.5, "success": score >= 0.5, "error": None}]}
            for i, score in enumerate(scores)
        ]  # fmt: skip
        (tmp_path / f"{system}.json").write_text(json.dumps({"test_results": rows, "confident_link": None}))
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("alpha", "beta")
    assert cases.values.tolist() == [[1, 1], [0, 1]]
    relevancy = podium.read(tmp_path, metric="Relevancy")
    assert relevancy.values.tolist() == [[0.9, 0.8], [0.2, 0.7]]
    assert relevancy.metric.direction == "higher"


def test_deepeval_cases_without_a_verdict_pass_if_all_their_metrics_do(tmp_path):
    for system, passed in (("alpha", True), ("beta", False)):
        rows = [
            {"name": f"c{i}", "metricsData": [{"name": "Relevancy", "score": 0.5, "success": passed}]} for i in range(4)
        ]
        write(tmp_path / f"{system}.json", {"deepevalVersion": "1", "identifier": system, "testCases": rows})
    assert podium.read(tmp_path).scores.tolist() == [1, 0]
