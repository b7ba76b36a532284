"""Help in two levels: what most people use first, the rest by topic; and the program without words."""

import pytest

from podium.core.options import OPTIONS, TOPICS
from program import podium


def options_in(text):
    """The options that a help names at the start of its lines."""
    lines = (line.lstrip("│ *").split() for line in text.splitlines())
    return {words[0].split(",")[0] for words in lines if words and words[0].startswith("--")}


def test_the_program_alone_shows_what_is_used_most_first():
    shown = podium()
    assert shown.returncode == 0
    named = [line.split()[0] for line in shown.stdout.splitlines() if line.startswith("  ") and line.strip()]
    commands = [
        word for word in named if word in ("compare", "gate", "plan", "bayes", "order", "show", "run", "verify")
    ]
    assert commands == ["compare", "gate", "plan", "bayes", "order", "show", "run", "verify"]


def test_the_first_help_is_short_and_the_others_have_the_rest(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    first = podium("compare", "--help").stdout
    rest = {topic: options_in(podium("compare", f"--help-{topic}").stdout) for topic in TOPICS}
    shown = {option for option in options_in(first) if not option.startswith("--help")}

    assert len(shown) == 15
    assert {"--metric", "--control", "--rope", "--full", "--html", "--json"} <= shown
    assert {"--decimal-comma", "--where"} <= rest["reading"]
    assert {"--exact", "--cluster-column", "--aggregate"} <= rest["cases"]
    assert {"--correction", "--seed"} <= rest["tests"]
    assert not shown & set().union(*rest.values())
    assert len(shown | set().union(*rest.values())) > 70


@pytest.mark.parametrize("command", ["compare", "gate", "bayes", "run", "study", "chance"])
def test_flags_are_flags(command):
    text = podium(command, "--help").stdout + podium(command, "--help-cases").stdout
    assert "<bool>" not in text
    assert "<str>" not in text
    assert "<list" not in text


def test_help_speaks_of_what_the_command_compares():
    (line,) = [line for line in podium("gate", "--help").stdout.splitlines() if "--missing" in line]
    assert "outcomes" in line
    assert all(option.topic in ("", *TOPICS) for option in OPTIONS.values())


def test_names_may_be_listed_with_commas():
    listed = podium("compare", "benavoli2016_named", "--algorithms", "AODE,HNB,J48", "--json", "-")
    repeated = podium(
        "compare",
        "benavoli2016_named",
        *(w for n in ("AODE", "HNB", "J48") for w in ("--algorithms", n)),
        "--json",
        "-",
    )
    assert listed.returncode == 0
    assert listed.stdout == repeated.stdout


def test_a_flag_with_a_value_explains_itself(tmp_path):
    (tmp_path / "cases.csv").write_text("case,a,b\nq1,1,0\nq2,0,1\n")
    refused = podium("compare", tmp_path / "cases.csv", "--unit", "case", "--exact", "true")
    assert refused.returncode == 2
    assert "--exact takes no value: leave out 'true'" in refused.stderr
