"""The gate: golden values, exact rates against enumeration, bounds against scipy, properties, policies, refusals."""

import dataclasses
import itertools
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import podium
from podium.cases import gate
from podium.cases.anytime import SequenceMeans
from podium.cases.gate_kernels import (
    KNOWN,
    GateDesign,
    IntervalMeans,
    TangoMeans,
    answer_of,
    answers_of_rows,
    effective_counts,
    exact_rates,
    judge,
    judge_counts,
)
from podium.cases.gate_result import GateResult
from podium.cases.predictions import as_predictions
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric
from podium.evidence.cases import Cases
from refusals import refuses

ACCURACY = Metric(name="accuracy", direction="higher")


def outcomes(b, c, n):
    """n cases, b that only the candidate passes and c that only the baseline does."""
    same = n - b - c
    return {"old": [0] * b + [1] * c + [1] * same, "new": [1] * b + [0] * c + [1] * same}


def design(kind, cluster, **asked):
    """Cases of one benchmark in these clusters."""
    return GateDesign(kind=kind, cluster=cluster, benchmark=np.zeros(len(cluster), dtype=int), **asked)


def sides_of(differences, asked):
    """What the gate says of one row of differences."""
    judged = judge(np.asarray(differences)[None], asked)
    low, high = judged.means.ends(2 * asked.alpha)
    pvalues = {"not_worse_pvalue": judged.means.p_above(-asked.margin)[0], "worse_pvalue": judged.means.p_below(0.0)[0]}
    return SimpleNamespace(gain=judged.gain[0], low=low[0], high=high[0], **pvalues)


def pass_fail_sides(b, c, n, *, margin, alpha):
    """b cases that only the candidate passes and c that only the baseline does."""
    return sides_of(
        np.repeat([1.0, -1.0, 0.0], [b, c, n - b - c]), design("pass_fail", np.arange(n), margin=margin, alpha=alpha)
    )


def sequence(rows):
    """Rows of gains that are looked at after every case."""
    return SequenceMeans(sums=np.atleast_2d(rows), sizes=np.ones(np.shape(rows)[-1]))


# Computed by two independent routes: exit codes at the one-sided level 0.05.
@pytest.mark.parametrize(
    "b, c, n, margin, code",
    [
        (3, 4, 200, 0.05, 0),
        (3, 14, 200, 0.05, 1),
        (6, 9, 200, 0.02, 3),
        (0, 0, 52, 0.05, 0),
        (0, 0, 51, 0.05, 3),
        (40, 45, 2000, 0.02, 0),
    ],
)
def test_golden_exit_codes(b, c, n, margin, code):
    assert gate(outcomes(b, c, n), margin=margin).exit_code == code


def test_the_share_of_open_answers():
    """Exact values for discordance 0.1: P(cannot tell | nothing changed) .83, .51, .00 at margin .05; .55, .07 at .02."""
    found = [exact_rates(n, apart=0.1, gain=0, margin=0.05)[2] for n in (30, 100, 500)]
    found += [exact_rates(n, apart=0.1, gain=0, margin=0.02)[2] for n in (500, 2000)]
    assert np.round(found, 2).tolist() == [0.83, 0.51, 0.0, 0.55, 0.07]


@pytest.mark.parametrize("margin", [0.02, 0.05])
@pytest.mark.parametrize("n", [30, 100, 500])
def test_exact_error_rates(n, margin):
    """Both errors are at most .052 for every share of disagreements from .05 to .40."""
    for apart in (0.05, 0.1, 0.2, 0.4):
        assert exact_rates(n, apart=apart, gain=-margin, margin=margin)[0] <= 0.0515
        assert exact_rates(n, apart=apart, gain=0.0, margin=margin)[1] <= 0.0525


def test_the_largest_exact_error_rates_are_those_of_the_page():
    """8.0% on 20 cases and 7.2% from 50 on, where all disagreements have one side: 0 of them pass from this margin on."""
    for n, most in ((20, 0.080), (50, 0.072)):
        smallest = (1 + 1e-9) * 2.7055435 / (n + 2.7055435)
        assert most - 0.001 <= exact_rates(n, apart=smallest, gain=-smallest, margin=smallest)[0] <= most + 0.0005
        for margin in (0.02, 0.05, 0.12, 0.2):
            for apart in (margin, margin + 0.01, 0.4, 1.0):
                assert exact_rates(n, apart=apart, gain=-margin, margin=margin)[0] <= most
                assert exact_rates(n, apart=apart, gain=0.0, margin=margin)[1] <= most


def test_exact_rates_are_the_sum_over_all_tables():
    n, apart, gain, margin = 9, 0.5, -0.2, 0.3
    chances = (apart + gain) / 2, (apart - gain) / 2
    expected = dict.fromkeys(GateResult.EXIT_CODES, 0.0)
    for b, c in itertools.product(range(n + 1), repeat=2):
        if b + c <= n:
            sides = pass_fail_sides(b, c, n, margin=margin, alpha=0.05)
            weight = stats.multinomial.pmf([b, c, n - b - c], n, [*chances, 1 - apart])
            expected[answer_of(sides.not_worse_pvalue, sides.worse_pvalue, 0.05)] += weight
    assert exact_rates(n, apart=apart, gain=gain, margin=margin).tolist() == pytest.approx(list(expected.values()))


@pytest.mark.parametrize(
    "margin, apart, needed",
    [(0.05, 0.05, 124), (0.05, 0.1, 248), (0.05, 0.2, 495), (0.02, 0.1, 1546), (0.02, 0.4, 6183)],
)
def test_cases_that_would_tell(margin, apart, needed):
    """(z + z)^2 discordance / margin^2 by the normal law, and more where the exact power is less than 80%."""
    n = 20 if apart >= 0.1 else 40
    each = round(apart * n / 2)
    found = gate(outcomes(each, each, n), margin=margin)
    cases = found.checks[0].cases_needed
    assert found.answer == "cannot tell"
    assert needed <= cases <= 1.4 * needed
    assert f"About {cases:,} cases would tell" in found.summary()
    assert exact_rates(cases, apart=apart, gain=0, margin=margin)[0] == pytest.approx(0.81, abs=0.025)


@pytest.mark.parametrize(
    "better, worse, n, margin", [(3, 31, 600, 0.05), (12, 8, 200, 0.03), (30, 30, 900, 0.01), (0, 0, 300, 0.05)]
)
def test_the_drop_that_is_called_worse_takes_the_margin_into_account(better, worse, n, margin):
    """Drawn 3,000 times with that drop, the gate says "worse" in 80%: behind is shown, and the margin is not ruled out."""
    drop = gate(outcomes(better, worse, n), margin=margin).checks[0].detectable_drop
    apart = max((better + worse or 2) / n, drop)
    chances = [(apart - drop) / 2, (apart + drop) / 2, 1 - apart]
    b, c, _ = np.random.default_rng(1).multinomial(n, chances, size=3000).T
    called = judge_counts(b, c, n).answers(margin, 0.05)[1]
    assert called.mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("n, margin", [(80, 0.1), (150, 1.0)])
def test_the_drop_of_numbers_that_is_called_worse(n, margin):
    rng = np.random.default_rng(2)
    differences = rng.normal(size=n)
    differences /= differences.std(ddof=1)
    drop = gate({"a": np.zeros(n), "b": 3 + differences}, margin=margin).checks[0].detectable_drop
    asked = design("numeric", np.arange(n), margin=margin)
    worse = answers_of_rows(rng.normal(-drop, 1, size=(2000, n)), asked)[1]
    assert worse.mean() == pytest.approx(0.8, abs=0.08)  # found in 200 runs that are drawn from the differences


@pytest.mark.parametrize("n, zeros", [(12, 0), (40, 30), (12, 12)])
def test_what_is_said_of_values_with_a_range_is_what_the_gate_does(n, zeros):
    """Values between 0 and 1: the power is that of the rule with a case added at the end, and so many cases do tell."""
    rng = np.random.default_rng(3)
    differences = np.where(np.arange(n) < zeros, 0.0, rng.normal(-0.01, 0.03, n))
    one = gate({"a": np.full(n, 0.5), "b": 0.5 + differences}, margin=0.05).checks[0]
    assert one.method == KNOWN

    def share_not_worse(cases):
        rows = rng.choice(differences, size=(1000, cases)) * rng.choice([-1.0, 1.0], size=(1000, cases))
        return answers_of_rows(rows, design("bounded", np.arange(cases), margin=0.05, bound=1.0))[0].mean()

    assert one.power == pytest.approx(share_not_worse(n), abs=0.05)
    assert share_not_worse(one.cases_needed) >= 0.7 > share_not_worse(math.floor(0.93 * one.cases_needed))
    assert one.cases_needed >= 59  # log(0.05) / log(1 - margin / range): fewer could not exclude a failure by the range
    assert (one.cases_needed > n) == (one.power < 0.8)


def test_no_affordable_number_is_said_only_where_there_is_none():
    rng = np.random.default_rng(4)
    few = gate({"a": np.full(12, 0.5), "b": 0.484 + rng.normal(0, 0.03, 12)}, margin=0.05)
    assert few.answer == "cannot tell"
    assert "No affordable number" not in few.summary()


def test_no_difference_is_planned_once():
    found = gate(outcomes(5, 5, 60), margin=0.05)
    assert found.checks[0].cases_if_as_observed is None
    assert "If the true difference is the observed one" not in found.summary()
    assert "If the true difference is the observed one" in gate(outcomes(5, 6, 60), margin=0.05).summary()


@settings(max_examples=25)
@given(
    st.lists(st.floats(-1, 1).map(lambda x: round(x, 3)), min_size=25, max_size=60),
    st.floats(0.01, 0.4),
    st.floats(0.01, 0.2),
    st.sampled_from([None, 1.0, 3.0]),
)
def test_bounds_of_numbers_agree_with_their_pvalues(values, margin, alpha, bound):
    differences = np.array(values)
    sides = sides_of(differences, design("numeric", np.arange(len(values)), margin=margin, alpha=alpha, bound=bound))
    if bound is None and np.ptp(differences) > 0.01:  # never less careful than Student's
        below = stats.ttest_1samp(differences, -margin, alternative="greater").pvalue
        worse = stats.ttest_1samp(differences, 0.0, alternative="less").pvalue
        assert sides.not_worse_pvalue >= below - 1e-9
        assert sides.worse_pvalue >= worse - 1e-9
    if np.ptp(differences) > 0.01 and abs(sides.low + margin) > 1e-6 and abs(sides.high) > 1e-6:
        assert (sides.low > -margin) == (sides.not_worse_pvalue < alpha)
        assert (sides.high < 0) == (sides.worse_pvalue < alpha)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 200), st.floats(0.01, 0.3))
def test_bounds_and_answers_agree_for_pass_or_fail(b, c, same, margin):
    n = b + c + same
    if n < 2:
        return
    sides = pass_fail_sides(b, c, n, margin=margin, alpha=0.05)
    assert sides.low - 1e-9 <= sides.gain <= sides.high + 1e-9
    if abs(sides.low + margin) > 1e-6:
        assert (sides.low > -margin) == (sides.not_worse_pvalue < 0.05)
    if abs(sides.high) > 1e-6:
        assert (sides.high < 0) == (sides.worse_pvalue < 0.05)


@settings(max_examples=25)
@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 150))
def test_a_larger_margin_never_hurts_and_a_better_candidate_neither(b, c, same):
    n = b + c + same
    order = ["worse", "cannot tell", "not worse"]

    def place(b, c, margin):
        sides = pass_fail_sides(b, c, n, margin=margin, alpha=0.05)
        return order.index(answer_of(sides.not_worse_pvalue, sides.worse_pvalue, 0.05))

    assert place(b, c, 0.02) <= place(b, c, 0.05) <= place(b, c, 0.2)
    if c:
        assert place(b, c, 0.05) <= place(b, c - 1, 0.05)


def test_identical_numbers_need_a_range():
    """No case differs: this says nothing of cases that are not here, unless it is known how much one can lose."""
    same = {name: [3.5, 2.0, 7.1, 9.9] * 20 for name in ("old", "new")}
    found = gate(same, margin=0.5)
    assert (found.answer, found.checks[0].abstains) == ("cannot tell", True)
    assert "says nothing of cases that are not here" in found.summary()
    assert gate(same, margin=0.5, bound=10.0).answer == "not worse"
    assert gate(same, margin=0.5, bound=20.0).answer == "cannot tell"
    with refuses(ArgumentError, "bound"):
        gate({"old": [1.0, 2.0, 3.0], "new": [1.0, 2.0, 1.0]}, margin=0.5, bound=1.0)


def test_few_numbers_without_a_range_give_no_answer():
    rng = np.random.default_rng(8)
    old = rng.normal(5, 1, 59)
    new = old + rng.normal(0, 0.01, 59)
    few, enough = (gate({"old": old[:n], "new": new[:n]}, margin=0.5) for n in (58, 59))
    assert (few.answer, enough.answer) == ("cannot tell", "not worse")
    assert "58 cases are too few to have seen a failure that hits 1 in 20" in few.summary()
    assert "unless a failure is missing among these 59 cases" in enough.summary()
    assert gate({"old": old[:58], "new": new[:58]}, margin=0.5, bound=5.0).answer == "not worse"


def test_lower_is_better():
    rng = np.random.default_rng(0)
    old = rng.gamma(4, 25, 300)
    values = np.column_stack([old, old + rng.normal(6, 10, 300)])
    cases = Cases(
        values=values,
        cases=tuple(map(str, range(300))),
        algorithms=("old", "new"),
        metric=Metric(name="latency", direction="lower"),
    )
    found = gate(cases, margin=2.0)
    assert found.answer == "worse"
    assert found.checks[0].difference == pytest.approx(float(np.diff(values, axis=1).mean()))
    assert found.checks[0].low < found.checks[0].difference < found.checks[0].high
    assert re.search(r"latency is \S+ higher than the baseline's", found.summary())
    assert gate(cases, margin=20.0).answer == "not worse"


def test_a_failure_rate_is_the_accuracy_turned():
    right = outcomes(6, 9, 200)
    names = tuple(map(str, range(200)))
    wrong = Cases(
        values=1 - np.array(list(right.values()), dtype=float).T,
        cases=names,
        algorithms=("old", "new"),
        metric=Metric(name="error_rate", direction="lower"),
    )
    one, other = gate(right, margin=0.02), gate(wrong, margin=0.02)
    assert one.checks[0].not_worse_pvalue == pytest.approx(other.checks[0].not_worse_pvalue)
    assert one.checks[0].low == pytest.approx(-other.checks[0].high)


def test_clusters_widen_the_bounds():
    rng = np.random.default_rng(5)
    group = np.repeat(np.arange(40), 10)
    moved = rng.normal(0, 0.3, 40)[group]
    old = np.clip(rng.normal(0.6, 0.1, 400), 0, 1)
    data = {"old": old, "new": np.clip(old + moved * 0.3, 0, 1)}
    alone, together = gate(data, margin=0.02), gate(data, margin=0.02, clusters=group)
    assert together.checks[0].clusters == 40
    assert together.checks[0].high - together.checks[0].low > 2 * (alone.checks[0].high - alone.checks[0].low)
    with pytest.raises(DataError, match="2 clusters of cases allow no answer"):
        gate(data, margin=0.02, clusters=np.arange(400) % 2)


# Holes.


def with_holes(holes, n=300):
    rng = np.random.default_rng(3)
    old = (rng.random(n) < 0.8).astype(float)
    new = old.copy()
    new[rng.choice(n, 6, replace=False)] = 1.0
    new[rng.choice(n, holes, replace=False)] = np.nan
    return {"old": old, "new": new}


def test_holes_that_do_not_matter():
    found = gate(with_holes(2), margin=0.05)
    assert (found.answer, found.n_missing, found.missing) == ("not worse", 2, "pairwise")
    assert "counting them as wrong would give the same answer" in found.summary()


def test_holes_that_decide_are_no_answer():
    """A candidate that crashes on a tenth of the cases must not pass because they are left out."""
    data = with_holes(30)
    assert gate(data, margin=0.05).answer == "cannot tell"
    assert "the answer depends on what that means" in gate(data, margin=0.05).summary()
    assert gate(data, margin=0.05).summary().startswith("Cannot tell")
    assert gate(data, margin=0.05).checks[0].answer == "cannot tell"  # which programs count as a failure
    assert gate(data, margin=0.05, missing="wrong").answer == "worse"
    assert gate(data, margin=0.05, missing="pairwise").answer == "not worse"
    with refuses(DataError, "missing"):
        gate(data, margin=0.05, missing="refuse")


def test_all_holes():
    with pytest.raises(DataError, match="no outcome on the same case"):
        gate({"old": [1.0, np.nan, 1.0], "new": [np.nan, 1.0, np.nan]}, margin=0.05)


# Several checks.


def benchmarked(drops, n=400):
    """Benchmarks in each of which so many cases get worse, and as many as in the first get better."""
    cells, names = {"old": [], "new": []}, []
    for place, drop in enumerate(drops):
        part = outcomes(drops[0], drop, n)
        for name, column in part.items():
            cells[name] += column
        names += [f"b{place}"] * n
    return cells, names


def test_each_benchmark_with_a_correction():
    cells, names = benchmarked([2, 2, 30])
    found = gate(cells, margin=0.05, benchmarks=names, per_benchmark=True)
    assert [check.answer for check in found.checks] == ["not worse", "not worse", "worse"]
    assert (found.answer, found.correction) == ("worse", "holm")
    alone = pass_fail_sides(2, 30, 400, margin=0.05, alpha=0.05).worse_pvalue
    assert found.checks[2].worse_pvalue == pytest.approx(3 * alone)
    assert gate(cells, margin=0.05, benchmarks=names).answer == "not worse"  # of the mean over benchmarks


def test_the_correction_keeps_the_error_of_all_checks():
    """If nothing has changed, some of ten checks is called worse with at most 5%; without a correction it is far more."""
    rng = np.random.default_rng(11)
    worse, naive, reps, n = 0, 0, 50, 60
    names = [f"b{i}" for i in range(10) for _ in range(n)]
    for _ in range(reps):
        old = rng.random(10 * n) < 0.5
        new = np.where(rng.random(10 * n) < 0.3, rng.random(10 * n) < 0.5, old)
        found = gate({"old": old * 1.0, "new": new * 1.0}, margin=0.2, benchmarks=names, per_benchmark=True)
        worse += found.answer == "worse"
        naive += any(
            c.cases_worse - c.cases_better > 1.645 * np.sqrt(c.cases_worse + c.cases_better) for c in found.checks
        )
    assert worse / reps <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / reps)
    assert naive / reps > 0.25


def test_several_metrics_and_their_margins():
    rng = np.random.default_rng(2)
    ids = tuple(map(str, range(200)))
    right = Cases(
        values=np.array(list(outcomes(3, 4, 200).values()), dtype=float).T,
        cases=ids,
        algorithms=("old", "new"),
        metric=ACCURACY,
    )
    slow = Cases(
        values=rng.normal([[100.0, 130.0]], 5, (200, 2)),
        cases=ids,
        algorithms=("old", "new"),
        metric=Metric(name="latency", direction="lower"),
    )
    found = gate([right, slow], margin={"accuracy": 0.05, "latency": 10.0})
    assert [check.answer for check in found.checks] == ["not worse", "worse"]
    assert found.answer == "worse"
    assert "behind old in latency" in found.summary()
    with refuses(ArgumentError, "margin"):
        gate([right, slow], margin={"accuracy": 0.05})


def test_predictions():
    rng = np.random.default_rng(4)
    truth = (rng.random(300) < 0.4).astype(int)
    base = truth + rng.normal(0, 0.7, 300)
    given_ = {"old": base, "new": base + rng.normal(0, 0.2, 300)}
    found = gate(as_predictions(truth, given_, metric="auc"), margin=0.05)
    assert found.answer == "not worse"
    assert found.checks[0].method == "DeLong bounds"
    pairs = podium.cases.compare_predictions(
        truth, {"new": given_["new"], "old": given_["old"]}, metric="auc", confidence=0.9
    )
    assert (found.checks[0].low, found.checks[0].high) == pytest.approx((float(pairs.low[0]), float(pairs.high[0])))
    with refuses(ArgumentError, "anytime"):
        gate(as_predictions(truth, given_, metric="auc"), margin=0.05, anytime=True)


def test_clusters_count_for_auc_too():
    """Every case three times, as one cluster: the interval is not that of three times as many cases (it was: DeLong's)."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 60)
    columns = {name: truth + rng.normal(0, 1.2, 60) for name in ("old", "new")}
    thrice = {name: np.tile(column, 3) for name, column in columns.items()}
    single = gate(as_predictions(truth, columns, metric="auc"), margin=0.05).checks[0]
    copied = as_predictions(np.tile(truth, 3), thrice, metric="auc")
    grouped = dataclasses.replace(copied, clusters=tuple(map(str, np.tile(np.arange(60), 3))))
    apart, together = (gate(one, margin=0.05).checks[0] for one in (copied, grouped))
    width = single.high - single.low
    assert apart.high - apart.low < 0.7 * width
    assert together.high - together.low == pytest.approx(width, rel=0.1)


# Looking as often as one likes.


def test_the_evidence_is_the_integral():
    """Of one case d: the mean over t in (0, 1) of 1 + t (d - m) / (1 + m)."""
    found = sequence([0.4, -0.2]).evidence(-0.05, 1)[0]
    from scipy.integrate import quad

    def product(t, values):
        return np.prod([1 + t * (d + 0.05) / 0.95 for d in values])

    expected = [quad(product, 0, 1, args=(values,))[0] for values in ([0.4], [0.4, -0.2])]
    assert np.exp(found) == pytest.approx(expected)


@settings(max_examples=25)
@given(st.lists(st.sampled_from([-1.0, -0.4, 0.0, 0.2, 1.0]), min_size=2, max_size=40), st.floats(0.02, 0.4))
def test_bounds_of_sequences_agree_with_their_answers(values, margin):
    asked = design("bounded", np.arange(len(values)), margin=margin, anytime=True, bound=1.0)
    sides = sides_of(values, asked)
    passed, worse = (int(after[0]) for after in sequence(values).shown_after(margin=margin, alpha=0.05))
    assert (sides.not_worse_pvalue <= 0.05) == (passed > 0)
    assert (sides.worse_pvalue <= 0.05) == (worse > 0)
    if abs(sides.low + margin) > 1e-6:
        assert (sides.low > -margin) == (passed > 0)
    if abs(sides.high) > 1e-6:
        assert (sides.high < 0) == (worse > 0)


def test_an_answer_stays_as_the_log_grows():
    rng = np.random.default_rng(8)
    old = (rng.random(400) < 0.8) * 1.0
    new = np.where(rng.random(400) < 0.12, 0.0, old)
    answers = [gate({"old": old[:n], "new": new[:n]}, margin=0.02, anytime=True).answer for n in (50, 150, 250, 400)]
    assert answers[-1] == "worse"
    first = answers.index("worse")
    assert set(answers[first:]) == {"worse"}


def changed(rng, draws, n, apart, gain):
    drawn, up = rng.random((draws, n)), (apart + gain) / 2
    return np.where(drawn < up, 1.0, np.where(drawn < apart, -1.0, 0.0))


def test_few_false_alarms_when_looking_after_every_case():
    """A small version of the slow test: 400 nulls, looked at after each of 300 cases."""
    rng = np.random.default_rng(1)
    _, worse = sequence(changed(rng, 400, 300, 0.2, 0.0)).shown_after(margin=0.05, alpha=0.05)
    passed, _ = sequence(changed(rng, 400, 300, 0.2, -0.05)).shown_after(margin=0.05, alpha=0.05)
    assert 0 < (worse > 0).mean() <= 0.05
    assert (passed > 0).mean() <= 0.05


def test_anytime_refuses_what_it_cannot_promise():
    cells, names = benchmarked([2, 2, 30])
    with refuses(ArgumentError, "anytime", "per_benchmark"):
        gate(cells, margin=0.05, benchmarks=names, anytime=True)
    numbers = {"old": [3.5, 2.0, 7.1, 9.9], "new": [3.5, 2.0, 7.1, 9.0]}
    with refuses(ArgumentError, "anytime", "bound"):
        gate(numbers, margin=0.5, anytime=True)
    with refuses(ArgumentError, "bound"):
        gate(numbers, margin=0.2, bound=0.5, anytime=True)
    assert gate(numbers, margin=0.5, bound=10, anytime=True).answer == "cannot tell"
    outcomes, of_two = {"old": [1] * 300, "new": [1] * 300}, {"clusters": np.arange(300) // 2, "margin": 0.1}
    for more in ({"anytime": True}, {"anytime": True, "largest_cluster": 1}, {"largest_cluster": 2}):
        with refuses(ArgumentError, "largest_cluster"):
            gate(outcomes, **of_two, **more)
    with refuses(ArgumentError, "largest_cluster"):
        gate(outcomes, margin=0.1, anytime=True, largest_cluster=2)
    found = [gate(outcomes, **of_two, anytime=True, largest_cluster=most) for most in (2, 20)]
    assert [one.answer for one in found] == ["not worse", "cannot tell"]
    assert "has more than 2 cases" in found[0].summary()


def test_cases_that_were_not_run_yet_are_no_failures_at_any_time():
    from podium.evidence.case_join import side_by_side
    from podium.evidence.cases import as_cases

    old = as_cases({"x": [1.0] * 500})
    new = as_cases({"x": [1.0] * 200})
    pair = side_by_side(old, new, names=("old", "new"))
    assert gate(pair, margin=0.05, anytime=True).answer == "not worse"
    assert gate(pair, margin=0.05).answer == "cannot tell"  # 300 cases lack: left out, or wrong?


# Identical runs.


def test_identical_runs_from_samples():
    rng = np.random.default_rng(6)
    chance = rng.choice([0.1, 0.9], size=200)
    samples = (rng.random((200, 2, 4)) < chance[:, None, None]).astype(float)
    cases = Cases(
        values=samples.mean(axis=2),
        cases=tuple(map(str, range(200))),
        algorithms=("old", "new"),
        metric=ACCURACY,
        samples=samples,
    )
    found = gate(cases, margin=0.05, aa_test=True, draws=400)
    runs = found.identical[0]
    assert (runs.source, runs.samples, runs.runs) == ("samples of old", 2, 400)
    assert runs.not_worse + runs.worse + runs.inconclusive == pytest.approx(1)
    assert runs.worse <= 0.1
    assert runs.flips == pytest.approx(1 - runs.not_worse**2 - runs.worse**2 - runs.inconclusive**2)
    assert "identical runs" in found.summary()


def test_identical_runs_by_swapping_have_the_exact_rates():
    """Given the number of disagreements the swap is binomial: here against the enumeration of it."""
    found = gate(outcomes(12, 16, 300), margin=0.05, aa_test=True, draws=4000)
    b = np.arange(29)
    weight = stats.binom.pmf(b, 28, 0.5)
    kinds = [pass_fail_sides(int(x), 28 - int(x), 300, margin=0.05, alpha=0.05) for x in b]
    answers = [answer_of(k.not_worse_pvalue, k.worse_pvalue, 0.05) for k in kinds]
    expected = [weight[[a == name for a in answers]].sum() for name in GateResult.EXIT_CODES]
    runs = found.identical[0]
    assert [runs.not_worse, runs.worse, runs.inconclusive] == pytest.approx(expected, abs=0.03)


# Refusals.


@pytest.mark.parametrize("margin", [0, -0.02, 1, 2, 5.0])
def test_a_margin_is_above_0_and_no_percentage(margin):
    with refuses(ArgumentError, "margin"):
        gate(outcomes(1, 1, 100), margin=margin)


def test_a_margin_in_percent_gets_a_remark():
    rng = np.random.default_rng(0)
    values = rng.normal(80, 5, (60, 2)).clip(0, 100)
    cases = Cases(values=values, cases=tuple(map(str, range(60))), algorithms=("old", "new"), metric=ACCURACY)
    assert "in percent here" in gate(cases, margin=0.02).summary()
    assert "in percent here" not in gate(cases, margin=2.0).summary()


def test_who_is_who():
    three = {**outcomes(3, 4, 200), "other": [1] * 200}
    with pytest.raises(ArgumentError, match="3 algorithms"):
        gate(three, margin=0.05)
    with pytest.raises(ArgumentError, match="did you mean 'other'"):
        gate(three, baseline="old", candidate="othre", margin=0.05)
    with pytest.raises(ArgumentError, match="both 'old'"):
        gate(three, baseline="old", candidate="old", margin=0.05)
    assert gate(three, baseline="old", candidate="new", margin=0.05).candidate == "new"


def test_levels():
    assert gate(outcomes(3, 14, 200), margin=0.05, alpha=0.001).answer == "cannot tell"
    with refuses(ArgumentError, "alpha"):
        gate(outcomes(3, 4, 200), margin=0.05, alpha=0.6)


@pytest.mark.parametrize("size, share", [(5, 0.5), (20, 0.5), (20, 0.9)])
def test_few_clusters_do_not_let_a_drop_pass(size, share):
    """Ten or forty clusters, whose cases change together: t bounds let 6 to 29% pass. Simulated 600 times."""
    rng = np.random.default_rng(12)
    n, draws = 200, 600
    cluster = np.arange(n) // size
    common = changed(rng, draws, n // size, 0.12, -0.05)[:, cluster]
    rows = np.where(rng.random((draws, n)) < share, common, changed(rng, draws, n, 0.12, -0.05))
    passed, _ = answers_of_rows(rows, design("pass_fail", cluster, margin=0.05))
    assert passed.mean() <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / draws)


@pytest.mark.parametrize("size, corr", [(20, 0.9), (50, 0.9)])
def test_few_clusters_with_samples_do_not_let_a_drop_pass(size, corr):
    """Ten or four clusters of cases with five samples each, 500 times; the t bounds let 10% or more pass."""
    rng = np.random.default_rng(14)
    n, draws = 200, 500
    cluster = np.arange(n) // size
    chance = rng.beta(1.2, 0.8, (draws, n)) * 0.5 + 0.5
    together = (rng.random((draws, n // size)) < 0.2)[:, cluster]
    hit = np.where(rng.random((draws, n)) < corr, together, rng.random((draws, n)) < 0.2)
    rows = rng.binomial(5, np.where(hit, chance - 0.25, chance)) / 5 - rng.binomial(5, chance) / 5
    passed, _ = answers_of_rows(rows, design("bounded", cluster, margin=0.05))
    assert passed.mean() <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / draws)


def test_cases_alone_are_clusters_of_one():
    """The effective number of cases is the number of cases, so that only t stands for the normal law."""
    rng = np.random.default_rng(13)
    row = changed(rng, 1, 500, 0.2, -0.02)[0]
    alone = design("pass_fail", np.arange(500), margin=0.05)
    b, c, n, df = effective_counts(row[None], alone)
    assert float((b - c)[0] / n[0]) == pytest.approx(row.mean())
    assert (float(n[0]), float(df[0])) == pytest.approx((500, 499), rel=3e-3)
    one, other = TangoMeans(b=b, c=c, n=n, df=df).ends(0.1), judge(row[None], alone).means.ends(0.1)
    assert np.ravel(one) == pytest.approx(np.ravel(other), abs=2e-4)


def test_rows_give_the_answers_of_single_gates():
    rng = np.random.default_rng(9)
    n = 80
    for kind, rows in (
        ("pass_fail", changed(rng, 30, n, 0.2, -0.1)),
        ("bounded", rng.choice([0, 0.2, -0.2, -0.4], (30, n))),
        ("numeric", rng.normal(-0.05, 0.2, (30, n))),
    ):
        alone = design(kind, np.arange(n), margin=0.1)
        passed, worse = answers_of_rows(rows, alone)
        for row, p, w in zip(rows, passed, worse, strict=True):
            one = sides_of(row, alone)
            answer = answer_of(one.not_worse_pvalue, one.worse_pvalue, 0.05)
            assert answer == ("not worse" if p else "worse" if w else "cannot tell")


def test_p_values_by_bisection():
    def ends(level):
        return np.array([0.1 - stats.norm.isf(level / 2)]), np.array([0.1 + stats.norm.isf(level / 2)])

    assert IntervalMeans(ends=ends).p_above(0.5) == pytest.approx(stats.norm.sf(0.1 - 0.5))
