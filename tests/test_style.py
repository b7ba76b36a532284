"""The sentences of the package and of its documentation: no form that `tests/style.py` refuses."""

import ast
import re
from pathlib import Path

import pytest

from style import private, refused
from trees import tree_of

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FOR_DEVELOPERS = ("decisions",)  # pages on why Podium is built as it is
MODULES = sorted((ROOT / "src").rglob("*.py"))
TEXTS = sorted([*(ROOT / "src").rglob("*.toml"), *(ROOT / "src").rglob("*.html")])


def sentences(module, docstrings=True):
    """Every string of a module that has words, its docstrings too unless only the others are asked for."""
    tree = tree_of(module.read_text(encoding="utf-8"))
    strings = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and " " in n.value)
    documented = [n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef)]
    left_out = set() if docstrings else {id(n.body[0].value) for n in documented if isinstance(n.body[0], ast.Expr)}
    return [n.value for n in strings if id(n) not in left_out]


IMPORTED = re.compile(r" as (\w+)$", re.MULTILINE)


def test_pages_are_there():
    assert len(PAGES) > 90
    assert len(MODULES) > 200


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in ("CONTRIBUTING.md", "CHANGELOG.md")], ids=lambda p: p.name
)
def test_pages_have_no_form_that_jars(page):
    assert refused(page.read_text(encoding="utf-8")) == []


def test_the_package_has_no_form_that_jars():
    found = {str(path): refused(path.read_text(encoding="utf-8")) for path in TEXTS}
    found |= {str(path): refused("\n".join(sentences(path))) for path in MODULES}
    assert {name: forms for name, forms in found.items() if forms} == {}


def test_what_users_read_has_the_words_of_the_field():
    """No private word where the field has one; pages and docstrings about the code may keep them."""
    found = {str(path): private(path.read_text(encoding="utf-8")) for path in TEXTS}
    found |= {str(path): private("\n".join(sentences(path, docstrings=False))) for path in MODULES}
    ours = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")
    read = [page for page in PAGES if page.name not in ours and page.parent.name not in FOR_DEVELOPERS]
    found |= {str(page): private(page.read_text(encoding="utf-8")) for page in read}
    assert {name: words for name, words in found.items() if words} == {}


def test_help_of_public_functions_has_the_words_of_the_field():
    """What `help()` and the reference show: public names, and what public classes offer."""
    public = {
        name
        for stub in sorted((ROOT / "src").rglob("__init__.pyi"))
        for name in IMPORTED.findall(stub.read_text("utf-8"))
    }
    found = {}
    for path in MODULES:
        tree = tree_of(path.read_text(encoding="utf-8"))
        named = [n for n in tree.body if isinstance(n, ast.ClassDef | ast.FunctionDef) and n.name in public]
        offered = [m for n in named for m in n.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]
        found[path.name] = [word for n in (*named, *offered) for word in private(ast.get_docstring(n) or "")]
    found.pop("scores.py")  # of plot: a scatter plot is called scatter
    assert {name: words for name, words in found.items() if words} == {}


def test_known_bad_sentences_are_refused():
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = contributing.partition("| before | after |\n| --- | --- |\n")[2].partition("\n\n")[0]
    pairs = [[cell.strip() for cell in line.split("|")[1:3]] for line in table.splitlines()]

    assert pairs
    assert [after for _, after in pairs if refused(after) or private(after)] == []
    assert [before for before, _ in pairs if not refused(before) and not private(before)] == []
