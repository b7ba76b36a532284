"""The one shape of every Bayesian answer: left, rope, right; expected difference; interval; draws; warnings.

Every difference is a *gain of a over b*: positive where a is better, whatever the direction of the metric, in
the metric's units. So, everywhere in Podium:

    p_right   the probability that a is practically better: the gain exceeds the rope
    p_rope    the probability that the two are practically equivalent: the gain lies within the rope
    p_left    the probability that b is practically better: the gain is below minus the rope

baycomp subtracts the other way round (second minus first): its (left, rope, right) of the pair (a, b) is
Podium's (p_right, p_rope, p_left).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from podium.bayes.diagnostics import Diagnostics
from podium.bayes.registry import CASE_MODELS, known_model
from podium.core import check, numbers
from podium.core.arrays import Bools, Floats, Ints
from podium.core.errors import ArgumentError
from podium.core.pairs import Pairs, pair_indices, swapped, turned_interval
from podium.core.quantity import Quantity
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

Draws = Mapping[str, Floats]
NAN = float("nan")
AT_ONCE = 20_000_000  # draws of pairs or of weights: 160 MB
SIDES = ("left", "rope", "right")


class _Drawn(Result):
    """What the answers for two and for all pairs share."""

    __slots__ = ()
    JSON: ClassVar[Mapping[str, Any]] = {"draws": None}
    model: str
    details: Mapping[str, Any]
    draws: Draws

    @property
    def title(self) -> str:
        """The name of the model as it begins a sentence, with its dataset where it is of one."""
        on = f" on {self.details['dataset']}" if "dataset" in self.details else ""
        return f"{known_model(self.model).label}{on}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairPosterior(_Drawn):
    """What one model says of two algorithms. Gains are of `a` over `b`: see the module for left and right.

    `difference` is the expected gain of a over b, `low` and `high` its central interval of probability
    `credibility`. `n` counts the datasets (or folds) used, `left_out` those without a score of both.

    Models of a population of datasets (sign, signed rank, hierarchical) have `share_left`, `share_rope` and
    `share_right`: how frequent each outcome is expected to be, which is also its probability on the next dataset. Their
    `p_right` is the probability that "a better" is the most frequent of the three. For other models shares are nan.

    `details` are the numbers of this model only, `draws` named arrays whose first axis is the draw, `warnings` sentences.
    """

    model: str
    a: str
    b: str
    rope: float
    p_left: float
    p_rope: float
    p_right: float
    difference: float
    low: float
    high: float
    credibility: float
    n: int
    left_out: int
    share_left: float = NAN
    share_rope: float = NAN
    share_right: float = NAN
    method: str
    warnings: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    draws: Draws = field(default_factory=dict, repr=False)

    def summary(self) -> str:
        """What the probabilities say, for a reader who is no statistician."""
        return self.summary_in(Quantity())

    def summary_in(self, quantity: Quantity) -> str:
        """The same, with rope and gains as the quantity is written."""
        start = (_outcome if np.isnan(self.share_rope) else _most_frequent)(self, quantity)
        interval = f"{numbers.percent(self.credibility)} interval {quantity.precise(self.low, self.high)}"
        gain = f"{quantity.precise(self.difference)} ({interval})"
        return f"{start}. The expected gain of {self.a} over {self.b} is {gain}. {_caveat(self)}{_warned(self)}"

    def datasets_frame(self) -> pd.DataFrame:
        """One row per dataset that the hierarchical model used: observed and shrunk gain, interval, probabilities."""
        import pandas as pd

        if "datasets" not in self.details:
            raise ArgumentError(f"Only the hierarchical model says something of each dataset; this is: {self.title}.")
        names = {"observed": "observed", "shrunk": "shrunk", "shrunk_low": "low", "shrunk_high": "high"}
        columns = {short: self.details[name] for name, short in names.items()}
        rows = {"dataset": self.details["datasets"], **columns, **triple("p", self.details["regions"])}
        return pd.DataFrame(rows).dropna(ignore_index=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsPosterior(_Drawn, Pairs):
    """What one model says of all pairs of algorithms; arrays run over the pairs, with the fields of `PairPosterior`.

    `details` speak of the whole model, `pair_details` have one entry per pair: `pair(a, b)` has both.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = (
        "p_left", "p_rope", "p_right", "difference", "low", "high", "n", "left_out", "share_left", "share_rope",
        "share_right",
    )  # fmt: skip
    TURNED: ClassVar[dict[str, tuple[int, str]]] = {
        **swapped("p_left", "p_right"), **turned_interval("difference"), **swapped("share_left", "share_right"),
    }  # fmt: skip

    model: str
    rope: float
    p_left: Floats
    p_rope: Floats
    p_right: Floats
    difference: Floats
    low: Floats
    high: Floats
    credibility: float
    n: Ints
    left_out: Ints
    share_left: Floats
    share_rope: Floats
    share_right: Floats
    method: str
    warnings: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    pair_details: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    draws: Draws = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, model: str, algorithms: tuple[str, ...], **fields: Any) -> Self:
        """All pairs of the algorithms under a model of the registry; shares are nan unless they are given."""
        first, second = pair_indices(len(algorithms))
        shares = triple("share", np.full((len(first), 3), NAN))
        return cls(
            model=model,
            algorithms=algorithms,
            first=first,
            second=second,
            references=known_model(model).references,
            **{**shares, **fields},
        )

    def pair(self, a: str, b: str) -> PairPosterior:
        """The posterior of one pair, turned round if need be, so that gains are of `a` over `b`; without draws."""
        row, turned = self.position(a, b)
        columns: dict[str, Any] = {name: float(self.values(name, turned=turned)[row]) for name in self.COLUMNS}
        columns |= {name: int(columns[name]) for name in ("n", "left_out")}
        own = {name: values[row] for name, values in self.pair_details.items()}
        details = {**self.details, **own}
        same = ("model", "rope", "credibility", "method", "warnings", "references")
        return PairPosterior(
            a=a,
            b=b,
            **columns,
            details=_turned(details) if turned else details,
            **{name: getattr(self, name) for name in same},
        )

    def to_frame(self) -> pd.DataFrame:
        """One row per pair: a, b, and every column that the model has."""
        frame = Pairs.to_frame(self)
        return frame.drop(columns=[f"share_{side}" for side in SIDES]) if np.isnan(self.share_rope).all() else frame

    def winner_first(self) -> pd.DataFrame:
        """The rows of `to_frame` as they are shown: a is the one that is more probably better, the largest difference first."""
        turn = self.p_left > self.p_right
        frame = self.oriented(turn, np.argsort(-np.abs(np.nan_to_num(self.difference)), kind="stable"))
        kept = self.to_frame().columns.drop(["p_left", "p_rope", "p_right"]).tolist()
        return frame[[*kept[:2], "p_right", "p_rope", "p_left", *kept[2:]]]

    def tables(self) -> dict[str, pd.DataFrame]:
        """The pairs, the largest difference first."""
        return {"result": self.winner_first()}

    def summary(self) -> str:
        """How many pairs differ, are equivalent or undecided at a probability of 95%; the outcomes of a pair that is alone."""
        if self.n_pairs == 1:
            names = self.algorithms if self.p_right[0] >= self.p_left[0] else self.algorithms[::-1]
            return f"{self.pair(*names).summary()}{self._remarks()}"
        matter = int(((np.maximum(self.p_left, self.p_right) > 0.95) & apart_enough(self, 0.95)).sum())
        same = int((self.p_rope > 0.95).sum()) if self.rope > 0 else 0
        left, width = self.n_pairs - matter - same, known_model(self.model).width
        counts = [
            f"{matter or 'none'} of {numbers.counted(self.n_pairs, 'pair')} {'differs' if matter < 2 else 'differ'} by more than the {width}",
            *([f"{same or 'none'} {'is' if same < 2 else 'are'} practically equivalent"] if self.rope > 0 else []),
        ]
        undecided = (
            f"{left} {'is' if left == 1 else 'are'} undecided, which is not the same as equivalent"
            if left
            else "none is undecided"
        )
        return f"{self.title}, {_width(self)}: with a probability above 95%, {', '.join(counts)}, and {undecided}.{self._remarks()}{_warned(self)}"

    def _remarks(self) -> str:
        """What a reader should know besides: no rope, the prior, how well the model fits."""
        width = known_model(self.model).width
        said = [] if self.rope > 0 or self.n_pairs == 1 else [f"Without a {width}, better means better by any amount."]
        said += [_prior(self.details)] if "place" in self.details else []
        if note := self.details.get("predictive_note", ""):
            pvalue = self.details["predictive_pvalue"]
            said.append(note if np.isnan(pvalue) else f"{note} Here: {numbers.number(pvalue)}.")
        return "".join(f" {sentence}" for sentence in said)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EffectsPosterior(PairsPosterior):
    """A model of all algorithms at once: all pairs, and for each algorithm its effect and its place.

    `effects` are gains over the mean of the algorithms (abilities on the logit scale in the Bradley-Terry model),
    with intervals; `p_best[i]` is the probability that algorithm i has the largest effect,
    `rank_probabilities[i, r]` that it has rank r + 1.
    """

    effects: Floats
    effect_low: Floats
    effect_high: Floats
    p_best: Floats
    rank_probabilities: Floats
    diagnostics: Diagnostics

    def tables(self) -> dict[str, pd.DataFrame]:
        """The pairs, and the algorithms."""
        return {"result": self.winner_first(), "algorithms": self.effects_frame()}

    def effects_frame(self) -> pd.DataFrame:
        """One row per algorithm, the best first: effect, low, high, p_best, expected rank."""
        import pandas as pd

        columns = {
            "algorithm": self.algorithms,
            "effect": self.effects,
            "low": self.effect_low,
            "high": self.effect_high,
            "p_best": self.p_best,
            "expected_rank": self.rank_probabilities @ np.arange(1, len(self.algorithms) + 1),
        }
        return pd.DataFrame(columns).sort_values("effect", ascending=False, ignore_index=True)


def apart_enough(result: PairPosterior | PairsPosterior, probability: float) -> Bools:
    """Where a difference exceeds what the largest of all pairs would by chance; everywhere for models that have all pairs in view."""
    details = {**result.details, **getattr(result, "pair_details", {})}
    apart = np.atleast_1d(details.get("apart", np.inf))
    if np.isinf(apart).all():
        return np.ones(apart.shape, dtype=bool)
    from scipy.stats import studentized_range

    needed = float(studentized_range.ppf(probability, details["algorithms"], np.inf)) / np.sqrt(2)
    return np.asarray(apart > needed)


def triple(name: str, values: Floats) -> dict[str, Floats]:
    """The three columns name_left, name_rope and name_right of an array with three columns."""
    return {f"{name}_{side}": column for side, column in zip(SIDES, values.T, strict=True)}


def stacked(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Fields of a `PairsPosterior` from the numbers of each pair: what is no column is a detail of the pair."""
    columns = {name: np.array([row.get(name, NAN) for row in rows]) for name in PairsPosterior.COLUMNS}
    own = [name for name in rows[0] if name not in (*columns, "warnings")]
    warnings = dict.fromkeys(sentence for row in rows for sentence in row["warnings"])
    details = {name: np.array([row[name] for row in rows]) for name in own}
    return {**columns, "warnings": tuple(warnings), "pair_details": details}


def effects_of(draws: Floats, credibility: float) -> dict[str, Floats]:
    """Fields of an `EffectsPosterior` from draws x algorithms of their effects.

    >>> drawn = np.array([[3.0, 1.0], [2.0, 5.0], [4.0, 0.0], [9.0, 1.0]])
    >>> effects_of(drawn, 0.95)["rank_probabilities"]
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    low, high = central(draws, credibility)
    place = np.argsort(np.argsort(-draws, axis=1), axis=1)
    count = draws.shape[1]
    ranks = np.stack([np.bincount(place[:, i], minlength=count) for i in range(count)]) / len(draws)
    return {
        "effects": draws.mean(axis=0),
        "effect_low": low,
        "effect_high": high,
        "p_best": ranks[:, 0],
        "rank_probabilities": ranks,
    }


def central(draws: Floats, credibility: float) -> Floats:
    """The ends of the central interval over the first axis."""
    tail = (1 - check.fraction("credibility", credibility)) / 2
    return np.quantile(draws, [tail, 1 - tail], axis=0)


def fractions(draws: Floats, rope: float) -> Floats:
    """Columns x (left, rope, right): the fractions of draws (first axis) below, within and above the rope."""
    left, right = (draws < -rope).mean(axis=0), (draws > rope).mean(axis=0)
    return np.column_stack([left, (np.abs(draws) <= rope).mean(axis=0), right])


def of_all_gaps(
    draws: Floats, rope: float, credibility: float, measure: Callable[[Floats], Floats] = lambda gaps: gaps
) -> tuple[Floats, ...]:
    """Of a measure of the gaps between any two columns of draws: the `fractions`, the mean, and the ends of the central interval.

    >>> fractions_of, mean, low, high = of_all_gaps(np.array([[3.0, 1.0], [2.0, 5.0]]), 0.5, 0.5)
    >>> fractions_of.tolist(), mean.tolist(), low.tolist(), high.tolist()
    ([[0.5, 0.0, 0.5]], [-0.5], [-1.75], [0.75])
    """
    first, second = pair_indices(draws.shape[1])
    parts = []
    for some in np.array_split(np.arange(len(first)), -(-len(first) * len(draws) // AT_ONCE)):
        gaps = measure(draws[:, first[some]] - draws[:, second[some]])
        parts.append((fractions(gaps, rope), gaps.mean(axis=0), *central(gaps, credibility)))
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


def regions(left: Floats, right: Floats, *, wide: bool = True) -> Floats:
    """Pairs (or points) x (left, rope, right), from the probabilities of the two sides; nothing lies in a rope of width 0."""
    return np.column_stack([left, np.maximum(0.0, 1 - left - right) if wide else np.zeros_like(left), right])


def quantiles(below: Callable[[Floats], Floats], level: float, low: Floats, high: Floats, rounds: int) -> Floats:
    """The quantiles of several laws at once, by so many bisections of their distribution functions between two ends."""
    for _ in range(rounds):
        middle = 0.5 * (low + high)
        short = below(middle) < level
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.asarray(0.5 * (low + high))


def rope_width(rope: Any) -> float:
    """The half-width of the region of practical equivalence: a number from 0, or a result of `rope_from_...`."""
    return check.nonnegative("rope", getattr(rope, "rope", rope))


_MIRRORED = {"left": "right", "right": "left"}
# Details that are gains of a over b, and which of them each becomes, with its sign changed, when the two change places.
_GAINS = {"observed": "observed", "shrunk": "shrunk", "shrunk_low": "shrunk_high", "shrunk_high": "shrunk_low"}
_GAINS |= {"alone_low": "alone_high", "alone_high": "alone_low"}


def _turned(details: Mapping[str, Any]) -> dict[str, Any]:
    """The details as seen from b: gains change their sign, left and right change places."""
    turned = {**details, **{name: -details[other] for name, other in _GAINS.items() if name in details}}
    turned |= {name: details[name][..., ::-1] for name in ("counts", "regions") if name in details}
    if "place" in details:
        turned["place"] = _MIRRORED.get(details["place"], details["place"])
    return turned


def _width(result: PairPosterior | PairsPosterior) -> str:
    """What counts as equivalent: a rope in the metric's units, or a band of probabilities beside a rope for ties."""
    width = numbers.number(result.rope, 4)
    if known_model(result.model).width == "rope":
        return f"rope {width}"
    ties = result.details.get("tie_rope", 0.0)
    rope = f"; scores that differ by at most the rope {numbers.number(ties, 4)} tie" if ties else ""
    return f"band 1/2 ± {width} of the probability to win{rope}"


def _outcome(pair: PairPosterior, quantity: Quantity) -> str:
    """Which outcome is how probable."""
    said = numbers.percent
    if pair.rope > 0:
        in_units = known_model(pair.model).width == "rope"
        limit = quantity.precise(pair.rope) if in_units else f"the {_width(pair)}"
        return (
            f"The chance that the difference between {pair.a} and {pair.b} matters (exceeds "
            f"{limit}) is {said(pair.p_left + pair.p_right)}: {pair.a} better "
            f"{said(pair.p_right)}, {pair.b} better {said(pair.p_left)}, practically equivalent {said(pair.p_rope)}"
        )
    tied = f", equal {said(pair.p_rope)}" if pair.p_rope > 0 else ""
    return f"{pair.a} is better with probability {said(pair.p_right)}, {pair.b} with {said(pair.p_left)}{tied}"


def _most_frequent(pair: PairPosterior, quantity: Quantity) -> str:
    """The most frequent outcome over datasets, and what to expect of the next one."""
    said, noun = numbers.said_probability, _noun(pair)
    same = "practically equivalent" if pair.rope > 0 else "equal"

    def outcomes(left: float, within: float, right: float) -> str:
        tied = f", {same} {said(within)}" if within > 0 or pair.rope > 0 else ""
        return f"{pair.a} better {said(right)}, {pair.b} better {said(left)}{tied}"

    often = (
        f"What happens most often on {noun}s like these (rope {quantity.precise(pair.rope)}), with its probability: "
        f"{outcomes(pair.p_left, pair.p_rope, pair.p_right)}. On the next {noun}"
    )
    if pair.rope == 0:  # nothing was said about what matters
        return f"{often}: {outcomes(pair.share_left, pair.share_rope, pair.share_right)}"
    return (
        f"{often} the chance that the difference matters is {said(pair.share_left + pair.share_right)} ({pair.a} better "
        f"{said(pair.share_right)}, {pair.b} better {said(pair.share_left)})"
    )


def _caveat(pair: PairPosterior) -> str:
    if max(pair.p_left, pair.p_rope, pair.p_right) < 0.95:
        return "None of these is near certainty: the data leave it open, which is not the same as equivalence."
    if pair.rope == 0:
        return "Better does not mean better by an amount that matters: for that, give a rope."
    about = "this dataset only" if known_model(pair.model).over == "folds" else f"{_noun(pair)}s like these"
    return f"This is about {about}, under this model and its prior."


MOST_WARNINGS = 5  # told one by one


def _warned(result: PairPosterior | PairsPosterior) -> str:
    """The warnings as further sentences; the last of very many are only counted."""
    first, more = result.warnings[:MOST_WARNINGS], len(result.warnings) - MOST_WARNINGS
    rest = (f"{numbers.counted(more, 'more warning')}: see `warnings`.",) if more > 0 else ()
    return "".join(f" {sentence}" for sentence in (*first, *rest))


def _prior(details: Mapping[str, Any]) -> str:
    """What the prior observation of a Dirichlet process is worth, and where it stands."""
    where = {"left": "the second is better", "rope": "neither is better", "right": "the first is better"}
    worth = numbers.as_given(details["prior"])
    return (
        f"The prior weighs as much as {worth} dataset{'' if worth == '1' else 's'} on which {where[details['place']]}."
    )


def _noun(pair: PairPosterior) -> str:
    """What one unit of evidence is called: a dataset unless the model or its user says otherwise."""
    return str(pair.details.get("noun", "case" if pair.model in CASE_MODELS else "dataset"))
