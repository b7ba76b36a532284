"""The page in Chromium: it works, says nothing on the console, and recomputes what Podium computes."""

import json

import numpy as np
import pytest

import podium
from podium.core.escape import visible
from podium.report.render_html import render_html
from report.browser import chromium, complaints, look
from report.sample import HOSTILE, PLAIN, comparison, report

pytestmark = pytest.mark.chromium

MANY = tuple(f"algorithm {i}" for i in range(32))  # 496 pairs: more than one leaf


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, names in (("plain", PLAIN), ("hostile", HOSTILE), ("many", MANY)):
        made = report(names, n_datasets=30)
        (folder / f"{name}.html").write_text(render_html(made), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def browser():
    with chromium() as driver:
        yield driver


@pytest.fixture
def opened(browser, pages):
    def go(name, *, width=1280, dark=False):
        look(browser, width=width, dark=dark)
        browser.get((pages / f"{name}.html").as_uri())
        return browser

    yield go
    assert complaints(browser) == []


def column(driver, table, place):
    return driver.execute_script(
        "return [...document.querySelectorAll(`[data-block=${arguments[0]}] tbody tr`)]"
        ".map((row) => row.cells[arguments[1]].textContent)",
        table,
        place,
    )


def click(driver, selector):
    driver.execute_script("document.querySelector(arguments[0]).click()", selector)


def choose(driver, keep):
    """Tick exactly these algorithms, by hand as it were."""
    driver.execute_script(
        """
        const list = document.getElementById("choose-list");
        for (const label of list.children) label.querySelector("input").checked = arguments[0].includes(label.dataset.key);
        list.dispatchEvent(new Event("change", { bubbles: true }));
        """,
        list(keep),
    )


def select(driver, name, value):
    driver.execute_script(
        "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
        "s.dispatchEvent(new Event('change', { bubbles: true }))",
        name,
        value,
    )


@pytest.mark.parametrize("name", ["plain", "hostile", "many"])
@pytest.mark.parametrize("width, dark", [(1280, False), (1280, True), (390, False), (390, True)])
def test_it_opens_without_a_complaint_and_fits_its_window(opened, name, width, dark):
    driver = opened(name, width=width, dark=dark)
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert not driver.execute_script("return document.getElementById('choose').hidden")  # the script has run
    paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (max(map(int, paper[4:-1].split(","))) < 80) == dark


def test_sorting_goes_by_number_and_missing_comes_last(opened):
    driver = opened("plain")
    head = "[data-block=ranking] th[data-column=mean_score] button"
    click(driver, head)
    scores = [float(text) for text in column(driver, "ranking", 4)]
    assert scores == sorted(scores)
    click(driver, head)
    assert [float(text) for text in column(driver, "ranking", 4)] == scores[::-1]
    sorts = driver.execute_script(
        "return [...document.querySelectorAll('[data-block=ranking] th[scope=col]')].map((h) => h.ariaSort)"
    )
    assert sorts.count("descending") == 1
    assert set(sorts) == {"descending", "none"}


def test_filtering_keeps_rows_with_all_words(opened):
    driver = opened("plain")
    field = driver.find_element("css selector", "[data-block=pairs] input[type=search]")
    field.send_keys("SVM bay")
    assert list(zip(column(driver, "pairs", 0), column(driver, "pairs", 1), strict=True)) == [("svm", "bayes")]
    assert driver.find_element("css selector", "[data-block=pairs] .count").text == "1 row (of 10)"


def test_many_pairs_come_in_leaves(opened):
    driver = opened("many")
    assert len(column(driver, "pairs", 0)) == 50
    buttons = driver.find_elements("css selector", "[data-block=pairs] .tools button")
    assert not buttons[0].is_enabled()
    driver.execute_script("arguments[0].click()", buttons[1])
    assert driver.find_element("css selector", "[data-block=pairs] .count").text == "51–100 of 496 rows"
    field = driver.find_element("css selector", "[data-block=pairs] input[type=search]")
    field.send_keys("algorithm 31")  # 31 pairs: a single leaf
    assert len(column(driver, "pairs", 0)) == 31


@pytest.mark.parametrize("name, names", [("plain", PLAIN), ("hostile", HOSTILE)])
def test_pointing_at_an_algorithm_lights_it_everywhere(opened, name, names):
    from selenium.webdriver.common.action_chains import ActionChains

    driver = opened(name)
    first = driver.find_element("css selector", "[data-block=ranking] tbody button")
    ActionChains(driver).move_to_element(first).perform()
    found = driver.execute_script(
        "return [...document.querySelectorAll('.lit')].map((n) => [n.dataset.key, n.namespaceURI.endsWith('svg')])"
    )
    assert {key for key, _ in found} == {visible(names[0])}
    assert {svg for _, svg in found} == {True, False}
    assert len(found) > 4 + 2  # its pairs, its row, its dot and its name in the figure
    ActionChains(driver).move_to_element(driver.find_element("css selector", "h1")).perform()
    assert driver.execute_script("return document.querySelectorAll('.lit').length") == 0


def test_the_keyboard_reaches_and_pins_an_algorithm(opened):
    from selenium.webdriver.common.keys import Keys

    driver = opened("plain")
    second = driver.find_elements("css selector", "[data-block=ranking] tbody button")[1]
    driver.execute_script("arguments[0].focus()", second)
    lit = "return [...new Set([...document.querySelectorAll('.lit')].map((n) => n.dataset.key))]"
    assert driver.execute_script(lit) == ["boosting"]
    second.send_keys(Keys.ENTER)
    assert second.get_attribute("aria-pressed") == "true"
    driver.execute_script("document.querySelector('a').focus()")
    assert driver.execute_script(lit) == ["boosting"]  # pinned


def test_the_first_tab_stop_skips_to_the_verdict(opened):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    driver = opened("plain")
    ActionChains(driver).send_keys(Keys.TAB).perform()
    assert driver.switch_to.active_element.text == "Skip to the verdict"
    ActionChains(driver).send_keys(Keys.ENTER).perform()
    assert driver.switch_to.active_element.get_attribute("id") == "main"


@pytest.mark.parametrize("correction", ["holm", "shaffer", "hochberg", "bonferroni", "benjamini_hochberg", "none"])
@pytest.mark.parametrize("k", [2, 3, 5, 9])
def test_corrections_in_the_page_are_podiums(opened, correction, k):
    driver = opened("plain")
    pvalues = np.random.default_rng(k).random(k * (k - 1) // 2) ** 3
    made = driver.execute_script(
        "return podium.CORRECTIONS[arguments[0]](arguments[1], arguments[2])", correction, pvalues.tolist(), k
    )
    np.testing.assert_allclose(made, podium.stats.adjust(pvalues, correction), rtol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_groups_in_the_page_are_the_maximal_ones(opened, seed):
    from reference.groups import groups_from_pairs

    driver = opened("plain")
    k = 8
    apart = np.triu(np.random.default_rng(seed).random((k, k)) < 0.4, 1)
    pairs = [(int(i), int(j)) for i, j in np.argwhere(apart)]
    found = driver.execute_script(
        "const apart = new Set(arguments[1].map(String));"
        "return podium.groups(arguments[0], (i, j) => apart.has(String([i, j])), 100)",
        k,
        pairs,
    )
    assert [tuple(group) for group in found] == list(groups_from_pairs(k, pairs))


def test_many_algorithms_are_drawn_as_a_list(opened):
    driver = opened("many")
    select(driver, "choose-alpha", "0.001")
    assert driver.execute_script("return document.querySelectorAll('.live circle.dot').length") == len(MANY)
    assert "32 of 32 algorithms, all pairs (496 tests)" in driver.find_element("id", "recomputed").text


def test_a_subset_is_compared_anew(opened):
    driver = opened("plain")
    kept = ["forest", "svm", "bayes"]
    choose(driver, kept)
    small = comparison(tuple(PLAIN), n_datasets=30)
    pairs = small.pairs[small.pairs["a"].isin(kept) & small.pairs["b"].isin(kept)]
    expected = np.sort(podium.stats.adjust(pairs["pvalue"].to_numpy(), "holm"))
    heads = driver.execute_script(
        "return [...document.querySelectorAll('[data-block=pairs] th[scope=col]')].map((h) => h.dataset.column)"
    )
    shown = column(driver, "pairs", heads.index("adjusted"))
    assert [text if text.startswith("<") else float(text) for text in shown] == [
        "<0.0001" if p < 1e-4 else round(p, 4 if p < 0.01 else 3) for p in expected
    ]
    ranks = small.table.columns(kept).mean_ranks()
    assert [float(text) for text in column(driver, "ranking", 1)] == pytest.approx(sorted(ranks), abs=0.005)
    said = driver.find_element("id", "recomputed").text
    assert "Recomputed in this page: 3 of 5 algorithms, all pairs (3 tests), Holm, level 0.05" in said
    names = driver.execute_script(
        "return [...document.querySelectorAll('.live text[data-key]')].map((n) => n.dataset.key)"
    )
    assert set(names) == set(kept)
    click(driver, "#choose-reset")
    assert len(column(driver, "pairs", 0)) == 10
    assert driver.find_element("id", "recomputed").text == ""
    assert not driver.execute_script(
        "return document.querySelector('figure[data-block=diagram] .scroll:not(.live)').hidden"
    )


def test_a_control_is_compared_with_each(opened):
    driver = opened("plain")
    select(driver, "choose-control", str(PLAIN.index("svm")))
    pairs = list(zip(column(driver, "pairs", 0), column(driver, "pairs", 1), strict=True))
    assert len(pairs) == 4
    assert all("svm" in pair for pair in pairs)
    assert "each against svm (4 tests)" in driver.find_element("id", "recomputed").text
    choose(driver, ["forest"])  # the control stays
    assert len(column(driver, "pairs", 0)) == 1


def test_one_algorithm_alone_is_no_comparison(opened):
    driver = opened("plain")
    choose(driver, ["forest"])
    assert driver.find_element("id", "recomputed").text == "Choose at least two algorithms."


def test_names_that_look_like_markup_can_be_chosen(opened):
    driver = opened("hostile")
    choose(driver, [visible(name) for name in HOSTILE[:3]])
    assert sorted(column(driver, "ranking", 0)) == sorted(visible(name) for name in HOSTILE[:3])
    assert driver.execute_script("return document.scripts.length") == 3


def test_the_verdict_and_latex_are_copied(opened):
    driver = opened("plain")
    driver.execute_script("navigator.clipboard.writeText = async (text) => { globalThis.caught = text; }")
    driver.find_element("css selector", "#verdict .copy button").click()
    assert driver.execute_script("return globalThis.caught") == "forest is better than bayes."
    click(driver, "[data-copies=ranking] button")
    assert "\\toprule" in driver.execute_script("return globalThis.caught")


def test_the_data_in_the_page_are_whole(opened):
    driver = opened("hostile")
    text = driver.execute_script("return document.getElementById('podium-data').textContent")
    assert json.loads(text)["table"]["algorithms"] == list(HOSTILE)
