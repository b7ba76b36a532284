"""Planning: valleys, sizes and the curve over competitors, by trying everything."""

import numpy as np
import pytest

import podium
from podium.chance.best_of import critical_value
from podium.core.errors import ArgumentError
from podium.planning.positives import planned
from refusals import refuses


def test_the_valley_by_trying_every_mix():
    found = podium.planning.plan_class_balance(40, metrics=["best_accuracy", "tp10"], competitors=10)
    for m, metric in enumerate(found.metrics):
        values = {}
        for P in range(1, 40):
            one = critical_value(metric, positives=P, negatives=40 - P, competitors=10)
            assert found.critical_values[m, P - 1] == one.critical_value
            if one.p_above > 0:  # else no score can exceed it
                values[P] = one.critical_value
        assert found.easiest[m] == min(values, key=values.get)
    assert "Values of different metrics cannot be compared" in found.summary()
    assert len(found.to_frame()) == 78


def test_power_ranks_the_metrics_for_an_imagined_algorithm():
    found = podium.planning.plan_class_balance(60, metrics=["auc", "tp3"], competitors=5, auc=0.85, draws=60, rng=0)
    assert found.best_metric == "auc"
    assert np.nanmax(found.power[0]) > 0.9
    assert found.power[0, 0] < 0.5  # a single positive
    assert "most often significant by AUC" in found.summary()


@pytest.mark.parametrize(
    "metric, score, share, competitors",
    [("auc", 0.75, 0.3, 10), ("auc", 0.9, 0.99, 1), ("best_accuracy", 0.8, 0.5, 10), ("tp5", 5, 0.2, 3)],
)
def test_the_number_of_cases_by_trying_every_size(metric, score, share, competitors):
    found = podium.planning.plan_cases(metric, score, share=share, competitors=competitors)

    def significant(cases):
        P = min(max(1, int(cases * share + 0.5)), cases - 1)
        return critical_value(metric, positives=P, negatives=cases - P, competitors=competitors).critical_value < score

    smallest = 5 if metric == "tp5" else 2
    first = next(cases for cases in range(smallest, 500) if significant(cases))
    assert found.first == first
    assert all(significant(cases) for cases in range(found.cases, 2 * found.cases))
    assert found.cases == first or not significant(found.cases - 1)
    assert found.positives + found.negatives == found.cases
    assert found.critical_value < score


def test_a_score_that_is_never_significant():
    with pytest.raises(podium.ArgumentError, match="is not significant against 10 competitors with up to 500 cases"):
        podium.planning.plan_cases("auc", 0.5, competitors=10, at_most=500)


def test_the_curve_over_competitors_and_where_a_score_leaves_it():
    found = podium.planning.plan_competitors("auc", positives=100, negatives=300, alpha=0.01, score=0.65)
    assert (np.diff(found.critical_values) >= 0).all()
    settings = {"positives": 100, "negatives": 300, "alpha": 0.01}
    assert critical_value("auc", competitors=found.most_competitors, **settings).critical_value < 0.65
    assert critical_value("auc", competitors=found.most_competitors + 1, **settings).critical_value >= 0.65
    assert (found.competitors[0], found.competitors[-1], len(found.competitors)) == (1, 10_000, 38)
    first, last = found.critical_values[[0, -1]]
    assert f"goes from {first:.5g} for 1 to {last:.5g} for 10,000 competitors" in found.summary()
    assert "no agreed rule" in found.summary()
    assert len(found.to_frame()) == len(found.competitors)


def test_bad_arguments():
    for auc in (0.4, 0.5, 1.0):
        with refuses(podium.ArgumentError, "auc"):
            podium.planning.plan_class_balance(20, auc=auc)
    assert podium.planning.plan_class_balance(4, metrics=["auc"], auc=0.51, draws=1).auc == 0.51
    with pytest.raises(podium.ArgumentError, match="tp10 look at more than 9 cases"):
        podium.planning.plan_class_balance(9, metrics=["tp10"])
    with refuses(podium.ArgumentError, "competitors"):
        podium.planning.plan_competitors("auc", positives=5, negatives=5, competitors=[])
    with refuses(podium.ArgumentError, "cases"):
        podium.planning.plan_class_balance(1)


def test_how_many_positives_are_left_out_by_trying_every_number():
    """Forman and Cohen (2005, section 5): leave out a large fraction of 1000 positives where TP10 counts."""
    found = podium.planning.plan_class_balance(
        positives=40, negatives=50, leave_out="positives", metrics=["tp10"], competitors=10
    )
    values = {}
    for place, P in enumerate(found.positives.tolist()):
        one = critical_value("tp10", positives=P, negatives=50, competitors=10)
        assert found.critical_values[0, place] == one.critical_value
        if one.p_above > 0:
            values[P] = one.critical_value
    best = min(values, key=values.get)
    assert found.easiest[0] == best
    assert f"{40 - best} of 40 positives left out" in found.summary()
    assert set(found.negatives.tolist()) == {50}
    assert found.cases == 90
    large = podium.planning.plan_class_balance(
        positives=1000,
        negatives=1000,
        leave_out="positives",
        metrics=["tp10"],
        competitors=1000,
        auc=0.8,
        draws=60,
        rng=0,
    )
    assert 0 < large.best_positives < 400
    assert large.power[0, -1] == 0  # of all 1000, ten of ten may be luck
    with refuses(podium.ArgumentError, "leave_out"):
        podium.planning.plan_class_balance(positives=5, negatives=5, leave_out="both")


def test_what_is_planned_is_what_its_options_name():
    """The mix of so many cases, what competitors change where both sizes are known, or the cases that a score needs."""
    mix = planned(metrics=["auc", "tp3"], cases=20, auc=0.8, draws=40)()
    table = mix.tables()["result"].set_index("metric")
    assert table["power"].to_dict() == pytest.approx(dict(zip(mix.metrics, np.nanmax(mix.power, axis=1), strict=True)))
    curve = planned(metrics=["auc"], positives=10, negatives=12, score=0.9)()
    assert curve.tables()["result"]["competitors"].tolist() == list(curve.competitors[::4])
    assert f"AUC 0.9 is significant against at most {curve.most_competitors} competitors" in curve.summary()
    needed = planned(metrics=None, score=0.8, share=0.3)()
    assert needed.cases == podium.planning.plan_cases("auc", 0.8, share=0.3).cases
    with refuses(ArgumentError, "cases", "score", "positives", "negatives"):
        planned(metrics=None)
