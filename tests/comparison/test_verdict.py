"""The verdict is true, complete, short, and said as a person would say it: one golden file, limits, and forms refused."""

import re

import numpy as np
import pandas as pd
import pytest

import podium
from comparison.stories import ACCURACY, AUC, NAMES, STORIES, drawn, table, written
from podium.core.metric import Metric
from report.golden import check_golden
from style import refused

ABOUT = """# Verdicts

What Podium says of tables of every kind. `PODIUM_WRITE_GOLDEN=1 python -m pytest tests/comparison/test_verdict.py`
writes this file; read it from top to bottom before it is committed.
"""


@pytest.fixture(scope="module")
def stories():
    return {title: make() for title, make in STORIES.items()}


def words(text):
    return [word for word in text.split() if any(letter.isalnum() for letter in word)]


def test_the_verdicts_are_as_before(stories):
    check_golden(
        "verdicts.md", "\n\n".join([ABOUT, *(written(title, found) for title, found in stories.items())]) + "\n"
    )


def test_a_verdict_is_a_kind_before_it_is_a_sentence(stories):
    from podium.comparison.comparison import Kind
    from podium.comparison.verdict import VERDICTS
    from podium.report.comparison import comparison_data

    assert list(VERDICTS) == list(Kind), "in the order in which they are looked at"
    kinds = {title: found.verdict.kind for title, found in stories.items()}
    assert kinds["The leader is beaten"] == "leader_beaten"
    assert set(Kind) - set(kinds.values()) <= {Kind.NEITHER, Kind.SHARED_FIRST}, "every other kind is told by a story"
    beaten = stories["The leader is beaten"]
    assert comparison_data(beaten)["verdict"]["kind"] == "leader_beaten"
    shared = podium.compare(table(np.tile([[3.0, 2.0, 1.0], [2.0, 3.0, 1.0]], (8, 1)), ["a", "b", "c"]))
    assert shared.verdict.kind is Kind.SHARED_FIRST


def test_a_verdict_is_short(stories):
    for title, found in stories.items():
        first = found.verdict.headline.split(". ")[0]
        assert len(words(first)) <= 30, title
        assert len(words(" ".join(found.verdict.sentences))) <= 90, title


def test_nothing_that_is_said_has_a_form_that_jars(stories):
    for title, found in stories.items():
        said = [written(title, found), found.methods_paragraph, found.summary(), found.facts.sentence()]
        said += [
            result.summary() for result in (found.pairs, found.omnibus, found.practical, found.cost_order) if result
        ]
        assert refused("\n".join(said)) == [], title


def test_every_significant_pair_is_named_where_they_are_few():
    # Demsar (2006), Table 6: the only significant pair does not involve the leader.
    found = STORIES["Demsar (2006), Table 6: AUC of four trees"]()

    assert found.ranking[0].algorithm == "C4.5+m+cf"
    assert "C4.5+m is better than C4.5" in found.verdict.headline
    assert len(found.verdict.pairs) == 1


def test_a_leader_that_is_beaten_is_said_to_be():
    found = STORIES["The leader is beaten"]()

    assert found.verdict.headline == "steady ranks first, yet risky is significantly better than steady."
    assert found.verdict.how_much.startswith("risky's accuracy is 0.9 percentage points higher than steady's")


def test_algorithms_of_the_same_mean_rank_share_the_first_place():
    two = np.array(
        [[0.95, 0.93], [0.97, 0.96], [0.71, 0.78], [0.83, 0.82], [0.95, 0.96], [0.95, 0.97], [0.94, 0.95], [0.9, 0.8]]
    )
    values = np.column_stack([two, two.min(axis=1) - np.linspace(0.1, 0.3, 8)])
    found = podium.compare(table(values, ["svm", "forest", "bayes"]))
    turned = podium.compare(table(values[:, [1, 0, 2]], ["forest", "svm", "bayes"]))

    assert found.ranking[0].mean_rank == found.ranking[1].mean_rank
    assert found.verdict.headline == "svm and forest share first place and both are significantly better than bayes."
    assert turned.verdict.headline == "forest and svm share first place and both are significantly better than bayes."
    assert not any("Though first" in one.verdict.how_much for one in (found, turned))
    few = podium.compare(table(values[[0, 2, 3, 4]], ["svm", "forest", "bayes"]))
    assert few.verdict.headline.endswith("whatever the scores; svm and forest share first place.")


def test_first_places_that_are_shared_name_whoever_is_better():
    steady = STORIES["The leader is beaten"]().table
    places = [steady.algorithms.index("steady"), *range(len(steady.algorithms))]
    values = steady.values[:, places]  # a copy of the leader: equal scores share their ranks
    found = podium.compare(table(values, ["copy", *steady.algorithms]))

    assert {row.algorithm for row in found.ranking[:2]} == {"copy", "steady"}
    assert found.verdict.headline.endswith("share first place, yet risky is significantly better than copy and steady.")


def test_what_never_varies_is_said_in_one_number():
    values = np.column_stack([np.linspace(0.6, 0.9, 9)] * 3) - [0.0, 0.0, 0.1]
    found = podium.compare(table(values, ["svm", "copy", "bayes"]))

    assert found.verdict.how_much == "svm and copy have the same score on every dataset that was compared."
    assert (
        "10.0 percentage points higher accuracy on a typical dataset (simultaneous 95% interval: 10.0 higher)"
        in found.verdict.pairs[0]
    )
    two = podium.compare(table(values[:, [0, 2]], ["svm", "bayes"])).verdict
    assert two.how_much.startswith("With 95% confidence the difference is 10.0 percentage points; of 9 datasets")
    against = podium.compare(table(values, ["svm", "copy", "bayes"]), control="svm").verdict
    assert against.headline == (
        "svm, the control, is significantly better than bayes; copy does not differ significantly from it."
    )


def test_algorithms_that_beat_the_same_ones_share_a_sentence():
    values = np.linspace(0.6, 0.8, 30)[:, None] + np.repeat([0.1, 0.0], [4, 3])
    values = values + np.random.default_rng(3).normal(0, 0.003, values.shape)
    found = podium.compare(table(values, list("abcdxyz"))).verdict

    (sentence,) = found.pairs
    assert set(sentence.split(" are each significantly better than ")[0].replace(" and", ",").split(", ")) == set(
        "abcd"
    )
    control = podium.compare(table(values, list("abcdxyz")), control="a").verdict
    assert control.headline.startswith("a, the control, is significantly better than three of the six (")
    assert control.headline.endswith("); the other three do not differ significantly from it.")


def test_the_only_significant_pair_may_be_skewed():
    gaps = np.exp(np.arange(20) / 3) / 2000
    values = np.column_stack([np.full(20, 0.5) + gaps, np.full(20, 0.5)])
    said = " ".join(remark.sentence for remark in podium.compare(table(values, ["svm", "bayes"])).remarks)

    assert "but those of the only significant pair are clearly skewed" in said


def test_a_ceiling_needs_a_bound():
    near = np.random.default_rng(0).uniform(0.9975, 1.0, size=(20, 3))
    errors = np.abs(near - 1)
    seen = {
        metric: "ceiling" in {remark.topic for remark in podium.compare(table(values, NAMES[:3], metric)).remarks}
        for metric, values in (
            (ACCURACY, near),
            (AUC, 100 * near),
            (Metric(name="error_rate", direction="lower"), errors),
            (Metric(name="rmse", direction="lower"), errors),
            (Metric(name="score", direction="higher"), near),
        )
    }
    assert list(seen.values()) == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("title", "together", "in_pairs"),
    [
        ("All together they differ, but no pair does", True, False),
        ("One pair differs, but not all together", False, True),
    ],
)
def test_all_together_and_in_pairs_may_disagree_and_it_is_explained(stories, title, together, in_pairs):
    found = stories[title]
    said = {remark.topic: remark.sentence for remark in found.remarks}["overall test and pairs"]

    assert (found.omnibus.pvalue <= found.alpha) == together
    assert (found.pairs.adjusted <= found.alpha).any() == in_pairs
    assert "Both can be true" in said


def test_with_a_control_no_correction_for_all_pairs_is_offered():
    found = podium.compare(table(drawn(12, [0.8, 0.8, 0.8], seed=1), NAMES[:3]), control="svm")

    assert not re.search("Shaffer|Bergmann", " ".join(choice.because for choice in found.choices))


def test_a_cost_gives_one_answer():
    found = STORIES["A cost: training time"]()
    best = found.ranking[0].algorithm
    assert found.verdict.headline.endswith(f"not significantly less accurate than {best}, the best.")
    assert f"of {best}'s training time (mean over 38 datasets)" in found.verdict.cost
    assert "<" not in found.cost_order.summary()


def test_differences_below_the_precision_are_no_lead():
    base = drawn(30, [0.85], seed=3)
    values = np.hstack([base, base + np.tile([[0.00001], [-0.00001]], (15, 1)), base - 0.05])
    said = podium.compare(table(values, NAMES[:3])).verdict.how_much

    assert "differ by less than" in said or "do not differ" in said
    assert "higher accuracy" not in said


@pytest.mark.parametrize("test", ["geometric_ratio", "relative_t"])
def test_ratios_and_relative_differences_tell_by_how_much_the_first_exceeds_the_second(test):
    small = np.linspace(1.0, 2.0, 12) * np.tile([0.99, 1.01], 6)
    frame = pd.DataFrame({"half": 0.5 * small, "one": np.linspace(1.0, 2.0, 12), "three": 3 * small[::-1]})
    found = podium.compare(frame.set_axis([f"d{i}" for i in range(12)]), direction="higher", test=test)
    assert "three is better than half" in " ".join(found.verdict.pairs)
    one = next(sentence for sentence in found.verdict.pairs if sentence.startswith("one is better than half"))
    assert "100.0 percent higher" in one
    lower = podium.compare(frame.set_axis([f"d{i}" for i in range(12)]), direction="lower", test=test)
    half = next(sentence for sentence in lower.verdict.pairs if sentence.startswith("half is better than one"))
    assert "50.0 percent lower" in half
    assert "the other way" not in " ".join((*found.verdict.pairs, *lower.verdict.pairs))


def test_the_5x2_t_test_tells_the_difference_on_the_first_fold():
    a, b = np.full((5, 2), 0.9), np.full((5, 2), 0.8) + 0.001 * np.arange(10).reshape(5, 2)
    a[0, 0] = 0.95
    rows = [
        {"dataset": "d", "algorithm": name, "repeat": i, "fold": j, "accuracy": scores[i, j]}
        for name, scores in (("a", a), ("b", b))
        for i, j in np.ndindex(5, 2)
    ]
    found = podium.compare(pd.DataFrame(rows), test="cv5x2_t")
    assert (
        found.verdict.headline == "On d, a is significantly better than b, by 15.0 percentage points on the first fold."
    )
    assert "on average" not in found.verdict.how_much


def test_a_test_without_a_direction_that_rejects_says_that_neither_is_better():
    """The 5x2 cv F test rejects where folds differ much and repeats vary little, also if the means are equal."""
    gaps = np.array([[5, 5], [5, 5], [5, 5], [-5, -5.00001], [-10, -9.99999]]) / 100
    values = np.stack([0.8 + gaps, np.full((5, 2), 0.8), np.full((5, 2), 0.6) + gaps / 10])[None]
    named = {"metric": ACCURACY, "repeats": (0, 1, 2, 3, 4), "folds": (0, 1)}
    scores = podium.Scores(values=values, datasets=("iris",), algorithms=("a", "b", "c"), **named)
    two = podium.compare(scores, algorithms=["a", "b"], test="cv5x2_f")
    assert two.pairs.adjusted[0] < 0.05
    assert two.verdict.kind == "neither"
    assert "do not differ significantly" not in two.summary()
    for found in (two, podium.compare(scores, test="cv5x2_f")):
        assert "difference without a winner" in {remark.topic for remark in found.remarks}


def test_what_the_headline_tells_of_many_is_not_told_again():
    """It names the two that may be as good; below it stands only what it has no room for."""
    rng = np.random.default_rng(2)
    skill = np.array([0.9, 0.8982, *np.linspace(0.85, 0.6, 14)])
    values = skill + 0.01 * rng.standard_normal((40, 16))
    found = podium.compare(values, metric="accuracy")
    assert len([row for row in found.ranking if row.rank_low == 1]) == 2
    assert "significantly better than all but" in found.verdict.headline
    assert not any("scores best" in line or "Could be first" in line for line in found.verdict.pairs)


def test_without_any_interval_none_is_referred_to():
    found = podium.compare([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8]], metric="accuracy")
    assert found.verdict.not_implied[0] == "No significant difference does not mean no difference."


@pytest.mark.parametrize("wins, narrowly", [(20, ", but only narrowly better than b"), (22, "")])
def test_the_headline_of_a_winner_names_those_whose_interval_reaches_0(wins, narrowly):
    passed = np.repeat([[1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1]], [wins, 8, 60, 10], axis=0)
    found = podium.compare(dict(zip("abc", passed.T, strict=True)), unit="case", metric="accuracy")
    assert (found.pairs.pair("a", "b").low <= 0) == bool(narrowly)
    assert found.verdict.headline == f"a is significantly better than each of the other two{narrowly}."


def test_as_many_pairs_are_borderline_in_the_remark_as_in_the_verdict():
    """Scores of few digits have intervals that end at 0, which both count as borderline."""
    found = podium.compare(podium.example("ulas2008"), metric="accuracy")
    (line,) = [line for line in found.verdict.pairs if "borderline" in line]
    (remark,) = [remark.sentence for remark in found.remarks if remark.topic == "intervals and p-values"]
    assert line.startswith("1 of 10 is borderline, as its interval reaches 0: svl over c45")
    assert remark.startswith("The interval of 1 significant pair includes 0.")


def test_pairs_that_are_practically_equivalent_are_named_also_where_they_are_many():
    values = drawn(40, [0.85, 0.8505, 0.851, 0.8515], spread=0.004, seed=7)
    said = podium.compare(table(values, NAMES[:4]), rope=0.01).verdict.how_much
    assert re.search(r"6 of 6 pairs are practically equivalent \((\w+ and \w+; ){3}3 more\) and none is", said)
