"""The exact signed-rank law: brute force, whole-number arithmetic, and the three ways against each other."""

import csv
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom, norm, rankdata

from podium.stats.exact import arcs, crowd_kernels, programme_kernels, signed_rank, small
from podium.stats.exact.location import median_rank
from podium.stats.exact.ranks import ZEROS, ranked, ranks_of
from podium.stats.exact.signed_rank import lower_tails, signed_ranks, untied_quantile
from podium.stats.exact.tilts import contour_tails


def whole_number_tail(ranks, limit):
    """P(W <= limit) with Python's own whole numbers: no rounding anywhere.

    The counts are the digits of one huge number in base 2^(n + 2), and the sum of digits is the rest modulo base - 1.
    """
    slot = len(ranks) + 2
    counts = 1
    for rank in ranks:
        counts += counts << (slot * rank)
    lower = counts & ((1 << (slot * (limit + 1))) - 1) if limit >= 0 else 0
    return Fraction(lower % ((1 << slot) - 1), 2 ** len(ranks))


def lower_tail(ranks, limit):
    """P(W <= limit) of one pair; above the middle by the symmetry of the law."""
    ranks = np.asarray(ranks, dtype=np.int64)
    if 2 * limit > ranks.sum():
        return 1.0 - lower_tail(ranks, int(ranks.sum()) - limit - 1)
    return float(lower_tails(ranks_of(ranks), np.array([limit]))[0])


def tied_ranks(random, n, digits):
    d = np.round(random.standard_normal(n) * 10**digits)
    d = d[d != 0]
    return np.rint(2 * rankdata(np.abs(d))).astype(np.int64)


def test_r_has_the_same_tails_with_ties_and_zeros():
    with (Path(__file__).parents[2] / "reference" / "signed_rank.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 1200
    for row in rows:
        differences = np.array([row["differences"].split()], dtype=np.float64)
        for side, column in (("less", "less"), ("greater", "greater"), ("two-sided", "two_sided")):
            found = signed_ranks(differences, zeros=row["zeros"], alternative=side)
            assert found.positive_sum[0] == float(row["statistic"])
            assert found.pvalue[0] == pytest.approx(float(row[column]), rel=1e-13)


@pytest.mark.kernel
@given(st.lists(st.integers(1, 30), min_size=1, max_size=12), st.integers(-1, 200))
def test_the_tail_of_any_whole_ranks_is_exact(ranks, limit):
    assert lower_tail(ranks, limit) == pytest.approx(float(whole_number_tail(ranks, limit)), rel=1e-13)


@pytest.mark.parametrize("seed", range(4))
def test_the_far_tail_is_relatively_accurate_at_large_n(seed):
    random = np.random.default_rng(seed)
    ranks = tied_ranks(random, 130, 2)
    spread = np.sqrt(np.square(ranks.astype(float)).sum()) / 2
    for z in (0.0, 1.5, 4.0, 6.5):
        limit = int(ranks.sum() / 2 - z * spread)
        truth = float(whole_number_tail(ranks.tolist(), limit))
        assert lower_tail(ranks, limit) == pytest.approx(truth, rel=1e-9)


def by_arcs(ranks, limit):
    pair = ranks_of(np.asarray(ranks, dtype=np.int64)), np.array([limit])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arcs, "is_small", lambda seconds, kernel: False)
        compiled = float(arcs.arc_tails(*pair)[0])
        patch.setattr(arcs, "is_small", lambda seconds, kernel: True)
        assert arcs.arc_tails(*pair)[0] == pytest.approx(compiled, rel=1e-11)
    return compiled


def by_programme(ranks, limit):
    return float(all_by_programme(ranks_of(np.asarray(ranks, dtype=np.int64)), np.array([limit]))[0])


def all_by_programme(ranks, limit):
    value, room = (
        np.full(len(limit), -1.0),
        programme_kernels.room_for(ranks.rank.max(), ranks.groups.max(), limit.max()),
    )
    programme_kernels.programme_tails(np.arange(len(limit)), *ranks[:4], limit, value, *room)
    return value


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(3))
def test_the_programme_is_exact_whatever_the_ties(seed):
    random = np.random.default_rng(seed)
    for _ in range(60):
        ranks = tied_ranks(random, int(random.integers(8, 90)), random.uniform(0, 2.5))
        limit = int(random.integers(0, ranks.sum() // 2 + 1))
        truth = float(whole_number_tail(ranks.tolist(), limit))
        assert by_programme(ranks, limit) == pytest.approx(truth, rel=1e-13)


@pytest.mark.parametrize(
    "sizes",
    [
        [22, 20, 18, 15, 11, 8, 6, 4, 2, 1, 1],
        [1] * 40 + [3] * 20 + [1] * 30,
        [2] * 60,
        [9, 7] * 8,
        [131],
        [60, 41],
        [41, 60],
        [1, 7, 60],
    ],
)
def test_the_programme_is_exact_with_heavy_ties(sizes):
    ends = np.cumsum(sizes)
    ranks = np.repeat(2 * ends - sizes + 1, sizes)
    for share in (0.001, 0.02, 0.1, 0.3, 0.5):
        for limit in (int(share * ranks.sum()), int(share * ranks.sum()) - 1):
            truth = float(whole_number_tail(ranks.tolist(), limit))
            assert by_programme(ranks, limit) == pytest.approx(truth, rel=1e-13)


def test_arcs_agree_with_the_programme_on_many_patterns_of_ties():
    random = np.random.default_rng(7)
    compared = 0
    for _ in range(150):
        ranks = tied_ranks(random, int(random.integers(60, 400)), random.uniform(0.5, 2.5))
        spread = np.sqrt(np.square(ranks.astype(float)).sum()) / 2
        limit = int(max(0, ranks.sum() / 2 - random.uniform(0, 8) * spread))
        found = by_arcs(ranks, limit)
        if found < 0:  # the arcs that count are too many
            continue
        assert found == pytest.approx(by_programme(ranks, limit), rel=2e-11)
        compared += 1
    assert compared > 100


@pytest.mark.parametrize("copies", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("odd_ones", [0, 3])
def test_datasets_that_occur_several_times(copies, odd_ones):
    # All gaps between ranks are then multiples of one number, and the integrand has more lobes than two.
    ranks = np.rint(2 * rankdata(np.r_[np.repeat(np.arange(1, 61), copies), np.arange(odd_ones) + 20.5])).astype(
        np.int64
    )
    spread = np.sqrt(np.square(ranks.astype(float)).sum()) / 2
    for z in (0.0, 2.0, 4.0):
        limit = int(ranks.sum() / 2 - z * spread)
        assert lower_tail(ranks, limit) == pytest.approx(by_programme(ranks, limit), rel=1e-9)
        assert by_arcs(ranks, limit) == pytest.approx(by_programme(ranks, limit), rel=2e-11)


@pytest.mark.parametrize("sizes", [[40] * 15, [60, 60, 60, 60, 1, 1, 1], [5] * 80, [64, 128, 256, 128, 64], [1] * 400])
def test_ranks_that_line_up_have_arcs_in_many_places(sizes):
    # Equal sizes of ties give the integrand lobes all around the circle: every one of them is found, or the answer is left.
    ends = np.cumsum(sizes)
    ranks = np.repeat(2 * ends - np.array(sizes) + 1, sizes)
    spread = np.sqrt(np.square(ranks.astype(float)).sum()) / 2
    for z in (0.0, 1.0, 3.0, 8.0):
        limit = int(ranks.sum() / 2 - z * spread)
        found, truth = by_arcs(ranks, limit), by_programme(ranks, limit)
        assert found == -1.0 or found == pytest.approx(truth, rel=2e-11)
        assert lower_tail(ranks, limit) == pytest.approx(truth, rel=1e-9)


@given(st.floats(1e-6, 1.0, exclude_max=True), st.floats(0.0, 0.5))
def test_a_factor_is_below_its_bound(weight, turn):
    factor = abs(1 + weight * np.exp(2j * np.pi * turn)) / (1 + weight)
    assert factor <= np.exp(-arcs.steepness(weight) * turn**2) * (1 + 1e-12)


@pytest.mark.parametrize("n", [400, 900])
def test_arcs_at_large_n(n):
    # There the nodes are fewer than the sums, and what the rule adds from below is bounded too.
    random = np.random.default_rng(n)
    for digits in (0.8, 2.0):
        ranks = tied_ranks(random, n, digits)
        spread = np.sqrt(np.square(ranks.astype(float)).sum()) / 2
        for z in (0.0, 1.0, 3.0, 8.0):
            limit = int(ranks.sum() / 2 - z * spread)
            assert by_arcs(ranks, limit) == pytest.approx(by_programme(ranks, limit), rel=2e-11)


def few_in_whole_numbers(sizes, limit):
    """P(W <= limit) of three ties by binomial coefficients, without rounding; and the ranks."""
    ends = np.cumsum(sizes)
    first, second, third = (2 * ends - np.array(sizes) + 1).tolist()
    below = [0]
    for i in range(sizes[0] + 1):
        below.append(below[-1] + comb(sizes[0], i))
    total = 0
    for j in range(sizes[2] + 1):
        for i in range(sizes[1] + 1):
            left = limit - j * third - i * second
            if left >= 0:
                total += comb(sizes[2], j) * comb(sizes[1], i) * below[min(left // first, sizes[0]) + 1]
    return Fraction(total, 2 ** sum(sizes)), np.repeat([first, second, third], sizes)


@pytest.mark.parametrize("sizes", [(1100, 60, 40), (3, 1200, 20), (40, 30, 1100)])
def test_three_ties_of_many_observations(sizes):
    ends = np.cumsum(sizes)
    total = int(((2 * ends - np.array(sizes) + 1) * sizes).sum())
    for share in (0.5, 0.46, 0.4):
        truth, ranks = few_in_whole_numbers(sizes, int(share * total))
        assert lower_tail(ranks, int(share * total)) == pytest.approx(float(truth), rel=1e-10)
        found = by_arcs(ranks, int(share * total))
        assert found == -1.0 or found == pytest.approx(float(truth), rel=2e-11)


def test_many_low_ranks_need_room_for_their_signs_not_for_their_sums():
    ranks = [1] * 300 + [2] * 300 + [3] * 200 + [4]
    for limit in (5, 60):
        assert by_programme(ranks, limit) == pytest.approx(float(whole_number_tail(ranks, limit)), rel=1e-12)


def test_one_tie_of_many_observations_is_the_sign_test():
    assert lower_tail(np.full(2000, 2001), 2001 * 950) == pytest.approx(binom.cdf(950, 2000, 0.5), rel=1e-11)


@pytest.mark.kernel
@pytest.mark.parametrize("n", [1001, 4000])
def test_many_observations_with_few_different_ranks(n):
    # More than 1000 have no dynamic programme: the normal law, corrected by half a step and by the kurtosis, is near.
    random = np.random.default_rng(n)
    ranks = tied_ranks(random, n, 0.8)
    spread = np.sqrt(np.square(ranks.astype(float)).sum()) / 2
    kurtosis = -0.125 * (ranks.astype(float) ** 4).sum() / spread**4
    for z in (0.0, 1.0, 3.0):
        limit = int(ranks.sum() / 2 - z * spread)
        x = (limit + 0.5 - ranks.sum() / 2) / spread
        near = norm.cdf(x) - norm.pdf(x) * kurtosis / 24 * (x**3 - 3 * x)
        assert lower_tail(ranks, limit) == pytest.approx(near, rel=0.002)


def test_the_untied_tables_agree_with_arcs_at_their_end():
    ranks = np.arange(2, 601, 2)
    offsets, table = small.untied_tables(300)
    law = table[offsets[300] : offsets[301]]
    for w in (9000, 15000, 20000, 22575):
        assert by_arcs(ranks, 2 * w) == pytest.approx(law[w], rel=2e-11)


def test_critical_values():
    # Demsar 2006, section 3.1.3: 21 for 14 datasets at 0.05; the others are R's qsignrank(0.025, n) - 1.
    assert untied_quantile(14, 0.025) == 21
    assert [untied_quantile(n, 0.025) for n in (5, 6, 8, 10, 20, 25, 30)] == [-1, 0, 3, 8, 52, 89, 137]
    ranks = np.arange(2, 1001, 2)
    for tail in (1e-9, 0.001, 0.025, 0.05, 0.25, 0.4999):
        law_500 = untied_quantile(500, tail)
        assert lower_tail(ranks, 2 * law_500) <= tail < lower_tail(ranks, 2 * law_500 + 2)
    assert untied_quantile(10_001, 0.025) == pytest.approx(untied_quantile(10_000, 0.025), rel=3e-4)


def test_sign_test_critical_values_are_the_exact_ones():
    # Demsar's Table 3 is the normal approximation rounded; these are the exact binomial ones (case of 2006, errata).
    exact = dict(
        zip(range(6, 26), [6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18], strict=True)
    )
    assert {n: n - median_rank(n, 0.025) for n in exact} == exact
    assert median_rank(5, 0.025) == -1
    assert median_rank(5, 0.05) == 0


@pytest.mark.parametrize("digits", [0.3, 1.0, 1.5, 2.0, 3.0, 9.0])
@pytest.mark.parametrize("n, zeros", [(121, "drop"), (121, "pratt"), (230, "drop")])
@pytest.mark.parametrize("is_small", [True, False])
def test_a_pair_in_a_crowd_has_the_p_value_it_has_alone(digits, n, zeros, is_small, monkeypatch):
    monkeypatch.setattr(signed_rank.small, "is_small", lambda seconds, kernel: is_small or "programme" in kernel)
    random = np.random.default_rng(3)
    columns = np.round((random.standard_normal((80, n)) + random.normal(0, 0.3, (80, 1))) * 10**digits)
    first, second = np.triu_indices(30, 1)
    crowd = signed_ranks(columns[first] - columns[second], zeros=zeros)
    assert crowd.exact.all()
    for pair in range(0, len(first), 11):
        d = columns[first[pair]] - columns[second[pair]]
        d = d[d != 0] if zeros == "drop" else d
        ranks = np.rint(2 * rankdata(np.abs(d))).astype(np.int64)
        plus = int(ranks[d > 0].sum())
        ranks = ranks[d != 0]
        limit = min(plus, int(ranks.sum()) - plus)
        truth = min(1, 2 * by_programme(ranks, limit))
        assert crowd.pvalue[pair] == pytest.approx(truth, rel=1e-9)
        assert crowd.variance[pair] == pytest.approx(np.square(ranks / 2).sum() / 4)


@pytest.mark.parametrize("copies, n", [(5, 190), (6, 190), (6, 216)])
def test_a_crowd_whose_datasets_occur_several_times_and_have_holes(copies, n):
    # Nearly all gaps between ranks would be multiples of one number: lobes that the shared tables do not see.
    random = np.random.default_rng(copies * n)
    differences = np.round(np.repeat(random.normal(0.3, 1, (1000, n // copies + 1)), copies, axis=1)[:, :n], 2)
    differences[random.random(differences.shape) < 0.1] = np.nan
    ranks, sums = ranked(differences)
    crowd = signed_ranks(differences).pvalue
    truth = all_by_programme(ranks, np.minimum(sums[:, 0], sums[:, 1] - sums[:, 0]))
    np.testing.assert_allclose(crowd, np.minimum(1, 2 * truth), rtol=1e-8)


@given(
    arrays(
        np.float64, st.tuples(st.integers(1, 4), st.integers(1, 20)), elements=st.sampled_from([*range(-4, 5), np.nan])
    ),
    st.sampled_from(ZEROS),
    st.booleans(),
)
def test_ranks_are_those_of_scipy(differences, zeros, compiled):
    ranks, sums = ranked(differences, zeros=zeros, compiled=compiled)
    for pair, row in enumerate(differences):
        row = row[~np.isnan(row)]
        nothing = np.flatnonzero(row == 0)
        row = np.delete(row, nothing if zeros == "drop" else nothing[: len(nothing) % 2 if zeros == "split" else 0])
        doubled = np.rint(2 * rankdata(np.abs(row))).astype(np.int64)
        plus = doubled[row > 0].sum() + (doubled[row == 0].sum() // 2 if zeros == "split" else 0)
        doubled = doubled[row != 0] if zeros == "pratt" else doubled
        assert sums[pair].tolist() == [plus, doubled.sum()]
        assert [part.tolist() for part in ranks.one(pair)] == [
            part.tolist() for part in np.unique(doubled, return_counts=True)
        ]
        assert ranks.squares[pair] == pytest.approx(np.square(doubled).sum())
        assert ranks.observations[pair] == len(doubled)
        assert not len(doubled) or ranks.untied[pair] == (sorted(doubled) == list(range(2, 2 * len(doubled) + 1, 2)))


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("n, digits", [(130, 1.5), (130, 1.9), (130, 2.5), (400, 2.9)])
def test_the_contour_of_many_pairs_agrees_with_whole_numbers(n, digits, compiled):
    random = np.random.default_rng(11)
    ranks, sums = ranked(np.round(random.standard_normal((12, n)) * 10**digits))
    limit = (sums[:, 1] / 2 - random.uniform(0, 5, 12) * np.sqrt(ranks.squares) / 2).astype(np.int64)
    found = contour_tails(ranks, limit, compiled=compiled)
    for pair in np.flatnonzero(found >= 0):
        truth = float(whole_number_tail(np.repeat(*ranks.one(pair)).tolist(), int(limit[pair])))
        assert found[pair] == pytest.approx(truth, rel=2e-10)
    assert (found >= 0).sum() > 4


@pytest.mark.kernel
def test_the_sums_of_a_crowd_end_where_their_tables_end(monkeypatch):
    """The largest of all are tied. Compiled, what lies behind the tables was read without a word: here Python does the sums."""
    monkeypatch.setattr(crowd_kernels, "sum_rows", getattr(crowd_kernels.sum_rows, "py_func", crowd_kernels.sum_rows))
    ranks, sums = ranked(np.clip(np.random.default_rng(5).normal(0.2, 1, (6, 130)).round(3), -1.8, 1.8))
    limit = np.minimum(sums[:, 0], sums[:, 1] - sums[:, 0])
    assert (ranks.size[ranks.start + ranks.groups - 1] > 4).all()
    found = contour_tails(ranks, limit, compiled=True)
    expected = [float(whole_number_tail(np.repeat(*ranks.one(pair)).tolist(), int(limit[pair]))) for pair in range(6)]
    assert found == pytest.approx(expected, rel=2e-10)


def test_an_unaffordable_law_is_none():
    assert np.isnan(lower_tail(np.r_[np.full(2000, 2001), 4002, 4004, 4006], 1_900_000))
