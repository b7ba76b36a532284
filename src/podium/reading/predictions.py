"""Predictions with the truth: one table, one file per algorithm and a truth file, dicts and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.errors import FRAME, DataError, as_sentence
from podium.core.names import key_of, quoted, shown
from podium.core.numbers import counted
from podium.evidence.predictions import PredictionTable, label_text, labels_of
from podium.reading.options import ReadOptions
from podium.reading.roles import is_called, role_of
from podium.reading.sheet import Sheet
from podium.reading.systems import IDS, check_systems, with_numbers

if TYPE_CHECKING:
    import pandas as pd


BETWEEN = "_.:/ -|"  # what may stand between an algorithm and a class, as in rf_cat
BESIDE = ("cluster", "benchmark", "weight")  # what may be told of each case


def prediction_table(source: Any, options: ReadOptions) -> PredictionTable:
    """Predictions from a path, several paths or a folder, a DataFrame, or a dict; the truth is a column, a path or values."""
    import pandas as pd

    from podium.reading.formats.frames import as_pandas

    metric = options.one_metric
    options.check_unit("prediction")
    truth = options.truth
    paths = _paths(source, truth)
    if paths is not None:
        made = _of_files(paths, str(truth), options)
    elif hasattr(source, "columns") and isinstance(truth, str):
        made = _of_table(_Table(as_pandas(source), FRAME, options), truth)
    else:
        values = truth if hasattr(truth, "reindex") else pd.Series(np.asarray(truth), name="truth")
        made = _of_columns(source, values)
    return replace(made, metric=metric)


# --- Dicts and arrays ------------------------------------------------------------------------------------------------


def _of_columns(source: Any, truth: pd.Series) -> PredictionTable:
    """A dict of names, a DataFrame or an array (cases x algorithms); an array per name (cases x classes) has probabilities."""
    import pandas as pd

    columns = source if isinstance(source, Mapping) else None
    if columns is None and hasattr(source, "columns"):
        columns = {str(name): source[name].to_numpy() for name in source.columns}
    if columns is None:
        array = np.asarray(source)
        if array.ndim > 2:
            raise DataError("Give a dict of names for predictions with a probability for each class.")
        array = array[:, None] if array.ndim == 1 else array
        columns = {f"algorithm {j + 1}": array[:, j] for j in range(array.shape[1])}
    for name, column in columns.items():
        if len(column) != len(truth):
            raise DataError(f"The truth has {len(truth)} cases, {str(name)!r} has {len(column)}: give the same cases.")
    wide = {str(name): np.asarray(item) for name, item in columns.items() if np.ndim(item) == 2}
    if not wide:
        frame = pd.DataFrame({str(name): np.asarray(column) for name, column in columns.items()}, index=truth.index)
        return PredictionTable(truth=truth, predicted=frame)
    if len(wide) < len(columns):
        odd = next(str(name) for name in columns if str(name) not in wide)
        raise DataError(f"{odd!r} has one number per case and others have one per class: give the same of all.")
    classes = labels_of(truth)
    for name, array in wide.items():
        if array.shape[1] != len(classes):
            raise DataError(
                f"{name!r} has {array.shape[1]} probabilities for each case, and the truth has {len(classes)} classes "
                f"({quoted(classes, 12)}): give one for each, in this order."
            )
    blank = pd.DataFrame(np.nan, index=truth.index, columns=list(wide))
    given = {name: array.astype(np.float64) for name, array in wide.items()}
    return PredictionTable(truth=truth, predicted=blank, probabilities=given, classes=classes)


# --- Files -----------------------------------------------------------------------------------------------------------


def _paths(source: Any, truth: Any) -> list[Path] | None:
    """The files of predictions: a folder's tables without the truth, several paths, or one."""
    if isinstance(source, str | Path):
        path = Path(source)
        if not path.is_dir():
            return [path]
        from podium.reading.formats.folder import tables_of

        known = Path(str(truth))
        kept = [p for p in tables_of(path) if not (known.exists() and p.resolve() == known.resolve())]
        if not kept:
            raise DataError(f"The folder {str(path)!r} has no file of predictions.")
        return kept
    if isinstance(source, Sequence) and source and all(isinstance(each, str | Path) for each in source):
        return [Path(each) for each in source]
    return None


def _of_files(paths: list[Path], truth: str, options: ReadOptions) -> PredictionTable:
    if not Path(truth).is_file():
        if len(paths) == 1:
            return _of_table(_read(paths[0], options), truth)
        raise DataError(f"There is no file {truth!r}: several files of predictions need a file with the {{truth}}.")
    from podium.reading.formats.folder import algorithms_in_stems

    known = _read(Path(truth), options)
    if len(paths) == 1:
        table = _read(paths[0], options)
        ids = table.ids
        tables = {name: replace(table, frame=table.frame[[ids, name]]) for name in table.frame.columns if name != ids}
    else:
        stems = algorithms_in_stems([path.stem for path in paths])
        tables = {name: _read(path, options) for name, path in zip(stems, paths, strict=True)}
    return replace(_joined(tables, known.answers(None), known.where), **known.beside())


def columns_of(path: Path, options: ReadOptions) -> list[str]:
    """The header of a file of predictions."""
    return [str(name) for name in _read(path, options).frame.columns]


def _read(path: Path, options: ReadOptions) -> _Table:
    from podium.reading.reader import opened
    from podium.reading.where import filtered

    sheet = opened(path, options)
    if not isinstance(sheet, Sheet):
        raise DataError(f"{path.name} holds no table of predictions.")
    sheet = filtered(sheet, options.where) if options.where is not None else sheet
    return _Table(sheet.frame.set_axis(list(sheet.header), axis=1), path.name, options)


def _joined(tables: dict[str, _Table], gold: pd.Series, where: str) -> PredictionTable:
    """The predictions of each algorithm by case, in the order of the truth."""
    import pandas as pd

    classes = labels_of(gold)
    probabilities: dict[str, Floats] = {}
    columns: dict[str, pd.Series] = {}
    notes = [
        f"{counted(len(tables), 'algorithm')} {'predicts' if len(tables) == 1 else 'predict'} the {len(gold)} cases of {where}."
    ]
    for name, table in tables.items():
        named = {label_text(column): column for column in table.frame.columns if column != table.ids}
        index = table.index
        if len(classes) > 1 and set(classes) <= set(named):
            given = table.frame[[named[label] for label in classes]].set_axis(index, axis=0).reindex(gold.index)
            probabilities[name] = given.to_numpy(dtype=np.float64)
            columns[name] = pd.Series(np.nan, index=gold.index)
        else:
            columns[name] = table.answers(gold.name)
        unknown = index.difference(gold.index)
        if len(unknown):
            notes.append(
                f"{name} predicts {counted(len(unknown), 'case')} that the truth does not have ({unknown[0]}); left out."
            )
        if not index.isin(gold.index).any():
            raise DataError(f"No case of {name!r} is in {where}: the first is {index[0]!r}, not {gold.index[0]!r}.")
    if probabilities and len(probabilities) < len(columns):
        odd = next(name for name in columns if name not in probabilities)
        raise DataError(
            f"{tables[odd].where} has no column for each class, as others have: give the same of all algorithms."
        )
    return PredictionTable(
        truth=gold,
        predicted=pd.DataFrame({name: column.reindex(gold.index) for name, column in columns.items()}),
        probabilities=probabilities,
        classes=classes if probabilities else (),
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A table with a row for each case: its cells, what it is called in sentences, and how it is to be read."""

    frame: pd.DataFrame
    where: str
    options: ReadOptions

    def column(self, name: str, option: str) -> str:
        """A column that an option names."""
        names = [str(each) for each in self.frame.columns]
        found = [each for each in names if each == name] or [each for each in names if key_of(each) == key_of(name)]
        if not found:
            raise DataError(f"{self.where} has no column {name!r} for {option}: it has {quoted(names, 12)}.")
        return found[0]

    def cell(self, name: str, row: int) -> str:
        """What a cell is called in sentences."""
        return f"{self.where}, row {row + 1} below the header, column {shown(name)}"

    @property
    def ids(self) -> str:
        """The column that names the cases."""
        if self.options.case_column is not None:
            return self.column(self.options.case_column, "{case_column}")
        names = [str(name) for name in self.frame.columns]
        found = self.clear_ids() or [name for name in names if name.endswith(("Id", "ID", "_id"))]
        if not found:
            raise DataError(
                f"{self.where} has no column that names the cases (id, case, ...): it has {quoted(names, 12)}; name it with "
                "{case_column}."
            )
        return found[0]

    def clear_ids(self) -> list[str]:
        """The columns whose names say that they name the cases; a first one without a name is the index of a DataFrame."""
        names = [str(name) for name in self.frame.columns]
        return [name for name in names if is_called(name, *IDS)] or [name for name in names[:1] if not name.strip()]

    @property
    def index(self) -> pd.Index:
        """The names of the cases, each once."""
        import pandas as pd

        names = self.frame[self.ids].map(label_text)
        if names.duplicated().any():
            raise DataError(
                f"{self.where}: the case {names[names.duplicated()].iloc[0]!r} occurs more than once: keep one row for each case."
            )
        found: pd.Index = pd.Index(names.to_numpy())
        return found

    def answers(self, truth: Any) -> pd.Series:
        """The one column of answers, by case; called as the truth is, or otherwise."""
        taken = {self.ids, *self.beside_names()}
        rest = [name for name in self.frame.columns if name not in taken]
        named = (
            [name for name in rest if name == truth]
            or [n for n in rest if is_called(str(n), "predictions.truth", "predictions.perhaps_truth")]
            or rest
        )
        if len(named) != 1:
            raise DataError(
                f"{self.where}: which column has the answers? It has {quoted([str(name) for name in named], 12)}; keep one."
            )
        return self.frame[named[0]].set_axis(self.index)

    def beside_names(self) -> list[str]:
        """The columns of clusters, benchmarks and weights."""
        said = [getattr(self.options, f"{role}_column") for role in BESIDE]
        kinds = [f"cases.{role}" for role in BESIDE]
        return [name for name in self.frame.columns if name in said or is_called(str(name), *kinds)]

    def beside(self) -> dict[str, Any]:
        """The clusters, benchmarks and weights of the cases, from their columns."""
        found: dict[str, Any] = {}
        for role in BESIDE:
            said = getattr(self.options, f"{role}_column")
            name = next((n for n in self.frame.columns if is_called(str(n), f"cases.{role}")), None)
            name = name if said is None else self.column(said, f"{{{role}_column}}")
            if name is None:
                continue
            if self.frame[name].isna().any():
                row = int(np.flatnonzero(self.frame[name].isna())[0])
                raise DataError(
                    f"{self.where}: row {row + 1} below the header has no {role}: fill it in, or delete the row."
                )
            found[f"{role}s"] = self._weights(name) if role == "weight" else tuple(map(label_text, self.frame[name]))
        return found

    def _weights(self, name: str) -> Floats:
        """How much each case counts: numbers above 0."""
        from podium.reading.cells import parse_column

        cells = self.frame[name]
        weights = parse_column(cells, self.options, lambda row: f"{self.where}, the weight in row {row + 1}").values
        wrong = np.flatnonzero(~(weights > 0))
        if len(wrong):
            raise DataError(
                f"{self.where}: row {int(wrong[0]) + 1} below the header has the weight {cells.iloc[int(wrong[0])]}: a weight is a "
                f'number above 0. Leave such cases out with {{where}} "{name} > 0", or the weights with {{ignore_column}} {shown(name)}.'
            )
        return weights


# --- One table -------------------------------------------------------------------------------------------------------


def _of_table(table: _Table, truth: str) -> PredictionTable:
    """One table: the truth's column, the columns of each algorithm, perhaps those of cases, clusters and benchmarks."""
    from podium.reading.case_columns import noun_of

    where, options = table.where, table.options
    names = [str(name) for name in table.frame.columns]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise DataError(f"{where} has more than one column {shown(twice)}: rename all but one.")
    table = replace(table, frame=table.frame.set_axis(names, axis=1))
    truth = table.column(truth, "the {truth}")
    ignored = Sheet(header=tuple(names), frame=table.frame, label=where).positions("ignore", options)
    table = replace(table, frame=table.frame.drop(columns=[names[i] for i in ignored]))
    system = _system_column(table.frame, truth, options)
    if system is not None:
        table = replace(table, frame=_pivoted(table, system, truth))
    frame, beside = table.frame, table.beside()
    ids = None
    if options.case_column is not None or any(name != truth for name in table.clear_ids()):
        ids = table.ids
        frame = frame.set_axis(table.index, axis=0)
    elif where != FRAME:
        frame = frame.set_axis([str(i + 1) for i in range(len(frame))], axis=0)
    systems = _systems(table, {truth, ids, *table.beside_names()}, is_long=system is not None)
    frame = with_numbers(frame, systems, truth, options, table.cell)
    classes = labels_of(frame[truth])
    groups = class_columns(systems, classes) or _of_numbers(frame[systems], classes, where)
    if system is not None or not options.named("value"):
        check_systems(frame[systems], frame[truth], where, options)
    told = as_sentence(
        f"{where} was read as predictions of {{}} for {counted(len(frame), 'case')}; {truth!r} is the truth."
    )
    noun = options.case_noun or (noun_of(ids) if ids else "case")
    shared: dict[str, Any] = {"truth": frame[truth], "noun": noun, **beside}
    if groups:
        probabilities = {name: frame[columns].to_numpy(dtype=np.float64) for name, columns in groups.items()}
        blank = frame[[columns[0] for columns in groups.values()]].set_axis(list(groups), axis=1) * np.nan
        note = f"{told.format(counted(len(groups), 'algorithm'))} Each gives a probability to {quoted(classes, 8)}."
        return PredictionTable(predicted=blank, probabilities=probabilities, classes=classes, notes=(note,), **shared)
    note = told.format(counted(len(systems), "algorithm"))
    return PredictionTable(predicted=frame[systems], notes=(note,), **shared)


def _systems(table: _Table, others: set[str | None], *, is_long: bool) -> list[str]:
    """The columns of the algorithms: those that were named, or all that are nothing else."""
    named = () if is_long else table.options.named("value")
    found = [table.column(name, "{value_column}") for name in named]
    found = found or [name for name in table.frame.columns if name not in others]
    if not found:
        raise DataError(
            f"{table.where} has no column of predictions beside {quoted([str(n) for n in others if n], 12)}."
        )
    return found


def _of_numbers(frame: pd.DataFrame, classes: tuple[str, ...], where: str) -> dict[str, list[str]]:
    """Ask about a column of text that stands among the probabilities of classes."""
    numbers = [name for name in frame.columns if frame[name].dtype.kind in "iuf"]
    others = [name for name in frame.columns if name not in numbers]
    if others and class_columns(numbers, classes):
        name = shown(others[0])
        raise DataError(
            f"Column {name} of {where} stands among the probabilities of classes: leave it out with {{ignore_column}} {name}, or say "
            "what it is with {cluster_column} or {benchmark_column}."
        )
    return {}


def class_columns(columns: list[str], classes: tuple[str, ...]) -> dict[str, list[str]]:
    """The columns of each algorithm, one per class, where all are called like rf_cat and rf_dog; else none.

    >>> class_columns(["rf_cat", "rf_dog", "nn_cat", "nn_dog"], ("cat", "dog"))
    {'rf': ['rf_cat', 'rf_dog'], 'nn': ['nn_cat', 'nn_dog']}
    >>> class_columns(["rf", "nn"], ("cat", "dog"))
    {}
    """
    if len(classes) < 2 or len(columns) % len(classes):
        return {}
    found: dict[str, dict[str, str]] = {}
    for column in columns:
        ends = [label for label in classes if column.endswith(label) and column[: -len(label)].rstrip(BETWEEN)]
        ends = [label for label in ends if column[-len(label) - 1] in BETWEEN]
        if not ends:
            return {}
        label = max(ends, key=len)
        found.setdefault(column[: -len(label)].rstrip(BETWEEN), {})[label] = column
    if any(len(own) < len(classes) for own in found.values()):
        return {}
    return {name: [own[label] for label in classes] for name, own in found.items()}


def _system_column(frame: pd.DataFrame, truth: str, options: ReadOptions) -> str | None:
    """The column of algorithms of a long table: one row per algorithm and case."""
    if options.algorithm_column is not None:
        return next(iter(options.named("algorithm")))
    if options.layout == "wide":
        return None
    named = [name for name in frame.columns if role_of(name) == "algorithm" and name != truth]
    texts = [name for name in named if frame[name].dtype.kind not in "iuf" and frame[name].duplicated().any()]
    return texts[0] if len(texts) == 1 else None


def _pivoted(table: _Table, system: str, truth: str) -> pd.DataFrame:
    """A long table as one row per case; each case has one truth."""
    frame, where = table.frame, table.where
    table.column(system, "{algorithm_column}")
    ids, beside = table.ids, table.beside_names()
    free = [n for n in frame.columns if n not in (system, truth, ids, *beside)]
    asked = table.options.named("value")
    named = [n for n in free if n in asked] or [n for n in free if is_called(n, "predictions.prediction")] or free
    if len(named) != 1:
        raise DataError(
            f"{where}: which column has the predictions ({quoted(named or free, 12)})? Name it with {{value_column}}."
        )
    (value,) = named
    same = frame.groupby(ids, sort=False)[truth].nunique(dropna=False)
    if (same > 1).any():
        raise DataError(f"{where}: the case {str(same.index[same > 1][0])!r} has more than one truth: give it one.")
    if frame.duplicated([ids, system]).any():
        row = frame[frame.duplicated([ids, system])].iloc[0]
        raise DataError(f"{where}: {str(row[system])!r} predicts the case {str(row[ids])!r} more than once: keep one.")
    wide = frame.pivot(index=ids, columns=system, values=value)
    wide = wide[list(dict.fromkeys(frame[system]))].set_axis([str(n) for n in dict.fromkeys(frame[system])], axis=1)
    return frame.drop_duplicates(ids).set_index(ids)[[truth, *beside]].join(wide).reset_index()
