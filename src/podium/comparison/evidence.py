"""What verdict and remarks look at: everything that was found, and who beats whom; and who remarks on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from podium.comparison.comparison import Ranked, Remark
from podium.comparison.facts import DatasetFacts, Facts
from podium.core.arrays import Bools
from podium.core.numbers import Unit
from podium.core.result import Result
from podium.core.table import Table
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult
from podium.stats.posthoc.pairs_result import PairsResult

if TYPE_CHECKING:
    from podium.bayes.posterior import PairsPosterior
    from podium.ordering._multi2test import Multi2TestResult
    from podium.studies.pool import PoolResult


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What was found, whatever one row of evidence is, and the words that follow from that; `notes` came with the scores.

    `unit` is how a difference is told, `rows` what the tests count, `test_label` the test at the start of a sentence, and
    `elsewhere` what does not follow for other data. `one_dataset` is the name of the only dataset, where there is one only.
    `smallest_possible` is the smallest adjusted p-value that any scores could give, as far as that is known before they are
    seen. The ranking is `by_score`, or by mean rank.
    """

    facts: Facts
    table: Table
    pairs: PairsResult
    ranking: tuple[Ranked, ...]
    alpha: float
    unit: Unit
    rows: str
    test_label: str
    elsewhere: str
    one_dataset: str | None = None
    smallest_possible: float = 0.0
    by_score: bool = True
    counts_wins: bool = False  # whether a win in one row is a win in what is measured
    averages: bool = False  # whether a difference is a mean or typical one over the rows
    omnibus: Result | None = None
    omnibus_name: str = "none"
    practical: PairsPosterior | None = None
    order: Multi2TestResult | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The algorithms, the best first."""
        return tuple(ranked.algorithm for ranked in self.ranking)

    @property
    def leader(self) -> str:
        """The first of the ranking."""
        return self.names[0]

    @cached_property
    def leaders(self) -> tuple[str, ...]:
        """All that share the first place of the ranking."""
        best = self.ranking[0].mean_rank
        return tuple(row.algorithm for row in self.ranking if math.isclose(row.mean_rank, best))

    @property
    def corrected(self) -> str:
        """How the p-values were adjusted, after the level of a sentence."""
        if self.pairs.correction == "step_down":
            return " after correction (step-down, all pairs at once)"
        known = registry.CORRECTIONS.get(self.pairs.correction)
        return f" after correction ({known.plain})" if known is not None and known.told else ""

    @cached_property
    def better(self) -> Bools:
        """`[i, j]`: the i-th of the ranking is shown to be better than the j-th."""
        places = [self.pairs.algorithms.index(name) for name in self.names]
        return self.pairs.better(self.alpha)[np.ix_(places, places)]

    def beaten_by(self, name: str) -> list[str]:
        """Whom an algorithm is shown to be better than, in the order of the ranking."""
        return [self.names[j] for j in np.flatnonzero(self.better[self.names.index(name)])]

    def better_than(self, name: str) -> list[str]:
        """Who is shown to be better than an algorithm."""
        return [self.names[i] for i in np.flatnonzero(self.better[:, self.names.index(name)])]

    @property
    def shown(self) -> list[PairResult]:
        """The significant pairs, the winner first, in the order of the ranking."""
        return [self.pairs.pair(self.names[i], self.names[j]) for i, j in np.argwhere(self.better)]

    @cached_property
    def n_shown(self) -> int:
        """How many pairs are significant."""
        return int(self.better.sum())

    @property
    def could_be_first(self) -> list[str]:
        """Those that no algorithm is shown to be better than."""
        return [ranked.algorithm for ranked in self.ranking if ranked.rank_low == 1]

    @property
    def together(self) -> bool:
        """Whether the confidence is that of several intervals at once."""
        return self.pairs.intervals == "simultaneous" and self.pairs.n_pairs > 1

    @property
    def all_equal(self) -> bool:
        """Whether every two scores that were compared are equal."""
        return bool((self.pairs.ties == self.pairs.n).all())

    @property
    def hopeless(self) -> bool:
        """Whether nothing can be significant, whatever the scores."""
        return self.smallest_possible > self.alpha


E = TypeVar("E", bound=Evidence)
WEIGHTS = ("warning", "caution", "note")  # the weightiest first


class Reviewer(Generic[E]):
    """Whoever remarks on one kind of evidence. Remarks of one weight stand in the order in which they were added."""

    def __init__(self) -> None:
        self._makers: list[Callable[[E], Iterator[Remark]]] = []

    def remark(
        self, topic: str, weight: str
    ) -> Callable[[Callable[[E], Iterator[str | Remark]]], Callable[[E], Iterator[str | Remark]]]:
        """Add a function that yields sentences on a topic; a whole `Remark` where topic or weight are others."""

        def add(maker: Callable[[E], Iterator[str | Remark]]) -> Callable[[E], Iterator[str | Remark]]:
            def made(found: E) -> Iterator[Remark]:
                for said in maker(found):
                    yield Remark(topic=topic, sentence=said, weight=weight) if isinstance(said, str) else said

            self._makers.append(made)
            return maker

        return add

    def remarks(self, found: E) -> tuple[Remark, ...]:
        """Every remark that applies, the weightiest first; then what was said when the data were read."""
        made = [remark for maker in self._makers for remark in maker(found)]
        made += [Remark(topic="source", sentence=note, weight="note") for note in found.notes]
        return tuple(sorted(made, key=lambda remark: WEIGHTS.index(remark.weight)))


@dataclass(frozen=True, kw_only=True)
class DatasetEvidence(Evidence):
    """What was found over datasets, or over the folds of one.

    `without` says which significant pairs are lost without a dataset; `skewed` which of them have clearly skewed
    differences, with the p-value of their sign test; `detectable` is the true difference that is found with a probability of
    80% (`detectable_difference`).
    """

    facts: DatasetFacts
    pool: PoolResult | None = None
    without: dict[str, tuple[tuple[str, str], ...]]
    skewed: dict[tuple[str, str], float] = field(default_factory=dict)
    detectable: float | None = None
    partial_note: str = ""
    counts_wins: bool = True
    averages: bool = True
    elsewhere: str = "What is better on datasets like these, taken together, need not be better on yours."
