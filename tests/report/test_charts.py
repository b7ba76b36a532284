"""The charts of the page: what they show is what the comparison found, whichever direction is better."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from podium.comparison.compare import compare
from podium.evidence.table import as_table
from podium.report.charts import forest_chart, lead_chart, matrix_of
from podium.report.comparison import comparison_document
from podium.report.document import Chart, TableBlock
from podium.report.html_charts import chart_html, matrix_html
from podium.report.render_html import render_html
from podium.runs.registry import AGGREGATES
from report.sample import HOSTILE, PLAIN, comparison, report, scores


@cache
def made(k=5, n=24, *, lower=False, **settings):
    values = scores(n, k)
    frame = pd.DataFrame(1 - values if lower else values, columns=[f"a{i}" for i in range(k)])
    metric = "error_rate" if lower else "accuracy"
    return compare(as_table(frame), metric=metric, direction="lower" if lower else "higher", **settings)


@pytest.mark.parametrize("lower", [False, True])
def test_gains_point_to_the_winner_whichever_direction_is_better(lower):
    found = made(lower=lower)
    chart = forest_chart(found)
    assert all(row.mark.value > 0 for row in chart.rows if row.mark.filled)
    sizes = [row.mark.value for row in chart.rows]
    assert sizes == sorted(sizes, reverse=True)
    for row in chart.rows:
        assert row.mark.low <= row.mark.value <= row.mark.high
        assert row.mark.filled == (found.pairs.pair(*row.names).adjusted <= found.alpha)


def test_the_two_directions_show_the_same_picture():
    higher, lower = forest_chart(made()), forest_chart(made(lower=True))
    factor = made().quantity.factor / made(lower=True).quantity.factor
    assert [row.names for row in higher.rows] == [row.names for row in lower.rows]
    assert [r.mark.value for r in higher.rows] == pytest.approx([factor * r.mark.value for r in lower.rows], abs=1e-9)


def test_the_lead_shows_mean_ranks_and_bars_of_the_groups():
    found = made()
    chart = lead_chart(found)
    assert [row.names[0] for row in chart.rows] == [row.algorithm for row in found.ranking]
    assert [row.mark.value for row in chart.rows] == [row.mean_rank for row in found.ranking]
    named = {tuple(chart.rows[i].names[0] for i in bar) for bar in chart.bars}
    assert named == {
        tuple(sorted(g, key=[r.algorithm for r in found.ranking].index)) for g in found.groups if len(g) > 1
    }
    shared = {frozenset(pair) for bar in chart.bars for pair in [(a, b) for a in bar for b in bar if a != b]}
    better = found.pairs.better(found.alpha)
    places = [found.pairs.algorithms.index(row.names[0]) for row in chart.rows]
    apart = (better | better.T)[np.ix_(places, places)]
    if "those that share no bar differ" in chart.note:
        for a in range(len(places)):
            for b in range(a):
                assert (frozenset((a, b)) in shared) != bool(apart[a, b])


def test_a_control_has_its_own_line_at_zero_and_the_others_their_difference_from_it():
    found = made(control="a2")
    chart = lead_chart(found)
    control = next(row for row in chart.rows if row.names == ("a2",))
    assert (control.tag, control.mark.value, control.lit) == ("control", 0.0, True)
    for row in chart.rows:
        if row is not control:
            pair = found.pairs.pair(row.names[0], "a2")
            assert row.mark.value == pytest.approx(100 * pair.effect)
            assert row.mark.behind == (pair.adjusted <= found.alpha and pair.side < 0)
    assert forest_chart(found) is None
    assert matrix_of(found) is None


def test_two_algorithms_are_a_strip_of_their_differences():
    found = made(2)
    chart = lead_chart(found)
    values = found.table.values
    first = found.pairs.winner_first()["a"].iloc[0]
    gap = values[:, 0] - values[:, 1] if first == "a0" else values[:, 1] - values[:, 0]
    assert chart.rows[0].mark.dots == pytest.approx(tuple(100 * gap))


def test_many_algorithms_are_a_list_of_places_of_which_the_rest_is_folded():
    found = comparison(tuple(f"algorithm {i}" for i in range(66)), n_datasets=30)
    chart = lead_chart(found)
    assert isinstance(chart, Chart)
    first = sum(row.rank_low == 1 for row in found.ranking)
    assert first < len(chart.rows) < 66
    assert chart.high == max(row.rank_high for row in found.ranking[: len(chart.rows)])
    html = chart_html(chart)
    assert html.count("<summary>The other ") == 1
    assert html.count('<th scope="row"') == 66
    assert matrix_of(found) is None


def test_the_matrix_has_gains_above_and_records_below():
    found = made()
    matrix = matrix_of(found)
    pair = found.pairs.pair(matrix.names[0], matrix.names[1])
    assert matrix.cells[0][1].text == f"{100 * pair.effect:.2f}".replace("-", "\u2212")
    assert matrix.cells[1][0].text == f"{pair.losses}–{pair.wins}"
    assert matrix.cells[0][0] is None
    for i, row in enumerate(matrix.cells):
        for j, cell in enumerate(row):
            if j > i:
                assert cell.framed == (found.pairs.pair(matrix.names[i], matrix.names[j]).adjusted <= found.alpha)
                assert not cell.framed or cell.step != 0  # what is decided is never without colour


def test_the_legend_of_a_matrix_has_every_colour_that_is_seen():
    steep = pd.DataFrame(scores(24, 18) - 0.03 * np.arange(18))  # above the diagonal all are better, below it worse
    for found in (made(), compare(as_table(steep), direction="higher")):
        matrix = matrix_of(found)
        seen = {cell.step for row in matrix.cells for cell in row if cell is not None} - {0}
        assert seen <= {step for step, _ in matrix.steps}
    assert {-1, -2} <= seen


def test_infinite_and_missing_ends_are_drawn_within_the_picture():
    found = made(4, 3)  # too few datasets for bounded intervals
    html = chart_html(forest_chart(found)) + matrix_html(matrix_of(found))
    assert "nan" not in html
    assert "inf%" not in html
    places = [float(x) for x in re.findall(r'[xc]1?2?x?="(-?[\d.]+)%"', html)]
    assert places
    assert all(0 <= place <= 100 for place in places)


def test_hostile_names_stay_text_in_charts():
    found = comparison(HOSTILE)
    html = chart_html(lead_chart(found)) + chart_html(forest_chart(found)) + matrix_html(matrix_of(found))
    assert "<script" not in html
    assert "</style>" not in html


def test_the_first_screen_has_the_verdict_its_picture_and_three_numbers():
    page = render_html(report(PLAIN))
    first = page[page.index('<section id="verdict"') : page.index('<section id="ranking"')]
    headline = re.search(r"<h1[^>]*>(.*?)</h1>", first)[1]
    assert len(headline.split()) <= 30
    assert first.count("<dd>") == 3
    assert first.index("<h1") < first.index('class="chart"') < first.index('class="keys"')
    assert page.count("<h1") == 1


@pytest.mark.parametrize(
    ("names", "room"), [(("logistic", "forest"), "nm8"), (("large-v2", "x"), "nm8"), (("a" * 30, "b"), "wide")]
)
def test_the_column_of_names_holds_the_longest_word(names, room):
    chart = lead_chart(comparison((*names, "c", "d"), n_datasets=12))
    assert re.search(rf'<table class="[^"]* {room} g\d', chart_html(chart))


def test_columns_are_as_wide_as_their_numbers():
    chart = forest_chart(made())
    classes = re.findall(r'<th scope="col" class="n(?: iv)? c(\d+)"', chart_html(chart))
    texts = [max(len(row.texts[place]) for row in chart.rows) for place in range(len(chart.heads))]
    assert len(classes) == len(texts)
    assert all(int(width) >= 0.5 * letters for width, letters in zip(classes, texts, strict=True))


def test_against_a_control_the_largest_difference_comes_first_and_no_line_parts_them():
    chart = lead_chart(made(control="a2"))
    values = [row.mark.value for row in chart.rows]
    assert values == sorted(values, reverse=True)
    assert 'class="cut' not in chart_html(chart)
    assert " cut" not in chart_html(chart)


@pytest.mark.parametrize("lower", [False, True])
def test_the_pairs_table_names_the_winner_first(lower):
    found = made(lower=lower)
    table = next(b for b in comparison_document(found).blocks() if isinstance(b, TableBlock) and b.key == "pairs")
    keys = [column.key for column in table.columns]
    rows = [dict(zip(keys, row, strict=True)) for row in table.rows]
    assert all(found.pairs.pair(row["a"], row["b"]).side >= 0 for row in rows)


def test_two_algorithms_have_scores_and_no_ranking():
    document = comparison_document(made(2))
    section = next(section for section in document.sections if section.key == "ranking")
    assert section.title == "Scores"
    assert [column.key for column in section.blocks[0].columns] == [
        "algorithm",
        "mean_rank",
        "mean_score",
        "median_score",
    ]


def test_the_numbers_stand_beside_a_tall_list():
    tall, low = (render_html(comparison_document(made(k))) for k in (22, 5))
    assert '<dl class="keys">' in tall.split("hero tall")[1].split("</section>")[0].split("quiet")[0]
    assert "hero tall" not in low


def test_each_bar_has_the_letter_that_the_table_gives_its_members():
    found = made()
    chart = lead_chart(found)
    assert len(chart.letters) == len(chart.bars) > 0
    for letter, bar in zip(chart.letters, chart.bars, strict=True):
        assert [place for place, row in enumerate(found.ranking) if letter in row.group] == list(bar)
    assert all(f">{letter}</text>" in chart_html(chart) for letter in chart.letters)


def test_dots_of_a_strip_hide_no_other_while_there_is_room():
    chart = lead_chart(made(k=2, n=24))
    drawn = re.findall(
        r'class="dot" cx="([\d.]+)%" cy="50%" r="4"(?: transform="translate\(0 (-?\d+)\)")?', chart_html(chart)
    )
    assert len(drawn) == 24
    places = [(float(x), int(y or 0)) for x, y in drawn]
    for i, (x, y) in enumerate(places):
        assert all(y != v or abs(x - u) >= 2.3 for u, v in places[:i])


@pytest.mark.parametrize(
    ("ticks", "kept"),
    [
        ((-5.0, 0.0, 5.0, 10.0), ["0.0", "10.0"]),
        ((3.0, 3.5, 4.0), ["3.0", "4.0"]),
    ],
)
def test_on_a_phone_every_second_tick_has_no_number_but_zero_has_one(ticks, kept):
    chart = replace(lead_chart(made()), ticks=tuple((tick, f"{tick:.1f}") for tick in ticks))
    head = chart_html(chart).split("</thead>")[0]
    assert re.findall(r'<text x="[^"]*" y="70%">(-?[\d.]+)</text>', head) == kept


def test_differences_of_runs_are_named_for_their_aggregate():
    values = {"a": scores(5, 12) + 0.2, "b": scores(5, 12), "c": scores(5, 12) - 0.1}
    found = compare(values, unit="run")
    label = AGGREGATES[found.extra("aggregates").aggregates[0]].label
    assert matrix_of(found).title == f"Row minus column, {label}"
    assert f"Winner over loser, {label};" in forest_chart(found).title


def test_of_many_holes_the_page_has_the_count():
    values = scores(40, 4)
    values[:15, 0] = np.nan
    found = compare(as_table(pd.DataFrame(values, columns=list("abcd"))), metric="accuracy")
    facts = next(b for b in comparison_document(found).blocks() if isinstance(b, TableBlock) and b.key == "facts")
    assert ("Holes", "15 missing cells") in facts.rows


def test_ratios_in_the_matrix_are_no_differences():
    values = np.array(
        [[0.9, 0.8, 0.5], [0.8, 0.7, 0.5], [0.7, 0.72, 0.4], [0.95, 0.9, 0.6], [0.85, 0.8, 0.5], [0.8, 0.78, 0.45]]
    )
    table = as_table(pd.DataFrame(values, columns=["svm", "forest", "bayes"], index=list("uvwxyz")))
    titles = {
        test: matrix_of(compare(table, test=test, direction="higher")).title for test in ("wilcoxon", "geometric_ratio")
    }
    assert titles["wilcoxon"].startswith("Row minus column")
    assert titles["geometric_ratio"] == "How much higher the row is than the column, percent"
