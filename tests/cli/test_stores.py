"""The commands that read a benchmark's store say what failed, what was skipped and which metric they take."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

import podium
from bench.tools import InsideEngine, algorithm, suite
from podium.bench.engines import Done
from podium.bench.protocols import Protocol
from podium.bench.runner import run as run_suite
from podium.bench.spec import Outcome
from podium.bench.store import open_store
from podium.cli.main import app
from podium.core.errors import ArgumentError, DataError, StoreError
from program import podium as program

NAMES = ["nb", "knn", "5nn"]
DATASETS = ["iris", "wine", "xor", "monks-1"]
CV = Protocol(kind="cv", repeats=2, folds=2, search="none")
PARTIAL = (
    "2 of 12 cells lack some of their folds (wine / knn 3 of 4, wine / 5nn 2 of 4): a mean over folds takes those "
    "there are."
)


class Flaky(InsideEngine):
    """On wine the first folds of 5nn fail, and one of knn."""

    def run(self, jobs):
        for job in jobs:
            failing = {"5nn": 2, "knn": 1}.get(job.algorithm.name, 0)
            if job.dataset.name == "wine" and job.repeat == 0 and job.fold < failing:
                yield Done(job.key, Outcome(status="error", message="no luck \x1b[31mtoday"))
            else:
                yield from super().run([job])


def made(folder, what, engine=None):
    with open_store(folder / "s.db", write=True) as store:
        run_suite(what, store, engine=engine or InsideEngine())
    return str(folder / "s.db")


@pytest.fixture(scope="module")
def flaky(tmp_path_factory):
    what = suite(NAMES, datasets=DATASETS, protocol=CV, metrics=("auc", "error"))
    return made(tmp_path_factory.mktemp("flaky"), what, Flaky())


def podium_says(*words):
    ran = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "300"})
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def test_failed_folds_are_said_and_written_into_the_report(flaky):
    ran = podium_says("compare", flaky, "--metric", "error", "--json", "-")
    for sentence in ("3 of 48 tasks failed (3 error).", PARTIAL):
        assert sentence in ran.stderr.splitlines()
    data = json.loads(ran.stdout)
    said = {remark["topic"]: remark for remark in data["remarks"]}
    assert said["missing folds"]["sentence"].startswith(PARTIAL)
    assert said["missing folds"]["weight"] == "caution"
    assert said["source"]["sentence"] == "3 of 48 tasks failed (3 error)."
    assert [(cell["row"], cell["algorithm"]) for cell in data["facts"]["partial_cells"]] == [
        ("wine", "knn"),
        ("wine", "5nn"),
    ]
    choice = next(choice for choice in data["choices"] if choice["question"] == "missing")
    assert choice["answer"] == "mean of the folds"
    assert "the score is the mean of the others" in data["methods"]


def test_a_repeated_comparison_repeats_what_its_source_said(flaky, tmp_path):
    podium_says("compare", flaky, "-q", "--json", tmp_path / "first.json")
    podium_says("compare", "--from", tmp_path / "first.json", "-q", "--json", tmp_path / "again.json")
    first, again = (json.loads((tmp_path / name).read_text())["remarks"] for name in ("first.json", "again.json"))
    assert first == again
    assert sum(remark["topic"] == "source" for remark in first) == 2  # what failed, and which metric was taken


@pytest.mark.parametrize("command", [["compare", "-q"], ["bayes"], ["order", "--test", "corrected_t"]])
def test_of_several_metrics_the_suites_first_is_taken(flaky, command):
    ran = podium_says(command[0], flaky, *command[1:])
    said = (
        ran.stderr if "-q" in command else ran.stdout.partition("\nNotes\n")[2]
    )  # one screen has its notes at its end
    assert "Of several metrics ('auc', 'error') 'auc' is taken: choose another with --metric." in said
    assert "3 of 48 tasks failed (3 error)." in said


def test_programs_get_the_notes_too(flaky):
    for words in (["bayes"], ["order", "--test", "corrected_t"]):
        data = podium_says(words[0], flaky, *words[1:], "--json", "-", "--metric", "error")
        notes = json.loads(data.stdout)["notes"]
        assert notes[1:] == ["3 of 48 tasks failed (3 error).", PARTIAL]


def test_a_cost_can_be_compared(flaky, tmp_path):
    podium_says("export", flaky, "-o", tmp_path / "s.csv")
    for source in (flaky, tmp_path / "s.csv"):
        data = json.loads(podium_says("compare", source, "--metric", "one_train_test_time", "--json", "-").stdout)
        assert data["facts"]["metric"] == "one_train_test_time"
    assert podium.read(flaky, metric="train_time").scores().metric.name == "train_time"


def test_an_exported_file_keeps_the_order_of_the_suite(flaky, tmp_path):
    podium_says("export", flaky, "-o", tmp_path / "S.CSV", "--no-costs", "--metrics", "error")
    again = podium.read(tmp_path / "S.CSV")
    assert (again.algorithms, again.datasets) == (tuple(NAMES), tuple(DATASETS))
    first = (tmp_path / "S.CSV").read_text().splitlines()[1:4]
    assert [line.split(",")[:4] for line in first] == [[name, "iris", "0", "0"] for name in NAMES]


def test_collect_names_the_cells_that_lack_folds(flaky):
    ran = podium_says("collect", flaky, "--metric", "error")
    assert PARTIAL in ran.stderr.splitlines()


def test_a_place_that_cannot_be_written(flaky, tmp_path):
    with pytest.raises(DataError, match="cannot be written"):
        podium_says("collect", flaky, "-o", "/proc/s.csv")
    with pytest.raises(ArgumentError, match=r"must end in \.csv or \.parquet"):
        podium_says("collect", flaky, "-o", tmp_path / "s.txt")


def test_status_writes_control_characters_out(flaky):
    said = podium_says("status", flaky).stdout
    assert "\x1b" not in said
    assert r"no luck \x1b[31mtoday" in said


def test_what_was_skipped_everywhere_is_left_out_and_said(tmp_path):
    absent = replace(algorithm("nb", optional=True), name="absent", learner=None, path="no_such_package.Thing")
    what = suite([*NAMES[:2], absent], datasets=["iris", "wine"])
    store = made(tmp_path, what)
    ran = podium_says("compare", store, "--json", "-")
    assert "4 of 12 tasks were skipped." in ran.stderr.splitlines()
    assert "The algorithm 'absent' is left out, for it was skipped: The class 'no_such_package.Thing'" in ran.stderr
    assert json.loads(ran.stdout)["table"]["algorithms"] == ["nb", "knn"]
    said = podium_says("status", store).stdout
    assert "small: 12 tasks planned: 8 ok, 4 skipped." in said
    shown = said.splitlines()
    words = [line.split() for line in shown]
    assert ["Algorithm", "Ok", "Failed", "Skipped", "Waiting", "Cpu"] in words
    assert any(line[:5] == ["absent", "0", "0", "4", "0"] for line in words)
    assert any("The class 'no_such_package.Thing' needs" in line for line in shown)


def test_one_task_is_no_plural(tmp_path):
    store = made(tmp_path, suite(["nb"], protocol=Protocol(kind="holdout", repeats=1, folds=1, search="none")))
    assert "small: 1 task planned: 1 ok." in podium_says("status", store).stdout


def test_rescoring_makes_no_store(tmp_path):
    with pytest.raises(StoreError, match=r"There is no results database '.*nothing\.db': `podium run` makes one"):
        podium_says("rescore", tmp_path / "nothing.db", "--metrics", "auc")
    assert list(tmp_path.iterdir()) == []


def test_the_input_is_not_overwritten(tmp_path):
    scores = tmp_path / "in.csv"
    scores.write_text("dataset,A,B\n" + "".join(f"d{i},{i / 9},{i / 8}\n" for i in range(8)))
    before = scores.read_text()
    for option in ("--html", "--json", "--md", "--csv"):
        ran = program("compare", scores, "--metric", "accuracy", option, scores)
        assert ran.returncode == 2
        assert ran.stderr.endswith("in.csv was read here, and would be overwritten: choose another name.\n")
    assert scores.read_text() == before
