"""What algorithms on the same cases are like: the facts, and the evidence with the words that follow the unit."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from podium.cases._all_pairs import CasePairs
from podium.cases.predictions import COUNTED_WRONG
from podium.chance.labels import LabelChanceResult
from podium.chance.predictions import ChanceTestResult
from podium.comparison.evidence import Evidence
from podium.comparison.facts import Facts, measured
from podium.core.cases import Cases, codes
from podium.core.numbers import counted
from podium.core.read.case_columns import plural

KINDS = {
    "pass_fail": "pass or fail",
    "bounded": "values from 0 to 1",
    "numeric": "numbers",
    "influence": "one metric of all predictions",
}
LABELS = {
    "mid-p": "McNemar's test (mid-p)",
    "exact": "McNemar's exact test",
    "t": "The t test of the values",
    "sign flips": "The sign-flip test",
    "sign flips by cluster": "The sign-flip test by cluster",
    "DeLong": "DeLong's test",
    "jackknife": "The jackknife t test",
    "jackknife with four cases added": "The jackknife test with four cases added",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFacts(Facts):
    """What the rules for cases look at. `rarest_class` counts the cases of the rarer class, 0 where there are none.

    With weights the mean is worth `worth` cases of equal weight, and `heaviest` is the largest share that one case has.
    """

    metric: str
    direction: str
    n_algorithms: int
    holes: tuple[tuple[str, str], ...]
    control: str | None
    rope: float | None
    unit: str = "case"
    hole: ClassVar[str] = "missing outcome"
    n_cases: int
    kind: str
    n_samples: int
    n_clusters: int
    n_benchmarks: int
    smallest_benchmark: int
    rarest_class: int
    mean: str
    hole_reasons: tuple[tuple[str, int], ...]
    weighted: bool
    worth: float
    heaviest: float
    noun: str = "case"

    @property
    def nouns(self) -> str:
        """What several cases are called."""
        return plural(self.noun)

    def counted(self, count: int) -> str:
        """So many cases."""
        return counted(count, self.noun, self.nouns)

    def in_words(self, sentence: str) -> str:
        """A sentence without names, with the noun of these cases."""
        return re.sub(r"\bcases\b", self.nouns, re.sub(r"\bcase\b", self.noun, sentence))

    @property
    def on(self) -> str:
        """What the algorithms were compared on, counted."""
        return self.counted(self.n_cases)

    @property
    def clustered(self) -> bool:
        """Whether some cases belong together."""
        return self.n_clusters < self.n_cases

    @property
    def design(self) -> str:
        """The kind of values, samples, clusters and benchmarks in words."""
        parts = [KINDS[self.kind]]
        parts += [f"{self.n_samples} samples per {self.noun}"] if self.n_samples > 1 else []
        parts += ["weighted"] if self.weighted else []
        parts += [counted(self.n_clusters, "cluster")] if self.clustered else []
        parts += [counted(self.n_benchmarks, "benchmark")] if self.n_benchmarks > 1 else []
        return ", ".join(parts)


def case_facts(cases: Cases, *, control: str | None, rope: float | None, mean: str) -> CaseFacts:
    """Count the facts of cases."""
    missing = np.argwhere(np.isnan(cases.values))
    holes = tuple((cases.cases[i], cases.algorithms[j]) for i, j in missing)
    holes += tuple(hole for hole, why in cases.holes.items() if why == COUNTED_WRONG)
    reasons = Counter(cases.holes.get(hole, "missing") for hole in holes)
    sizes = np.bincount(cases.benchmark)
    return CaseFacts(
        **measured(cases.metric, cases, control),
        holes=holes,
        rope=rope,
        n_cases=cases.n_cases,
        kind=cases.kind,
        n_samples=1 if cases.samples is None else cases.samples.shape[2],
        n_clusters=int(cases.cluster.max()) + 1,
        n_benchmarks=len(sizes),
        smallest_benchmark=int(sizes.min()),
        rarest_class=int(np.bincount(codes(cases.classes)).min()) if cases.classes else 0,
        mean=mean,
        hole_reasons=tuple(sorted(reasons.items())),
        weighted=cases.weights is not None,
        worth=cases.worth,
        heaviest=1 / cases.n_cases if cases.weights is None else float(cases.weights.max() / cases.weights.sum()),
        noun=cases.noun,
    )


@dataclass(frozen=True, kw_only=True)
class CaseEvidence(Evidence):
    """What was found on cases; `luck` says whether the best is better than the best of as many that guess."""

    facts: CaseFacts
    pairs: CasePairs
    cases: Cases
    luck: ChanceTestResult | LabelChanceResult | None = None
