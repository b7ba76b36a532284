"""The driver: nothing is lost, nothing is done twice, whatever happens to it."""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from bench.tools import HERE, InsideEngine, algorithm, scores_of, suite
from podium.bench.engines import Done, ExecutorEngine, LocalEngine
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol
from podium.bench.results import results_from_store
from podium.bench.runner import _Run, remaining_tasks
from podium.bench.runner import run as run_suite
from podium.bench.spec import DatasetSpec, Limits, Outcome
from podium.bench.stopping import Stopping
from podium.bench.store import open_store
from podium.core.errors import ArgumentError, StoreError
from waiting import eventually

SMALL = suite(["Majority", "nb"], repeats=2)


def run(path, what=SMALL, **options):
    options.setdefault("engine", InsideEngine())
    with open_store(path, write=True) as store:
        summary = run_suite(what, store, **options)
        return summary, scores_of(store)


def test_kill_minus_nine_at_twenty_moments_loses_nothing_and_repeats_nothing(tmp_path):
    path = tmp_path / "killed.db"
    done = subprocess.run(
        [sys.executable, "-m", "bench.killer", str(path), "20", "7"],
        cwd=Path(HERE).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    hits, planned = (int(word) for word in done.stdout.split())
    assert hits >= 15, "the driver should have been killed at work, not after it"
    with open_store(path) as store:
        assert store.counts() == {"ok": planned}
        assert store.rows("SELECT count(*), count(DISTINCT key) FROM attempt") == [(planned, planned)]
        assert store.rows("SELECT count(*) FROM score WHERE metric = 'error'") == [(planned,)]
        assert store.rows("PRAGMA integrity_check") == [("ok",)]
        keys = [key for (key,) in store.rows("SELECT key FROM task")]
        assert all(store.load_predictions(key).cases.size == 15 for key in keys)
        assert not list(store.predictions.rglob("*.tmp"))
        killed = scores_of(store)
    protocol = Protocol(kind="cv", repeats=20, folds=10, search="none")
    _, calm = run(tmp_path / "calm.db", suite(["Majority", "nb"], protocol=protocol))
    assert killed == calm


def test_kill_minus_nine_of_the_command_with_real_workers(tmp_path):
    code = "from podium.cli.main import run; run()"
    command = [sys.executable, "-c", code, "run", "mini", "--store", str(tmp_path / "m.db"), "-q", "--jobs", "1"]
    driver = subprocess.Popen(command, cwd=tmp_path)
    eventually(lambda: finished(tmp_path / "m.db") >= 3)
    driver.kill()
    driver.wait()
    kept = finished(tmp_path / "m.db")
    assert kept >= 3
    again = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "18 tasks planned: 18 ok (" in again.stdout
    with open_store(tmp_path / "m.db") as store:
        assert store.rows("SELECT count(*), count(DISTINCT key) FROM attempt") == [(18, 18)]
        assert store.rows("SELECT count(*) FROM attempt WHERE run = 1")[0][0] >= 3


def test_what_was_under_way_when_drivers_died_goes_last_and_in_the_end_not_at_all(tmp_path):
    plan = make_plan(suite(["Majority", "nb"]))
    suspect, deadly = plan.tasks[0], plan.tasks[1]
    with open_store(tmp_path / "s.db", write=True) as store:
        for begun in (
            [suspect.key, deadly.key],
            [deadly.key],
            [deadly.key],
        ):  # three drivers that never came to their end
            store.begin(plan, engine="local", slots=1, environment={})
            for key in begun:
                store.begin_task(key)
        summary = run_suite(plan, store, engine=InsideEngine())
        order = [key for (key,) in store.rows("SELECT key FROM attempt ORDER BY id")]
        assert store.rows("SELECT count(*) FROM begun") == [(0,)]
    assert summary.counts == {"ok": 3, "crash": 1}
    assert sorted(order[2:]) == sorted([suspect.key, deadly.key])
    with open_store(tmp_path / "s.db", write=True) as store:  # on request it is tried again
        assert run_suite(plan, store, engine=InsideEngine(), retry=["crash"]).counts == {"ok": 1}


def test_a_run_that_is_stopped_blames_no_task(tmp_path):
    class Stopping(LocalEngine):
        def run(self, jobs):
            next(iter(jobs))
            raise KeyboardInterrupt

    with open_store(tmp_path / "s.db", write=True) as store:
        assert run_suite(suite(["Majority"]), store, engine=Stopping()).stopped
        assert store.rows("SELECT count(*) FROM begun") == [(0,)]


_DRIVER = """
import os, sys
from bench.tools import suite
from podium.bench.engines import LocalEngine
from podium.bench.runner import run
os.environ["DRIVER"] = str(os.getpid())
run(suite(["Regicide", "Majority"]), sys.argv[1], engine=LocalEngine(2))
"""


@pytest.mark.slow
def test_a_task_that_ends_its_driver_every_time_becomes_a_row(tmp_path):
    """It goes last and alone after the first time, so that no other task is held up or blamed."""
    path, tests = tmp_path / "s.db", Path(__file__).parent.parent
    codes = [-9]
    while codes[-1] == -9 and len(codes) < 10:
        codes.append(subprocess.run([sys.executable, "-c", _DRIVER, path], cwd=tests, check=False).returncode)
    assert len(codes) in (7, 8)  # each of its two folds three times, the first time perhaps together
    assert codes[-1] == 0
    with open_store(path) as store:
        rows = store.rows("SELECT algorithm, status, message FROM task ORDER BY algorithm, fold")
        assert store.rows("SELECT count(*) FROM begun") == [(0,)]
    assert [row[:2] for row in rows] == [("Majority", "ok")] * 2 + [("Regicide", "crash")] * 2
    assert "ended 3 times while this task was under way" in rows[-1][2]


def finished(path):
    with contextlib.suppress(StoreError), open_store(path) as store:
        return store.counts().get("ok", 0)
    return 0


def test_running_again_does_nothing(tmp_path):
    first, scores = run(tmp_path / "s.db")
    again, same = run(tmp_path / "s.db", engine=Refuser())
    assert first.counts == {"ok": 8}
    assert (again.already_done, again.counts, scores) == (8, {}, same)


class Refuser(InsideEngine):
    def run(self, jobs):
        for job in jobs:
            raise AssertionError(f"{job.key} is done already")
        yield from ()


def test_a_suite_that_grows_runs_only_what_is_new(tmp_path):
    run(tmp_path / "s.db")
    summary, _ = run(tmp_path / "s.db", replace(SMALL, algorithms=(*SMALL.algorithms, algorithm("5nn"))))
    assert (summary.already_done, summary.counts) == (8, {"ok": 4})
    smaller, _ = run(tmp_path / "s.db", replace(SMALL, algorithms=SMALL.algorithms[:1]), engine=Refuser())
    assert smaller.total_counts == {"ok": 4}


def test_predictions_without_a_row_are_made_again(tmp_path):
    """The driver died between the file of predictions and the row."""
    _, scores = run(tmp_path / "s.db")
    with open_store(tmp_path / "s.db", write=True) as store, store.changing() as db:
        db.execute("DELETE FROM score")
        db.execute("DELETE FROM attempt")
        db.execute("INSERT INTO begun SELECT key, 1 FROM task")
        db.execute("UPDATE task SET status = NULL")
        store._orderly = False  # it was killed
    summary, again = run(tmp_path / "s.db")
    assert summary.counts == {"ok": 8}
    assert again == scores


def test_damaged_predictions_without_a_row_are_made_again(tmp_path):
    _, scores = run(tmp_path / "s.db")
    with open_store(tmp_path / "s.db", write=True) as store:
        for key in store.statuses():
            store.prediction_path(key).write_bytes(b"")
        with store.changing() as db:
            db.execute("UPDATE task SET status = NULL")
    summary, again = run(tmp_path / "s.db")
    assert summary.counts == {"ok": 8}
    assert again == scores


def test_a_retry_that_is_stopped_loses_no_predictions(tmp_path):
    class Stopped(InsideEngine):
        def run(self, jobs):
            yield next(super().run(jobs))
            raise KeyboardInterrupt

    run(tmp_path / "s.db")
    summary, _ = run(tmp_path / "s.db", retry=["ok"], engine=Stopped())
    assert (summary.stopped, summary.counts) == (True, {"ok": 1})
    with open_store(tmp_path / "s.db") as store:
        assert store.counts() == {"ok": 8}
        assert all(store.load_predictions(key).y.size for key in store.statuses())


def test_a_retry_that_fails_leaves_no_old_predictions(tmp_path):
    class Failing(InsideEngine):
        def run(self, jobs):
            for job in jobs:
                yield Done(job.key, Outcome(status="timeout"))

    run(tmp_path / "s.db")
    assert run(tmp_path / "s.db", retry=["ok"], engine=Failing())[0].total_counts == {"timeout": 8}
    assert not list((tmp_path / "s.db.predictions").rglob("*.npz"))


def test_a_metric_that_is_added_later_is_computed_from_kept_predictions(tmp_path):
    run(tmp_path / "s.db")
    more = replace(SMALL, metrics=("error", "balanced_accuracy"))
    summary, _ = run(tmp_path / "s.db", more, engine=Refuser())
    said = "8 finished tasks got 'balanced_accuracy' from kept predictions."
    assert summary.summary() == f"8 tasks planned: 8 ok (8 were there before). {said}"
    with open_store(tmp_path / "s.db", write=True) as store:
        assert store.rows("SELECT count(*) FROM score WHERE metric = 'balanced_accuracy'") == [(8,)]
        store.prediction_path(next(iter(store.statuses()))).write_bytes(b"")
    assert run(tmp_path / "s.db", more, engine=Refuser())[0].remarks == ()
    summary, _ = run(tmp_path / "s.db", replace(more, metrics=("mcc",)), engine=Refuser())
    assert summary.remarks[0] == "7 finished tasks got 'mcc' from kept predictions."
    assert summary.remarks[1].startswith("1 finished task could not get every metric of the suite. The predictions")


def test_another_suite_in_the_same_store_is_said(tmp_path):
    run(tmp_path / "s.db")
    summary, _ = run(tmp_path / "s.db", suite(["5nn"]))
    said = "8 tasks of an earlier suite are no longer planned: kept in the results database, but not shown or compared."
    assert summary.remarks == (said,)
    results = results_from_store(tmp_path / "s.db")
    assert results.algorithms == ("5nn",)


@pytest.mark.parametrize("name", ["a#b.db", "a?b.db", "a%20b.db", "a b&c=d.db"])
def test_any_file_name_will_do(tmp_path, name):
    run(tmp_path / name, suite(["Majority"]))
    with open_store(tmp_path / name) as store:
        assert store.counts() == {"ok": 2}


def test_retry_by_cause(tmp_path):
    mixed = suite(["Majority", "Thrower"])
    first, _ = run(tmp_path / "s.db", mixed)
    assert first.total_counts == {"ok": 2, "error": 2}
    assert run(tmp_path / "s.db", mixed, engine=Refuser())[0].counts == {}
    assert run(tmp_path / "s.db", mixed, retry=["timeout"], engine=Refuser())[0].counts == {}
    again, _ = run(tmp_path / "s.db", mixed, retry=["error"])
    assert again.counts == {"error": 2}
    with open_store(tmp_path / "s.db") as store:
        assert store.rows("SELECT count(*) FROM attempt WHERE status = 'error'") == [(4,)]
        assert store.rows("SELECT count(*) FROM attempt WHERE status = 'ok'") == [(2,)]
    with pytest.raises(ArgumentError, match="retry"):
        run(tmp_path / "s.db", mixed, retry=["everything"])


class Forgetful(InsideEngine):
    """Loses the first attempts at every task."""

    def __init__(self, losses):
        self.losses, self.seen = losses, {}

    def run(self, jobs):
        for done in super().run(jobs):
            self.seen[done.key] = self.seen.get(done.key, 0) + 1
            lost = self.seen[done.key] <= self.losses
            yield Done(done.key, Outcome(status="lost", message="gone")) if lost else done


def test_what_the_engine_loses_is_tried_again_and_in_the_end_is_a_row(tmp_path):
    assert run(tmp_path / "a.db", engine=Forgetful(2))[0].total_counts == {"ok": 8}
    assert run(tmp_path / "b.db", engine=Forgetful(99))[0].total_counts == {"lost": 8}
    # The next run takes them up without being asked: the machine was to blame.
    assert run(tmp_path / "b.db")[0].total_counts == {"ok": 8}


def test_one_slot_two_slots_and_threads_give_equal_scores(tmp_path):
    searching = Protocol(kind="wainer", repeats=1, folds=2, search_folds=3, candidates=3, free_values=3)
    what = suite(["knn", "lvq"], protocol=searching)
    _, inside = run(tmp_path / "0.db", what)
    _, one = run(tmp_path / "1.db", what, engine=LocalEngine(1))
    _, two = run(tmp_path / "2.db", what, engine=LocalEngine(2))
    with ThreadPoolExecutor(2) as pool:
        _, threads = run(tmp_path / "3.db", what, engine=ExecutorEngine(pool, jobs=2))
    assert len(inside) == 8  # 4 tasks with their error and the search's estimate
    assert inside == one == two == threads


def test_splits_do_not_depend_on_the_algorithms(tmp_path):
    run(tmp_path / "a.db", suite(["Majority"]))
    run(tmp_path / "b.db", suite(["nb", "5nn"]))
    cases = []
    for name in ("a", "b"):
        with open_store(tmp_path / f"{name}.db") as store:
            rows = store.rows("SELECT key, fold FROM task ORDER BY fold")
            cases.append({fold: tuple(store.load_predictions(key).cases) for key, fold in rows})
    assert cases[0] == cases[1]


def test_ctrl_c_stops_cleanly_and_the_rest_follows(tmp_path):
    class Interrupted(InsideEngine):
        def run(self, jobs):
            for number, done in enumerate(super().run(jobs)):
                if number == 3:
                    raise KeyboardInterrupt
                yield done

    summary, _ = run(tmp_path / "s.db", engine=Interrupted())
    assert summary.stopped
    assert summary.total_counts == {"ok": 3, "waiting": 5}
    assert summary.summary().startswith("stopped: 8 tasks planned")
    assert run(tmp_path / "s.db")[0].already_done == 3


def test_the_pilot_is_the_smallest_task_of_every_algorithm(tmp_path):
    what = suite(["Majority", "nb"], datasets=["wine", "iris"])
    seen = []

    class Watcher(InsideEngine):
        def run(self, jobs):
            for job in jobs:
                seen.append((job.algorithm.name, job.dataset.name))
                yield from super().run([job])

    only, _ = run(tmp_path / "s.db", what, engine=Watcher(), pilot_only=True)
    assert seen == [("Majority", "iris"), ("nb", "iris")]
    assert only.total_counts == {"ok": 2, "waiting": 6}
    seen.clear()
    run(tmp_path / "t.db", what, engine=Watcher(), pilot=True)
    assert seen[:2] == [("Majority", "iris"), ("nb", "iris")]
    assert len(seen) == 8


def test_progress_counts_and_the_eta_knows_running_tasks(tmp_path):
    looks = []
    with open_store(tmp_path / "s.db", write=True) as store:
        run_suite(
            suite([algorithm("Pause", params={"seconds": 0.3})]), store, engine=LocalEngine(1), watch=looks.append
        )
    assert looks[-1].done == looks[-1].total == 2
    assert looks[-1].eta == 0.0
    assert any(look.running and look.eta is None for look in looks)  # nothing is known before the first is done


def test_the_eta_takes_off_what_running_tasks_have_done(tmp_path):
    class Busy(InsideEngine):
        jobs = 2

        def running(self):
            return {plan.tasks[1].key: time.monotonic() - 10.0, plan.tasks[2].key: time.monotonic() - 99.0}

    plan = make_plan(suite(["Majority"], repeats=2))
    with open_store(tmp_path / "s.db", write=True) as store:
        store.begin(plan, engine="busy", slots=2, environment={})
        state = _Run(plan, store, Busy(), list(plan.tasks), Stopping())
        assert state.progress().eta is None
        state.settle(plan.tasks[0].key, Outcome(status="ok", wall=40.0))
        # Three tasks of 40 s are open: one is 10 s under way, one is overdue and counts nothing more.
        assert state.progress().eta == pytest.approx((30 + 0 + 40) / 2, abs=0.1)
        assert (state.progress().done, state.progress().total, len(state.progress().running)) == (1, 4, 2)
        assert state.progress().longest == pytest.approx(99.0, abs=0.5)
        assert state.progress().running[0].endswith(f"{plan.tasks[2].repeat}.{plan.tasks[2].fold}")  # the slowest first
        (each,) = state.progress().algorithms
        assert (each.name, each.ok, each.failed, each.left) == ("Majority", 1, 0, 3)
        assert each.eta == pytest.approx(35.0, abs=0.1)


def test_two_drivers_on_one_store_are_one_too_many(tmp_path):
    with open_store(tmp_path / "s.db", write=True):
        with pytest.raises(StoreError, match=rf"is being written by process {os.getpid()} on .*: wait for it, stop it"):
            open_store(tmp_path / "s.db", write=True)
        with open_store(tmp_path / "s.db"):
            pass  # reading is always allowed
    open_store(tmp_path / "s.db", write=True).close()


def test_a_full_disk_is_a_sentence_and_loses_nothing(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        many = suite(["nb"], datasets=["digits"], protocol=Protocol(kind="cv", repeats=20, folds=2, search="none"))
        with pytest.raises(StoreError, match=r"The disk is full at .*: finished tasks are safe; free some space"):
            run(disk / "s.db", many)
        with open_store(disk / "s.db") as store:
            kept = store.statuses()
            assert 0 < len(kept) < 40
            assert all(store.load_predictions(key).y.size for key in kept)
        make_room(disk)
        summary, _ = run(disk / "s.db", many)
        assert summary.total_counts == {"ok": 40}
        assert summary.already_done == len(kept)


@contextlib.contextmanager
def small_disk(folder):
    """A real little disk where we may mount one, else a limit on the size of files."""
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY))
    try:
        yield folder
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        subprocess.run(["umount", "-l", str(folder)], capture_output=True)


def make_room(folder):
    subprocess.run(["mount", "-o", "remount,size=50m", str(folder)], capture_output=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def test_a_read_only_folder_is_a_sentence(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    run(folder / "s.db")
    folder.chmod(0o500)
    mounted = subprocess.run(["mount", "--bind", str(folder), str(folder)], capture_output=True)
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(folder)], capture_output=True)
        if mounted.returncode and os.geteuid() == 0:
            pytest.skip("root without the right to mount cannot be kept from writing")
        with open_store(folder / "s.db") as store:  # a finished store can be read
            assert store.counts() == {"ok": 8}
        with pytest.raises(StoreError, match="cannot be written: choose another folder for the results database"):
            run(folder / "new.db")
        with pytest.raises(StoreError, match="cannot be written"):
            run(folder / "s.db", replace(SMALL, seed=2))
    finally:
        subprocess.run(["umount", "-l", str(folder)], capture_output=True)
        folder.chmod(0o700)


def test_what_is_not_a_store_is_refused(tmp_path):
    (tmp_path / "notes.db").write_text("these are my notes, not a database at all" * 50)
    with pytest.raises(StoreError, match="is not a results database of Podium"):
        open_store(tmp_path / "notes.db", write=True)
    assert [file.name for file in tmp_path.iterdir()] == ["notes.db"]  # no lock is left beside it
    run(tmp_path / "s.db")
    (tmp_path / "half.db").write_bytes((tmp_path / "s.db").read_bytes()[:20_000])
    with pytest.raises(
        StoreError, match=r"The results database .* is damaged \(database disk image is malformed\): restore it"
    ):
        open_store(tmp_path / "half.db").statuses()
    import sqlite3

    db = sqlite3.connect(tmp_path / "other.db")
    db.execute("CREATE TABLE precious (x)")
    db.close()
    with pytest.raises(StoreError, match="not a results database of Podium"):
        open_store(tmp_path / "other.db", write=True)
    with pytest.raises(StoreError, match=r"There is no folder .* for the results database"):
        open_store(tmp_path / "no" / "such" / "s.db", write=True)
    with pytest.raises(StoreError, match="There is no results database"):
        open_store(tmp_path / "nothing.db")


def test_what_cannot_be_had_here_is_skipped_if_it_is_optional(tmp_path):
    absent = replace(algorithm("nb", optional=True), name="absent", learner=None, path="no_such_package.Thing")
    gone = DatasetSpec(name="gone", source="keel", options={"keel": "no-such-set"}, optional=True)
    what = replace(suite(["Majority"]), datasets=(*SMALL.datasets, gone))
    summary, _ = run(tmp_path / "s.db", replace(what, algorithms=(*what.algorithms, absent)))
    assert summary.total_counts == {"ok": 2, "skipped": 6}
    with open_store(tmp_path / "s.db") as store:
        messages = {row.algorithm: row.message for row in store.failures().itertuples() if row.dataset == "iris"}
    assert messages["absent"].startswith("The class 'no_such_package.Thing' needs the package 'no_such_package'")


def test_a_plan_of_a_hundred_thousand_tasks_and_its_resume(tmp_path):
    """That it is quick is measured by benchmarks/bench.py; here, that it is right."""
    from podium.bench.plan import DatasetFacts, Plan, plan_tasks

    big = replace(SMALL, protocol=Protocol(kind="cv", repeats=10, folds=10), algorithms=SMALL.algorithms)
    facts = {
        f"d{i}": DatasetFacts(name=f"d{i}", family="f", data_hash="h", cases=9, features=1, classes=2, missing=0)
        for i in range(500)
    }
    plan = Plan(suite=big, facts=facts, tasks=tuple(plan_tasks(big, facts)))
    assert len({task.key for task in plan.tasks}) == 100_000
    with open_store(tmp_path / "s.db", write=True) as store:
        store.begin(plan, engine="none", slots=1, environment={})
        assert len(remaining_tasks(plan, store)) == 100_000
        store.record(plan.tasks[5].key, Outcome(status="ok"))
        left = remaining_tasks(plan, store)
        assert plan.tasks[5] not in set(left)
        assert len(left) == 99_999


def test_limits_and_metrics_do_not_change_the_keys():
    plan = make_plan(SMALL)
    changed = make_plan(replace(SMALL, limits=Limits(seconds=1), metrics=("auc",)))
    assert [task.key for task in plan.tasks] == [task.key for task in changed.tasks]
    seeded = make_plan(replace(SMALL, seed=9))
    assert not {task.key for task in plan.tasks} & {task.key for task in seeded.tasks}


def test_data_that_changed_since_the_plan_is_refused(tmp_path):
    table = tmp_path / "d.csv"
    rows = "".join(f"{i},{i % 2}\n" for i in range(40))
    table.write_text("x,class\n" + rows)
    spec = DatasetSpec(name="d", source="file", options={"path": str(table)})
    plan = make_plan(suite(["Majority"], datasets=[spec]))
    table.write_text("x,class\n" + rows.replace("7", "8"))
    summary, _ = run(tmp_path / "s.db", plan)
    assert summary.total_counts == {"error": 2}
    with open_store(tmp_path / "s.db") as store:
        assert "has changed since the plan was made" in store.failures()["message"][0]


def test_paths_are_kept_as_given():
    assert Path(HERE) in {Path(path) for path in SMALL.paths}


def test_the_eta_learns_from_sizes_and_algorithms():
    from podium.bench.plan import Task
    from podium.bench.runner import _Pace

    pace = _Pace({"small": 100, "middle": 1000, "large": 10_000})
    assert pace.guess("slow", "small") == 0
    for dataset, wall in (("small", 0.1), ("middle", 1.0)):  # its time grows as the size does
        pace.note(Task("k", dataset, "slow", 0, 0), wall)
    pace.note(Task("k", "small", "quick", 0, 0), 0.01)
    assert pace.guess("slow", "large") == pytest.approx(10.0)
    assert pace.guess("quick", "large") == pytest.approx(1.0)
    assert pace.guess("slow", "small") == pytest.approx(0.1)


def test_more_repeats_and_other_limits_repeat_no_finished_task(tmp_path):
    with open_store(tmp_path / "s.db", write=True) as store:
        run_suite(suite(["nb"], repeats=2), store, engine=InsideEngine())
        more = replace(suite(["nb"], repeats=3), limits=Limits(seconds=1.0))
        summary = run_suite(more, store, engine=InsideEngine())
    assert (summary.planned, summary.already_done, summary.remarks) == (6, 4, ())
