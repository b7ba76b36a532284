"""Error rates of tests by simulation: what keeps its level, what does not, and what was published."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import podium
from podium.core.errors import ArgumentError, DataError
from podium.evidence.table import as_table
from podium.planning.batch import BatchTest, as_batch
from podium.studies.calibration import _shuffled_sampler, calibrate
from refusals import refuses


def test_exact_tests_keep_their_level():
    result = calibrate(["wilcoxon", "sign"], sizes=[6, 20], draws=4000)

    assert result.liberal == ()
    assert len(result.rows) == 2 * 4 * 2
    worst = max(result.rows, key=lambda row: row.rate)
    assert (
        f"0.05, no test alarms more often than allowed (by three Monte Carlo errors); the largest rate is {worst.rate:.4f} "
        in (result.summary())
    )
    row = {"test": "wilcoxon", "shape": "normal", "datasets": 6, "algorithms": 2, "configuration": "all equal"}
    numbers = {name: getattr(result.rows[0], name) for name in ("rate", "standard_error", "liberal")}
    assert result.columns()[0] == {**row, **numbers}


def test_a_test_that_alarms_too_often_is_found_out():
    lower = BatchTest("careless", lambda samples: as_batch("paired_t")(samples) / 3, of_two=True)
    careless = calibrate([lower], shapes=["normal"], sizes=[10], draws=300, n_algorithms=2)

    assert len(careless.liberal) == 1
    assert "more often than allowed" in careless.summary()


def test_family_wise_errors_count_only_true_hypotheses():
    result = calibrate(
        ["nemenyi", "dunnett"], shapes=["normal"], sizes=[20], configurations=["one far away"], draws=1000
    )

    assert all(row.rate < 0.2 for row in result.rows)


def test_mean_ranks_do_not_control_the_maximum_type_one_error():
    """Benavoli et al. 2016, section 4.4 (after Fligner 1984): all but one equal, and the error among the equal ones.

    With the odd one always between two equal ones, their ranks differ by 2 on each dataset. Equation 4 wants a mean difference
    of 2.394 sqrt(2/20): 14 wins of 20 or more, or 6 or fewer. So the rate is 2 P(Bin(20, 1/2) >= 14) = 0.1153.
    """
    rates = {
        (row.test, row.configuration): row
        for row in calibrate(
            ["mean_ranks", "nemenyi"],
            shapes=["normal"],
            sizes=[20],
            n_algorithms=3,
            configurations=["one far away", "one between"],
            draws=4000,
        ).rows
    }
    for test in ("mean_ranks", "nemenyi"):
        between = rates[test, "one between"]
        assert between.liberal
        assert between.rate == pytest.approx(2 * stats.binom.sf(13, 20, 0.5), abs=4 * between.standard_error)
        assert rates[test, "one far away"].rate < 0.01  # conservative there


def test_no_algorithm_is_between_in_favour_of_an_equal_one():
    """A test of the two alone keeps its level, whatever stands between them."""

    def sign_of_the_first_two(samples):
        pvalues = as_batch("sign")(samples)
        return np.hstack([pvalues, np.ones_like(pvalues)])  # against the first: k - 1 = 2 hypotheses

    found = calibrate(
        [BatchTest("sign of the first two", sign_of_the_first_two)],
        shapes=["normal"],
        sizes=[20],
        n_algorithms=3,
        configurations=["one between"],
        draws=400,
    )
    assert not found.liberal


def test_a_test_of_all_at_once_has_no_true_hypothesis_where_one_differs():
    with refuses(ArgumentError):
        calibrate(["friedman"], sizes=[6], draws=20, configurations=["one far away"])


def test_shuffled_scores_of_the_table_are_a_null():
    result = calibrate(["wilcoxon", "friedman"], table=podium.example("benavoli2016").scores(), sizes=[20], draws=1000)

    assert {row.shape for row in result.rows} == {"shuffled"}
    assert result.liberal == ()


def test_far_away_is_three_standard_deviations_of_the_table():
    values = np.random.default_rng(0).uniform(0.5, 0.9, (12, 3))
    for table, spread in ((values, values.std()), (1000 * values, 1000 * values.std()), (np.ones((1, 3)), 1.0)):
        drawn = _shuffled_sampler(as_table(table), 10, 3, "one far away")(np.random.default_rng(1), 400)
        assert drawn[:, :, 2].mean() - drawn[:, :, :2].mean() == pytest.approx(3 * spread, rel=0.02)
    with pytest.raises(DataError, match="No dataset of the table is complete"):
        calibrate(["sign"], table=as_table([[1.0, np.nan], [np.nan, 1.0]]), sizes=[6], draws=20)


def test_liberal_is_three_standard_errors_above_alpha_and_more_than_what_a_million_draws_would_show():
    row = calibrate(["sign"], shapes=["normal"], sizes=[6], draws=20).rows[0]
    least = 0.05 + 0.000654  # 3 sqrt(0.05 x 0.95 / 1,000,000)
    for rate, error, told in (
        (least - 1e-5, 0, False),
        (least + 1e-5, 0, True),
        (0.0799, 0.01, False),
        (0.081, 0.01, True),
    ):
        assert replace(row, rate=rate, standard_error=error, alpha=0.05).liberal is told
