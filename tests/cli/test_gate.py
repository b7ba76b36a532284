"""`podium gate` on the command line: exit codes, JUnit, GitHub, bad input, and the workflow of the documentation."""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from program import answered

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / "examples/gate/evaluation-gate.yml"


@pytest.fixture
def podium(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return answered


def written(folder, name, b=0, c=0, n=400, passes=320, candidate=False):
    """A file of one algorithm: of n cases so many pass; the candidate passes b more and c fewer."""
    right = [1] * passes + [0] * (n - passes)
    if candidate:
        right[:c] = [0] * c
        right[passes : passes + b] = [1] * b
    (folder / name).write_text("case,correct\n" + "".join(f"q{i},{v}\n" for i, v in enumerate(right)))
    return name


@pytest.fixture
def files(tmp_path):
    written(tmp_path, "old.csv")
    written(tmp_path, "same.csv", b=3, c=4, candidate=True)
    written(tmp_path, "bad.csv", b=2, c=40, candidate=True)
    written(tmp_path, "open.csv", b=20, c=24, candidate=True)
    return tmp_path


@pytest.mark.parametrize("candidate, code", [("same", 0), ("bad", 1), ("open", 3)])
def test_exit_codes(podium, files, candidate, code):
    found, out, err = podium("gate", "old.csv", f"{candidate}.csv", "--margin", "0.02" if code else "0.05")
    assert found == code
    assert out.startswith(f"Gate: {['not worse', 'worse', '', 'cannot tell'][code]}")
    assert "old.csv was read as outcomes of test cases: 1 algorithm on 400 cases." in err


def test_an_open_answer_can_pass_or_fail(podium, files):
    words = ("gate", "old.csv", "open.csv", "--margin", "0.02", "-q")
    assert podium(*words)[0] == 3
    assert podium(*words, "--inconclusive", "pass")[0] == 0
    assert podium(*words, "--inconclusive", "fail")[0] == 1
    assert podium("gate", "old.csv", "bad.csv", "--margin", "0.02", "-q", "--inconclusive", "pass")[0] == 1


def test_json_has_the_numbers(podium, files):
    code, out, _ = podium(
        "gate", "old.csv", "open.csv", "--margin", "0.02", "--aa-test", "--draws", "200", "--json", "-"
    )
    data = json.loads(out)
    check = data["checks"][0]
    assert (code, data["answer"], data["exit_code"]) == (3, "cannot tell", 3)
    assert (data["baseline"], data["candidate"]) == ("old", "open")
    assert (check["cases"], check["cases_better"], check["cases_worse"]) == (400, 20, 24)
    assert check["difference"] == pytest.approx(-0.01)
    assert check["cases_needed"] > 1500
    assert 0 < check["power"] < 0.5
    assert 0 < check["detectable_drop"] < 0.1
    assert data["identical"][0]["runs"] == 200


def test_two_names_of_one_file(podium, files):
    columns = {name: (files / f"{name}.csv").read_text().split()[1:] for name in ("old", "same", "bad")}
    rows = zip(*columns.values(), strict=True)
    lines = [",".join([cells[0].split(",")[0], *(cell.split(",")[1] for cell in cells)]) for cells in rows]
    (files / "all.csv").write_text("\n".join(["case,old,same,bad", *lines]) + "\n")
    assert podium("gate", "old", "bad", "--results", "all.csv", "--margin", "0.02", "-q")[0] == 1
    assert podium("gate", "old", "same", "--results", "all.csv", "--margin", "0.05", "-q")[0] == 0
    code, _, err = podium("gate", "old", "smae", "--results", "all.csv", "--margin", "0.05")
    assert (code, "did you mean 'same'" in err) == (2, True)
    code, _, err = podium("gate", "old.csv", "same", "--results", "all.csv", "--margin", "0.05")
    assert (code, "is a file; with --results name two algorithms of all.csv" in err) == (2, True)


def test_files_that_name_their_algorithm(podium, tmp_path):
    for name, who in (("a.csv", "v1"), ("b.csv", "v2")):
        rows = "".join(f"{who},q{i},1\n" for i in range(100))
        (tmp_path / name).write_text(f"model,case,correct\n{rows}")
    _, out, _ = podium("gate", "a.csv", "b.csv", "--margin", "0.05", "--json", "-")
    assert (json.loads(out)["baseline"], json.loads(out)["candidate"]) == ("v1", "v2")


def test_the_same_name_in_two_folders(podium, tmp_path):
    for folder in ("main", "pr"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder, "results.csv")
    _, out, _ = podium("gate", "main/results.csv", "pr/results.csv", "--margin", "0.05", "--json", "-")
    assert json.loads(out)["candidate"] == "pr/results.csv"


def test_samples_clusters_and_several_metrics(podium, tmp_path):
    for name, slower in (("old.csv", 0), ("new.csv", 30)):
        rows = [
            f"q{i},{s},doc{i // 5},{int((i * 7 + s) % 5 > 0)},{100 + i % 17 + s + slower * (1 + i % 3)}"
            for i in range(400)
            for s in range(4)
        ]
        (tmp_path / name).write_text("case,sample,cluster,correct,latency\n" + "\n".join(rows) + "\n")
    code, out, err = podium(
        *("gate", "old.csv", "new.csv", "--metric", "correct", "--metric", "latency", "--margin", "accuracy=0.05"),
        *("--margin", "latency=5", "--json", "-"),
    )
    data = json.loads(out)
    assert "clusters, up to 4 samples per case" in err
    assert [(c["metric"], c["answer"]) for c in data["checks"]] == [("accuracy", "not worse"), ("latency", "worse")]
    assert (code, data["correction"], data["checks"][0]["clusters"]) == (1, "holm", 80)


def test_predictions(podium, tmp_path):
    truth = [i % 3 == 0 for i in range(120)]
    (tmp_path / "truth.csv").write_text("id,y\n" + "".join(f"{i},{int(t)}\n" for i, t in enumerate(truth)))
    for name, wrong in (("old", 4), ("new", 40)):
        rows = "".join(f"{i},{int(t if i >= wrong else not t)}\n" for i, t in enumerate(truth))
        (tmp_path / f"{name}.csv").write_text(f"id,label\n{rows}")
    words = ("gate", "old.csv", "new.csv", "--truth", "truth.csv", "--margin", "0.02", "--json", "-")
    code, out, _ = podium(*words, "--metric", "accuracy")
    assert (code, json.loads(out)["checks"][0]["cases_worse"]) == (1, 36)
    code, out, _ = podium(*words, "--metric", "f1")
    assert (code, json.loads(out)["checks"][0]["metric"]) == (1, "f1")
    assert podium(*words)[0] == 2


def shuffled(file):
    """The cases of a file in another order, the same for every file with as many."""
    head, *rows = file.read_text().splitlines()
    random.Random(1).shuffle(rows)
    file.write_text("\n".join([head, *rows]) + "\n")


def test_anytime(podium, files):
    refused(
        podium("gate", "old.csv", "bad.csv", "--margin", "0.02", "--anytime", "--json", "-"),
        "order depends on the outcomes",
    )
    shuffled(files / "old.csv")
    shuffled(files / "bad.csv")
    code, out, _ = podium("gate", "old.csv", "bad.csv", "--margin", "0.02", "--anytime", "--json", "-")
    check = json.loads(out)["checks"][0]
    assert (code, check["method"]) == (1, "an e-process")
    assert 0 < check["decided_after"] < 400


# Other programs.


def test_junit(podium, files):
    podium("gate", "old.csv", "bad.csv", "--margin", "0.02", "-q", "--junit", "bad.xml")
    suite = ElementTree.parse(files / "bad.xml").getroot()
    assert suite.attrib["failures"] == "1"
    assert suite.find(".//failure").attrib["type"] == "worse"
    assert "bad is significantly more than 2 percentage points behind old" in suite.find(".//failure").attrib["message"]
    podium("gate", "old.csv", "same.csv", "--margin", "0.05", "-q", "--junit", "same.xml")
    suite = ElementTree.parse(files / "same.xml").getroot()
    assert (suite.attrib["failures"], suite.find(".//failure")) == ("0", None)
    podium("gate", "old.csv", "open.csv", "--margin", "0.02", "-q", "--junit", "open.xml", "--inconclusive", "pass")
    suite = ElementTree.parse(files / "open.xml").getroot()
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("0", "1")


def test_names_are_data(podium, tmp_path):
    """A name cannot break out of XML, nor speak to the runner of a workflow."""
    evil = "::error::<b>\"&'%"
    rows = "".join(f"q{i},1,{int(i > 40)}\n" for i in range(300))
    (tmp_path / "all.csv").write_text(f'case,old,"{evil.replace(chr(34), chr(34) * 2)}"\n{rows}')
    code, out, _ = podium(
        "gate", "old", evil, "--results", "all.csv", "--margin", "0.02", "--github", "--junit", "g.xml"
    )
    suite = ElementTree.parse(tmp_path / "g.xml").getroot()
    assert code == 1
    assert suite.find("testsuite").attrib["name"] == f"{evil} against old"
    lines = out.splitlines()
    token = lines[1].removeprefix("::stop-commands::")
    assert lines[0].startswith("::error title=Gate%3A worse::Worse: ")
    assert "\n::error::" not in out.split("::stop-commands::")[0]
    assert re.fullmatch("[0-9a-f]{32}", token)
    assert lines[-1] == f"::{token}::"


def test_github(podium, files, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(files / "summary.md"))
    for candidate, level in (("same", "notice"), ("open", "warning"), ("bad", "error")):
        margin = "0.05" if candidate == "same" else "0.02"
        _, out, _ = podium("gate", "old.csv", f"{candidate}.csv", "--margin", margin, "--github", "-q")
        assert out.startswith(f"::{level} title=Gate%3A ")
    summary = (files / "summary.md").read_text()
    assert summary.count("# Gate: ") == 3  # every step adds to it
    assert "| Answer | worse |" in summary


def test_json_stays_clean_beside_github(podium, files):
    _, out, err = podium("gate", "old.csv", "bad.csv", "--margin", "0.02", "--github", "--json", "-")
    assert json.loads(out)["answer"] == "worse"
    assert "::error title=" in err
    assert "GITHUB_STEP_SUMMARY is not set" in err


# Bad input.


@pytest.mark.parametrize(
    "margin, said",
    [
        ("0", "must be above 0"),
        ("-0.02", "must be above 0"),
        ("2", "2 percentage points are 0.02"),
        ("2%", "write 0.02"),
        ("x", "must be a number such as 0.02"),
        ("nan", "--margin"),
    ],
)
def test_margins(podium, files, margin, said):
    code, out, err = podium("gate", "old.csv", "same.csv", f"--margin={margin}")
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]


def refused(found, *phrases):
    code, out, err = found
    assert (code, out) == (2, ""), err
    assert all(phrase in err for phrase in phrases), err
    assert "Traceback" not in err


def test_files_that_cannot_be_compared(podium, files):
    margin = ("--margin", "0.02")
    refused(podium("gate", "old.csv", "same.csv"), "Give --margin")
    refused(podium("gate", "old.csv", "none.csv", *margin), "There is no file 'none.csv'", "--results")
    refused(podium("gate", "old.csv", "old.csv", *margin), "Both files are the same, old.csv")
    (files / "other.csv").write_text("case,correct\n" + "".join(f"x{i},1\n" for i in range(9)))
    refused(podium("gate", "old.csv", "other.csv", *margin), "no case in common", "'q0' there, 'x0' here")
    (files / "twice.csv").write_text("case,correct\nq0,1\nq1,1\nq0,0\n")
    refused(
        podium("gate", "old.csv", "twice.csv", *margin), "more than one outcome on the case 'q0'", "--sample-column"
    )
    (files / "holes.csv").write_text("case,correct\nq0,\nq1,error\nq2,timeout\n")
    refused(podium("gate", "old.csv", "holes.csv", *margin), "no outcome at all")
    (files / "empty.csv").write_text("")
    refused(podium("gate", "old.csv", "empty.csv", *margin), "empty.csv")
    (files / "two.csv").write_text("model,case,correct\na,q0,1\nb,q0,1\n")
    refused(podium("gate", "old.csv", "two.csv", *margin), "holds 2 algorithms ('a', 'b')", "--results two.csv")


def test_a_metric_without_a_direction(podium, files):
    for name in ("a.csv", "b.csv"):
        (files / name).write_text("case,badness\n" + "".join(f"q{i},{i * 1.5}\n" for i in range(30)))
    refused(
        podium("gate", "a.csv", "b.csv", "--margin", "0.5"), "Is a higher or a lower 'badness' better", "--direction"
    )
    words = ("gate", "a.csv", "b.csv", "--margin", "0.5", "--direction", "lower", "-q")
    assert podium(*words)[0] == 3  # no case differs, and nothing says how much one could lose
    assert podium(*words, "--bound", "2")[0] == 0


def test_other_metrics_of_the_two(podium, files):
    (files / "loss.csv").write_text("case,log_loss\n" + "".join(f"q{i},{i * 0.7}\n" for i in range(30)))
    refused(podium("gate", "old.csv", "loss.csv", "--margin", "0.02"), "is measured by accuracy", "--metric")


def test_a_crash_is_no_answer(podium, files, monkeypatch):
    """Python ends with 1 after a traceback, which here would say "worse"."""

    def broken(*_, **__):
        raise RuntimeError("broken")

    monkeypatch.setattr("podium.cases._gate.gate", broken)
    code, _, err = podium("gate", "old.csv", "same.csv", "--margin", "0.02")
    assert (code, "RuntimeError: broken" in err) == (2, True)


@pytest.mark.parametrize(("candidate", "form", "answer"), [("bad", "--json -", 1), ("bad", "", 1), ("same", "", 0)])
def test_a_reader_that_goes_away_does_not_change_the_answer(files, candidate, form, answer):
    """`podium gate ... | head -1` with pipefail: the answer is still the exit code."""
    gate = f"{sys.executable} -m podium gate old.csv {candidate}.csv --margin 0.02 {form}"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {gate} 2>/dev/null | true"], cwd=files, check=False)
    assert done.returncode == answer


# The workflow of the documentation, run by a shell.


def steps(text):
    """The `run:` scripts of the workflow by the names of their steps."""
    import yaml

    return {step["name"]: step["run"] for step in yaml.safe_load(text)["jobs"]["gate"]["steps"] if "run" in step}


@pytest.mark.parametrize(
    "candidate, code, said", [("same", 0, "not worse"), ("bad", 1, "worse"), ("open", 0, "cannot tell")]
)
def test_the_workflow_in_a_shell(files, candidate, code, said):
    pytest.importorskip("yaml")
    margin = {"same": "0.05"}.get(candidate, "0.02")
    script = steps(WORKFLOW.read_text())["Gate"].replace("--margin 0.02", f"--margin {margin}")
    (files / "baseline.csv").write_text((files / "old.csv").read_text())
    (files / "candidate.csv").write_text((files / f"{candidate}.csv").read_text())
    (files / "podium").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m podium "$@"\n')
    (files / "podium").chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{files}:{os.environ['PATH']}",
        "GITHUB_OUTPUT": str(files / "output"),
        "GITHUB_STEP_SUMMARY": str(files / "summary.md"),
    }
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=files,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert (files / "output").read_text() == f"code={3 if said == 'cannot tell' else code}\n"
    assert f"# Gate: {said}" in (files / "summary.md").read_text()
    assert json.loads((files / "gate.json").read_text())["answer"] == said
    assert ElementTree.parse(files / "gate.xml").getroot().attrib["tests"] == "1"
    assert f"title=Gate%3A {said}::" in done.stdout


def test_the_page_shows_the_workflow():
    assert WORKFLOW.name in (ROOT / "docs/howto/gate.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "table, said",
    [
        ("dataset,a,b\niris,0.91,0.93\nwine,0.88,0.86\nzoo,0.9,0.95\n", "one dataset (column 'dataset')"),
        (
            "env,agent,seed,episode_return\n"
            + "".join(f"{e},{a},{s},{s}\n" for e in "xy" for a in "ab" for s in "012"),
            "a run of an agent on a task",
        ),
    ],
)
def test_rows_that_are_no_test_cases(podium, tmp_path, table, said):
    (tmp_path / "other.csv").write_text(table)
    gate = podium("gate", "a", "b", "--results", "other.csv", "--metric", "accuracy", "--margin", "0.02")
    plan = podium("plan", "--from", "other.csv", "--metric", "accuracy", "--difference", "0.02")
    refused(gate, f"One row of other.csv is {said}", "set --unit to 'case'")
    refused(plan, f"One row of other.csv is {said}", "podium compare")
    if "iris" in table:
        cases = podium(
            "gate", "a", "b", "--results", "other.csv", "--metric", "accuracy", "--margin", "0.02", "--unit", "case"
        )
        assert cases[0] == 3
