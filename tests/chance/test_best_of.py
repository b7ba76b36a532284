"""Critical values and pvalues against what Forman and Cohen (2005) printed, and against exact fractions."""

import csv
from fractions import Fraction
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.chance.best_of import best_of, single_level

KDD_CUP = {"positives": 150, "negatives": 484, "competitors": 114, "alpha": 0.01}


@pytest.mark.parametrize(
    "metric, exact, printed",
    # The paper's example (section 1); the exact values: best accuracy by reflection, the others by counting.
    [("best_accuracy", "491/634", 0.77445), ("auc", "21811/36300", 0.60085), ("best_f1", "131/310", 0.42258)],
)
def test_kdd_cup_2001(metric, exact, printed):
    found = podium.chance.critical_value(metric, **KDD_CUP)
    assert found.exact == exact
    assert found.fraction == Fraction(exact)
    assert round(found.critical_value, 5) == printed
    assert found.p_above <= single_level(0.01, 114) < found.p_at_least


def test_kdd_cup_2001_top_ten():
    assert podium.chance.critical_value("tp10", **KDD_CUP).critical_value == 8


def printed_tables():
    """{(metric, competitors): [(positives, negatives, printed value)]} of appendix B."""
    tables = {}
    text = files("podium").joinpath("data/forman2005/critical_values_alpha01.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        cells = tables.setdefault((row["metric"], int(row["competitors"])), [])
        cells.append((int(row["positives"]), int(row["negatives"]), Fraction(row["critical_value"])))
    return tables


# How many of the 361 cells agree with the exact value rounded to three decimals, halves either way. The rest is the
# noise of the authors' ten million repetitions: largest for many competitors.
AGREEING = {
    ("best_accuracy", 10): 360,
    ("best_accuracy", 100): 355,
    ("best_accuracy", 1000): 335,
    ("auc", 10): 329,
    ("auc", 100): 272,
    ("auc", 1000): 154,
    ("best_f1", 10): 353,
    ("best_f1", 100): 319,
    ("best_f1", 1000): 266,
}


@pytest.mark.parametrize("metric, competitors", AGREEING)
def test_the_nine_printed_tables(metric, competitors):
    cells = printed_tables()[metric, competitors]
    level = single_level(0.01, competitors)
    agreeing = 0
    for P, N, printed in cells:
        exact = podium.chance.null_distribution(metric, positives=P, negatives=N).critical(level).exact
        agreeing += abs(exact - printed) <= Fraction(5, 10_000)
    assert len(cells) == 361
    assert agreeing == AGREEING[metric, competitors]


@pytest.mark.parametrize(
    "metric, competitors, P, N, exact",
    # Cells where the printed tables are off: .750, .756, .775, .279 and .259 (a likely misprint).
    [
        ("best_accuracy", 1000, 40, 40, Fraction(61, 80)),
        ("best_accuracy", 1000, 40, 50, Fraction(67, 90)),
        ("best_f1", 1000, 20, 1000, Fraction(2, 7)),
    ],
)
def test_cells_that_the_paper_has_wrong(metric, competitors, P, N, exact):
    found = podium.chance.critical_value(metric, positives=P, negatives=N, competitors=competitors, alpha=0.01)
    assert found.fraction == exact


def test_other_cells_that_the_paper_has_wrong():
    value = podium.chance.critical_value("auc", positives=20, negatives=400, competitors=1000, alpha=0.01)
    assert round(value.critical_value, 4) == 0.7711
    value = podium.chance.critical_value("best_f1", positives=70, negatives=700, competitors=100, alpha=0.01)
    assert round(value.critical_value, 5) == 0.25749


def test_a_tail_equal_to_alpha_is_not_above_it():
    # 1 of 20 rankings of 3 + 3 is perfect: P(AUC > 8/9) = 0.05 exactly, so 8/9 is the critical value at 5 %.
    found = podium.chance.critical_value("auc", positives=3, negatives=3, alpha=0.05)
    assert found.fraction == Fraction(8, 9)
    assert podium.chance.critical_value("auc", positives=3, negatives=3, alpha=0.0499).fraction == 1
    # Two competitors at 1 - 0.95^2 have the same single level.
    assert podium.chance.critical_value(
        "auc", positives=3, negatives=3, competitors=2, alpha=0.0975
    ).fraction == Fraction(8, 9)


def test_pvalue_of_the_critical_value_is_above_alpha_and_of_the_next_score_is_not():
    for metric in ("auc", "best_accuracy", "best_f1", "tp10", "mcc", "youden"):
        found = podium.chance.critical_value(metric, **KDD_CUP)
        law = podium.chance.null_distribution(metric, positives=150, negatives=484)
        larger = law.after(law.locate(found.critical_value))
        rest = {"positives": 150, "negatives": 484, "competitors": 114}
        assert podium.chance.pvalue(metric, found.critical_value, **rest).pvalue > 0.01
        assert podium.chance.pvalue(metric, larger.value, **rest).pvalue == pytest.approx(found.p_best_above, rel=1e-9)
        assert found.p_best_above <= 0.01


def test_no_score_can_be_significant_on_tiny_test_sets():
    found = podium.chance.critical_value("auc", positives=2, negatives=3, competitors=10)
    assert (found.critical_value, found.p_above) == (1.0, 0.0)
    assert "no value of AUC can be significant" in found.summary()


@given(st.floats(1e-12, 0.999), st.integers(1, 10**6))
def test_single_level_and_best_of_are_inverse(alpha, competitors):
    assert best_of(single_level(alpha, competitors), competitors) == pytest.approx(alpha, rel=1e-9)


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 1000), st.sampled_from(["auc", "best_f1", "youden"]))
def test_more_competitors_never_lower_the_critical_value(P, N, competitors, metric):
    few = podium.chance.critical_value(metric, positives=P, negatives=N, competitors=competitors)
    more = podium.chance.critical_value(metric, positives=P, negatives=N, competitors=2 * competitors)
    assert few.critical_value <= more.critical_value
    assert few.p_above <= single_level(0.05, competitors) * (1 + 1e-12)


@given(st.integers(1, 40), st.integers(1, 40))
def test_accuracy_auc_youden_and_mcc_are_symmetric_in_the_classes(P, N):
    for metric in ("best_accuracy", "auc", "youden", "mcc", "gmean", "kappa"):
        one = podium.chance.critical_value(metric, positives=P, negatives=N, competitors=5)
        other = podium.chance.critical_value(metric, positives=N, negatives=P, competitors=5)
        assert one.exact == other.exact
        assert one.p_above == pytest.approx(other.p_above, rel=1e-11)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ({"positives": 0}, "`positives` must be an integer from 1"),
        ({"negatives": 0}, "`negatives` must be an integer from 1"),
        ({"alpha": 1.0}, "`alpha` must lie strictly between 0 and 1"),
        ({"competitors": 0}, "`competitors` must be an integer from 1"),
        ({"metric": "tp11"}, "`n` of tp11 must not exceed the 10 test cases"),
        ({"metric": "acuracy"}, "Unknown chance metric 'acuracy'"),
        ({"metric": 3}, "`metric` must be a name"),
        ({"metric": "best_f0"}, "must lie above 0"),
    ],
)
def test_bad_arguments_are_refused_in_one_sentence(arguments, sentence):
    with pytest.raises(podium.ArgumentError) as error:
        podium.chance.critical_value(**{"metric": "auc", "positives": 5, "negatives": 5, **arguments})
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    "metric, score, sentence",
    [
        ("auc", 1.2, "must lie from 0 to 1"),
        ("best_accuracy", 0.4, "must lie from 0.5 to 1"),
        ("auc", 0.66, "the nearest attainable is 0.64 (16/25)"),
        ("auc", float("nan"), "`score` must be a finite number"),
        ("best_f1", 0.85, "the nearest attainable is 0.8333333333333334 (5/6)"),
        ("mcc", 0.656, "the nearest attainable is 0.6546536707079771 (sqrt(3/7))"),
    ],
)
def test_scores_that_no_ranking_has_are_refused_with_the_nearest(metric, score, sentence):
    with pytest.raises(podium.ArgumentError) as error:
        podium.chance.pvalue(metric, score, positives=5, negatives=5)
    assert sentence in str(error.value)


def test_unattainable_scores_may_be_rounded_on_request():
    sizes = {"positives": 5, "negatives": 5}
    assert podium.chance.pvalue("auc", 0.67, unattainable="nearest", **sizes).fraction == Fraction(17, 25)
    assert podium.chance.pvalue("auc", 0.67, unattainable="below", **sizes).fraction == Fraction(16, 25)
