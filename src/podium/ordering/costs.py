"""Costs of algorithms: any number of them, as datasets x algorithms, normalised to 100 on each dataset."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import number
from podium.evidence.scores import Scores
from podium.evidence.table import Table, as_table
from podium.stats.student import student_ends

GIVEN_ORDER = "the given order"  # the name of a cost that has no unit
SAME = 1e-12  # logarithms of ratios that differ by less do not vary


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Costs:
    """One or more costs of every algorithm on every dataset.

    `values` has the axes (cost, dataset, algorithm). The first cost decides, the next ones break its ties;
    weighted costs have been added up into one. `additive` costs are those whose sum is paid, such as those of test cases.
    """

    names: tuple[str, ...]
    values: Floats
    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    additive: bool = False
    folds: Floats | None = None  # (cost, fold, algorithm), where there is a single dataset

    def checked(self) -> Costs:
        """The same; a cost that is missing or negative is refused."""
        for what, bad in (("missing", ~np.isfinite(self.values)), ("negative", self.values < 0)):
            if bad.any():
                _, row, column = np.argwhere(bad)[0]
                raise DataError(
                    f"The cost of {self.algorithms[column]!r} on {self.datasets[row]!r} is {what}: "
                    "a cost is a number from 0; correct the cell."
                )
        return self

    @property
    def normalised(self) -> Floats:
        """The costs with the costliest algorithm of each dataset at 100 (Ulas et al. 2008, Tables A.9, A.10)."""
        top = self.values.max(axis=2, keepdims=True)
        return 100.0 * self.values / np.where(top > 0, top, 1.0)

    @property
    def average(self) -> Floats:
        """Each cost of each algorithm: the mean over datasets of the normalised cost."""
        return np.asarray(self.normalised.mean(axis=1))

    @property
    def means(self) -> tuple[str, ...]:
        """What the typical value of each cost is: the geometric mean over datasets, or the mean where that does not exist.

        Datasets differ in size by orders of magnitude. The geometric mean of ratios is the ratio of geometric means, whichever
        algorithm is the reference, whatever else is in the pool and whatever the unit; other means are not (Fleming & Wallace 1986).
        """
        rows = self.values if self.folds is None else self.folds
        summed = self.additive or self.folds is not None
        return tuple("mean" if summed or (one <= 0).any() else "geometric mean" for one in rows)

    @property
    def typical(self) -> Floats:
        """Each cost of each algorithm: its geometric mean over datasets, or its mean (see `means`)."""
        return np.array([_mean(values, name) for values, name in zip(self.values, self.means, strict=True)])

    def relative(self, cost: int, reference: str, confidence: float) -> Floats:
        """One cost as a multiple of that of the reference, and the ends of its interval: 3 x algorithms.

        The interval is that of Student's t over the datasets, or over the folds of a single one, on the logarithm; nan where the
        cost is the same on all of them.
        """
        name, rows = self.means[cost], self.values if self.folds is None else self.folds
        values = rows[cost]
        typical, base = _mean(values, name), self.algorithms.index(reference)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = typical / typical[base]
            logs = np.log(values) if name == "geometric mean" else values / typical
            spread = np.std(logs - logs[:, [base]], axis=0, ddof=1) if len(values) > 2 else np.zeros(len(ratio))
        errors = np.where(spread > SAME, spread, np.nan) / np.sqrt(len(values))
        low, high = student_ends(np.zeros(len(ratio)), np.nan_to_num(errors), len(values) - 1, 1 - confidence)
        return np.array([ratio, *(np.where(np.isnan(errors), np.nan, ratio * np.exp(end)) for end in (low, high))])


def _mean(values: Floats, name: str) -> Floats:
    """The mean of that name over the datasets."""
    return np.asarray(np.exp(np.log(values).mean(axis=0)) if name == "geometric mean" else values.mean(axis=0))


def as_costs(cost: Any, *, datasets: Sequence[str], algorithms: Sequence[str], name: str = "cost") -> Costs:
    """Costs in any form, matched by name to these datasets and algorithms.

    Parameters
    ----------
    cost : mapping, Series, list of str, Table, Scores or DataFrame
        What algorithms cost: one number per algorithm, a table of datasets x algorithms, or names, cheapest
        first.
    datasets : sequence of str
        Names of the datasets.
    algorithms : sequence of str
        Names of the algorithms.
    name : str, default "cost"
        What the cost is called.

    Returns
    -------
    Costs
        One or more costs of every algorithm on every dataset.

    Examples
    --------
    >>> as_costs({"svm": 3, "knn": 1}, datasets=["iris"], algorithms=["knn", "svm"]).values.tolist()
    [[[1.0, 3.0]]]
    """
    if isinstance(cost, Costs):
        return _matched(cost, datasets, algorithms)
    if hasattr(cost, "index") and hasattr(cost, "items") and np.ndim(cost) == 1:  # a Series
        check.distinct("algorithm", tuple(cost.index))
        cost = dict(cost.items())
    if isinstance(cost, Sequence) and not isinstance(cost, str) and all(isinstance(item, str) for item in cost):
        if len(set(cost)) != len(cost):
            raise ArgumentError("The order of costs names an algorithm twice: name each once, cheapest first.")
        cost = {item: place for place, item in enumerate(cost, start=1)}
    if isinstance(cost, Mapping):
        return _everywhere(cost, datasets, algorithms, name)
    table = as_table(cost, at_least=1)
    label = table.metric.name if isinstance(cost, Table | Scores) else name
    costs = Costs(names=(label,), values=table.values[None], datasets=table.datasets, algorithms=table.algorithms)
    if isinstance(cost, Scores) and cost.has_folds and len(table.datasets) == 1 and not np.isnan(cost.values).any():
        folds = cost.values[0].reshape(len(table.algorithms), -1).T
        costs = replace(costs, folds=folds[None])
    return _matched(costs, datasets, algorithms)


def given_cost(text: str) -> str | dict[str, float] | list[str]:
    """What was typed for a cost: costs that are written out, or the name of a metric or a file."""
    return typed_costs(text) if any(sign in text for sign in "=,") and not Path(text).exists() else text


def typed_costs(text: str) -> dict[str, float] | list[str]:
    """Costs as people type them.

    >>> typed_costs("svm=3, knn=1"), typed_costs("knn, svm")
    ({'svm': 3.0, 'knn': 1.0}, ['knn', 'svm'])
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not any("=" in part for part in parts):
        return parts
    costs: dict[str, float] = {}
    for part in parts:
        name, _, typed = (word.strip() for word in part.rpartition("="))
        try:
            cost = float(typed)
        except ValueError:
            name = ""
        if not name:
            raise ArgumentError(f"Costs must look like svm=3, knn=1, or name algorithms, cheapest first; got {part!r}.")
        if name in costs:
            raise ArgumentError(
                f"{name!r} has more than one cost ({number(costs[name])} and {number(cost)}): give each algorithm once."
            )
        costs[name] = cost
    return costs


def combine_costs(cost: Sequence[Costs], *, weights: Sequence[float] | None = None) -> Costs:
    """Several costs combined into one.

    Parameters
    ----------
    cost : sequence of Costs
        The costs, as `as_costs` makes them.
    weights : sequence of float, optional
        The weight of each normalised cost in their sum. Without weights the order is lexicographic: the second
        cost is looked at only where the first is equal.

    Returns
    -------
    Costs
        One or more costs of every algorithm on every dataset.

    Examples
    --------
    >>> names = {"datasets": ["iris"], "algorithms": ["knn", "svm"]}
    >>> time, space = as_costs({"knn": 1, "svm": 3}, **names), as_costs({"knn": 4, "svm": 4}, **names)
    >>> combine_costs([time, space]).values.shape
    (2, 1, 2)
    """
    if not cost:
        raise ArgumentError("{argument} is empty: give at least one cost.", argument="cost")
    first = cost[0]
    others = [as_costs(one, datasets=first.datasets, algorithms=first.algorithms) for one in cost[1:]]
    values = np.concatenate([first.values, *(one.values for one in others)])
    names = (*first.names, *(name for one in others for name in one.names))
    folds = [one.folds for one in (first, *others) if one.folds is not None]
    alike = len(folds) == len(others) + 1 and len({one.shape[1] for one in folds}) == 1
    together = replace(first, names=names, values=values, folds=np.concatenate(folds) if alike else None)
    if weights is None:
        return together
    if len(weights) != len(names):
        raise ArgumentError(
            "{argument} must have one number per cost ({count}); got {got}.",
            argument="weights",
            count=len(names),
            got=len(weights),
        )
    factors = np.array([check.nonnegative("weights", weight) for weight in weights])
    label = " + ".join(f"{number(weight)} {name}" for weight, name in zip(factors, names, strict=True))
    values = np.tensordot(factors, together.normalised, axes=1)[None]
    return replace(first, names=(label,), values=values, folds=None)


def _none_lacks(priced: Collection[str], algorithms: Sequence[str]) -> None:
    lacking = [(name,) for name in algorithms if name not in priced]
    if lacking:
        raise DataError(f"The cost of {check.cells(lacking)} is missing: add it to the costs.")


def _everywhere(cost: Mapping[str, Any], datasets: Sequence[str], algorithms: Sequence[str], name: str) -> Costs:
    """The same cost of an algorithm on every dataset."""
    _none_lacks(cost, algorithms)
    for algorithm in cost:
        check.member("algorithm", algorithm, algorithms)
    row = [check.number(f"cost of {algorithm}", cost[algorithm]) for algorithm in algorithms]
    values = np.tile(row, (1, len(datasets), 1))
    return Costs(names=(name,), values=values, datasets=tuple(datasets), algorithms=tuple(algorithms)).checked()


def _matched(costs: Costs, datasets: Sequence[str], algorithms: Sequence[str]) -> Costs:
    """The costs of these datasets and algorithms, in this order."""
    for name in costs.algorithms:
        if name not in algorithms:
            raise DataError(f"The costs name an algorithm that has no scores: {name!r}; remove it or correct its name.")
    _none_lacks(costs.algorithms, algorithms)
    absent = [name for name in datasets if name not in costs.datasets]
    if absent:
        named = check.cells([(name,) for name in absent])
        rows_needed = f"dataset {named}: add its row" if len(absent) == 1 else f"datasets {named}: add their rows"
        raise DataError(f"There are no costs for the {rows_needed}.")
    rows = [costs.datasets.index(name) for name in datasets]
    columns = [costs.algorithms.index(name) for name in algorithms]
    values = costs.values[:, rows][:, :, columns]
    folds = None if costs.folds is None else costs.folds[:, :, columns]
    return replace(costs, values=values, folds=folds, datasets=tuple(datasets), algorithms=tuple(algorithms)).checked()
