"""Decisions from posteriors: a separate, pure step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.bayes.posterior import PairPosterior, PairsPosterior, apart_enough
from podium.core import check
from podium.core.arrays import Floats
from podium.core.numbers import counted, number, some
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BayesDecisions(Result):
    """One verdict per pair: "a", "b", "equivalent" or "undecided", by the rule that `rule` tells.

    `value` is the probability behind the verdict (of the most probable outcome where undecided), which must exceed
    `probability`; `differences` are those of the posterior.
    """

    pairs: tuple[tuple[str, str], ...]
    verdicts: tuple[str, ...]
    value: Floats
    differences: Floats
    probability: float
    rule: str
    rope: float
    references: tuple[str, ...] = ("kruschke2018", "benavoli2017")

    title = "Decisions"

    @property
    def adds(self) -> bool:
        """Whether it says more than the posterior does, which counts the pairs at 95%."""
        return self.probability != 0.95

    def winner(self, a: str, b: str) -> str | None:
        """The name of the better of two, or None where the verdict names none."""
        k = self.pairs.index((a, b) if (a, b) in self.pairs else (b, a))
        return {"a": self.pairs[k][0], "b": self.pairs[k][1]}.get(self.verdicts[k])

    def columns(self) -> dict[str, Any]:
        """One row per pair: a, b, verdict, value."""
        rows = {"a": [a for a, _ in self.pairs], "b": [b for _, b in self.pairs]}
        return {**rows, "verdict": self.verdicts, "value": self.value}

    def tables(self) -> dict[str, pd.DataFrame]:
        """The pairs that are decided (all of them if none is), as the posterior shows them: the largest difference first."""
        frame = self.to_frame()
        turned = self.differences < 0
        frame.loc[turned, ["a", "b"]] = frame.loc[turned, ["b", "a"]].to_numpy()
        named = [{"a": a, "b": b}.get(word, word) for (a, b), word in zip(self.pairs, self.verdicts, strict=True)]
        frame = frame.assign(verdict=named).iloc[np.argsort(-np.abs(np.nan_to_num(self.differences)), kind="stable")]
        decided = frame[frame["verdict"] != "undecided"]
        return {"result": decided if len(decided) else frame}

    def summary(self) -> str:
        """The verdicts counted, or the only one told."""
        counts = {word: self.verdicts.count(word) for word in ("a", "b", "equivalent", "undecided")}
        if len(self.pairs) == 1:
            return f"{self._only()} ({self.rule}; here {_told(float(self.value[0]))})."
        differ = f"Of {len(self.pairs)} pairs, {_number_of(counts['a'] + counts['b'], 'differs', 'differ')}"
        undecided = (
            f"{_number_of(counts['undecided'], 'is', 'are')} undecided ({self.rule}); undecided is not equivalent."
        )
        if self.rope == 0:
            return f"{differ}, by however little, {undecided}"
        equivalent = f"{_number_of(counts['equivalent'], 'is', 'are')} practically equivalent"
        return f"{differ} in practice, {equivalent}, {undecided}"

    def _only(self) -> str:
        """The verdict on the only pair; without a rope nothing is said of practice."""
        (a, b), verdict = self.pairs[0], self.verdicts[0]
        how, by = ("practically ", "") if self.rope > 0 else ("", ", by however little")
        return {
            "a": f"{a} is {how}better than {b}{by}",
            "b": f"{b} is {how}better than {a}{by}",
            "equivalent": f"{a} and {b} are practically equivalent",
            "undecided": f"{a} and {b} are undecided, which is not the same as equivalent",
        }[verdict]


def disagreement(decisions: BayesDecisions, others: BayesDecisions, label: str) -> str:
    """A sentence on the pairs that another model decides differently; nothing where there are none."""
    known = dict(zip(others.pairs, others.verdicts, strict=True))
    differ = [
        pair
        for pair, verdict in zip(decisions.pairs, decisions.verdicts, strict=True)
        if known.get(pair, verdict) != verdict
    ]
    if not differ:
        return ""
    named = some([" and ".join(pair) for pair in differ], 3)
    return f"The {label} decides differently on {counted(len(differ), 'pair')} of {len(decisions.pairs)}: {named}."


def decide(result: PairPosterior | PairsPosterior, *, probability: float = 0.95) -> BayesDecisions:
    """A verdict for each pair if one outcome is more probable than `probability`; otherwise "undecided".

    A rope of width 0 never gives "equivalent", and algorithms with identical scores never a winner. In the Bradley-Terry model
    a difference must also exceed the studentised range of all pairs: of ten equal algorithms some pair nearly always has a
    probability above 0.95.

    Parameters
    ----------
    result : PairPosterior or PairsPosterior
        The posterior of a pair or of all pairs.
    probability : float, default 0.95
        A verdict needs a probability above this, at least 0.5.

    Returns
    -------
    BayesDecisions
        One verdict per pair: "a", "b", "equivalent" or "undecided".

    Examples
    --------
    >>> from podium.bayes import pass_fail
    >>> decide(pass_fail(30, 12, 100, rope=0.01)).verdicts
    ('a',)
    """
    check.fraction("probability", probability)
    if probability < 0.5:
        raise check.refused("probability", probability, "must be at least 0.5: two outcomes cannot both be decided")
    chances = _chances(result)
    if result.rope == 0:
        chances[:, 1] = 0.0
    best = chances.argmax(axis=1)
    value = chances.max(axis=1)
    words = np.array(["b", "equivalent", "a"])[best]
    decided = (value > probability) & (apart_enough(result, probability) | (best == 1))
    verdicts = tuple(str(w) if sure else "undecided" for w, sure in zip(words, decided, strict=True))
    rule = f"probability above {number(probability)}"
    rule += ", and differences beyond the largest of all pairs by chance" * ("wins" in result.details)
    return BayesDecisions(
        pairs=_pairs(result),
        verdicts=verdicts,
        value=value,
        differences=np.atleast_1d(np.asarray(result.difference, dtype=np.float64)),
        probability=probability,
        rule=rule,
        rope=result.rope,
    )


def _number_of(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}"


def _told(value: float) -> str:
    """A probability in a sentence; 1 only where it is."""
    text = number(value, 4)
    return "above 0.9999" if text == "1" and value < 1 else text


def _chances(result: PairPosterior | PairsPosterior) -> Floats:
    if not isinstance(result, PairPosterior | PairsPosterior):
        raise check.refused("result", result, "must be the result of a Bayesian model")
    columns = [np.atleast_1d(np.asarray(p, dtype=np.float64)) for p in (result.p_left, result.p_rope, result.p_right)]
    return np.column_stack(columns)


def _pairs(result: PairPosterior | PairsPosterior) -> tuple[tuple[str, str], ...]:
    return result.names if isinstance(result, PairsPosterior) else ((result.a, result.b),)
