"""What the reader of a log gives: streams of scores, kept as codes and numbers so that texts are never held.

A reader is a function of its files and a `Log`:

    def read_mine(files: list[Path], log: Log) -> None:
        for file in files:
            stream = log.stream(file=file, system="svm", benchmark="gsm8k", metric="exact_match", direction="higher")
            for line, row in json_lines(file):
                stream.add(row["id"], row["score"], sample=row["epoch"], error=row.get("error"))
        log.matched_by("id")

A stream is what one file says of one system on one benchmark by one metric. `fields` are what else tells streams apart
(filter, split, scorer); `main=False` marks those that are not meant unless somebody asks. Where the unit is the dataset,
`add` names datasets instead of cases, and `sample` is the fold. Agents that were trained several times on tasks have runs:
`log.add_run("ppo", "CartPole-v1", 480.0, run="seed_1", seed="1")`.
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.names import LONGEST_NAME
from podium.reading.cells import failure_kind

LONGEST_TRAIT = 80
MOST_TRAIT_VALUES = 5000
MOST_NUMBER = 2**62
DONE = "done"
_NOTHING: dict[int, str] = {}
NO_SCORE = "no score"


def number(value: Any) -> float | None:
    """A finite number, or None; true and false are 1 and 0, a text that is a number counts.

    >>> number(True), number("0.5"), number(float("nan")), number(10**400), number([1])
    (1.0, 0.5, None, None, None)
    """
    if value.__class__ is float:  # nearly always, and millions of times
        return value if math.isfinite(value) else None
    if not isinstance(value, bool | int | float | str):
        return None
    try:
        amount = float(value)
    except (ValueError, OverflowError):
        return None
    return amount if math.isfinite(amount) else None


def plain(name: Any) -> str:
    """A name from a log as one short line: what would break a line becomes a blank, and a very long name is cut.

    >>> plain("a\\nb "), plain(7), plain(None)
    ('a b', '7', '')
    """
    text = "" if name is None else str(name)
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign for sign in text)
    text = text.strip()
    if len(text) <= LONGEST_NAME:
        return text
    return f"{text[: LONGEST_NAME - 20]}... {digest(text)[:12]}"  # two long names stay two


def digest(text: str) -> str:
    """A short key for a text of any length."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def hole_kind(message: str) -> str:
    """The kind of a hole from the message of an error.

    >>> hole_kind("TimeoutError: 600 s"), hole_kind("ValueError: x")
    ('timeout', 'error')
    """
    return failure_kind(message[:2000]).replace("failed", "error")


@dataclass(slots=True, eq=False, kw_only=True)
class Stream:
    """The scores of one system on one benchmark by one metric in one file: numbers and codes only."""

    log: Log
    file: Path
    system: str
    metric: str
    benchmark: str = ""
    direction: str | None = None
    fields: dict[str, str] = field(default_factory=dict)
    main: bool = True
    is_cost: bool = False
    unit: str = "case"
    status: str = DONE
    """Anything else than `DONE` says what became of the run; a run that is done is preferred."""
    when: str = ""
    seed: str = ""
    run: int = 0
    """Which of several runs of its system this is, where all of them count."""
    cases: array[int] = field(default_factory=lambda: array("q"))
    samples: array[int] = field(default_factory=lambda: array("q"))
    repeats: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))
    why: dict[int, str] = field(default_factory=dict)

    def add(
        self,
        case: Any,
        score: Any,
        *,
        name: Any = None,
        sample: Any = None,
        repeat: int = 0,
        why: str = "",
        error: Any = None,
        traits: Mapping[str, Any] | None = None,
    ) -> int:
        """One score; `case` is the key by which systems are matched, `name` what people call it. Gives the case's number.

        A score that is not a number is a hole, and `why` its kind; where there was an `error` it is a hole whatever the score.
        `traits` are what the log tells of the case itself: its cluster, its topic.
        """
        value = None if error else number(score)
        if error:
            why = hole_kind(str(error))
        if sample.__class__ is not int:
            order = number(sample)
            sample = None if order is None else int(order)
        code = self.log.code(self.benchmark, case, name)
        if value is None:
            self.why[len(self.values)] = plain(why) or NO_SCORE
        self.cases.append(code)
        self.samples.append(sample if sample is not None and abs(sample) < MOST_NUMBER else -1)
        self.repeats.append(repeat if abs(repeat) < MOST_NUMBER else -1)
        self.values.append(math.nan if value is None else value)
        if traits:
            self.log.tell(code, traits)
        return code

    def on(self, code: int) -> Stream:
        """The part of the stream on one case or dataset."""
        rows = [row for row, own in enumerate(self.cases) if own == code]
        numbers = {name: getattr(self, name) for name in ("cases", "samples", "repeats", "values")}
        part: dict[str, Any] = {n: array(own.typecode, (own[row] for row in rows)) for n, own in numbers.items()}
        return replace(self, why={at: self.why[row] for at, row in enumerate(rows) if row in self.why}, **part)

    @property
    def is_whole(self) -> bool:
        """Whether a score is that of a whole dataset, and not of one of its cases.

        Then there is a comparison by each metric, and each dataset may have been run again by itself.
        """
        return self.unit == "dataset"

    def traits(self) -> dict[str, str]:
        """What a filter can ask of a stream."""
        about = {"benchmark": self.benchmark, "metric": self.metric, "system": self.system, "file": self.file.name}
        return {**self.fields, **about, "status": self.status, "direction": self.direction or ""}


@dataclass(frozen=True, slots=True)
class AgentRun:
    """The score of one run of an agent on a task; `seed` is "" where nothing says it."""

    agent: str
    task: str
    score: float
    run: str
    seed: str

    def traits(self) -> dict[str, str]:
        """What a filter can ask of a run."""
        return {"agent": self.agent, "algorithm": self.agent, "task": self.task, "run": self.run, "seed": self.seed}


@dataclass(slots=True, eq=False)
class Log:
    """What the readers found: streams, the cases they name, and sentences on what was done and left out."""

    runs: str = "ask"
    """What somebody says of several runs of one system: "ask", "newest" or "repeats"."""
    all_cases: str | None = None
    """What somebody says of the cases that logs do not name: how many there are in all, or a file with their names."""
    metric: str | None = None
    """The one metric that somebody asks for, where a reader cannot keep all that there are."""
    root: Path = field(default_factory=Path)
    """The folder that somebody gave, whose inner folders may name agents."""
    agent_runs: list[AgentRun] = field(default_factory=list)
    measure: str = "score"
    """What the runs were scored by."""
    are_runs: bool = True
    """Whether the runs are meant where nobody says it."""
    streams: list[Stream] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    benchmarks: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    """Sentences on what was done, with the unit of those that are true of one unit only."""
    usual: dict[str, str] = field(default_factory=dict)
    """Of which trait only the cases with this value are compared, unless somebody chooses: {"split": "test"}."""
    keyed_by: dict[str, None] = field(default_factory=dict)
    beside: set[Path] = field(default_factory=set)
    """Files, and folders of files, that belong to the logs and are no logs themselves."""
    traits: dict[str, dict[int, str]] = field(default_factory=dict)
    _by_description: dict[tuple[Any, ...], Stream] = field(default_factory=dict)
    _codes: dict[tuple[str, str], int] = field(default_factory=dict)
    _words: dict[str, dict[str, str]] = field(default_factory=dict)

    def stream(self, **about: Any) -> Stream:
        """The stream of which just this is said, made when it is first asked for; see `Stream` for what can be said."""
        fields = about.pop("fields", {})
        key = (*about.items(), *fields.items())
        stream = self._by_description.get(key)  # asked for once or twice for every record
        if stream is None:
            names = {name: plain(about.get(name, "")) for name in ("system", "metric", "benchmark")}
            if not names["system"]:
                raise DataError(f"{about['file'].name} does not say which system it is about.")
            short = {name: plain(value) for name, value in fields.items()}
            stream = self._by_description[key] = Stream(log=self, fields=short, **{**about, **names})
            self.streams.append(stream)
        return stream

    def add_run(self, agent: str, task: str, score: float, *, run: str, seed: str = "") -> None:
        """The score of one run of an agent on a task."""
        self.agent_runs.append(AgentRun(plain(agent), plain(task), score, run, seed))

    def spend(self, costs: Mapping[str, Any], about: Mapping[str, Any], case: Any, **place: Any) -> None:
        """What a case cost, by the names of the costs; one that is not a number is not known, and passed over."""
        for metric, amount in costs.items():
            if (value := number(amount)) is not None:
                self.stream(metric=metric, direction="lower", is_cost=True, **about).add(case, value, **place)

    def code(self, benchmark: str, case: Any, name: Any = None) -> int:
        """The number of a case of a benchmark."""
        code = self._codes.get((benchmark, case)) if isinstance(case, str) else None
        if code is not None:
            return code
        key = (benchmark, plain(case))
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = len(self.names)
            self.names.append(key[1] if name is None else plain(name))
            self.keys.append(key[1])
            self.benchmarks.append(benchmark)
        return code

    def tell(self, code: int, traits: Mapping[str, Any]) -> None:
        """Remember what a log says of a case: short words only, and no trait that differs in nearly every case."""
        for trait, value in traits.items():
            if code in self.traits.get(trait, _NOTHING):
                continue
            if not isinstance(value, str | int | bool) or len(text := str(value)) > LONGEST_TRAIT:
                continue
            words = self._words.setdefault(trait, {})
            if len(words) > MOST_TRAIT_VALUES:
                self.traits[trait] = {}
                continue
            text = plain(text)
            self.traits.setdefault(trait, {}).setdefault(code, words.setdefault(text, text))

    def note(self, sentence: str, *, unit: str = "") -> None:
        """Say something that was done, once; where it is true of one `unit` only, for that unit."""
        self.notes.setdefault(sentence, unit)

    def notes_for(self, unit: str) -> list[str]:
        """What is said where this is the unit."""
        return [note for note, only in self.notes.items() if only in ("", unit)]

    def matched_by(self, key: str) -> None:
        """Say by what the cases of the systems are matched."""
        self.keyed_by[key] = None
