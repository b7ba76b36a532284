"""All pairs on the same cases: against enumeration and scikit-learn, and properties that hold for any outcomes."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import metrics

from podium.cases import all_pairs, compare_predictions, gate
from podium.cases.family import flip_family
from podium.cases.influence import by_deletion
from podium.cases.predictions import as_predictions
from podium.cases.registry import METRICS
from podium.core.errors import DataError, PodiumError
from podium.core.metric import Metric
from podium.core.pairs import pair_indices
from podium.evidence.cases import Cases, as_cases
from podium.stats import rank_intervals
from podium.stats.corrections import adjust
from refusals import refuses

SCIKIT = {
    "auc": metrics.roc_auc_score,
    "average_precision": metrics.average_precision_score,
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "precision": lambda y, p: metrics.precision_score(y, p, zero_division=0),
    "recall": metrics.recall_score,
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label=0),
    "f1": lambda y, p: metrics.f1_score(y, p, zero_division=0),
    "macro_f1": lambda y, p: metrics.f1_score(y, p, average="macro", zero_division=0),
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "log_loss": metrics.log_loss,
    "brier": metrics.brier_score_loss,
    "mae": metrics.mean_absolute_error,
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "r2": metrics.r2_score,
}


def predictions_for(needs, rng, n=40):
    truth = rng.random(n) < 0.4
    truth[:4] = [True, True, False, False]
    scores = np.round(np.clip(rng.normal(0.5, 0.2, (n, 3)) + 0.2 * truth[:, None], 0.01, 0.99), 1)
    if needs == "labels":
        return truth.astype(int), (scores > 0.5).astype(int)
    if needs == "numbers":
        return rng.normal(size=n), rng.normal(size=(n, 3))
    return truth.astype(int), scores


@pytest.mark.parametrize("name", METRICS)
def test_scores_are_those_of_scikit_learn_and_influence_is_what_deleting_a_case_does(name):
    truth, predicted = predictions_for(METRICS[name].needs, np.random.default_rng(3))
    cases = as_predictions(truth, predicted, metric=name).to_cases()
    expected = [SCIKIT[name](truth, predicted[:, j]) for j in range(3)]
    assert cases.scores == pytest.approx(expected, abs=1e-12)
    deleted = by_deletion(SCIKIT[name], truth, predicted)
    assert cases.values == pytest.approx(deleted.values, abs=1e-8)


def test_every_metric_has_its_peer():
    assert set(SCIKIT) == set(METRICS)


def test_three_classes_are_those_of_scikit_learn():
    rng = np.random.default_rng(5)
    truth = rng.choice(["ant", "bee", "cow"], 60)
    predicted = np.where(rng.random((60, 2)) < 0.6, truth[:, None], rng.choice(["ant", "bee", "cow"], (60, 2)))
    for name in ("accuracy", "balanced_accuracy", "macro_f1", "mcc", "kappa"):
        cases = as_predictions(truth, predicted, metric=name).to_cases()
        assert cases.scores == pytest.approx([SCIKIT[name](truth, predicted[:, j]) for j in range(2)], abs=1e-12)
        assert cases.values == pytest.approx(by_deletion(SCIKIT[name], truth, predicted).values, abs=1e-8)


@pytest.mark.parametrize("positive", ["ant", "cow"])
@pytest.mark.parametrize("name", [name for name, known in METRICS.items() if known.two_classes])
def test_a_positive_class_of_three_is_one_against_the_rest(name, positive):
    rng = np.random.default_rng(6)
    truth = rng.choice(["ant", "bee", "cow"], 60)
    predicted = np.where(rng.random((60, 2)) < 0.6, truth[:, None], rng.choice(["ant", "bee", "cow", "?"], (60, 2)))
    called = (predicted == positive).astype(int)
    if METRICS[name].needs == "scores":
        predicted = called = np.round(rng.random((60, 2)) + (truth == positive)[:, None], 1)
    cases = as_predictions(truth, predicted, metric=name, positive=positive).to_cases()
    binary = (truth == positive).astype(int)
    assert cases.scores == pytest.approx([SCIKIT[name](binary, called[:, j]) for j in range(2)], abs=1e-12)
    assert cases.values == pytest.approx(by_deletion(SCIKIT[name], binary, called).values, abs=1e-8)
    assert cases.classes == tuple(map(str, (truth == positive).tolist()))


def test_a_label_that_only_a_prediction_has_is_no_class_of_the_mean():
    truth, given = list("ababcc"), {"x": list("a?abcc"), "y": list("abbbcc")}
    found = as_predictions(truth, given, metric="macro_f1")
    expected = [metrics.f1_score(truth, p, average="macro", labels=["a", "b", "c"]) for p in given.values()]
    assert found.to_cases().scores == pytest.approx(expected)
    unknown = "x predicts '?' for 1 case, which the truth never has"
    assert found.notes == (f"{unknown}: always wrong; the classes are those of the truth.",)
    one = as_predictions(truth, given, metric="f1", positive="a")
    assert one.notes == (f"{unknown}: the same as not 'a'.",)


@pytest.mark.parametrize("clusters", [None, np.arange(90) // 2])
@pytest.mark.parametrize("name", [name for name, known in METRICS.items() if known.kind != "mean"])
def test_wins_and_losses_count_cases(name, clusters):
    """Who alone is right, ranks the case better among those of the other class, or errs less."""
    rng = np.random.default_rng(8)
    truth, known = rng.choice(["ant", "bee", "cow"], 90), METRICS[name]
    if known.needs == "labels":
        given = np.where(rng.random((90, 2)) < 0.6, truth[:, None], rng.choice(["ant", "bee", "cow"], (90, 2)))
        good = given == truth[:, None]
        if known.two_classes:
            good = (given == "bee") == (truth == "bee")[:, None]
    elif known.needs == "scores":
        given = np.round(rng.random((90, 2)) + (truth == "bee")[:, None], 1)
        others = [given[(truth == "bee") != is_bee] for is_bee in truth == "bee"]
        sides = np.where(truth == "bee", 1, -1)
        good = np.array([np.sign(s * (g - o)).sum(axis=0) for s, g, o in zip(sides, given, others, strict=True)])
    else:
        truth, given = rng.normal(size=90), rng.normal(size=(90, 2))
        good = -np.abs(given - truth[:, None])
    positive = "bee" if known.two_classes else None
    found = compare_predictions(truth, given, metric=name, positive=positive, clusters=clusters)
    expected = [(good[:, 0] > good[:, 1]).sum(), (good[:, 0] < good[:, 1]).sum()]
    assert [found.wins[0], found.losses[0]] == expected
    assert found.ties[0] == 90 - sum(expected)
    checked = gate(as_predictions(truth, given, metric=name, positive=positive), margin=0.05).checks[0]
    assert [checked.cases_worse, checked.cases_better] == expected


def brute_force_step_down(sums, pairs):
    """Romano and Wolf's step-down with all flips, by the definition: the largest over the pairs not yet rejected."""
    signs = np.array(list(itertools.product([1, -1], repeat=len(sums))))
    u = np.array([sums[:, i] - sums[:, j] for i, j in pairs])
    scale = np.sqrt((u**2).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(scale > 0, np.abs(u.sum(axis=1)) / scale, 0.0)
        flips = np.where(scale > 0, np.abs(signs @ u.T) / scale, 0.0)
    adjusted, floor = np.ones(len(pairs)), 0.0
    for step in np.argsort(-t, kind="stable"):
        left = t <= t[step] + 1e-9
        p = (flips[:, left].max(axis=1) >= t[step] - 1e-9).mean()
        floor = max(floor, p)
        adjusted[step] = floor if scale[step] > 0 else 1.0
    return adjusted


@given(arrays(np.int8, st.tuples(st.integers(2, 7), st.integers(2, 4)), elements=st.integers(0, 1)))
def test_the_family_is_the_definition_by_enumeration(outcomes):
    sums = outcomes.astype(float)
    first, second = pair_indices(sums.shape[1])
    found = flip_family(sums, first, second)
    expected = brute_force_step_down(sums, list(zip(first, second, strict=True)))
    assert found.exact
    assert found.adjusted == pytest.approx(expected, abs=1e-12)


def test_the_compiled_and_the_array_form_of_the_family_agree(monkeypatch):
    from podium.cases import family

    rng = np.random.default_rng(1)
    sums = (rng.random((60, 8)) < np.linspace(0.3, 0.8, 8)).astype(float)
    pairs = pair_indices(8)
    plain = flip_family(sums, *pairs, draws=500)
    monkeypatch.setattr(family, "_COMPILED_FROM", 1)
    compiled = flip_family(sums, *pairs, draws=500)
    assert plain.adjusted.tolist() == compiled.adjusted.tolist()


@given(
    outcomes=arrays(np.int8, st.tuples(st.integers(3, 30), st.integers(2, 5)), elements=st.integers(0, 1)),
    seed=st.integers(0, 100),
)
def test_properties_of_pass_or_fail(outcomes, seed):
    data = outcomes.astype(float)
    found = all_pairs(data)
    assert ((found.pvalue >= 0) & (found.adjusted <= 1)).all()
    assert (found.adjusted >= found.pvalue).all()
    assert (found.low <= found.effect + 1e-12).all() or (found.n < 10).any()
    assert (found.low <= found.high).all()
    assert (np.sign(found.effect) == found.side).all()
    order = np.random.default_rng(seed).permutation(len(data))
    assert all_pairs(data[order]).pvalue.tolist() == found.pvalue.tolist()
    turned = all_pairs(data[:, ::-1])
    assert turned.matrix("pvalue")[::-1, ::-1].tolist() == found.matrix("pvalue").tolist()
    errors = all_pairs(Cases(
        values=1 - data, cases=tuple(map(str, range(len(data)))), algorithms=tuple("abcde"[: data.shape[1]]),
        metric=Metric(name="error", direction="lower"),
    ))  # fmt: skip
    assert errors.wins.tolist() == found.wins.tolist()
    assert errors.side.tolist() == found.side.tolist()
    assert errors.effect == pytest.approx(-found.effect)
    assert errors.method == found.method
    assert (errors.pvalue.tolist(), errors.adjusted.tolist()) == (found.pvalue.tolist(), found.adjusted.tolist())
    assert (-errors.high).tolist() == pytest.approx(found.low.tolist())


def test_pairs_read_like_any_result_on_pairs():
    rng = np.random.default_rng(2)
    data = pd.DataFrame((rng.random((80, 3)) < [0.5, 0.7, 0.9]).astype(int), columns=["low", "middle", "high"])
    found = all_pairs(data)
    straight, turned = found.pair("low", "high"), found.pair("high", "low")
    assert straight.effect == -turned.effect == data["low"].mean() - data["high"].mean()
    assert straight.wins == turned.losses == ((data["low"] == 1) & (data["high"] == 0)).sum()
    assert "cases like these" in found.summary()
    assert len(repr(found).splitlines()) < 15
    ranks = rank_intervals(found)
    assert ranks.low.tolist() == [1 + (found.better(0.05)[:, j]).sum() for j in range(3)]


def test_samples_of_a_case_are_no_cases():
    """Five samples of each case: repeating them must not make the p-value smaller."""
    rng = np.random.default_rng(8)
    chances = rng.random((30, 1)) * 0.5 + np.array([0.2, 0.3])
    drawn = rng.random((5, 30, 2)) < chances
    means = all_pairs(drawn.mean(axis=0))
    as_clusters = all_pairs(
        drawn.transpose(1, 0, 2).reshape(150, 2).astype(float), clusters=np.repeat(np.arange(30), 5)
    )
    assert means.effect == pytest.approx(as_clusters.effect)
    assert means.low == pytest.approx(as_clusters.low, abs=1e-9)


def test_macro_and_micro_means_are_the_stated_ones():
    data = np.array([[1, 0]] * 6 + [[0, 1]] * 30, dtype=float)
    names = ["small"] * 6 + ["large"] * 30
    assert all_pairs(data, benchmarks=names).effect[0] == pytest.approx(0.0)
    assert all_pairs(data, benchmarks=names, mean="micro").effect[0] == pytest.approx((6 - 30) / 36)


def test_holes_by_policy():
    data = {"a": [1, 1, 1, None, 0, 1], "b": [0, 1, 0, 1, None, 1]}
    assert all_pairs(data).n.tolist() == [4]
    assert ("case 4", "a") in {hole.cell for hole in all_pairs(data).missing_scores}
    wrong = all_pairs(data, missing="wrong")
    assert wrong.n.tolist() == [6]
    assert wrong.losses.tolist() == [1]
    with refuses(DataError, "missing"):
        all_pairs(data, missing="refuse")
    with refuses(DataError, "missing"):
        all_pairs({"a": [1.5, None, 3], "b": [1, 2, 3]}, missing="wrong")


def test_holes_in_a_family_use_each_pairs_own_cases():
    rng = np.random.default_rng(4)
    data = (rng.random((50, 4)) < [0.3, 0.5, 0.7, 0.9]).astype(float)
    holed = data.copy()
    holed[:5, 0] = np.nan
    full, part = all_pairs(data, draws=2000), all_pairs(holed, draws=2000)
    untouched = (full.first != 0) & (full.second != 0)
    assert part.pvalue[untouched].tolist() == full.pvalue[untouched].tolist()
    assert part.n[~untouched].tolist() == [45, 45, 45]


def test_numbers_are_corrected_by_holm_and_pass_or_fail_step_down():
    rng = np.random.default_rng(6)
    data = rng.exponential(size=(40, 3)) * [1, 1, 3]
    found = all_pairs(data)
    assert (found.correction, found.draws) == ("holm", 0)
    assert found.adjusted.tolist() == pytest.approx(adjust(found.pvalue, "holm").tolist())
    assert all_pairs((data > 1).astype(float)).correction == "step_down"


@pytest.mark.parametrize("kind", ["numbers", "bounded", "clusters", "weights", "benchmarks"])
def test_p_and_the_interval_of_each_agree(kind):
    """One rule for both: p is above the level just where the interval holds 0."""
    rng = np.random.default_rng(len(kind))
    for shift in np.linspace(0, 0.25, 12):
        data = rng.integers(0, 6, (40, 2)) / 5
        data[:, 0] = np.clip(data[:, 0] + shift, 0, 1)
        options = {"clusters": np.arange(40) // 2, "weights": rng.uniform(1, 3, 40), "benchmarks": np.arange(40) // 20}
        values = np.exp(2 * data) if kind == "numbers" else data
        found = all_pairs(values, intervals="each", **{name: given for name, given in options.items() if name == kind})
        assert (found.pvalue[0] <= 0.05) == (found.low[0] > 0 or found.high[0] < 0)


def test_a_metric_of_ones_own():
    truth, predicted = predictions_for("numbers", np.random.default_rng(7))
    own = compare_predictions(truth, predicted, metric=metrics.root_mean_squared_error, direction="lower")
    known = compare_predictions(truth, predicted, metric="rmse")
    assert own.effect == pytest.approx(known.effect)
    assert own.pvalue == pytest.approx(known.pvalue)
    assert own.side.tolist() == known.side.tolist()


@pytest.mark.parametrize(
    "truth, predicted, metric, words",
    [
        ([1, 1, 1], {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]}, "auc", "one class only"),
        ([1, 0, 1], {"a": [0.1, 0.2], "b": [0.3, 0.2]}, "auc", "3 cases, the predictions have 2"),
        ([1, 0, 1], {"a": [0.1, 1.2, 0.3], "b": [0.3, 0.2, 0.1]}, "log_loss", "the probability 1.2"),
        (["x", "y", "x"], {"a": [1, 0, 1], "b": [1, 1, 1]}, "f1", "Which class is"),
        (["x", "y", "x"], {"a": [1, 0, 1], "b": [1, 1, 1]}, "accuracy", "no label in common"),
        (["x", "y", "z"], {"a": ["x", "y", "z"], "b": ["x", "x", "x"]}, "f1", "3 classes"),
        ([1, 0, 1], {"a": [0.1, None, 0.3], "b": [0.3, 0.2, 0.1]}, "auc", "no prediction for case '2'"),
        ([1, 0, 1], {"a": [1, 0, 1], "b": [1, 0]}, "accuracy", "their numbers differ"),
        ([1, 0, 1], {"a": [1, 0, 1], "b": [1, 0, 0]}, "acuracy", "did you mean 'accuracy'"),
    ],
)
def test_bad_predictions_are_a_sentence(truth, predicted, metric, words):
    with pytest.raises(PodiumError, match=words):
        compare_predictions(truth, predicted, metric=metric)


def test_identical_algorithms_and_constant_predictions_give_no_difference():
    truth = [1, 0, 1, 0, 1, 1]
    for metric in ("auc", "average_precision", "log_loss"):
        found = compare_predictions(truth, {"a": [0.5] * 6, "b": [0.5] * 6, "c": [0.5] * 6}, metric=metric)
        assert found.adjusted.tolist() == [1.0, 1.0, 1.0]
        assert found.side.tolist() == [0.0, 0.0, 0.0]
    same = all_pairs({"a": [1, 0, 1], "b": [1, 0, 1]})
    assert same.pvalue.tolist() == [1.0]
    assert same.low[0] < 0 < same.high[0]


def test_cases_refuse_what_does_not_fit():
    with pytest.raises(DataError, match="occurs more than once"):
        as_cases(pd.DataFrame({"a": [1, 0], "b": [1, 1]}, index=["q1", "q1"]))
    with pytest.raises(DataError, match="clusters"):
        all_pairs({"a": [1, 0, 1], "b": [1, 1, 1]}, clusters=["x", "y"])
    with pytest.raises(DataError, match="at least 3 are needed"):
        all_pairs({"a": [1, 0, 1, 0], "b": [1, 1, 1, 1]}, clusters=["x", "y", "x", "y"])


def test_differences_that_never_vary_have_a_side_and_no_certainty():
    accuracy = all_pairs({"a": [1, 1, 1, 1], "b": [0, 0, 0, 0]})
    metric = Metric(name="error", direction="lower")
    errors = all_pairs(as_cases({"a": [0, 0, 0, 0], "b": [1, 1, 1, 1]}, metric=metric))
    assert accuracy.side.tolist() == errors.side.tolist() == [1.0]
    assert errors.pvalue.tolist() == accuracy.pvalue.tolist() == [0.0625]
    losses = all_pairs({"a": [2.5, 3.5, 4.5], "b": [2.0, 3.0, 4.0]})
    assert losses.side.tolist() == [1.0]
    assert losses.pvalue.tolist() == pytest.approx([0.25])


def test_cases_that_speak_for_either_are_counted_alike_in_blocks_and_pair_by_pair(monkeypatch):
    from podium.cases import pair_kernels

    gains = np.random.default_rng(2).integers(-2, 3, (40, 6)) / 3
    pairs = pair_indices(6)
    blocks = pair_kernels.speaking(gains, *pairs)
    monkeypatch.setattr(pair_kernels, "_CACHE", 1)
    one_by_one = pair_kernels.speaking(gains, *pairs)
    expected = [
        [(gains[:, i] > gains[:, j]).sum() for i, j in zip(*pairs, strict=True)] for pairs in (pairs, pairs[::-1])
    ]
    for found in (blocks, one_by_one):
        assert [counts.tolist() for counts in found] == expected


@pytest.mark.parametrize("kind", ["pass_fail", "numeric"])
def test_mean_ranks_are_those_of_the_whole_pool_also_with_a_control(kind):
    rng = np.random.default_rng(3)
    values = rng.integers(0, 2, (40, 4)).astype(float) if kind == "pass_fail" else rng.normal(size=(40, 4))
    every = all_pairs(values)
    assert all_pairs(values, control="algorithm 2").mean_ranks == pytest.approx(every.mean_ranks, abs=1e-12)
    assert every.mean_ranks.sum() == pytest.approx(10)
