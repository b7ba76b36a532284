"""The imprecise Dirichlet process: what every place of the prior gives lies between the lower and the upper probability."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

import podium
from podium.bayes.posterior import SIDES
from program import podium as program


def test_without_rope_and_zeros_it_is_a_beta_distribution():
    # Benavoli et al. (2014): with w wins of n and s at one side, P(share of wins > 1/2) is that of Beta(w, n - w + s) or Beta(w + s, n - w).
    x = np.array([1.0] * 7 + [-1.0] * 3)
    found = podium.bayes.imprecise(np.column_stack([x, np.zeros(10)]), model="sign", prior=2.0)
    assert found.lower[0, 2] == pytest.approx(beta.sf(0.5, 7, 5), abs=1e-6)
    assert found.upper[0, 2] == pytest.approx(beta.sf(0.5, 9, 3), abs=1e-6)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(["sign", "signed_rank"]), st.sampled_from(SIDES))
def test_every_place_lies_between(seed, model, place):
    x = np.random.default_rng(seed).normal(0.3, 1, size=12)
    table = np.column_stack([x, np.zeros(12)])
    found = podium.bayes.imprecise(table, model=model, rope=0.1, prior=1.5, draws=4000)
    one = podium.bayes.all_pairs(table, model=model, rope=0.1, prior=1.5, place=place, draws=4000, rng=seed)
    chances = np.array([one.p_left[0], one.p_rope[0], one.p_right[0]])
    noise = 0 if model == "sign" else 0.04  # two independent fractions of 4000 draws
    assert (found.lower[0] <= chances + noise + 1e-9).all()
    assert (chances <= found.upper[0] + noise + 1e-9).all()


def test_a_stronger_prior_widens_the_range():
    table = podium.example("benavoli2016").scores()
    weak, strong = (podium.bayes.imprecise(table, model="sign", prior=s) for s in (0.5, 5.0))
    assert (strong.lower <= weak.lower + 1e-9).all()
    assert (strong.upper >= weak.upper - 1e-9).all()
    assert set(weak.undecided()) <= set(strong.undecided())
    assert "prior worth 5 datasets" in strong.summary()


def test_prior_and_place_from_the_command_line():
    words = ("bayes", "benavoli2016", "--model", "sign", "--rope", "1", "--json", "-")
    ran = program(*words, "--place", "any", "--prior", "1")
    found = json.loads(ran.stdout)
    low, high = np.array(found["lower"]), np.array(found["upper"])
    for place in SIDES:
        one = json.loads(program(*words, "--place", place, "--prior", "1").stdout)
        chances = np.column_stack([one[f"p_{side}"] for side in SIDES])
        assert ((low - 1e-9 <= chances) & (chances <= high + 1e-9)).all()
    assert (
        program("bayes", "ulas2008", "--model", "anova", "--place", "left").returncode == 2
    )  # ANOVA has no such prior
