"""The hierarchical model: published examples, a general engine, degenerate data."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

import podium
from bayes.published import accuracies, references
from podium.bayes._hierarchical import _natural
from podium.bayes.hierarchical_data import _reduce, mixture_nodes
from podium.bayes.hierarchical_kernel import log_likelihood
from refusals import refuses


def percent(name):
    return accuracies()[name] / 100


def test_nbc_against_hnb_of_the_tutorial():
    # tutorial Python/"Hierarchical test.ipynb", rope 0.01: hnb better 0.998, rope 0.002, nbc better 0.0 (4000 draws).
    found = podium.bayes.hierarchical(percent("nbc"), percent("hnb"), rope=0.01, rng=1)
    assert (found.p_left, found.p_rope, found.p_right) == pytest.approx((0.998, 0.002, 0.0), abs=0.003)
    assert found.warnings == ()


def test_the_published_draws_of_nbc_against_aode():
    # tutorial Julia/Data/Hierarchical.dat: 4000 draws of (aode better, rope, nbc better); means, sds and fractions
    # of the largest. They agree with gains beyond 0.005 on either side (a rope 0.01 wide in all), and not with 0.01.
    means, sds = (0.62997, 0.19416, 0.17587), (0.07487, 0.05417, 0.04337)
    found = podium.bayes.hierarchical(percent("nbc"), percent("aode"), rope=0.005, rng=1)
    assert (found.share_left, found.share_rope, found.share_right) == pytest.approx(means, abs=0.006)
    drawn = [found.draws[name].std() for name in ("left", "rope", "right")]
    assert drawn == pytest.approx(sds, rel=0.06)
    assert (found.p_left, found.p_rope, found.p_right) == pytest.approx((0.99675, 0.00325, 0.0), abs=0.004)
    assert "dataset 14, dataset 22" in found.warnings[0]  # all folds equal there


def test_nbc_against_j48_of_baycomp():
    # janezd/baycomp docs/functions.rst, 54 x 10 scores, rope 0.01: nbc 0.0795, rope 0.0365, j48 0.884.
    x, y = percent("nbc")[:, 0], percent("j48")[:, 0]
    found = podium.bayes.hierarchical(x, y, rope=0.01, rng=1)
    assert (found.p_right, found.p_rope, found.p_left) == pytest.approx((0.0795, 0.0365, 0.884), abs=0.015)


def test_agrees_with_nuts():
    case = references()["hierarchical"]
    gains = np.array(case["gains"])
    found = podium.bayes.hierarchical(gains, np.zeros_like(gains), rope=case["rope"], draws=8000, rng=2)
    assert (found.p_left, found.p_rope, found.p_right) == pytest.approx(case["most_frequent"], abs=0.02)
    for share, name in zip(case["shares"], ("share_left", "share_rope", "share_right"), strict=True):
        assert getattr(found, name) == pytest.approx(share["mean"], abs=6 * share["sd"] / np.sqrt(share["ess"]) + 2e-3)
    for name, values in (
        ("delta0", found.draws["delta0"]),
        ("log_std0", np.log(found.draws["std0"])),
        ("log_nu", np.log(found.draws["df"])),
    ):
        expected = case[name]
        error = expected["sd"] * (5 / np.sqrt(expected["ess"]) + 5 / np.sqrt(3000))
        assert values.mean() == pytest.approx(expected["mean"], abs=error), name
        assert values.std() == pytest.approx(expected["sd"], rel=0.1), name
    for i, delta in enumerate(case["delta"]):
        assert found.details["shrunk"][i] == pytest.approx(delta["mean"], abs=0.15 * delta["sd"])
        assert found.draws["delta"][:, i].std() == pytest.approx(delta["sd"], rel=0.12)


@pytest.mark.kernel
@pytest.mark.parametrize("n, distance", [(2, 0.3), (5, 2.0), (10, 6.0), (100, 4.0)])
@pytest.mark.parametrize("std0, df", [(0.5, 1.3), (0.05, 3.0), (2.0, 40.0)])
def test_the_likelihood_is_the_integral_it_stands_for(n, distance, std0, df):
    """One dataset: the Student likelihood of delta times the Student prior, integrated by brute force."""
    scale = 0.02
    nodes, weights = mixture_nodes(np.array([n]))
    mean = np.array([distance])

    def brute(delta0):
        def integrand(delta):
            likelihood = (1 + (delta - distance) ** 2 / (2 * scale)) ** (-(n - 1) / 2)
            return likelihood * stats.t.pdf(delta, df, delta0, std0)

        around = np.concatenate([[0.0], np.logspace(-7, 3, 30_000)])
        grid = np.unique(np.concatenate([p + sign * around for p in (delta0, distance) for sign in (-1, 1)]))
        return integrate.trapezoid(integrand(grid), grid)

    places = np.array([[0.0, std0, df], [distance, std0, df]])
    found = log_likelihood(places, mean, nodes, weights, np.array([scale]), 20)
    assert found[0] - found[1] == pytest.approx(np.log(brute(0.0) / brute(distance)), abs=0.06)


def test_identical_algorithms_never_give_a_verdict():
    x = percent("j48")[:8]
    found = podium.bayes.hierarchical(x, x, rng=0)
    assert podium.bayes.decide(found).verdicts == ("undecided",)
    assert "identical" in found.warnings[-1]
    assert podium.bayes.decide(podium.bayes.hierarchical(x, x, rope=0.01, rng=0)).verdicts == ("equivalent",)


def test_one_dataset_two_folds_and_a_wide_rope():
    one = podium.bayes.hierarchical(percent("nbc")[:1], percent("j48")[:1], rope=0.01, rng=0)
    assert "one dataset" in one.warnings[-1]
    assert max(one.p_left, one.p_rope, one.p_right) < 0.95
    two = podium.bayes.hierarchical(percent("nbc")[:, 0, :2], percent("j48")[:, 0, :2], rope=0.01, rng=0)
    assert two.p_left + two.p_rope + two.p_right == pytest.approx(1)
    wide = podium.bayes.hierarchical(percent("nbc")[:6, 0], percent("j48")[:6, 0], rope=5, rng=0)
    assert wide.p_rope > 0.999


def test_missing_folds_and_constant_gains():
    x, y = percent("nbc")[:6, 0].copy(), percent("j48")[:6, 0]
    x[0, :9], x[1, 3] = np.nan, np.nan
    found = podium.bayes.hierarchical(x, y, rope=0.01, rng=0)
    assert (found.n, found.left_out, len(found.datasets_frame())) == (5, 1, 5)
    level = np.arange(4.0)[:, None] + np.zeros((4, 5))
    with pytest.raises(podium.DataError, match="use the signed-rank test"):
        podium.bayes.hierarchical(level, np.zeros((4, 5)))
    with pytest.raises(podium.DataError, match="must have the same shape"):
        podium.bayes.hierarchical(level, level[:2])


def scores_of_three(values):
    return podium.Scores(
        values=values,
        datasets=tuple("abcdef"),
        algorithms=("nbc", "aode", "j48"),
        metric=podium.Metric(name="accuracy", direction="higher"),
        folds=tuple(range(10)),
    )


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_an_infinite_fold_is_refused_and_named(bad):
    x, y = percent("nbc")[:6, 0].copy(), percent("j48")[:6, 0]
    x[2, 4] = bad
    with refuses(podium.DataError, "x"):
        podium.bayes.hierarchical(x, y, rope=0.01, rng=0)
    with refuses(podium.DataError, "y"):
        podium.bayes.hierarchical(y, x, rope=0.01, rng=0)
    values = np.stack([percent(name)[:6, :1] for name in ("nbc", "aode", "j48")], axis=1)
    values[3, 1, 0, 2] = bad
    with refuses(podium.DataError, algorithm="'aode'", dataset="'d'"):
        podium.bayes.all_pairs(scores_of_three(values), model="hierarchical", rope=0.01, rng=0)


def test_a_pair_of_all_and_the_test_of_two_have_the_same_fields_turned_round_or_not():
    values = np.stack([percent(name)[:6, :1] for name in ("nbc", "aode", "j48")], axis=1)
    values[1, 2, 0, 1:] = np.nan
    together = podium.bayes.all_pairs(scores_of_three(values), model="hierarchical", rope=0.01, rng=0)
    straight, turned = together.pair("aode", "j48"), together.pair("j48", "aode")
    alone = podium.bayes.hierarchical(values[:, 1], values[:, 2], rope=0.01, rng=0)
    assert set(alone.details) == set(straight.details)
    assert list(straight.datasets_frame()["dataset"]) == ["a", "c", "d", "e", "f"]
    assert straight.details["observed"] == pytest.approx(alone.details["observed"], nan_ok=True)
    one, two = straight.datasets_frame(), turned.datasets_frame()
    assert np.allclose(one[["shrunk", "low", "p_left"]], two[["shrunk", "high", "p_right"]].to_numpy() * (-1, -1, 1))
    with pytest.raises(podium.ArgumentError, match="Only the hierarchical model"):
        podium.bayes.sign([0.9, 0.8], [0.8, 0.8], rng=0).datasets_frame()


def test_equal_seeds_equal_numbers_and_all_pairs():
    values = np.stack([percent(name)[:6, :1] for name in ("nbc", "aode", "j48")], axis=1)
    scores = scores_of_three(values)
    seen = []
    one, two = (
        podium.bayes.all_pairs(scores, model="hierarchical", rope=0.01, rng=3, progress=lambda *d: seen.append(d))
        for _ in "ab"
    )
    assert one.to_dict() == two.to_dict()
    assert seen[:3] == [(1, 3), (2, 3), (3, 3)]
    assert list(one.to_frame()["a"]) == ["nbc", "nbc", "aode"]


def test_frames_are_paired_by_their_labels():
    source = np.random.default_rng(0)
    x = pd.DataFrame(source.random((5, 10)), index=list("vwxyz"))
    y = x - 0.05 + source.normal(0, 0.01, (5, 10))
    found = podium.bayes.hierarchical(x, y, rng=0)
    assert podium.bayes.hierarchical(x, y.iloc[::-1], rng=0).p_right == found.p_right
    with pytest.raises(podium.DataError, match="different labels"):
        podium.bayes.hierarchical(x, y.rename(index={"z": "other"}))


@pytest.mark.parametrize(
    "wrong", [{"design": podium.Design(repeats=10, folds=10)}, {"design": 10}, {"datasets": ("a",)}]
)
def test_a_design_or_names_that_do_not_fit_are_refused(wrong):
    with pytest.raises(podium.PodiumError):
        podium.bayes.hierarchical(np.ones((3, 5)), np.zeros((3, 5)), **wrong)


def test_the_jacobian_of_the_natural_coordinates():
    """Of delta0, std0 and df by the three unbounded ones, by differences: it is diagonal."""
    rng = np.random.default_rng(0)
    data = _reduce(rng.normal(0.2, 1, (6, 10)), tuple("abcdef"), np.ones(6, dtype=bool), 0.1, 0.0)
    points, step = rng.normal(0, 1, (5, 3)), 1e-6
    slopes = [
        (_natural(data, points + step * e)[0] - _natural(data, points - step * e)[0])[:, i] / (2 * step)
        for i, e in enumerate(np.eye(3))
    ]
    assert np.diff(_natural(data, points)[1]) == pytest.approx(np.diff(np.log(slopes).sum(axis=0)), rel=1e-5)


def test_gains_that_are_equal_but_for_rounding_are_constant_whichever_is_better():
    rng = np.random.default_rng(0)
    gains = np.vstack([1 + 1e-12 * rng.normal(size=10), rng.normal(0.2, 1, 10)])
    one, other = (_reduce(side * gains, ("a", "b"), np.ones(2, dtype=bool), 0.1, 0.0) for side in (1, -1))
    assert one.scales == pytest.approx(other.scales)
    assert (
        one.scales[0] > 0.01 * one.scales[1]
    )  # a constant one has a share of the spread of the others, not its rounding
