"""Post-hoc tests of scikit-posthocs for blocked data: square tables of p-values, and the diagram of mean ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from podium.compat.diagrams import diagram, drawn, grouped
from podium.compat.differences import say_once
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.stats.corrections import adjust
from podium.stats.exact.studentized_range import range_tail
from podium.stats.pairwise.wilcoxon import wilcoxon
from podium.stats.posthoc.conover import conover
from podium.stats.posthoc.nemenyi import nemenyi

if TYPE_CHECKING:
    import pandas as pd

_CORRECTIONS = {
    "simes-hochberg": "hochberg",
    "holm-sidak": "holm_sidak",
    "fdr_bh": "benjamini_hochberg",
    "fdr_by": "benjamini_yekutieli",
}


def posthoc_nemenyi_friedman(
    a: Any,
    y_col: Any = None,
    group_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    melted: bool = False,
    sort: bool = False,
) -> pd.DataFrame:
    """Nemenyi's test of all pairs: blocks are rows and groups are columns, or a melted table with its columns named.

    >>> x = [[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]]
    >>> posthoc_nemenyi_friedman(x).round(6).values.tolist()[0]
    [1.0, 0.145535, 0.832229]
    """
    names, values = _blocks(a, y_col, group_col, block_col or block_id_col, melted, sort)
    return _square(names, nemenyi(values).adjusted)


def posthoc_conover_friedman(
    a: Any,
    y_col: Any = None,
    block_col: Any = None,
    block_id_col: Any = None,
    group_col: Any = None,
    melted: bool = False,
    sort: bool = False,
    p_adjust: str | None = None,
) -> pd.DataFrame:
    """Conover's test of all pairs after Friedman's; `p_adjust` corrects, and 'single-step' is the studentized range."""
    names, values = _blocks(a, y_col, group_col, block_col or block_id_col, melted, sort)
    found = conover(values, correction="none")
    if p_adjust == "single-step":
        say_once("scikit_posthocs", "single-step p-values have (n - 1)(k - 1) degrees of freedom, not infinitely many.")
        df = (len(values) - 1) * (len(names) - 1)
        return _square(names, range_tail(np.sqrt(2) * np.abs(found.statistic), len(names), df))
    return _square(names, _adjusted(found.pvalue, p_adjust))


def posthoc_wilcoxon(
    a: Any,
    val_col: Any = None,
    group_col: Any = None,
    method: str = "auto",
    zero_method: str = "wilcox",
    correction: bool = False,
    p_adjust: str | None = None,
    sort: bool = False,
) -> pd.DataFrame:
    """Wilcoxon's signed-rank test of all pairs of groups, exact also with ties and zeros.

    An array has one group in each ROW, as in scikit-posthocs; a DataFrame names the columns of values and groups, and the
    values of a group are paired by their order. `method` and `correction` change nothing: the law is exact wherever it can be.
    """
    names, groups = _groups(a, val_col, group_col, sort)
    if len({len(group) for group in groups}) > 1:
        raise DataError("Groups of unequal size cannot be paired: give every group the same blocks, in the same order.")
    if isinstance(a, np.ndarray) and a.shape[0] > a.shape[1] > 1:
        say_once(
            "scikit_posthocs",
            "posthoc_wilcoxon takes each ROW of an array for a group; pass a.T if your groups are columns.",
        )
    zeros = {"wilcox": "drop", "pratt": "pratt", "zsplit": "split"}
    if zero_method not in zeros:
        raise ArgumentError(f"`zero_method` must be 'wilcox', 'pratt' or 'zsplit'; got {zero_method!r}.")
    first, second = np.triu_indices(len(groups), 1)
    pvalues = np.ones(len(first))
    for row, (i, j) in enumerate(zip(first, second, strict=True)):
        difference = groups[i] - groups[j]
        if np.any(difference == 0) or len(np.unique(np.abs(difference))) < len(difference):
            say_once(
                "scikit_posthocs",
                "differences with ties or zeros have their exact p-value here, not a normal approximation.",
            )
        if np.any(difference != 0):  # two equal groups: p = 1, where the original gives nan
            pvalues[row] = wilcoxon(groups[i], groups[j], zeros=zeros[zero_method]).pvalue
    return _square(names, _adjusted(pvalues, p_adjust))


def critical_difference_diagram(
    ranks: Any,
    sig_matrix: pd.DataFrame,
    *,
    cd: float | None = None,
    alpha: float = 0.05,
    ax: Any = None,
    label_props: dict[str, Any] | None = None,
    elbow_props: dict[str, Any] | None = None,
    crossbar_props: dict[str, Any] | None = None,
    **others: Any,
) -> dict[str, list[Any]]:
    """Draw mean ranks with bars over what `sig_matrix` (p-values) does not tell apart; returns the artists by kind.

    Labels are matched by name. The layout is Podium's: of the other options of the original none has an effect.
    """
    import matplotlib.pyplot as plt
    import pandas as pd
    from matplotlib.text import Text

    places = pd.Series(ranks, dtype=float)
    table = pd.DataFrame(sig_matrix)
    if set(table.index) != set(places.index) or set(table.columns) != set(places.index):
        raise DataError("`ranks` and `sig_matrix` must have the same names.")
    order = list(places.sort_values(kind="stable").index)
    apart = table.loc[order, order].to_numpy(dtype=float) < alpha
    np.fill_diagonal(apart, False)
    axes = plt.gca() if ax is None else ax
    before = set(axes.get_children())
    drawn(diagram(grouped(apart | apart.T, places[order].to_numpy(), order), cd), axes)
    new = [artist for artist in axes.get_children() if artist not in before]
    lines = [artist for artist in new if hasattr(artist, "get_linewidths")]
    bars = [artist for artist in lines if max(artist.get_linewidths(), default=0) > 2]
    found: dict[str, list[Any]] = {
        "markers": [],
        "elbows": [artist for artist in lines if artist not in bars],
        "labels": [artist for artist in new if isinstance(artist, Text)],
        "crossbars": bars,
    }
    for kind, props in (("labels", label_props), ("elbows", elbow_props), ("crossbars", crossbar_props)):
        for artist in found[kind]:
            artist.set(**(props or {}))
    return found


def _blocks(a: Any, y: Any, group: Any, block: Any, melted: bool, sort: bool) -> tuple[list[Any], Floats]:
    """The names of groups and the table of blocks (rows) and groups (columns); blocks with a hole are refused."""
    import pandas as pd

    frame = a if isinstance(a, pd.DataFrame) else pd.DataFrame(a)
    if melted:
        if y is None or group is None or block is None:
            raise ArgumentError("A melted table needs y_col, group_col and block_col.")
        frame = frame.pivot(index=block, columns=group, values=y)[list(dict.fromkeys(frame[group]))]
    if sort:
        frame = frame.sort_index(axis=1).sort_index()
    values = frame.to_numpy(dtype=float)
    holes = np.argwhere(np.isnan(values))
    if len(holes):
        row, column = holes[0]
        raise DataError(
            f"Block {frame.index[row]!r} has no value of {frame.columns[column]!r}: fill it in, or drop the block."
        )
    return list(frame.columns), values


def _groups(a: Any, val_col: Any, group_col: Any, sort: bool) -> tuple[list[Any], list[Floats]]:
    import pandas as pd

    if isinstance(a, pd.DataFrame):
        if val_col is None or group_col is None:
            raise ArgumentError("A DataFrame needs val_col and group_col.")
        frame = a.sort_values(group_col, kind="stable") if sort else a
        names = list(dict.fromkeys(frame[group_col]))
        groups = [frame.loc[frame[group_col] == name, val_col].to_numpy(dtype=float) for name in names]
    else:
        groups = [np.asarray(group, dtype=float) for group in a]
        names = list(range(1, len(groups) + 1))
    if any(np.isnan(group).any() for group in groups):
        raise DataError("missing paired observations are not supported: fill them in, or drop the pair.")
    return names, groups


def _adjusted(pvalues: Floats, p_adjust: str | None) -> Floats:
    return pvalues if p_adjust is None else adjust(pvalues, _CORRECTIONS.get(p_adjust, p_adjust))


def _square(names: list[Any], pvalues: Floats) -> pd.DataFrame:
    import pandas as pd

    square = np.eye(len(names))
    square[np.triu_indices(len(names), 1)] = pvalues
    return pd.DataFrame(np.maximum(square, square.T), index=names, columns=names)
