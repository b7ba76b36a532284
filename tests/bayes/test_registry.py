"""The registry of Bayesian models: complete, true, and all that a new model needs."""

import importlib
import inspect
import re
import sys
import types

import numpy as np
import pytest

import podium
from podium.bayes.posterior import PairsPosterior, fractions, triple
from podium.bayes.registry import MODELS, STEPS, Model
from podium.core.pairs import pair_indices
from podium.evidence.table import as_table
from podium.report.bibliography import entries


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_model_has_its_texts_its_function_and_its_references(name):
    model = MODELS[name]
    assert model.name == name
    assert model.function in podium.bayes.__all__
    assert callable(importlib.import_module(model.home).fit)
    assert model.over in ("datasets", "folds", "nested", "pool")
    assert model.label[0].isupper()
    assert model.phrase[0].islower()
    assert model.assumes.endswith(".")
    assert model.use.endswith(".")
    cited = re.findall(r"@(\w+)", model.phrase)
    assert cited
    assert set(cited) <= set(model.references) <= set(entries())


def test_ropes_and_decisions_are_explained_too():
    others = {"all_pairs", *(model.function for model in MODELS.values())}
    functions = {name for name in podium.bayes.__all__ if not inspect.isclass(getattr(podium.bayes, name))}
    assert set(STEPS) == functions - others
    for name, step in STEPS.items():
        assert callable(getattr(importlib.import_module(step.home), name))
        assert set(step.references) <= set(entries())


def test_a_new_model_is_one_file_and_one_entry(monkeypatch):
    def fit(data, *, rope, rng, progress, credibility=0.95):
        """A bootstrap of the mean gain."""
        table = as_table(data)
        first, second = pair_indices(table.n_algorithms)
        gains = table.gains[:, first] - table.gains[:, second]
        means = gains[np.random.default_rng(rng).integers(len(gains), size=(500, len(gains)))].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975], axis=0)
        return PairsPosterior.of(
            "bootstrap", table.algorithms, rope=rope, **triple("p", fractions(means, rope)), difference=means.mean(axis=0),
            low=low, high=high, credibility=credibility, n=np.full(len(first), len(gains)),
            left_out=np.zeros(len(first), dtype=int), method="bootstrap",
        )  # fmt: skip

    home = types.ModuleType("podium.bayes._bootstrap")
    home.fit = fit
    monkeypatch.setitem(sys.modules, home.__name__, home)
    texts = {
        "line": "the mean gain",
        "phrase": "a bootstrap",
        "assumes": "Nothing.",
        "use": "Never.",
        "label": "Bootstrap",
    }
    entry = Model(name="bootstrap", home=home.__name__, function="bootstrap", over="datasets", references=(), **texts)
    monkeypatch.setitem(MODELS, "bootstrap", entry)
    table = np.linspace(0.6, 0.9, 12)[:, None] + [0.0, 0.01, 0.05]
    found = podium.bayes.all_pairs(table, model="bootstrap", rope=0.02, rng=0)
    assert found.summary().startswith("Bootstrap, rope 0.02")
    assert podium.bayes.decide(found).verdicts == ("equivalent", "b", "b")
    assert found.pair("algorithm 3", "algorithm 1").p_right == 1
    assert "share_left" not in found.to_frame()
