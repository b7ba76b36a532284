"""What the omnibus tests share: complete datasets, named when they are left out, and the one result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from podium.core import check, numbers
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.ranks import rank_rows
from podium.core.result import Result
from podium.evidence.evidence import MissingScore
from podium.evidence.table import Table, as_table
from podium.stats import registry

MISSING = ("complete", "refuse")


class Overall(NamedTuple):
    """What the kernel of an omnibus test says of each table (..., datasets, algorithms)."""

    statistic: Floats
    pvalue: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OmnibusResult(Result):
    """A test of all algorithms at once: the statistic, its p-value and degrees of freedom, and the mean ranks.

    `variant` says which of several forms of the test was taken, and `details` has the numbers of the others and whatever
    is special to the test. `missing` says what became of missing cells; `dropped` names the datasets left out.
    """

    test: str
    statistic: float
    pvalue: float
    df: tuple[float, ...]
    method: str = "asymptotic"
    variant: str = ""
    alternative: str = "any difference"
    algorithms: tuple[str, ...]
    n_datasets: int
    mean_ranks: Floats
    ties: str = "kept"
    missing: str
    missing_scores: tuple[MissingScore, ...] = ()
    dropped: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name of the test."""
        return registry.OMNIBUS[self.test].label

    def summary(self) -> str:
        """The test in a sentence, and what does not follow."""
        method = registry.OMNIBUS[self.test]
        df = " and ".join(numbers.number(value) for value in self.df)
        single = {name: value for name, value in self.details.items() if name in SAID}
        special = "".join(f", {SAID[name]} {numbers.number(float(value))}" for name, value in single.items())
        holes = f" with {numbers.counted(len(self.missing_scores), 'missing cell')}" if self.missing_scores else ""
        form = f", {FORMS.get(self.variant, self.variant)}" if self.variant and self.variant != self.method else ""
        return (
            f"{method.label} ({self.method}{form}) of {len(self.algorithms)} algorithms on {self.n_datasets} datasets{holes}: "
            f"statistic {numbers.number(self.statistic, 4)} (df {df}), {numbers.format_pvalue(self.pvalue)}{special}. "
            f"{method.caution}{left_out(self.dropped)}"
        )


# Forms of a test that have a name of their own.
FORMS = {
    "iman_davenport": "Iman and Davenport's F",
    "chi2": "chi-square, corrected for ties",
    "chi2_uncorrected": "chi-square, not corrected for ties",
    "beta": "beta distribution",
    "greenhouse_geisser": "Greenhouse and Geisser's correction",
    "huynh_feldt": "Huynh and Feldt's correction",
    "assumed": "sphericity assumed",
}
# Details that are worth saying.
SAID = {"kendall_w": "Kendall's W", "epsilon": "epsilon"}


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """A table without holes and the names of the datasets that had to go."""

    table: Table
    missing: str
    dropped: tuple[str, ...]

    def result(self, test: str, overall: tuple[Any, Any], df: tuple[float, ...], **more: Any) -> OmnibusResult:
        """The result of a test on this table, from its statistic and p-value."""
        more = {"mean_ranks": self.table.mean_ranks()} | more
        return OmnibusResult(
            test=test,
            statistic=float(overall[0]),
            pvalue=float(overall[1]),
            df=df,
            algorithms=self.table.algorithms,
            n_datasets=self.table.n_datasets,
            missing=self.missing,
            dropped=self.dropped,
            references=registry.OMNIBUS[test].references,
            **more,
        )


def complete_blocks(data: Any, *, missing: str = "complete") -> Blocks:
    """The datasets on which every algorithm has a score, or a refusal that names the holes."""
    check.choice("missing", missing, MISSING)
    table = as_table(data)
    holes: list[bool] = np.asarray(np.isnan(table.values).any(axis=1)).tolist()
    if any(holes) and missing == "refuse":
        raise DataError(
            f"The table has missing cells ({check.cells(cell.cell for cell in table.missing)}): fill them, set {{missing}} to 'complete', "
            "or use a test that allows missing scores (skillings_mack).",
            options=["missing"],
        )
    dropped = tuple(name for name, hole in zip(table.datasets, holes, strict=True) if hole)
    complete = table.complete() if dropped else table
    if complete.n_datasets < 2:
        less = f" ({len(dropped)} more have missing cells)" if dropped else ""
        raise DataError(f"At least 2 complete datasets (rows) are needed; the table has {complete.n_datasets}{less}.")
    return Blocks(table=complete, missing=missing, dropped=dropped)


def ranks_of(tables: Floats) -> Floats:
    """Ranks within datasets, 1 for the best, of tables (..., datasets, algorithms), where higher is better."""
    return rank_rows(tables.reshape(-1, tables.shape[-1])).reshape(tables.shape)


def f_tail(f: Floats, df: tuple[Any, Any], tables: Floats) -> Floats:
    """The tail of F; where nothing is left as error and F is infinite, the chance that all datasets agree as they do."""
    from scipy.special import fdtrc  # here, because comparisons without these tests need no scipy, which loads slowly

    from podium.stats.exact.friedman import perfect_agreement_pvalue

    pvalue = np.array(fdtrc(*df, np.where(np.isinf(f), 1.0, f)), dtype=np.float64)
    for where in map(tuple, np.argwhere(np.isinf(f))):
        pvalue[where] = perfect_agreement_pvalue(ranks_of(tables[where]))
    return pvalue


def left_out(dropped: tuple[str, ...]) -> str:
    """A closing sentence for summaries: which datasets were left out, if any."""
    if not dropped:
        return ""
    were = f"{numbers.counted(len(dropped), 'dataset')} with missing cells {'was' if len(dropped) == 1 else 'were'}"
    return f" {were} left out: {check.cells((name,) for name in dropped)}."
