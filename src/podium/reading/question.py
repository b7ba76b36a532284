"""One question about a source: all that is open, with answers that each settle everything.

A reader that cannot go on raises a `Question` with partial answers, the likeliest first. `answered` follows each of them to
its end, so that what the user is offered is complete; an answer that leads to a refusal is not offered.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from podium.core.errors import DataError, DesignError, as_argument
from podium.core.options import as_flag, command_words
from podium.reading.options import ReadOptions

Read = TypeVar("Read")
Answer = dict[str, Any]
MOST_READINGS = 24  # that are tried for one question: a wide tree is asked about in two rounds
DEEPEST = 6  # questions behind each other
MOST_OFFERS = 6  # a longer list is not read
MORE_SCORES = "It needs scores on several datasets, folds, runs or test cases for each algorithm."
_SEVERAL = ("ignore_column", "keep_column", "missing_marker")  # options that an answer adds to


class Question(DataError):
    """What is asked about a source; `offers` are its answers as options of `read`, the likeliest first."""

    def __init__(self, sentence: str, /, *offers: Answer, **fields: Any) -> None:
        super().__init__(sentence, offers=tuple(offers), **fields)

    def said(self, spell: Callable[[str], str] = as_argument) -> str:
        """The question and, in Python and on the command line, what answers it all if that takes several words.

        >>> offer = {"ignore_column": ("n", "ratio"), "direction": "higher"}
        >>> print(Question("Is 'n' an algorithm?", offer))
        Is 'n' an algorithm? All that is open, answered at once: ignore_column=['n', 'ratio'], direction='higher'.
        >>> print(Question("Is 'n' an algorithm?", offer).said(as_flag))
        Is 'n' an algorithm? All that is open, answered at once: --ignore-column n --ignore-column ratio --direction higher
        """
        longer = self._longer()
        if not longer or spell not in (as_argument, as_flag):
            return self.asked(spell)
        if spell is as_flag:  # no full stop: the words are copied into a shell
            said = " - or: ".join(shlex.join(command_words(offer)) for offer in longer)
        else:
            said = " - or: ".join(map(_in_python, longer)) + "."
        return f"{self.asked(spell)} All that is open, answered at once: {said}"

    def _longer(self) -> list[Answer]:
        """The first two answers of several words."""
        return [offer for offer in self.fields["offers"] if len(command_words(offer)) > 2][:2]

    @property
    def options(self) -> tuple[str, ...]:
        """The options that the question or its answers name."""
        return tuple(dict.fromkeys([*super().options, *(name for offer in self._longer() for name in offer)]))

    def asked(self, spell: Callable[[str], str]) -> str:
        """The question without its answers."""
        return super().said(spell)


class NothingToTest(DataError, DesignError):
    """A source that is understood, and whose scores no test can compare: no answer would help."""


def offers_of(error: DataError) -> tuple[Answer, ...]:
    """The answers to an error: its own, or those that the option it names has."""
    offers: tuple[Answer, ...] = error.fields.get("offers", ())
    if offers or "direction" not in error.options or isinstance(error, Question):
        return offers
    return {"direction": "higher"}, {"direction": "lower"}


def answered(read: Callable[[ReadOptions], Read], options: ReadOptions) -> Read:
    """What is read; a question is raised with complete answers."""
    try:
        return read(options)
    except DataError as error:
        if not offers_of(error):
            raise
        tree = _Tree(read, options)
        offers = [end for answer in offers_of(error) for end in tree.ends(answer)]
        if not offers and (refusal := tree.nothing or tree.same_refusal) is not None:
            raise refusal from None
        raise _complete(error, offers[:MOST_OFFERS]) from None


class _Tree:
    """The answers to a question, to the answers of the question behind it, and so on."""

    def __init__(self, read: Callable[[ReadOptions], Any], options: ReadOptions) -> None:
        self.read, self.options = read, options
        self.left = MOST_READINGS
        self.nothing: NothingToTest | None = None
        self.refusals: list[DataError] = []

    @property
    def same_refusal(self) -> DataError | None:
        """What each of several answers leads to: it has nothing to do with the question."""
        same = len(self.refusals) > 1 and len({error.sentence for error in self.refusals}) == 1
        return self.refusals[0] if same else None

    def ends(self, answer: Answer, depth: int = DEEPEST) -> list[Answer]:
        """The complete answers that begin with this one; none where it leads to a refusal."""
        if not self.left:
            return []
        self.left -= 1
        try:
            self.read(with_answer(self.options, answer))
        except NothingToTest as error:
            self.nothing = self.nothing or error
            return []
        except DataError as error:
            more = offers_of(error) if depth else ()
            if not more and depth == DEEPEST and not {*error.options} & {*answer}:
                self.refusals.append(error)
            return [end for each in more[:2] for end in self.ends(joined(answer, each), depth - 1)]
        return [answer]


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> Answer:
    """Two answers as one."""
    both = {**first, **second}
    if first.get("where") and second.get("where"):
        both["where"] = f"{first['where']} and {second['where']}"
    return both | {
        name: (*_names(first[name]), *_names(second[name]))
        for name in _SEVERAL
        if {name} <= first.keys() & second.keys()
    }


def with_answer(options: ReadOptions, answer: Mapping[str, Any]) -> ReadOptions:
    """The options with those of an answer."""
    own = {name: getattr(options, name) for name in answer if name in (*_SEVERAL, "where")}
    return replace(options, **joined(own, answer))


def _names(names: str | Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _complete(error: DataError, offers: list[Answer]) -> DataError:
    """The question with complete answers."""
    fields = {name: field for name, field in error.fields.items() if name != "offers"}
    return Question(error.sentence, *offers, **fields)


def _in_python(answer: Answer) -> str:
    return ", ".join(f"{name}={list(value) if isinstance(value, tuple) else value!r}" for name, value in answer.items())
