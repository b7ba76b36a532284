"""Selection among the Walsh averages against a sorted list of them all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.stats.exact import location, threads, walsh_kernels
from podium.stats.exact.difference_kernels import cell_sort
from podium.stats.exact.signed_rank import untied_quantile
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


@given(st.lists(st.integers(-40, 40), min_size=1, max_size=60), st.data())
def test_a_sum_in_any_place_without_listing_all(whole, data):
    steps = np.sort(np.array(whole, dtype=float))
    first, second = np.triu_indices(len(steps))
    sums = np.sort(steps[first] + steps[second])
    place = data.draw(st.integers(0, len(sums) - 1))
    assert location._sum_at(steps, place) == sums[place]


def test_a_thousand_differences_do_not_list_half_a_million_averages(monkeypatch):
    sizes = []
    partition = np.partition

    def counting(values, *args, **more):
        sizes.append(np.size(values))
        return partition(values, *args, **more)

    monkeypatch.setattr(location.np, "partition", counting)
    differences = np.random.default_rng(0).normal(0.1, 1, (1, 1000)).round(4)
    estimate, low, high = (end[0] for end in location.locations(differences, 0.95, walsh=True))

    first, second = np.triu_indices(1000)
    averages = np.sort(differences[0, first] + differences[0, second]) / 2
    assert estimate == pytest.approx(np.median(averages), abs=1e-12)
    place = untied_quantile(1000, 0.025)
    assert (low, high) == pytest.approx((averages[place], averages[-1 - place]), abs=1e-12)
    assert sizes
    assert max(sizes) <= 2000


def test_threads_are_as_many_as_processors_are_allowed(monkeypatch):
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda process: {3, 5, 6}, raising=False)
    monkeypatch.setattr(threads.os, "cpu_count", lambda: 64)
    assert threads.allowed_processors() == 3
    monkeypatch.delattr(threads.os, "sched_getaffinity")
    assert threads.allowed_processors() == 64


@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=8), st.integers(0, 3))
def test_the_divisor_is_the_largest_power_of_ten_that_divides_every_step(steps, zeros):
    scaled = np.array([step * 10**zeros for step in steps], dtype=np.int64)
    divisor = int(walsh_kernels._divisor(scaled, len(scaled)))
    if not scaled.any():
        assert divisor == 1
    else:
        assert (scaled % divisor == 0).all()
        assert divisor == 10**14 or (scaled % (10 * divisor) != 0).any()


@pytest.mark.parametrize(
    "steps, expected",
    [([500, 30, 2], 1), ([500, 1000, 20], 10), ([0, 700, 100], 100), ([0, 0], 1)],  # decimals of mixed length
)
def test_the_divisor_by_hand(steps, expected):
    assert walsh_kernels._divisor(np.array(steps, dtype=np.int64), len(steps)) == expected
