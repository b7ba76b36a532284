"""What has changed since a run is said, and only what an outcome depends on makes a task run again."""

import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from bench.tools import InsideEngine
from podium.bench._rescore import rescore
from podium.bench.plan import make_plan
from podium.bench.results import results_from_store
from podium.bench.runner import run as run_suite
from podium.bench.status import run_status
from podium.bench.store import open_store
from podium.bench.suite import read_suite
from podium.core.errors import DataError, PodiumError, StoreError

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


HELPED = """from sklearn.dummy import DummyClassifier
from own_package import answers

class Mine(DummyClassifier):
    def predict(self, X):
        from own_package.deep import more
        return super().predict(X) * 0 + answers.ANSWER * more.ONE
"""
PROGRAM = """import sys
import own_helper
if sys.argv[1] == "fit":
    open(sys.argv[3], "w").close()
else:
    with open(sys.argv[2]) as cases, open(sys.argv[4], "w") as answers:
        answers.writelines(f"{own_helper.ANSWER}\\n" for _ in list(cases)[1:])
"""


@pytest.fixture
def helped(folder):
    for place, text in {
        "own_class.py": HELPED,
        "own_package/__init__.py": "",
        "own_package/answers.py": "from .constants import ANSWER\n",
        "own_package/constants.py": "ANSWER = 0\n",
        "own_package/deep/__init__.py": "",
        "own_package/deep/more.py": "from ..constants import ANSWER\nONE = 1\n",
        "own_package/other.py": "",
        "own_program.py": PROGRAM,
        "own_helper.py": "ANSWER = 0\n",
        "own_metric.py": "def cost(y, predicted):\n    return 1.0\ndef other(y, predicted):\n    return 7.0\n",
    }.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text)
    forget_modules()
    yield folder
    forget_modules()


def forget_modules():
    """The next import reads the files again; compiled modules would hide an edit of the same second and the same length."""
    for name in [name for name in sys.modules if name.startswith("own_")]:
        module = sys.modules.pop(name)
        Path(cache_from_source(module.__file__)).unlink(missing_ok=True)


MINE = '{ name = "mine", class = "own_class.Mine" }'
PROG = f'{{ name = "prog", program = ["{sys.executable}", "own_program.py"] }}'


@pytest.mark.parametrize(
    ("file", "names"),
    [
        ("own_package/constants.py", ["mine"]),
        ("own_package/deep/__init__.py", ["mine"]),
        ("own_package/deep/more.py", ["mine"]),
        ("own_program.py", ["prog"]),
        ("own_helper.py", ["prog"]),
        ("own_package/other.py", []),  # nobody imports it
    ],
)
def test_an_edited_file_that_a_class_or_a_program_needs_is_said(helped, file, names):
    what = suite_of(helped, f"[{MINE}, {PROG}]")
    assert run_suite(what, helped / "s.db", engine=InsideEngine()).total_counts == {"ok": 4}
    with (helped / file).open("a") as text:
        text.write("# edited\n")
    forget_modules()
    said = run_suite(what, helped / "s.db", engine=InsideEngine()).remarks
    assert [remark.partition("'")[2].partition("'")[0] for remark in said] == names


def test_a_class_that_is_edited_and_edited_back_does_not_hide_its_scores(folder):
    """Each task knows what it was run with: neither --retry nor a dataset that is run again is enough to forget it."""
    what = suite_of(folder, f"[{MINE}]")
    run_suite(what, folder / "s.db", engine=InsideEngine())
    (folder / "own_class.py").write_text(CLASS + "# edited\n")
    one = make_plan(what).shard(1, 1)
    with open_store(folder / "s.db", write=True) as store:
        store.forget([one.tasks[0].key])
    mixed = "The scores of 'mine' come from 2 versions of its source: run it again with --redo mine."
    assert mixed in run_suite(what, folder / "s.db", engine=InsideEngine()).remarks
    assert mixed in results_from_store(folder / "s.db").notes
    assert mixed in run_status(folder / "s.db").remarks
    (folder / "own_class.py").write_text(CLASS)
    said = run_suite(what, folder / "s.db", engine=InsideEngine()).remarks
    assert said[0].startswith("The source of 'mine' has changed since 1 task of it ran")
    assert run_suite(what, folder / "s.db", engine=InsideEngine(), retry=["ok"]).remarks == ()
    assert run_suite(what, folder / "s.db", engine=InsideEngine()).remarks == ()


def test_a_class_that_is_edited_during_a_run_does_not_give_scores_of_the_old_one(folder):
    plan = make_plan(suite_of(folder, f"[{MINE}]"))
    (folder / "own_class.py").write_text(CLASS + "# edited\n")
    summary = run_suite(plan, folder / "s.db", engine=InsideEngine())
    assert summary.counts == {"lost": 2}
    assert run_suite(plan.suite, folder / "s.db", engine=InsideEngine()).counts == {"ok": 2}


@pytest.mark.parametrize(
    ("edited", "function"), [("    return 2.0\n", "cost"), ("    return 1.0\n", "other")], ids=["source", "function"]
)
def test_a_metric_that_has_changed_is_computed_again(helped, edited, function):
    path, entry = (
        helped / "own_metric.py",
        'metrics = ["error", {{ name = "m", function = "own_metric:{}", direction = "lower" }}]\n',
    )

    def values(what):
        suite_of(helped, '["nb"]')
        (helped / "s.toml").write_text(entry.format(what) + (helped / "s.toml").read_text())
        forget_modules()
        summary = run_suite(read_suite(helped / "s.toml"), helped / "s.db", engine=InsideEngine())
        return summary.remarks, set(results_from_store(helped / "s.db", metrics=["m"]).frame["value"])

    assert values("cost") == ((), {1.0})
    path.write_text(path.read_text().replace("    return 1.0\n", edited))
    remarks, new = values(function)
    assert new == {2.0 if function == "cost" else 7.0}
    assert remarks[0] == "The source of the metric 'm' has changed: it is computed again."
    assert values(function)[0] == ()


def test_predictions_of_another_store_are_not_scored(helped):
    """Somebody copies a store without its predictions to where those of an older one lie."""
    what = suite_of(helped, f"[{MINE}]")
    for name, answer in (("old", 0), ("new", 1)):
        (helped / "own_package/constants.py").write_text(f"ANSWER = {answer}\n")
        forget_modules()
        run_suite(what, helped / f"{name}.db", engine=InsideEngine())
    (helped / "new.db").replace(helped / "old.db")
    with (
        open_store(helped / "old.db", write=True) as store,
        pytest.raises(StoreError, match="not those that its scores"),
    ):
        rescore(store, ["accuracy"])


def test_a_module_that_changes_the_clock_when_it_is_imported_harms_no_task(helped):
    """The driver imports it too, to check the suite."""
    (helped / "own_class.py").write_text(f"import time\ntime.monotonic = time.perf_counter = lambda: 0 / 0\n{CLASS}")
    code = "import sys, podium; print(podium.run(sys.argv[1], sys.argv[2]).counts)"
    suite_of(helped, f'["nb", {MINE}]')
    words = [sys.executable, "-c", code, str(helped / "s.toml"), str(helped / "s.db")]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.stdout == "{'ok': 4}\n", ran.stderr


def test_another_version_of_the_package_of_an_algorithm_is_said(helped):
    what = suite_of(helped, f"[{MINE}]")
    for version in ("1.0", "2.0"):
        (helped / "own_class.py").write_text(f'{HELPED}__version__ = "{version}"\n')
        forget_modules()
        run_suite(what, helped / "s.db", engine=InsideEngine(), retry=["ok"])
    said = "The tasks ran with different versions of own_class (1.0, 2.0)."
    assert said in results_from_store(helped / "s.db").notes


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
