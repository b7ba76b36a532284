"""One task: what it predicts is checked, classes may be absent from a part, and its costs are its own."""

from dataclasses import replace

import numpy as np
import pytest

from bench.tools import algorithm, suite
from podium.bench import execute as execute_module
from podium.bench.execute import execute, warm_up
from podium.bench.guard import Guard
from podium.bench.plan import make_plan
from podium.bench.protocols import Protocol
from podium.bench.spec import DatasetSpec, Limits


def jobs_of(*algorithms, **more):
    plan = make_plan(suite(list(algorithms), **more))
    return [plan.job(task) for task in plan.tasks]


def test_probabilities_that_are_no_numbers_are_an_error():
    outcome = execute(jobs_of("Uncertain", metrics=("error", "auc"))[0])
    assert outcome.status == "invalid"
    assert "Uncertain.predict_proba gave nan or infinity for 75 of 75 cases." in outcome.message


@pytest.fixture
def rare_first(tmp_path):
    """Fifty cases of two classes, and a single one of a class that sorts before them."""
    rows = "".join(f"{i % 7},{'bc'[i % 2]}\n" for i in range(50))
    (tmp_path / "rare.csv").write_text("x,class\n" + rows + "3,a\n")
    return DatasetSpec(name="rare", source="file", options={"path": str(tmp_path / "rare.csv")})


@pytest.mark.parametrize("search", ["none", "nested"])
def test_classes_that_a_training_part_lacks_leave_no_gap(rare_first, search):
    protocol = Protocol(kind="cv", repeats=1, folds=2, search=search, search_folds=2)
    spec = algorithm("Gapless", search={"extra": (1, 2)} if search == "nested" else None)
    for job in jobs_of(spec, datasets=[rare_first], protocol=protocol):
        outcome = execute(job)
        assert outcome.status == "ok", outcome.message
        found = outcome.predictions
        assert found.probabilities.shape[1] == found.classes == 3
        assert (found.probabilities.argmax(axis=1) == found.predicted).all()
        assert set(found.predicted) <= {1, 2}


def test_what_draws_from_shared_generators_is_the_same_in_any_order():
    jobs = jobs_of("Gambler", repeats=2)
    forwards = {job.key: execute(job).predictions.predicted for job in jobs}
    backwards = {job.key: execute(job).predictions.predicted for job in reversed(jobs)}
    for key, labels in forwards.items():
        np.testing.assert_array_equal(labels, backwards[key])


def test_without_a_search_there_is_no_time_per_hyperparameter():
    outcome = execute(jobs_of("nb")[0])
    assert "per_hyperparameter_time" not in outcome.scores
    assert outcome.holes == {"per_hyperparameter_time": "no hyperparameter was searched for"}


@pytest.mark.parametrize("name", ["knn", "nnet"])
def test_a_flat_search_costs_the_same_in_every_fold_and_does_not_depend_on_the_first(name):
    flat = Protocol(kind="cv", repeats=1, folds=2, search="flat", search_folds=2, candidates=3, free_values=3)
    jobs = jobs_of(name, protocol=flat)
    execute_module._FLAT.clear()
    forwards = [execute(job) for job in jobs]
    assert len({outcome.scores["search_time"] for outcome in forwards}) == 1
    execute_module._FLAT.clear()
    backwards = [execute(job) for job in reversed(jobs)][::-1]
    assert [o.details["params"] for o in forwards] == [o.details["params"] for o in backwards]
    assert [o.scores["error"] for o in forwards] == [o.scores["error"] for o in backwards]


def test_the_time_limit_is_the_tasks_and_not_the_warm_ups():
    [job, _] = jobs_of(algorithm("Pause", params={"seconds": 2.5}), seconds=4.0)
    guard = Guard()
    try:
        assert guard.run(job).status == "ok"  # 2.5 s of warm-up and 2.5 s of training
        assert guard.run(replace(job, limits=Limits(seconds=0.3))).status == "timeout"
    finally:
        guard.kill()


def test_a_warm_up_is_made_once_and_its_failure_is_the_tasks_to_tell():
    [job, _] = jobs_of("Thrower")
    assert warm_up(job)
    assert not warm_up(job)
    assert execute(job).message.startswith("RuntimeError: no luck today")
