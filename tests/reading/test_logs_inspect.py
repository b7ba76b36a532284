"""Logs of Inspect: real ones against their facts, and one made file for every trap."""

import json
import struct
import zipfile
import zlib

import numpy as np
import pytest

import podium
from podium.core.errors import DataError
from podium.reading.logs import zips
from reading.logs_expected import check_cli, check_facts, expected, folder
from refusals import refuses


@pytest.mark.parametrize("task,scorer", [("capitals", "verdict"), ("essays", "judge")])
def test_real_logs_give_their_facts(task, scorer, tmp_path):
    facts = expected("inspect_a")["by_task_scorer"][f"{task} | {scorer}"]
    cases = podium.read(folder("inspect_a"), where=f"benchmark == '{task}'")
    check_facts(cases, facts)
    assert int(np.isnan(cases.samples).sum()) == facts["missing_rows"]
    check_cli(tmp_path, [folder("inspect_a"), "--where", f"benchmark == '{task}'"], facts)


def test_all_tasks_are_one_comparison():
    facts = expected("inspect_a")
    cases = podium.read(folder("inspect_a"))
    assert (cases.n_algorithms, cases.n_cases) == (facts["systems"], facts["items"])
    assert set(cases.benchmarks) == set(facts["tasks"])
    told = " ".join(cases.notes)
    assert "was cancelled: it is left out" in told
    assert "was stopped by an error: it is left out" in told
    assert "same passage are one cluster" in told


# --- Made logs -------------------------------------------------------------------------------------------------------


def sample(number, value, *, epoch=1, scorer="verdict", error=None, **more):
    scores = {} if error else {scorer: {"value": value, "answer": "x"}}
    return {
        "id": number,
        "epoch": epoch,
        "input": f"question {number}",
        "metadata": {"passage": f"p{number % 2}" if isinstance(number, int) else "p"},
        "scores": scores,
        "model_usage": {"lab/a": {"total_tokens": 10 * epoch}, "lab/judge": {"total_tokens": 1000}},
        "working_time": 0.5,
        **({"error": error} if error else {}),
        **more,
    }


def header(model="lab/a", task="capitals", status="success", metric="accuracy", scorers=("verdict",), **more):
    scores = [
        {"name": s, "scorer": s, "metrics": {metric: {"name": metric, "value": 0.5}, "stderr": {"value": 0.1}}}
        for s in scorers
    ]
    about = {
        "task": task,
        "model": model,
        "created": more.pop("created", "2026-11-16T04:43:23+00:00"),
        **more.pop("about", {}),
    }
    return {"version": 2, "status": status, "eval": about, "plan": {"steps": []}, "results": {"scores": scores, **more}}


def write_json(path, samples, **about):
    path.write_text(json.dumps({**header(**about), "samples": samples}), encoding="utf-8")


def write_eval(path, members, packing=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, value in members.items():
            archive.writestr(name, json.dumps(value))


def write_zstd(path, members):
    """An archive with members of type 93, as Inspect writes it now."""
    pa = pytest.importorskip("pyarrow")
    body, central = b"", b""
    for name, value in members.items():
        text = json.dumps(value).encode()
        packed = pa.compress(text, codec="zstd", asbytes=True)
        sizes = struct.pack("<III", zlib.crc32(text), len(packed), len(text))
        start = struct.pack("<HHHHH", 63, 0, 93, 0, 0) + sizes + struct.pack("<HH", len(name), 0)
        central += (
            b"PK\x01\x02" + struct.pack("<H", 63) + start + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        )
        body += b"PK\x03\x04" + start + name.encode() + packed
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, len(members), len(members), len(central), len(body), 0)
    path.write_bytes(body + central + end)


def two_models(tmp_path, **about):
    for model, values in (("lab/a", "CIPN"), ("lab/b", "CCCI")):
        samples = [sample(i + 1, value) for i, value in enumerate(values)]
        write_json(tmp_path / f"{model[-1]}.json", samples, model=model, **about)


def test_grades_count_as_inspect_counts_them(tmp_path):
    two_models(tmp_path)
    cases = podium.read(tmp_path)
    assert cases.values.T.tolist() == [[1, 0, 0.5, 0], [1, 1, 1, 0]]
    assert cases.metric.name == "accuracy"
    assert cases.metric.direction == "higher"


@pytest.mark.parametrize("write", [write_eval, write_zstd])
def test_archives_of_both_packings(tmp_path, write):
    for model in "ab":
        write(
            tmp_path / f"{model}.eval",
            {"summaries.json": [sample(i, "C") for i in range(3)], "header.json": header(model=model)},
        )
    assert podium.read(tmp_path).values.tolist() == [[1, 1]] * 3


def test_a_failed_sample_is_a_hole_with_a_kind(tmp_path):
    two_models(tmp_path)
    failed = [sample(1, "C"), sample(2, None, error={"message": "TimeoutError: 600 s"}), sample(3, "C"), sample(4, "I")]
    write_json(tmp_path / "c.json", failed, model="lab/c")
    cases = podium.read(tmp_path)
    assert cases.reasons == {("2", "lab/c"): "timeout"}
    assert cases.scores[2] == pytest.approx(2 / 3)


def test_epochs_are_samples_and_a_failed_one_leaves_the_others(tmp_path):
    for model in "ab":
        epochs = [
            sample(1, "C", epoch=1),
            sample(1, "I", epoch=2),
            sample(1, None, epoch=3, error="boom"),
            sample(2, "C"),
        ]
        write_json(tmp_path / f"{model}.json", epochs, model=model)
    cases = podium.read(tmp_path)
    assert cases.values[0].tolist() == [0.5, 0.5]
    assert cases.samples.shape == (2, 2, 3)
    assert cases.reasons == {}
    assert any("For 2 of them the case has other samples" in note for note in cases.notes)


def test_two_scorers_are_a_question_unless_the_log_has_a_headline(tmp_path):
    def write(**more):
        for model in "ab":
            scores = [
                {**sample(i, "C"), "scores": {"verdict": {"value": "C"}, "words": {"value": 120 + i}}} for i in range(3)
            ]
            write_json(
                tmp_path / f"{model}.json", scores, model=model, scorers=("verdict", "words"), metric="mean", **more
            )

    write()
    with refuses(DataError, "where"):
        podium.read(tmp_path)
    assert podium.read(tmp_path, metric="verdict").kind == "pass_fail"
    with refuses(DataError, "direction"):
        podium.read(tmp_path, metric="words")
    assert podium.read(tmp_path, metric="words", direction="lower").metric.direction == "lower"
    write(headline={"scorer": "verdict", "score": "verdict", "metric": "mean"})
    cases = podium.read(tmp_path)
    assert cases.kind == "pass_fail"
    assert any("scorer 'words'" in note for note in cases.notes)


def test_scores_that_are_dicts_are_several(tmp_path):
    for model in "ab":
        rubric = [sample(i, {"fact": 1, "style": 0.5}, scorer="rubric") for i in range(3)]
        write_json(tmp_path / f"{model}.json", rubric, model=model, scorers=("rubric",), metric="mean")
    with refuses(DataError, "where"):
        podium.read(tmp_path)
    assert podium.read(tmp_path, metric="rubric.style", direction="higher").scores.tolist() == [0.5, 0.5]


def test_a_part_of_a_score_can_be_the_headline(tmp_path):
    for model in "ab":
        rubric = [sample(i, {"fact": 1, "style": 0.5}, scorer="rubric") for i in range(3)]
        headline = {"scorer": "rubric", "score": "fact", "metric": "mean"}
        write_json(
            tmp_path / f"{model}.json", rubric, model=model, scorers=("rubric",), metric="mean", headline=headline
        )
    cases = podium.read(tmp_path)
    assert cases.scores.tolist() == [1, 1]
    assert any("rubric.style" in note for note in cases.notes)


def test_a_log_that_did_not_come_to_an_end_never_replaces_a_good_one(tmp_path):
    two_models(tmp_path)
    write_json(tmp_path / "again.json", [sample(1, "I")], model="lab/a", status="cancelled", created="2027-01-01")
    cases = podium.read(tmp_path)
    assert cases.scores[0] == 0.375
    write_json(tmp_path / "only.json", [sample(1, "I")], model="lab/c", status="error")
    cases = podium.read(tmp_path)
    assert np.isnan(cases.values[:, 2]).sum() == 3
    assert any("is used anyway: there is no other" in note for note in cases.notes)


def test_a_killed_log_has_only_its_journal(tmp_path):
    two_models(tmp_path)
    start = {key: value for key, value in header(model="lab/c").items() if key in ("version", "eval", "plan")}
    journal = {
        "_journal/start.json": start,
        "_journal/summaries/1.json": [sample(1, "C"), sample(2, "C")],
        "_journal/summaries/2.json": [sample(3, "I")],
        "samples/1_epoch_1.json": sample(1, "C"),
        "samples/4_epoch_1.json": sample(4, "C"),
    }
    write_eval(tmp_path / "c.eval", journal)
    cases = podium.read(tmp_path)
    assert cases.values[:, 2].tolist() == [1, 1, 0, 1]
    assert any("was not finished when it was written" in note for note in cases.notes)


def test_a_log_without_samples_gives_the_score_of_its_task(tmp_path):
    for task in ("simpleqa", "gpqa"):
        for model in "ab":
            (tmp_path / f"{task}{model}.json").write_text(json.dumps(header(model=model, task=task)), encoding="utf-8")
    scores = podium.read(tmp_path).scores()
    assert scores.datasets == ("gpqa", "simpleqa")
    assert scores.metric.name == "accuracy"
    two_models(tmp_path)
    assert any("no cases: 'gpqa', 'simpleqa'" in note for note in podium.read(tmp_path).notes)


def test_fewer_samples_than_the_header_counts_are_said(tmp_path):
    two_models(tmp_path, total_samples=50)
    assert any("4 of the 50 samples" in note for note in podium.read(tmp_path).notes)


def test_the_same_model_with_another_solver_is_another_system(tmp_path):
    for solver in ("react", "generate"):
        write_json(tmp_path / f"{solver}.json", [sample(1, "C"), sample(2, "I")], about={"solver": solver})
    assert set(podium.read(tmp_path).algorithms) == {"lab/a (solver=react)", "lab/a (solver=generate)"}


def test_numbers_that_mean_other_samples_are_refused(tmp_path):
    two_models(tmp_path)
    other = [sample(i, "C", input=f"question {5 - i}") for i in range(1, 5)]
    write_json(tmp_path / "c.json", other, model="lab/c")
    with pytest.raises(DataError, match=r"sample 1 of c\.json was asked something else than sample 1 of a\.json"):
        podium.read(tmp_path)
    named = [{**one, "id": f"q{one['id']}"} for one in other]
    write_json(tmp_path / "c.json", named, model="lab/c")
    write_json(tmp_path / "d.json", [{**one, "input": "x"} for one in named], model="lab/d")
    assert any("d.json have another input" in note for note in podium.read(tmp_path).notes)


def test_a_log_without_any_score_is_named(tmp_path):
    two_models(tmp_path)
    write_json(tmp_path / "none.json", [{"id": 1, "epoch": 1}], model="lab/x", scorers=())
    assert any("none.json (lab/x on capitals) has no score" in note for note in podium.read(tmp_path).notes)


def test_clusters_that_somebody_names(tmp_path):
    two_models(tmp_path)
    assert len(set(podium.read(tmp_path, cluster_column="passage").clusters)) == 2
    assert set(podium.read(tmp_path, case_noun="question").clusters) == {"p0", "p1"}


def test_tokens_of_the_model_that_is_judged_are_its_cost(tmp_path):
    two_models(tmp_path)
    cases = podium.read(tmp_path)
    assert cases.cost.name == "tokens"
    assert cases.costs[:, 0].tolist() == [10] * 4
    assert podium.read(tmp_path, cost_column="seconds").costs[0].tolist() == [0.5, 0.5]


def test_an_archive_whose_bytes_have_changed_is_refused(tmp_path):
    """Zstandard unpacks some damaged data without a word: the archive's own check tells."""
    path = tmp_path / "a.eval"
    write_zstd(path, {"summaries.json": [sample(i, "C") for i in range(3)], "header.json": header()})
    whole = path.read_bytes()
    place = whole.index(b"PK\x01\x02") + 16  # the check sum in the list of members
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    with pytest.raises(DataError, match=r"a\.eval is damaged"):
        podium.read(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"a\.eval is damaged"):
        podium.read(path)


def test_bombs_and_broken_archives_are_refused(tmp_path, monkeypatch):
    good = tmp_path / "a.eval"
    write_eval(good, {"header.json": header(), "summaries.json": [sample(i, "C") for i in range(500)]})
    monkeypatch.setattr(zips, "most_bytes", lambda: 10_000)
    with pytest.raises(DataError, match=r"a\.eval has 'summaries.json', which unpacks to more than"):
        podium.read(good)
    monkeypatch.undo()
    data = bytearray(good.read_bytes())
    data[60:70] = b"\xff" * 10
    good.write_bytes(bytes(data))
    with pytest.raises(DataError, match=r"a\.eval"):
        podium.read(good)


def test_logs_of_before_the_middle_of_2024_have_one_scorer(tmp_path):
    write_json(tmp_path / "new.json", [sample(i, "C") for i in range(4)])
    for model, grades in (("lab/b", "CICI"), ("lab/c", "CCPN")):
        old = {**header(model), "version": 1}
        (score,) = old["results"].pop("scores")
        old["results"] = {"scorer": {"name": score["name"], "params": {}}, "metrics": score["metrics"]}
        samples = [{**sample(i, grade), "score": {"value": grade}} for i, grade in enumerate(grades)]
        old["samples"] = [{key: value for key, value in each.items() if key != "scores"} for each in samples]
        (tmp_path / f"{model[-1]}.json").write_text(json.dumps(old), encoding="utf-8")
    cases = podium.read(tmp_path)
    assert dict(zip(cases.algorithms, cases.values.mean(axis=0), strict=True)) == {
        "lab/a": 1, "lab/b": 0.5, "lab/c": 0.625,
    }  # fmt: skip
    assert cases.metric.name == "accuracy"


@pytest.mark.parametrize("tasks,shared", [(("sums", "evals/sums"), True), (("mine/sums", "evals/sums"), False)])
def test_a_task_with_or_without_its_package_is_one(tmp_path, tasks, shared):
    for model, task in zip(("lab/a", "lab/b"), tasks, strict=True):
        write_json(tmp_path / f"{model[-1]}.json", [sample(i, "C") for i in range(4)], model=model, task=task)
    assert podium.read(tmp_path).n_cases == (4 if shared else 8)


def test_several_ways_to_reduce_epochs(tmp_path):
    for model, right in (("lab/a", 0.5), ("lab/b", 0.25)):
        made = header(model)
        (score,) = made["results"]["scores"]
        made["results"]["scores"] = [
            {**score, "reducer": name, "metrics": {"accuracy": {"value": value}}}
            for name, value in (("mean", right), ("pass_at_2", right + 0.25))
        ]
        (tmp_path / f"{model[-1]}.json").write_text(json.dumps(made), encoding="utf-8")
    assert podium.read(tmp_path).scores().table().values.tolist() == [[0.5, 0.25]]
    other = podium.read(tmp_path, where="reducer == 'pass_at_2'")
    assert other.scores().table().values.tolist() == [[0.75, 0.5]]
    made["samples"] = [sample(1, "C"), sample(1, "I", epoch=2)]
    (tmp_path / "b.json").write_text(json.dumps(made), encoding="utf-8")
    assert any("reduced by mean and pass_at_2; here the mean" in note for note in podium.read(tmp_path).notes)


def test_seeds_of_a_model_are_its_samples(tmp_path):
    """Also where two of them have the same outcomes: these are no copies."""
    for seed, values in enumerate(("CCI", "CII", "CCI")):
        samples = [sample(i + 1, value) for i, value in enumerate(values)]
        write_json(tmp_path / f"a{seed}.json", samples, about={"model_generate_config": {"seed": seed}})
    write_json(tmp_path / "b.json", [sample(i + 1, "I") for i in range(3)], model="lab/b")
    cases = podium.read(tmp_path)
    assert cases.algorithms == ("lab/a", "lab/b")
    assert cases.samples.shape == (3, 2, 3)
    assert cases.values[:, 0].tolist() == pytest.approx([1, 2 / 3, 0])
