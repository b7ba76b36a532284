"""Published numbers, computed again: users trust what they can check.

Two of the five papers have no row. The Slovene paper of Demšar (2006) prints figures and no numbers; those of Wainer (2016) rest on
his scores, which no table of the paper has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from podium.chance.best_of import critical_value, single_level
from podium.core.numbers import fixed
from podium.core.progress import Progress, tracked
from podium.core.result import Result
from podium.stats.pairwise.wilcoxon import wilcoxon

# What is computed, where it is printed, what is printed, what was found (a number, or text), and the noise of what is printed.
Row = tuple[str, str, str, Any] | tuple[str, str, str, Any, str]


@dataclass(frozen=True, slots=True)
class Check:
    """One published number (or decision) beside what Podium computes."""

    what: str
    paper: str
    place: str
    printed: str
    found: str
    noise: str = ""
    """Why the paper's own number may be off without an error of either: it was simulated, or read from a chart."""

    @property
    def exactly(self) -> bool:
        """Whether what was found, rounded as printed, is what was printed."""
        return self.printed == self.found

    @property
    def agrees(self) -> bool:
        """Whether it is what was printed, or off by no more than the noise of the paper's own number."""
        return self.exactly or bool(self.noise)

    @property
    def agreement(self) -> str:
        """Whether it agrees, in words."""
        return "yes" if self.exactly else "within noise" if self.agrees else "no"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VerifyResult(Result):
    """All checks, and how many agree."""

    checks: tuple[Check, ...]

    @property
    def agrees(self) -> bool:
        """Whether every published number was found."""
        return all(check.agrees for check in self.checks)

    def summary(self) -> str:
        """How many agree."""
        agreeing = sum(check.exactly for check in self.checks)
        noisy = sum(check.agrees and not check.exactly for check in self.checks)
        besides = (
            f" {noisy} more are off by no more than the noise of the paper's own simulation or chart." if noisy else ""
        )
        return (
            f"{agreeing} of {len(self.checks)} published numbers were computed again and agree to their printed digits."
            f"{besides} This checks the program on known tables; it does not check your data."
        )

    def columns(self) -> list[dict[str, Any]]:
        """One row per check; what a narrow screen leaves out is the place in the paper, not the answer."""
        names = ("what", "printed", "found", "agreement", "paper", "place", "noise")
        return [{name: getattr(check, name) for name in names} for check in self.checks]


def verify(*, progress: Progress = None) -> VerifyResult:
    """Recompute published numbers from the papers' own tables."""
    makers = {
        "Demšar 2006": _demsar,
        "Benavoli, Corani, Mangili 2016": _benavoli,
        "Ulaş, Yıldız, Alpaydın 2008": _ulas,
        "Forman, Cohen 2005": _forman,
        "Eisinga et al. 2017": _eisinga,
        "Hollander, Wolfe 1973": _hollander,
    }
    checks: list[Check] = []
    for paper, maker in tracked(makers.items(), progress, total=len(makers)):
        for what, place, printed, found, *noise in maker():
            # A number is written with as many digits as the printed one.
            text = found if isinstance(found, str) else fixed(float(found), len(printed.partition(".")[2]))
            checks.append(Check(what, paper, place, printed, text, *(noise if text != printed else ())))
    return VerifyResult(checks=tuple(checks))


# Demsar (2006), Table 6: the ranks printed in parentheses (the printed AUCs are rounded and give other ties).
_DEMSAR_RANKS = np.array(
    [
        [4, 3, 2, 1], [1, 2, 3, 4], [4, 1, 2, 3], [4, 1, 3, 2], [4, 2, 3, 1], [1, 2.5, 4, 2.5], [3, 2, 4, 1],
        [2.5, 2.5, 4, 1], [4, 3, 2, 1], [2.5, 2.5, 2.5, 2.5], [4, 2.5, 1, 2.5], [3, 2, 4, 1], [4, 1, 2, 3], [3, 1, 4, 2],
    ]
)  # fmt: skip
# The same paper, Table 2: AUC of C4.5 and of C4.5+m.
_DEMSAR_C45 = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.940, 0.619, 0.972, 0.957]
_DEMSAR_C45M = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666, 0.981, 0.978]


def _demsar() -> Iterator[Row]:
    from podium.stats.omnibus.friedman import friedman
    from podium.stats.posthoc.critical_difference import critical_difference

    place = "section 3.2.2"
    test = friedman(-_DEMSAR_RANKS, variant="chi2_uncorrected")
    yield "Friedman chi-square, C4.5 variants", place, "9.28", test.details["chi2_uncorrected"]
    yield "Iman-Davenport F", place, "3.69", test.details["iman_davenport_uncorrected"]
    for alpha, printed in ((0.05, "1.25"), (0.10, "1.12")):
        yield f"Nemenyi critical difference, alpha {fixed(alpha, 2)}", place, printed, critical_difference(4, 14, alpha)
    statistic = wilcoxon(_DEMSAR_C45M, _DEMSAR_C45, zeros="split").statistic
    smaller = min(statistic, 14 * 15 / 2 - statistic)
    yield "Wilcoxon, the smaller rank sum, zeros split", "section 3.1.3", "12", smaller


def _benavoli() -> Iterator[Row]:
    from podium.planning._power import pool_power
    from podium.reading._examples import example
    from podium.stats.posthoc.rank_tests import mean_ranks
    from podium.studies.pool import pool_dependence

    legible = example("benavoli2016").scores().table().complete().to_frame()
    frame = example("benavoli2016_zoo").scores().table().to_frame()  # ranks on zoo as the printed mean ranks imply
    for pool, z in ((["C1", "C2", "C3", "C4"], "3.06"), (["C1", "C2", "C4", "C5"], "2.46")):
        result = mean_ranks(frame[pool])
        pair = (result.first == pool.index("C2")) & (result.second == pool.index("C4"))
        yield f"mean-ranks z of C2 and C4 among {', '.join(pool)}", "section 4.3", z, abs(result.statistic[pair][0])
    signed = wilcoxon(legible["C2"], legible["C4"])
    yield "Wilcoxon p of C2 and C4, without zoo", "section 5", "0.0002", signed.pvalue
    pairs = {(pair.a, pair.b): pair.pools for pair in pool_dependence(frame).pairs}
    for a, b, size, printed in (
        ("C2", "C4", 4, "7/10"), ("C2", "C4", 5, "9/10"), ("C2", "C4", 6, "3/5"), ("C2", "C7", 4, "1/10"),
        ("C3", "C7", 4, "2/10"), ("C4", "C6", 4, "9/10"), ("C4", "C6", 5, "5/10"),
    ):  # fmt: skip
        count = next(pool for pool in pairs[a, b] if pool.size == size)
        share = f"{count.significant}/{count.total}"
        yield f"significant pools of {size}, {a} and {b}", "Table 1", printed, share
    power = pool_power([0, 1.5, 5, 6, 7], n_datasets=20).power[:, 0, 0]
    yield "power of the sign test (simulated)", "section 4.2", "0.94", power[0]
    yield "power of the mean-ranks test (simulated)", "section 4.2", "0.046", power[1]


def _ulas() -> Iterator[Row]:
    from podium.ordering._multi2test import multi2test
    from podium.ordering._multitest import multitest
    from podium.reading._examples import example

    results = example("ulas2008")
    scores = results.scores("accuracy")
    for cost, number, means, final in (
        ("training_time", 4, "3.66 5.21 4.53 3.39 5.05 5.95 5.00 3.21", "5nn c45 lnp mlp mdt svl sv2 svr"),
        ("space", 5, "3.34 3.32 3.29 3.71 5.18 5.87 4.55 6.74", "c45 mdt mlp lnp svl svr sv2 5nn"),
    ):
        order = multi2test(scores, results.scores(cost))
        name, ranks = cost.replace("_", " "), dict(zip(order.algorithms, order.mean_ranks, strict=True))
        found = " ".join(fixed(ranks[one], 2) for one in "c45 mdt mlp lnp svl sv2 svr 5nn".split())
        yield f"average ranks of MultiTest, {name}", f"Table 4.{number} (a)", means, found
        yield f"order by Multi2Test, {name}", f"Table 4.{number} (d)", final, " ".join(order.order)
    first = multitest(scores, results.scores("training_time"), dataset="optdigits")
    yield "order on optdigits", "section 3.1", "svr svl sv2 5nn mlp lnp mdt c45", " ".join(first.order)


REPETITIONS = 10_000_000  # of Forman and Cohen's simulation: Table 3
# Of the 19 sizes of Appendix B, each with the next one: 10 cells of each of its nine tables.
SHOWN = (20, 60, 150, 400, 1000)
CELLS = 9 * 2 * len(SHOWN)
# So many standard errors of that simulation count as its noise: if the exact values are right, the chance that any of all these
# cells lies further off is at most 5% (Bonferroni).
NOISE_SD = NormalDist().inv_cdf(1 - 0.05 / (2 * CELLS))


def _forman() -> Iterator[Row]:
    from podium.reading._examples import example_frame

    yield "percentile of one of 10 competitors", "section 2", "99.8995", 100 * (1 - single_level(0.01, 10))
    yield "repetitions for 100 competitors", "section 3", "9950416", 1000 / single_level(0.01, 100)
    for size, competitors, printed in ((10, 1000, "0.95"), (100, 1000, "0.67"), (100, 100, "0.65")):
        critical = critical_value("best_accuracy", positives=size, negatives=size, competitors=competitors, alpha=0.01)
        what = f"best accuracy, {size} + {size} cases, {competitors} competitors"
        yield what, "section 4", printed, critical.critical_value
    chart = critical_value("auc", positives=100, negatives=300, competitors=1000, alpha=0.01).critical_value
    yield "AUC, 100 + 300 cases, 1000 competitors", "section 4", "0.65", chart, _read_from_chart(chart, 0.65)
    cells = example_frame("forman2005/critical_values_alpha01")
    tables = cells.groupby(["metric", "competitors"], sort=False)
    for number, (_, table) in enumerate(tables, start=1):
        metric, count = str(table["metric"].iloc[0]), int(table["competitors"].iloc[0])
        for P, N in zip(SHOWN * 2, (*SHOWN, *SHOWN[1:], SHOWN[0]), strict=True):
            cell = float(table.loc[(table["positives"] == P) & (table["negatives"] == N), "critical_value"].item())
            value, noise = _simulated_cell(metric, P, N, count, cell)
            what = f"{metric}, {P} + {N} cases, {count} competitors"
            yield what, f"Appendix B, Table {number}", fixed(cell, 3), value, noise


def _read_from_chart(found: float, printed: float) -> str:
    """Whether "about" excuses the difference: a chart is read to a hundredth."""
    return f'read from a chart: "about {fixed(printed, 2)}"' if abs(found - printed) < 0.01 else ""


def _simulated_cell(metric: str, P: int, N: int, competitors: int, printed: float) -> tuple[float, str]:
    """The exact critical value, and whether the printed one lies within the noise of ten million rankings.

    The printed value is the empirical quantile: the simulated number of scores above it has a standard error of sqrt(R tail).
    """
    from podium.chance.distributions import null_distribution

    law, tail = null_distribution(metric, positives=P, negatives=N), single_level(0.01, competitors)
    error = NOISE_SD * (tail / REPETITIONS) ** 0.5
    within = law.sf(printed + 0.0005) <= tail + error and law.at_least(printed - 0.0005) >= tail - error
    value = critical_value(metric, positives=P, negatives=N, competitors=competitors, alpha=0.01).critical_value
    return value, "simulated there, by ten million rankings" if within else ""


def _eisinga() -> Iterator[Row]:
    from podium.stats.exact.rank_sum_difference import two_sided_pvalues

    pvalue = two_sided_pvalues(np.tile(np.arange(1.0, 101.0), (100, 1)), np.array([100.0]))[0]
    yield "exact p of a rank-sum difference of 100, k = n = 100", "pexactfrsd.R", "0.8085251", pvalue


# Page 29, as in R's example(wilcox.test): before and after.
_DEPRESSION = (
    [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)


def _hollander() -> Iterator[Row]:
    signed = wilcoxon(*_DEPRESSION, alternative="greater")
    yield "Wilcoxon p, depression scores", "R wilcox.test", "0.01953", signed.pvalue
