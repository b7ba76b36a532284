"""Logs whose unit is the case: TREC, AlpacaEval, every_eval_ever, tables of challenges; and battles, which are refused."""

import gzip
import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.errors import DataError
from podium.reading.formats.trec import is_trec
from podium.reading.logs.trec_measures import MEASURES, by_score
from reading.logs_expected import check_cli, check_facts, expected, folder
from reading.test_logs_tables import put, read
from refusals import refuses


def values(cases):
    """Scores by algorithm and case."""
    return {a: dict(zip(cases.cases, cases.values[:, j].tolist(), strict=True)) for j, a in enumerate(cases.algorithms)}


# --- TREC ------------------------------------------------------------------------------------------------------------

QRELS = "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 1\nq3 0 d9 0\n"


def run(tag, rows):
    return "".join(f"{query} Q0 {document} {rank} {score} {tag}\n" for query, document, rank, score in rows)


def trec(root, tags=("one", "two")):
    put(root, "qrels.txt", QRELS)
    put(
        root,
        "a.run",
        run(tags[0], [("q1", "d2", 1, 0.5), ("q1", "d1", 2, 0.9), ("q1", "d3", 0, 0.9), ("q2", "d5", 1, 3)]),
    )
    put(root, "b.run", run(tags[1], [("q1", "d1", 1, 1), ("q3", "d9", 1, 1)]))
    return root


def test_trec_ranks_by_score_and_ties_by_name_and_queries_without_documents_are_holes(tmp_path):
    cases = read(trec(tmp_path))
    # by score, d3 before d1: both relevant at the first two places; q3 has nothing relevant and is left out
    assert cases.metric.name == "map"
    assert values(cases)["one"] == {"q1": 1.0, "q2": 0.0}
    assert values(cases)["two"]["q1"] == 0.5
    assert np.isnan(values(cases)["two"]["q2"])
    assert cases.reasons == {("q2", "two"): "no document retrieved"}
    ndcg = values(read(tmp_path, metric="ndcg"))["two"]["q1"]
    assert ndcg == pytest.approx(1 / (2 + 1 / math.log2(3)))


def test_trec_runs_with_one_tag_are_named_for_their_files_and_may_be_packed(tmp_path):
    trec(tmp_path, tags=("same", "same"))
    path = tmp_path / "b.run"
    with gzip.open(tmp_path / "b.run.gz", "wb") as packed:
        packed.write(path.read_bytes())
    path.unlink()
    assert read(tmp_path).algorithms == ("a", "b")


def test_trec_without_judgements_says_what_is_needed(tmp_path):
    trec(tmp_path)
    (tmp_path / "qrels.txt").unlink()
    with pytest.raises(DataError, match=r"2 runs of TREC, but no judgements"):
        read(tmp_path)


def test_trec_twice_the_same_document_and_lines_cut_off_are_refused(tmp_path):
    trec(tmp_path)
    put(tmp_path, "a.run", run("x", [("q1", "d1", 1, 2), ("q1", "d1", 2, 1)]))
    with pytest.raises(DataError, match=r"a.run, line 2: the document 'd1' is retrieved twice"):
        read(tmp_path)
    put(tmp_path, "a.run", run("x", [("q1", "d1", 1, 2), ("q1", "d2", 2, 1)])[:-7])
    with pytest.raises(DataError, match=r"a.run, line 2, is not as TREC has it"):
        read(tmp_path)


def test_trec_printed_scores_are_read_without_totals(tmp_path):
    for name, shift in (("bm25", 0.0), ("dense", 0.1)):
        rows = [
            f"map                   \t{q}\t{0.2 + shift:.4f}\nP_10  \t{q}\t0.5\nnum_ret\t{q}\t9\n" for q in (301, 302)
        ]
        put(tmp_path, f"{name}.eval", "".join(rows) + f"runid\tall\t{name}-tag\nmap\tall\t0.9\n")
    cases = read(tmp_path)
    assert values(cases) == {"bm25-tag": {"301": 0.2, "302": 0.2}, "dense-tag": {"301": 0.3, "302": 0.3}}
    assert values(read(tmp_path, metric="P_10"))["bm25-tag"] == {"301": 0.5, "302": 0.5}


@given(st.lists(st.integers(0, 2), min_size=1, max_size=6).filter(any), st.data())
def test_measures_of_the_best_order_are_the_largest(levels, data):
    judged = {f"d{i}": level for i, level in enumerate(levels)}
    orders = list(itertools.islice(itertools.permutations(judged), 60))
    order = data.draw(st.sampled_from(orders))
    best = sorted(judged, key=lambda d: -judged[d])
    for measure in MEASURES.values():
        assert 0 <= measure(order, judged) <= measure(best, judged) + 1e-12 <= 1 + 1e-9
    assert MEASURES["ndcg"](best, judged) == pytest.approx(1)


def test_scores_that_are_equal_in_single_precision_are_ties():
    assert by_score({"a": 1.0 + 1e-12, "b": 1.0}) == ["b", "a"]


def test_trec_as_trec_eval_printed_it():
    """Every measure of every query in trec_eval's own test (test/out.test.aq of usnistgov/trec_eval)."""
    where = folder("trec_eval_tests")
    printed = [line.split() for line in (where / "out.test.aq").read_text().splitlines()]
    checked = 0
    for measure in MEASURES:
        cases = read(where, metric=measure)
        own = values(cases)["results.test"]
        for name, query, value in printed:
            if name == measure and query != "all":
                assert own[query] == pytest.approx(float(value), abs=5.01e-5)
                checked += 1
    assert checked == 3 * len(MEASURES)
    facts = expected("trec_eval_tests")
    assert (len(cases.algorithms), cases.n_cases) == (facts["systems"], facts["items"])


# --- AlpacaEval ------------------------------------------------------------------------------------------------------


def annotations(system, preferences, reference="davinci", annotator="gpt4"):
    return [
        {"instruction": f"Do {i}", "generator_1": reference, "dataset": "ab"[i % 2], "generator_2": system, "annotator": annotator,
         "preference": p}
        for i, p in enumerate(preferences)
    ]  # fmt: skip


def test_alpaca_eval_preferences_are_win_probabilities(tmp_path):
    put(tmp_path, "x/annotations.json", annotations("x", [1, 2, 1.5, 0, None, 1.25]))
    put(tmp_path, "y/annotations.json", annotations("y", [2, 2, 2, 2, 2, 2]))
    put(tmp_path, "davinci/annotations.json", annotations("davinci", [1.5] * 6))
    cases = read(tmp_path)
    assert cases.algorithms == ("x", "y")
    assert cases.values[:, 0].tolist()[:4] == [0.0, 1.0, 0.5, 0.5]
    assert np.isnan(cases.values[4, 0])
    assert cases.values[5, 0] == 0.25
    assert list(cases.reasons.values()) == ["not annotated"]
    assert any("compared with itself: 'davinci'" in note for note in cases.notes)
    assert any("dataset" in note and "cluster_column" in note for note in cases.notes)


def test_alpaca_eval_of_two_judges_asks_and_impossible_preferences_are_refused(tmp_path):
    for system, judge in (("x", "gpt4"), ("y", "gpt4"), ("x", "claude"), ("y", "claude")):
        put(tmp_path, f"{system}/{judge}/annotations.json", annotations(system, [1, 2], annotator=judge))
    with refuses(DataError, "where"):
        read(tmp_path)
    assert read(tmp_path, where="annotator == 'claude'").n_cases == 2
    put(tmp_path, "x/gpt4/annotations.json", annotations("x", [7]))
    with pytest.raises(DataError, match=r"annotations.json: the preference of entry 1 is '7'"):
        read(tmp_path)


def test_alpaca_eval_as_expected(tmp_path):
    facts = expected("alpacaeval_v1")
    cases = read(folder("alpacaeval_v1"))
    check_facts(cases, facts)
    check_cli(tmp_path, [folder("alpacaeval_v1")], facts)


# --- every_eval_ever -------------------------------------------------------------------------------------------------


def every_eval(root, model, scores, hashes=None, lower=False):
    evaluation = f"e/{model}"
    result = {
        "evaluation_name": "bench",
        "metric_config": {"metric_name": "wer" if lower else "accuracy", "lower_is_better": lower},
    }
    total = {
        "schema_version": "0.3.0",
        "evaluation_id": evaluation,
        "model_info": {"name": model, "id": f"org/{model}"},
    }
    put(root, f"{model}.json", total | {"evaluation_results": [result | {"score_details": {"score": 0.5}}]})
    rows = []
    for i, score in enumerate(scores):
        row = {
            "schema_version": "0.3.0",
            "evaluation_id": evaluation,
            "model_id": f"org/{model}",
            "evaluation_name": "bench",
        }
        row |= {
            "sample_id": f"s{i}",
            "sample_hash": (hashes or "abcdef")[i],
            "evaluation": {"score": score, "is_correct": True},
        }
        row |= {"token_usage": {"total_tokens": 10 + i}, "metadata": {"subject": "xy"[i % 2]}}
        rows.append(row | ({"error": "API timeout"} if score is None else {}))
    put(root, f"{model}_samples.jsonl", "\n".join(map(json.dumps, rows)))


def test_every_eval_ever_samples_come_before_totals(tmp_path):
    every_eval(tmp_path, "a", [1.0, 0.0, None])
    every_eval(tmp_path, "b", [0.0, 0.0, 1.0])
    cases = read(tmp_path)
    assert (cases.metric.name, cases.metric.direction) == ("accuracy", "higher")
    assert values(cases)["org/b"] == {"s0": 0.0, "s1": 0.0, "s2": 1.0}
    assert cases.reasons == {("s2", "org/a"): "timeout"}
    assert cases.cost.name == "tokens"
    assert cases.costs[:, 0].tolist() == [10, 11, 12]


def test_every_eval_ever_matches_by_hash_where_ids_mean_different_samples(tmp_path):
    every_eval(tmp_path, "a", [1.0, 0.0], hashes="xy", lower=True)
    every_eval(tmp_path, "b", [0.2, 0.7], hashes="yx", lower=True)
    cases = read(tmp_path)
    assert cases.metric.direction == "lower"
    assert cases.values.tolist() == [[1.0, 0.7], [0.0, 0.2]]
    assert any("matched by sample_hash" in note for note in cases.notes)


def test_every_eval_ever_totals_alone_are_scores_of_datasets(tmp_path):
    for model in "ab":
        every_eval(tmp_path, model, [1.0])
        (tmp_path / f"{model}_samples.jsonl").unlink()
    results = read(tmp_path)
    assert (results.algorithms, results.datasets) == (("org/a", "org/b"), ("bench",))


def test_every_eval_ever_as_expected():
    facts = expected("every_eval_ever_demo")
    cases = read(folder("every_eval_ever_demo"))
    assert (len(cases.algorithms), cases.n_cases) == (facts["systems"], facts["items"])
    assert [[name, value] for name, value in zip(cases.cases, cases.values[:, 0].tolist(), strict=True)] == facts[
        "scores"
    ]


# --- Challenges ------------------------------------------------------------------------------------------------------


def challenge(root, rows):
    text = "".join(f'"{i}","{t}","{a}",{v},{c}\n' for i, (t, a, v, c) in enumerate(rows))
    return put(root, "data_matrix.csv", '"","task","alg_name","value","case"\n' + text)


def test_cases_of_a_challenge_that_restart_in_each_task_are_not_mixed_up(tmp_path):
    rows = [(t, a, v, c) for t in ("t1", "t2") for a in ("A1", "A2") for c, v in ((1, 0.5), (2, "NA"))]
    challenge(tmp_path, rows)
    cases = read(tmp_path, direction="higher")
    assert cases.cases == ("t1/1", "t1/2", "t2/1", "t2/2")
    assert cases.benchmarks == ("t1", "t1", "t2", "t2")
    assert np.isnan(cases.values).sum() == 4
    with refuses(DataError, "direction"):
        read(tmp_path)
    challenge(tmp_path, [("t", "A1", 1, 1), ("t", "A1", 2, 1)])
    with pytest.raises(DataError, match=r"data_matrix.csv, line 3: 'A1' has a second value"):
        read(tmp_path, direction="higher")


def test_a_challenge_as_expected(tmp_path):
    facts = expected("challenger_data_matrix")
    cases = read(folder("challenger_data_matrix"), direction="higher")
    assert (len(cases.algorithms), cases.n_cases) == (facts["systems"], facts["items"])
    for task, own in facts["by_task"].items():
        where = f"benchmark == '{task}'"
        check_facts(read(folder("challenger_data_matrix"), direction="higher", where=where), own)
        check_cli(tmp_path, [folder("challenger_data_matrix"), "--direction", "higher", "--where", where], own)


# --- Battles ---------------------------------------------------------------------------------------------------------


def test_battles_in_json_are_known_too(tmp_path):
    put(tmp_path, "battles.json", [{"model_a": "x", "model_b": "y", "winner": "tie", "judge": "j"}])
    with refuses(DataError, "case_column"):
        read(tmp_path)


def test_a_table_with_blanks_is_no_run_of_trec(tmp_path):
    rows = [b"5 0 3 1 0.5 7\n6 0 4 2 0.25 8\n", b"name a b c d e\nx 0 y 1 2.0 3\n"]
    assert not any(is_trec(tmp_path / "x.dat", head) for head in rows)
    assert is_trec(tmp_path / "x.run", b"1048585 Q0 7187158 1 32.3 bm25\n1048585 Q0 7187157 2 31.0 bm25\n")


def test_alpaca_eval_is_known_with_outputs_of_any_length(tmp_path):
    rows = [{"instruction": "Do", "output_1": "x" * 40_000, **row} for row in annotations("x", [1, 2])]
    put(tmp_path, "x.json", rows)
    put(tmp_path, "y.json", annotations("y", [1, 2]))
    assert read(tmp_path).algorithms == ("x", "y")


@pytest.mark.parametrize("header", ["model_a,model_b,winner,judge", "id,prompt,winner,left,right"])
def test_battles_are_refused_with_the_way_to_go_on(tmp_path, header):
    put(tmp_path, "battles.csv", header + "\nx,y,model_a,1" + ",z" * (header.count(",") - 3) + "\n")
    with refuses(DataError, "case_column"):
        read(tmp_path)


def test_every_eval_ever_samples_of_two_results_are_no_tries_of_one(tmp_path):
    """A sample that two metrics score has two records; without the totals nothing says which is which."""
    for model in "ab":
        every_eval(tmp_path, model, [1.0, 0.0])
        (tmp_path / f"{model}.json").unlink()
        path = tmp_path / f"{model}_samples.jsonl"
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        lines = [json.dumps(row | {"evaluation_result_id": result}) for row in rows for result in ("f1", "em")]
        path.write_text("\n".join(lines))
    with pytest.raises(DataError, match="several results"):
        read(tmp_path, direction="higher")


def test_every_eval_ever_totals_of_unnamed_metrics_and_of_unknown_levels(tmp_path):
    for model, scores in (("a", (1.0, -1.0)), ("b", (2.0, 1.0))):
        config = {"lower_is_better": False, "score_type": "levels", "has_unknown_level": True}
        results = [
            {"evaluation_name": name, "metric_config": config, "score_details": {"score": score}}
            for name, score in zip("xy", scores, strict=True)
        ]
        about = {"schema_version": "0.2.0", "evaluation_id": model, "model_info": {"id": model}}
        put(tmp_path / "once", f"{model}.json", about | {"evaluation_results": results})
        put(tmp_path / "twice", f"{model}.json", about | {"evaluation_results": [*results, results[0]]})
    once = read(tmp_path / "once").scores().table().values
    assert np.isnan(once).tolist() == [[False, False], [True, False]]
    with pytest.raises(DataError, match="two scores of 'x'"):
        read(tmp_path / "twice")


@pytest.mark.parametrize(
    "sides", ["winner,loser", "model_1,model_2,winner", "left_model,right_model,vote", "team_a,team_b,score_a"]
)
def test_battles_under_other_names_are_refused_too(tmp_path, sides):
    put(tmp_path, "b.csv", f"{sides}\n" + "a,b,a\n"[: 2 * len(sides.split(",")) - 1] + "\n")
    with pytest.raises(DataError, match="battles"):
        read(tmp_path)
