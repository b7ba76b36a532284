"""`autorank`, `create_report` and `plot_stats` of autorank: the same calls and tables, with tests that keep their level."""

from __future__ import annotations

import itertools
from collections import namedtuple
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.compat.baycomp import SignedRankTest
from podium.compat.diagrams import diagram, drawn, grouped
from podium.compat.differences import say_once
from podium.core import numbers
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.escape import latex
from podium.core.table import Table
from podium.stats.omnibus.anova import anova
from podium.stats.omnibus.friedman import friedman
from podium.stats.pairwise.paired_t import paired_t
from podium.stats.pairwise.wilcoxon import wilcoxon
from podium.stats.posthoc.critical_difference import critical_difference
from podium.stats.posthoc.tukey import critical_t

if TYPE_CHECKING:
    import pandas as pd

_FIELDS = namedtuple(
    "_FIELDS",
    """rankdf pvalue cd omnibus posthoc all_normal pvals_shapiro homoscedastic pval_homogeneity homogeneity_test alpha
    alpha_normality num_samples sample_matrix posterior_matrix decision_matrix rope rope_mode effect_size force_mode
    plot_order""",
)


class RankResult(_FIELDS):
    """What `autorank` found, with the fields of autorank's own; printed one field per line."""

    __slots__ = ()

    def __str__(self) -> str:
        told = {name: value for name, value in self._asdict().items() if name not in ("sample_matrix", "plot_order")}
        tables = ("rankdf", "posterior_matrix", "decision_matrix")
        return f"RankResult({chr(10).join(f'{k}={chr(10) * (k in tables)}{v}' for k, v in told.items())})"


_LEVELS = {"cohen_d": (0.2, 0.5, 0.8), "akinshin_gamma": (0.2, 0.5, 0.8), "cliff_delta": (0.147, 0.33, 0.474)}
_WORDS = ("negligible", "small", "medium", "large")
_MAD = 1.4826  # makes the median absolute deviation a standard deviation, for normal scores


def autorank(
    data: pd.DataFrame,
    alpha: float = 0.05,
    verbose: bool = False,
    order: str = "descending",
    approach: str = "frequentist",
    rope: float = 0.1,
    rope_mode: str = "effsize",
    nsamples: int = 50000,
    effect_size: str | None = None,
    force_mode: str | None = None,
    random_state: int | None = None,
    plot_order: list[str] | None = None,
) -> RankResult:
    """Compare the columns of `data` over its rows; the result has the fields of autorank's own.

    The table has the best first, and effect sizes against it. Two columns are compared by a two-sided test, more of them by
    Friedman's with Nemenyi's test, or by an analysis of variance and Tukey's test that know which scores belong to
    one row. Every choice of test is autorank's.
    """
    _check(data, alpha, order, approach, rope_mode)
    values = data.to_numpy(dtype=float)
    names = [str(name) for name in data.columns]
    sign = 1 if order == "descending" else -1
    normality = alpha / len(names)
    shapiro = _shapiro(values)
    normal = bool((shapiro >= normality).all())
    parametric = normal if force_mode is None else force_mode == "parametric"
    kind = effect_size or ("cohen_d" if normal else "akinshin_gamma")
    table = Table(values=sign * values, datasets=tuple(map(str, range(1, len(values) + 1))), algorithms=tuple(names))
    frame, places = _frame(data, values, table, alpha, parametric, kind, approach)
    known: dict[str, Any] = dict.fromkeys(RankResult._fields)
    known |= {
        "all_normal": normal,
        "pvals_shapiro": shapiro[places].tolist(),
        "alpha": alpha,
        "alpha_normality": normality,
    }
    known |= {"num_samples": len(values), "effect_size": kind, "force_mode": force_mode, "plot_order": plot_order}
    if approach == "bayesian":
        known |= {"omnibus": "bayes", "posthoc": "bayes", "rope": rope, "rope_mode": rope_mode}
        given = values[:, places]
        found = _bayesian(frame, given, alpha, rope, rope_mode, parametric, nsamples, random_state)
        return RankResult(**{**known, **found})
    equal, homogeneity, name = _homogeneity(values, normal, alpha)
    known |= {"homoscedastic": equal, "pval_homogeneity": homogeneity, "homogeneity_test": name}
    if len(names) == 2:
        found = _two(values, parametric)
    elif force_mode == "parametric" or (force_mode is None and normal and equal):
        found = _by_means(table, frame, alpha)
    else:
        found = _by_ranks(table, alpha)
    result = RankResult(**{**known, "rankdf": frame, **found})
    if verbose:
        create_report(result)
    return result


def _check(data: Any, alpha: float, order: str, approach: str, rope_mode: str) -> None:
    """Refuse what autorank refuses, and missing scores, which it counts silently."""
    import pandas as pd

    if not isinstance(data, pd.DataFrame):
        raise TypeError("data must be a pandas DataFrame")
    if len(data.columns) < 2:
        raise ValueError("requires at least two classifiers (i.e., columns)")
    if len(data) < 5:
        raise ValueError("requires at least five performance estimations (i.e., rows)")
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        raise ValueError("alpha must be in the open interval (0.0,1.0)")
    for name, given, allowed in (
        ("order", order, ("ascending", "descending")),
        ("approach", approach, ("frequentist", "bayesian")),
        ("rope_mode", rope_mode, ("effsize", "absolute")),
    ):
        if given not in allowed:
            raise ValueError(f"{name} must be either {allowed[0]!r} or {allowed[1]!r}")
    holes = np.argwhere(data.isna().to_numpy())
    if len(holes):
        row, column = holes[0]
        raise DataError(
            f"{data.columns[column]!r} has no score in row {data.index[row]!r}: drop the row, or use podium.compare, which allows "
            "missing scores."
        )


def _shapiro(values: Floats) -> Floats:
    from scipy.stats import shapiro

    return np.array([shapiro(column).pvalue for column in values.T])


def _homogeneity(values: Floats, normal: bool, alpha: float) -> tuple[bool, float, str]:
    from scipy.stats import bartlett, levene

    name, test = ("bartlett", bartlett) if normal else ("levene", levene)
    pvalue = float(test(*values.T).pvalue)
    return pvalue >= alpha, pvalue, name


def _frame(
    data: pd.DataFrame, values: Floats, table: Table, alpha: float, parametric: bool, kind: str, approach: str
) -> tuple[pd.DataFrame, Any]:
    """The table of autorank, the best first, and the columns of the data in that order: by ranks, or by the centre (Bayesian)."""
    import pandas as pd

    ranks = table.mean_ranks()
    centre = values.mean(axis=0) if parametric else np.median(values, axis=0)
    gain = table.values.mean(axis=0) if parametric else np.median(table.values, axis=0)
    places = np.lexsort((-gain, ranks) if approach == "frequentist" else (ranks, -gain))
    ends = np.array([_interval(values[:, j], alpha / values.shape[1], parametric) for j in places])
    deviation = np.median(np.abs(values - np.median(values, axis=0)), axis=0)
    spread = values.std(axis=0, ddof=1) if parametric else deviation
    best = [_effect(values[:, places[0]], values[:, j], kind) for j in places]
    above = [0.0, *(_effect(values[:, a], values[:, b], kind) for a, b in itertools.pairwise(places))]
    frame = pd.DataFrame(
        {
            "meanrank": ranks[places],
            "mean" if parametric else "median": centre[places],
            "std" if parametric else "mad": spread[places],
            "ci_lower": ends[:, 0],
            "ci_upper": ends[:, 1],
            "effect_size": best,
            "magnitude": [_magnitude(size, kind) for size in best],
            "effect_size_above": above,
            "magnitude_above": [_magnitude(size, kind) for size in above],
        },
        index=[data.columns[j] for j in places],
    )
    if approach == "frequentist":
        say_once(
            "autorank", "the table has the best first, and effect sizes are against it; autorank has the worst first."
        )
    return frame, places


def _interval(column: Floats, alpha: float, parametric: bool) -> tuple[float, float]:
    """The interval of a mean by Student's t, or of a median by order statistics."""
    from scipy.special import stdtrit
    from scipy.stats import binom

    n = len(column)
    if parametric:
        half = float(stdtrit(n - 1, 1 - alpha / 2)) * float(column.std(ddof=1)) / np.sqrt(n)
        return float(column.mean()) - half, float(column.mean()) + half
    # The k-th smallest to the k-th largest cover the median with probability 1 - 2 P(B < k), B binomial(n, 1/2).
    rank = int(binom.ppf(alpha / 2, n, 0.5))
    rank = max(rank if binom.cdf(rank - 1, n, 0.5) <= alpha / 2 else rank - 1, 1)
    ordered = np.sort(column)
    return float(ordered[rank - 1]), float(ordered[n - rank])


def _effect(first: Floats, second: Floats, kind: str) -> float:
    """How far the first is above the second, in standard deviations, or as the difference of chances."""
    if kind == "cliff_delta":
        return float(np.sign(first[:, None] - second).mean())
    spread, centre = _scale(first, second, kind == "cohen_d"), np.mean if kind == "cohen_d" else np.median
    gap = float(centre(first) - centre(second))
    return float(gap / spread) if spread > 0 else 0.0 if gap == 0 else float(np.sign(gap) * np.inf)


def _magnitude(size: float, kind: str) -> str:
    return _WORDS[int(np.searchsorted(_LEVELS[kind], abs(size), side="right"))]


def _two(values: Floats, parametric: bool) -> dict[str, Any]:
    if parametric:
        return {"pvalue": paired_t(values[:, 0], values[:, 1]).pvalue, "omnibus": "ttest"}
    say_once("autorank", "Wilcoxon's test is two-sided; autorank's follows the larger median and rejects 9.8% at 5%.")
    return {"pvalue": wilcoxon(values[:, 0], values[:, 1]).pvalue, "omnibus": "wilcoxon"}


def _by_means(table: Table, frame: pd.DataFrame, alpha: float) -> dict[str, Any]:
    """Analysis of variance; intervals of the means that overlap just where Tukey's test does not tell apart."""
    say_once(
        "autorank",
        "Tukey's test takes rows as blocks, and the analysis of variance is corrected for unequal variances of differences (Greenhouse "
        "and Geisser); autorank's test forgets which scores belong to one row, and its F is not corrected.",
    )
    k, n = table.n_algorithms, table.n_datasets
    df = (n - 1) * (k - 1)
    rest = table.values - table.values.mean(axis=0) - table.values.mean(axis=1, keepdims=True) + table.values.mean()
    half = critical_t(k, df, alpha) * np.sqrt(2 * (rest**2).sum() / df / n) / 2
    frame["ci_lower"], frame["ci_upper"] = frame["mean"] - half, frame["mean"] + half
    return {"pvalue": anova(table).pvalue, "omnibus": "anova", "posthoc": "tukeyhsd"}


def _by_ranks(table: Table, alpha: float) -> dict[str, Any]:
    say_once(
        "autorank", "Friedman's test is exact or in its F form, and knows ties; autorank's is the chi-square form."
    )
    distance = critical_difference(table.n_algorithms, table.n_datasets, alpha)
    return {"pvalue": friedman(table).pvalue, "cd": distance, "omnibus": "friedman", "posthoc": "nemenyi"}


def _bayesian(
    frame: pd.DataFrame,
    values: Floats,
    alpha: float,
    rope: float,
    mode: str,
    parametric: bool,
    draws: int,
    seed: int | None,
) -> dict[str, Any]:
    """The signed-rank test of every pair, the better one first: what autorank gets from baycomp."""
    import pandas as pd

    names, k = list(frame.index), values.shape[1]
    empty: Any = pd.DataFrame(np.nan, index=names, columns=names, dtype=object)
    posterior, decision, sample = empty.copy(), empty.copy(), empty.copy()
    rng = np.random.default_rng(seed)
    for i in range(k):
        for j in range(i + 1, k):
            width = rope if mode == "absolute" else rope * _scale(values[:, i], values[:, j], parametric)
            found = SignedRankTest(values[:, i], values[:, j], width, nsamples=draws, random_state=rng)
            chances = dict(zip(("smaller", "equal", "larger"), found.probs(), strict=True))
            sample.iloc[i, j], posterior.iloc[i, j] = found, tuple(chances.values())
            word = next((word for word, chance in chances.items() if chance >= 1 - alpha), "inconclusive")
            decision.iloc[i, j] = word
            decision.iloc[j, i] = {"smaller": "larger", "larger": "smaller"}.get(word, word)
    made = frame.drop(columns="meanrank")
    for end, row_of in (("", lambda j: 0), ("_above", lambda j: j - 1)):
        told = [posterior.iloc[row_of(j), j] for j in range(1, k)]
        made[f"p_equal{end}"] = [np.nan, *(one[1] for one in told)]
        made[f"p_smaller{end}"] = [np.nan, *(one[0] for one in told)]
        made[f"decision{end}"] = np.array(["NA", *(decision.iloc[row_of(j), j] for j in range(1, k))], dtype=object)
    return {"rankdf": made, "sample_matrix": sample, "posterior_matrix": posterior, "decision_matrix": decision}


def _scale(first: Floats, second: Floats, parametric: bool) -> float:
    """The standard deviation that an effect size is measured in."""
    if parametric:
        return float(np.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2))
    deviations = [_MAD * np.median(np.abs(one - np.median(one))) for one in (first, second)]
    return float(np.sqrt((deviations[0] ** 2 + deviations[1] ** 2) / 2))


def plot_stats(
    result: RankResult, *, allow_insignificant: bool = False, ax: Any = None, width: float | None = None
) -> Any:
    """The diagram of mean ranks, or the intervals of the means; returns the axes."""
    if not isinstance(result, RankResult):
        raise TypeError("result must be of type RankResult and should be the outcome of calling the autorank function.")
    if result.omnibus == "bayes":
        raise ValueError("ploting results of bayesian analysis not yet supported.")
    if result.pvalue >= result.alpha and not allow_insignificant:
        raise ValueError(
            "result is not significant and results of the plot may be misleading. If you want to create the plot regardless, use "
            "the allow_insignificant parameter to suppress this exception."
        )
    frame = result.rankdf
    if result.posthoc == "nemenyi":
        ranks = frame["meanrank"].to_numpy()
        apart = np.abs(ranks[:, None] - ranks) > result.cd
        return drawn(diagram(grouped(apart, ranks, list(frame.index)), result.cd, width), ax)
    return _intervals(
        frame if result.plot_order is None else frame.loc[result.plot_order], result.alpha, ax, width or 6
    )


def _intervals(frame: pd.DataFrame, alpha: float, ax: Any, width: float) -> Any:
    import matplotlib.pyplot as plt

    if ax is None:
        _, ax = plt.subplots(figsize=(width, max(len(frame), 2)))
    centre = "mean" if "mean" in frame else "median"
    shown = frame.iloc[::-1]
    sides = [shown[centre] - shown["ci_lower"], shown["ci_upper"] - shown[centre]]
    ax.errorbar(shown[centre], range(len(shown)), xerr=sides, marker="o", linestyle="None", color="k", ecolor="k")
    ax.set_yticks(range(len(shown)), [str(name) for name in shown.index])
    ax.set_title(f"{numbers.percent(1 - alpha)} intervals of the {centre}")
    return ax


def create_report(result: RankResult, *, decimal_places: int = 3) -> None:
    """Print what was done and found, in English."""
    for sentence in report_sentences(result, decimal_places):
        print(sentence)  # noqa: T201 (what autorank's function of this name does)


def latex_table(
    result: RankResult,
    *,
    decimal_places: int = 3,
    label: str | None = None,
    effect_size_relation: str = "best",
    posterior_relation: str = "best",
) -> None:
    """Print the table of the populations for LaTeX (with booktabs)."""
    relations = ("best", "above", "both")
    for name, given in (("effect_size_relation", effect_size_relation), ("posterior_relation", posterior_relation)):
        if given not in relations:
            raise ValueError(f"{name} must be one of 'best', 'above', or 'both'.")
    frame = result.rankdf
    told = {"meanrank": "MR", "mean": "M", "median": "MED", "std": "SD", "mad": "MAD"}
    if result.posthoc == "tukeyhsd":
        del told["meanrank"]
    shown = {head: frame[name] for name, head in told.items() if name in frame}
    ends = [[numbers.fixed(end, decimal_places) for end in row] for row in frame[["ci_lower", "ci_upper"]].to_numpy()]
    shown["CI"] = [f"[{low}, {high}]" for low, high in ends]
    symbol = {"cohen_d": "$d$", "cliff_delta": r"$\delta$", "akinshin_gamma": r"$\gamma$"}[result.effect_size]
    if _is_significant(result):  # as in autorank, whose table has no effect sizes otherwise
        shown |= _related(frame, {"effect_size": symbol, "magnitude": "Magnitude"}, effect_size_relation)
    if result.omnibus == "bayes":
        chances = {"p_equal": r"$P(\textit{equal})$", "p_smaller": r"$P(\textit{smaller})$", "decision": "Decision"}
        shown |= _related(frame, chances, posterior_relation)
    cells = [[_cell(value, decimal_places) for value in column] for column in shown.values()]
    lines = [
        " & ".join((latex(str(name)), *row)) for name, row in zip(frame.index, zip(*cells, strict=True), strict=True)
    ]
    body = [f" & {' & '.join(shown)} \\\\", r"\midrule", *(f"{line} \\\\" for line in lines)]
    start = [r"\begin{table}[h]", r"\centering", rf"\begin{{tabular}}{{l{'r' * len(shown)}}}", r"\toprule"]
    end = [r"\bottomrule", r"\end{tabular}", r"\caption{Summary of populations}"]
    end += [rf"\label{{{label or 'tbl:stat_results'}}}", r"\end{table}"]
    print("\n".join([*start, *body, *end]))  # noqa: T201 (what autorank's function of this name does)


def _is_significant(result: RankResult) -> bool:
    """Whether some difference is shown; of Bayesian results, to the best."""
    if result.omnibus == "bayes":
        return bool(result.rankdf["decision"].isin(["smaller", "larger"]).any())
    return bool(result.pvalue < result.alpha)


def _related(frame: pd.DataFrame, columns: dict[str, str], relation: str) -> dict[str, Any]:
    """Columns against the best, against the one above, or both."""
    ends = {"best": ("",), "above": ("_above",), "both": ("", "_above")}[relation]
    words = {"": " (best)", "_above": " (above)"} if len(ends) > 1 else {}
    return {f"{head}{words.get(end, '')}": frame[f"{name}{end}"] for end in ends for name, head in columns.items()}


def _cell(value: Any, digits: int) -> str:
    missing = value == "NA" or (isinstance(value, float) and np.isnan(value))
    return "-" if missing else numbers.fixed(value, digits) if isinstance(value, float) else str(value)


def report_sentences(result: RankResult, digits: int = 3) -> list[str]:
    """The sentences of the report."""
    if not isinstance(result, RankResult):
        raise TypeError("result must be of type RankResult and should be the outcome of calling the autorank function.")
    frame = result.rankdf
    centre, spread = ("mean", "std") if "mean" in frame else ("median", "mad")
    short = {"mean": ("M", "SD"), "median": ("MD", "MAD")}[centre]
    told = [
        f"{name} ({short[0]}={numbers.fixed(row[centre], digits)}, interval {numbers.fixed(row['ci_lower'], digits)} to "
        f"{numbers.fixed(row['ci_upper'], digits)}, {short[1]}={numbers.fixed(row[spread], digits)})"
        for name, row in frame.iterrows()
    ]
    start = [
        f"The statistical analysis was conducted for {len(frame)} populations with {result.num_samples} paired samples.",
        f"The family-wise significance level of the tests is alpha={numbers.as_given(result.alpha)}.",
        f"The populations, the best first: {numbers.listed(told, most=len(told))}.",
    ]
    return [*start, *(_bayesian_sentences(result) if result.omnibus == "bayes" else _tested_sentences(result))]


_OMNIBUS = {
    "ttest": "the paired t test (two-sided)",
    "wilcoxon": "Wilcoxon's signed-rank test (two-sided)",
    "anova": "repeated measures ANOVA",
    "friedman": "Friedman's test",
}


def _tested_sentences(result: RankResult) -> list[str]:
    significant = result.pvalue < result.alpha
    said = numbers.said_pvalue(float(result.pvalue))
    verdict = "We reject" if significant else "We fail to reject"
    names = [str(name) for name in result.rankdf.index]
    sentences = [
        f"{verdict} the null hypothesis of {_OMNIBUS[result.omnibus]} that the populations do not differ ({said})."
    ]
    if len(names) == 2 and significant:
        row = result.rankdf.iloc[1]
        sentences.append(
            f"{names[0]} is significantly better than {names[1]}, with a {row['magnitude']} effect size "
            f"({numbers.number(float(row['effect_size']))})."
        )
    elif significant:
        label = {"nemenyi": "Nemenyi's test", "tukeyhsd": "Tukey's test"}[result.posthoc]
        alike = "; ".join(numbers.listed(list(group), most=len(group)) for group in _alike(result))
        sentences.append(
            f"Based on {label}, there is no significant difference within these groups: {alike}. All other differences are significant."
            if alike
            else f"Based on {label}, all differences between the populations are significant."
        )
    return sentences


def _alike(result: RankResult) -> tuple[tuple[str, ...], ...]:
    """The groups that the post-hoc test does not tell apart."""
    frame = result.rankdf
    ranks = frame["meanrank"].to_numpy()
    if result.posthoc == "nemenyi":
        apart = np.abs(ranks[:, None] - ranks) > result.cd
    else:
        low, high = frame["ci_lower"].to_numpy(dtype=float), frame["ci_upper"].to_numpy(dtype=float)
        apart = (low[:, None] > high) | (high[:, None] < low)
    return grouped(apart, ranks, [str(name) for name in frame.index]).groups


def _bayesian_sentences(result: RankResult) -> list[str]:
    frame = result.rankdf
    centre = frame["mean" if "mean" in frame else "median"]
    worse = "smaller" if centre.iloc[0] >= centre.iloc[-1] else "larger"  # the best stands first
    words = {worse: "is better than", "equal": "is practically equivalent to", "inconclusive": "is not told apart from"}
    names, decisions = list(result.rankdf.index), result.decision_matrix
    sentences = [
        "A Bayesian signed-rank test compared every pair; a decision needs a posterior probability of at least 1 - alpha."
    ]
    for i, name in enumerate(names):
        for word, phrase in words.items():
            others = [str(other) for other in names[i + 1 :] if decisions.loc[name, other] == word]
            if others:
                sentences.append(f"{name} {phrase} {numbers.listed(others, most=len(others))}.")
    return sentences
