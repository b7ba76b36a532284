"""Bayesian ANOVA, normal and robust: a general engine, brute force, Wainer's procedure, degenerate data."""

import numpy as np
import pytest
from scipy import stats

import podium
from bayes.published import mean_accuracies, references
from podium.bayes import anova_fit
from podium.bayes import anova_model as model
from podium.core.errors import DataError
from podium.evidence.table import as_table
from podium.reading._examples import example
from refusals import refuses


@pytest.mark.parametrize("case, robust", [("anova", False), ("anova_holes", False), ("anova_robust", True)])
def test_agrees_with_nuts(case, robust):
    """The models anova and robust_anova, by a general sampler."""
    expected = references()[case]
    y = np.array(expected["y"], dtype=float)
    found = podium.bayes.anova(y, rope=expected["rope"], robust=robust, draws=3000 if robust else 12_000, rng=1)
    ess = found.diagnostics.ess
    for k, (name, pair) in enumerate(expected["pairs"].items()):
        assert found.names[k] == tuple(f"algorithm {int(i) + 1}" for i in name.split("-"))
        error = 5 * pair["sd"] * (1 / np.sqrt(pair["ess"]) + 1 / np.sqrt(ess))
        assert found.difference[k] == pytest.approx(pair["mean"], abs=error)
        regions = (found.p_left[k], found.p_rope[k], found.p_right[k])
        assert regions == pytest.approx(pair["regions"], abs=0.02 + 2 / np.sqrt(ess))
    for name, mine in (("sigma_y", "sd_errors"), ("sigma_a", "sd_algorithms"), ("sigma_d", "sd_datasets")):
        scale = expected["scales"][name]
        error = 5 * 1.25 * scale["sd"] * (1 / np.sqrt(scale["ess"]) + 1 / np.sqrt(ess))
        assert found.details[mine] == pytest.approx(scale["median"], abs=error)
    if robust:
        assert found.details["df"] == pytest.approx(expected["scales"]["nu"]["median"], rel=0.12)
    assert found.p_best == pytest.approx(expected["best"], abs=0.03)


def test_both_likelihoods_are_the_multivariate_normal_density():
    """Balanced closed form, batched Cholesky, and the covariance matrix written out."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=(4, 3))
    points = 0.3 * rng.normal(size=(5, 3))  # not so far that the direct computation loses digits
    v = model.sigmas_at(points)
    for holes in (False, True):
        if holes:
            y[1, 2] = y[3, 0] = np.nan
        data = model.anova_data(as_table(y))
        j, i = np.nonzero(~np.isnan(y))
        direct = []
        for e, a, d in zip(v.error, v.algorithm, v.dataset, strict=True):
            cover = 25.0 + a * (i[:, None] == i) + d * (j[:, None] == j) + e * np.eye(len(i))
            direct.append(stats.multivariate_normal(np.zeros(len(i)), cover).logpdf(data.y[j, i]))
        found = model.log_likelihood(data, v)
        assert np.ptp(found - direct) == pytest.approx(0, abs=1e-8)
        if not holes:
            assert np.ptp(model.log_likelihood_balanced(data, v) - direct) == pytest.approx(0, abs=1e-8)


def test_pair_moments_with_and_without_holes_are_the_same_formula():
    rng = np.random.default_rng(1)
    data = model.anova_data(as_table(rng.normal(size=(6, 4))))
    v = model.sigmas_at(rng.normal(size=(7, 3)))
    pairs = np.array([(0, 1), (2, 3)])
    closed = model.pair_moments(data, v, pairs)
    precision, load, _ = model._normal_equations(data, v)
    covariance = np.linalg.inv(precision)
    centre = np.einsum("nkl,nl->nk", covariance, load)
    for column, (i, k) in enumerate(pairs + 1):
        variance = covariance[:, i, i] + covariance[:, k, k] - 2 * covariance[:, i, k]
        assert closed[0][:, column] == pytest.approx(centre[:, i] - centre[:, k])
        assert closed[1][:, column] ** 2 == pytest.approx(variance)


def test_wainers_procedure_on_38_datasets_of_5x2_folds():
    scores = example("ulas2008").scores("accuracy")
    rope = podium.bayes.rope_auto(scores)
    assert rope.source == "halves"
    # By hand: the median of |fold 1 - fold 2| over repeats and the three best algorithms of each dataset.
    changes = []
    for dataset in range(38):
        means = scores.values[dataset].mean(axis=(1, 2))
        for algorithm in np.argsort(-means, kind="stable")[:3]:
            changes += list(np.abs(scores.values[dataset, algorithm, :, 0] - scores.values[dataset, algorithm, :, 1]))
    assert rope.rope == pytest.approx(np.median(changes))
    assert rope.n_changes == len(changes) == 570
    normal = podium.bayes.anova(scores, rope=rope, rng=0)
    assert normal.algorithms[int(np.argmax(normal.p_best))] == "svr"
    assert 0.1 < normal.details["predictive_pvalue"] < 0.9
    robust = podium.bayes.anova(scores, rope=rope, robust=True, rng=0)
    assert np.isnan(robust.details["predictive_pvalue"])  # as in Wainer 2016: the degrees of freedom are below 2
    assert "have none" in robust.details["predictive_note"]
    # Outliers hide agreement from the normal model: robust errors find more equivalent pairs.
    assert (robust.p_rope > 0.95).sum() > (normal.p_rope > 0.95).sum()


def test_ranks_effects_and_frames_agree():
    found = podium.bayes.anova(mean_accuracies(), rope=1.0, rng=0)
    assert found.rank_probabilities.sum(axis=0) == pytest.approx(np.ones(5))
    assert found.rank_probabilities.sum(axis=1) == pytest.approx(np.ones(5))
    assert found.p_best == pytest.approx(found.rank_probabilities[:, 0])
    assert found.effects.sum() == pytest.approx(0, abs=1e-9)
    gap = found.effects[0] - found.effects[1]
    assert found.difference[0] == pytest.approx(gap, abs=0.05)
    frame = found.effects_frame()
    assert frame["effect"].is_monotonic_decreasing
    assert found.draws["effects"].shape == (4000, 5)


def test_equal_seeds_equal_numbers_and_the_metric_turns_gains():
    table = mean_accuracies()
    errors = podium.Table(
        values=100 - table.to_numpy(),
        datasets=tuple(table.index),
        algorithms=tuple(table.columns),
        metric=podium.Metric(name="error", direction="lower"),
    )
    one, two = podium.bayes.anova(errors, rope=1.0, rng=7), podium.bayes.anova(table, rope=1.0, rng=7)
    assert one.p_left == pytest.approx(two.p_left, abs=1e-6)
    assert podium.bayes.anova(table, rope=1.0, rng=7).to_dict() == two.to_dict()
    robust = [podium.bayes.anova(table.iloc[:8], robust=True, draws=400, rng=7).to_dict() for _ in "ab"]
    assert robust[0] == robust[1]


@pytest.mark.parametrize("robust", [False, True])
def test_identical_algorithms_never_give_a_verdict(robust):
    x = np.linspace(0.5, 0.9, 15)
    found = podium.bayes.anova(np.column_stack([x, x, x + 0.1]), robust=robust, rng=0)
    assert podium.bayes.decide(found).verdicts[0] == "undecided"
    assert any("identical" in sentence for sentence in found.warnings)


def test_holes_are_named_and_constants_refused():
    y = np.random.default_rng(0).normal(size=(5, 3))
    y[2, 1] = np.nan
    found = podium.bayes.anova(y, rope=0.1, rng=0)
    assert [hole.cell for hole in found.details["missing_scores"]] == [("dataset 3", "algorithm 2")]
    assert found.n.tolist() == [4, 5, 4]
    assert "dataset 3 / algorithm 2" in found.warnings[0]
    with pytest.raises(podium.DataError, match="All scores are equal"):
        podium.bayes.anova(np.ones((4, 3)))
    y[:, 1] = np.nan
    with pytest.raises(podium.DataError, match="has no score on any dataset"):
        podium.bayes.anova(y)


def test_one_dataset_is_no_evidence_and_a_wide_rope_holds_everything():
    y = np.random.default_rng(0).normal(size=(1, 4))
    found = podium.bayes.anova(y, rope=0.01, rng=0)
    assert set(podium.bayes.decide(found).verdicts) == {"undecided"}
    assert "one dataset" in found.warnings[-1]
    wide = podium.bayes.anova(np.random.default_rng(0).normal(size=(9, 3)), rope=100, rng=0)
    assert wide.p_rope.min() > 0.999


@pytest.mark.parametrize("holes", [False, True])
def test_large_tables_are_fitted_in_parts_with_the_same_numbers(holes, monkeypatch):
    rng = np.random.default_rng(8)
    scores = rng.normal(0, 1, (9, 4)) + rng.normal(0, 2, (9, 1))
    if holes:
        scores[2, 1] = scores[7, 3] = np.nan
    whole = podium.bayes.anova(scores, rope=0.2, draws=400, rng=5)
    for module in (anova_fit, model):
        monkeypatch.setattr(module, "CELLS", 200)
    parts = podium.bayes.anova(scores, rope=0.2, draws=400, rng=5)
    for column in ("p_left", "p_right", "difference", "low", "high"):
        assert getattr(parts, column) == pytest.approx(getattr(whole, column), rel=1e-11)
    assert parts.details["predictive_pvalue"] == pytest.approx(whole.details["predictive_pvalue"], rel=1e-11)


def test_a_robust_anova_beyond_memory_is_refused():
    with refuses(DataError):
        podium.bayes.anova(np.random.default_rng(0).normal(size=(2000, 3)), robust=True, draws=100_000)
