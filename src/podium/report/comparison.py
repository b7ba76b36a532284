"""A comparison as a document: the verdict first, then what it rests on, then how it was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from podium.comparison.comparison import Comparison
from podium.comparison.repeat import repeatable
from podium.core.result import plain
from podium.core.version import VERSION
from podium.report.bibliography import cited_keys
from podium.report.comparison_figures import comparison_figures
from podium.report.document import (
    Block,
    Bullets,
    Column,
    Document,
    FigureBlock,
    Note,
    Notes,
    Paragraph,
    Section,
    TableBlock,
    suitable_digits,
)
from podium.report.methods import method, method_names

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.table import Table

__all__ = ["SCHEMA", "comparison_data", "document", "pairs_table"]

SCHEMA = "podium.comparison/1"
MOST_LETTERS = 26  # more groups than letters are for the diagram only
SHARED_LETTER = "algorithms that share a letter are not told apart"


def document(comparison: Any, *, figures: Sequence[FigureBlock] | None = None) -> Document:
    """The report of a comparison; `figures` by default those of `comparison_figures`, each at its place."""
    drawn = {figure.key: figure for figure in (comparison_figures(comparison) if figures is None else figures)}
    sections = (
        _verdict(comparison),
        _ranking(comparison, drawn),
        _diagram(comparison, drawn),
        _pairs(comparison, drawn),
        _costs(comparison, drawn),
        _remarks(comparison),
        _methods(comparison),
        _data(comparison, drawn),
    )
    facts = comparison.facts
    return Document(
        title=f"{_counted(facts.n_algorithms, 'algorithm')} on {_counted(facts.n_datasets, 'dataset')}",
        subtitle=_subtitle(comparison),
        sections=tuple(section for section in sections if section.blocks),
        references=_references(comparison),
        data=comparison_data(comparison),
    )


def _subtitle(comparison: Any) -> str:
    facts = comparison.facts
    better = f"{facts.direction} is better{' (assumed)' if facts.direction_assumed else ''}"
    holes = [_counted(len(facts.holes), "missing cell")] if facts.holes else []
    control = [f"control {facts.control}"] if facts.control else []
    return "; ".join([f"{facts.metric}, {better}", facts.design, *holes, *control, f"level {comparison.alpha:g}"])


def _references(comparison: Any) -> tuple[str, ...]:
    """The works behind the tests that were done, and those behind the correction."""
    correction = _answer(comparison, "correction")
    keys = method(correction).references if correction in method_names() else ()
    return tuple(dict.fromkeys((*cited_keys(comparison.methods_paragraph), *comparison.references, *keys)))


def _answer(comparison: Any, question: str) -> str:
    return next((choice.answer for choice in comparison.choices if choice.question == question), "")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _verdict(comparison: Any) -> Section:
    blocks: list[Block] = [Bullets(items=tuple(comparison.verdict), role="verdict")]
    if comparison.does_not_follow:
        blocks.append(Paragraph(text="What does not follow:"))
        blocks.append(Bullets(items=tuple(comparison.does_not_follow)))
    return Section(key="verdict", title="Verdict", blocks=tuple(blocks))


def _ranking(comparison: Any, drawn: dict[str, FigureBlock]) -> Section:
    mean, median = ([getattr(row, name) for row in comparison.ranking] for name in ("mean_score", "median_score"))
    lettered = 0 < len(comparison.groups) <= MOST_LETTERS
    columns = (
        Column(key="algorithm", title="Algorithm", kind="algorithm"),
        Column(key="mean_rank", title="Mean rank", kind="number", digits=2),
        Column(key="rank_interval", title="Rank interval", kind="interval", digits=0, help="simultaneous"),
        *((Column(key="groups", title="Groups", help=SHARED_LETTER),) if lettered else ()),
        Column(key="mean_score", title="Mean score", kind="number", digits=suitable_digits(mean)),
        Column(key="median_score", title="Median score", kind="number", digits=suitable_digits(median), minor=2),
        Column(key="record", title="W/T/L", kind="record", help="wins/ties/losses", minor=1),
    )
    rows = tuple(
        (
            row.algorithm,
            row.mean_rank,
            (row.rank_low, row.rank_high),
            *((row.group,) if lettered else ()),
            row.mean_score,
            row.median_score,
            (row.wins, row.ties, row.losses),
        )
        for row in comparison.ranking
    )
    letters = f"{SHARED_LETTER[0].upper()}{SHARED_LETTER[1:]}. " if lettered else ""
    table = TableBlock(
        key="ranking",
        caption="The algorithms by mean rank." if comparison.facts.n_datasets > 1 else "The algorithms by mean score.",
        columns=columns,
        rows=rows,
        note=f"{letters}W/T/L: algorithms beaten, not told apart, lost to.",
    )
    return Section(key="ranking", title="Ranking", blocks=(table, *_figures(drawn, "rank_intervals", "ranks")))


def _figures(drawn: dict[str, FigureBlock], *keys: str) -> tuple[FigureBlock, ...]:
    return tuple(drawn[key] for key in keys if key in drawn)


def _diagram(comparison: Any, drawn: dict[str, FigureBlock]) -> Section:
    return Section(key="diagram", title="Groups", blocks=_figures(drawn, "diagram", "critical_difference"))


def _pairs(comparison: Any, drawn: dict[str, FigureBlock]) -> Section:
    beside = tuple(Paragraph(text=f"Beside it: {result.summary()}") for result in comparison.beside)
    figures = _figures(drawn, "forest", "matrix", "scatter")
    blocks: tuple[Block, ...] = (pairs_table(comparison), *beside, *figures)
    return Section(key="pairs", title="Pairs", blocks=blocks)


def pairs_table(comparison: Any) -> TableBlock:
    """The pairwise table, smallest adjusted p-value first."""
    frame, facts = comparison.pairs, comparison.facts
    digits = suitable_digits(frame["effect"], significant=3)
    columns = [
        Column(key="a", title="Algorithm", kind="algorithm"),
        Column(key="b", title="Against", kind="algorithm"),
        Column(key="effect", title="Difference", kind="number", digits=digits, help="the first less the second"),
        Column(key="interval", title="Interval", kind="interval", digits=digits, minor=2),
        Column(key="record", title="W/T/L", kind="record", help="datasets won/tied/lost by the first", minor=1),
        Column(key="pvalue", title="p", kind="pvalue", minor=3),
        Column(key="adjusted", title="Adjusted p", kind="pvalue"),
    ]
    if "p_rope" in frame:
        columns += [
            Column(key="p_right", title="P(first better)", kind="probability", minor=4),
            Column(key="p_rope", title="P(equivalent)", kind="probability", minor=1),
            Column(key="p_left", title="P(second better)", kind="probability", minor=4),
        ]
    ordered = frame.sort_values(["adjusted", "pvalue"], kind="stable")
    rows = tuple(zip(*(_pair_cells(ordered, column.key) for column in columns), strict=True))
    return TableBlock(
        key="pairs",
        caption="All pairs, the smallest adjusted p-value first."
        if facts.control is None
        else "Every algorithm against the control, the smallest adjusted p-value first.",
        columns=tuple(columns),
        rows=rows,
        note=f"The difference is the first less the second, in {facts.metric} ({facts.direction} is better).",
    )


def _pair_cells(frame: pd.DataFrame, key: str) -> list[Any]:
    """A whole column of cells; what is missing is None."""
    if key == "interval":
        return list(zip(frame["low"].tolist(), frame["high"].tolist(), strict=True))
    if key == "record":
        return list(zip(*(frame[name].tolist() for name in ("wins", "ties", "losses")), strict=True))
    column = frame[key]
    cells: list[Any] = plain(column.to_numpy()) if column.dtype.kind == "f" else column.tolist()
    return cells


def _costs(comparison: Any, drawn: dict[str, FigureBlock]) -> Section:
    order = comparison.cost_order
    if order is None:
        return Section(key="costs", title="Order by cost", blocks=())
    table = frame_table("order", "The order by score and cost.", order.to_frame())
    return Section(key="costs", title="Order by cost", blocks=(Paragraph(text=order.summary()), table))


def frame_table(key: str, caption: str, frame: pd.DataFrame) -> TableBlock:
    """Any DataFrame as a table; the kind of each column follows its type and its name."""
    columns = tuple(_column_of(frame, str(name)) for name in frame.columns)
    rows = tuple(tuple(plain(value) for value in record) for record in frame.itertuples(index=False, name=None))
    return TableBlock(key=key, caption=caption, columns=columns, rows=rows)


def _column_of(frame: pd.DataFrame, name: str) -> Column:
    title, kind = name.replace("_", " ").capitalize(), frame[name].dtype.kind
    if name in ("algorithm", "a", "b"):
        return Column(key=name, title=title, kind="algorithm")
    if kind in "iu":
        return Column(key=name, title=title, kind="count")
    if kind == "f":
        if "pvalue" in name or name == "adjusted":
            return Column(key=name, title=title, kind="pvalue")
        return Column(key=name, title=title, kind="number", digits=suitable_digits(frame[name]))
    return Column(key=name, title=title)


def _remarks(comparison: Any) -> Section:
    notes = tuple(Note(topic=r.topic, sentence=r.sentence, weight=r.weight) for r in comparison.remarks)
    blocks: tuple[Block, ...] = (Notes(notes=notes),) if notes else ()
    return Section(key="remarks", title="Remarks of a careful reviewer", blocks=blocks)


def _methods(comparison: Any) -> Section:
    columns = (
        Column(key="question", title="Question"),
        Column(key="answer", title="Answer"),
        Column(key="because", title="Because"),
    )
    rows = tuple((choice.question, choice.answer, choice.because) for choice in comparison.choices)
    text = comparison.methods_paragraph
    if not cited_keys(text):
        text = f"{text} [{'; '.join(f'@{key}' for key in _references(comparison))}]"
    blocks: list[Block] = [Paragraph(text=text, role="methods")]
    if comparison.omnibus is not None:
        blocks.append(Paragraph(text=comparison.omnibus.summary()))
    if rows:
        blocks.append(TableBlock(key="choices", caption="What was chosen, and why.", columns=columns, rows=rows))
    return Section(key="methods", title="Methods", blocks=tuple(blocks))


def _data(comparison: Any, drawn: dict[str, FigureBlock]) -> Section:
    facts = _named_values("facts", "The facts that the rules look at.", plain(comparison.facts))
    settings = _named_values("settings", "What repeats it; where a rule chose, none.", plain(comparison.settings))
    tables = (facts, _scores_table(comparison.table), settings)
    blocks: tuple[Block, ...] = (*_figures(drawn, "heat_map"), *tables)
    return Section(key="data", title="Data and settings", blocks=blocks)


def _scores_table(table: Table) -> TableBlock:
    digits = suitable_digits(table.values.ravel().tolist())
    columns = (
        Column(key="dataset", title="Dataset", kind="dataset"),
        *(
            Column(key=f"score_{index}", title=name, kind="number", digits=digits)
            for index, name in enumerate(table.algorithms)
        ),
    )
    rows = tuple((name, *row) for name, row in zip(table.datasets, plain(table.values), strict=True))
    caption = f"The scores: {table.metric.name}, {table.metric.direction} is better."
    return TableBlock(key="scores", caption=caption, columns=columns, rows=rows, folded=True)


def _named_values(key: str, caption: str, values: dict[str, Any]) -> TableBlock:
    columns = (Column(key="name", title="Name"), Column(key="value", title="Value"))
    rows = tuple((name.replace("_", " "), _value_text(value)) for name, value in values.items())
    return TableBlock(key=key, caption=caption, columns=columns, rows=rows, folded=True)


def _value_text(value: Any) -> str:
    if isinstance(value, list):
        return (
            ", ".join(" / ".join(map(str, item)) if isinstance(item, list) else str(item) for item in value) or "none"
        )
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def comparison_data(comparison: Any) -> dict[str, Any]:
    """Everything about a comparison as plain values with stable keys: the JSON of the report."""
    table = comparison.table
    order = comparison.cost_order
    return {
        "schema": SCHEMA,
        "podium": VERSION,
        "facts": plain(comparison.facts),
        "choices": plain(comparison.choices),
        "alpha": comparison.alpha,
        "verdict": list(comparison.verdict),
        "does_not_follow": list(comparison.does_not_follow),
        "ranking": plain(comparison.ranking),
        "groups": plain(comparison.groups),
        "omnibus": plain(comparison.omnibus),
        "pairs": {str(name): _pair_cells(comparison.pairs, name) for name in comparison.pairs.columns},
        "cost_order": None if order is None else plain(order),
        "remarks": plain(comparison.remarks),
        "methods": comparison.methods_paragraph,
        "references": list(_references(comparison)),
        "settings": plain(comparison.settings),
        "table": {
            "metric": plain(table.metric),
            "datasets": list(table.datasets),
            "families": list(table.families),
            "algorithms": list(table.algorithms),
            "values": plain(table.values),
        },
        "repeat": repeatable(comparison) if isinstance(comparison, Comparison) else None,
    }
