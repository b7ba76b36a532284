"""Example data in the package: tables printed in papers, each with its source and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from podium.core import check
from podium.core.registry import entries, read_toml

if TYPE_CHECKING:
    import pandas as pd

    from podium.evidence.reading import Reading
    from podium.evidence.results import Results


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What an example is, where it comes from, and what to know about it.

    `reference` is its key in the bibliography; `frames` are the tables that `example_frame` gives. `metrics` are those of
    them that hold scores, with the metric of each ("" where a column names it), and `roles` those of their columns: a column
    without one holds the scores of an algorithm. `directions` says which way is better where the name of a metric does not,
    and the first is the main one. The tables may be those of another example (`table_of`) with some rows `filled` in, and
    with other `names` of algorithms.
    """

    name: str
    about: str
    source: str
    reference: str
    notes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    directions: Mapping[str, str] = field(default_factory=dict)
    table_of: str | None = None
    filled: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


@cache
def examples() -> tuple[Example, ...]:
    """Every example, with its source.

    Returns
    -------
    tuple of Example
        What is in the package: name, source, and tables.

    Examples
    --------
    >>> [item.name for item in examples()]
    ['benavoli2016', 'benavoli2016_zoo', 'benavoli2016_named', 'ulas2008', 'wainer_real', 'ulas_real', 'demsar2006_sl', 'forman2005']
    """
    return tuple(entries(Example, read_toml("data", "examples.toml")).values())


def example(name: str) -> Results:
    """The scores of a paper as `Results`.

    Parameters
    ----------
    name : str
        Name of the example; `podium.reading.examples()` lists them.

    Returns
    -------
    Results
        The scores.

    Examples
    --------
    >>> example("ulas2008").scores("accuracy").values.shape
    (38, 8, 5, 2)
    >>> example("ulas2008").scores("training_time").values.shape
    (38, 8, 1, 1)
    """
    import pandas as pd

    from podium.evidence.results import Results, metrics_of

    readable = {item.name: item for item in examples() if item.metrics}
    entry = readable[check.member("example", name, readable)]
    tables = {table: example_frame(f"{name}/{table}") for table in entry.metrics}
    frame = pd.concat(
        [_long(entry, table, metric) for table, metric in zip(tables.values(), entry.metrics.values(), strict=True)]
    )
    for column in ("algorithm", "dataset", "metric", "status", "message"):
        frame[column] = pd.Categorical(frame[column], categories=pd.Index(frame[column].unique(), dtype=object))
    metrics = metrics_of(list(frame["metric"].cat.categories), entry.directions)
    results = Results(
        frame=frame.reset_index(drop=True),
        metrics=metrics,
        families=_families(entry),
        source=entry.source,
        main=next(iter(metrics)),
        reading=_reading(entry, tables[entry.frames[0]]),
    )
    missing = filter(None, (results.missing_note,))
    return replace(results, notes=(f"{entry.about}: {entry.source}.", *missing, *entry.notes))


def _long(entry: Example, table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The rows of a table as `Results` has them: one score in each."""
    from podium.evidence.results import COLUMNS

    names = {"score": "value"}
    long = table.rename(columns={column: names.get(role, role) for column, role in entry.roles.items()})
    if "algorithm" not in long.columns:
        long = long.melt(id_vars="dataset", var_name="algorithm", ignore_index=False).sort_index(kind="stable")
    defaults: dict[str, Any] = {"repeat": 0, "fold": 0, "metric": metric, "message": ""}
    long = long.assign(**{column: value for column, value in defaults.items() if column not in long.columns})
    return long.assign(status=long["value"].isna().map({True: "missing", False: "ok"}))[list(COLUMNS)]


def _families(entry: Example) -> dict[str, str]:
    """The origin of each dataset, where the example tells it."""
    if "datasets" not in entry.frames:
        return {}
    datasets = example_frame(f"{entry.name}/datasets")
    return dict(zip(datasets["dataset"].astype(str), datasets["family"].astype(str), strict=True))


def _reading(entry: Example, table: pd.DataFrame) -> Reading:
    """What the columns of the scores are, as the example says."""
    from podium.evidence.reading import Column, Reading

    layout = "long" if "algorithm" in entry.roles.values() else "wide"
    columns = [
        Column(name=str(name), role=entry.roles.get(str(name), "the scores of an algorithm"), why="the example says so")
        for name in table.columns
    ]
    return Reading(
        layout=layout,
        row="one algorithm on one fold of a dataset" if layout == "long" else "one dataset",
        unit="dataset",
        n_units=table["dataset"].nunique(),
        columns=tuple(columns),
    )


def example_frame(name: str) -> pd.DataFrame:
    """A table of a paper as it is printed, or of a suite that was run, as a DataFrame.

    Parameters
    ----------
    name : str
        "example/table", such as "ulas2008/ranks_accuracy".

    Returns
    -------
    pandas.DataFrame
        The table.

    Examples
    --------
    >>> example_frame("ulas2008/ranks_accuracy").shape
    (38, 9)
    """
    import pandas as pd

    names = [f"{item.name}/{frame}" for item in examples() for frame in item.frames]
    folder, table = check.member("example table", name, names).split("/")
    entry = next(item for item in examples() if item.name == folder)
    if entry.table_of is not None:
        frame = example_frame(f"{entry.table_of}/{table}").set_index("dataset")
        for dataset, scores in entry.filled.items():
            frame.loc[dataset] = list(scores)
        return frame.rename(columns=dict(entry.names)).reset_index()
    plain = files("podium").joinpath("data", folder, f"{table}.csv")
    packed = files("podium").joinpath("data", folder, f"{table}.csv.gz")
    if plain.is_file():
        with plain.open("rb") as file:
            return pd.read_csv(file)
    with packed.open("rb") as file:
        return pd.read_csv(file, compression="gzip", dtype={"dataset": str, "algorithm": str})
