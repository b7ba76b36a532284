"""Every public figure is a function of a result that gives a Figure, and the registry knows them all."""

import inspect
import re
import zlib

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

import podium
from bayes.published import accuracies, mean_accuracies
from needs import need_program
from plot.gallery import case_outcomes, outside, overlapping_texts
from podium.chance.distributions import null_curve
from podium.plot.figure import SUFFIXES
from podium.plot.registry import FIGURES, figures_of, function
from refusals import refuses


@pytest.fixture(scope="module")
def results():
    """One result for each figure."""
    table = podium.example("benavoli2016").scores().table()
    comparison = podium.compare(table)
    folds = podium.example("ulas2008")
    order = podium.ordering.multi2test(folds.scores("accuracy"), folds.scores("training_time"))
    x, y = (accuracies()[name][:12] / 100 for name in ("nbc", "aode"))
    hierarchical = podium.bayes.hierarchical(x, y, rope=0.01, names=("nbc", "aode"), rng=1)
    anova = podium.bayes.anova(mean_accuracies(), rope=1.0, rng=1)
    sizes = [10, 20, 40, 80]
    critical = podium.chance.critical_table("auc", positives=sizes, negatives=sizes, competitors=[10])
    agents = {name: [[0.1 * i + 0.3 * j for j in range(4)] for i in range(3)] for name in ("dqn", "ppo")}
    power = podium.planning.power(tests=["sign"], effects=[0.5], sizes=[8, 12], rng=0, draws=40)
    outcomes = case_outcomes(["ant", "bee", "cat", "dog"])
    truth = np.arange(60) % 3 == 0
    predicted = {name: truth + np.random.default_rng(i).normal(size=60) for i, name in enumerate(("ant", "bee"))}
    curves = podium.compare(predicted, truth=truth, metric="auc")
    of_cases = ("score_intervals", "discordance", "agreement_matrix", "benchmark_forest", "case_map")
    return {
        **dict.fromkeys(FIGURES, comparison),
        **dict.fromkeys(of_cases, podium.compare(outcomes)),
        **dict.fromkeys(("roc_curves", "pr_curves"), curves),
        "bump": {"all": comparison, "again": comparison},
        "cd_stack": {"all": comparison, "again": comparison},
        "chance_winner": podium.chance.chance_test(truth, predicted, metric="auc"),
        **dict.fromkeys(("order_graph", "sort_steps"), order),
        "cost_plane": podium.compare(folds, metric="accuracy", cost="training_time"),
        "scatter": table.select(["C1", "C2"]),
        "strip": podium.compare(table.select(["C1", "C2"])),
        **dict.fromkeys(("simplex", "density", "shrinkage"), hierarchical),
        **dict.fromkeys(("rope_matrix", "differences", "rank_probabilities"), anova),
        "chance_cdfs": [null_curve("auc", positives=10, negatives=20)],
        "chance_competitors": podium.planning.plan_competitors("auc", positives=20, negatives=30, score=0.8),
        **dict.fromkeys(("chance_contours", "chance_surface"), critical),
        "power": power,
        "aggregate_intervals": podium.runs.aggregates(agents),
        "improvement": podium.runs.all_pairs(agents),
        "learning_curves": {steps: podium.runs.aggregates(agents) for steps in (100, 200)},
        "run_profiles": podium.runs.profiles(agents),
        "pool": podium.studies.pool_dependence(table.select(["C1", "C2", "C3", "C4"]), rng=0),
        "replicability": podium.studies.replicability(
            table, tests=["sign", "wilcoxon"], size=10, biases=(0, 5), rng=0, draws=40
        ),
    }


def test_the_registry_has_every_public_figure():
    assert set(FIGURES) | {"Figure"} == set(podium.plot.__all__)
    for name, kind in FIGURES.items():
        assert function(name) is getattr(podium.plot, name)
        assert function(name).__module__ == f"podium.plot.{kind.home}"
        assert kind.caption.endswith(".")
        signature = inspect.signature(function(name))
        assert list(signature.parameters)[-2:] == ["ax", "width"]
        assert signature.return_annotation == "Figure"


def test_figures_of_a_result_are_those_that_name_its_class(results):
    shown = {kind.name for kind in figures_of(results["order_graph"])}
    assert {"order_graph", "sort_steps"} <= shown
    assert {kind.name for kind in figures_of(results["rank_probabilities"])} == {
        "rope_matrix",
        "differences",
        "rank_probabilities",
    }


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_draws_into_given_axes_and_is_as_wide_as_asked(name, results):
    draw = getattr(podium.plot, name)
    plain = draw(results[name])
    assert isinstance(plain, podium.plot.Figure)
    assert plain.scene.title
    assert plain.scene.description
    assert not outside(plain.scene)
    assert not overlapping_texts(plain.scene)
    for width, points in (("column", 237.6), ("page", 496.8), (300, 300.0)):
        scene = draw(results[name], width=width).scene
        assert scene.width == pytest.approx(points)
        assert not outside(scene)
        assert not overlapping_texts(scene)
        assert max(text.size for text in scene.texts) <= max(text.size for text in plain.scene.texts) + 1e-9
    figure, ax = plt.subplots()
    draw(results[name], ax=ax)
    assert ax.texts
    assert not ax.axison
    figure.canvas.draw()
    plt.close(figure)


@pytest.mark.parametrize(
    "suffix", [pytest.param(suffix, marks=pytest.mark.latex) if suffix == ".pgf" else suffix for suffix in SUFFIXES]
)
def test_files_by_ending(suffix, results, tmp_path):
    if suffix == ".pgf":
        need_program("pdflatex")
    with matplotlib.rc_context({"pgf.texsystem": "pdflatex", "pgf.rcfonts": False}):
        for name in ("cd_diagram", "chance_contours"):
            path = getattr(podium.plot, name)(results[name]).save(tmp_path / f"{name}{suffix}")
            assert path.stat().st_size > 500
    if suffix == ".pdf":
        # Publishers refuse fonts of type 3.
        content = path.read_bytes()
        assert b"/FontFile2" in content
        assert b"/Type3" not in content


def test_an_unknown_ending_and_width_are_refused(results, tmp_path):
    with refuses(podium.ArgumentError, "the ending of `path`"):
        podium.plot.cd_diagram(results["cd_diagram"]).save(tmp_path / "x.gif")
    with refuses(podium.ArgumentError, "width"):
        podium.plot.cd_diagram(results["cd_diagram"], width="wide")
    with pytest.raises(podium.ArgumentError, match="at least 36 points"):
        podium.plot.cd_diagram(results["cd_diagram"], width=3.3)


def test_a_notebook_shows_it_under_an_id_of_its_own(results):
    first, second = (getattr(podium.plot, name)(results[name]) for name in ("cd_diagram", "forest"))
    ids = [re.search(r' id="(figure[0-9a-f]{8})"', figure._repr_svg_())[1] for figure in (first, second)]
    assert ids[0] != ids[1]
    assert ids[0] == f"figure{zlib.crc32(repr(first.scene).encode()):08x}"
    assert repr(first) == "<Figure 'Mean ranks and groups', 5.5 x 1.4 in: .save('figure.pdf')>"


def test_text_keeps_its_size_in_wide_and_in_narrow_axes(results):
    for size in ((9, 5), (4.5, 3)):
        figure, ax = plt.subplots(figsize=size)
        podium.plot.cd_diagram(results["cd_diagram"], ax=ax)
        assert {round(text.get_fontsize(), 6) for text in ax.texts} == {8.0, 9.0}
        plt.close(figure)


def test_a_pvalue_reads_as_in_the_table(results):
    comparison = results["forest"]
    pairs = comparison.pairs.to_frame() if hasattr(comparison.pairs, "to_frame") else comparison.pairs
    smallest = podium.core.numbers.pvalue(float(np.min(pairs["adjusted"])))
    assert smallest in [text.text for text in podium.plot.forest(comparison).scene.texts]


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda r: podium.plot.cd_diagram(r["scatter"]), "Mean ranks come from"),
        (lambda r: podium.plot.cd_stack({}), "same algorithms"),
        (lambda r: podium.plot.forest(r["forest"], algorithm="none"), "Unknown algorithm 'none'"),
        (lambda r: podium.plot.scatter(r["forest"]), "two of the 7 algorithms"),
        (lambda r: podium.plot.order_graph(r["forest"]), "no order by cost"),
        (lambda r: podium.plot.cost_plane(r["forest"]), "Costs and gaps come from"),
        (lambda r: podium.plot.comparison_matrix(podium.stats.all_pairs(r["scatter"]), alpha=2), "alpha"),
    ],
)
def test_what_a_result_cannot_show_is_refused(make, sentence, results):
    with pytest.raises(podium.ArgumentError, match=sentence):
        make(results)


@pytest.mark.parametrize("name", sorted(name for name, kind in FIGURES.items() if kind.shows))
def test_a_result_of_another_kind_is_refused_in_a_sentence(name):
    for other in (3, podium.stats.wilcoxon([1.0, 2.0, 3.0], [2.0, 3.0, 5.0])):
        with pytest.raises(podium.PodiumError):
            function(name)(other)


def test_the_refusal_names_the_figures_that_there_are():
    pair = podium.bayes.signed_rank([1.0, 2.0, 3.0], [2.0, 3.0, 5.0], rng=0, draws=200)
    with pytest.raises(
        podium.ArgumentError, match="'rope_matrix' shows results of PairsPosterior; got PairPosterior: its"
    ):
        podium.plot.rope_matrix(pair)
