"""Every figure of the gallery for a column of a paper: no letter below 7 points, nothing over another or off the sheet."""

import re
from pathlib import Path

import pytest

import podium
from plot.gallery import outside, overlapping_texts

DOCS = Path(__file__).parents[2] / "docs"
LEAST = 6.95  # points
SNIPPETS = re.findall(
    r"^```\{draw\}\n(.*?)\n```$", (DOCS / "gallery.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
)


def drawn(snippet, width):
    """The figure that the code of the gallery makes, as wide as asked."""
    *lines, last = snippet.splitlines()
    names = {}
    exec("\n".join([*lines, f'figure = {last.removesuffix(")")}, width="{width}")']), names)
    return names["figure"].scene


@pytest.mark.parametrize(
    "snippet", SNIPPETS, ids=[re.search(r"plot\.(\w+)\(", code.splitlines()[-1])[1] for code in SNIPPETS]
)
def test_a_figure_for_a_column_can_be_read(snippet, monkeypatch):
    monkeypatch.chdir(DOCS / "data")
    scene = drawn(snippet, "column")
    assert scene.width == pytest.approx(3.3 * 72)
    assert min(text.size for text in scene.texts) >= LEAST
    assert not [(a.text, b.text) for a, b in overlapping_texts(scene)]
    assert not outside(scene)


def test_the_diagram_of_a_column_has_three_ranks_or_is_a_list():
    """Names between which no axis has room gave an axis with one rank written on it."""
    for name in ("benavoli2016_named", "benavoli2016"):
        drawn = podium.plot.cd_diagram(podium.compare(podium.example(name)), width="column")
        ranks = [text for text in drawn.scene.texts if re.fullmatch(r"\d+(\.[05])?", text.text)]
        assert len(ranks) >= 3
        assert max(text.x for text in ranks) - min(text.x for text in ranks) > 0.4 * drawn.scene.width
