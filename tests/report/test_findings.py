"""What the report finds in its sections: the three numbers of the first screen, and sentences that fit small tables."""

import numpy as np

import podium
from podium.core.metric import Metric
from podium.evidence.cases import Cases
from podium.evidence.table import as_table
from podium.report.comparison import ranking_finding
from podium.report.documents import document
from report.sample import table


def test_all_cases_are_counted_though_every_pair_lacks_some():
    rng = np.random.default_rng(1)
    values = (rng.random((40, 3)) < 0.5).astype(float)
    values[[0, 1, 2], [0, 1, 2]] = np.nan
    cases = Cases(
        values=values,
        cases=tuple(f"q{i}" for i in range(40)),
        algorithms=("a", "b", "c"),
        metric=Metric(name="accuracy", direction="higher"),
        noun="question",
    )
    assert "40 questions" in podium.compare(cases).verdict.on_what
    assert "3 of 120 outcomes are missing" in podium.compare(cases).verdict.on_what


def test_ranks_that_are_settled_are_not_called_open():
    values = np.linspace(0.6, 0.8, 30)[:, None] - [0.0, 0.1, 0.2] + np.random.default_rng(2).normal(0, 0.004, (30, 3))
    found = podium.compare(as_table(values), metric="accuracy")
    assert [row.rank_high for row in found.ranking] == [1, 2, 3]
    assert ranking_finding(found).endswith("is first; every rank below it is settled.")


def test_one_pair_is_not_called_all_pairs():
    two = podium.compare(table(("forest", "svm")), metric="accuracy")
    assert "All pairs" not in document(two, drawn=False).tables()["pairs"].caption


def test_one_task_is_not_called_these_tasks():
    rng = np.random.default_rng(4)
    runs = {"dqn": {"pong": rng.normal(10, 1, 9)}, "ppo": {"pong": rng.normal(14, 1, 9)}}
    found = podium.compare(runs, metric="score", normalise="none")
    assert "these tasks" not in found.summary()
