"""The peers' own examples run with one changed import; numbers are theirs where they are right, with their version."""

import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats

mpl.use("Agg")
import matplotlib.pyplot as plt
from tests.reference import published

from podium.compat import differences
from podium.compat.aeon import plot_critical_difference
from podium.compat.autorank import RankResult, _interval, autorank, create_report, latex_table, plot_stats
from podium.compat.baycomp import CorrelatedTTest, SignedRankTest, SignTest, two_on_multiple, two_on_single
from podium.compat.critdd import Diagram
from podium.compat.critdd import friedman as critdd_friedman
from podium.compat.differences import DifferentNumber
from podium.compat.orange import compute_CD, graph_ranks
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


def test_orange(tmp_path):
    names = ["first", "third", "second", "fourth"]
    avranks = [1.9, 3.2, 2.8, 3.3]
    cd = compute_CD(avranks, 30)  # tested on 30 datasets; the table that Orange had: 2.569032
    assert cd == pytest.approx(2.569032 * np.sqrt(4 * 5 / (6 * 30)), rel=1e-6)
    assert compute_CD(avranks, 30, alpha="0.1") == pytest.approx(2.291341 * np.sqrt(20 / 180), rel=1e-6)
    assert compute_CD(avranks, 30, test="bonferroni-dunn") == pytest.approx(2.393980 * np.sqrt(20 / 180), rel=1e-5)
    graph_ranks(avranks, names, cd=cd, width=6, textspace=1.5)
    texts = [text.get_text() for text in plt.gca().texts]
    assert set(names) <= set(texts)
    left = {text.get_text(): text.get_position()[0] for text in plt.gca().texts}
    assert left["first"] < left["fourth"]
    graph_ranks(avranks, names, cd=cd, width=6, textspace=1.5, reverse=True)
    right = {text.get_text(): text.get_position()[0] for text in plt.gca().texts}
    assert right["first"] > right["fourth"]
    assert right["1"] > right["4"]  # the scale is turned, too
    graph_ranks(avranks, names, cd=cd, cdmethod=0, filename=tmp_path / "ranks.png")
    assert (tmp_path / "ranks.png").stat().st_size > 1000
    assert compute_CD([1.0] * 30, 100) > 0  # the table of Orange ended at 20 algorithms


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


def test_aeon():
    figure, axes = plot_critical_difference(SCORES, ["A", "B", "C", "D"])
    assert figure is axes.figure
    figure, axes, pvalues = plot_critical_difference(
        SCORES, ["A", "B", "C", "D"], return_p_values=True, highlight={"A": "red"}
    )
    # Twice the one-sided p-values of the original, in the order of mean ranks.
    assert pvalues[0] == pytest.approx([1, 2 * 3.1471252441e-05, 2 * 9.5367431641e-07, 2 * 9.5367431641e-07])
    assert [text.get_color() for text in axes.texts if text.get_text() == "A"] == ["red"]
    plot_critical_difference(1 - SCORES, ["A", "B", "C", "D"], lower_better=True, test="nemenyi", alpha=0.05)
    plot_critical_difference(SCORES[:, :2], ["A", "B"])  # two raise in the original
    assert plot_critical_difference(SCORES, ["A", "B", "C", "D"], reverse=False)[1].texts[0].get_text() == "1"
    with pytest.raises(PodiumError, match="test"):
        plot_critical_difference(SCORES, ["A", "B", "C", "D"], test="t")
    with pytest.raises(ValueError, match="p-values"):
        plot_critical_difference(SCORES, ["A", "B", "C", "D"], test="nemenyi", return_p_values=True)


def test_critdd(tmp_path):
    frame = pd.DataFrame(SCORES, columns=["A", "B", "C", "D"])
    diagram = Diagram(frame.to_numpy(), treatment_names=frame.columns, maximize_outcome=True)
    assert diagram.average_ranks.tolist() == frame.rank(axis=1, ascending=False).mean().tolist()
    assert diagram.get_groups(alpha=0.05, adjustment="holm") == [[3], [2], [1], [0]]
    assert diagram.get_groups(alpha=0.001, return_names=True) == [["D"], ["B", "C"], ["A", "B"]]
    for i in range(1, 4):
        for j in range(i):
            assert diagram.P[i, j] == pytest.approx(
                scipy_stats.wilcoxon(SCORES[:, i], SCORES[:, j], method="exact").pvalue
            )
    diagram.to_file(tmp_path / "example.png")
    with pytest.raises(ValueError, match="treatment_names"):
        Diagram(SCORES, treatment_names=["A"])
    with pytest.raises(TypeError, match="magic"):
        diagram.to_str(magic=1)


def test_the_readme_of_critdd(tmp_path):
    df = published.hfawaz()
    diagram = Diagram(df.to_numpy(), treatment_names=df.columns, maximize_outcome=True)
    assert np.all(diagram.average_ranks - np.array([4.2, 3.75, 1.5, 3.5, 2.0]) < 0.05)
    groups = diagram.get_groups(return_names=True)
    assert ["clf1", "clf2", "clf4"] in groups
    assert ["clf3", "clf5"] in groups
    diagram.to_file(tmp_path / "example.tex", title="critdd", reverse_x=True)
    code = (tmp_path / "example.tex").read_text()
    assert "tikzpicture" in code
    assert "{critdd}" in code
    document = diagram.to_str(as_document=True, axis_options={"title": "critdd"})
    assert document.lstrip().startswith("\\documentclass")
    assert (diagram.r.n_df_1, diagram.r.n_df_2, diagram.r.chi_square_result.n) == (4, 56, 15)
    assert critdd_friedman(np.random.RandomState(876).rand(20, 3)).pvalue > 0.05


# autorank 1.3.0: the examples of its README.


def populations(names="abcdef", seed=42):
    rng = np.random.RandomState(seed)
    means = [0.2, 0.3, 0.5, 0.8, 0.85, 0.9]
    return pd.DataFrame({f"pop_{i}": rng.normal(m, 0.3, 50).clip(0, 1) for i, m in enumerate(means[: len(names)])})


def test_autorank(capsys):
    data = populations()
    result = autorank(data, alpha=0.05, verbose=False)
    assert isinstance(result, RankResult)
    assert (result.omnibus, result.posthoc, result.all_normal, result.effect_size) == (
        "friedman",
        "nemenyi",
        False,
        "akinshin_gamma",
    )
    assert result.cd == pytest.approx(1.0662484349869374, rel=1e-4)  # autorank's own, by an approximate quantile
    assert list(result.rankdf.index) == ["pop_5", "pop_4", "pop_3", "pop_2", "pop_1", "pop_0"]  # the best first
    assert result.rankdf.loc["pop_0", "meanrank"] == pytest.approx(5.40)
    assert result.rankdf.loc["pop_0", "effect_size"] == pytest.approx(4.759339, abs=1e-6)  # its size against the best
    assert list(result.rankdf.columns) == [
        "meanrank", "median", "mad", "ci_lower", "ci_upper", "effect_size", "magnitude", "effect_size_above", "magnitude_above",
    ]  # fmt: skip
    create_report(result)
    assert "pop_5, pop_4 and pop_3; pop_2 and pop_1; pop_1 and pop_0" in capsys.readouterr().out
    assert str(result).startswith("RankResult(rankdf=\n")
    latex_table(result)
    printed = capsys.readouterr().out
    assert printed.startswith("\\begin{table}[h]")
    row = result.rankdf.loc["pop_5"]
    assert f"pop\\_5 & {row.meanrank:.3f} & {row['median']:.3f} & {row.mad:.3f} & [" in printed
    assert printed.count("\\\\") == 7  # the head and six populations
    axes = plot_stats(result)
    assert {"pop_0", "pop_5"} <= {text.get_text() for text in axes.texts}


def test_the_latex_table_has_the_columns_of_autorank(capsys):
    """autorank 1.3.0, latex_table: no mean ranks beside Tukey's test, no effect sizes where nothing is significant."""
    rng = np.random.default_rng(11)
    base = 0.75 + 0.03 * rng.standard_normal((15, 1))
    scores = base + np.array([0, 0.02, 0.05]) + 0.01 * rng.standard_normal((15, 3))
    result = autorank(pd.DataFrame(scores, columns=list("abc")), force_mode="parametric")
    assert result.posthoc == "tukeyhsd"
    latex_table(result)
    assert " & M & SD & CI & $d$ & Magnitude \\\\" in capsys.readouterr().out
    latex_table(autorank(pd.DataFrame(rng.exponential(size=(12, 3)), columns=list("abc")), force_mode="nonparametric"))
    assert " & MR & MED & MAD & CI \\\\" in capsys.readouterr().out


def test_autorank_of_two_is_two_sided(capsys):
    data = populations()[["pop_0", "pop_1"]]
    result = autorank(data)
    assert result.omnibus == "wilcoxon"
    assert result.pvalue == pytest.approx(2 * 0.0011587916161595578, rel=0.25)  # twice the one-sided, and exact
    assert result.rankdf.index[0] == "pop_1"
    create_report(result)
    assert "pop_1 is significantly better than pop_0" in capsys.readouterr().out
    rng = np.random.default_rng(0)
    null = [
        autorank(pd.DataFrame(rng.exponential(size=(15, 2)), columns=["a", "b"]), force_mode="nonparametric").pvalue
        <= 0.05
        for _ in range(60)
    ]
    assert np.mean(null) < 0.1  # autorank rejects 9.8% in the long run; benchmarks/peers.py measures both


def test_autorank_of_normal_scores(capsys):
    rng = np.random.default_rng(1)
    block = rng.normal(0, 1, (30, 1))
    data = pd.DataFrame(block + rng.normal([0, 0.2, 0.4], 0.1, (30, 3)), columns=["A", "B", "C"])
    result = autorank(data, force_mode="parametric")
    assert (result.omnibus, result.posthoc) == ("anova", "tukeyhsd")
    frame = result.rankdf
    assert (
        frame.loc["B", "ci_upper"] < frame.loc["C", "ci_lower"]
    )  # the blocks are used; autorank separates nothing here
    create_report(result)
    assert "all differences between the populations are significant" in capsys.readouterr().out
    plot_stats(result)
    two = autorank(data[["A", "B"]], force_mode="parametric")
    assert two.pvalue == pytest.approx(scipy_stats.ttest_rel(data.A, data.B).pvalue)


def test_autorank_bayesian(capsys):
    data = populations()[["pop_0", "pop_1", "pop_5"]]
    result = autorank(data, approach="bayesian", nsamples=2000, random_state=1)
    assert result.decision_matrix.loc["pop_5", "pop_0"] == "smaller"
    assert result.sample_matrix.loc["pop_5", "pop_0"].sample.shape == (2000, 3)
    latex_table(result, effect_size_relation="both", posterior_relation="above")
    assert "$\\gamma$ (best) & Magnitude (best) & $\\gamma$ (above)" in capsys.readouterr().out
    assert result.posterior_matrix.loc["pop_5", "pop_1"] == pytest.approx((1.0, 0.0, 0.0), abs=0.01)
    create_report(result)
    assert "pop_5 is better than pop_1 and pop_0" in capsys.readouterr().out
    lower = autorank(data, approach="bayesian", nsamples=2000, order="ascending", random_state=1)
    create_report(lower)
    assert "pop_0 is better than pop_1 and pop_5" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (populations().to_numpy(), TypeError),
        (populations()[["pop_0"]], ValueError),
        (populations().iloc[:4], ValueError),
        (
            populations().mask(lambda f: f == f.iloc[0, 0]),
            PodiumError,
        ),  # "We reject the null hypothesis (p=nan)" in the original
    ],
)
def test_autorank_refuses(data, error):
    with pytest.raises(error):
        autorank(data)


def test_a_median_interval_covers():
    rng = np.random.default_rng(0)
    ends = [_interval(rng.exponential(size=40), 0.05, parametric=False) for _ in range(600)]
    share = np.mean([low <= np.log(2) <= high for low, high in ends])
    assert 0.93 < share < 0.98


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
    data = populations()[["pop_0", "pop_1"]]
    with pytest.warns(DifferentNumber, match=r"9\.8%"):
        autorank(data)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DifferentNumber)
        autorank(data)  # no second time
    with pytest.warns(DifferentNumber, match="more false alarms than the level allows"):
        plot_critical_difference(SCORES, ["A", "B", "C", "D"])
