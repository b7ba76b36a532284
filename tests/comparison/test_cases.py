"""The guided path on the same test cases: outcomes and predictions, the choices, the words, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import podium
from podium.cli import main
from podium.cli.main import app
from podium.core.errors import PodiumError
from podium.evidence.cases import as_cases
from podium.report.comparison import comparison_data
from podium.report.documents import document
from refusals import refuses
from style import refused


def outcomes(n=120, seed=1):
    random = np.random.default_rng(seed)
    hard = random.random((n, 1))
    passed = random.random((n, 4)) * 0.5 + hard * 0.5 < np.array([0.75, 0.7, 0.6, 0.45])
    return pd.DataFrame(passed.astype(float), columns=["ant", "bee", "cat", "dog"])


def run(*words):
    return CliRunner().invoke(app, ["compare", *map(str, words)])


def shell(monkeypatch, capsys, *words):
    """Exit code and error stream, as the shell sees them."""
    monkeypatch.setattr("sys.argv", ["podium", "compare", *map(str, words)])
    with pytest.raises(SystemExit) as exit_:
        main.run()
    return exit_.value.code, " ".join(capsys.readouterr().err.split())


def test_the_pairs_are_those_of_the_cases_room():
    found = podium.compare(outcomes(), unit="case")
    plain = podium.cases.all_pairs(outcomes())

    assert found.facts.unit == "case"
    assert found.facts.n_cases == 120
    assert np.array_equal(found.pairs.adjusted, plain.adjusted)
    assert [row.algorithm for row in found.ranking] == ["ant", "bee", "cat", "dog"]
    assert found.ranking[0].mean_score == pytest.approx(outcomes()["ant"].mean())
    assert found.ranking[0].low < found.ranking[0].mean_score < found.ranking[0].high


def test_places_follow_the_decisions():
    found = podium.compare(outcomes(), unit="case")
    better = found.pairs.better(0.05)
    for row in found.ranking:
        place = found.pairs.algorithms.index(row.algorithm)
        assert (row.rank_low, row.rank_high) == (1 + better[:, place].sum(), 4 - better[place].sum())


@pytest.mark.parametrize("settings", [{}, {"control": "cat"}, {"intervals": "each"}, {"confidence": 0.9}])
def test_sentences_never_speak_of_datasets(settings):
    frame = outcomes()
    frame.iloc[3, 1] = np.nan
    found = podium.compare(frame, unit="case", **settings)
    said = [found.summary(), found.methods_paragraph, *(remark.sentence for remark in found.remarks)]
    said += [choice.because for choice in found.choices]

    assert not any("dataset" in sentence for sentence in said)
    assert [refused(sentence) for sentence in said if refused(sentence)] == []
    assert "percentage points" in found.summary()


def test_the_detectable_difference_and_the_fewest_cases_are_said():
    found = podium.compare(outcomes(), unit="case")
    topics = {remark.topic: remark.sentence for remark in found.remarks}
    assert "with a power of 80%" in topics["power"]
    assert any(sentence.startswith("Without ") for sentence in found.extra("leaderboard").sentences())
    two = podium.compare(outcomes(), unit="case", algorithms=list(found.table.algorithms[:2]))
    topics = {remark.topic: remark.sentence for remark in two.remarks}
    assert topics["sensitive to few cases"].startswith("Without ")


def test_the_fewest_cases_are_enough_and_no_fewer_are():
    frame = outcomes()[["ant", "bee"]]
    found = podium.compare(frame, unit="case")
    said = next(remark.sentence for remark in found.remarks if remark.topic == "sensitive to few cases")
    count = int(said.split()[1])
    for_ant = frame.index[(frame["ant"] == 1) & (frame["bee"] == 0)]
    lead = frame["ant"].sum() - frame["bee"].sum()
    without = frame.drop(index=for_ant[:count])
    assert count == lead
    assert without["ant"].sum() == without["bee"].sum()


def test_remarks_that_the_data_call_for():
    same = outcomes()[["ant", "bee"]].assign(twin=outcomes()["ant"])
    topics = {remark.topic for remark in podium.compare(same, unit="case").remarks}
    assert "identical algorithms" in topics
    few = pd.DataFrame({"a": [1] * 20, "b": [1] * 16 + [0] * 4})
    assert "few disagreements" in {remark.topic for remark in podium.compare(few, unit="case").remarks}
    y = np.array([1] * 10 + [0] * 90)
    scores = {name: y + np.random.default_rng(seed).normal(size=100) for seed, name in enumerate("ab")}
    assert "few cases of one class" in {r.topic for r in podium.compare(scores, truth=y, metric="auc").remarks}


def test_another_policy_that_leaves_too_few_cases_is_said():
    """Three cases, one of them a hole: left out, two remain, which allow no test."""
    frame = pd.DataFrame({"a": [0.3, 0.4, 0.1], "b": [0.3, np.nan, 0.2]})
    found = podium.compare(frame, unit="case", missing="wrong")
    assert any("would leave too few cases for a test" in remark.sentence for remark in found.remarks)


def test_holes_say_what_another_policy_would_change():
    frame = pd.DataFrame({"a": [1.0] * 30, "b": [1.0] * 20 + [np.nan] * 10})
    found = podium.compare(frame, unit="case")
    said = next(remark.sentence for remark in found.remarks if remark.topic == "missing outcomes")
    assert "10 outcomes are missing: b (10)" in said
    assert "Counting them as wrong would change the decision on a and b." in said
    assert "a is significantly better than b" in str(podium.compare(frame, unit="case", missing="wrong").verdict)
    with refuses(PodiumError, "missing"):
        podium.compare(frame, unit="case", missing="refuse")
    assert podium.compare(frame, unit="case", missing="complete").facts.n_cases == 20


def test_a_pair_without_a_common_case_of_a_benchmark_is_named():
    values = outcomes(60)[["ant", "bee", "cat"]]
    values.loc[40:49, "bee"] = values.loc[50:59, "cat"] = np.nan
    labels = ["x"] * 40 + ["y"] * 20
    found = podium.compare(as_cases(values, benchmarks=labels))
    said = {remark.topic: remark for remark in found.remarks}["a benchmark that a pair lacks"]
    assert (said.weight, "bee and cat" in said.sentence, "ant" in said.sentence) == ("caution", True, False)
    whole = podium.compare(as_cases(values[["ant", "bee"]], benchmarks=labels))
    assert "a benchmark that a pair lacks" not in {remark.topic for remark in whole.remarks}


@pytest.mark.parametrize("name", ["omnibus", "test", "correction"])
def test_what_belongs_to_datasets_is_refused(name):
    with pytest.raises(PodiumError, match="over datasets"):
        podium.compare(outcomes(), unit="case", **{name: "holm"})


def test_costs_order_cases_too_and_a_cost_that_is_none_is_refused():
    found = podium.compare(outcomes(), unit="case", cost={"ant": 4.0, "bee": 3.0, "cat": 2.0, "dog": 1.0})
    # cat is cheaper than bee, and not significantly worse (p = 0.08); ant is significantly better than all.
    assert found.cost_order.to_frame()["algorithm"].tolist() == ["ant", "cat", "bee", "dog"]
    with refuses(PodiumError, "cost"):
        podium.compare(outcomes(), unit="case", cost="holm")


def test_every_format_shows_it_and_the_json_repeats_it():
    from podium.comparison.compare import reproduce
    from podium.report.render_html import render_html
    from podium.report.render_latex import render_latex
    from podium.report.render_markdown import render_markdown
    from podium.report.render_text import render_text

    found = podium.compare(outcomes(), unit="case")
    shown = document(found)
    for render in (render_html, render_latex, render_markdown, render_text):
        text = str(render(shown))
        assert "120 cases" in text
    data = json.loads(json.dumps(comparison_data(found)))
    again = comparison_data(reproduce(data["repeat"]))
    assert json.loads(json.dumps(again)) == data


@pytest.mark.parametrize("metric", ["auc", "average_precision"])
def test_predictions_are_compared_and_repeated(metric):
    from podium.comparison.compare import reproduce

    random = np.random.default_rng(3)
    y = (random.random(200) < 0.3).astype(int)
    scores = {name: y * 0.5 + random.normal(size=200) * s for name, s in (("one", 0.4), ("two", 0.5), ("six", 1.0))}
    found = podium.compare(scores, truth=y, metric=metric)
    plain = podium.cases.compare_predictions(y, scores, metric=metric)
    assert np.array_equal(found.pairs.pvalue, plain.pvalue)
    data = json.loads(json.dumps(comparison_data(found)))
    assert json.loads(json.dumps(comparison_data(reproduce(data["repeat"])))) == data


def test_labels_f1_and_numbers_rmse():
    random = np.random.default_rng(4)
    y = random.integers(0, 2, 150)
    labels = {name: np.where(random.random(150) < p, y, 1 - y) for name, p in (("a", 0.9), ("b", 0.8))}
    found = podium.compare(labels, truth=y, metric="f1")
    from sklearn.metrics import f1_score

    assert {row.algorithm: row.mean_score for row in found.ranking}["a"] == pytest.approx(f1_score(y, labels["a"]))
    numbers = {"a": y + random.normal(size=150), "b": y + 2 * random.normal(size=150)}
    assert podium.compare(numbers, truth=y.astype(float), metric="rmse").ranking[0].algorithm == "a"


# Files


def test_long_outcomes_by_the_names_of_columns(tmp_path):
    frame = outcomes().rename_axis("item").reset_index().melt(id_vars="item", var_name="model", value_name="correct")
    frame["correct"] = frame["correct"].map({1.0: "C", 0.0: "I"})
    frame.loc[5, "correct"] = "TimeoutError: 60 s"
    path = tmp_path / "outcomes.csv"
    frame.to_csv(path, index=False)
    done = run(path, "--json", "-")
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)["facts"]
    assert (facts["unit"], facts["n_cases"], facts["kind"], facts["metric"]) == ("case", 120, "pass_fail", "accuracy")
    assert [hole["why"] for hole in facts["missing_scores"]] == ["timeout"]


def test_wide_outcomes_need_the_unit_where_names_are_silent(tmp_path):
    path = tmp_path / "wide.csv"
    outcomes().rename_axis("id").to_csv(path)
    asked = run(path, "--unit", "case", "--json", "-")
    assert asked.exit_code == 0, asked.output
    assert json.loads(asked.stdout)["facts"]["n_cases"] == 120
    named = outcomes().rename_axis("question")
    named.to_csv(path)
    assert json.loads(run(path, "--json", "-").stdout)["facts"]["unit"] == "case"


def test_samples_are_averaged_and_never_counted_as_cases(tmp_path):
    random = np.random.default_rng(0)
    rows = [
        (model, case, sample, int(random.random() < p))
        for model, p in (("a", 0.8), ("b", 0.5))
        for case in range(40)
        for sample in range(5)
    ]
    path = tmp_path / "samples.csv"
    pd.DataFrame(rows, columns=["model", "case", "attempt", "passed"]).to_csv(path, index=False)
    facts = json.loads(run(path, "--json", "-").stdout)["facts"]
    assert (facts["n_cases"], facts["n_samples"], facts["kind"], facts["metric"]) == (40, 5, "bounded", "pass rate")


def test_benchmarks_have_the_same_weight(tmp_path):
    path = tmp_path / "b.csv"
    frame = outcomes()[["ant", "dog"]].assign(suite=["x"] * 100 + ["y"] * 20).rename_axis("case")
    frame.to_csv(path)
    data = json.loads(run(path, "--benchmark-column", "suite", "--json", "-").stdout)
    ant = next(row for row in data["ranking"] if row["algorithm"] == "ant")
    assert ant["mean_score"] == pytest.approx(frame.groupby("suite")["ant"].mean().mean())
    assert data["facts"]["mean"] == "macro"


def test_predictions_of_one_file(tmp_path):
    random = np.random.default_rng(5)
    y = (random.random(90) < 0.4).astype(int)
    frame = pd.DataFrame({"y_true": y, "svm": y + random.normal(size=90), "knn": random.normal(size=90)})
    path = tmp_path / "predictions.csv"
    frame.to_csv(path, index=False)
    done = run(path, "--truth", "y_true", "--metric", "auc", "--json", "-")
    assert done.exit_code == 0, done.output
    from sklearn.metrics import roc_auc_score

    scores = {row["algorithm"]: row["mean_score"] for row in json.loads(done.stdout)["ranking"]}
    assert scores["svm"] == pytest.approx(roc_auc_score(y, frame["svm"]))


def test_submissions_with_missing_cases_another_order_and_floats(tmp_path, monkeypatch, capsys):
    truth = pd.DataFrame({"Id": [f"i{i}" for i in range(60)], "Label": [i % 3 for i in range(60)], "Usage": "Public"})
    truth.to_csv(tmp_path / "solution.csv", index=False)
    right = truth[["Id", "Label"]]
    right.sample(frac=1, random_state=0).astype({"Label": float}).to_csv(tmp_path / "submission_x.csv", index=False)
    right.assign(Label=0).head(50).to_csv(tmp_path / "submission_y.csv", index=False)
    done = run(tmp_path, "--truth", tmp_path / "solution.csv", "--metric", "accuracy", "--json", "-")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert {row["algorithm"]: row["mean_score"] for row in data["ranking"]} == {"x": 1.0, "y": pytest.approx(17 / 50)}
    assert (len(data["facts"]["missing_scores"]), data["pairs"]["n"]) == (10, [50])
    several = run(tmp_path / "submission_x.csv", tmp_path / "submission_y.csv", "--truth", tmp_path / "solution.csv",
                  "--metric", "accuracy", "--missing", "wrong", "--json", "-")  # fmt: skip
    assert json.loads(several.stdout)["pairs"]["n"] == [60]
    code, told = shell(monkeypatch, capsys, tmp_path, "--truth", tmp_path / "solution.csv", "--metric", "macro_f1")
    assert code == 2
    assert "--missing to 'complete'" in told


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("case,a,b\n1,1,0\n1,0,1\n", [], "occurs in more than one row"),
        ("case,model,score\n1,a,1\n1,a,0\n1,b,1\n", [], "more than one outcome"),
        ("case,a,b\n1,1,maybe\n2,0,1\n", [], "is not an outcome"),
        ("case,a\n1,1\n2,0\n", [], "fewer than 2 systems"),
        ("case,a,b\n1,12.5,3\n2,7,9\n", [], "--direction"),
        ("y,a,b\n1,0.2,0.3\n1,0.4,0.3\n", ["--truth", "y", "--metric", "auc"], "one class only"),
        ("y,a,b\n1,1.2,0.3\n0,0.4,0.3\n", ["--truth", "y", "--metric", "brier"], "between 0 and 1"),
        ("y,a,b\n1,cat,dog\n0,dog,cat\n", ["--truth", "y", "--metric", "f1"], "no label in common"),
        ("y,a,b\n1,cat,1\n0,dog,0\n", ["--truth", "y", "--metric", "f1"], "has text"),
        ("y,a,b\n1,1,1\n0,0,0\n", ["--truth", "z", "--metric", "f1"], "no column 'z'"),
        ("y,a,b\n1,1,1\n0,0,0\n", ["--truth", "y"], "--metric"),
        ("id,y,a,b\n7,1,1,1\n7,0,0,0\n", ["--truth", "y", "--metric", "f1"], "more than once"),
    ],
)
def test_bad_files_are_one_sentence(tmp_path, monkeypatch, capsys, text, words, said):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    code, told = shell(monkeypatch, capsys, path, *words)
    assert code == 2
    assert said in told
    assert "Traceback" not in told


def test_constant_predictions_and_equal_systems_have_a_right_result():
    y = np.array([0, 1] * 20)
    found = podium.compare({"a": np.full(40, 0.5), "b": np.full(40, 0.5)}, truth=y, metric="auc")
    assert [row.mean_score for row in found.ranking] == [0.5, 0.5]
    assert found.pairs.adjusted.tolist() == [1.0]
    assert "same scores on every case" in found.verdict.headline


def figures(found):
    return {block.key: s.key for s in document(found).sections for block in s.blocks if hasattr(block, "figure")}


def test_figures_of_cases_stand_where_the_registry_says():
    cases = podium.read(outcomes().assign(benchmark=["x", "y"] * 60), unit="case")
    assert figures(podium.compare(cases)) == {
        "gaps": "verdict",
        "score_intervals": "ranking",
        "forest": "pairs",
        "comparison_matrix": "pairs",
        "discordance": "pairs",
        "benchmark_forest": "pairs",
        "agreement_matrix": "data",
        "case_map": "data",
    }
    y = np.arange(60) % 3 == 0
    scores = {name: y + np.random.default_rng(seed).normal(size=60) for seed, name in enumerate("ab")}
    assert figures(podium.compare(scores, truth=y, metric="auc")) == {
        "gaps": "verdict",
        "score_intervals": "ranking",
        "roc_curves": "ranking",
        "pr_curves": "ranking",
    }


def test_a_new_figure_reaches_the_report_by_its_line_in_the_registry(monkeypatch):
    from dataclasses import replace

    from podium.plot import registry

    planted = replace(registry.FIGURES["performance_profile"], about="data", of="Cases")
    monkeypatch.setitem(registry.FIGURES, "performance_profile", planted)
    assert figures(podium.compare(outcomes(), unit="case"))["performance_profile"] == "data"
