"""The guided path: published answers, choices by rules, remarks, and requests that cannot be met."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium.comparison.rules import QUESTIONS, RULES, WHEN, rules_of
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.metric import Metric
from podium.evidence.table import Table
from reference.published import garcia_herrera, hfawaz
from refusals import refuses

# github.com/hfawaz/cd-diagram, example.csv; its picture joins clf1-clf2-clf4 and clf5-clf3 (Wilcoxon, Holm, 0.05).
HFAWAZ_GROUPS = {frozenset({"clf3", "clf5"}), frozenset({"clf4", "clf2", "clf1"})}


def answers(comparison):
    return {choice.question: choice.answer for choice in comparison.choices}


def topics(comparison):
    return {remark.topic for remark in comparison.remarks}


def noise(n, k, *, shift=0.0, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0.4, 0.02, size=(n, k))
    scores[:, 0] += shift
    return pd.DataFrame(scores, index=[f"d{i}" for i in range(n)], columns=[f"a{j}" for j in range(k)])


def compare(data, **options):
    """A comparison of what carries no metric of its own: higher is better."""
    return podium.compare(data, direction="higher", **options)


def test_runs_are_counted_where_their_numbers_differ():
    unequal = {"a": {"x": [1.0, 2.0, 3.0], "y": [1.0, 2.0]}, "b": {"x": [2.0, 2.5, 3.0, 4.0], "y": [3.0, 1.0, 2.0]}}
    found = compare(unequal, unit="run").facts
    assert (found.fewest_runs, found.most_runs, found.runs, found.shared_seeds) == (2, 4, "2 to 4 runs", 0)
    assert (
        compare({name: {"x": [1.0, 2.0, own]} for name, own in (("a", 3.0), ("b", 5.0))}, unit="run").facts.runs
        == "3 runs"
    )


@pytest.mark.parametrize(
    ("alpha", "told"),
    [
        (0.3, "The interval of 1 significant pair includes 0."),
        (0.01, "The interval of 1 non-significant pair excludes 0."),
    ],
)
def test_intervals_of_another_confidence_than_the_level_are_told(alpha, told):
    worse = {
        0.3: [-0.01, -0.02, 0.01, -0.05, -0.02, 0.03, -0.04],
        0.01: [-0.01, -0.02, -0.03, -0.05, -0.02, -0.03, -0.04],
    }
    frame = pd.DataFrame({"a": np.full(7, 0.8), "b": 0.8 + np.array(worse[alpha])}, index=[f"d{i}" for i in range(7)])
    remark = next(r for r in compare(frame, alpha=alpha).remarks if r.topic == "intervals and p-values")
    assert told in remark.sentence
    assert "confidence of 95%" in remark.sentence
    assert "intervals and p-values" not in topics(compare(frame, alpha=alpha, confidence=1 - alpha))


def test_only_the_pairs_on_which_interval_and_p_value_disagree_are_counted():
    """Of six pairs five are significant with an interval beyond 0."""
    worse = np.array([-0.01, -0.02, 0.01, -0.05, -0.02, 0.03, -0.04])
    others = {"c": 0.5 + 0.01 * np.arange(7) ** 1.3, "d": 0.3 + 0.013 * np.arange(7)[::-1]}
    frame = pd.DataFrame({"a": np.full(7, 0.8), "b": 0.8 + worse, **others}, index=[f"d{i}" for i in range(7)])
    found = compare(frame, alpha=0.3, intervals="each")
    remark = next(r for r in found.remarks if r.topic == "intervals and p-values")
    assert remark.sentence.startswith("The interval of 1 significant pair includes 0. The significance level is 0.3,")
    assert "those that go with the level have 70%" in remark.sentence


def test_the_groups_of_the_published_diagram():
    assert {frozenset(group) for group in compare(hfawaz()).groups} == HFAWAZ_GROUPS


def test_bergmann_hommel_retains_the_two_published_pairs():
    # Garcia and Herrera (2008): after Bergmann-Hommel only C4.5 - NaiveBayes and 1NN - CN2 are retained at 0.05.
    frame = garcia_herrera()
    pairs = compare(frame, test="mean_ranks", correction="bergmann_hommel").to_frame()
    retained = {
        frozenset((a, b)) for a, b, p in zip(pairs["a"], pairs["b"], pairs["adjusted"], strict=True) if p > 0.05
    }

    assert retained == {frozenset({"C4.5", "NaiveBayes"}), frozenset({"1NN", "CN2"})}


def test_holes_are_said_and_every_pair_uses_what_it_has():
    found = podium.compare(podium.example("benavoli2016"))

    assert answers(found)["omnibus"] == "skillings_mack"
    assert answers(found)["missing"] == "pairwise"
    assert [hole.cell for hole in found.facts.missing_scores] == [("zoo", f"C{j}") for j in range(1, 7)]
    assert "missing scores" in topics(found)
    assert "pool dependence" in topics(found)
    assert set(found.to_frame()["n"]) == {53}


def test_several_algorithms_without_holes_get_friedman_and_wilcoxon_with_holm():
    found = compare(noise(20, 4, shift=0.05))

    assert answers(found)["omnibus"] == "friedman"
    assert answers(found)["test"] == "wilcoxon"
    assert answers(found)["correction"] == "holm"
    assert found.ranking[0].algorithm == "a0"
    assert found.ranking[0].wins == 3
    assert found.verdict.headline == "a0 is significantly better than each of the other three."


def test_two_algorithms_get_wilcoxon_and_the_sign_test_beside():
    found = compare(noise(15, 2))

    assert answers(found)["omnibus"] == "none"
    assert answers(found)["correction"] == "none"
    assert [type(result).__name__ for result in found.other_tests] == ["PairResult"]
    assert found.pairs.n_pairs == 1


def test_a_control_restricts_the_family():
    found = compare(noise(15, 4), control="a2")

    assert answers(found)["pairs"] == "against the control"
    assert found.pairs.n_pairs == 3
    assert all("a2" in pair for pair in zip(found.to_frame()["a"], found.to_frame()["b"], strict=True))


@pytest.mark.parametrize(("design", "test"), [((5, 2), "corrected_t"), ((10, 10), "corrected_t")])
def test_one_dataset_is_tested_on_its_folds(design, test):
    rng = np.random.default_rng(1)
    scores = podium.Scores(
        values=rng.normal(0.8, 0.02, size=(1, 3, *design)),
        datasets=("only",),
        algorithms=("a", "b", "c"),
        metric=Metric(name="accuracy", direction="higher"),
        repeats=tuple(range(design[0])),
        folds=tuple(range(design[1])),
    )
    found = podium.compare(scores, rope=0.5)

    assert (found.to_frame()["p_rope"] > 0.99).all()  # differences of 0.02 are far within it
    assert answers(found)["test"] == test
    assert found.omnibus is None
    assert "one dataset" in topics(found)


def test_three_datasets_warn_that_nothing_can_be_shown():
    found = compare(noise(3, 4, shift=0.5))

    assert found.remarks[0].topic == "too few datasets"
    assert found.remarks[0].weight == "warning"
    assert "whatever the scores" in found.remarks[0].sentence


def test_equal_scores_give_no_difference_and_one_group():
    found = compare(pd.DataFrame(np.full((8, 3), 0.7), columns=list("abc")), rows="datasets")

    assert (found.to_frame()["adjusted"] == 1).all()
    assert found.groups == (("a", "b", "c"),)
    assert found.verdict.headline.startswith("All three algorithms have the same scores")
    assert "ties" not in topics(found)  # the verdict has said it


def test_the_direction_of_the_metric_decides_who_is_better():
    errors = 1 - noise(20, 3, shift=0.05)
    table = Table(
        values=errors.to_numpy(),
        datasets=tuple(errors.index),
        algorithms=tuple(errors.columns),
        metric=Metric(name="error", direction="lower"),
    )
    found = podium.compare(table)

    assert found.ranking[0].algorithm == "a0"
    assert found.to_frame()["effect"].iloc[0] < 0  # a0 - a1, in errors
    assert re.match(r"a0's error is 0\.0\d+ lower than a\d's", found.verdict.how_much)


def test_a_single_dataset_that_decides_is_named():
    scores = noise(6, 2)
    scores["a0"] = scores["a1"] + [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]
    found = compare(scores)  # p = 2/64 with all six, 2/32 without any of them

    assert "sensitive to one dataset" in topics(found)


def test_families_of_datasets_are_a_warning():
    frame = noise(12, 3)
    table = Table(
        values=frame.to_numpy(),
        datasets=tuple(frame.index),
        algorithms=tuple(frame.columns),
        families=("one",) * 6 + ("two",) * 6,
    )

    assert "dependent datasets" in topics(compare(table))


def test_a_rope_adds_probabilities_of_equivalence():
    found = compare(noise(20, 3), rope=0.05)

    assert ((found.to_frame()[["p_left", "p_rope", "p_right"]].sum(axis=1) - 1).abs() < 1e-9).all()
    assert (found.to_frame()["p_rope"] > 0.9).all()  # differences of 0.03 are within it
    assert "practically equivalent" in found.verdict.how_much


def test_the_probabilities_follow_the_pair_whichever_way_round():
    frame = noise(20, 3, shift=0.2)
    right = compare(frame, control="a1", rope=0.01).to_frame()
    row = right[(right["a"] == "a0") | (right["b"] == "a0")].iloc[0]

    assert row["p_right" if row["a"] == "a0" else "p_left"] > 0.95


def test_costs_add_an_order():
    found = podium.compare(podium.example("ulas2008"), metric="accuracy", cost="space")

    assert found.cost_order.order[-1] == "5nn"


def test_it_can_be_repeated_from_its_own_data():
    found = podium.compare(podium.example("benavoli2016"), control="C4", rope=1.0, correction="hommel")
    again = podium.comparison.reproduce(json.loads(json.dumps(found.repeatable())))

    assert again.verdict == found.verdict
    assert again.ranking == found.ranking
    pd.testing.assert_frame_equal(again.to_frame(), found.to_frame())


def test_a_test_that_draws_follows_the_seed():
    # More than 40 datasets: the signs are drawn. Two calls, and `--from`, gave two p-values.
    first, second = (podium.compare(podium.example("benavoli2016"), test="permutation", rng=1) for _ in range(2))
    assert first.pairs.pvalue.tolist() == second.pairs.pvalue.tolist()
    assert podium.comparison.reproduce(first.repeatable()).pairs.pvalue.tolist() == first.pairs.pvalue.tolist()
    assert (
        podium.compare(podium.example("benavoli2016"), test="permutation", rng=2).pairs.pvalue.tolist()
        != first.pairs.pvalue.tolist()
    )


def test_mean_rank_tests_are_available_and_cautioned():
    found = podium.compare(podium.example("benavoli2016"), test="nemenyi", missing="complete")

    assert answers(found)["correction"] == "built in"
    assert next(r for r in found.remarks if r.topic == "pool dependence").weight == "warning"


@settings(max_examples=8)
@given(st.permutations(range(5)), st.permutations(range(7)))
def test_the_order_of_rows_and_columns_does_not_matter(columns, rows):
    frame = noise(7, 5, shift=0.03, seed=3)
    straight = compare(frame)
    mixed = compare(frame.iloc[list(rows), list(columns)])

    for one in straight.ranking:
        other = next(row for row in mixed.ranking if row.algorithm == one.algorithm)
        assert one.mean_rank == pytest.approx(other.mean_rank)
        assert (one.rank_low, one.rank_high) == (other.rank_low, other.rank_high)
    assert {frozenset(group) for group in straight.groups} == {frozenset(group) for group in mixed.groups}


@pytest.mark.parametrize("unit", QUESTIONS)
def test_every_question_has_a_rule_that_always_fits(unit):
    rules = rules_of(unit)
    assert {rule.question for rule in rules} | {"normalise"} == {*QUESTIONS[unit], "normalise"}
    for question in {rule.question for rule in rules}:
        last = [rule for rule in rules if rule.question == question][-1]
        assert last.when in ("otherwise", "missing cells"), question
        assert not last.used, question


def test_every_condition_is_one_of_a_rule():
    assert {rule.when for rules in RULES.values() for rule in rules} == set(WHEN)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda: compare(noise(9, 3), control="a9"),
            ArgumentError,
            r"Unknown algorithm 'a9'\. Available: 'a0', 'a1', 'a2'\.",
        ),
        (lambda: compare(noise(9, 3), rope=-1), ArgumentError, "must not be negative"),
        (
            lambda: compare(noise(9, 3), metric="accuracy", rope=1),
            ArgumentError,
            r"`rope` must be below 1; got 1.0: 2 percentage points are 0.02",
        ),
        (lambda: compare(noise(9, 3), rope="wide"), ArgumentError, "a number from 0 or 'auto'"),
        (lambda: compare(noise(9, 3), test="cv5x2_f"), DesignError, "folds on one dataset"),
        (lambda: compare(noise(9, 3), test="anova"), ArgumentError, "`test` must be"),
        (lambda: compare(noise(9, 3), omnibus="wilcoxon"), ArgumentError, "`omnibus` must be"),
        (lambda: compare(noise(9, 3), correction="hulm"), ArgumentError, "holm"),
        (lambda: compare(noise(9, 3), test="nemenyi", control="a1"), ArgumentError, "leave out `control`"),
        (lambda: compare(noise(9, 3), test="dunnett"), ArgumentError, "name it with `control`"),
        (lambda: compare(noise(1, 3)), DesignError, "nothing to test"),
        (lambda: compare(noise(9, 1)), DataError, "at least 2 algorithms"),
        (lambda: compare(noise(9, 3), alpha=1), ArgumentError, "strictly between 0 and 1"),
        (
            lambda: compare(noise(9, 3), missing="wrong"),
            ArgumentError,
            "'pairwise' or 'complete' for scores over datasets; got 'wrong': that is for outcomes of test cases",
        ),
        (lambda: compare(noise(9, 3), missing="drop"), ArgumentError, "'pairwise' or 'complete'"),
    ],
)
def test_impossible_requests_are_one_sentence(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_an_algorithm_without_any_score_is_named():
    frame = noise(9, 3)
    frame["a1"] = np.nan
    with refuses(DataError, "ignore_column"):
        compare(frame)


def test_all_algorithms_without_any_score_are_named_at_once_with_the_option_that_leaves_them_out():
    long = noise(9, 4).rename_axis("dataset").reset_index().melt("dataset", var_name="model", value_name="accuracy")
    long.loc[long.model.isin(["a1", "a3"]), "accuracy"] = np.nan
    with refuses(DataError, "algorithms"):
        podium.compare(long)
    assert podium.compare(long, algorithms=["a0", "a2"]).facts.n_algorithms == 2
    long.loc[long.model == "a2", "accuracy"] = np.nan
    with pytest.raises(DataError, match=r"have no score at all: give scores\.$"):
        podium.compare(long)


@pytest.mark.parametrize("alpha", [1e-17, 1e-300])
def test_the_smallest_levels_are_compared_at(alpha):
    """1 - alpha is 1, of which the normal distribution of Python has no quantile."""
    generator = np.random.default_rng(3)
    frame = pd.DataFrame(generator.uniform(size=(12, 3)), columns=list("abc"), index=[f"d{i}" for i in range(12)])
    assert (compare(frame, metric="accuracy", alpha=alpha).pairs.adjusted > alpha).all()
