"""Tables in all their forms."""

import numpy as np
import pytest

import podium
from podium.report.documents import document
from podium.report.render_latex import render_latex
from podium.report.render_markdown import render_markdown
from refusals import refuses


@pytest.fixture(scope="module")
def table():
    return podium.chance.critical_table(
        "best_accuracy", positives=[20, 30], negatives=[20, 30, 40], competitors=[10, 100]
    )


def test_values_are_those_of_the_paper_where_it_is_right(table):
    # Appendix B, tables 1 and 2: first rows.
    assert np.round(table.values[0, 0], 3).tolist() == [[0.775, 0.76, 0.783], [0.76, 0.733, 0.729]]
    assert np.round(table.values[0, 1], 3).tolist() == [[0.825, 0.8, 0.8], [0.8, 0.767, 0.757]]


def test_the_frame_is_long_and_not_rounded(table):
    frame = table.to_frame()
    assert len(frame) == 12
    assert frame.iloc[2].to_dict() == {
        "metric": "best_accuracy",
        "alpha": 0.01,
        "competitors": 10,
        "positives": 20,
        "negatives": 40,
        "critical_value": table.values[0, 0, 0, 2],
    }


def test_the_papers_layout(table):
    names = ["10_competitors_at_1_percent", "100_competitors_at_1_percent"]
    assert list(table.tables()) == names
    for place, frame in enumerate(table.tables().values()):
        assert list(frame.columns) == ["positives", "20", "30", "40"]
        assert frame["positives"].tolist() == [20, 30]
        np.testing.assert_array_equal(frame[["20", "30", "40"]], table.values[0, place])


def test_markdown_and_latex_have_it_and_escape_names(table):
    text = render_markdown(document(table))
    assert "| Positives | 20 | 30 | 40 |\n| ---: | ---: | ---: | ---: |\n| 20 | 0.7750 | 0.7600 | 0.7833 |" in text
    text = render_latex(document(table))
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    assert "best accuracy" in text
    assert "best_accuracy" not in text
    assert "best_accuracy" not in text
    assert r"20 & 0.7750 & 0.7600 & 0.7833 \\" in text


def test_whole_numbers_stay_whole_and_missing_cells_empty():
    found = podium.chance.critical_table("tp10", positives=[5, 20], negatives=[3, 30], competitors=[10])
    assert "| 5 | – | 4 |" in render_markdown(document(found))
    assert np.isnan(found.values[0, 0, 0, 0])


def test_several_levels_and_single_competitors_with_ties():
    found = podium.chance.critical_table("auc", positives=[3], negatives=[3], competitors=[1], alphas=[0.05, 0.0499])
    assert found.values.ravel().tolist() == [8 / 9, 1.0]
    assert list(found.tables()) == ["1_competitors_at_5_percent", "1_competitors_at_4.99_percent"]


def test_progress_and_summary(table):
    seen = []
    podium.chance.critical_table("tp5", positives=[5, 6], negatives=[5], progress=lambda *step: seen.append(step))
    assert seen == [(1, 2), (2, 2)]
    assert "best of 10, 100 random rankings" in table.summary()
    assert len(table.to_frame()) == 12


def test_empty_lists_are_refused():
    with refuses(podium.ArgumentError, "positives"):
        podium.chance.critical_table("auc", positives=[])
    with refuses(podium.ArgumentError, "alphas"):
        podium.chance.critical_table("auc", alphas=[])
