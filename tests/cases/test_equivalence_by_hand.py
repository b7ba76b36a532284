"""Equivalence on cases: what an interval and a rope say of each other, by hand."""

import numpy as np

from podium.cases.equivalence import CaseEquivalence
from podium.core.metric import Metric


def test_each_side_of_the_rope_is_its_own_answer():
    ends = {"within": (-0.01, 0.01), "above": (-0.01, 0.5), "below": (-0.5, 0.01), "across": (-0.5, 0.5)}
    low, high = np.array(list(ends.values())).T
    found = CaseEquivalence(
        algorithms=("a", "b", "c", "d"),
        first=np.array([0, 0, 0, 1]),
        second=np.array([1, 2, 3, 2]),
        control=None,
        rope=0.02,
        alpha=0.05,
        confidence=0.9,
        gain=(low + high) / 2,
        low=low,
        high=high,
        metric=Metric(name="accuracy", direction="higher"),
    )
    assert found.equivalent.tolist() == [1, 0, 0, 0]
    assert found.not_worse.tolist() == [1, 1, 0, 0]
    assert found.not_better.tolist() == [1, 0, 1, 0]
    turned = found.pair("c", "a")  # the interval of the other side
    assert (turned.low[0], turned.high[0], turned.not_worse[0], turned.not_better[0]) == (-0.5, 0.01, 0, 1)
