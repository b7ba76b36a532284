"""The peers' own examples run with one changed import; numbers are theirs where they are right, with their version."""

import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("Agg")
import matplotlib.pyplot as plt

from podium.compat import differences
from podium.compat.baycomp import CorrelatedTTest, SignedRankTest, SignTest, two_on_multiple, two_on_single
from podium.compat.differences import DifferentNumber
from podium.compat.rliable import library as rly
from podium.compat.rliable import metrics
from podium.compat.scikit_posthocs import (
    critical_difference_diagram,
    posthoc_conover_friedman,
    posthoc_nemenyi_friedman,
    posthoc_wilcoxon,
)
from podium.core.errors import PodiumError


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Warnings of differences are for their own test; figures are closed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DifferentNumber)
        yield
    plt.close("all")


# Orange 3.2x, documentation of compute_CD and graph_ranks.


# scikit-posthocs 0.17.1: examples of the docstrings and of the tutorial.

BLOCKS = np.array([[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]])
FOLDS = pd.DataFrame(
    {
        "model1": {"fold0": 0.74, "fold1": 0.72, "fold2": 0.71, "fold3": 0.75, "fold4": 0.75},
        "model2": {"fold0": 0.63, "fold1": 0.62, "fold2": 0.61, "fold3": 0.66, "fold4": 0.67},
        "model3": {"fold0": 0.92, "fold1": 0.87, "fold2": 0.93, "fold3": 0.9, "fold4": 0.91},
    }
)


def test_nemenyi_and_conover_of_scikit_posthocs():
    found = posthoc_nemenyi_friedman(BLOCKS)
    assert found.to_numpy()[np.triu_indices(3, 1)] == pytest.approx([0.14553486869, 0.83222921812, 0.03760991482])
    assert np.diag(found).tolist() == [1, 1, 1]
    conover = posthoc_conover_friedman(BLOCKS)
    assert conover.to_numpy()[np.triu_indices(3, 1)] == pytest.approx([0.02325152459, 0.42948695886, 0.00573230026])
    holm = posthoc_conover_friedman(BLOCKS, p_adjust="holm")
    assert holm.to_numpy()[np.triu_indices(3, 1)] == pytest.approx([0.04650304919, 0.42948695886, 0.01719690077])
    single = posthoc_conover_friedman(BLOCKS, p_adjust="single-step").to_numpy()[0, 1]
    assert single > conover.to_numpy()[0, 1]  # 0.0204 in the original: a correction below the raw p-value


def test_wilcoxon_of_scikit_posthocs():
    groups = [[1, 2, 3, 4, 5], [35, 31, 75, 40, 21], [10, 6, 9, 6, 1]]
    found = posthoc_wilcoxon(groups)
    assert found.index.tolist() == [1, 2, 3]
    assert found.to_numpy()[np.triu_indices(3, 1)].tolist() == [0.0625, 0.25, 0.0625]
    assert posthoc_wilcoxon(groups, p_adjust="holm").to_numpy()[np.triu_indices(3, 1)].tolist() == [
        0.1875,
        0.25,
        0.1875,
    ]
    same = posthoc_wilcoxon(np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]))
    assert same.to_numpy()[0, 1] == 1.0
    frame = FOLDS.melt(var_name="model", value_name="score")
    assert posthoc_wilcoxon(frame, val_col="score", group_col="model").loc["model1", "model2"] == 0.0625


def test_the_tutorial_of_scikit_posthocs():
    melted = (
        FOLDS.rename_axis("cv_fold").melt(var_name="estimator", value_name="score", ignore_index=False).reset_index()
    )
    avg_rank = melted.groupby("cv_fold").score.rank(pct=True).groupby(melted.estimator).mean()
    assert posthoc_nemenyi_friedman(FOLDS).loc["model2", "model3"] == pytest.approx(0.004464, abs=1e-6)
    results = posthoc_conover_friedman(
        melted, melted=True, block_col="cv_fold", block_id_col="cv_fold", group_col="estimator", y_col="score"
    )
    assert results.loc["model1", "model2"] < 0.05
    assert results.loc["model1", "model2"] > 0  # 0 in the original: so much agreement of 5 folds has a chance
    plt.figure(figsize=(10, 2), dpi=100)
    plt.title("Critical difference diagram of average score ranks")
    artists = critical_difference_diagram(avg_rank, results)
    assert {kind: len(found) for kind, found in artists.items()} == {
        "markers": 3, "elbows": 3, "labels": 3, "crossbars": 0,
    }  # fmt: skip
    assert [text.get_text() for text in artists["labels"]] == ["model2 (0.33)", "model1 (0.67)", "(1) model3"]
    low, high = plt.gca().get_xlim()
    assert low > 0.2  # the axis is that of the ranks, here shares of 1
    assert high < 1.2
    mixed = results.loc[["model3", "model1", "model2"], ["model3", "model1", "model2"]]
    mixed.loc["model1", "model2"] = mixed.loc["model2", "model1"] = 0.5
    plt.figure()
    assert len(critical_difference_diagram(avg_rank, mixed)["crossbars"]) == 1
    mixed.loc["model1", "model3"] = mixed.loc["model3", "model1"] = 0.5
    bars = critical_difference_diagram(avg_rank, mixed)["crossbars"]
    assert len({line.get_ydata()[0] for (line,) in bars}) == 2  # two bars that meet are not drawn as one


def test_the_restyled_diagram_of_the_tutorial():
    ranks = {"model1": 2.0, "model2": 1.0, "model3": 3.0}
    table = pd.DataFrame(0.5, index=list(ranks), columns=list(ranks))
    artists = critical_difference_diagram(
        ranks, table, label_fmt_left="{label} [{rank:.3f}]  ", label_fmt_right="  [{rank:.3f}] {label}", text_h_margin=0.3,
        label_props={"color": "black", "fontweight": "bold"}, crossbar_props={"color": None, "marker": "o"},
        marker_props={"marker": "*", "s": 150, "color": "y", "edgecolor": "k"}, elbow_props={"color": "gray"}, cd=0.4,
    )  # fmt: skip
    assert artists["labels"][0].get_text() == "model2 [1.000]  "
    assert artists["elbows"][0].get_color() == "gray"
    plt.figure()
    artists = critical_difference_diagram(ranks, table, color_palette=dict.fromkeys(ranks, "red"), left_only=True)
    assert {text.get_ha() for text in artists["labels"]} == {"right"}
    assert {line.get_color() for line in artists["elbows"]} == {"red"}
    hue = {"model1": "net", "model2": "tree", "model3": "net"}
    artists = critical_difference_diagram(
        ranks, table, hue=hue, color_palette=["red", "blue"], hue_order=["net", "tree"]
    )
    assert [line.get_color() for line in artists["elbows"]] == ["blue", "red", "red"]
    for wrong in ({"color_palette": ["red"]}, {"hue": {"model1": "net"}}, {"hue": hue, "hue_order": ["net"]}):
        with pytest.raises(ValueError, match=r"color_palette|hue"):
            critical_difference_diagram(ranks, table, **wrong)
    with pytest.raises(PodiumError, match="p_adjust"):
        posthoc_wilcoxon([[1, 2, 3], [2, 4, 7]], p_adjust="fdr_tsbh")


# baycomp 1.0.3; left is the first classifier's side. No difference lies on the edge of the rope.

NBC = np.array([0.7, 0.8, 0.75, 0.6, 0.9, 0.85, 0.77, 0.66, 0.71, 0.69])
J48 = NBC - np.array([0.02, 0.03, -0.01, 0.0, 0.04, 0.01, 0.02, 0.005, -0.02, 0.03])


def test_baycomp():
    assert two_on_single(J48, NBC, rope=0.01) == pytest.approx((0.015044163647, 0.375713721838, 0.609242114516))
    assert two_on_single(J48, NBC) == pytest.approx((0.093404364114, 0.906595635886))
    assert two_on_single(J48, NBC, rope=0.01, runs=2) == pytest.approx((0.038428793193, 0.376225473632, 0.585345733175))
    left, rope, right = two_on_multiple(J48, NBC, rope=0.0127, random_state=1)
    assert (left, rope, right) == pytest.approx((0.0001, 0.53948, 0.46042), abs=0.01)  # from 50,000 draws
    assert len(two_on_multiple(J48, NBC)) == 3
    assert len(SignedRankTest.probs(J48, NBC)) == 2
    probs, figure = two_on_multiple(J48, NBC, rope=0.012, plot=True, names=("j48", "nbc"))
    assert len(probs) == 3
    assert {"j48", "nbc"} <= set(
        " ".join(text.get_text() for text in figure.axes[0].texts).replace("(", " ").replace(")", " ").split()
    )
    assert SignTest.probs(J48, NBC, rope=0.0127) == pytest.approx((0.00834, 0.49932, 0.49234), abs=0.01)
    assert isinstance(two_on_single(J48, NBC, plot=True)[1], mpl.figure.Figure)
    assert two_on_multiple(J48.tolist(), NBC.tolist(), rope=0.012)[2] > 0.5  # lists are refused by the original
    with pytest.raises(PodiumError, match="missing"):
        two_on_multiple(np.append(J48, np.nan), np.append(NBC, 0.5))


def test_posteriors_of_baycomp():
    """The examples of its documentation: an object of a test, its draws, numbers and pictures."""
    posterior = CorrelatedTTest(J48, NBC, 0.01, 2)
    assert (posterior.mean, posterior.var, posterior.df) == pytest.approx((0.0125, 0.000126875, 9))
    assert (posterior.meanx, posterior.meany, posterior.rope) == pytest.approx((0.7305, 0.743, 0.01))
    label = " ".join(text.get_text() for text in posterior.plot(("j48", "nbc")).axes[0].texts)
    assert "(j48: 0.731, nbc: 0.743)" in label or "(j48: 0.730, nbc: 0.743)" in label
    posterior = SignedRankTest(J48, NBC, 0.0127, nsamples=500)
    assert posterior.sample.shape == SignTest.sample(J48, NBC, 0.01, nsamples=500).shape == (500, 3)
    assert posterior.sample.sum(axis=1) == pytest.approx(np.ones(500))
    assert len(posterior.plot().axes[0].texts) == 6  # a triangle
    without = SignedRankTest.plot(J48, NBC, 0, names=("j48", "nbc"), nsamples=500)
    assert [without.axes[0].get_title(loc=side)[:6] for side in ("left", "right")] == ["p(j48)", "p(nbc)"]
    assert SignedRankTest.plot_simplex(J48, NBC, 0.01, nsamples=500) is not None
    with pytest.raises(PodiumError, match="upper_sigma"):
        two_on_multiple(np.tile(J48, (4, 1)), np.tile(NBC, (4, 1)), rope=0.01, upper_sigma=10)


def test_the_hierarchical_model_of_baycomp():
    rng = np.random.default_rng(0)
    gains = rng.normal(0.03, 0.01, (12, 1)) + rng.normal(0, 0.02, (12, 10))
    base = np.full((12, 10), 0.8)
    left, rope, right = two_on_multiple(base, base + gains, rope=0.01, runs=1, random_state=0)
    assert right > 0.95
    assert left + rope + right == pytest.approx(1)


def test_edges_of_the_rope_are_told_and_few_draws_are_given():
    """With scores of two decimals baycomp 1.0.3 lets rounding decide what is inside."""
    x, y = np.array([0.71, 0.72, 0.75, 0.80]), np.array([0.73, 0.75, 0.75, 0.79])
    for test in (SignTest, SignedRankTest):
        differences._SAID.clear()
        with pytest.warns(DifferentNumber, match="edge of the rope"):
            test(x, y, rope=0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DifferentNumber)
        SignTest(x, y, rope=0.02)  # once
        SignedRankTest(x, y + np.array([0.001, 0.0003, 0.0007, 0.0002]), rope=0.02)
    assert SignedRankTest.sample(x, y, rope=0.015, nsamples=10).shape == (10, 3)
    assert CorrelatedTTest.sample(x, y, nsamples=7).shape == (7,)


# aeon 1.6.0 and critdd.

SCORES = np.random.default_rng(0).normal([0.7, 0.72, 0.75, 0.8], 0.03, (20, 4))


# autorank 1.3.0: the examples of its README.


# rliable 1.2.0: README.


def test_rliable():
    rng = np.random.RandomState(0)
    scores = {"a": rng.normal(1, 0.3, (5, 26)), "b": rng.normal(0.8, 0.3, (5, 26))}
    aggregate = lambda x: np.array(  # noqa: E731 (as the README has it)
        [
            metrics.aggregate_median(x),
            metrics.aggregate_iqm(x),
            metrics.aggregate_mean(x),
            metrics.aggregate_optimality_gap(x),
        ]
    )
    points, intervals = rly.get_interval_estimates(scores, aggregate, reps=50000)
    # Its iqm cuts 32 of 130 scores at each end, here 32.5.
    assert points["a"] == pytest.approx([1.03978812, 1.03803958, 1.0426109, 0.10640845], abs=1e-4)
    assert intervals["a"].shape == (2, 4)
    percentile = np.array(
        [[0.97826042, 0.98176699, 0.99161695, 0.08118796], [1.10278717, 1.0943102, 1.09081181, 0.13321587]]
    )
    wider = (intervals["a"][1] - intervals["a"][0]) / (percentile[1] - percentile[0])
    assert ((wider > 1.05) & (wider < 1.35)).all()  # with 5 runs about 1.15 to 1.2
    pairs, ends = rly.get_interval_estimates({"a,b": (scores["a"], scores["b"])}, metrics.probability_of_improvement)
    assert pairs["a,b"] == pytest.approx(0.7523076923076926)
    assert ends["a,b"].shape == (2, 1)
    taus = np.linspace(0, 2, 5)
    shares, bands = rly.create_performance_profile(scores, taus)
    assert shares["a"] == pytest.approx([1.0, 0.96923077, 0.56153846, 0.1, 0.0])
    assert bands["a"].shape == (2, 5)
    assert (bands["a"][0] <= shares["a"]).all()


def test_rliable_with_a_function_of_your_own():
    rng = np.random.RandomState(0)
    scores = {"a": rng.normal(1, 0.3, (5, 6))}
    points, ends = rly.get_interval_estimates(
        scores, lambda x: np.array([np.max(x), np.mean(x)]), reps=200, random_state=1
    )
    assert points["a"][0] == scores["a"].max()
    assert ends["a"][0, 1] < scores["a"].mean() < ends["a"][1, 1]
    # An aggregate of something else than the scores is not mistaken for one of the scores.
    doubled, wide = rly.get_interval_estimates(scores, lambda x: np.array([metrics.aggregate_mean(2 * x)]), reps=300)
    assert wide["a"][0, 0] < doubled["a"][0] < wide["a"][1, 0]
    assert doubled["a"][0] == pytest.approx(2 * scores["a"].mean())
    with pytest.raises(PodiumError, match="method"):
        rly.get_interval_estimates(scores, lambda x: np.array([np.max(x)]), method="magic")


def test_a_difference_is_said_once(monkeypatch):
    monkeypatch.setattr(differences, "_SAID", set())
    with pytest.warns(DifferentNumber, match="single-step"):
        posthoc_conover_friedman(BLOCKS, p_adjust="single-step")
    with warnings.catch_warnings():
        warnings.simplefilter("error", DifferentNumber)
        posthoc_conover_friedman(BLOCKS, p_adjust="single-step")  # no second time
