"""What the terminal prints by default: one screen of 40 lines at 80 columns, whatever is compared; --full prints all."""

import re

import numpy as np
import pandas as pd
import pytest

import podium as package
from podium.report.render_short import MOST_LINES
from program import podium
from report.sample import HOSTILE

RNG = np.random.default_rng(7)


def scores(k, n, *, missing=0.0, names=None):
    """Datasets x algorithms whose accuracy falls from the first to the last."""
    values = RNG.uniform(0.6, 0.9, (n, 1)) + np.linspace(0.03, -0.03, k) + RNG.normal(0, 0.02, (n, k))
    values[RNG.random((n, k)) < missing] = np.nan
    index = pd.Index([f"data{i}" for i in range(n)], name="dataset")
    return pd.DataFrame(values.round(4), columns=names or [f"method_{j}" for j in range(k)], index=index)


def cases(values, names):
    return pd.DataFrame(values, columns=names, index=pd.Index([f"q{i}" for i in range(len(values))], name="case"))


def long(columns, rows):
    return pd.DataFrame(rows, columns=columns).set_index(columns[0])


def passed():
    return cases((RNG.random((200, 4)) < [0.9, 0.8, 0.8, 0.6]).astype(int), ["large", "medium", "small", "tiny"])


def runs():
    agents, tasks = enumerate(("dqn", "ppo", "rainbow")), range(6)
    rows = [(a, f"game{t}", s, RNG.normal(10 * t + 2 * k, 3)) for k, a in agents for t in tasks for s in range(5)]
    return long(["agent", "task", "seed", "score"], rows)


def folds():
    rows = [("iris", r, f, *RNG.normal([0.9, 0.92, 0.88], 0.02)) for r in range(2) for f in range(10)]
    return long(["dataset", "repeat", "fold", "knn", "svm", "tree"], rows)


def costs():
    names = ["dataset", "fold", "algorithm", "accuracy", "time"]
    each = [(f"d{i}", f, k) for i in range(12) for f in range(4) for k in range(3)]
    rows = [(d, f, "abc"[k], RNG.normal(0.8 + 0.02 * k, 0.02), np.exp(RNG.normal(k, 0.2))) for d, f, k in each]
    return long(names, rows)


def predictions():
    truth = RNG.integers(0, 2, 120)
    guesses = {
        name: np.where(RNG.random(120) < right, truth, 1 - truth) for name, right in (("red", 0.7), ("blue", 0.5))
    }
    return cases(np.column_stack([truth, *guesses.values()]), ["truth", *guesses])


TABLES = {
    "two algorithms": (lambda: scores(2, 20), ()),
    "two with a rope": (lambda: scores(2, 20), ("--rope", "0.01")),
    "three": (lambda: scores(3, 20), ()),
    "40 with missing scores": (lambda: scores(40, 142, missing=0.05), ()),
    "179 algorithms": (lambda: scores(179, 25), ()),
    "control": (lambda: scores(10, 30), ("--control", "method_3")),
    "rope": (lambda: scores(10, 30), ("--rope", "0.01")),
    "control and rope": (lambda: scores(10, 30), ("--control", "method_3", "--rope", "0.01")),
    "costs": (costs, ("--cost", "time")),
    "pass or fail": (passed, ("--unit", "case")),
    "numbers on cases": (lambda: cases(RNG.normal([5, 5.2, 5.5], 1, (99, 3)), list("xyz")), ("--unit", "case")),
    "runs": (runs, ("--unit", "run", "--direction", "higher")),
    "folds of one dataset": (folds, ()),
    "predictions": (predictions, ("--truth", "truth")),
    "hostile names": (lambda: scores(5, 12, names=list(HOSTILE)), ()),
    "endless names": (lambda: scores(4, 20, names=[f"{name} {'of no end ' * 28}" for name in "abcd"]), ()),
}


@pytest.fixture
def compared(tmp_path, monkeypatch):
    """What is printed for a table, on both streams."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(kind, *more):
        table, options = TABLES[kind]
        table().to_csv(tmp_path / "table.csv")
        metric = "score" if kind == "runs" else "rating" if kind == "numbers on cases" else "accuracy"
        words = ("--metric", metric, "--direction", "higher") if metric == "rating" else ("--metric", metric)
        done = podium("compare", tmp_path / "table.csv", *words, *options, *more)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize("kind", TABLES)
def test_a_comparison_fits_the_screen(compared, kind):
    lines = compared(kind).splitlines()

    assert len(lines) <= MOST_LINES == 40
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "Page with figures: --html report.html      Every table and remark: --full"
    text = "\n".join(lines)
    assert all(f"\n{label}  " in text for label in ("How much", "How sure", "On what")), text
    assert kind in ("costs", "endless names") or "◆" in text or "Typical" in text  # the gaps, or the strip of two


def test_the_whole_report_is_printed_if_asked_for(compared):
    lines = compared("three", "--full").splitlines()
    assert len(lines) > 2 * MOST_LINES
    assert any(line.startswith("References") for line in lines)
    assert any("was read as a wide table" in line for line in lines)


@pytest.mark.parametrize("kind", ["rope", "control and rope"])
def test_the_three_probabilities_of_a_rope_are_beside_the_gap(compared, kind):
    lines = compared(kind).splitlines()
    head = next(line for line in lines if "P worse  P equiv.  P better" in line)
    row = next(line for line in lines if line.startswith("method_9"))
    worse, equivalent, better = map(float, row.split()[-3:])
    assert "95% interval" in head
    assert worse + equivalent + better == pytest.approx(1, abs=0.002)
    assert worse > 0.9


def test_cautions_stand_under_the_figure_and_notes_are_counted(compared):
    lines = compared("40 with missing scores").splitlines()
    assert any(re.match(r"Caution   missing scores: [\d,]+ of 5,680 scores are missing", line) for line in lines)
    assert any(re.match(r"\d notes: .*power\.$", line) for line in lines)


def test_a_caution_names_algorithms_with_their_brackets(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.random((12, 3)), columns=["forest (100 trees)", "forest (500 trees)", "svm"])
    frame["forest (500 trees)"] = frame["forest (100 trees)"]
    frame.insert(0, "dataset", [f"d{i}" for i in range(12)])
    frame.to_csv(tmp_path / "scores.csv", index=False)
    said = " ".join(podium("compare", tmp_path / "scores.csv", "--metric", "accuracy").stdout.split())
    caution = said.partition("Warning ")[2] or said.partition("Caution ")[2]
    assert "forest (100 trees) and forest (500 trees)" in caution


def test_two_tables_are_not_taken_for_one(tmp_path):
    files = [word for name in ("a.csv", "a.tex") for word in ("--table", tmp_path / name)]
    ran = podium("compare", "demsar2006", *files)
    assert ran.returncode == 2
    assert "--table names 2 files" in ran.stderr
    assert not [*tmp_path.iterdir()]


def test_what_is_printed_in_python_is_the_same(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    example = package.compare(package.example("benavoli2016"))
    printed = podium("compare", "benavoli2016").stdout
    assert "\n".join(line.rstrip() for line in printed.splitlines()[:-2]) == str(example) == repr(example)


@pytest.mark.parametrize(
    "words, heads",
    [
        (("order", "ulas2008", "--cost", "training_time", "--wins"), ["W–T–L"]),
        (("order", "ulas2008", "--cost", "training_time", "--what-if"), ["time      Space"]),
        (("order", "ulas2008", "--cost", "training_time", "--wins", "--what-if"), ["W–T–L", "time      Space"]),
        (
            ("compare", "ulas2008", "--metric", "accuracy", "--cost", "training_time", "--rope", "1"),
            ["% of", "the probabilities are: svl better 2.2%"],
        ),
    ],
)
def test_what_an_option_asks_for_is_on_the_screen(monkeypatch, words, heads):
    monkeypatch.setenv("COLUMNS", "80")
    out = podium(*words).stdout
    assert len(out.splitlines()) <= MOST_LINES
    said = re.sub(r" {11,}", " ", out).replace("\n", " ")
    assert [head for head in heads if head not in out and head not in " ".join(said.split())] == []


def test_what_is_not_on_the_screen_is_not_made(monkeypatch, tmp_path):
    """Tables of all pairs and scores take longer than the tests."""
    path = tmp_path / "accuracy.csv"
    scores(5, 30).to_csv(path)
    shown = podium("compare", path, "--metric", "accuracy").stdout
    monkeypatch.setattr("podium.report.comparison._pairs_table", None)
    monkeypatch.setattr("podium.report.comparison.comparison_data", None)

    assert podium("compare", path, "--metric", "accuracy").stdout == shown
    assert str(package.compare(scores(4, 20), metric="accuracy"))


def test_intervals_are_made_only_for_the_pairs_that_are_told():
    """Intervals of thousands of pairs take longer than the tests: those of the leader and of significant pairs are told."""
    comparison = package.compare(scores(110, 30), metric="accuracy")
    assert "110 algorithms" in str(comparison)
    told = 110 + int((comparison.pairs.adjusted <= 0.05).sum())
    assert comparison.pairs.estimates.left.sum() >= comparison.pairs.n_pairs - told > 0
