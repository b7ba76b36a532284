"""The paper's table: every score, the best in bold, means, mean ranks and marks of significance."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.labels import MOST, short_labels
from podium.evidence.runs import as_runs
from podium.report.documents import document
from podium.report.html_blocks import table_html
from podium.report.latex_tables import table_latex
from podium.report.render_json import render_csv
from podium.report.render_markdown import table_markdown
from podium.report.tables import paper_block
from program import podium as run_podium


@pytest.fixture(scope="module")
def published():
    return podium.compare(podium.example("benavoli2016"))


def test_the_last_row_has_the_published_mean_ranks_and_marks_who_is_worse(published):
    table = published.paper_table()
    assert table.rows == published.table.datasets
    assert table.algorithms[0] == published.ranking[0].algorithm
    frame = table.to_frame()
    assert list(frame.index[-2:]) == ["Mean", "Mean rank"]
    assert np.allclose(frame.loc["Mean rank"], [row.mean_rank for row in published.ranking])
    marked = {name for name, text in zip(table.algorithms, table.texts()[-1], strict=True) if text.endswith("†")}
    assert marked == {"C4"}
    assert "Significantly worse (†) than C3 (adjusted p ≤ 0.05)." in table.note


def test_bold_is_the_best_as_printed_and_never_a_whole_row():
    scores = pd.DataFrame(
        {"a": [0.5, 0.7, 0.90001], "b": [0.5, 0.8, 0.90002], "c": [0.5, np.nan, 0.1]}, index=list("xyz")
    )
    best = podium.compare(podium.read(scores, metric="accuracy")).paper_table()
    cells = pd.DataFrame(best.best[:3], index=best.rows, columns=best.algorithms)[["a", "b", "c"]]
    assert cells.to_numpy().tolist() == [[False] * 3, [False, True, False], [True, True, False]]
    lower = podium.compare(podium.read(scores, metric="error", direction="lower")).paper_table()
    assert lower.algorithms[int(np.argmax(lower.best[2]))] == "c"


def test_scores_have_the_digits_that_the_source_has_and_means_four():
    columns = {"a": [0.706, 0.9, 0.8], "b": [0.7, 0.812, 0.75]}
    tenths = podium.compare(podium.read(pd.DataFrame(columns, index=list("xyz")), metric="accuracy")).paper_table()
    assert tenths.texts()[0][:2] == ["70.6", "70.0"]
    assert tenths.texts()[3][0] == "80.20"
    columns["b"][0] = 0.70012345
    many = podium.compare(podium.read(pd.DataFrame(columns, index=list("xyz")), metric="accuracy")).paper_table()
    assert many.texts()[0][:2] == ["70.60", "70.01"]


def test_a_control_is_what_marks_refer_to():
    table = podium.compare(podium.example("benavoli2016"), control="C4").paper_table()
    assert "than C4" in table.note
    assert {text[-1] for text in table.texts()[-1]} & {"‡"}


def test_deviations_reach_every_form_and_the_csv_reads_back(tmp_path):
    file = tmp_path / "accuracy.csv"
    lines = [f"d{i},{80 + i % 3}.5 ± 0.{i % 9 + 1},{78 + i % 4}.25 ± 1.5,{60 + i}.0 ± 2" for i in range(8)]
    file.write_text("\n".join(["dataset,svm,rf,knn", *lines]))
    table = podium.compare(podium.read(file, mean_sd=True)).paper_table()
    block = paper_block(table)
    assert r"$\pm$ 1.50" in table_latex(block)
    assert "± 1.50" in table_markdown(block)
    assert "± 1.50" in table_html(block)
    rows = list(csv.DictReader(io.StringIO(render_csv(block))))
    assert [row["rf_std"] for row in rows] == ["1.5"] * 8 + ["", ""]
    back = tmp_path / "back_accuracy.csv"
    back.write_text(render_csv(block))
    again = podium.read(back, summaries="drop", metric="accuracy").scores()
    assert np.allclose(again.select(["svm"]).deviations[:, 0], [0.1 * (i + 1) for i in range(8)])


def test_folds_runs_and_benchmarks_have_a_table_by_their_own_words():
    rng = np.random.default_rng(1)
    made = pd.DataFrame({"fold": range(10), "a": rng.uniform(0.6, 0.8, 10), "b": rng.uniform(0.7, 0.9, 10)})
    folds = podium.compare(podium.read(made, metric="accuracy", rows="folds")).paper_table()
    assert folds.deviations is not None
    assert not folds.summaries
    agents = {name: {task: rng.normal(i, 1, 5) for task in ("Pong", "Alien", "Qbert")} for i, name in enumerate("abc")}
    runs = podium.compare(as_runs(agents)).paper_table()
    assert runs.head == "Task"
    assert "over the runs" in runs.note
    items = pd.DataFrame(
        {
            "benchmark": ["x"] * 30 + ["y"] * 30,
            "item": range(60),
            "a": [1, 0] * 30,
            "b": [1, 1, 0] * 20,
            "c": [0, 1] * 30,
        }
    )
    cases = podium.compare(
        podium.read(items, unit="case", case_column="item", benchmark_column="benchmark", metric="accuracy")
    )
    table = cases.paper_table()
    assert table.head == "Benchmark"
    assert table.rows == ("x", "y")
    assert np.allclose(table.to_frame().loc["Mean", "b"], 2 / 3)


def test_a_wide_table_becomes_several_and_a_long_one_breaks_over_pages():
    rng = np.random.default_rng(0)
    names = [f"algorithm number {i}" for i in range(30)]
    scores = pd.DataFrame(rng.uniform(0.5, 0.9, (60, 30)), columns=names, index=[f"dataset {i}" for i in range(60)])
    text = table_latex(paper_block(podium.compare(podium.read(scores, metric="accuracy")).paper_table()))
    assert "Part 2 of" in text
    assert text.count(r"\begin{longtable}") == text.count("Part ")
    assert all(name in text for name in names)
    assert r"\resizebox" not in text


def test_the_command_writes_the_table_in_the_form_that_the_ending_names(tmp_path):
    for form, sign in ((".tex", r"\toprule"), (".md", "| Dataset |"), (".html", "<tfoot>"), (".csv", "dataset,")):
        path = tmp_path / f"scores{form}"
        assert run_podium("compare", "benavoli2016", "--quiet", "--table", str(path)).returncode == 0
        assert sign in path.read_text(encoding="utf-8")
    assert run_podium("compare", "benavoli2016", "--quiet", "--table", str(tmp_path / "scores.doc")).returncode == 2


def test_the_report_of_a_paper_table_is_that_table(published):
    made = document(published.paper_table())
    assert made.main.foot == 2
    assert made.tables()["scores"].rows[-1][0] == "Mean rank"


@pytest.mark.parametrize(
    "names",
    [
        [f"acme/alpha-7b-instruct (dtype=float16, num_fewshot={i})" for i in range(4)],
        ["x" * 120, *(f"an_algorithm_with_a_rather_long_name_{i}" for i in range(9))],
        ["20240612_trae_doubao_seed_code_x", "20240612_epam-ai-run-claude-4-sonnet", "20250415_openhands"],
        ["a" * 100 + "1", "a" * 100 + "2", "short"],
        ["/" * 30, "/" * 31, "|" * 40],
    ],
)
def test_labels_are_short_and_no_two_are_alike(names):
    labels = short_labels(names)
    assert list(labels) == names
    assert len(set(labels.values())) == len(names)
    assert all(0 < len(label) <= MOST for label in labels.values())
