"""The result of testing many pairs: one row per pair, whatever the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.core import numbers
from podium.core.arrays import Bools, Floats, Indices, Ints
from podium.core.metric import Metric
from podium.core.pairs import Pairs, swapped, turned_interval
from podium.evidence.evidence import MissingScore
from podium.stats import registry
from podium.stats.omnibus.blocks import left_out
from podium.stats.pairwise.pair_result import UNITS, PairResult, effect_kind

if TYPE_CHECKING:
    import pandas as pd

INTERVALS = ("simultaneous", "each")
EFFECT = ("effect", "low", "high")
Places = Indices | Sequence[int] | slice
ALONE = 5  # pairs that are estimated one by one; who asks for more is given all of them


class Estimates:
    """Effects and intervals of all pairs, computed when first asked for (half a million take seconds), or pickled.

    `make` gives those of the pairs whose places it takes, an array each; `left` says which pairs nobody asked for yet.
    """

    def __init__(self, make: Callable[[Places], tuple[Floats, ...]], n_pairs: int) -> None:
        self._make, self._asked = make, 0
        self._ends, self.left = np.empty((len(EFFECT), n_pairs)), np.ones(n_pairs, dtype=bool)

    @property
    def ends(self) -> tuple[Floats, ...]:
        """Effect, low end, high end."""
        return self.of(slice(None))

    def of(self, places: Places) -> tuple[Floats, ...]:
        """Those of the pairs in some places: a verdict needs one among thousands, its figure those of the leader."""
        if self.left[places].any():
            missing = np.arange(len(self.left))[places]
            self._asked += len(missing) == 1
            missing = np.flatnonzero(self.left) if self._asked > ALONE else missing[self.left[missing]]
            self._ends[:, missing] = self._make(missing)
            self.left[missing] = False
        return tuple(self._ends[:, places])

    def __reduce__(self) -> tuple[Callable[..., Estimates], tuple[Floats, ...]]:
        return _known, self.ends


def each_level(confidence: float, n_pairs: int, intervals: str) -> float:
    """How often each of m intervals may err: (1 - confidence) / m where they shall hold together.

    >>> round(each_level(0.95, 10, "simultaneous"), 4), round(each_level(0.95, 10, "each"), 4)
    (0.005, 0.05)
    """
    return (1 - confidence) / (max(n_pairs, 1) if intervals == "simultaneous" else 1)


def first_sign(*signs: npt.ArrayLike) -> Floats:
    """Pair by pair the sign of the first of these that is not 0: who is ahead, by the first that says so."""
    ahead = np.zeros(np.shape(signs[0]))
    for sign in signs:
        ahead = np.where(ahead == 0, np.sign(sign), ahead)
    return ahead


def _known(*ends: Floats) -> Estimates:
    return Estimates(lambda pairs: tuple(end[pairs] for end in ends), len(ends[0]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsResult(Pairs):
    """Every pair's statistic, raw and adjusted p-value, effect a - b with its interval, and wins, ties, losses of a.

    `n` counts the datasets (or folds) that each pair was compared on. Effects are in the metric's units (a - b, whichever
    direction is better); wins and `side` (1 where a is ahead by the test's own statistic, -1 where b is) follow the
    metric's direction. `missing` says what became of `missing_scores`, the missing cells: left out "pairwise", or with their whole
    dataset ("complete"), which `dropped` names. `options` are those of the test, `details` its special numbers.
    `mean_ranks` are those of the whole pool (`Table.mean_ranks`), on what the test looked at.

    `intervals` says what the confidence is about: all intervals at once ("simultaneous") or each one alone ("each"). Tukey's
    and Dunnett's tests have simultaneous intervals of their own; those of every other test have the confidence
    1 - (1 - confidence) / m each, for m pairs (Bonferroni). Such an interval excludes 0 only where the correction
    rejects too, but Holm's and others may reject where it does not: decisions are `adjusted <= alpha`, never the intervals.
    """

    JSON: ClassVar[Mapping[str, Any]] = {
        **dict.fromkeys(("a", "b"), list[str]), **dict.fromkeys(("effect", "low", "high"), Floats),
        **dict.fromkeys(("estimates", "first", "second", "turned", "methods")),
    }  # fmt: skip
    COLUMNS: ClassVar[tuple[str, ...]] = (
        "statistic", "pvalue", "adjusted", "effect", "low", "high", "wins", "ties", "losses", "n", "side",
    )  # fmt: skip
    TURNED: ClassVar[dict[str, tuple[int, str]]] = {
        "statistic": (1, "turned"), **turned_interval("effect"), **swapped("wins", "losses"), "side": (-1, "side"),
    }  # fmt: skip
    DIAGONAL: ClassVar[dict[str, float]] = {
        "pvalue": 1.0, "adjusted": 1.0, "wins": 0.0, "ties": 0.0, "losses": 0.0, "side": 0.0,
    }  # fmt: skip

    statistic: Floats
    turned: Floats  # the statistic with a and b changed over
    pvalue: Floats
    adjusted: Floats
    wins: Ints
    ties: Ints
    losses: Ints
    n: Ints
    side: Floats
    test: str
    method: str
    methods: npt.NDArray[np.str_] | None = None  # of each pair, where they differ
    alternative: str = "two-sided"
    correction: str
    equal_scores: str = "kept"
    options: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    missing: str = "pairwise"
    missing_scores: tuple[MissingScore, ...] = ()
    dropped: tuple[str, ...] = ()
    effect_name: str
    confidence: float
    intervals: str = "simultaneous"
    metric: Metric
    dataset: str | None = None
    mean_ranks: Floats
    estimates: Estimates

    @property
    def effect(self) -> Floats:
        """The estimated difference a - b of each pair."""
        return self.estimates.ends[0]

    @property
    def low(self) -> Floats:
        """The low end of each effect's interval."""
        return self.estimates.ends[1]

    @property
    def high(self) -> Floats:
        """The high end of each effect's interval."""
        return self.estimates.ends[2]

    def has_end(self, holds: Callable[[npt.ArrayLike], Bools]) -> bool:
        """Whether an end of any interval is so: where that of a pair with most datasets is, the others need not be made."""
        one = self.estimates.of([int(np.argmax(self.n))])
        return bool(holds(one[1:]).any() or holds((self.low, self.high)).any())

    @property
    def neutral(self) -> float:
        """What the effect is where nothing differs: 1 for a ratio, else 0."""
        return effect_kind(self.effect_name).neutral

    def turned_column(self, column: str) -> npt.NDArray[Any]:
        """One column over all pairs with a and b in each other's place; a ratio is then 1 / ratio."""
        turned = Pairs.turned_column(self, column)
        if column not in EFFECT or self.neutral == 0:
            return turned
        with np.errstate(divide="ignore"):
            return -1.0 / turned

    def matrix(self, column: str) -> Floats:
        """One column as a square array (algorithms x algorithms), nan for pairs that were not compared."""
        square = Pairs.matrix(self, column)
        if column in EFFECT:
            np.fill_diagonal(square, self.neutral)
        return square

    def better(self, alpha: float) -> Bools:
        """The decisions at a level: `[i, j]` is true where algorithm i is significantly better than j."""
        decided = self.adjusted <= alpha
        square = np.zeros((len(self.algorithms), len(self.algorithms)), dtype=bool)
        for ahead, (winner, loser) in ((1, (self.first, self.second)), (-1, (self.second, self.first))):
            chosen = decided & (self.side == ahead)
            square[winner[chosen], loser[chosen]] = True
        return square

    @property
    def confidence_each(self) -> float:
        """The confidence of each interval alone, by which they have `confidence` together (Bonferroni)."""
        return 1 - each_level(self.confidence, self.n_pairs, self.intervals)

    @property
    def ahead(self) -> Floats:
        """1 where a is ahead, -1 where b is: by the test, else by the effect, else by the wins; 0 where nothing says."""
        return first_sign(*self._signs())

    @property
    def disagree(self) -> Bools:
        """Where the test, the effect and the wins do not all point the same way; those that are 0 point nowhere.

        With many ties, frequent small wins and rare large losses, the rank sums can favour one and the counts the other.
        """
        signs = np.array(self._signs())
        return np.logical_and((signs > 0).any(axis=0), (signs < 0).any(axis=0))

    def winner_first(self) -> pd.DataFrame:
        """The rows of `to_frame` as they are shown: a is the one that is ahead, and the largest difference comes first.

        Who is ahead is said by the test (`ahead`), never by the effect alone; where the two `disagree`, the effect points
        the other way, and the pair stands low in the list.
        """
        turn = self.ahead < 0
        return self.oriented(turn, self._by_gain(turn))

    def leader_first(self, order: Sequence[str]) -> pd.DataFrame:
        """The rows of `to_frame` for a reader of a ranking: the first of this order against each of the others, then the closest.

        The first is always a; of the other pairs a is the one that is ahead, and the smallest difference comes first.
        """
        lead, ranks = self.place(order[0]), np.array([order.index(name) for name in self.algorithms])
        led = (self.first == lead) | (self.second == lead)
        size = np.nan_to_num(np.abs(self.effect - self.neutral), nan=np.inf)
        by = np.where(led, np.maximum(ranks[self.first], ranks[self.second]), size)
        return self.oriented(np.where(led, self.second == lead, self.ahead < 0), np.lexsort((self.adjusted, by, ~led)))

    def seen_from(self, algorithm: str) -> pd.DataFrame:
        """The pairs of one algorithm, which is always a; those where it is furthest ahead first."""
        return self._of(self.place(algorithm), self.second)

    def against(self, algorithm: str) -> pd.DataFrame:
        """The pairs of one algorithm, such as a control, which is always b; those furthest ahead of it first."""
        return self._of(self.place(algorithm), self.first)

    def _of(self, place: int, turned: Indices) -> pd.DataFrame:
        """The pairs of one algorithm; a and b change places where it is the one `turned`."""
        turn = turned == place
        order = self._by_gain(turn)
        return self.oriented(turn, order[((self.first == place) | (self.second == place))[order]])

    def _by_gain(self, turn: Bools) -> Indices:
        """The pairs by the gain of a over b, the largest first; where `turn` is true, a and b have changed places."""
        gain = self.metric.sign * np.where(turn, self.turned_column("effect"), self.effect)
        return np.lexsort((self.adjusted, -np.nan_to_num(gain, nan=-np.inf)))

    def _signs(self) -> tuple[Floats, ...]:
        """Who is ahead by the test, by the effect and by the wins: 1 is a, -1 is b, and 0 points nowhere."""
        effect = np.sign(self.metric.sign * np.nan_to_num(self.effect - self.neutral))
        return self.side, effect, np.sign(self.wins - self.losses).astype(np.float64)

    def pair(self, a: str, b: str) -> PairResult:
        """The test of the two, seen from a."""
        row, turned = self.position(a, b)
        alone = replace(self, estimates=_known(*self.estimates.of([row])))
        rest = [name for name in PairsResult.COLUMNS if name not in EFFECT]
        columns = {name: self.values(name, turned=turned)[row].item() + 0.0 for name in rest}
        columns |= {name: alone.values(name, turned=turned)[0].item() + 0.0 for name in EFFECT}
        counts = {name: int(columns.pop(name)) for name in ("wins", "ties", "losses", "n")}
        mirrored = {"less": "greater", "greater": "less"}
        special = {
            name: value[row].item() if np.shape(value) == self.pvalue.shape else value
            for name, value in self.details.items()
        }
        return PairResult(
            test=self.test,
            a=a,
            b=b,
            **columns,
            **counts,
            alternative=mirrored.get(self.alternative, self.alternative) if turned else self.alternative,
            method=self.method if self.methods is None else str(self.methods[row]),
            confidence=self.confidence,
            intervals=self.intervals,
            effect_name=self.effect_name,
            left_out=int(self.n.max()) - counts["n"],
            equal_scores=self.equal_scores,
            details=special,
            references=self.references,
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, with names for positions and the effects for what computes them."""
        fields = Pairs.to_dict(self)
        first = {name: fields.pop(name) for name in ("schema", "kind")}
        names = {"a": [self.algorithms[i] for i in self.first], "b": [self.algorithms[i] for i in self.second]}
        return {**first, **names, **fields}

    def summary(self) -> str:
        """The pairs in a sentence or two, and what does not follow."""
        method = registry.PAIRWISE.get(self.test)
        best = int(np.argmin(self.adjusted))
        against = f"against the control {self.control}" if self.control else f"of {len(self.algorithms)} algorithms"
        where = f" on {self.dataset}" if self.dataset else ""
        least, most = int(self.n.min()), int(self.n.max())
        span = f"{least}" if least == most else f"{least} to {most}"
        unit = UNITS[method.over] if method and method.over == "folds" else "datasets"
        equal = f"; equal scores: {self.equal_scores}" if self.equal_scores != "kept" and self.ties.any() else ""
        corrected = "not corrected" if self.correction == "none" else f"corrected by {self.correction}"
        said = numbers.format_pvalue(float(self.adjusted[best]), "p")
        wins = ", ".join(str(count[best]) for count in (self.wins, self.ties, self.losses))
        return (
            f"{numbers.counted(self.n_pairs, 'pair')} {against}{where}, each by {_label(self.test)} ({self.method}{equal}) "
            f"on {span} {unit}, p-values {corrected}: the smallest adjusted {said}, of "
            f"{self.algorithms[self.first[best]]} and {self.algorithms[self.second[best]]} (wins, ties, losses {wins}). "
            "No significant difference does not mean no difference."
            f"{f' {method.caution}' if method and method.of_pool else ''}{self._left_out()}"
        )

    def _left_out(self) -> str:
        if self.missing == "complete":
            return left_out(self.dropped)
        named = numbers.some(map(str, self.missing_scores), 8)
        return f" Missing scores were left out pair by pair: {named}." if self.missing_scores else ""


def _label(test: str) -> str:
    """The name of a test within a sentence."""
    label = registry.PAIRWISE[test].label if test in registry.PAIRWISE else test
    return label[0].lower() + label[1:] if label.startswith("The ") else label
