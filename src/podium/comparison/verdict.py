"""The verdict in plain sentences: who differs, by how much, how sure; and what does not follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from podium.comparison.comparison import Ranked
from podium.comparison.facts import Facts
from podium.core.numbers import counted, interval, number, percent, said_pvalue
from podium.core.result import Result
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult
from podium.stats.posthoc.pairs_result import PairsResult

if TYPE_CHECKING:
    from podium.bayes.posterior import PairsPosterior

MOST_PAIRS = 8  # told one by one
SURE = 0.95  # a practical verdict needs this probability


def verdict(
    omnibus_name: str,
    omnibus: Result | None,
    facts: Facts,
    pairs: PairsResult,
    practical: PairsPosterior | None,
    ranking: tuple[Ranked, ...],
    alpha: float,
) -> tuple[str, ...]:
    """What was found, the main thing first."""
    found = bool((pairs.adjusted <= alpha).any())
    sentences = [_leader(facts, ranking, pairs, alpha) if found else _no_difference(pairs, alpha)]
    if len(ranking) == 2 or facts.control is not None:
        sentences += _each_pair(pairs, facts, alpha)
    else:
        first, second = ranking[0].algorithm, ranking[1].algorithm
        sentences.append(f"{_sized(pairs.pair(first, second), facts)}.")
    if omnibus is not None:
        sentences.append(_omnibus(omnibus_name, omnibus, alpha))
    if practical is not None:
        sentences.append(_practical(pairs, practical, facts))
    return tuple(sentences)


def _names(names: list[str], limit: int = 6) -> str:
    if len(names) > limit:
        return f"{', '.join(names[:limit])} and {len(names) - limit} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _leader(facts: Facts, ranking: tuple[Ranked, ...], pairs: PairsResult, alpha: float) -> str:
    """The first of the ranking: whom it beats, and from whom it is not told apart."""
    first = ranking[0].algorithm
    better = pairs.better(alpha)
    row = pairs.algorithms.index(first)
    order = [pairs.algorithms.index(ranked.algorithm) for ranked in ranking]
    beaten = [pairs.algorithms[j] for j in order if better[row, j]]
    even = [pairs.algorithms[j] for j in order if j != row and not better[row, j] and not better[j, row]]
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


def _no_difference(pairs: PairsResult, alpha: float) -> str:
    smallest = said_pvalue(float(pairs.adjusted.min()), "the smallest adjusted p")
    return f"No significant difference was found ({smallest}; the level is {alpha:g})."


def _each_pair(pairs: PairsResult, facts: Facts, alpha: float) -> list[str]:
    """One sentence per pair, the significant ones first; at most eight."""
    sentences = []
    for row in np.argsort(pairs.adjusted, kind="stable")[:MOST_PAIRS]:
        pair = pairs.pair(*pairs.names[row])
        told = "differ significantly" if pair.adjusted <= alpha else "cannot be told apart"
        sentences.append(f"{_sized(pair, facts)}: the two {told}.")
    if pairs.n_pairs > MOST_PAIRS:
        sentences.append(f"The other {pairs.n_pairs - MOST_PAIRS} comparisons are in the table.")
    return sentences


def _sized(pair: PairResult, facts: Facts) -> str:
    """How large the difference is, seen from the first, with its interval, wins and p-value."""
    ahead = pair.effect >= 0 if facts.direction == "higher" else pair.effect <= 0
    where = "datasets" if facts.n_datasets > 1 else "folds"
    return (
        f"{pair.a} is typically {number(abs(pair.effect))} {facts.metric} {'ahead of' if ahead else 'behind'} "
        f"{pair.b}{_interval(pair)}, with {counted(pair.wins, 'win')}, {counted(pair.ties, 'tie')} and "
        f"{counted(pair.losses, 'loss', 'losses')} over {pair.n} {where} ({said_pvalue(pair.adjusted, 'adjusted p')})"
    )


def _interval(pair: PairResult) -> str:
    if np.isnan(pair.low):
        return ""
    if np.isinf(pair.low) and np.isinf(pair.high):
        return f" (too few of them for a {percent(pair.confidence)} interval)"
    return f" ({percent(pair.confidence)} interval {interval(pair.low, pair.high)})"


def _omnibus(name: str, omnibus: Result, alpha: float) -> str:
    pvalue = float(getattr(omnibus, "pvalue", np.nan))
    found = "the algorithms do not all perform alike" if pvalue <= alpha else "no difference among all of them is shown"
    return f"{registry.omnibus(name).label} says that {found} ({said_pvalue(pvalue)})."


def _practical(pairs: PairsResult, practical: PairsPosterior, facts: Facts) -> str:
    """How many pairs are practically equivalent, or practically different, with a high probability."""
    left, alike, right = (practical.matrix(name)[pairs.first, pairs.second] for name in ("p_left", "p_rope", "p_right"))
    if pairs.n_pairs == 1:
        (a, b), matters = pairs.names[0], percent(1 - float(alike[0]))
        return (
            f"The chance that the difference between {a} and {b} matters (exceeds {facts.rope:g} {facts.metric}) is "
            f"{matters}."
        )
    same, different = int((alike >= SURE).sum()), int(((left >= SURE) | (right >= SURE)).sum())
    return (
        f"Counting differences within {facts.rope:g} {facts.metric} as irrelevant, {same} of {pairs.n_pairs} pairs are "
        f"practically equivalent and {different} practically different with a probability of at least {percent(SURE)}."
    )


def does_not_follow(
    facts: Facts, pairs: PairsResult, practical: PairsPosterior | None, alpha: float
) -> tuple[str, ...]:
    """What readers might wrongly conclude."""
    sentences = []
    if (pairs.adjusted > alpha).any():
        if practical is not None:
            sentences.append(
                "Not being told apart is not being equal; only the probabilities of equivalence speak of that."
            )
        else:
            sentences.append(
                "Not being told apart is not being equal: the intervals show which differences remain possible, and a region of "
                "practical equivalence (a rope) would let equivalence be shown."
            )
    if (pairs.adjusted <= alpha).any():
        sentences.append("A significant difference need not be an important one: look at its size.")
    if facts.n_datasets > 1:
        sentences.append(
            f"It holds for {facts.metric} on datasets like these and algorithms run as these were; which one is best on "
            "your own dataset may differ."
        )
    return tuple(sentences)
