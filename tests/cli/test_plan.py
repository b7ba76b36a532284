"""`podium plan` on the command line."""

import json

import numpy as np
import pytest

from podium.cli import main


@pytest.fixture
def podium(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr("sys.argv", ["podium", *map(str, words)])
        with pytest.raises(SystemExit) as exit_:
            main.run()
        out, err = capsys.readouterr()
        return exit_.value.code or 0, out, err

    return run


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
