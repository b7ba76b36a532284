"""The guided path: `compare` looks at the facts, lets the rules choose, runs the tests and gathers what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.comparison.comparison import Comparison, Ranked
from podium.comparison.facts import Facts, facts_of
from podium.comparison.leave_one_out import lost_without
from podium.comparison.methods import methods_paragraph
from podium.comparison.pairs import decisions, pairs_of
from podium.comparison.remarks import Evidence, remarks_of
from podium.comparison.rules import choose
from podium.comparison.source import costs_of, scores_of
from podium.comparison.verdict import does_not_follow, verdict
from podium.core import check
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.result import Result
from podium.core.rng import Rng
from podium.core.scores import Scores
from podium.core.table import Table
from podium.ordering.costs import Costs, as_costs
from podium.stats import registry

if TYPE_CHECKING:
    import pandas as pd

    from podium.ordering._multi2test import Multi2TestResult
    from podium.studies.pool import PoolResult

__all__ = ["compare"]

Bools = npt.NDArray[np.bool_]

MOST_FOR_POOL_AUDIT = 40  # algorithms; above that the audit of the pool is a study of its own


def compare(
    results: Any,
    *,
    metric: str | None = None,
    algorithms: list[str] | None = None,
    control: str | None = None,
    rope: float | str | None = None,
    costs: Any = None,
    test: str | None = None,
    omnibus: str | None = None,
    correction: str | None = None,
    missing: str | None = None,
    alpha: float = 0.05,
    confidence: float = 0.95,
    direction_assumed: bool | None = None,
    rng: Rng = 0,
) -> Comparison:
    """Compare algorithms on datasets, and explain every choice.

    `results` are Results, Scores, a Table, a DataFrame (datasets x algorithms), or the path of a file. Facts come
    first; then rules choose what you did not name: the `omnibus` test, the pairwise `test`, the `correction`, and
    what becomes of `missing` cells ("pairwise" or "complete"). A `control` restricts the family to comparisons with
    it. A `rope` (a region of practical equivalence in the metric's units, or "auto" for one from the folds) adds
    probabilities of practical equivalence. `costs` (a metric of the same results, a table, a mapping or an order;
    see `as_costs`) add an order by cost. `direction_assumed` says whether the direction of the metric is only a guess
    (by default it is one for bare arrays and DataFrames). No preliminary test of normality chooses a test behind your back.
    """
    check.fraction("alpha", alpha)
    scores, bare, cost_names = scores_of(results, metric)
    assumed = bare if direction_assumed is None else direction_assumed
    if algorithms is not None:
        scores = scores.columns(algorithms)
    table = _table(scores, missing)
    if control is not None:
        check.member("algorithm", control, table.algorithms)
    width = _rope(rope, scores)
    facts = facts_of(scores, table, direction_assumed=assumed, costs=cost_names, control=control, rope=width)
    named = _named(test, omnibus, correction, missing, control)
    choices = choose(facts, named)
    chosen_test, chosen_correction = choices["test"].answer, choices["correction"].answer
    found = pairs_of(
        scores, table, test=chosen_test, correction=chosen_correction, control=control, confidence=confidence
    )
    overall = _omnibus(choices["omnibus"].answer, table)
    pairs = _with_rope(found.frame, scores, table, width, rng)
    better = decisions(found, table, alpha)
    ranking = _ranking(table, better, family_is_all=control is None)
    beside = _beside(table, chosen_test, control, width)
    pool = _pool(table, alpha, control)
    prices = (
        None
        if costs is None
        else as_costs(costs_of(results, costs), datasets=scores.datasets, algorithms=scores.algorithms)
    )
    order = None if prices is None else _cost_order(scores, prices, alpha)
    evidence = Evidence(
        facts=facts,
        table=table,
        pairs=pairs,
        test=chosen_test,
        alpha=alpha,
        pool=pool,
        partial_note=scores.rows([name in table.datasets for name in scores.datasets]).partial_note,
        notes=scores.notes,
        without=lost_without(
            table, pairs, test=chosen_test, correction=chosen_correction, control=control, alpha=alpha
        ),
    )
    references = _references(found.result, overall, *beside, *((order,) if order is not None else ()))
    return Comparison(
        facts=facts,
        choices=tuple(choices.values()),
        scores=scores,
        table=table,
        costs=prices,
        alpha=alpha,
        omnibus=overall,
        pairs=pairs,
        beside=beside,
        ranking=ranking,
        groups=_groups(table, better, ranking) if control is None else (),
        cost_order=order,
        remarks=remarks_of(evidence),
        verdict=verdict(
            facts, choices["omnibus"].answer, overall, pairs, ranking, better, table.algorithms, alpha, confidence
        ),
        does_not_follow=does_not_follow(facts, pairs, alpha),
        methods_paragraph=methods_paragraph(facts, choices, overall, alpha=alpha, confidence=confidence),
        settings=_settings(facts, named, alpha, confidence, rng),
        references=references,
    )


def _named(
    test: str | None, omnibus: str | None, correction: str | None, missing: str | None, control: str | None
) -> dict[str, str | None]:
    """What the user named, checked."""
    if test is not None:
        registry.pairwise(test, over=("datasets", "folds", "pool"))
    if omnibus not in (None, "none"):
        registry.omnibus(omnibus)
    if correction is not None:
        registry.fitting(correction, test=test, control=control is not None)
    return {"test": test, "omnibus": omnibus, "correction": correction, "missing": missing}


def _table(scores: Scores, missing: str | None) -> Table:
    """The table of mean scores, without incomplete datasets if the user wants that."""
    table = scores.table()
    if missing is not None and check.choice("missing", missing, ("pairwise", "complete")) == "complete":
        table = table.complete()
        if table.n_datasets == 0:
            raise DataError("No dataset has a score of every algorithm: choose missing='pairwise'.")
    if table.n_algorithms < 2:
        raise DataError(f"A comparison needs at least 2 algorithms (columns); the table has {table.n_algorithms}.")
    if table.n_datasets == 1 and not scores.has_folds:
        raise DesignError("One dataset with one score per algorithm allows no test: give its folds, or more datasets.")
    empty = np.isnan(table.values).all(axis=0)
    if empty.any():
        name = table.algorithms[int(np.argmax(empty))]
        raise DataError(f"The algorithm {name!r} has no score at all: remove it or give its scores.")
    return table


def _rope(rope: float | str | None, scores: Scores) -> float | None:
    if rope is None:
        return None
    if rope == "auto":
        from podium.bayes.rope import rope_auto

        return rope_auto(scores).rope
    if isinstance(rope, str):
        raise ArgumentError(f"`rope` must be a number from 0 or 'auto'; got {rope!r}.")
    return check.nonnegative("rope", rope)


def _omnibus(name: str, table: Table) -> Result | None:
    if name == "none":
        return None
    known = registry.omnibus(name)
    result: Result = registry.function(known)(table, **known.options)
    return result


def _with_rope(pairs: pd.DataFrame, scores: Scores, table: Table, rope: float | None, rng: Rng) -> pd.DataFrame:
    """The pairwise table with the probabilities of practical equivalence, where there is a rope."""
    if rope is None:
        return pairs
    from podium.bayes._all_pairs import all_pairs

    if table.n_datasets == 1:
        posterior = all_pairs(scores, model="correlated_t", rope=rope)
    else:
        posterior = all_pairs(table, model="signed_rank", rope=rope, rng=rng)
    first = [table.position(name) for name in pairs["a"]]
    second = [table.position(name) for name in pairs["b"]]
    return pairs.assign(**{name: posterior.matrix(name)[first, second] for name in ("p_left", "p_rope", "p_right")})


def _ranking(table: Table, better: Bools, *, family_is_all: bool) -> tuple[Ranked, ...]:
    """The algorithms by mean rank, with simultaneous intervals for their ranks from the pairwise decisions."""
    from podium.stats.posthoc.letters import letters_of

    k = table.n_algorithms
    means = mean_ranks_of(table)
    order = np.argsort(means, kind="stable")
    letters = letters_of(better | better.T, order) if family_is_all else [""] * k
    rows = []
    for j in order:
        present = table.values[~np.isnan(table.values[:, j]), j]
        beats, beaten = int(better[j].sum()), int(better[:, j].sum())
        rows.append(
            Ranked(
                algorithm=table.algorithms[j],
                mean_score=float(present.mean()),
                median_score=float(np.median(present)),
                mean_rank=float(means[j]),
                rank_low=1 + beaten,
                rank_high=k - beats,
                wins=beats,
                ties=k - 1 - beats - beaten,
                losses=beaten,
                group=letters[j],
            )
        )
    return tuple(rows)


def mean_ranks_of(table: Table) -> npt.NDArray[np.float64]:
    """Mean ranks over the complete datasets; where there are fewer than two, over the algorithms present in each."""
    complete = table.complete()
    return complete.mean_ranks() if complete.n_datasets >= 2 else table.mean_ranks()


def _groups(table: Table, better: Bools, ranking: tuple[Ranked, ...]) -> tuple[tuple[str, ...], ...]:
    """Maximal groups that are not told apart: all of them, or runs along the mean ranks where they are too many."""
    from podium.stats.posthoc.cliques import groups

    apart = better | better.T
    settings: dict[str, Any] = {"mean_ranks": mean_ranks_of(table), "algorithms": table.algorithms}
    try:
        return groups(apart, form="cliques", **settings).groups
    except ArgumentError:
        return groups(apart, form="intervals", **settings).groups


def _beside(table: Table, test: str, control: str | None, rope: float | None) -> tuple[Result, ...]:
    """Other tests of the same question: for two algorithms the sign test, and with a rope equivalence tests."""
    if table.n_algorithms != 2 or table.n_datasets == 1:
        return ()
    from podium.stats.pairwise.equivalence import equivalence
    from podium.stats.pairwise.sign import sign

    first, second = table.gains[:, 0], table.gains[:, 1]
    found: list[Result] = []
    if test != "sign":
        found.append(sign(first, second))
    if rope:
        found.append(equivalence(first, second, rope=rope, test="wilcoxon"))
    return tuple(found)


def _pool(table: Table, alpha: float, control: str | None) -> PoolResult | None:
    """The audit of the pool, where it is quick and makes sense."""
    complete = table.complete()
    if not 3 <= table.n_algorithms <= MOST_FOR_POOL_AUDIT or complete.n_datasets < 5:
        return None
    from podium.studies.pool import pool_dependence

    pairs = None if control is None else [(control, name) for name in table.algorithms if name != control]
    return pool_dependence(complete, alpha=alpha, pairs=pairs, draws=200)


def _cost_order(scores: Scores, costs: Costs, alpha: float) -> Multi2TestResult:
    """The order by cost; the scores must have folds."""
    from podium.ordering._multi2test import multi2test

    test = "cv52_f" if scores.design.is_5x2 else "corrected_t"
    return multi2test(scores, costs, test=test, alpha=alpha)


def _references(*results: Result | None) -> tuple[str, ...]:
    keys = [key for result in results if result is not None for key in result.references]
    return tuple(dict.fromkeys((*keys, "benavoli2016")))


def _settings(facts: Facts, named: dict[str, str | None], alpha: float, confidence: float, rng: Rng) -> dict[str, Any]:
    """The arguments that repeat the comparison on the same scores; None where a rule chose."""
    return {
        "control": facts.control,
        "rope": facts.rope,
        **named,
        "alpha": alpha,
        "confidence": confidence,
        "rng": rng if isinstance(rng, int) else None,
    }
