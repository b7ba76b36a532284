"""The card of a ranking on the same cases: who could be first, what would settle it, what it costs."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cases.planning import cases_needed
from podium.core.metric import Metric
from podium.evidence.cases import Cases
from podium.plot import registry
from podium.report.documents import document
from podium.report.render_markdown import render_markdown

ACCURACY = Metric(name="accuracy", direction="higher")


def board(chances, n=300, costs=None, seed=3, **more):
    """Algorithms that share half of their luck on every case."""
    rng = np.random.default_rng(seed)
    base = rng.random(n)
    values = np.column_stack([(base * 0.7 + rng.random(n) * 0.3 < chance) * 1.0 for chance in chances])
    return Cases(
        values=values,
        cases=tuple(f"q{i}" for i in range(n)),
        algorithms=tuple("abcdefgh"[: len(chances)]),
        metric=ACCURACY,
        costs=None if costs is None else np.tile(costs, (n, 1)),
        cost=None if costs is None else Metric(name="dollars", direction="lower", is_cost=True),
        **more,
    )


def test_who_could_be_first_and_who_is_told_apart():
    found = podium.compare(board([0.82, 0.80, 0.72, 0.70, 0.6, 0.3]))
    card = found.extra("leaderboard")
    assert card.could_be_first == tuple(row.algorithm for row in found.ranking if row.rank_low == 1)
    assert card.leader == found.ranking[0].algorithm
    order = [row.algorithm for row in found.ranking]
    shown = {frozenset(names) for names, p in zip(found.pairs.names, found.pairs.adjusted, strict=True) if p <= 0.05}
    assert card.apart == sum(frozenset(pair) in shown for pair in pairwise(order))
    assert card.neighbours == 5
    assert card.groups == len({letter for row in found.ranking for letter in row.group})


def test_equal_scores_share_the_first_place_and_nobody_is_ahead():
    cases = board([0.85, 0.85, 0.5])
    right = np.flatnonzero(cases.values[:, 0] == 1)
    second = cases.values[:, 0].copy()
    second[right[:8]], second[np.flatnonzero(second == 0)[:8]] = 0, 1
    values = np.column_stack([cases.values[:, 0], second, cases.values[:, 2]])
    found = podium.compare(replace(cases, values=values))

    assert found.ranking[0].mean_score == found.ranking[1].mean_score
    assert found.verdict.headline == "a and b share first place and both are significantly better than c."
    assert found.extra("leaderboard").caught_by == ""
    assert not any("ahead" in sentence or "lead" in sentence for sentence in found.extra("leaderboard").sentences())


def test_cases_that_would_settle_the_top():
    cases = board([0.85, 0.80, 0.5])
    found = podium.compare(cases)
    card = found.extra("leaderboard")
    differences = cases.values[:, 0] - cases.values[:, 1]
    # The pairs with c are clearer, and are decided before: a and b have the whole level.
    expected = cases_needed(abs(differences.mean()), between=differences.var(ddof=1), alpha=0.05).by_normal_law
    assert {card.leader, card.rival} == {"a", "b"}
    assert card.cases_to_settle == pytest.approx(expected, abs=1)
    assert f"About {card.cases_to_settle:,} cases" in " ".join(card.sentences())


def test_so_many_cases_do_settle_it():
    """The planned number of cases, drawn again from the same two: the leader is told apart about as often as planned."""
    chance = np.array([0.32, 0.08, 0.60])  # only a right, only b right, both: as in the 25 cases; c is always wrong
    pilot = np.repeat([[1, 0, 0], [0, 1, 0], [1, 1, 0]], [30, 10, 60], axis=0).astype(float)
    cases = Cases(values=pilot, cases=tuple(map(str, range(100))), algorithms=("a", "b", "c"), metric=ACCURACY)
    small = cases.take(np.arange(0, 100, 4))
    card = podium.compare(small).extra("leaderboard")
    assert card.rival == "b"
    rng, hits = np.random.default_rng(0), 0
    for _ in range(60):
        drawn = rng.choice(3, p=chance, size=card.cases_to_settle)
        values = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=float)[drawn]
        pairs = podium.cases.all_pairs({"a": values[:, 0], "b": values[:, 1], "c": values[:, 2]}, draws=999)
        hits += pairs.better(0.05)[0, 1]
    assert 0.6 <= hits / 60 <= 0.9


def test_how_few_cases_change_the_top():
    """Removing that many cases, chosen against the leader, lets the other catch up; one fewer does not."""
    cases = board([0.85, 0.80, 0.72])
    card = podium.compare(cases).extra("leaderboard")
    lead, other = cases.algorithms.index(card.leader), cases.algorithms.index(card.caught_by)
    speaks = np.flatnonzero(cases.values[:, lead] > cases.values[:, other])
    for drop, caught in ((card.fewest - 1, False), (card.fewest, True)):
        left = cases.take(np.setdiff1d(np.arange(cases.n_cases), speaks[:drop]))
        assert (left.scores[other] >= left.scores[lead]) == caught
    assert f"{card.leader} would no longer be ahead of {card.caught_by}." in " ".join(card.sentences())


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("third", [False, True])
def test_eight_cases_against_four_are_level_without_four(exact, third):
    values = np.repeat([[1.0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], [12, 8, 4, 6], axis=0)
    frame = pd.DataFrame(values[:, : 3 if third else 2], columns=list("ABC")[: 3 if third else 2])
    found = podium.compare(frame, unit="case", exact=exact)
    said = found.extra("leaderboard").sentences() if third else [remark.sentence for remark in found.remarks]
    assert any(
        line.startswith("Without 4 cases (13") and line.endswith("A would no longer be ahead of B.") for line in said
    )


def test_a_clear_winner():
    card = podium.compare(board([0.95, 0.5, 0.3])).extra("leaderboard")
    assert card.could_be_first == ("a",)
    assert card.cases_to_settle is None
    assert card.sentences()[0] == "All neighbours in the ranking differ significantly."


def test_a_page_says_once_who_could_be_first():
    """The key figures and the ranking say it; the card does not say it again."""
    for means in ([0.95, 0.5, 0.3], [0.82, 0.80, 0.5]):
        card = podium.compare(board(means)).extra("leaderboard")
        assert "could be first" not in " ".join(card.sentences())


def test_costs_that_nobody_asked_for_do_not_lead():
    """A file of answers often says how long each took: that is told after the scores, and leads only where it is asked for."""
    costly = board([0.82, 0.81, 0.5], costs=[0.01, 0.05, 0.001])
    found, scores = podium.compare(costly), podium.compare(board([0.82, 0.81, 0.5]))
    parts = ("headline", "how_much", "certainty", "on_what")
    assert [getattr(found.verdict, part) for part in parts] == [getattr(scores.verdict, part) for part in parts]
    cheapest = "a is the cheapest algorithm not significantly less accurate than b, the best."
    assert found.verdict.cost == f"{cheapest} a takes 20% of b's dollars (mean over 300 cases)."
    assert registry.leading(found)[0] == "gaps"
    assert [section.key for section in document(found, short=True).sections if section.short] == ["verdict", "remarks"]
    assert "cost" in document(found).tables()
    asked = podium.compare(costly, cost="dollars")
    assert asked.verdict.headline == cheapest
    with pytest.raises(podium.ArgumentError, match="What each outcome cost is in 'dollars'"):
        podium.compare(costly, cost="dollar")
    again = podium.comparison.reproduce(asked.repeatable())
    assert again.to_dict() == asked.to_dict()


def test_costs_that_do_not_differ_are_not_told_as_savings():
    costs = np.random.default_rng(0).normal(100, 30, (300, 3))
    found = podium.compare(replace(board([0.82, 0.81, 0.5], costs=[1, 1, 1]), costs=costs), cost="dollars")
    own = found.trade_offs[0].of(found.trade_offs[0].choice)
    assert own["relative_low"] < 1 < own["relative_high"]
    assert "this difference in dollars may be due to chance" in found.verdict.cost


def test_costs_of_the_cases_give_the_cheapest_not_worse_and_an_order():
    """a is about as good as b for less; c is cheaper still, and significantly worse."""
    found = podium.compare(board([0.82, 0.81, 0.5], costs=[0.01, 0.05, 0.001]), cost="dollars")
    (trade,) = found.trade_offs
    assert (trade.choice, trade.reference, trade.mean, trade.cost_name) == ("a", "b", "mean", "dollars")
    assert found.cost_order.prior == ("c", "a", "b")
    assert ("c", "a") in found.cost_order.edges
    assert found.verdict.headline == "a is the cheapest algorithm not significantly less accurate than b, the best."
    assert found.verdict.cost == "a takes 20% of b's dollars (mean over 300 cases)."
    page = document(found)
    assert {"cost", "order"} <= set(page.tables())
    assert page.data["cost_order"]["order"][0] == "a"


def test_unknown_costs_give_no_order():
    found = podium.compare(board([0.8, 0.7, 0.5], costs=[0.05, np.nan, 0.001]))
    assert (found.trade_offs, found.cost_order) == ((), None)


def test_two_algorithms_a_control_or_all_the_same_have_no_card():
    assert podium.compare(board([0.8, 0.6])).extra("leaderboard") is None
    assert podium.compare(board([0.8, 0.6, 0.5]), control="a").extra("leaderboard") is None
    same = np.ones((30, 3))
    cases = Cases(values=same, cases=tuple(map(str, range(30))), algorithms=("a", "b", "c"), metric=ACCURACY)
    assert podium.compare(cases).extra("leaderboard") is None


def test_equal_leaders_cannot_be_settled():
    values = np.repeat([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 0]], [5, 5, 20, 10], axis=0).astype(float)
    cases = Cases(values=values, cases=tuple(map(str, range(40))), algorithms=("a", "b", "c"), metric=ACCURACY)
    card = podium.compare(cases).extra("leaderboard")
    assert card.cases_to_settle is None
    assert "No affordable number of cases would settle" in " ".join(card.sentences())


def test_the_card_in_markdown_is_a_table_that_github_shows():
    text = render_markdown(document(podium.compare(board([0.82, 0.80, 0.5], costs=[0.05, 0.01, 0.001]))))
    costs, card = text.index("| Rank | Algorithm | Cost |"), text.index("## Leaderboard")
    assert (
        costs
        < text.index("| Algorithm | Accuracy, % | Interval |")
        < card
        < text.index("neighbours in the ranking", card)
    )


def test_the_noun_of_the_cases():
    card = podium.compare(board([0.82, 0.80, 0.5], noun="question")).extra("leaderboard")
    assert "questions" in " ".join(card.sentences())
    assert "cases" not in " ".join(card.sentences())
