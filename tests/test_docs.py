"""Every command, room and method has its page; the README's example is true; the documentation builds and its links hold."""

import html
import inspect
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import podium
from axe import need_axe, serious_problems
from docs_search import found_pages, read_index
from podium.comparison.rules import QUESTIONS, rules_of
from podium.plot.registry import FIGURES
from podium.report.methods import explain
from report.browser import chromium, look

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
ROOMS = sorted(path.parent.name for path in Path(podium.__file__).parent.glob("*/__init__.py"))
METHODS = sorted(path for path in (DOCS / "methods").glob("*.md") if "{method}" in path.read_text(encoding="utf-8"))


def commands():
    from typer.main import get_command

    from podium.cli.main import app

    return get_command(app).commands


@pytest.fixture(scope="module")
def pages(monkeypatch_module):
    """The module that fills the pages in."""
    monkeypatch_module.syspath_prepend(str(DOCS))
    import expand

    return expand


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The documentation, built as `make docs` builds it: warnings are errors, and every block that is marked is run."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(folder)]
    built = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    return folder


class Links(HTMLParser):
    """The anchors of a page, the pages it leads to, and the files that a browser fetches for it."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.anchors.add(given.get("id") or given.get("name"))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("img", "script", "iframe", "source") and given.get("src"):
            self.fetched.append(given["src"])
        if tag == "link" and given.get("rel") not in ("canonical", "author") and given.get("href"):
            self.fetched.append(given["href"])


def test_the_search_finds_what_a_reader_of_a_paper_asks(site):
    index = read_index(site)
    asked = tomllib.loads((ROOT / "tests" / "questions.toml").read_text(encoding="utf-8"))
    missed = {
        question["search"]: pages[:3]
        for questions in asked.values()
        for question in questions
        if not set((pages := found_pages(index, question["search"]))[:3]) & set(question["pages"])
    }
    assert not missed


@pytest.fixture(scope="module")
def parsed(site):
    return {
        path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if "_static" not in path.parts
    }


def test_every_link_leads_somewhere(site, parsed):
    broken = []
    for path, page in parsed.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchors = parsed[target].anchors if target in parsed else {unquote(parts.fragment)}
            if not target.exists() or (parts.fragment and unquote(parts.fragment) not in anchors):
                broken.append((path.name, link))
    assert broken == []
    assert len(parsed) > 90


def test_pages_fetch_nothing_from_elsewhere(site, parsed):
    fetched = {(path, urlsplit(link)) for path, page in parsed.items() for link in page.fetched}
    assert [link.geturl() for _, link in fetched if link.scheme not in ("", "data") or link.netloc] == []
    assert all((path.parent / unquote(link.path)).exists() for path, link in fetched if not link.scheme)
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style.name


def test_formulas_are_set_by_a_script_of_the_site(site):
    page = (site / "methods" / "wilcoxon.html").read_text(encoding="utf-8")
    script = re.search(r'src="([^"]*mathjax[^"]*\.js)', page, re.IGNORECASE)[1]
    assert (site / "methods" / script.partition("?")[0]).resolve().exists()
    assert r"R^+ = \sum_{d_i &gt; 0} r_i" in page


def test_blocks_that_are_run_show_what_they_print(site):
    page = (site / "methods" / "wilcoxon.html").read_text(encoding="utf-8")
    assert "rank sums 93 for x and 12" in " ".join(page.split())
    assert "{run}" not in page


def test_a_block_that_fails_or_prints_something_else_is_told(pages):
    with pytest.raises(pages.PageError, match="ZeroDivisionError"):
        pages.expand("```{run} python\n1 / 0\n```\n")
    with pytest.raises(pages.PageError, match="does not hold '3'"):
        pages.expand("```{run} python\nexpect: 3\nprint(1 + 1)\n```\n")
    with pytest.raises(pages.PageError, match="ends with code"):
        pages.expand("```{run} console\n$ podium show no_such_file.csv\n```\n")
    with pytest.raises(pages.PageError, match="no line of the output starts with 'x'"):
        pages.expand("```{run} console\nshow: x | y\n$ echo a\n```\n")


def test_names_and_files_live_on_within_a_page(pages):
    made = pages.expand(
        "```{run} python\nfrom pathlib import Path\nn = 20\nPath('a.txt').write_text('b')\n```\n\n```{run} python\nexpect: 21\nprint(n + 1)\n```\n\n"
        "```{run} console\nexpect: b\n$ cat a.txt\n```\n"
    )
    assert "```text\n21\n```" in made
    assert "$ cat a.txt\nb" in made


def test_part_of_an_output(pages):
    assert pages.part_of("a\nb\nc\nd\n", "b | d") == "...\nb\nc\n..."
    assert pages.part_of("a\nb\n", "a |") == "a\nb"
    assert pages.part_of("a  \n", "") == "a"


def test_a_part_that_an_output_has_no_longer_is_told(pages):
    assert pages.part_of("a\n b\n  Name  Value\n", "a | Name") == "a\n b\n..."
    with pytest.raises(pages.PageError, match="starts with 'c'"):
        pages.part_of("a\nb\n", "a | c")
    with pytest.raises(pages.PageError, match="starts with 'a'"):
        pages.part_of("a\nb\n", "a | a")


def test_the_gallery_has_every_figure_once(site):
    blocks = re.findall(
        r"^```\{draw\}\n(.*?)^```$", (DOCS / "gallery.md").read_text(encoding="utf-8"), re.M | re.DOTALL
    )
    drawn = [re.search(r"^podium\.plot\.(\w+)\(.*\n\Z", code, re.M)[1] for code in blocks]
    assert sorted(drawn) == sorted(FIGURES)
    page = (site / "gallery.html").read_text(encoding="utf-8")
    assert [
        name
        for name in FIGURES
        if f'<svg xmlns="http://www.w3.org/2000/svg" class="podium-figure" id="figure-{name}"' not in page
    ] == []
    assert all(html.escape(kind.caption, quote=False) in page for kind in FIGURES.values())


def test_a_block_of_the_gallery_stands_alone_and_draws(pages):
    with pytest.raises(pages.PageError, match="NameError"):
        pages.expand(
            "```{draw}\nimport podium\nx = 1\npodium.plot.heatmap([[1, 2]])\n```\n\n```{draw}\npodium.plot.heatmap(x)\n```\n"
        )
    with pytest.raises(pages.PageError, match=r"must be made by a function of `podium\.plot`"):
        pages.expand("```{draw}\nimport podium\nprint(1)\n```\n")


WITHOUT_FIGURE = {"anytime", "calibration", "corrections", "pass_at_k"}  # no figure of Podium shows their results


def test_every_page_of_a_method_has_a_picture():
    pictured = {path.stem for path in METHODS if "```{picture}" in path.read_text(encoding="utf-8")}
    assert {path.stem for path in METHODS} - pictured == WITHOUT_FIGURE


def test_the_reference_has_types_pictures_and_links(site):
    tests = (site / "reference" / "api_stats.html").read_text(encoding="utf-8")
    wilcoxon = tests[tests.index('id="podium.stats.wilcoxon"') :]
    assert wilcoxon.index('href="../methods/wilcoxon.html"') < wilcoxon.index("<svg")
    drawn = (site / "reference" / "api_plot.html").read_text(encoding="utf-8")
    assert [name for name in FIGURES if f'id="figure-{name}"' not in drawn] == []
    assert [name for name in FIGURES if f'href="../gallery.html#{name.replace("_", "-")}"' not in drawn] == []
    signature = html.unescape(re.sub("<[^>]+>", "", drawn[drawn.index('id="podium.plot.forest"') :]))
    assert "alpha: float = 0.05" in " ".join(signature.split())[:400]


def test_the_lists_of_pages_are_complete(pages):
    """Whoever adds a page puts it into its list."""
    for folder in ("howto", "methods", "internals", "reference", "papers"):
        listed = (DOCS / folder / "index.md").read_text(encoding="utf-8")
        names = {path.stem for path in (DOCS / folder).glob("*.md")} - {"index"}
        assert [name for name in names if f"\n{name}\n" not in listed and name != "chance_erratum"] == []


@pytest.mark.parametrize("path", METHODS, ids=lambda path: path.stem)
def test_a_page_of_a_method_has_its_parts(path):
    """When and assumptions come from the guide; the rest is written, and its example is run."""
    text = path.read_text(encoding="utf-8")
    for name in re.search(r"^```\{method\} (.*)$", text, re.MULTILINE)[1].split():
        assert explain(name).use
        assert explain(name).assumes
    assert "```{run} python" in text
    assert re.search(r"^## What (it does|they do) not tell you$", text, re.MULTILINE)
    assert "```{literature}" in text
    if path.stem not in ("compare", "multi2test"):  # in words, or by what they call
        assert "$" in text


def test_the_reference_lists_every_public_name(site):
    text = "".join(path.read_text(encoding="utf-8") for path in (site / "reference").glob("api_*.html"))
    rooms = [name for name in podium.__all__ if inspect.ismodule(getattr(podium, name))]
    public = [name for name in podium.__all__ if name not in rooms]
    public += [f"{room}.{name}" for room in rooms for name in getattr(podium, room).__all__ if name not in public]
    assert [name for name in public if f'id="podium.{name}"' not in text] == []


def test_the_reference_lists_every_command_and_option(pages):
    text = pages.commands()
    for name, command in commands().items():
        assert f"## podium {name}\n" in text
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or f"`{parameter.opts[0]}`" in text
        for inner in getattr(command, "commands", {}):
            assert f"### podium {name} {inner}\n" in text


def test_the_decision_chart_has_every_rule(pages):
    text = pages.decisions()
    for unit in ("dataset", "case", "run"):
        asked = {rule.question for rule in rules_of(unit)}
        assert all(question in text for name, question in QUESTIONS[unit].items() if name in asked)
        assert all(part in text for rule in rules_of(unit) for part in re.split(r"\{\w+\}", rule.because))
    assert all(rule.when in text for rule in rules_of("dataset"))


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_a_page_that_shows_its_use(name):
    page = (DOCS / "commands" / f"{name}.md").read_text(encoding="utf-8")
    assert f"podium {name}" in page


@pytest.mark.parametrize("name", ROOMS)
def test_every_room_has_a_page(name):
    assert (DOCS / "internals" / f"{name}.md").exists()


def test_the_readme_example_runs_and_prints_what_it_says(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code, output = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", readme, re.DOTALL).groups()
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert ran.stdout.split() == output.split()


def test_the_picture_of_the_readme_is_there_and_light():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for picture in re.findall(r"!\[[^]]+\]\((.*?)\)", readme):
        assert (ROOT / picture).stat().st_size < 400_000


def test_what_the_theme_leaves_out_is_there(site):
    for page in ("index.html", "gallery.html", "methods/wilcoxon.html"):
        text = (site / page).read_text(encoding="utf-8")
        assert 'role="heading">' not in text
        assert '<pre tabindex="0">' in text
    assert '<div class="table-wrapper' not in "".join(
        (site / page).read_text(encoding="utf-8") for page in ("papers/forman2005.html", "papers/ulas2008.html")
    )


LOOKED_AT = (
    *("index.html", "gallery.html", "methods/wilcoxon.html", "howto/gate.html", "papers/forman2005.html"),
    *("reference/api_ordering.html", "commands/index.html"),
)


@pytest.mark.chromium
def test_pages_are_no_wider_than_a_phone(site):
    with chromium() as browser:
        look(browser, width=390)
        for page in LOOKED_AT:
            browser.get((site / page).as_uri())
            assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth"), page


@pytest.mark.chromium
def test_axe_finds_no_serious_problem(site):
    need_axe()
    with chromium() as browser:
        for dark in (False, True):
            look(browser, dark=dark)
            for page in LOOKED_AT:
                browser.get((site / page).as_uri())
                assert serious_problems(browser) == []
