"""Several samples of each case: what `podium show` and the report say of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

import podium
from podium.cases import gate
from podium.cases.samples import sample_summary
from podium.core.metric import Metric
from podium.evidence._case_overview import case_overview
from podium.evidence.cases import Cases
from podium.report.documents import document


def cases_of(samples: np.ndarray) -> Cases:
    counts = (~np.isnan(samples)).sum(axis=2)
    values = np.where(counts > 0, np.nansum(samples, axis=2) / np.maximum(counts, 1), np.nan)
    n, k, _ = samples.shape
    return Cases(
        values=values,
        cases=tuple(f"c{i}" for i in range(n)),
        algorithms=tuple("abcdef"[:k]),
        metric=Metric(name="pass rate", direction="higher"),
        samples=samples,
    )


def test_pass_at_k_and_pass_hat_k_of_trials():
    """tau-bench's airline trials of gpt-4o: 14, 12, 10, 4 and 10 of 50 tasks passed 0 to 4 of 4 trials; its authors publish
    pass^1 to pass^4 of 0.42, 0.273, 0.22, 0.20."""
    rows = [[1.0] * c + [0.0] * (4 - c) for c, n in enumerate((14, 12, 10, 4, 10)) for _ in range(n)]
    found = sample_summary(cases_of(np.array(rows)[:, None, :]))
    assert found.k == (1, 2, 3, 4)
    assert found.pass_hat[0] == pytest.approx([0.42, 0.2733333, 0.22, 0.2], abs=1e-6)
    assert found.pass_at[0] == pytest.approx([0.42, 0.5666667, 0.66, 0.72], abs=1e-6)
    assert "on 72% of cases" in found.summary()


def test_k_stops_at_the_fewest_samples_and_cases_without_any_are_left_out():
    samples = np.array([[[1.0, 0, 1]], [[0, 1, np.nan]], [[np.nan] * 3]])
    found = sample_summary(cases_of(samples))
    assert found.k == (1, 2)
    assert found.pass_at[0] == pytest.approx([(2 / 3 + 1 / 2) / 2, 1.0])


@pytest.mark.parametrize("mean", ["macro", "micro"])
def test_of_several_benchmarks_pass_at_1_is_the_score(mean):
    """Benchmarks of 40 and of 10 cases: each has the same weight, or each case, in every table of the report."""
    rng = np.random.default_rng(1)
    samples = (rng.random((50, 2, 3)) < np.linspace(0.2, 0.9, 50)[:, None, None]).astype(float)
    cases = replace(cases_of(samples), benchmarks=("math",) * 40 + ("code",) * 10, scores=np.empty(0))
    comparison = podium.compare(cases, mean=mean)
    tables = {getattr(block, "key", ""): block for part in document(comparison).sections for block in part.blocks}
    places = [column.key for column in tables["samples"].columns].index("pass@1")
    told = {row[0]: row[places] for row in tables["samples"].rows}
    by_hand = cases.values[:40].mean(axis=0) / 2 + cases.values[40:].mean(axis=0) / 2
    expected = by_hand if mean == "macro" else cases.values.mean(axis=0)
    assert [told[name] for name in cases.algorithms] == pytest.approx(expected)
    assert {row.algorithm: row.mean_score for row in comparison.ranking} == pytest.approx(told)
    assert sample_summary(cases).pass_at[:, 0] == pytest.approx(case_overview(cases).mean_scores)
    check = gate(cases, margin=0.1, mean=mean).checks[0]
    assert check.candidate_score - check.baseline_score == pytest.approx(check.difference)


@pytest.mark.parametrize("samples", [[[[1.0]]], [[[0.2, 0.4]]], [[[1.0, np.nan]]]])
def test_one_sample_or_numbers_say_nothing(samples):
    assert sample_summary(cases_of(np.array(samples))) is None


def test_the_report_of_samples_has_the_table():
    rng = np.random.default_rng(3)
    samples = (rng.random((40, 3, 4)) < np.array([0.3, 0.5, 0.8])[:, None]).astype(float)
    comparison = podium.compare(cases_of(samples))
    tables = [block for section in document(comparison).sections for block in section.blocks]
    assert any(getattr(block, "key", "") == "samples" for block in tables)


def test_few_differences_have_two_cases_added_and_are_called_so():
    """The p-value is that of the interval with two cases added, so the report does not call it a t test."""
    rows = [(s, i, e, int(i > 9 or (s == "a" and e != 1))) for s in "ab" for i in range(40) for e in range(3)]
    found = podium.compare(podium.read(pd.DataFrame(rows, columns=["system", "case", "epoch", "score"])))
    assert found.pairs.method == "two cases added"
    centre = 10 * (2 / 3) / 42
    error = np.sqrt(((10 * 4 / 9 + 2) / 42 - centre**2) / 42)
    assert found.pairs.pvalue[0] == pytest.approx(2 * ndtr(-centre / error))
    choice = next(each for each in found.choices if each.question == "test")
    assert "differ on only a few cases" in choice.because
