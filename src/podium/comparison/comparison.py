"""Comparison: from a table to facts, chosen tests, their results, a verdict and the remarks of a careful reviewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Any, ClassVar

import numpy.typing as npt

from podium.comparison.facts import Facts
from podium.comparison.paper_table import PaperTable, paper_table_of
from podium.comparison.rules import Choice
from podium.core.arrays import Floats
from podium.core.quantity import Quantity
from podium.core.result import Result, plain
from podium.core.shown import shown
from podium.evidence.evidence import Evidence
from podium.evidence.table import Table
from podium.stats.pairwise.pair_result import effect_kind, excess

if TYPE_CHECKING:
    import pandas as pd

    from podium.bayes.posterior import PairsPosterior
    from podium.evidence.reading import Reading
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multitest import MultiTestResult
    from podium.ordering.costs import Costs
    from podium.ordering.trade_off import TradeOff
    from podium.stats.posthoc.pairs_result import PairsResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One algorithm in the ranking.

    `mean_rank` is among all algorithms and rests on so many `datasets`; where cells are missing, see `Table.mean_ranks`.
    `wins`, `ties` and `losses` count the algorithms that it is significantly better than, not significantly different
    from, and significantly worse than, of those that it was compared with. `rank_low` and `rank_high` are the ends of its
    rank range, simultaneous for all algorithms with the confidence 1 - alpha: the true ranks are those in the order by the
    pseudo-median of the pairwise differences on datasets like these (see `rank_intervals`). `group` holds the letters that
    it shares with those that do not differ significantly from it.
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

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of its own score, where there is one."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedCases(Ranked):
    """One algorithm in a ranking by score on the same cases: `low` and `high` are the interval of its own score.

    `mean_rank` is its place by score, equal scores sharing theirs; `datasets` counts its cases; `mean_cost` is what one case
    cost, where that is known.
    """

    low: float
    high: float
    mean_cost: float | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of its own score."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class Remark:
    """What a careful reviewer would say; `weight` is "note", "caution" or "warning"."""

    topic: str
    sentence: str
    weight: str


MEAN_RANK = "mean rank"  # what a ranking goes by where ranks within rows are averaged


class Kind(StrEnum):
    """What a verdict says, whatever its words: the first that fits."""

    SAME = auto()  # every two scores are equal
    EQUIVALENT = auto()  # the two differ by too little to matter
    IMPOSSIBLE = auto()  # too few rows for any difference to be shown
    CONTROL = auto()  # each against the control
    TWO_APART = auto()
    NEITHER = auto()  # the test of the two rejects, but neither is ahead
    TWO_ALIKE = auto()
    NONE_SHOWN = auto()  # no pair of several differs significantly
    ONE_WINNER = auto()  # the first beats each of the others
    SHARED_FIRST = auto()  # several have the best rank or score
    LEADER_BEATEN = auto()  # another is significantly better than the first
    MANY_FIRST = auto()  # of many, several could be first
    OTHERS_DIFFER = auto()  # the first beats nobody; some of the others differ
    ALL_BUT = auto()  # the first beats all but one or two
    SOME_BEATEN = auto()  # the first beats some


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found: its kind, and the sentences: who wins or that nobody does, by how much, how sure, on what, at what cost.

    `pairs` lists the significant pairs where they are few, and groups or counts where they are many; `not_implied`
    what readers might wrongly conclude. A part that has nothing to say is empty.
    """

    kind: Kind
    headline: str
    how_much: str = ""
    certainty: str = ""
    on_what: str = ""
    cost: str = ""
    pairs: tuple[str, ...] = ()
    not_implied: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The headline and what stands behind it, before any list."""
        parts = (self.headline, self.how_much, self.certainty, self.on_what, self.cost)
        return tuple(part for part in parts if part)

    def __str__(self) -> str:
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a comparison calls its parts, as plain text: whoever shows it asks for words and never for the unit.

    `row` and `rows` are what the tests count, `key` what the JSON calls the names of the rows, `title` what heads them in a table, `value` what one of them has of
    an algorithm. There are `n_rows`, with `each` of them having what it says. The ranking is `by` something, with `places` as
    its note; `won` explains the record of a pair, `matrix` the cells of the matrix; `measured` is what a difference is one of,
    and `cost` what one row costs. `printed` heads the rows of the paper's table, `data` is its caption, `mean` what its row of means
    is called and `deviation` what stands after ±. `outcomes` is the caption of a table of every row, "" where that says nothing. `test`
    begins a sentence, `elsewhere` is what does not follow for other data.
    """

    row: str
    rows: str
    key: str
    title: str
    value: str = "score"
    n_rows: int
    each: str
    by: str
    places: str = ""
    won: str
    measured: str
    cost: str = ""
    data: str
    printed: str
    mean: str = "Mean"
    deviation: str = ""
    outcomes: str = ""
    test: str
    elsewhere: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """What a unit shows besides: sentences and a result, in a `section` of the report that may have a `title` of its own.

    The result is a table where there is a `caption`, with such `columns` (all where they are empty), of which those that are `scored` hold scores, and a `note`; on the page it
    waits until it is asked for where it is `closed`, because a figure shows the same.
    """

    key: str
    section: str
    title: str = ""
    sentences: tuple[str, ...] = ()
    result: Any = None
    caption: str = ""
    columns: tuple[str, ...] = ()
    scored: tuple[str, ...] = ()
    note: str = ""
    closed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison(Result):
    """Everything that was found, and how.

    `pairs` is the result of the pairwise test, and `practical` that of the Bayesian one if there is a rope; `to_frame()`
    has both, with a row per pair. An effect is a - b in the units of the metric, whichever direction is better; wins
    follow the direction; `quantity` says how scores and differences are written. `other_tests` has the results of other tests of the same question, for readers who would have
    chosen those. `settings` are the arguments that repeat the comparison on the same scores; they are None where a rule
    chose. `reading` says what the columns of the source were read as. `detectable` is the true difference, in the units of the
    metric, that a typical pair would show with a probability of 80%; None where that is not known. Where costs are known,
    `trade_offs` has one result for each cost, and `cost_order` the order by score and cost; `cost` holds the costs that were asked for.

    `evidence` is what was compared: scores, outcomes on cases, or runs. `words` are what its parts are called, and `extras`
    what else was found, such as a leaderboard (`extra("leaderboard")`).
    """

    SCHEMA: ClassVar[str] = "podium.comparison/3"
    JSON: ClassVar[Mapping[str, Any]] = {
        **dict.fromkeys(("evidence", "words", "cost", "printed", "practical", "other_tests", "methods_paragraph")),
        **dict.fromkeys(("podium", "methods"), str),
        "pairs": dict[str, list[Any]],
        **dict.fromkeys(("extras", "table", "repeat"), dict[str, Any]),
        "reading": dict[str, Any] | None,
    }

    evidence: Evidence
    facts: Facts
    choices: tuple[Choice, ...]
    words: Words
    table: Table
    printed: Table
    quantity: Quantity
    cost: Costs | None = None
    alpha: float
    omnibus: Result | None
    pairs: PairsResult
    practical: PairsPosterior | None = None
    other_tests: tuple[Result, ...] = ()
    ranking: tuple[Ranked, ...]
    groups: tuple[tuple[str, ...], ...]
    trade_offs: tuple[TradeOff, ...] = ()
    cost_order: Multi2TestResult | MultiTestResult | None
    detectable: float | None = None
    remarks: tuple[Remark, ...]
    verdict: Verdict
    methods_paragraph: str
    settings: dict[str, Any] = field(default_factory=dict)
    reading: Reading | None = None
    extras: tuple[Extra, ...] = ()

    def __repr__(self) -> str:
        """What `podium compare` prints."""
        return str(shown("text", self))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, ready for JSON: what `save("report.json")` writes."""
        return dict(shown("dict", self))

    def repeatable(self) -> dict[str, Any]:
        """The evidence, the costs and the settings as plain values, from which `reproduce` computes it again."""
        cost = self.cost
        kept = {} if cost is None else {"names": list(cost.names), "values": cost.values, "folds": cost.folds}
        costs = plain(kept) or None
        return {"evidence": self.evidence.to_plain(), "cost": costs, "settings": plain(self.settings)}

    def extra(self, key: str) -> Any:
        """What else was found under this key; None where it was not."""
        return next((extra.result for extra in self.extras if extra.key == key), None)

    @property
    def parts(self) -> tuple[Any, ...]:
        """What a figure can show: the evidence and what it comes from, the pairs, the order by cost, and the results of extras."""
        evidence = (self.evidence, getattr(self.evidence, "source", None))
        return (
            *evidence,
            self.pairs,
            self.practical,
            *self.trade_offs,
            self.cost_order,
            *(extra.result for extra in self.extras),
        )

    def part(self, name: str) -> Any:
        """The part of this class, by its name; None where there is none."""
        return next((part for part in self.parts if name in {kind.__name__ for kind in type(part).__mro__}), None)

    @property
    def difference(self) -> Quantity:
        """How the gains of pairs are written: as the scores are, or in percent where an effect is a ratio."""
        return self.quantity.relative() if effect_kind(self.pairs.effect_name).relative else self.quantity

    def gains(self, effects: npt.ArrayLike) -> Floats:
        """Effects of pairs as gains of the first, whichever direction is better; ratios as what exceeds 1."""
        return self.quantity.sign * excess(self.pairs.effect_name, effects)

    def paper_table(self) -> PaperTable:
        """The table of a paper: every score, the best in bold, means and mean ranks, and marks of significance."""
        return paper_table_of(self)

    def choice(self, question: str) -> str:
        """The answer that was given to one of the questions."""
        return next(choice.answer for choice in self.choices if choice.question == question)

    def summary(self) -> str:
        """The verdict, and what does not follow from it."""
        return " ".join((*self.verdict.sentences, *self.verdict.pairs, *self.verdict.not_implied))

    def to_frame(self) -> pd.DataFrame:
        """The pairwise table in the order of the algorithms, with p_left, p_rope and p_right where there is a rope."""
        return self._with_practical(self.pairs.to_frame())

    def leader_first(self) -> pd.DataFrame:
        """The same as it is shown: the leader against each of the others, then the closest pairs; of two, the winner first."""
        names = [row.algorithm for row in self.ranking]
        two = len(names) == 2
        return self._with_practical(self.pairs.winner_first() if two else self.pairs.leader_first(names))

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
