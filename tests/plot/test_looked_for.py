"""Figures that people look for: what each shows is what the results say."""

import numpy as np
import pandas as pd
import pytest

import podium
from plot.gallery import outside, overlapping_texts
from podium.core.errors import ArgumentError
from podium.plot import (
    bump,
    case_map,
    chance_contours,
    chance_winner,
    improvement,
    learning_curves,
    power,
    score_strips,
    simplex,
    strip,
)
from podium.plot.scene import Circle, Polygon, Polyline, Rect

NAMES = ("forest", "svm", "nearest")


def scores():
    rng = np.random.default_rng(4)
    return pd.DataFrame(rng.normal([0.8, 0.78, 0.7], 0.03, (15, 3)).round(3), columns=list(NAMES))


@pytest.fixture(scope="module")
def comparison():
    return podium.compare(scores(), metric="accuracy")


def good(figure):
    scene = figure.scene
    assert not overlapping_texts(scene)
    assert not outside(scene)
    return scene


def test_the_strip_shows_the_differences_of_any_pair_of_many(comparison):
    table = scores()
    rows = strip(comparison, algorithms=("nearest", "svm")).table
    wanted = sorted((100 * (table["svm"] - table["nearest"])).round(9))  # seen from the better one
    assert sorted(round(value, 9) for value, _ in rows.rows[0].dots) == pytest.approx(wanted)
    pair = comparison.pairs.pair("svm", "nearest")
    assert rows.rows[1].value == pytest.approx(100 * pair.effect)
    assert "svm minus nearest" in rows.title
    assert strip(comparison).title.startswith(f"{comparison.ranking[0].algorithm} minus")


def test_a_strip_of_cases_is_refused():
    cases = podium.compare({"a": [1] * 9 + [0] * 3, "b": [0] * 6 + [1] * 6}, unit="case", metric="accuracy")
    with pytest.raises(ArgumentError):
        strip(cases)


def test_score_strips_have_every_score_and_the_median(comparison):
    table, rows = scores(), score_strips(comparison).table
    assert [row.names[0] for row in rows.rows] == [row.algorithm for row in comparison.ranking]
    for row in rows.rows:
        own = 100 * table[row.names[0]]
        assert [value for value, _ in row.dots] == pytest.approx(own.tolist())
        assert row.value == pytest.approx(own.median())
    good(score_strips(comparison))


def test_score_strips_pass_over_holes():
    rows = score_strips(np.array([[0.9, np.nan], [0.5, 0.4], [0.7, 0.8]])).table.rows
    assert {len(row.dots) for row in rows} == {2, 3}


def test_the_bump_chart_has_the_rank_by_every_metric():
    one, two = pd.DataFrame([[3, 2, 1]] * 4, columns=list("abc")), pd.DataFrame([[1, 2, 3]] * 4, columns=list("abc"))
    orders = {name: podium.stats.nemenyi(frame) for name, frame in (("one", one), ("two", two), ("three", one))}
    scene = good(bump(orders))
    line = next(shape for shape in scene.shapes if isinstance(shape, Polyline) and shape.key == "a")
    heights = [y for _, y in line.points]
    assert heights[0] == heights[2] < heights[1]
    for few in ({}, {"one": orders["one"]}):
        with pytest.raises(ArgumentError):
            bump(few)
    with pytest.raises(ArgumentError):
        bump({"one": orders["one"], "two": podium.stats.nemenyi(one.rename(columns={"a": "other"}))})


def test_the_map_of_cases_goes_from_the_easiest_to_the_hardest():
    outcomes = pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 0]})  # the second is easy, nobody has the first and last
    scene = good(case_map(podium.compare(outcomes, unit="case", metric="accuracy")))
    cells = [shape for shape in scene.shapes if isinstance(shape, Rect)]
    cells = [cell for cell in cells if cell.y == min(other.y for other in cells)]
    shades = [float(cell.fill.partition(":")[2]) for cell in sorted(cells, key=lambda cell: cell.x)]
    assert shades == sorted(shades, reverse=True)
    assert "50% are solved by nobody" in scene.description


def test_many_cases_share_columns():
    rng = np.random.default_rng(0)
    outcomes = pd.DataFrame((rng.random((500, 12)) < 0.5).astype(int), columns=[f"system {i}" for i in range(12)])
    scene = good(case_map(podium.compare(outcomes, unit="case", metric="accuracy")))
    assert len([shape for shape in scene.shapes if isinstance(shape, Rect)]) <= 12 * 40


def runs(shift=0.0):
    rng = np.random.default_rng(8)
    return {name: rng.normal(0.5 + shift + 0.1 * i, 0.05, (4, 3)) for i, name in enumerate(NAMES)}


def test_the_probability_of_improvement_is_that_of_the_pairs():
    pairs = podium.runs.all_pairs(runs())
    table = improvement(pairs).table
    for row in table.rows:
        own = pairs.pair(*row.names).details
        assert (row.value, row.low, row.high) == pytest.approx(
            tuple(100 * own[name] for name in ("improvement", "improvement_low", "improvement_high"))
        )
        assert row.value >= 50
    assert table.reference == 50
    assert (table.rows[0].fill == "full") == (table.rows[0].low > 50)


def test_learning_curves_have_the_aggregate_at_every_step():
    at = {step: podium.runs.aggregates(runs(step / 1000)) for step in (300, 100, 200)}
    scene = good(learning_curves(at))
    lines = [shape for shape in scene.shapes if isinstance(shape, Polyline)]
    assert {line.key for line in lines} == set(NAMES)
    for line in lines:
        heights = [-y for _, y in line.points]
        own = [at[step].values[NAMES.index(line.key), 0] for step in (100, 200, 300)]
        assert np.corrcoef(heights, own)[0, 1] == pytest.approx(1)
    assert len([shape for shape in scene.shapes if isinstance(shape, Polygon)]) == len(NAMES)
    with pytest.raises(ArgumentError):
        learning_curves({100: at[100]})
    with pytest.raises(ArgumentError, match="need a dict"):
        learning_curves(at[100])


@pytest.mark.parametrize("metric", ["auc", "best_error"])
def test_the_law_of_the_winner_is_that_of_the_best_of_so_many(metric):
    rng = np.random.default_rng(2)
    truth = np.arange(12) < 5
    found = podium.chance.chance_test(truth, {name: rng.normal(size=12) for name in "abcd"}, metric=metric)
    law, one = found.law, podium.chance.null_distribution(metric, positives=5, negatives=7)
    for score, share in zip(law.scores.tolist(), law.cdf.tolist(), strict=True):
        alone = one.cdf(score)
        assert share == pytest.approx(alone**4 if one.sign > 0 else 1 - (1 - alone) ** 4)


def test_the_winner_and_the_critical_value_stand_at_their_scores():
    truth = np.arange(12) < 5
    found = podium.chance.chance_test(truth, {"the winner": np.r_[9:4:-1, 6.5, 1:7], "b": np.arange(12.0)})
    scene = good(chance_winner(found))
    assert any("the winner" in text.text for text in scene.texts)
    upright = [
        s.x1 for s in scene.shapes if type(s).__name__ == "Line" and s.stroke in ("ink", "blue") and s.x1 == s.x2
    ]
    assert len(set(upright)) >= 2


def test_power_says_where_the_pilot_is():
    pilot = podium.planning.power(tests=["sign"], effects=[0.1], sizes=[5, 10, 20], pilot=scores(), draws=50)
    assert pilot.here == 15
    assert any(text.text == "you are here: 15" for text in power(pilot).scene.texts)
    plain = podium.planning.power(tests=["sign"], effects=[0.1], sizes=[5, 10], draws=50)
    assert plain.here is None
    assert not any("here" in text.text for text in power(plain).scene.texts)


def test_contours_stand_on_logarithmic_axes():
    sizes = [4, 8, 16, 32, 64]
    table = podium.chance.critical_table("auc", positives=sizes, negatives=sizes, competitors=[5])
    scene = good(chance_contours(table))
    at = {text.text: text.x for text in scene.texts if text.text in ("5", "10", "20", "50") and text.anchor == "middle"}
    assert at["20"] - at["10"] == pytest.approx(at["10"] - at["5"])


def test_the_hexagons_stay_inside_the_simplex():
    found = podium.bayes.sign(np.arange(6.0), np.arange(6.0) - [1, 1, 1, 0, -1, 0], rope=0.5, draws=4000, rng=0)
    polygons = [shape for shape in simplex(found).scene.shapes if isinstance(shape, Polygon)]
    triangle = np.array(next(shape.points for shape in polygons if shape.fill is None))
    matrix = np.vstack([triangle.T, np.ones(3)])
    for shape in polygons:
        inside = np.linalg.solve(matrix, np.vstack([np.array(shape.points).T, np.ones(len(shape.points))]))
        assert inside.min() > -1e-9


def test_reports_have_the_figures_of_their_unit(comparison):
    from podium.report.documents import document

    assert "score_strips" in document(comparison).figures()
    rng = np.random.default_rng(3)
    outcomes = pd.DataFrame((rng.random((40, 3)) < 0.6).astype(int), columns=list(NAMES))
    assert "case_map" in document(podium.compare(outcomes, unit="case", metric="accuracy")).figures()
    long = [(a, t, s, v) for a, each in runs().items() for s, row in enumerate(each) for t, v in enumerate(row)]
    frame = pd.DataFrame(long, columns=["agent", "task", "seed", "score"])
    assert "improvement" in document(podium.compare(frame, unit="run", direction="higher")).figures()


def test_circles_of_the_bump_chart_say_the_mean_rank():
    frame = pd.DataFrame([[3, 2, 1]] * 4, columns=list("abc"))
    scene = bump({"one": podium.stats.nemenyi(frame), "two": podium.stats.nemenyi(frame)}).scene
    assert any("mean rank 1.000" in shape.title for shape in scene.shapes if isinstance(shape, Circle))
