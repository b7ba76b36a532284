"""A comparison as a document: the verdict first, then what it rests on, then how it was done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from podium.comparison.case_facts import NOT_OF_CASES
from podium.comparison.case_rules import CASE_QUESTIONS
from podium.comparison.comparison import Comparison
from podium.comparison.repeat import repeatable
from podium.comparison.rules import QUESTIONS
from podium.core.numbers import counted, decimals, number, percent
from podium.core.result import plain
from podium.core.table import Table
from podium.core.version import VERSION
from podium.report.bibliography import cited_keys
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
)
from podium.report.figures import figures_of
from podium.report.tables import facts_table, frame_table
from podium.stats.registry import CORRECTIONS

SCHEMA = "podium.comparison/2"
MOST_LETTERS = 26  # more groups than letters are for the diagram only
SHARED_LETTER = "algorithms that share a letter are not told apart"
PLACES = (
    "Places: where each could stand on datasets like these if the algorithms were put in order by their typical (pseudo-median) "
    "differences; all of them at once with {confidence} confidence."
)

# Which columns the tables have, what a reader is told of each, which one gives way first (the highest `minor`).
RANKING: dict[str, dict[str, Any]] = {
    "algorithm": {},
    "mean_rank": {"digits": 2},
    "rank_interval": {"help": "where it could stand, all of them at once"},
    "group": {"title": "Groups", "help": SHARED_LETTER},
    "mean_score": {},
    "median_score": {"minor": 2},
    "record": {"help": "wins/ties/losses", "minor": 1},
}
CASE_RANKING: dict[str, dict[str, Any]] = {
    "algorithm": {},
    "mean_score": {"title": "Score"},
    "interval": {"help": "of the score alone"},
    "rank_interval": {"title": "Places", "help": "where it could stand, all of them at once"},
    "group": {"title": "Groups", "help": SHARED_LETTER},
    "record": {"help": "wins/ties/losses", "minor": 1},
}
PAIRS: dict[str, dict[str, Any]] = {
    "a": {},
    "b": {},
    "effect": {"help": "first minus second"},
    "interval": {"minor": 2},
    "record": {"help": "datasets won/tied/lost by the first", "minor": 1},
    "pvalue": {"minor": 3},
    "adjusted": {},
    "p_right": {"minor": 4},
    "p_rope": {"minor": 1},
    "p_left": {"minor": 4},
}

_CASES_WON = {"help": "cases that speak for the first, for neither, for the second"}
MOST_CASE_CELLS = 4000  # more outcomes than this are in the JSON only


def comparison_document(comparison: Comparison) -> Document:
    """The report of a comparison, each of its figures at its place."""
    drawn = {figure.key: figure for figure in figures_of(comparison)}
    pairs = _pairs_table(comparison)
    sections: dict[tuple[str, str], Sequence[Block]] = {
        ("verdict", "Verdict"): _verdict(comparison),
        ("ranking", "Ranking"): (_ranking(comparison), *_figures(drawn, "rank_intervals", "rank_distribution")),
        ("diagram", "Groups"): _figures(drawn, "cd_diagram"),
        ("pairs", "Pairs"): (pairs, *_beside(comparison), *_figures(drawn, "forest", "comparison_matrix", "scatter")),
        ("costs", "Order by cost"): _costs(comparison),
        ("remarks", "Remarks of a careful reviewer"): _remarks(comparison),
        ("methods", "Methods"): _methods(comparison),
        ("data", "Data and settings"): (*_figures(drawn, "heatmap"), *_data(comparison)),
    }
    facts = comparison.facts
    return Document(
        title=f"{counted(facts.n_algorithms, 'algorithm')} on {facts.on}",
        subtitle=_subtitle(comparison),
        sections=tuple(Section(key=k, title=t, blocks=tuple(blocks)) for (k, t), blocks in sections.items() if blocks),
        references=_references(comparison),
        data=comparison_data(comparison),
        main=pairs,
    )


def _subtitle(comparison: Comparison) -> str:
    facts = comparison.facts
    better = f"{facts.direction} is better"
    hole = "missing outcome" if facts.unit == "case" else "missing cell"
    holes = [counted(len(facts.holes), hole)] if facts.holes else []
    control = [f"control {facts.control}"] if facts.control else []
    return "; ".join([f"{facts.metric}, {better}", facts.design, *holes, *control, f"level {number(comparison.alpha)}"])


def _references(comparison: Comparison) -> tuple[str, ...]:
    """The works behind the tests that were done, and those behind the correction."""
    correction = CORRECTIONS.get(comparison.choice("correction"))  # none where the test corrects by itself
    keys = correction.references if correction else ()
    return tuple(dict.fromkeys((*cited_keys(comparison.methods_paragraph), *comparison.references, *keys)))


def _verdict(comparison: Comparison) -> list[Block]:
    verdict = comparison.verdict
    blocks: list[Block] = [Bullets(items=verdict.sentences, role="verdict")]
    for title, sentences in (("What is shown:", verdict.pairs), ("What does not follow:", verdict.does_not_follow)):
        if sentences:
            blocks += [Paragraph(text=title), Bullets(items=sentences)]
    return blocks


def _ranking(comparison: Comparison) -> TableBlock:
    lettered = 0 < len(comparison.groups) <= MOST_LETTERS
    letters = f"{SHARED_LETTER[0].upper()}{SHARED_LETTER[1:]}. " if lettered else ""
    if comparison.cases is not None:
        return _case_ranking(comparison, lettered, letters)
    return frame_table(
        "ranking",
        "The algorithms by mean rank." if comparison.facts.n_datasets > 1 else "The algorithms by mean score.",
        comparison.tables()["ranking"],
        columns={key: told for key, told in RANKING.items() if lettered or key != "group"},
        note=f"{_places(comparison)}{letters}W/T/L: algorithms it beats, is not told apart from, and loses to.",
    )


def _case_ranking(comparison: Comparison, lettered: bool, letters: str) -> TableBlock:
    """The algorithms by score, each with its own interval and the places that it could hold."""
    shown = {key: told for key, told in CASE_RANKING.items() if lettered or key != "group"}
    places = f"Places: where each could stand, all of them at once with {percent(1 - comparison.alpha)} confidence. "
    frame = comparison.tables()["ranking"]
    digits = {"digits": decimals(frame["mean_score"].tolist(), significant=3)}
    return frame_table(
        "ranking",
        "The algorithms by score; the interval is that of the score alone.",
        frame,
        columns={k: {**told, **digits} if k in ("mean_score", "interval") else told for k, told in shown.items()},
        note=f"{'' if comparison.facts.control else places}{letters}W/T/L: algorithms it beats, is not told apart from, and loses to.",
    )


def _places(comparison: Comparison) -> str:
    """What the interval of places is about, where all pairs were compared over datasets."""
    if comparison.facts.control is not None or comparison.facts.n_datasets == 1:
        return ""
    return f"{PLACES.format(confidence=percent(1 - comparison.alpha))} "


def _figures(drawn: dict[str, FigureBlock], *keys: str) -> tuple[FigureBlock, ...]:
    return tuple(drawn[key] for key in keys if key in drawn)


def _beside(comparison: Comparison) -> list[Paragraph]:
    return [Paragraph(text=f"For comparison: {result.summary()}") for result in comparison.beside]


def _pairs_table(comparison: Comparison) -> TableBlock:
    """The pairwise table, smallest adjusted p-value first."""
    facts, cases = comparison.facts, comparison.cases is not None
    frame = comparison.to_frame().sort_values(["adjusted", "pvalue"], kind="stable")
    digits = {"digits": decimals(frame["effect"].tolist(), significant=3)}
    return frame_table(
        "pairs",
        f"{'All pairs' if facts.control is None else 'Every algorithm against the control'}, "
        "the smallest adjusted p-value first.",
        frame,
        columns={
            key: {
                **told,
                **(digits if key in ("effect", "interval") else {}),
                **(_CASES_WON if key == "record" and cases else {}),
            }
            for key, told in PAIRS.items()
        },
        note=f"Difference: the first algorithm minus the second, in {comparison.table.metric.said} ({facts.direction} is better).",
        marked=frozenset(np.flatnonzero(frame["adjusted"].to_numpy() <= comparison.alpha).tolist()),
        marked_as="told apart",
    )


def _costs(comparison: Comparison) -> list[Block]:
    order = comparison.cost_order
    if order is None:
        return []
    table = frame_table("order", "By score and cost, the best first.", order.to_frame())
    return [Paragraph(text=order.summary()), table]


def _remarks(comparison: Comparison) -> list[Block]:
    notes = tuple(Note(topic=r.topic, sentence=r.sentence, weight=r.weight) for r in comparison.remarks)
    return [Notes(notes=notes) if notes else Paragraph(text="No warning.")]


def _methods(comparison: Comparison) -> list[Block]:
    text = comparison.methods_paragraph
    if not cited_keys(text):
        text = f"{text} [{'; '.join(f'@{key}' for key in _references(comparison))}]"
    blocks: list[Block] = [Paragraph(text=text, role="methods")]
    if comparison.omnibus is not None:
        blocks.append(Paragraph(text=comparison.omnibus.summary()))
    columns = tuple(Column(key=title.lower(), title=title) for title in ("Question", "Answer", "Because"))
    asked = QUESTIONS if comparison.cases is None else CASE_QUESTIONS
    rows = tuple((asked[choice.question], choice.answer, choice.because) for choice in comparison.choices)
    if rows:
        blocks.append(TableBlock(key="choices", caption="What was chosen, and why.", columns=columns, rows=rows))
    return blocks


def _data(comparison: Comparison) -> list[Block]:
    return [
        facts_table("facts", "What the rules looked at.", _plain_facts(comparison), folded=True),
        *_scores_tables(comparison),
        facts_table(
            "settings",
            "The settings that repeat this comparison (none: a rule chose).",
            plain(comparison.settings),
            folded=True,
        ),
    ]


def _named_rows(comparison: Comparison) -> dict[str, Any]:
    if comparison.cases is not None:
        return {"cases": list(comparison.cases.cases)}
    return {"datasets": list(comparison.table.datasets), "families": list(comparison.table.families)}


def _scores_tables(comparison: Comparison) -> list[TableBlock]:
    """The scores; of cases only where they are few and mean something by themselves."""
    cases = comparison.cases
    if cases is None:
        return [_scores_table(comparison.table)]
    if cases.kind == "influence" or cases.values.size > MOST_CASE_CELLS:
        return []
    made = _scores_table(comparison.table)
    first = replace(made.columns[0], key="case", title="Case", kind="text")
    return [replace(made, caption=f"The outcomes: {cases.metric.name}.", columns=(first, *made.columns[1:]))]


def _plain_facts(comparison: Comparison) -> dict[str, Any]:
    """The facts as plain values, without those that only datasets have."""
    found: dict[str, Any] = plain(comparison.facts)
    return {k: v for k, v in found.items() if comparison.cases is None or k not in NOT_OF_CASES}


def _scores_table(table: Table) -> TableBlock:
    digits = decimals(table.values.ravel().tolist())
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


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """Everything about a comparison as plain values with stable keys: the JSON of the report."""
    table, pairs = comparison.table, comparison.to_frame()
    same = ("choices", "alpha", "verdict", "ranking", "groups", "omnibus", "cost_order", "remarks")
    return {
        "schema": SCHEMA,
        "podium": VERSION,
        "kind": "Comparison",
        "facts": _plain_facts(comparison),
        **{name: plain(getattr(comparison, name)) for name in same},
        "pairs": {str(name): plain(pairs[name].to_numpy()) for name in pairs.columns},
        "methods": comparison.methods_paragraph,
        "references": list(_references(comparison)),
        "settings": plain(comparison.settings),
        "table": {
            "metric": plain(table.metric),
            **_named_rows(comparison),
            "algorithms": list(table.algorithms),
            "values": plain(table.values),
        },
        "reading": None if comparison.reading is None else comparison.reading.to_dict(),
        "repeat": repeatable(comparison),
    }
