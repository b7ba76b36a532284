"""A question in the terminal: numbered answers, then the result and the command that repeats it; none in a script."""

import pytest

from podium.cli import asking
from podium.cli.safe import say
from podium.core.errors import DataError
from podium.reading.options import ReadOptions
from podium.reading.question import Question
from program import podium


def reader(options):
    if options.direction is None:
        raise Question("Which direction? Give {direction}.", {"direction": "higher"}, {"direction": "lower"})
    return options.direction


def test_a_question_is_wrapped_between_words_in_a_terminal(monkeypatch, capsys):
    question = "Which column names the algorithms: 'a-model', 'b-model'? Name it with --algorithm-column."
    say(question)
    assert capsys.readouterr().err == f"{question}\n"  # a pipe gets one line
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    say(question)
    lines = capsys.readouterr().err.splitlines()
    assert " ".join(lines) == question
    assert max(map(len, lines)) <= 40


@pytest.mark.parametrize(("typed", "read"), [("\n", "higher"), ("2\n", "lower"), ("7\n2\n", "lower")])
def test_an_answer_is_a_number(typed, read, monkeypatch, capsys):
    monkeypatch.setattr(asking, "in_terminal", lambda: True)
    answers = iter(typed.split("\n"))
    monkeypatch.setattr(asking.typer, "prompt", lambda *_, default, **__: int(next(answers) or default))
    monkeypatch.setattr(asking.sys, "argv", ["podium", "compare", "a b.csv"])
    assert asking.asking(reader, ReadOptions(), ask="terminal") == read
    said = capsys.readouterr().err
    assert "1. --direction higher (default)" in said
    assert f"Without a question: podium compare 'a b.csv' --direction {read}" in said


@pytest.mark.parametrize(("ask", "there"), [("never", True), ("terminal", False)])
def test_a_script_is_not_asked(ask, there, monkeypatch):
    monkeypatch.setattr(asking, "in_terminal", lambda: there)
    with pytest.raises(DataError, match="Which direction"):
        asking.asking(reader, ReadOptions(), ask=ask)


def test_a_question_without_a_terminal_ends_the_command(tmp_path):
    (tmp_path / "scores.csv").write_text("dataset,svm,rf\na,0.1,0.2\nb,0.3,0.4\n")
    found = podium("compare", tmp_path / "scores.csv", "--ask", "never")
    assert found.returncode == 2
    assert "--direction" in found.stderr
