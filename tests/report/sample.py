"""Comparisons of made-up scores with fixed numbers, and their documents."""

from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd

from podium.comparison.compare import compare
from podium.evidence.table import as_table
from podium.report.document import FigureBlock
from podium.report.documents import document

PLAIN = ("forest", "boosting", "svm", "nearest", "bayes")
HOSTILE = (
    "<script>alert(1)</script>",
    "A & B_%#",
    '=HYPERLINK("http://example.org")',
    "שלום 🙂",
    "[red]$x$</style>|`*_\u202egnp\n",
)


def scores(n_datasets, n_algorithms):
    """Scores that fall from the first algorithm to the last, with a wobble that is the same everywhere."""
    i, j = np.ogrid[:n_datasets, :n_algorithms]
    wobble = 0.09 * np.sin(1.7 * i * (j + 1) + j) + 0.05 * np.cos(2.3 * i)
    return np.round(0.85 - 0.12 * j / max(n_algorithms - 1, 1) + wobble, 4)


def table(names=PLAIN, n_datasets=24):
    datasets = [f"data {i + 1}" for i in range(n_datasets)]
    return pd.DataFrame(scores(n_datasets, len(names)), columns=list(names), index=datasets)


@cache
def comparison(names=PLAIN, *, n_datasets=24, rope=None):
    """A comparison of these algorithms."""
    return compare(as_table(table(names, n_datasets)), rope=rope, direction="higher")


KEPT = ("gaps", "cd_diagram")


@cache
def report(names=PLAIN, *, n_datasets=24, rope=None):
    """Its document with two figures, gaps and diagram: how figures are drawn is tested where they are drawn."""
    made = document(comparison(names, n_datasets=n_datasets, rope=rope))
    sections = [
        replace(section, blocks=tuple(b for b in section.blocks if not isinstance(b, FigureBlock) or b.key in KEPT))
        for section in made.sections
    ]
    return replace(made, sections=tuple(sections))
