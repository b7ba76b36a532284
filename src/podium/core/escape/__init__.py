"""Text of users, made harmless and readable where it is shown.

A name is data, whatever it looks like: it never becomes markup, a formula, a command or a direction of writing.
`names` makes hidden characters visible, `tex` writes LaTeX, `markup` writes HTML, XML and the cells of CSV files.
"""

from podium.core.escape.markup import csv_cell, xml
from podium.core.escape.names import isolated, spelled_out, visible, without_isolates
from podium.core.escape.tex import latex

__all__ = ["csv_cell", "isolated", "latex", "spelled_out", "visible", "without_isolates", "xml"]
