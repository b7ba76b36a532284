import pytest

import podium
from podium.core.errors import ArgumentError
from podium.report.bibliography import entries
from podium.report.methods import _guide, keys_of, method, method_names, methods

HELPERS = {"adjust", "cv52_f_statistics"}  # they hand on what others do
TESTS = [
    name
    for name in podium.stats.__all__
    if getattr(podium.stats, name).__module__.startswith(
        ("podium.stats.pairwise", "podium.stats.omnibus", "podium.stats.corrections")
    )
]


def test_a_test_cites_what_its_result_cites():
    assert method("wilcoxon").references[:2] == ("wilcoxon1945", "demsar2006")
    assert method("nemenyi").references[0] == "nemenyi1963"
    assert method("shaffer").references == ("shaffer1986", "garcia2008")


def test_every_method_says_what_it_does_and_cites_known_works():
    for found in methods():
        assert found.title, found.name
        assert set(found.references) <= set(entries()), found.name


@pytest.mark.parametrize("name", TESTS)
def test_every_test_and_correction_cites_a_work(name):
    assert name in HELPERS or name not in method_names() or method(name).references


def test_the_guide_speaks_of_methods_that_exist_in_two_sentences():
    assert set(_guide()) <= set(method_names())
    for name, advice in _guide().items():
        assert set(advice) == {"assumes", "use"}, name
        assert all(text.endswith(".") for text in advice.values()), name


@pytest.mark.parametrize("name", TESTS)
def test_every_test_and_correction_is_in_the_guide(name):
    assert name in HELPERS or name not in method_names() or method(name).use


def test_signatures_show_arguments_without_types():
    assert method("sign").signature == (
        "podium.stats.sign(x, y, *, ties='drop', alternative='two-sided', confidence=0.95)"
    )


def test_a_key_stands_for_itself_and_an_unknown_name_gets_a_suggestion():
    assert keys_of("demsar2006") == ("demsar2006",)
    with pytest.raises(ArgumentError, match="did you mean 'wilcoxon'"):
        keys_of("wilcoxn")
