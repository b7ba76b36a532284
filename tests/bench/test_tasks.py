"""Every task that people have: regression, own metrics, time, given splits, weights, text, distributions, programs, models."""

import json
import shutil
import sqlite3
import stat
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.stats
import sklearn.metrics as peers
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor, RandomForestRegressor
from sklearn.neighbors import KNeighborsRegressor

import podium
from bench.tools import InsideEngine
from podium.bench.datasets import openml
from podium.bench.datasets.expand import load_dataset
from podium.bench.execute import execute
from podium.bench.learners.build import case_weights, make_space
from podium.bench.learners.catalog import NUMBERS
from podium.bench.learners.free import staged_predictions
from podium.bench.learners.program import Program
from podium.bench.learners.space import Draw, Shape, Space, grid
from podium.bench.merge import merge_stores
from podium.bench.metrics import METRICS, Predictions, score
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol, forward_blocks, inner_folds, make_split
from podium.bench.search import SearchFold, search
from podium.bench.spec import AlgorithmSpec, DatasetSpec, DataSettings, Suite
from podium.bench.suite import read_suite
from podium.core.errors import DataError, PodiumError, StoreError

QUICK = Protocol(kind="cv", repeats=1, folds=2, search="none")
TREE = AlgorithmSpec(name="tree", path="sklearn.tree.DecisionTreeClassifier")
CLASSES, NUMBER = DataSettings(), DataSettings(task="regression")


def outcome_of(datasets, algorithms, *, protocol=QUICK, data=CLASSES, **more):
    """The outcome of the first task."""
    plan = make_plan(Suite(name="s", datasets=datasets, algorithms=algorithms, protocol=protocol, data=data, **more))
    return execute(plan.job(plan.tasks[0]))


def file_spec(path, **options):
    return DatasetSpec(name=path.stem, source="file", options={"path": str(path), **options})


@pytest.fixture
def houses(tmp_path):
    """Prices that follow from two features, with an id, a day, a part and a remark."""
    rng = np.random.default_rng(0)
    size, age = rng.uniform(40, 200, 90), rng.uniform(0, 50, 90)
    frame = pd.DataFrame({"id": [f"h{i}" for i in range(90)], "size": size, "age": age})
    frame["sold"] = pd.date_range("2020-01-01", periods=90).strftime("%Y-%m-%d")
    frame["part"] = np.where(np.arange(90) % 3 == 0, "test", "train")
    frame["remark"] = [f"house {i} {'with garden' if i % 2 else 'in town'}" for i in range(90)]
    frame["price"] = 3.0 * size - age + rng.normal(0, 5, 90)
    frame["dear"] = np.where(frame["price"] > frame["price"].median(), "yes", "no")
    path = tmp_path / "houses.csv"
    frame.to_csv(path, index=False)
    return path


PLAIN = {"ignore": ["sold", "part", "remark", "dear"], "id": "id"}


# ---- regression ----------------------------------------------------------------------------------------------------


def test_a_regression_is_scored_by_scikit_learns_metrics(houses):
    spec = file_spec(houses, target="price", **PLAIN)
    metrics = ["rmse", "mae", "medae", "r2"]
    found = outcome_of([spec], ["linear"], data=NUMBER, metrics=metrics)
    p = found.predictions
    assert found.status == "ok", found.message
    assert found.scores["rmse"] == pytest.approx(peers.root_mean_squared_error(p.y, p.predicted))
    assert found.scores["mae"] == pytest.approx(peers.mean_absolute_error(p.y, p.predicted))
    assert found.scores["medae"] == pytest.approx(peers.median_absolute_error(p.y, p.predicted))
    assert found.scores["r2"] == pytest.approx(peers.r2_score(p.y, p.predicted))
    assert found.scores["r2"] > 0.95
    assert {name: METRICS[name].direction for name in metrics} == {
        "rmse": "lower", "mae": "lower", "medae": "lower", "r2": "higher"
    }  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_every_regressor_beats_the_mean_after_a_search(name):
    spec = DatasetSpec(name="friedman-1", options={"cases": 120})
    protocol = Protocol(kind="holdout", search_folds=2, candidates=2, free_values=2)
    found = outcome_of([spec], [name], protocol=protocol, data=NUMBER, metrics=["r2"])
    assert found.status == "ok", found.message
    assert found.scores["r2"] > (0.1 if name != "mean" else -0.2)
    assert (name in ("mean", "linear")) is ("cv_error" not in found.scores)


def test_the_search_of_a_regression_minimises_the_squared_error():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((60, 2)), rng.standard_normal(60)
    parts = [SearchFold(X[:40], y[:40], X[40:], y[40:]), SearchFold(X[20:], y[20:], X[:20], y[:20])]
    candidates = grid(n_neighbors=[1, 5, 20])
    found = search(lambda params: KNeighborsRegressor(**params), Space(candidates), parts)
    losses = [
        np.sqrt(
            np.mean(np.concatenate([KNeighborsRegressor(**c).fit(p[0], p[1]).predict(p[2]) - p[3] for p in parts]) ** 2)
        )
        for c in candidates
    ]
    assert found.params == candidates[int(np.argmin(losses))]
    assert found.cv_error == pytest.approx(min(losses))


@pytest.mark.parametrize(
    "model, name",
    [
        (RandomForestRegressor(n_estimators=9, random_state=0), "n_estimators"),
        (ExtraTreesRegressor(n_estimators=9, random_state=0), "n_estimators"),
        (GradientBoostingRegressor(n_estimators=9, random_state=0), "n_estimators"),
        (KNeighborsRegressor(n_neighbors=9), "n_neighbors"),
        (KNeighborsRegressor(n_neighbors=9, weights="distance"), "n_neighbors"),
    ],
)
def test_free_values_of_regressors_are_those_of_a_training_each(model, name):
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((50, 3)), rng.standard_normal(50)
    from sklearn.base import clone

    free = staged_predictions(clone(model).fit(X, y), name, X, [2, 9])
    each = [clone(model).set_params(**{name: value}).fit(X, y).predict(X) for value in (2, 9)]
    for a, b in zip(free, each, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"algorithms": ["rf"]}, "predicts classes, not numbers: choose a regressor"),
        ({"metrics": ["error"]}, "`metrics` names 'error', which is for classification; this suite may have rmse"),
        ({"datasets": ["iris"]}, "Dataset 'iris' has classes; for regression there are diabetes"),
        ({"data": DataSettings()}, "predicts numbers, not classes"),
    ],
)
def test_what_does_not_go_with_a_regression_is_refused_before_it_runs(change, message):
    good = {"datasets": ["diabetes"], "algorithms": ["ridge"], "data": NUMBER, "protocol": QUICK}
    make_plan(Suite(name="s", **good))
    with pytest.raises(PodiumError) as caught:
        make_plan(Suite(name="s", **(good | change)))
    assert message in str(caught.value)


def test_what_cannot_be_a_regression(houses, tmp_path):
    with pytest.raises(DataError, match="has no numbers in column 'dear': choose another `target`"):
        load_dataset(file_spec(houses, target="dear", ignore=["sold", "part", "remark"], id="id"), regression=True)
    with pytest.raises(PodiumError, match="`binary` joins classes, and a regression has none"):
        DataSettings(task="regression", binary=True)
    (tmp_path / "holes.csv").write_text("x,y\n1,2\n2,\n3,4\n")
    with pytest.raises(DataError, match="has no number in column 'y' in case 2"):
        load_dataset(file_spec(tmp_path / "holes.csv"), regression=True)
    with pytest.raises(DataError, match="is for regression: set `task"):
        load_dataset(DatasetSpec(name="diabetes"))


def test_a_regression_runs_from_its_file_to_a_comparison(houses, tmp_path):
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'datasets = [{ file = "houses.csv", target = "price", id = "id", ignore = ["sold", "part", "remark", "dear"] },\n'
        '  { name = "friedman-1", cases = 60 }]\nalgorithms = ["linear", "mean"]\n[data]\ntask = "regression"\n'
        '[protocol]\nkind = "cv"\nrepeats = 1\nfolds = 3\n'
    )
    podium.run(read_suite(suite), tmp_path / "s.db")
    results = podium.read(tmp_path / "s.db")
    assert results.main == "rmse"
    assert results.scores().metric.direction == "lower"
    table = results.scores().table()
    assert (table.values[:, 0] < table.values[:, 1]).all()


# ---- metrics of one's own ------------------------------------------------------------------------------------------


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "mymetrics.py").write_text(
        "import numpy as np\n"
        "def wrong(y, predicted): return float(np.mean(y != predicted))\n"
        "def sure(y, predicted, probabilities): return float(probabilities.max(axis=1).mean())\n"
        "def fails(y, predicted): return 1 / (len(y) - 75)\n"
        "def always(y, predicted): raise KeyError('no')\n"
        "number = 3\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield lambda name, direction="lower": podium.bench.CustomMetric(
        name=name, function=f"mymetrics:{name}", direction=direction
    )
    sys.modules.pop("mymetrics", None)


def test_own_metrics_are_scored_and_keep_their_direction(mine, tmp_path):
    suite = Suite(
        name="s",
        datasets=["iris"],
        algorithms=["knn", TREE],
        protocol=QUICK,
        metrics=["error", mine("wrong"), mine("sure", "higher"), mine("fails")],
        paths=(str(tmp_path),),
    )
    podium.run(suite, tmp_path / "s.db")
    results = podium.read(tmp_path / "s.db")
    errors, wrong, sure = (results.scores(name) for name in ("error", "wrong", "sure"))
    np.testing.assert_array_equal(errors.values, wrong.values)
    assert (wrong.metric.direction, sure.metric.direction) == ("lower", "higher")
    holes = results.frame[results.frame["metric"] == "fails"]
    assert holes["value"].isna().all()  # what fails costs its own value only
    assert holes["message"].str.startswith("ZeroDivisionError").all()
    with podium.bench.open_store(tmp_path / "s.db", write=True) as store:
        with pytest.raises(
            podium.ArgumentError,
            match=r"is code that the results database names \(mymetrics:wrong\): if you trust it, give",
        ):
            podium.bench.rescore(store, ["wrong"])
        assert podium.bench.rescore(store, ["wrong"], paths=[tmp_path]) == {"wrong": 4}


@pytest.mark.parametrize(
    "metric, message",
    [
        ("mymetrics:wrong", "needs a name and a direction: write it as"),
        ({"name": "m", "function": "mymetrics:none", "direction": "lower"}, "'mymetrics' has no function 'none'"),
        ({"name": "m", "function": "mymetrics:number", "direction": "lower"}, "has no function 'number'"),
        ({"name": "m", "function": "no_such_module:f", "direction": "lower"}, "cannot be loaded: 'no_such_module'"),
        ({"name": "m", "function": "mymetrics:always", "direction": "lower"}, "fails on three cases: KeyError"),
        ({"name": "m", "function": "wrong", "direction": "lower"}, "`function` must be 'module:function'"),
        ({"name": "m", "function": "mymetrics:wrong", "direction": "up"}, "`direction` must be 'higher' or 'lower'"),
        ({"name": "auc", "function": "mymetrics:wrong", "direction": "lower"}, "The metric 'auc' is known already"),
    ],
)
@pytest.mark.usefixtures("mine")
def test_own_metrics_that_cannot_be_used_are_refused_before_anything_runs(metric, message):
    with pytest.raises(PodiumError) as caught:
        make_plan(Suite(name="s", datasets=["iris"], algorithms=["knn"], protocol=QUICK, metrics=[metric]))
    assert message in str(caught.value)


# ---- time and given splits -----------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 30), min_size=12, max_size=80), st.integers(1, 4), st.randoms())
def test_time_never_runs_back_and_equal_times_are_never_parted(times, folds, random):
    random.shuffle(times)
    time = np.array(times, dtype=np.float64)
    block = forward_blocks(time, folds + 1)
    for earlier in range(folds):
        before, after = time[block <= earlier], time[block > earlier]
        assert not len(before) or not len(after) or before.max() < after.min()
    protocol = Protocol(kind="forward", folds=folds)
    seen = [
        make_split(protocol, np.zeros(len(time)), None, time, seed=1, dataset="d", repeat=0, fold=k)
        for k in range(folds)
    ]
    for split in seen:
        assert not set(split.train) & set(split.test)
    tested = np.concatenate([split.test for split in seen])
    assert len(tested) == len(set(tested)) == int((block > 0).sum())


def test_blocks_of_different_times_are_about_as_large():
    assert np.bincount(forward_blocks(np.arange(100.0), 6)).tolist() == [17, 16, 17, 17, 16, 17]


def test_the_search_in_time_looks_forward_as_well(houses):
    dataset = load_dataset(file_spec(houses, target="dear", time="sold", ignore=["part", "remark", "price"], id="id"))
    assert (np.diff(dataset.time) > 0).all()
    protocol = Protocol(kind="forward", folds=3, search_folds=3, search_cases=40)
    cases, splits = inner_folds(protocol, dataset.y, None, dataset.time, seed=1, dataset="d", repeat=0, fold=0)
    assert cases.tolist() == list(range(50, 90))  # the latest
    for split in splits:
        assert dataset.time[cases[split.train]].max() < dataset.time[cases[split.test]].min()
    found = outcome_of(
        [file_spec(houses, target="dear", time="sold", ignore=["part", "remark", "price"], id="id")],
        ["knn"],
        protocol=protocol,
    )
    assert found.status == "ok", found.message
    assert (found.details["train_cases"], found.details["test_cases"]) == (22, 23)


def test_given_splits_are_those_of_the_column(houses, tmp_path):
    options = {"target": "dear", "ignore": ["sold", "remark", "price"], "id": "id", "split": "part"}
    given_kind = Protocol(kind="given", search="none")
    found = outcome_of([file_spec(houses, **options)], [TREE], protocol=given_kind)
    assert found.predictions.cases.tolist() == list(range(0, 90, 3))
    frame = pd.read_csv(houses)
    frame["part"] = np.arange(90) % 11  # folds by number: 10 comes after 9, not after 1
    frame.to_csv(tmp_path / "folds.csv", index=False)
    plan = make_plan(
        Suite(name="s", datasets=[file_spec(tmp_path / "folds.csv", **options)], algorithms=[TREE], protocol=given_kind)
    )
    assert [task.fold for task in plan.tasks] == list(range(11))
    for task in (plan.tasks[2], plan.tasks[10]):
        assert execute(plan.job(task)).predictions.cases.tolist() == list(range(task.fold, 90, 11))


@pytest.mark.parametrize(
    "options, kind, message",
    [
        ({"time": "sold"}, "cv", "has a column of time: set `kind"),
        ({"split": "part"}, "cv", "has a column of splits: set `kind"),
        ({}, "given", "comes without splits: name their column with `split`"),
        ({"time": "dull"}, "forward", "has too few different times for 5 folds"),
        ({"time": "age", "group": "part"}, "forward", "has groups, which cannot be kept whole in time"),
        ({"time": "dear"}, "forward", "has no time in case 1 (column 'dear')"),
        ({"id": "dull"}, "cv", "has two cases with the id '1'"),
        ({"id": "id", "ignore": ["id"]}, "cv", "column 'id' is named by `ignore` and by `id`"),
        ({"time": "none"}, "forward", "has no column 'none', which `time` names"),
        ({}, "cv", "has 90 different texts in 90 cases in column 'id': name it in `ignore`"),
    ],
)
def test_columns_that_do_not_fit_are_refused_before_anything_runs(houses, options, kind, message):
    frame = pd.read_csv(houses).assign(dull=1)
    if "id" not in options and "different texts" not in message:
        frame = frame.drop(columns=["id", "remark"])
    if "sold" not in options.values():
        frame = frame.drop(columns="sold")
    frame.to_csv(houses, index=False)
    spec = file_spec(houses, target="price" if "dear" in options.values() else "dear", **options)
    data = NUMBER if "dear" in options.values() else DataSettings()
    algorithm = "linear" if data.regression else "knn"
    with pytest.raises(PodiumError) as caught:
        make_plan(Suite(name="s", datasets=[spec], algorithms=[algorithm], protocol=Protocol(kind=kind), data=data))
    assert message in str(caught.value)


def test_openmls_splits_come_with_a_task(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path))
    folder = openml.cache_folder()
    folder.mkdir(parents=True)
    inputs = [
        {"name": "source_data", "data_set": {"data_set_id": 1, "target_feature": "c"}},
        {"name": "estimation_procedure", "estimation_procedure": {"data_splits_url": "https://example.org/splits"}},
    ]
    task = {"task_type": "Supervised Classification", "input": inputs}
    (folder / "task_7.json").write_text(json.dumps({"task": task}))
    description = {"id": 1, "name": "toy", "url": "https://example.org/toy", "default_target_attribute": "c"}
    (folder / "data_1.json").write_text(json.dumps({"data_set_description": description}))
    rows = "\n".join(f"{i},{'ab'[i % 2]}" for i in range(8))
    (folder / "data_1.arff").write_text(f"@relation toy\n@attribute x numeric\n@attribute c {{a,b}}\n@data\n{rows}\n")
    head = "@relation s\n@attribute type {TRAIN,TEST}\n@attribute rowid numeric\n@attribute repeat numeric\n@attribute fold numeric\n@data\n"
    lines = [f"{'TEST' if (i % 4 < 2) is (fold == 0) else 'TRAIN'},{i},{repeat},{fold}"
             for repeat in (0, 1) for fold in (0, 1) for i in range(8)]  # fmt: skip
    (folder / "splits_7.arff").write_text(head + "\n".join(lines) + "\n")
    spec = DatasetSpec(name="toy", source="openml", options={"task": 7})
    plan = make_plan(
        Suite(name="s", datasets=[spec], algorithms=[TREE], protocol=Protocol(kind="given", search="none"))
    )
    assert [(task.repeat, task.fold) for task in plan.tasks] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert execute(plan.job(plan.tasks[1])).predictions.cases.tolist() == [2, 3, 6, 7]
    with pytest.raises(DataError, match="this suite runs regression only"):
        load_dataset(spec, regression=True)


# ---- text, weights, arguments of fit -------------------------------------------------------------------------------


def test_text_is_hashed_by_choice(houses):
    dataset = load_dataset(file_spec(houses, target="dear", text=["remark"], id="id", ignore=["sold", "part", "price"]))
    assert dataset.numeric.shape == (90, 2 + 64)
    words = dataset.numeric[:, 2:]
    assert np.abs(words).sum() > 0
    np.testing.assert_allclose((words**2).sum(axis=1), 1.0)  # as scikit-learn's vectoriser gives them


def test_weights_of_classes_are_weights_of_cases():
    balanced = AlgorithmSpec(name="t", path=TREE.path, class_weights="balanced")
    y = np.array([0, 0, 0, 1])
    np.testing.assert_allclose(case_weights(balanced, y, ("a", "b"))["sample_weight"], [2 / 3, 2 / 3, 2 / 3, 2.0])
    own = AlgorithmSpec(name="t", path=TREE.path, class_weights={"b": 5})
    np.testing.assert_allclose(case_weights(own, y, ("a", "b"))["sample_weight"], [1, 1, 1, 5])
    assert balanced.digest() != own.digest() != TREE.digest()
    sums = [
        np.bincount(outcome_of(["monks-2"], [AlgorithmSpec(name="s", path="sklearn.tree.DecisionTreeClassifier",
                    params={"max_depth": 1}, class_weights=weights)]).predictions.predicted, minlength=2)
        for weights in (None, {"1": 50})
    ]  # fmt: skip
    assert sums[0][1] < sums[1][1] == sums[1].sum()  # a heavy class is always predicted


@pytest.mark.parametrize(
    "options, message",
    [
        ({"path": "sklearn.neighbors.KNeighborsClassifier", "class_weights": "balanced"}, "takes no 'sample_weight'"),
        (
            {"path": "sklearn.tree.DecisionTreeClassifier", "fit": {"eval_set": 1}},
            "takes no 'eval_set': `fit` names it",
        ),
        ({"path": "sklearn.svm.SVC", "class_weights": "even"}, "`class_weights` must be 'balanced', or a table"),
        ({"path": "sklearn.svm.SVC", "search": {"C": {"distribution": "nosuch"}}}, "has no distribution 'nosuch'"),
        (
            {"path": "sklearn.svm.SVC", "search": {"C": {"distribution": "uniform", "args": [1, 2, 3, 4]}}},
            "cannot be drawn",
        ),
        ({"path": "sklearn.svm.SVC", "search": {"C": {"low": 1}}}, "must be a list, or a distribution of scipy.stats"),
        ({"program": "./no-such-program"}, "There is no program './no-such-program' that can be run here"),
        ({"program": "cat", "free": {"k": [1]}}, "A program has no `free`"),
        ({"program": "cat", "path": "sklearn.svm.SVC"}, "is a program: it has no `learner` and no `path`"),
    ],
)
def test_algorithms_that_would_fail_are_refused_before_anything_runs(options, message):
    with pytest.raises(PodiumError) as caught:
        make_plan(Suite(name="s", datasets=["iris"], algorithms=[AlgorithmSpec(name="a", **options)], protocol=QUICK))
    assert message in str(caught.value)


def test_arguments_of_fit_reach_it():
    spec = AlgorithmSpec(name="t", path=TREE.path, fit={"check_input": True})
    assert outcome_of(["iris"], [spec]).status == "ok"


# ---- searching -----------------------------------------------------------------------------------------------------


def test_distributions_are_drawn_as_often_as_the_protocol_says():
    spec = AlgorithmSpec(
        name="s", path="sklearn.svm.SVC", search={"C": scipy.stats.loguniform(0.01, 100), "kernel": ["rbf", "linear"]}
    )
    assert spec.search["C"] == Draw("loguniform", (0.01, 100))
    spaces = [make_space(spec, Shape(4, 100, 2), np.random.default_rng(3), count) for count in (7, 7, 300)]
    assert spaces[0] == spaces[1]
    assert len(spaces[0].candidates) == 7
    drawn = np.log10([candidate["C"] for candidate in spaces[2].candidates])
    assert drawn.min() >= -2
    assert drawn.max() <= 2
    assert scipy.stats.kstest(drawn, scipy.stats.uniform(-2, 4).cdf).pvalue > 1e-4
    whole = AlgorithmSpec(
        name="k", path="sklearn.neighbors.KNeighborsClassifier", search={"n_neighbors": scipy.stats.randint(1, 9)}
    )
    found = outcome_of(["iris"], [whole], protocol=Protocol(kind="holdout", search_folds=2, candidates=3))
    assert found.status == "ok", found.message
    assert found.details["params"]["n_neighbors"] in range(1, 9)
    assert found.details["combinations"] == 3


# ---- programs and models -------------------------------------------------------------------------------------------

AWK = r"""#!/bin/sh
# The class of the nearest mean, or the mean: COMMAND fit TRAIN MODEL [--shift=N], COMMAND predict TEST MODEL PREDICTIONS
if [ "$1" = fit ]; then
  shift=0; for word in "$@"; do case $word in --shift=*) shift=${word#--shift=};; esac; done
  awk -F, -v shift=$shift 'NR > 1 { n[$NF]++; for (i = 1; i < NF; i++) sum[$NF, i] += $i; width = NF - 1 }
    END { for (c in n) { line = c; for (i = 1; i <= width; i++) line = line "," sum[c, i] / n[c] + shift; print line } }' "$2" > "$3"
else
  awk -F, 'NR == FNR { k = split($0, m, ","); c[NR] = m[1]; for (i = 2; i <= k; i++) mean[NR, i - 1] = m[i]; classes = NR; next }
    FNR > 1 { best = -1; for (r = 1; r <= classes; r++) { d = 0; for (i = 1; i <= NF; i++) d += ($i - mean[r, i]) ^ 2
      if (best < 0 || d < best) { best = d; winner = c[r] } } print winner }' "$3" "$2" > "$4"
fi
"""


@pytest.fixture
def awk(tmp_path):
    path = tmp_path / "nearest.sh"
    path.write_text(AWK)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_a_program_predicts_as_the_same_method_in_python(awk):
    found = outcome_of(["iris"], [AlgorithmSpec(name="nearest", program=[str(awk)])])
    same = outcome_of(["iris"], [AlgorithmSpec(name="nearest", path="sklearn.neighbors.NearestCentroid")])
    assert found.status == "ok", found.message
    np.testing.assert_array_equal(found.predictions.predicted, same.predictions.predicted)
    searched = AlgorithmSpec(name="nearest", program=[str(awk)], search={"shift": [50, 0]})
    chosen = outcome_of(["iris"], [searched], protocol=Protocol(kind="holdout", search_folds=2))
    assert chosen.details["params"] == {"shift": 0}


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_compiled_program_does_regression(tmp_path):
    (tmp_path / "mean.c").write_text(
        "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\nint main(int n, char **a) { static char line[1 << 16];\n"
        'FILE *in = fopen(a[2], "r"); fgets(line, sizeof line, in);\n'
        'if (!strcmp(a[1], "fit")) { double sum = 0; int k = 0; FILE *out = fopen(a[3], "w");\n'
        "while (fgets(line, sizeof line, in)) { sum += atof(strrchr(line, ',') + 1); k++; } fprintf(out, \"%.17g\", sum / k); }\n"
        'else { double mean; FILE *m = fopen(a[3], "r"), *out = fopen(a[4], "w"); fscanf(m, "%lf", &mean);\n'
        'while (fgets(line, sizeof line, in)) fprintf(out, "%.17g\\n", mean); } return 0; }\n'
    )
    import subprocess

    subprocess.run(["cc", "-w", "-o", tmp_path / "mean", tmp_path / "mean.c"], check=True)
    spec = AlgorithmSpec(name="c", program=[str(tmp_path / "mean")])
    found, same = (outcome_of(["diabetes"], [which], data=NUMBER) for which in (spec, "mean"))
    assert found.scores["rmse"] == pytest.approx(same.scores["rmse"])


@pytest.mark.parametrize(
    "script, message",
    [
        ("exit 3", "fit ended with code 3: no word"),
        ("echo broken >&2; exit 1", "fit ended with code 1: broken"),
        ('[ "$1" = fit ] || true', "wrote no predictions.csv"),
        ('[ "$1" = fit ] || echo 0 > "$4"', "wrote 1 predictions for 75 cases"),
        ('[ "$1" = fit ] || sed s/.*/x/ "$2" | tail -n +2 > "$4"', "wrote a prediction that is not a number"),
        ('[ "$1" = fit ] || sed s/.*/9/ "$2" | tail -n +2 > "$4"', "not one known class per case"),
    ],
)
def test_what_a_program_does_wrong_is_said(tmp_path, script, message):
    path = tmp_path / "p.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    found = outcome_of(["iris"], [AlgorithmSpec(name="p", program=[str(path)])])
    assert found.status in ("error", "invalid")
    assert message in found.message
    assert Program(command=("x",), depth=3).set_params(depth=4).get_params()["depth"] == 4


def test_models_are_kept_on_request(tmp_path):
    suite = Suite(name="s", datasets=["iris"], algorithms=[TREE], protocol=QUICK, keep_models=True)
    podium.run(suite, tmp_path / "s.db")
    with podium.bench.open_store(tmp_path / "s.db") as store:
        model = store.load_model("iris", "tree", fold=1)
        assert type(model).__name__ == "DecisionTreeClassifier"
        with pytest.raises(StoreError, match="has no model of 'knn' on 'iris'"):
            store.load_model("iris", "knn")
    merge_stores(tmp_path / "whole.db", [tmp_path / "s.db"])
    with podium.bench.open_store(tmp_path / "whole.db") as store:
        np.testing.assert_array_equal(store.load_model("iris", "tree", fold=1).tree_.threshold, model.tree_.threshold)


def test_stores_know_their_schema(tmp_path):
    suite = Suite(name="s", datasets=["iris"], algorithms=[TREE], protocol=QUICK)
    podium.run(suite, tmp_path / "s.db", engine=InsideEngine())

    def version(new=None):
        with sqlite3.connect(tmp_path / "s.db") as db:
            if new is not None:
                db.execute(f"PRAGMA user_version = {new}")
            return db.execute("PRAGMA user_version").fetchone()[0]

    assert version() == 4
    version(0)  # as stores were before
    assert podium.run(suite, tmp_path / "s.db", engine=InsideEngine()).already_done == 2
    assert version() == 4
    version(99)
    for write in (False, True):
        with pytest.raises(StoreError, match="was made by a newer Podium"):
            podium.bench.open_store(tmp_path / "s.db", write=write)
    assert version() == 99


def test_predictions_of_a_regression_are_numbers():
    p = Predictions(np.arange(3), np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0]), 0)
    assert score("rmse", p) == pytest.approx(np.sqrt(4 / 3))


@pytest.mark.parametrize("name", ["knn", "rknn", "elm"])
def test_a_search_on_a_sample_has_ranges_that_the_sample_can_hold(name):
    """With the ranges of the whole half, k of k-NN is up to 125 of the 32 cases that a fold of the search trains on."""
    twonorm = DatasetSpec(name="twonorm", source="builtin", options={"cases": 1000})
    found = outcome_of(
        [twonorm], [name], protocol=Protocol(kind="cv", repeats=1, folds=2, search_folds=5, search_cases=40)
    )
    assert found.status == "ok", found.message
    assert found.details["train_cases"] == 500


def test_the_usual_number_of_candidates_holds_every_grid_of_the_catalogue():
    from podium.bench.learners.build import make_space
    from podium.bench.learners.catalog import LEARNERS
    from podium.bench.learners.space import Shape

    for name, learner in LEARNERS.items():
        spec = AlgorithmSpec(name=name, learner=name, path=learner.path)
        space = make_space(spec, Shape(10, 500, 2), np.random.default_rng(0))
        assert len(space.candidates) <= Protocol().candidates, name
