"""A leaderboard that does not lie: who could be first, which neighbours differ significantly, what would settle the top."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from podium.cases._drops import benchmark_drops, mean_drops
from podium.cases.clusters import mean_of_cases
from podium.cases.planning import affordable
from podium.core.numbers import counted, percent
from podium.core.search import USUAL_POWER
from podium.evidence.cases import Cases

if TYPE_CHECKING:
    from podium.comparison.units.case import CaseUnit

FEWEST_ALGORITHMS = 3  # two are told by the verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """What a ranking of three or more algorithms on the same cases shows, and what it leaves open.

    `could_be_first` are those whose rank range includes the first. Of the `neighbours` in the order by score, `apart` differ
    significantly. `cases_to_settle` would show the leader to be better than its closest `rival` with a probability of 80%, if the
    observed difference is the true one (None where it is settled, or no affordable number would). Without the `fewest` cases,
    chosen against it (each benchmark keeps one), the leader would no longer be ahead of `caught_by`.
    """

    leader: str
    could_be_first: tuple[str, ...]
    neighbours: int
    apart: int
    groups: int
    cases: int
    rival: str
    cases_to_settle: int | None
    fewest: int
    caught_by: str
    noun: str
    nouns: str

    def sentences(self) -> tuple[str, ...]:
        """What a reader of the ranking should know."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        verb = "differs" if self.apart < 2 else "differ"
        some = (
            f"Of the {self.neighbours} pairs of neighbours in the ranking, {self.apart or 'none'} {verb} significantly."
        )
        yield "All neighbours in the ranking differ significantly." if self.apart == self.neighbours else some
        if len(self.could_be_first) > 1 and self.rival:
            yield self._settled()
        if self.caught_by:
            few = counted(self.fewest, self.noun, self.nouns)
            yield without_the_fewest(few, self.fewest / self.cases, self.leader, self.caught_by)

    def _settled(self) -> str:
        if self.cases_to_settle is None:
            return f"No affordable number of {self.nouns} would settle whether {self.leader} or {self.rival} is first: they are too close."
        more = max(self.cases_to_settle - self.cases, 0)
        return (
            f"About {self.cases_to_settle:,} {self.nouns} ({more:,} more) would settle the lead of {self.leader} over {self.rival} with a "
            f"power of {percent(USUAL_POWER)}, if the observed difference is the true one."
        )


def leaderboard(unit: CaseUnit) -> Leaderboard | None:
    """The card of three or more algorithms that were all compared with each other on the same cases; else None."""
    facts, names, first = unit.facts, unit.names, unit.could_be_first
    if facts.n_algorithms < FEWEST_ALGORITHMS or facts.control is not None or unit.all_equal:
        return None
    apart = unit.better | unit.better.T  # in the order of the ranking
    rivals = [name for name, is_apart in zip(names[1:], apart[0, 1:], strict=True) if name in first and not is_apart]
    rival, needed = _to_settle(unit, names[0], rivals)
    fewest, caught_by = fewest_cases(unit)
    return Leaderboard(
        leader=names[0],
        could_be_first=tuple(first),
        neighbours=len(names) - 1,
        apart=int(apart.diagonal(1).sum()),
        groups=len({letter for row in unit.ranking for letter in row.group}),
        cases=facts.n_cases,
        rival=rival,
        cases_to_settle=needed,
        fewest=fewest,
        caught_by=caught_by,
        noun=facts.noun,
        nouns=facts.nouns,
    )


def _to_settle(unit: CaseUnit, leader: str, rivals: list[str]) -> tuple[str, int | None]:
    """The rival whose difference from the leader takes the most cases to detect, and how many."""
    needs = {name: _needed(unit, leader, name) for name in rivals}
    hardest = max(needs, key=lambda name: needs[name], default="")
    most = needs.get(hardest, math.inf)
    return hardest, None if math.isinf(most) else max(math.ceil(most), unit.facts.n_cases + 1)


def _needed(unit: CaseUnit, leader: str, rival: str) -> float:
    """The cases that it would take to detect a difference between the two; infinite where no affordable number would."""
    cases, macro = unit.evidence, unit.facts.mean == "macro"
    places = cases.places((leader, rival))
    n, variance = variance_of_pair(cases, *places, macro=macro)
    one, other = cases.scores_by(macro=macro)[places].tolist()
    if one == other or variance <= 0 or n <= 2:
        return math.inf
    pairs = unit.pairs
    # If the observed differences are the true ones, clearer pairs are decided before: this one shares the level with the closer ones.
    closer = int((pairs.pvalue >= pairs.pvalue[pairs.position(leader, rival)[0]]).sum())
    return affordable(one - other, variance, power=USUAL_POWER, alpha=unit.alpha / closer) or math.inf


def variance_of_pair(cases: Cases, i: int, j: int, *, macro: bool) -> tuple[int, float]:
    """How many cases two algorithms share, and the variance of their difference on one, clusters included."""
    differences = cases.values[:, i] - cases.values[:, j]
    there = ~np.isnan(differences)
    error = mean_of_cases(differences[there], cases.groups(there, macro=macro)).error
    return int(there.sum()), float(error) ** 2 * int(there.sum())


def fewest_cases(unit: CaseUnit) -> tuple[int, str]:
    """The fewest cases whose removal lets another catch up with the leader, and which; (0, "") where none can."""
    cases, facts = unit.evidence, unit.facts
    if facts.kind == "influence" or len(unit.leaders) > 1:
        return 0, ""
    macro = facts.mean == "macro" and facts.n_benchmarks > 1
    weights = cases.groups().counted
    gains = cases.metric.sign * cases.values
    lead = cases.algorithms.index(unit.leader)
    fewest, rival = facts.n_cases + 1, ""
    for name in unit.names:  # the closest first, so that few removals are sought for the others
        if name == unit.leader:
            continue
        place = cases.algorithms.index(name)
        differences = gains[:, lead] - gains[:, place]
        there = ~np.isnan(differences)
        differences, counted = differences[there], weights[there]
        if macro:
            needed = benchmark_drops(differences, cases.groups(there).benchmark, counted, fewest - 1)
        else:
            needed = mean_drops(differences * counted) if differences @ counted > 0 else 0
        if 0 < needed < min(fewest, len(differences)):  # some case must be left
            fewest, rival = needed, name
    return (fewest, rival) if rival else (0, "")


def without_the_fewest(few: str, share: float, leader: str, rival: str) -> str:
    """What so few cases, a share of all, decide."""
    return f"Without {few} ({percent(share)} of all, chosen against it), {leader} would no longer be ahead of {rival}."
