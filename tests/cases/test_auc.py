"""AUCs near 1: values of a second program, properties, and coverage where few cases are positive."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.cases import compare_predictions
from podium.cases.auc import difference_ends, difference_pvalues, score_ends, single_variance
from podium.cases.influence import placements
from podium.cases.pair_kernels import delong_pairs
from podium.cases.predictions import as_predictions
from podium.cases.single import score_intervals

Y = [1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1]
ONE = [0.9, 0.4, 0.7, 0.6, 0.5, 0.2, 0.8, 0.6, 0.3, 0.1, 0.55, 0.65]
TWO = [0.7, 0.5, 0.6, 0.2, 0.5, 0.3, 0.9, 0.4, 0.4, 0.2, 0.6, 0.5]
Z = 1.959963984540054


def test_values_of_one_and_of_two():
    found = score_ends(np.array([0.98]), np.array([0.0003]), (10, 90), Z)
    assert np.ravel(found).tolist() == pytest.approx([0.8148180, 0.9982762], abs=1e-7)
    pair = compare_predictions(Y, {"one": ONE, "two": TWO}, metric="auc")
    assert (pair.low[0], pair.high[0], pair.pvalue[0]) == pytest.approx((-0.1693532, 0.5582421, 0.2664126), abs=1e-6)


@settings(max_examples=30)
@given(st.floats(0.02, 0.98), st.floats(0.0001, 0.02), st.integers(2, 40), st.integers(2, 60))
def test_the_ends_are_where_the_score_statistic_is_the_quantile(value, variance, few, many):
    low, high = (float(end[0]) for end in score_ends(np.array([value]), np.array([variance]), (few, many), Z))
    factor = max(1.0, variance / float(single_variance(value, (few, many))))
    for end in (low, high):
        if 1e-6 < end < 1 - 1e-6:
            assert (value - end) ** 2 == pytest.approx(
                Z**2 * factor * float(single_variance(end, (few, many))), rel=1e-6
            )
    assert 0 <= low <= value <= high <= 1


@settings(max_examples=30)
@given(*(st.floats(0.3, 0.99) for _ in range(2)), st.floats(-0.5, 0.9), st.sampled_from([0.01, 0.05, 0.3]))
def test_p_and_interval_of_differences_agree_and_turn(one, two, correlation, level):
    from scipy.special import ndtri

    values = np.array([one]), np.array([two])
    rest = (np.array([0.002]), np.array([0.003])), np.array([correlation]), (12, 80)
    low, high = (float(end[0]) for end in difference_ends(values, *rest, float(ndtri(1 - level / 2))))
    p = float(difference_pvalues(values, *rest)[0])
    if min(abs(low), abs(high)) > 1e-9:
        assert (p < level) == (low > 0 or high < 0)
    turned = difference_ends(values[::-1], rest[0][::-1], *rest[1:], float(ndtri(1 - level / 2)))
    assert (-float(turned[1][0]), -float(turned[0][0])) == pytest.approx((low, high))


LAWS = {
    "binormal": lambda rng, n, shift: rng.normal(size=n) + shift,
    "exponential": lambda rng, n, shift: rng.exponential(size=n) + shift,
    # Not among the laws by which the rule was chosen:
    "uniform": lambda rng, n, shift: rng.uniform(-1.5, 1.5, size=n) + shift,
    "one in ten is hard": lambda rng, n, shift: rng.normal(size=n) + np.where(rng.random(n) < 0.1, 0.2, shift),
}


def cover(law, shifts, sizes, draws, rng):
    """The shares of 95% intervals that hold: of the difference, and of the first score."""
    positives = LAWS[law]
    zero = positives if law in ("exponential", "uniform") else LAWS["binormal"]
    background = np.sort(zero(rng, 200_000, 0.0))
    true = [float(np.searchsorted(background, positives(rng, 200_000, shift)).mean()) / 200_000 for shift in shifts]
    truth = np.arange(sum(sizes)) < sizes[0]
    scores = np.empty((sum(sizes), 2 * draws))
    for place in range(2 * draws):
        scores[: sizes[0], place] = positives(rng, sizes[0], shifts[place % 2])
        scores[sizes[0] :, place] = zero(rng, sizes[1], 0.0)
    first = np.arange(0, 2 * draws, 2)
    low, high = delong_pairs(placements(truth, scores), truth, first, first + 1).ends(0.05)
    cases = as_predictions(truth.astype(int), scores[:, ::2], metric="auc").to_cases()
    _, own_low, own_high = score_intervals(cases)
    gap = true[0] - true[1]
    return float(((low <= gap) & (gap <= high)).mean()), float(((own_low <= true[0]) & (true[0] <= own_high)).mean())


def test_intervals_near_one_cover():
    pair, own = cover("binormal", (2.9, 2.3), (10, 90), 300, np.random.default_rng(1))
    assert pair >= 0.95 - 3 * np.sqrt(0.05 / 300)
    assert own >= 0.90


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(5, 95), (20, 80), (50, 450)])
@pytest.mark.parametrize("law", LAWS)
def test_intervals_near_one_cover_at_length(law, sizes):
    shifts = (2.6, 1.8) if law == "uniform" else (2.9, 2.3)
    pair, own = cover(law, shifts, sizes, 1000, np.random.default_rng(sizes[0]))
    assert pair >= 0.93
    assert own >= 0.90
