"""Ropes, exact tests, contests and careful remarks of comparisons on the same cases."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.evidence.cases import as_cases
from refusals import refuses


def outcomes(n=150, chances=(0.6, 0.62, 0.85), seed=1):
    rng = np.random.default_rng(seed)
    drawn = 0.5 * rng.random((n, 1)) + 0.5 * rng.random((n, len(chances))) < chances
    return pd.DataFrame(drawn.astype(int), columns=list("abcdefgh")[: len(chances)])


def remark(found, topic):
    return next((remark.sentence for remark in found.remarks if remark.topic == topic), None)


def test_a_rope_gives_probabilities_and_equivalence():
    found = podium.compare(outcomes(), unit="case", rope=0.05)
    assert found.choice("practical") == "dirichlet"
    frame = found.to_frame()
    assert np.allclose(frame["p_left"] + frame["p_rope"] + frame["p_right"], 1)
    assert "too small to matter" in found.methods_paragraph
    (tests,) = found.other_tests
    assert tests.alpha == 0.05
    assert "practically" in str(found.verdict)
    again = tests.pair("c", "a")
    assert again.low[0] == pytest.approx(-tests.pair("a", "c").high[0])


def test_two_that_agree_are_shown_to_be_equivalent():
    data = outcomes(400, (0.7,))
    data["b"] = data["a"]
    data.loc[:2, "b"] = 1 - data.loc[:2, "b"]
    found = podium.compare(data, unit="case", rope=0.05)
    assert found.other_tests[0].equivalent.tolist() == [1.0]
    assert "equivalent within 0.05" in found.other_tests[0].summary()
    assert "practically equivalent" in found.verdict.headline
    assert podium.compare(data, unit="case", rope=0.001).other_tests[0].equivalent.tolist() == [0.0]


def test_the_direction_of_the_metric_is_kept():
    rng = np.random.default_rng(3)
    losses = pd.DataFrame({"good": rng.normal(1, 0.2, 60), "bad": rng.normal(2, 0.2, 60)})
    cases = as_cases(losses, metric=podium.Metric(name="loss", direction="lower"))
    found = podium.compare(cases, rope=0.1)
    assert found.practical.pair("good", "bad").p_right > 0.99
    assert found.other_tests[0].pair("good", "bad").not_worse.tolist() == [1.0]
    assert found.other_tests[0].pair("bad", "good").not_worse.tolist() == [0.0]


def test_benchmarks_have_the_hierarchical_model_beside():
    data = as_cases(outcomes(120, (0.5, 0.8)), benchmarks=np.repeat(["x", "y", "z"], 40))
    found = podium.compare(data, rope=0.02)
    assert [type(result).__name__ for result in found.other_tests] == ["CaseEquivalence", "PairPosterior"]
    assert found.other_tests[1].n == 3
    told = found.other_tests[1].summary()
    assert "on benchmarks like these" in told
    assert "On the next benchmark" in told
    assert "dataset" not in told


def test_a_rope_must_be_a_number():
    with refuses(ArgumentError, "rope"):
        podium.compare(outcomes(), unit="case", rope="auto")


def test_exact_is_mcnemars_exact_test():
    data = outcomes(60, (0.6, 0.75))
    found = podium.compare(data, unit="case", exact=True)
    assert found.choice("test") == "mcnemar exact"
    assert found.pairs.pvalue[0] == podium.cases.all_pairs(data, exact=True).pvalue[0]
    assert "exact test" in found.methods_paragraph
    assert podium.compare(data, unit="case").pairs.method == "mid-p"


def contest(strengths=(0.2, 0.8, 1.5, 1.6), n=80):
    rng = np.random.default_rng(1)
    truth = (rng.random(n) < 0.4).astype(int)
    scores = rng.normal(size=(n, len(strengths))) + truth[:, None] * np.array(strengths)
    return pd.DataFrame(scores, columns=list("wxyz")[: len(strengths)]), truth


def test_a_contest_in_one_answer():
    scores, truth = contest()
    found = podium.compare(scores, truth=truth, metric="auc")
    assert "is significantly better than the best of 4 random rankings of the cases (p" in found.verdict.certainty
    luck = podium.chance.chance_test(truth, {name: scores[name] for name in scores}, metric="auc")
    assert found.other_tests[-1].pvalue == luck.pvalue


def test_a_contest_that_luck_could_win():
    scores, truth = contest(strengths=(0.0, 0.1, 0.0), n=40)
    found = podium.compare(scores, truth=truth, metric="auc")
    assert "not significantly better than the best of 3 random rankings" in found.verdict.certainty


def test_remarks_say_where_intervals_are_short():
    scores, truth = contest()
    assert "25 cases" in remark(podium.compare(scores, truth=truth, metric="auc"), "few cases of one class")
    easy = pd.DataFrame({"a": [1] * 29 + [0], "b": [1] * 20 + [0] * 10})
    assert remark(podium.compare(easy, unit="case"), "few failures").startswith("a has fewer than 10 failures")
    skewed = np.exp(np.random.default_rng(2).normal(size=(15, 2)) * [1.5, 0.2])
    found = podium.compare(as_cases(pd.DataFrame(skewed, columns=["a", "b"])))
    assert "15 cases skew cannot be detected" in remark(found, "few cases")
    many = np.exp(np.random.default_rng(2).normal(size=(50, 2)))
    found = podium.compare(as_cases(pd.DataFrame(many, columns=["a", "b"])))
    assert "one that hits fewer than 5.8% of them may be" in remark(found, "unseen failures")
    assert remark(podium.compare(outcomes()[["a", "b"]], unit="case"), "few failures") is None


@pytest.mark.parametrize(
    "truth, predicted, metric, words",
    [
        (["a", "b", "a", "b"], {"x": ["a", "b", "c", "b"], "y": ["a", "a", "a", "b"]}, "accuracy", None),
        (
            ["a", "b", "a", "b"],
            {"x": ["c", "d", "c", "d"], "y": ["a", "a", "a", "b"]},
            "accuracy",
            "no label in common",
        ),
        ([1, 0, 1, 0], {"x": [0.2, 1.4, 0.1, 0.3], "y": [0.2, 0.4, 0.1, 0.3]}, "brier", "the probability 1.4"),
        ([1, 1, 1, 1], {"x": [0.2, 0.4, 0.1, 0.3], "y": [0.2, 0.4, 0.1, 0.3]}, "auc", "one class only"),
        ([1, 0, 1, 0], {"x": [0.5] * 4, "y": [0.5] * 4}, "auc", None),
        ([1, 0, 1, 0], {"x": [1, 1, 1, 1], "y": [1, 1, 1, 1]}, "f1", None),
        ([1, 0, 1, 0], {"x": [0.2, None, 0.1, 0.3], "y": [0.2, 0.4, 0.1, 0.3]}, "auc", "no prediction for case"),
    ],
)
def test_bad_input_is_a_sentence_or_a_right_result(truth, predicted, metric, words):
    def compared():
        return podium.compare(pd.DataFrame(predicted), truth=np.array(truth), metric=metric)

    if words is not None:
        with pytest.raises((DataError, ArgumentError), match=words):
            compared()
        return
    found = compared()
    assert found.pairs.adjusted[0] > 0.05
    assert found.pairs.low[0] < found.pairs.high[0]


def test_cases_given_twice_are_refused_and_identical_systems_are_named():
    with pytest.raises(DataError, match="more than once"):
        as_cases(pd.DataFrame({"a": [1, 0], "b": [1, 1]}, index=["q1", "q1"]))
    data = outcomes(30, (0.7, 0.6))
    data["copy"] = data["a"]
    assert "a and copy" in remark(podium.compare(data, unit="case"), "identical algorithms")


@pytest.mark.parametrize("truth", [None, "y"])
def test_a_rope_as_wide_as_the_range_is_refused(truth):
    frame = pd.DataFrame({"y": [0, 1] * 20, "a": [0, 1, 1, 1] * 10, "b": [0, 1, 0, 0] * 10})
    given = {"unit": "case"} if truth is None else {"truth": "y", "metric": "auc"}
    with refuses(podium.ArgumentError, "rope"):
        podium.compare(frame.drop(columns="y") if truth is None else frame, rope=1, **given)
