"""What a comparison says beside its verdict: at which numbers each sentence comes, and what it counts."""

import itertools
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import podium
from comparison.stories import drawn, table, with_holes
from podium.cases.predictions import Predictions
from podium.comparison.rules import WHEN
from podium.comparison.symmetry import LEAST
from podium.evidence.runs import as_runs


def remark(found, topic):
    return next((each.sentence for each in found.remarks if each.topic == topic), "")


def agents(n_tasks, **shift):
    rng = np.random.default_rng(1)
    return as_runs(
        {name: {f"t{j}": (rng.random(5) + own).tolist() for j in range(n_tasks)} for name, own in shift.items()}
    )


def test_exactly_one_rule_for_missing_scores_fits():
    rules = ("no missing cell", "missing folds, but no missing cell", "missing cells")
    for missing, partial in itertools.product(((), ("hole",)), repeat=2):
        facts = SimpleNamespace(missing_scores=missing, partial_cells=partial)
        assert [WHEN[rule](facts) for rule in rules] == [
            not missing and not partial,
            not missing and bool(partial),
            bool(missing),
        ]


@pytest.mark.parametrize(("n", "said"), [(LEAST - 1, False), (LEAST, True)])
def test_skewed_differences_are_looked_for_from_fifteen_on(n, said):
    assert LEAST == 15
    gains = 1.5 ** np.arange(n) / 2000
    found = podium.compare(table(np.column_stack([0.1 + gains, np.full(n, 0.1)]), "ab"))
    assert bool(remark(found, "skewed differences")) == said


@pytest.mark.parametrize(("holes", "said"), [(1, False), (2, True)])
def test_what_becomes_of_missing_scores_is_said_above_a_twentieth_of_them(holes, said):
    found = podium.compare(table(with_holes(drawn(5, [0.8, 0.7, 0.6, 0.5]), holes), "abcd"))
    assert f"{holes} of 20" in found.verdict.on_what
    assert ("each pair was compared on the datasets that both have" in found.verdict.on_what) == said


def test_beside_a_cost_the_omnibus_test_has_room_only_where_it_disagrees():
    alike = table(drawn(8, [0.8, 0.8, 0.8], seed=3), "abc")
    assert "Friedman's test finds no difference either" in podium.compare(alike).verdict.certainty
    assert "Friedman" not in podium.compare(alike, cost={"a": 1.0, "b": 2.0, "c": 3.0}).verdict.certainty


@pytest.mark.parametrize("source", [table(drawn(12, [0.8, 0.7, 0.6]), "abc"), agents(3, a=0, b=0.5, c=1)])
def test_rank_ranges_hold_with_the_confidence_of_the_level(source):
    assert podium.compare(source, alpha=0.1).words.places.endswith("with 90% simultaneous confidence.")


def test_few_tasks_are_a_caution_about_the_interquartile_mean_alone():
    said = {
        (n, by): remark(podium.compare(agents(n, a=0, b=0.5), aggregate=by), "few tasks")
        for n in (3, 10)
        for by in ("iqm", "mean")
    }
    assert [key for key, sentence in said.items() if sentence] == [(3, "iqm")]


def test_all_aggregates_stand_beside_the_one_that_is_compared():
    found = podium.compare(agents(3, a=0, b=0.5), aggregate="iqm")
    assert set(found.extra("aggregates").to_frame()["aggregate"]) == {
        "interquartile mean",
        "mean",
        "median of the tasks",
    }


@pytest.mark.parametrize(
    ("lost", "said"), [(1, "1 pair of an agent and a task has"), (2, "2 pairs of an agent and a task have")]
)
def test_lost_runs_are_counted_by_agent_and_task(lost, said):
    runs = {
        name: {f"t{j}": [0.1, 0.2, 0.3, 0.5][: 3 if name == "a" and j < lost else 4] for j in range(3)} for name in "ab"
    }
    assert remark(podium.compare(as_runs(runs)), "missing runs").startswith(f"{said} fewer runs than")


def test_who_wins_rarely_but_by_more_is_said_of_that_pair_alone():
    rng = np.random.default_rng(2)
    plain = rng.normal(1, 0.01, (30, 3))
    rare = np.where(rng.random((30, 3)) < 0.3, 20, 0) + rng.normal(0.5, 0.01, (30, 3))
    found = podium.compare(
        {"plain": plain, "rare": rare, "better": plain + 30}, unit="run", aggregate="mean", direction="higher"
    )
    assert (found.pairs.adjusted <= 0.05).all()
    assert remark(found, "aggregate and improvement").startswith("plain and rare: the one with the better mean")


def test_missing_predictions_are_judged_by_the_other_policy_too():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 60)
    given = {
        name: np.where(rng.random(60) < right, truth, 1 - truth).astype(float)
        for name, right in (("a", 0.9), ("b", 0.7))
    }
    given["a"][:6] = np.nan
    frame = pd.DataFrame({"y": truth, **given})
    sizes = {}
    for policy in ("wrong", "complete"):
        found = podium.compare(frame, truth="y", metric="macro_f1", missing=policy)
        predictions = next(part for part in found.parts if isinstance(part, Predictions))
        sizes[policy] = len(predictions.truth), len(predictions.other.truth)
    assert sizes == {"wrong": (60, 54), "complete": (54, 60)}
