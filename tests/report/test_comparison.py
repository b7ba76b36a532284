"""Real comparisons of every shape: each becomes a document that every renderer renders."""

import json

import numpy as np
import pandas as pd
import pytest

import podium
from podium.comparison.compare import compare
from podium.evidence._overview import overview
from podium.report.comparison import key_numbers
from podium.report.documents import document
from podium.report.render_html import read_embedded, render_html
from podium.report.render_json import render_csv, render_json
from podium.report.render_latex import latex_files
from podium.report.render_markdown import render_markdown
from podium.report.render_text import render_text


def table(n_datasets, n_algorithms, *, seed=1):
    rng = np.random.default_rng(seed)
    values = 0.8 + 0.05 * rng.standard_normal((n_datasets, n_algorithms)) - 0.03 * np.arange(n_algorithms)
    names = [f"algorithm {j}" for j in range(n_algorithms)]
    return pd.DataFrame(values, columns=names, index=[f"data {i}" for i in range(n_datasets)])


def holes():
    made = table(20, 4)
    made.iloc[3, 1] = np.nan
    return made


def folds():
    rng = np.random.default_rng(3)
    rows = [
        (name, "only", repeat, fold, "accuracy", 0.8 + 0.02 * j + 0.03 * rng.standard_normal())
        for j, name in enumerate("abc")
        for repeat in range(10)
        for fold in range(10)
    ]
    return podium.read(pd.DataFrame(rows, columns=["algorithm", "dataset", "repeat", "fold", "metric", "value"]))


CASES = {
    "one dataset": (folds, {}),
    "two": (lambda: table(12, 2), {}),
    "several": (lambda: table(20, 5), {}),
    "control": (lambda: table(20, 5), {"control": "algorithm 2"}),
    "rope": (lambda: table(15, 3), {"rope": 0.01}),
    "missing_scores": (holes, {}),
    "three datasets": (lambda: table(3, 4), {}),
    "all equal": (lambda: table(10, 4) * 0 + 0.5, {}),
    "costs": (lambda: podium.example("ulas2008"), {"cost": "space"}),
}


@pytest.fixture(scope="module", params=CASES)
def made(request):
    data, settings = CASES[request.param]
    found = data()
    return compare(found, **settings, **({} if isinstance(found, podium.Results) else {"direction": "higher"}))


def test_every_format_is_made(made):
    report = document(made)
    assert render_text(report, width=80)
    assert render_markdown(report)
    assert latex_files(report)["report.tex"]
    assert render_csv(report.tables()["pairs"]).count("\r\n") == made.pairs.n_pairs + 1
    page = render_html(report)
    assert {"reading": None, **read_embedded(page)} == {**json.loads(render_json(report)), "reading": None}


def test_the_verdict_comes_first_and_the_bibliography_has_the_correction(made):
    report = document(made)
    assert report.sections[0].key == "verdict"
    assert report.sections[0].blocks[0].items == made.verdict.sentences
    if made.choice("correction") == "holm":
        assert "holm1979" in report.references


def test_the_pairs_are_all_there_the_leader_against_each_first_then_the_closest(made):
    block = document(made).tables()["pairs"]
    keys = [column.key for column in block.columns]
    a, b, effect = (keys.index(key) for key in ("a", "b", "effect"))
    assert len(block.rows) == made.pairs.n_pairs
    if made.pairs.n_pairs > 1 and made.facts.control is None:
        leader, *others = [row.algorithm for row in made.ranking]
        assert [row[b] for row in block.rows[: len(others)]] == others
        assert {row[a] for row in block.rows[: len(others)]} == {leader}
        rest = [abs(row[effect] - made.pairs.neutral) for row in block.rows[len(others) :]]
        assert rest == sorted(rest)


@pytest.mark.parametrize(("metric", "sign"), [("accuracy", 1), ("error", -1)])
def test_the_tests_beside_name_the_two_algorithms_and_keep_the_units_of_the_metric(metric, sign):
    scores = table(15, 2).rename(columns={"algorithm 0": "tree", "algorithm 1": "forest"})
    found = compare(scores, metric=metric, rope=0.05)
    signs, equal = found.other_tests
    text = " ".join(render_text(document(found)).split())
    assert "For comparison: The sign test of tree and forest on 15 pairs" in text
    assert "of x and y" not in text
    assert "wins, ties, losses of x" not in text
    differences = scores["tree"] - scores["forest"]
    assert signs.effect == pytest.approx(differences.median())
    assert signs.low <= signs.effect <= signs.high
    assert signs.wins == (sign * differences > 0).sum()
    plain = podium.stats.equivalence(scores["tree"], scores["forest"], rope=0.05, test="wilcoxon")
    for name in ("above_lower", "below_upper"):
        assert equal.details[name] == pytest.approx(plain.details[name])
    assert (equal.low, equal.high, equal.pvalue) == pytest.approx((plain.low, plain.high, plain.pvalue))


def test_means_are_over_the_datasets_that_all_have_in_show_and_compare_alike():
    scores = table(20, 4)
    scores.iloc[:6, 1] = np.nan
    found = compare(scores, metric="accuracy")
    whole = scores.dropna()
    assert {row.algorithm: row.mean_score for row in found.ranking} == pytest.approx(whole.mean().to_dict())
    assert {row.datasets for row in found.ranking} == {14}
    assert "Means are over the 14 datasets that all have." in document(found).tables()["ranking"].note
    shown = overview(podium.read(scores, metric="accuracy").scores())
    assert dict(zip(shown.algorithms, shown.mean_ranks, strict=True)) == pytest.approx(
        {row.algorithm: row.mean_rank for row in found.ranking}
    )


def test_where_few_datasets_are_complete_each_mean_says_on_how_many_it_rests():
    scores = table(20, 4)
    for column in range(4):
        scores.iloc[4 * column : 4 * column + 4, column] = np.nan
    scores.iloc[16, 0] = np.nan
    block = document(compare(scores, metric="accuracy")).tables()["ranking"]
    place = [column.key for column in block.columns].index("datasets")
    assert sorted(row[place] for row in block.rows) == [15, 16, 16, 16]
    assert "Each mean is over the datasets that its algorithm has" in block.note


def test_the_key_figures_answer_what_the_sentences_do_not_say():
    keys = dict(key_numbers(compare(table(20, 4), metric="accuracy")).items)
    assert "0.05" not in keys
    assert any("likely to be found" in text for text in keys.values())
