"""Cases that do not count alike: the weighted mean against matrices written out, enumeration and statsmodels."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import podium
from podium.cases import all_pairs, by_benchmark
from podium.cases.clusters import clustered_mean, stratified_mean
from podium.cases.single import score_intervals
from podium.cli.main import app
from podium.core.errors import PodiumError
from podium.evidence.cases import as_cases
from refusals import refuses

VALUES = np.array([1, 0, 1, 1, -1, 0, 1, 0, 1, 1, 0, -1.0])
WEIGHTS = np.array([1, 2, 0.5, 3, 1, 1, 2, 0.5, 4, 1, 2, 1.0])
CLUSTER = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4])


def by_matrices(values, weights, cluster, rho):
    """The weighted mean, its standard error and degrees of freedom from whole matrices, with nothing simplified.

    The estimator is a sum of squared linear forms of the values; under the working model its expectation is the variance of
    the mean, and its degrees of freedom are those of Satterthwaite.
    """
    n, groups = len(values), int(cluster.max()) + 1
    f = weights / weights.sum()
    member = (cluster == np.arange(groups)[:, None]).astype(float)
    forms = member * f @ (np.eye(n) - np.outer(np.ones(n), f))  # the weighted sum of the residuals of each cluster
    alike = np.eye(n)
    inflation = np.diag((member * f) @ alike @ (member * f).T) / np.diag(forms @ alike @ forms.T)
    forms = forms * np.sqrt(inflation)[:, None]
    working = (1 - rho) * np.eye(n) + rho * member.T @ member
    expected = forms @ working @ forms.T
    return f @ values, np.sqrt(((forms @ values) ** 2).sum()), np.trace(expected) ** 2 / (expected**2).sum(), forms


@pytest.mark.parametrize("cluster", [CLUSTER, np.arange(12)], ids=["clusters", "cases"])
def test_the_weighted_mean_is_that_of_the_matrices(cluster):
    *expected, forms = by_matrices(VALUES, WEIGHTS, cluster, rho=0.0)
    found = clustered_mean(VALUES, cluster, weights=WEIGHTS, working="independent")
    assert (found.mean, found.error, found.df) == pytest.approx(expected, abs=1e-12)
    # Unbiased if all cases are alike: the expectation of the squared error is the variance of the weighted mean.
    f = WEIGHTS / WEIGHTS.sum()
    assert np.trace(forms @ forms.T) == pytest.approx((f**2).sum(), abs=1e-12)


def test_the_correlation_within_clusters_lowers_the_degrees_of_freedom_as_in_the_matrices():
    values = np.array([1, 1, 1, 1, -1, 0, 1, 0, 0, 1, 0, -1, -1, -1.0])
    cluster = np.array([0, 0, 0, 0, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4])
    weights = np.linspace(0.5, 3, 14)
    expected = by_matrices(values, weights, cluster, rho=0.8416385135)
    found = clustered_mean(values, cluster, weights=weights)
    assert (found.mean, found.error, found.df) == pytest.approx(expected[:3], abs=1e-8)


def test_the_mean_and_its_plain_robust_error_are_those_of_statsmodels():
    """statsmodels 0.15.0: WLS(VALUES, np.ones(12), weights=WEIGHTS).fit(), params and HC0_se; OLS(...).fit().HC2_se.

    HC2 of WLS takes weights for precisions (the variance of a case is 1 / weight); here they say how much a case counts, so
    the correction for few cases is another one, and with equal weights both are the same.
    """
    mean, plain, equal = 0.5, 0.2012770860628731, 0.22473328748774743
    found = clustered_mean(VALUES, np.arange(12), weights=WEIGHTS)
    assert found.mean == pytest.approx(mean, abs=1e-12)
    f = WEIGHTS / WEIGHTS.sum()
    assert np.sqrt((f**2 * (VALUES - mean) ** 2).sum()) == pytest.approx(plain, abs=1e-12)
    assert plain < found.error < 1.2 * plain
    assert clustered_mean(VALUES, np.arange(12)).error == pytest.approx(equal, abs=1e-12)


def test_a_case_of_weight_two_is_not_two_cases():
    """Whole weights give the mean of repeated cases, and a larger error: what was seen once was seen once."""
    times = np.array([1, 2, 1, 3, 1, 1, 2, 1, 4, 1, 2, 1])
    weighted = clustered_mean(VALUES, np.arange(12), weights=times.astype(float))
    repeated = clustered_mean(np.repeat(VALUES, times), np.arange(times.sum()))
    assert weighted.mean == pytest.approx(repeated.mean)
    assert weighted.error > 1.2 * repeated.error
    assert weighted.df < repeated.df


@given(st.floats(0.01, 100), st.integers(0, 2**32 - 1))
def test_equal_weights_say_nothing_and_their_scale_neither(scale, seed):
    random = np.random.default_rng(seed)
    outcomes, weights = (random.random((30, 3)) < [0.8, 0.6, 0.5]).astype(float), random.uniform(0.5, 2, 30)
    plain, equal = all_pairs(outcomes, draws=99), all_pairs(outcomes, weights=np.full(30, scale), draws=99)
    assert equal.method == plain.method == "mid-p"
    np.testing.assert_array_equal(equal.adjusted, plain.adjusted)
    one, other = (all_pairs(outcomes, weights=each, draws=99) for each in (weights, scale * weights))
    np.testing.assert_allclose(one.effect, other.effect, atol=1e-9)
    np.testing.assert_allclose(one.low, other.low, atol=1e-9)
    np.testing.assert_allclose(one.pvalue, other.pvalue, atol=1e-9)


def test_benchmarks_and_weights_together():
    stratum = np.array([0] * 5 + [1] * 7)
    parts = [clustered_mean(VALUES[stratum == b], np.arange((stratum == b).sum()), weights=WEIGHTS[stratum == b]) for b in (0, 1)]  # fmt: skip
    found = stratified_mean(VALUES, stratum, np.arange(12), macro=True, weights=WEIGHTS)
    assert found.mean == pytest.approx(np.mean([part.mean for part in parts]))
    assert found.error == pytest.approx(np.sqrt(sum(part.error**2 for part in parts)) / 2)
    micro = stratified_mean(VALUES, stratum, np.arange(12), macro=False, weights=WEIGHTS)
    assert micro.mean == pytest.approx(np.average(VALUES, weights=WEIGHTS))
    outcomes = as_cases(np.column_stack([VALUES > 0, VALUES < 0]).astype(float), benchmarks=stratum, weights=WEIGHTS)
    macro = all_pairs(outcomes)
    assert macro.effect[0] == pytest.approx(found.mean)
    each = by_benchmark(outcomes, *outcomes.algorithms)
    assert each.effect == pytest.approx([float(part.mean) for part in parts])


def test_few_cases_that_differ_get_two_more_and_few_of_weight_count_as_few():
    """With equal weights this is Bonett and Price's interval; a heavy case that decides makes it wider, never shorter."""
    outcomes = {"a": np.r_[np.ones(9), np.zeros(21)], "b": np.zeros(30)}
    nearly = np.ones(30)
    nearly[-1] = 1 + 1e-6
    plain, close = all_pairs(outcomes), all_pairs(outcomes, weights=nearly)
    # Nearly equal weights give nearly Bonett and Price's interval; Student's law stands in for the normal one.
    assert (close.low[0], close.high[0]) == pytest.approx((plain.low[0], plain.high[0]), abs=0.013)
    assert close.low[0] < plain.low[0] < plain.high[0] < close.high[0]
    heavy = np.ones(30)
    heavy[0] = 10.0
    weighted = all_pairs(outcomes, weights=heavy)
    assert weighted.high[0] - weighted.low[0] > 1.3 * (close.high[0] - close.low[0])


def test_one_accuracy_with_weights():
    """Wilson's interval of as many cases as the robust error speaks of."""
    values = np.r_[np.ones(24), np.zeros(6)][:, None]
    weights = np.r_[np.ones(24), np.full(6, 3.0)]
    score, low, high = score_intervals(as_cases(values, weights=weights))
    assert score[0] == pytest.approx(24 / 42)
    assert 0.3 < low[0] < 24 / 42 < high[0] < 0.8
    one, two = score_intervals(as_cases(values))[1:], (low, high)
    assert two[1][0] - two[0][0] > one[1][0] - one[0][0]


# --- Files and the report --------------------------------------------------------------------------------------------


def long_table(n=40):
    random = np.random.default_rng(3)
    weight = random.choice([0.5, 1, 2, 5], n)
    rows = [
        (who, f"q{i}", int(random.random() < chance), weight[i]) for i in range(n) for who, chance in (("new", 0.9), ("old", 0.4))
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["system", "case", "score", "weight"])


def run(*arguments):
    return CliRunner().invoke(app, ["compare", *map(str, arguments)])


def test_a_long_table_with_a_column_of_weights(tmp_path):
    frame = long_table()
    frame.to_csv(tmp_path / "w.csv", index=False)
    data = json.loads(run(tmp_path / "w.csv", "--json", "-").stdout)
    new = frame[frame["system"] == "new"]
    score = {row["algorithm"]: row["mean_score"] for row in data["ranking"]}["new"]
    assert score == pytest.approx(np.average(new["score"], weights=new["weight"]))
    answers = {choice["question"]: choice for choice in data["choices"]}
    assert (answers["test"]["answer"], answers["mean"]["answer"]) == ("two cases added", "weighted")
    remark = next(r for r in data["remarks"] if r["topic"] == "weights")
    assert "not how often it was seen" in remark["sentence"]
    told = run(tmp_path / "w.csv").stdout
    assert "each case with its own weight" in " ".join(told.split())


def test_a_weighted_comparison_is_repeated_from_its_report(tmp_path):
    long_table().to_csv(tmp_path / "w.csv", index=False)
    run(tmp_path / "w.csv", "--json", tmp_path / "first.json")
    done = CliRunner().invoke(
        app, ["compare", "--from", str(tmp_path / "first.json"), "--json", str(tmp_path / "b.json")]
    )
    assert done.exit_code == 0, done.output
    one, two = (json.loads((tmp_path / name).read_text()) for name in ("first.json", "b.json"))
    assert one["ranking"] == two["ranking"]


def test_predictions_with_weights(tmp_path):
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 60)
    frame = pd.DataFrame({"id": range(60), "y_true": y, "weight": random.uniform(1, 3, 60)})
    frame = frame.assign(
        one=np.where(random.random(60) < 0.8, y, 1 - y), two=np.where(random.random(60) < 0.6, y, 1 - y)
    )
    frame.to_csv(tmp_path / "p.csv", index=False)
    data = json.loads(run(tmp_path / "p.csv", "--truth", "y_true", "--metric", "accuracy", "--json", "-").stdout)
    score = {row["algorithm"]: row["mean_score"] for row in data["ranking"]}["one"]
    assert score == pytest.approx(np.average(frame["one"] == y, weights=frame["weight"]))
    with refuses(PodiumError, "ignore_column"):
        podium.compare(podium.read(tmp_path / "p.csv", truth="y_true", metric="f1"))
    assert run(tmp_path / "p.csv", "--truth", "y_true", "--metric", "f1", "--ignore-column", "weight").exit_code == 0


@pytest.mark.parametrize(
    "weight, said",
    [
        (lambda w: w.where(w.index // 2 != 2, 0.0), r"row 5 below the header has the weight 0.*above 0.*weight > 0"),
        (lambda w: w.where(w.index // 2 != 2, -1.0), "row 5 below the header has the weight -1"),
        (lambda w: w.where(w.index != 4), "row 5 below the header has no weight"),
        (lambda w: w.astype(object).where(w.index != 4, "heavy"), "heavy"),
        (lambda w: w + np.arange(len(w)), "the case 'q0' more than one weight"),
    ],
)
def test_weights_that_are_none(tmp_path, weight, said):
    frame = long_table()
    frame.assign(weight=weight(frame["weight"])).to_csv(tmp_path / "w.csv", index=False)
    with pytest.raises(PodiumError, match=said):
        podium.read(tmp_path / "w.csv")


def test_what_gives_every_case_the_same_weight_refuses_weights(tmp_path):
    cases = as_cases({"a": [1, 0, 1, 1, 0, 1], "b": [0, 0, 1, 1, 1, 0]}, weights=[1, 2, 1, 1, 3, 1])
    for call in (
        lambda: podium.cases.gate(cases, margin=0.1),
        lambda: podium.planning.plan(cases, difference=0.1),
    ):
        with refuses(PodiumError, "ignore_column"):
            call()
    with pytest.raises(PodiumError, match="6 cases, but 2 weights"):
        as_cases({"a": [1] * 6, "b": [0] * 6}, weights=[1, 2])
