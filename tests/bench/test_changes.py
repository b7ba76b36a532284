"""What has changed since a run is said, and only what an outcome depends on makes a task run again."""

import sys

import pytest

from bench.tools import InsideEngine
from podium.bench.plan import make_plan
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store
from podium.bench.suite import read_suite
from podium.core.errors import DataError, PodiumError

CLASS = """from sklearn.dummy import DummyClassifier

class Mine(DummyClassifier):
    pass
"""
PIPELINE = """from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

def tree():
    return make_pipeline(StandardScaler(), DecisionTreeClassifier())
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "own_class.py").write_text(CLASS)
    (tmp_path / "own_pipeline.py").write_text(PIPELINE)
    (tmp_path / "toy.csv").write_text("x,class\n" + "".join(f"{i % 9},{'ab'[i % 2]}\n" for i in range(40)))
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in ("own_class", "own_pipeline"):
        sys.modules.pop(name, None)


def suite_of(folder, algorithms):
    path = folder / "s.toml"
    protocol = 'kind = "cv"\nrepeats = 1\nfolds = 2\nsearch_folds = 2'
    path.write_text(f'datasets = [{{ file = "toy.csv" }}]\nalgorithms = {algorithms}\n[protocol]\n{protocol}\n')
    return read_suite(path)


def test_an_edited_class_is_said_and_run_anew_on_request(folder):
    what = suite_of(folder, '["nb", { name = "mine", class = "own_class.Mine" }]')
    with open_store(folder / "s.db", write=True) as store:
        assert run_suite(what, store, engine=InsideEngine()).remarks == ()
        (folder / "own_class.py").write_text(CLASS + "# edited\n")
        again = run_suite(what, store, engine=InsideEngine())
        assert again.remarks == (
            "The source of 'mine' has changed since 2 tasks of it ran: what was done is kept; "
            "run it again with --redo mine.",
        )
        assert again.counts == {}
        redone = run_suite(what, store, engine=InsideEngine(), redo=["mine"])
        assert (redone.counts, redone.already_done, redone.remarks) == ({"ok": 2}, 2, ())
        assert run_suite(what, store, engine=InsideEngine()).remarks == ()
        with pytest.raises(PodiumError, match="did you mean 'mine'"):
            run_suite(what, store, engine=InsideEngine(), redo=["mien"])


def test_changed_data_are_said(folder):
    what = suite_of(folder, '["nb"]')
    with open_store(folder / "s.db", write=True) as store:
        run_suite(what, store, engine=InsideEngine())
        with (folder / "toy.csv").open("a") as file:
            file.write("3,a\n")
        summary = run_suite(what, store, engine=InsideEngine())
    assert summary.remarks[0] == "The data of 'toy' have changed: its tasks run again."
    assert summary.counts == {"ok": 2}


def test_steps_of_an_own_pipeline_can_be_searched(folder):
    entry = '{ name = "t", class = "own_pipeline.tree", search = { decisiontreeclassifier__max_depth = [1, 3] } }'
    with open_store(folder / "s.db", write=True) as store:
        summary = run_suite(suite_of(folder, f"[{entry}]"), store, engine=InsideEngine())
        details = store.rows("SELECT details FROM attempt")[0][0]
    assert summary.counts == {"ok": 2}
    assert "decisiontreeclassifier__max_depth" in details


@pytest.mark.parametrize("key", ["svc__C", "max_depth", "decisiontreeclassifier__depth"])
def test_a_step_that_is_not_there_is_refused_before_anything_runs(folder, key):
    entry = f'{{ name = "t", class = "own_pipeline.tree", search = {{ {key} = [1, 3] }} }}'
    with pytest.raises(DataError, match=f"line 2: Algorithm 't': .* has no hyperparameter '{key}'"):
        make_plan(suite_of(folder, f"[{entry}]"))
