"""Whether the numbers that a result shows are its own."""

import math
import re

import numpy as np
import pytest

from podium.core.pairs import Pairs
from podium.core.result import plain


def numbers_in(value):
    """Every number of a value, however deep; how long its lists are counts as well."""
    if isinstance(value, dict | list):
        yield float(len(value))
        for part in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(part)
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        yield float(value)


def own_numbers(result):
    """The numbers of its JSON and of its public properties."""
    kind = type(result)
    names = [
        name for name in dir(kind) if name[0] != "_" and isinstance(getattr(kind, name), property) and name != "plot"
    ]
    return np.array([*numbers_in(result.to_dict()), *numbers_in(plain([getattr(result, name) for name in names]))])


def says_its_numbers(result, *, other=()):
    """Each number in a summary is one of the result's (or of `other`), rounded, as a share of 1 or of 100, or the rest to 1."""
    own = np.append(own_numbers(result), other)
    known = np.abs(np.concatenate([own, 1 - own, 100 * own, 100 * (1 - own)]))
    sentence = re.sub(r"\([^()]* (?:19|20)\d\d\)", "", result.summary())  # a paper and its year
    for match in re.finditer(r"(< )?\b(\d[\d,]*(?:\.\d+)?)", sentence):
        text = match[2].strip(",").replace(",", "")
        said, step = float(text), 0.1 ** len(text.partition(".")[2])
        if match[1]:
            assert (known < said).any(), match[0]
        else:
            assert (np.abs(known - said) <= 0.5001 * step).any(), f"{text} in: {sentence}"


def shows_its_numbers(result):
    """Each number in a frame is one of the result's; of pairs, that of its pair and column."""
    frame = result.to_frame()
    if isinstance(result, Pairs):
        assert list(zip(frame["a"], frame["b"], strict=True)) == list(result.names)
        for column in set(frame) & set(result.COLUMNS):
            assert frame[column].to_numpy(float) == pytest.approx(result.values(column), nan_ok=True), column
    known = np.abs(own_numbers(result))
    for column in frame.select_dtypes("number"):
        for number in frame[column].dropna():
            assert np.isclose(known, abs(number), rtol=1e-12, atol=0).any(), (column, number)
