"""The page as text: its policy, its structure, its data, and what hostile names can do (nothing)."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from podium.core.errors import DataError
from podium.core.escape import visible
from podium.report.html_blocks import MOST_ROWS, STATIC_ROWS, packed, unpacked
from podium.report.render_html import json_for_script, read_embedded, render_html
from podium.report.render_json import render_json
from report.golden import check_golden
from report.sample import HOSTILE, report


class Outline(HTMLParser):
    """The elements of a page with their attributes, one per line, and whether tags are balanced."""

    VOID = frozenset("meta input br wbr".split())

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.lines, self.open, self.found = [], [], []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        shown = " ".join(f'{name}="{value}"' for name, value in attrs if name not in ("content", "d", "points"))
        self.lines.append(f"{' ' * len(self.open)}{tag} {shown}".rstrip())
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def outline(page):
    parser = Outline()
    parser.feed(page)
    parser.close()
    assert not parser.open
    return parser


@pytest.fixture(scope="module")
def plain():
    made = report()
    return made, render_html(made)


@pytest.fixture(scope="module")
def hostile():
    made = report(HOSTILE, rope=0.01)
    return made, render_html(made)


def test_the_structure_is_as_before(plain):
    check_golden("report.html.outline", "\n".join(outline(plain[1]).lines) + "\n")


def test_the_policy_allows_the_one_style_and_the_one_script_by_hash(plain):
    page = plain[1]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        (inline,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, flags=re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy


def test_nothing_is_fetched_and_no_attribute_runs_or_styles(hostile):
    for tag, attributes in outline(hostile[1]).found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not {name for name in attributes if name.startswith("on") or name in ("style", "src", "srcdoc")}
        assert attributes.get("href", "#").startswith(("#", "https://"))


def test_hostile_names_make_no_element(hostile, plain):
    def counts(page):
        tags = [tag for tag, _ in outline(page).found]
        return {tag: tags.count(tag) for tag in ("script", "style", "b", "title", "red")}

    assert counts(hostile[1])["script"] == counts(plain[1])["script"] == 2
    assert counts(hostile[1])["style"] == 1
    assert "<script>alert" not in hostile[1]


def test_names_keep_their_place_as_keys(hostile):
    keys = {attributes["data-key"] for _, attributes in outline(hostile[1]).found if "data-key" in attributes}
    assert keys == {visible(name) for name in HOSTILE}


def test_tables_have_a_caption_and_scoped_headers(plain):
    found = outline(plain[1]).found
    assert all(attributes.get("scope") in ("col", "row") for tag, attributes in found if tag == "th")
    assert sum(tag == "table" for tag, _ in found) == sum(tag == "caption" for tag, _ in found) > 3
    assert [tag for tag, _ in found if tag in ("header", "nav", "main", "footer")] == [
        "header",
        "nav",
        "main",
        "footer",
    ]


def test_ids_are_unique_and_links_within_lead_somewhere(plain):
    found = outline(plain[1]).found
    ids = [attributes["id"] for _, attributes in found if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = {attributes["href"][1:] for _, attributes in found if attributes.get("href", "").startswith("#")}
    assert targets <= set(ids)


def test_the_data_come_back_as_the_json_file_has_them(hostile):
    made, page = hostile
    assert {"reading": None, **read_embedded(page)} == {**json.loads(render_json(made)), "reading": None}


@pytest.mark.parametrize(
    "page, problem",
    [
        ("<html></html>", "carries no data of Podium"),
        ('<script type="application/json" id="podium-data">{"a":</script>', "damaged at character"),
        ('<script type="application/json" id="podium-data">[1]</script>', "are not Podium's"),
    ],
)
def test_a_page_of_others_is_refused(page, problem):
    with pytest.raises(DataError, match=problem):
        read_embedded(page)


def test_json_for_a_script_cannot_end_it():
    text = json_for_script(["</script><!--", "\u2028", "&amp;"])
    assert not re.search("[<>&\u2028]", text)
    assert json.loads(text) == ["</script><!--", "\u2028", "&amp;"]


@pytest.fixture(scope="module")
def large():
    made = report(tuple(f"algorithm number {i}" for i in range(66)), n_datasets=30)  # 2145 pairs
    return made, render_html(made)


def test_a_large_page_is_light_and_keeps_its_rows(large):
    page = large[1]
    assert len(page.encode()) < 450_000  # 15,931 pairs, of 179 algorithms, stay below 1.5 MB
    rest = "".join(unpacked(text) for text in re.findall('<template data-packed="gzip">(.*?)</template>', page))
    pairs = [row for row in re.findall("<tr.*?</tr>", rest) if row.count("data-key=") == 2]
    assert len(pairs) == MOST_ROWS - STATIC_ROWS  # the other rows of the page wait until they are shown


def test_a_large_page_carries_what_repeats_it(large):
    made, page = large
    found = read_embedded(page)
    whole = json.loads(render_json(made))
    assert found["pairs"] is None  # thousands of numbers that the scores give again
    del whole["reading"]  # a page carries what repeats it, not how its file was read
    assert {**whole, "pairs": None} == found
    assert found["repeat"]["evidence"]["values"] == whole["repeat"]["evidence"]["values"]


def test_packed_data_come_back_and_damaged_ones_are_refused():
    script = '<script type="application/gzip" id="podium-data">{}</script>'
    data = {"schema": "podium.result/1", "text": "</script>é"}
    assert read_embedded(script.format(packed(json_for_script(data)))) == data
    for damaged in ("AAAA", packed("{}")[:-9], "not base64"):
        with pytest.raises(DataError, match="packed data in the page are damaged"):
            read_embedded(script.format(damaged))


def test_the_page_computes_nothing(plain):
    (script,) = re.findall("<script>(.*?)</script>", plain[1], flags=re.DOTALL)
    assert not re.search(r"toFixed|toPrecision|Math\.|NumberFormat", script)
