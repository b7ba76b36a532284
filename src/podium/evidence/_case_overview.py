"""An overview of test cases or of predictions: what was read, before any test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.numbers import as_given, counted, number, plural
from podium.core.result import Result
from podium.evidence._overview import BaseOverview
from podium.evidence.cases import Cases

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.predictions import PredictionTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CaseOverview(BaseOverview):
    """The score of each algorithm on the cases that it has, how many it has, and why the others are missing."""

    noun: str
    values_are: str
    n_cases: int
    n_samples: int
    n_clusters: int
    n_benchmarks: int
    mean_scores: Floats
    present: Ints
    mean_costs: Floats | None
    cost: str
    reasons: dict[str, dict[str, int]]

    def summary(self) -> str:
        """On what, the best score, and what is missing."""
        parts = [counted(self.n_cases, self.noun, plural(self.noun))]
        parts += [f"up to {self.n_samples} samples of each"] if self.n_samples > 1 else []
        parts += [counted(self.n_clusters, "cluster")] if self.n_clusters else []
        parts += [f"{self.n_benchmarks} benchmarks of the same weight"] if self.n_benchmarks > 1 else []
        best = int(np.nanargmax(self.metric.sign * self.mean_scores))
        missing = int(self.n_cases * len(self.algorithms) - self.present.sum())
        lacking = f" Missing: {counted(missing, 'outcome')}." if missing else ""
        if len(self.algorithms) == 1:
            score = number(self.mean_scores[0])
            return f"{self.algorithms[0]}, alone, on {', '.join(parts)}: {self.metric.name} {score}.{lacking}"
        return (
            f"On {', '.join(parts)}. {self.algorithms[best]} has the best {self.metric.name}; only a test "
            f"can tell whether that is more than chance.{lacking}"
        )

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, the best first."""
        order = np.argsort(-self.metric.sign * self.mean_scores, kind="stable")
        columns: dict[str, Any] = {
            "algorithm": np.array(self.algorithms, dtype=object)[order],
            "mean": self.mean_scores[order],
            "outcomes": self.present[order],
            "missing": (self.n_cases - self.present)[order],
        }
        return columns if self.mean_costs is None else {**columns, f"mean {self.cost}": self.mean_costs[order]}

    def tables(self) -> dict[str, pd.DataFrame]:
        """The algorithms; and why outcomes are missing."""
        import pandas as pd

        tables = {"result": self.to_frame()}
        rows = [(who, why, count) for who, whys in self.reasons.items() for why, count in whys.items()]
        if rows:
            tables["missing"] = pd.DataFrame(rows, columns=["algorithm", "reason", "count"])
        return tables


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictionOverview(Result):
    """How often each class is the truth, and what each algorithm predicts."""

    n_cases: int
    truth: dict[str, int]
    algorithms: tuple[str, ...]
    predicted: tuple[str, ...]
    missing: Ints

    @property
    def title(self) -> str:
        """What it is."""
        return "Predictions"

    def summary(self) -> str:
        """How many cases, of which classes."""
        shown = ", ".join(f"{name} {count}" for name, count in list(self.truth.items())[:8])
        classes = f": {shown}" if len(self.truth) <= 20 else f" with {len(self.truth)} different values"
        return f"{counted(len(self.algorithms), 'algorithm')}, {counted(self.n_cases, 'case')}. The truth{classes}."

    def columns(self) -> dict[str, Any]:
        """One row per algorithm: what it predicts."""
        algorithms = np.array(self.algorithms, dtype=object)
        return {"algorithm": algorithms, "predicts": list(self.predicted), "missing": self.missing}


def case_overview(cases: Cases) -> CaseOverview:
    """What cases look like.

    >>> from podium.evidence.cases import as_cases
    >>> case_overview(as_cases({"a": [1, 0, 1], "b": [1, 1, 1]})).summary()
    'On 3 cases. b has the best accuracy; only a test can tell whether that is more than chance.'
    """
    reasons: dict[str, dict[str, int]] = {}
    for i, j in np.argwhere(np.isnan(cases.values)):
        why = cases.reasons.get((cases.cases[i], cases.algorithms[j]), "no outcome")
        one = reasons.setdefault(cases.algorithms[j], {})
        one[why] = one.get(why, 0) + 1
    return CaseOverview(
        metric=cases.metric,
        noun=cases.noun,
        values_are=cases.kind,
        algorithms=cases.algorithms,
        n_cases=cases.n_cases,
        n_samples=1 if cases.samples is None else cases.samples.shape[2],
        n_clusters=len(set(cases.clusters)),
        n_benchmarks=len(set(cases.benchmarks)),
        mean_scores=cases.scores,
        present=(~np.isnan(cases.values)).sum(axis=0),
        mean_costs=cases.mean_costs,
        cost="" if cases.cost is None else cases.cost.name,
        reasons=reasons,
    )


def prediction_overview(table: PredictionTable) -> PredictionOverview:
    """What a table of predictions looks like."""
    counts = table.truth.astype(str).value_counts(sort=False).sort_index()
    return PredictionOverview(
        n_cases=table.n_cases,
        truth={str(name): int(count) for name, count in counts.items()},
        algorithms=table.algorithms,
        predicted=tuple(_told(table.predicted[name]) for name in table.predicted.columns),
        missing=table.predicted.isna().sum().to_numpy(),
    )


def _told(column: pd.Series) -> str:
    """What a column predicts: numbers from to, or how many labels."""
    present = column.dropna()
    if present.dtype.kind in "iuf" and present.nunique() > 2:
        return f"numbers from {as_given(float(present.min()))} to {as_given(float(present.max()))}"
    names = sorted(map(str, present.unique()))
    return ", ".join(names) if len(names) <= 6 else counted(len(names), "label")
