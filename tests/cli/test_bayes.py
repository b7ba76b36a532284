"""`podium bayes` as a user runs it."""

import json
import re

import pytest
from typer.testing import CliRunner

import podium
from bench.tools import InsideEngine, suite
from podium.bench.protocols import Protocol
from podium.bench.runner import run as run_suite
from podium.bench.store import open_store
from podium.cli.main import app
from podium.core.errors import PodiumError

runner = CliRunner()


def run(*arguments):
    result = runner.invoke(app, ["bayes", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result


def test_the_table_names_winners_and_the_source_of_the_rope():
    out = run("ulas2008", "--rope", "auto").stdout
    assert "Differences up to 1.57 are taken as irrelevant" in out
    assert "Bayesian ANOVA" in out  # the model of compare --rope
    assert "which is not the same as equivalent" in " ".join(out.split())


def test_decisions_follow_the_table_of_pairs_and_are_not_told_twice(tmp_path):
    named = ("benavoli2016_named", "--rope", "0.01")
    short = run(*named).stdout
    assert "Decisions" not in short
    pairs, decisions = re.split(r"\n+Decisions.*\n", run(*named, "--full").stdout)
    leaders = [line.split()[:2] for line in pairs.splitlines() if "[" in line]
    decided = [line.split()[:2] for line in decisions.splitlines() if line.endswith(tuple("0123456789"))]
    assert decided
    assert decided == leaders[: len(decided)]
    assert re.search(r" -?\d\.\d{3}  \[", short)  # three digits after the point
    assert "Decisions" in run("benavoli2016_named", "--rope", "1", "--probability", "0.9").stdout
    two = tmp_path / "two.csv"
    podium.example("benavoli2016_named").frame.query("algorithm in ('HNB', 'NaiveBayes')").to_csv(two, index=False)
    alone = " ".join(run(str(two), "--rope", "0.01").stdout.split())
    assert "HNB better" in alone  # with its probability: of one pair nothing is counted
    assert "1 pair" not in alone


@pytest.mark.parametrize("options", [(), ("--dataset", "australian")])
def test_the_same_question_has_the_same_answer_in_compare_and_bayes(options, tmp_path):
    """Over datasets, and over the folds of one."""
    rope = ("--rope", "1", "--metric", "accuracy", "--json", "-")
    name = "ulas2008"
    if options:
        rows = podium.example(name).frame
        name = str(tmp_path / "australian.csv")
        rows[rows["dataset"] == "australian"].drop(columns=["status", "message"]).to_csv(name, index=False)
    beside = json.loads(run(name, *rope).stdout)
    compared = json.loads(runner.invoke(app, ["compare", name, *rope]).stdout)
    assert beside["model"] == ("correlated_t" if options else "anova")
    assert beside["p_rope"] == pytest.approx(compared["pairs"]["p_rope"], abs=1e-4)
    if options:
        assert json.loads(run("ulas2008", *options, *rope).stdout)["p_rope"] == pytest.approx(beside["p_rope"])


@pytest.mark.parametrize("model, other", [("signed_rank", "Bayesian ANOVA"), ("anova", "Bayesian signed-rank test")])
def test_models_that_decide_differently_are_named(model, other):
    """In both commands, whichever is asked."""
    rope = ("ulas2008", "--rope", "1", "--metric", "accuracy")
    sentence = f"The {other} decides differently on 7 pairs of 28: c45 and mlp,"
    assert sentence in " ".join(run(*rope, "--model", model).stdout.split())
    if model == "anova":
        compared = runner.invoke(app, ["compare", *rope, "--full"]).stdout
        assert sentence in " ".join(compared.split())


def test_a_prior_is_of_the_models_that_have_one():
    """Who gives one and names no model means the signed-rank model."""
    out = run("ulas2008", "--rope", "1", "--metric", "accuracy", "--place", "left").stdout
    assert "Bayesian signed-rank test" in out


@pytest.mark.parametrize("model", ["sign", "signed_rank", "correlated_t", "bradley_terry", "anova"])
def test_json_for_programs(model):
    out = run("ulas2008", "--rope", "1", "--model", model, "--dataset", "australian", "--json", "-").stdout
    found = json.loads(out)
    decisions = found["more"][0]
    assert len(found["p_left"]) == len(decisions["verdicts"]) == 28
    for chances in zip(found["p_left"], found["p_rope"], found["p_right"], strict=True):
        assert sum(chances) == pytest.approx(1)
    assert set(decisions["verdicts"]) <= {"a", "b", "equivalent", "undecided"}
    assert run("ulas2008", "--rope", "1", "--model", model, "--dataset", "australian", "--json", "-").stdout == out


def test_without_a_rope_it_says_so():
    assert "by any amount" in " ".join(run("benavoli2016", "--model", "sign").stdout.split())


def test_a_band_of_probabilities_is_not_called_a_rope():
    out = " ".join(run("ulas2008", "--model", "bradley_terry", "--rope", "1.5", "--band", "0.1").stdout.split())
    assert "band 1/2 ± 0.1 of the probability to win; scores that differ by at most the rope 1.5 tie" in out
    assert "differ by more than the band" in out
    assert "rope 0.1" not in out
    assert "± 0.05 of the probability to win: with" in " ".join(
        run("ulas2008", "--model", "bradley_terry").stdout.split()
    )


@pytest.mark.parametrize("source", ["example", "file", "store"])
@pytest.mark.parametrize("metric", [(), ("--metric", "error")])
def test_the_second_threshold_of_wainer_from_an_example_a_file_and_a_store(source, metric, tmp_path):
    """The smaller of the two thresholds, in `bayes` and in `compare`, whether or not the metric is named."""
    results = podium.example("wainer_real")
    rows = results.frame[results.frame["metric"].isin(["error", "cv_error"])]
    few = rows[rows["dataset"].isin(results.datasets[:9]) & rows["algorithm"].isin(["rf", "knn", "nb"])]
    given = "wainer_real"
    if source == "file":
        given = str(tmp_path / "scores.csv")
        few.drop(columns=["status", "message"]).to_csv(given, index=False)
    if source == "store":
        given = str(tmp_path / "s.db")
        searching = Protocol(kind="wainer", folds=2, search_folds=2, candidates=2, free_values=2)
        what = suite(["nb", "knn"], datasets=["wine", "monks-1"], protocol=searching, metrics=("error",))
        with open_store(given, write=True) as opened:
            run_suite(what, opened, engine=InsideEngine())
    options = [*metric, "--rope", "auto", "--search-metric", "cv_error", "--json", "-"]
    rope = json.loads(run(given, *options, "--model", "sign").stdout)["more"][1]
    assert set(rope["candidates"]) == {"halves", "search"}
    assert rope["rope"] == min(rope["candidates"].values())
    compared = runner.invoke(app, ["compare", given, *options, "-q"], catch_exceptions=False)
    assert json.loads(compared.stdout)["settings"]["rope"] == pytest.approx(rope["rope"], rel=1e-9)


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["ulas2008", "--rope", "wide"], "`rope` must be a number"),
        (["ulas2008", "--rope", "-1"], "`rope` must not be negative"),
        (["ulas2008", "--model", "magic"], "`model` must be"),
        (["benavoli2016", "--rope", "auto"], "give `rope` as a number"),
        (["benavoli2016", "--model", "hierarchical"], "every fold"),
        (["ulas2008", "--model", "correlated_t"], "give `dataset`"),
        (["ulas2008", "--probability", "7"], "strictly between 0 and 1"),
        (["ulas2008", "--band", "0.1"], "`band` is for the model bradley_terry"),
        (
            ["ulas2008", "--rope", "100"],
            "`rope` must be below 100; got 100.0: 2 percentage points are 2, and scores here",
        ),
    ],
)
def test_bad_input_is_one_sentence(arguments, sentence):
    with pytest.raises(PodiumError, match=sentence):
        runner.invoke(app, ["bayes", *arguments], catch_exceptions=False)
