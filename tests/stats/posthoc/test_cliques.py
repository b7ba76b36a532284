"""Groups of algorithms that are not told apart."""

import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium import Table
from podium.core.errors import ArgumentError, DataError
from podium.stats import all_pairs, critical_difference, friedman, groups, nemenyi
from podium.stats.posthoc import cliques
from podium.stats.posthoc.cliques import complete_groups
from reference import published


def test_figure_1_of_demsar_2006():
    # Figure 1(a), alpha = 0.10: {C4.5+m+cf, C4.5+m, C4.5+cf} and {C4.5+cf, C4.5}; also from the printed AUCs.
    expected = (("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5"))
    means = pd.Series([3.143, 2.000, 2.893, 1.964], index=published.DEMSAR_NAMES)
    assert groups(means, critical_difference=critical_difference(4, 14, 0.10)).groups == expected
    for table in (-published.DEMSAR_RANKS, published.DEMSAR_AUC):
        result = nemenyi(pd.DataFrame(table, columns=list(published.DEMSAR_NAMES)))
        for form in ("intervals", "cliques"):
            found = groups(result, alpha=0.10, form=form)
            assert found.groups == expected
            assert found.contiguous


def test_groups_that_skip_an_algorithm():
    # 0-1-2 in order of mean rank; 0 and 2 are not told apart, but 1 differs from 0.
    apart = np.array([[False, True, False], [True, False, False], [False, False, False]])
    runs = groups(apart, mean_ranks=[1, 2, 3], algorithms=["x", "y", "z"])
    assert runs.groups == (("y", "z"),)
    assert runs.unbarred == (("x", "z"),)
    cliques = groups(apart, mean_ranks=[1, 2, 3], algorithms=["x", "y", "z"], form="cliques")
    assert cliques.groups == (("x", "z"), ("y", "z"))
    assert not cliques.contiguous
    assert "skip an algorithm" in cliques.summary()
    assert "share no run" in runs.summary()


def brute_force(near, contiguous):
    k = len(near)
    good = [
        set(members)
        for size in range(2, k + 1)
        for members in itertools.combinations(range(k), size)
        if all(near[i, j] for i, j in itertools.combinations(members, 2))
        and (not contiguous or members[-1] - members[0] == size - 1)
    ]
    return sorted(tuple(sorted(group)) for group in good if not any(group < other for other in good))


@given(st.integers(2, 7), st.integers(0, 10_000), st.floats(0.1, 0.9))
def test_both_forms_against_brute_force(k, seed, density):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((k, k)) < density, 1)
    apart = upper | upper.T
    names = [str(i) for i in range(k)]
    for form, contiguous in (("intervals", True), ("cliques", False)):
        found = groups(apart, mean_ranks=np.arange(k), algorithms=names, form=form)
        assert sorted(tuple(int(i) for i in group) for group in found.groups) == brute_force(~apart, contiguous)
        assert set(found.alone) == set(names) - {name for group in found.groups for name in group}


def test_a_critical_difference_that_is_just_reached_tells_apart():
    assert groups([1.0, 2.5], critical_difference=1.5).groups == ()
    assert groups([1.0, 2.5], critical_difference=1.5000001).groups == (("algorithm 1", "algorithm 2"),)
    assert groups([1.0, 2.5], critical_difference=1.5).alone == ("algorithm 1", "algorithm 2")


def test_results_on_pairs_give_the_same_mean_ranks():
    table = pd.DataFrame(published.GARCIA_HERRERA, columns=list(published.GARCIA_HERRERA_NAMES))
    found = groups(all_pairs(table))
    np.testing.assert_allclose(found.mean_ranks, np.sort(nemenyi(table).mean_ranks), rtol=1e-12)


def test_many_algorithms():
    means = np.sort(np.random.default_rng(0).uniform(1, 1000, 1000))
    found = groups(means, critical_difference=150.5)
    assert 1 < len(found.groups) <= 1000
    assert found.unbarred == ()
    rng = np.random.default_rng(1)
    apart = np.triu(rng.random((200, 200)) < 0.5, 1)
    apart = apart | apart.T
    with pytest.raises(ArgumentError, match="use form='cover'"):
        groups(apart, mean_ranks=np.arange(200), form="cliques")
    covered = complete_groups(apart, mean_ranks=np.arange(200))
    assert covered.form == "cover"
    assert covered.unbarred == ()
    assert len(covered.groups) < 5000


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**36 - 1))
def test_a_cover_holds_each_pair_in_a_maximal_group(k, bits):
    apart = np.zeros((k, k), dtype=bool)
    apart[np.triu_indices(k, 1)] = [bits >> i & 1 for i in range(k * (k - 1) // 2)]
    apart |= apart.T
    every = groups(apart, mean_ranks=np.arange(k), form="cliques")
    cover = groups(apart, mean_ranks=np.arange(k), form="cover")

    assert set(cover.groups) <= set(every.groups)
    assert cover.unbarred == ()
    assert cover.alone == every.alone


def test_mean_ranks_may_be_a_series_of_polars():
    assert groups(pl.Series([1.0, 2.0, 3.5]), critical_difference=1.2).groups == (("algorithm 1", "algorithm 2"),)


TABLE = np.random.default_rng(0).random((8, 3))
NAMED = Table(values=TABLE, datasets=tuple("stuvwxyz"), algorithms=tuple("abc"))


@pytest.mark.parametrize(
    "source, shown",
    [(5, "5"), (None, "None"), ("abc", "'abc'"), (friedman(TABLE), "of type OmnibusResult"), (NAMED, "of type Table")],
)
def test_what_gives_no_groups(source, shown):
    for options in ({}, {"critical_difference": 1.0}):
        with pytest.raises(ArgumentError, match=f"`source` must be a result on all pairs, .*; got {shown}"):
            groups(source, **options)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: groups([1.0, 2.0]), "need `critical_difference`"),
        (lambda: groups(np.zeros((2, 2), dtype=bool)), "need `mean_ranks`"),
        (lambda: groups(np.ones((2, 2)), mean_ranks=[1, 2]), "True and False"),
        (lambda: groups(np.array([[False, True], [False, False]]), mean_ranks=[1, 2]), "symmetric"),
        (lambda: groups([1.0, 2.0], critical_difference=1, algorithms=["a"]), "of the same algorithms"),
        (lambda: groups([1.0, 2.0], critical_difference=1, form="bars"), "`form` must be"),
        (lambda: groups([1.0, 2.0], critical_difference=-1), "must not be negative"),
        (lambda: groups([1, np.nan, 2], critical_difference=1), "The mean rank of 'algorithm 2' is missing"),
        (lambda: groups(nemenyi(TABLE), critical_difference=1), "is for mean ranks; a result on pairs is decided by"),
        (
            lambda: groups(np.zeros((2, 2), dtype=bool), mean_ranks=[1, 2], critical_difference=1),
            "is for mean ranks; a table of decisions needs none",
        ),
        (lambda: groups([1.0, 2.0], mean_ranks=[2, 1], critical_difference=1), "leave out `mean_ranks`"),
        (lambda: groups([1.0, 2.0], critical_difference=1, algorithms="ab"), "must be a list of names; got 'ab'"),
        (lambda: groups([1.0, 2.0], critical_difference=1, algorithms=["a", "a"]), "'a' occurs more than once"),
        (lambda: groups([[True], [True, False]]), "`source` must be a result on all pairs"),
    ],
)
def test_bad_input(call, sentence):
    with pytest.raises((ArgumentError, DataError), match=sentence):
        call()


def test_the_groups_of_a_comparison_are_searched_for_once(monkeypatch):
    """Its letters and its groups are the same ones."""
    calls = []
    search = cliques._maximal

    def counting(near):
        calls.append(len(near))
        return search(near)

    monkeypatch.setattr(cliques, "_maximal", counting)
    cliques._groups_at.cache_clear()
    values = np.random.default_rng(5).normal(size=(30, 9)) + 0.2 * np.arange(9)
    names = tuple("abcdefghi")
    found = podium.compare(Table(values=values, datasets=range(30), algorithms=names), direction="higher")

    assert len({row.group for row in found.ranking}) > 2
    assert calls == [9]
