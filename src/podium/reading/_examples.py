"""Example data in the package: tables printed in papers, each with its source and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from podium.core import check
from podium.core.files import read_toml

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What an example is, where it comes from, and what to know about it.

    `reference` is its key in the bibliography; `frames` are the tables that `example_frame` gives, the first of them the
    scores. Where these name their metrics, `directions` says which way is better. The tables may be those of another
    example (`table_of`) with some rows `filled` in.
    """

    name: str
    about: str
    source: str
    reference: str
    notes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    has_results: bool = True
    directions: Mapping[str, str] = field(default_factory=dict)
    table_of: str | None = None
    filled: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


# The cost tables that stand beside the folds: file -> metric.
_COSTS = ("training_time", "space")


@cache
def examples() -> tuple[Example, ...]:
    """Every example, with its source.

    >>> [item.name for item in examples()]
    ['benavoli2016', 'benavoli2016_zoo', 'ulas2008', 'wainer_real', 'ulas_real', 'forman2005']
    """
    return tuple(Example(name=name, **facts) for name, facts in read_toml("data", "examples.toml").items())


def example(name: str) -> Results:
    """The scores of a paper as `Results`.

    >>> example("ulas2008").scores("accuracy").values.shape
    (38, 8, 5, 2)
    >>> example("ulas2008").scores("training_time").values.shape
    (38, 8, 1, 1)
    """
    from podium.reading.reader import read_scores as read_results

    readable = {item.name: item for item in examples() if item.has_results}
    known = readable[check.member("example", name, readable)]
    if known.directions:
        return _of_a_run(known)
    results = read_results(example_frame(f"{name}/{known.frames[0]}"), metric="accuracy")
    costs = [read_results(example_frame(f"{name}/{cost}"), metric=cost) for cost in _COSTS if cost in known.frames]
    for cost in costs:
        results = results.joined(cost)
    missing = filter(None, (results.missing_note,))
    return replace(results, source=known.source, notes=(f"{known.about}: {known.source}.", *missing, *known.notes))


def _of_a_run(known: Example) -> Results:
    """The scores of a suite of Podium's that was run, with its families and the cost metrics."""
    from podium.reading.reader import read_scores as read_results

    results = read_results(example_frame(f"{known.name}/{known.frames[0]}"), direction=dict(known.directions))
    datasets = example_frame(f"{known.name}/datasets")
    families = dict(zip(datasets["dataset"].astype(str), datasets["family"].astype(str), strict=True))
    main = next(iter(known.directions))
    notes = (f"{known.about}: {known.source}.", *known.notes)
    return replace(results, families=families, source=known.source, notes=notes, main=main)


def example_frame(name: str) -> pd.DataFrame:
    """A table of a paper as it is printed, or of a suite that was run, as a DataFrame; `name` is "example/table".

    >>> example_frame("ulas2008/ranks_accuracy").shape
    (38, 9)
    """
    import pandas as pd

    names = [f"{item.name}/{frame}" for item in examples() for frame in item.frames]
    folder, table = check.member("example table", name, names).split("/")
    known = next(item for item in examples() if item.name == folder)
    if known.table_of is not None:
        frame = example_frame(f"{known.table_of}/{table}").set_index("dataset")
        for dataset, scores in known.filled.items():
            frame.loc[dataset] = list(scores)
        return frame.reset_index()
    plain = files("podium").joinpath("data", folder, f"{table}.csv")
    packed = files("podium").joinpath("data", folder, f"{table}.csv.gz")
    if plain.is_file():
        with plain.open("rb") as file:
            return pd.read_csv(file)
    with packed.open("rb") as file:
        return pd.read_csv(file, compression="gzip", dtype={"dataset": str, "algorithm": str})
