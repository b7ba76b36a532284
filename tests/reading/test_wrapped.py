"""Tables inside something else: Markdown pages, LaTeX documents, JSON around records, lists in fields, outcomes by name."""

import json

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import DataError, PodiumError
from podium.evidence.cases import Cases
from podium.evidence.runs import Runs
from podium.reading.formats.pasted import separated
from podium.reading.options import ReadOptions
from podium.reading.reader import opened
from refusals import refuses

PAGE = """# Results

All numbers are means | of five runs; see `make results`.

## Accuracy

| dataset | svm | knn |
|---------|----:|:---:|
| iris    | 0.9 | 0.8 |
| wine    | 0.7 | 0.6 |

More words, and a list:
- one
"""


def put(root, name, value):
    path = root / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


# --- Markdown --------------------------------------------------------------------------------------------------------


def test_the_one_table_of_a_page_is_meant(tmp_path):
    results = podium.read(put(tmp_path, "page.md", PAGE), metric="accuracy")
    assert results.scores().table().values.tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert any("text around the table" in note for note in results.notes)


def test_tables_without_headings_are_numbered(tmp_path):
    path = tmp_path / "page.md"
    one = "| dataset | svm | knn |\n| --- | --- | --- |\n| iris | 0.{} | 0.8 |\n| zoo | 0.7 | 0.6 |\n"
    path.write_text(f"{one.format(1)}\nand\n\n{one.format(2)}")
    for number in (1, 2):
        read = podium.read(path, metric="accuracy", sheet=f"table {number}")
        assert read.scores().table().values[0, 0] == number / 10


def test_a_page_with_two_tables_asks_which_and_takes_the_answer(tmp_path):
    page = PAGE + "\n## Error\n\n| dataset | svm | knn |\n|---|---|---|\n| iris | 0.1 | 0.2 |\n| wine | 0.3 | 0.4 |\n"
    path = put(tmp_path, "page.md", page)
    with refuses(PodiumError, "sheet") as asked:
        podium.read(path, metric="accuracy")
    assert "--sheet" in asked.value.said(lambda name: f"--{name}")
    for sheet in ("Error", "2"):
        assert podium.read(path, metric="error", sheet=sheet).scores().table().values[0, 0] == 0.1
    with pytest.raises(PodiumError, match="no table 'Recall'"):
        podium.read(path, metric="error", sheet="Recall")


# --- LaTeX -----------------------------------------------------------------------------------------------------------

LATEX = r"""\begin{table}[h]
\caption{\textbf{Benchmark}. Accuracy, \ with a comma, and more, of all}
\vspace{3.5pt}
\centering
\begin{tabular}{llrr}
\toprule
 & & \multicolumn{2}{c}{\textbf{Test Accuracy (\%)}} \\
 &  & \makecell{w/o \\ SOT} & w/ SOT \\
\midrule
\multirow[c]{2}{*}{TM} & B & $\mathbf{91.3 \pm 0.6}$ & \bfseries \color{teal} 91.9 \\
 & MAML & $89.8 \pm 0.7$ & 90.9 \\
\vspace{2pt}
\multirow{2}{*}{SP} & B & 69.1 & \textcolor{red}{64.7} \\
 & MAML & 61.5 & 67.2 \\
\bottomrule
\end{tabular}
\end{table}
"""


def test_latex_with_rows_that_share_a_name_and_two_unnamed_columns(tmp_path):
    sheet = opened(put(tmp_path, "t.tex", LATEX), ReadOptions())
    assert sheet.header == ("column 1", "column 2", "w/o SOT", "w/ SOT")
    assert sheet.frame.iloc[:, 0].tolist() == ["TM", "TM", "SP", "SP"]
    results = podium.read(
        put(tmp_path, "t.tex", LATEX), dataset_column="column 1+column 2", metric="accuracy", mean_sd=True
    )
    assert results.scores().table().values[:2].tolist() == [[91.3, 91.9], [89.8, 90.9]]


def test_latex_with_two_tabulars_is_refused_with_a_way_on(tmp_path):
    with pytest.raises(PodiumError, match=r"2 tables.*keep one"):
        opened(put(tmp_path, "t.tex", LATEX + LATEX), ReadOptions())


# --- YAML and ARFF ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name,text",
    [("r.yaml", "iris:\n  svm: 0.9\n  knn: 0.8\n"), ("r.yml", "- {dataset: iris, svm: 0.9}\n"), ("r.arff", "@relation r\n@attribute a numeric\n@data\n1\n")],
)  # fmt: skip
def test_formats_that_are_not_read_say_how_to_go_on(tmp_path, name, text):
    with pytest.raises(PodiumError, match=r"(YAML|ARFF).*(pandas|json)") as refused:
        podium.read(put(tmp_path, name, text))
    assert "blanks" not in str(refused.value)


# --- JSON ------------------------------------------------------------------------------------------------------------

RECORDS = [{"dataset": d, "model": m, "accuracy": a} for d, m, a in (("x", "A", 0.5), ("x", "B", 0.6), ("y", "A", 0.7), ("y", "B", 0.9))]  # fmt: skip


@pytest.mark.parametrize(
    "around", [{"date": 3}, {"version": "1", "models": ["A", "B"]}, {"meta": {"a": 1}, "marks": [1, 2]}]
)
def test_json_that_wraps_its_records(tmp_path, around):
    results = podium.read(put(tmp_path, "r.json", {**around, "performances": RECORDS}))
    assert results.scores().table().values.tolist() == [[0.5, 0.6], [0.7, 0.9]]
    assert any("'performances'" in note for note in results.notes)


def test_json_with_two_lists_of_records_asks_which(tmp_path):
    path = put(tmp_path, "r.json", {"performances": RECORDS, "models": [{"name": "A"}, {"name": "B"}]})
    with refuses(PodiumError, "sheet"):
        podium.read(path)
    assert podium.read(path, sheet="performances").scores().table().values[1, 1] == 0.9


def test_a_few_records_beside_many_are_not_asked_about(tmp_path):
    """LiveCodeBench: {performances: 17,723 records, models: 37 records, date_marks: numbers}."""
    many = [{**row, "fold": i} for i in range(10) for row in RECORDS]
    held = {"performances": many, "models": [{"name": "A"}, {"name": "B"}], "date_marks": [1, 2]}
    assert podium.read(put(tmp_path, "r.json", held)).scores().values.shape == (2, 2, 1, 10)


def test_a_field_of_lists_does_not_block_json_lines(tmp_path):
    rows = [{"id": i, "model": m, "correct": bool((i + k) % 3), "followed": [True, False], "tags": ["a"], "n": [1, 2]} for i in range(6) for k, m in enumerate("AB")]  # fmt: skip
    path = put(tmp_path, "r.jsonl", "\n".join(map(json.dumps, rows)))
    with pytest.raises(PodiumError, match=r"Column 'n' .* lists"):
        podium.read(path)
    cases = podium.read(path, ignore_column="n")
    assert isinstance(cases, Cases)
    assert any("'followed', 'tags'" in note for note in cases.notes)


def test_outcomes_by_system_and_question(tmp_path):
    held = {"A": {"q1": True, "q2": False, "q3": True}, "B": {"q1": False, "q2": False, "q3": True}}
    cases = podium.read(put(tmp_path, "r.json", held))
    assert isinstance(cases, Cases)
    assert (cases.algorithms, cases.cases) == (("A", "B"), ("q1", "q2", "q3"))
    assert cases.values.tolist() == [[1, 0], [0, 0], [1, 1]]
    turned = {q: {s: held[s][q] for s in held} for q in held["A"]}
    assert podium.read(put(tmp_path, "t.json", turned)).algorithms == ("A", "B")


def test_means_within_names_within_names(tmp_path):
    held = {
        d: {m: {"accuracy": a, "accuracy_std": 0.01} for m, a in (("svm", 0.9), ("knn", 0.8))} for d in ("iris", "wine")
    }
    results = podium.read(
        put(tmp_path, "r.json", held), dataset_column="outer", algorithm_column="inner", metric="accuracy"
    )
    assert results.scores().table().values.tolist() == [[0.9, 0.8], [0.9, 0.8]]
    means = {m: {d: {"mean": 0.5, "std": 0.1} for d in ("iris", "wine")} for m in ("svm", "knn")}
    sheet = opened(put(tmp_path, "m.json", means), ReadOptions())
    assert sheet.header == ("outer", "inner", "mean", "std")


def test_means_and_spreads_of_metrics_within_names_within_names(tmp_path):
    held = {d: {m: {"auc": {"mean": a, "std": 0.1}} for m, a in (("svm", 0.9), ("knn", 0.8))} for d in ("iris", "wine")}
    results = podium.read(put(tmp_path, "r.json", held), dataset_column="outer", algorithm_column="inner")
    assert results.scores("auc").table().values.tolist() == [[0.9, 0.8], [0.9, 0.8]]
    assert "Of std beside means, the means are read." in results.notes


def test_lists_by_name_say_how_to_go_on(tmp_path):
    own = {a: {"t1": [1.0, 2.0], "t2": [2.0, 3.0]} for a in ("dqn", "ppo")}
    with refuses(DataError, "metric", "unit"):
        podium.read(put(tmp_path, "own.json", own))


@pytest.mark.parametrize("names", [["model", "metric", "fold"], ["model", "fold"]])
def test_header_rows_of_pandas_with_folds(tmp_path, names):
    levels = {"model": ["svm", "rf"], "metric": ["accuracy"], "fold": [0, 1]}
    columns = pd.MultiIndex.from_product([levels[name] for name in names], names=names)
    frame = pd.DataFrame(
        [[0.9, 0.8, 0.7, 0.6], [0.5, 0.4, 0.3, 0.2]], index=pd.Index(["a", "b"], name="dataset"), columns=columns
    )
    frame.to_csv(tmp_path / "wide.csv")
    results = podium.read(tmp_path / "wide.csv", metric=None if "metric" in names else "accuracy")
    scores = results.scores("accuracy")
    assert (scores.algorithms, scores.datasets) == (("svm", "rf"), ("a", "b"))
    assert scores.values[:, :, 0, :].tolist() == [[[0.9, 0.8], [0.7, 0.6]], [[0.5, 0.4], [0.3, 0.2]]]


def test_latex_columns_without_a_name_can_be_named(tmp_path):
    rows = [
        r"\multirow{2}{*}{UCI} & iris & 0.91 & 0.85",
        "& wine & 0.71 & 0.75",
        r"\multirow{2}{*}{KEEL} & iris & 0.81 & 0.88",
        "& zoo & 0.61 & 0.65",
    ]
    head = r"\begin{tabular}{llrr} & & \makecell{SVM \\ (rbf)} & RF \\"
    (tmp_path / "t.tex").write_text(head + "\n" + "\n".join(rf"{row} \\" for row in rows) + "\n" + r"\end{tabular}")
    with refuses(DataError, "dataset_column") as asked:
        podium.read(tmp_path / "t.tex", metric="accuracy")
    assert asked.value.fields["offers"] == ({"dataset_column": "column 1+column 2"},)
    results = podium.read(tmp_path / "t.tex", metric="accuracy", dataset_column="column 1+column 2")
    assert results.datasets == ("UCI / iris", "UCI / wine", "KEEL / iris", "KEEL / zoo")
    assert results.algorithms == ("SVM (rbf)", "RF")


def test_a_cell_with_a_spread_is_part_of_the_whole_answer(tmp_path):
    rows = [f"{d},{own} ± 0.1,0.5 ± 0.1,{own - 0.5:.1f}" for d, own in (("x", 0.9), ("y", 0.8), ("z", 0.6))]
    (tmp_path / "a.csv").write_text("\n".join(["dataset,svm,knn,Diff", *rows]), encoding="utf-8")
    with pytest.raises(DataError) as asked:
        podium.read(tmp_path / "a.csv", metric="accuracy")
    assert any(offer.get("mean_sd") is True for offer in asked.value.fields["offers"])


def test_a_folder_with_the_cases_of_each_system(tmp_path):
    """IFEval writes a file for each system: a row per prompt, true or false, lists beside it, and a long text."""
    for name, step in (("base", 2), ("tuned", 3)):
        rows = [
            {"prompt": f"Say {i}", "follow_all": i % step > 0, "kinds": ["a", "b"], "response": f"I say {i}, {name}"}
            for i in range(9)
        ]
        put(tmp_path, f"{name}.jsonl", "\n".join(map(json.dumps, rows)))
    cases = podium.read(tmp_path, unit="case", direction="higher")
    assert (cases.algorithms, cases.n_cases) == (("base", "tuned"), 9)
    assert cases.values.mean(axis=0).tolist() == pytest.approx([4 / 9, 6 / 9])
    (tmp_path / "tuned.jsonl").unlink()
    with pytest.raises(DataError, match="put a file of each system into one folder"):
        podium.read(tmp_path / "base.jsonl", unit="case", ignore_column="response")


def test_runs_by_agent_and_game(tmp_path):
    held = {a: {g: [1.0 * k, 2.0, 3.0] for g in ("Pong", "hopper")} for k, a in enumerate(("dqn", "ppo"))}
    for unit in (None, "run"):
        runs = podium.read(put(tmp_path, "r.json", held), unit=unit)
        assert isinstance(runs, Runs)
        assert runs.tasks == ("Pong", "hopper")
    own = {a: {g: own[g2] for g, g2 in (("t1", "Pong"), ("t2", "hopper"))} for a, own in held.items()}
    assert isinstance(podium.read(put(tmp_path, "own.json", own), unit="run"), Runs)


# --- Header rows -----------------------------------------------------------------------------------------------------


def test_three_header_rows_of_pandas(tmp_path):
    """A pivot table with two levels writes three rows: metric, algorithm, and the name of the index."""
    text = "metric,accuracy,accuracy,f1,f1\nmodel,svm,knn,svm,knn\ndataset,,,,\niris,0.9,0.8,0.7,0.6\nwine,0.5,0.4,0.3,0.2\n"
    results = podium.read(put(tmp_path, "p.csv", text))
    assert results.scores("f1").table().values.tolist() == [[0.7, 0.6], [0.3, 0.2]]
    summed = (
        ",accuracy,accuracy,accuracy,accuracy,f1,f1,f1,f1\n,mean,mean,std,std,mean,mean,std,std\nmodel,svm,knn,svm,knn,svm,knn,svm,knn\n"
        "dataset,,,,,,,,\niris,0.9,0.8,0.1,0.1,0.7,0.6,0.1,0.1\nwine,0.5,0.4,0.1,0.1,0.3,0.2,0.1,0.1\n"
    )
    assert podium.read(put(tmp_path, "s.csv", summed)).scores("f1").table().values[1].tolist() == [0.3, 0.2]
    deep = "run,one,one,one,one\n" + text
    assert podium.read(put(tmp_path, "d.csv", deep)).scores("accuracy").table().values[0].tolist() == [0.9, 0.8]


# --- hyperfine -------------------------------------------------------------------------------------------------------


def hyperfine(*commands):
    return {"results": [{"command": c, "mean": float(np.mean(t)), "stddev": 0.1, "times": t, "exit_codes": [0] * len(t), **more} for c, t, more in commands]}  # fmt: skip


def test_times_of_commands_are_runs_and_lower_is_better(tmp_path):
    """As in zeroows/1brc, hyperfine.json."""
    path = put(
        tmp_path, "h.json", hyperfine(("cargo run a", [13.1, 11.8, 9.9], {}), ("cargo run b", [12.0, 12.4, 10.3], {}))
    )
    runs = podium.read(path)
    assert isinstance(runs, Runs)
    assert (runs.metric.name, runs.metric.direction) == ("seconds", "lower")
    assert runs.algorithms == ("cargo run a", "cargo run b")
    assert runs.n_tasks == 1


def test_parameters_of_commands_are_tasks(tmp_path):
    rows = [
        (f"{tool} {n}", [float(n), n + 1.0], {"parameters": {"n": str(n)}})
        for tool in ("sort", "gsort")
        for n in (10, 20)
    ]
    runs = podium.read(put(tmp_path, "h.json", hyperfine(*rows)))
    assert (runs.algorithms, runs.tasks) == (("sort {n}", "gsort {n}"), ("n=10", "n=20"))
    tools = [(f"{tool} x", [1.0, 2.0], {"parameters": {"tool": tool}}) for tool in ("sort", "gsort")]
    assert podium.read(put(tmp_path, "t.json", hyperfine(*tools))).algorithms == ("sort x", "gsort x")


def test_a_parameter_within_the_name_of_a_command_is_not_taken_out(tmp_path):
    rows = [(f"{tool} {n} in{n}", [n, n + 1.0], {"parameters": {"n": str(n)}}) for n in (1, 2) for tool in ("a1", "b")]
    assert podium.read(put(tmp_path, "h.json", hyperfine(*rows))).algorithms == (
        "a1 1 in1",
        "b 1 in1",
        "a1 2 in2",
        "b 2 in2",
    )


def test_a_command_that_was_measured_twice_is_not_overwritten(tmp_path):
    with pytest.raises(DataError, match="'a' twice"):
        podium.read(put(tmp_path, "h.json", hyperfine(("a", [1.0, 2.0], {}), ("a", [5.0, 6.0], {}), ("b", [5.0], {}))))


def test_a_plain_pipe_table_is_no_page():
    assert separated("a|b\nx|1\n", "x").separator is None
