"""Columns of test cases that are named on the command line, hostile names, and holes with their reasons."""

import json

import pytest
from typer.testing import CliRunner

from podium.cli.main import app

HOSTILE = ("<script>alert(1)</script>", '=HYPERLINK("http://x")', "A & B_%#")


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)])


@pytest.fixture
def table(tmp_path):
    rows = ["who,thing,try,field,text,mark"]
    for j, name in enumerate(HOSTILE):
        for i in range(24):
            for k in range(2):
                mark = (
                    "timeout"
                    if (i, j, k) == (3, 0, 0)
                    else "error"
                    if i == 5 and j == 1
                    else "CI"[(i * (j + 2) + k) % 3 > 0]
                )
                quoted = '"' + name.replace('"', '""') + '"'
                rows.append(f"{quoted},t{i},{k},f{i % 2},p{i // 3},{mark}")
    path = tmp_path / "outcomes.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def named(table, *more):
    roles = ("--algorithm-column", "who", "--case-column", "thing", "--sample-column", "try", "--value-column", "mark")
    return run("compare", table, *roles, "--benchmark-column", "field", "--cluster-column", "text", *more)


def test_every_column_can_be_named(table):
    ran = named(table, "--json", "-", "--case-noun", "thing")
    assert ran.exit_code == 0, ran.output
    facts = json.loads(ran.stdout)["facts"]
    assert {key: facts[key] for key in ("n_cases", "n_samples", "n_clusters", "n_benchmarks", "noun")} == {
        "n_cases": 24, "n_samples": 2, "n_clusters": 8, "n_benchmarks": 2, "noun": "thing"
    }  # fmt: skip
    assert [hole["why"] for hole in facts["missing_scores"]] == ["error"]  # the timeout left one sample of its case
    assert len(facts["missing_scores"]) == 1


def test_without_the_column_of_samples_it_is_asked_for(table):
    roles = ("--algorithm-column", "who", "--case-column", "thing", "--value-column", "mark")
    ran = run("compare", table, *roles)
    assert ran.exit_code != 0
    assert "sample_column" in ran.exception.options


@pytest.mark.parametrize(
    "form, planted", [("--html", "<script>alert(1)"), ("--csv", "\n=HYPERLINK"), ("--latex", "A & B_%#")]
)
def test_hostile_names_are_escaped(table, tmp_path, form, planted):
    path = tmp_path / f"out.{'tex' if form == '--latex' else form[2:]}"
    ran = named(table, form, path, "-q")
    assert ran.exit_code == 0, ran.output
    assert planted not in path.read_text(encoding="utf-8")


def test_a_name_that_is_not_there_is_refused_with_those_that_are(table):
    ran = run("compare", table, "--cluster-column", "nobody")
    assert ran.exit_code != 0
    assert "has no column 'nobody'" in str(ran.exception)
