"""One question about a source: all that is open, with answers that each settle everything.

A reader that cannot go on raises a `Question` with partial answers, the likeliest first. `answered` follows each of them to
its end, so that what the user is offered is complete; an answer that leads to a refusal is not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from podium.core.errors import DataError, DesignError
from podium.core.names import shown
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
    """The question with complete answers, and in words what answers everything that is open."""
    longer = [offer for offer in offers if len(offer) > 1]
    more = f" All that is open, answered at once: {' - or: '.join(map(in_words, longer[:2]))}." if longer else ""
    fields = {**error.fields, "offers": tuple(offers)}
    sentence = error.sentence + more
    return Question(sentence, *offers, **{name: field for name, field in fields.items() if name != "offers"})


def in_words(answer: Mapping[str, Any]) -> str:
    """An answer as a sentence names it, the options in braces.

    >>> in_words({"dataset_column": "name", "ignore_column": ("n", "ratio"), "mean_sd": True})
    "{dataset_column} 'name', {ignore_column} 'n', 'ratio', {mean_sd}"
    """
    parts = []
    for name, value in answer.items():
        if value is True:
            parts.append(f"{{{name}}}")
        else:
            parts.append(
                f"{{{name}}} {', '.join(shown(str(each), 300) for each in _names(value))}"
                if not isinstance(value, int | float)
                else f"{{{name}}} {value}"
            )
    return ", ".join(parts)
