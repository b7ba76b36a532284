"""The figures of a verdict show what the comparison found, whichever direction is better."""

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import podium
from podium.comparison.compare import compare
from podium.core.quantity import Quantity
from podium.evidence.table import as_table
from podium.plot.draw_text import to_text
from podium.plot.rows import Row, _placed, decided_row, group_bars, rows_of, spread_dots, ticks_of
from podium.plot.scene import Line, Polygon
from podium.report.html_scenes import rows_html
from podium.runs.registry import AGGREGATES
from report.sample import comparison, scores


@cache
def made(k=5, n=24, *, lower=False, **settings):
    values = scores(n, k)
    frame = pd.DataFrame(1 - values if lower else values, columns=[f"a{i}" for i in range(k)])
    metric = "error_rate" if lower else "accuracy"
    return compare(as_table(frame), metric=metric, direction="lower" if lower else "higher", **settings)


def rows(figure, found, **options):
    return getattr(podium.plot, figure)(found, **options).table


@pytest.mark.parametrize("lower", [False, True])
def test_gains_point_to_the_winner_whichever_direction_is_better(lower):
    found = made(lower=lower)
    data = rows("forest", found)
    assert all(row.value > 0 for row in data.rows if row.fill == "full")
    leader, *others = [row.algorithm for row in found.ranking]
    assert [row.names for row in data.rows[: len(others)]] == [(leader, other) for other in others]
    sizes = [abs(row.value) for row in data.rows[len(others) :]]
    assert sizes == sorted(sizes)
    for row in data.rows:
        assert row.low <= row.value <= row.high
        shown = found.pairs.pair(*row.names).adjusted <= found.alpha
        assert (row.tone == "ahead") == shown


def test_the_two_directions_show_the_same_picture():
    higher, lower = rows("forest", made()), rows("forest", made(lower=True))
    factor = made().quantity.factor / made(lower=True).quantity.factor
    assert [row.names for row in higher.rows] == [row.names for row in lower.rows]
    assert [r.value for r in higher.rows] == pytest.approx([factor * r.value for r in lower.rows], abs=1e-9)


@pytest.mark.parametrize("lower", [False, True])
def test_gaps_are_how_far_the_best_is_ahead_of_each(lower):
    found = made(lower=lower)
    data = rows("gaps", found)
    best = found.ranking[0].algorithm
    assert [row.names[0] for row in data.rows] == [row.algorithm for row in found.ranking]
    assert (data.rows[0].value, data.rows[0].tone) == (0.0, "reference")
    factor = found.quantity.sign * found.quantity.factor
    for row, ranked in zip(data.rows[1:], found.ranking[1:], strict=True):
        pair = found.pairs.pair(best, row.names[0])
        assert row.value == pytest.approx(factor * pair.effect)
        assert row.low <= row.value <= row.high
        assert (row.tone == "behind") == (pair.adjusted <= found.alpha and pair.side > 0)
        assert row.tinted == (ranked.rank_low == 1)
        assert row.texts[2] == f"{ranked.mean_rank:.2f}"
    named = {tuple(data.rows[i].names[0] for i in places) for _, places in data.bars}
    order = [row.algorithm for row in found.ranking]
    assert named == {tuple(sorted(group, key=order.index)) for group in found.groups if len(group) > 1}


def test_those_that_share_no_bar_are_shown_to_differ_where_the_note_says_so():
    found = made()
    data = rows("gaps", found)
    assert "differ significantly" in data.joins
    shared = {frozenset((a, b)) for _, bar in data.bars for a in bar for b in bar if a != b}
    better = found.pairs.better(found.alpha)
    places = [found.pairs.algorithms.index(row.names[0]) for row in data.rows]
    apart = (better | better.T)[np.ix_(places, places)]
    assert all((frozenset((a, b)) in shared) != bool(apart[a, b]) for a in range(5) for b in range(a))


def test_where_one_bar_holds_all_the_note_says_nothing_of_those_that_share_none():
    joins = rows("gaps", podium.compare([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8]], metric="accuracy")).joins
    assert joins == "Bars connect algorithms that do not differ significantly."


def test_gaps_of_whole_cases_have_the_digits_of_their_table():
    outcomes = np.arange(500)[:, None] < np.array([420, 380, 300])
    found = podium.compare(outcomes.astype(int), unit="case", metric="resolved", direction="higher")
    assert [row.texts[0] for row in rows("gaps", found).rows] == ["0", "8.0", "24.0"]


def test_each_bar_has_the_letter_that_the_table_gives_its_members():
    found = made()
    data = rows("gaps", found)
    assert len(data.letters) == len(data.bars) > 0
    for letter, (_, bar) in zip(data.letters, data.bars, strict=True):
        assert [place for place, row in enumerate(found.ranking) if letter in row.group] == list(bar)


def test_a_control_has_its_own_line_at_zero_and_the_others_their_difference_from_it():
    found = made(control="a2")
    data = rows("gaps", found)
    control = next(row for row in data.rows if row.names == ("a2",))
    assert (control.tag, control.value, control.tinted, control.tone) == ("control", 0.0, True, "reference")
    for row in data.rows:
        if row is not control:
            pair = found.pairs.pair(row.names[0], "a2")
            assert row.value == pytest.approx(100 * pair.effect)
            assert (row.tone == "behind") == (pair.adjusted <= found.alpha and pair.side < 0)
    values = [row.value for row in data.rows]
    assert values == sorted(values, reverse=True)
    assert data.cut is None


def test_two_algorithms_are_a_strip_of_their_differences():
    found = made(2)
    data = rows("strip", found)
    values = found.table.values
    first = found.pairs.winner_first()["a"].iloc[0]
    gap = values[:, 0] - values[:, 1] if first == "a0" else values[:, 1] - values[:, 0]
    assert [dot for dot, _ in data.rows[0].dots] == pytest.approx(sorted(100 * gap))
    assert data.rows[1].value == pytest.approx(100 * abs(found.pairs.effect[0]))


def test_dots_of_a_strip_hide_no_other_while_there_is_room():
    data = rows("strip", made(2, 24))
    room = 0.024 * (data.high - data.low)
    dots = data.rows[0].dots
    assert len(dots) == 24
    for i, (x, lane) in enumerate(dots):
        assert all(lane != other or abs(x - u) >= room - 1e-9 for u, other in dots[:i])


@given(st.lists(st.floats(-5, 5), max_size=60))
def test_every_dot_is_kept(values):
    assert [value for value, _ in spread_dots(values, -5, 5)] == sorted(values)


@pytest.mark.parametrize(("k", "n", "open_rows"), [(66, 30, None), (25, 60, 20), (66, 5, 60)])
def test_of_many_those_that_could_be_first_and_five_more_are_open_and_the_others_are_counted(k, n, open_rows):
    found = comparison(tuple(f"algorithm {i}" for i in range(k)), n_datasets=n)
    data = rows("gaps", found)
    last = max(place for place, row in enumerate(found.ranking, start=1) if row.rank_low == 1)
    assert len(data.rows) == (open_rows or last + 5)
    assert len(data.rows) + len(data.rest.rows) == k
    assert not data.bars
    texts = [text.text for text in podium.plot.gaps(found).scene.texts]
    first = sum(row.rank_low == 1 for row in found.ranking[len(data.rows) :])
    assert f"and {k - len(data.rows)} more{f', of which {first} could be first' if first else ''}" in texts
    assert (first > 0) == (open_rows == 60)


@pytest.mark.parametrize(
    ("span", "p", "fill"),
    [
        ((1.0, 0.2, 2.0), 0.01, "full"),
        ((1.0, -0.2, 2.0), 0.4, "none"),
        ((1.0, -0.2, 2.0), 0.04, "half"),  # p decides, the interval reaches 0
        ((1.0, 0.2, 2.0), 0.06, "half"),
        ((1.0, math.nan, math.nan), 0.01, "full"),
        ((1.0, -math.inf, math.inf), 0.4, "none"),
    ],
)
def test_a_mark_is_half_filled_where_p_and_interval_disagree(span, p, fill):
    row = decided_row(("a",), span, Quantity(decimals=1), p=p, alpha=0.05, tone="behind")
    assert row.fill == fill
    assert (row.tone == "behind") == (p <= 0.05)


def test_a_legend_explains_what_is_seen_and_nothing_else():
    legend = [(word, word) for word in ("ahead", "behind", "half", "none", "tint", "band", "line", "plain")]
    full, half = Row(names=("a",), value=1.0, tone="behind", tinted=True), Row(names=("b",), value=2.0, fill="half")
    data = rows_of("t", "s", [full, half], legend=legend)
    assert [word for word, _ in data.legend] == ["behind", "half", "tint"]
    everywhere = rows_of("t", "s", [full], legend=legend, reference=0.0, band=(-1, 1))
    assert [word for word, _ in everywhere.legend] == ["behind", "tint", "band", "line"]
    for tone in ("ahead", "behind"):  # the sample is as the mark
        page = rows_html("gaps", rows_of("t", "s", [replace(half, tone=tone)], legend=legend))
        assert page.count(f'class="o {tone[0].replace("a", "f")}"') == 2


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
@example(-4.2, 13.4)  # -4, -2 ... 8 or 0 and 5
def test_an_axis_has_three_to_seven_labels_inside_it(low, span):
    ticks = ticks_of(low, low + span)
    assert 3 <= len(ticks) <= 7
    slack = 1e-6 * span + 4 * math.ulp(low)  # a million and a millionth differ in their last digits only
    assert all(low - slack <= tick <= low + span + slack for tick, _ in ticks)


def test_bars_take_as_few_lanes_as_possible_and_none_where_they_are_too_many():
    assert group_bars([(0, 1), (2, 3), (1, 2), (5,)]) == ((0, (0, 1)), (1, (1, 2)), (0, (2, 3)))
    assert group_bars([(0, i) for i in range(1, 15)]) == ()


def test_a_line_parts_the_tinted_only_where_they_come_first():
    def cut(*tints):
        legend = (("tint", "could be first"),)
        return rows_of("t", "s", [Row(names=("a",), value=1, tinted=t) for t in tints], legend=legend).cut

    assert cut(True, True, False) == 2
    assert cut(True, False, True) is None
    assert cut(True, True) is None
    assert cut(False, True) is None


def test_in_a_column_names_stand_above_and_minor_columns_go():
    long = [
        Row(names=(f"a rather long name of an algorithm {i}",), value=i, texts=("1.0", "0.5 to 1.5")) for i in (1, 2)
    ]
    data = rows_of("t", "s", long, heads=("Gap", "95% interval"), minor=(1,))
    wide = data.scene()
    narrow = data.scene(237.6 - wide.width)
    assert "95% interval" in [text.text for text in wide.texts]
    assert "95% interval" not in [text.text for text in narrow.texts]
    assert "Gap" in [text.text for text in narrow.texts]
    name, mark = narrow.texts[-2 * 2], next(shape for shape in narrow.shapes if hasattr(shape, "radius"))
    assert name.anchor == "start"
    assert name.y < mark.y


def test_differences_of_runs_are_named_for_their_aggregate():
    values = {"a": scores(5, 12) + 0.2, "b": scores(5, 12), "c": scores(5, 12) - 0.1}
    found = compare(values, unit="run")
    label = AGGREGATES[found.extra("aggregates").aggregates[0]].label
    assert rows("comparison_matrix", found).title.endswith(f", {label}")
    assert rows("forest", found).scale.endswith(f", {label}")


def test_ratios_are_written_in_percent():
    values = np.array(
        [[0.9, 0.8, 0.5], [0.8, 0.7, 0.5], [0.7, 0.72, 0.4], [0.95, 0.9, 0.6], [0.85, 0.8, 0.5], [0.8, 0.78, 0.45]]
    )
    table = as_table(pd.DataFrame(values, columns=["svm", "forest", "bayes"], index=list("uvwxyz")))
    found = compare(table, test="geometric_ratio", direction="higher")
    assert rows("comparison_matrix", found).title == "Gain of the row over the column, percent"
    ratio = found.pairs.pair("svm", "bayes").effect
    gap = next(row for row in rows("gaps", found).rows if row.names == ("bayes",))
    assert gap.value == pytest.approx(100 * (ratio - 1))


def test_too_few_datasets_for_an_interval_give_no_line_and_the_row_says_so():
    """Wilcoxon's test has no finite 95% interval on three datasets: a line across the track would look like one."""
    table = pd.DataFrame({"A": [0.9, 0.91, 0.88], "B": [0.8, 0.83, 0.85], "C": [0.7, 0.72, 0.6]})
    found = podium.compare(table, metric="accuracy")
    assert np.isinf(found.pairs.low).all()
    data = rows("gaps", found)
    assert [row.has_interval for row in data.rows] == [False] * 3
    assert [row.texts[1] for row in data.rows] == ["", "too few data", "too few data"]
    assert "too few data for 95% intervals" in data.note
    assert data.high < 23  # no room is kept for arrows: the largest gap is 21.75
    scene = podium.plot.gaps(found).scene
    assert not [shape for shape in scene.shapes if isinstance(shape, Polygon)]
    assert not [shape for shape in scene.shapes if isinstance(shape, Line) and shape.stroke_width == 1.4]
    assert not any("\u2500" in line for line in to_text(data))
    (figure,) = re.findall(r'<figure class="chart".*?</figure>', rows_html("gaps", data), flags=re.DOTALL)
    assert 'y1="50%"' not in figure


def test_in_text_a_star_marks_those_that_could_be_first_where_no_line_parts_them():
    legend = [("tint", "could be first")]
    made = [Row(names=(name,), value=1.0, texts=("1",), tinted=name != "b") for name in "abc"]
    lines = to_text(rows_of("t", "s", made, legend=legend, heads=("Gap",)), 60)
    assert [line.split()[:2][-1] == "*" for line in lines[2:5]] == [True, False, True]
    assert "* could be first" in lines[-1]
    assert "*" not in "".join(to_text(rows_of("t", "s", made[:2], legend=legend, heads=("Gap",)), 60))


def test_too_few_data_for_an_interval_are_said_where_there_is_no_line():
    data = rows("gaps", podium.compare([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8]], metric="accuracy"))
    assert all(row.texts[1] == "too few data" and not row.has_interval for row in data.rows[1:])
    assert "too few data for 95% intervals" in data.note  # for all
    hole = np.full(8, np.nan)
    hole[:3] = [0.75, 0.71, 0.73]
    full = 0.9 - 0.01 * np.arange(8)
    table = pd.DataFrame({"a": full, "b": full - 0.1, "c": hole}, index=list("stuvwxyz"))
    mixed = rows("gaps", podium.compare(as_table(table), direction="higher"))
    assert {row.texts[1] == "too few data" for row in mixed.rows[1:]} == {True, False}
    assert "No line: too few data for an interval." in mixed.note
    assert mixed.minor == data.minor == (1,)  # on a phone the column leaves its room to the track


@pytest.mark.parametrize("settings", [{}, {"rope": 0.01}, {"control": "a1", "rope": 0.01}])
def test_the_track_of_the_first_picture_has_about_half_of_its_width(settings):
    sheet = _placed(rows("gaps", made(**settings)), 0.0)
    assert sheet.axis.end - sheet.axis.start >= 0.48 * sheet.right
