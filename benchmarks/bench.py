"""What the bench costs beside the same scikit-learn calls in a plain loop, and how large plans and stores fare.

python benchmarks/bench.py
"""

from __future__ import annotations

import resource
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.bench import execute as task_code
from podium.bench.datasets.builtin import load_builtin
from podium.bench.encode import fit_encoder
from podium.bench.engines import LocalEngine
from podium.bench.learners.build import make_estimator
from podium.bench.plan import DatasetFacts, Plan, make_plan, plan_tasks
from podium.bench.protocols import Protocol, make_split
from podium.bench.results import results_from_store
from podium.bench.runner import remaining_tasks
from podium.bench.runner import run as run_suite
from podium.bench.spec import Outcome, Suite
from podium.bench.store import open_store
from podium.bench.suite import parse_suite


def row(what: str, mine: float, peer: str, theirs: float | None, note: str) -> dict[str, Any]:
    ratio = None if theirs is None else mine / theirs
    return {"what": what, "podium_seconds": mine, "peer": peer, "peer_seconds": theirs, "ratio": ratio, "note": note}


def small_suite(repeats: int) -> Suite:
    suite = parse_suite('datasets = ["wine"]\nalgorithms = ["nb", "5nn"]\n[protocol]\nkind = "cv"\nsearch = "none"\n')
    return replace(suite, protocol=replace(suite.protocol, repeats=repeats, folds=10))


def plain_loop(suite: Suite) -> float:
    """The same splits, encoders, fits and predictions, and the error: what one would write by hand."""
    wine = load_builtin("wine")
    start = time.perf_counter()
    for repeat in range(suite.protocol.repeats):
        for fold in range(suite.protocol.folds):
            for algorithm in suite.algorithms:
                split = make_split(suite.protocol, wine.y, seed=1, dataset="wine", repeat=repeat, fold=fold)
                encoder = fit_encoder(wine, split.train, suite.data)
                model = make_estimator(algorithm, {}, 0).fit(encoder.transform(wine, split.train), wine.y[split.train])
                X = encoder.transform(wine, split.test)
                np.mean(model.predict(X) != wine.y[split.test])
                if hasattr(model, "predict_proba"):
                    model.predict_proba(X)
    return time.perf_counter() - start


def guarded_cpu(repeats: int, slots: int = 1) -> tuple[int, float, float]:
    """Tasks, CPU seconds of driver, supervisors and workers, and wall seconds of a run, start-up included."""
    plan = make_plan(small_suite(repeats))
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "s.db", write=True) as store:
        before, start = cpu_of_all(), time.perf_counter()
        run_suite(plan, store, engine=LocalEngine(slots))
        return len(plan.tasks), cpu_of_all() - before, time.perf_counter() - start


def cpu_of_all() -> float:
    """CPU seconds of this process and of all that it has started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def overhead() -> dict[str, Any]:
    """Tiny tasks through guard, supervisor, predictions and store, with one slot.

    A short run is taken from a long one: what is left is the tasks alone, without start-up and warm-up.
    """
    plain_loop(small_suite(1))
    few, many = guarded_cpu(2), guarded_cpu(20)
    tasks, cpu, wall = (more - less for more, less in zip(many, few, strict=True))
    spent = time.process_time()
    loop = plain_loop(small_suite(18))
    loop_cpu = time.process_time() - spent
    extra, extra_cpu = 1000 * (wall - loop) / tasks, 1000 * (cpu - loop_cpu) / tasks
    note = f"per task {extra:.2f} ms of wall time and {extra_cpu:.2f} ms of CPU time (all processes) more"
    return row(f"{tasks:.0f} tiny tasks, guarded and kept", wall, "the same calls in a loop", loop, note)


def large_plan(folds: int = 10) -> tuple[Suite, dict[str, DatasetFacts]]:
    suite = replace(small_suite(10), protocol=Protocol(kind="cv", repeats=10, folds=folds))
    facts = {
        f"d{i}": DatasetFacts(name=f"d{i}", family="f", data_hash="h", cases=99, features=3, classes=2, missing=0)
        for i in range(500)
    }
    return suite, facts


def plan_and_resume() -> list[dict[str, Any]]:
    suite, facts = large_plan()
    start = time.perf_counter()
    plan = Plan(suite=suite, facts=facts, tasks=tuple(plan_tasks(suite, facts)))
    planned = time.perf_counter() - start
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "s.db", write=True) as store:
        start = time.perf_counter()
        store.begin(plan, engine="none", slots=1, environment={})
        kept = time.perf_counter() - start
        with store.changing() as db:
            for task in plan.tasks[: len(plan.tasks) // 2]:
                store._insert(db, task.key, Outcome(status="ok", scores={"error": 0.1}))
        start = time.perf_counter()
        left = remaining_tasks(plan, store)
        resumed = time.perf_counter() - start
    assert len(left) == len(plan.tasks) // 2
    return [
        row("plan of 100,000 tasks", planned, "", None, f"and {kept:.2f} s to keep it in the store"),
        row("its resume check, half of it done", resumed, "", None, "plan - done"),
    ]


def million() -> list[dict[str, Any]]:
    """A million scores: 100,000 tasks with ten metrics each."""
    suite, facts = large_plan()
    plan = Plan(suite=suite, facts=facts, tasks=tuple(plan_tasks(suite, facts)))
    names = ["error", "auc", "accuracy", "f1", "mcc", "kappa", "brier", "log_loss", "train_time", "predict_time"]
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.db"
        with open_store(path, write=True) as store:
            store.begin(plan, engine="none", slots=1, environment={})
            with store.changing() as db:
                for task, values in zip(plan.tasks, rng.random((len(plan.tasks), 10)), strict=True):
                    store._insert(
                        db, task.key, Outcome(status="ok", scores=dict(zip(names, values.tolist(), strict=True)))
                    )
        start = time.perf_counter()
        results = results_from_store(path)
        read = time.perf_counter() - start
        assert len(results.frame) == 1_000_000
        start = time.perf_counter()
        results.frame.to_csv(Path(folder) / "s.csv", index=False)
        written = time.perf_counter() - start
        start = time.perf_counter()
        shape = results.scores("error").values.shape
        arranged = time.perf_counter() - start
    return [
        row("a million scores read from the store", read, "", None, "as Results"),
        row("and written as CSV", written, "", None, "by pandas"),
        row("one of the ten metrics as an array", arranged, "", None, f"of {shape}"),
    ]


def inside() -> dict[str, Any]:
    """What measuring costs within a task, without process or store."""
    suite = small_suite(10)
    plan = make_plan(suite)
    jobs = [plan.job(task) for task in plan.tasks]
    for job in jobs[:2]:
        task_code.execute(job)
    start = time.perf_counter()
    for job in jobs:
        task_code.execute(job)
    mine = time.perf_counter() - start
    loop = plain_loop(suite)
    return row(f"{len(jobs)} tiny tasks, costs measured", mine, "the same calls in a loop", loop, "in one process")


def cpu_at_two_slots() -> dict[str, Any]:
    """The CPU time of the same fits, one at a time and two at a time: a cost must not depend on the company."""
    suite = parse_suite('datasets = ["breast-cancer"]\nalgorithms = ["rf"]\n[protocol]\nkind = "cv"\nsearch = "none"\n')
    plan = make_plan(replace(suite, protocol=replace(suite.protocol, repeats=1, folds=10)))
    cpu, wall = [], []
    for slots in (1, 2):
        with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "s.db", write=True) as store:
            run_suite(plan, store, engine=LocalEngine(slots))
            for times, metric in ((cpu, "train_time"), (wall, "train_wall_time")):
                times.append(float(np.median(store.rows("SELECT value FROM score WHERE metric = ?", metric))))
    note = f"CPU ratio; of wall times it is {wall[1] / wall[0]:.2f}"
    return row("a forest's CPU time, two at a time", cpu[1], "one at a time", cpu[0], note)


def run() -> list[dict[str, Any]]:
    return [overhead(), inside(), cpu_at_two_slots(), *plan_and_resume(), *million()]


if __name__ == "__main__":
    for found in run():
        print(found)
