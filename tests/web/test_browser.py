"""As a person would: drop a table, correct it, choose, read, download; calculators; a benchmark while it runs."""

import json
import threading

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from selenium.webdriver.support.wait import WebDriverWait
from typer.testing import CliRunner

import podium
from axe import need_axe, serious_problems
from podium.cli.main import app
from podium.core.numbers import number
from report.browser import chromium, complaints, look
from waiting import PATIENCE
from web.load import TABLE
from web.serving import serving
from web.stepping import stepped_run
from web.test_evidence import FILES

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium() as driver:
        folder = tmp_path_factory.mktemp("downloads")
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        driver.downloads = folder
        yield driver


@pytest.fixture
def page(browser, address):
    look(browser)
    browser.get(address)
    yield browser
    assert complaints(browser) == []


def find(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def until(driver, condition):
    return WebDriverWait(driver, PATIENCE).until(lambda _: condition())


def text_of(driver, selector):
    return find(driver, selector).text


def open_file(driver, path):
    find(driver, "#file").send_keys(str(path))
    until(driver, lambda: "/tables" in driver.current_url)


def press(driver, selector, part):
    find(driver, selector).click()
    until(
        driver, lambda: part in driver.current_url and driver.execute_script("return document.readyState") == "complete"
    )


def downloaded(driver, selector, name):
    find(driver, selector).click()
    path = driver.downloads / name
    until(driver, path.exists)
    until(driver, lambda: not list(driver.downloads.glob("*.crdownload")))
    return path


def test_a_table_is_dropped_corrected_compared_and_downloaded(page):
    open_file(page, TABLE)
    assert "54 datasets x 7 algorithms; 'accuracy', from the file's name (higher is better)" in page.page_source
    find(page, "input[name=direction][value=lower]").click()
    press(page, "#again", "direction=lower")
    assert "(lower is better)" in text_of(page, ".notes-plain")
    find(page, "input[name=direction][value=higher]").click()
    Select(find(page, "#control")).select_by_visible_text("C4")
    press(page, "#compare", "/comparisons/")
    expected = podium.compare(podium.read(TABLE), control="C4")
    verdict = [item.text.replace("’", "'") for item in page.find_elements(By.CSS_SELECTOR, "[data-verdict]")]
    assert verdict == list(expected.verdict.sentences)
    assert "--control C4" in text_of(page, "#recipe-command")
    data = json.loads(downloaded(page, "#download-json", "podium-report.json").read_text(encoding="utf-8"))
    assert data["verdict"]["headline"] == expected.verdict.headline
    report = downloaded(page, "#download-html", "podium-report.html").read_text(encoding="utf-8")
    assert report.startswith("<!doctype html>")
    for form, name in (("latex", "podium-latex.zip"), ("markdown", "podium-report.md")):
        assert downloaded(page, f"#download-{form}", name).stat().st_size > 1000
    kept = page.current_url
    press(page, "#report", "/html")  # the whole report, with its own script and style
    assert text_of(page, "[data-verdict]") == expected.verdict.headline
    assert page.find_elements(By.CSS_SELECTOR, "th button")  # tables can be sorted: the script runs
    page.get(kept)
    assert text_of(page, "[data-verdict]") == expected.verdict.headline
    find(page, "#alpha").clear()
    find(page, "#alpha").send_keys("0.001")
    press(page, "#again", "/comparisons/")
    until(page, lambda: page.current_url != kept)
    again = podium.compare(podium.read(TABLE), control="C4", alpha=0.001)
    verdict = [item.text.replace("’", "'") for item in page.find_elements(By.CSS_SELECTOR, "[data-verdict]")]
    assert verdict == list(again.verdict.sentences)
    assert "--alpha 0.001" in text_of(page, "#recipe-command")


def test_a_file_can_be_dropped_with_the_mouse(page):
    page.execute_script(
        """
        const data = new DataTransfer();
        data.items.add(new File([arguments[0]], "accuracies.csv", { type: "text/csv" }));
        document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        """,
        TABLE.read_text(encoding="utf-8"),
    )
    until(page, lambda: "/tables/" in page.current_url)
    assert text_of(page, "h1") == "accuracies.csv"


def test_a_table_is_pasted_from_a_spreadsheet(page):
    rows = [f"d{i}\t0,{70 + i}\t0,{80 + i % 5}\t{'n/a' if i == 3 else f'0,{60 + i}'}" for i in range(12)]
    text = "\n".join(["dataset\tsvm\tforest\tknn", *rows])
    page.execute_script("document.getElementById('text').value = arguments[0]", text)
    press(page, "form.upload button.main", "/tables/")
    assert "“Metric”" in text_of(page, "#question")
    find(page, "#metric").send_keys("accuracy")
    press(page, "#again", "metric=accuracy")
    assert "decimal comma" in text_of(page, "#question").lower()
    find(page, "[name=decimal_comma]").click()
    find(page, "#missing_marker").send_keys("n/a")
    press(page, "#again", "missing_marker=n")
    assert "12 datasets x 3 algorithms" in text_of(page, ".notes-plain")
    assert "1 of 36 cells have no score" in text_of(page, ".notes-plain")
    press(page, "#compare", "/comparisons/")
    assert text_of(page, "[data-verdict]").startswith("forest is significantly better than each")


@pytest.mark.parametrize(
    "name, content, sentence",
    [
        ("photo.csv", b"\x89PNG\r\n\x1a\n" + bytes(100), "photo.csv is a binary file, not a table"),
        ("page.csv", b"<!doctype html><p>hello</p>", "page.csv is a web page, not a table"),
        ("empty.csv", b"\n", "empty"),
        ("huge.csv", bytes(21_000_000), "huge.csv is larger than 20 MB"),
    ],
)
def test_a_wrong_file_gets_a_clear_message_in_the_page(browser, address, tmp_path, name, content, sentence):
    browser.get(address)
    path = tmp_path / name
    path.write_bytes(content)
    find(browser, "#file").send_keys(str(path))
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#problem"))
    assert sentence in text_of(browser, "#problem")
    assert find(browser, "#file").is_displayed()  # and one may try again at once
    complaints(browser)  # the console notes the refusal


def test_the_calculator_agrees_with_the_command(page, address):
    page.get(f"{address}/chance")
    given = {"metric": "best_f1", "positives": "70", "negatives": "130", "competitors": "25", "alpha": "0.02"}
    for name, value in given.items():
        find(page, f"#{name}").clear()
        find(page, f"#{name}").send_keys(value)
    press(page, "button.main", "positives=70")
    words = [word for name, value in given.items() for word in (f"--{name}", value)]
    printed = json.loads(CliRunner().invoke(app, ["chance", "value", *words, "--json", "-"]).stdout)
    assert text_of(page, "#critical") == number(printed["critical_value"], 5)
    assert printed["summary"] in page.page_source
    page.get(f"{address}/chance/chart?kind=competitors&metrics=auc&positives=20&negatives=30")
    width = "return document.getElementById('chart-picture').naturalWidth"
    until(page, lambda: page.execute_script(width) > 0)


def test_a_benchmark_is_watched_while_it_runs(browser, tmp_path):
    step = threading.Semaphore(3)
    with (
        stepped_run(tmp_path / "suite.db", step) as finished,
        serving(watch=tmp_path / "suite.db", warm_up=True) as address,
    ):
        browser.get(f"{address}/watch")
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#done"))
        until(browser, lambda: text_of(browser, "#done").startswith("3 of 12 jobs are done; about "))
        assert "has ended" not in text_of(browser, "#done")
        for _ in range(9):
            step.release()
        until(browser, lambda: "12 of 12 jobs are done; the run has ended: 4 error, 8 ok." in text_of(browser, "#done"))
        assert finished.wait(PATIENCE)
        assert [cell.get_attribute("class") for cell in browser.find_elements(By.CSS_SELECTOR, ".tiles td")].count(
            "failed"
        ) == 2
        assert "Thrower on iris" in text_of(browser, ".failures")
        assert "no luck today" in text_of(browser, ".failures")
        press(browser, "#partial", "/comparisons/")
        assert text_of(browser, "p.title") == "2 algorithms on 2 datasets"
        assert "Left out, without any score so far: Thrower." in text_of(browser, ".notes-plain")
        assert "error, lower is better" in text_of(browser, ".subtitle")
    complaints(browser)


@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_is_wider_than_its_window(browser, address, client, table, width):
    made = client.post(f"/tables/{table}/comparisons", data={}).headers["location"]
    look(browser, width=width)
    for path in (
        "/",
        "/order",
        "/chance",
        "/chance/table",
        "/plan/datasets",
        f"/tables/{table}",
        made,
        "/api",
        "/watch",
    ):
        browser.get(address + path)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, path
    assert complaints(browser) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_no_serious_problem(browser, address, client, table, dark):
    need_axe()
    made = client.post(f"/tables/{table}/comparisons", data={}).headers["location"]
    pages = [
        "/",
        "/order",
        "/chance",
        "/chance/pvalue",
        "/chance/table",
        "/chance/chart",
        "/chance/plan",
        "/plan/datasets",
        "/plan/cases",
        "/gate",
        "/watch",
    ]
    look(browser, width=1280, dark=dark)
    browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # for axe's own script
    for path in (
        *pages,
        "/api",
        f"/tables/{table}",
        f"/tables/{table}/order",
        made,
        "/nothing",
        "/chance?positives=many",
    ):
        browser.get(address + path)
        assert serious_problems(browser) == [], path
    browser.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})
    complaints(browser)  # the console notes the pages that are not there


def test_files_that_are_dropped_together_are_one_folder_of_logs(page):
    page.execute_script(
        """
        const data = new DataTransfer();
        for (const [name, text] of Object.entries(arguments[0])) data.items.add(new File([text], name));
        document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
        """,
        {name: content.decode() for name, content in FILES.items()},
    )
    until(page, lambda: "/tables/" in page.current_url)
    assert "logs of SWE-bench: 2 files, 2 systems, 40 cases" in text_of(page, ".notes-plain")


def test_the_form_can_be_used_by_keyboard(page):
    focused = []
    for _ in range(14):
        ActionChains(page).send_keys(Keys.TAB).perform()
        focused.append(page.execute_script("const e = document.activeElement; return e.id || e.textContent.trim()"))
    assert focused[0] == "Skip to the content"
    for name in ("Compare", "file", "text", "Look at the table"):
        assert name in focused
