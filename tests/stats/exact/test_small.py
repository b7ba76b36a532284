"""The array forms for small work and the compiled kernels for large work: each is the other's oracle."""

import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from podium.core.ranks import rank_rows
from podium.stats.exact import friedman, location, small
from podium.stats.exact.location import locations
from podium.stats.exact.signed_rank import signed_ranks
from podium.stats.posthoc.all_pairs import all_pairs

pytestmark = pytest.mark.kernel

DIFFERENCES = arrays(
    np.float64,
    st.tuples(st.integers(1, 4), st.integers(2, 25)),
    elements=st.one_of(st.integers(-6, 6).map(lambda step: step / 100), st.just(np.nan), st.floats(-1, 1, width=32)),
)


def compiled(function, *arguments, **settings):
    """What a function gives as if all work were large."""
    with pytest.MonkeyPatch.context() as patch:
        for home in (small, location):
            patch.setattr(home, "is_small", lambda seconds, kernel: False)
        return function(*arguments, **settings)


@given(differences=DIFFERENCES, zeros=st.sampled_from(["drop", "pratt", "split"]))
def test_signed_ranks(differences, zeros):
    plain, large = signed_ranks(differences, zeros=zeros), compiled(signed_ranks, differences, zeros=zeros)
    for name in ("positive_sum", "total", "variance", "exact"):
        assert getattr(plain, name).tolist() == getattr(large, name).tolist()
    assert plain.pvalue == pytest.approx(large.pvalue, rel=1e-10)


@given(differences=DIFFERENCES, walsh=st.booleans())
def test_locations(differences, walsh):
    differences[:, 0] = 0.05
    plain = locations(differences, 0.9, walsh=walsh)
    large = compiled(locations, differences, 0.9, walsh=walsh)
    assert np.array(plain).tolist() == np.array(large).tolist()


def test_all_pairs():
    rng = np.random.default_rng(0)
    table = rng.random((30, 6)).round(2)
    table[3, 2] = np.nan
    plain, large = all_pairs(table), compiled(all_pairs, table)
    assert plain.pvalue == pytest.approx(large.pvalue, rel=1e-10)
    assert plain.effect.tolist() == large.effect.tolist()
    assert plain.wins.tolist() == large.wins.tolist()


def test_small_work_compiles_nothing():
    """In a new process, as at the first use: no kernel is even imported."""
    code = """
import sys, podium
podium.compare(podium.example("benavoli2016"))
print([name for name in sys.modules if name == "numba"])
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["[]"]


def test_what_goes_by_without_a_kernel_adds_up():
    """Small work is never worth compiling; work that comes again and again is, once it took as long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small, "_spent", defaultdict(float))
        patch.setattr("podium.core.compiled.is_at_hand", lambda kernel: False)
        kernel = "walsh_kernels:select_sums"
        assert all(small.is_small(small.SMALL, kernel) for _ in range(1000))
        half = small.LESS_THAN_COMPILING / 2
        assert [small.is_small(half, kernel) for _ in range(3)] == [True, True, False]
        patch.setattr("podium.core.compiled.is_at_hand", lambda kernel: True)
        assert not small.is_small(2 * small.SMALL, kernel)


@given(scores=arrays(np.int64, st.tuples(st.integers(2, 5), st.integers(3, 5)), elements=st.integers(0, 4)))
def test_friedmans_law(scores):
    ranks = rank_rows(scores.astype(float))
    friedman._law.cache_clear()
    plain = friedman.exact_pvalue(ranks)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(friedman, "_SMALL", -1)
        friedman._law.cache_clear()
        large = friedman.exact_pvalue(ranks)
    friedman._law.cache_clear()
    assert plain == pytest.approx(large, rel=1e-12)
