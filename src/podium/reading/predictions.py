"""Predictions with the truth: one table, one file per algorithm and a truth file, dicts and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.arrays import Floats
from podium.core.errors import FRAME, DataError, as_sentence
from podium.core.names import quoted, shown
from podium.core.numbers import counted
from podium.evidence.predictions import PredictionTable, label_text, labels_of
from podium.reading.case_shapes import IDS, noun_of, prediction_plan, take_cases
from podium.reading.cells import looks_numeric, parse_column
from podium.reading.columns import Columns, Plan
from podium.reading.judge import check_predictions
from podium.reading.options import ReadOptions
from podium.reading.outcomes import weights_of
from podium.reading.sheet import Sheet
from podium.reading.where import filtered

BETWEEN = "_.:/ -|"  # what may stand between an algorithm and a class, as in rf_cat


def prediction_table(source: Any, options: ReadOptions) -> PredictionTable:
    """Predictions from a path, several paths or a folder, a table, or a dict; the truth is a column, a path or values."""
    options.check_unit("prediction")
    metric, truth = options.one_metric, options.truth
    paths = _paths(source, truth)
    if paths is not None:
        table = _of_files(paths, str(truth), options)
    elif isinstance(truth, str) and (isinstance(source, Sheet) or hasattr(source, "columns")):
        table = _of_sheet(source if isinstance(source, Sheet) else _read(source, options), truth, options)
    else:
        values = truth if hasattr(truth, "reindex") else pd.Series(np.asarray(truth), name="truth")
        table = _of_columns(source, values)
    return replace(table, metric=metric)


# --- Dicts and arrays ------------------------------------------------------------------------------------------------


def _of_columns(source: Any, truth: pd.Series) -> PredictionTable:
    """A dict of names, a DataFrame or an array (cases x algorithms); an array per name (cases x classes) has probabilities."""
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
            return _of_sheet(_read(paths[0], options), truth, options)
        raise DataError(f"There is no file {truth!r}: several files of predictions need a file with the {{truth}}.")
    from podium.reading.formats.folder import algorithms_in_stems

    sheet, ignored = _read(Path(truth), options), options.named("ignore")
    mine = tuple(name for name in ignored if name in sheet.header)  # of the truth; the others are of the predictions
    known = _File(sheet, replace(options, ignore_column=mine, keep_column=()))
    options = replace(options, ignore_column=tuple(name for name in ignored if name not in mine))
    gold = known.answers(None)
    own = replace(
        options, cluster_column=None, benchmark_column=None, weight_column=None
    )  # which stand beside the truth
    if len(paths) == 1:
        sheet, notes = _with_truth(_File(_read(paths[0], own), own), known, gold)
        table = _of_sheet(sheet, str(gold.name), replace(options, case_column=known.sheet.header[known.case]))
        return replace(table, notes=(*table.notes, *notes))
    stems = algorithms_in_stems([path.stem for path in paths])
    files = {name: _File(_read(path, own), own) for name, path in zip(stems, paths, strict=True)}
    beside = _beside(known.sheet, known.columns.roles, options)
    return replace(_joined(files, gold, known.sheet.label), **beside)


def columns_of(path: Path, options: ReadOptions) -> list[str]:
    """The header of a file of predictions."""
    return list(_read(path, options).header)


def _read(source: Any, options: ReadOptions) -> Sheet:
    from podium.reading.reader import opened

    sheet = opened(source, options)
    if not isinstance(sheet, Sheet):
        raise DataError(f"{Path(str(source)).name} holds no table of predictions.")
    return filtered(sheet, options.where) if options.where is not None else sheet


class _File:
    """A file with a row for each case: the truth, or the answers of one algorithm."""

    def __init__(self, sheet: Sheet, options: ReadOptions) -> None:
        self.sheet, self.columns = sheet, Columns(sheet, options)
        take_cases(self.columns, required=True)
        self.case = self.columns.roles["case"]
        self.index = _index(sheet, self.case)

    def answers(self, truth: Any) -> pd.Series:
        """The one column of answers, by case; called as the truth is, or otherwise."""
        rest = self.columns.free()
        named = [view for view in rest if view.name == truth]
        named = named or [v for v in rest if v.is_called("predictions.truth", "predictions.perhaps_truth")] or rest
        if len(named) != 1:
            raise DataError(
                f"{self.sheet.label}: which column has the answers? It has {quoted([view.name for view in named], 12)}; keep one."
            )
        return named[0].cells.set_axis(self.index).rename(named[0].name)

    def probabilities(self, classes: tuple[str, ...]) -> pd.DataFrame | None:
        """A column for each class, by case, if there is one for all of them."""
        named = {label_text(name): i for i, name in enumerate(self.sheet.header) if i != self.case}
        if len(classes) < 2 or not set(classes) <= set(named):
            return None
        return self.sheet.frame.iloc[:, [named[label] for label in classes]].set_axis(self.index, axis=0)


def _index(sheet: Sheet, case: int) -> pd.Index:
    """The names of the cases, each once."""
    names = sheet.column(case).map(label_text)
    if names.duplicated().any():
        raise DataError(
            f"{sheet.label}: the case {names[names.duplicated()].iloc[0]!r} occurs more than once: keep one row for each case."
        )
    index: pd.Index = pd.Index(names.to_numpy())
    return index


def _with_truth(file: _File, known: _File, gold: pd.Series) -> tuple[Sheet, list[str]]:
    """A table of predictions with the cases and the truth of another file, and notes."""
    own = [place for role, place in known.columns.roles.items() if role != "case"]
    own = [known.case, known.sheet.position(str(gold.name), "truth"), *own]
    rest = [i for i in range(file.sheet.n_columns) if i != file.case]
    columns = [known.sheet.frame.iloc[:, own].set_axis(gold.index)]
    columns += [file.sheet.frame.iloc[:, rest].set_axis(file.index).reindex(gold.index)]
    header = (*(known.sheet.header[i] for i in own), *(file.sheet.header[i] for i in rest))
    frame = pd.concat(columns, axis=1, ignore_index=True).reset_index(drop=True)
    notes = _unknown(file.sheet.label, file, gold, known.sheet.label)
    return replace(file.sheet, header=header, frame=frame), notes


def _unknown(name: str, file: _File, gold: pd.Series, where: str) -> list[str]:
    """A note on predictions of cases that the truth does not have; some must be in it."""
    if not file.index.isin(gold.index).any():
        raise DataError(f"No case of {name!r} is in {where}: the first is {file.index[0]!r}, not {gold.index[0]!r}.")
    unknown = file.index.difference(gold.index)
    if not len(unknown):
        return []
    return [f"{name} predicts {counted(len(unknown), 'case')} that the truth does not have ({unknown[0]}); left out."]


def _joined(files: dict[str, _File], gold: pd.Series, where: str) -> PredictionTable:
    """The predictions of each algorithm by case, in the order of the truth."""
    classes = labels_of(gold)
    probabilities: dict[str, Floats] = {}
    columns: dict[str, pd.Series] = {}
    notes = [
        f"{counted(len(files), 'algorithm')} {'predicts' if len(files) == 1 else 'predict'} the {counted(len(gold), 'case')} of {where}."
    ]
    for name, file in files.items():
        given = file.probabilities(classes)
        if given is not None:
            probabilities[name] = given.reindex(gold.index).to_numpy(dtype=np.float64)
        columns[name] = pd.Series(np.nan, index=gold.index) if given is not None else file.answers(gold.name)
        notes += _unknown(name, file, gold, where)
    if probabilities and len(probabilities) < len(columns):
        odd = next(name for name in columns if name not in probabilities)
        raise DataError(
            f"{files[odd].sheet.label} has no column for each class, as others have: give the same of all algorithms."
        )
    return PredictionTable(
        truth=gold,
        predicted=pd.DataFrame({name: column.reindex(gold.index) for name, column in columns.items()}),
        probabilities=probabilities,
        classes=classes if probabilities else (),
        notes=tuple(notes),
    )


def _beside(sheet: Sheet, roles: dict[str, int], options: ReadOptions) -> dict[str, Any]:
    """The clusters, benchmarks and weights of the cases, from their columns."""
    beside: dict[str, Any] = {}
    for role in ("cluster", "benchmark"):
        if role in roles:
            sheet.filled(roles[role], f"no {role}: fill it in, or delete the row.")
            beside[f"{role}s"] = tuple(map(label_text, sheet.column(roles[role])))
    if "weight" in roles:
        beside["weights"] = weights_of(sheet, roles["weight"], options)
    return beside


# --- One table -------------------------------------------------------------------------------------------------------


def _of_sheet(sheet: Sheet, truth: str, options: ReadOptions) -> PredictionTable:
    """One table: the truth's column, the columns of each algorithm, perhaps those of cases, clusters and benchmarks."""
    header, label = sheet.header, sheet.label
    if twice := next((name for name in header if header.count(name) > 1), ""):
        raise DataError(f"{label} has more than one column {shown(twice)}: rename all but one.")
    plan = prediction_plan(Columns(sheet, options), truth)
    truth = header[plan.roles["truth"]]
    if plan.layout == "long":
        settled: dict[str, Any] = {
            "case_column": header[plan.roles["case"]],
            "algorithm_column": None,
            "value_column": None,
        }
        return _of_sheet(_pivoted(sheet, plan), truth, replace(options, layout="wide", ignore_column=(), **settled))
    frame = sheet.frame.set_axis(list(header), axis=1)
    case = plan.role("case")
    if case is not None:
        frame = frame.set_axis(_index(sheet, case), axis=0)
    elif label != FRAME:
        frame = frame.set_axis([str(i + 1) for i in range(len(frame))], axis=0)
    systems = [header[place] for place in plan.values]
    frame = _with_numbers(frame, sheet, plan, options)
    classes = labels_of(frame[truth])
    groups = class_columns(systems, classes) or _of_numbers(frame[systems], classes, label)
    if not options.named("value"):
        check_predictions(frame[systems], frame[truth], label, options.named("keep"), IDS)
    sentence = as_sentence(
        f"{label} was read as predictions of {{}} for {counted(len(frame), 'case')}; {truth!r} is the truth."
    )
    noun = options.case_noun or (noun_of(header[case]) if case is not None else "case")
    shared: dict[str, Any] = {"truth": frame[truth], "noun": noun, **_beside(sheet, plan.roles, options)}
    if groups:
        probabilities = {name: frame[columns].to_numpy(dtype=np.float64) for name, columns in groups.items()}
        blank = frame[[columns[0] for columns in groups.values()]].set_axis(list(groups), axis=1) * np.nan
        note = f"{sentence.format(counted(len(groups), 'algorithm'))} Each gives a probability to {quoted(classes, 8)}."
        return PredictionTable(predicted=blank, probabilities=probabilities, classes=classes, notes=(note,), **shared)
    note = sentence.format(counted(len(systems), "algorithm"))
    return PredictionTable(predicted=frame[systems], notes=(note,), **shared)


def _with_numbers(frame: pd.DataFrame, sheet: Sheet, plan: Plan, options: ReadOptions) -> pd.DataFrame:
    """The table with numbers in place of texts that are numbers (decimal commas, words for missing); labels stay labels."""
    truth, numbers = plan.roles["truth"], frame.copy()
    for place in [*([truth] if options.decimal_comma else []), *plan.values]:
        name, column = sheet.header[place], sheet.column(place)
        is_label = place != truth and bool(column.dropna().isin(sheet.column(truth)).any())
        if column.dtype.kind in "iufb" or is_label or not looks_numeric(column):
            continue

        def where(row: int, name: str = name) -> str:
            return f"{sheet.label}, row {row + 1} below the header, column {shown(name)}"

        numbers[name] = parse_column(column, options, where).values
    return numbers


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
    by_algorithm: dict[str, dict[str, str]] = {}
    for column in columns:
        ends = [label for label in classes if column.endswith(label) and column[: -len(label)].rstrip(BETWEEN)]
        ends = [label for label in ends if column[-len(label) - 1] in BETWEEN]
        if not ends:
            return {}
        label = max(ends, key=len)
        by_algorithm.setdefault(column[: -len(label)].rstrip(BETWEEN), {})[label] = column
    if any(len(own) < len(classes) for own in by_algorithm.values()):
        return {}
    return {name: [own[label] for label in classes] for name, own in by_algorithm.items()}


def _pivoted(sheet: Sheet, plan: Plan) -> Sheet:
    """A long table as one row per case; each case has one truth."""
    frame, label = sheet.frame.set_axis(list(sheet.header), axis=1), sheet.label
    named = {role: sheet.header[place] for role, place in plan.roles.items()}
    truth, case, system = named["truth"], named["case"], named["algorithm"]
    same = frame.groupby(case, sort=False)[truth].nunique(dropna=False)
    if (same > 1).any():
        raise DataError(f"{label}: the case {str(same.index[same > 1][0])!r} has more than one truth: give it one.")
    if frame.duplicated([case, system]).any():
        row = frame[frame.duplicated([case, system])].iloc[0]
        raise DataError(f"{label}: {str(row[system])!r} predicts the case {str(row[case])!r} more than once: keep one.")
    wide = frame.pivot(index=case, columns=system, values=sheet.header[plan.values[0]])
    wide = wide[list(dict.fromkeys(frame[system]))]
    beside = [named[role] for role in ("truth", "cluster", "benchmark", "weight") if role in named]
    whole = frame.drop_duplicates(case).set_index(case)[beside].join(wide).reset_index()
    header = tuple(str(name) for name in whole.columns)
    return replace(sheet, header=header, frame=whole.set_axis(range(len(header)), axis=1), parts={})
