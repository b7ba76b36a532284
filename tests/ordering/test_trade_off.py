"""Score against cost: which algorithm is the cheapest not significantly worse, and what it costs beside the best."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.core.errors import PodiumError
from podium.ordering.costs import Costs, as_costs
from podium.ordering.trade_off import pareto_front


@pytest.fixture(scope="module")
def found():
    return podium.compare(podium.example("ulas2008"), metric="accuracy", cost=["training_time", "space"])


def test_the_trade_off_of_the_paper(found):
    """svl is 0.78 points behind svr (-0.52 to 3.42), p = 1; all others are significantly worse."""
    time, space = found.trade_offs
    assert (time.reference, time.choice, time.not_worse) == ("svr", "svl", ("svr", "svl"))
    own = time.of("svl")
    assert np.round([own["gap"], own["low"], own["high"]], 2).tolist() == [0.78, -0.52, 3.42]
    assert (round(own["adjusted"], 2), own["cheaper_on"]) == (1.0, 30)
    assert time.frontier == ("5nn", "lnp", "mlp", "svl", "svr")
    assert [time.verdict(name) for name in ("svr", "svl", "mlp", "c45")] == [
        "best",
        "cheapest not worse",
        "worse, but cheaper",
        "dominated by 5nn",
    ]
    assert space.frontier == ("c45", "mdt", "mlp", "svl", "svr")
    saved = f"{100 * own['cost'] / time.of('svr')['cost']:.1f}% of its training time"
    assert time.summary().endswith(
        f"svl is the cheapest algorithm that is not significantly worse than svr, at {saved}."
    )
    assert np.isnan(time.of("svr")["low"])


def test_what_beats_the_control_is_better_and_the_rope_is_answered():
    scores = podium.example("ulas2008").scores("accuracy").table()
    found = podium.compare(
        scores, control="c45", cost=dict.fromkeys(scores.algorithms, 2.0) | {"c45": 1.0, "mdt": 0.5}, rope=1
    )
    trade = found.trade_offs[0]
    better = [name for name in trade.algorithms if trade.verdict(name) == "better"]
    sides = {name: found.pairs.pair(name, "c45") for name in trade.algorithms if name != "c45"}
    assert set(better) == {name for name, pair in sides.items() if pair.adjusted <= 0.05 and pair.side > 0}
    assert better
    assert not found.verdict.headline.startswith("c45, the control is")
    assert "If up to 1 percentage point does not matter" in found.verdict.how_much


def test_a_file_of_costs_and_its_column_after_a_colon(tmp_path):
    file, scores = tmp_path / "times.csv", podium.example("ulas2008").scores("accuracy").table()
    rows = [f"{name},{place + 1},{9 - place}" for place, name in enumerate(scores.algorithms)]
    file.write_text("\n".join(["algorithm,seconds,bytes", *rows]))
    asked = podium.compare(scores, cost=str(file), cost_column="bytes")
    assert podium.compare(scores, cost=f"{file}:bytes").trade_offs[0].to_dict() == asked.trade_offs[0].to_dict()
    with pytest.raises(PodiumError, match=r"did you mean .seconds"):
        podium.compare(scores, cost=f"{file}:secs")


def test_choice_frontier_and_domination_by_looking_at_all(found):
    for trade in found.trade_offs:
        rows = dict(zip(trade.algorithms, zip(trade.cost, trade.gap, trade.worse, strict=True), strict=True))
        assert trade.choice == min((cost, name) for name, (cost, _, worse) in rows.items() if not worse)[1]
        for name, (cost, gap, _) in rows.items():
            dominating = {n for n, (c, g, _) in rows.items() if c <= cost and g <= gap and (c < cost or g < gap)}
            assert (name in trade.frontier) == (not dominating)
            assert (trade.dominated_by(name) in dominating) == bool(dominating)


@pytest.mark.parametrize(
    "cost, why", [((1, 2), "no algorithm is cheaper"), ((2, 1), "every cheaper algorithm is significantly worse")]
)
def test_the_best_may_be_the_choice(cost, why):
    scores = {"a": np.linspace(0.8, 0.9, 9), "b": np.linspace(0.7, 0.82, 9)}
    (trade,) = podium.compare(
        scores, direction="higher", rows="datasets", cost=dict(zip("ab", cost, strict=True))
    ).trade_offs
    assert trade.summary().endswith(f"the choice is a: {why}.")
    assert (trade.choice, trade.verdict("a")) == ("a", "best")


def test_several_costs_have_a_row_each_and_the_report_a_frontier_of_each(found):
    from podium.report.documents import document

    page = document(found, drawn=False)
    assert {"costs", "cost", "cost_1", "order"} <= set(page.tables())
    assert [trade["cost_name"] for trade in page.data["trade_offs"]] == ["training_time", "space"]
    assert found.verdict.headline == "svl is the cheapest algorithm not significantly less accurate than svr, the best."
    assert "By space it is also svl" in found.verdict.cost


def costs(values, **more):
    values = np.asarray(values, dtype=float)
    names = tuple("abcdef"[: values.shape[1]])
    return Costs(
        names=("time",), values=values[None], datasets=tuple(map(str, range(len(values)))), algorithms=names, **more
    )


def test_relative_costs_are_geometric_means_with_the_interval_of_their_logarithms():
    rng = np.random.default_rng(1)
    values = np.exp(rng.normal([0, 1, 2], 1, (20, 3)))
    ratio, low, high = costs(values).relative(0, "a", 0.95)
    logs = np.log(values[:, 1] / values[:, 0])
    from scipy.stats import t

    ends = t.interval(0.95, 19, logs.mean(), logs.std(ddof=1) / np.sqrt(20))
    assert np.allclose([low[1], ratio[1], high[1]], np.exp([ends[0], logs.mean(), ends[1]]))
    assert np.isnan(low[0])
    turned = costs(values).relative(0, "b", 0.95)
    assert np.allclose(turned[0][0], 1 / ratio[1])  # whichever is the reference
    assert np.allclose(
        costs(60 * values).relative(0, "a", 0.95), [ratio, low, high], equal_nan=True
    )  # whatever the unit


def test_costs_of_zero_or_that_are_added_up_have_their_mean():
    assert costs([[0, 1], [2, 4]]).means == ("mean",)
    assert costs([[1, 1], [2, 4]], additive=True).means == ("mean",)
    assert costs([[1, 1], [4, 4]]).means == ("geometric mean",)
    assert costs([[1, 1], [4, 4]]).typical.tolist() == [[2.0, 2.0]]
    same = as_costs({"a": 1, "b": 2}, datasets=("x", "y", "z"), algorithms=("a", "b"))
    assert np.isnan(same.relative(0, "a", 0.95)[1:]).all()


def test_one_dataset_has_intervals_over_its_folds():
    import pandas as pd

    rng = np.random.default_rng(0)
    rows = [
        ("iris", name, fold, rng.normal(0.9, 0.01), cost * rng.uniform(0.9, 1.1))
        for name, cost in (("a", 1.0), ("b", 5.0))
        for fold in range(10)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "fold", "accuracy", "train_time"])
    compared = podium.compare(frame, metric="accuracy", cost="train_time")
    (trade,) = compared.trade_offs
    other = next(i for i, name in enumerate(trade.algorithms) if name != trade.reference)
    assert trade.relative_low[other] < trade.relative[other] < trade.relative_high[other]
    assert trade.on == "10 folds"
    again = podium.comparison.reproduce(compared.repeatable())
    assert again.trade_offs[0].relative_low[other] == trade.relative_low[other]


def test_with_a_control_it_is_the_reference():
    found = podium.compare(podium.example("ulas2008"), metric="accuracy", cost="training_time", control="c45")
    (trade,) = found.trade_offs
    assert (trade.reference, trade.role) == ("c45", "control")
    assert "than c45, the control" in found.verdict.headline


def test_too_few_datasets_do_not_make_the_cheapest_win():
    values = {"good": [0.9, 0.95, 0.92], "cheap": [0.5, 0.4, 0.6]}
    found = podium.compare(values, direction="higher", rows="datasets", cost={"good": 2, "cheap": 1})
    assert "only 3 datasets" in found.verdict.headline


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=10))
def test_pareto_front_is_what_nothing_dominates(points):
    front = pareto_front([c for c, _ in points], [e for _, e in points])
    expected = {
        i for i, (c, e) in enumerate(points) if not any((a <= c and b <= e) and (a < c or b < e) for a, b in points)
    }
    assert set(front) == expected
    assert [points[i][0] for i in front] == sorted(points[i][0] for i in front)
