"""A comparison in a notebook: the verdict, the figure that shows it, and the ranking, as the report has them."""

from __future__ import annotations

from podium.comparison.comparison import Comparison
from podium.core.escape import xml
from podium.core.result import cell_style
from podium.report.comparison import ranking_table
from podium.report.document import TableBlock
from podium.report.figures import lead_block

MOST_ROWS = 20


def comparison_html(comparison: Comparison) -> str:
    """HTML that needs no style sheet and no script."""
    verdict = comparison.verdict
    headline, *others = map(xml, verdict.sentences)
    lists = "".join(
        f"<p><strong>{title}</strong></p><ul>{''.join(f'<li>{xml(item)}</li>' for item in items)}</ul>"
        for title, items in (
            ("Significant differences", verdict.pairs),
            ("What you cannot conclude", verdict.does_not_follow),
        )
        if items
    )
    return (
        f'<div><p style="font-size:1.35em;line-height:1.25;font-weight:600;max-width:34em">{headline}</p>'
        f'<p style="max-width:60em">{" ".join(others)}</p>{_figure(comparison)}{_table(ranking_table(comparison))}{lists}</div>'
    )


def _figure(comparison: Comparison) -> str:
    """The figure of the verdict, where it can be drawn."""
    lead = lead_block(comparison)
    return "" if lead is None else f'<div style="max-width:60em">{lead.figure._repr_svg_()}</div>'


def _table(block: TableBlock) -> str:
    styles = [cell_style(right=column.is_numeric) for column in block.columns]

    def line(tag: str, texts: list[str]) -> str:
        cells = zip(texts, styles, strict=True)
        return f"<tr>{''.join(f'<{tag} style={style}>{xml(text)}</{tag}>' for text, style in cells)}</tr>"

    head = line("th", [column.title for column in block.columns])
    rows = "".join(line("td", row) for row in block.texts(MOST_ROWS))
    hidden = len(block.rows) - MOST_ROWS
    more = f"<p>... and {hidden} more: tables()[&quot;ranking&quot;] has all.</p>" if hidden > 0 else ""
    return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>{more}"
