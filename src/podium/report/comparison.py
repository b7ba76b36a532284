"""A comparison as a document: the verdict first, then what it rests on, then how it was done."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from podium.comparison.comparison import Comparison, Extra, Kind
from podium.comparison.rules import questions_of
from podium.core.labels import short_labels
from podium.core.numbers import NO_NUMBER, capital, counted, listed, number, percent, share_of, spelled
from podium.core.quantity import PERCENTAGE_POINTS, Quantity
from podium.core.result import plain
from podium.core.version import VERSION
from podium.plot.pairs import MOST_LETTERS
from podium.plot.registry import FIGURES
from podium.plot.sources import intervals_of
from podium.report.bibliography import cited_keys
from podium.report.document import (
    Block,
    Bullets,
    Column,
    Document,
    FigureBlock,
    Keys,
    Note,
    Notes,
    Paragraph,
    Section,
    TableBlock,
)
from podium.report.figures import figures_of, lead_block
from podium.report.tables import COLUMNS, facts_table, frame_table, paper_block
from podium.stats.pairwise.pair_result import effect_kind, excess
from podium.stats.registry import CORRECTIONS

SHORT = ("verdict", "costs", "remarks")  # sections that a terminal prints unless all is asked for
FOLDED = ("methods", "data", "repeat")  # sections that wait on the page until they are asked for
FIRST_OF_PAIRS = ("comparison_matrix", "forest")  # shown before the table of all pairs
_BESIDE = (PERCENTAGE_POINTS, "points")  # units that stand beside a key figure
MOST_HOLES = 12  # more are counted, not named


Part = tuple[str, str, str, Sequence[Block]]  # key, title, finding, blocks


def comparison_document(
    comparison: Comparison, *, drawn: bool | Collection[str] = True, short: bool = False
) -> Document:
    """The report of a comparison, its figures at their places: all of them, those of the sections that are `drawn`, or none.

    Those that are told in words are always there. A `short` one has only the sections that a terminal prints: tables of all
    pairs and scores take longer than the tests.
    """
    verdict: Part = ("verdict", "Verdict", "", _verdict(comparison))
    costs = _costs(comparison, drawn)
    said = remarks_finding(comparison)
    remarks: Part = ("remarks", "Points a careful reviewer would raise", said, _remarks(comparison))
    facts = comparison.facts
    title, subtitle = f"{counted(facts.n_algorithms, 'algorithm')} on {facts.on}", _subtitle(comparison)
    if short:
        asked = () if comparison.cost is None else (costs,)
        return Document(title=title, subtitle=subtitle, sections=_sections(verdict, *asked, remarks))
    figures, pairs = figures_of(comparison, drawn=drawn), _pairs_table(comparison)
    ranked: tuple[Block, ...] = (
        ranking_table(comparison),
        *_names(comparison),
        *_extra_blocks(comparison, "ranking"),
        *_figures(figures, "ranking"),
    )
    scores = (*_figures(figures, "data"), *_data(comparison))
    size = f"{facts.on}, {counted(facts.n_algorithms, 'algorithm')}"
    choices, methods = counted(len(comparison.choices), "choice"), _methods(comparison)
    sections = _sections(
        verdict,
        costs,
        ("ranking", "Ranking" if len(comparison.ranking) > 2 else "Scores", ranking_finding(comparison), ranked),
        *_extra_sections(comparison, figures),
        ("pairs", "Pairs", pairs_finding(comparison), _pairs(comparison, figures, pairs)),
        remarks,
        ("methods", "Methods, and why they were chosen", choices, methods),
        ("data", "Data", size, scores),
        ("repeat", "Reproduce this report", "one command", _repeat(comparison)),
    )
    references, data = _references(comparison), comparison_data(comparison)
    return Document(title=title, subtitle=subtitle, sections=sections, references=references, data=data, main=pairs)


def _costs(comparison: Comparison, drawn: bool | Collection[str]) -> Part:
    """What the algorithms cost, if that is known."""
    order = comparison.cost_order
    if order is None:
        return "costs", "Score and cost", "", ()
    from podium.report.cost_blocks import cost_blocks, costs_finding

    return "costs", "Score and cost", costs_finding(comparison), cost_blocks(comparison, order, drawn)


def _sections(*parts: Part) -> tuple[Section, ...]:
    """Those that have anything to say."""
    return tuple(
        Section(key=key, title=title, finding=finding, blocks=tuple(blocks), folded=key in FOLDED, short=key in SHORT)
        for key, title, finding, blocks in parts
        if blocks
    )


def comparison_in_short(comparison: Comparison) -> tuple[Block, ...]:
    """The verdict, the figure that shows it and the ranking; then where the rest is."""
    lead = lead_block(comparison)
    rest = f"{remarks_finding(comparison)} .remarks has them, .pairs all pairs, and .save('report.html') writes everything."
    return (
        Bullets(items=comparison.verdict.sentences, role="verdict"),
        *([lead] if lead is not None else []),
        ranking_table(comparison),
        Paragraph(text=rest if comparison.remarks else rest.partition(" ")[2]),
    )


def _subtitle(comparison: Comparison) -> str:
    facts = comparison.facts
    better = f"{facts.direction} is better"
    control = [f"control {facts.control}"] if facts.control else []
    return "; ".join(
        [
            f"{comparison.quantity.label or facts.metric}, {better}",
            facts.design,
            *control,
            f"significance level {number(comparison.alpha)}",
        ]
    )


def _references(comparison: Comparison) -> tuple[str, ...]:
    """The works behind the tests that were done, and those behind the correction."""
    correction = CORRECTIONS.get(comparison.choice("correction"))  # none where the test corrects by itself
    keys = correction.references if correction else ()
    return tuple(dict.fromkeys((*cited_keys(comparison.methods_paragraph), *comparison.references, *keys)))


def _verdict(comparison: Comparison) -> list[Block]:
    verdict = comparison.verdict
    answers = {"": verdict.headline, "How much": verdict.how_much, "How sure": verdict.certainty}
    answers |= {"On what": verdict.on_what, "At what cost": verdict.cost}
    labels = tuple(label for label, sentence in answers.items() if sentence)
    blocks: list[Block] = [Bullets(items=verdict.sentences, role="verdict", labels=labels)]
    lead = lead_block(comparison)
    blocks += [lead] if lead is not None else []
    keys = key_numbers(comparison)
    blocks += [keys] if keys.items else []
    for title, sentences in (
        ("Significant differences", verdict.pairs),
        ("What you cannot conclude", verdict.not_implied),
    ):
        if sentences:
            blocks += [Paragraph(text=title, role="heading", short=False), Bullets(items=sentences, short=False)]
    return blocks


def _pairs(comparison: Comparison, drawn: Sequence[FigureBlock], table: TableBlock) -> tuple[Block, ...]:
    """The matrix first, then the differences by size, then every number."""
    figures = _figures(drawn, "pairs")
    if len(comparison.ranking) == 2:
        return (table, *_other_tests(comparison), *figures)
    first = sorted((block for block in figures if block.key in FIRST_OF_PAIRS), key=lambda block: block.key)
    rest = [block for block in figures if block.key not in FIRST_OF_PAIRS]
    closed = bool(first) or comparison.facts.control is not None
    return (*first, replace(table, closed=closed), *_other_tests(comparison), *rest)


def _repeat(comparison: Comparison) -> tuple[Block, ...]:
    """The command that repeats it, and the settings that it uses."""
    caption = 'The settings that reproduce this comparison ("none": chosen by rule).'
    return (
        Paragraph(
            text="The page and the JSON file of this report carry its scores and settings. To compute it again, with the name of either as FILE:"
        ),
        Paragraph(text="podium compare --from FILE", role="code"),
        facts_table("settings", caption, plain(comparison.settings), folded=True),
    )


def _extra_sections(
    comparison: Comparison, drawn: Sequence[FigureBlock]
) -> Iterator[tuple[str, str, str, Sequence[Block]]]:
    """The sections that only some units have: what is said, what shows it, and its tables."""
    for section, title in dict.fromkeys((extra.section, extra.title) for extra in comparison.extras if extra.title):
        blocks = _extra_blocks(comparison, section)
        said = [block for block in blocks if not isinstance(block, TableBlock)]
        tables = [block for block in blocks if isinstance(block, TableBlock)]
        yield section, title, "", (*said, *_figures(drawn, section), *tables)


def _extra_blocks(comparison: Comparison, section: str) -> list[Block]:
    """What else there is to show in a section."""
    blocks: list[Block] = []
    for extra in comparison.extras:
        if extra.section == section:
            blocks += [Bullets(items=extra.sentences)] if extra.sentences else []
            blocks += [_extra_table(comparison, extra)] if extra.caption else []
    return blocks


def _extra_table(comparison: Comparison, extra: Extra) -> TableBlock:
    """The result of an extra as a table; scores are written as everywhere in the comparison."""
    frame = extra.result.to_frame()
    names = extra.columns or tuple(map(str, frame.columns))
    sizes = [value for name in extra.scored if name in frame for value in frame[name].tolist()]
    written = written_in(comparison.quantity.column(sizes)) if sizes else {}
    return frame_table(
        extra.key,
        extra.caption,
        frame,
        columns={name: written if name in extra.scored else {} for name in names},
        note=extra.note,
        closed=extra.closed,
    )


def ranking_table(comparison: Comparison) -> TableBlock:
    """The algorithms, the best first; where their scores have intervals of their own, each with its."""
    ranking, words = comparison.ranking, comparison.words
    alone = ranking[0].interval is not None
    left_out = _left_out(comparison)
    columns = COLUMNS["scored_ranking" if alone else "ranking"]
    columns = {key: more for key, more in columns.items() if key not in left_out}
    scores = written_in(comparison.quantity.column([row.mean_score for row in ranking], 3 if alone else 4))
    own: dict[str, dict[str, Any]] = {
        "mean_score": {"title": mean_title(comparison), **scores},
        "median_score": {"title": f"Median {comparison.quantity.head}", **scores},
        "interval": scores,
        "datasets": {"title": capital(words.rows)},
    }
    own["mean_cost"] = {"title": f"Mean {words.cost}"}
    own["rank_interval"] = {"drawn": "span", "limits": (1.0, float(len(ranking)))}
    own["record"] = {} if comparison.facts.control else {"drawn": "boxes"}
    meaning = {
        "rank_interval": words.places,
        "group": f"{capital(COLUMNS['ranking']['group']['help'])}.",
        "record": f"{columns.get('record', {}).get('title', '')}: algorithms significantly worse than it, not significantly different, significantly better.",
        "mean_score": _over(comparison),
    }
    return frame_table(
        "ranking",
        f"The algorithms by {words.by}{f'; the interval is individual, of the {words.by} only' if alone else ''}.",
        comparison.tables()["ranking"],
        columns={key: {**more, **own.get(key, {})} for key, more in columns.items()},
        note=" ".join(sentence for key, sentence in meaning.items() if sentence and key in columns),
    )


def mean_title(comparison: Comparison) -> str:
    """The head of a column of scores: their mean over datasets, or those of all cases or runs, which have intervals of their own."""
    head = comparison.quantity.head
    return f"Mean {head}" if comparison.ranking[0].interval is None else capital(head)


def _over(comparison: Comparison) -> str:
    """On which rows the means rest, where scores are missing."""
    words, sizes = comparison.words, {row.datasets for row in comparison.ranking}
    if len(sizes) > 1:
        return f"Each mean is over the {words.rows} that its algorithm has: compare two algorithms by their pair, not by their means."
    common = min(sizes)
    return f"Means are over the {common:,} {words.rows} that all have." if common < comparison.table.n_datasets else ""


def _names(comparison: Comparison) -> list[Block]:
    """The key to the short labels of figures and wide tables, where names are long."""
    labels = short_labels(comparison.pairs.algorithms)
    ranked = [row.algorithm for row in comparison.ranking]
    rows = tuple((labels[name], name) for name in ranked if labels[name] != name)
    columns = (Column(key="label", title="Label"), Column(key="algorithm", title="Algorithm", kind="algorithm"))
    caption = "Labels of algorithms in figures and wide tables."
    return [TableBlock(key="names", caption=caption, columns=columns, rows=rows, closed=True)] if rows else []


def _left_out(comparison: Comparison) -> set[str]:
    """Columns of the ranking that would say nothing: of two algorithms all but their scores, of a control the places, of
    one dataset the mean ranks."""
    free = set() if comparison.words.cost else {"mean_cost"}
    free |= {"datasets"} if len({row.datasets for row in comparison.ranking}) == 1 else set()
    free |= {"mean_rank", "median_score"} if comparison.table.n_datasets == 1 else set()
    if len(comparison.ranking) < 3:
        return free | {"rank_interval", "group", "record"}
    lettered = 0 < len(comparison.groups) <= MOST_LETTERS
    return free | ({"rank_interval"} if comparison.facts.control else set()) | (set() if lettered else {"group"})


def written_in(quantity: Quantity) -> dict[str, Any]:
    """How a column writes numbers of the quantity."""
    own: dict[str, Any] = {} if quantity.factor == 1 else {"written": lambda value: quantity.factor * value}
    return {"digits": quantity.decimals, **own}


def _figures(drawn: Sequence[FigureBlock], section: str) -> tuple[FigureBlock, ...]:
    """The figures whose place the registry says to be in this section."""
    return tuple(block for block in drawn if FIGURES[block.key].about == section)


def _other_tests(comparison: Comparison) -> list[Paragraph]:
    return [
        Paragraph(text=f"For comparison: {result.summary_in(comparison.quantity)}") for result in comparison.other_tests
    ]


def _pairs_table(comparison: Comparison) -> TableBlock:
    """The pairwise table: the leader against each, then the closest; a control always second, the smallest p-value first."""
    facts = comparison.facts
    if facts.control is None:
        frame = comparison.leader_first()
    else:
        frame = comparison.to_frame().sort_values(["adjusted", "pvalue"], kind="stable")
    own: dict[str, dict[str, Any]] = {key: _effects(comparison) for key in ("effect", "interval")}
    own["record"] = {
        "title": f"{capital(comparison.words.rows)} won{NO_NUMBER}tied{NO_NUMBER}lost",
        "help": comparison.words.won,
    }
    caption = "Every algorithm against the control, the smallest adjusted p-value first."
    columns = COLUMNS["pairs"]
    if comparison.pairs.n_pairs == 1:  # there is nothing to adjust
        caption = "The difference between the two."
        columns = {key: more for key, more in columns.items() if key != "pvalue"} | {"adjusted": {"title": "p"}}
    elif facts.control is None:
        caption = f"All pairs: {comparison.ranking[0].algorithm} against each of the others, then the closest first."
    sized = f"{_difference(comparison)}, in {measured(comparison)} ({facts.direction} is better)."
    return frame_table(
        "pairs",
        caption,
        frame,
        columns={key: {**more, **own.get(key, {})} for key, more in columns.items()},
        note=" ".join(filter(None, (sized, intervals_of(comparison.pairs), _family(comparison)))),
        marked=frozenset(np.flatnonzero(frame["adjusted"].to_numpy() <= comparison.alpha).tolist()),
        marked_as="significantly different",
    )


def _effects(comparison: Comparison) -> dict[str, Any]:
    """How the columns of differences are written."""
    pairs, quantity = comparison.pairs, comparison.difference
    column = quantity.finer(excess(pairs.effect_name, pairs.effect).tolist())
    if not effect_kind(pairs.effect_name).relative:
        return written_in(column)
    return {
        "digits": column.decimals,
        "written": lambda value: float(quantity.written(excess(pairs.effect_name, value))),
    }


def _difference(comparison: Comparison) -> str:
    """What the column of differences has."""
    pairs = comparison.pairs
    if effect_kind(pairs.effect_name).relative:
        return f"Difference: by how much the first exceeds the second ({pairs.effect_name})"
    on = " on the first fold" if effect_kind(pairs.effect_name).of_first_fold else ""
    return f"Difference: the first algorithm minus the second{on}"


def measured(comparison: Comparison) -> str:
    """What a difference is one of."""
    what, measure = comparison.words.measured, comparison.difference.unit
    return f"{measure} of {what}" if measure and measure != "points" else what


def _remarks(comparison: Comparison) -> list[Block]:
    notes = tuple(Note(topic=r.topic, sentence=r.sentence, weight=r.weight) for r in comparison.remarks)
    names = tuple(name for name in (*comparison.table.algorithms, *comparison.table.datasets) if "(" in name)
    return [Notes(notes=notes, names=names) if notes else Paragraph(text="Nothing to remark.")]


def _methods(comparison: Comparison) -> list[Block]:
    text = comparison.methods_paragraph
    if not cited_keys(text):
        text = f"{text} [{'; '.join(f'@{key}' for key in _references(comparison))}]"
    blocks: list[Block] = [Paragraph(text=text, role="methods")]
    if comparison.omnibus is not None:
        blocks.append(Paragraph(text=comparison.omnibus.summary()))
    columns = tuple(Column(key=title.lower(), title=title) for title in ("Question", "Answer", "Because"))
    asked = questions_of(comparison.facts.unit)
    rows = tuple((asked[choice.question], choice.answer, choice.because) for choice in comparison.choices)
    if rows:
        blocks.append(TableBlock(key="choices", caption="What was chosen, and why.", columns=columns, rows=rows))
    return blocks


def _data(comparison: Comparison) -> list[Block]:
    facts = facts_table("facts", "Facts that decided the choice of tests.", _facts(comparison), folded=True)
    paper = paper_block(comparison.paper_table())
    shown = [paper] if len(comparison.printed.datasets) > 1 or comparison.printed.deviations is not None else []
    return [facts, *shown, *([_outcomes_table(comparison)] if comparison.words.outcomes else [])]


def _facts(comparison: Comparison) -> dict[str, Any]:
    """The facts; of many holes only how many there are, as the remarks name some and the scores show all."""
    facts = comparison.facts
    values: dict[str, Any] = plain(facts)
    if facts.rope is not None:
        values["rope"] = comparison.quantity.in_full(facts.rope)
    many = len(facts.missing_scores) > MOST_HOLES
    return values | {
        "missing_scores": counted(len(facts.missing_scores), facts.hole)
        if many
        else list(map(str, facts.missing_scores))
    }


def _outcomes_table(comparison: Comparison) -> TableBlock:
    table, words = comparison.table, comparison.words
    present = table.values[np.isfinite(table.values)]
    whole = bool((present == np.round(present)).all())  # such as cases that pass or fail
    column = comparison.quantity.column(table.values.ravel().tolist(), significant=4)
    written = written_in(replace(column, decimals=0) if whole else column)
    columns = [Column(key=words.key.removesuffix("s"), title=words.title, kind="dataset")]
    for index, name in enumerate(table.algorithms):
        columns.append(Column(key=f"score_{index}", title=name, kind="number", is_named=True, **written))
    rows = tuple((name, *row) for name, row in zip(table.datasets, plain(table.values), strict=True))
    return TableBlock(key="outcomes", caption=words.outcomes, columns=tuple(columns), rows=rows, folded=True)


# --- What a section found, in one sentence; and the three numbers that matter ---------------------------------------


def ranking_finding(comparison: Comparison) -> str:
    """How many could be first, and who cannot."""
    ranking = comparison.ranking
    if comparison.facts.control is not None or len(ranking) < 3:
        return ""
    first = [row for row in ranking if row.rank_low == 1]
    others = [row for row in ranking if row.rank_low > 1]
    if not others:
        return f"Any of the {spelled(len(ranking))} could be first."
    if len(first) == 1:
        settled = all(row.rank_low == row.rank_high for row in others)
        return f"{first[0].algorithm} is first; {'every' if settled else 'not every'} rank below it is settled."
    last = f"; {others[0].algorithm} is at best {_ordinal(others[0].rank_low)}" if len(others) == 1 else ""
    return capital(f"{spelled(len(first))} of {spelled(len(ranking))} could be first{last}.")


def pairs_finding(comparison: Comparison) -> str:
    """How many pairs differ, and what they have in common."""
    decided = int((comparison.pairs.adjusted <= comparison.alpha).sum())
    total = comparison.pairs.n_pairs
    if total == 1:
        return ""
    if not decided:
        return f"None of the {total:,} pairs differs significantly."
    better = comparison.pairs.better(comparison.alpha)
    names, whose = comparison.pairs.algorithms, ""
    for who, what in ((better.any(axis=1), "win"), (better.any(axis=0), "loss")):
        if comparison.facts.control is None and who.sum() == 1 and decided > 1:
            whose = f", each a {what} of {names[int(np.argmax(who))]}"
    verb = "differs" if decided == 1 else "differ"
    return f"{share_of(decided, total)} pairs {verb} significantly{whose}."


def remarks_finding(comparison: Comparison) -> str:
    """How many remarks of each weight there are."""
    weights = [remark.weight for remark in comparison.remarks]
    counts = {weight: weights.count(weight) for weight in ("warning", "caution", "note")}
    weighed = [counted(count, weight) for weight, count in counts.items() if count]
    return f"{listed(weighed if counts['warning'] else ['No warning', *weighed])}."


def key_numbers(comparison: Comparison) -> Keys:
    """How many could be first, how the first two met, and what would be found: what the sentences beside them do not say."""
    ranking, words, told = comparison.ranking, comparison.words, (Kind.ONE_WINNER, Kind.MANY_FIRST, Kind.LEADER_BEATEN)
    several, items = len(ranking) > 2 and comparison.facts.control is None, []
    if several and comparison.verdict.kind not in told:
        first = sum(row.rank_low == 1 for row in ranking)
        items.append((share_of(first, len(ranking)), "could be first: no algorithm is significantly better"))
    if several:
        pair = comparison.pairs.pair(ranking[0].algorithm, ranking[1].algorithm)
        record = NO_NUMBER.join(f"{count:,}" for count in (pair.wins, pair.ties, pair.losses))
        items.append((record, f"{words.rows} won{NO_NUMBER}tied{NO_NUMBER}lost by {pair.a} against {pair.b}"))
    size = comparison.detectable
    if size is not None and math.isfinite(size):
        quantity = comparison.quantity.at(size)
        short = quantity.unit in _BESIDE  # other units stand below the number
        amount = quantity.amount(size).replace(PERCENTAGE_POINTS, "points") if short else quantity.text(size)
        typical = " between a typical pair" if comparison.pairs.n_pairs > 1 else ""
        of = "" if short else f" in {quantity.unit or quantity.label}".rstrip()
        items.append((amount, f"the smallest difference{of}{typical} that is likely to be found (with a power of 80%)"))
    return Keys(items=tuple(items))


def _family(comparison: Comparison) -> str:
    """What the level is about, where a correction holds it for all pairs together."""
    pairs = comparison.pairs
    correction = CORRECTIONS.get(pairs.correction)
    if pairs.n_pairs == 1 or correction is None or correction.name == "none":
        return ""
    if correction.controls == "fwer":
        return f"At most {percent(comparison.alpha)} of such studies would report any false difference."
    if correction.controls == "fdr":
        return (
            f"The expected share of false positives among the significant differences is {percent(comparison.alpha)}."
        )
    return ""


def _ordinal(place: int) -> str:
    words = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
    return words[place] if place < len(words) else f"rank {place}"


# --- The data -------------------------------------------------------------------------------------------------------


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    """Everything about a comparison as plain values with stable keys: the JSON of the report."""
    table, pairs = comparison.table, comparison.to_frame()
    same = "choices alpha verdict ranking groups omnibus trade_offs cost_order detectable remarks".split()
    return {
        "schema": comparison.SCHEMA,
        "podium": VERSION,
        "kind": "Comparison",
        "facts": plain(comparison.facts),
        "quantity": plain(comparison.quantity),
        **{name: plain(getattr(comparison, name)) for name in same},
        "pairs": {str(name): plain(pairs[name].to_numpy()) for name in pairs.columns},
        "extras": {extra.key: plain(extra.result) for extra in comparison.extras},
        "methods": comparison.methods_paragraph,
        "references": list(_references(comparison)),
        "settings": plain(comparison.settings),
        "table": {
            "metric": plain(table.metric),
            comparison.words.key: list(table.datasets),
            "families": list(table.families),
            "algorithms": list(table.algorithms),
            "values": plain(table.values),
            "deviations": plain(table.deviations),
        },
        "reading": None if comparison.reading is None else comparison.reading.to_dict(),
        "repeat": comparison.repeatable(),
    }
