"""Short labels for long names: what all names share goes, and what tells them apart stays."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence

MOST = 24  # characters of a label
_WORD = re.compile(r"[^\s,;()\[\]{}|]+")
_DATE = re.compile(r"^\d{4}[-_]?\d{2}[-_]?\d{2}[-_ ]+")
_PUBLISHER = re.compile(r"^[^/\s(]+?(?:/|__)(?=.)")
_EDGES = " \t/,;()[]{}|_-–:=."
_COSTS_AT_MOST = 8  # characters that are given up to end at a word


def short_labels(names: Iterable[str]) -> dict[str, str]:
    """Each name with a label of at most 24 characters, no two of which are alike; short names stay as they are.

    >>> short_labels(["svm", "rf"])
    {'svm': 'svm', 'rf': 'rf'}
    >>> list(short_labels([f"acme/alpha-{i}b-instruct (dtype=float16, num_fewshot=5)" for i in (7, 13)]).values())
    ['acme/alpha-7b-instruct', 'acme/alpha-13b-instruct']
    >>> list(short_labels([f"a_rather_long_name_of_an_algorithm_with_seed_{i}" for i in (1, 2)]).values())
    ['an_algorithm_with_seed_1', 'an_algorithm_with_seed_2']
    >>> list(short_labels(["20241213_devlo", "20241108_devlo", "20241208_gru", "20241125_enginelabs_coder"]).values())
    ['devlo 241213', 'devlo 241108', 'gru', 'enginelabs_coder']
    >>> list(short_labels(["=cmd|x", "an algorithm with a name that is long"]).values())
    ['=cmd|x', 'an algorithm with a…']
    """
    return dict(_labels(tuple(dict.fromkeys(names))))


@functools.lru_cache(maxsize=256)
def _labels(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    labels = names
    for shorten in (_without_settings, _without_dates, _without_publishers, _without_beginning, _without_ending):
        if all(len(label) <= MOST for label in labels):
            break
        shorter = shorten(labels)
        labels = shorter if len(set(shorter)) == len(names) and all(shorter) else labels
    cut = tuple(map(_cut, labels))
    return tuple(zip(names, _told_apart(labels, cut), strict=True))


def _without_dates(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the dates before them; those that would then be alike end with theirs, as yymmdd."""
    bare = [_DATE.sub("", name) for name in names]
    dates = [re.sub(r"\D", "", name[: len(name) - len(rest)])[2:] for name, rest in zip(names, bare, strict=True)]
    return tuple(
        f"{rest} {date}" if date and bare.count(rest) > 1 else rest for rest, date in zip(bare, dates, strict=True)
    )


def _without_publishers(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(_PUBLISHER.sub("", name) for name in names)


def _without_settings(names: Sequence[str]) -> tuple[str, ...]:
    """The names without settings, such as dtype=float16, that all of them have."""
    words = [_WORD.findall(name) for name in names]
    shared = {word for word in words[0] if "=" in word and all(word in others for others in words)}
    kept = (_WORD.sub(lambda word: "" if word[0] in shared else word[0], name) for name in names)
    return tuple(
        re.sub(r"(?<=[(\[{])[\s,;]+|[,;]\s*(?=[,;)\]}])|\s*[(\[{][\s,;]*[)\]}]", "", name).strip() for name in kept
    )


def _without_beginning(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the first words that all share: as few of them as make the names short enough."""
    shared = _shared(names) if len(names) > 1 else ""
    longest = max(map(len, names))
    places = [place + 1 for place, sign in enumerate(shared) if sign in _EDGES]
    cut = next((place for place in places if longest - place <= MOST), max(places, default=0))
    return tuple(name[cut:].lstrip(_EDGES) if cut else name for name in names)


def _without_ending(names: Sequence[str]) -> tuple[str, ...]:
    """The same for the last words."""
    return tuple(name[::-1] for name in _without_beginning([name[::-1] for name in names]))


def _shared(names: Sequence[str]) -> str:
    """What all names begin with: what the first and the last in order do."""
    first, last = min(names), max(names)
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False))
    return "".join(sign for sign, _ in same)


def _cut(name: str) -> str:
    """The beginning of a name, up to a word if that costs little."""
    if len(name) <= MOST:
        return name
    head = name[: MOST - 1]
    word = max(head.rfind(sign) for sign in _EDGES)
    return (head[:word] if word >= len(head) - _COSTS_AT_MOST else head).rstrip(_EDGES) + "…"


def _told_apart(names: Sequence[str], labels: Sequence[str]) -> list[str]:
    """The labels; of those that are alike, the beginning and the end that tells them apart, or a number."""
    distinct = list(labels)
    for label in {label for label in distinct if distinct.count(label) > 1}:
        alike = [place for place, other in enumerate(labels) if other == label]
        end = _shared([names[place][::-1] for place in alike])
        end = end[: max(end.rfind(sign) for sign in _EDGES) + 1]
        tails = [names[place][: len(names[place]) - len(end)][-(MOST // 2) :] for place in alike]
        words = [re.sub(r"^[^\W_]*[\W_]+(?=..)", "", tail) for tail in tails]  # from a word on
        for place, tail in zip(alike, words if len(set(words)) == len(alike) else tails, strict=True):
            distinct[place] = f"{names[place][: MOST - 1 - len(tail)].rstrip(_EDGES)}…{tail}"
    taken: set[str] = set()
    for place, label in enumerate(distinct):
        number = 2
        while distinct[place] in taken:
            distinct[place] = f"{label[: MOST - 1 - len(str(number))]}#{number}"
            number += 1
        taken.add(distinct[place])
    return distinct
