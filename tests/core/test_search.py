"""The least that is enough, against trying everything."""

from hypothesis import given
from hypothesis import strategies as st

from podium.core.search import least_count, least_size


@given(st.integers(1, 60), st.integers(0, 80), st.sampled_from([0.0, 0.01, 0.25, 1.0]))
def test_the_smallest_number_is_that_of_trying_all(low, bound, step):
    expected = next((n for n in range(low, 61) if n >= bound), None)
    assert least_count(lambda n: n >= bound, low, 60, step=step) == expected


@given(st.sets(st.integers(1, 40)), st.integers(20, 60))
def test_with_a_ripple_that_reaches_far_enough_the_first_is_found_though_numbers_above_it_fail(some, bound):
    def enough(n):
        return n >= bound or n in some

    expected = next(n for n in range(1, 61) if enough(n))
    assert least_count(enough, 1, 60, ripple=lambda n: 60) == expected


@given(st.floats(0.01, 50.0))
def test_the_smallest_size(bound):
    found = least_size(lambda size: size >= bound, 1.0, 100.0, halvings=40)
    assert found is not None
    assert bound <= found <= bound + 1e-9
    assert least_size(lambda size: size >= 2 * bound, 1.0, bound, halvings=9) is None
