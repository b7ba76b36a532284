"""Algorithms that would fool a guard: each costs its own task and no other's, and nothing is left of it."""

import os
import time

import pytest

from bench.test_guard import job_of, marked_processes
from bench.tools import algorithm, suite
from podium.bench import guard as guard_module
from podium.bench.engines import LocalEngine
from podium.bench.execute import execute
from podium.bench.guard import Guard, containment
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store
from waiting import PATIENCE


@pytest.fixture(scope="module", params=[pytest.param("control group", marks=pytest.mark.slow), "process tree"])
def guard(request):
    before = os.environ.get("PODIUM_CONTROL_GROUPS")
    if request.param == "process tree":
        os.environ["PODIUM_CONTROL_GROUPS"] = "0"
    if containment() != request.param:
        pytest.skip("no control groups can be made here")
    guard = Guard()
    yield guard
    guard.kill()
    os.environ.pop("PODIUM_CONTROL_GROUPS", None)
    if before is not None:
        os.environ["PODIUM_CONTROL_GROUPS"] = before


def test_a_fit_that_comes_back_twice_gives_no_score_to_another(guard):
    for name in ("Forker", "nb", "Forker", "5nn"):
        job = job_of(name)
        outcome = guard.run(job)
        assert outcome.status == "ok", outcome.message
        assert outcome.scores["error"] == execute(job_of("Majority" if name == "Forker" else name)).scores["error"]
        assert outcome.scores["train_time"] >= 0
        time.sleep(0.1)


def test_what_is_written_to_every_descriptor_is_refused(guard):
    outcome = guard.run(job_of("Scribbler", seconds=10))
    assert (outcome.status, outcome.message) == ("crash", "the algorithm wrote into the pipe of its outcomes")
    assert guard.run(job_of("Majority")).status == "ok"


def test_children_without_session_and_environment_end_with_the_task(guard):
    assert guard.run(job_of("Runaway", seconds=1)).status == "timeout"
    assert not marked_processes()


def test_memory_is_that_of_all_processes_of_a_task(guard):
    outcome = guard.run(job_of(algorithm("Crowd"), memory_mb=500))
    assert outcome.status == "out_of_memory", outcome.message
    assert "processes together held" in outcome.message
    outcome = guard.run(job_of(algorithm("Crowd", params={"children": 2, "seconds": 3}), memory_mb=1000))
    assert outcome.status == "ok", outcome.message
    assert outcome.scores["memory"] > 350 * 2**20


def test_measuring_a_model_takes_no_memory_from_the_task(guard):
    outcome = guard.run(job_of("Weighty", memory_mb=100))
    assert outcome.status == "ok", outcome.message
    assert 60 * 2**20 < outcome.scores["model_size"] < 61 * 2**20


def test_algorithms_do_not_meet_in_one_process(guard):
    outcome = guard.run(job_of("Patcher"))
    assert outcome.details["left_behind"] == ["numpy.argmin was changed"]
    expected = execute(job_of("Nearest")).scores["error"]
    assert guard.run(job_of("Nearest")).scores["error"] == expected


def test_a_thread_left_behind_ends_with_its_process(guard):
    for _ in range(2):
        assert guard.run(job_of("Haunted")).details["left_behind"][0] == "the thread 'ghost' was left running"
    assert guard.run(job_of("Majority")).scores["train_time"] < 0.5


def test_who_kills_its_parent_costs_one_task_only(guard):
    outcome = guard.run(job_of("Patricide"))
    assert outcome.status == "crash"
    assert outcome.message.startswith("what watches over the task was ended: the process died of SIGKILL")
    assert guard.run(job_of("Majority")).status == "ok"


def test_who_stops_its_parent_costs_one_task_only(guard, monkeypatch):
    monkeypatch.setattr(guard_module, "_SILENCE_SECONDS", 4.0)
    job = job_of("Stopper")
    assert guard.run(job_of("Majority")).status == "ok"  # it is up
    guard.send(job)
    guard._heard = time.monotonic()
    deadline = time.monotonic() + PATIENCE
    outcome = None
    while outcome is None and time.monotonic() < deadline:
        time.sleep(0.1)
        outcome = guard.receive() if time.monotonic() < guard.deadline else guard.expire()
    assert outcome.message == "what watches over the task said nothing for 4 seconds"
    assert guard.run(job_of("Majority")).status == "ok"


def test_standard_error_fills_no_disk(guard):
    outcome = guard.run(job_of("Shouter"))
    assert outcome.status == "crash"
    assert "last words" in outcome.message or "Fatal Python error: Aborted" in outcome.message


@pytest.mark.parametrize("value", [-5.0, 7.0, 0.1])
def test_probabilities_that_are_none_are_invalid(value):
    outcome = execute(job_of(algorithm("Impossible", params={"value": value}), metrics=("brier",)))
    assert (outcome.status, dict(outcome.scores)) == ("invalid", {})
    assert "Impossible.predict_proba gave" in outcome.message


def test_no_algorithm_ends_the_run_and_each_has_its_row(tmp_path):
    names = ["Patricide", "Forker", "Scribbler", "Leaver", "nb"]
    with open_store(tmp_path / "s.db", write=True) as store:
        summary = run_suite(suite(names), store, engine=LocalEngine(2))
        rows = dict(store.rows("SELECT algorithm, group_concat(DISTINCT status) FROM task GROUP BY algorithm"))
        again = run_suite(suite(names), store, engine=LocalEngine(2))
    assert rows == {"Patricide": "crash", "Scribbler": "crash", "Leaver": "crash", "Forker": "ok", "nb": "ok"}
    assert (summary.planned, again.already_done) == (10, 10)
