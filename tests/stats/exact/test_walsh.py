"""Selection among the Walsh averages against a sorted list of them all."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from podium.stats.exact.difference_kernels import cell_sort
from podium.stats.exact.walsh_kernels import walsh_room, walsh_select

STEPS = st.lists(
    st.one_of(st.integers(-5, 5), st.integers(-(10**6), 10**6), st.sampled_from([10**14, -(10**14), 1])),
    min_size=1,
    max_size=70,
)


@given(STEPS, st.data())
def test_the_sums_in_three_places_and_the_next_ones(steps, data):
    steps = np.sort(np.array(steps, dtype=np.int64))
    first, second = np.triu_indices(len(steps))
    sums = np.sort(steps[first] + steps[second])
    places = np.array(data.draw(st.tuples(*3 * [st.integers(1, len(sums))])))
    found = np.empty(6, dtype=np.int64)
    walsh_select(steps, len(steps), places, walsh_room(len(steps)), found)
    assert found[:3].tolist() == sums[places - 1].tolist()
    assert found[3:].tolist() == sums[np.minimum(places, len(sums) - 1)].tolist()


@given(st.lists(st.integers(0, 10**9) | st.integers(0, 9), max_size=150), st.sampled_from([0, 1]))
def test_sorting_by_cells(keys, noise):
    keys = np.array(keys, dtype=np.int64)
    expected = np.sort(keys | noise)
    room = np.empty(len(keys), dtype=np.int64), np.empty(64, dtype=np.int64)
    cell_sort((keys >> noise).astype(float), keys, len(keys), *room, noise)
    assert (keys | noise).tolist() == expected.tolist()
