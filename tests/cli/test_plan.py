"""`podium plan` on the command line."""

import json

import numpy as np
import pandas as pd
import pytest

from program import answered


@pytest.fixture
def podium(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return answered


@pytest.fixture
def pilot(tmp_path):
    rng = np.random.default_rng(0)
    old = (rng.random(200) < 0.7) * 1
    new = np.where(rng.random(200) < 0.15, 1 - old, old)
    bad = np.where(rng.random(200) < 0.5, 0, old)
    rows = "".join(f"q{i},{a},{b},{c}\n" for i, (a, b, c) in enumerate(zip(old, new, bad, strict=True)))
    (tmp_path / "pilot.csv").write_text(f"case,old,new,bad\n{rows}")


def test_from_a_pilot(podium, pilot):
    words = ("plan", "--from", "pilot.csv", "--difference", "0.04", "--case-cost", "2", "--sample-cost", "0.1")
    code, out, err = podium(*words, "--json", "-")
    data = json.loads(out)
    design = data["designs"][data["best"]]
    assert (code, data["kind"]) == (0, "Plan")
    assert design["power"] >= 0.8
    assert design["cost"] == pytest.approx(design["count"] * 2.2)
    assert "3 algorithms on 200 cases" in err


@pytest.fixture
def files(tmp_path):
    """The kinds of files that a gate takes."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 120)
    old, new = (np.where(rng.random(120) < right, truth, 1 - truth) for right in (0.7, 0.8))
    numbers = rng.normal(5, 1, (120, 2))
    columns = {
        "both.csv": {"case": range(120), "old": (old == truth) * 1, "new": (new == truth) * 1},
        "old.csv": {"case": range(120), "score": (old == truth) * 1},
        "new.csv": {"case": range(120), "score": (new == truth) * 1},
        "numbers.csv": {"case": range(120), "old": numbers[:, 0].round(3), "new": numbers[:, 1].round(3)},
        "clusters.csv": {"case": range(120), "cluster": np.repeat(range(20), 6), "old": old, "new": new},
        "predicted.csv": {"case": range(120), "y": truth, "old": old, "new": new},
        "scored.csv": {"case": range(120), "y": truth, "old": old + numbers[:, 0], "new": new + numbers[:, 1]},
    }
    for name, own in columns.items():
        pd.DataFrame(own).to_csv(tmp_path / name, index=False)
    samples = [(i, s, model, int(rng.random() < 0.6)) for i in range(60) for s in range(3) for model in ("old", "new")]
    pd.DataFrame(samples, columns=["case", "sample", "model", "score"]).to_csv(tmp_path / "samples.csv", index=False)


KINDS = {
    "pass and fail": (("both.csv",), "old new --results both.csv", ()),
    "two files": (("old.csv", "new.csv"), "old.csv new.csv", ()),
    "numbers": (("numbers.csv",), "old new --results numbers.csv", ("--metric", "grade", "--direction", "higher")),
    "clusters": (("clusters.csv",), "old new --results clusters.csv", ()),
    "samples": (("samples.csv",), "old new --results samples.csv", ()),
    "predictions": (("predicted.csv",), "old new --results predicted.csv", ("--truth", "y", "--metric", "accuracy")),
    "F1": (("predicted.csv",), "old new --results predicted.csv", ("--truth", "y", "--metric", "f1")),
    "AUC": (("scored.csv",), "old new --results scored.csv", ("--truth", "y", "--metric", "auc")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_plan_takes_what_a_gate_takes(podium, files, kind):
    pilots, words, reading = KINDS[kind]
    code, out, err = podium("gate", *words.split(), "--margin", "0.05", *reading, "--json", "-")
    assert code in (0, 1, 3), err
    named = [word for pilot in pilots for word in ("--from", pilot)]
    code, out, err = podium("plan", *named, "--difference", "0.05", *reading, "--json", "-")
    assert code == 0, err
    assert json.loads(out)["designs"][0]["count"] > 100


def test_from_an_agreement(podium):
    code, out, _ = podium("plan", "--difference", "0.05", "--agreement", "0.8")
    assert code == 0
    assert "To show a difference of 5 percentage points" in " ".join(out.split())


def test_a_running_evaluation(podium, pilot):
    code, out, _ = podium("plan", "--from", "pilot.csv", "--anytime", "--b", "bad", "--json", "-")
    assert (code, json.loads(out)["decision"]) == (0, "stop")
    code, out, _ = podium(
        "plan", "--from", "pilot.csv", "--anytime", "--b", "new", "--difference", "0.02", "--json", "-"
    )
    assert (code, json.loads(out)["decision"]) == (3, "go on")


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "Give --difference"),
        (("--difference", "0.1"), "--agreement"),
        (("--anytime",), "--from"),
        (("--from", "pilot.csv", "--anytime", "--agreement", "0.5"), "--agreement has no place with --anytime"),
        (("--from", "none.csv", "--difference", "0.1"), "There is no file 'none.csv'"),
        (("--from", "pilot.csv", "--difference", "0.1", "--b", "nwe"), "did you mean 'new'"),
        (("--from", "pilot.csv", "--difference", "0.1", "--bound", "3"), "--bound is for --anytime"),
        (
            ("--from", "pilot.csv", "--difference", "0.1", "--largest-cluster", "3"),
            "--largest-cluster is for --anytime",
        ),
        (("--from", "pilot.csv", "--anytime", "--largest-cluster", "3"), "leave out --largest-cluster"),
    ],
)
def test_refusals(podium, pilot, words, said):
    code, out, err = podium("plan", *words)
    assert (code, out) == (2, "")
    assert said in err
