"""The three numbers of the first screen."""

import numpy as np

import podium
from podium.core.metric import Metric
from podium.evidence.cases import Cases
from podium.report.comparison import key_numbers


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
    keys = key_numbers(podium.compare(cases))
    assert keys.items[1] == ("40", "questions, the same for all algorithms; 3 outcomes missing")
