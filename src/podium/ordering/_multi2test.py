"""Multi2Test: order algorithms over many datasets, by MultiTest on each and MultiTest again on the ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import DataError
from podium.core.metric import Metric
from podium.core.numbers import as_given, counted, fixed
from podium.core.pairs import pair_indices
from podium.core.ranks import settle
from podium.core.result import Result
from podium.evidence.scores import Scores
from podium.evidence.table import Table
from podium.ordering._multitest import (
    TITLE,
    MultiTestResult,
    errors_of,
    order_from_decisions,
    overrides,
    overriding_edges,
    prior_order,
    refuse_means,
    significantly_better,
    test_words,
    topological_sort,
)
from podium.ordering.costs import Costs, as_costs
from podium.stats import registry
from podium.stats.pairwise.sign import sign_pvalues
from podium.stats.registry import PAIRWISE, Method

if TYPE_CHECKING:
    from podium.stats.omnibus.blocks import OmnibusResult

RANK = Metric(name="rank by MultiTest", direction="lower")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Multi2TestResult(Result):
    """The final order over all datasets, and both passes that led to it.

    `per_dataset_ranks` are the ranks of the first pass (datasets x algorithms); `final` is the second pass;
    `first_better[d, i, j]` says that i was significantly better than j on dataset d. `pairs` has one row per
    pair of algorithms in the second pass. `critical_difference` is that of Nemenyi, None for other post-hocs.
    """

    JSON: ClassVar[Mapping[str, Any]] = {
        **dict.fromkeys(("first_better", "first_cost", "first_errors", "final")),
        **dict.fromkeys(("mean_ranks", "average_cost"), dict[str, float]),
        **dict.fromkeys(("order", "prior"), list[str]),
        "per_dataset_ranks": dict[str, dict[str, int]],
        "edges": list[list[str]],
        "changed": bool,
    }

    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    cost_names: tuple[str, ...]
    critical_difference: float | None
    friedman: OmnibusResult
    pairs: tuple[dict[str, Any], ...]
    per_dataset_ranks: Indices
    first_better: Bools
    first_cost: Floats
    first_errors: Floats
    final: MultiTestResult
    test: str
    posthoc: str
    correction: str | None
    alpha: float
    references: tuple[str, ...] = ("ulas2008", "demsar2006")

    @property
    def title(self) -> str:
        """The heading of its report."""
        return TITLE

    @property
    def wins(self) -> WinsResult:
        """On how many datasets each algorithm is significantly better than each other (Ulas et al. 2008, Table 4.3)."""
        counts = self.first_better.sum(axis=0).astype(np.intp)
        return WinsResult(algorithms=self.algorithms, counts=counts, n_datasets=len(self.datasets), test=self.test)

    @property
    def order(self) -> tuple[str, ...]:
        """The algorithms of the second pass, the best buy first."""
        return self.final.order

    @property
    def prior(self) -> tuple[str, ...]:
        """The algorithms by their average cost alone."""
        return self.final.prior

    @property
    def average_cost(self) -> tuple[float, ...]:
        """The mean over datasets of each algorithm's first cost, the costliest on a dataset being 100."""
        return self.final.cost

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """Edges of the second pass: (cheaper, the costlier one that ranks significantly better)."""
        return self.final.edges

    @property
    def explained(self) -> str:
        """What the columns of its table mean."""
        return (
            "Average cost: the mean over datasets of the cost as a percentage of that of the costliest algorithm on the dataset. "
            f"{self.final.explained} So rank 1 can have a worse mean rank by MultiTest than a costlier algorithm, as long as the "
            "difference is not significant."
        )

    @property
    def changed(self) -> bool:
        """Whether the second pass overrode the prior order of average costs."""
        return self.order != self.prior

    def on(self, dataset: str) -> MultiTestResult:
        """The first pass on one dataset: its order, graph and steps."""
        row = self.datasets.index(check.member("dataset", dataset, self.datasets))
        return order_from_decisions(
            self.first_better[row],
            self.first_cost[:, row],
            algorithms=self.algorithms,
            errors=self.first_errors[row],
            test=self.test,
            alpha=self.alpha,
        )

    def summary(self) -> str:
        """The order, whether the second pass changed the order of costs, and what does not follow."""
        n, cost = len(self.datasets), " then ".join(name.replace("_", " ") for name in self.cost_names)
        sentence = f"By score and {cost} over {counted(n, 'dataset')}, the best first: {', '.join(self.order)}. "
        if self.changed:
            prior = ", ".join(self.prior)
            sentence += f"By cost only it would be {prior}; better scores moved {overrides(self.edges)}. "
        else:
            sentence += "No costlier algorithm ranks significantly better, so the order is that of the costs. "
        if self.left_out:
            sentence += f"Left out for missing folds: {', '.join(self.left_out)}. "
        if self.critical_difference is not None:
            apart = f"{fixed(self.critical_difference, 2)} or more apart"
            sentence += f"Mean ranks by MultiTest that are {apart} differ (Nemenyi, level {as_given(self.alpha)}). "
        sentence += f"Decisions: {test_words(self.test)} on the folds of each dataset, then {test_words(self.posthoc)} over the datasets. "
        sentence += "".join(f"{note} " for note in self.final.notes)
        return sentence + "Another cost may give another order, and neighbours in it need not differ."

    def to_dict(self) -> dict[str, Any]:
        """Plain values; without the arrays of the first pass but its ranks, by dataset and algorithm."""
        rows = [dict(zip(self.algorithms, row, strict=True)) for row in self.per_dataset_ranks.tolist()]
        return {**Result.to_dict(self), "per_dataset_ranks": dict(zip(self.datasets, rows, strict=True))}

    def columns(self) -> dict[str, Any]:
        """One row per algorithm, in the final order."""
        columns = self.final.columns()
        by_name = dict(zip(self.algorithms, self.mean_ranks, strict=True))
        first = {"rank": columns.pop("rank"), "algorithm": columns.pop("algorithm")}
        mean_rank = [by_name[name] for name in self.order]
        return {**first, "mean_multitest_rank": mean_rank, "average_cost": columns.pop("cost"), **columns}


def multi2test(
    scores: Scores,
    cost: Any,
    *,
    test: str = "cv5x2_f",
    posthoc: str = "nemenyi",
    correction: str = "holm",
    alpha: float = 0.05,
) -> Multi2TestResult:
    """Order algorithms over many datasets by error and cost (Multi2Test; Ulas et al. 2008, Table 3.2).

    MultiTest on each dataset with that dataset's costs gives ranks; Friedman's and a post-hoc test say which mean ranks
    differ; MultiTest on the average normalised costs and these decisions gives the order. Datasets on which a
    fold is missing are left out and named.

    Parameters
    ----------
    scores : Scores
        Scores of one metric with their folds.
    cost : mapping, Series, list of str, Table, Scores or DataFrame
        What algorithms cost: one number per algorithm, a table of datasets x algorithms, or names, cheapest
        first.
    test : str, default "cv5x2_f"
        A test on the folds of one dataset, such as "cv5x2_f" or "corrected_t".
    posthoc : str, default "nemenyi"
        The test over datasets on the ranks: "nemenyi" as in the paper, or any other of all pairs, such as
        "wilcoxon".
    correction : str, default "holm"
        How the p-values of `posthoc` are adjusted, unless it corrects itself.
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    Multi2TestResult
        The final order over all datasets, and both passes that led to it.

    Examples
    --------
    >>> import podium
    >>> scores = podium.example("ulas2008").scores("accuracy")
    >>> multi2test(scores, list(scores.algorithms)).order[0]
    'c45'
    """
    from podium.stats.omnibus.friedman import friedman
    from podium.stats.posthoc.critical_difference import critical_difference

    method = PAIRWISE[check.choice("posthoc", posthoc, registry.names(("datasets", "pool"), control=False))]
    adjusted = None if method.corrects_itself else correction
    check.fraction("alpha", alpha)
    complete, left_out = _complete(scores)
    prices = as_costs(cost, datasets=complete.datasets, algorithms=complete.algorithms)
    gains = complete.metric.sign * complete.values
    better = np.stack([significantly_better(g, test=test, alpha=alpha, design=complete.design) for g in gains])
    errors = errors_of(gains)
    ranks = ranks_from_decisions(better, prices, errors=errors)
    table = Table(values=ranks.astype(float), datasets=complete.datasets, algorithms=complete.algorithms, metric=RANK)
    distance = critical_difference(table.n_algorithms, table.n_datasets, alpha)
    pairs, decided = _second_pass(table, method, adjusted, alpha)
    final = order_from_decisions(
        decided, prices.average, algorithms=complete.algorithms, errors=ranks.mean(axis=0), test=posthoc, alpha=alpha
    )
    return Multi2TestResult(
        algorithms=complete.algorithms,
        datasets=complete.datasets,
        left_out=left_out,
        mean_ranks=tuple(map(float, ranks.mean(axis=0))),
        cost_names=prices.names,
        critical_difference=distance if posthoc == "nemenyi" else None,
        friedman=friedman(table),
        pairs=pairs,
        per_dataset_ranks=ranks,
        first_better=better,
        first_cost=prices.values,
        first_errors=errors,
        final=final,
        test=test,
        posthoc=posthoc,
        correction=adjusted,
        alpha=alpha,
    )


def ranks_from_decisions(better: Bools, costs: Costs, *, errors: npt.ArrayLike) -> Indices:
    """The first pass: the rank of every algorithm on every dataset, from decisions `[dataset, i, j]`."""
    keys, mean_errors = settle(costs.values), settle(errors)
    ranks = np.empty(better.shape[:2], dtype=np.intp)
    for row in range(len(better)):
        prior = prior_order(keys[:, row], mean_errors[row])
        edges = overriding_edges(better[row], keys[:, row], prior)
        ranks[row] = topological_sort(prior, edges, with_steps=False).ranks
    return ranks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WhatIfResult(Result):
    """The order under each of several costs alone: `orders[cost]`, the first place first."""

    orders: dict[str, tuple[str, ...]]
    references: tuple[str, ...] = ("ulas2008",)

    def summary(self) -> str:
        """Which algorithm is first under which cost."""
        first = ", ".join(f"{order[0]} ({name})" for name, order in self.orders.items())
        return f"If only one cost counts, first are: {first}. Which cost counts is not a question for a test."

    def columns(self) -> dict[str, Any]:
        """One row per place, one column per cost."""
        places = len(next(iter(self.orders.values()), ()))
        return {"rank": range(1, places + 1), **self.orders}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WinsResult(Result):
    """Significant wins on single datasets: `counts[i, j]` are those of i over j; the sign test judges them."""

    algorithms: tuple[str, ...]
    counts: Indices
    n_datasets: int
    test: str
    references: tuple[str, ...] = ("ulas2008", "demsar2006")

    @property
    def pvalues(self) -> Floats:
        """The two-sided sign test on the wins of each pair, not adjusted for their number; 1 where nobody wins."""
        return sign_pvalues(self.counts, self.counts.T, "two-sided")

    def summary(self) -> str:
        """What is counted."""
        return (
            f"On how many of {counted(self.n_datasets, 'dataset')} the first algorithm is significantly better than the second "
            f"(win) or worse (loss) by {self.test}, and the sign test on these wins and losses. Its p is not adjusted for the "
            "number of pairs."
        )

    def columns(self) -> dict[str, Any]:
        """One row per pair, the one with more wins first; the smallest p at the top."""
        first, second = pair_indices(len(self.algorithms))
        turned = self.counts[first, second] < self.counts[second, first]
        first, second = np.where(turned, second, first), np.where(turned, first, second)
        rows = np.argsort(self.pvalues[first, second], kind="stable")
        first, second = first[rows], second[rows]
        wins, losses = self.counts[first, second], self.counts[second, first]
        return {
            "algorithm": [self.algorithms[i] for i in first],
            "versus": [self.algorithms[j] for j in second],
            "wins": wins,
            "ties": self.n_datasets - wins - losses,
            "losses": losses,
            "pvalue": self.pvalues[first, second],
        }


def _complete(scores: Scores) -> tuple[Scores, tuple[str, ...]]:
    """The datasets with every fold of every algorithm, and the names of the others."""
    if not isinstance(scores, Scores):
        raise DataError("`scores` must be Scores, with folds: read a long table with `podium.read`.")
    refuse_means(scores)
    whole: Bools = ~np.any(np.isnan(scores.values), axis=(1, 2, 3))
    if not whole.any():
        raise DataError("Every dataset lacks some fold of some algorithm: none can be ordered.")
    lacking = tuple(name for name, complete in zip(scores.datasets, whole, strict=True) if not complete)
    return scores.take(whole), lacking


def _second_pass(
    table: Table, method: Method, correction: str | None, alpha: float
) -> tuple[tuple[dict[str, Any], ...], Bools]:
    """One row per pair with `better`, the name of the significantly better one or None; and the same as a matrix."""
    from podium.stats.posthoc.all_pairs import all_pairs

    pairs = all_pairs(table, test=method.name, correction=correction)
    means, decided = table.values.mean(axis=0), pairs.better(alpha)
    rows = []
    for (a, b), i, j, pvalue in zip(pairs.names, pairs.first, pairs.second, pairs.adjusted, strict=True):
        better = a if decided[i, j] else b if decided[j, i] else None
        gap = float(means[i] - means[j])
        rows.append({"a": a, "b": b, "difference": gap, "adjusted": float(pvalue), "better": better})
    return tuple(rows), decided
