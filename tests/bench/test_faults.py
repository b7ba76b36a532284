"""What attacks on the runner must not do: bring back old scores, blame the innocent, hide damage, or lose anything."""

import contextlib
import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from attacks import ATTACKS
from bench.test_changes import CLASS, suite_of
from bench.tools import HERE, InsideEngine, algorithm, scores_of, suite
from podium.bench import store as store_module
from podium.bench.engines import Begun, ExecutorEngine, LocalEngine
from podium.bench.guard import Guard
from podium.bench.machine import TreeMemory
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol
from podium.bench.results import results_from_store
from podium.bench.runner import run as run_suite
from podium.bench.seals import seal_tasks
from podium.bench.spec import AlgorithmSpec, DataSettings, Limits, Outcome
from podium.bench.status import run_status
from podium.bench.stopping import Stopping
from podium.bench.store import open_store
from podium.bench.supervisor import _Clock, _Exceeded
from podium.core.errors import StoreError
from podium.web.tasks import progress as watched
from program import podium
from waiting import PATIENCE, eventually


def run(path, what, **options):
    options.setdefault("engine", InsideEngine())
    with open_store(path, write=True) as store:
        return run_suite(what, store, **options), scores_of(store)


# ---- old scores ---------------------------------------------------------------------------------------------------

WORSE = """from sklearn.dummy import DummyClassifier

class Mine(DummyClassifier):
    def predict(self, X):
        return super().predict(X) * 0 + 1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "own_class.py").write_text(CLASS)
    (tmp_path / "toy.csv").write_text("x,class\n" + "".join(f"{i % 9},{'aab'[i % 3]}\n" for i in range(60)))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("own_class", None)


def edit(folder, text):
    """Another class of the same name; the compiled file of the old one may be as old as the new text."""
    (folder / "own_class.py").write_text(text)
    for compiled in folder.rglob("*.pyc"):
        compiled.unlink()
    sys.modules.pop("own_class", None)


MINE = '[{ name = "mine", class = "own_class.Mine" }]'


@pytest.mark.parametrize("away", [lambda path: path.unlink(), lambda path: path.rename(path.with_name("old.db"))])
def test_a_new_store_does_not_take_over_the_predictions_of_an_old_one(folder, away):
    _, old = run(folder / "s.db", suite_of(folder, MINE))
    away(folder / "s.db")
    edit(folder, WORSE)
    summary, new = run(folder / "s.db", suite_of(folder, MINE))
    assert summary.counts == {"ok": 2}
    assert summary.remarks == ()
    assert {row[-2:] for row in new}.isdisjoint({row[-2:] for row in old})


def test_nor_after_its_first_run_was_killed(folder):
    """The new store names the task as begun, but the file beside it is older than the store."""
    _, old = run(folder / "s.db", suite_of(folder, MINE))
    (folder / "s.db").unlink()
    edit(folder, WORSE)
    plan = make_plan(suite_of(folder, MINE))
    with open_store(folder / "s.db", write=True) as store:
        store.begin(plan, engine="local", slots=1, environment={})
        for task in plan.tasks:
            store.begin_task(task.key)
        kill(store)
    _, new = run(folder / "s.db", plan)
    assert {row[-2:] for row in new}.isdisjoint({row[-2:] for row in old})


def kill(store):
    """As if the driver had been killed: nothing of an orderly end."""
    store._db.close()
    store._lock.close()
    store._lock = None


# ---- innocent tasks -----------------------------------------------------------------------------------------------


def begun(path):
    with open_store(path) as store:
        return store.rows("SELECT count(*) FROM begun")[0][0]


def test_three_orderly_errors_blame_no_task(tmp_path):
    class Full(InsideEngine):
        def run(self, jobs):
            for job in jobs:
                raise StoreError("The disk is full.")
                yield job

    for _ in range(3):
        with pytest.raises(StoreError, match="disk is full"):
            run(tmp_path / "s.db", suite(["Majority"]), engine=Full())
        assert begun(tmp_path / "s.db") == 0
    assert run(tmp_path / "s.db", suite(["Majority"]))[0].counts == {"ok": 2}


def test_an_orderly_end_that_cannot_be_written_down_blames_no_task(tmp_path):
    """On a full disk not even the end of a run can be noted in the store; that its lock is empty says it."""
    plan = make_plan(suite(["Majority"]))
    for _ in range(4):
        with open_store(tmp_path / "s.db", write=True) as store:
            store.begin(plan, engine="local", slots=1, environment={})
            for task in plan.tasks:
                store.begin_task(task.key)
    assert run(tmp_path / "s.db", plan)[0].counts == {"ok": 2}


def test_a_task_that_no_worker_has_got_yet_is_not_begun(tmp_path):
    class Killed(LocalEngine):
        def run(self, jobs):
            next(iter(jobs))  # sent, but no worker has it
            raise SystemExit

    store = open_store(tmp_path / "s.db", write=True)
    with pytest.raises(SystemExit):
        run_suite(suite(["Majority"]), store, engine=Killed())
    assert store.deaths() == {}
    store.close()


def test_a_task_counts_as_begun_when_its_worker_has_it(tmp_path, monkeypatch):
    """A driver that is killed while data are loaded blames no task; with all loaded a task begins as it is sent."""
    events = []
    send = Guard.send
    monkeypatch.setattr(Guard, "send", lambda guard, job: (events.append("sent"), send(guard, job)))

    class Watched(LocalEngine):
        def run(self, jobs):
            for message in super().run(jobs):
                if isinstance(message, Begun):
                    events.append("begun")
                yield message

    summary, _ = run(tmp_path / "s.db", suite(["Majority"]), engine=Watched())
    assert summary.counts == {"ok": 2}
    assert events == ["sent", "begun", "begun", "sent"]


_EARLY = """
import os
from pathlib import Path
from sklearn.dummy import DummyClassifier
if "PODIUM_GUARD" in os.environ:  # in a worker, and not where the suite is read
    Path(__file__).with_suffix(".imported").touch()
class Early(DummyClassifier):
    pass
"""


def test_a_task_begins_only_when_the_store_has_noted_it(tmp_path):
    """Else one that kills its driver at once, be it when its module is imported, would end every run, and never be blamed."""
    (tmp_path / "early.py").write_text(_EARLY)
    small = suite([AlgorithmSpec(name="early", path="early.Early")])
    plan = make_plan(replace(small, paths=(*small.paths, str(tmp_path))))
    noted = []

    class Watched(LocalEngine):
        def run(self, jobs):
            for message in super().run(jobs):
                if isinstance(message, Begun):
                    time.sleep(0.3)
                    noted.append((tmp_path / "early.imported").exists())
                yield message

    summary, _ = run(tmp_path / "s.db", replace(plan, tasks=plan.tasks[:1]), engine=Watched())
    assert summary.counts == {"ok": 1}
    assert noted == [False]  # once, though it warms up first
    assert (tmp_path / "early.imported").exists()


_DRIVER = """
import sys
from bench.tools import algorithm, suite
from podium.bench.engines import Begun, ExecutorEngine, LocalEngine
from podium.bench.guard import Guard
from podium.bench.machine import TreeMemory
from podium.bench.runner import run
done = run(suite([algorithm("Pause", params={"seconds": 3600.0}), "Majority"], seconds=7200.0), sys.argv[1], engine=LocalEngine(1))
print(done.stopped, done.total_counts)
"""


SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_is_raised_once_and_not_while_an_outcome_is_kept(number):
    kept = signal.signal(
        number, signal.default_int_handler
    )  # a shell in the background lets its programs ignore Ctrl-C
    try:
        with Stopping() as stopping:
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), number)
            os.kill(os.getpid(), number)  # impatience does not break the orderly end
        with Stopping() as stopping:
            with stopping.later():
                os.kill(os.getpid(), number)
            with pytest.raises(KeyboardInterrupt):
                stopping.check()
        assert signal.getsignal(number) == signal.default_int_handler
    finally:
        signal.signal(number, kept)


def test_what_somebody_has_chosen_for_a_signal_stays():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` does
    try:
        with Stopping():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", SIGNALS if ATTACKS else SIGNALS[:1])
def test_a_signal_ends_a_run_in_order(tmp_path, number):
    path = tmp_path / "s.db"
    driver = subprocess.Popen(
        [sys.executable, "-c", _DRIVER, str(path)], cwd=Path(HERE).parent, stdout=subprocess.PIPE, text=True
    )
    wait_for(lambda: path.exists() and _begun_or_none(path), driver)
    driver.send_signal(number)
    said, _ = driver.communicate(timeout=PATIENCE)
    assert said == "True {'waiting': 4}\n"
    assert driver.returncode == 0
    assert begun(path) == 0


def _begun_or_none(path):
    try:
        return begun(path)
    except StoreError:
        return 0


def wait_for(condition, process, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


# ---- one driver per store -----------------------------------------------------------------------------------------


def test_a_link_to_a_store_is_the_store(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.db"
    link.symlink_to(tmp_path / "real.db")
    with open_store(tmp_path / "real.db", write=True), pytest.raises(StoreError, match="is being written by process"):
        open_store(link, write=True)
    run(link, suite(["Majority"]))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("elsewhere", "real.db", "real.db.lock", "real.db.predictions"),
    ]
    assert list(link.parent.iterdir()) == [link]
    with open_store(tmp_path / "real.db") as store:
        assert all(store.load_predictions(key).y.size for key in store.statuses())
    os.link(tmp_path / "real.db", tmp_path / "hard.db")
    with pytest.raises(StoreError, match="has a second name"):
        open_store(tmp_path / "hard.db", write=True)


@pytest.mark.parametrize("name", ["s.db.lock", "s.db.predictions"])
@pytest.mark.parametrize("kind", ["link", "pipe", "circle"])
def test_what_lies_in_the_place_of_its_files_is_refused_and_not_written_to(tmp_path, name, kind):
    """As in a folder that somebody else has packed."""
    victim, place = tmp_path / "victim", tmp_path / name
    victim.write_text("kept")
    if kind == "pipe":
        os.mkfifo(place)
    else:
        place.symlink_to(victim if kind == "link" else place)
    with pytest.raises(StoreError, match="remove it"):
        open_store(tmp_path / "s.db", write=True)
    assert victim.read_text() == "kept"


def test_what_lies_beside_a_store_is_not_overwritten_by_a_report_of_it(tmp_path):
    run(tmp_path / "s.db", suite(["Majority", "nb"]))
    (tmp_path / "s.db-wal").touch()
    for path in (tmp_path / "s.db-wal", tmp_path / "s.db.lock", next((tmp_path / "s.db.predictions").rglob("*.npz"))):
        before = path.read_bytes()
        answer = podium("status", tmp_path / "s.db", "--json", path)
        assert (answer.returncode, "was read here" in answer.stderr, path.read_bytes()) == (2, True, before)


def test_a_store_that_is_no_file_is_refused_before_anything_is_written(tmp_path):
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "folder.db").mkdir()
    (tmp_path / "null.db").symlink_to(os.devnull)
    for name in ("pipe.db", "folder.db", "null.db"):
        with pytest.raises(StoreError, match="is a folder, a device or a pipe"):
            open_store(tmp_path / name, write=True)
    assert len(list(tmp_path.iterdir())) == 3
    assert not Path(f"{os.devnull}.lock").exists()


@pytest.mark.parametrize("ending", ["-wal", "-shm", ".lock"])
def test_no_store_takes_the_place_of_a_file_beside_another(tmp_path, ending):
    run(tmp_path / "s.db", suite(["Majority"]))
    (tmp_path / f"s.db{ending}").write_bytes(b"")
    answer = podium("merge", tmp_path / "s.db", "--output", tmp_path / f"s.db{ending}")
    assert (answer.returncode, "choose another name" in answer.stderr) == (2, True)
    assert (tmp_path / f"s.db{ending}").read_bytes()[:16] != b"SQLite format 3\0"


def test_no_link_among_the_predictions_is_followed(tmp_path):
    what, victim = suite(["Majority"]), tmp_path / "victim"
    _, scores = run(tmp_path / "s.db", what)
    victim.write_text("kept")
    for path in [*(tmp_path / "s.db.predictions").rglob("*.npz")]:
        path.unlink()
        path.symlink_to(victim)
        path.with_suffix(".tmp").symlink_to(victim)
    assert run(tmp_path / "s.db", what, retry=["ok"])[1] == scores
    assert victim.read_text() == "kept"
    with open_store(tmp_path / "s.db") as store:
        assert all(store.load_predictions(key).y.size for key in store.statuses())


# ---- damage -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("sound") / "s.db"
    protocol = Protocol(kind="cv", repeats=3, folds=5, search="none")
    run(path, suite(["Majority", "nb"], protocol=protocol))
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    return path


def said_of(path):
    """The scores and notes of a store, or the sentence with which it is refused."""
    try:
        results = results_from_store(path)
    except StoreError as error:
        return str(error), ()
    return results.frame.to_csv(), results.notes


def one_kept(path, outcome):
    """A store whose first task has this outcome; its key."""
    plan = make_plan(suite(["Majority"]))
    with open_store(path, write=True) as store:
        store.begin(plan, engine="local", slots=1, environment={})
        store.record(plan.tasks[0].key, outcome)
    return plan.tasks[0].key


def test_the_digest_of_an_outcome_is_that_of_its_rows(tmp_path):
    """SQLite gives some numbers back as others: a nan as NULL, -0.0 as 0.0, whole numbers as floats."""
    odd = {"b": math.nan, "a": -0.0, "é": 3, "Z": math.inf, "": 5e-324, "c": 2.0**53, "d": np.float64(0.1)}
    key = one_kept(tmp_path / "s.db", Outcome(status="ok", remark="r", scores=odd, holes={"aa": "why"}))
    with open_store(tmp_path / "s.db", write=True) as store:
        store.check()
        made = store.rows("SELECT digest FROM task WHERE key = ?", key)
        with store.changing() as db:
            seal_tasks(db, [key])
        assert store.rows("SELECT digest FROM task WHERE key = ?", key) == made


@pytest.mark.parametrize(
    "change",
    [
        *(f"score SET value = {value}" for value in ("0.5000000000000001", "'half'", "x'00'", "NULL")),
        *("score SET metric = x'00'", "score SET message = 'no'", "task SET fold = 7"),
        *("task SET remark = x'00'", "task SET message = 'no'"),
    ],
)
def test_whatever_is_changed_in_a_finished_task_is_seen(tmp_path, change):
    key = one_kept(tmp_path / "s.db", Outcome(status="ok", scores={"error": 0.5}))
    with sqlite3.connect(tmp_path / "s.db") as db:
        db.execute(f"UPDATE {change} WHERE key = ?", (key,))
    with open_store(tmp_path / "s.db") as store, pytest.raises(StoreError, match="1 of 1 finished tasks is not as it"):
        store.check()


def test_flipped_bits_never_change_scores_in_silence(sound, tmp_path):
    expected = said_of(sound)
    for seed in range(ATTACKS or 25):
        dice = random.Random(seed)
        content = bytearray(sound.read_bytes())
        for _ in range(3):
            content[dice.randrange(100, len(content))] ^= 1 << dice.randrange(8)
        if seed % 5 == 4:
            content = content[: len(content) * 99 // 100]
        (tmp_path / "s.db").write_bytes(content)
        after, more = said_of(tmp_path / "s.db")
        assert (
            (after, more) == expected or more != expected[1] or "damaged" in after or "not a results database" in after
        ), seed


def test_a_changed_score_is_named_and_made_again(sound, tmp_path):
    path = tmp_path / "s.db"
    path.write_bytes(sound.read_bytes())
    what = suite(["Majority", "nb"], protocol=Protocol(kind="cv", repeats=3, folds=5, search="none"))
    with sqlite3.connect(path) as db:
        db.execute("UPDATE score SET value = 0.025 WHERE metric = 'error' AND key IN (SELECT key FROM task LIMIT 1)")
    with pytest.raises(StoreError, match=r"1 of 30 finished tasks is not as it was kept \((nb|Majority) on iris"):
        results_from_store(path)
    summary, scores = run(path, what)
    assert (summary.counts, summary.remarks) == (
        {"ok": 1},
        ("1 finished task was damaged in the results database: it ran again.",),
    )
    with open_store(sound) as store:
        assert scores == scores_of(store)


def test_what_a_store_says_of_its_suite_is_held_too(sound, tmp_path):
    path = tmp_path / "s.db"
    for change in (
        "UPDATE run SET definition = replace(definition, '\"seed\": 1', '\"seed\": 3')",
        "UPDATE dataset SET family = 'irit'",
        "UPDATE task SET planned = 0 WHERE fold = 2",
    ):
        path.write_bytes(sound.read_bytes())
        with sqlite3.connect(path) as db:
            assert db.execute(change).rowcount
        with pytest.raises(StoreError, match="damaged"):
            results_from_store(path)


def test_an_ok_task_without_a_metric_of_its_suite_is_said(tmp_path):
    plan = make_plan(suite(["Majority"]))
    with open_store(tmp_path / "s.db", write=True) as store:
        store.begin(plan, engine="inside", slots=1, environment={})
        store.record(plan.tasks[0].key, Outcome(status="ok", scores={"error": 0.5}))
        store.record(plan.tasks[1].key, Outcome(status="ok"))
    said = "1 of 2 finished tasks has no 'error', a metric of the suite: run the suite again."
    assert said in results_from_store(tmp_path / "s.db").notes


def test_a_store_of_the_first_schema_is_read_and_renewed(tmp_path):
    what = suite(["Majority"])
    _, scores = run(tmp_path / "s.db", what)
    with sqlite3.connect(tmp_path / "s.db") as db:  # as it was made before
        for table, column in (
            ("task", "digest"),
            ("task", "remark"),
            ("run", "digest"),
            ("task", "source"),
            ("task", "predictions"),
        ):
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        db.execute("PRAGMA user_version = 1")
    assert len(results_from_store(tmp_path / "s.db", metrics=["error"]).frame) == 2
    assert run(tmp_path / "s.db", what)[0].counts == {}
    with open_store(tmp_path / "s.db") as store:
        assert store.rows("PRAGMA user_version") == [(4,)]
        assert scores_of(store) == scores


def test_an_outcome_is_called_in_an_earlier_store_as_it_is_today(tmp_path):
    plan = make_plan(suite(["Majority"]))
    with open_store(tmp_path / "s.db", write=True) as store:
        store.begin(plan, engine="inside", slots=1, environment={})
        store.record(plan.tasks[0].key, Outcome(status="out_of_memory", message="too much"))
    with sqlite3.connect(tmp_path / "s.db") as db:
        for table in ("task", "attempt"):
            db.execute(f"UPDATE {table} SET status = 'memout' WHERE status IS NOT NULL")
        db.execute("PRAGMA user_version = 3")
    for write in (False, True):
        with open_store(tmp_path / "s.db", write=write) as store:
            assert store.counts() == {"out_of_memory": 1, "waiting": 1}
            assert store.rows("SELECT status FROM attempt") == [("out_of_memory",)]


# ---- costs --------------------------------------------------------------------------------------------------------


def test_memory_that_processes_share_counts_once_for_the_cost_as_for_the_limit(tmp_path):
    what = suite(["Siblings", algorithm("ClockThief")], memory_mb=400)
    summary, _ = run(tmp_path / "s.db", what, engine=LocalEngine(1))
    assert summary.total_counts == {"ok": 4}
    frame = results_from_store(tmp_path / "s.db").frame
    memory = frame[(frame["metric"] == "memory") & (frame["algorithm"] == "Siblings")]["value"]
    # 100 MB held by five processes together, less what was free before, and what they write.
    assert memory.between(90 * 2**20, 250 * 2**20).all()
    times = frame[frame["metric"].isin(["train_time", "train_wall_time", "predict_time"])]
    assert (times["value"] >= 0).all()


def test_a_cost_below_zero_is_a_hole_with_a_cause():
    from podium.bench.execute import _costs
    from podium.bench.machine import Spent
    from podium.bench.search import Chosen

    searched = Chosen(params={}, cv_error=0.1, combinations=2, trainings=10)
    scores, holes = _costs(Spent(1.0, 1.0), Spent(1.0, -0.015), Spent(1.0, 1.0), searched)
    assert set(holes) == {"train_time", "one_train_test_time"}
    assert holes["train_time"].startswith("less than no time was measured")
    assert scores["search_time"] == 1.0


# ---- what a reader should know ------------------------------------------------------------------------------------


def test_fits_that_did_not_converge_and_failed_candidates_are_said_everywhere(tmp_path):
    import podium

    searching = Protocol(kind="cv", repeats=1, folds=2, search_folds=2)
    hesitant = algorithm("Unconverged", search={"depth": (0, 1, 2)})
    path = tmp_path / "s.db"
    summary, _ = run(path, suite([hesitant, "Majority"], datasets=["iris", "wine"], protocol=searching))
    said = [
        "4 of 8 fits warned: not converged.",
        "In 4 of 8 tasks candidates of the search failed, and were left out.",
    ]
    assert all(sentence in run_status(path).summary() for sentence in said)
    assert summary.remarks == tuple(said)
    results = results_from_store(path, metrics=["error"])
    assert watched(path=str(path))["remarks"] == said
    assert set(said) <= set(results.notes)
    rows = results.frame[results.frame["algorithm"] == "Unconverged"]
    assert set(rows["message"]) == {"not converged; candidates of the search failed: 1 of 3"}
    assert set(rows["status"]) == {"ok"}
    assert rows["value"].notna().all()
    compared = podium.compare(results)
    assert all(any(sentence in remark.sentence for remark in compared.remarks) for sentence in said)


def test_a_stopped_candidate_of_a_search_is_normal(tmp_path):
    """Only the fit that was chosen and scored tells of its convergence."""
    searching = Protocol(kind="cv", repeats=1, folds=2, search_folds=2)
    patient = algorithm("Patient", search={"steps": (1, 10)})
    binary = DataSettings(binary=True)
    run(tmp_path / "s.db", suite([patient], datasets=["breast-cancer"], protocol=searching, data=binary))
    with open_store(tmp_path / "s.db") as store:
        assert [json.loads(row)["params"] for (row,) in store.rows("SELECT details FROM attempt")] == 2 * [
            {"steps": 10}
        ]
    assert "converge" not in run_status(tmp_path / "s.db").summary()
    assert not any("converge" in note for note in results_from_store(tmp_path / "s.db").notes)


@pytest.mark.parametrize(("params", "limit"), [({}, 1_000_000), ({"max_iter": 50}, 50)])
def test_the_chosen_fit_of_an_svm_has_a_million_iterations_unless_the_suite_says_otherwise(tmp_path, params, limit):
    """With C = 1,024 a linear one needs more than the 100,000 of a candidate: stopped there, it may be worse than chance."""
    linear = algorithm("svl", params=params, search={"C": (1024.0,)})
    what = suite([linear], datasets=["breast-cancer"], keep_models=True)
    run(tmp_path / "s.db", what)
    with open_store(tmp_path / "s.db") as store:
        model = store.load_model("breast-cancer", "svl")
        assert model.max_iter == limit
        stopped = int(model.n_iter_.max()) == limit
        assert store.rows("SELECT remark FROM task WHERE fold = 0") == [("not converged" if stopped else "",)]
        assert stopped == (limit == 50)


# ---- slots --------------------------------------------------------------------------------------------------------


def test_a_supervisor_that_is_killed_while_it_starts_is_started_again(tmp_path):
    killed = []

    class Unlucky(Guard):
        def start(self):
            super().start()
            if len(killed) < 2:
                killed.append(self._process.pid)
                self._process.kill()

    engine = LocalEngine(1)
    engine._guards = [Unlucky()]
    summary, _ = run(tmp_path / "s.db", suite(["Majority"]), engine=engine)
    assert (summary.counts, len(killed)) == ({"ok": 2}, 2)


def test_no_time_goes_by_while_all_processes_are_stopped():
    clock = _Clock(Limits(seconds=5.0, memory_mb=None), TreeMemory(os.getpid()))
    clock.begin()
    clock.look()
    clock.began -= 1.0
    clock.looked -= 100.0  # nobody looked for so long
    clock.began -= 100.0
    clock.look()
    clock.began -= 5.0
    with pytest.raises(_Exceeded, match="limit of 5 seconds"):
        clock.look()


# ---- strangers' stores --------------------------------------------------------------------------------------------


def test_predictions_that_unpack_to_too_much_are_refused(tmp_path, monkeypatch):
    run(tmp_path / "s.db", suite(["Majority"]))
    monkeypatch.setattr("podium.bench.copies._UNPACKED", 1000)
    with open_store(tmp_path / "s.db") as store, pytest.raises(StoreError, match=r"unpacked, more than .* MB\)"):
        store.load_predictions(next(iter(store.statuses())))


# ---- engines of others --------------------------------------------------------------------------------------------


class Gone:
    """An executor whose machines are gone."""

    def submit(self, *_):
        raise RuntimeError("cannot schedule new futures after shutdown\nand many more lines")


def test_an_engine_that_is_gone_is_a_sentence(tmp_path):
    engine = ExecutorEngine(Gone(), jobs=lambda: 2, name="dask tcp://host:8786")
    with pytest.raises(
        StoreError, match=r"^dask tcp://host:8786 takes no more tasks \(cannot schedule .* after shutdown\)"
    ):
        run(tmp_path / "s.db", suite(["Majority"]), engine=engine)
    assert begun(tmp_path / "s.db") == 0


def test_that_no_workers_have_joined_is_said():
    engine = ExecutorEngine(Gone(), jobs=lambda: 0)
    engine._follow()
    assert engine.hint == ""
    engine._deserted -= 25.0
    assert engine.hint == "no workers have joined for 25 s"


@pytest.mark.parametrize("statements", [0, 1, 3, 5])
def test_a_store_killed_while_it_was_made_is_made_whole(tmp_path, statements):
    """Podium 0.2 made its tables one by one: a kill in between left some of them, and no version."""
    db = sqlite3.connect(tmp_path / "s.db")
    script = ";".join(store_module._SCHEMA.split(";")[:statements])
    db.executescript(f"{script}; PRAGMA application_id = {store_module._APPLICATION_ID};")
    db.close()
    with open_store(tmp_path / "s.db") as store:
        assert store.counts() == {}
    summary, _ = run(tmp_path / "s.db", suite(["Majority"]))
    assert summary.counts == {"ok": 2}


def test_the_tables_of_a_store_are_made_together(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "_SCHEMA", store_module._SCHEMA + "CREATE TABLE broken (;")
    with pytest.raises(StoreError):
        open_store(tmp_path / "s.db", write=True)
    assert sqlite3.connect(tmp_path / "s.db").execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def test_signals_at_random_moments_lose_nothing_and_blame_nobody(tmp_path):
    """SIGTERM and SIGHUP end it in order, SIGKILL does not; each in the middle of a computation, a file or a transaction."""
    path = tmp_path / "s.db"
    for seed in range(max(ATTACKS // 10, 1)):
        words = [sys.executable, "-m", "bench.killer", str(path), "20" if ATTACKS else "8", str(seed), "mixed"]
        done = subprocess.run(words, cwd=Path(HERE).parent, capture_output=True, text=True, check=True)
        planned = int(done.stdout.split()[1])
        with open_store(path) as store:
            store.check()
            assert store.counts() == {"ok": planned}
            assert store.rows("SELECT count(*), count(DISTINCT key) FROM attempt") == [(planned, planned)]
            assert store.rows("SELECT count(*) FROM begun") == [(0,)]
        for file in (path, path.with_name("s.db-wal"), path.with_name("s.db-shm")):
            file.unlink(missing_ok=True)


_PATIENT = """
import sys
from bench.tools import algorithm, suite
from podium.bench.engines import LocalEngine
from podium.bench.runner import run
done = run(suite([algorithm("Pause", params={"seconds": 0.2}), "nb"], repeats=3), sys.argv[1], engine=LocalEngine(2))
sys.exit(130 if done.stopped else 0)
"""


def test_signals_to_a_driver_with_workers_lose_nothing_and_leave_no_process(tmp_path):
    """At any moment: while it imports, while its workers start, in a task, at the end. SIGKILL twice: thrice would be blamed."""
    for seed in range(max(ATTACKS // 10, 1)):
        dice, path = random.Random(seed), tmp_path / f"{seed}.db"
        numbers = dice.sample([*SIGNALS, signal.SIGTERM, signal.SIGKILL, signal.SIGKILL], 6 if ATTACKS else 2)
        for number in [*numbers, None]:
            words = [sys.executable, "-c", _PATIENT, str(path)]
            mark = f"faults-{seed}-{os.getpid()}"
            driver = subprocess.Popen(
                words, cwd=Path(HERE).parent, env={**os.environ, "ATTACK": mark}, stderr=subprocess.DEVNULL
            )
            if number is not None:
                time.sleep(dice.uniform(0.0, 6.0))
                driver.send_signal(number)
            driver.wait(timeout=PATIENCE)
        assert driver.returncode == 0
        with open_store(path) as store:
            store.check()
            assert store.counts() == {"ok": 12}
            assert store.rows("SELECT count(*) FROM begun") == [(0,)]
            assert store.rows("SELECT count(*) FROM attempt WHERE status = 'ok'") == [(12,)]
        eventually(lambda mark=mark: not carrying(f"ATTACK={mark}".encode()))


def carrying(mark):
    """The living processes that carry this in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if mark in (entry / "environ").read_bytes():
                    found.append(entry.name)
    return found


def test_slots_start_as_they_are_needed(tmp_path):
    engine = LocalEngine(6)
    most = []

    def watch(progress):
        most.append(sum(not guard.ready for guard in engine._started))

    summary, _ = run(tmp_path / "s.db", suite(["Majority"]), engine=engine, watch=watch)
    assert summary.counts == {"ok": 2}
    assert max(most) <= (os.cpu_count() or 1)


def test_a_key_of_a_strangers_store_leads_nowhere_else(tmp_path):
    """A store's own keys name the files that `forget` removes and `merge` writes."""
    (tmp_path / "in").mkdir()
    run(tmp_path / "in/s.db", suite(["Majority"]))
    precious = tmp_path / "precious.npz"
    precious.write_text("mine")
    with open_store(tmp_path / "in/s.db", write=True) as store:
        with store.changing() as db:
            db.execute("UPDATE task SET key = '../../../precious' WHERE fold = 0")
        with pytest.raises(StoreError, match="is no key of a task"):
            store.forget([key for key in store.statuses() if "precious" in key])
    assert precious.read_text() == "mine"
