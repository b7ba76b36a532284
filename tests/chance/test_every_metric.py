"""What holds for every registered chance metric with an exact law: tails are probabilities, and more competitors ask for more."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium.chance.registry import METRICS

EXACT = {metric.shown: metric.direction for metric in METRICS.values() if metric.exact}


@pytest.mark.parametrize("name", EXACT)
@given(positives=st.integers(10, 14), negatives=st.integers(10, 14), competitors=st.integers(1, 50))
@settings(max_examples=8)
def test_more_competitors_never_lower_what_is_asked_for_and_probabilities_add_up(
    name, positives, negatives, competitors
):
    sizes = {"positives": positives, "negatives": negatives}
    law = podium.chance.null_distribution(name, **sizes)
    points, total = law.lowest, 0.0
    assert law.tail(points) == pytest.approx(1.0)
    while points is not None:
        total, points = total + law.mass(points), law.after(points)
    assert total == pytest.approx(1.0)
    few, many = (
        podium.chance.critical_value(name, **sizes, competitors=count, alpha=0.05).critical_value
        for count in (competitors, 2 * competitors)
    )
    assert few <= many if EXACT[name] == "higher" else few >= many
