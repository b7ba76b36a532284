"""The sentences of the package and of its documentation: no form that `tests/style.py` refuses."""

import ast
from pathlib import Path

import pytest

from style import refused
from trees import tree_of

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MODULES = sorted((ROOT / "src").rglob("*.py"))
TEXTS = sorted([*(ROOT / "src").rglob("*.toml"), *(ROOT / "src").rglob("*.html")])


def sentences(module):
    """Every string of a module that has words, its docstrings too."""
    tree = tree_of(module.read_text(encoding="utf-8"))
    return [
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and " " in n.value
    ]


def test_pages_are_there():
    assert len(PAGES) > 90
    assert len(MODULES) > 200


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in ("CONTRIBUTING.md", "CHANGELOG.md")], ids=lambda p: p.name
)
def test_pages_have_no_form_that_jars(page):
    assert refused(page.read_text(encoding="utf-8")) == []


def test_the_package_has_no_form_that_jars():
    found = {path.name: refused(path.read_text(encoding="utf-8")) for path in TEXTS}
    found |= {path.name: refused("\n".join(sentences(path))) for path in MODULES}
    assert {name: forms for name, forms in found.items() if forms} == {}


def test_known_bad_sentences_are_refused():
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [
        line.split("|")[1:3] for line in contributing.splitlines() if line.startswith("| ") and line.count("|") == 3
    ]
    pairs = [(before.strip(), after.strip()) for before, after in rows if before.strip() not in ("before", "---")]

    assert len(pairs) >= 20
    assert [after for _, after in pairs if refused(after)] == []
    assert sum(bool(refused(before)) for before, _ in pairs) >= 15
