"""Equivalence on cases: what an interval and a rope say of each other, by hand."""

import numpy as np
import pytest

from podium.cases.equivalence import CaseEquivalence
from podium.core.metric import Metric


def equivalence(low, high, **pairs):
    low, high = np.atleast_1d(low), np.atleast_1d(high)
    return CaseEquivalence(
        **pairs, control=None, rope=0.02, alpha=0.05, confidence=0.9, gain=(low + high) / 2, low=low, high=high,
        metric=Metric(name="accuracy", direction="higher"),
    )  # fmt: skip


def test_each_side_of_the_rope_is_its_own_answer():
    ends = {"within": (-0.01, 0.01), "above": (-0.01, 0.5), "below": (-0.5, 0.01), "across": (-0.5, 0.5)}
    low, high = np.array(list(ends.values())).T
    found = equivalence(
        low, high, algorithms=("a", "b", "c", "d"), first=np.array([0, 0, 0, 1]), second=np.array([1, 2, 3, 2])
    )
    assert found.equivalent.tolist() == [1, 0, 0, 0]
    assert found.not_worse.tolist() == [1, 1, 0, 0]
    assert found.not_better.tolist() == [1, 0, 1, 0]
    turned = found.pair("c", "a")  # the interval of the other side
    assert (turned.low[0], turned.high[0], turned.not_worse[0], turned.not_better[0]) == (-0.5, 0.01, 0, 1)
    assert "1 equivalent within 0.02; in 2 others one of the two is non-inferior" in found.summary()


@pytest.mark.parametrize(
    "low, high, words",
    [
        (-0.01, 0.01, "a and b are equivalent within 0.02 (90% interval of the gain of a \u22120.01 to 0.01)"),
        (0.03, 0.5, "a is significantly better than b, by more than 0.02"),
        (-0.5, -0.03, "b is significantly better than a, by more than 0.02"),
        (-0.01, 0.5, "a is non-inferior to b with the margin 0.02"),
        (-0.5, 0.01, "b is non-inferior to a with the margin 0.02"),
        (-0.5, 0.5, "inconclusive; neither is non-inferior with the margin 0.02"),
    ],
)
def test_what_is_said_of_two(low, high, words):
    found = equivalence(low, high, algorithms=("a", "b"), first=np.array([0]), second=np.array([1]))
    assert words in found.summary()
