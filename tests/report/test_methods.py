import numpy as np
import pytest

import podium
from podium.core.errors import ArgumentError
from podium.report.bibliography import entries, parse
from podium.report.documents import document
from podium.report.methods import _registered, cite, explain, keys_of, method_names

HELPERS = {"adjust"}  # they hand on what others do
TESTS = [
    name
    for name in podium.stats.__all__
    if getattr(podium.stats, name).__module__.startswith(
        ("podium.stats.pairwise", "podium.stats.omnibus", "podium.stats.corrections")
    )
]


def test_a_test_cites_what_its_result_cites():
    assert explain("wilcoxon").references[0] == "wilcoxon1945"
    assert explain("nemenyi").references[0] == "nemenyi1963"
    assert explain("shaffer").references == ("shaffer1986", "garcia2008")


def test_every_method_says_what_it_does_and_cites_known_works():
    for found in map(explain, method_names()):
        assert found.title, found.name
        assert set(found.references) <= set(entries()), found.name


@pytest.mark.parametrize("name", TESTS)
def test_every_test_and_correction_cites_a_work(name):
    assert name in HELPERS or name not in method_names() or explain(name).references


def test_the_guide_speaks_of_methods_that_exist_in_sentences():
    variants = {"iman_davenport", "none", "bayes.robust_anova"}  # chosen by name, but no functions of their own
    assert set(_registered()) <= {*method_names(), *variants}
    for name, advice in _registered().items():
        assert set(advice) <= {"assumes", "use", "references"}, name
        assert all(advice[key].endswith(".") for key in ("assumes", "use") if key in advice), name


def test_cite_gives_what_the_report_cites():
    table = np.random.default_rng(1).random((12, 4))
    report = document(podium.compare(table, correction="hommel", direction="higher", rows="datasets"))
    assert set(keys_of("hommel")) == {"hommel1988", "meijer2019"}
    assert set(keys_of("hommel")) <= set(report.references)
    assert podium.cite("hommel", "hommel1988") == cite("hommel")
    assert list(parse(podium.cite("hommel"))) == ["hommel1988", "meijer2019"]


def test_explain_prints_itself_and_knows_full_names():
    found = podium.explain("wilcoxon")
    assert "Assumes: Datasets are independent" in str(found)
    assert podium.explain("podium.stats.wilcoxon") is not None
    assert podium.explain("stats.sign").signature.startswith("podium.stats.sign(")
    assert podium.explain("hierarchical").name == "bayes.hierarchical"


@pytest.mark.parametrize("name", TESTS)
def test_every_test_and_correction_is_in_the_guide(name):
    assert name in HELPERS or name not in method_names() or explain(name).use


def test_signatures_show_arguments_without_types():
    assert explain("sign").signature == (
        "podium.stats.sign(x, y, *, ties='drop', method='exact', alternative='two-sided', confidence=0.95)"
    )


def test_a_key_stands_for_itself_and_an_unknown_name_gets_a_suggestion():
    assert keys_of("demsar2006") == ("demsar2006",)
    with pytest.raises(ArgumentError, match="did you mean 'wilcoxon'"):
        keys_of("wilcoxn")


def test_explain_fits_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("wilcoxon", "friedman", "bayes.hierarchical", "cases.gate", "holm"):
        assert max(map(len, str(explain(name)).splitlines())) <= 80, name
