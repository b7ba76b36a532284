"""A unit: what one row of evidence stands for, and all that the guided path has to know of it.

One comparison is an object of its unit's class, from the evidence to the words. What is costly is computed when it is first asked
for, and once. A unit says its evidence, facts, pairs, standing, quantity, words, on what it was measured and what was done; the
rest has a default. The path is the same for all: facts, rules, tests, and rules that explain what the test chose.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from podium.comparison.comparison import Comparison, Extra, Ranked, RankedCases, Words
from podium.comparison.facts import Facts
from podium.comparison.methods import made_with
from podium.comparison.reviewer import Reviewer
from podium.comparison.rules import Choice, choose
from podium.comparison.verdict import verdict_of
from podium.core.arrays import Bools, Floats
from podium.core.errors import ArgumentError
from podium.core.metric import Metric
from podium.core.names import shown
from podium.core.numbers import counted, percent, share_of, some
from podium.core.options import OPTIONS
from podium.core.quantity import Quantity
from podium.core.result import Result, plain
from podium.core.units import UNITS, compared
from podium.evidence.table import Table
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, effect_kind
from podium.stats.posthoc.pairs_result import PairsResult

if TYPE_CHECKING:
    from podium.bayes.posterior import PairsPosterior
    from podium.evidence.reading import Reading
    from podium.evidence.results import Results
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering._multitest import MultiTestResult
    from podium.ordering.costs import Costs
    from podium.ordering.trade_off import TradeOff

E = TypeVar("E", covariant=True)
F = TypeVar("F", bound=Facts, covariant=True)
P = TypeVar("P", bound=PairsResult, covariant=True)
# What the evidence and other settings carry: the metric, the chosen algorithms, the rope of a search, costs, the positive class.
_NOT_REPEATED = ("metric", "direction", "algorithms", "blocks", "search_metric", "cost", "cost_column", "positive")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where each algorithm stands, the lowest place first, and the other columns of the ranking: a number for each."""

    places: Floats
    columns: Mapping[str, npt.ArrayLike] = field(default_factory=dict)


class Unit(ABC, Generic[E, F, P]):
    """One comparison over one unit; `ranked_by` is what the order of its algorithms goes by."""

    name: ClassVar[str]
    reviewer: ClassVar[Reviewer[Any]]
    row: ClassVar[str] = "one score of every algorithm"  # of a source whose columns were not recognised
    ranked_by: ClassVar[str] = "score"
    additive_costs: ClassVar[bool] = False  # whether it is the sum over rows that is paid

    def __init__(self, evidence: Any, asked: Mapping[str, Any], source: Results | None = None) -> None:
        self.asked = asked
        self.source = source
        self.alpha: float = asked["alpha"]
        algorithms = asked["algorithms"]
        self.original = evidence if algorithms is None else evidence.select(algorithms)

    @classmethod
    def settle(cls, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options that this unit has; one that is given and is for other units is refused."""
        for name, value in options.items():
            units, usual = OPTIONS[name].units, OPTIONS[name].default
            if units and cls.name not in units and value is not None and value != usual:
                raise ArgumentError(
                    f"{{argument}} is for algorithms that are compared {compared(units)}; these are compared "
                    f"{UNITS[cls.name].compared}. Leave it out{cls.instead(units)}.",
                    argument=name,
                )
        return {
            name: value for name, value in options.items() if not OPTIONS[name].units or cls.name in OPTIONS[name].units
        }

    @classmethod
    def instead(cls, units: tuple[str, ...]) -> str:
        """How the same data could be compared over one of these units, after "Leave it out"; by default they cannot."""
        return ""

    # What each unit says.

    @property
    @abstractmethod
    def evidence(self) -> E:
        """What is compared: after the policy for missing cells, and on one scale."""

    @property
    @abstractmethod
    def facts(self) -> F:
        """What is counted before, or beside, any test."""

    @property
    @abstractmethod
    def table(self) -> Table:
        """One score for each row and algorithm."""

    @property
    @abstractmethod
    def pairs(self) -> P:
        """The tests of two algorithms."""

    @property
    @abstractmethod
    def standing(self) -> Standing:
        """Where each algorithm stands."""

    @property
    @abstractmethod
    def own_quantity(self) -> Quantity:
        """How what is compared is written, whatever its size."""

    @property
    @abstractmethod
    def words(self) -> Words:
        """What rows, scores and tests are called."""

    @abstractmethod
    def on_what(self) -> str:
        """By what the algorithms were measured, and on what."""

    @abstractmethod
    def methods(self) -> str:
        """What was done, in words that can be pasted into a paper."""

    @staticmethod
    @abstractmethod
    def overview(evidence: Any, *, list_missing: bool = False) -> list[Result]:
        """What is known of such evidence before any test."""

    @classmethod
    def recognised(cls, evidence: Any) -> dict[str, Any]:
        """What a page says of such evidence before any test: who is compared, by what, and what there is."""
        metrics = plain(cls.metrics(evidence))
        notes = [result.summary() for result in cls.overview(evidence)[:1]]
        only = metrics[0] if len(metrics) == 1 else None
        return {"metric": only, "metrics": metrics, "algorithms": list(evidence.algorithms), "notes": notes}

    @classmethod
    def metrics(cls, evidence: Any) -> list[Metric]:
        """What such evidence measures, as far as that is known."""
        return [evidence.metric]

    @classmethod
    def counted(cls, evidence: Any) -> str:
        """The rows of such evidence, counted."""
        return counted(len(evidence.rows), cls.name)

    @classmethod
    def in_short(cls, evidence: Any) -> str:
        """What one row is, what is compared and by what: the first line of what is shown before any test."""
        reading = getattr(evidence, "reading", None)
        row = cls.row if reading is None else reading.row
        by = some((f"{metric.name} ({metric.direction} is better)" for metric in cls.metrics(evidence)), 4)
        who = f"{counted(len(evidence.algorithms), 'algorithm')} ({some(map(shown, evidence.algorithms), 3)})"
        on = f"{who} on {cls.counted(evidence)}"
        return f"One row is {row}. Compared: {on}, by {by or 'a metric that is to be chosen'}."

    # What a unit may say besides.

    @property
    def kept(self) -> Any:
        """The evidence that repeats the comparison."""
        return self.evidence

    @property
    def named(self) -> Mapping[str, str | None]:
        """The answers to questions that the user gave."""
        return {}

    @property
    def settled(self) -> tuple[Choice, ...]:
        """The answers that follow from something else."""
        return ()

    @property
    def omnibus(self) -> Result | None:
        """The overall test."""
        return None

    @property
    def printed(self) -> Table:
        """The scores that a paper prints: the table, or one row for each benchmark."""
        return self.table

    @property
    def practical(self) -> PairsPosterior | None:
        """The probabilities of practical equivalence, where there is a rope."""
        return None

    @property
    def other_tests(self) -> tuple[Result, ...]:
        """Other tests of the same question."""
        return ()

    @cached_property
    def costs(self) -> Costs | None:
        """What the algorithms cost: what was asked for, or what the evidence says."""
        asked = self.asked["cost"]
        if asked is None and getattr(self.evidence, "costs", None) is None:
            return None
        from podium.ordering.costs import combine_costs
        from podium.ordering.given_costs import costs_of, own_costs

        if asked is None:
            own = own_costs(self.evidence)
            return None if own is None else replace(own, additive=self.additive_costs)
        several = asked if isinstance(asked, list) else [asked]
        costs = costs_of(self.source or self.original, self.original, several, self.asked["cost_column"])
        return replace(combine_costs(costs), additive=self.additive_costs)

    @cached_property
    def order(self) -> Multi2TestResult | MultiTestResult | None:
        """The order by score and cost, from the adjusted tests of pairs."""
        if self.costs is None:
            return None
        from podium.ordering._multitest import order_from_decisions

        names = self.pairs.algorithms
        test = self.words.test.replace("The ", "the ", 1)
        return order_from_decisions(
            self.pairs.better(self.alpha),
            self.costs.typical[:, [self.costs.algorithms.index(name) for name in names]],
            algorithms=names,
            errors=self.standing.places,
            test=self.pairs.test,
            alpha=self.alpha,
            cost_names=self.costs.names,
            decided_by=f"{test} over {self.words.n_rows} {self.words.rows}{self.corrected}",
        )

    @cached_property
    def trade_offs(self) -> tuple[TradeOff, ...]:
        """Each cost against the gap to the best, or to the control."""
        if self.costs is None:
            return ()
        from podium.ordering.trade_off import trade_offs

        scores = {row.algorithm: row.mean_score for row in self.ranking}
        reference = self.facts.control or self.leader
        rows = (
            (self.words.row, self.words.rows) if self.costs.datasets == self.original.rows else ("dataset", "datasets")
        )
        return trade_offs(self.pairs, self.costs, reference=reference, scores=scores, alpha=self.alpha, rows=rows)

    @property
    def detectable(self) -> float | None:
        """The true difference that a typical pair would show with a probability of 80%."""
        return None

    @property
    def extras(self) -> tuple[Extra, ...]:
        """What else is shown."""
        return ()

    @property
    def smallest_possible(self) -> float:
        """The smallest adjusted p-value that any scores could give, as far as that is known before they are seen."""
        return 0.0

    @property
    def place(self) -> str:
        """The only place that the conclusion is about, such as one dataset; "" where there are several."""
        return ""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was said when the data were read."""
        return tuple(self.kept.notes)

    @property
    def sources(self) -> tuple[str, ...]:
        """Works behind the way of comparing, besides those of the tests."""
        return ()

    @property
    def reading(self) -> Reading | None:
        """How the columns of the source were read."""
        return getattr(self.kept, "reading", None)

    def where(self, pair: PairResult) -> str:
        """On what a pair has its difference."""
        return f"on this {self.words.row}" if self.words.n_rows == 1 else f"on these {self.words.rows}"

    def record(self, pair: PairResult) -> str:
        """Who won how many rows, where a win in a row is a win in what is measured; else nothing."""
        return ""

    def contest(self) -> str:
        """Whether the best is better than luck, in a sentence."""
        return ""

    # What all units share.

    @cached_property
    def _before(self) -> dict[str, Choice]:
        return choose(self.facts, self.named, settled=self.settled)

    def answer(self, question: str) -> str:
        """What was chosen before any test."""
        return self._before[question].answer

    @cached_property
    def choices(self) -> dict[str, Choice]:
        """Every answer, also to what a test chose by itself."""
        return choose(self.facts, self.named, pairs=self.pairs, settled=self.settled)

    @cached_property
    def ranking(self) -> tuple[Ranked, ...]:
        """The algorithms by their places, with simultaneous intervals for their ranks from the decisions on pairs."""
        from podium.stats.posthoc.letters import compact_letters

        pairs, places = self.pairs, self.standing.places
        k, better = len(pairs.algorithms), pairs.better(self.alpha)
        order = np.argsort(places, kind="stable")
        letters = compact_letters(better | better.T, order) if pairs.control is None else [""] * k
        compared = np.bincount(pairs.first, minlength=k) + np.bincount(pairs.second, minlength=k)
        beats, beaten = better.sum(axis=1), better.sum(axis=0)
        columns: dict[str, npt.ArrayLike] = {**self.standing.columns, "mean_rank": places}
        columns |= {"rank_low": 1 + beaten, "rank_high": k - beats}
        columns |= {"wins": beats, "ties": compared - beats - beaten, "losses": beaten}
        kind: type[Ranked] = RankedCases if "low" in columns else Ranked
        cells: dict[str, Any] = {name: np.asarray(column).tolist() for name, column in columns.items()}
        return tuple(
            kind(algorithm=pairs.algorithms[j], group=letters[j], **{name: column[j] for name, column in cells.items()})
            for j in order
        )

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Maximal groups that do not differ significantly; every pair that does not is in one."""
        if self.pairs.control is not None:
            return ()
        from podium.stats.posthoc.cliques import complete_groups

        better, names = self.pairs.better(self.alpha), self.pairs.algorithms
        place = {row.algorithm: row.mean_rank for row in self.ranking}
        ranks = np.array([place[name] for name in names])
        return complete_groups(better | better.T, mean_ranks=ranks, algorithms=names).groups

    @property
    def references(self) -> tuple[str, ...]:
        """The works behind what was done, each once."""
        results = (self.pairs, self.omnibus, self.practical, *self.other_tests, *self.trade_offs, self.order)
        results += tuple(extra.result for extra in self.extras)
        cited = [key for result in results for key in getattr(result, "references", ())]
        return tuple(dict.fromkeys((*cited, *self.sources)))

    @property
    def settings(self) -> dict[str, Any]:
        """The options that repeat the comparison on the same evidence; a generator cannot be written down."""
        rng = self.asked["rng"]
        kept = {name: value for name, value in self.asked.items() if name not in _NOT_REPEATED}
        return {**kept, "rng": rng if isinstance(rng, int) else None}

    @cached_property
    def quantity(self) -> Quantity:
        """How scores and differences are written: a metric without digits of its own has those of the gaps to the first."""
        own, pairs = self.own_quantity, self.pairs
        if own.decimals is not None or effect_kind(pairs.effect_name).relative:
            return own
        first = pairs.place(self.leader)
        of_first = np.flatnonzero((pairs.first == first) | (pairs.second == first))
        return own.column(pairs.estimates.of(of_first)[0].tolist())

    @property
    def difference(self) -> Quantity:
        """How the gaps of pairs are written: as the scores are, or in percent where an effect is a ratio."""
        return self.quantity.relative() if effect_kind(self.pairs.effect_name).relative else self.quantity

    @property
    def measured(self) -> str:
        """What scores measure, for a sentence."""
        return self.table.metric.display_name if self.quantity.label else "score"

    def missing_of_all(self, nouns: str) -> str:
        """How many of all scores, or what they are called, are missing, after a semicolon; or nothing."""
        count = len(self.facts.missing_scores)
        are = "is" if count == 1 else "are"
        return f"; {share_of(count, self.table.values.size)} {nouns} {are} missing" if count else ""

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
            return " after correction (step-down)"
        correction = registry.CORRECTIONS.get(self.pairs.correction)
        return f" after correction ({correction.plain})" if correction is not None and correction.phrase else ""

    @cached_property
    def better(self) -> Bools:
        """`[i, j]`: the i-th of the ranking is significantly better than the j-th."""
        places = [self.pairs.algorithms.index(name) for name in self.names]
        return self.pairs.better(self.alpha)[np.ix_(places, places)]

    def beats(self, name: str) -> list[str]:
        """Whom an algorithm is significantly better than, in the order of the ranking."""
        return [self.names[j] for j in np.flatnonzero(self.better[self.names.index(name)])]

    def beaten_by(self, name: str) -> list[str]:
        """Who is significantly better than an algorithm."""
        return [self.names[i] for i in np.flatnonzero(self.better[:, self.names.index(name)])]

    @property
    def significant_pairs(self) -> list[PairResult]:
        """The significant pairs, the winner first, in the order of the ranking."""
        return [self.pairs.pair(self.names[i], self.names[j]) for i, j in np.argwhere(self.better)]

    @cached_property
    def n_significant(self) -> int:
        """How many pairs are significant."""
        return int(self.better.sum())

    @property
    def undirected(self) -> list[int]:
        """The pairs whose test rejects, though it puts neither ahead, as the 5x2 cv F test can: nobody is better there."""
        return np.flatnonzero((self.pairs.adjusted <= self.alpha) & (self.pairs.side == 0)).tolist()

    @property
    def could_be_first(self) -> list[str]:
        """Those that no algorithm is significantly better than."""
        return [ranked.algorithm for ranked in self.ranking if ranked.rank_low == 1]

    @property
    def simultaneous(self) -> bool:
        """Whether the intervals are simultaneous."""
        return self.pairs.intervals == "simultaneous" and self.pairs.n_pairs > 1

    @property
    def all_equal(self) -> bool:
        """Whether every two scores that were compared are equal."""
        return bool((self.pairs.ties == self.pairs.n).all())

    @property
    def cannot_reach_alpha(self) -> bool:
        """Whether nothing can be significant, whatever the scores."""
        return self.smallest_possible > self.alpha

    @property
    def places_note(self) -> str:
        """What the rank ranges of a ranking mean."""
        return f"Rank range: where its true rank may lie, with {percent(1 - self.alpha)} simultaneous confidence."

    def comparison(self) -> Comparison:
        """Everything that was found, and how."""
        own = {
            "evidence": self.kept,
            "choices": tuple(self.choices.values()),
            "cost": None if self.asked["cost"] is None else self.costs,
            "cost_order": self.order,
            "remarks": self.reviewer.remarks(self, self.notes),
            "verdict": verdict_of(self),
            "methods_paragraph": f"{self.methods()} {made_with()}",
        }
        return Comparison(**own, **{e.name: getattr(self, e.name) for e in fields(Comparison) if e.name not in own})


def of_each(statistic: Callable[[Floats], Any], values: Floats) -> list[float]:
    """A statistic of each column, over the rows that it has."""
    return [float(statistic(column[~np.isnan(column)])) for column in values.T]
