"""The shape of all results: turning pairs, matrices, sentences, JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

import podium
import results_of
from bayes.published import mean_accuracies
from podium.bayes.registry import MODELS
from podium.reading._examples import example
from refusals import refuses
from said import says_its_numbers, shows_its_numbers


def test_matrix_and_pairs_agree():
    found = podium.bayes.all_pairs(mean_accuracies(), model="sign", rope=1.0, rng=0)
    better, worse = found.matrix("p_right"), found.matrix("p_left")
    assert better[1, 0] == found.pair("aode", "nbc").p_right
    assert np.allclose(better, worse.T, equal_nan=True)
    assert np.isnan(np.diag(better)).all()
    assert np.allclose(found.matrix("difference"), -found.matrix("difference").T, equal_nan=True)
    with pytest.raises(podium.ArgumentError, match="did you mean"):
        found.pair("nbc", "aod")
    with pytest.raises(podium.ArgumentError, match="two different"):
        found.pair("nbc", "nbc")


def test_sentences_say_what_matters_and_what_does_not_follow():
    table = mean_accuracies()
    found = podium.bayes.signed_rank(table["nbc"], table["j48"], rope=1.0, names=("nbc", "j48"), rng=0)
    assert "the chance that the difference matters is" in found.summary()
    assert "not the same as equivalence" in found.summary()
    sure = podium.bayes.correlated_t([0.9, 0.91, 0.92, 0.9], [0.5, 0.52, 0.5, 0.51])
    assert "give a rope" in sure.summary()
    assert "NaN" not in json.dumps(found.to_dict())
    assert "draws" not in found.to_dict()


def test_without_a_rope_nothing_is_said_to_matter():
    table = mean_accuracies()
    for found in (
        podium.bayes.sign(table["nbc"], table["j48"], rng=0),
        podium.bayes.all_pairs(table, model="sign", rng=0).pair("nbc", "j48"),
    ):
        assert "the difference matters" not in found.summary()
        assert ", equal " in found.summary()
    assert "prior weighs as much as 1 dataset on which neither" in podium.bayes.all_pairs(table, model="sign").summary()


def test_a_pair_tells_its_warnings():
    certain = podium.bayes.correlated_t([0.92, 0.93, 0.95], [0.91, 0.92, 0.94], rope=0.001, names=("svm", "knn"))
    assert "All 3 differences of svm and knn equal 0.01: without variance the model is certain" in certain.summary()
    single = podium.bayes.all_pairs(np.arange(8.0)[None] / 10, model="signed_rank", rng=0)
    assert "share only one dataset, and the prior weighs as much as 0.5." in single.summary()
    assert "23 more warnings: see `warnings`." in single.summary()


def test_no_probability_is_negative():
    draws = np.random.default_rng(0).normal(size=(997, 200))
    parts = podium.bayes.posterior.fractions(draws, 0.0)
    assert parts.min() == 0
    assert (parts[:, 1] == 0).all()


@pytest.mark.parametrize("model", sorted(MODELS))
def test_every_model_by_its_name_has_the_same_shape(model):
    scores = example("ulas2008").scores("accuracy").select(["c45", "mlp", "svr"])
    found = podium.bayes.all_pairs(scores, model=model, rope="auto", dataset="australian", rng=0)
    assert np.allclose(found.p_left + found.p_rope + found.p_right, 1)
    assert list(found.to_frame().columns[:8]) == ["a", "b", "p_left", "p_rope", "p_right", "difference", "low", "high"]
    assert (found.low <= found.high).all()
    bibliography = (Path(podium.__file__).parent / "report" / "references.bib").read_text(encoding="utf-8")
    assert found.references
    for key in found.references:
        assert f"{{{key}," in bibliography
    assert found.summary()
    assert found.summary().split(":")[0] in found._repr_html_()


def test_an_unknown_option_is_refused_by_its_name():
    with pytest.raises(podium.ArgumentError, match="Unknown option of the model 'sign' 'plase': did you mean 'place'"):
        podium.bayes.all_pairs(mean_accuracies(), model="sign", plase="left")


def test_an_unknown_model_is_refused():
    with refuses(podium.ArgumentError, "model"):
        podium.bayes.all_pairs(example("ulas2008").scores("accuracy"), model="magic")


@pytest.mark.parametrize("verb", [podium.bayes.all_pairs, podium.compare, podium.read])
def test_a_metric_that_is_no_name_is_refused(verb):
    with refuses(podium.ArgumentError, "metric"):
        verb(np.arange(12.0).reshape(6, 2), metric=3)


def test_numbers_in_sentences_and_frames_are_those_of_the_result():
    for result in results_of.bayes():
        says_its_numbers(result, other=[0.95])
        shows_its_numbers(result)
