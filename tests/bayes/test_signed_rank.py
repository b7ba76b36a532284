"""The Bayesian signed-rank test against the tutorial, a direct computation, and degenerate data."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from bayes.published import mean_accuracies
from podium.bayes._signed_rank import _expected, _regions
from podium.bayes.dirichlet import Prior
from podium.bayes.signed_rank_kernel import signed_rank_shares

# (first better, rope, second better), rope 0.01: BayesianTestsML/tutorial, Julia/Notebook6, printed output.
PUBLISHED = {
    ("nbc", "aode"): (0.0, 0.123, 0.877),
    ("nbc", "hnb"): (0.0, 0.001, 0.999),
    ("nbc", "j48"): (0.228, 0.006, 0.766),
    ("nbc", "j48gr"): (0.179, 0.004, 0.817),
    ("aode", "hnb"): (0.001, 0.965, 0.034),
    ("aode", "j48"): (0.904, 0.034, 0.062),
    ("aode", "j48gr"): (0.883, 0.046, 0.071),
    ("hnb", "j48"): (0.962, 0.02, 0.019),
    ("hnb", "j48gr"): (0.95, 0.026, 0.024),
    ("j48", "j48gr"): (0.0, 1.0, 0.0),
}


def test_all_published_pairs_to_their_monte_carlo_error():
    found = podium.bayes.all_pairs(mean_accuracies(), model="signed_rank", rope=1.0, rng=1)
    for (a, b), expected in PUBLISHED.items():
        pair = found.pair(a, b)
        assert (pair.p_right, pair.p_rope, pair.p_left) == pytest.approx(expected, abs=0.008)


@pytest.mark.parametrize(
    "pair, rope, expected",
    [
        # tutorial Python/"The importance of the Rope.ipynb"; baycomp docs/functions.rst (two_on_multiple).
        (("j48", "j48gr"), 0.1, (0.0, 0.82288, 0.17712)),
        (("j48", "j48gr"), 0.01, (6e-05, 0.0007, 0.99924)),
        (("nbc", "j48"), 1.0, (0.23014, 0.00674, 0.76312)),
        (("nbc", "aode"), 1.0, (0.0, 0.12468, 0.87532)),
    ],
)
def test_other_published_pairs(pair, rope, expected):
    table = mean_accuracies()
    found = podium.bayes.signed_rank(table[pair[0]], table[pair[1]], rope=rope, rng=2)
    assert (found.p_right, found.p_rope, found.p_left) == pytest.approx(expected, abs=0.008)


def shares_directly(weights, gains, rope, edge):
    """The share of w_i w_j in each region, by the definition."""
    sums = gains[:, None] + gains[None, :]
    right = (sums > 2 * rope) + edge * (sums == 2 * rope)
    left = (sums < -2 * rope) + edge * (sums == -2 * rope)
    product = np.outer(weights, weights) / weights.sum() ** 2
    return (product * left).sum(), (product * right).sum()


@pytest.mark.kernel
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=9), st.integers(0, 3), st.integers(0, 100))
def test_the_kernel_does_what_the_definition_says(gains, rope, seed):
    gains = np.array(gains, dtype=float)
    prior = Prior.checked(float(rope), 0.5, "rope", "rope")
    order, cuts, _ = _regions(gains, prior)
    gammas = np.random.default_rng(seed).standard_exponential((len(gains) + 1, 3))
    edge = 0.5 if rope else 0.0
    found = signed_rank_shares(gammas, order, cuts, edge)
    for weights, row in zip(gammas.T, found.T, strict=True):
        assert row == pytest.approx(shares_directly(weights, np.concatenate([[0.0], gains]), rope, edge))


@given(st.lists(st.integers(-6, 6), min_size=2, max_size=9), st.integers(0, 3))
def test_expected_shares_are_exact(gains, rope):
    found = podium.bayes.signed_rank(np.array(gains, float), np.zeros(len(gains)), rope=rope, draws=4000, rng=0)
    assert found.share_left + found.share_rope + found.share_right == pytest.approx(1)
    for name, exact in (("left", found.share_left), ("right", found.share_right)):
        draws = found.draws[name]
        assert draws.mean() == pytest.approx(exact, abs=5 * draws.std() / np.sqrt(len(draws)) + 1e-12)


def test_holes_leave_each_pair_what_it_has():
    values = mean_accuracies().iloc[:12, :3].copy()
    values.iloc[3, 0] = np.nan
    found = podium.bayes.all_pairs(values, model="signed_rank", rope=1.0, draws=40_000, rng=0)
    complete = values.dropna()
    alone = podium.bayes.signed_rank(complete["nbc"], complete["aode"], rope=1.0, draws=40_000, rng=5)
    assert found.share_right[0] == pytest.approx(alone.share_right)
    assert found.p_right[0] == pytest.approx(alone.p_right, abs=0.015)
    assert found.left_out.tolist() == [1, 1, 0]


def test_identical_algorithms_never_give_a_verdict_without_a_rope():
    x = np.linspace(0.5, 0.9, 30)
    for zeros in ("rope", "split"):
        found = podium.bayes.signed_rank(x, x, zeros=zeros, rng=0)
        assert podium.bayes.decide(found).verdicts == ("undecided",)
    split = podium.bayes.signed_rank(x, x, zeros="split", rng=0)
    assert (split.p_left, split.p_right) == (0.5, 0.5)


def test_a_rope_wider_than_everything_is_equivalence_by_definition():
    table = mean_accuracies()
    found = podium.bayes.signed_rank(table["nbc"], table["hnb"], rope=100, rng=0)
    assert found.p_rope == 1
    assert "exceeds the rope" in found.warnings[0]


def test_equal_seeds_equal_numbers_and_one_dataset_is_no_evidence():
    one, two = (podium.bayes.signed_rank([0.9], [0.5], rope=0.01, rng=4) for _ in range(2))
    assert one.to_dict() == two.to_dict()
    assert one.p_right < 0.95  # exactly sqrt(sqrt(1/2)) = 0.841
    assert one.p_right == pytest.approx(0.5**0.25, abs=0.01)


@pytest.mark.kernel
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=30), st.sampled_from([0.0, 0.1, 0.35]))
def test_cuts_and_shares_are_those_of_the_table_of_all_sums(whole, rope):
    """Without making that table: 10,000 datasets would need 800 MB for it."""
    known = Prior.checked(rope, 0.5, "rope", "rope")
    values = np.array(whole) / 10
    _, cuts, alpha = _regions(values, known)
    ordered = np.sort(np.append(values, known.gain))
    sums = np.round(ordered[:, None] + ordered, 9)
    expected = [
        (sums < -2 * rope).sum(1),
        (sums <= -2 * rope).sum(1),
        (sums < 2 * rope).sum(1),
        (sums <= 2 * rope).sum(1),
    ]
    assert cuts.tolist() == [each.tolist() for each in expected]
    total = alpha.sum()
    second = (np.outer(alpha, alpha) + np.diag(alpha)) / (total * (total + 1))
    left, right = (second * (sums < -2 * rope)).sum(), (second * (sums > 2 * rope)).sum()
    assert _expected(cuts, alpha, 0.0) == pytest.approx([left, 1 - left - right, right], abs=1e-12)


def test_progress_is_told_of_every_part_of_the_draws():
    seen = []
    scores = np.random.default_rng(4).normal(size=(12, 4))
    podium.bayes.all_pairs(scores, model="signed_rank", rope=0.1, rng=0, progress=lambda *done: seen.append(done))
    assert [done for done, _ in seen] == list(range(1, len(seen) + 1))
    assert len(seen) > 3
    assert {total for _, total in seen} == {len(seen)}


def test_the_prior_alone_is_within_no_rope():
    """Thirty gains of one side: the prior's weight w has the expected w^2 of a Beta distribution, 1/2 x 3/2 / (61/2 x 63/2)."""
    found = podium.bayes.signed_rank(np.arange(1.0, 31.0), np.zeros(30), draws=1000, rng=0)
    assert found.share_rope == pytest.approx(0.75 / (30.5 * 31.5))
