"""Sphinx settings. `make docs` builds offline; warnings are errors."""

import podium

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
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Podium"
html_show_sourcelink = False
nitpicky = False
