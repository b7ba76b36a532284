"""Parts of a suite, run apart and merged, are the whole."""

import pytest

from bench.tools import InsideEngine, scores_of, suite
from podium.bench.merge import merge_stores
from podium.bench.plan import make_plan
from podium.bench.results import results_from_store
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store
from podium.core.errors import StoreError

NAMES = ["nb", "5nn", "Thrower"]


def test_parts_that_were_run_apart_make_the_whole(tmp_path):
    plan = make_plan(suite(NAMES, datasets=("iris", "wine")))
    with open_store(tmp_path / "whole.db", write=True) as store:
        run_suite(plan, store, engine=InsideEngine())
        expected, counts = scores_of(store), store.counts()
    parts = [tmp_path / f"part{number}.db" for number in (1, 2, 3, 4)]
    tasks = []
    for number, path in enumerate(parts, 1):
        with open_store(path, write=True) as store:
            part = plan.shard(number, 4)
            tasks += part.tasks
            run_suite(part, store, engine=InsideEngine())
    assert sorted(tasks) == sorted(plan.tasks)
    merge_stores(tmp_path / "merged.db", parts[:2])
    for _ in range(2):  # again changes nothing
        assert merge_stores(tmp_path / "merged.db", parts) == counts
        with open_store(tmp_path / "merged.db") as store:
            assert scores_of(store) == expected
            assert store.rows("SELECT count(*) FROM attempt") == [(12,)]
    ok = [task for task in plan.tasks if task.algorithm == "nb"]
    with open_store(tmp_path / "merged.db", write=True) as store:
        assert len(store.load_predictions(ok[0].key).y)
        assert run_suite(plan, store, engine=InsideEngine()).already_done == 12
    assert len(results_from_store(tmp_path / "merged.db").frame)


def test_parts_of_another_suite_are_refused(tmp_path):
    for name, what in (("a", suite(["nb"])), ("b", suite(["nb"], seed=2))):
        with open_store(tmp_path / f"{name}.db", write=True) as store:
            run_suite(what, store, engine=InsideEngine())
    with pytest.raises(StoreError, match="of another suite"):
        merge_stores(tmp_path / "c.db", [tmp_path / "a.db", tmp_path / "b.db"])
    with pytest.raises(StoreError, match="into itself"):
        merge_stores(tmp_path / "a.db", [tmp_path / "a.db"])
