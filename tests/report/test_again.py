"""A report that is compared again names everything in it that its own scores do not give."""

import json

import pytest

import podium
from podium.report.again import differences
from podium.report.documents import document
from podium.report.render_html import read_embedded, render_html


@pytest.fixture(scope="module")
def made():
    comparison = podium.compare(podium.example("benavoli2016"))
    page = render_html(document(comparison))
    return comparison, read_embedded(page), page


def test_an_honest_report_has_no_difference(made):
    comparison, data, page = made
    assert differences(data, comparison, page) == []


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("ranks first", "ranks last", "last"),
        ("const LEAF = 50", "const LEAF = 51", "51"),
        ("</body>", "<script>alert(1)</script></body>", "alert"),
    ],
)
def test_a_changed_sentence_script_or_tag_is_named(made, old, new, told):
    comparison, data, page = made
    assert page.count(old) >= 1
    found = differences(data, comparison, page.replace(old, new, 1))
    assert found
    assert told in found[0]


def test_every_number_that_differs_is_named_with_both_values(made):
    comparison, data, page = made
    changed = page.replace(">3.34<", ">3.33<").replace(">4.89<", ">4.88<")
    found = differences(data, comparison, changed)
    assert len(found) == page.count(">3.34<") + page.count(">4.89<") > 1
    assert all("there" in line and "computed" in line for line in found)
    other = json.loads(json.dumps(data))
    other["pairs"]["pvalue"] = [0.5] * len(other["pairs"]["pvalue"])
    assert len(differences(other, comparison)) == len(other["pairs"]["pvalue"])


def test_a_page_without_the_numbers_of_its_many_pairs_is_the_same(monkeypatch):
    monkeypatch.setattr("podium.report.render_html.MOST_PAIRS", 3)
    comparison = podium.compare(podium.example("benavoli2016"))
    page = render_html(document(comparison))
    data = read_embedded(page)
    assert data["pairs"] is None
    assert differences(data, comparison, page) == []
