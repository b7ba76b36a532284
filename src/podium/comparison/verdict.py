"""The verdict in plain sentences: who differs, by how much, how sure; and what does not follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.comparison.comparison import Ranked
from podium.comparison.facts import Facts
from podium.core.numbers import counted, interval, number, percent, said_pvalue
from podium.core.result import Result
from podium.stats import registry

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["does_not_follow", "verdict"]

Bools = npt.NDArray[np.bool_]


def verdict(
    facts: Facts,
    omnibus_name: str,
    omnibus: Result | None,
    pairs: pd.DataFrame,
    ranking: tuple[Ranked, ...],
    better: Bools,
    algorithms: tuple[str, ...],
    alpha: float,
    confidence: float,
) -> tuple[str, ...]:
    """What was found, the main thing first."""
    leader = _leader(facts, ranking, better, algorithms, alpha)
    sentences = [leader if better.any() else _no_difference(pairs, alpha)]
    if len(ranking) == 2 or facts.control is not None:
        sentences += _each_pair(pairs, facts, alpha, confidence)
    else:
        sentences += _margin(pairs, ranking, facts, confidence)
    if omnibus is not None:
        sentences.append(_omnibus(omnibus_name, omnibus, alpha))
    if "p_rope" in pairs:
        sentences.append(_practical(pairs, facts))
    return tuple(sentence for sentence in sentences if sentence)


def _names(names: list[str], limit: int = 6) -> str:
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {len(names) - limit} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _leader(facts: Facts, ranking: tuple[Ranked, ...], better: Bools, algorithms: tuple[str, ...], alpha: float) -> str:
    """The first of the ranking: whom it beats, and from whom it is not told apart."""
    first = ranking[0].algorithm
    row = algorithms.index(first)
    order = [algorithms.index(ranked.algorithm) for ranked in ranking]
    beaten = [algorithms[j] for j in order if better[row, j]]
    even = [algorithms[j] for j in order if j != row and not better[row, j] and not better[j, row]]
    place = "the best mean rank" if facts.n_datasets > 1 else "the best mean score"
    sentence = f"{first} has {place}"
    if facts.control is not None and first != facts.control:
        return f"{sentence}; every algorithm was compared only with {facts.control}."
    if beaten:
        sentence += f" and is significantly better than {_names(beaten)}"
    if even:
        link = "; it cannot be told apart from" if beaten else ", but cannot be told apart from"
        sentence += f"{link} {_names(even)}"
    if len(ranking) > 2 and facts.control is None:
        low, high = ranking[0].rank_low, ranking[0].rank_high
        place = f"rank {low}" if low == high else f"between {low} and {high}"
        sentence += f". With {percent(1 - alpha)} confidence its true place among the {len(ranking)} is {place}"
    return sentence + "."


def _no_difference(pairs: pd.DataFrame, alpha: float) -> str:
    smallest = float(pairs["adjusted"].min())
    return f"No significant difference was found ({said_pvalue(smallest, 'the smallest adjusted p')}; the level is {alpha:g})."


def _margin(pairs: pd.DataFrame, ranking: tuple[Ranked, ...], facts: Facts, confidence: float) -> list[str]:
    """How large the difference between the first and the second is."""
    first, second = ranking[0].algorithm, ranking[1].algorithm
    row = pairs[((pairs["a"] == first) & (pairs["b"] == second)) | ((pairs["a"] == second) & (pairs["b"] == first))]
    return [_pair_sentence(row.iloc[0], facts, first, confidence)] if len(row) else []


def _each_pair(pairs: pd.DataFrame, facts: Facts, alpha: float, confidence: float) -> list[str]:
    """One sentence per pair, the significant ones first; at most eight."""
    ordered = pairs.sort_values("adjusted", kind="stable")
    sentences = []
    for _, row in ordered.head(8).iterrows():
        told = "differ significantly" if row["adjusted"] <= alpha else "cannot be told apart"
        sentences.append(f"{_pair_sentence(row, facts, str(row['a']), confidence)[:-1]}: the two {told}.")
    if len(ordered) > 8:
        sentences.append(f"The other {len(ordered) - 8} comparisons are in the table.")
    return sentences


def _pair_sentence(row: pd.Series, facts: Facts, first: str, confidence: float) -> str:
    """The difference from the first one's point of view, with its interval, wins and p-value."""
    sign = 1 if row["a"] == first else -1
    second = row["b"] if sign == 1 else row["a"]
    effect, low, high = sign * row["effect"], row["low"], row["high"]
    if sign == -1:
        low, high = -row["high"], -row["low"]
    wins, losses = (row["wins"], row["losses"]) if sign == 1 else (row["losses"], row["wins"])
    where = "datasets" if facts.n_datasets > 1 else "folds"
    interval = _interval(float(low), float(high), confidence)
    ahead = effect >= 0 if facts.direction == "higher" else effect <= 0
    direction = "ahead of" if ahead else "behind"
    return (
        f"{first} is typically {number(abs(effect))} {facts.metric} {direction} {second}{interval}, with {counted(int(wins), 'win')}, "
        f"{counted(int(row['ties']), 'tie')} and {counted(int(losses), 'loss', 'losses')} over {int(row['n'])} {where} ({said_pvalue(row['adjusted'], 'adjusted p')})."
    )


def _interval(low: float, high: float, confidence: float) -> str:
    if np.isnan(low):
        return ""
    if np.isinf(low) and np.isinf(high):
        return f" (too few of them for a {percent(confidence)} interval)"
    return f" ({percent(confidence)} interval {interval(low, high)})"


def _omnibus(name: str, omnibus: Result, alpha: float) -> str:
    pvalue = float(getattr(omnibus, "pvalue", np.nan))
    found = "the algorithms do not all perform alike" if pvalue <= alpha else "no difference among all of them is shown"
    return f"{registry.omnibus(name).label} says that {found} ({said_pvalue(pvalue)})."


def _practical(pairs: pd.DataFrame, facts: Facts) -> str:
    """How many pairs are practically equivalent, or practically different, with 95 % probability."""
    alike = pairs[pairs["p_rope"] >= 0.95]
    differ = pairs[(pairs["p_left"] >= 0.95) | (pairs["p_right"] >= 0.95)]
    sentence = (
        f"Counting differences within {facts.rope:g} {facts.metric} as irrelevant, {len(alike)} of {len(pairs)} pairs are "
        f"practically equivalent and {len(differ)} practically different with a probability of at least 95 %"
    )
    if len(pairs) == 1:
        row = pairs.iloc[0]
        matters = 1 - row["p_rope"]
        return (
            f"The chance that the difference between {row['a']} and {row['b']} matters (exceeds {facts.rope:g} "
            f"{facts.metric}) is {percent(matters)}."
        )
    return sentence + "."


def does_not_follow(facts: Facts, pairs: pd.DataFrame, alpha: float) -> tuple[str, ...]:
    """What readers might wrongly conclude."""
    sentences = []
    if (pairs["adjusted"] > alpha).any():
        if "p_rope" in pairs:
            sentences.append(
                "Not being told apart is not being equal; only the probabilities of equivalence speak of that."
            )
        else:
            sentences.append(
                "Not being told apart is not being equal: the intervals show which differences remain possible, and a region of "
                "practical equivalence (a rope) would let equivalence be shown."
            )
    if (pairs["adjusted"] <= alpha).any():
        sentences.append("A significant difference need not be an important one: look at its size.")
    if facts.n_datasets > 1:
        sentences.append(
            f"It holds for {facts.metric} on datasets like these and algorithms run as these were; which one is best on "
            "your own dataset may differ."
        )
    return tuple(sentences)
