"""Every option of every command, declared once in `options.toml`.

The command line makes its options from it, the page its fields, a recipe its command line; a test compares the names
with the arguments in Python. An option is called the same everywhere: `missing_marker` in Python, `--missing-marker`
on the command line, "Missing is written as" beside the field of the page.

    >>> OPTIONS["missing_marker"].flag, OPTIONS["missing_marker"].label
    ('--missing-marker', 'Missing is written as')
    >>> command_words({"metric": ["auc"], "direction": "lower", "percent": True, "rng": 0})
    ['--metric', 'auc', '--direction', 'lower', '--percent', '--seed', '0']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pkgutil import resolve_name
from typing import Any

from podium.core.errors import refused
from podium.core.registry import read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What one option is called, takes and means.

    `kind` is "text", "name" (of an algorithm, a dataset or a metric), "column", "file", "number", "fraction" (between
    0 and 1), "whole", "flag" or "choice". `choices` are words, or the place of a registry ("module:NAME") that is
    looked up only when it is needed, of which only the tests `over` such evidence count. `many`: it may be given
    several times, or as a list with commas. `word` is taken besides a number or what a registry has. It is for these `units` and `sources` only; for all where there are none.
    It is in the help on its `topic`; without one, in the help that is shown first.
    The page has it with the fields in `page` instead, and takes what is within the `limits`, which are those of pydantic and
    how many `items` there may be.
    """

    name: str
    kind: str
    help: str
    default: Any = None
    choices: tuple[str, ...] | str = ()
    over: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    many: bool = False
    word: str = ""
    label: str = ""
    topic: str = ""
    short: str = ""
    spelt: str = ""
    metavar: str = ""
    page: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)

    @property
    def flag(self) -> str:
        """The option on the command line: its name, unless it is `spelt` otherwise there."""
        return "--" + (self.spelt or self.name).replace("_", "-")

    def allowed(self) -> tuple[str, ...]:
        """The words that it can be; empty where anything is allowed."""
        if not isinstance(self.choices, str):
            return self.choices
        words = [name for name, entry in resolve_name(self.choices).items() if not self.over or entry.over in self.over]
        return (*words, self.word) if self.word else tuple(words)


def _option(name: str, usual_topic: str, required: bool = False, **row: Any) -> Option:
    """A line of the table: what is `required` has no default, a flag is off."""
    usual = ... if required else False if row["kind"] == "flag" else None
    lists = {key: tuple(row.pop(key, ())) for key in ("units", "sources")}
    return Option(**{"name": name, "topic": usual_topic, "default": usual, **lists, **row})


_TABLE = read_toml("core", "options.toml")
# What there is a further help on, and the groups of options that are there unless they say otherwise.
TOPICS = {
    "reading": "How the scores are read",
    "cases": "Test cases, and agents on tasks",
    "tests": "Tests, intervals and random numbers",
    "output": "Further forms of output",
}
_TOPICS = {"reading": "reading", "test_cases": "cases", "agents": "cases"}
OPTIONS: dict[str, Option] = {
    name: _option(name, _TOPICS.get(group, ""), **row) for group, rows in _TABLE.items() for name, row in rows.items()
}


def changed(name: str, **fields: Any) -> Option:
    """An option that is a little different in one place."""
    return replace(OPTIONS[name], **fields)


def several(name: str, *defaults: Any) -> Option:
    """An option that can be given several times, or as a list."""
    return changed(name, many=True, default=defaults)


def these(*names: str | Option, over: tuple[str, ...] = (), **defaults: Any) -> tuple[Option, ...]:
    """Options by name, some with another default (`...`: it must be given); tests only `over` such evidence."""
    chosen = []
    for option in (OPTIONS[name] if isinstance(name, str) else name for name in names):
        here = over if option.name in ("test", "tests") else option.over
        chosen.append(replace(option, over=here, default=defaults.get(option.name, option.default)))
    return tuple(chosen)


READING, COMPARING, TEST_CASES, AGENTS, RUNNING, OUTPUT = (
    tuple(_TABLE[group]) for group in ("reading", "comparing", "test_cases", "agents", "running", "output")
)
# What `compare` takes besides on test cases; errors and timeouts may count as wrong there.
_MISSING = "How missing scores are handled: each pair on what both have, only what all have, or on test cases as wrong."
COMPARING_CASES = (
    changed("missing", choices=("pairwise", "complete", "wrong", "refuse"), help=_MISSING), "positive", "exact", "mean",
)  # fmt: skip
ORDERING = ("dataset", "weights", "test", "posthoc", "correction", "alpha")
BAYES = (
    *("model", "rope", "search_metric", "dataset", "probability", "prior", "place"),
    *("band", "fold_effect", "draws", "rng"),
)


def as_flag(name: str) -> str:
    """An option's name as the command line writes it; other words stand in backquotes.

    >>> as_flag("list_missing"), as_flag("rng")
    ('--list-missing', '--seed')
    """
    if name in OPTIONS:
        return OPTIONS[name].flag
    return "--" + name.replace("_", "-") if name.isidentifier() else f"`{name}`"


def command_words(options: Mapping[str, Any]) -> list[str]:
    """Options with their values, as words of a command line; None and False are left out."""
    words: list[str] = []
    for name, value in options.items():
        if isinstance(value, Mapping):
            value = [f"{key}={item}" for key, item in value.items()]
        for item in value if isinstance(value, list | tuple) else [value]:
            if item is True:
                words.append(as_flag(name))
            elif item is not None and item is not False:
                words += [as_flag(name), "tab" if item == "\t" else str(item)]
    return words


def numbers(name: str, texts: Sequence[str]) -> list[float]:
    """Numbers that were typed, with commas between: "0.2,0.5" is 0.2 and 0.5."""
    try:
        return [float(part) for text in texts for part in text.split(",")]
    except ValueError:
        raise refused(name, ",".join(texts), "must be numbers separated by commas") from None


_RANGE = re.compile(r"\s*([+-]?\d{1,18})\s*(?::\s*([+-]?\d{1,18})\s*)?(?::\s*(\d{1,18})\s*)?")


def whole_numbers(name: str, texts: Iterable[str]) -> list[int]:
    """Whole numbers and ranges that were typed, with commas between: "10,20:40:10" is 10, 20, 30 and 40."""
    numbers: list[int] = []
    for part in (part for text in texts for part in text.split(",") if part):
        ends = _RANGE.fullmatch(part)
        step = int(ends[3] or 1) if ends else 0
        if ends is None or step < 1:
            raise refused(name, part, "must be integers and ranges such as 10:100:10")
        numbers += range(int(ends[1]), int(ends[2] or ends[1]) + 1, step)
    return numbers


def as_direction_option(texts: Sequence[str]) -> str | dict[str, str] | None:
    """Directions that were typed: "lower" for the metric, or "loss=lower" for one of several."""
    pairs = [text.rpartition("=") for text in texts]
    if all(equals and name for name, equals, _ in pairs):
        return {name: word for name, _, word in pairs} or None
    if len(texts) > 1:
        raise refused("direction", list(texts), "must be one word, or METRIC=higher or METRIC=lower each")
    return texts[0]
