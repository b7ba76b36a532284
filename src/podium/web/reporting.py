"""A comparison in every format, and the parts of it that a page shows at once."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.report.document import Document

__all__ = ["reported"]

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
SHOWN_SECTIONS = ("verdict", "ranking", "diagram", "costs")


def reported(comparison: Comparison) -> dict[str, Any]:
    """The files of a comparison, and the parts of it that a page shows at once."""
    from podium.report.documents import document
    from podium.report.html_blocks import section_html
    from podium.report.render_html import render_html
    from podium.report.render_json import render_csv, render_json
    from podium.report.render_markdown import render_markdown

    report = document(comparison)
    html = render_html(report)
    policy = _POLICY.search(html)
    assert policy is not None
    return {
        "title": report.title,
        "subtitle": report.subtitle,
        "notes": [],
        "policy": policy[1].replace("&#39;", "'"),
        "sections": [section_html(section) for section in report.sections if section.key in SHOWN_SECTIONS],
        "html": html,
        "json": render_json(report),
        "markdown": render_markdown(report),
        "csv": render_csv(report.tables()["pairs"]),
        "latex": base64.b64encode(_latex_archive(report)).decode("ascii"),
    }


def _latex_archive(report: Document) -> bytes:
    from podium.report.render_latex import latex_files

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in latex_files(report).items():
            # A fixed date: equal comparisons give equal files.
            archive.writestr(zipfile.ZipInfo(f"latex/{name}", (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()
