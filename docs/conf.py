"""Sphinx settings. `make docs` builds offline; warnings are errors."""

import re
import sys
from dataclasses import fields, is_dataclass
from logging import WARNING, getLogger
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import podium
from podium.core.result import Result

sys.path.insert(0, str(Path(__file__).parent))
from drawing import style
from expand import BLOCK, PageError, expand

getLogger("fontTools").setLevel(WARNING)  # Sphinx shows what it says of every glyph of a PDF

project = "Podium"
author = "The Podium developers"
copyright = "2026, the Podium developers"
version = release = podium.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx-mathjax-offline",
]
myst_enable_extensions = ["attrs_inline", "dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = dict.fromkeys(("Floats", "Indices", "Bools", "npt.ArrayLike"), "array")
maximum_signature_line_length = 110
python_use_unqualified_type_names = True
autodoc_member_order = "bysource"
add_module_names = False
default_role = "code"
toc_object_entries = False
exclude_patterns = ["_build", "data"]
html_theme = "furo"
html_title = "Podium"
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["podium.css", "figures.css"]
html_search_scorer = str(Path(__file__).parent / "_static" / "scorer.js")
html_copy_source = False
smartquotes = False  # --rope is an option, not a dash
nitpicky = False
# What the theme writes -> the same, so that it can be used without a mouse and be read aloud.
ACCESSIBLE = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<div class="highlight"><pre>': '<div class="highlight"><pre tabindex="0">',
    # so can a table that is wider than the page
    '<div class="table-wrapper ': '<div tabindex="0" class="table-wrapper ',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
}
# Sphinx lists the arguments of a long signature as definitions of nothing.
ARGUMENTS = re.compile(r'<dl>\n((?:<dd><em class="sig-param">.*?</dd>\n)+)</dl>', re.DOTALL)


def fill_in(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the blocks of a page by what the package gives; what fails is a warning, hence an error."""
    try:
        source[0] = expand(source[0], page.rpartition("/")[2])
    except PageError as error:
        logging.getLogger(__name__).warning("%s", error, location=page)


def always_anew(app: Sphinx, env: BuildEnvironment, *changed: set[str]) -> list[str]:
    """Pages that take something from the package are read again at each build, whether or not they changed."""
    return [page for page in env.found_docs if BLOCK.search(Path(env.doc2path(page)).read_text(encoding="utf-8"))]


def guard_bars(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """A bar in a docstring is a bar (an absolute value), not a substitution of reStructuredText."""
    lines[:] = [line if line.lstrip().startswith(">>>") else line.replace("|", r"\|") for line in lines]


def is_result(what: str, thing: object) -> bool:
    """Whether it is a result, which functions make and nobody else does."""
    return what == "class" and isinstance(thing, type) and issubclass(thing, Result) and is_dataclass(thing)


def hide_making(app: Sphinx, what: str, name: str, thing: object, *rest: object) -> tuple[str, None] | None:
    """A result is not made by hand: its fields matter, not how it is called."""
    return ("", None) if is_result(what, thing) else None


def list_fields(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """The fields of a result with their types, below what it is."""
    if is_result(what, thing):
        lines += ["", "Fields:", "", *(f"- ``{field.name}``: ``{field.type}``" for field in fields(thing)), ""]


def as_lines(found: re.Match[str]) -> str:
    """The arguments of a signature, one on each line."""
    lines = found[1].replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")
    return f'<span class="sig-lines">{lines}</span>'


def make_accessible(app: Sphinx, error: Exception | None) -> None:
    """What the theme leaves out: the level of headings in the contents, the focus of code that is moved sideways."""
    if error is not None or app.builder.name != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for before, after in ACCESSIBLE.items():
            text = text.replace(before, after)
        text = ARGUMENTS.sub(as_lines, text)
        page.write_text(text, encoding="utf-8")


def list_titles_only(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    """The theme lists all pages beside every page, without their headings; Sphinx would copy each heading each time."""
    everything = context.get("toctree")
    if everything is None:
        return

    def titles(**wishes: Any) -> str:
        tocs = app.env.tocs
        app.env.tocs = titles_of_pages(app)
        try:
            return str(everything(**wishes))
        finally:
            app.env.tocs = tocs

    context["toctree"] = titles


def titles_of_pages(app: Sphinx) -> dict[str, nodes.bullet_list]:
    """For each page its title and the pages below it: what Sphinx itself leaves where only titles are asked for."""
    if app not in _TITLES:
        _TITLES[app] = {page: toc.deepcopy() for page, toc in app.env.tocs.items()}
        for toc in _TITLES[app].values():
            for entry in toc.children:
                below = list(entry.findall(addnodes.toctree))
                del entry[1:]
                entry += [nodes.bullet_list("", *below)] if below else []
    return _TITLES[app]


_TITLES: dict[Sphinx, dict[str, nodes.bullet_list]] = {}


def write_style(app: Sphinx) -> None:
    """The colours of figures come from the package."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures.css").write_text(style(), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", write_style)
    app.connect("build-finished", make_accessible)
    app.connect("env-get-outdated", always_anew)
    app.connect("source-read", fill_in)
    app.connect("html-page-context", list_titles_only, priority=400)  # before the theme asks
    app.connect("autodoc-process-docstring", guard_bars)
    app.connect("autodoc-process-docstring", list_fields)
    app.connect("autodoc-process-signature", hide_making)
