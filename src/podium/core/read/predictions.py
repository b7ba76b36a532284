"""Predictions with the truth: one table, one file per algorithm and a truth file, dicts and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import counted
from podium.core.read.names import key_of, quoted, shown
from podium.core.read.options import ReadOptions

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.read.reading import Reading
    from podium.core.read.sheet import Sheet

IDS = frozenset(
    """id ids case cases case_id item item_id example example_id instance instance_id index row row_id image image_id name
    question question_id doc_id document_id prompt_id query_id qid sample_id""".split()
)
TRUTHS = frozenset("y_true truth true label labels target actual ground_truth gold y class".split())
PREDICTIONS = frozenset(
    "prediction predictions predicted pred y_pred yhat y_hat score probability proba prob output answer".split()
)
BETWEEN = "_.:/ -|"  # what may stand between an algorithm and a class, as in rf_cat
FRAME = "The DataFrame"
BESIDE = ("cluster", "benchmark", "weight")  # what may be told of each case


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PredictionTable:
    """The truth of every case (its index names them) and a column of predictions per algorithm; nan is a missing one.

    Where algorithms give a probability to each of the `classes`, `probabilities` has them (cases x classes) by algorithm,
    and the column of predictions is empty. `clusters` and `benchmarks` have a name for each case, or none; `weights` a number.
    """

    truth: pd.Series
    predicted: pd.DataFrame
    probabilities: Mapping[str, Floats] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    benchmarks: tuple[str, ...] = ()
    weights: Floats | None = None
    noun: str = "case"
    metric: str | None = None
    notes: tuple[str, ...] = ()
    reading: Reading | None = None


def prediction_table(source: Any, options: ReadOptions) -> PredictionTable:
    """Predictions from a path, several paths or a folder, a DataFrame, or a dict; the truth is a column, a path or values."""
    import pandas as pd

    if len(options.metrics) > 1:
        raise ArgumentError("Test cases are compared by one {metric} at a time.")
    for name in ("sample_column", "cost_column"):
        if getattr(options, name) is not None:
            raise ArgumentError("{argument} is for outcomes, and these are predictions: leave it out.", argument=name)
    truth = options.truth
    paths = _paths(source, truth)
    if paths is not None:
        made = _of_files(paths, str(truth), options)
    elif hasattr(source, "columns") and isinstance(truth, str):
        made = _of_frame(_pandas(source), truth, FRAME, options)
    else:
        values = truth if hasattr(truth, "reindex") else pd.Series(np.asarray(truth), name="truth")
        made = _of_columns(source, values)
    return replace(made, metric=next(iter(options.metrics), None))


def _pandas(frame: Any) -> pd.DataFrame:
    """A DataFrame of pandas, from one of polars too."""
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        return frame
    return pd.DataFrame(frame.to_dict(as_series=False))


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


def labels_of(truth: pd.Series) -> tuple[str, ...]:
    """The classes of the truth, in the order of scikit-learn: numbers by size, texts by the alphabet."""
    return tuple(map(label_text, sorted(truth.dropna().unique().tolist(), key=_sortable)))


def _sortable(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def label_text(value: Any) -> str:
    """A label as text, whole numbers without a point: 3.0, 3 and True's 1 are one label."""
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


# --- Files -----------------------------------------------------------------------------------------------------------


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
    from podium.core.read.sheet import Sheet as Table
    from podium.core.read.where import filtered

    sheet: Sheet | Any = opened(path, options)
    if not isinstance(sheet, Table):
        raise DataError(f"{path.name} holds no table of predictions.")
    sheet = filtered(sheet, options.where) if options.where is not None else sheet
    return sheet.frame.set_axis(list(sheet.header), axis=1)


def _of_files(paths: list[Path], truth: str, options: ReadOptions) -> PredictionTable:
    if len(paths) == 1 and not Path(truth).is_file():
        return _of_frame(_sheet(paths[0], options), truth, paths[0].name, options)
    if not Path(truth).is_file():
        raise DataError(f"There is no file {truth!r}: several files of predictions need a file with the {{truth}}.")
    from podium.core.read.formats.folder import algorithms_in_stems

    known = _sheet(Path(truth), options)
    gold = _by_id(known, Path(truth).name, truth_column=None, options=options)
    if len(paths) == 1:
        frame = _sheet(paths[0], options)
        ids = _id_column(frame, paths[0].name, options)
        frames = {name: frame[[ids, name]] for name in frame.columns if name != ids}
        wheres = dict.fromkeys(frames, paths[0].name)
    else:
        stems = algorithms_in_stems([path.stem for path in paths])
        frames = {name: _sheet(path, options) for name, path in zip(stems, paths, strict=True)}
        wheres = {name: path.name for name, path in zip(stems, paths, strict=True)}
    made = _joined(frames, wheres, gold, Path(truth).name, options)
    return replace(made, **_beside(known, gold.index, Path(truth).name, options))


def _joined(
    frames: dict[str, pd.DataFrame], wheres: dict[str, str], gold: pd.Series, where: str, options: ReadOptions
) -> PredictionTable:
    """The predictions of each algorithm by case, in the order of the truth."""
    import pandas as pd

    classes = labels_of(gold)
    probabilities: dict[str, Floats] = {}
    columns: dict[str, pd.Series] = {}
    notes = [
        f"{counted(len(frames), 'algorithm')} {'predicts' if len(frames) == 1 else 'predict'} the {len(gold)} cases of {where}."
    ]
    for name, frame in frames.items():
        ids = _id_column(frame, wheres[name], options)
        named = {label_text(column): column for column in frame.columns if column != ids}
        index = _index(frame[ids], wheres[name])
        if len(classes) > 1 and set(classes) <= set(named):
            given = frame[[named[label] for label in classes]].set_axis(index, axis=0).reindex(gold.index)
            probabilities[name] = given.to_numpy(dtype=np.float64)
            columns[name] = pd.Series(np.nan, index=gold.index)
        else:
            columns[name] = _by_id(frame, wheres[name], gold.name, options)
        unknown = index.difference(gold.index)
        if len(unknown):
            notes.append(
                f"{name} predicts {counted(len(unknown), 'case')} that the truth does not have ({unknown[0]}); left out."
            )
        if not index.isin(gold.index).any():
            raise DataError(f"No case of {name!r} is in {where}: the first is {index[0]!r}, not {gold.index[0]!r}.")
    if probabilities and len(probabilities) < len(columns):
        odd = next(name for name in columns if name not in probabilities)
        raise DataError(f"{wheres[odd]} has no column for each class, as others have: give the same of all algorithms.")
    table = pd.DataFrame({name: column.reindex(gold.index) for name, column in columns.items()})
    return PredictionTable(
        truth=gold,
        predicted=table,
        probabilities=probabilities,
        classes=classes if probabilities else (),
        notes=tuple(notes),
    )


def _id_column(frame: pd.DataFrame, where: str, options: ReadOptions) -> str:
    if options.case_column is not None:
        if options.case_column not in frame.columns:
            raise DataError(
                f"{where} has no column {options.case_column!r} for {{case_column}}: it has {quoted(list(frame.columns), 12)}."
            )
        return options.case_column
    found = [str(name) for name in frame.columns if key_of(str(name)) in IDS]
    found = found or [str(name) for name in frame.columns if str(name).endswith(("Id", "ID", "_id"))]
    if not found:
        raise DataError(
            f"{where} has no column that names the cases (id, case, ...): it has {quoted(list(frame.columns), 12)}; name it with "
            "{case_column}."
        )
    return found[0]


def _index(column: pd.Series, where: str) -> pd.Index:
    index = column.map(label_text)
    if index.duplicated().any():
        raise DataError(
            f"{where}: the case {index[index.duplicated()].iloc[0]!r} occurs more than once: keep one row for each case."
        )
    import pandas as pd

    found: pd.Index = pd.Index(index.to_numpy())
    return found


def _by_id(frame: pd.DataFrame, where: str, truth_column: Any, options: ReadOptions) -> pd.Series:
    """The one column of answers, by case."""
    ids = _id_column(frame, where, options)
    taken = {ids, *(getattr(options, f"{role}_column") for role in BESIDE)}
    rest = [name for name in frame.columns if name not in taken and not _is_beside(str(name))]
    named = [name for name in rest if name == truth_column] or [n for n in rest if key_of(str(n)) in TRUTHS] or rest
    if len(named) != 1:
        raise DataError(
            f"{where}: which column has the answers? It has {quoted([str(name) for name in named], 12)}; keep one."
        )
    column = frame[named[0]].copy()
    column.index = _index(frame[ids], where)
    return column


def _is_beside(name: str) -> bool:
    from podium.core.read.case_columns import ROLES

    return any(key_of(name) in ROLES[role] for role in BESIDE)


def _beside(frame: pd.DataFrame, index: pd.Index, where: str, options: ReadOptions) -> dict[str, Any]:
    """The clusters, benchmarks and weights of the cases, from their columns."""
    from podium.core.read.case_columns import ROLES

    found: dict[str, Any] = {}
    for role in BESIDE:
        said = getattr(options, f"{role}_column")
        if said is not None and said not in frame.columns:
            raise DataError(
                f"{where} has no column {said!r} for {{{role}_column}}: it has {quoted(list(frame.columns), 12)}."
            )
        name = said or next((n for n in frame.columns if key_of(str(n)) in ROLES[role]), None)
        if name is not None:
            if frame[name].isna().any():
                row = int(np.flatnonzero(frame[name].isna())[0])
                raise DataError(
                    f"{where}: row {row + 1} below the header has no {role}: fill it in, or delete the row."
                )
            weighs = role == "weight"
            found[f"{role}s"] = _weights(frame, name, where, options) if weighs else tuple(map(label_text, frame[name]))
    assert all(len(names) == len(index) for names in found.values())
    return found


def _weights(frame: pd.DataFrame, name: str, where: str, options: ReadOptions) -> Floats:
    """How much each case counts: numbers above 0."""
    from podium.core.read.cells import parse_column

    weights = parse_column(frame[name], options, lambda row: f"{where}, the weight in row {row + 1}").values
    wrong = np.flatnonzero(~(weights > 0))
    if len(wrong):
        raise DataError(
            f"{where}: row {int(wrong[0]) + 1} below the header has the weight {frame[name].iloc[int(wrong[0])]}: a weight is a number "
            f'above 0. Leave such cases out with {{where}} "{name} > 0", or the weights with {{ignore_column}} {shown(name)}.'
        )
    return weights


# --- One table -------------------------------------------------------------------------------------------------------


def _of_frame(frame: pd.DataFrame, truth: str, where: str, options: ReadOptions) -> PredictionTable:
    """One table: the truth's column, the columns of each algorithm, perhaps those of cases, clusters and benchmarks."""
    from podium.core.read.case_columns import noun_of

    names = [str(name) for name in frame.columns]
    frame = frame.set_axis(names, axis=1)
    if truth not in names:
        raise DataError(f"{where} has no column {truth!r} for the {{truth}}: it has {quoted(names, 12)}.")
    ignored = [name for name in options.ignored if name in names]
    frame = frame.drop(columns=ignored)
    system = _system_column(frame, truth, options)
    if system is not None:
        frame = _pivoted(frame, system, truth, where, options)
    ids = options.case_column or next((n for n in frame.columns if key_of(n) in IDS and n != truth), None)
    beside = _beside(frame, frame.index, where, options)
    if ids is not None:
        ids = _id_column(frame, where, options)
        frame = frame.set_axis(_index(frame[ids], where), axis=0)
    elif where != FRAME:
        frame = frame.set_axis([str(i + 1) for i in range(len(frame))], axis=0)
    others = {truth, ids, *_beside_names(frame, options)}
    systems = [name for name in frame.columns if name not in others]
    _check_systems(systems, where, options)
    classes = labels_of(frame[truth])
    groups = class_columns(systems, classes) or _of_numbers(frame[systems], classes, where)
    told = f"{where} was read as predictions of {{}} for {counted(len(frame), 'case')}; {truth!r} is the truth."
    shared: dict[str, Any] = {
        "truth": frame[truth],
        "noun": options.case_noun or (noun_of(ids) if ids else "case"),
        **beside,
    }
    if groups:
        probabilities = {name: frame[columns].to_numpy(dtype=np.float64) for name, columns in groups.items()}
        blank = frame[[columns[0] for columns in groups.values()]].set_axis(list(groups), axis=1) * np.nan
        note = f"{told.format(counted(len(groups), 'algorithm'))} Each gives a probability to {quoted(classes, 8)}."
        return PredictionTable(predicted=blank, probabilities=probabilities, classes=classes, notes=(note,), **shared)
    note = told.format(counted(len(systems), "algorithm"))
    return PredictionTable(predicted=frame[systems], notes=(note,), **shared)


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


def _beside_names(frame: pd.DataFrame, options: ReadOptions) -> list[str]:
    said = [getattr(options, f"{role}_column") for role in BESIDE]
    return [name for name in frame.columns if name in said or _is_beside(name)]


def _check_systems(systems: list[str], where: str, options: ReadOptions) -> None:
    """Ask about a column that may be no algorithm."""
    from podium.core.read.roles import says_otherwise

    for name in systems:
        if name not in options.kept and (reason := says_otherwise(name)):
            raise DataError(
                f"Column {shown(name)} of {where} {reason}: is it an algorithm? Leave it out with {{ignore_column}} {shown(name)}, or "
                f"keep it with {{keep_column}} {shown(name)}."
            )


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
    from podium.core.read.roles import role_of

    if options.algorithm_column is not None:
        return next(iter(options.named("algorithm")))
    if options.layout == "wide":
        return None
    named = [name for name in frame.columns if role_of(name) == "algorithm" and name != truth]
    texts = [name for name in named if frame[name].dtype.kind not in "iuf" and frame[name].duplicated().any()]
    return texts[0] if len(texts) == 1 else None


def _pivoted(frame: pd.DataFrame, system: str, truth: str, where: str, options: ReadOptions) -> pd.DataFrame:
    """A long table as one row per case; each case has one truth."""
    if system not in frame.columns:
        raise DataError(
            f"{where} has no column {system!r} for {{algorithm_column}}: it has {quoted(list(frame.columns), 12)}."
        )
    ids = _id_column(frame, where, options)
    free = [n for n in frame.columns if n not in (system, truth, ids, *_beside_names(frame, options))]
    named = [n for n in free if n in options.values] or [n for n in free if key_of(n) in PREDICTIONS] or free
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
    first = frame.drop_duplicates(ids).set_index(ids)
    kept = first[[truth, *_beside_names(frame, options)]]
    return kept.join(wide).reset_index()
