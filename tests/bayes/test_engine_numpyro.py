"""`engine="numpyro"` gives what the fast ways give, where numpyro is installed; elsewhere one sentence."""

import importlib.util

import numpy as np
import pytest

import podium

Y = np.random.default_rng(0).normal([0.0, 0.02, 0.05], 0.02, (8, 3)) + np.linspace(0.5, 0.8, 8)[:, None]
GAINS = np.random.default_rng(2).normal(0.02, 0.01, (6, 1)) + np.random.default_rng(3).normal(0, 0.02, (6, 10))
missing = importlib.util.find_spec("numpyro") is None


@pytest.mark.skipif(not missing, reason="numpyro is installed")
def test_without_numpyro_one_sentence():
    with pytest.raises(podium.MissingPackageError, match="pip install 'numpyro'"):
        podium.bayes.anova(Y, engine="numpyro")
    with pytest.raises(podium.ArgumentError, match="`engine` must be"):
        podium.bayes.anova(Y, engine="stan")


@pytest.mark.skipif(missing, reason="needs numpyro")
@pytest.mark.parametrize("robust", [False, True])
def test_anova_both_ways(robust):
    mine, theirs = (podium.bayes.anova(Y, rope=0.01, robust=robust, rng=0, engine=e) for e in ("podium", "numpyro"))
    assert mine.p_rope == pytest.approx(theirs.p_rope, abs=0.05)
    assert mine.difference == pytest.approx(theirs.difference, abs=0.003)
    assert theirs.method.startswith("NUTS")


@pytest.mark.skipif(missing, reason="needs numpyro")
def test_hierarchical_both_ways():
    zeros = np.zeros_like(GAINS)
    mine, theirs = (podium.bayes.hierarchical(GAINS, zeros, rope=0.01, rng=0, engine=e) for e in ("podium", "numpyro"))
    assert mine.share_right == pytest.approx(theirs.share_right, abs=0.04)
    assert mine.shrunk == pytest.approx(theirs.shrunk, abs=0.003)
