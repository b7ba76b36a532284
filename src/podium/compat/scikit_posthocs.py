"""Post-hoc tests of scikit-posthocs for blocked data: square tables of p-values, and the diagram of mean ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.compat.differences import say_once
from podium.core import numbers
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.plot.rows import lanes
from podium.stats.corrections import adjust
from podium.stats.exact.studentized_range import range_tail
from podium.stats.posthoc.all_pairs import all_pairs
from podium.stats.posthoc.cliques import complete_groups
from podium.stats.posthoc.rank_tests import conover, nemenyi

_CORRECTIONS = {
    **{name: name for name in ("bonferroni", "sidak", "holm", "hommel")},
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
    pairs = conover(values, correction="none")
    if p_adjust == "single-step":
        say_once("scikit_posthocs", "single-step p-values have (n - 1)(k - 1) degrees of freedom, not infinitely many.")
        df = (len(values) - 1) * (len(names) - 1)
        return _square(names, range_tail(np.sqrt(2) * np.abs(pairs.statistic), len(names), df))
    return _square(names, _adjusted(pairs.pvalue, p_adjust))


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
    if method in ("approx", "asymptotic") or correction:
        say_once("scikit_posthocs", "p-values of Wilcoxon's test are exact, also where `method` asks for less.")
    zeros = {"wilcox": "drop", "pratt": "pratt", "zsplit": "split"}
    if zero_method not in zeros:
        raise ArgumentError(f"`zero_method` must be 'wilcox', 'pratt' or 'zsplit'; got {zero_method!r}.")
    first, second = np.triu_indices(len(groups), 1)
    values = np.array(groups)
    gaps = np.sort(np.abs(values[first] - values[second]), axis=1)
    if (gaps == 0).any() or (np.diff(gaps, axis=1) == 0).any():
        say_once(
            "scikit_posthocs",
            "differences with ties or zeros have their exact p-value here, not a normal approximation.",
        )
    pairs = all_pairs(values.T, test="wilcoxon", correction="none", zeros=zeros[zero_method])
    return _square(names, _adjusted(pairs.pvalue, p_adjust))


def critical_difference_diagram(
    ranks: Any,
    sig_matrix: pd.DataFrame,
    *,
    cd: float | None = None,
    alpha: float = 0.05,
    ax: Any = None,
    label_fmt_left: str = "{label} ({rank:.2g})",
    label_fmt_right: str = "({rank:.2g}) {label}",
    label_props: dict[str, Any] | None = None,
    marker_props: dict[str, Any] | None = None,
    elbow_props: dict[str, Any] | None = None,
    crossbar_props: dict[str, Any] | None = None,
    color_palette: dict[str, str] | list[Any] | None = None,
    text_h_margin: float = 0.01,
    left_only: bool = False,
    hue: Any = None,
    hue_order: list[Any] | None = None,
) -> dict[str, list[Any]]:
    """Draw ranks with bars over what `sig_matrix` (p-values) does not tell apart; returns the artists by kind.

    The x axis is that of the ranks, whatever their scale. Names are matched, not places. A bar has dots at those that it
    joins where it also passes others.
    """
    import matplotlib.pyplot as plt

    places = pd.Series(ranks, dtype=float).sort_values(kind="stable")
    order = list(places.index)
    table = pd.DataFrame(sig_matrix)
    if set(table.index) != set(order) or set(table.columns) != set(order):
        raise DataError("`ranks` and `sig_matrix` must have the same names.")
    apart = table.loc[order, order].to_numpy(dtype=float) < alpha
    np.fill_diagonal(apart, False)
    at = places.to_numpy()
    codes = tuple(str(i) for i in range(len(order)))
    joined = complete_groups(apart | apart.T, mean_ranks=np.arange(float(len(at))), algorithms=codes)
    groups = [[int(code) for code in group] for group in joined.groups]
    colours = _colours(order, color_palette, hue, hue_order)
    axes = plt.gca() if ax is None else ax
    _rank_axis(axes)
    bars = {"color": "k", "zorder": 3, "linewidth": 2, **(crossbar_props or {})}
    crossbars, depth = _crossbars(axes, groups, at, bars)
    half = len(order) if left_only else (len(order) + 1) // 2
    sides = [(range(half), at[0] - text_h_margin, label_fmt_left, "right")]
    sides += [(range(len(order) - 1, half - 1, -1), at[-1] + text_h_margin, label_fmt_right, "left")]
    artists: dict[str, list[Any]] = {"markers": [], "elbows": [], "labels": [], "crossbars": crossbars}
    for members, edge, form, align in sides:
        for row, i in enumerate(members):
            down = -depth - 1 - row
            pen = {} if colours[i] is None else {"color": colours[i]}
            (elbow,) = axes.plot([edge, at[i], at[i]], [down, down, 0], **{**pen, **(elbow_props or {})})
            shade = {"color": elbow.get_color()}
            dot = axes.scatter(at[i], 0, **{**shade, "zorder": 3, **(marker_props or {})})
            said = form.format(label=order[i], rank=at[i])
            text = axes.text(edge, down, said, **{**shade, "ha": align, "va": "center", **(label_props or {})})
            for kind, artist in (("elbows", elbow), ("markers", dot), ("labels", text)):
                artists[kind].append(artist)
    if cd is not None:
        axes.plot([at[0], at[0] + cd], [0.5, 0.5], **bars)
        axes.text(at[0] + cd / 2, 0.65, f"CD = {numbers.number(cd, 2)}", **{"ha": "center", **(label_props or {})})
    return artists


def _rank_axis(axes: Any) -> None:
    """Leave of the axes the scale of ranks, at the top."""
    axes.yaxis.set_visible(False)
    for side in ("right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.xaxis.set_ticks_position("top")
    axes.spines["top"].set_position("zero")


def _crossbars(axes: Any, groups: list[list[int]], at: Floats, bars: dict[str, Any]) -> tuple[list[Any], int]:
    """The bars, each a list of lines, and how many levels they take."""
    apart = 0.01 * float(at[-1] - at[0])  # bars that meet would look like one
    levels = lanes([(float(at[group[0]]), float(at[group[-1]])) for group in groups], apart)
    drawn = []
    for group, level in zip(groups, levels, strict=True):
        passes = group[-1] - group[0] + 1 > len(group)
        dots = {"marker": "o", "markersize": 4} if passes else {}
        drawn.append(axes.plot(at[group], [-level - 1] * len(group), **{**dots, **bars}))
    return drawn, max(levels, default=-1) + 1


def _colours(order: list[Any], palette: Any, hue: Any, hue_order: list[Any] | None) -> list[Any]:
    """The colour of each, None where matplotlib chooses."""
    import matplotlib.pyplot as plt

    if hue is None:
        if palette and isinstance(palette, dict) and set(order) <= set(palette):
            return [palette[name] for name in order]
        if palette and isinstance(palette, list) and len(palette) >= len(order):
            return palette[: len(order)]
        if palette:
            raise ValueError("color_palette keys are not consistent, or list size too small")
        return [None] * len(order)
    kinds = dict(hue)
    if set(kinds) != set(order):
        raise ValueError("hue index/keys must match ranks index/keys")
    levels = list(dict.fromkeys(kinds.values())) if hue_order is None else list(hue_order)
    colours = palette or plt.rcParams["axes.prop_cycle"].by_key()["color"]
    if not isinstance(colours, dict):
        colours = {level: colours[i % len(colours)] for i, level in enumerate(levels)}
    if not set(kinds.values()) <= set(levels) & set(colours):
        raise ValueError("hue_order and color_palette must contain all groups present in hue")
    return [colours[kinds[name]] for name in order]


def _blocks(a: Any, y: Any, group: Any, block: Any, melted: bool, sort: bool) -> tuple[list[Any], Floats]:
    """The names of groups and the table of blocks (rows) and groups (columns); blocks with a hole are refused."""
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
    if p_adjust is not None and p_adjust not in _CORRECTIONS:
        raise ArgumentError(f"`p_adjust` must be one of {', '.join(_CORRECTIONS)}; got {p_adjust!r}.")
    return pvalues if p_adjust is None else adjust(pvalues, _CORRECTIONS[p_adjust])


def _square(names: list[Any], pvalues: Floats) -> pd.DataFrame:
    square = np.eye(len(names))
    square[np.triu_indices(len(names), 1)] = pvalues
    return pd.DataFrame(np.maximum(square, square.T), index=names, columns=names)
