"""The overview of a metric."""

import io

import numpy as np
import pandas as pd
import pytest

import podium
from podium.evidence._case_overview import case_overview
from podium.evidence.cases import as_cases


def overview(text, **options):
    return podium.evidence.overview(podium.read(pd.read_csv(io.StringIO(text)), **options).scores())


def test_everything_is_taken_over_the_complete_datasets():
    found = overview("dataset,a,b\nx,1,2\ny,3,3\nz,4,\nw,9,8\n", metric="accuracy")
    assert (found.n_datasets, found.complete_datasets, found.basis) == (4, 3, "complete")
    assert found.mean_scores == pytest.approx([13 / 3, 13 / 3])
    assert found.mean_ranks == pytest.approx([1.5, 1.5])
    assert (found.wins.tolist(), found.shared_wins.tolist()) == ([1, 1], [1, 1])
    assert [str(hole) for hole in found.missing] == ["z / b"]


def test_lower_is_better_and_order():
    found = overview("dataset,a,b\nx,1,2\ny,1,3\n", metric="error")
    assert found.order() == [0, 1]
    assert "a has the best mean rank of error, 1.000" in found.summary()


def test_a_best_mean_rank_may_be_shared():
    found = overview("dataset,a,b,c\nx,2,1,0\ny,1,2,0\n", metric="accuracy")
    assert "a and b share the best mean rank of accuracy, 1.500" in found.summary()


def test_scores_of_one_algorithm_alone_are_not_ranked():
    found = overview("dataset,a,b\nx,1,\ny,3,\nz,,2\n", metric="accuracy")
    assert "No dataset has the scores of two algorithms" in found.summary()
    assert (found.wins.tolist(), found.shared_wins.tolist()) == ([0, 0], [0, 0])


def test_no_complete_dataset():
    found = overview("dataset,a,b,c\nx,1,2,\ny,,3,4\n", metric="accuracy")
    assert (found.basis, found.complete_datasets) == ("available", 0)
    assert found.mean_ranks == pytest.approx([8 / 3, 2, 4 / 3])  # ranks among two, as expected among three
    assert found.mean_scores == pytest.approx([1, 2.5, 4])


def test_ties_in_a_long_table():
    found = overview("classifier_name,dataset_name,accuracy\nc1,d1,0.5\nc2,d1,0.5\nc1,d2,0.4\nc2,d2,0.6\n")
    assert found.mean_ranks == pytest.approx([1.75, 1.25])


def test_it_is_a_result():
    found = podium.evidence.overview(podium.example("benavoli2016").scores())
    assert found.to_dict()["complete_datasets"] == 53
    assert np.isfinite(found.mean_ranks).all()


def test_the_summary_of_cases_counts_what_is_missing():
    cases = as_cases({"a": [1, 0, None], "b": [1, 1, 1]})
    assert case_overview(cases).summary() == (
        "On 3 cases. b has the best accuracy; only a test can tell whether that is more than chance. Missing: 1 outcome."
    )
