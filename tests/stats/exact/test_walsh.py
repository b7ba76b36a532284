"""Selection among the Walsh averages against a sorted list of them all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.stats.exact import location, threads
from podium.stats.exact.signed_rank import untied_quantile
from podium.stats.exact.walsh_kernels import select_sums

pytestmark = pytest.mark.kernel

STEPS = st.lists(
    st.one_of(st.integers(-5, 5), st.integers(-(10**6), 10**6), st.sampled_from([10**14, -(10**14), 1])),
    min_size=1,
    max_size=70,
)


@given(STEPS, st.data())
def test_the_sums_in_some_places(steps, data):
    steps = np.sort(np.array(steps, dtype=np.float64))
    first, second = np.triu_indices(len(steps))
    sums = np.sort(steps[first] + steps[second])
    places = np.array(data.draw(st.tuples(*4 * [st.integers(0, len(sums) - 1)])))
    found = np.empty((1, 4))
    select_sums(steps[None], places, found)
    assert found[0].tolist() == sums[places].tolist()


@pytest.mark.parametrize("small", [False, True])
def test_the_median_and_the_ends_of_a_thousand_differences(small, monkeypatch):
    monkeypatch.setattr(location, "is_small", lambda seconds, kernel: small)
    differences = np.random.default_rng(0).normal(0.1, 1, (1, 1000)).round(4)
    estimate, low, high = (end[0] for end in location.locations(differences, 0.95, walsh=True))

    first, second = np.triu_indices(1000)
    averages = np.sort(differences[0, first] + differences[0, second]) / 2
    assert estimate == pytest.approx(np.median(averages), abs=1e-12)
    place = untied_quantile(1000, 0.025)
    assert (low, high) == pytest.approx((averages[place], averages[-1 - place]), abs=1e-12)


@pytest.mark.parametrize(("quota", "processors"), [("max 100000", 3), ("150000 100000", 2), ("20000 100000", 1)])
def test_threads_are_as_many_as_processors_are_allowed(monkeypatch, tmp_path, quota, processors):
    (tmp_path / "cpu.max").write_text(quota)
    monkeypatch.setattr(threads, "_QUOTA", tmp_path / "cpu.max")
    threads._quota.cache_clear()
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda process: {3, 5, 6}, raising=False)
    monkeypatch.setattr(threads.os, "cpu_count", lambda: 64)
    assert threads.allowed_processors() == processors
    monkeypatch.delattr(threads.os, "sched_getaffinity")
    assert threads.allowed_processors() == {3: 64}.get(processors, processors)
    threads._quota.cache_clear()
