"""`podium cite` and `podium explain`, as a user runs them."""

import pytest

from podium.report.bibliography import parse
from program import podium as run


def test_cite_prints_bibtex_once_per_work():
    ran = run("cite", "wilcoxon", "sign", "holm")
    assert ran.returncode == 0
    keys = list(parse(ran.stdout))
    assert keys[0] == "wilcoxon1945"
    assert "holm1979" in keys
    assert len(keys) == len(set(keys)) == ran.stdout.count("@")


def test_cite_prints_plain_references():
    ran = run("cite", "demsar2006", "--text")
    assert ran.stdout.startswith("Janez Demšar (2006). Statistical Comparisons of Classifiers")


@pytest.mark.parametrize("command", ["cite", "explain"])
def test_both_list_the_methods(command):
    ran = run(command, "--list")
    assert ran.returncode == 0
    assert "wilcoxon" in ran.stdout
    assert "bergmann_hommel" in ran.stdout


@pytest.mark.parametrize("command", ["cite", "explain"])
def test_a_misspelt_name_gets_one_sentence(command):
    ran = run(command, "wilcoxn")
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert "did you mean 'wilcoxon'" in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["cite", "explain"])
def test_no_name_gets_one_sentence(command):
    ran = run(command)
    assert ran.returncode == 2
    assert f"`podium {command} --list`" in ran.stderr


def test_explain_says_what_when_and_whence():
    ran = run("explain", "wilcoxon")
    assert ran.returncode == 0
    for part in (
        "podium.stats.wilcoxon(x, y",
        "Assumes:",
        "When to use it:",
        "Gives a PairResult",
        "Frank Wilcoxon (1945)",
    ):
        assert part in ran.stdout
