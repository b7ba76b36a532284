"""Parts of a suite, run apart and merged, are the whole."""

import random
import shutil

import pytest

from attacks import ATTACKS
from bench.tools import InsideEngine, scores_of, suite
from podium.bench.merge import _Merge, merge_stores
from podium.bench.plan import make_plan
from podium.bench.results import results_from_store
from podium.bench.runner import run as run_suite
from podium.bench.seals import seal_suite, seal_tasks
from podium.bench.store import open_store
from podium.bench.suite import read_suite
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


def changed(path, statement):
    """A store with other content, and digests that fit it: as if it had been made so."""
    with open_store(path, write=True) as store, store.changing() as db:
        db.execute(statement)
        seal_tasks(db, store.statuses())
        seal_suite(db)


@pytest.fixture
def twins(tmp_path):
    """Two stores of the same tasks."""
    for name in ("a", "b"):
        with open_store(tmp_path / f"{name}.db", write=True) as store:
            run_suite(suite(["nb", "Thrower"]), store, engine=InsideEngine())
    return tmp_path / "a.db", tmp_path / "b.db"


def test_parts_that_contradict_each_other_are_refused_and_leave_nothing(twins, tmp_path):
    target = tmp_path / "new" / "c.db"
    target.parent.mkdir()
    changed(twins[1], "UPDATE score SET value = 0.5 WHERE metric = 'error'")
    with pytest.raises(
        StoreError, match=r"nb on iris, repeat 0, fold 0: error is 0\.\d+ in '.*a.db' and 0.5 in '.*b.db'"
    ):
        merge_stores(target, twins)
    assert list(target.parent.iterdir()) == []
    said = []
    merge_stores(target, twins, prefer="last", tell=said.append)
    assert said == ["2 contradictions between the parts: the last counts, as you asked."]
    with open_store(target) as store:
        assert {row[-1] for row in scores_of(store)} == {0.5}
        store.check()
    merge_stores(tmp_path / "first.db", twins, prefer="first")
    with open_store(tmp_path / "first.db") as store, open_store(twins[0]) as first:
        assert scores_of(store) == scores_of(first)


def test_a_part_of_a_version_with_several_methods_of_search_is_of_the_same_suite(twins, tmp_path):
    changed(twins[1], "UPDATE run SET definition = json_set(definition, '$.protocol.method', 'grid')")
    assert merge_stores(tmp_path / "c.db", twins) == {"ok": 2, "error": 2}


def test_a_refused_merge_leaves_the_target_as_it_was(twins, tmp_path):
    merge_stores(tmp_path / "c.db", twins[:1])
    changed(twins[1], "UPDATE score SET value = 0.5 WHERE metric = 'error'")
    with open_store(tmp_path / "c.db") as store:
        before = "\n".join(store._db.iterdump())
    with pytest.raises(StoreError, match="contradict"):
        merge_stores(tmp_path / "c.db", twins[1:])
    with open_store(tmp_path / "c.db") as store:
        assert "\n".join(store._db.iterdump()) == before


def test_merging_again_adds_nothing_whatever_failed(twins, tmp_path):
    changed(twins[1], "UPDATE task SET status = 'timeout' WHERE algorithm = 'Thrower'")
    dumps = []
    for _ in range(3):
        merge_stores(tmp_path / "c.db", twins)
        with open_store(tmp_path / "c.db") as store:
            dumps.append(sorted(store._db.iterdump()))
            assert store.rows("SELECT count(*) FROM attempt") == [(8,)]  # two stores ran four tasks each
    assert dumps[0] == dumps[1] == dumps[2]


def test_other_sources_are_refused_and_other_versions_are_said(twins, tmp_path):
    changed(twins[1], "UPDATE environment SET value = '0.1' WHERE name = 'numpy'")
    said = []
    merge_stores(tmp_path / "c.db", twins, tell=said.append)
    assert "different versions of numpy (" in said[0]
    assert any("different versions of numpy" in note for note in results_from_store(tmp_path / "c.db").notes)
    changed(twins[1], "INSERT OR REPLACE INTO source VALUES ('Thrower', 'another')")
    with pytest.raises(StoreError, match="the source of 'Thrower' is not the same in"):
        merge_stores(tmp_path / "d.db", twins)


def test_a_damaged_part_is_refused(twins, tmp_path):
    with open_store(twins[1], write=True) as store, store.changing() as db:
        db.execute("UPDATE score SET value = 0.5 WHERE metric = 'error'")
    with pytest.raises(StoreError, match="is damaged"):
        merge_stores(tmp_path / "c.db", twins)


def test_parts_with_other_data_under_one_name_are_refused(tmp_path):
    """The data were edited between two parts: no task is in both, and still they are not parts of one whole."""
    (tmp_path / "s.toml").write_text(
        'datasets = [{ name = "toy", file = "toy.csv" }]\nalgorithms = ["nb"]\n'
        '[protocol]\nkind = "cv"\nrepeats = 3\nfolds = 2\nsearch = "none"\n'
    )
    parts = [tmp_path / f"{number}.db" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        cells = "".join(f"{i % 9 + (number == 3)},{'aab'[i % 3]}\n" for i in range(60))
        (tmp_path / "toy.csv").write_text(f"x,class\n{cells}")
        with open_store(part, write=True) as store:
            run_suite(make_plan(read_suite(tmp_path / "s.toml")).shard(number, 3), store, engine=InsideEngine())
    merge_stores(tmp_path / "two.db", parts[:2])
    said = r"the data of 'toy' are not the same in '.*1.db' and '.*3.db'"
    for prefer in ("", "first", "last"):
        with pytest.raises(StoreError, match=said):
            merge_stores(tmp_path / "all.db", parts, prefer=prefer)
        with pytest.raises(StoreError, match=r"the data of 'toy' are not the same in '.*two.db' and '.*3.db'"):
            merge_stores(tmp_path / "two.db", parts[2:], prefer=prefer)
    assert not (tmp_path / "all.db").exists()


def test_one_task_under_two_keys_is_refused(twins, tmp_path):
    """As if a part had been run by a version that defines a learner in another way."""
    changed(twins[1], "UPDATE task SET key = 'f' || substr(key, 2) WHERE algorithm = 'nb'")
    with pytest.raises(StoreError, match=r"nb on iris, repeat 0, fold \d was defined in another way"):
        merge_stores(tmp_path / "c.db", twins, prefer="first")


@pytest.mark.parametrize("moment", ["copy_files", "add_tasks", "rename_files"])
def test_a_merge_that_was_killed_is_made_whole_by_the_next(twins, tmp_path, monkeypatch, moment):
    merge_stores(tmp_path / "c.db", twins[:1])
    for path in [tmp_path / "c.db", *(tmp_path / "c.db.predictions").rglob("*.npz")]:
        path.unlink()

    def killed(*_):
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(_Merge, moment, killed)
        patched.setattr(_Merge, "undo", lambda *_, **__: None)
        with pytest.raises(SystemExit):
            merge_stores(tmp_path / "c.db", twins[:1])
    merge_stores(tmp_path / "c.db", twins[:1])
    with open_store(tmp_path / "c.db") as store, open_store(twins[0]) as part:
        assert scores_of(store) == scores_of(part)
        ok = [key for key, status in store.statuses().items() if status == "ok"]
        assert all(store.load_predictions(key).y.size for key in ok)
    assert not list((tmp_path / "c.db.predictions").rglob("*.merged"))


CONTRADICTIONS = (
    "UPDATE score SET value = value + 0.25 WHERE metric = 'error' AND key = '{key}'",
    "UPDATE score SET value = NULL, message = 'gone' WHERE metric = 'error' AND key = '{key}'",
    "INSERT OR REPLACE INTO source VALUES ('nb', '{key}')",
    "UPDATE dataset SET data_hash = '{key}'",
    "UPDATE run SET definition = replace(definition, '\"seed\": 1', '\"seed\": 7')",
    "UPDATE task SET key = 'f' || substr(key, 2) WHERE key = '{key}'",
    "UPDATE score SET value = 0.5 WHERE key = '{key}' -- unsealed",
)


def test_no_part_of_three_contradicts_in_silence(twins, tmp_path):
    """One of three parts says something else, whichever it is and whatever it is: nothing is merged."""
    parts = [*twins, tmp_path / "third.db"]
    changed(twins[0], "INSERT OR REPLACE INTO source VALUES ('nb', 'same')")
    for seed in range(ATTACKS or len(CONTRADICTIONS)):
        dice = random.Random(seed)
        for part in parts[1:]:
            shutil.copyfile(parts[0], part)
        with open_store(parts[0]) as store:
            key = dice.choice([key for key, status in store.statuses().items() if status == "ok"])
        wrong, statement = dice.choice(parts[1:]), CONTRADICTIONS[seed % len(CONTRADICTIONS)].format(key=key)
        if "unsealed" in statement:
            with open_store(wrong, write=True) as store, store.changing() as db:
                db.execute(statement)
        else:
            changed(wrong, statement)
        dice.shuffle(parts_in_order := list(parts))
        with pytest.raises(StoreError):
            merge_stores(tmp_path / "c.db", parts_in_order)
        assert not (tmp_path / "c.db").exists(), statement
