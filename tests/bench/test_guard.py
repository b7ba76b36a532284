"""Six ways to go wrong, six typed rows, all other tasks unharmed, and no process left behind."""

import fcntl
import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench.faulty import MARK
from bench.tools import HERE, suite
from podium.bench.engines import LocalEngine
from podium.bench.guard import Guard, listen
from podium.bench.messages import READY, Reader, readable, write_frame
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol
from podium.bench.runner import run as run_suite
from podium.bench.spec import AlgorithmSpec
from podium.bench.store import open_store
from waiting import eventually


def marked_processes():
    """Living processes that the faulty algorithms have started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if MARK.encode() in line and state != "Z":
            found.append(int(folder.name))
    return found


def job_of(name, **more):
    plan = make_plan(suite([name], **more))
    return plan.job(plan.tasks[0])


@pytest.fixture(scope="module")
def guard():
    guard = Guard()
    yield guard
    guard.kill()


FAULTS = ["Sleeper", "Spinner", "Segfault", "Glutton", "Thrower", "Parent"]


def test_six_kinds_of_failure_are_six_typed_rows_and_the_rest_is_ok(tmp_path):
    once = Protocol(kind="holdout", folds=1, test_fraction=0.5, search="none")
    faulty = suite(["Majority", *FAULTS, "knn"], seconds=5, protocol=once)
    with open_store(tmp_path / "s.db", write=True) as store:
        summary = run_suite(faulty, store, engine=LocalEngine(2))
        rows = store.rows("SELECT algorithm, status, message FROM task ORDER BY algorithm, fold")
    found = {name: {(status, message) for a, status, message in rows if a == name} for name in {r[0] for r in rows}}
    kinds = {name: {status for status, _ in outcomes} for name, outcomes in found.items()}
    assert kinds == {
        "Majority": {"ok"},
        "knn": {"ok"},
        "Sleeper": {"timeout"},
        "Spinner": {"timeout"},
        "Segfault": {"crash"},
        "Glutton": {"out_of_memory"},
        "Thrower": {"error"},
        "Parent": {"timeout"},
    }
    assert found["Sleeper"] == {("timeout", "stopped after the limit of 5 seconds")}
    [(_, message)] = found["Segfault"]
    assert message.startswith("the process died of SIGSEGV: Fatal Python error: Segmentation fault")
    [(_, message)] = found["Thrower"]
    assert message.startswith("RuntimeError: no luck today (faulty.py:")
    [(_, message)] = found["Glutton"]
    assert "Unable to allocate 100. GiB" in message
    assert (summary.planned, summary.failed) == (8, 6)
    assert not marked_processes()


def test_a_supervisor_is_kept_whatever_a_task_does(guard):
    pids = []
    for name in ("Majority", "Thrower", "Majority", "Leaver", "Majority"):
        outcome = guard.run(job_of(name))
        pids.append(guard._process.pid)
        assert outcome.status == {"Majority": "ok", "Thrower": "error", "Leaver": "crash"}[name]
    assert len(set(pids)) == 1


def test_what_a_task_leaves_behind_is_ended(guard):
    assert guard.run(job_of("Litterer")).status == "ok"
    assert not marked_processes()


def test_quick_outcomes_are_never_missed(guard):
    """ "begin" and the outcome may arrive together."""
    job = job_of("Thrower", seconds=5)
    assert {guard.run(job).status for _ in range(60)} == {"error"}


def test_printing_and_reading_disturb_nothing(guard):
    assert guard.run(job_of("Reader")).status == "ok"
    assert guard.run(job_of("Majority")).status == "ok"


def test_predictions_that_are_none_are_an_error(guard):
    outcome = guard.run(job_of("WrongShape"))
    assert outcome.status == "invalid"
    assert "not one known class per case" in outcome.message


def test_cpu_time_counts_children(guard):
    outcome = guard.run(job_of("Delegator"))
    assert outcome.scores["train_time"] > 0.25


def test_cpu_time_ignores_waiting(guard):
    outcome = guard.run(job_of("Pause"))
    assert outcome.scores["train_wall_time"] > 0.05
    assert outcome.scores["train_time"] < 0.04


def test_descriptors_above_a_thousand_are_waited_for():
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limits[0], 1200), limits[1]))
    read, write = os.pipe()
    high = fcntl.fcntl(read, fcntl.F_DUPFD, 1100)
    try:
        assert readable([high], 0) == set()
        write_frame(write, READY, "key")
        assert readable([high]) == {high}
        assert Reader(high).next().key == "key"
    finally:
        for descriptor in (read, write, high):
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_memory_limits_are_per_task(guard):
    assert guard.run(job_of("Glutton", memory_mb=64)).status == "out_of_memory"
    assert guard.run(job_of("Majority")).status == "ok"


def test_a_process_per_task_on_request(guard):
    job = job_of("Majority")
    alone = replace(job, limits=replace(job.limits, isolation="task"))
    assert [guard.run(alone).status for _ in range(3)] == ["ok"] * 3


def test_joblib_sees_as_many_cores_as_a_task_may_use(guard, tmp_path):
    (tmp_path / "counting.py").write_text(
        "import joblib\nfrom sklearn.dummy import DummyClassifier\n"
        "class Counting(DummyClassifier):\n"
        "    def fit(self, X, y):\n        self.cores = joblib.cpu_count()\n        return super().fit(X, y)\n"
        "    def predict(self, X):\n        assert self.cores == 1, self.cores\n        return super().predict(X)\n"
    )
    plan = make_plan(replace(suite([AlgorithmSpec(name="c", path="counting.Counting")]), paths=(str(tmp_path),)))
    outcome = guard.run(plan.job(plan.tasks[0]))
    assert outcome.status == "ok", outcome.message


def test_workers_end_with_their_driver_even_in_c_and_with_children():
    """kill -9 of a driver whose workers spin in C or have children: nothing stays."""
    code = f"""
import sys; sys.path[:0] = [{str(Path(HERE).parent)!r}]
from bench.tools import suite
from podium.bench.engines import LocalEngine
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol
engine = LocalEngine(2)
plan = make_plan(suite(["Spinner", "Parent"], seconds=600, protocol=Protocol(kind="holdout", search="none")))
for event in engine.run([plan.job(task) for task in plan.tasks]):
    if len(engine.running()) == 2:
        print(*[guard._process.pid for guard in engine._guards], flush=True)
"""
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pids = [int(pid) for pid in driver.stdout.readline().split()]
    eventually(lambda: len(marked_processes()) == 2)
    driver.kill()
    driver.communicate()
    eventually(lambda: not any(alive(pid) for pid in pids))
    eventually(lambda: not marked_processes())


def test_a_supervisor_ends_when_its_driver_goes_before_a_worker_may_begin():
    """The end of the driver's pipe is not that of the worker, which waits for leave and would be waited for without end."""
    guard = Guard()
    guard.start()
    try:
        while not guard.asks:
            if guard.idle:
                guard.send(job_of("nb"))
            assert list(listen([guard], 0.5)) == []
        guard._process.stdin.close()
        assert guard._process.wait(timeout=60) == 0
    finally:
        guard.kill()


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_threads_are_limited(guard):
    guard.run(job_of("Majority"))
    environment = Path(f"/proc/{guard._process.pid}/environ")
    assert b"OMP_NUM_THREADS=1" in environment.read_bytes()
    assert os.getsid(guard._process.pid) == guard._process.pid
