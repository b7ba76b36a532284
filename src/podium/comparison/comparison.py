"""Comparison: from a table to facts, chosen tests, their results, a verdict and the remarks of a careful reviewer."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from podium.comparison.facts import Facts
from podium.comparison.rules import Choice
from podium.core.result import Result
from podium.core.scores import Scores
from podium.core.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from podium.bayes.posterior import PairsPosterior
    from podium.cases.predictions import Predictions
    from podium.comparison.leaderboard import Leaderboard
    from podium.core.cases import Cases
    from podium.core.read.reading import Reading
    from podium.core.runs import Runs
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering.costs import Costs
    from podium.runs._aggregates import AggregatesResult
    from podium.runs._profiles import ProfilesResult
    from podium.stats.posthoc.pairs_result import PairsResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One algorithm in the ranking.

    `mean_rank` is among all algorithms and rests on so many `datasets`; where cells are missing, see `Table.mean_ranks`.
    `wins`, `ties` and `losses` count the algorithms that it is significantly better than, not told apart from, and
    significantly worse than, of those that it was compared with. `rank_low` and `rank_high` are the places that it may
    hold, all of them at once with the confidence 1 - alpha: the true places are those in the order by the pseudo-median of
    the pairwise differences on datasets like these (see `rank_intervals`). `group` holds the letters it shares with those
    not told apart from it.
    """

    algorithm: str
    mean_score: float
    median_score: float
    mean_rank: float
    datasets: int
    rank_low: int
    rank_high: int
    wins: int
    ties: int
    losses: int
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedCases(Ranked):
    """One algorithm in a ranking by score on the same cases: `low` and `high` are the interval of its own score.

    `mean_rank` is its place by score, equal scores sharing theirs; `datasets` counts its cases; `mean_cost` is what one case
    cost, where that is known.
    """

    low: float
    high: float
    mean_cost: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What a careful reviewer would say; `weight` is "note", "caution" or "warning"."""

    topic: str
    sentence: str
    weight: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found, said in sentences: who wins or that nobody does, by how much, how sure, on what, at what cost.

    `pairs` lists the significant pairs where they are few, and groups or counts where they are many; `does_not_follow`
    what readers might wrongly conclude. A part that has nothing to say is empty.
    """

    headline: str
    how_much: str = ""
    how_sure: str = ""
    on_what: str = ""
    cost: str = ""
    pairs: tuple[str, ...] = ()
    does_not_follow: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The headline and what stands behind it, before any list."""
        parts = (self.headline, self.how_much, self.how_sure, self.on_what, self.cost)
        return tuple(part for part in parts if part)

    def __str__(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison(Result):
    """Everything that was found, and how.

    `pairs` is the result of the pairwise test, and `practical` that of the Bayesian one if there is a rope; `to_frame()`
    has both, with a row per pair. An effect is a - b in the units of the metric, whichever direction is better; wins
    follow the direction. `beside` has the results of other tests of the same question, for readers who would have
    chosen those. `settings` are the arguments that repeat the comparison on the same scores; they are None where a rule
    chose. `reading` says what the columns of the source were taken for.

    On test cases, `cases` are the values per case, `predictions` what they come from, and `leaderboard` what the ranking
    of three or more leaves open. On runs of agents, `runs` are the runs; `aggregates` and `profiles` are what else was
    found.
    """

    facts: Facts
    choices: tuple[Choice, ...]
    scores: Scores
    table: Table
    cost: Costs | None = None
    alpha: float
    omnibus: Result | None
    pairs: PairsResult
    practical: PairsPosterior | None = None
    beside: tuple[Result, ...] = ()
    ranking: tuple[Ranked, ...]
    groups: tuple[tuple[str, ...], ...]
    cost_order: Multi2TestResult | None
    remarks: tuple[Remark, ...]
    verdict: Verdict
    methods_paragraph: str
    settings: dict[str, Any] = field(default_factory=dict)
    reading: Reading | None = None
    cases: Cases | None = None
    predictions: Predictions | None = None
    leaderboard: Leaderboard | None = None
    runs: Runs | None = None
    aggregates: AggregatesResult | None = None
    profiles: ProfilesResult | None = None

    @property
    def by_score(self) -> bool:
        """Whether the ranking is by score with an interval of its own, as on cases and runs, not by mean rank."""
        return self.cases is not None or self.runs is not None

    def choice(self, question: str) -> str:
        """The answer that was given to one of the questions."""
        return next(choice.answer for choice in self.choices if choice.question == question)

    def summary(self) -> str:
        """The verdict, and what does not follow from it."""
        return " ".join((*self.verdict.sentences, *self.verdict.pairs, *self.verdict.does_not_follow))

    def to_frame(self) -> pd.DataFrame:
        """The pairwise table in the order of the algorithms, with p_left, p_rope and p_right where there is a rope."""
        return self._with_practical(self.pairs.to_frame())

    def winner_first(self) -> pd.DataFrame:
        """The same as it is shown: a is ahead by the test, the largest difference first (`PairsResult.winner_first`)."""
        return self._with_practical(self.pairs.winner_first())

    def _with_practical(self, frame: pd.DataFrame) -> pd.DataFrame:
        if self.practical is None:
            return frame
        position = self.practical.algorithms.index
        places = [position(name) for name in frame["a"]], [position(name) for name in frame["b"]]
        return frame.assign(**{name: self.practical.matrix(name)[places] for name in ("p_left", "p_rope", "p_right")})

    def tables(self) -> dict[str, pd.DataFrame]:
        """The ranking and the pairwise table."""
        import pandas as pd

        return {"ranking": pd.DataFrame([asdict(row) for row in self.ranking]), "pairs": self.to_frame()}
