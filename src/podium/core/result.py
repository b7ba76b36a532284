"""What every result of every test is and can do."""

from __future__ import annotations

import dataclasses
import math
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from podium.core import numbers
from podium.core.errors import ArgumentError
from podium.core.escape import visible
from podium.core.shown import shown

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.quantity import Quantity

# What `repr` shows of a result fits a screen.
SCREEN = 100
MOST_ROWS = 12  # half of the 24 lines of the smallest terminal
LONGEST_CELL = 40  # so that two of text fit beside each other


class ConfidenceInterval(NamedTuple):
    """The ends of an interval."""

    low: Any
    high: Any


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Result(ABC):
    """A frozen result: the numbers, how they were made, and a sentence that says what they mean.

    Subclasses are dataclasses with the same four flags, one per test. No level (alpha) inside: a decision is
    a separate step. `references` are keys of the bibliography, so that a report cites itself.

    `SCHEMA` names and numbers its form in JSON, where the keys are the fields. `JSON` says what else there is: the type of a key
    that is no field, or that holds something else than the field does (`dict[str, float]`: its numbers by the names of the
    algorithms); None for a field that is left out.
    """

    SCHEMA: ClassVar[str] = "podium.result/2"
    JSON: ClassVar[Mapping[str, Any]] = {}

    references: tuple[str, ...] = ()

    @abstractmethod
    def summary(self) -> str:
        """One plain English sentence or two: the numbers, and what does not follow from them."""

    def summary_in(self, quantity: Quantity) -> str:
        """The summary beside others of the same scores: what is in their units is written as they are."""
        return self.summary()

    def sentences(self) -> tuple[str, ...]:
        """The summary in parts, where a reader is better served by a list; by default it is one."""
        return (self.summary(),)

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain Python values, ready for JSON, after its schema and the kind of the result."""
        said = self.json_keys()
        own = [field.name for field in dataclasses.fields(self)]
        own += [name for name in said if name not in own and hasattr(type(self), name)]
        values = {name: plain(getattr(self, name)) for name in own if said.get(name, name) is not None}
        for name, kind in said.items():
            if kind in (dict[str, int], dict[str, float]):
                values[name] = dict(zip(getattr(self, "algorithms"), values[name], strict=True))  # noqa: B009
        return {"schema": self.SCHEMA, "kind": type(self).__name__, **values}

    @classmethod
    def json_keys(cls) -> dict[str, Any]:
        """What `JSON` says in all classes that it is one of."""
        own = (vars(kind).get("JSON", {}) for kind in reversed(cls.__mro__))
        return {name: kind for said in own for name, kind in said.items()}

    def confidence_interval(self) -> ConfidenceInterval:
        """The ends of its interval as `low` and `high`, as results of SciPy give them; arrays where there are several.

        The confidence is that which the test or model was called with; of a Bayesian model, the interval is credible.
        """
        try:
            return ConfidenceInterval(getattr(self, "low"), getattr(self, "high"))  # noqa: B009  (some results have them)
        except AttributeError:
            raise ArgumentError(f"{type(self).__name__} has no interval.") from None

    def columns(self) -> dict[str, Any] | list[dict[str, Any]]:
        """What `to_frame` shows, column by column or row by row: by default the fields that are single values."""
        values = self.to_dict().items()
        return [{name: value for name, value in values if name != "schema" and not isinstance(value, list | dict)}]

    def to_frame(self) -> pd.DataFrame:
        """A table for people, of `columns()`."""
        import pandas as pd

        return pd.DataFrame(self.columns())

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of its report by name, the most important first; by default `to_frame()`."""
        return {"result": self.to_frame()}

    @property
    def title(self) -> str:
        """The heading of its report, by default from the name of its class."""
        words = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", type(self).__name__.removesuffix("Result"))
        return " ".join(words).capitalize()

    def __init_subclass__(cls) -> None:
        # A dataclass writes its own repr, with every array, unless the class has one already.
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """The sentence and the beginning of the first table."""
        sentence = textwrap.fill(visible(self.summary()), SCREEN, break_on_hyphens=False)
        return "\n".join([sentence, "", *text_table(next(iter(self.tables().values())))])

    def _repr_html_(self) -> str:
        """For notebooks: the sentence, the first figure and the first table, with every name escaped."""
        return str(shown("html", self))

    @property
    def plot(self) -> Any:
        """Its figures: `result.plot()` draws the first, `result.plot.forest()` the one of that name; the tab key lists them."""
        return shown("plot", self)

    def save(self, path: str | Path) -> Path:
        """Write its report in the format that the ending names (.html, .pdf, .tex, .md, .json or .csv), and return the path.

        A file that was read is not overwritten.
        """
        return Path(shown("save", self, path))

    def to_latex(self) -> str:
        """Its report as a LaTeX document."""
        return str(shown("latex", self))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SentencesResult(Result):
    """A result that is said in several sentences; its JSON leaves out how numbers are written."""

    JSON: ClassVar[Mapping[str, Any]] = {"quantity": None}

    @abstractmethod
    def sentences(self) -> tuple[str, ...]:
        """What was found, sentence by sentence."""

    def summary(self) -> str:
        """All sentences."""
        return " ".join(self.sentences())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class DecisionResult(SentencesResult):
    """A result that a program acts upon: the field `DECIDES` has the answer, and `EXIT_CODES` what the command returns for it."""

    JSON: ClassVar[Mapping[str, Any]] = {"exit_code": int}
    DECIDES: ClassVar[str]
    EXIT_CODES: ClassVar[Mapping[str, int]]

    @property
    def exit_code(self) -> int:
        """What the command returns; 2 is the program's own for errors."""
        return self.EXIT_CODES[getattr(self, self.DECIDES)]

    def to_dict(self) -> dict[str, Any]:
        """The answer and its exit code first."""
        fields = SentencesResult.to_dict(self)
        return {**{name: fields[name] for name in ("schema", "kind", self.DECIDES, "exit_code")}, **fields}


def text_table(frame: pd.DataFrame, most: int = MOST_ROWS) -> list[str]:
    """The lines of a table that fits a screen, and in the last one what was left out; a single row becomes a column."""
    head, rows, more = _shown(frame, most)
    return [*_aligned(head, rows), *([more] if more else [])]


def _shown(frame: pd.DataFrame, most: int) -> tuple[list[str], list[list[str]], str]:
    """The head and the first rows of a table as text, and what was left out."""
    columns: list[list[str]] = []  # each with its name in front
    for place, name in enumerate(map(str, frame.columns)):
        values = plain(frame.iloc[:, place].to_numpy())
        held = numbers.column_kind(name, values)
        texts = (
            [numbers.alone(name, values[0])] if len(values) == 1 else [numbers.cell(v, *held) for v in values[:most]]
        )
        columns.append([cut(visible(text), LONGEST_CELL) for text in (name, *texts)])
    if len(frame) == 1:
        return [], columns[:most], _left_out(field=len(columns) - most)
    widths = np.cumsum([max(map(len, column)) + 2 for column in columns])
    fit = max(int(np.count_nonzero(widths <= SCREEN + 2)), 1)
    head, *lines = (list(line) for line in zip(*columns[:fit], strict=True))
    return head, lines, _left_out(row=len(frame) - most, column=len(columns) - fit)


def cut(text: str, longest: int = SCREEN) -> str:
    """A text, or as much of it as a line holds."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _left_out(**counts_by_noun: int) -> str:
    counts = [numbers.counted(count, f"more {noun}") for noun, count in counts_by_noun.items() if count > 0]
    return f"... and {' and '.join(counts)}: to_frame() has all." if counts else ""


def _right(head: list[str], rows: list[list[str]]) -> list[bool]:
    """Which columns have numbers only and stand at the right edge; without a head there are names and their values."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(head)
    return [bool(head) and all(text[:1] in "-–∞<[0123456789" for text in column) for column in columns]


def _aligned(head: list[str], rows: list[list[str]]) -> list[str]:
    """Columns of equal width, those with numbers at the right edge; without a head, names and their values."""
    lines = [head, *rows] if head else rows
    columns = list(zip(*lines, strict=True))
    widths = [max(map(len, column)) for column in columns]
    sides = [f">{width}" if edge else f"<{width}" for width, edge in zip(widths, _right(head, rows), strict=True)]
    return ["  ".join(f"{text:{side}}" for text, side in zip(line, sides, strict=True)).rstrip() for line in lines]


_PLAIN = frozenset({str, int, bool, type(None)})


def plain(value: Any) -> Any:
    """Plain Python, ready for JSON: arrays become lists, nan and infinities None, fractions "a/b"."""
    if value.__class__ in _PLAIN:
        return value
    if isinstance(value, Result):
        return {name: item for name, item in value.to_dict().items() if name != "schema"}  # that of the whole counts
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _plain_array(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _plain_array(array: np.ndarray[Any, Any]) -> Any:
    """An array as lists; arrays of numbers in one sweep, because tables have tens of thousands of cells."""
    if array.dtype.kind in "biu":
        return array.tolist()
    if array.dtype.kind != "f":
        return plain(array.tolist())
    finite = np.isfinite(array)
    if finite.all():
        return array.tolist()
    cells = array.astype(object)
    cells[~finite] = None
    return cells.tolist()
