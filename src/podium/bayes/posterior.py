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

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError, MissingPackageError
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Draws",
    "Floats",
    "PairPosterior",
    "PairsPosterior",
    "SharePosterior",
    "SharesPosterior",
    "percent",
    "rope_width",
    "to_inference_data",
]

Floats = npt.NDArray[np.float64]
Draws = Mapping[str, Floats]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairPosterior(Result):
    """What one model says of two algorithms. Gains are of `a` over `b`: see the module for left and right.

    `difference` is the expected gain of a over b, `low` and `high` its central interval of probability
    `credibility`. `n` counts the datasets (or folds) used, `missing` those left out because a score was
    missing. `draws` holds named arrays whose first axis is the draw. `warnings` are sentences.
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
    missing: int
    method: str
    warnings: tuple[str, ...] = ()
    draws: Draws = field(default_factory=dict, repr=False)

    def summary(self) -> str:
        """What the probabilities say, for a reader who is no statistician."""
        return _sentence(self)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, without the draws."""
        return _without_draws(Result.to_dict(self))

    def to_arviz(self) -> Any:
        """The draws as ArviZ inference data, for its plots and diagnostics (needs the package `arviz`)."""
        return to_inference_data(self.draws)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsPosterior(Result):
    """What one model says of all pairs of algorithms; arrays run over `pairs`, as in `PairPosterior`."""

    model: str
    algorithms: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    rope: float
    p_left: Floats
    p_rope: Floats
    p_right: Floats
    difference: Floats
    low: Floats
    high: Floats
    credibility: float
    n: npt.NDArray[np.int64]
    missing: npt.NDArray[np.int64]
    method: str
    warnings: tuple[str, ...] = ()
    draws: Draws = field(default_factory=dict, repr=False)

    def pair(self, a: str, b: str) -> PairPosterior:
        """The posterior of one pair, turned round if need be, so that gains are of `a` over `b`."""
        for name in (a, b):
            check.member("algorithm", name, self.algorithms)
        if a == b:
            raise ArgumentError(f"A pair needs two different algorithms; got {a!r} twice.")
        turned = (a, b) not in self.pairs
        k = self.pairs.index((b, a) if turned else (a, b))
        left, right = float(self.p_left[k]), float(self.p_right[k])
        middle, low, high = float(self.difference[k]), float(self.low[k]), float(self.high[k])
        return PairPosterior(
            model=self.model,
            a=a,
            b=b,
            rope=self.rope,
            p_left=right if turned else left,
            p_rope=float(self.p_rope[k]),
            p_right=left if turned else right,
            difference=-middle if turned else middle,
            low=-high if turned else low,
            high=-low if turned else high,
            credibility=self.credibility,
            n=int(self.n[k]),
            missing=int(self.missing[k]),
            method=self.method,
            warnings=self.warnings,
            references=self.references,
        )

    def matrix(self, what: str = "p_right") -> Floats:
        """Algorithms x algorithms: `what` of (row, column) with the row as a; nan on the diagonal.

        `what` is "p_right" (the row is practically better), "p_rope", "p_left" or "difference".
        """
        check.choice("what", what, ("p_left", "p_rope", "p_right", "difference"))
        filled = np.full((len(self.algorithms),) * 2, np.nan)
        rows, columns = self._positions()
        mirror = {"p_left": self.p_right, "p_rope": self.p_rope, "p_right": self.p_left, "difference": -self.difference}
        filled[rows, columns] = getattr(self, what)
        filled[columns, rows] = mirror[what]
        return filled

    def _positions(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        place = {name: i for i, name in enumerate(self.algorithms)}
        rows = np.array([place[a] for a, _ in self.pairs], dtype=np.intp)
        return rows, np.array([place[b] for _, b in self.pairs], dtype=np.intp)

    def to_frame(self) -> pd.DataFrame:
        """One row per pair: a, b, p_left, p_rope, p_right, difference, low, high, n, missing."""
        import pandas as pd

        names = ("p_left", "p_rope", "p_right", "difference", "low", "high", "n", "missing")
        frame = pd.DataFrame({name: getattr(self, name) for name in names})
        frame.insert(0, "a", [a for a, _ in self.pairs])
        frame.insert(1, "b", [b for _, b in self.pairs])
        return frame

    def summary(self) -> str:
        """How many pairs differ, are equivalent or stay open at a probability of 95 %."""
        matter = int((np.maximum(self.p_left, self.p_right) > 0.95).sum())
        same = int((self.p_rope > 0.95).sum()) if self.rope > 0 else 0
        rest = len(self.pairs) - matter - same
        return (
            f"{self.model}, rope {self.rope:g}: of {len(self.pairs)} pairs, {matter} differ by more than the rope and "
            f"{same} are practically equivalent with a probability above 95 %; {rest} stay open. "
            "An open pair is not an equivalent one."
        )

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, without the draws."""
        return _without_draws(Result.to_dict(self))

    def to_arviz(self) -> Any:
        """The draws as ArviZ inference data, for its plots and diagnostics (needs the package `arviz`)."""
        return to_inference_data(self.draws)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharePosterior(PairPosterior):
    """A pair over a population of datasets: p_left, p_rope, p_right say which outcome is the most frequent one.

    The outcomes on datasets have unknown frequencies (b better, within the rope, a better): `p_right` is the
    probability that "a better" is the most frequent of the three, and `share_right` its expected frequency,
    which is also the probability that a is practically better on the next dataset.
    """

    share_left: float
    share_rope: float
    share_right: float

    def summary(self) -> str:
        """The most frequent outcome over datasets, and what to expect of the next one."""
        same = f", practically equivalent {percent(self.p_rope)}" if self.p_rope > 0 or self.rope > 0 else ""
        return (
            f"Over datasets like these (rope {self.rope:g}), the most frequent outcome is {self.a} better with "
            f"probability {percent(self.p_right)}, {self.b} better {percent(self.p_left)}{same}. On the next dataset "
            f"the chance that the difference matters is {percent(self.share_left + self.share_right)} ({self.a} better "
            f"{percent(self.share_right)}, {self.b} better {percent(self.share_left)}). {_gain(self)}. {_caveat(self)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharesPosterior(PairsPosterior):
    """All pairs over a population of datasets: see `SharePosterior`."""

    share_left: Floats
    share_rope: Floats
    share_right: Floats

    def to_frame(self) -> pd.DataFrame:
        """One row per pair, with the expected shares of datasets last."""
        frame = PairsPosterior.to_frame(self)
        return frame.assign(share_left=self.share_left, share_rope=self.share_rope, share_right=self.share_right)


def _without_draws(fields: dict[str, Any]) -> dict[str, Any]:
    fields.pop("draws")
    return fields


def _sentence(pair: PairPosterior) -> str:
    """The sentence of a pair: which outcome is how probable, and what does not follow."""
    if pair.rope > 0:
        matters = pair.p_left + pair.p_right
        start = (
            f"The chance that the difference between {pair.a} and {pair.b} matters (exceeds {pair.rope:g}) is "
            f"{percent(matters)}: {pair.a} better {percent(pair.p_right)}, {pair.b} better {percent(pair.p_left)}, "
            f"practically equivalent {percent(pair.p_rope)}"
        )
    else:
        tied = f", equal {percent(pair.p_rope)}" if pair.p_rope > 0 else ""
        start = (
            f"{pair.a} is better with probability {percent(pair.p_right)}, {pair.b} with {percent(pair.p_left)}{tied}"
        )
    return f"{start}. {_gain(pair)}. {_caveat(pair)}"


def _gain(pair: PairPosterior) -> str:
    gain = f"{pair.difference:.4g} ({percent(pair.credibility)} interval {pair.low:.4g} to {pair.high:.4g})"
    return f"The expected gain of {pair.a} over {pair.b} is {gain}"


def _caveat(pair: PairPosterior) -> str:
    largest = max(pair.p_left, pair.p_rope, pair.p_right)
    if largest < 0.95:
        return "None of these is near certainty: the data leave it open, which is not the same as equivalence."
    if pair.rope == 0:
        return "Better does not mean better by an amount that matters: for that, give a rope."
    return "This holds for datasets like these, under this model and its prior."


def percent(probability: float) -> str:
    """A probability for a sentence; never "0 %" or "100 %" for what is not certain.

    >>> percent(0.123), percent(0.9999), percent(0.00001), percent(1.0)
    ('12.3 %', '> 99.9 %', '< 0.1 %', '100 %')
    """
    if 0 < probability < 0.001:
        return "< 0.1 %"
    if 0.999 < probability < 1:
        return "> 99.9 %"
    return f"{100 * probability:.3g} %"


def rope_width(rope: Any) -> float:
    """The half-width of the region of practical equivalence: a number from 0, or a result of `rope_from_...`."""
    return check.nonnegative("rope", getattr(rope, "rope", rope))


def to_inference_data(draws: Draws, *, chains: int = 1) -> Any:
    """Named draws as ArviZ's container; draws of several chains must follow each other, chain by chain."""
    try:
        import arviz
    except ImportError:
        raise MissingPackageError("arviz", "InferenceData") from None
    if not draws:
        raise ArgumentError("This result carries no draws: take the result of the model, not of one pair of many.")
    shaped = {name: np.reshape(values, (chains, -1, *values.shape[1:])) for name, values in draws.items()}
    if int(arviz.__version__.split(".")[0]) >= 1:
        return arviz.from_dict({"posterior": shaped})
    return arviz.from_dict(posterior=shaped)
