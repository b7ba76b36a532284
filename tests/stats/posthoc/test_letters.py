"""Compact letters, and the other way to the groups that they stand for."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.errors import ArgumentError, DataError
from podium.stats.posthoc.letters import compact_letters, letter
from reference.groups import groups_from_pairs

GRAPHS = (
    st.integers(1, 7)
    .flatmap(
        lambda k: st.tuples(
            st.just(k), st.lists(st.sampled_from(list(itertools.combinations(range(k), 2)) or [(0, 0)]), unique=True)
        )
    )
    .filter(lambda graph: (0, 0) not in graph[1])
)


def told_apart(k, different):
    apart = np.zeros((k, k), dtype=bool)
    for a, b in different:
        apart[a, b] = apart[b, a] = True
    return apart


def largest_groups(k, different):
    """By trying all subsets."""
    apart = set(different)
    free = [
        set(members)
        for size in range(1, k + 1)
        for members in itertools.combinations(range(k), size)
        if not any(pair in apart for pair in itertools.combinations(members, 2))
    ]
    return tuple(sorted(tuple(sorted(g)) for g in free if not any(g < other for other in free)))


@given(GRAPHS)
def test_groups_are_the_largest_sets_without_a_pair_told_apart(graph):
    assert groups_from_pairs(*graph) == largest_groups(*graph)


@given(GRAPHS)
def test_two_share_a_letter_unless_they_are_told_apart(graph):
    k, different = graph
    apart = told_apart(k, different)
    texts = compact_letters(apart, range(k))
    groups = groups_from_pairs(k, different)
    assert texts == ["".join(letter(i) for i, group in enumerate(groups) if a in group) for a in range(k)]
    for a, b in itertools.combinations(range(k), 2):
        assert bool(set(texts[a]) & set(texts[b])) != apart[a, b]


def test_example_of_the_54_x_7_table():
    # C4 is told apart from C2, C3 and C6 and from no other: two groups.
    groups = groups_from_pairs(7, [(1, 3), (2, 3), (3, 5)])
    assert groups == ((0, 1, 2, 4, 5, 6), (0, 3, 4, 6))
    texts = compact_letters(told_apart(7, [(1, 3), (2, 3), (3, 5)]), range(7))
    assert texts == ["ab", "a", "a", "b", "ab", "a", "ab"]


def test_many_groups_get_two_letters_and_spaces():
    texts = compact_letters(told_apart(29, itertools.combinations(range(1, 29), 2)), range(29))
    assert texts[0].split()[-3:] == ["z", "aa", "ab"]
    assert texts[28] == "ab"


APART = np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool)


@pytest.mark.parametrize(
    "order", [[0, 0, 1], [0, 1], [0, 1, 2, 3], [1, 2, 3], list("abc"), [0.5, 1, 2], "012", 5, None]
)
def test_the_order_must_hold_every_place_once(order):
    assert compact_letters(APART.tolist(), (2, 1, 0)) == ["b", "ab", "a"]
    with pytest.raises(ArgumentError, match="`order` must hold each place from 0 to 2 once; got "):
        compact_letters(APART, order)


@pytest.mark.parametrize("apart", [None, APART.astype(int), [[True], [True, False]], APART[0]])
def test_decisions_must_be_square(apart):
    with pytest.raises(DataError, match="must be a square table of True and False"):
        compact_letters(apart, [0, 1, 2])


def test_two_share_a_letter_just_where_they_are_not_told_apart_even_with_thousands_of_groups():
    rng = np.random.default_rng(5)
    apart = np.triu(rng.random((120, 120)) < 0.4, 1)
    apart |= apart.T
    texts = [set(text.split()) for text in compact_letters(apart, range(120))]

    shared = np.array([[bool(first & second) for second in texts] for first in texts])
    np.fill_diagonal(shared, val=False)
    near = ~apart
    np.fill_diagonal(near, val=False)
    assert np.array_equal(shared, near)
