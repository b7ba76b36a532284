"""Measures of ranked documents, as trec_eval defines them: of one query, from the documents and their levels of relevance."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

Ranked = Sequence[str]
Levels = Mapping[str, int]


def by_score(scores: Mapping[str, float]) -> list[str]:
    """The documents of one query, best first; of equal scores the last name first, as trec_eval does.

    >>> by_score({"a": 1.0, "b": 2.0, "c": 1.0})
    ['b', 'c', 'a']
    """
    names = sorted(scores, reverse=True)
    with np.errstate(over="ignore"):  # trec_eval holds them as single floats
        single = np.array([scores[name] for name in names], dtype=np.float64).astype(np.float32)
    return [names[place] for place in np.argsort(-single, kind="stable")]


def _relevant(levels: Levels) -> int:
    return sum(level > 0 for level in levels.values())


def average_precision(ranked: Ranked, levels: Levels) -> float:
    """The mean, over the relevant documents, of the precision at each of them; one that is not retrieved counts 0."""
    relevant, total = 0, 0.0
    for place, document in enumerate(ranked, 1):
        if levels.get(document, 0) > 0:
            relevant += 1
            total += relevant / place
    return total / _relevant(levels)


def precision(cut: int) -> Callable[[Ranked, Levels], float]:
    """The share of relevant documents among the first ones."""
    return lambda ranked, levels: sum(levels.get(document, 0) > 0 for document in ranked[:cut]) / cut


def recall(cut: int) -> Callable[[Ranked, Levels], float]:
    """The share of the relevant documents that is among the first ones."""
    return lambda ranked, levels: sum(levels.get(d, 0) > 0 for d in ranked[:cut]) / _relevant(levels)


def r_precision(ranked: Ranked, levels: Levels) -> float:
    """Precision at as many documents as are relevant."""
    return precision(_relevant(levels))(ranked, levels)


def reciprocal_rank(ranked: Ranked, levels: Levels) -> float:
    """One over the place of the first relevant document."""
    return next((1 / place for place, document in enumerate(ranked, 1) if levels.get(document, 0) > 0), 0.0)


def ndcg(cut: int | None = None) -> Callable[[Ranked, Levels], float]:
    """The discounted gain against that of the best order; the gain of a document is its level."""

    def measure(ranked: Ranked, levels: Levels) -> float:
        best = sorted((level for level in levels.values() if level > 0), reverse=True)
        return _gain([max(levels.get(d, 0), 0) for d in ranked[:cut]]) / _gain(best[:cut])

    return measure


def _gain(levels: Sequence[int]) -> float:
    return sum(level / math.log2(place + 1) for place, level in enumerate(levels, 1))


MEASURES: dict[str, Callable[[Ranked, Levels], float]] = {
    "map": average_precision,
    "ndcg": ndcg(),
    "ndcg_cut_10": ndcg(10),
    "P_10": precision(10),
    "recall_100": recall(100),
    "recip_rank": reciprocal_rank,
    "Rprec": r_precision,
}
