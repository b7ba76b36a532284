"""What was found becomes a `Comparison`, in one way for every unit: the ranking, its groups, the references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.comparison.comparison import Comparison, Ranked, RankedCases
from podium.comparison.evidence import Evidence
from podium.comparison.rules import Choice
from podium.core.arrays import Floats
from podium.core.result import Result
from podium.core.rng import Rng
from podium.core.scores import Scores
from podium.stats.posthoc.pairs_result import PairsResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the user chose; None where a rule chooses."""

    control: str | None = None
    alpha: float = 0.05
    confidence: float = 0.95
    intervals: str = "simultaneous"
    rng: Rng = 0

    def to_dict(self) -> dict[str, Any]:
        """The settings by name; a generator cannot be written down."""
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**known, "rng": self.rng if isinstance(self.rng, int) else None}


def ranking_of(pairs: PairsResult, alpha: float, places: Floats, **columns: npt.ArrayLike) -> tuple[Any, ...]:
    """The algorithms by `places`, with simultaneous intervals for their ranks from the decisions on pairs.

    `columns` are the other fields of `Ranked`, or of `RankedCases` where its interval is among them: a number for each.
    """
    from podium.stats.posthoc.letters import letters_of

    k, better = len(pairs.algorithms), pairs.better(alpha)
    order = np.argsort(places, kind="stable")
    letters = letters_of(better | better.T, order) if pairs.control is None else [""] * k
    compared = np.bincount(pairs.first, minlength=k) + np.bincount(pairs.second, minlength=k)
    beats, beaten = better.sum(axis=1), better.sum(axis=0)
    columns |= {"mean_rank": places, "rank_low": 1 + beaten, "rank_high": k - beats}
    columns |= {"wins": beats, "ties": compared - beats - beaten, "losses": beaten}
    kind: type[Ranked] = RankedCases if "low" in columns else Ranked
    told = {name: np.asarray(column).tolist() for name, column in columns.items()}
    return tuple(
        kind(algorithm=pairs.algorithms[j], group=letters[j], **{name: column[j] for name, column in told.items()})
        for j in order
    )


def of_each(statistic: Callable[[Floats], Any], values: Floats) -> list[float]:
    """A statistic of each column, over the rows that it has."""
    return [float(statistic(column[~np.isnan(column)])) for column in values.T]


def references_of(*results: Result | None) -> tuple[str, ...]:
    """The papers behind results, each once."""
    return tuple(dict.fromkeys(key for result in results if result is not None for key in result.references))


def gather(found: Evidence, choices: dict[str, Choice], *, scores: Scores | None = None, **more: Any) -> Comparison:
    """The comparison; `more` are the fields that say what was found in words, and those of the unit."""
    same = ("facts", "table", "alpha", "omnibus", "pairs", "practical", "ranking")  # under the same names in both
    return Comparison(
        **{name: getattr(found, name) for name in same},
        choices=tuple(choices.values()),
        scores=Scores.without_folds(found.table, found.notes) if scores is None else scores,
        groups=_groups(found),
        cost_order=found.order,
        **more,
    )


def _groups(found: Evidence) -> tuple[tuple[str, ...], ...]:
    """Maximal groups that are not told apart; every pair that is not told apart is in one."""
    if found.pairs.control is not None:
        return ()
    from podium.stats.posthoc.cliques import complete_groups

    better, names = found.pairs.better(found.alpha), found.pairs.algorithms
    place = {row.algorithm: row.mean_rank for row in found.ranking}
    ranks = np.array([place[name] for name in names])
    return complete_groups(better | better.T, mean_ranks=ranks, algorithms=names).groups
