"""Published numbers, computed anew: users trust what they can check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Check", "VerifyResult", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One published number (or decision) beside what Podium computes."""

    what: str
    paper: str
    place: str
    printed: str
    found: str

    @property
    def agrees(self) -> bool:
        """Whether what was found, rounded as printed, is what was printed."""
        return self.printed == self.found


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
        agreeing = sum(check.agrees for check in self.checks)
        return (
            f"{agreeing} of {len(self.checks)} published numbers were computed anew and agree to their printed digits. "
            "This checks the program on known tables; it does not check your data."
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per check."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "what": c.what,
                    "paper": c.paper,
                    "place": c.place,
                    "printed": c.printed,
                    "found": c.found,
                    "agrees": c.agrees,
                }
                for c in self.checks
            ]
        )


def verify(*, progress: Callable[[int, int], None] | None = None) -> VerifyResult:
    """Recompute published numbers from the papers' own tables."""
    makers = (_demsar, _benavoli, _ulas, _forman, _others)
    checks: list[Check] = []
    for done, maker in enumerate(makers):
        checks += maker()
        if progress is not None:
            progress(done + 1, len(makers))
    return VerifyResult(checks=tuple(checks))


def _check(what: str, paper: str, place: str, printed: str, value: Any) -> Check:
    """A check whose found value is written with as many digits as the printed one."""
    if isinstance(value, str):
        return Check(what=what, paper=paper, place=place, printed=printed, found=value)
    digits = len(printed.partition(".")[2])
    return Check(what=what, paper=paper, place=place, printed=printed, found=f"{float(value):.{digits}f}")


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


def _demsar() -> Iterator[Check]:
    from podium.stats.omnibus.friedman import friedman
    from podium.stats.pairwise.wilcoxon import wilcoxon
    from podium.stats.posthoc.critical_difference import critical_difference

    source = "Demšar 2006"
    test = friedman(-_DEMSAR_RANKS, variant="chi2_uncorrected")
    yield _check("Friedman chi-square, C4.5 variants", source, "section 3.2.2", "9.28", test.chi2_uncorrected)
    yield _check("Iman-Davenport F", source, "section 3.2.2", "3.69", test.iman_davenport_uncorrected)
    yield _check(
        "Nemenyi critical difference, alpha 0.05", source, "section 3.2.2", "1.25", critical_difference(4, 14, 0.05)
    )
    yield _check(
        "Nemenyi critical difference, alpha 0.10", source, "section 3.2.2", "1.12", critical_difference(4, 14, 0.10)
    )
    signed = wilcoxon(_DEMSAR_C45M, _DEMSAR_C45, zeros="split")
    total = 14 * 15 / 2
    smaller = min(signed.statistic, total - signed.statistic)
    yield _check("Wilcoxon, the smaller rank sum, zeros split", source, "section 3.1.3", "12", smaller)


def _benavoli() -> Iterator[Check]:
    import podium
    from podium.studies._power import pool_power
    from podium.studies.pool import pool_dependence

    source = "Benavoli, Corani, Mangili 2016"
    frame = podium.example("benavoli2016").scores().table().to_frame()
    # The scan lost the row zoo; the printed mean ranks and Table 1 fix its order (see the notes of the data).
    frame.loc["zoo"] = [94.0, 95.3, 95.09, 95.0, 94.0, 95.2, 95.09]
    for pool, z in ((["C1", "C2", "C3", "C4"], "3.06"), (["C1", "C2", "C4", "C5"], "2.46")):
        result = podium.stats.mean_ranks(frame[pool])
        pair = (result.first == pool.index("C2")) & (result.second == pool.index("C4"))
        found = float(abs(result.statistic[pair][0]))
        yield _check(f"mean-ranks z of C2 and C4 among {', '.join(pool)}", source, "section 4.3", z, found)
    legible = frame.drop(index="zoo")
    signed = podium.stats.wilcoxon(legible["C2"], legible["C4"])
    yield _check("Wilcoxon p of C2 and C4, without zoo", source, "section 5", "0.0002", signed.pvalue)
    pairs = {(pair.a, pair.b): pair.pools for pair in pool_dependence(frame).pairs}
    for pair, size, printed in (
        (("C2", "C4"), 4, "7/10"), (("C2", "C4"), 5, "9/10"), (("C2", "C4"), 6, "3/5"), (("C2", "C7"), 4, "1/10"),
        (("C3", "C7"), 4, "2/10"), (("C4", "C6"), 4, "9/10"), (("C4", "C6"), 5, "5/10"),
    ):  # fmt: skip
        count = next(pool for pool in pairs[pair] if pool.size == size)
        what = f"significant pools of {size}, {pair[0]} and {pair[1]}"
        yield _check(what, source, "Table 1", printed, f"{count.significant}/{count.total}")
    power = pool_power([0, 1.5, 5, 6, 7], n_datasets=20).power[:, 0, 0]
    yield _check("power of the sign test (simulated)", source, "section 4.2", "0.94", power[0])
    yield _check("power of the mean-ranks test (simulated)", source, "section 4.2", "0.046", power[1])


def _ulas() -> Iterator[Check]:
    import podium
    from podium.ordering._multi2test import multi2test
    from podium.ordering._multitest import multitest

    source = "Ulaş, Yıldız, Alpaydın 2008"
    results = podium.example("ulas2008")
    scores = results.scores("accuracy")
    finals = {
        "training_time": "5nn c45 lnp mlp mdt svl sv2 svr",
        "space": "c45 mdt mlp lnp svl svr sv2 5nn",
    }
    for cost, table in (("training_time", "A.12"), ("space", "A.13")):
        order = multi2test(scores, results.scores(cost))
        printed = podium.core.example_frame(f"ulas2008/ranks_multitest_{cost}").set_index("dataset")
        rows = order.per_dataset_ranks == printed.loc[list(order.datasets), list(order.algorithms)].to_numpy()
        name = cost.replace("_", " ")
        yield _check(
            f"rows of MultiTest ranks, {name}",
            source,
            f"Table {table}",
            "38 of 38",
            f"{rows.all(axis=1).sum()} of 38",
        )
        yield _check(f"order by Multi2Test, {name}", source, "section 4.5", finals[cost], " ".join(order.order))
    first = multitest(scores, results.scores("training_time"), dataset="optdigits")
    yield _check("order on optdigits", source, "section 3.1", "svr svl sv2 5nn mlp lnp mdt c45", " ".join(first.order))


def _forman() -> Iterator[Check]:
    from podium.chance.best_of import critical_value

    source = "Forman, Cohen 2005 (exact values)"
    for metric, printed in (("best_accuracy", "491/634"), ("tp10", "8")):
        found = critical_value(metric, positives=150, negatives=484, competitors=114, alpha=0.01)
        text = str(found.fraction) if "/" in printed else f"{found.critical_value:g}"
        yield _check(f"KDD Cup 2001, {metric}", source, "section 1", printed, text)
    for metric, printed in (("auc", "0.60085"), ("best_f1", "0.42258")):
        found = critical_value(metric, positives=150, negatives=484, competitors=114, alpha=0.01)
        yield _check(f"KDD Cup 2001, {metric}", source, "section 1", printed, found.critical_value)


def _others() -> Iterator[Check]:
    from podium.stats.exact.rank_sum_difference import two_sided_pvalues
    from podium.stats.pairwise.wilcoxon import wilcoxon

    found = two_sided_pvalues(np.tile(np.arange(1.0, 101.0), (100, 1)), np.array([100.0]))[0]
    yield _check(
        "exact p of a rank-sum difference of 100, k = n = 100",
        "Eisinga et al. 2017",
        "pexactfrsd.R",
        "0.8085251",
        found,
    )
    # Hollander and Wolfe (1973), page 29, as in R's example(wilcox.test).
    before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    signed = wilcoxon(before, after, alternative="greater")
    yield _check("Wilcoxon p, depression scores", "Hollander, Wolfe 1973", "R wilcox.test", "0.01953", signed.pvalue)
