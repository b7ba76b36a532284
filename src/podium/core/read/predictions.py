"""Predictions with the truth: one table, one file per algorithm and a truth file, dicts and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from podium.core.errors import DataError
from podium.core.read.names import key_of, quoted
from podium.core.read.options import ReadOptions

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.read.sheet import Sheet

IDS = frozenset(
    "id ids case case_id item item_id example example_id instance instance_id index row row_id image image_id name".split()
)
TRUTHS = frozenset("y_true truth true label labels target actual ground_truth gold y class".split())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictionTable:
    """The truth of every case (its index names them) and a column of predictions per algorithm; nan is a missing one."""

    truth: pd.Series
    predicted: pd.DataFrame
    metric: str | None = None
    notes: tuple[str, ...] = ()


def prediction_table(
    source: Any, truth: Any, *, metric: str | None = None, options: ReadOptions | None = None
) -> PredictionTable:
    """Predictions from a path, several paths or a folder, a DataFrame, or a dict; `truth` is a column, a path or values."""
    import pandas as pd

    options = options or ReadOptions()
    paths = _paths(source, truth)
    if paths is not None:
        made = _of_files(paths, str(truth), options)
    elif hasattr(source, "columns") and isinstance(truth, str):
        made = _of_frame(source, truth, "The DataFrame")
    else:
        values = truth if hasattr(truth, "reindex") else pd.Series(np.asarray(truth), name="truth")
        frame = _named(source, values)
        made = PredictionTable(truth=values, predicted=frame)
    return PredictionTable(truth=made.truth, predicted=made.predicted, metric=metric, notes=made.notes)


def _named(source: Any, truth: pd.Series) -> pd.DataFrame:
    import pandas as pd

    columns = source if isinstance(source, Mapping) else None
    if columns is None and hasattr(source, "columns"):
        columns = {str(name): source[name].to_numpy() for name in source.columns}
    if columns is None:
        array = np.asarray(source)
        array = array[:, None] if array.ndim == 1 else array
        columns = {f"algorithm {j + 1}": array[:, j] for j in range(array.shape[1])}
    for name, column in columns.items():
        if len(column) != len(truth):
            raise DataError(f"The truth has {len(truth)} cases, {str(name)!r} has {len(column)}: give the same cases.")
    return pd.DataFrame({str(name): np.asarray(column) for name, column in columns.items()}, index=truth.index)


def _paths(source: Any, truth: Any) -> list[Path] | None:
    """The files of predictions: a folder's tables without the truth, several paths, or one."""
    if isinstance(source, str | Path):
        path = Path(source)
        if not path.is_dir():
            return [path]
        from podium.core.read.registry import endings

        wanted = endings(lambda entry: entry.in_folders)
        known = Path(str(truth))
        found = [p for p in sorted(path.iterdir()) if p.suffix.lower() in wanted and p.name[0] != "."]
        kept = [p for p in found if not (known.exists() and p.resolve() == known.resolve())]
        if not kept:
            raise DataError(f"The folder {str(path)!r} has no file of predictions.")
        return kept
    if isinstance(source, Sequence) and source and all(isinstance(each, str | Path) for each in source):
        return [Path(each) for each in source]
    return None


def _sheet(path: Path, options: ReadOptions) -> pd.DataFrame:
    from podium.core.read.reader import opened

    sheet = cast("Sheet", opened(path, options))
    if not hasattr(sheet, "header"):
        raise DataError(f"{path.name} holds scores of datasets, not predictions.")
    return sheet.frame.set_axis(list(sheet.header), axis=1)


def _of_files(paths: list[Path], truth: str, options: ReadOptions) -> PredictionTable:
    if len(paths) == 1 and not Path(truth).is_file():
        return _of_frame(_sheet(paths[0], options), truth, paths[0].name)
    if not Path(truth).is_file():
        raise DataError(
            f"There is no file {truth!r}: several files of predictions need a file with the {{truth}}.",
            options=("truth",),
        )
    from podium.core.read.formats.folder import algorithms_in_stems

    gold = _by_id(_sheet(Path(truth), options), Path(truth).name, truth_column=None)
    if len(paths) == 1:
        frame = _sheet(paths[0], options)
        ids = _id_column(frame, paths[0].name)
        columns = {name: _by_id(frame[[ids, name]], paths[0].name, name) for name in frame.columns if name != ids}
    else:
        stems = algorithms_in_stems([path.stem for path in paths])
        columns = {
            name: _by_id(_sheet(path, options), path.name, gold.name) for name, path in zip(stems, paths, strict=True)
        }
    import pandas as pd

    notes = [f"{len(columns)} algorithms predict the {len(gold)} cases of {Path(truth).name}."]
    for name, column in columns.items():
        unknown = column.index.difference(gold.index)
        if len(unknown):
            notes.append(
                f"{name} predicts {len(unknown)} cases that the truth does not have ({unknown[0]}); they are left out."
            )
        if not column.index.isin(gold.index).any():
            raise DataError(
                f"No case of {name!r} is in {Path(truth).name}: the first is {column.index[0]!r}, not {gold.index[0]!r}."
            )
    frame = pd.DataFrame({name: column.reindex(gold.index) for name, column in columns.items()})
    return PredictionTable(truth=gold, predicted=frame, notes=tuple(notes))


def _id_column(frame: pd.DataFrame, where: str) -> str:
    found = [str(name) for name in frame.columns if key_of(str(name)) in IDS]
    if not found:
        raise DataError(
            f"{where} has no column that names the cases (id, case, ...): it has {quoted(list(frame.columns), 12)}."
        )
    return found[0]


def _by_id(frame: pd.DataFrame, where: str, truth_column: Any) -> pd.Series:
    """The one column of answers, by case."""
    ids = _id_column(frame, where)
    rest = [name for name in frame.columns if name != ids]
    named = [name for name in rest if name == truth_column] or [n for n in rest if key_of(str(n)) in TRUTHS] or rest
    if len(named) != 1:
        raise DataError(
            f"{where}: which column has the answers? It has {quoted([str(name) for name in named], 12)}; keep one."
        )
    index = frame[ids].astype(str)
    if index.duplicated().any():
        raise DataError(f"{where}: the case {index[index.duplicated()].iloc[0]!r} occurs more than once.")
    column = frame[named[0]].copy()
    column.index = index.to_numpy()
    return column


def _of_frame(frame: pd.DataFrame, truth: str, where: str) -> PredictionTable:
    """One table: the truth's column, one column per algorithm, perhaps one that names the cases."""
    names = [str(name) for name in frame.columns]
    frame = frame.set_axis(names, axis=1)
    if truth not in names:
        raise DataError(
            f"{where} has no column {truth!r} for the {{truth}}: it has {quoted(names, 12)}.", options=("truth",)
        )
    ids = next((name for name in names if key_of(name) in IDS and name != truth), None)
    index = frame[ids].astype(str) if ids else None
    if index is not None:
        if index.duplicated().any():
            raise DataError(f"{where}: the case {index[index.duplicated()].iloc[0]!r} occurs more than once.")
        frame = frame.set_axis(index.to_numpy(), axis=0)
    elif where != "The DataFrame":
        frame = frame.set_axis([str(i + 1) for i in range(len(frame))], axis=0)
    systems = [name for name in names if name not in (truth, ids)]
    note = (
        f"{where} was read as predictions of {len(systems)} algorithms for {len(frame)} cases; {truth!r} is the truth."
    )
    return PredictionTable(truth=frame[truth], predicted=frame[systems], notes=(note,))
