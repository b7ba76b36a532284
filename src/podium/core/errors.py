"""Everything Podium raises on purpose.

    PodiumError
    ├── ArgumentError         an argument has a value that cannot be used (also a ValueError)
    ├── DataError             a file or table cannot be understood; names the cell and the cure (also a ValueError)
    ├── DesignError           the repeats and folds do not allow what was asked (also a ValueError)
    ├── MissingPackageError   an optional package is needed; gives the install command (also an ImportError)
    ├── StoreError            the store of a benchmark cannot be read or written (also an OSError)
    └── UnixOnlyError         a benchmark is asked of a system that cannot guard it (also an ImportError)

An error is one sentence with its data. The sentence is a template: `{name}` stands for a field of that name, or for
an option that the sentence names. Python spells an option as an argument, the command line as a flag and the page as
a field of its form, so nobody has to parse English; a known option in backquotes is spelled like one in braces. The
command line prints the sentence and exits with 2.

>>> error = DataError("{file} has one column only: give {separator}.", file="a.csv")
>>> str(error)
'a.csv has one column only: give `separator`.'
>>> error.said(lambda name: f"--{name}")
'a.csv has one column only: give --separator.'
>>> error.fields["file"]
'a.csv'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

FRAME = "the DataFrame"  # what a table that came from no file is called
ARRAY = "the array"
DICT = "the dict"


def as_sentence(text: str) -> str:
    """A sentence with a capital at its start, unless that is a name which has none, such as that of a file.

    >>> as_sentence(f"{FRAME} has no names."), as_sentence("a.csv has no names.")
    ('The DataFrame has no names.', 'a.csv has no names.')
    """
    return text[:1].upper() + text[1:] if text.startswith((FRAME, ARRAY, DICT)) else text


def as_argument(name: str) -> str:
    """How Python spells an option: `` `alpha` ``; several words stand as they are."""
    return name if " " in name else f"`{name}`"


class PodiumError(Exception):
    """Base of all errors that Podium raises on purpose: a sentence and its fields.

    One field has a meaning of its own: `argument` is the option whose value is wrong, spelled where the sentence has
    `{argument}`. Other options that the sentence names are spelled where `{their name}` stands. Braces around any other
    word are left as they are.
    """

    def __init__(self, sentence: str, /, **fields: Any) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.fields = fields

    @property
    def options(self) -> tuple[str, ...]:
        """The options that the sentence names besides `argument`, in braces or backquotes; the field `options` has more."""
        from podium.core.options import OPTIONS

        more = self.fields.get("options", ())
        named = re.findall(r"[{`](\w+)[}`]", self.sentence)
        return tuple(dict.fromkeys([*more, *(name for name in named if name not in self.fields and name in OPTIONS)]))

    def said(self, spell: Callable[[str], str] = as_argument) -> str:
        """The sentence, with the options' names as `spell` writes them."""
        options = self.options

        def filled(place: re.Match[str]) -> str:
            name = place[1]
            if name in options:
                return spell(name)
            if name not in self.fields:
                return place[0]
            return spell(self.fields[name]) if name == "argument" else str(self.fields[name])

        sentence = as_sentence(re.sub(r"\{(\w+)\}", filled, self.sentence))
        return sentence if spell is as_argument else respelled(sentence, spell)

    def __str__(self) -> str:
        return self.said()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.__dict__)


def respelled(sentence: str, spell: Callable[[str], str]) -> str:
    """A sentence whose options, named in backquotes, are spelled as on the command line or on the page.

    >>> respelled("Choose another with `metric`; `x` is none.", lambda name: f"--{name}")
    'Choose another with --metric; `x` is none.'
    """
    from podium.core.options import OPTIONS

    return re.sub(r"`(\w+)`", lambda place: spell(place[1]) if place[1] in OPTIONS else place[0], sentence)


def _restored(kind: type[PodiumError], state: dict[str, Any]) -> PodiumError:
    """The error that was pickled, whatever arguments its class takes."""
    error = kind.__new__(kind)
    error.args = (state["sentence"],)
    error.__dict__.update(state)
    return error


class ArgumentError(PodiumError, ValueError):
    """An argument has a value that cannot be used."""


class DataError(PodiumError, ValueError):
    """A file or a table of scores cannot be understood."""


class DesignError(PodiumError, ValueError):
    """The repeats and folds do not allow what was asked."""


class MissingPackageError(PodiumError, ImportError):
    """An optional package is needed, but is not installed."""

    def __init__(self, package: str, purpose: str, *, extra: str | None = None, options: str = "") -> None:
        install = " ".join(["pip install", *options.split(), f"'{f'podium[{extra}]' if extra else package}'"])
        super().__init__(
            "{purpose} needs the package '{package}': {install}.", purpose=purpose, package=package, install=install
        )


class UnixOnlyError(PodiumError, ImportError):
    """What was asked needs a system with processes, limits and locks as Unix has them."""


class StoreError(PodiumError, OSError):
    """The store of a benchmark cannot be read or written."""


def first_line(error: object, otherwise: str = "") -> str:
    """The first line of what an error says, which may be long; `otherwise` where it says nothing."""
    return (str(error).strip().splitlines() or [otherwise])[0][:300]


def refused(name: str, value: Any, rule: str, hint: str = ".", **fields: Any) -> ArgumentError:
    """The error for an argument whose value breaks a rule, to be raised.

    >>> str(refused("rng", "x", "must be an integer"))
    "`rng` must be an integer; got 'x'."
    """
    return ArgumentError(f"{{argument}} {rule}; got {{value}}{hint}", argument=name, value=shown(value), **fields)


def shown(value: Any, *, limit: int = 200) -> str:
    """A value for a sentence: on one line, and not endless.

    >>> shown([1, 2], limit=3)
    '[1,...'
    """
    text = re.sub(r"\s*\n\s*", " ", repr(value))
    return text if len(text) <= limit else text[:limit] + "..."
