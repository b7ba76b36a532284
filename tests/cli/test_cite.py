"""`podium cite` and `podium explain`, as a user runs them."""

import tomllib
from pathlib import Path

import pytest

from podium.report.bibliography import parse
from podium.report.methods import explain, is_method, methods_about
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
        "Returns PairResult",
        "Frank Wilcoxon (1945)",
    ):
        assert part in ran.stdout


QUESTIONS = tomllib.loads((Path(__file__).parents[1] / "questions.toml").read_text(encoding="utf-8"))


def test_every_paper_and_anybody_has_ten_questions():
    assert {paper: len(asked) >= 10 for paper, asked in QUESTIONS.items()} == dict.fromkeys(QUESTIONS, True)
    assert set(QUESTIONS) == {
        "anybody",
        "benavoli2016",
        "forman2005",
        "demsar2006",
        "demsar2006_sl",
        "ulas2008",
        "wainer2016",
    }


@pytest.mark.parametrize("paper", QUESTIONS)
def test_explain_finds_methods_by_the_words_of_the_papers(paper):
    for question in QUESTIONS[paper]:
        if "explain" in question:
            words, wanted = question["explain"], question["gives"]
            answers = (explain(words).name,) if is_method(words) else methods_about(words)[:3]
            assert wanted in answers, words


def test_words_that_several_methods_have_list_them():
    ran = run("explain", "imprecise Dirichlet process")
    assert ran.returncode == 0
    assert "bayes.imprecise" in ran.stdout
    assert "wilcoxon" not in ran.stdout
    assert run("explain", "Critical difference").stdout == run("explain", "critical_difference").stdout
    assert run("explain", "xylophone quartets").returncode == 2


@pytest.mark.parametrize("paper", QUESTIONS)
def test_the_list_of_commands_leads_to_each_question(paper):
    named = {line.split()[0] for line in run("--help").stdout.splitlines() if line.startswith("  ") and line.strip()}
    assert {question["help"] for question in QUESTIONS[paper] if "help" in question} <= named
