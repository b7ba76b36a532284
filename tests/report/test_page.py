"""The page in Chromium: it works, and says nothing on the console."""

import json

import pytest

from axe import need_axe, serious_problems
from podium.core.escape import visible
from podium.report.render_html import render_html
from report.browser import chromium, complaints, look
from report.sample import HOSTILE, PLAIN, comparison, report

pytestmark = pytest.mark.chromium

MANY = tuple(f"algorithm {i}" for i in range(32))  # 496 pairs: more than one leaf
LONG = (
    "gradient_boosting_with_early_stopping_and_monotone_limits",
    "x" * 120,
    "a",
    "b b",
    *(f"model {i}" for i in range(7)),
)
CROWD = ("rf", "svm", "knn", "nb", "mlp", "gbm", "lda", "qda", "tree", "logreg", "xgb", "lgbm")
PAPER = 688  # pixels between the margins of a sheet


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, names in (("plain", PLAIN), ("hostile", HOSTILE), ("many", MANY), ("long", LONG), ("crowd", CROWD)):
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


def unfold(driver):
    """Open every folded part."""
    driver.execute_script("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")


def wait_for_rows(driver):
    """Until the packed rows are there."""
    from selenium.webdriver.support.ui import WebDriverWait

    count = "return document.querySelector('[data-block=pairs] .count').textContent"
    WebDriverWait(driver, 20).until(lambda d: "496" in d.execute_script(count))


def click(driver, selector):
    driver.execute_script("document.querySelector(arguments[0]).click()", selector)


@pytest.mark.parametrize("name", ["plain", "hostile", "many", "long"])
@pytest.mark.parametrize("width, dark", [(1280, False), (1280, True), (390, False), (390, True)])
def test_it_opens_without_a_complaint_and_fits_its_window(opened, name, width, dark):
    driver = opened(name, width=width, dark=dark)
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width
    assert driver.execute_script("return document.documentElement.className") == "ready"  # the script has run
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
    unfold(driver)
    field = driver.find_element("css selector", "[data-block=pairs] input[type=search]")
    field.send_keys("SVM bay")
    assert list(zip(column(driver, "pairs", 0), column(driver, "pairs", 1), strict=True)) == [("svm", "bayes")]
    assert driver.find_element("css selector", "[data-block=pairs] .count").text == "1 row (of 10)"


def test_only_the_pairs_told_apart_are_shown_on_demand(opened):
    driver = opened("plain")
    pairs = comparison(PLAIN, n_datasets=30).to_frame()
    told = pairs[pairs["adjusted"] <= 0.05]
    assert 0 < len(told) < len(pairs)
    click(driver, "[data-block=pairs] input[type=checkbox]")
    shown = set(zip(column(driver, "pairs", 0), column(driver, "pairs", 1), strict=True))
    assert shown == set(zip(told["a"], told["b"], strict=True))
    assert driver.execute_script("return document.querySelectorAll('[data-block=pairs] tr.marked').length") == len(told)
    click(driver, "[data-block=pairs] input[type=checkbox]")
    assert len(column(driver, "pairs", 0)) == len(pairs)


def test_pvalues_sort_by_their_exact_values(opened):
    driver = opened("many")
    wait_for_rows(driver)
    click(driver, "[data-block=pairs] th[data-column=pvalue] button")
    pairs = comparison(MANY, n_datasets=30).to_frame().sort_values("pvalue", kind="stable")
    first = driver.execute_script(
        "return [...document.querySelectorAll('[data-block=pairs] tbody tr')].map((row) => Number(row.cells[5].dataset.v))"
    )
    assert first == pytest.approx(pairs["pvalue"][:50].tolist(), rel=1e-5)


def test_many_pairs_come_in_leaves(opened):
    driver = opened("many")
    unfold(driver)
    wait_for_rows(driver)
    assert len(column(driver, "pairs", 0)) == 50
    buttons = driver.find_elements("css selector", "[data-block=pairs] .tools button")
    assert not buttons[0].is_enabled()
    driver.execute_script("arguments[0].click()", buttons[1])
    assert driver.find_element("css selector", "[data-block=pairs] .count").text == "51–100 of 496 rows"
    field = driver.find_element("css selector", "[data-block=pairs] input[type=search]")
    field.send_keys("algorithm 31")  # 31 pairs: no leaves to turn
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


def test_the_verdict_is_copied(opened):
    driver = opened("plain")
    driver.execute_script("navigator.clipboard.writeText = async (text) => { globalThis.caught = text; }")
    driver.find_element("css selector", "#verdict [data-copies=verdict] button").click()
    assert driver.execute_script("return globalThis.caught") == " ".join(
        comparison(PLAIN, n_datasets=30).verdict.sentences
    )


def test_the_data_in_the_page_are_whole(opened):
    driver = opened("hostile")
    text = driver.execute_script("return document.getElementById('podium-data').textContent")
    assert json.loads(text)["table"]["algorithms"] == list(HOSTILE)


def test_names_and_numbers_stay_within_their_card(opened):
    """Nothing in a chart or table reaches beyond the block that holds it, on a phone neither."""
    beyond = """
        const found = [];
        for (const holder of document.querySelectorAll("figure.chart, .keys, .quiet, .hero > *")) {
          const right = holder.getBoundingClientRect().right + 1;
          for (const text of holder.querySelectorAll("bdi, td, th, p, dd, dt, li, h1, h3"))
            if (!text.closest(".scroll") && text.getBoundingClientRect().right > right) found.push(text.textContent);
        }
        return found;"""
    for width in (1440, 768, 390):
        assert opened("long", width=width).execute_script(beyond) == []


@pytest.mark.parametrize("name", ["crowd", "long"])
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_numbers_of_a_matrix_stay_in_their_cells_and_short_names_whole(opened, name, width):
    found = """
        const found = [];
        for (const cell of document.querySelectorAll(".mx td, .mx th")) {
          const box = cell.getBoundingClientRect(), range = document.createRange();
          range.selectNodeContents(cell);
          const lines = [...range.getClientRects()];
          const whole = cell.textContent.length <= 8 ? lines.every((line) => line.bottom - lines[0].top < 25) : true;
          if (!whole || lines.some((line) => line.left < box.left || line.right > box.right)) found.push(cell.textContent);
        }
        return found;"""
    assert opened(name, width=width).execute_script(found) == []


@pytest.mark.parametrize("name", ["crowd", "long"])
def test_numbers_of_a_scale_keep_apart_on_a_phone(opened, name):
    close = """
        return [...document.querySelectorAll(".plot thead .w svg")].filter((scale) => {
          const boxes = [...scale.querySelectorAll("text")].map((tick) => tick.getBoundingClientRect()).filter((box) => box.width);
          return boxes.some((box, place) => place && box.left < boxes[place - 1].right + 3);
        }).map((scale) => scale.textContent)"""
    assert opened(name, width=390).execute_script(close) == []


@pytest.mark.parametrize("name", ["plain", "long"])
@pytest.mark.parametrize("width", [1400, 768, 390])
def test_names_leave_room_for_the_ranking_and_the_pairs(opened, name, width):
    driver = opened(name, width=width)
    unfold(driver)
    wide = """
        return ["ranking", "pairs"].filter((key) => {
          const holder = document.querySelector(`[data-block=${key}] .scroll`);
          return holder.scrollWidth > holder.clientWidth;
        })"""
    assert driver.execute_script(wide) == []


@pytest.mark.parametrize("name", ["plain", "hostile", "many", "long", "crowd"])
@pytest.mark.parametrize("width", [1440, 768, 390])
def test_the_track_of_the_first_picture_has_half_of_its_width(opened, name, width):
    driver = opened(name, width=width)
    unfold(driver)
    shares = """
        const wide = (table, kind) => table.querySelector(`thead ${kind}`).offsetWidth;
        return [...document.querySelectorAll(".hero .plot")].map((table) => wide(table, ".w") / wide(table, "tr"))"""
    found = driver.execute_script(shares)
    assert found
    assert min(found) >= 0.5


@pytest.mark.parametrize("width", [1440, 390])
def test_long_names_stand_above_their_pictures(opened, width):
    driver = opened("long", width=width)
    lower = """
        return [...document.querySelectorAll(".gaps tbody tr")].every((row) =>
          row.querySelector("bdi").getBoundingClientRect().bottom <= row.querySelector("circle").getBoundingClientRect().top + 1)"""
    assert driver.execute_script(lower)


@pytest.mark.parametrize("name", ["long", "crowd"])
def test_nothing_leaves_the_paper(opened, browser, name):
    """A block that is wider than a sheet would be cut, or make all letters smaller."""
    driver = opened(name, width=PAPER)
    unfold(driver)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    beyond = """
        const right = document.body.getBoundingClientRect().right + 1;
        return [...document.querySelectorAll("body *")].filter((node) => node.getBoundingClientRect().right > right)
          .map((node) => `${node.closest("[data-block]")?.dataset.block}: ${node.textContent}`)"""
    assert driver.execute_script(beyond) == []
    foot = "return getComputedStyle(document.querySelector('tfoot')).display"
    assert driver.execute_script(foot) == "table-row-group"  # not repeated on every sheet, as if it were its mean
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_link_to_a_folded_section_opens_it(opened):
    driver = opened("plain")
    assert driver.execute_script("return document.querySelector('#methods details').open") is False
    driver.execute_script("location.hash = '#methods'")
    assert driver.execute_async_script(
        "const done = arguments[0]; setTimeout(() => done(document.querySelector('#methods details').open), 200)"
    )


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["plain", "hostile"])
def test_axe_finds_no_serious_problem(browser, pages, name, dark):
    need_axe()
    look(browser, width=1280, dark=dark)
    browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # for axe's own script
    browser.get((pages / f"{name}.html").as_uri())
    found = serious_problems(browser)
    browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    complaints(browser)
    assert found == []
