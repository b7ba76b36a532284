"""What the gate found: one row per check, the answer of all, and the sentences that say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from podium.cases.gate_repeat import IdenticalRuns
from podium.core.numbers import capital, counted, listed, percent, said_probability
from podium.core.quantity import PERCENTAGE_POINTS, Quantity
from podium.core.result import DecisionResult
from podium.core.search import USUAL_POWER

if TYPE_CHECKING:
    import pandas as pd

IN_A_TABLE = (
    "metric", "benchmark", "answer", "baseline_score", "candidate_score", "difference", "low", "high", "margin", "cases", "cases_better", "cases_worse", "not_worse_pvalue",
    "worse_pvalue", "power", "detectable_drop", "cases_needed", "method",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCheck:
    """One metric on one benchmark, or on all: `answer` is "not worse", "worse" or "cannot tell".

    `baseline_score` and `candidate_score` are the scores of the two, and `mean` says in words which mean they are.
    `difference` is candidate minus baseline in the units of the metric; `low` and `high` are one-sided bounds of level
    alpha each. `fewest` is the number of cases, or clusters, of the smallest benchmark of those with the same weight (all, where there is one).
    `worse_pvalue` is adjusted where there are several checks. `cases_better` and `cases_worse` count those. `power` is the
    probability of "not worse" if nothing has changed, `detectable_drop` the true drop that is called worse, and not "not worse",
    with a probability of 80% (None where that is not known). `cases_needed` would give an answer with that probability if nothing has changed, and
    `cases_if_as_observed` if the observed difference is the true one; None where no affordable number would.
    """

    metric: str
    benchmark: str
    mean: str
    answer: str
    baseline_score: float
    candidate_score: float
    difference: float
    low: float
    high: float
    margin: float
    cases: int
    clusters: int
    fewest: int
    cases_better: int
    cases_worse: int
    not_worse_pvalue: float
    worse_pvalue: float
    power: float | None
    detectable_drop: float | None
    cases_needed: int | None
    cases_if_as_observed: int | None
    method: str
    quantity: Quantity
    decided_after: int = 0  # cases, where every case was looked at; 0: not decided
    abstains: bool = False  # too little is known for an answer, whatever the p-values are

    @property
    def name(self) -> str:
        """Metric and benchmark."""
        return f"{self.metric} on {self.benchmark}" if self.benchmark else self.metric

    @property
    def gain_high(self) -> float:
        """The upper bound of what the candidate gains, above 0 where it is better."""
        return self.high if self.quantity.sign > 0 else -self.low

    @property
    def allowed(self) -> str:
        """The margin with its unit."""
        return self.quantity.in_full(self.margin)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GateResult(DecisionResult):
    """The answer of the gate, and every check behind it.

    The gate answers "not worse" if every check does, which needs no correction (all must err for the gate to err), and
    "worse" if some check is, by p-values that are adjusted for the number of checks.
    """

    DECIDES: ClassVar[str] = "answer"
    EXIT_CODES: ClassVar[Mapping[str, int]] = {"not worse": 0, "worse": 1, "cannot tell": 3}

    baseline: str
    candidate: str
    answer: str
    checks: tuple[GateCheck, ...]
    alpha: float
    missing: str
    n_missing: int
    anytime: bool
    correction: str
    remarks: tuple[str, ...]
    identical: tuple[IdenticalRuns, ...] = ()

    @property
    def title(self) -> str:
        """The heading of its report."""
        return f"Gate: {self.answer}"

    def sentences(self) -> tuple[str, ...]:
        """The answer, by how much, how sure, what would tell, and what does not follow."""
        one = self.checks[0]
        details = [sentence(self.baseline, self.candidate, one), how_much(one, self.alpha), *what_would(one)]
        end = "The answer is about cases like these."
        if self.answer == "cannot tell":
            end = "An inconclusive answer does not show that nothing has changed."
        return (*(details if len(self.checks) == 1 else self._of_several()), *self._identical(), *self.remarks, end)

    def _of_several(self) -> list[str]:
        by = {answer: [check.name for check in self.checks if check.answer == answer] for answer in self.EXIT_CODES}
        said = "; ".join(f"{answer} in {listed(names)}" for answer, names in by.items() if names)
        head = {
            "not worse": f"Not worse: {self.candidate} passes all {len(self.checks)} checks against {self.baseline}.",
            "worse": f"Worse: {self.candidate} is significantly behind {self.baseline} in {listed(by['worse'])}.",
            "cannot tell": f"Cannot tell whether {self.candidate} passes all {len(self.checks)} checks against {self.baseline}.",
        }[self.answer]
        needed = [
            (check.cases_needed, check.name)
            for check in self.checks
            if check.answer == "cannot tell" and check.cases_needed is not None and check.cases_needed > check.cases
        ]
        corrected = "P-values of worse are adjusted for the number of checks (Holm)."
        return [head, f"By check: {said}.", *([_about(*max(needed))] if needed else []), corrected]

    def _identical(self) -> list[str]:
        return [
            f"On {counted(runs.runs, 'pair')} of identical runs{f' ({runs.metric})' if len(self.checks) > 1 else ''} (from {runs.source}) "
            f"the gate says not worse in {percent(runs.not_worse)}, worse in {percent(runs.worse)} and cannot tell in "
            f"{percent(runs.inconclusive)}; two such gates differ with a probability of {percent(runs.flips)}."
            for runs in self.identical
        ]

    def columns(self) -> list[dict[str, Any]]:
        """One row per check."""
        several = any(check.benchmark for check in self.checks)
        names = [name for name in IN_A_TABLE if several or name != "benchmark"]
        return [{name: getattr(check, name) for name in names} for check in self.checks]

    def tables(self) -> dict[str, pd.DataFrame]:
        """The checks, with scores and differences as sentences have them, and the gates on identical runs."""
        import pandas as pd

        rows = [check.quantity.row(row) for check, row in zip(self.checks, self.columns(), strict=True)]
        checks = {"result": pd.DataFrame(rows)}
        if not self.identical:
            return checks
        runs = pd.DataFrame([asdict(one) for one in self.identical])
        return {**checks, "identical_runs": runs if any(runs["benchmark"]) else runs.drop(columns="benchmark")}

    def to_dict(self) -> dict[str, Any]:
        """The answer and its exit code first; checks without what only sentences need."""
        fields = DecisionResult.to_dict(self)
        for check in fields["checks"]:
            del check["quantity"]
        return fields


def sentence(baseline: str, candidate: str, check: GateCheck) -> str:
    """The answer of one check."""
    if check.answer == "not worse":
        if check.gain_high < 0:
            return f"Not worse by more than the margin: {candidate} is significantly behind {baseline}, but by less than {check.allowed}."
        return f"Not worse: {candidate} is less than {check.allowed} behind {baseline}, if at all."
    if check.answer == "worse" and check.gain_high < -check.margin:
        return f"Worse: {candidate} is significantly more than {check.allowed} behind {baseline}."
    if check.answer == "worse":
        drop = -check.quantity.sign * check.difference
        within = f"the observed drop is within the margin of {check.allowed}, but a larger one is not ruled out"
        beyond = f"a drop within the margin of {check.allowed} is not ruled out"
        return f"Worse: {candidate} is significantly behind {baseline}; {within if drop <= check.margin else beyond}."
    return f"Cannot tell whether {candidate} is less than {check.allowed} behind {baseline}."


def how_much(check: GateCheck, alpha: float) -> str:
    """The difference with its interval, on how many cases."""
    quantity = check.quantity.at(check.difference, check.low, check.high)
    clusters = f" in {counted(check.clusters, 'cluster')}" if check.clusters < check.cases else ""
    won = f"{counted(check.cases_better, 'case')} got better, {check.cases_worse} worse"
    return (
        f"{_scores(check)} {quantity.apart('The candidate', check.difference, 'the baseline')} ({percent(1 - 2 * alpha)} interval: {quantity.span(check.low, check.high)}) on {counted(check.cases, 'case')}"
        f"{clusters}: {won}."
    )


def _scores(check: GateCheck) -> str:
    """The scores of both, and which mean they are."""
    quantity = check.quantity
    percents = "%" if quantity.unit == PERCENTAGE_POINTS else ""
    ends = (
        f"{quantity.column([score]).text(score)}{percents}" for score in (check.baseline_score, check.candidate_score)
    )
    mean = f" ({check.mean})" if check.mean else ""
    return f"{capital(check.name)}: baseline {next(ends)}, candidate {next(ends)}{mean}."


def what_would(check: GateCheck) -> list[str]:
    """How sure such a gate can be, and how many cases would tell."""
    said = []
    if check.answer == "cannot tell":
        if check.cases_needed is not None and check.cases_needed > check.cases:
            said.append(_about(check.cases_needed, ""))
        if check.cases_if_as_observed is not None:
            also = "also " if said else ""
            said.append(
                f"If the true difference is the observed one, it would {also}take about {check.cases_if_as_observed:,}."
            )
        if not said:
            said.append("No affordable number of cases would tell: the difference is too close to the margin.")
    if check.power is not None:
        said.append(
            f"If nothing has changed, the probability that a gate of this size says not worse is {said_probability(check.power)}."
        )
    if check.detectable_drop is not None:
        drop = check.quantity.at(check.detectable_drop).amount(check.detectable_drop)
        said.append(f"A true drop of {drop} is called worse with a probability of about {percent(USUAL_POWER)}.")
    return said


def _about(cases: int, name: str) -> str:
    where = f" of {name}" if name else ""
    return (
        f"About {cases:,} cases{where} would tell with a probability of {percent(USUAL_POWER)} if nothing has changed."
    )
