"""What a suite or an algorithm says wrongly is refused with one sentence, before or at its task, and never accepted in silence."""

import sys

import numpy as np
import pytest

from bench.tools import algorithm, suite
from podium.bench.execute import execute
from podium.bench.plan import make_plan
from podium.bench.suite import parse_suite, read_suite
from podium.core.errors import DataError
from podium.core.options import as_flag

REST = 'datasets = ["iris"]\nalgorithms = ["nb"]\n'


@pytest.mark.parametrize(
    "text, said",
    [
        (f'metrics = ["rmse"]\n{REST}', "line 1: `metrics` names 'rmse', which is for regression"),
        (f'metrics = ["error"]\n{REST}[data]\ntask = "regression"', "line 1: `metrics` names 'error', which is for"),
        ("datasets = [{ name = 'twonorm', cases = 100000000000 }]\nalgorithms = ['nb']", "from 20 to 10000000"),
        (f"{REST}[protocol]\nkind = 'cv'\nrepeats = 1000000000", "line 5: `repeats` must be an integer from 1 to"),
        (f"x = {'[' * 3000}{']' * 3000}\n{REST}", "nests its lists or tables too deeply"),
        (f"{REST}[limits]\nseconds = -5", "line 4: `seconds` must not be negative"),
        (f"{REST}[limits]\nthreads = 1000000000", "line 4: `threads` must be an integer from 1 to 1024"),
        ("datasets = ['iris']\nalgorithms = [{ name = 'p', program = [] }]", "`program` must be a command in parts"),
        (f"metrics = []\n{REST}", "line 1: `metrics` is empty"),
        ('datasets = ["iris"]\nalgorithms = [{ name = "n\\u0000b", learner = "nb" }]', "without NUL characters"),
        (
            f"metrics = [{{ name = 'a\\u0000', function = 'a:b', direction = 'lower' }}]\n{REST}".replace("'", '"'),
            "line 1: `name` must be a string without NUL characters",
        ),
    ],
)
def test_a_suite_that_cannot_be_meant_is_one_sentence(text, said):
    with pytest.raises(DataError) as error:
        parse_suite(text, label="s.toml")
    assert said in error.value.said(as_flag)  # on the command line, too: the words are those of the file


@pytest.mark.parametrize(
    "entry, said",
    [
        ('name = ["a", "b"], file = "toy.csv"', "`name` must be a non-empty string"),
        ('name = inf, file = "toy.csv"', "`name` must be a non-empty string"),
        (f'file = "{"x" * 5000}"', "there is no data file 'x"),
        ('file = "a\\u0000b"', "there is no data file"),
        ('file = "/dev/zero"', "there is no data file '/dev/zero'"),
    ],
)
def test_a_dataset_that_cannot_be_meant_is_one_sentence(tmp_path, monkeypatch, entry, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.csv").write_text("x,class\n1,a\n2,b\n")
    (tmp_path / "s.toml").write_text(f"datasets = [{{ {entry} }}]\nalgorithms = ['nb']\n")
    with pytest.raises(DataError) as error:
        read_suite("s.toml")
    assert said in str(error.value).replace(f"{tmp_path}/", "")
    assert len(str(error.value)) < 400


def test_the_cure_for_a_dataset_names_the_words_of_the_suite(tmp_path):
    (tmp_path / "s.toml").write_text(f'{REST}[protocol]\nkind = "holdout"\ntest_fraction = 0.0001')
    with pytest.raises(DataError) as error:
        make_plan(read_suite(tmp_path / "s.toml"))
    assert "tests on 0: change `test_fraction`, or drop" in error.value.said(as_flag)


def test_an_own_metric_that_cannot_be_loaded_has_its_line(tmp_path):
    own = '{ name = "m", function = "no_such_module:f", direction = "lower" }'
    (tmp_path / "s.toml").write_text(f"{REST}metrics = [{own}]\n")
    with pytest.raises(DataError, match=r"s\.toml, line 3: The metric 'm' cannot be loaded: 'no_such_module'"):
        make_plan(read_suite(tmp_path / "s.toml"))


@pytest.mark.parametrize(
    "header, cell, said",
    [
        ("x,e,class", "", "has no value in its column 'e': leave it out with `ignore`"),
        ("x,x,class", "1", "has two columns called 'x': give each a name of its own"),
    ],
)
def test_columns_that_say_nothing_are_refused(tmp_path, header, cell, said):
    (tmp_path / "d.csv").write_text(header + "\n" + "".join(f"{i},{cell},{'ab'[i % 2]}\n" for i in range(40)))
    (tmp_path / "s.toml").write_text(
        "datasets = [{ file = 'd.csv' }]\nalgorithms = ['nb']\n[protocol]\nkind = 'holdout'"
    )
    with pytest.raises(DataError, match=said):
        make_plan(read_suite(tmp_path / "s.toml"))


@pytest.mark.parametrize(
    "name, said",
    [("Masked", "left cases without a prediction"), ("Repeated", "does not name each known class at most once")],
)
def test_predictions_that_say_nothing_are_invalid(name, said, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    plan = make_plan(suite([algorithm(name)]))
    outcome = execute(plan.job(plan.tasks[0]))
    assert outcome.status == "invalid"
    assert said in outcome.message


def test_an_export_writes_control_characters_out():
    import pandas as pd

    from podium.cli.stores import _shown

    frame = pd.DataFrame({"algorithm": ["a\x1b[31m", "b\0"], "value": [0.5, np.nan], "message": ["", "x"]})
    shown = _shown(frame)
    assert not {"\x1b", "\0"} & set(shown.to_csv())
    assert shown["value"].equals(frame["value"])
