import numpy as np
import pytest

from podium.cases.binary import mid_pvalues
from podium.cases.planning import (
    best_samples,
    cases_needed,
    detectable_by_counts,
    mcnemar_power,
    minimum_detectable,
    t_power,
)
from podium.core.errors import ArgumentError
from refusals import refuses


def test_the_reference_value_of_the_normal_law():
    """Computed twice independently: between .09, within .125 and .146, 5 samples, power .8, difference .05."""
    found = cases_needed(0.05, between=0.09, within_a=0.125, within_b=0.146, samples=5)
    assert found.by_normal_law == 453
    assert found.cases >= 453
    assert found.power >= 0.8 > t_power(found.cases - 1, 0.05, 0.09 + 0.271 / 5, 0.05)


def test_power_of_mcnemar_is_the_sum_over_all_tables():
    n, only_a, only_b = 9, 0.4, 0.1
    expected = 0.0
    from scipy.stats import multinomial

    for b in range(n + 1):
        for c in range(n + 1 - b):
            if mid_pvalues(b, c) <= 0.05:
                expected += multinomial.pmf([b, c, n - b - c], n, [only_a, only_b, 1 - only_a - only_b])
    assert mcnemar_power(n, only_a=only_a, only_b=only_b) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("n, size", [(8, 0.070), (15, 0.042), (30, 0.049)])
def test_the_size_of_the_mid_p_test(n, size):
    """The largest size over the shares of disagreements; .070, .042 and .049 by exact enumeration elsewhere."""
    shares = np.linspace(0.02, 1, 50)
    assert max(mcnemar_power(n, only_a=s / 2, only_b=s / 2) for s in shares) == pytest.approx(size, abs=0.0015)


def test_the_size_of_the_mid_p_test_is_what_its_page_says():
    """From 15 cases on, by the largest share of the cases on which the two disagree."""
    shares = np.linspace(0.02, 1, 50)
    sizes = np.array(
        [[mcnemar_power(n, only_a=s / 2, only_b=s / 2) for s in shares] for n in (15, 16, 17, 20, 25, 36, 50)]
    )
    largest = [sizes[:, shares < most + 0.01].max() for most in (0.8, 0.9, 1.0)]
    assert largest == pytest.approx([0.050, 0.0535, 0.0768], abs=0.0005)


def test_a_detectable_difference_has_the_power():
    size = minimum_detectable(120, 0.3)
    assert t_power(120, size, 0.3, 0.05) == pytest.approx(0.8, abs=1e-6)
    assert minimum_detectable(10, 0.0) == 0


@pytest.mark.parametrize("n", [3, 5, 50, 100_000])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 8911])
def test_a_detectable_difference_of_few_cases_and_many_pairs(n, alpha):
    """With 3 cases and thousands of pairs the difference is huge, and must still be found."""
    assert t_power(n, minimum_detectable(n, 0.3, alpha=alpha), 0.3, alpha) == pytest.approx(0.8, abs=1e-4)


def test_samples_for_the_money():
    assert best_samples(0.1, 0.2, 0.2, case_cost=4, sample_cost=1) == pytest.approx(4.0)
    assert best_samples(0.1, 0.001, 0.001, case_cost=1, sample_cost=1) == 1


def test_impossible_wishes_are_refused():
    with refuses(ArgumentError, "difference"):
        cases_needed(0, between=0.1)
    with pytest.raises(ArgumentError, match="more than"):
        cases_needed(1e-9, between=0.1)
    with pytest.raises(ArgumentError, match="probabilities"):
        mcnemar_power(10, only_a=0.8, only_b=0.5)


@pytest.mark.parametrize(("n", "apart", "alpha"), [(50, 0.06, 0.05), (100, 0.3, 0.01), (400, 0.1, 0.05)])
def test_the_difference_that_counts_would_show_has_its_power_and_no_smaller_one_has(n, apart, alpha):
    """By the t law the power was 0.36 to 0.91 where the two rarely disagree."""
    size = detectable_by_counts(n, apart, alpha=alpha)

    def power(size):
        disagree = max(apart, size)
        return mcnemar_power(n, only_a=(disagree + size) / 2, only_b=(disagree - size) / 2, alpha=alpha)

    assert power(size) >= 0.8 > power(0.98 * size)
    assert detectable_by_counts(5000, 0.2) == minimum_detectable(5000, 0.2)
    assert detectable_by_counts(5, 0.2, alpha=0.001) is None
