"""The registry of tests and corrections: each entry has a home, a public name and references that exist."""

import pytest

import podium.stats
from podium.report.bibliography import entries
from podium.stats import registry
from refusals import refuses

METHODS = [*registry.PAIRWISE.values(), *registry.OMNIBUS.values(), *registry.PROCEDURES.values()]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_a_method_has_a_home_a_label_and_references_that_exist(method):
    function = registry.function(method)
    assert getattr(podium.stats, function.__name__) is function
    assert method.label[0].isupper()
    assert set(method.references) <= set(entries())
    assert all(text.endswith(".") for text in (method.assumes, method.use, method.caution))


@pytest.mark.parametrize("correction", registry.CORRECTIONS.values(), ids=lambda correction: correction.name)
def test_a_correction_has_a_home_and_references_that_exist(correction):
    assert set(correction.references) <= set(entries())
    if correction.name != "none":
        assert getattr(podium.stats, correction.name) is registry.function(correction)


def test_a_correction_must_fit_the_test_and_the_family():
    with refuses(podium.ArgumentError, "correction"):
        registry.fitting("holm", test="nemenyi")
    with pytest.raises(podium.ArgumentError, match="for all pairs, not for pairs with a control"):
        registry.fitting("bergmann_hommel", control=True)
    assert registry.fitting("holm", test="wilcoxon", control=True).name == "holm"
