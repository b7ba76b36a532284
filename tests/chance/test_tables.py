"""Tables in all their forms."""

import csv
import io

import numpy as np
import pytest

import podium


@pytest.fixture(scope="module")
def table():
    return podium.chance.critical_table(
        "best_accuracy", positives=[20, 30], negatives=[20, 30, 40], competitors=[10, 100]
    )


def test_values_are_those_of_the_paper_where_it_is_right(table):
    # Appendix B, tables 1 and 2: first rows.
    assert np.round(table.values[0, 0], 3).tolist() == [[0.775, 0.76, 0.783], [0.76, 0.733, 0.729]]
    assert np.round(table.values[0, 1], 3).tolist() == [[0.825, 0.8, 0.8], [0.8, 0.767, 0.757]]


def test_csv_is_long_and_not_rounded(table):
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert len(rows) == 12
    assert rows[2] == {
        "metric": "best_accuracy",
        "alpha": "0.01",
        "competitors": "10",
        "positives": "20",
        "negatives": "40",
        "critical_value": str(table.values[0, 0, 0, 2]),
    }


def test_markdown_has_the_papers_layout(table):
    text = table.to_markdown()
    assert "**Critical values of best_accuracy, significance level 1 %, 10 competitors**" in text
    assert "| pos \\ neg | 20 | 30 | 40 |\n| ---: | ---: | ---: | ---: |\n| 20 | .775 | .760 | .783 |" in text


def test_latex_has_the_papers_layout_and_escapes_names(table):
    text = table.to_latex()
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    assert r"best\_accuracy" in text
    assert "best_accuracy" not in text
    assert r"20 & .775 & .760 & .783 \\" in text


def test_whole_numbers_stay_whole_and_missing_cells_empty():
    found = podium.chance.critical_table("tp10", positives=[5, 20], negatives=[3, 30], competitors=[10])
    assert r"5 &  & 4 \\" in found.to_latex()
    assert ",3,\n" in found.to_csv()
    assert np.isnan(found.values[0, 0, 0, 0])


def test_several_levels_and_single_competitors_with_ties():
    found = podium.chance.critical_table("auc", positives=[3], negatives=[3], competitors=[1], alphas=[0.05, 0.0499])
    assert found.values.ravel().tolist() == [8 / 9, 1.0]
    assert "significance level 4.99 %" in found.to_markdown()


def test_progress_and_summary(table):
    seen = []
    podium.chance.critical_table("tp5", positives=[5, 6], negatives=[5], progress=lambda *step: seen.append(step))
    assert seen == [(1, 2), (2, 2)]
    assert "best of 10, 100 random rankings" in table.summary()
    assert len(table.to_frame()) == 12


def test_empty_lists_are_refused():
    with pytest.raises(podium.ArgumentError, match="`positives` must hold at least one number"):
        podium.chance.critical_table("auc", positives=[])
    with pytest.raises(podium.ArgumentError, match="`alphas` must hold at least one level"):
        podium.chance.critical_table("auc", alphas=[])
