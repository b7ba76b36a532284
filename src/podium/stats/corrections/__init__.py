"""Corrections for many p-values, one function each, and `adjust`, which takes the name of one.

Adjusted p-values keep the order of the input, never fall below the raw ones and never exceed 1, so that
a hypothesis is rejected at a level exactly if its adjusted p-value is at most that level.
"""

from __future__ import annotations

from typing import Any

from podium.core import check
from podium.core.errors import ArgumentError, DataError
from podium.stats.corrections.logical import bergmann_hommel, shaffer
from podium.stats.corrections.steps import (
    Floats,
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    checked,
    finner,
    hochberg,
    holland,
    holm,
    holm_sidak,
    hommel,
    li,
    rom,
    sidak,
)

__all__ = [
    "CORRECTIONS",
    "SOURCES",
    "adjust",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bergmann_hommel",
    "bonferroni",
    "finner",
    "hochberg",
    "holland",
    "holm",
    "holm_sidak",
    "hommel",
    "li",
    "rom",
    "shaffer",
    "sidak",
    "with_control",
]

# The names `adjust` knows; "none" only checks the p-values.
CORRECTIONS = {
    "none": checked,
    "bonferroni": bonferroni,
    "sidak": sidak,
    "holm": holm,
    "holm_sidak": holm_sidak,
    "hochberg": hochberg,
    "hommel": hommel,
    "holland": holland,
    "rom": rom,
    "finner": finner,
    "li": li,
    "benjamini_hochberg": benjamini_hochberg,
    "benjamini_yekutieli": benjamini_yekutieli,
}

# These know that of three algorithms no two pairs alone can be equal; they need all pairs.
LOGICAL = {"shaffer": shaffer, "bergmann_hommel": bergmann_hommel}

# Keys of the bibliography, so that results which use a correction can cite it.
SOURCES: dict[str, tuple[str, ...]] = {
    "none": (),
    "bonferroni": ("dunn1961",),
    "sidak": ("sidak1967",),
    "holm": ("holm1979",),
    "holm_sidak": ("holm1979", "sidak1967"),
    "hochberg": ("hochberg1988",),
    "hommel": ("hommel1988", "meijer2019"),
    "holland": ("holland1987",),
    "rom": ("rom1990",),
    "finner": ("finner1993",),
    "li": ("li2008",),
    "benjamini_hochberg": ("benjamini1995",),
    "benjamini_yekutieli": ("benjamini2001",),
    "shaffer": ("shaffer1986", "garcia2008"),
    "bergmann_hommel": ("bergmann1988", "garcia2008"),
}


def adjust(pvalues: Any, method: str = "holm", *, n_algorithms: int | None = None) -> Floats:
    """Adjusted p-values by the named correction, in the order of the input.

    'shaffer' and 'bergmann_hommel' are for all pairs of k algorithms, in the order (0, 1), (0, 2), ...,
    (k-2, k-1). If `n_algorithms` says k, any correction checks that there are k (k - 1) / 2 p-values.

    >>> adjust([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], "bergmann_hommel")
    array([0.03, 0.04, 0.03])
    """
    name = check.member("correction", method, [*CORRECTIONS, *LOGICAL], limit=20)
    if name in LOGICAL:
        return LOGICAL[name](pvalues, n_algorithms=n_algorithms)
    adjusted = CORRECTIONS[name](pvalues)
    if n_algorithms is not None:
        k = check.count("n_algorithms", n_algorithms, at_least=2)
        if k * (k - 1) // 2 != adjusted.size:
            raise DataError(f"{k} algorithms have {k * (k - 1) // 2} pairs; got {adjusted.size} p-values.")
    return adjusted


def with_control(correction: Any) -> str:
    """The name of a correction that may be used for comparisons with a control.

    >>> with_control("shaffer")
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: The correction 'shaffer' is for all pairs, not for pairs with a control: use 'holm'.
    """
    if isinstance(correction, str) and correction in LOGICAL:
        raise ArgumentError(
            f"The correction {correction!r} is for all pairs, not for pairs with a control: use 'holm'."
        )
    return check.choice("correction", correction, CORRECTIONS)
