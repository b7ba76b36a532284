"""Costs in the report of a comparison: each against the gap to the best, all of them side by side, and the order by cost."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core.numbers import capital, percent, spelled
from podium.report.comparison import mean_title, measured, written_in
from podium.report.document import Block, Column, Paragraph, TableBlock
from podium.report.figures import figure_block
from podium.report.tables import COLUMNS, frame_table

if TYPE_CHECKING:
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multitest import MultiTestResult
    from podium.ordering.trade_off import TradeOff

    CostOrder = Multi2TestResult | MultiTestResult

LONGEST_HEAD = 20  # letters of a cost that heads its column


def cost_blocks(comparison: Comparison, order: CostOrder, drawn: bool | Collection[str]) -> list[Block]:
    """Each cost against the gap, all costs side by side where there are several, and the order by cost."""
    trades = comparison.trade_offs
    blocks: list[Block] = [_all_costs(comparison)] if len(trades) > 1 else []
    for place, trade in enumerate(trades):
        led = comparison.cost is not None and not place  # then the first is the lead
        if not led and (drawn is True or (drawn and "costs" in drawn)):
            blocks.append(figure_block("cost_plane", comparison, cost=trade.cost_name))
        blocks.append(_cost_table(comparison, trade, f"cost_{place}" if place else "cost"))
    frame = order.to_frame()
    shown = [name for name in frame.columns if name != "overridden_by" or frame[name].any()]
    table = frame_table("order", "By score and cost, the best first.", frame[shown], note=order.explained)
    return [
        *blocks,
        Paragraph(text="Order by cost unless the scores object", role="heading", short=False),
        Paragraph(text=order.summary(), short=False),
        table,
    ]


def _cost_table(comparison: Comparison, trade: TradeOff, key: str) -> TableBlock:
    """Score, gap, cost and what to make of them, the best first."""
    gap = written_in(comparison.difference.column([*trade.gap, *trade.low, *trade.high]))
    share = {"digits": 1 if min(trade.relative) < 0.1 else 0, "written": lambda value: 100 * value}
    own: dict[str, dict[str, Any]] = {"gap": {**gap, "title": f"Gap to {trade.reference}"}, "interval": gap}
    own["score"] = {"title": mean_title(comparison), **written_in(comparison.quantity.column(trade.score, 4))}
    # A formula is in the note.
    own["cost"] = {"title": capital(trade.said) if len(trade.said) <= LONGEST_HEAD else "Cost"}
    own["relative"] = {**share, "title": f"% of {trade.reference}'s"}
    own["relative_interval"] = {**share, "title": "Its interval"}
    varies = not np.isnan(trade.relative_low).all()
    hidden = {"relative_interval"} - ({"relative_interval"} if varies else set())
    hidden |= set() if trade.is_measured else {"relative"}
    columns = {name: more for name, more in COLUMNS["costs"].items() if name not in hidden}
    mean = f"{capital(trade.said)}: the {trade.mean} over {trade.on}. " if trade.n_rows > 1 else ""
    across = f" Intervals of the relative cost ({percent(trade.confidence)}) hold each by itself." if varies else ""
    return frame_table(
        key,
        f"Score and {trade.said}: {trade.reference}, then the others by their gap to it.",
        trade.to_frame(),
        columns={name: {**more, **own.get(name, {})} for name, more in columns.items()},
        note=f"{mean}Gap: behind {trade.reference}, in {measured(comparison)}; negative is ahead. Worse: significantly. Dominated: "
        f"another algorithm costs no more and its gap is not larger, which need not be significant.{across}",
        marked=frozenset({trade.algorithms.index(trade.choice)}),
        marked_as="the choice",
    )


def _all_costs(comparison: Comparison) -> TableBlock:
    """One row for each cost: what to choose, what it saves, and the frontier."""
    titles = ("Cost", "Choice", "Gap", "Relative cost", "Frontier, the cheapest first")
    rows = []
    for trade in comparison.trade_offs:
        own, gap = trade.of(trade.choice), comparison.difference.column(trade.gap)
        share = percent(own["relative"]) if trade.is_measured and np.isfinite(own["relative"]) else "-"
        rows.append((trade.said, trade.choice, gap.text(own["gap"]), share, ", ".join(trade.frontier)))
    columns = tuple(Column(key=title.split(",")[0].lower().replace(" ", "_"), title=title) for title in titles)
    caption = "The cheapest algorithm that is not significantly worse, by each cost alone."
    return TableBlock(key="costs", caption=caption, columns=columns, rows=tuple(rows))


def costs_finding(comparison: Comparison) -> str:
    """How many are not significantly worse, and how many are dominated by the first cost."""
    trade = comparison.trade_offs[0]
    others = [name for name in trade.not_worse if name != trade.reference]
    alike = (
        f"Only {others[0]} is"
        if len(others) == 1
        else f"{capital(spelled(len(others)) if others else 'no algorithm')} {'are' if others else 'is'}"
    )
    out = len(trade.algorithms) - len(trade.frontier)
    dominated = f"; {spelled(out)} {'is' if out == 1 else 'are'} dominated" if out else ""
    return (
        f"{alike} not significantly worse than {trade.reference}{dominated}."
        if others
        else f"Every other algorithm is significantly worse than {trade.reference}{dominated}."
    )
