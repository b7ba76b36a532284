"""From an entry of a suite to datasets: one entry may be a whole folder or an OpenML suite."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from podium.bench.datasets.builtin import BUILTIN, DRAWN, load_builtin
from podium.bench.datasets.files import data_files, load_file
from podium.bench.datasets.model import Dataset
from podium.bench.datasets.openml import load_openml, suite_tasks
from podium.bench.datasets.packages import PACKAGES, check_package, load_package
from podium.bench.spec import COLUMNS, DatasetSpec
from podium.core import check
from podium.core.errors import DataError

_SOURCES = ("builtin", "folder", "file", "openml_data", "openml_task", "openml_suite", *PACKAGES)
_COMMON = ("name", "family", "optional")
_MANY = ("folder", "openml_suite")  # their members have names of their own
_IN_FILES = ("target", "decimal_comma", *COLUMNS)
_OPTIONS = {"builtin": ("cases", "seed"), "folder": _IN_FILES, "file": _IN_FILES, "openml_data": ("target",)}


def expand_dataset(table: Any, folder: Path) -> list[DatasetSpec]:
    """The datasets that one entry of a suite stands for; paths are relative to `folder`."""
    if not isinstance(table, dict):
        raise DataError(f"a dataset is a name or a table; got {table!r}.")
    sources = [key for key in _SOURCES if key in table]
    if len(sources) > 1:
        raise DataError(f"a dataset has one source; got {' and '.join(f'`{key}`' for key in sources)}.")
    source = sources[0] if sources else "builtin"
    own = _OPTIONS.get(source, ())
    allowed = tuple(dict.fromkeys((*_COMMON[source in _MANY :], *own, *sources)))
    unknown = [key for key in table if key not in allowed]
    if unknown:
        raise DataError(f"`{unknown[0]}` is not known for this dataset: it may have {', '.join(allowed)}.")
    options = {key: table[key] for key in own if key in table}
    if source in ("folder", "file", "builtin", *PACKAGES) and not isinstance(table.get(source, ""), str):
        raise DataError(f"`{source}` of a dataset must be a string; got {table[source]!r}.")
    rest: dict[str, Any] = {"family": table.get("family", ""), "optional": table.get("optional", False)}
    return [
        DatasetSpec(name=name, source=kind, options={**options, **more}, **rest)
        for name, kind, more in _members(source, table, folder)
    ]


def _members(source: str, table: Mapping[str, Any], folder: Path) -> list[tuple[str, str, dict[str, Any]]]:
    """Name, source and where to find it, of everything that the entry stands for."""
    if source == "builtin":
        return [_builtin(table)]
    value = table[source]
    if source == "folder":
        paths = data_files(folder / value)
        return [(path.stem, "file", {"path": str(path)}) for path in paths]
    if source == "file":
        path = folder / value
        if not os.path.isfile(path) and not table.get("optional"):  # what no file can be called is none, either
            raise DataError(f"there is no data file {check.shown(str(path), limit=200)}.")
        return [(table.get("name", path.stem), "file", {"path": str(path)})]
    if source in PACKAGES:
        return [(table.get("name", str(value)), source, {source: check_package(source, str(value))})]
    if source == "openml_suite":
        return [(f"openml-task-{task}", "openml", {"task": task}) for task in suite_tasks(value)]
    key = source.removeprefix("openml_")
    if not isinstance(value, int | str) or isinstance(value, bool) or (key == "task" and not str(value).isdigit()):
        wanted = "the number of a task" if key == "task" else "a number or a name"
        raise DataError(f"`{source}` must be {wanted}; got {value!r}.")
    return [(table.get("name", f"openml-{key}-{value}"), "openml", {key: value})]


def _builtin(table: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    which = table.get("builtin", table.get("name"))
    if which is None:
        raise DataError(f"a dataset is a name or a table with `name` or one of {', '.join(_SOURCES)}.")
    if which not in BUILTIN and {"cases", "seed"} & set(table) and "builtin" not in table:
        raise DataError(
            f"Unknown dataset {which!r}: to give another name to a draw, say which with `builtin`, as in "
            f'{{ name = "{which}", builtin = "twonorm", seed = 2 }}.'
        )
    check.member("dataset", which, BUILTIN)
    for key in ("cases", "seed"):
        if key in table and which not in DRAWN:
            raise DataError(f"`{key}` is for datasets drawn from a distribution; {which!r} is fixed.")
    return table.get("name", which), "builtin", {"builtin": which} if table.get("name", which) != which else {}


def load_dataset(spec: DatasetSpec, *, regression: bool = False, splits: bool = False) -> Dataset:
    """The dataset that a spec names, with classes or with numbers to predict; `splits`: with those that OpenML gives."""
    options: dict[str, Any] = {**spec.options, "regression": regression}
    if spec.source == "builtin":
        dataset = load_builtin(spec.name, **options)
    elif spec.source == "file":
        dataset = load_file(Path(options.pop("path")), name=spec.name, **options)
    elif spec.source in PACKAGES:
        dataset = load_package(spec.source, options[spec.source], name=spec.name, regression=regression)
    else:
        dataset = load_openml(name=spec.name, splits=splits, **options)
    return replace(dataset, family=spec.family or dataset.family)
