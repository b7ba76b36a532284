"""Designs and the correlation they imply."""

import pytest

from podium.core.errors import ArgumentError, DesignError
from podium.evidence.design import Design
from refusals import refuses


@pytest.mark.parametrize(
    "design, n, rho",
    [
        (Design(repeats=10, folds=10), 100, 0.1),  # Nadeau & Bengio 2003: 1/k for k-fold cross-validation
        (Design(repeats=5, folds=2), 10, 0.5),
        (Design(repeats=15, test_fraction=0.1), 15, 0.1),
    ],
)
def test_scores_and_correlation(design, n, rho):
    assert (design.n_scores, design.rho) == (n, rho)


def test_five_by_two():
    assert Design(repeats=5, folds=2).is_5x2
    assert not Design(repeats=2, folds=5).is_5x2
    assert not Design(repeats=5, folds=2, test_fraction=0.3).is_5x2


def test_the_share_of_test_cases_is_never_guessed():
    with refuses(DesignError, "test_fraction"):
        _ = Design(repeats=30).rho


@pytest.mark.parametrize("wrong", [{"repeats": 0}, {"folds": 0}, {"test_fraction": 1.0}, {"test_fraction": 0.0}])
def test_impossible_designs(wrong):
    with pytest.raises(ArgumentError):
        Design(**wrong)
