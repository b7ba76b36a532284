"""Example data in the package: tables printed in papers, each with its source and notes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from podium.core import check
from podium.core.files import read_toml

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What an example is, where it comes from, and what to know about it.

    `reference` is its key in the bibliography; `frames` are the tables that `example_frame` gives.
    """

    name: str
    about: str
    source: str
    reference: str
    notes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    has_results: bool = True


# The cost tables that stand beside the folds: file -> metric.
_COSTS = ("training_time", "space")


@cache
def examples() -> tuple[Example, ...]:
    """Every example, with its source.

    >>> [item.name for item in examples()]
    ['benavoli2016', 'ulas2008', 'forman2005']
    """
    return tuple(Example(name=name, **facts) for name, facts in read_toml("data", "examples.toml").items())


def example(name: str) -> Results:
    """The scores of a paper as `Results`.

    >>> example("ulas2008").scores("accuracy").values.shape
    (38, 8, 5, 2)
    >>> example("ulas2008").scores("training_time").values.shape
    (38, 8, 1, 1)
    """
    from podium.core.read.reader import read as read_results

    readable = {item.name: item for item in examples() if item.has_results}
    known = readable[check.member("example", name, readable)]
    results = read_results(example_frame(f"{name}/{known.frames[0]}"), metric="accuracy")
    costs = [read_results(example_frame(f"{name}/{cost}"), metric=cost) for cost in _COSTS if cost in known.frames]
    for cost in costs:
        results = results.joined(cost)
    missing = [note for note in results.notes[1:] if "have no score" in note]
    return replace(results, source=known.source, notes=(f"{known.about}: {known.source}.", *missing, *known.notes))


def example_frame(name: str) -> pd.DataFrame:
    """A table of a paper as it is printed, as a DataFrame; `name` is "example/table".

    >>> example_frame("ulas2008/ranks_accuracy").shape
    (38, 9)
    """
    import pandas as pd

    names = [f"{item.name}/{frame}" for item in examples() for frame in item.frames]
    folder, table = check.member("example table", name, names).split("/")
    with files("podium").joinpath("data", folder, f"{table}.csv").open("rb") as file:
        return pd.read_csv(file)
