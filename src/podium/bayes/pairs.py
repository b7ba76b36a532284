"""All pairs of algorithms: their order, and many pair posteriors as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from podium.bayes.posterior import PairPosterior, PairsPosterior, SharesPosterior

__all__ = ["assemble", "gather_warnings", "only_pair", "pair_indices", "pair_names"]


def pair_indices(count: int) -> list[tuple[int, int]]:
    """(0, 1), (0, 2), ..., in the order of the columns."""
    return list(combinations(range(count), 2))


def pair_names(algorithms: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The same pairs by name."""
    return tuple(combinations(algorithms, 2))


def assemble(posteriors: Sequence[PairPosterior], *, algorithms: tuple[str, ...], model: str) -> PairsPosterior:
    """The posteriors of all pairs of the same model, in the order of `pair_indices`, as one result."""
    first = posteriors[0]

    def column(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array([getattr(p, name) for p in posteriors], dtype=np.float64)

    return PairsPosterior(
        model=model,
        algorithms=algorithms,
        pairs=tuple((p.a, p.b) for p in posteriors),
        rope=first.rope,
        p_left=column("p_left"),
        p_rope=column("p_rope"),
        p_right=column("p_right"),
        difference=column("difference"),
        low=column("low"),
        high=column("high"),
        credibility=first.credibility,
        n=column("n").astype(np.int64),
        missing=column("missing").astype(np.int64),
        method=first.method,
        warnings=gather_warnings(posteriors),
        references=first.references,
    )


def gather_warnings(posteriors: Iterable[PairPosterior]) -> tuple[str, ...]:
    """The warnings of several pairs, each sentence once, named by its pair."""
    return tuple(dict.fromkeys(sentence for p in posteriors for sentence in p.warnings))


def only_pair(result: SharesPosterior) -> dict[str, Any]:
    """The fields of a `SharePosterior` from a result of all pairs that holds only one."""
    columns = ("p_left", "p_rope", "p_right", "difference", "low", "high", "share_left", "share_rope", "share_right")
    fields: dict[str, Any] = {name: float(getattr(result, name)[0]) for name in columns}
    fields.update({name: int(getattr(result, name)[0]) for name in ("n", "missing")})
    same = ("model", "rope", "credibility", "method", "warnings")
    fields.update({name: getattr(result, name) for name in same})
    return {"a": result.pairs[0][0], "b": result.pairs[0][1], **fields}
