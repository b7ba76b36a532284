"""Rows and grids of figures as tables of the page: what they show is read without the picture."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

import podium
from podium.comparison.compare import compare
from podium.evidence.table import as_table
from podium.plot.matrix import Grid
from podium.plot.rows import Row, rows_of
from podium.report.comparison import comparison_document
from podium.report.document import TableBlock
from podium.report.html_scenes import grid_html, rows_html
from podium.report.render_html import render_html
from report.sample import HOSTILE, PLAIN, comparison, report, scores


def figure(found, name):
    """A figure of the comparison as HTML."""
    table = getattr(podium.plot, name)(found).table
    return grid_html(name, table) if isinstance(table, Grid) else rows_html(name, table)


@cache
def made(k=5, n=24, *, lower=False, **settings):
    values = scores(n, k)
    frame = pd.DataFrame(1 - values if lower else values, columns=[f"a{i}" for i in range(k)])
    metric = "error_rate" if lower else "accuracy"
    return compare(as_table(frame), metric=metric, direction="lower" if lower else "higher", **settings)


def test_infinite_and_missing_ends_are_drawn_within_the_picture():
    found = made(4, 3)  # too few datasets for bounded intervals
    html = figure(found, "forest") + figure(found, "comparison_matrix") + figure(found, "gaps")
    assert "nan" not in html
    assert "inf%" not in html
    places = [float(x) for x in re.findall(r'[xc]1?2?x?="(-?[\d.]+)%"', html)]
    assert places
    assert all(0 <= place <= 100 for place in places)


def test_hostile_names_stay_text_in_charts():
    found = comparison(HOSTILE)
    html = figure(found, "forest") + figure(found, "comparison_matrix") + figure(found, "gaps")
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
    ("names", "room"),
    [
        (("logistic", "forest"), "nm8"),
        (("large-v2", "x"), "nm8"),
        (("a" * 30, "b"), "wide"),
        (("logistic_regression", "GradientBoosting"), "nm12"),
    ],
)
def test_the_column_of_names_holds_the_longest_word(names, room):
    html = figure(comparison((*names, "c", "d"), n_datasets=12), "gaps")
    assert re.search(rf'<table class="[^"]* {room} g\d', html)


def test_columns_are_as_wide_as_their_numbers():
    data = podium.plot.forest(made()).table
    classes = re.findall(r'<th scope="col" class="n(?: iv)? c(\d+)"', rows_html("forest", data))
    texts = [max(len(row.texts[place]) for row in data.rows) for place in range(len(data.heads))]
    assert len(classes) == len(texts)
    assert all(int(width) >= 0.5 * letters for width, letters in zip(classes, texts, strict=True))


def test_of_many_the_others_are_folded_on_a_scale_of_their_own():
    html = figure(comparison(tuple(f"algorithm {i}" for i in range(66)), n_datasets=30), "gaps")
    assert html.count(" <small>on a scale of their own</small></summary>") == 1
    assert html.count('<th scope="row"') == 66
    assert 'id="grid-gaps"' in html
    assert 'id="grid-gaps-rest"' in html


def test_a_line_parts_those_that_could_be_first():
    page = figure(made(), "gaps")
    assert (" cut" in page or '"cut' in page) == (podium.plot.gaps(made()).table.cut is not None)


def test_a_close_decision_is_half_filled_on_the_page():
    row = Row(names=("a",), value=1.0, low=-0.1, high=2.0, fill="half", tone="behind", texts=("1.0",))
    data = rows_of("Gap", "points", [row], heads=("Gap",), legend=(("half", "close decision"),), reference=0.0)
    html = rows_html("gaps", data)
    assert 'class="h b"' in html
    assert "close decision" in html


def test_bars_that_a_page_leaves_out_are_not_explained():
    rows = [Row(names=(f"a{i}",), value=float(i), texts=("1",)) for i in range(3)]
    many = tuple((lane, (0, 1)) for lane in range(13))
    data = rows_of("t", "s", rows, heads=("Rank",), bars=many, joins="Bars connect.")
    assert "Bars connect" not in rows_html("cd_diagram", data)
    assert "Bars connect" in rows_html("cd_diagram", replace(data, bars=many[:2]))


def test_a_column_that_a_phone_leaves_out_has_neither_head_nor_cells_there():
    page = render_html(comparison_document(made(2)))
    (table,) = re.findall(r'data-block="pairs".*?</table>', page, flags=re.DOTALL)
    heads, cells = (re.findall(rf"<{tag}[ >][^>]*", table) for tag in ("th", "td"))
    assert sum(' m"' in head for head in heads) == sum(' m"' in cell for cell in cells) > 0


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
    tall, low = (render_html(comparison_document(made(k, n))) for k, n in ((36, 5), (24, 24)))
    assert '<dl class="keys">' in tall.split("hero tall")[1].split("</section>")[0].split("quiet")[0]
    assert "hero tall" not in low


@pytest.mark.parametrize(
    ("ticks", "kept"),
    [
        ((-5.0, 0.0, 5.0, 10.0), ["0.0", "10.0"]),
        ((3.0, 3.5, 4.0), ["3.0", "3.5", "4.0"]),
    ],
)
def test_on_a_phone_every_second_tick_of_many_letters_has_no_number_but_zero_has_one(ticks, kept):
    data = replace(podium.plot.gaps(made()).table, ticks=tuple((tick, f"{tick:.1f}") for tick in ticks))
    head = rows_html("gaps", data).split("</thead>")[0]
    assert re.findall(r'<text x="[^"]*" y="70%">(-?[\d.]+)</text>', head) == kept
    usual = replace(data, ticks=tuple((float(tick), f"{tick}") for tick in range(-1, 4)))
    assert "class=alt" not in rows_html("gaps", usual)  # five short ones have room


def test_of_many_holes_the_page_has_the_count():
    values = scores(40, 4)
    values[:15, 0] = np.nan
    found = compare(as_table(pd.DataFrame(values, columns=list("abcd"))), metric="accuracy")
    facts = next(b for b in comparison_document(found).blocks() if isinstance(b, TableBlock) and b.key == "facts")
    assert ("Missing scores", "15 missing cells") in facts.rows


def test_a_page_has_at_most_two_thousand_rows_of_a_table_and_says_where_the_others_are():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        rng.normal(size=(9000, 2)).round(3), columns=["a", "b"], index=[f"data {i}" for i in range(9000)]
    )
    found = comparison_document(compare(as_table(frame), direction="higher"))
    page = render_html(found)
    assert "This page has the first 2,000 of 9,000 rows: the JSON file (--json) has them all." in page
    assert len(page) < 1_500_000
    assert page.count('class="dot"') <= 1000
    assert len(found.data["table"]["values"]) == 9000


def test_how_to_repeat_it_names_no_file_that_was_not_written():
    page = render_html(report(PLAIN))
    assert "podium compare --from FILE" in page
    assert "report.html" not in page


def test_the_level_says_what_the_procedure_does_not_what_is_true_of_these_differences():
    page = render_html(report(PLAIN))
    assert "At most 5% of such studies would report any false difference" in page


LONG = tuple(f"20240{i}1{i}_agent-number-{i}_claude-3-5-sonnet" for i in range(1, 6))


def test_charts_have_the_short_labels_and_the_whole_name_beside_them():
    found = compare(as_table(pd.DataFrame(scores(24, 5), columns=list(LONG))), metric="accuracy", direction="higher")
    for name in ("gaps", "forest", "comparison_matrix"):
        html = figure(found, name)
        shown = re.findall(r'<bdi data-key="([^"]*)">(.*?)</bdi>', html)  # the script shows the key on hovering
        assert {whole for whole, _ in shown} == set(LONG)
        assert all(len(text.replace("<wbr>", "")) <= 24 for _, text in shown)


def test_the_key_number_is_short_and_its_unit_stands_below_it():
    frame = pd.DataFrame(scores(24, 3), columns=["a", "b", "c"])
    found = compare(as_table(frame), metric="human-normalised score", direction="higher")
    keys = dict(
        block for b in comparison_document(found).sections[0].blocks if hasattr(b, "items") for block in _pairs(b)
    )
    (number,) = [value for value, text in keys.items() if "smallest difference" in text]
    assert re.fullmatch(r"[\d.]+", number)
    assert "human-normalised score" in keys[number]


def _pairs(block):
    return block.items if block.items and isinstance(block.items[0], tuple) else ()


def test_intervals_are_written_alike_in_charts_and_tables_of_a_page():
    html = render_html(report(PLAIN))
    assert re.search(r">\d to \d<", html)
    assert not re.search(r">\[[^<\]]*, [^<\]]*\]", html)


def test_a_probability_has_the_same_head_and_digits_in_every_chart():
    found = comparison(PLAIN, rope=0.02)
    gaps, forest = podium.plot.gaps(found).table, podium.plot.forest(found).table
    assert "P equiv." in gaps.heads
    assert "P equiv." in forest.heads
    place = forest.heads.index("P equiv.")
    assert all(re.fullmatch(r"\d\.\d{3}", row.texts[place]) for row in forest.rows)


def test_counts_have_marks_for_thousands():
    from podium.core.numbers import cell

    assert cell(12345, "count") == "12,345"
    assert cell((1200, 3, 4), "record") == "1,200–3–4"
    assert cell(float("nan"), "count") == "\u2013"


def test_a_cost_table_says_what_its_scores_are():
    example = podium.example("ulas2008")
    tables = comparison_document(podium.compare(example, metric="accuracy", cost="space"), drawn=False).tables()
    titles = {column.key: column.title for column in tables["cost"].columns}
    assert titles["score"] == {column.key: column.title for column in tables["ranking"].columns}["mean_score"]


def test_too_few_data_for_an_interval_are_named_so_in_sentences():
    found = compare(as_table(pd.DataFrame({"a": [0.9, 0.8, 0.7], "b": [0.8, 0.7, 0.75]})), metric="accuracy")
    assert "\u221e" not in render_html(comparison_document(found))


def test_no_figure_of_a_report_says_again_what_its_ranking_has():
    wide = made(42, 12)
    keys = set(comparison_document(wide).figures())
    assert not keys & {"rank_intervals", "cd_diagram"}


def test_one_dataset_has_no_mean_ranks():
    rng = np.random.default_rng(1)
    skills = {"a": 0.9, "b": 0.8, "c": 0.7}
    rows = [
        ("iris", name, fold, skill + 0.01 * rng.standard_normal())
        for fold in range(10)
        for name, skill in skills.items()
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "fold", "accuracy"])
    document = comparison_document(podium.compare(frame, metric="accuracy"))
    ranking = next(section for section in document.sections if section.key == "ranking")
    keys = [column.key for column in ranking.blocks[0].columns]
    assert "mean_score" in keys
    assert not {"mean_rank", "median_score"} & set(keys)
    assert not {"cd_diagram", "rank_distribution"} & {getattr(block, "key", "") for block in ranking.blocks}


def test_datasets_won_and_algorithms_beaten_are_written_apart():
    page = render_html(comparison_document(made()))
    assert re.search(r'data-block="ranking".*?>\d/\d/\d[ <]', page, flags=re.DOTALL)
    assert re.search(r'data-block="pairs".*?>\d+–\d+–\d+<', page, flags=re.DOTALL)


def test_a_formula_of_costs_does_not_head_a_column():
    found = podium.compare(podium.example("ulas2008"), metric="accuracy", cost="0.7*training_time + 0.3*space")
    table = next(b for b in comparison_document(found).blocks() if isinstance(b, TableBlock) and b.key == "cost")
    assert "Cost" in [column.title for column in table.columns]
    assert table.note.startswith("0.7*training_time + 0.3*space: the geometric mean")
