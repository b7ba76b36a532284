"""The Bayesian sign test against the tutorial, simulation, and its own symmetries."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import podium
from bayes.published import mean_accuracies
from podium.bayes import dirichlet
from podium.bayes._sign import _split, largest_of_dirichlet

sign_pairs = partial(podium.bayes.all_pairs, model="sign")


@pytest.mark.parametrize(
    "pair, rope, place, counts, expected",
    [
        # (first better, rope, second better). BayesianTestsML/tutorial: Python/Bsigntest.ipynb (nbc, aode) and
        # Python/"The importance of the Rope.ipynb" (j48, j48gr); 50,000 draws.
        (("nbc", "aode"), 1.0, "rope", (24, 27, 3), (0.0, 0.70922, 0.29078)),
        (("j48", "j48gr"), 1.0, "rope", (1, 53, 0), (0.0, 1.0, 0.0)),
        (("j48", "j48gr"), 0.1, "rope", (16, 36, 2), (0.0, 0.99822, 0.00178)),
        (("j48", "j48gr"), 0.01, "rope", (26, 18, 10), (0.00164, 0.14482, 0.85354)),
        (("j48", "j48gr"), 0.01, "left", (26, 18, 10), (0.00118, 0.0868, 0.91202)),
    ],
)
def test_published_probabilities(pair, rope, place, counts, expected):
    table = mean_accuracies()
    found = podium.bayes.sign(table[pair[0]], table[pair[1]], rope=rope, place=place, rng=1)
    assert tuple(found.details["counts"]) == counts
    # Four standard errors of 50,000 draws, and at least the 1e-3 of the printed digits of the prior.
    assert (found.p_right, found.p_rope, found.p_left) == pytest.approx(expected, abs=0.0085)


@given(st.lists(st.floats(0, 40), min_size=3, max_size=3).filter(lambda a: sum(a) > 0.5))
def test_largest_of_dirichlet_against_simulation(alpha):
    alpha = np.array([a if a > 0.05 else 0.0 for a in alpha])
    if not alpha.any():
        return
    exact = largest_of_dirichlet(alpha[None, :])[0]
    gammas = np.random.default_rng(0).standard_gamma(np.maximum(alpha, 1e-300), (20_000, 3))
    gammas[:, alpha == 0] = -1
    drawn = np.bincount(gammas.argmax(axis=1), minlength=3) / 20_000
    assert exact.sum() == pytest.approx(1)
    assert exact == pytest.approx(drawn, abs=0.02)


def test_largest_of_dirichlet_is_exact_where_it_can_be_computed():
    # Two exponentials and none: 1/2 each; Gamma(2) against Gamma(1): P = 3/4.
    assert largest_of_dirichlet(np.array([[2.0, 0.0, 1.0]]))[0] == pytest.approx([0.75, 0, 0.25], abs=1e-12)


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=12),
    st.integers(0, 4),
    st.sampled_from(["rope", "split"]),
)
def test_turning_the_pair_turns_the_answer(scores, rope, zeros):
    x, y = np.array(scores, dtype=float).T
    one = podium.bayes.sign(x, y, rope=rope, zeros=zeros, draws=100, rng=0)
    two = podium.bayes.sign(y, x, rope=rope, zeros=zeros, draws=100, rng=0)
    assert one.p_left + one.p_rope + one.p_right == pytest.approx(1)
    assert (one.p_left, one.share_left) == pytest.approx((two.p_right, two.share_right), abs=1e-9)
    assert one.share_left + one.share_rope + one.share_right == pytest.approx(1)


def test_all_pairs_are_the_pairs_one_by_one():
    table = mean_accuracies()
    together = sign_pairs(table, rope=1.0, rng=0)
    for k, (a, b) in enumerate(together.names):
        alone = podium.bayes.sign(table[a], table[b], rope=1.0, rng=0)
        assert together.p_right[k] == pytest.approx(alone.p_right, abs=1e-12)
        assert together.difference[k] == pytest.approx(alone.difference)


def test_identical_algorithms_never_give_a_verdict_without_a_rope():
    x = np.linspace(0.5, 0.9, 30)
    for zeros in ("rope", "split"):
        found = podium.bayes.sign(x, x, zeros=zeros, rng=0)
        assert podium.bayes.decide(found).verdicts == ("undecided",)
        assert "identical" in found.warnings[0]
    assert podium.bayes.decide(podium.bayes.sign(x, x, rope=0.01, rng=0)).verdicts == ("equivalent",)


def test_one_dataset_is_no_evidence():
    found = podium.bayes.sign([0.9], [0.5], rope=0.01, rng=0)
    assert found.p_right == pytest.approx(0.5)  # the prior in the rope weighs as much
    assert "one dataset" in found.warnings[0]


def test_missing_scores_are_counted_and_left_out():
    table = np.array([[0.9, 0.8, np.nan], [0.8, 0.7, 0.7], [0.7, 0.9, 0.6], [0.9, np.nan, 0.5]])
    found = sign_pairs(table, rng=0)
    assert found.n.tolist() == [3, 3, 2]
    assert found.left_out.tolist() == [1, 1, 2]
    with pytest.raises(podium.DataError, match="no dataset in common"):
        sign_pairs(np.array([[0.9, np.nan], [np.nan, 0.8]]))


def test_a_lower_metric_turns_better_round():
    values = mean_accuracies().to_numpy()
    names = tuple(mean_accuracies().columns)
    rows = tuple(mean_accuracies().index)
    table = podium.Table(
        values=100 - values, datasets=rows, algorithms=names, metric=podium.Metric(name="error", direction="lower")
    )
    assert sign_pairs(table, rope=1.0, rng=0).p_left == pytest.approx(
        sign_pairs(mean_accuracies(), rope=1.0, rng=0).p_left
    )


def test_weights_are_drawn_some_datasets_at_a_time(monkeypatch):
    """10,000 datasets x 20,000 draws would be 1.6 GB; the draws are those of all at once."""
    gains = np.random.default_rng(3).normal(0.2, 1, 400)
    whole = podium.bayes.sign(gains, np.zeros(400), rng=1)
    sizes = []
    weighted = dirichlet._weighted

    def counting(values, weights):
        sizes.append(weights.size)
        return weighted(values, weights)

    monkeypatch.setattr(dirichlet, "AT_ONCE", 500_000)
    monkeypatch.setattr(dirichlet, "_weighted", counting)
    parts = podium.bayes.sign(gains, np.zeros(400), rng=1)

    assert max(sizes) <= 500_000
    assert (parts.low, parts.high, parts.p_right) == pytest.approx((whole.low, whole.high, whole.p_right), rel=1e-12)


def test_zeros_that_are_split_leave_a_beta_distribution_of_the_two_sides():
    """Prior and zeros half to each side: better where Beta(right, left) exceeds one half."""
    alpha = np.array([[3.0, 0.0, 6.0], [0.0, 0.0, 2.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    expected = [stats.beta(6, 3).sf(0.5), 1.0, 0.0, 0.5]
    assert _split(alpha)[:, 2] == pytest.approx(expected)
    assert _split(alpha)[:, 0] == pytest.approx(1 - np.array(expected))
