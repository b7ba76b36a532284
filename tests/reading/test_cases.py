"""One door: `podium.read` gives Cases where a table is of test cases, predictions where there is a truth, else Results."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import PodiumError
from podium.evidence.predictions import PredictionTable
from podium.reading.reader import read_scores
from refusals import refuses


def written(tmp_path, text, name="outcomes.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def wide(head, cells=("1,0", "0,1", "1,1", "1,0"), names="abcd"):
    return "\n".join([head, *(f"{name},{row}" for name, row in zip(names, cells, strict=True))])


@pytest.mark.parametrize("head", ["case,u,v", "Items,u,v", "question_id,u,v", "test case,u,v", "examples,u,v"])
def test_a_column_of_cases_is_recognised_in_files_and_frames(tmp_path, head):
    path = written(tmp_path, wide(head))
    for source in (path, str(path), pd.read_csv(path)):
        found = podium.read(source)
        assert isinstance(found, podium.Cases)
        assert found.cases == ("a", "b", "c", "d")
        assert found.values.tolist() == [[1, 0], [0, 1], [1, 1], [1, 0]]
        assert podium.compare(source).facts.n_cases == 4
        assert podium.compare(found).facts.n_cases == 4


@pytest.mark.parametrize(
    "right, wrong",
    [("C", "I"), ("true", "false"), ("Pass", "Fail"), ("yes", "no"), ("correct", "incorrect"), ("P", "F")],
)
@pytest.mark.parametrize("head", ["name,u,v", "task,u,v", "thing,u,v"])
def test_grades_are_cases_whatever_the_rows_are_called(tmp_path, head, right, wrong):
    cells = [f"{right},{wrong}", f"{wrong},{right}", f"{right},{right}", f"{right},timeout"]
    found = podium.read(written(tmp_path, wide(head, cells)))
    assert isinstance(found, podium.Cases)
    assert found.kind == "pass_fail"
    assert np.array_equal(found.values, [[1, 0], [0, 1], [1, 1], [1, np.nan]], equal_nan=True)
    assert found.reasons == {("d", "v"): "timeout"}


def test_p_beside_c_and_i_is_partly_right(tmp_path):
    found = podium.read(written(tmp_path, wide("item,u,v", ["C,P", "I,C", "P,N", "C,I"])))
    assert found.values.tolist() == [[1, 0.5], [0, 1], [0.5, 0], [1, 0]]
    with refuses(PodiumError, "ignore_column"):
        podium.read(written(tmp_path, wide("item,u,v", ["P,0", "1,1", "0,1", "1,0"])))


@pytest.mark.parametrize("head", ["task,u,v", "name,u,v", "dataset,u,v", "thing,u,v"])
@pytest.mark.parametrize("rows", [5, 10, 40])
def test_zeros_and_ones_under_an_open_name_are_a_question(tmp_path, head, rows):
    random = np.random.default_rng(1)
    cells = [f"{a},{b}" for a, b in random.integers(0, 2, (rows, 2))]
    path = written(tmp_path, wide(head, cells, [f"n{i}" for i in range(rows)]))
    with refuses(PodiumError, "unit", "truth", row="case"):
        podium.read(path)
    assert podium.read(path, unit="case").n_cases == rows


def test_a_long_table_of_zeros_and_ones_is_a_question(tmp_path):
    rows = [f"m{j},t{i},{(i * j) % 2}" for i in range(12) for j in range(3)]
    path = written(tmp_path, "\n".join(["model,task,resolved", *rows]))
    with refuses(PodiumError, "unit", "truth", row="case"):
        podium.read(path, metric="resolved", direction="higher")
    found = podium.read(path, unit="case")
    assert (found.n_cases, found.algorithms, found.noun) == (12, ("m0", "m1", "m2"), "task")


def test_rows_without_names_are_numbered_where_the_unit_is_the_case(tmp_path):
    path = written(tmp_path, "u,v\n1,0\n0,1\n1,1\n")
    assert podium.read(path, unit="case").cases == ("1", "2", "3")
    frame = pd.DataFrame({"u": [1, 0], "v": [0, 1]}, index=["a", "b"])
    assert podium.read(frame, unit="case").cases == ("a", "b")
    assert podium.read({"u": [1, 0], "v": [True, False]}, unit="case").values.tolist() == [[1, 1], [0, 0]]
    assert podium.read(np.array([[1, 0], [0.5, 1]]), unit="case").kind == "bounded"


LONG = """model,question,epoch,topic,passage,score,latency,comment
a,q1,1,maths,p1,1,0.5,fine
a,q1,2,maths,p1,0,0.7,
a,q2,1,law,p2,1,0.2,
b,q1,1,maths,p1,error,2.0,broke
b,q1,2,maths,p1,1,1.0,
b,q2,1,law,p2,0,3.0,
"""


def test_roles_of_columns_by_name_and_by_option(tmp_path):
    path = written(tmp_path, LONG)
    found = podium.read(path, benchmark_column="topic", cluster_column="passage")
    assert found.cases == ("maths/q1", "law/q2")
    assert found.benchmarks == ("maths", "law")
    assert found.clusters == ("p1", "p2")
    assert np.array_equal(found.values, [[0.5, 1], [1, 0]])
    assert found.samples.shape == (2, 2, 2)
    assert found.reasons == {("maths/q1", "b"): "error"}
    assert (found.noun, found.cost.name) == ("question", "latency")
    assert found.costs.tolist() == [[0.6, 1.5], [0.2, 3.0]]
    assert found.mean_costs.tolist() == [0.4, 2.25]
    assert {column.name: column.role for column in found.reading.columns}["comment"] == "left out"
    assert "Ignored column: 'comment'." in found.notes
    assert podium.read(path, case_noun="riddle").noun == "riddle"


def test_options_of_scores_are_refused_and_not_forgotten(tmp_path):
    path = written(tmp_path, wide("item,u,v"))
    with refuses(PodiumError, "fold_column"):
        podium.read(path, unit="case", fold_column="u")
    assert podium.read(path, where="u == 1").n_cases == 3
    assert podium.read(
        written(tmp_path, wide("item,u,v", ["0.5,1", "gone,0", "1,1", "0,0"])), missing_marker="gone"
    ).has_holes
    assert podium.read(written(tmp_path, "item;x;y\na;0,5;1\nb;0;0,25"), decimal_comma=True).values.tolist() == [
        [0.5, 1],
        [0, 0.25],
    ]
    with refuses(PodiumError, "case_column"):
        podium.read(
            written(tmp_path, "dataset,u,v\niris,.9,.8\nzoo,.7,.6"),
            unit="dataset",
            case_column="dataset",
            metric="accuracy",
        )


@pytest.mark.parametrize(
    "head, said",
    [
        ("item,y_true,u,v", r"Column 'y_true' of .* seems to hold the true labels: give `truth`"),
        ("item,n_tokens,u,v", "is it a system"),
        ("item,prompt_text,u,v", "holds texts and no outcomes"),
    ],
)
def test_a_column_that_is_no_system_is_asked_about(tmp_path, head, said):
    middle = "words" if "text" in head else "1"
    with pytest.raises(PodiumError, match=said):
        podium.read(written(tmp_path, wide(head, [f"{middle},1,0", f"{middle},0,1", f"{middle},1,1", f"{middle},0,0"])))


def test_a_truth_gives_predictions(tmp_path):
    path = written(tmp_path, "id,y_true,u,v\na,1,.9,.4\nb,0,.2,.3\nc,1,.7,.8\nd,0,.4,.1\n")
    found = podium.read(path, truth="y_true", metric="auc")
    assert isinstance(found, PredictionTable)
    assert podium.compare(found).facts.metric == podium.compare(path, truth="y_true", metric="auc").facts.metric
    with refuses(PodiumError, "direction"):
        podium.compare(path, truth="y_true", metric="auc", direction="lower")
    with pytest.raises(PodiumError, match="twice"):
        podium.read([path, path])


def test_scores_over_datasets_stay_results(tmp_path):
    found = podium.read(written(tmp_path, "dataset,u,v\niris,.9,.8\nzoo,.7,.6"), metric="accuracy")
    assert isinstance(found, podium.Results)


def test_what_is_for_datasets_refuses_cases(tmp_path):
    path = written(tmp_path, wide("item,u,v"))
    with refuses(PodiumError, "unit", "truth", row="case"):
        read_scores(path)
    with refuses(PodiumError, "cost"):  # an order takes cases, and these have no costs
        podium.order(path)
    assert podium.order(path, cost=["v", "u"]).order == ("v", "u")


def test_a_table_of_a_single_algorithm(tmp_path):
    from podium.reading.options import ReadOptions
    from podium.reading.outcomes import read_outcomes

    path = written(tmp_path, "item,correct\na,1\nb,0\n")
    found = read_outcomes(path, ReadOptions(), single="mine")
    assert (found.algorithms, found.values.tolist()) == (("mine",), [[1], [0]])


def test_numbers_with_a_word_among_them(tmp_path):
    """A column of many numbers with one error is read as quickly as its words allow, and a wrong cell is named."""
    rows = [f"c{i},{i / 7:.4f},{i / 9:.4f}" for i in range(300)]
    rows[4], rows[7] = "c4,error,0.5", "c7,-1e-3,na"
    path = tmp_path / "o.csv"
    path.write_text("case,a,b\n" + "\n".join(rows), encoding="utf-8")
    cases = podium.read(path, unit="case", metric="score", direction="higher")
    assert cases.reasons == {("c4", "a"): "error"}
    assert cases.values[7, 0] == -0.001
    assert np.isnan(cases.values[[4, 7], [0, 1]]).all()
    rows[250] = "c250,about 3,0.5"
    path.write_text("case,a,b\n" + "\n".join(rows), encoding="utf-8")
    with refuses(podium.DataError, "ignore_column"):
        podium.read(path, unit="case", metric="score", direction="higher")


def test_documents_beside_items_are_clusters(tmp_path):
    rows = [f"{who},doc{i // 5},{i},{(i + len(who)) % 5 + 1}" for i in range(40) for who in ("base", "tuned")]
    path = written(tmp_path, "system,document,item,rating\n" + "\n".join(rows))
    found = podium.read(path, direction="higher")
    assert (found.n_cases, len(set(found.clusters))) == (40, 8)


def long_of(column, values):
    rows = [f"{case},{who},{value}" for who, row in zip("uv", values, strict=True) for case, value in enumerate(row)]
    return "\n".join([f"item,model,{column}", *rows])


@pytest.mark.parametrize("column", ["failed", "is_wrong", "hallucinated", "penalty", "toxicity", "not_solved", "y"])
@pytest.mark.parametrize("values", [[(0, 0, 1), (1, 1, 0)], [(0.1, 0.2, 0.1), (0.9, 0.7, 0.8)]])
def test_the_direction_of_outcomes_whose_name_does_not_say_it_is_asked(tmp_path, column, values):
    path = written(tmp_path, long_of(column, values))
    with pytest.raises(PodiumError, match=f"Is a higher or a lower '{column}' better"):
        podium.read(path)
    assert podium.read(path, direction="lower").metric.direction == "lower"


@pytest.mark.parametrize(
    "column, called",
    [
        ("correct", "accuracy"),
        ("score", "accuracy"),
        ("answer_correct", "accuracy"),
        ("passed", "pass rate"),
        ("Resolved", "pass rate"),
    ],
)
def test_outcomes_whose_name_says_that_one_is_right_need_no_direction(tmp_path, column, called):
    metric = podium.read(written(tmp_path, long_of(column, [(0, 1, 1), (1, 1, 0)]))).metric
    assert (metric.name, metric.direction) == (called, "higher")


def test_words_say_themselves_what_is_right_and_true_does_not(tmp_path):
    words = [("passed", "failed", "passed"), ("failed", "failed", "passed")]
    assert podium.read(written(tmp_path, long_of("verdict", words))).metric.direction == "higher"
    flags = [("true", "false", "true"), ("false", "false", "true")]
    with refuses(PodiumError, "direction"):
        podium.read(written(tmp_path, long_of("failed", flags)))


def test_columns_that_count_what_is_wrong_are_asked_about_and_named(tmp_path):
    path = written(tmp_path, wide("question,u_wrong,v_wrong"))
    with refuses(PodiumError, "direction"):
        podium.read(path)
    assert podium.read(path, direction="lower").metric.name == "error rate"
    failed = podium.read(written(tmp_path, long_of("is_wrong", [(0, 1, 1), (1, 1, 0)])), direction="lower")
    assert failed.metric.name == "rate of wrong"


STATUS = "model,item,correct,status\nu,a,0,error\nu,b,1,ok\nv,a,1,ok\nv,b,0,{}\n"


def test_an_outcome_that_is_marked_as_an_error_is_a_hole(tmp_path):
    """A zero may only stand for an answer that never came; what the grader calls failed is an answer that is wrong."""
    path = written(tmp_path, STATUS.format("failed"))
    found = podium.read(path)
    np.testing.assert_array_equal(found.values, [[np.nan, 1], [1, 0]])
    assert found.reasons == {("a", "u"): "error"}
    assert any("1 outcome is missing, because 'status' says 'error'" in note for note in found.notes)
    assert podium.read(path, ignore_column="status").values.tolist() == [[0, 1], [1, 0]]


def test_a_status_without_errors_is_left_out(tmp_path):
    found = podium.read(written(tmp_path, STATUS.replace("error", "wrong").format("failed")))
    assert found.values.tolist() == [[0, 1], [1, 0]]
    assert "Ignored column: 'status'." in found.notes


PASSED = [f"{i % 2},{int(i % 3 > 0)}" for i in range(20)]
QUESTIONS = [f"q{i}" for i in range(20)]


@pytest.mark.parametrize(
    "name, cells", [("Mean", "0.5,0.65"), ("Total", "10,13"), ("Average over 20 items", "0.5,0.65")]
)
def test_a_row_that_sums_up_is_no_case(tmp_path, name, cells):
    path = written(tmp_path, wide("item,u,v", [*PASSED, cells], [*QUESTIONS, name]))
    with pytest.raises(
        PodiumError, match=f"rows that look like summaries \\('{name}'\\): set `summaries` to 'drop' or 'keep'"
    ):
        podium.read(path, direction="higher")
    dropped = podium.read(path, summaries="drop")
    assert (dropped.n_cases, dropped.kind) == (20, "pass_fail")
    assert f"Summary rows were dropped: '{name}'." in dropped.notes
    assert podium.read(path, summaries="keep", direction="higher").n_cases == 21


def test_a_long_table_of_cases_with_rows_that_sum_up(tmp_path):
    rows = [f"{who},{case},{x}" for who in ("u", "v") for case, x in (("a", 1), ("b", 0), ("c", 1), ("Mean", 0.667))]
    path = written(tmp_path, "\n".join(["model,item,score", *rows]))
    with refuses(PodiumError, "summaries"):
        podium.read(path, direction="higher")
    assert podium.read(path, summaries="drop").cases == ("a", "b", "c")
    averaged = written(
        tmp_path, "\n".join(["model,item,score", *rows, "Average,a,1", "Average,b,0.5"]).replace("Mean", "d")
    )
    with refuses(PodiumError, "summaries"):
        podium.read(averaged, direction="higher")


@pytest.mark.parametrize("right, wrong", [("1", "0"), ("pass", "fail")])
def test_a_case_may_be_called_sum(tmp_path, right, wrong):
    cells = [f"{right},{wrong}", f"{wrong},{right}", f"{right},{right}", f"{right},{wrong}"]
    assert podium.read(written(tmp_path, wide("item,u,v", cells, ["sort", "max", "abs", "sum"]))).n_cases == 4
    numbers = ["0.3,0.2", "0.1,0.4", "0.3,0.9", "0.2,0.7"]
    path = written(tmp_path, wide("item,u,v", numbers, ["sort", "max", "abs", "sort2"]))
    assert podium.read(path, direction="higher").n_cases == 4


@pytest.mark.parametrize("name, cell", [("tokens", 486), ("level", 5), ("difficulty", 3), ("words", 12), ("x", -1)])
@pytest.mark.parametrize("right, wrong", [("1", "0"), ("pass", "fail")])
def test_what_is_no_system_is_asked_about_before_the_direction(tmp_path, name, cell, right, wrong):
    outcomes = [cells.replace("1", right).replace("0", wrong) for cells in PASSED]
    cells = [f"{outcome},{cell + i % 4}" for i, outcome in enumerate(outcomes)]
    path = written(tmp_path, wide(f"item,u,v,{name}", cells, QUESTIONS))
    with pytest.raises(PodiumError, match=f"Column '{name}' of outcomes.csv .* is it a system"):
        podium.read(path)
    assert podium.read(path, ignore_column=name).algorithms == ("u", "v")
    assert podium.read(path, keep_column=name, direction="higher").algorithms == ("u", "v", name)


@pytest.mark.parametrize(
    "name, cells",
    [
        ("Mean", [0.15, 0.25, 0.35]),
        ("all", [0.15, 0.25, 0.35]),
        ("words", [120, 35, 48]),
        ("chars", [1200.5, 350.25, 480.5]),
    ],
)
def test_what_is_no_system_among_numbers(tmp_path, name, cells):
    rows = [f"0.{i % 3 + 1}1,0.{i % 3 + 1}9,{cells[i % 3]}" for i in range(20)]
    path = written(tmp_path, wide(f"item,u,v,{name}", rows, QUESTIONS))
    with pytest.raises(PodiumError, match=f"Column '{name}' of outcomes.csv (.* is it a system|looks like a summary)"):
        podium.read(path, direction="higher")
    assert podium.read(path, direction="higher", keep_column=name).algorithms == ("u", "v", name)


def test_a_summary_among_systems_is_dropped_as_in_every_table(tmp_path):
    path = written(tmp_path, wide("item,u,v,Mean", ["1,0,0.5", "0,1,0.5", "1,1,1"] * 4, QUESTIONS[:12]))
    assert podium.read(path, direction="higher", summaries="drop").algorithms == ("u", "v")


@pytest.mark.parametrize(
    "rows",
    [
        [f"{i % 2},{i % 3},{i % 5}" for i in range(20)],  # grades from 0 to 4
        [f"{i % 2},{int(i % 3 > 0)},{i % 3 / 2}" for i in range(20)],  # partly right
    ],
)
def test_systems_with_few_grades_are_systems(tmp_path, rows):
    path = written(tmp_path, wide("item,u,v,w", rows, QUESTIONS))
    assert podium.read(path, direction="higher").algorithms == ("u", "v", "w")


def test_samples_share_their_numbers_up_to_twice_as_many_as_a_case_has():
    rows = [(who, case, sample, 1.0) for who, own in (("u", "12"), ("v", "34")) for case in "ab" for sample in own]
    frame = pd.DataFrame(rows, columns=["model", "id", "sample", "score"])
    assert podium.read(frame, unit="case").samples.shape == (2, 2, 4)
    more = pd.concat([frame, pd.DataFrame([("v", "c", "5", 1.0), ("u", "c", "5", 1.0)], columns=frame.columns)])
    assert podium.read(more, unit="case").samples.shape == (3, 2, 2)  # each has an identity of its own
