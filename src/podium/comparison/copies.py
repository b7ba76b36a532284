"""Datasets that may be copies or variants of each other: equal rows, names that differ by a suffix, rows that are too much alike.

The rules and their limits were chosen on 28 real tables: equal rows were said of one pair of datasets in 3.6 million.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.evidence.table import Table

DIGITS = 3  # two rows are equal if they are so to so many significant digits: tables are printed with as many
FEWEST_VALUES = 3  # in a row; rows of one or two values, such as perfect scores, are equal by chance
SHARE_OF_TWINS = 0.5  # of all datasets, where two algorithms alone are compared and rows have two values
MOST_OF_A_FAMILY = 1 / 3  # of all datasets: what more of them share is no origin, but a way of naming
DRAWS = 999  # random families; with the observed ones among them, p is at least 0.001
CLEARLY = 0.01  # the level at which variants are said to resemble each other
_VARIANT = re.compile(
    r"(?:[\s_.-]+[a-z]|[\s_.-]*(?:v|copy|dup|run|seed|fold|part|split)[\s_.-]?\d{1,3})$", re.IGNORECASE
)


def equal_datasets(table: Table) -> tuple[tuple[str, ...], ...]:
    """Groups of datasets on which every algorithm has the same score; none where two rows may agree by chance.

    >>> values = [[0.912, 0.871, 0.88], [0.9119, 0.8712, 0.8801], [0.7, 0.7, 0.7], [0.7, 0.7, 0.7]]
    >>> equal_datasets(Table(values=np.array(values), datasets=("a", "b", "c", "d"), algorithms=("x", "y", "z")))
    (('a', 'b'),)
    """
    rows: dict[bytes, list[str]] = {}
    least = min(FEWEST_VALUES, table.n_algorithms)
    for name, row in zip(table.datasets, _rounded(table.values), strict=True):
        if len(np.unique(row[~np.isnan(row)])) >= least:
            rows.setdefault(row.tobytes(), []).append(name)
    groups = tuple(tuple(names) for names in rows.values() if len(names) > 1)
    if table.n_algorithms < FEWEST_VALUES and sum(map(len, groups)) < SHARE_OF_TWINS * table.n_datasets:
        return ()
    return groups


def _rounded(values: Floats) -> Floats:
    """Numbers to a few significant digits; every missing one is the same."""
    with np.errstate(divide="ignore", invalid="ignore"):
        size = np.floor(np.log10(np.abs(values)))
    size = np.where(np.isfinite(size), size, 0.0)
    whole = np.round(values / 10.0 ** (size - DIGITS + 1))  # 0.9119 is 912 thousandths
    return np.where(np.isnan(values), np.nan, whole * 10.0 ** (size - DIGITS + 1)) + 0.0


def named_alike(names: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Origin -> the names that are this name with the suffix of a variant, such as a letter, "v2" or "copy 3".

    >>> dict(named_alike(("d0_a", "d0_b", "d1_a", "d1_b")))
    {'d0': ('d0_a', 'd0_b'), 'd1': ('d1_a', 'd1_b')}
    >>> dict(named_alike(("D01", "D02", "D03")))
    {}
    """
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(_VARIANT.sub("", name) or name, []).append(name)
    most = max(2, MOST_OF_A_FAMILY * len(names))
    return {stem: tuple(family) for stem, family in families.items() if 2 <= len(family) <= most}


def resemblance(table: Table, families: Mapping[str, tuple[str, ...]]) -> float:
    """The p-value of datasets of one family being no nearer to each other than to others; 1 where that cannot be said.

    What is compared is how algorithms do on a dataset beyond what the dataset and the algorithm are like everywhere. Random
    families of the same sizes are the law.
    """
    kept = table.complete()
    place = {name: i for i, name in enumerate(kept.datasets)}
    groups = [[place[name] for name in family if name in place] for family in families.values()]
    pairs = np.array([(i, j) for group in groups for at, i in enumerate(group) for j in group[at + 1 :]], dtype=np.intp)
    if not len(pairs) or kept.n_datasets < 4:
        return 1.0
    shapes, rng = _shapes(kept.values), np.random.default_rng(0)
    observed = _apart(shapes, pairs)
    random = [_apart(shapes, rng.permutation(kept.n_datasets)[pairs]) for _ in range(DRAWS)]
    return (1 + int((np.array(random) <= observed * (1 + 1e-12)).sum())) / (1 + DRAWS)


def _shapes(values: Floats) -> Floats:
    """Each row without its mean and those of the columns, in units of the columns' spread, to length 1."""
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    spread = rest.std(axis=0)
    rest = rest / np.where(spread > 0, spread, 1.0)
    length = np.sqrt((rest**2).sum(axis=1, keepdims=True))
    return np.asarray(rest / np.where(length > 0, length, 1.0))


def _apart(shapes: Floats, pairs: Indices) -> float:
    """The mean squared distance of these pairs of rows."""
    return float(((shapes[pairs[:, 0]] - shapes[pairs[:, 1]]) ** 2).sum(axis=1).mean())
