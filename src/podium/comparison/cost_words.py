"""What a comparison says where costs are known: which algorithm is the cheapest not significantly worse, and what it saves."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from podium.comparison.comparison import Kind, Verdict
from podium.comparison.verdict import practical, probabilities
from podium.core.numbers import percent, spelled

if TYPE_CHECKING:
    from podium.comparison.unit import Unit
    from podium.ordering.trade_off import TradeOff

    AnyUnit = Unit[Any, Any, Any]

_UNDECIDED = (Kind.SAME, Kind.IMPOSSIBLE)  # no difference can be significant: the cheapest would win whatever its score


def with_costs(unit: AnyUnit, verdict: Verdict) -> Verdict:
    """The verdict of the scores with the answer to both questions: as its headline where costs were asked for, else below it."""
    first, *others = unit.trade_offs
    headline = _headline(unit, first)
    saved = " ".join(filter(None, (_saved(unit, first), *(_by_another(first, other) for other in others))))
    if verdict.kind in _UNDECIDED or unit.asked["cost"] is None:
        return replace(verdict, cost=" ".join((headline, saved)).strip())
    same = first.choice == first.reference
    sizes = (
        (verdict.headline, practical(unit))
        if same
        else (_behind(unit, first), probabilities(unit, first.choice, first.reference))
    )
    return replace(verdict, headline=headline, how_much=" ".join(filter(None, sizes)), cost=saved)


def _headline(unit: AnyUnit, trade: TradeOff) -> str:
    """Who is the cheapest not significantly worse than the best."""
    best, and_best = trade.reference, trade.reference
    if trade.role == "control":
        best, and_best = f"{best}, the control,", f"{best}, the control"
    cheaper = [name for name in trade.algorithms if trade.of(name)["cost"] < trade.of(trade.reference)["cost"]]
    worse = _worse(unit)
    place = f"On {unit.place}, " if unit.place else ""
    if trade.choice != trade.reference:
        first = "" if trade.role == "control" else ", the best"
        return f"{place}{trade.choice} is the cheapest algorithm not significantly {worse} than {and_best}{first}."
    if not cheaper:
        return f"{place}{best} is the cheapest algorithm, and no other is significantly better."
    every = (
        f"{cheaper[0]}, the only cheaper one,"
        if len(cheaper) == 1
        else f"each of the {spelled(len(cheaper))} cheaper ones"
    )
    return f"{place}{best} is the choice: {every} is significantly {worse}."


def _worse(unit: AnyUnit) -> str:
    return "less accurate" if unit.table.metric.display_name.endswith("accuracy") else "worse"


def _behind(unit: AnyUnit, trade: TradeOff) -> str:
    """How far the choice may be behind the best."""
    pair = unit.pairs.pair(trade.reference, trade.choice)
    own = trade.of(trade.choice)
    quantity = unit.difference.at(own["gap"], own["low"], own["high"])
    if not math.isfinite(own["high"]) or not math.isfinite(own["gap"]):
        return f"{trade.choice}'s gap to {trade.reference} has no interval: too few {unit.words.rows}."
    together = "simultaneous " if unit.simultaneous else ""
    low, high = (f"{quantity.text(abs(end))} {'behind' if end > 0 else 'ahead'}" for end in (own["low"], own["high"]))
    return (
        f"{trade.choice} is {quantity.amount(own['gap'])} {'behind' if own['gap'] >= 0 else 'ahead of'} {trade.reference} "
        f"{unit.where(pair)} ({together}{percent(pair.confidence)} interval: {low} to {high})."
    )


def _saved(unit: AnyUnit, trade: TradeOff) -> str:
    """What the choice costs beside the best, by which mean, and on how many rows it is the cheaper one."""
    own = trade.of(trade.choice)
    if not trade.is_measured or not math.isfinite(own["relative"]):
        return ""
    if trade.choice == trade.reference:
        return _next_cheaper(unit, trade)
    rows = f" ({trade.mean} over {trade.on})" if trade.n_rows > 1 else ""
    on = f", and is the cheaper one on {own['cheaper_on']} of them" if 0 < own["cheaper_on"] < trade.n_rows else ""
    chance = f"; this difference in {trade.said} may be due to chance" if own["relative_high"] >= 1 else ""
    return f"{trade.choice} takes {_share(own)} of {trade.reference}'s {trade.said}{rows}{on}{chance}."


def _next_cheaper(unit: AnyUnit, trade: TradeOff) -> str:
    """What is saved, and lost, with the best of the cheaper ones."""
    cheaper = [name for name in trade.algorithms if trade.of(name)["cost"] < trade.of(trade.reference)["cost"]]
    if not cheaper:
        return ""
    own = trade.of(cheaper[0])
    gap = unit.difference.at(own["gap"]).amount(own["gap"])
    return f"{cheaper[0]}, the best of the cheaper ones, takes {_share(own)} of its {trade.said} and is {gap} behind."


def _share(own: dict[str, Any]) -> str:
    return percent(round(own["relative"], 3 if own["relative"] < 0.1 else 2))


def _by_another(first: TradeOff, other: TradeOff) -> str:
    """The choice by a further cost."""
    same = "also " if other.choice == first.choice else ""
    return f"By {other.said} it is {same}{other.choice}."
