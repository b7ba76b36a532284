"""Groups are never parted, ignored columns are no features, and an algorithm may have limits of its own."""

import numpy as np
import pytest

from podium.bench.datasets.expand import load_dataset
from podium.bench.execute import execute
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol, inner_folds, make_split
from podium.bench.spec import DatasetSpec
from podium.bench.suite import read_suite
from podium.core.errors import DataError


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    patients = rng.integers(0, 12, 120)
    rows = [f"{i},p{p},{rng.normal():.3f},{'ab'[p % 2]}" for i, p in enumerate(patients)]
    (tmp_path / "visits.csv").write_text("\n".join(["id,patient,x,class", *rows]) + "\n")
    return tmp_path


def suite_of(folder, dataset='file = "visits.csv", group = "patient", ignore = ["id"]', **protocol):
    said = {"kind": "cv", "repeats": 2, "folds": 3, **protocol}
    lines = "\n".join(f"{key} = {value!r}" for key, value in said.items())
    algorithms = '["nb", { name = "5nn", seconds = 7, memory_mb = 99 }]'
    (folder / "s.toml").write_text(f"datasets = [{{ {dataset} }}]\nalgorithms = {algorithms}\n[protocol]\n{lines}\n")
    return read_suite(folder / "s.toml")


@pytest.mark.parametrize("kind", ["cv", "holdout"])
def test_no_group_is_on_both_sides_of_a_split_or_of_the_search(folder, kind):
    plan = make_plan(suite_of(folder, kind=kind, **({"folds": 1, "test_fraction": 0.25} if kind == "holdout" else {})))
    for task in plan.tasks:
        job = plan.job(task)
        dataset = load_dataset(job.dataset)
        place = {"seed": 1, "dataset": "visits", "repeat": task.repeat, "fold": task.fold}
        train, test = make_split(job.protocol, dataset.y, dataset.groups, **place)
        assert not set(dataset.groups[train]) & set(dataset.groups[test])
        assert len(train) + len(test) == 120
        groups = dataset.groups[train]
        chosen, parts = inner_folds(job.protocol, dataset.y[train], groups, **place)
        for part in parts:
            assert not set(groups[chosen[part.train]]) & set(groups[chosen[part.test]])
        assert execute(job).status == "ok"


def test_the_columns_of_ids_and_groups_are_no_features(folder):
    [facts] = make_plan(suite_of(folder)).facts.values()
    assert facts.features == 1


def test_an_algorithm_may_have_limits_of_its_own(folder):
    plan = make_plan(suite_of(folder))
    limits = {task.algorithm: plan.job(task).limits for task in plan.tasks}
    assert (limits["5nn"].seconds, limits["5nn"].memory_mb) == (7, 99)
    assert (limits["nb"].seconds, limits["nb"].memory_mb) == (600, 4096)


@pytest.mark.parametrize(
    "dataset, protocol, message",
    [
        ('file = "visits.csv", group = "patents"', {}, "has no column 'patents', which `group` names."),
        ('file = "visits.csv", ignore = ["class"]', {}, "`ignore` names 'class', which is to be predicted."),
        ('file = "visits.csv", group = "patient"', {"folds": 20}, "has 12 groups, too few for 20 parts."),
        ('file = "visits.csv", group = "patient"', {"aside": 0.2}, "has groups, and the protocol puts cases aside"),
    ],
)
def test_what_cannot_be_grouped_is_refused(folder, dataset, protocol, message):
    with pytest.raises(DataError) as caught:
        make_plan(suite_of(folder, dataset, **protocol))
    assert message in str(caught.value)


def test_groups_are_part_of_the_hash(folder):
    options = {"path": str(folder / "visits.csv"), "ignore": ["id", "patient"]}
    plain = load_dataset(DatasetSpec(name="v", source="file", options=options))
    options = {"path": str(folder / "visits.csv"), "ignore": ["id"], "group": "patient"}
    grouped = load_dataset(DatasetSpec(name="v", source="file", options=options))
    assert plain.digest() != grouped.digest()
    assert Protocol(kind="holdout", test_fraction=0.25).group_folds == 4
