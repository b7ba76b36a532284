"""`document(result)`: every result as a document, whatever test, model, study or plan it comes from."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from podium.core.result import Result, plain
from podium.core.version import VERSION
from podium.report.document import Block, Bullets, Document, FigureBlock, Paragraph, Section, TableBlock
from podium.report.tables import facts_table, frame_table, paper_block, title_of

if TYPE_CHECKING:
    import pandas as pd

    from podium.comparison.comparison import Comparison
    from podium.comparison.paper_table import PaperTable


def document(
    result: Result,
    *more: Result,
    title: str | None = None,
    notes: Sequence[str] = (),
    drawn: bool | Collection[str] = True,
    short: bool = False,
) -> Document:
    """A result as a document: its sentence, its tables, its figures and the works that it cites.

    A result says more of itself by `tables()` and `title`. Further results (a rope beside the model that uses it) get
    a section each, `notes` (what was noticed when the file was read) the last one. Figures take time and are for
    pages: where none is needed, say `drawn=False`. A Comparison has its own report, of which some sections may be
    `drawn`; a `short` one has only what a terminal prints. The JSON is `to_dict()` of the result after the keys "schema" and "podium".
    """
    if type(result).__name__ == "Comparison":  # imported only where there is one: it brings every test along
        from podium.report.comparison import comparison_document

        return comparison_document(cast("Comparison", result), drawn=drawn, short=short)
    results = (result, *more)
    main = _main(results)
    if _are_alike(results):
        sections = [Section(key="result", title="Result", blocks=(_summaries(results), main))]
    else:
        sections = [_section(each, f"result_{place}" if place else "result") for place, each in enumerate(results)]
    if not more and title is None:
        sections = [replace(sections[0], title="Result")]  # the document has its title already
    if drawn and (figures := _figures(results)):
        sections.append(Section(key="figures", title="Figures", blocks=figures))
    if notes:
        sections.append(Section(key="notes", title="Notes", blocks=(Bullets(items=tuple(notes), role="notes"),)))
    beside = {"more": [{**plain(each), "summary": each.summary()} for each in more]} if more else {}
    data = {"schema": result.SCHEMA, "podium": VERSION, **result.to_dict(), "summary": result.summary(), **beside}
    return Document(
        title=title or result.title,
        subtitle="",
        sections=tuple(sections),
        references=tuple(dict.fromkeys(key for each in results for key in each.references)),
        data={**data, "notes": list(notes)},
        main=main,
    )


def in_short(result: Result) -> tuple[Block, ...]:
    """What a notebook shows of a result: what it says, the first of its figures, and the first of its tables."""
    if type(result).__name__ == "Comparison":
        from podium.report.comparison import comparison_in_short

        return comparison_in_short(cast("Comparison", result))
    from podium.report.figures import lead_block

    first = next(iter(result.tables().values())).drop(columns="kind", errors="ignore")
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", result.summary())
    lead = lead_block(result)
    figure = () if lead is None else (lead,)
    return (Bullets(items=tuple(sentences)), *figure, frame_table("result", "", first))


def _main(results: tuple[Result, ...]) -> TableBlock:
    """The table of the first, and of those of its kind below it; that of a paper is one of its own kind."""
    if type(results[0]).__name__ == "PaperTable":
        return replace(paper_block(cast("PaperTable", results[0])), folded=False)
    return frame_table("result", "", _rows(results))


def _figures(results: tuple[Result, ...]) -> tuple[FigureBlock, ...]:
    """The figures of the results, each kind once."""
    from podium.report.figures import figures_of

    blocks = {block.key: block for each in reversed(results) for block in figures_of(each)}
    return tuple(blocks.values())


def _are_alike(results: tuple[Result, ...]) -> bool:
    """Whether several results of one kind have one row each: the answers for several tests."""
    return len(results) > 1 and len({type(each) for each in results}) == 1 and len(_rows(results)) == len(results)


def _summaries(results: tuple[Result, ...]) -> Bullets:
    """What each says, and once what all say."""
    said = [each.sentences() for each in results]
    shared = [sentence for sentence in said[0] if all(sentence in own for own in said)]
    items = (" ".join(sentence for sentence in own if sentence not in shared) for own in said)
    return Bullets(items=(*filter(None, items), *shared))


def _rows(results: tuple[Result, ...]) -> pd.DataFrame:
    """The table of the first, and of those of its kind below it."""
    import pandas as pd

    frames = [each.to_frame() for each in results if type(each) is type(results[0])]
    return pd.concat(frames, ignore_index=True).drop(columns="kind", errors="ignore")


def _section(result: Result, key: str) -> Section:
    sentences = result.sentences()
    opening: tuple[Block, ...] = (Paragraph(text=sentences[0]),)
    if len(sentences) > 1:
        opening = (Bullets(items=sentences[:2], role="verdict"), Bullets(items=sentences[2:]))
    blocks: tuple[Block, ...] = (*opening, *_tables(result, key))
    return Section(key=key, title=result.title, blocks=blocks, short=getattr(result, "adds", True))


def _tables(result: Result, key: str) -> list[TableBlock]:
    if type(result).__name__ == "PaperTable":
        return [_main((result,))]
    tables = []
    for name, frame in result.tables().items():
        place = key if name == "result" else f"{key}_{name}"
        caption = "" if name == "result" else f"{title_of(name)}."
        if len(frame) == 1 and name == "result":
            values = {str(column): plain(frame[column].iloc[0]) for column in frame.columns if column != "kind"}
            tables.append(facts_table(place, caption, values))
        else:
            tables.append(
                frame_table(place, caption, frame, note=getattr(result, "explained", "") if name == "result" else "")
            )
    return tables
