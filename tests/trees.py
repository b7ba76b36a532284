"""Syntax trees, parsed once: several tests walk those of the whole package, and none changes them."""

import ast
from functools import cache


@cache
def tree_of(text):
    """The syntax tree of a module's text."""
    return ast.parse(text)
