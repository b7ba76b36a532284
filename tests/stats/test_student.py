"""One rule for means: Student's p-values and intervals wherever they come from, and one answer where nothing varies."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import podium
from podium.stats.student import student, student_ends


@given(st.floats(-5, 5), st.floats(0.01, 3), st.integers(1, 200), st.sampled_from([0.01, 0.05, 0.4]))
def test_pvalues_and_intervals_are_scipys(mean, error, df, level):
    law = stats.t(df)
    assert float(student(mean, error, df)) == pytest.approx(2 * law.sf(abs(mean / error)))
    assert float(student(mean, error, df, "greater")) == pytest.approx(law.sf(mean / error))
    assert float(student(mean, error, df, "less")) == pytest.approx(law.cdf(mean / error))
    expected = stats.t.interval(1 - level, df, loc=mean, scale=error)
    assert [float(end) for end in student_ends(mean, error, df, level)] == pytest.approx(expected)


@given(st.integers(2, 40), st.floats(-3, 3).filter(lambda x: abs(x) > 1e-6))
def test_equal_differences_have_the_pvalue_of_the_sign_test(n, mean):
    assert float(student(mean, 0.0, n - 1)) == stats.binomtest(n, n, 0.5).pvalue
    assert float(student(mean, 0.0, n - 1, "greater")) == (0.5**n if mean > 0 else 1.0)
    assert [float(end) for end in student_ends(mean, 0.0, n - 1, 0.05)] == [mean, mean]


def test_what_is_missing_stays_missing():
    assert np.isnan(student(np.nan, np.nan, -1))
    assert np.isnan(student(np.nan, np.nan, 3, "less"))


def test_a_constant_difference_has_one_answer_over_datasets_cases_and_runs():
    n, rng = 8, np.random.default_rng(1)
    base = rng.normal(5, 1, n)
    over_datasets = podium.stats.paired_t(base + 0.5, base).pvalue
    on_cases = float(podium.cases.all_pairs({"a": base + 0.5, "b": base}).pvalue[0])
    rows = [(who, "game", s, base[s] + more) for s in range(n) for who, more in (("a", 0.5), ("b", 0.0))]
    frame = pd.DataFrame(rows, columns=["algorithm", "task", "seed", "score"])
    on_runs = float(podium.runs.all_pairs(podium.read(frame, unit="run"), paired=True, aggregate="mean").pvalue[0])
    pooled = podium.stats.tukey(np.stack([base + 0.5, base, base + 0.2], axis=1))
    overall = podium.stats.anova(np.stack([base + 0.5, base], axis=1)).pvalue
    assert [over_datasets, on_cases, on_runs, pooled.pvalue[0], pooled.adjusted[0], overall] == pytest.approx(
        [2.0 ** (1 - n)] * 6
    )
